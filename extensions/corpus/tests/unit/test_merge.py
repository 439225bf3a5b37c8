from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from lydite.errors import FormatError
from lydite.formats import FORMATS
from lydite.formats.source import open_source
from lydite_corpus.merge import State, entities_of, read_log, replay
from lydite_corpus.merge_export import global_ids, merged_files
from lydite_corpus.proposals import Proposer, cosine

MEMBERS = ["D1#A", "D1#B", "D2#C", "D3#D"]


def log(*operations: dict[str, Any]) -> list[tuple[int, dict[str, Any]]]:
    return [(number, {"time": "1", "user": "anna", **one}) for number, one in enumerate(operations, 1)]


def merge(a: str, b: str) -> dict[str, Any]:
    return {"op": "merge", "a": a, "b": b}


def test_merging_joins_whole_entities() -> None:
    state = replay(MEMBERS, log(merge("D1#A", "D2#C"), merge("D3#D", "D2#C")))
    assert state.partition() == [["D1#A", "D2#C", "D3#D"], ["D1#B"]]


def test_an_id_that_stands_in_several_documents_is_one_entity_already() -> None:
    assert replay(["D1#A", "D1#B", "D2#A"], []).partition() == [["D1#A", "D2#A"], ["D1#B"]]


def test_the_id_of_a_global_entity_is_that_of_no_other(tmp_path: Path) -> None:
    for doc_id, entity in (("D1", "E"), ("D2", "E"), ("D3", "D1-E")):
        (tmp_path / f"{doc_id}.apf.xml").write_text(
            f'<source_file URI="{doc_id}.sgm" SOURCE="newswire" TYPE="text"><document DOCID="{doc_id}">'
            f'<entity ID="{entity}" TYPE="PER" SUBTYPE="Individual" CLASS="SPC"/></document></source_file>',
            encoding="utf-8",
        )
    entities = entities_of(FORMATS["apf"].read(open_source(str(tmp_path)), {}))
    state = replay(entities, log({"op": "split", "a": "D1#E", "members": ["D2#E"]}))
    assert global_ids(state, entities) == {"D1#E": "D1-D1-E", "D2#E": "D2-E", "D3#D1-E": "D1-E"}


def test_merged_files_of_one_name_keep_their_folders(tmp_path: Path) -> None:
    for folder in ("bn", "nw"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.apf.xml").write_text(
            f'<source_file URI="x" SOURCE="newswire" TYPE="text"><document DOCID="{folder}"/></source_file>',
            encoding="utf-8",
        )
    names = [
        name for name, _ in merged_files(open_source(str(tmp_path)), State.of(()), {}, by_majority=False)
    ]
    assert names == ["bn/a.apf.xml", "nw/a.apf.xml"]


def test_splitting_assigning_and_beginning_anew() -> None:
    joined = [merge("D1#A", "D2#C"), merge("D1#A", "D3#D")]
    split = {"op": "split", "a": "D1#A", "members": ["D2#C", "D3#D"]}
    assert replay(MEMBERS, log(*joined, split)).partition() == [["D1#A"], ["D1#B"], ["D2#C", "D3#D"]]
    assign = {"op": "assign", "member": "D3#D", "g": "D1#B"}
    assert replay(MEMBERS, log(*joined, assign)).partition() == [["D1#A", "D2#C"], ["D1#B", "D3#D"]]
    new = {"op": "new", "member": "D1#A"}
    assert replay(MEMBERS, log(*joined, new)).partition() == [["D1#A"], ["D1#B"], ["D2#C", "D3#D"]]


def test_undo_takes_back_the_last_operations_that_count() -> None:
    undo = {"op": "undo", "n": 1}
    first, second = merge("D1#A", "D2#C"), merge("D1#A", "D3#D")
    assert replay(MEMBERS, log(first, second, undo)).partition() == replay(MEMBERS, log(first)).partition()
    assert replay(MEMBERS, log(first, second, undo, undo)).partition() == [[member] for member in MEMBERS]
    with pytest.raises(FormatError, match="expected at most 0 operations to undo"):
        replay(MEMBERS, log(undo))


