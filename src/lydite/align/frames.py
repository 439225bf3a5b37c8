"""Event frames of the 2015 campaign: which of a system's arguments stay, and frames over clusters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from lydite.align.arguments import GoldSide, Rules, SystemSide, align_arguments
from lydite.grouping import grouped
from lydite.model.argument import GENERIC, Argument, ArgumentRow, Frame, best, highest, identifier_2015
from lydite.model.argument_alignment import FrameAlignment, Identity, Refusal

Frames = Sequence[frozenset[Argument]]


def resolve_frames(
    frames: Iterable[Frame], rows: Sequence[ArgumentRow], rules: Rules, *, side: Literal["gold", "system"]
) -> tuple[list[frozenset[Argument]], list[Refusal]]:
    """Frames over arguments: a member names an argument by column 1 of its file or by its 2015 identifier."""
    arguments_of = grouped((row.id, rules.identified(row.argument)) for row in rows) | {
        identifier_2015(row.argument): [rules.identified(row.argument)] for row in rows
    }
    resolved: list[frozenset[Argument]] = []
    refusals: list[Refusal] = []
    for frame in frames:
        named = {member: set(arguments_of.get(member, ())) for member in frame.members}
        for member, arguments in named.items():
            if len(arguments) != 1:
                owners = (
                    "several arguments of the document have"
                    if arguments
                    else "no argument of the document has"
                )
                message = f"the linking names {member!r}, which {owners}"
                refusals.append(Refusal("linking-id", message, None, frame.line, side))
        resolved.append(frozenset().union(*named.values()))
    return resolved, refusals


def keep_best(side: SystemSide, frames: Frames, gold: GoldSide) -> tuple[SystemSide, Frames]:
    """The system's arguments and frames after *keep best*.

    Inside each frame, per cluster, the preferred argument is selected; of Generic arguments the preferred one of the
    document, in a frame or not.  An argument that is selected in one frame stays in all its frames, also where
    another one of its cluster was preferred.  All others leave arguments and frames, so an Actual or Other argument
    in no frame is lost: no true positive, no false positive, and its cluster may become a false negative.
    """
    generic = (answer for answer in side.answers.items() if answer[0].realis == GENERIC)
    selected = _best_per_cluster(generic, gold)
    for frame in frames:
        members = (one for one in frame if one in side.answers and one.realis != GENERIC)
        selected |= _best_per_cluster(((one, side.answers[one]) for one in members), gold)
    answers = {argument: value for argument, value in side.answers.items() if argument in selected}
    return SystemSide(answers, side.forms, side.refusals, side.counts), [frame & selected for frame in frames]


def _best_per_cluster(answers: Iterable[tuple[Argument, float]], gold: GoldSide) -> set[Argument]:
    groups = grouped((gold.identity(answer[0]), answer) for answer in answers)
    return {best(group)[0] for group in groups.values()}


def align_frames(
    gold: GoldSide,
    gold_frames: Frames,
    system: SystemSide,
    system_frames: Frames,
    *,
    right_strings: bool = False,
) -> FrameAlignment:
    """Frames of both sides over clusters, after the rules and *keep best*.

    Gold frames are not filtered by judgement, only by the rules that remove arguments.  Of the system's frames the
    arguments that are not good leave, then Generic clusters and clusters that no gold frame has.
    ``right_strings`` is the diagnosis of :func:`right_fillers`.
    """
    forms = {argument: _form(argument, gold) for frame in gold_frames for argument in frame}
    linked = _clusters(
        (
            (forms[argument] for argument in frame if not _removed(forms[argument], gold))
            for frame in gold_frames
        ),
        gold,
    )
    formed: Frames = [frozenset(system.forms.get(one, one) for one in frame) for frame in system_frames]
    if right_strings:
        system, formed = right_fillers(system, formed, gold)
    system, best_frames = keep_best(system, formed, gold)
    gold_clusters = frozenset().union(*linked)
    right = _clusters((frame & gold.good.arguments for frame in best_frames), gold)
    shared = tuple(frame & gold_clusters for frame in right if frame & gold_clusters)
    return FrameAlignment(align_arguments(gold, system), linked, shared)


def _form(argument: Argument, gold: GoldSide) -> Argument:
    """The form that the rules gave a gold argument."""
    renamed = gold.renamed.get(argument, argument)
    return gold.renamed.get(renamed, renamed)


def _removed(argument: Argument, gold: GoldSide) -> bool:
    return gold.falls_under_death(argument) or (
        gold.rules.coarse_dates == "both" and gold.is_banned(argument)
    )


def _clusters(frames: Iterable[Iterable[Argument]], gold: GoldSide) -> tuple[frozenset[Identity], ...]:
    found = (frozenset(gold.identity(one) for one in frame if one.realis != GENERIC) for frame in frames)
    return tuple(filter(None, found))


def right_fillers(side: SystemSide, frames: Frames, gold: GoldSide) -> tuple[SystemSide, Frames]:
    """A diagnosis: what the system would score if its canonical argument strings were right.

    An argument whose base filler is right and whose canonical string is wrong is replaced by a right argument of the
    same type, role and base filler, else of the same type and role, else it is dropped.  All others stay.
    """
    right = sorted(argument for argument, assessment in gold.judged.items() if assessment.is_good(argument))
    swapped = {argument: _replacement(argument, right, gold) for argument in side.answers}
    answers = highest(
        (new, value) for argument, value in side.answers.items() if (new := swapped[argument]) is not None
    )
    moved = [frozenset(new for one in frame if (new := swapped.get(one)) is not None) for frame in frames]
    return SystemSide(answers, side.forms, side.refusals, side.counts), moved


def _replacement(argument: Argument, right: Sequence[Argument], gold: GoldSide) -> Argument | None:
    assessment = gold.assessments.get(argument)
    if assessment is None or assessment.filler not in {"C", "I"} or assessment.text in {"C", "I"}:
        return argument
    same = [one for one in right if (one.event_type, one.role) == (argument.event_type, argument.role)]
    nearest = [other for other in same if other.filler == argument.filler] or same
    return nearest[0] if nearest else None
