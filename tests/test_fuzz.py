"""The harness of ``make fuzz`` finds what it is there to find, and finds nothing in a few hundred inputs."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from format_samples import FILES
from fuzz import attack as fuzz
from fuzz.mutations import REWORDINGS, unclosed
from fuzz.scenarios import Scenario, scenarios
from lydite.formats import FORMATS

INPUTS = 400
TRIES = 40


@pytest.fixture(scope="module")
def attack(tmp_path_factory: pytest.TempPathFactory) -> fuzz.Attack:
    return fuzz.Attack(scenarios(tmp_path_factory.mktemp("fuzz")), seed=20)


def test_a_few_hundred_damaged_inputs_show_no_defect(
    attack: fuzz.Attack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzz, "UNCLOSED", 0)  # the cost of a byte is measured by make fuzz alone
    for _ in range(INPUTS):
        attack.step()
    assert attack.inputs == INPUTS
    assert not attack.found, fuzz.report(attack, 1)


@pytest.mark.parametrize("name", list(FILES))
def test_no_reader_loses_in_silence_what_is_joined_misspelt_or_moved(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"d{FORMATS[name].extensions[0]}"
    path.write_bytes(FILES[name])
    amount, remarks = fuzz.reading(name, str(path))
    assert amount
    random = Random(name)
    for _ in range(TRIES):
        content = random.choice(REWORDINGS)(random, FILES[name])
        path.write_bytes(content)
        read, said = fuzz.reading(name, str(path))
        assert read >= amount or said - remarks, content


def test_the_harness_sees_a_silent_loss(tmp_path: Path) -> None:
    lines = [f"s\td\t{name}\t{place}\tx\tLife_Die\tActual" for name, place in (("E1", "0,1"), ("E2", "4,5"))]
    path = tmp_path / "d.tbf"
    path.write_text("\n".join(["#BeginOfDocument d", *lines, "#EndOfDocument"]))
    sound = fuzz.reading("tbf", str(path))
    path.write_text("\n".join(["#BeginOfDocument d", lines[0], "#EndOfDocument"]))
    scenario = Scenario("tbf file", tmp_path, (str(path),), (), format="tbf")
    assert [shortfall.kind for shortfall in fuzz.silent_loss(scenario, sound)] == ["silent loss"]


def test_the_harness_sees_a_traceback_and_files_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    scenario = Scenario("none", tmp_path, (), ())

    def broken(_words: list[str]) -> int:
        raise RuntimeError("no")

    def untidy(_words: list[str]) -> int:
        (tmp_path / "half").touch()
        return 3

    for run, kinds in ((broken, ["traceback"]), (untidy, ["file left behind", "half output"])):
        monkeypatch.setattr(fuzz, "run", run)
        assert [one.kind for one in fuzz.shortfalls(scenario, ("validate", "x"))] == kinds
    assert not os.listdir(tmp_path)  # noqa: PTH208 - names are enough


def test_an_input_is_made_as_small_as_what_shows_the_defect() -> None:
    assert fuzz.smallest(b"a lot before <x> and after", lambda content: b"<x>" in content) == b"<x>"


def test_one_file_of_a_folder_is_damaged_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []
    for name in ("a", "b"):
        (tmp_path / name).write_text("sound")

    def run(_words: list[str]) -> int:
        seen.append([(tmp_path / name).read_text() for name in ("a", "b")])
        return 0

    monkeypatch.setattr(fuzz, "run", run)
    attack = fuzz.Attack([Scenario("two files", tmp_path, ("a", "b"), (("validate", "a"),))], seed=1)
    monkeypatch.setattr(fuzz, "damaged", lambda _random, content: content + b"!")
    monkeypatch.setattr(fuzz, "UNCLOSED", 0)
    for _ in range(20):
        attack.step()
    assert {tuple(pair) for pair in seen} == {("sound!", "sound"), ("sound", "sound!")}


def test_the_harness_sees_that_a_longer_input_costs_more_for_each_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "d.txt"
    path.write_text("x")

    def quadratic(_words: list[str]) -> int:
        size = path.stat().st_size
        sum(range(size * size // 120))
        return 0

    def linear(_words: list[str]) -> int:
        sum(range(path.stat().st_size * 600))
        return 0

    def hungry(_words: list[str]) -> int:
        size = path.stat().st_size
        bytearray(b"x") * (size * size // 10)
        return 0

    monkeypatch.setattr(fuzz, "UNCLOSED", 1)
    by_time, by_memory = fuzz.Cost(0.05, 1 << 40), fuzz.Cost(1000, 50 << 20)
    cases = (quadratic, by_time, ["seconds"]), (linear, by_time, []), (hungry, by_memory, ["memory"])
    for run, much, places in cases:
        monkeypatch.setattr(fuzz, "run", run)
        monkeypatch.setattr(fuzz, "COSTLY", much)
        attack = fuzz.Attack([Scenario("one file", tmp_path, ("d.txt",), (("validate", "d.txt"),))], seed=1)
        attack.step()
        found = [defect.shortfall for defects in attack.found.values() for defect in defects]
        assert [shortfall.kind for shortfall in found] == ["cost"] * len(places)
        assert [shortfall.place.partition(",")[0] for shortfall in found] == places


@pytest.mark.parametrize("name", list(FILES))
def test_something_long_is_opened_and_not_closed_in_every_format(name: str) -> None:
    before, piece, rest = unclosed(Random(name), FILES[name])
    assert piece
    assert FILES[name].startswith(before)
    assert FILES[name].endswith(rest.removeprefix(b"\n"))
