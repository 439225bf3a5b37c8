"""Which files the arguments task takes for what, and which profiles can compare them."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

import lydite
from lydite.cli import run
from lydite.errors import InvalidInput, UsageError

ONEIE = {
    "doc_id": "d1",
    "tokens": ["Rebels", "fled"],
    "graph": {
        "entities": [[0, 1, "PER", "NOM", 1]],
        "triggers": [[1, 2, "T", 1]],
        "roles": [[0, 0, "Agent", 1]],
    },
}
DYGIE = {
    "doc_key": "d1",
    "sentences": [["Rebels", "fled"]],
    "events": [[[[1, "T"], [0, 0, "Agent"]]]],
}
LINE = "1\td1\tLife.Die\tVictim\tBen\t0-2\t0-9\t0-2\tNIL\tActual\t0.5"
ASSESSED = LINE + "\tC\tC\tC\tC\t1\tActual\tNAME"


def put(path: Path, record: dict[str, Any]) -> Path:
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return path


def store(folder: Path, line: str = LINE) -> Path:
    folder.mkdir()
    (folder / "d1").write_text(f"{line}\n", encoding="utf-8")
    return folder


def test_every_file_is_read_in_its_own_format_and_the_profile_follows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, system = put(tmp_path / "gold.jsonl", ONEIE), put(tmp_path / "system.jsonl", DYGIE)
    assert run(["score", "arguments", str(gold), str(system)]) == 0
    shown = capsys.readouterr()
    assert f"note: profile exact ({gold} is oneie, {system} is dygie: events with triggers)" in shown.err
    assert shown.out.startswith("arguments · exact")


def test_gold_in_brat_needs_no_profile_either(tmp_path: Path) -> None:
    folder = tmp_path / "gold"
    folder.mkdir()
    (folder / "d0.ann").touch()
    (folder / "d1.ann").write_text(
        "T1\tT 7 11\tfled\nT2\tX 0 6\tRebels\nE1\tT:T1 Agent:T2\n", encoding="utf-8"
    )
    system = put(tmp_path / "system.jsonl", ONEIE)
    assert lydite.score(folder, system, task="arguments")["ac"].micro.f1 == 1


def test_mentions_at_tokens_are_refused_where_places_at_characters_are_compared(tmp_path: Path) -> None:
    file = tmp_path / "tokens.tbf"
    file.write_text("#BeginOfDocument d1\nsys\td1\tE1\tt1,t2\tfled\tT\tActual\n#EndOfDocument\n")
    with pytest.raises(InvalidInput, match=r"1 left out: mentions of tokens, .* \(E1\)"):
        lydite.score(file, file, task="arguments", profile="exact", format="tbf")


def test_a_profile_of_stores_refuses_events(tmp_path: Path) -> None:
    gold, system = put(tmp_path / "gold.jsonl", ONEIE), put(tmp_path / "system.jsonl", DYGIE)
    with pytest.raises(UsageError, match=r"compares event arguments of stores; .*gold\.jsonl is oneie"):
        lydite.score(gold, system, task="arguments", profile="kbp2014")


def test_a_profile_of_events_refuses_stores(tmp_path: Path) -> None:
    gold, system = store(tmp_path / "gold", ASSESSED), put(tmp_path / "system.jsonl", DYGIE)
    with pytest.raises(UsageError, match=r"compares events with triggers; .*gold is eal"):
        lydite.score(gold, system, task="arguments", profile="exact")


def test_a_store_and_events_are_not_compared_under_any_profile(tmp_path: Path) -> None:
    gold, system = store(tmp_path / "gold", ASSESSED), put(tmp_path / "system.jsonl", DYGIE)
    with pytest.raises(UsageError, match=r"system\.jsonl is dygie and holds events with triggers"):
        lydite.score(gold, system, task="arguments")


def test_arguments_in_the_lossless_form_are_compared_with_a_store(tmp_path: Path) -> None:
    gold, system = store(tmp_path / "gold", ASSESSED), store(tmp_path / "system")
    file = tmp_path / "system.lydite.jsonl"
    assert run(["convert", "arguments", str(system), str(file), "--quiet"]) == 0
    assert lydite.score(gold, file, task="arguments")["standard"].micro.f1 == 1


@pytest.mark.parametrize("name", ["d1", "d1.xml", "d1.json"])
def test_a_folder_whose_files_have_the_columns_of_a_store_is_a_store(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "store"
    folder.mkdir()
    (folder / name).write_text(LINE.replace("\td1\t", f"\t{name}\t") + "\n", encoding="utf-8")
    assert lydite.validate(folder, task="arguments") == []


def test_an_empty_store_is_a_store(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    folder.mkdir()
    (folder / "d1").touch()
    assert lydite.validate(folder, task="arguments") == []
    assert run(["convert", "arguments", str(folder), str(tmp_path / "x.lydite.jsonl"), "--quiet"]) == 0


def test_an_archive_of_records_is_no_store(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "gold.zip", "w") as archive:
        archive.writestr("d1.jsonl", json.dumps(ONEIE))
    system = put(tmp_path / "system.jsonl", DYGIE)
    assert lydite.score(tmp_path / "gold.zip", system, task="arguments")["tc"].micro.f1 == 1


def test_the_refusal_of_an_unrecognised_file_explains_what_a_store_is(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("Ben died.\n", encoding="utf-8")
    (finding,) = lydite.validate(file, task="arguments")
    assert finding.code == "archive-type"


def test_mentions_alone_are_triggers(tmp_path: Path) -> None:
    gold = put(tmp_path / "gold.jsonl", ONEIE)
    mention = {"id": "E1", "span": [[7, 11]], "text": "fled", "type": "T"}
    system = put(tmp_path / "system.lydite.jsonl", {"doc_id": "d1", "mentions": [mention]})
    summary = lydite.score(gold, system, task="arguments")
    assert (summary["tc"].micro.f1, summary["ac"].micro.f1) == (1, 0)


def test_mentions_alone_are_no_store(tmp_path: Path) -> None:
    gold = store(tmp_path / "gold", ASSESSED)
    system = put(
        tmp_path / "system.lydite.jsonl", {"doc_id": "d1", "mentions": [{"id": "E1", "span": [[0, 3]]}]}
    )
    with pytest.raises(UsageError, match="is lydite and holds event mentions"):
        lydite.score(gold, system, task="arguments")


def test_a_system_that_found_nothing_is_compared_under_any_profile(tmp_path: Path) -> None:
    gold = put(tmp_path / "gold.jsonl", ONEIE)
    system = put(tmp_path / "system.lydite.jsonl", {"doc_id": "d1"})
    assert lydite.score(gold, system, task="arguments", profile="exact")["tc"].micro.recall == 0


@pytest.mark.parametrize(("most", "errors", "stopped"), [(0, 3, False), (2, 2, True), (3, 3, False)])
def test_validation_stops_after_as_many_errors_as_were_asked_for(
    tmp_path: Path, most: int, errors: int, stopped: bool
) -> None:
    folder = store(tmp_path / "system", "\n".join(["1\td1\ttoo short"] * 3))
    findings = lydite.validate(folder, task="arguments", max_errors=most)
    assert sum(finding.severity == "error" for finding in findings) == errors
    told = [finding.message for finding in findings if finding.code == "stopped"]
    assert told == ([f"stopped after {most} errors (--max-errors)"] if stopped else [])


@pytest.mark.parametrize("name", ["system.json", "system.jsonl"])
def test_json_of_another_form_is_not_taken_for_a_store_that_nobody_packed(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text('[{"id": "d1", "event_type": "Conflict.Attack", "trigger": "stormed"}]')
    assert [finding.code for finding in lydite.validate(path, task="arguments")] == ["unknown-format"]


ARGUMENT = {
    "doc_id": "d1",
    "event_type": "Life.Die",
    "role": "Victim",
    "text": "Ben",
    "span": [0, 3],
    "justification": [[0, 10], [20, 30]],
    "filler": [0, 3],
    "additional": [],
    "realis": "Actual",
}
JUDGED = {
    "event_type": "C",
    "role": "C",
    "text": "C",
    "filler": "C",
    "realis": "Actual",
    "mention_type": "NAME",
}


def rows(path: Path, *rows: dict[str, Any]) -> str:
    record = {"schema": "lydite.document/1", "doc_id": "d1", "layers": {"arguments": {"rows": rows}}}
    return str(put(path, record))


def test_arguments_from_elsewhere_are_compared_as_a_store_has_them(tmp_path: Path) -> None:
    gold = {"argument": ARGUMENT, "id": "1", "assessment": JUDGED, "cluster": 1, "width": 18}
    said = {**ARGUMENT, "text": " Ben ", "justification": [[20, 30], [0, 10], [0, 10]]}
    summary = lydite.score(
        rows(tmp_path / "gold.jsonl", gold),
        rows(tmp_path / "system.jsonl", {"argument": said, "id": "1", "confidence": 0.5}),
        task="arguments",
        profile="kbp2014",
    )
    assert summary["standard"].micro.f1 == 1


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"doc_id": "d2"}, "docid"),
        ({"realis": "maybe"}, "realis"),
        ({"text": " "}, "empty-cas"),
        ({"span": [9, 5]}, "span-order"),
        ({"justification": []}, "empty-justification"),
    ],
)
def test_arguments_from_elsewhere_are_checked_as_lines_of_a_store(
    tmp_path: Path, change: dict[str, Any], code: str
) -> None:
    gold = {"argument": ARGUMENT, "id": "1", "assessment": JUDGED, "cluster": 1, "width": 18}
    system = {"argument": {**ARGUMENT, **change}, "id": "1", "confidence": 0.5}
    with pytest.raises(InvalidInput, match=rf"argument 1: .* \[{code}\]"):
        lydite.score(
            rows(tmp_path / "gold.jsonl", gold), rows(tmp_path / "system.jsonl", system), task="arguments"
        )


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"event_type": "X"}, "assessment-value"),
        ({"filler": None}, "assessment-missing"),
        ({"role": "W"}, "assessment-extra"),
    ],
)
def test_judgements_from_elsewhere_are_checked_as_those_of_a_store(
    tmp_path: Path, change: dict[str, Any], code: str
) -> None:
    judged = {**JUDGED, **change}
    gold = {"argument": ARGUMENT, "id": "1", "assessment": judged, "cluster": 1, "width": 18}
    with pytest.raises(InvalidInput, match=rf"argument 1: .* \[{code}\]"):
        lydite.score(
            rows(tmp_path / "gold.jsonl", gold),
            rows(tmp_path / "system.jsonl", {"argument": ARGUMENT, "id": "1", "confidence": 1.5}),
            task="arguments",
        )


def test_an_argument_that_no_store_can_have_refuses_a_conversion(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = rows(tmp_path / "system.jsonl", {"argument": {**ARGUMENT, "realis": "maybe"}, "id": "1"})
    assert run(["convert", said, str(tmp_path / "store"), "--to", "eal"]) == 3
    assert "argument 1: expected Actual, Generic or Other, found 'maybe' [realis]" in capsys.readouterr().err
    assert not (tmp_path / "store").exists()


@pytest.mark.parametrize("place", [[14, 7], [-3, 7], [7, 7]])
@pytest.mark.parametrize("where", ["trigger", "arguments[0]"])
def test_an_event_at_a_place_that_no_text_has_is_refused(
    tmp_path: Path, place: list[int], where: str
) -> None:
    places = {"trigger": [7, 14], "arguments[0]": [0, 6], where: place}
    event = {
        "type": "T",
        "trigger": [places["trigger"]],
        "arguments": [{"role": "Agent", "span": [places["arguments[0]"]]}],
    }
    record = {"schema": "lydite.document/1", "doc_id": "d1", "layers": {"events": [event]}}
    file = str(put(tmp_path / "events.jsonl", record))
    with pytest.raises(InvalidInput, match=r"expected 0 ≤ begin < end, found .* \[event-line\]") as caught:
        lydite.score(file, file, task="arguments", profile="exact")
    assert f"events[0].{where}: " in str(caught.value)
