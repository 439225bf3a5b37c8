"""SpERT: a JSON array of sentences whose relations name their entities by number."""

from __future__ import annotations

from functools import partial
from operator import methodcaller

from lydite.formats.base import Format, Options
from lydite.formats.json_records import is_record_of, tasks_by_layer
from lydite.formats.names import json_names
from lydite.formats.sentence_graphs import GraphShape, read_graphs, spert_sentences
from lydite.formats.source import Source
from lydite.model import Corpus

_SHAPE = GraphShape("spert", methodcaller("get", "orig_id"), spert_sentences, may_be_unnamed=True)


def read(source: Source, options: Options) -> Corpus:
    """Every record is a document, named by ``orig_id`` if all records have one, else by its position."""
    return read_graphs(source, options, _SHAPE)


SPERT = Format(
    name="spert",
    title="SpERT sentences (JSON array)",
    extensions=(".json", ".jsonl"),
    tasks=("relations", "spans"),
    recognise=partial(is_record_of, "spert"),
    read=read,
    layers=("graphs", "mentions"),
    holds_many=True,
    has_text=True,
    names=json_names("tokens entities relations type start end head tail orig_id", "sentence doc_id score"),
    unread="scores",
    tasks_by_layer=partial(tasks_by_layer, "spert"),
)
