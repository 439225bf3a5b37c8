"""What annotators say about the items of a document, item by item, and the document that answers make."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

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
from lydite.numerals import is_natural
from lydite.records import NamedTuple

FIRST = "(first)"
"""What stands for the antecedent of a mention that begins its cluster."""


class Statement(NamedTuple):
    """What one annotator says about an item: as people read and edit it, and the thing itself."""

    shown: str
    value: Any


class Question(NamedTuple):
    """An item of a document and what each annotator says about it; None of one who does not have it."""

    kind: str
    said: tuple[Statement | None, ...]
    place: tuple[int, int] | None = None
    """Where it stands in the text, in characters."""

    @property
    def is_agreed(self) -> bool:
        """Whether all annotators say the same."""
        return len({None if one is None else one.shown for one in self.said}) == 1


def _question(
    kind: str, show: Callable[[Any], str], said: Iterable[object], place: tuple[int, int] | None = None
) -> Question:
    """The question about what annotators have; None of one who does not have it."""
    statements = (None if value is None else Statement(show(value), value) for value in said)
    return Question(kind, tuple(statements), place)


class Answer(NamedTuple):
    """A question with what holds: any number of values."""

    question: Question
    values: tuple[Any, ...]


class Material(NamedTuple):
    """What the annotators of a task disagree on: questions of a document, edited values, the document of answers."""

    ask: Callable[[Sequence[Document]], Iterable[Question]]
    parse: Callable[[str, str, Sequence[Document]], Any]
    """From the kind of a question and an edited cell to a value; raises ValueError."""
    build: Callable[[Document, Sequence[Answer]], Document]
    expects: Mapping[str, str]
    """What an edited cell must look like, by kind."""


# ----------------------------------------------------------------------------------------------------- mentions


def _ask_mentions(documents: Sequence[Document]) -> Iterator[Question]:
    """Mentions of all annotators that belong together: those that say the same, then by overlap, best first."""
    groups: list[list[Mention | None]] = [[mention] for mention in documents[0].mentions]
    for count, document in enumerate(documents[1:], 1):
        found: dict[int, Mention] = {}
        left = list(document.mentions)
        says = {id(one): _show_mention(one) for one in left}
        for at, group in enumerate(groups):
            shown = {_show_mention(other) for other in group if other}
            twin = next((one for one in left if says[id(one)] in shown), None)
            if twin is not None:
                found[at] = twin
                left.remove(twin)
        free = [at for at in range(len(groups)) if at not in found]
        first = [next(one for one in groups[at] if one is not None) for at in free]
        similar = candidates(columns_of(first), columns_of(left), SIMILARITIES["dice"])
        for pair in pair_greedily(similar, len(first), len(left)):
            found[free[pair.gold]] = left[pair.system]
        taken = {id(one) for one in found.values()}
        for at, group in enumerate(groups):
            group.append(found.get(at))
        groups.extend([*[None] * count, one] for one in left if id(one) not in taken)
    for group in sorted(groups, key=_group_place):
        ranges = next(one.span.ranges for one in group if one is not None)
        place = (ranges[0][0], ranges[-1][1]) if ranges else None
        yield _question("mention", _show_mention, group, place)


def _group_place(group: Sequence[Mention | None]) -> tuple[Ranges, Sequence[str], str]:
    first = next(one for one in group if one is not None)
    return first.span.ranges, first.span.tokens, first.type


def _show_mention(mention: Mention) -> str:
    """Segments and tokens in ascending order: another order of them has no meaning."""
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
    """Whether guidelines have this realis, or an annotator of the document."""
    from lydite.align.attributes import n2
    from lydite.tasks.nugget.checks import KNOWN_REALIS

    return n2(realis) in KNOWN_REALIS or any(
        mention.realis == realis for document in documents for mention in document.mentions
    )


def _build_mentions(document: Document, answers: Sequence[Answer]) -> Document:
    mentions = [mention for answer in answers for mention in answer.values]
    texts = {
        said.value.span: said.value.text
        for answer in answers
        for said in answer.question.said
        if said is not None and said.value.text
    }
    return document._replace(
        mentions=tuple(
            mention._replace(
                id=f"E{number}", line=0, confidences=(), text=mention.text or texts.get(mention.span, "")
            )
            for number, mention in enumerate(mentions, 1)
        ),
        relations=(),
        layers={},
        content=None,
    )


# ------------------------------------------------------------------------------------------------------ triples


def _ask_triples(documents: Sequence[Document]) -> Iterator[Question]:
    """Triples with equal ids belong together; relations that all annotators give there are agreed."""
    places: dict[Hashable, list[list[Triple]]] = {}
    for number, document in enumerate(documents):
        for triple in document.layers.get(TRIPLES, ()):
            key = ids_of(triple.first), ids_of(triple.second)
            found = places.setdefault(key, [[] for _ in documents])
            if all(_show_triple(triple) != _show_triple(other) for other in found[number]):
                found[number].append(triple)
    for lists in places.values():
        left = [list(found) for found in lists]
        for triple in lists[0]:
            twins = [next((one for one in found if one.relation == triple.relation), None) for found in left]
            if all(twins):
                yield _question("triple", _show_triple, twins)
                for rest, twin in zip(left, twins, strict=True):
                    if twin is not None:
                        rest.remove(twin)
        while any(left):
            yield _question("triple", _show_triple, [found.pop(0) if found else None for found in left])


def _show_triple(triple: Triple) -> str:
    """Ids in natural order: those of an element are a set, whoever wrote them in which order."""
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


def _ask_clusters(documents: Sequence[Document]) -> Iterator[Question]:
    """Whether there is a mention, then which mention before it it belongs to, in the order of the text."""
    earlier = [_before(document) for document in documents]
    for mention in _ordered({mention for table in earlier for mention in table}):
        if any(mention not in table for table in earlier):
            having = [mention if mention in table else None for table in earlier]
            yield _question("mention", mention_text, having)
        links = tuple(_link(mention, table) for table in earlier)
        first = next(link for link in links if link is not None)
        # Who does not have the mention says nothing about its links.
        yield Question("link", tuple(first if link is None else link for link in links))


def _link(mention: Hashable, table: Mapping[Hashable, tuple[Hashable, ...]]) -> Statement | None:
    if mention not in table:
        return None
    before = table[mention]
    return Statement(
        f"{mention_text(mention)} → {mention_text(before[0]) if before else FIRST}", (mention, before)
    )


def _before(document: Document) -> dict[Hashable, tuple[Hashable, ...]]:
    """Every mention with those before it in its cluster, the nearest first."""
    found: dict[Hashable, tuple[Hashable, ...]] = {}
    for cluster in document.layers.get("clusters", ()):
        ordered = _ordered(cluster.members)
        for place, mention in enumerate(ordered):
            found.setdefault(mention, tuple(reversed(ordered[:place])))
    return found


def repeated_mentions(document: Document) -> Iterator[Finding]:
    """Mentions that are written again: nobody can be asked which mention before them they belong to."""
    first: dict[Hashable, str] = {}
    for cluster in document.layers.get("clusters", ()):
        for mention in cluster.members:
            if mention in first:
                name = mention_text(mention)
                message = f"mention {name} is in cluster {first[mention]!r} and again in {cluster.id!r}"
                hint = "write every mention once: it is asked about once"
                yield document.finding("repeated-mention", "error", message, item=name, hint=hint)
            first.setdefault(mention, cluster.id)


def _ordered(mentions: Iterable[Hashable]) -> list[Hashable]:
    try:
        return sorted(mentions)  # type: ignore[type-var]
    except TypeError:  # addresses and runs of tokens beside each other have no order of their own
        return sorted(mentions, key=repr)


def _parse_cluster_part(kind: str, cell: str, documents: Sequence[Document]) -> object:
    known = {mention_text(mention): mention for document in documents for mention in _before(document)}
    if kind == "mention":
        return known[cell.strip()]
    name, arrow, before = (part.strip() for part in cell.partition("→"))
    if not arrow:
        raise ValueError(cell)
    return known[name], () if before == FIRST else (known[before],)


def _build_clusters(document: Document, answers: Sequence[Answer]) -> Document:
    """Links of mentions that are there, joined; a link leads to the nearest mention before it that is there."""
    asked = {
        said.value
        for one in answers
        if one.question.kind == "mention"
        for said in one.question.said
        if said is not None
    }
    kept = {value for one in answers if one.question.kind == "mention" for value in one.values}
    home: dict[Hashable, int] = {}
    clusters: dict[int, list[Hashable]] = {}
    for number, answer in enumerate(one for one in answers if one.question.kind == "link"):
        named = next(said.value[0] for said in answer.question.said if said is not None)
        if named in asked and named not in kept:
            continue
        home[named] = number
        clusters[number] = [named]
        for mention, before in answer.values:
            target = next((one for one in before if one in home and one != mention), None)
            if target is not None and home[target] != home[mention]:
                moved = clusters.pop(home[mention])
                clusters[home[target]].extend(moved)
                home.update(dict.fromkeys(moved, home[target]))
    layer = Partition.numbered(clusters.values())
    layers = some_layers(document.layers, ("token-count",))
    return document._replace(layers={**layers, "clusters": layer}, content=None)


MATERIALS: Mapping[str, Material] = {
    "nugget": Material(
        _ask_mentions,
        _parse_mention,
        _build_mentions,
        {"mention": "SPAN | TYPE | REALIS, where the realis is Actual, Generic or Other"},
    ),
    "triples": Material(
        _ask_triples, _parse_triple, _build_triples, {"triple": "RELATION | FIRST IDS | SECOND IDS"}
    ),
    "coref": Material(
        _ask_clusters,
        _parse_cluster_part,
        _build_clusters,
        {"mention": "a mention as an annotator has it", "link": f"MENTION → MENTION, or MENTION → {FIRST}"},
    ),
}


def material_of(task: str) -> Material:
    """What is adjudicated in a task."""
    if task not in MATERIALS:
        hint = f"adjudicate works for {', '.join(MATERIALS)}; ACE targets: lydite assess queue and apply"
        raise UsageError(f"task {task!r} cannot be adjudicated from a sheet", hint=hint)
    return MATERIALS[task]
