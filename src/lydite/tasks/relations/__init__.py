"""Relations between entities, with the entities that they join: what papers report as Ent, Rel and Rel+."""

from __future__ import annotations

from lydite.pipeline.task import Checks, Diagnosis, PerDocument, Reading, Task
from lydite.tasks.reading import pair_documents
from lydite.tasks.relations.documents import (
    check,
    check_corpora,
    check_pair,
    decide,
    infer_profile,
    match_documents,
    severity,
)
from lydite.tasks.relations.measurements import headline, measurements
from lydite.tasks.relations.outcomes import check_comparison, compare, diagnose, gold_outcomes
from lydite.tasks.relations.settings import RelationSettings

RELATIONS = Task(
    name="relations",
    title="Relations",
    layers=("graphs", "facts", "event-pairs"),
    default_profile="exact",
    settings=RelationSettings,
    headline=headline,
    measurements=measurements,
    compare=PerDocument(compare, pair_documents=pair_documents),
    checks=Checks(
        document=(check,),
        corpora=(check_corpora,),
        pair=(check_pair,),
        comparison=(check_comparison,),
        severity=severity,
    ),
    reading=Reading(infer_profile=infer_profile, decide=decide, match_documents=match_documents),
    outcomes=gold_outcomes,
    diagnosis=Diagnosis(diagnose),
    explained_at="lydite.tasks.relations.verdicts:EXPLAINER",
    examples=(
        ("relations gold.jsonl system.jsonl", "Ent, Rel and Rel+ of papers"),
        ("relations gold.jsonl predictions.jsonl --profile pure", "as PURE prints them"),
        ("relations gold.json pred.json --profile spert --types types.json", "as SpERT"),
        ("relations gold.jsonl system.jsonl --by type", "broken down by type"),
    ),
    cite=("taille2020stop",),
)
