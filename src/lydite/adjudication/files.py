"""The files of adjudication: gold and systems under a profile with targets, texts, tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NotRequired, TypedDict

from lydite.adjudication.apply import SystemReport, augmented_reference, judged_items, system_report
from lydite.adjudication.decisions import JudgesDocument, LoggedDecision, agreement, resolve
from lydite.adjudication.pool import DOCUMENT, MENTION, Queue, Targets, map_targets
from lydite.adjudication.remapping import remap_targets
from lydite.adjudication.scores import DOWN, UP
from lydite.errors import Finding, InvalidInput, UsageError
from lydite.formats.texts import open_texts
from lydite.model import Corpus
from lydite.model.ace_settings import AceSettings
from lydite.pipeline.reading import distinct_names, read_corpus
from lydite.profile import Profile, load_profile
from lydite.tasks.ace import ACE

SCHEMA = "lydite.adjudication/1"


@dataclass(frozen=True, slots=True)
class AdjudicationChoice:
    """A profile of the ACE task with targets, and the granularity of the items: documents or mentions."""

    profile: Profile[AceSettings]
    granularity: str


def choose_adjudication(
    profile_name: str,
    targets: str,
    granularity: str | None = None,
    *,
    settings: Mapping[str, object] | None = None,
) -> AdjudicationChoice:
    """The profile with targets; without a granularity, mentions are judged if the profile uses them."""
    profile = load_profile(ACE.name, profile_name, AceSettings)
    profile = profile.replace({**(settings or {}), "targets": targets})
    # What systems find for a target can only be judged if gold has its entity.
    profile = profile.replace({"errors": (*profile.settings.errors, "target-not-in-gold")})
    chosen = granularity or (MENTION if profile.settings.use_mentions else DOCUMENT)
    if chosen == MENTION and not profile.settings.use_mentions:
        raise UsageError(
            f"profile {profile_name!r} does not use mentions, so mentions cannot be judged",
            hint="choose --granularity document, or --profile ace08-global-mentions",
        )
    return AdjudicationChoice(profile, chosen)


def read_corpora(choice: AdjudicationChoice, gold: str, systems: Sequence[str]) -> list[Corpus]:
    """Gold and the systems, which get distinct names."""
    corpora = [read_corpus(path, ACE, choice.profile) for path in (gold, *systems)]
    return [corpora[0], *distinct_names(corpora[1:])]


class AdjudicationDocument(TypedDict):
    """The document of ``assess apply``."""

    schema: str
    profile: str
    granularity: str
    seed: int
    resamples: int
    systems: dict[str, SystemReport]
    agreement: JudgesDocument
    remap: NotRequired[bool]
    """True if targets were mapped again after the decisions; absent if not."""


def adjudication_report(
    choice: AdjudicationChoice,
    corpora: Sequence[Corpus],
    queue: Queue,
    decisions: Sequence[LoggedDecision],
    *,
    text_of: Callable[[str], str | None],
    resamples: int,
    seed: int,
    remap: bool = False,
) -> AdjudicationDocument:
    """The document of ``assess apply``: every system before and after the decisions, and how far judges agree.

    With ``remap``, targets are mapped again, to gold together with what was judged right.
    """
    if remap and choice.granularity == DOCUMENT and choice.profile.settings.use_mentions:
        raise UsageError(
            "targets cannot be mapped again by mentions where whole documents were judged",
            hint="leave --remap out, or judge mentions (--granularity mention)",
        )
    targets = map_targets(corpora[0], corpora[1:], choice.profile)
    _refuse_other_targets(queue, targets)
    verdicts = resolve(decisions)
    if remap:
        reference = augmented_reference(targets, queue, verdicts, choice.granularity, text_of)
        targets = remap_targets(targets, corpora[1:], choice.profile, reference)
    run, *if_decided = (
        judged_items(targets, queue, verdicts, choice.granularity, text_of, assumed=verdict)
        for verdict in (None, DOWN, UP)
    )
    false_alarm = targets.parameters.entity["false-alarm"]
    report: AdjudicationDocument = {
        "schema": SCHEMA,
        "profile": choice.profile.name,
        "granularity": choice.granularity,
        "seed": seed,
        "resamples": resamples,
        "systems": {
            corpus.name: system_report(
                run, if_decided, corpus.name, false_alarm=false_alarm, resamples=resamples, seed=seed
            )
            for corpus in corpora[1:]
        },
        "agreement": agreement(decisions),
    }
    if remap:
        report["remap"] = True
    return report


def _refuse_other_targets(queue: Queue, targets: Targets) -> None:
    """Refuse a queue with items of targets that are not listed: what was decided on them would be lost."""
    unknown = sorted({item.target_id for item in queue.values()} - targets.gold.keys())
    if unknown:
        message = f"expected items of the listed targets in the queue, found items of {', '.join(unknown)}"
        hint = "give the list of targets that the queue was made with"
        raise InvalidInput([Finding("unknown-target", "error", message, item=unknown[0], hint=hint)])


def text_reader(folder: str | None) -> Callable[[str], str | None]:
    """Texts by document, in the folder or archive; None where there is none.  A line end counts as one character."""
    return (lambda _doc_id: None) if folder is None else open_texts(folder, without_markup=True).text
