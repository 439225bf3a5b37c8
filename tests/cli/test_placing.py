"""Words against the text on the command line: every layer is checked, repaired and grounded alike."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import lydite
from lydite.cli import run

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
TEXTS = str(EXAMPLES / "text")
STORE = EXAMPLES / "arguments" / "systems" / "birch"
GOLD_APF = EXAMPLES / "ace" / "gold"


def shifted_store(folder: Path, step: int) -> Path:
    """The example store with every span moved."""

    def move(span: re.Match[str]) -> str:
        return f"{int(span[1]) + step}-{int(span[2]) + step}"

    folder.mkdir()
    for file in STORE.iterdir():
        lines = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]
        moved = [
            [*line[:5], *(re.sub(r"(\d+)-(\d+)", move, one) for one in line[5:9]), *line[9:]]
            for line in lines
        ]
        text = "".join("\t".join(line) + "\n" for line in moved)
        (folder / file.name).write_text(text, encoding="utf-8")
    return folder


def arguments_of(path: Path) -> dict[str, set[Any]]:
    corpus = lydite.read(path, format="eal")
    return {
        doc_id: {row.argument for row in document.layers["arguments"].rows}
        for doc_id, document in corpus.documents.items()
    }


def codes(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    (submission,) = json.loads(capsys.readouterr().out)["submissions"]
    found: list[dict[str, Any]] = submission["findings"]
    return found


def test_lying_offsets_of_a_store_are_named_and_repaired(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = shifted_store(tmp_path / "store", 5)
    run(["validate", "arguments", str(store), "--documents", TEXTS, "--format", "json"])
    lies = [finding for finding in codes(capsys) if finding["code"] == "lying-offsets"]
    assert "14 of 14 canonical strings" in next(
        one["message"] for one in lies if one["document"] == "nw01-depot"
    )
    target, losses = tmp_path / "right", tmp_path / "losses.json"
    words = ["--repair-offsets", "shift", "--documents", TEXTS, "--losses", str(losses), "--quiet"]
    assert run(["convert", "arguments", str(store), str(target), "--to", "eal", *words]) == 0
    assert arguments_of(target) == arguments_of(STORE)
    report = json.loads(losses.read_text(encoding="utf-8"))
    assert {finding["code"] for finding in report["findings"]} == {"offsets-repaired"}


def test_a_sound_store_has_no_lying_offsets(capsys: pytest.CaptureFixture[str]) -> None:
    run(["validate", "arguments", str(STORE), "--documents", TEXTS, "--format", "json"])
    assert not [finding for finding in codes(capsys) if finding["code"] == "lying-offsets"]


def test_lying_offsets_of_apf_are_named_and_repaired(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = (GOLD_APF / "nw01-depot.apf.xml").read_text(encoding="utf-8")
    file = tmp_path / "nw01-depot.apf.xml"
    file.write_text(
        re.sub(
            r'START="(\d+)" END="(\d+)"',
            lambda found: f'START="{int(found[1]) + 3}" END="{int(found[2]) + 3}"',
            source,
        ),
        encoding="utf-8",
    )
    run(["validate", "ace", str(file), "--documents", TEXTS, "--format", "json"])
    found = [finding["code"] for finding in codes(capsys)]
    assert found.count("lying-offsets") == 1
    assert "text-mismatch" in found
    target = tmp_path / "right.apf.xml"
    words = ["--repair-offsets", "shift", "--documents", TEXTS, "--quiet"]
    assert run(["convert", "ace", str(file), str(target), "--to", "apf", *words]) == 0
    before, after = (
        lydite.read(path, format="apf").documents["nw01-depot"].layers["ace"]
        for path in (GOLD_APF / "nw01-depot.apf.xml", target)
    )
    assert before == after


def test_sound_apf_says_nothing_of_its_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["validate", "ace", str(GOLD_APF), "--documents", TEXTS, "--format", "json"]) == 0
    assert codes(capsys) == []


def test_apf_counts_no_markup_of_its_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (EXAMPLES / "text" / "nw01-depot.txt").read_text(encoding="utf-8")
    marked = "<DOC>\r\n<TEXT>" + text.replace("\n", "\r\n") + "</TEXT>\r\n</DOC>"
    moved = re.sub(
        r'START="(\d+)" END="(\d+)"',
        lambda found: f'START="{int(found[1]) + 1}" END="{int(found[2]) + 1}"',
        (GOLD_APF / "nw01-depot.apf.xml").read_text(encoding="utf-8"),
    )
    (tmp_path / "nw01-depot.sgm").write_bytes(marked.encode())
    (tmp_path / "nw01-depot.apf.xml").write_text(moved, encoding="utf-8")
    file = str(tmp_path / "nw01-depot.apf.xml")
    assert run(["validate", "ace", file, "--documents", str(tmp_path), "--format", "json"]) == 0
    assert codes(capsys) == []


def test_seconds_are_no_offsets_and_stay_what_they_are(tmp_path: Path) -> None:
    spoken = (GOLD_APF / "nw01-depot.apf.xml").read_text(encoding="utf-8")
    spoken = re.sub(
        r'<charseq START="(\d+)" END="(\d+)">',
        lambda found: f'<timespan START="{int(found[1]) + 3}.5" END="{int(found[2]) + 4}.75">',
        spoken,
    )
    file, target = tmp_path / "nw01-depot.apf.xml", tmp_path / "placed.apf.xml"
    file.write_text(spoken.replace("</charseq>", "</timespan>"), encoding="utf-8")
    words = ["--repair-offsets", "shift", "--documents", TEXTS, "--quiet"]
    assert run(["convert", "ace", str(file), str(target), "--to", "apf", *words]) == 0
    before, after = (
        [
            one.extent and one.extent[:2]
            for element in lydite.read(path, format="apf").documents["nw01-depot"].layers["ace"]
            for one in element.mentions
        ]
        for path in (file, target)
    )
    assert before == after


EVENTS = {
    "doc_id": "d1",
    "text": "Rebels stormed the fort. The rebels died.",
    "events": [
        {
            "type": "Conflict.Attack",
            "text": "stormed",
            "arguments": [{"role": "Attacker", "text": "Rebels"}, {"role": "Target", "text": "the castle"}],
        }
    ],
}


def test_words_of_events_are_placed_and_the_rest_is_spurious(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, target = tmp_path / "llm.jsonl", tmp_path / "llm.lydite.jsonl"
    file.write_text(json.dumps(EVENTS) + "\n", encoding="utf-8")
    assert (
        run(
            [
                "convert",
                "arguments",
                "--from",
                "events",
                "--profile",
                "exact",
                str(file),
                str(target),
                "--ground",
            ]
        )
        == 0
    )
    said = capsys.readouterr().err
    assert (
        "'the castle' is not in the text, or not so often; the filler counts as missed in gold, as spurious in a system [not-grounded]"
        in said
    )
    line = json.loads(target.read_text(encoding="utf-8"))
    assert line["layers"]["grounding"] == {
        "events[0].trigger": ["exact", 0],
        "events[0].arguments[0]": ["exact", 0],
    }
    gold = tmp_path / "gold.jsonl"
    attack = {
        "type": "Conflict.Attack",
        "trigger": [7, 14],
        "arguments": [{"role": "Attacker", "span": [0, 6]}],
    }
    gold.write_text(json.dumps({"doc_id": "d1", "events": [attack]}) + "\n", encoding="utf-8")
    summary = lydite.score(gold, target, task="arguments", profile="exact")
    assert (summary["ac"].micro.precision, summary["ac"].micro.recall) == (0.5, 1.0)


def test_every_placement_is_on_record_whatever_is_written(tmp_path: Path) -> None:
    file, losses = tmp_path / "llm.jsonl", tmp_path / "losses.json"
    file.write_text(json.dumps(EVENTS) + "\n", encoding="utf-8")
    target = tmp_path / "llm.tbf"
    assert (
        run(["convert", "arguments", str(file), str(target), "--ground", "--losses", str(losses), "-q"]) == 0
    )
    placements = json.loads(losses.read_text(encoding="utf-8"))["placements"]
    assert placements == {"d1": {"events[0].trigger": ["exact", 0], "events[0].arguments[0]": ["exact", 0]}}


def test_validation_says_what_grounding_would_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "llm.jsonl"
    file.write_text(json.dumps(EVENTS) + "\n", encoding="utf-8")
    assert (
        run(
            ["validate", "arguments", "--from", "events", "--profile", "exact", str(file), "--format", "json"]
        )
        == 0
    )
    found = {finding["code"]: finding["message"] for finding in codes(capsys)}
    assert found["grounded"] == "1 trigger, 1 filler would be placed by --ground: exact 2"
    assert "not-grounded" in found
    assert "mention-without-place" in found


def test_a_store_with_a_line_that_makes_no_argument_is_not_converted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    store.mkdir()
    (store / "d1").write_text("1\td1\tLife.Die\tVictim\n", encoding="utf-8")
    target = tmp_path / "x.lydite.jsonl"
    assert run(["convert", "arguments", str(store), str(target)]) == 3
    assert not target.exists()
    assert "[column-count]" in capsys.readouterr().err


def test_words_that_were_placed_by_likeness_are_no_mismatch_afterwards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, target = tmp_path / "llm.lydite.jsonl", tmp_path / "placed.lydite.jsonl"
    mention = {"id": "1", "text": "stormd", "type": "Conflict_Attack", "realis": "Actual"}
    event = {
        "type": "Conflict_Attack",
        "text": "stormd",
        "arguments": [{"role": "Attacker", "text": "REBELS"}],
    }
    line = {
        "doc_id": "d1",
        "text": "Rebels stormed the fort.",
        "mentions": [mention],
        "layers": {"events": [event]},
    }
    file.write_text(json.dumps(line) + "\n", encoding="utf-8")
    assert run(["convert", str(file), str(target), "--ground", "--quiet"]) == 0
    (tmp_path / "d1.txt").write_text(str(line["text"]), encoding="utf-8")
    for words in ([], ["--documents", str(tmp_path)]):
        assert run(["validate", "nugget", str(target), "--format", "json", *words]) == 0
        assert codes(capsys) == []


def test_a_source_text_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "other.txt").touch()
    file = GOLD_APF / "nw01-depot.apf.xml"
    assert run(["validate", "ace", str(file), "--documents", str(tmp_path), "--format", "json"]) == 0
    assert [finding["code"] for finding in codes(capsys)] == ["source-text-missing"]
