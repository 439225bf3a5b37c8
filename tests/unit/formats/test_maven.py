"""MAVEN, MAVEN-ERE and MAVEN-Arg: events, arguments, times, entities and relations."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from lydite.errors import FormatError
from lydite.facade.converting import measure_conversion
from lydite.facade.library import convert, read
from lydite.formats import FORMATS
from lydite.model import Document, Relation
from lydite.pipeline.reading import recognise_format

ERE: dict[str, Any] = {
    "id": "d1",
    "tokens": [["Rebels", "fled", "in", "1912", "."], ["The", "flight", "failed", "."]],
    "sentences": ["Rebels fled in 1912.", "The flight failed."],
    "events": [
        {
            "id": "EVENT_1",
            "type": "Escaping",
            "mention": [
                {"id": "m1", "trigger_word": "fled", "sent_id": 0, "offset": [1, 2]},
                {"id": "m2", "trigger_word": "flight", "sent_id": 1, "offset": [1, 2]},
            ],
        },
        {
            "id": "EVENT_2",
            "type": "Failing",
            "mention": [{"id": "m3", "trigger_word": "failed", "sent_id": 1, "offset": [2, 3]}],
        },
    ],
    "TIMEX": [{"id": "TIME_1", "mention": "1912", "type": "DATE", "sent_id": 0, "offset": [3, 4]}],
    "temporal_relations": {"BEFORE": [["EVENT_1", "EVENT_2"]], "CONTAINS": [["TIME_1", "EVENT_1"]]},
    "causal_relations": {"CAUSE": [["EVENT_1", "EVENT_2"]]},
    "subevent_relations": [["EVENT_1", "EVENT_2"]],
}
ARG: dict[str, Any] = {
    "id": "d1",
    "document": "Rebels fled to Lima . They left Ana . The flight failed .",
    "events": [
        {
            "id": "EVENT_1",
            "type": "Escaping",
            "mention": [
                {"id": "m1", "trigger_word": "left", "offset": [27, 31]},
                {"id": "m2", "trigger_word": "flight", "offset": [42, 48]},
            ],
            "argument": {
                "Agent": [{"entity_id": "ENTITY_1"}],
                "Target": [{"content": "Ana", "offset": [32, 35]}, {"content": "Ben"}],
                "Location": [],
            },
        }
    ],
    "entities": [
        {
            "id": "ENTITY_1",
            "type": "Organization",
            "mention": [
                {"id": "n1", "mention": "Rebels", "offset": [0, 6]},
                {"id": "n2", "mention": "They", "offset": [22, 26]},
            ],
        }
    ],
}


def write(tmp_path: Path, record: dict[str, Any]) -> Path:
    file = tmp_path / "x.jsonl"
    file.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return file


def read_one(tmp_path: Path, record: dict[str, Any]) -> Document:
    (document,) = read(write(tmp_path, record)).documents.values()
    return document


@pytest.mark.parametrize("record", [ERE, ARG], ids=["ere", "arg"])
def test_all_variants_are_recognised(tmp_path: Path, record: dict[str, Any]) -> None:
    assert recognise_format(write(tmp_path, record)).name == "maven"


def test_relations_between_events_are_between_their_first_mentions(tmp_path: Path) -> None:
    document = read_one(tmp_path, ERE)
    assert document.relations == (
        Relation("Coreference", "EVENT_1", ("m1", "m2"), 1),
        Relation("Subevent", "R1", ("m1", "m3"), 1),
    )
    assert [(link.name, link.members) for link in document.layers["links"]] == [
        ("BEFORE", ("m1", "m3")),
        ("CONTAINS", ("TIME_1", "m1")),
        ("CAUSE", ("m1", "m3")),
    ]


def test_time_expressions_have_their_place(tmp_path: Path) -> None:
    document = read_one(tmp_path, ERE)
    (time,) = document.layers["times"]
    assert document.text is not None
    assert (time.type, document.text[slice(*time.span.ranges[0])]) == ("DATE", "1912")


def test_subevents_are_scored_and_other_relations_are_not(tmp_path: Path) -> None:
    corpus = read(write(tmp_path, ERE))
    assert corpus.facts["relations"] == ["Coreference", "Subevent"]


def test_a_relation_to_something_unknown_is_dropped_and_named(tmp_path: Path) -> None:
    record = copy.deepcopy(ERE)
    record["causal_relations"]["CAUSE"].append(["EVENT_1", "EVENT_9"])
    document = read_one(tmp_path, record)
    (finding,) = document.findings
    assert finding.code == "unknown-annotation"
    assert "1 relation to ids that document 'd1' does not have; dropped (CAUSE EVENT_9)" in finding.message
    assert len(document.layers["links"]) == 3


def test_what_another_format_cannot_hold_is_counted(tmp_path: Path) -> None:
    losses, _ = measure_conversion(convert(write(tmp_path, ERE)), FORMATS["tbf"])
    assert set(losses.dropped) == {"texts", "times", "BEFORE links", "CONTAINS links", "CAUSE links"}
    assert losses.kept["Subevent relations"] == 1


@pytest.mark.parametrize("record", [ERE, ARG], ids=["ere", "arg"])
def test_the_lossless_form_holds_everything(tmp_path: Path, record: dict[str, Any]) -> None:
    losses, _ = measure_conversion(convert(write(tmp_path, record)), FORMATS["lydite"])
    assert not losses.is_lossy


def test_arguments_stand_with_the_first_mention_of_their_event(tmp_path: Path) -> None:
    first, second = read_one(tmp_path, ARG).layers["events"]
    assert [(one.role, one.span, one.text) for one in first.arguments] == [
        ("Agent", ((22, 26),), "They"),
        ("Target", ((32, 35),), "Ana"),
        ("Target", (), "Ben"),
    ]
    assert second.arguments == ()


def test_entities_keep_all_their_mentions(tmp_path: Path) -> None:
    (entity,) = read_one(tmp_path, ARG).layers["entities"]
    assert (entity.type, [mention.id for mention in entity.mentions]) == ("Organization", ["n1", "n2"])


def test_a_trigger_word_that_is_not_at_its_tokens_is_what_the_mention_says(tmp_path: Path) -> None:
    record = copy.deepcopy(ERE)
    record["events"][1]["mention"][0]["offset"] = [1, 2]
    assert read_one(tmp_path, record).mentions[2].text == "failed"


def test_candidates_of_a_test_set_are_mentions_without_an_event(tmp_path: Path) -> None:
    record = {
        "id": "d1",
        "tokens": ERE["tokens"],
        "event_mentions": [{**ERE["events"][0]["mention"][0], "type": "Escaping"}],
        "TIMEX": ERE["TIMEX"],
    }
    document = read_one(tmp_path, record)
    assert [(mention.id, mention.type) for mention in document.mentions] == [("m1", "Escaping")]
    assert document.relations == ()


@pytest.mark.parametrize(
    ("base", "key", "value", "expected"),
    [
        (ERE, ("subevent_relations",), [["EVENT_1"]], "expected a pair of ids"),
        (ERE, ("events", 1, "mention", 0, "sent_id"), 9, "sentence 9 of 2"),
        (ERE, ("events", 1, "mention", 0, "offset"), [1, 99], "tokens 6 to 104 of 9"),
        (ARG, ("events", 0, "mention", 0, "offset"), [9, 2], "characters 9 to 2"),
        (ARG, ("events", 0, "argument", "Agent", 0), {"entity_id": "E9"}, "role Agent: no entity 'E9'"),
        (ARG, ("events", 0, "argument", "Agent", 0), {}, "expected words"),
        (ARG, ("entities", 0, "mention"), [], "has no mention"),
        (ARG, ("document",), 5, "expected a text under 'document'"),
    ],
)
def test_a_record_of_another_shape_is_refused(
    tmp_path: Path, base: dict[str, Any], key: tuple[Any, ...], value: Any, expected: str
) -> None:
    record = copy.deepcopy(base)
    place = record
    for step in key[:-1]:
        place = place[step]
    place[key[-1]] = value
    with pytest.raises(FormatError, match=expected) as refused:
        read_one(tmp_path, record)
    assert {finding.code for finding in refused.value.findings} == {"bad-event-record"}


def test_a_document_on_two_lines_is_refused(tmp_path: Path) -> None:
    file = write(tmp_path, ERE)
    file.write_text(file.read_text(encoding="utf-8") * 2, encoding="utf-8")
    with pytest.raises(FormatError, match="document 'd1' occurs twice"):
        list(read(file).documents.values())


def test_all_bad_records_are_named_at_once(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    bad = [{**ERE, "id": name, "subevent_relations": [[]]} for name in ("a", "b")]
    records = [bad[0], ERE, bad[1]]
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    with pytest.raises(FormatError) as refused:
        list(read(file).documents.values())
    lines = [finding.location.line for finding in refused.value.findings if finding.location is not None]
    assert lines == [1, 3]


def test_tokens_without_their_sentence_are_refused_and_not_taken_for_characters(tmp_path: Path) -> None:
    record = copy.deepcopy(ERE)
    del record["events"][0]["mention"][1]["sent_id"]
    with pytest.raises(FormatError, match="expected 'sent_id' beside the tokens"):
        read_one(tmp_path, record)


@pytest.mark.parametrize(("record", "key"), [(ERE, "events"), (ERE, "TIMEX"), (ARG, "entities")])
def test_two_things_of_one_id_are_refused(tmp_path: Path, record: dict[str, Any], key: str) -> None:
    record = copy.deepcopy(record)
    record[key].append({**copy.deepcopy(record[key][0]), "type": "Other"})
    with pytest.raises(FormatError, match="is used twice, for different things"):
        read_one(tmp_path, record)
