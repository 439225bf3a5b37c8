"""Layers made from others: clusters from mentions, mentions from clusters and events, events from mentions and ACE."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

from lydite.escaping import first_of
from lydite.formats.words import check_tokens
from lydite.model import Document, Mention, Relation, Span
from lydite.model.argument import Event
from lydite.model.cluster import Cluster, Partition
from lydite.model.mention import COREFERENCE
from lydite.model.places import NO_TEXT
from lydite.model.word_text import runs_of


def has_layer(document: Document, layer: str) -> bool:
    """Whether a document has something in a layer; ``mentions`` counts as one."""
    return bool(document.mentions) if layer == "mentions" else bool(document.layers.get(layer))


def with_layers(document: Document, layers: Sequence[str]) -> Document:
    """The document with these layers, as far as it has them or they can be made from what it has."""
    for layer in layers:
        if layer in _BRIDGES and not has_layer(document, layer):
            make, _ = _BRIDGES[layer]
            document = make(document)
    return document


def reachable_layers(layers: Iterable[str]) -> set[str]:
    """These layers, and all that can be made from them."""
    reached = set(layers)
    while more := {layer for layer, (_, sources) in _BRIDGES.items() if reached & sources} - reached:
        reached |= more
    return reached


def _with_clusters(document: Document) -> Document:
    """One cluster per ``Coreference`` relation, and one for every mention in none of them.

    Mentions of tokens in a known order are named by their runs of tokens, others by their ids.
    """
    if not document.mentions:
        return document
    order = _token_numbers(document)
    members: dict[str, Hashable] = {
        one.id: one.id if order is None else runs_of(sorted({order[token] for token in one.span.tokens}))
        for one in document.mentions
    }
    clusters = []
    seen: set[str] = set()
    for relation in document.relations:
        if relation.name == COREFERENCE:
            names = [member for member in relation.members if member in members]
            seen.update(names)
            if names:
                clusters.append(Cluster(relation.id, tuple(members[member] for member in names)))
    alone = [(mention.id, members[mention.id]) for mention in document.mentions if mention.id not in seen]
    clusters.extend(Cluster(name, (member,)) for name, member in alone)
    return document._replace(layers={**document.layers, "clusters": Partition(clusters, local=True)})


def _token_numbers(document: Document) -> Mapping[str, int] | None:
    """The number of every token that mentions name, or None if tokens have no order or spans no tokens."""
    used = {token for mention in document.mentions for token in mention.span.tokens}
    if not all(mention.span.tokens for mention in document.mentions):
        return None
    if document.tokens is not None:
        known = {token: number for number, token in enumerate(document.tokens)}
        return known if used <= known.keys() else None
    bare = {token: token.removeprefix("t") for token in used}
    if not all(name.isdecimal() and name.isascii() for name in bare.values()):
        return None
    return {token: int(name) for token, name in bare.items()}


def _with_mentions(document: Document) -> Document:
    """The members of clusters, or the triggers of events, as mentions."""
    if document.layers.get("clusters"):
        return _mentions_of_clusters(document)
    if document.layers.get("ace"):
        document = _with_events(document)
    events: Sequence[Event] = document.layers.get("events", ())
    mentions = tuple(
        Mention(
            f"E{number}", Span(one.trigger), one.text or _words(document, one.trigger), one.type, one.realis
        )
        for number, one in enumerate(events, 1)
    )
    return document._replace(mentions=mentions)


def _words(document: Document, ranges: Sequence[tuple[int, int]]) -> str:
    return "" if document.text is None else " ".join(document.text[begin:end] for begin, end in ranges)


def _mentions_of_clusters(document: Document) -> Document:
    tokens = None if document.tokens is None else list(document.tokens)
    mentions: list[Mention] = []
    relations = list(document.relations)
    for cluster in document.layers["clusters"]:
        names = []
        runs = [
            member
            for member in cluster.members
            if isinstance(member, tuple) and all(isinstance(part, int) for part in member)
        ]
        check_tokens(document, sum(sum(run[1::2]) - sum(run[::2]) for run in runs))
        for member in cluster.members:
            name, span = _as_mention(member, len(mentions) + 1, tokens, f"{document.doc_id}#")
            mentions.append(Mention(name, span))
            names.append(name)
        if len(names) > 1:
            relations.append(Relation(COREFERENCE, cluster.id, tuple(names)))
    return document._replace(mentions=tuple(mentions), relations=tuple(relations))


def _as_mention(member: object, number: int, tokens: Sequence[str] | None, prefix: str) -> tuple[str, Span]:
    if isinstance(member, tuple) and all(isinstance(part, int) for part in member):
        runs = zip(member[::2], member[1::2], strict=False)
        places = [place for first, end in runs for place in range(first, end)]
        known = tokens is not None and all(place < len(tokens) for place in places)
        names = tuple(tokens[place] if known and tokens else f"t{place}" for place in places)
        return f"M{number}", Span(tokens=names)
    name = member[-1] if isinstance(member, tuple) and len(member) == 2 else member
    return str(name).removeprefix(prefix), Span()


def _with_arguments(document: Document) -> Document:
    """Event arguments of ACE events."""
    if not document.layers.get("ace"):
        return document
    from lydite.formats.ace_arguments import with_arguments

    return with_arguments(document)


def _with_events(document: Document) -> Document:
    """ACE events with their arguments, or every mention at characters (or with words alone) as an event without any."""
    if document.layers.get("ace"):
        from lydite.formats.ace_arguments import with_events

        return with_events(document)
    events = tuple(
        Event(mention.type, ranges, realis=mention.realis, line=mention.line, text=words)
        for mention in document.mentions
        for ranges, words in ((tuple(mention.span.ranges), "" if mention.text in NO_TEXT else mention.text),)
        if ranges or (words and not mention.span.tokens)
    )
    of_tokens = [mention.id for mention in document.mentions if mention.span.tokens]
    if of_tokens:
        message = f"{len(of_tokens)} left out: mentions of tokens, because events need characters ({first_of(of_tokens)})"
        hint = "lydite convert --to-unit char --tokens DIR writes them with characters"
        found = document.finding("not-an-event", "warning", message, hint=hint)
        document = document._replace(findings=(*document.findings, found))
    return document._replace(layers={**document.layers, "events": events}) if events else document


_BRIDGES: Mapping[str, tuple[Callable[[Document], Document], frozenset[str]]] = {
    "mentions": (_with_mentions, frozenset({"clusters", "events"})),
    "clusters": (_with_clusters, frozenset({"mentions"})),
    "events": (_with_events, frozenset({"mentions", "ace"})),
    "arguments": (_with_arguments, frozenset({"ace"})),
}
"""By layer: the function that makes it, and the layers that it can be made from."""
