"""Coreference: partitions of mentions, within documents or across them (CoNLL 8.01, NewsReader, LEA and variants)."""

from __future__ import annotations

from collections.abc import Sequence

from lydite.model import Corpus
from lydite.pipeline.task import Checks, Diagnosis, KeptResults, PerDocument, Reading, Task
from lydite.profile import Profile
from lydite.tasks.coref.checks import (
    check_comparison,
    check_corpora,
    check_findings,
    check_pair,
    severity,
    severity_if_not_scored,
)
from lydite.tasks.coref.comparison import compare
from lydite.tasks.coref.components import sampling_unit
from lydite.tasks.coref.diagnosis import diagnose
from lydite.tasks.coref.measurements import headline, measurements, outcomes
from lydite.tasks.coref.settings import AUTO, DOCUMENTS, CorefSettings
from lydite.tasks.reading import pair_documents


def condense_tables(
    gold: Corpus, systems: Sequence[Corpus], profile: Profile[CorefSettings], detail: KeptResults
) -> tuple[Corpus, Sequence[Corpus], Profile[CorefSettings], KeptResults]:
    """Tables that are counted as wholes become counts; everything else stays as it is."""
    has_tables = any(corpus.format == "table" for corpus in (gold, *systems))
    if not has_tables and profile.settings.engine in {AUTO, DOCUMENTS}:
        return gold, systems, profile, detail
    from lydite.tasks.coref.tables import condense

    return condense(gold, systems, profile, detail)


_PROFILE_OF_FORMAT = {
    "coref-xml": ("newsreader", "the files are coreference sets in XML"),
    "corefud": ("corefud", "the files are CorefUD"),
}
"""The profile that a format of files means, and why."""


def infer_profile(corpora: Sequence[Corpus]) -> tuple[str, str] | None:
    """Coreference sets in XML mean the cross-document profile; files that are all CorefUD mean that profile."""
    formats = {corpus.format for corpus in corpora}
    deciding = formats if len(formats) == 1 else formats & {"coref-xml"}
    return next((_PROFILE_OF_FORMAT[name] for name in deciding if name in _PROFILE_OF_FORMAT), None)


COREF = Task(
    name="coref",
    title="Coreference",
    layers=("clusters",),
    default_profile="conll-8.01",
    settings=CorefSettings,
    headline=headline,
    measurements=measurements,
    compare=PerDocument(compare, pair_documents=pair_documents),
    checks=Checks(
        corpora=(check_corpora,),
        pair=(check_pair,),
        comparison=(check_comparison,),
        findings=(check_findings,),
        severity=severity,
        severity_unscored=severity_if_not_scored,
    ),
    reading=Reading(infer_profile=infer_profile, count_large_tables=condense_tables),
    outcomes=outcomes,
    diagnosis=Diagnosis(diagnose),
    sampling_unit=sampling_unit,
    examples=(
        ("key.conll response.conll", "CoNLL F1, and every other metric"),
        ("key.conll --runs runs/", "one table, best first"),
        ("key.xml response.xml --profile newsreader", "across documents"),
        ("gold.parquet system.parquet", "tables of document, start, end, cluster"),
        ("key.conll response.conll --by doc", "broken down by document"),
        ("key.conll response.conll --format official", "as the CoNLL scorer prints it"),
    ),
    cite=(
        "pradhan2014scoring",
        "vilain1995muc",
        "bagga1998bcubed",
        "luo2005ceaf",
        "luo2014blanc",
        "moosavi2016lea",
    ),
    explained_at="lydite.tasks.coref.verdicts:EXPLAINER",
)
