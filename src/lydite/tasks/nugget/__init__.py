"""Event nuggets: detection of event mentions with type and realis (TAC KBP 2014 to 2017)."""

from __future__ import annotations

from collections.abc import Sequence

from lydite.formats.tokens import must_be_folder
from lydite.model import Corpus
from lydite.model.mention import AFTER, COREFERENCE, SUBEVENT
from lydite.pipeline.task import Checks, Diagnosis, PerDocument, Reading, Task
from lydite.profile import Profile
from lydite.tasks.nugget.checks import (
    check,
    check_comparison,
    check_comparisons,
    check_corpora,
    check_corpus,
    check_findings,
    check_pair,
    check_submission,
    severity,
    severity_if_not_scored,
)
from lydite.tasks.nugget.diagnosis import diagnose, diagnose_for_layout
from lydite.tasks.nugget.documents import CONFIDENCE, pair_documents, prepare
from lydite.tasks.nugget.measurements import compare, derive, headline, measurements, outcomes
from lydite.tasks.nugget.settings import ATTRIBUTES, NuggetSettings


def decide(profile: Profile[NuggetSettings], corpora: Sequence[Corpus]) -> dict[str, object]:
    """The unit that the files have; coreference and sequencing, if they hold any."""
    settings = profile.settings
    if settings.tokens and settings.reading != "as-official":
        # Checked at once, also where the tables turn out not to be needed.
        must_be_folder(settings.tokens)
    decided: dict[str, object] = {}
    if settings.unit == "auto":
        decided["unit"] = next(
            (corpus.facts["unit"] for corpus in corpora if len(corpus) and "unit" in corpus.facts), "char"
        )
    if settings.shared_attributes:
        attributes = [corpus.facts.get("attributes", ATTRIBUTES) for corpus in corpora]
        shared = tuple(name for name in settings.attributes if all(name in one for one in attributes))
        if shared != settings.attributes:
            decided["attributes"] = shared
    present = {name for corpus in corpora for name in corpus.facts.get("relations", ())}
    if settings.coref == "auto":
        decided["coref"] = "on" if COREFERENCE in present else "off"
    if settings.sequencing == "auto":
        decided["sequencing"] = "on" if present & {AFTER, SUBEVENT} else "off"
    return decided


def convert(corpus: Corpus, settings: NuggetSettings) -> Corpus:
    """The corpus as it is written in another format; the modules for that are loaded only here."""
    from lydite.tasks.nugget.conversion import convert as converted

    return converted(corpus, settings)


def infer_profile(corpora: Sequence[Corpus]) -> tuple[str, str] | None:
    """Spans of token ids mean the profile of 2015, whose unit is the token; records of events without realis the exact one."""
    if any(len(corpus) and corpus.facts.get("unit") == "token" for corpus in corpora):
        return "kbp2015", "the spans are token ids"
    gold = corpora[0]
    if "records" in gold.facts and "realis" not in gold.facts.get("attributes", ()):
        return "exact", f"{gold.path} is {gold.format}: events without realis"
    return None


NUGGET = Task(
    name="nugget",
    title="Event nugget detection",
    layers=("mentions",),
    default_profile="kbp2017",
    settings=NuggetSettings,
    headline=headline,
    measurements=measurements,
    compare=PerDocument(compare, prepare=prepare, pair_documents=pair_documents),
    checks=Checks(
        document=(check,),
        submission=(check_submission,),
        corpus=(check_corpus,),
        corpora=(check_corpora,),
        pair=(check_pair,),
        comparison=(check_comparison,),
        comparisons=(check_comparisons,),
        findings=(check_findings,),
        severity=severity,
        severity_unscored=severity_if_not_scored,
    ),
    reading=Reading(infer_profile=infer_profile, decide=decide, convert=convert),
    derive=derive,
    outcomes=outcomes,
    diagnosis=Diagnosis(diagnose, diagnose_for_layout),
    confidence=CONFIDENCE,
    settings_for_all_measurements=(("coref", "on"), ("sequencing", "on")),
    examples=(
        ("gold.tbf system.tbf", "the official number"),
        ("gold.tbf --runs runs/ --format latex", "a table for a paper"),
        ("gold.tbf system.tbf --profile kbp2015 --tokens tkn/", "token ids, with token tables"),
        ("gold.tbf system.tbf --by type", "broken down by type"),
        ("gold.tbf system.tbf --format official", "as EvmEval prints it"),
    ),
    cite=("mitamura2015event", "liu2015evaluation"),
    explained_at="lydite.tasks.nugget.verdicts:EXPLAINER",
)
