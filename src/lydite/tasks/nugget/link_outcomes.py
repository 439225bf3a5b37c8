"""Why each After or Subevent link counts or not: links between all members of clusters, reduced, as they are scored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from lydite.align.comparison import MentionComparison
from lydite.align.links import Link, SideLinks, system_nodes
from lydite.errors import UsageError
from lydite.metrics.sequencing import ReducedLinks, reduce_links
from lydite.model import Document, Relation
from lydite.model.mention import COREFERENCE
from lydite.model.outcome import FILTERED, PAIRED, UNPAIRED, Outcome
from lydite.model.outcome import left_out as left_out_item
from lydite.model.verdict import GOLD, LEFT_OUT, SYSTEM, Explained, Side, name_left_out
from lydite.tasks.nugget.coreference import LINK_SETS, awareness_of, closure_of
from lydite.tasks.nugget.settings import NuggetSettings
from lydite.tasks.paired import other_side

NO_CREDIT, FULL_CREDIT = Fraction(0), Fraction(1)


def outcomes(
    measurement: str, explained: Explained[MentionComparison], settings: NuggetSettings
) -> Iterator[Outcome]:
    """The outcomes of the links of a measurement, gold first; the credits are those of temporal awareness."""
    if not settings.measures_sequencing:
        hint = "--sequencing on measures it"
        raise UsageError(f"--measurement {measurement}: sequencing is not measured", hint=hint)
    links = _LinkOutcomes(explained, LINK_SETS[measurement], settings)
    yield from links.of_side(GOLD)
    yield from links.implied()
    yield from links.of_side(SYSTEM)


def left_out(measurement: str, document: Document, side: Side, why: str) -> Iterator[Outcome]:
    """The links of a document that is not scored, as they are written."""
    texts = {mention.id: mention.text for mention in document.mentions}
    for relation in document.relations:
        if relation.name in LINK_SETS[measurement]:
            name, ends = relation.name, relation.members[:2]
            yield left_out_item(
                side,
                _show_link(name, ends),
                why,
                nothing=NO_CREDIT,
                line=relation.line,
                type=name,
                text=_show_texts(ends, texts),
            )


def _show_link(relation: str, ends: Sequence[str]) -> str:
    """``After(E1,E2)``."""
    return f"{relation}({','.join(ends)})"


def _show_texts(ends: Sequence[str], texts: Mapping[str, str]) -> str:
    """The texts of both ends of a link."""
    return " > ".join(texts.get(end, end) for end in ends)


class _LinksOfSide(NamedTuple):
    """The links of one side: as they are compared, reduced, and as written; and the ids of nodes and texts of mentions."""

    document: Document
    links: Sequence[Link]
    reduced: ReducedLinks
    written: frozenset[tuple[str, str, str]]
    ids: Mapping[int, str]
    texts: Mapping[str, str]

    def show(self, link: Link) -> str:
        """A link under the ids that its ends have on this side."""
        relation, *ends = link
        return _show_link(relation, [self.ids[end] for end in ends])


class _LinkOutcomes:
    """Makes the outcomes of the links of one document."""

    def __init__(
        self, explained: Explained[MentionComparison], relations: tuple[str, ...], settings: NuggetSettings
    ) -> None:
        comparison = explained.comparison
        self.doc_id, self.relations = explained.doc_id, relations
        closure = closure_of(by_chains=settings.time_chain_closure)
        gold, system = comparison.links

        def links_of(document: Document, side: SideLinks, places: Sequence[int]) -> _LinksOfSide:
            links = [link for link in side.links if link[0] in relations]
            ids = [mention.id for mention in document.mentions]
            return _LinksOfSide(
                document,
                links,
                reduce_links(links, closure),
                frozenset(side.written),
                dict(zip(places, ids, strict=True)),
                {mention.id: mention.text for mention in document.mentions},
            )

        self.sides: dict[Side, _LinksOfSide] = {
            GOLD: links_of(comparison.gold, gold, range(len(comparison.gold.mentions))),
            SYSTEM: links_of(comparison.system, system, system_nodes(comparison.shared_alignment)),
        }
        self.room = awareness_of(comparison, relations, by_chains=settings.time_chain_closure).room or 1

    def of_side(self, side: Side) -> Iterator[Outcome]:
        """The outcomes of links that count, on those that follow from others, and on those that are not compared."""
        own, other = self.sides[side], self.sides[other_side(side)]
        reduced = set(own.reduced.links)
        for link in own.links:
            if link in reduced:
                yield self._judge_link(side, own, other, link)
            else:
                name = own.show(link)
                yield self._left_out(side, own, name, f"{name} follows from the links before it")
        for relation in own.document.relations:
            if relation.name in self.relations:
                why = _why_not_compared(relation, own)
                if why is not None:
                    name = _show_link(relation.name, relation.members[:2])
                    yield self._left_out(side, own, name, why, relation.line)

    def _judge_link(self, side: Side, own: _LinksOfSide, other: _LinksOfSide, link: Link) -> Outcome:
        whose = "gold" if side == SYSTEM else "the system"
        if other.reduced.entails(link):
            shown = own.show(link)
            name = other.show(link) if link in other.reduced.written else None
            why = f"{whose} has {name}" if name else f"{shown} follows from the links of {whose}"
            return self._row(side, own, shown, ("right", why), name)
        relation, first, second = link
        absent = [own.ids[end] for end in (first, second) if end not in other.ids]
        reverse = relation, second, first
        if absent:
            why = f"no mention of {whose} is paired with {' and '.join(absent)}"
        elif other.reduced.entails(reverse):
            why = f"{whose} has it the other way round: {other.show(reverse)}"
        else:
            why = f"{whose} neither has nor implies {other.show(link)}"
        return self._row(side, own, own.show(link), ("missed" if side == GOLD else "spurious", why))

    def implied(self) -> Iterator[Outcome]:
        """The outcomes of links of the system that gold implies without writing them: each earns a little of recall."""
        gold, system = self.sides[GOLD], self.sides[SYSTEM]
        for link in system.reduced.links:
            if link not in gold.reduced.links and gold.reduced.graph.follows(link):
                why = (
                    f"gold does not write it, but implies it: {system.show(link)} of the system earns "
                    f"0.99/{self.room} of recall"
                )
                name, other = gold.show(link), system.show(link)
                credit = Fraction(99, 100 * self.room)
                yield self._row(GOLD, gold, name, ("right", why), other)._replace(credit=credit)

    def _row(
        self,
        side: Side,
        own: _LinksOfSide,
        name: str,
        ruling: tuple[str, str],
        partner: str | None = None,
    ) -> Outcome:
        cause, why = ruling
        is_right = cause == "right"
        type_, _, ends = name.removesuffix(")").partition("(")
        return Outcome(
            side,
            None,
            PAIRED if is_right else UNPAIRED,
            credit=FULL_CREDIT if is_right else NO_CREDIT,
            lost=NO_CREDIT if is_right else FULL_CREDIT,
            cause=cause,
            why=why,
            name=name,
            partner_name=partner,
            type=type_,
            text=_show_texts(ends.split(","), own.texts),
        )

    def _left_out(self, side: Side, own: _LinksOfSide, name: str, why: str, line: int = 0) -> Outcome:
        row = self._row(side, own, name, (LEFT_OUT, name_left_out(name, why)))
        return row._replace(status=FILTERED, lost=NO_CREDIT, line=line)


def _why_not_compared(relation: Relation, own: _LinksOfSide) -> str | None:
    """Why a link of the file is not compared, or None if it is."""
    ends = relation.members[:2]
    unknown = [end for end in ends if end not in own.texts]
    if len(ends) < 2 or unknown:
        return f"{' and '.join(unknown) or 'an end'} of it is not a scored mention"
    if (relation.name, *ends) in own.written:
        return None
    clusters = [set(one.members) for one in own.document.relations if one.name == COREFERENCE]
    if ends[0] == ends[1] or any(set(ends) <= members for members in clusters):
        return f"{ends[0]} and {ends[1]} are in one cluster, and links inside a cluster are not scored"
    return "it is superfluous: links lead from one end to the other through a third cluster"
