"""A file that was saved as Latin-1, or with a byte-order mark, is told alike in every format."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import lydite
from format_samples import SAMPLES, Sample
from lydite.formats import FORMATS
from lydite.formats.text import SAVE_AS_UTF_8

ONE_OF_EACH = list({sample.format: sample for sample in SAMPLES}.values())
CODES = {"eal": "encoding"}
"""Where the campaign's validator has a code of its own."""


def damaged(sample: Sample, folder: Path) -> Path:
    """A copy of the gold side; a letter in the middle of its first file that is not empty is Latin-1."""
    extension = FORMATS[sample.format].extensions[0] if FORMATS[sample.format].extensions else ""
    copy = folder / f"d{extension}"
    if isinstance(sample.gold, bytes):
        copy.write_bytes(sample.gold)
    elif sample.gold.is_dir():
        shutil.copytree(sample.gold, copy)
    else:
        shutil.copy(sample.gold, copy)
    files = [copy] if copy.is_file() else [path for path in sorted(copy.rglob("*")) if path.is_file()]
    target = next(path for path in files if path.stat().st_size and path.suffix != ".txt")
    data = target.read_bytes()
    words = list(re.finditer(rb"[a-z]{3,}", data))
    place = words[len(words) // 2].start() + 1
    target.write_bytes(data[:place] + b"\xe9" + data[place + 1 :])
    return copy


@pytest.mark.parametrize("sample", ONE_OF_EACH, ids=lambda sample: sample.format)
def test_latin_1_is_reported_with_its_place_and_what_to_try(sample: Sample, tmp_path: Path) -> None:
    settings = {**sample.settings, "reading": "refuse"} if "reading" in sample.settings else sample.settings
    found = lydite.validate(damaged(sample, tmp_path), task=sample.task, format=sample.format, **settings)
    (finding,) = [one for one in found if one.code == CODES.get(sample.format, "not-utf-8")][:1]
    assert finding.severity == "error"
    assert finding.hint == SAVE_AS_UTF_8
    assert finding.location is not None
    assert finding.location.line


MORE = [
    Sample("table", "coref", "clusters", "cluster-table", *[b"d#a\tc\nd#b\tc\n"] * 2, {"unit": "corpus"}),
    Sample(
        "chains", "coref", "clusters", "coref-jsonl", *[b'{"doc_key":"d","clusters":[[[0,0]]]}\n'] * 2, {}
    ),
    Sample("words", "coref", "clusters", "lydite", *[b'{"doc_id":"d"}\n'] * 2, {}),
    Sample(
        "trees",
        "coref",
        "clusters",
        "corefud",
        *[b"# newdoc id = d\n# global.Entity = eid\n1\ta" + b"\t_" * 7 + b"\tEntity=(e1)\n\n"] * 2,
        {},
    ),
]


@pytest.mark.parametrize("sample", [*ONE_OF_EACH, *MORE], ids=lambda sample: sample.format)
def test_a_byte_order_mark_changes_no_figure_or_is_reported(sample: Sample, tmp_path: Path) -> None:
    gold, system = (Path(side) for side in sample.files(tmp_path))
    copy = tmp_path / "marked" / system.name
    copy.parent.mkdir()
    shutil.copytree(system, copy) if system.is_dir() else shutil.copy(system, copy)
    files = [copy] if copy.is_file() else [path for path in copy.rglob("*") if path.is_file()]
    for path in files:
        if path.suffix not in {".gz", ".parquet"}:
            path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    plain = lydite.score(gold, system, task=sample.task, **sample.settings)
    found = lydite.validate(copy, task=sample.task, **sample.settings)
    if "byte-order-mark" not in {finding.code for finding in found}:
        marked = lydite.score(gold, copy, task=sample.task, **sample.settings)
        assert marked.corpus_rows() == plain.corpus_rows()
