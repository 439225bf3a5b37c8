"""Files beside the annotation may be damaged too: any bytes give numbers or findings, never a traceback or a hang."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damage import damaged
from format_samples import EXAMPLES
from lydite.cli import run
from lydite.tasks import TASKS
from side_files import ACE, BRAT, DOCUMENT, SIDES, STORE, Side

NUMBERS = itertools.count()
KNOWN_STATUSES = {0, 1, 2, 3, 4}
FILES_BY_NAME = {
    ("arguments", "taxonomy"),
    ("arguments", "document-list"),
    ("arguments", "coreference"),
    ("arguments", "roles"),
}
"""Settings that are no paths, because a name or a list will do; a file may be named all the same."""


def test_every_setting_that_names_a_file_is_given_damaged_ones() -> None:
    paths = {
        (task, setting.name)
        for task in TASKS
        for setting in TASKS[task].settings.declared.values()
        if setting.kind == "path"
    }
    assert {(side.task, side.setting) for side in SIDES} == paths | FILES_BY_NAME


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sides")


def _lay_out(side: Side, folder: Path, content: bytes) -> tuple[str, str, list[str]]:
    """Gold, system and the options that name the damaged file."""
    paths = []
    for name, said in (("gold", side.gold), ("system", side.system)):
        if isinstance(said, bytes):
            path = folder / name / f"{DOCUMENT}{side.extension}"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(said)
            paths.append(str(path))
        else:
            paths.append(str(said))
    # Side files are remembered by their paths, so that every content needs another one.
    named = folder / f"{side.task}-{side.setting}-{next(NUMBERS)}{side.ending}"
    if isinstance(side.beside, Path):
        shutil.copytree(side.beside, named)
    file = named / side.inside if side.inside else named
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(content)
    return paths[0], paths[1], [f"--{side.setting}", str(named), *side.options, "-q"]


def _commands(side: Side, gold: str, system: str, out: Path) -> Iterator[list[str]]:
    yield ["convert", side.task, system, str(out), "--to", "lydite"]
    yield ["score", side.task, gold, system]
    yield ["validate", side.task, system]
    if side.task != "arguments":  # whose side files belong to assessments, and those are no annotators
        yield ["agree", side.task, gold, system]


CONVERT_ONLY = {"--ground", "--repair-offsets", "shift", "--to-unit", "char"}
"""What says how to convert is no option of scores."""


def _run_all(side: Side, folder: Path, content: bytes) -> list[int]:
    gold, system, options = _lay_out(side, folder, content)
    plain = [word for word in options if word not in CONVERT_ONLY]
    return [
        run([*words, *(options if words[0] == "convert" else plain)])
        for words in _commands(side, gold, system, folder / "out.lydite.jsonl")
    ]


@pytest.mark.parametrize("side", SIDES, ids=lambda side: f"{side.task}-{side.setting}{side.ending}")
def test_the_sound_files_are_taken(folder: Path, side: Side) -> None:
    statuses = _run_all(side, folder, side.content)
    assert set(statuses) <= {0, 1}, statuses


@pytest.mark.parametrize("side", SIDES, ids=lambda side: f"{side.task}-{side.setting}{side.ending}")
@settings(max_examples=8)
@given(data=st.data())
def test_a_damaged_file_beside_the_annotation_gives_numbers_or_findings(
    folder: Path, side: Side, data: st.DataObject
) -> None:
    assert set(_run_all(side, folder, data.draw(damaged(side.content)))) <= KNOWN_STATUSES


# ---------------------------------------------------------------------------------------------------- other files


@settings(max_examples=25)
@given(data=st.data())
def test_a_damaged_list_of_apf_files_gives_a_corpus_or_findings(folder: Path, data: st.DataObject) -> None:
    place = folder / "list"
    if not place.exists():
        shutil.copytree(ACE / "ref", place)
    names = "\n".join(sorted(file.name for file in place.glob("*.xml")))
    path = place / "files.txt"
    path.write_bytes(data.draw(damaged(names.encode())))
    for words in (["score", "ace", str(path), str(ACE / "sys")], ["validate", "ace", str(path)]):
        assert run([*words, "-q"]) in KNOWN_STATUSES
    assert (
        run(["convert", "ace", str(path), str(folder / "out.jsonl"), "--to", "lydite", "-q"])
        in KNOWN_STATUSES
    )


@settings(max_examples=20)
@given(data=st.data())
def test_a_damaged_text_beside_brat_annotation_gives_a_corpus_or_findings(
    folder: Path, data: st.DataObject
) -> None:
    place = folder / "brat"
    place.mkdir(exist_ok=True)
    (place / "d.ann").write_bytes(BRAT)
    (place / "d.txt").write_bytes(data.draw(damaged(b"The rebels stormed the fort.\nTwo died.\n")))
    for words in (
        ["validate", "nugget", str(place / "d.ann")],
        ["convert", str(place / "d.ann"), str(folder / "t.tbf")],
    ):
        assert run([*words, "-q"]) in KNOWN_STATUSES


@pytest.fixture(scope="module")
def assessment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An assessment under way: a quote filter, a sheet, a queue."""
    place = tmp_path_factory.mktemp("assessment")
    assert (
        run(["assess", "quote-filter", "--documents", str(EXAMPLES / "text"), "-o", str(place / "filter")])
        == 0
    )
    shutil.copytree(STORE / "annotation", place / "annotation")
    assert run(["assess", "sheet", str(place / "annotation"), "-o", str(place / "sheet.csv")]) == 0
    systems = [str(EXAMPLES / "ace" / "systems" / name) for name in ("alder", "birch")]
    targets = str(EXAMPLES / "ace" / "targets.jsonl")
    gold = str(EXAMPLES / "ace" / "gold")
    assert run(["assess", "queue", gold, *systems, "--targets", targets, "-o", str(place / "queue.tsv")]) == 0
    shutil.copy(EXAMPLES / "ace" / "decisions.tsv", place / "decisions.tsv")
    shutil.copy(targets, place / "targets.jsonl")
    return place


def _assess(place: Path, name: str) -> list[str]:
    file = str(place / f"damaged-{name}")
    systems = [str(EXAMPLES / "ace" / "systems" / system) for system in ("alder", "birch")]
    gold = str(EXAMPLES / "ace" / "gold")
    if name == "filter":
        store = str(EXAMPLES / "arguments" / "systems" / "alder")
        return ["assess", "quote-filter", store, "--filter", file, "-o", str(place / "filtered")]
    if name == "sheet.csv":
        return ["assess", "read-sheet", file, str(place / "annotation")]
    files = {
        one: file if one == name else str(place / one)
        for one in ("targets.jsonl", "queue.tsv", "decisions.tsv")
    }
    named = [
        "--targets",
        files["targets.jsonl"],
        "--queue",
        files["queue.tsv"],
        "--decisions",
        files["decisions.tsv"],
    ]
    return ["assess", "apply", gold, *systems, *named, "--resamples", "0"]


@pytest.mark.parametrize("name", ["filter", "sheet.csv", "targets.jsonl", "queue.tsv", "decisions.tsv"])
@settings(max_examples=8)
@given(data=st.data())
def test_a_damaged_file_of_an_assessment_is_read_or_refused(
    assessment: Path, name: str, data: st.DataObject
) -> None:
    shutil.rmtree(assessment / "filtered", ignore_errors=True)
    content = (assessment / name).read_bytes()
    (assessment / f"damaged-{name}").write_bytes(data.draw(damaged(content)))
    assert run(_assess(assessment, name)) in KNOWN_STATUSES
