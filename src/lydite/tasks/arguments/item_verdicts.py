"""Verdicts and mends for arguments that are compared as items: of sentences, links, templates and strings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from lydite.model import Document, outcome
from lydite.model.graphs import GRAPHS, NOTHING, GraphRole, GraphTrigger, GraphWords, SentenceGraph
from lydite.model.outcome import Outcome
from lydite.model.roles import ROLE_LINKS, ROLE_STRINGS, TEMPLATES, RoleAnswer, RoleLink
from lydite.model.verdict import GOLD, SYSTEM, Side
from lydite.model.windows import WINDOWS, Range, Windows
from lydite.pipeline.task import Headline
from lydite.tasks.arguments.items import ItemComparison
from lydite.tasks.arguments.links import LinkComparison
from lydite.tasks.arguments.outcomes import FILLER, MISSED, ROLE, TYPE
from lydite.tasks.arguments.sentences import ComparedArgument, ComparedTrigger, SentenceComparison
from lydite.tasks.arguments.strings_by_role import StringComparison
from lydite.tasks.arguments.templates import PlacedFiller, TemplateComparison
from lydite.tasks.paired import other_side
from lydite.tasks.relations.matching import (
    REPEAT,
    RIGHT,
    WRONG,
    Item,
    MatchedItem,
    outcomes,
    outcomes_of_gold,
)


def _place_and_role(item: Item) -> tuple[Any, str, str]:
    """Where an argument stands, its type and its role; a cell of strings has no other place."""
    content = item.content
    if isinstance(content, ComparedArgument):
        return content.place, content.type, content.role
    if isinstance(content, PlacedFiller):
        return (content.event, content.place), content.type, content.role
    if isinstance(content, RoleLink):
        return content.place, "", content.role
    if isinstance(content, ComparedTrigger):
        return content.place, content.type, ""
    return content, item.type, ""


def _near(gold: Item, system: Item) -> tuple[int, str] | None:
    """The same place with another role, or with another type."""
    (place, kind, role), (other_place, other_kind, other_role) = map(_place_and_role, (gold, system))
    if place != other_place:
        return None
    return (0, f"wrong-{ROLE}") if kind == other_kind and role != other_role else (1, f"wrong-{TYPE}")


def argument_outcomes(comparison: ItemComparison) -> list[MatchedItem]:
    """What became of each argument."""
    return outcomes(comparison.matching("ac"), _near, missed=MISSED, spurious=f"wrong-{FILLER}")


def _name(comparison: ItemComparison, side: Side, item: Item) -> str:
    """An argument on one line."""
    place, kind, role = _place_and_role(item)
    if isinstance(comparison, StringComparison):
        return f"{item.content[0]}: {kind}"
    if isinstance(comparison, TemplateComparison):
        number, (begin, end) = place
        return f"event {number + 1}: {kind}.{role}@{begin}-{end}"
    begin, end = place
    shown = f"{'.'.join(filter(None, (kind, role)))}@{begin}-{end}"
    window = _window(comparison, side, item)
    windows = _document(comparison, side).layers.get(WINDOWS, Windows("name", ())).windows
    return f"{windows[window].name}: {shown}" if len(windows) > 1 else shown


def _document(comparison: ItemComparison, side: Side) -> Document:
    return comparison.pair.gold if side == GOLD else comparison.pair.system


def _window(comparison: ItemComparison, side: Side, item: Item) -> int:
    if not isinstance(comparison, SentenceComparison):
        return 0
    ours, theirs, *_ = comparison.sentences[item.window]
    return (ours if side == GOLD else theirs) or 0


def _words(comparison: ItemComparison, side: Side, item: Item) -> tuple[str, tuple[Range, ...]]:
    """The words of an argument and their characters, where the files have them."""
    if isinstance(comparison, StringComparison | LinkComparison):
        return "", ()
    document = (
        comparison.pair.gold if isinstance(comparison, TemplateComparison) else _document(comparison, side)
    )
    words, window = GraphWords(document), _window(comparison, side, item)
    return words.words(window, item.content.place), words.characters(window, item.content.place)


def gold_outcomes(comparison: ItemComparison, figure: Headline) -> list[Outcome]:
    """The gold items of a measure, and whether the system has each right."""
    return outcomes_of_gold(comparison.matching(figure.measurement), partial(_name, comparison, GOLD))


def diagnose(comparison: ItemComparison) -> Mapping[str, object]:
    """Missed and spurious arguments."""
    found = [one for one in argument_outcomes(comparison) if one.status == WRONG]

    def entries(side: Side) -> list[dict[str, str]]:
        return [
            {
                "event_type": _place_and_role(one.item)[1],
                "role": _place_and_role(one.item)[2],
                "span": _name(comparison, side, one.item).rpartition("@")[2],
                "text": _words(comparison, side, one.item)[0],
            }
            for one in found
            if one.side == side
        ]

    return {"missed": entries(GOLD), "spurious": entries(SYSTEM), "agreement": {}}


def outcomes_of(comparison: ItemComparison) -> list[Outcome]:
    """The outcome of every argument of both sides."""
    return [_row(comparison, at, one) for at, one in enumerate(argument_outcomes(comparison))]


def _row(comparison: ItemComparison, at: int, one: MatchedItem) -> Outcome:
    name = _name(comparison, one.side, one.item)
    text, ranges = _words(comparison, one.side, one.item)
    kind = _place_and_role(one.item)[1] or one.item.type
    line = _document(comparison, one.side).line
    if one.status == REPEAT:
        why = f"{name} is there twice, and equal arguments count once"
        return outcome.left_out(one.side, name, why, line=line, type=kind, text=text)
    whose = "the system" if one.side == GOLD else "gold"
    other = None if one.partner is None else _name(comparison, other_side(one.side), one.partner)
    if one.status == RIGHT:
        cause, why = ("found" if one.side == GOLD else RIGHT), f"{whose} has {other}"
    elif other is not None:
        cause, why = one.cause, f"{whose} has {other} at its place"
    else:
        cause, why = one.cause, f"{whose} has no argument at the place of {name}"
    return Outcome(
        one.side,
        at,
        outcome.UNPAIRED if one.partner is None else outcome.PAIRED,
        agrees={"item": one.status == RIGHT},
        credit=one.credit,
        lost=1 - one.credit,
        cause=cause,
        why=why,
        name=name,
        partner_name=other,
        line=line,
        type=kind,
        text=text,
        traits={"role": f"{kind}.{_place_and_role(one.item)[2]}"},
        place=ranges,
    )


def left_out(document: Document, side: Side, why: str) -> Iterator[Outcome]:
    """The outcome of a document that is not scored, as a whole."""
    yield outcome.left_out(side, document.doc_id, why, line=document.line)


def confusions(place: int, comparison: ItemComparison) -> Iterator[tuple[str | None, str | None]]:
    """Types (0) or roles (1) of arguments at one place, and of those that have no partner."""
    if place > 1:
        return
    for one in argument_outcomes(comparison):
        if one.status == REPEAT:
            continue
        value = _type_or_role(place, one.item)
        if one.side == GOLD:
            yield value, None if one.partner is None else _type_or_role(place, one.partner)
        elif one.partner is None:
            yield None, value


def _type_or_role(place: int, item: Item) -> str:
    _, kind, role = _place_and_role(item)
    return role if place else kind


# --------------------------------------------------------------------------------------------------------- mends


class ItemCorrections:
    """The faults of one document of a system."""

    def __init__(self, system: Document, comparison: ItemComparison) -> None:
        self._comparison, self._system = comparison, system
        found = [one for one in argument_outcomes(comparison) if one.status == WRONG]
        self._wrong = [(one.cause.removeprefix("wrong-"), one.item) for one in found if one.side == SYSTEM]
        self._missed = [(one.cause.removeprefix("wrong-"), one.item) for one in found if one.side == GOLD]

    @cached_property
    def items(self) -> Mapping[str, int]:
        """How many arguments have each fault: of a pair the system's counts."""
        counts = Counter(fault for fault, _ in self._wrong)
        counts[MISSED] = sum(fault == MISSED for fault, _ in self._missed)
        return {fault: counts[fault] for fault in (TYPE, ROLE, FILLER, MISSED) if counts[fault]}

    def correct(self, faults: frozenset[str]) -> Document:
        """The system's document after mending these faults: wrong arguments become gold's, or go."""
        removed = [item for fault, item in self._wrong if fault in faults]
        added = [item for fault, item in self._missed if fault in faults]
        comparison = self._comparison
        if isinstance(comparison, LinkComparison):
            gone = {item.key for item in removed}
            links = [item.content for item in comparison.matching("ac").system if item.key not in gone]
            sheet = comparison.system._replace(links=(*links, *(item.content for item in added)))
            return self._system._replace(layers={**self._system.layers, ROLE_LINKS: sheet}, present=True)
        if isinstance(comparison, StringComparison):
            return _mend_strings(comparison, self._system, removed, added)
        if isinstance(comparison, TemplateComparison):
            return _mend_templates(comparison, self._system, removed, added)
        assert isinstance(comparison, SentenceComparison)
        return _mend_sentences(comparison, self._system, removed, added)