def test_what_cannot_be_done_is_refused_together() -> None:
    operations = log(
        merge("D1#A", "D9#E9"),
        {"op": "split", "a": "D1#A", "members": ["D2#C"]},
        {"op": "split", "a": "D1#A", "members": ["D1#A"]},
        {"op": "reject", "a": "D1#A", "b": "D1#A"},
    )
    with pytest.raises(FormatError) as caught:
        replay(MEMBERS, operations, "log.jsonl")
    assert [(finding.code, finding.location and finding.location.line) for finding in caught.value.findings] == [
        ("unknown-member", 1), ("bad-merge-log", 2), ("bad-merge-log", 3), ("bad-merge-log", 4),
    ]  # fmt: skip


@pytest.mark.parametrize("op", [{}, [], 1, None, "join"])
def test_an_operation_that_is_none_is_refused_with_its_line(op: object, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps({"op": op}) + "\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"log\.jsonl:1: error: expected the op merge"):
        read_log(str(path))


def test_a_log_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    operations = log(merge("D1#A", "D2#C"), {"op": "link", "g": "D1#A", "resource": "kb", "id": "7"})
    path.write_text("".join(json.dumps(operation) + "\n" for _, operation in operations), encoding="utf-8")
    assert replay(MEMBERS, read_log(str(path))).links == {"D1#A": [("kb", "7")]}


def test_broken_lines_of_a_log_are_refused_together(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(
        '{"op": "melt"}\n{"op": "merge", "time": "1", "user": "a", "a": "x"}\n{\n{"op": "undo", "time": "1", "user": "a", "n": 0}\n'
    )
    with pytest.raises(FormatError) as caught:
        read_log(str(path))
    assert [finding.location and finding.location.line for finding in caught.value.findings] == [1, 2, 3, 4]


# ------------------------------------------------------------------------------------------ the example collection


@pytest.fixture(scope="module")
def proposer(collection: Path) -> Proposer:
    corpus = FORMATS["apf"].read(open_source(collection / "gold"), {})
    return Proposer(
        entities_of(corpus),
        lambda doc_id: (collection / "gold-text" / f"{doc_id}.txt").read_text(encoding="utf-8"),
    )


def test_recall_at_ten_on_the_example_collection(proposer: Proposer, truth: dict[str, Any]) -> None:
    entity_of = truth["entities"]
    sizes = Counter(entity_of.values())
    asked = [member for member in entity_of if sizes[entity_of[member]] > 1]
    state = State.of(entity_of)
    right = sum(
        any(entity_of.get(found.member) == entity_of[member] for found in proposer.propose(member, state, 10))
        for member in asked
    )
    assert len(asked) > 50
    # Aliases share no letters with handles, so that not all can be found; what shares a name is.
    assert right / len(asked) >= 0.9


def test_a_rejected_entity_is_not_proposed_again(proposer: Proposer, truth: dict[str, Any]) -> None:
    members = list(truth["entities"])
    member = next(one for one in members if proposer.propose(one, replay(members, [])))
    first = proposer.propose(member, replay(members, []))[0].member
    state = replay(members, log({"op": "reject", "a": member, "b": first}))
    assert first not in [proposal.member for proposal in proposer.propose(member, state)]
    assert member not in [proposal.member for proposal in proposer.propose(first, state)]


def test_merged_entities_propose_with_all_their_names(proposer: Proposer, truth: dict[str, Any]) -> None:
    members = list(truth["entities"])
    member, other = next(
        (one, found[0].member) for one in members if (found := proposer.propose(one, replay(members, [])))
    )
    state = replay(members, log(merge(member, other)))
    proposed = [proposal.member for proposal in proposer.propose(member, state, 1000)]
    assert other not in proposed
    assert proposed == [proposal.member for proposal in proposer.propose(other, state, 1000)]


def test_cosine() -> None:
    assert cosine({"a": 3.0, "b": 4.0}, {"a": 3.0, "b": 4.0}) == pytest.approx(1)
    assert cosine({"a": 1.0}, {}) == 0
