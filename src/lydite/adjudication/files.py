"""The files of adjudication: gold and systems under a profile with targets, texts, tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NotRequired, TypedDict

from lydite.adjudication.apply import SystemReport, judged_items, reference, system_report
from lydite.adjudication.decisions import JudgesDocument, LoggedDecision, agreement, resolve
from lydite.adjudication.pool import DOCUMENT, MENTION, Queue, Targets, map_targets
from lydite.adjudication.remapping import map_again
from lydite.adjudication.scores import DOWN, UP
from lydite.errors import Finding, InvalidInput, UsageError
from lydite.formats.texts import open_texts
from lydite.model import Corpus
from lydite.pipeline.reading import distinct_names, read_corpus
from lydite.profile import Profile, load_profile
from lydite.records import dataclass
from lydite.tasks.ace import ACE
from lydite.tasks.ace.settings import AceSettings

SCHEMA = "lydite.adjudication/1"


@dataclass(frozen=True, slots=True)
class Asked:
    """The ACE task under a profile with targets, and what is judged: documents or mentions."""

    profile: Profile[AceSettings]
    granularity: str


def ask(
    profile_name: str,
    targets: str,
    granularity: str | None = None,
    *,
    settings: Mapping[str, object] | None = None,
) -> Asked:
    """The profile with targets; mentions are judged where the profile uses them, if nothing else is asked for."""
    profile = load_profile(ACE.name, profile_name, AceSettings).replace(
        {**(settings or {}), "targets": targets}
    )
    # Nobody can judge what is found for an entity that gold does not know.
    profile = profile.replace({"errors": (*profile.settings.errors, "target-not-in-gold")})
    chosen = granularity or (MENTION if profile.settings.use_mentions else DOCUMENT)
    if chosen == MENTION and not profile.settings.use_mentions:
        raise UsageError(
            f"profile {profile_name!r} does not use mentions, so that none can be judged",
            hint="choose --granularity document, or --profile ace08-global-mentions",
        )
    return Asked(profile, chosen)


def corpora_of(asked: Asked, gold: str, systems: Sequence[str]) -> list[Corpus]:
    """Gold and the systems."""
    read = [read_corpus(path, ACE, asked.profile) for path in (gold, *systems)]
    return [read[0], *distinct_names(read[1:])]


class AppliedDocument(TypedDict):
    """The document of ``assess apply``."""

    schema: str
    profile: str
    granularity: str
    seed: int
    resamples: int
    systems: dict[str, SystemReport]
    agreement: JudgesDocument
    remap: NotRequired[bool]
    """Whether targets were mapped again after the decisions; it stands there only if they were."""


def adjudicated_report(
    asked: Asked,
    corpora: Sequence[Corpus],
    queue: Queue,
    decisions: Sequence[LoggedDecision],
    *,
    text_of: Callable[[str], str | None],
    resamples: int,
    seed: int,
    remap: bool = False,
) -> AppliedDocument:
    """The document of ``assess apply``: every system before and after the decisions, and how far judges agree.

    With ``remap``, targets are mapped again to what the systems have, after what was judged right became gold.
    """
    if remap and asked.granularity == DOCUMENT and asked.profile.settings.use_mentions:
        raise UsageError(
            "targets cannot be mapped again by mentions where whole documents were judged",
            hint="leave --remap out, or judge mentions (--granularity mention)",
        )
    targets = map_targets(corpora[0], corpora[1:], asked.profile)
    _refuse_other_targets(queue, targets)
    verdicts = resolve(decisions)
    if remap:
        right = reference(targets, queue, verdicts, asked.granularity, text_of)
        targets = map_again(targets, corpora[1:], asked.profile, right)
    judged, *if_decided = (
        judged_items(targets, queue, verdicts, asked.granularity, text_of, assumed=verdict)
        for verdict in (None, DOWN, UP)
    )
    false_alarm = targets.parameters.entity["false-alarm"]
    report: AppliedDocument = {
        "schema": SCHEMA,
        "profile": asked.profile.name,
        "granularity": asked.granularity,
        "seed": seed,
        "resamples": resamples,
        "systems": {
            corpus.name: system_report(
                judged, if_decided, corpus.name, false_alarm=false_alarm, resamples=resamples, seed=seed
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
        raise InvalidInput(
            Finding(
                "unknown-target",
                "error",
                f"expected items of the listed targets in the queue, found items of {target_id!r}",
                item=target_id,
                hint="give the list of targets that the queue was made with",
            )
            for target_id in unknown
        )


def text_reader(folder: str | None) -> Callable[[str], str | None]:
    """Texts by document, in the folder or archive; None where there is none.  A line end counts as one character."""
    return (lambda _doc_id: None) if folder is None else open_texts(folder, without_markup=True).text