def _mend_sentences(
    comparison: SentenceComparison, system: Document, removed: Sequence[Item], added: Sequence[Item]
) -> Document:
    graphs: list[SentenceGraph] = []
    windows = []
    for number, (ours, theirs, _, said) in enumerate(comparison.sentences):
        read = NOTHING if theirs is None else system.layers[GRAPHS][theirs]
        gone = {item.content[:3] for item in removed if item.window == number}
        kept = [one for one in said.arguments if one[:3] not in gone]
        new = [item.content for item in added if item.window == number]
        graphs.append(_with_arguments(read._replace(is_data=False), [*kept, *new]))
        side, at = (comparison.pair.gold, ours) if ours is not None else (system, theirs)
        windows.append(side.layers[WINDOWS].windows[at or 0])
    by = (comparison.pair.gold if comparison.pair.gold.present else system).layers[WINDOWS].by
    layers = {**system.layers, GRAPHS: tuple(graphs), WINDOWS: Windows(by, tuple(windows))}
    return system._replace(layers=layers, present=True)  # type: ignore[arg-type]


def _with_arguments(read: SentenceGraph, arguments: Iterable[ComparedArgument]) -> SentenceGraph:
    """A sentence with these arguments, each at its trigger, which is added where it lacks."""
    triggers = list(read.triggers)
    roles = []
    for one in arguments:
        trigger = GraphTrigger(one.trigger, one.type)
        if trigger not in triggers:
            triggers.append(trigger)
        roles.append(GraphRole(triggers.index(trigger), one.place, one.role))
    return read._replace(triggers=tuple(triggers), roles=tuple(roles))


