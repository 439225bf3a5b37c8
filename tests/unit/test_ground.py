from __future__ import annotations

import math
import pickle
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite.errors import Finding, FormatError, InputError, Location, UsageError
from lydite.exact_sums import ExactSum
from lydite.profile import Setting, load_profile, show_value
from lydite.registry import Registry, did_you_mean
from lydite.tasks import TASKS

NUGGET = TASKS["nugget"]


def test_a_finding_says_where_what_and_what_to_try() -> None:
    finding = Finding(
        "too-few-columns", "error", "expected 7 columns, found 1", Location("a.tbf", 214), hint="use tabs"
    )
    assert str(finding) == "a.tbf:214: error: expected 7 columns, found 1 [too-few-columns]\n  hint: use tabs"


def test_a_finding_survives_its_dictionary() -> None:
    finding = Finding("c", "warning", "m", Location("p", 3, 4), "d1", "E1", "h")
    assert Finding.from_dict(finding.to_dict()) == finding


def test_an_input_error_survives_pickling() -> None:
    error = FormatError([Finding("c", "error", "m")])
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert isinstance(again, InputError)
    assert again.findings == error.findings


def test_a_misspelt_name_gets_a_hint() -> None:
    assert did_you_mean("kbp215", ["kbp2015", "exact"]) == "did you mean 'kbp2015'?"
    registry: Registry[int] = Registry("number", {"one": 1})
    with pytest.raises(UsageError, match="no number 'two'"):
        registry["two"]


def test_a_registry_loads_an_entry_when_it_is_asked_for() -> None:
    registry: Registry[object] = Registry("thing", {"pi": "math:pi"})
    assert registry["pi"] == math.pi


@given(st.lists(st.floats(-1e12, 1e12), max_size=60))
def test_an_exact_sum_is_the_correctly_rounded_sum(numbers: list[float]) -> None:
    total = ExactSum()
    for number in numbers:
        total.add(number)
    assert total.value == math.fsum(numbers)


def test_an_exact_sum_of_integers_stays_an_integer() -> None:
    total = ExactSum()
    for number in (1, 2, 3):
        total.add(number)
    assert total.value == 6
    assert isinstance(total.value, int)


def test_an_exact_sum_folds_what_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lydite.exact_sums.PENDING", 3)
    numbers = [0.1] * 10 + [1e16, -1e16, 3]
    total = ExactSum()
    for number in numbers:
        total.add(number)
    assert total.value == math.fsum(numbers)
    assert Fraction(total.value) == Fraction(math.fsum(numbers))


@given(st.lists(st.floats(-1e300, 1e300), max_size=40), st.integers(1, 5))
def test_sums_of_blocks_are_the_sum_of_all(numbers: list[float], pending: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lydite.exact_sums.PENDING", pending)
        parts = [ExactSum() for _ in range(3)]
        for place, number in enumerate(numbers):
            parts[place % 3].add(number)
        total = ExactSum()
        for part in parts:
            total.add_sum(part)
    exact = sum(map(Fraction, numbers))
    assert abs(exact) > 1e307 or total.value == float(exact)


def test_a_profile_extends_another_and_keeps_what_it_does_not_name() -> None:
    profile = load_profile("nugget", "kbp2015-v1.6.2", NUGGET.settings)
    assert profile.settings.unit == "token"
    assert profile.settings.official_layout == "evmeval-1.6.2"


def test_an_unknown_profile_is_refused_with_near_names() -> None:
    with pytest.raises(UsageError) as error:
        load_profile("nugget", "kbp215", NUGGET.settings)
    assert "kbp2015" in (error.value.hint or "")


def test_an_unknown_key_of_a_profile_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('extends = "nugget/kbp2017"\n[align]\npairring = "greedy"\n')
    with pytest.raises(UsageError, match="unknown key \\[align\\] pairring"):
        load_profile("nugget", str(path), NUGGET.settings)


def test_a_misspelt_file_or_description_of_a_profile_is_hinted_at(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('extend = "nugget/kbp2017"\n')
    for name, hint in {"mine.toml": "extends", "min.toml": "mine.toml"}.items():
        with pytest.raises(UsageError) as error:
            load_profile("nugget", str(tmp_path / name), NUGGET.settings)
        assert error.value.hint == f"did you mean {hint!r}?"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('[score]\npairing = "greedy"\n', "[score] pairing"),
        ('pairing = "greedy"\n', "pairing before the first table"),
    ],
)
def test_a_key_of_another_table_is_told_where_it_belongs(tmp_path: Path, text: str, found: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f'extends = "nugget/kbp2017"\n{text}')
    with pytest.raises(UsageError) as error:
        load_profile("nugget", str(path), NUGGET.settings)
    assert str(error.value).endswith(f"expected pairing in the table [align], found {found}")
    assert error.value.hint is None


