"""Any bytes give a corpus or findings: never a traceback, never a hang."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damage import damaged
from format_samples import CASES, FILE_SETTINGS, FILES
from lydite.cli import run
from lydite.errors import LyditeError, UsageError
from lydite.formats import FORMATS
from lydite.formats.rewriting import check_formats
from lydite.formats.source import Source, SourcePart

STORES = {
    "assessed": CASES / "arguments" / "80-random-1",
    "linked": CASES / "arguments-linking" / "k10-random",
}
KNOWN_STATUSES = {0, 1, 2, 3, 4}


def test_every_reader_is_given_damaged_files() -> None:
    assert {*FILES, "eal"} == set(FORMATS)


def _read_all(source: Source, name: str) -> None:
    try:
        corpus = FORMATS[name].read(source, FILE_SETTINGS.get(name, {}))
        for doc_id in corpus.documents:
            document = corpus.documents[doc_id]
            list(document.mentions)
    except LyditeError:
        pass


@pytest.mark.parametrize("name", list(FILES))
@given(data=st.data())
def test_damaged_bytes_give_a_corpus_or_findings(name: str, data: st.DataObject) -> None:
    content = data.draw(damaged(FILES[name]))
    part = SourcePart(f"d{FORMATS[name].extensions[0]}", lambda: io.BytesIO(content))
    _read_all(Source(part.path, (part,)), name)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("damaged")


def _options(name: str) -> list[str]:
    given: Mapping[str, Any] = FILE_SETTINGS.get(name, {})
    values = {
        key: ",".join(value) if isinstance(value, tuple) else str(value) for key, value in given.items()
    }
    return ["--from", name, *(word for key, value in values.items() for word in (f"--{key}", value))]


OF_SYSTEMS = {"gen-arg"}
"""Formats of systems alone: their gold has another one."""


def _task(name: str) -> str:
    return FORMATS[name].tasks[0] if FORMATS[name].tasks else "nugget"


@pytest.mark.parametrize(
    "stem", ["sound", *(["s\udcfe"] if sys.platform == "linux" else [])]
)  # UTF-8 elsewhere
@pytest.mark.parametrize("name", list(FILES))
def test_the_samples_themselves_are_scored_whatever_they_are_called(
    folder: Path, name: str, stem: str
) -> None:
    path = folder / f"{stem}{FORMATS[name].extensions[0]}"
    path.write_bytes(FILES[name])
    expected = 3 if name in OF_SYSTEMS else 0
    assert run(["score", _task(name), str(path), str(path), "-q", *_options(name)]) == expected


@pytest.mark.parametrize("name", list(FILES))
@settings(max_examples=20)
@given(data=st.data())
def test_the_command_never_confesses_a_defect_over_a_damaged_file(
    folder: Path, name: str, data: st.DataObject
) -> None:
    task = _task(name)
    gold, system = (folder / f"{side}{FORMATS[name].extensions[0]}" for side in ("gold", "system"))
    gold.write_bytes(FILES[name])
    system.write_bytes(data.draw(damaged(FILES[name])))
    layout = data.draw(st.sampled_from(("text", "json")))
    options = _options(name)
    assert run(["validate", task, str(system), "-q", *options]) in KNOWN_STATUSES
    assert run(["score", task, str(gold), str(system), "-q", "--format", layout, *options]) in KNOWN_STATUSES


def _reachable(name: str) -> list[str]:
    """The writers that can carry something of what a reader gives."""
    targets = []
    for target in FORMATS:
        try:
            check_formats(FORMATS[name], FORMATS[target])
        except UsageError:
            continue
        targets.append(target)
    return targets


@pytest.mark.parametrize("name", list(FILES))
@settings(max_examples=8)
@given(data=st.data())
def test_no_conversion_and_no_agreement_confesses_a_defect_over_a_damaged_file(
    folder: Path, name: str, data: st.DataObject
) -> None:
    path, sound = (folder / side / f"d{FORMATS[name].extensions[0]}" for side in ("damaged", "sound"))
    for file, content in ((path, data.draw(damaged(FILES[name]))), (sound, FILES[name])):
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content)
    for target in _reachable(name):
        words = [
            "convert",
            _task(name),
            str(path),
            str(folder / f"out-{name}-{target}"),
            "--to",
            target,
            "-q",
        ]
        assert run([*words, *_options(name)]) in KNOWN_STATUSES, target
    assert run(["agree", _task(name), str(sound), str(path), "-q", *_options(name)]) in KNOWN_STATUSES


@pytest.mark.parametrize("name", list(FILES))
def test_every_sample_is_converted_to_every_format_in_reach(folder: Path, name: str) -> None:
    path = folder / f"whole{FORMATS[name].extensions[0]}"
    path.write_bytes(FILES[name])
    targets = _reachable(name)
    assert "lydite" in targets
    for target in targets:
        words = [
            "convert",
            _task(name),
            str(path),
            f"{folder / f'whole-{name}-{target}'}/",
            "--to",
            target,
            "-q",
        ]
        assert run([*words, *_options(name)]) == 0, target


@pytest.mark.parametrize("kind", list(STORES))
@settings(max_examples=30)
@given(data=st.data())
def test_a_store_with_a_damaged_file_is_read_or_refused(folder: Path, kind: str, data: st.DataObject) -> None:
    case = folder / kind
    shutil.rmtree(case, ignore_errors=True)
    shutil.copytree(STORES[kind], case, ignore=shutil.ignore_patterns("*.json"))
    files = sorted(file for file in case.rglob("*") if file.is_file())
    file = data.draw(st.sampled_from(files))
    file.write_bytes(data.draw(damaged(file.read_bytes())))
    for part in sorted(case.iterdir()):
        _read_all(Source(str(part), ()), "eal")
    gold, system = str(case / "annotation"), str(case / "system")
    options = ["-q", "--from", "eal", "--reading", data.draw(st.sampled_from(("refuse", "as-official")))]
    if kind == "linked":
        options += ["--profile", "kbp2015", "--linking", str(case / "reference-linking")]
    assert run(["validate", "arguments", system, "--gold", gold, *options]) in KNOWN_STATUSES
    assert run(["score", "arguments", gold, system, "--format", "json", *options]) in KNOWN_STATUSES
    out = str(folder / f"{kind}.lydite.jsonl")
    assert run(["convert", "arguments", system, out, "--to", "lydite", *options]) in KNOWN_STATUSES
