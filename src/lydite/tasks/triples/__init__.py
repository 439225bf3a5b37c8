"""Triples: relations, roles, opinions, entities and tags, each taken apart into a relation and two elements."""

from __future__ import annotations

from lydite.pipeline import Task
from lydite.tasks.triples.checks import check_pair
from lydite.tasks.triples.comparison import compare
from lydite.tasks.triples.diagnosis import diagnose, respell
from lydite.tasks.triples.documents import FORMATS, check_corpora, convert, pair_documents, prepare, relate
from lydite.tasks.triples.measurements import bind, headline
from lydite.tasks.triples.settings import SETTINGS

TRIPLES = Task(
    name="triples",
    title="Triples",
    formats=FORMATS,
    layers=("triples",),
    default_profile="default",
    settings=SETTINGS,
    headline=headline,
    bind=bind,
    compare=compare,
    relate=relate,
    pair_documents=pair_documents,
    prepare=prepare,
    check_pair=check_pair,
    check_corpora=check_corpora,
    diagnose=diagnose,
    join_diagnoses=respell,
    convert=convert,
    examples=(
        ("gold.trp system.trp", "partial ids, same relation"),
        ("triples gold/ --runs runs/", "folders of files, best first"),
        ("gold.trp system.trp --by relation", "broken down by relation"),
        ("gold.trp system.trp --profile reference --format official", "as TripleEvaluation prints it"),
    ),
    cite=("newsreader2013evaluation", "tripleevaluation2013"),
)
