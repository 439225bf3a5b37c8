"""Verdicts that few files bring about: documents that are not scored, copies in gold, stand-ins, rules switched off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lydite
from lydite.explanation import Explanation
from triple_files import triple, write

RESPONSE = "{}\t{}\tLife.Die\tVictim\t{}\t{}\t0-30\t{}\tNIL\tActual\t1.0"
RIGHT, WRONG_STRING = "\tC\tC\tC\tC\t1\tActual\tNAME", "\tC\tC\tW\tC\t1\tActual\tNAME"


def table(explanation: Explanation, side: str = "system") -> list[tuple[str, str, float, str]]:
    return [(v.document, v.cause, v.credit, v.why) for v in explanation.verdicts if v.side == side]


def store(folder: Path, **documents: list[str]) -> Path:
    folder.mkdir()
    for doc_id, lines in documents.items():
        (folder / doc_id).write_text("\n".join(lines) + "\n")
    return folder


def test_responses_of_a_document_that_is_not_listed_are_left_out(tmp_path: Path) -> None:
    lines = {name: [RESPONSE.format(1, name, "Ann", "0-2", "0-2")] for name in ("d1", "d2")}
    gold = store(tmp_path / "gold", **{name: [line + RIGHT for line in lines[name]] for name in lines})
    system = store(tmp_path / "system", **lines)
    explanation = lydite.explain(gold, system, task="arguments", document_list=["d1"])
    assert table(explanation) == [
        ("d1", "right", 1, "response 1 was judged right (confidence 1 counts in its class)"),
        (
            "d2",
            "left-out",
            0,
            "1 is left out: document d2 is not among those that are scored (document-list)",
        ),
    ]


@pytest.mark.parametrize("profile", ["exact", "strings"])
def test_arguments_of_a_document_that_is_not_listed_are_left_out(tmp_path: Path, profile: str) -> None:
    lines = []
    for name in ("d1", "d2"):
        argument = {"role": "Victim", "span": [0, 3], "text": "Ann"}
        events = [{"type": "Life.Die", "trigger": [8, 12], "text": "died", "arguments": [argument]}]
        lines.append(json.dumps({"doc_id": name, "events": events}))
    path = tmp_path / "gold.jsonl"
    path.write_text("\n".join(lines) + "\n")
    explanation = lydite.explain(path, path, task="arguments", profile=profile, document_list=["d1"])
    (first, second) = table(explanation)
    assert first[:3] == ("d1", "right", 1)
    assert second[:3] == ("d2", "left-out", 0)
    assert "document d2 is not among those that are scored (document-list)" in second[3]


def test_a_right_response_stands_for_one_with_a_right_base_filler_and_a_wrong_string(tmp_path: Path) -> None:
    right, wrong = (
        RESPONSE.format(1, "d", "Ann", "0-2", "0-2"),
        RESPONSE.format(2, "d", "Anne", "9-12", "0-2"),
    )
    gold = store(tmp_path / "gold", d=[right + RIGHT, wrong + WRONG_STRING])
    linking = store(tmp_path / "linking", d=["1"])
    system = tmp_path / "system"
    system.mkdir()
    store(system / "arguments", d=[wrong])
    store(system / "linking", d=["2"])
    found = {}
    for neutralised in (False, True):
        found[neutralised] = lydite.explain(
            gold, system, task="arguments", profile="kbp2015", linking=linking, neutralize_coref=neutralised
        )
    assert [(cause, credit) for _, cause, credit, _ in table(found[False])] == [("wrong-string", 0)]
    replaced, stand_in = table(found[True])
    assert replaced[1:3] == ("left-out", 0)
    assert stand_in[1:3] == ("right", 1)
    assert stand_in[3].endswith(
        "stands for a response with a right base filler and a wrong string (neutralize-coref)"
    )


def test_triples_of_documents_that_only_one_side_has_are_left_out(tmp_path: Path) -> None:
    for doc_id in ("d1", "d2"):
        write(tmp_path / "gold" / f"{doc_id}.trp", triple("agent", "w1", "w2"))
    for doc_id in ("d1", "d3"):
        write(tmp_path / "system" / f"{doc_id}.trp", triple("agent", "w1", "w2"))
    explanation = lydite.explain(
        tmp_path / "gold", tmp_path / "system", task="triples", missing_documents="skip"
    )
    (left_out,) = [one for one in table(explanation) if one[1] == "left-out"]
    assert left_out[0] == "d3.trp"
    assert left_out[3].endswith("gold has no document d3.trp: the documents of gold are scored")
    (skipped,) = [one for one in table(explanation, "gold") if one[0] == "d2.trp"]
    assert skipped[3].endswith("the system has no document d2.trp: it is skipped (missing-documents)")


def test_without_its_quirk_a_triple_that_overlaps_another_one_counts(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.trp", triple("agent", "w1 w2", "w3"))
    system = write(
        tmp_path / "system.trp",
        triple("agent", "w1", "w3"),
        triple("agent", "w1 w2", "w3"),
        triple("agent", "w1", "w3"),
    )
    totals = {
        quirk: lydite.score(
            gold, system, task="triples", profile="reference", quirks={"overlap-is-duplicate": quirk}
        )["partial_same"].micro.precision
        for quirk in (True, False)
    }
    assert totals == {True: 1.0, False: 0.5}


def test_equal_keys_of_gold_count_once(tmp_path: Path) -> None:
    row = "{}\td\t{}\t0,3\tdied\tLife_Die\tActual"
    for name, ids in (("gold", ("E1", "E2")), ("system", ("M1",))):
        rows = "\n".join(row.format("sys", one) for one in ids)
        (tmp_path / f"{name}.tbf").write_text(f"#BeginOfDocument d\n{rows}\n#EndOfDocument\n")
    explanation = lydite.explain(tmp_path / "gold.tbf", tmp_path / "system.tbf", pairing="sets")
    assert [cause for _, cause, _, _ in table(explanation, "gold")] == ["right", "left-out"]
    assert table(explanation, "gold")[1][3].endswith(
        "equal keys of one side count once (pairing sets): E1 (line 2) says the same"
    )


def test_spans_that_overlap_under_another_type_are_confused(tmp_path: Path) -> None:
    (tmp_path / "gold.jsonl").write_text('{"doc_id": "d", "spans": [[0, 5, "PER"], [6, 9, "LOC"]]}\n')
    (tmp_path / "system.jsonl").write_text('{"doc_id": "d", "spans": [[1, 5, "ORG"], [6, 9, "LOC"]]}\n')
    explanation = lydite.explain(
        tmp_path / "gold.jsonl", tmp_path / "system.jsonl", task="spans", profile="overlap"
    )
    assert [(cause, credit) for _, cause, credit, _ in table(explanation)] == [
        ("wrong-type", 0),
        ("right", 1),
    ]