def _mend_templates(
    comparison: TemplateComparison, system: Document, removed: Sequence[Item], added: Sequence[Item]
) -> Document:
    """The events of gold with the mended arguments: places in the stead of templates."""
    gone = {item.content for item in removed}
    arguments = [*(one for one in comparison.system if one not in gone), *(item.content for item in added)]
    triggers = list(comparison.triggers)
    roles = []
    for one in arguments:
        while one.event >= len(triggers):  # events that gold does not have
            triggers.append(GraphTrigger((-1 - len(triggers), -len(triggers)), one.type))
        roles.append(GraphRole(one.event, one.place, one.role))
    graph = SentenceGraph((), (), tuple(triggers), tuple(roles))
    layers = {TEMPLATES: (), **system.layers} if comparison.is_filled else system.layers
    return system._replace(layers={**layers, GRAPHS: (graph,)}, present=True)


def _mend_strings(
    comparison: StringComparison, system: Document, removed: Sequence[Item], added: Sequence[Item]
) -> Document:
    """The answers without wrong cells, and with gold's strings in those that they lack."""
    gone = {item.content for item in removed}
    answers = {
        name: one._replace(roles=tuple(said for said in one.roles if (name, said[0]) not in gone))
        for name, one in comparison.answers.items()
    }
    for item in added:
        name, role = item.content
        kind = item.type.removesuffix(f".{role}")
        strings = comparison.gold_strings(name, role)
        known = answers.get(name, RoleAnswer(name, kind, ()))
        answers[name] = RoleAnswer(name, kind, (*known.roles, (role, strings)))
    sheet = comparison.pair.gold.layers[ROLE_STRINGS]._replace(
        events=(), negatives=(), answers=tuple(answers.values())
    )
    return system._replace(layers={**system.layers, ROLE_STRINGS: sheet}, present=True)