def test_a_users_profile_changes_what_it_says(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('extends = "nugget/kbp2017"\n[quirks]\nskip-documents-without-gold = false\n')
    profile = load_profile("nugget", str(path), NUGGET.settings)
    assert profile.name == "mine"
    assert not profile.settings.skip_documents_without_gold
    assert profile.settings.count_repeated_characters


def test_departures_are_the_settings_that_differ_from_the_profile() -> None:
    profile = load_profile("nugget", "kbp2017", NUGGET.settings).replace(
        {"only_document": "d1", "pairing": "greedy"}
    )
    assert profile.departures() == {"only-document": "d1"}


def test_what_the_input_decides_is_no_departure() -> None:
    profile = load_profile("nugget", "kbp2017", NUGGET.settings).resolved({"unit": "token"})
    assert profile.settings.unit == "token"
    assert profile.departures() == {}


def test_switching_quirks_off_switches_all_off() -> None:
    profile = load_profile("nugget", "kbp2015", NUGGET.settings)
    profile = profile.replace(dict.fromkeys(profile.quirks, False))
    assert not any(profile.quirks.values())


def test_a_profile_survives_pickling() -> None:
    profile = load_profile("nugget", "kbp2015", NUGGET.settings)
    assert pickle.loads(pickle.dumps(profile)).values == profile.values  # noqa: S301 - our own bytes


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        (Setting("a", "bool", False, ""), "perhaps"),
        (Setting("a", "int", 1, ""), "many"),
        (Setting("a", "int", 1, ""), "-1"),
        (Setting("a", "index", 1, ""), "0.5"),
        (Setting("a", "float", 1.0, ""), "much"),
        (Setting("a", "float", 1.0, ""), "-0.25"),
        (Setting("a", "float", 1.0, ""), -1),
        (Setting("a", "share", 1.0, ""), "1.5"),
        (Setting("a", "share", 1.0, ""), -0.1),
        (Setting("a", "str", "x", "", ("x", "y")), "z"),
        (Setting("a", "list", (), "", ("x", "y")), "x,z"),
        (Setting("a", "path", None, ""), 3),
        (Setting("a", "pattern", "", ""), "("),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused(setting: Setting, value: object) -> None:
    with pytest.raises(UsageError, match="setting 'a'"):
        setting.parse(value)


def test_a_setting_says_which_file_its_value_names(tmp_path: Path) -> None:
    file = str(tmp_path / "list.txt")
    Path(file).write_text("d1\n", encoding="utf-8")
    either = Setting("a", "list", (), "", or_file=True)
    assert either.file_in((file,)) == either.file_in(file) == file
    assert [either.file_in(value) for value in (("d1",), (file, "d1"), (), None)] == [None] * 4
    assert Setting("a", "list", (), "").file_in((file,)) is None
    assert [Setting("a", "path", None, "").file_in(value) for value in ("gone", None)] == ["gone", None]


def test_values_are_shown_as_they_are_written() -> None:
    assert [show_value(value) for value in (True, False, ("a", "b"), (), None, 1.5)] == [
        "on",
        "off",
        "a,b",
        "none",
        "none",
        "1.5",
    ]
