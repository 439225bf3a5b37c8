"""Triples: relations, roles, opinions, entities and tags, each taken apart into a relation and two elements."""

from __future__ import annotations

from lydite.pipeline.task import Checks, Diagnosis, PerDocument, Reading, Task
from lydite.tasks.strings.wrapping import with_strings
from lydite.tasks.triples.checks import check_pair
from lydite.tasks.triples.comparison import compare
from lydite.tasks.triples.diagnosis import diagnose, unify_spellings
from lydite.tasks.triples.documents import (
    CONFIDENCE,
    check_corpora,
    content,
    convert,
    decide,
    match_documents,
    pair_documents,
    prepare,
)
from lydite.tasks.triples.measurements import headline, measurements, outcomes
from lydite.tasks.triples.settings import TripleSettings

_OF_IDS = Task(
    name="triples",
    title="Triples",
    layers=("triples",),
    default_profile="default",
    settings=TripleSettings,
    headline=headline,
    measurements=measurements,
    compare=PerDocument(compare, prepare=prepare, pair_documents=pair_documents),
    checks=Checks(corpora=(check_corpora,), pair=(check_pair,)),
    reading=Reading(decide=decide, convert=convert, match_documents=match_documents, content=content),
    outcomes=outcomes,
    diagnosis=Diagnosis(diagnose, join=unify_spellings),
    confidence=CONFIDENCE,
    settings_for_all_measurements=(("unary", "apart"),),
    examples=(
        ("gold.trp system.trp", "partial ids, same relation"),
        ("triples gold/ --runs runs/", "folders of files, best first"),
        ("gold.trp system.trp --by relation", "broken down by relation"),
        ("gold.trp system.trp --profile reference --format official", "as TripleEvaluation prints it"),
    ),
    cite=("newsreader2013evaluation", "tripleevaluation2013"),
    explained_at="lydite.tasks.triples.verdicts:OF_IDS",
)

TRIPLES = with_strings(_OF_IDS, "relations", "lydite.tasks.triples.verdicts:EXPLAINER")
