"""The items of a document with the annotation of each annotator, and the document that the answers make."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from lydite.align.pairing import pair_greedily
from lydite.align.similarity import SIMILARITIES, candidates
from lydite.align.triple_scope import ids_of
from lydite.errors import Finding, UsageError
from lydite.formats.token_spans import natural_key
from lydite.formats.triples import TRIPLES
from lydite.model import Document, Mention, Span
from lydite.model.cluster import Partition, mention_text
from lydite.model.document import some_layers
from lydite.model.mention import columns_of
from lydite.model.places import Ranges
from lydite.model.triple import Triple, TripleElement
from lydite.model.word_text import AddressedWords
from lydite.numerals import is_natural

FIRST = "(first)"
"""Stands for the antecedent of a mention that begins its cluster."""


class Statement(NamedTuple):
    """The annotation of an item by one annotator: as text that can be edited, and as a value."""

    text: str
    value: Any


class AnnotatorQuestion(NamedTuple):
    """An item of a document with the statement of each annotator; None for those who do not have the item."""

    kind: str
    statements: tuple[Statement | None, ...]
    place: tuple[int, int] | None = None
    """Begin and end of the item in the text, in characters."""

    @property
    def is_agreed(self) -> bool:
        """Whether all annotators say the same."""
        return len({None if one is None else one.text for one in self.statements}) == 1


def _question(
    kind: str, show: Callable[[Any], str], values: Iterable[object], place: tuple[int, int] | None = None
) -> AnnotatorQuestion:
    """The question about the values of all annotators; None for those who have none."""
    statements = (None if value is None else Statement(show(value), value) for value in values)
    return AnnotatorQuestion(kind, tuple(statements), place)


class Answer(NamedTuple):
    """A question with the values that go into gold, which may be none or several."""

    question: AnnotatorQuestion
    values: tuple[Any, ...]


class AdjudicationRules(NamedTuple):
    """How the annotation of a task is adjudicated: the questions of a document, edited values, the gold document."""

    ask: Callable[[Sequence[Document]], Iterable[AnnotatorQuestion]]
    parse: Callable[[str, str, Sequence[Document]], Any]
    """From the kind of a question, an edited cell and the documents to a value; raises ValueError or KeyError."""
    build: Callable[[Document, Sequence[Answer]], Document]
    expects: Mapping[str, str]
    """The form of an edited cell, by kind of question."""


# ----------------------------------------------------------------------------------------------------- mentions


def _ask_mentions(documents: Sequence[Document]) -> Iterator[AnnotatorQuestion]:
    """Group the mentions of all annotators: equal ones first, then by overlap, most similar first."""
    groups: list[list[Mention | None]] = [[mention] for mention in documents[0].mentions]
    for count, document in enumerate(documents[1:], 1):
        matched: dict[int, Mention] = {}
        unmatched = list(document.mentions)
        text_of = {id(one): _show_mention(one) for one in unmatched}
        for number, group in enumerate(groups):
            texts = {_show_mention(other) for other in group if other}
            equal = next((one for one in unmatched if text_of[id(one)] in texts), None)
            if equal is not None:
                matched[number] = equal
                unmatched.remove(equal)
        free = [number for number in range(len(groups)) if number not in matched]
        first = [next(one for one in groups[number] if one is not None) for number in free]
        similar = candidates(columns_of(first), columns_of(unmatched), SIMILARITIES["dice"])
        for pair in pair_greedily(similar, len(first), len(unmatched)):
            matched[free[pair.gold]] = unmatched[pair.system]
        grouped = {id(one) for one in matched.values()}
        for number, group in enumerate(groups):
            group.append(matched.get(number))
        groups.extend([*[None] * count, one] for one in unmatched if id(one) not in grouped)
    for group in sorted(groups, key=_group_place):
        ranges = next(one.span.ranges for one in group if one is not None)
        yield _question("mention", _show_mention, group, (ranges[0][0], ranges[-1][1]) if ranges else None)


def _group_place(group: Sequence[Mention | None]) -> tuple[Ranges, Sequence[str], str]:
    first = next(one for one in group if one is not None)
    return first.span.ranges, first.span.tokens, first.type


def _show_mention(mention: Mention) -> str:
    """A mention as text, with segments and tokens in ascending order, since their order has no meaning."""
    span = Span(tuple(sorted(mention.span.ranges)), tuple(sorted(mention.span.tokens, key=natural_key)))
    return " | ".join((str(span), mention.type, mention.realis))


def _parse_mention(_kind: str, cell: str, documents: Sequence[Document]) -> Mention:
    parts = [part.strip() for part in cell.split("|")]
    if len(parts) != 3:
        raise ValueError(cell)
    span, type_, realis = parts
    if not type_ or not _is_known_realis(realis, documents):
        raise ValueError(cell)
    if any(mention.span.tokens for document in documents for mention in document.mentions):
        tokens = tuple(token.strip() for token in span.split(","))
        if not all(tokens):
            raise ValueError(cell)
        return Mention("", Span(tokens=tokens), "", type_, realis)
    ranges = [[offset.strip() for offset in part.split(",")] for part in span.split(";")]
    if not all(len(one) == 2 and all(map(is_natural, one)) and int(one[0]) < int(one[1]) for one in ranges):
        raise ValueError(cell)
    return Mention("", Span(ranges=tuple((int(begin), int(end)) for begin, end in ranges)), "", type_, realis)


def _is_known_realis(realis: str, documents: Sequence[Document]) -> bool:
    """Whether the guidelines or an annotator of the document have this realis."""
    from lydite.align.attributes import n2
    from lydite.tasks.nugget.checks import KNOWN_REALIS

    return n2(realis) in KNOWN_REALIS or any(
        mention.realis == realis for document in documents for mention in document.mentions
    )


def _build_mentions(document: Document, answers: Sequence[Answer]) -> Document:
    mentions = [one for answer in answers for one in answer.values]
    texts = {
        statement.value.span: statement.value.text
        for answer in answers
        for statement in answer.question.statements
        if statement is not None and statement.value.text
    }
    return document._replace(
        mentions=tuple(
            one._replace(id=f"E{number}", line=0, confidences=(), text=one.text or texts.get(one.span, ""))
            for number, one in enumerate(mentions, 1)
        ),
        relations=(),
        layers={},
        content=None,
    )


# ------------------------------------------------------------------------------------------------------ triples


def _ask_triples(documents: Sequence[Document]) -> Iterator[AnnotatorQuestion]:
    """Group triples with equal ids; among those, the relations that all annotators give are agreed."""
    by_ids: dict[Hashable, list[list[Triple]]] = {}
    for number, document in enumerate(documents):
        for triple in document.layers.get(TRIPLES, ()):
            key = ids_of(triple.first), ids_of(triple.second)
            own = by_ids.setdefault(key, [[] for _ in documents])[number]
            if all(_show_triple(triple) != _show_triple(other) for other in own):
                own.append(triple)
    for by_annotator in by_ids.values():
        unmatched = [list(triples) for triples in by_annotator]
        for triple in by_annotator[0]:
            equal = [next((one for one in own if one.relation == triple.relation), None) for own in unmatched]
            if all(equal):
                yield _question("triple", _show_triple, equal)
                for triples, one in zip(unmatched, equal, strict=True):
                    if one is not None:
                        triples.remove(one)
        while any(unmatched):
            yield _question("triple", _show_triple, [own.pop(0) if own else None for own in unmatched])


def _show_triple(triple: Triple) -> str:
    """A triple as text; the ids of an element are a set and stand in natural order."""
    elements = (" ".join(sorted(set(one.ids), key=natural_key)) for one in (triple.first, triple.second))
    return " | ".join((triple.relation, *elements))


def _parse_triple(_kind: str, cell: str, _documents: Sequence[Document]) -> Triple:
    parts = [part.strip() for part in cell.split("|")]
    if len(parts) != 3 or not parts[0] or not parts[1]:
        raise ValueError(cell)
    return Triple(parts[0], TripleElement(tuple(parts[1].split())), TripleElement(tuple(parts[2].split())))


def _build_triples(document: Document, answers: Sequence[Answer]) -> Document:
    triples = tuple(triple for answer in answers for triple in answer.values)
    return document._replace(layers={TRIPLES: triples}, content=None)


# --------------------------------------------------------------------------------------------------- coreference


def words_beside(documents: Iterable[Document]) -> AddressedWords | None:
    """The words of mentions that are addresses, where files have them."""
    loads = (load for one in documents if (load := one.layers.get("addressed-words")) is not None)
    return next((words for load in loads if (words := load()).words), None)


def _ask_clusters(documents: Sequence[Document]) -> Iterator[AnnotatorQuestion]:
    """For each mention in text order: whether it is there, then its antecedent."""
    words = words_beside(documents)
    antecedents = [_find_antecedents(document) for document in documents]
    for mention in _in_order({mention for table in antecedents for mention in table}):
        if any(mention not in table for table in antecedents):
            mentions = [mention if mention in table else None for table in antecedents]
            yield _question("mention", mention_text, mentions, _place_of(mention, words))
        links = tuple(_link(mention, table) for table in antecedents)
        first = next(link for link in links if link is not None)
        # Annotators without the mention are taken to agree with the first one who has it.
        statements = tuple(first if link is None else link for link in links)
        yield AnnotatorQuestion("link", statements, _place_of(mention, words))


def _place_of(mention: Hashable, words: AddressedWords | None) -> tuple[int, int] | None:
    ranges = words.at(mention) if words is not None else ()
    return (ranges[0][0], ranges[-1][1]) if ranges else None


def _link(mention: Hashable, table: Mapping[Hashable, tuple[Hashable, ...]]) -> Statement | None:
    if mention not in table:
        return None
    antecedents = table[mention]
    antecedent = mention_text(antecedents[0]) if antecedents else FIRST
    return Statement(f"{mention_text(mention)} → {antecedent}", (mention, antecedents))


def _find_antecedents(document: Document) -> dict[Hashable, tuple[Hashable, ...]]:
    """The mentions before each mention in its cluster, the nearest first."""
    antecedents: dict[Hashable, tuple[Hashable, ...]] = {}
    for cluster in document.layers.get("clusters", ()):
        members = _in_order(cluster.members)
        for place, mention in enumerate(members):
            antecedents.setdefault(mention, tuple(reversed(members[:place])))
    return antecedents


def repeated_mentions(document: Document) -> Iterator[Finding]:
    """Errors for mentions that are written twice, because the question about their antecedent would have two answers."""
    first: dict[Hashable, str] = {}
    for cluster in document.layers.get("clusters", ()):
        for mention in cluster.members:
            if mention in first:
                name = mention_text(mention)
                message = f"mention {name} is in cluster {first[mention]!r} and again in {cluster.id!r}"
                hint = "write every mention once: it is asked about once"
                yield document.finding("repeated-mention", "error", message, item=name, hint=hint)
            first.setdefault(mention, cluster.id)


def _in_order(mentions: Iterable[Hashable]) -> list[Hashable]:
    try:
        return sorted(mentions)  # type: ignore[type-var]
    except TypeError:  # mentions of different kinds have no order among each other
        return sorted(mentions, key=repr)


def _parse_cluster_part(kind: str, cell: str, documents: Sequence[Document]) -> object:
    known = {mention_text(one): one for document in documents for one in _find_antecedents(document)}
    if kind == "mention":
        return known[cell.strip()]
    name, arrow, antecedent = (part.strip() for part in cell.partition("→"))
    if not arrow:
        raise ValueError(cell)
    return known[name], () if antecedent == FIRST else (known[antecedent],)


def _build_clusters(document: Document, answers: Sequence[Answer]) -> Document:
    """Clusters from the links of the mentions in gold; a link leads to the nearest antecedent that is in gold."""
    disputed = {
        statement.value
        for one in answers
        if one.question.kind == "mention"
        for statement in one.question.statements
        if statement is not None
    }
    in_gold = {value for one in answers if one.question.kind == "mention" for value in one.values}
    cluster_of: dict[Hashable, int] = {}
    clusters: dict[int, list[Hashable]] = {}
    for number, answer in enumerate(one for one in answers if one.question.kind == "link"):
        linked = next(one.value[0] for one in answer.question.statements if one is not None)
        if linked in disputed and linked not in in_gold:
            continue
        cluster_of[linked] = number
        clusters[number] = [linked]
        for mention, antecedents in answer.values:
            target = next((one for one in antecedents if one in cluster_of and one != mention), None)
            if target is not None and cluster_of[target] != cluster_of[mention]:
                moved = clusters.pop(cluster_of[mention])
                clusters[cluster_of[target]].extend(moved)
                cluster_of.update(dict.fromkeys(moved, cluster_of[target]))
    layer = Partition.numbered(clusters.values())
    layers = some_layers(document.layers, ("token-count",))
    return document._replace(layers={**layers, "clusters": layer}, content=None)


ADJUDICABLE: Mapping[str, AdjudicationRules] = {
    "nugget": AdjudicationRules(
        _ask_mentions,
        _parse_mention,
        _build_mentions,
        {"mention": "SPAN | TYPE | REALIS, where the realis is Actual, Generic or Other"},
    ),
    "triples": AdjudicationRules(
        _ask_triples, _parse_triple, _build_triples, {"triple": "RELATION | FIRST IDS | SECOND IDS"}
    ),
    "coref": AdjudicationRules(
        _ask_clusters,
        _parse_cluster_part,
        _build_clusters,
        {"mention": "a mention as an annotator has it", "link": f"MENTION → MENTION, or MENTION → {FIRST}"},
    ),
}


def adjudication_rules(task: str) -> AdjudicationRules:
    """The rules of a task; refused if it cannot be adjudicated."""
    if task not in ADJUDICABLE:
        hint = f"adjudicate works for {', '.join(ADJUDICABLE)}; ACE targets: lydite assess queue and apply"
        raise UsageError(f"task {task!r} cannot be adjudicated from a sheet", hint=hint)
    return ADJUDICABLE[task]
