from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

import pytest

import lydite
from lydite.report.summary_document import pieces
from lydite.spool import Record, Spool, chain_records, encode, encode_records, indent

RECORDS: list[dict[str, Any]] = [{"a": 1}, {"b": ["x", None]}, {"c": {"d": 0.5}}]


def spooled(records: Any) -> Spool:
    spool = Spool()
    for record in records:
        spool.append(record)
    return spool


def test_what_was_spooled_reads_back_in_order() -> None:
    spool = spooled(RECORDS)
    assert list(spool) == RECORDS
    assert (len(spool), spool[-1], spool[1:]) == (3, RECORDS[-1], RECORDS[1:])
    with pytest.raises(IndexError):
        spool[3]


def test_a_spool_may_be_read_between_two_records() -> None:
    spool = spooled(RECORDS[:1])
    assert spool[0] == RECORDS[0]
    spool.append(RECORDS[1])
    assert list(spool) == RECORDS[:2]


def test_other_processes_get_a_spool_that_can_go_on() -> None:
    sent = pickle.loads(pickle.dumps(spooled(RECORDS)))  # noqa: S301 - our own
    sent.append({"more": 1})
    assert list(sent) == [*RECORDS, {"more": 1}]


@pytest.mark.parametrize("more", [RECORDS, spooled(RECORDS)], ids=["a list", "a spool"])
def test_a_spool_takes_in_other_records(more: Sequence[Record]) -> None:
    spool = spooled(RECORDS)
    spool.extend(more)
    assert list(spool) == RECORDS * 2


def test_records_of_several_systems_travel_as_a_list() -> None:
    both = chain_records([spooled(RECORDS), RECORDS])
    assert pickle.loads(pickle.dumps(both)) == RECORDS * 2  # noqa: S301 - our own


def test_several_sequences_are_one() -> None:
    assert chain_records([RECORDS[:1], RECORDS[1:]]) == RECORDS
    both = chain_records([spooled(RECORDS[:1]), [], RECORDS[1:]])
    assert list(both) == RECORDS
    assert [json.loads(item) for item in encode_records(both)] == RECORDS


@pytest.mark.parametrize(
    "value", [{"a": "\ud800"}, {"a": (1, 2)}, MappingProxyType({"a": 1}), {"a": float("nan")}, {1: "\n"}]
)
def test_what_a_summary_may_hold_can_be_written(value: Any) -> None:
    assert json.loads(indent(encode(value)))


@pytest.mark.parametrize("keep", [list, Spool])
@pytest.mark.parametrize("diagnosed", [True, False])
def test_the_document_in_pieces_is_the_document_as_a_whole(keep: Any, diagnosed: bool) -> None:
    document = json.loads(DOCUMENT)
    documents: Any = keep()
    for entry in RECORDS if diagnosed else ():
        documents.append(entry)
    document["diagnosis"] = {"documents": documents}
    summary = lydite.Summary.from_dict(document)
    written = b"".join(pieces(summary, more={"curves": [{"x": 1}]}))
    whole = summary.to_dict()
    whole["diagnosis"]["curves"] = [{"x": 1}]
    assert written == indent(encode(whole)) + b"\n"


DOCUMENT = """{
  "schema": "lydite.summary/1", "version": "0", "task": "t", "profile": "p", "signature": "s",
  "settings": {"list": ["a"], "none": null}, "departures": [], "headline": {"measurement": "m"}, "inputs": [],
  "scores": [
    {"system": "s", "scope": "corpus", "document": null, "by": {}, "measurement": "m", "metric": "x",
     "average": "micro", "precision": 0.5, "recall": null, "f1": null, "value": null, "tally": {"gold_total": 2}}
  ],
  "diagnosis": {}, "findings": []
}"""
