"""OneIE, DyGIE++ and MAVEN: token numbers become offsets, of the source text where it is at hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lydite.errors import FormatError
from lydite.facade.library import read, score, validate
from lydite.model import Document


def read_records(tmp_path: Path, *records: dict[str, Any], **options: object) -> Document:
    file = tmp_path / "x.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    corpus = read(file, **options)
    return next(iter(corpus.documents.values()))


def oneie(tokens: list[str], start: int, end: int) -> dict[str, Any]:
    return {"doc_id": "d", "tokens": tokens, "graph": {"triggers": [[start, end, "T", 0.5]]}}


def test_sentences_of_a_document_are_counted_on(tmp_path: Path) -> None:
    document = read_records(tmp_path, oneie(["ab", "c"], 1, 2), oneie(["de", "f"], 0, 2))
    assert document.text == "ab c\nde f"
    assert [(str(one.span), one.text) for one in document.mentions] == [("3,4", "c"), ("5,9", "de f")]


def test_offsets_are_those_of_the_source_text(tmp_path: Path) -> None:
    (tmp_path / "d.txt").write_text("<p>\nab,  c</p>", encoding="utf-8")
    document = read_records(tmp_path, oneie(["ab", ",", "c"], 2, 3), documents=str(tmp_path))
    assert str(document.mentions[0].span) == "9,10"


def test_tokens_of_another_text_are_a_finding(tmp_path: Path) -> None:
    (tmp_path / "d.txt").write_text("something else", encoding="utf-8")
    document = read_records(tmp_path, oneie(["ab"], 0, 1), documents=str(tmp_path))
    assert [finding.code for finding in document.findings] == ["tokens-not-in-text"]


def test_dygie_ends_are_inclusive_and_predictions_come_first(tmp_path: Path) -> None:
    record = {
        "doc_key": "d",
        "sentences": [["a", "b", "c"]],
        "events": [[[[0, "Gold"]]]],
        "predicted_events": [[[[2, "T", 3.0, 0.9], [0, 1, "R", 1.0, 0.5]]]],
    }
    (event,) = read_records(tmp_path, record).layers["events"]
    assert (event.type, event.trigger, event.arguments[0].span) == ("T", ((4, 5),), ((0, 3),))


DYGIE = {"doc_key": "d", "sentences": [["a", "b", "c"]], "events": [[[[0, "Gold"]]]]}


@pytest.mark.parametrize("task", ["nugget", "arguments"])
def test_predictions_that_are_given_as_gold_are_reported(tmp_path: Path, task: str) -> None:
    gold, system = tmp_path / "gold.jsonl", tmp_path / "system.jsonl"
    gold.write_text(json.dumps(DYGIE))
    system.write_text(json.dumps({**DYGIE, "predicted_events": [[[[2, "T", 3.0, 0.9]]]]}))
    right = score(gold, system, task=task, profile="exact")
    assert "predictions-as-gold" not in {finding.code for finding in right.findings}
    exchanged = score(system, gold, task=task, profile="exact")
    (told,) = [finding for finding in exchanged.findings if finding.code == "predictions-as-gold"]
    assert str(told.location) == str(system)


def test_the_events_of_gold_in_the_output_of_a_system_are_not_taken_for_its_own(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="expected 'predicted_events', found predicted_ner"):
        read_records(tmp_path, {**DYGIE, "predicted_ner": [[]]})


def test_a_dygie_document_on_two_lines_is_refused(tmp_path: Path) -> None:
    record = {"doc_key": "d", "sentences": [["a"]], "events": [[[[0, "T"]]]]}
    with pytest.raises(FormatError, match="document 'd' occurs twice"):
        read_records(tmp_path, record, record)


TEXTEE: dict[str, Any] = {"doc_id": "d", "wnd_id": "d-0", "tokens": ["Rebels", "stormed", "the", "fort"]}
TRIGGER = {"start": 1, "end": 2, "text": "stormed"}


def textee(*arguments: dict[str, Any], **more: object) -> dict[str, Any]:
    event = {"event_type": "T", "trigger": TRIGGER, "arguments": arguments}
    return {**TEXTEE, "event_mentions": [event], **more}


def test_an_argument_without_entity_stands_at_its_own_place(tmp_path: Path) -> None:
    record = textee({"role": "R", "start": 2, "end": 4, "text": "the fort"})
    document = read_records(tmp_path, record)
    assert document.layers["events"][0].arguments[0].span == ((15, 23),)
    assert document.findings == ()


ENTITIES = [{"id": "e", "start": 2, "end": 4, "text": "the fort"}]


def test_an_argument_with_entity_stands_where_that_does(tmp_path: Path) -> None:
    argument = {"role": "R", "entity_id": "e", "start": 3, "end": 4}
    document = read_records(tmp_path, textee(argument, entity_mentions=ENTITIES))
    assert document.layers["events"][0].arguments[0].span == ((15, 23),)
    (finding,) = document.findings
    assert (finding.code, finding.severity) == ("place-differs", "warning")
    assert "'e' stands at tokens 3 to 4, its entity at 2 to 4" in finding.message


def test_equal_places_of_an_argument_and_its_entity_are_no_finding(tmp_path: Path) -> None:
    argument = {"role": "R", "entity_id": "e", "start": 2, "end": 4}
    assert read_records(tmp_path, textee(argument, entity_mentions=ENTITIES)).findings == ()


def test_words_of_an_argument_that_are_not_its_tokens_are_reported(tmp_path: Path) -> None:
    document = read_records(tmp_path, textee({"role": "R", "start": 2, "end": 4, "text": "the force"}))
    (finding,) = document.findings
    assert finding.code == "text-mismatch"
    assert "the words are 'the force', the document has 'the fort' at 15,23" in finding.message


def test_the_graph_is_of_the_system_and_the_data_are_gold(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    graph = {"entities": [], "triggers": [[0, 1, "T", 1]], "roles": []}
    file.write_text(json.dumps(textee(graph=graph)), encoding="utf-8")
    found = score(file, file, task="arguments")
    assert [row.score.f1 for row in found.corpus_rows() if row.measurement == "tc"] == [0]


def test_mentions_of_a_maven_event_corefer(tmp_path: Path) -> None:
    mentions = [{"id": f"m{n}", "sent_id": n, "offset": [0, 1]} for n in (0, 1)]
    record = {
        "id": "d",
        "content": [{"tokens": ["a"]}, {"tokens": ["b"]}],
        "events": [{"id": "e", "type": "T", "mention": mentions}],
    }
    (relation,) = read_records(tmp_path, record).relations
    assert (relation.id, relation.members) == ("e", ("m0", "m1"))


def test_a_place_outside_the_tokens_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="tokens 1 to 5 of 1"):
        read_records(tmp_path, oneie(["ab"], 1, 5))


@pytest.mark.parametrize("name", ["trigger", "role"])
def test_a_name_of_a_graph_that_lost_its_plural_is_refused(tmp_path: Path, name: str) -> None:
    record = oneie(["ab"], 0, 1)
    record["graph"][name] = []
    with pytest.raises(FormatError, match=f"expected the key '{name}s' in a graph, found '{name}'"):
        read_records(tmp_path, record)


def test_words_without_a_place_are_kept_and_named(tmp_path: Path) -> None:
    event = {
        "event_type": "T",
        "trigger": {"text": "stormed"},
        "arguments": [{"role": "R", "text": "the fort"}],
    }
    record = {"doc_id": "d", "tokens": ["Rebels", "stormed"], "event_mentions": [event]}
    document = read_records(tmp_path, record)
    (found,) = document.layers["events"]
    assert (found.trigger, found.text) == ((), "stormed")
    assert (found.arguments[0].span, found.arguments[0].text) == ((), "the fort")
    assert (document.mentions[0].span, document.mentions[0].text) == (((), ()), "stormed")
    (finding,) = document.findings
    assert finding.code == "mention-without-place"
    assert finding.message.startswith("1 mention, 1 trigger, 1 filler without a place")


def test_dygie_words_stand_where_token_numbers_would(tmp_path: Path) -> None:
    record = {
        "doc_key": "d",
        "sentences": [["a", "b"]],
        "events": [[[["b", "T"], ["a b", "R"], [0, 0, "S"]]]],
    }
    (event,) = read_records(tmp_path, record).layers["events"]
    assert (event.text, [one.text for one in event.arguments]) == ("b", ["a b", ""])
    assert event.arguments[1].span == ((0, 1),)


def test_an_event_with_neither_place_nor_words_is_refused(tmp_path: Path) -> None:
    record = {"doc_key": "d", "sentences": [["a"]], "events": [[[[" ", "T"]]]]}
    with pytest.raises(FormatError, match="expected words"):
        read_records(tmp_path, record)


def test_words_beside_tokens_are_kept_where_they_are_others(tmp_path: Path) -> None:
    record = {
        "doc_id": "d",
        "tokens": ["Ana", "ca", "n't", "go"],
        "entity_mentions": [{"id": "x", "start": 0, "end": 1, "text": "Ben"}],
        "event_mentions": [
            {
                "event_type": "T",
                "trigger": {"start": 1, "end": 3, "text": "can't"},
                "arguments": [{"entity_id": "x", "role": "R"}],
            }
        ],
    }
    document = read_records(tmp_path, record)
    assert (document.mentions[0].text, document.layers["events"][0].text) == ("ca n't", "")
    assert document.layers["events"][0].arguments[0].text == "Ben"


@pytest.mark.parametrize("role", [[1, 0, "Agent"], [-1, 0, "Agent"], [0, 1, "Agent"], [0, -1, "Agent"]])
def test_a_role_of_a_graph_that_names_no_trigger_or_entity_is_refused(
    tmp_path: Path, role: list[object]
) -> None:
    record = oneie(["a", "b"], 0, 1)
    record["graph"].update(entities=[[1, 2, "PER", "NAM", 1]], roles=[role])
    with pytest.raises(FormatError, match="the number of one of 1"):
        read_records(tmp_path, record)


@pytest.mark.parametrize("doc_id", [None, True, ["d"], {"d": 1}, 1.5])
@pytest.mark.parametrize(
    ("task", "record"),
    [
        ("nugget", {"doc_id": None, "tokens": ["a"], "graph": {}}),
        ("spans", {"doc_id": None, "tags": ["O"]}),
        ("coref", {"doc_key": None, "clusters": []}),
    ],
)
def test_what_is_neither_text_nor_number_names_no_document(
    tmp_path: Path, task: str, record: dict[str, object], doc_id: object
) -> None:
    named = {key: doc_id if key in {"doc_id", "doc_key"} else value for key, value in record.items()}
    (tmp_path / "x.jsonl").write_text(json.dumps(named) + "\n", encoding="utf-8")
    assert any(one.severity == "error" for one in validate(tmp_path / "x.jsonl", task=task))


def test_two_entities_of_one_id_in_a_sentence_are_refused(tmp_path: Path) -> None:
    record = (
        '{"doc_id": "d", "tokens": ["a", "b"], "entity_mentions": [{"id": "x", "start": 0, "end": 1},'
        ' {"id": "x", "start": 1, "end": 2}], "event_mentions": []}\n'
    )
    (tmp_path / "d.jsonl").write_text(record)
    with pytest.raises(FormatError, match="the id 'x' is used twice"):
        list(read(tmp_path / "d.jsonl", format="oneie").documents.values())
