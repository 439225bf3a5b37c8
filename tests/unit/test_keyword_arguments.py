from __future__ import annotations

from collections.abc import Callable

import pytest

import lydite

GOLD, ALDER, BIRCH = "examples/gold.tbf", "examples/systems/alder.tbf", "examples/systems/birch.tbf"


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(lydite.UsageError) as caught:
        call()
    return f"{caught.value} {caught.value.hint}"


@pytest.mark.parametrize(
    ("keyword", "value"),
    [
        ("task", 3),
        ("task", ["nugget"]),
        ("profile", ["kbp2017"]),
        ("profile", ""),
        ("format", 1),
        ("names", 5),
        ("names", {"a"}),
        ("names", [None]),
        ("by", 5),
        ("by", [1]),
        ("diagnosis", "no"),
        ("jobs", "2"),
        ("jobs", 0),
        ("jobs", 1.5),
        ("quirks", ["skip-documents-without-gold"]),
        ("quirks", {1: True}),
        ("no_quirks", "off"),
        ("pairing", None),
    ],
)
def test_a_keyword_of_another_kind_is_refused_by_its_name(keyword: str, value: object) -> None:
    message = refusal(lambda: lydite.score(GOLD, ALDER, **{keyword: value}))  # type: ignore[arg-type]
    assert keyword.rstrip("s") in message


@pytest.mark.parametrize(
    ("keyword", "value"),
    [
        ("figure", 1),
        ("against", ["alder"]),
        ("resample_by", 2),
        ("resamples", "100"),
        ("resamples", True),
        ("seed", None),
        ("level", "0.9"),
        ("interval", None),
        ("correction", None),
        ("alpha", None),
        ("top", 2.5),
        ("jobs", None),
    ],
)
def test_a_keyword_of_compare_of_another_kind_is_refused_by_its_name(keyword: str, value: object) -> None:
    message = refusal(lambda: lydite.compare(GOLD, ALDER, BIRCH, **{keyword: value}))  # type: ignore[arg-type]
    assert message.startswith(f"{keyword}: expected ")


def test_what_is_no_path_is_refused_where_nothing_else_can_be_given() -> None:
    for call in (lydite.read, lydite.convert, lambda given: lydite.adjudicate(given, given)):
        for given in (None, 5, b"x", [GOLD]):
            assert "expected the path" in refusal(lambda call=call, given=given: call(given))  # type: ignore[misc]


def test_breakdowns_are_names_as_on_the_command_line_or_they_are_refused() -> None:
    listed = lydite.score(GOLD, ALDER, by=("doc", "type"))
    assert lydite.score(GOLD, ALDER, by="doc,type").rows == listed.rows
    assert listed.by("type").rows
    assert "did you mean 'type'?" in refusal(lambda: lydite.score(GOLD, ALDER, by=("typ",)))
    metric = lydite.Metric("coref", by="typ")
    assert "can be broken down by doc, cluster" in refusal(lambda: metric.update([[[1]]], [[[1]]]))


def test_reading_refuses_settings_that_nobody_has_and_values_that_cannot_be() -> None:
    assert "did you mean 'unit' or" in refusal(lambda: lydite.read(GOLD, units="token"))
    assert "is not possible" in refusal(lambda: lydite.read(GOLD, unit="tokens"))
    table = "tests/conformance/coref/big-merge/key.conll"
    assert "a whole number" in refusal(lambda: lydite.read(table, column="last"))
    assert lydite.read(GOLD, unit="token").facts["unit"] == "token"
    assert list(lydite.read(table, unit="corpus").documents) == ["corpus"]


def test_what_is_no_name_no_row_of_documents_and_no_summary_is_refused() -> None:
    with pytest.raises(lydite.UsageError, match="no metric"):
        lydite.coref.score(["muc"], [[1, 2]], [[1, 2]])  # type: ignore[arg-type]
    for documents in (3, "ab", [[1], [2]]):
        with pytest.raises(lydite.UsageError, match="documents: expected one row of names"):
            lydite.coref.score_arrays([1, 1], [1, 2], documents)
    with pytest.raises(lydite.UsageError, match="metrics: expected a list of names"):
        lydite.coref.score_arrays([1, 1], [1, 2], metrics=3)  # type: ignore[arg-type]
    assert list(lydite.coref.score_arrays([1, 1], [1, 2], metrics="muc,lea")) == ["muc", "lea"]
    with pytest.raises(lydite.UsageError, match="expected a document of schema"):
        lydite.Summary.from_dict([])  # type: ignore[arg-type]
