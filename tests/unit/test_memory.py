"""The collector is paused and comes back."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from lydite import validate
from lydite.memory import forget_files, kept_for_a_run, without_garbage_collection


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
