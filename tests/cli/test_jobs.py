"""The number of processes shows nowhere: the whole document is the same, byte for byte."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest

from lydite.cli import run

EXAMPLES = Path("examples")
DOCUMENTS = tuple(f"(d/{letter}); part 000" for letter in "abcde")

Capture = pytest.CaptureFixture[str]


def document(name: str, cells: list[str]) -> str:
    return "\n".join([f"#begin document {name}", *(f"w\t{cell}" for cell in cells), "", "#end document", ""])


def cells(chance: random.Random, size: int, clusters: int) -> list[str]:
    """Single tokens in clusters, some in two, and one span from the first to the last token."""
    rows = [
        "|".join(f"({chance.randrange(clusters)})" for _ in range(chance.choice((0, 1, 1, 1, 2))))
        for _ in range(size)
    ]
    rows[0] += "(99"
    rows[-1] += "99)"
    return [row or "-" for row in rows]


@pytest.fixture
def column_files(tmp_path: Path) -> list[str]:
    """Gold and four systems with what findings are made of: repeats, a missing document, other numbers of tokens."""
    chance = random.Random(7)
    paths = []
    for number, name in enumerate(("gold", "ash", "beech", "cherry", "dogwood")):
        documents = DOCUMENTS[:-1] if name == "beech" else DOCUMENTS
        text = "".join(document(one, cells(chance, 30 + (name == "cherry"), 4 + number)) for one in documents)
        paths.append(tmp_path / f"{name}.conll")
        paths[-1].write_text(text, encoding="utf-8")
    return list(map(str, paths))


def printed(capsys: Capture, *arguments: str) -> str:
    assert run(["score", *arguments, "--format", "json"]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "extra", [(), ("--singletons", "drop", "--averages", "micro,macro"), ("--unit", "corpus")]
)
def test_coreference_of_four_systems_is_the_same_for_any_number_of_processes(
    column_files: list[str], extra: tuple[str, ...], capsys: Capture
) -> None:
    arguments = ("coref", *column_files, *extra, "--quirk", "limit-repeats=off")
    alone = printed(capsys, *arguments, "-j", "1")
    said = json.loads(alone)
    assert len({row["system"] for row in said["scores"]}) == 4
    assert said["findings"]
    assert said["diagnosis"]["documents"]
    for jobs in ("2", "4"):
        assert printed(capsys, *arguments, "-j", jobs) == alone


def test_nuggets_with_coreference_are_the_same_for_any_number_of_processes(
    tmp_path: Path, capsys: Capture
) -> None:
    systems = [EXAMPLES / "systems" / f"{name}.tbf" for name in ("alder", "birch", "cedar")]
    again = tmp_path / "dogwood.tbf"
    shutil.copy(systems[1], again)
    arguments = ("nugget", str(EXAMPLES / "gold.tbf"), *map(str, systems), str(again))
    alone = printed(capsys, *arguments, "-j", "1")
    measured = {row["metric"] for row in json.loads(alone)["scores"] if row["measurement"] == "coref"}
    assert {"muc", "b-cubed", "ceaf-e", "blanc"} <= measured
    for jobs in ("2", "4"):
        assert printed(capsys, *arguments, "-j", jobs) == alone


def test_input_is_refused_with_the_same_findings_for_any_number_of_processes(
    column_files: list[str], capsys: Capture
) -> None:
    gold, *systems = column_files
    for path, cell in ((systems[0], "(1"), (systems[2], "x")):
        with Path(path).open("a", encoding="utf-8") as stream:
            stream.write(document("more", [cell]))
    said = []
    for jobs in ("1", "2", "4"):
        assert run(["score", "coref", gold, *systems, "-j", jobs, "--quirk", "limit-repeats=off", "-v"]) == 3
        said.append(capsys.readouterr().err)
    assert "mention-not-closed" in said[0]
    assert "odd-cell" in said[0]
    assert said[1] == said[2] == said[0]
