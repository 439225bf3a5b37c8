"""The collector is paused and comes back; what a run keeps does not grow with the number of documents."""

from __future__ import annotations

import gc
import os
import random
import tracemalloc
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import lydite
from lydite import validate
from lydite.formats import document_places
from lydite.memory import forget_files, kept_for_a_run, without_garbage_collection
from lydite.pipeline.reading import read_corpus
from lydite.pipeline.running import sides_of
from lydite.pipeline.sides import Side
from lydite.profile import load_profile
from lydite.tasks.nugget import NUGGET
from lydite.tasks.nugget.settings import NuggetSettings


def test_a_profile_that_changed_is_read_again_whatever_its_time_of_change(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    units = []
    for unit in ("token", "char"):
        own.write_text(f'extends = "nugget/kbp2017"\n[read]\nunit = "{unit}"\n')
        os.utime(own, ns=(10**18, 10**18))
        units.append(load_profile("nugget", str(own), NuggetSettings).settings.unit)
    assert units == ["token", "char"]


def test_the_collector_is_off_inside_and_on_afterwards() -> None:
    assert gc.isenabled()
    with without_garbage_collection():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_comes_back_after_an_error_too() -> None:
    with pytest.raises(ValueError, match="inside"), without_garbage_collection():
        raise ValueError("inside")
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with without_garbage_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_what_was_made_inside_is_still_collected_when_it_is_garbage() -> None:
    class Node:
        pass

    import weakref

    with without_garbage_collection():
        node = Node()
        node.itself = node  # type: ignore[attr-defined]
        seen = weakref.ref(node)
        del node
    gc.collect()
    assert seen() is None


def test_what_a_file_said_is_kept_until_files_are_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "types"
    asked: list[str] = []

    @kept_for_a_run(2)
    def read(name: str) -> str:
        asked.append(name)
        return path.read_text()

    path.write_text("first")
    assert (read("types"), read("types")) == ("first", "first")
    path.write_text("second")
    assert read("types") == "first"
    forget_files()
    assert read("types") == "second"
    assert asked == ["types", "types"]


def test_a_taxonomy_that_changed_between_two_runs_of_a_process_is_read_anew(tmp_path: Path) -> None:
    taxonomy = tmp_path / "mine.roles"
    store = "tests/conformance/arguments/80-random-1/system"
    settings = {"profile": "kbp2014", "format": "eal", "taxonomy": str(taxonomy)}

    def unknown_types() -> int:
        findings = validate(store, task="arguments", **settings)  # type: ignore[arg-type]
        return sum(finding.code == "event-type" for finding in findings)

    taxonomy.write_text("Life.Die\tVictim\tPlace\n")
    before = unknown_types()
    taxonomy.write_text("Life.Marry\tPerson\n")
    assert unknown_types() != before


def tbf(path: Path, numbers: Iterable[int]) -> str:
    """A file of documents with one mention each, under ids as long as those of a news agency."""
    mention = "s\tNYT_ENG_{0:012d}\tE1\t10,18\tattacked\tConflict_Attack\tActual"
    block = f"#BeginOfDocument NYT_ENG_{{0:012d}}\n{mention}\n#EndOfDocument\n"
    path.write_text("".join(block.format(number) for number in numbers), encoding="utf-8")
    return str(path)


FEW, MANY = 300, 1300


def kept_for_each(keep: Callable[[int], object]) -> float:
    """Bytes of memory that what is kept of many documents has more than that of a few, for each document more."""
    keep(FEW)  # modules are loaded only once
    sizes = []
    for documents in (FEW, MANY):
        gc.collect()
        tracemalloc.start()
        kept = keep(documents)
        gc.collect()
        sizes.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
        del kept
    return (sizes[1] - sizes[0]) / (MANY - FEW)


@pytest.fixture
def few_ids_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_places, "IN_MEMORY", 100)


@pytest.mark.usefixtures("few_ids_in_memory")
def test_validation_keeps_a_few_bytes_of_a_document(tmp_path: Path) -> None:
    profile = load_profile("nugget", "kbp2017", NuggetSettings)

    def validated(documents: int) -> Side[Any, Any]:
        path = tbf(tmp_path / "system.tbf", range(documents))
        side: Side[Any, Any] = Side(read_corpus(path, NUGGET, profile), "system", NUGGET, profile.settings)
        side.complete()
        assert side.findings == []
        return side

    assert kept_for_each(validated) <= 32


@pytest.mark.usefixtures("few_ids_in_memory")
def test_a_score_keeps_a_few_bytes_of_a_document_of_both_sides(tmp_path: Path) -> None:
    profile = load_profile("nugget", "kbp2017", NuggetSettings)

    def compared(documents: int) -> tuple[object, object]:
        shuffled = random.Random(documents).sample(range(documents), documents)
        paths = tbf(tmp_path / "gold.tbf", range(documents)), tbf(tmp_path / "system.tbf", shuffled)
        gold, system = (read_corpus(path, NUGGET, profile) for path in paths)
        sides = sides_of(NUGGET, gold, [system], profile.settings)
        comparisons = NUGGET.compare(sides, profile.settings)
        assert sum(1 for _ in zip(comparisons, range(documents - 1), strict=False)) == documents - 1
        return sides, comparisons

    assert kept_for_each(compared) <= 64


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_summary_is_the_same_wherever_the_ids_of_documents_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    gold = tbf(tmp_path / "gold.tbf", [3, 10, 2, 7, 5, 3, 12])
    systems = [tbf(tmp_path / "first.tbf", [7, 3, 99, 5, 7]), tbf(tmp_path / "second.tbf", [12, 2, 10])]
    score = partial(lydite.score, gold, *systems, task="nugget", reading="as-official")
    expected = score().to_dict()
    monkeypatch.setattr(document_places, "IN_MEMORY", 1)
    assert score(jobs=jobs).to_dict() == expected
