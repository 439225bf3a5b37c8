"""Records: JSON objects, event templates and fields that language models extract, without offsets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lydite.model import ScoreRow
from lydite.model.outcome import Outcome
from lydite.model.summary import COUNTS
from lydite.pipeline.task import Checks, Diagnosis, Headline, PerDocument, Reading, Task
from lydite.tasks.outcomes import Compared, diagnose_outcomes, gold_outcomes
from lydite.tasks.records.reading import choose_format
from lydite.tasks.records.scorings import check_comparison, compare, headline, measurements
from lydite.tasks.records.settings import RecordSettings
from lydite.tasks.records.sides import (
    check,
    check_corpora,
    check_corpus,
    content,
    decide,
    match_documents,
    pair_documents,
)


def outcomes(compared: Compared, settings: RecordSettings, figure: Headline) -> list[Outcome] | None:
    """The items of gold, and whether each is right; None for figures that do not count them."""
    return gold_outcomes(compared) if figure.measurement == headline(settings).measurement else None


def diagnose(compared: Compared) -> Mapping[str, object]:
    """The items of both sides with their causes, and what the scoring shows of a record."""
    return diagnose_outcomes(compared)


def diagnose_corpus(
    rows: Sequence[ScoreRow], documents: Iterable[Mapping[str, object]]
) -> Mapping[str, object]:
    """How often each cause comes, and how each answer was read."""
    counts = {row.measurement: row.counts for row in rows if row.metric == COUNTS}
    answers = {name: number for name, number in counts["json"].items() if not name.startswith("repaired by ")}
    how = {str(one["document"]): one["json"] for one in documents if "json" in one}
    return {"causes": counts["causes"], "json": {**answers, "how": how}}


RECORDS = Task(
    name="records",
    title="Records",
    layers=("record",),
    default_profile="strict",
    settings=RecordSettings,
    headline=headline,
    measurements=measurements,
    compare=PerDocument(compare, pair_documents=pair_documents),
    checks=Checks(
        document=(check,), corpus=(check_corpus,), corpora=(check_corpora,), comparison=(check_comparison,)
    ),
    reading=Reading(
        choose_format=choose_format, decide=decide, match_documents=match_documents, content=content
    ),
    outcomes=outcomes,
    diagnosis=Diagnosis(diagnose, of_rows=diagnose_corpus),
    explained_at="lydite.tasks.records.verdicts:EXPLAINER",
    cite=("luo2005ceaf",),
    examples=(
        ("records gold.jsonl system.jsonl", "leaf by leaf, whatever the order of lists"),
        ("records gold.jsonl system.jsonl --schema schema.toml", "comparators, keys of lists, tolerances"),
        ("records gold.jsonl system.jsonl --profile anls-star", "as ANLS* scores them"),
        ("records gold.jsonl --runs runs/ --by path", "one table of models, broken down by field"),
    ),
)
