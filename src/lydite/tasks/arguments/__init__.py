"""Event arguments: who or what fills which role of which event (TAC KBP 2014), and which arguments share an event."""

from __future__ import annotations

from collections.abc import Sequence

from lydite.errors import UsageError
from lydite.formats import FORMATS
from lydite.model import Corpus
from lydite.pipeline import Task
from lydite.profile import Profile
from lydite.tasks.arguments.checks import check, check_submission, remark, severity
from lydite.tasks.arguments.diagnosis import diagnose
from lydite.tasks.arguments.documents import pair_documents, prepare
from lydite.tasks.arguments.exact import LAYER
from lydite.tasks.arguments.measurements import bind, compare, derive, headline
from lydite.tasks.arguments.settings import SETTINGS


def settle(profile: Profile, corpora: Sequence[Corpus]) -> Profile:
    """Refuses a run over frames without the gold linking."""
    if profile["frames"] and not profile["linking"] and len(corpora) > 1:
        raise UsageError(
            f"profile {profile.name!r} scores event frames and needs the gold linking",
            hint="name its folder: --linking DIR",
        )
    return profile


def infer_profile(corpora: Sequence[Corpus]) -> tuple[str, str] | None:
    """Events with triggers mean the exact profile; a store with linking/ inside is one of 2015."""
    if any(map(_holds_events, corpora)):
        return "exact", "the files hold events with triggers"
    if any(corpus.facts.get("layout") == "linking" for corpus in corpora):
        return "kbp2015", "the store has arguments/ and linking/"
    return None


def _holds_events(corpus: Corpus) -> bool:
    """Whether the format has triggers, or, where it can hold everything, the first document has."""
    layers = FORMATS[corpus.format].layers
    if "*" not in layers:
        return LAYER in layers
    return any(LAYER in corpus.documents[doc_id].layers for doc_id in corpus.doc_ids[:1])


def check_agreement(profile: Profile) -> None:
    """Refuses to take an assessment for the answers of an annotator: a store judges answers, it gives none."""
    if profile["match"] != "spans":
        raise UsageError(
            f"profile {profile.name!r} holds answers against assessments, and two annotators give no such pair",
            hint="two assessors: lydite assess agree A B; events with triggers: --profile exact",
        )


def choose_format(profile: Profile) -> str | None:
    """Stores have no telling extension, and their first file may be empty: a profile of stores decides."""
    return None if profile["match"] == "spans" else "eal"


ARGUMENTS = Task(
    name="arguments",
    title="Event arguments",
    formats=("lydite", "oneie", "dygie", "maven", "events", "brat", "ere", "eal"),
    layers=("events", "arguments"),
    default_profile="kbp2014-official",
    settings=SETTINGS,
    headline=headline,
    bind=bind,
    compare=compare,
    settle=settle,
    pair_documents=pair_documents,
    prepare=prepare,
    check=check,
    check_submission=check_submission,
    severity=severity,
    remark=remark,
    derive=derive,
    diagnose=diagnose,
    cite=("kbp2014arguments", "kbp2015arguments"),
    infer_profile=infer_profile,
    choose_format=choose_format,
    check_agreement=check_agreement,
)
