"""Event arguments: who or what fills which role of which event (TAC KBP 2014), and which arguments share an event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lydite.errors import UsageError
from lydite.model import Corpus, Document, LazyDocuments
from lydite.pipeline.task import Checks, Diagnosis, PerDocument, Reading, Task
from lydite.profile import Profile
from lydite.tasks.arguments.checks import (
    check,
    check_comparison,
    check_corpora,
    check_findings,
    check_pair,
    check_submission,
    conversion_findings,
    severity,
)
from lydite.tasks.arguments.diagnosis import diagnose
from lydite.tasks.arguments.documents import CONFIDENCE, content, pair_documents, prepare, source_text
from lydite.tasks.arguments.inputs import AS_EVENTS, choose_format, corpora_of_events, refuse_other_layers
from lydite.tasks.arguments.measurements import compare, derive, headline, measurements, outcomes
from lydite.tasks.arguments.settings import ArgumentSettings
from lydite.tasks.strings.wrapping import with_strings


def decide(profile: Profile[ArgumentSettings], corpora: Sequence[Corpus]) -> dict[str, object]:
    """Refuses files that the profile cannot compare, and a run over frames without the gold linking."""
    settings = profile.settings
    refuse_other_layers(profile, corpora)
    if settings.frames and not settings.linking and len(corpora) > 1:
        raise UsageError(
            f"profile {profile.name!r} scores event frames and needs the gold linking",
            hint="name its folder: --linking DIR",
        )
    return {}


FILE_DECIDES = {"rams": "rams", "gen-arg": "wikievents", "maven-arg": "maven-arg"}
"""The profile of formats whose arguments only its program's rules compare."""


def infer_profile(corpora: Sequence[Corpus]) -> tuple[str, str] | None:
    """Events with triggers, and nothing else, mean the exact profile; a store with linking/ inside is one of 2015."""
    for corpus in corpora:
        if corpus.format in FILE_DECIDES:
            return FILE_DECIDES[corpus.format], f"{corpus.path} is {corpus.format}"
    if events := corpora_of_events(corpora):
        found = ", ".join(f"{corpus.path} is {corpus.format}" for corpus in events)
        return "exact", f"{found}: events with triggers"
    if any(corpus.facts.get("layout") == "linking" for corpus in corpora):
        return "kbp2015", "the store has arguments/ and linking/"
    return None


def refuse_annotators(profile: Profile[ArgumentSettings]) -> None:
    """Refuses to take an assessment for the answers of an annotator: a store judges answers, it gives none."""
    if profile.settings.match == "assessment":
        raise UsageError(
            f"profile {profile.name!r} holds answers against assessments, and two annotators give no such pair",
            hint="two assessors: lydite assess agree A B; events with triggers: --profile exact",
        )


def convert(corpus: Corpus, settings: ArgumentSettings) -> Corpus:
    """The corpus as it is written in another format, with its words where they stand."""
    from lydite.tasks.placing import place_corpus

    read = corpus.documents

    def load(doc_id: str) -> Document:
        document = read[doc_id]
        return document._replace(findings=(*document.findings, *conversion_findings(document, settings)))

    with_findings = replace(corpus, documents=LazyDocuments(read, load))
    return place_corpus(with_findings, settings, source_text)


_OF_PLACES = Task(
    name="arguments",
    title="Event arguments",
    layers=("events", "arguments", "role-links", "filled-templates", "role-strings"),
    default_profile="kbp2014-official",
    settings=ArgumentSettings,
    headline=headline,
    measurements=measurements,
    compare=PerDocument(compare, prepare=prepare, pair_documents=pair_documents),
    checks=Checks(
        document=(check,),
        submission=(check_submission,),
        corpora=(check_corpora,),
        pair=(check_pair,),
        comparison=(check_comparison,),
        findings=(check_findings,),
        severity=severity,
    ),
    reading=Reading(
        derives_layers_from=AS_EVENTS,
        choose_format=choose_format,
        infer_profile=infer_profile,
        decide=decide,
        refuse_annotators=refuse_annotators,
        source_text=source_text,
        convert=convert,
        content=content,
    ),
    derive=derive,
    outcomes=outcomes,
    diagnosis=Diagnosis(diagnose),
    confidence=CONFIDENCE,
    judging="pool",
    examples=(
        ("arguments annotation/ system/", "assessed arguments of 2014"),
        ("arguments annotation/ --runs runs/", "one table, best first"),
        ("arguments annotation/ system/ --profile kbp2015 --linking links/", "linking of 2015"),
        ("arguments gold.jsonl system.jsonl --profile exact", "events with triggers"),
        (
            "arguments gold.jsonl llm.jsonl --ground --documents texts/",
            "words of a model, placed in the texts",
        ),
        ("arguments annotation/ system/ --by type,role", "broken down"),
    ),
    cite=("kbp2014arguments", "kbp2015arguments"),
    explained_at="lydite.tasks.arguments.verdicts:OF_PLACES",
)

ARGUMENTS = with_strings(_OF_PLACES, "events", "lydite.tasks.arguments.verdicts:EXPLAINER")
