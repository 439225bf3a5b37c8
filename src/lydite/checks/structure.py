"""Checks of the ids, spans, tokens, clusters and links of one document against each other.

Every check takes a document as read and yields findings.  For a sound document, the usual case, most only compare the
sizes of sets; the offending line is looked for when those differ.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import compress, count, pairwise
from operator import ge

from lydite.errors import Finding, Location, Severity
from lydite.escaping import counted
from lydite.grouping import grouped
from lydite.model import EMPTY_SPAN, Document, Mention, Relation, Span
from lydite.model.mention import AFTER, COREFERENCE, SUBEVENT, repeats
from lydite.numerals import is_natural

LINKS = (AFTER, SUBEVENT)

_End = int | str
"""What an end of a link stands for: the number of a cluster, or the id of a mention in none."""


def duplicate_ids(document: Document) -> Iterator[Finding]:
    """A mention id used twice: chains cannot tell the two apart."""
    mentions = document.mentions
    if len(set(document.columns.ids)) == len(mentions):
        return
    first: dict[str, int] = {}
    for mention in mentions:
        if mention.id in first:
            message = f"mention id {mention.id!r} is used before, in line {first[mention.id]}"
            at = mention.line, mention.id
            yield document.finding("duplicate-mention-id", "error", message, *at, hint="renumber it")
        first.setdefault(mention.id, mention.line)


def duplicate_mentions(document: Document) -> Iterator[Finding]:
    """The same span, type and realis twice: the second copy is a false alarm in every profile."""
    columns = document.columns
    compared = (
        (*(columns.bounds or (columns.spans,)), columns.types, columns.realis) if columns.doubled else ()
    )
    first: dict[object, int] = {}
    for position in columns.doubled:
        earlier = first.setdefault(tuple([column[position] for column in compared]), position)
        if earlier != position:
            copy, mention = document.mentions[earlier], document.mentions[position]
            message = f"the same span, type and realis as mention {copy.id!r} in line {copy.line}"
            yield document.finding("duplicate-mention", "warning", message, mention.line, mention.id)


def malformed_spans(document: Document) -> Iterator[Finding]:
    """Spans or segments that cover nothing or begin before the text, segments that overlap, token ids that are empty or do not ascend."""
    columns = document.columns
    if columns.bounds is not None:
        malformed = list(compress(count(), map(ge, *columns.bounds)))
    else:
        malformed = [position for position, span in enumerate(columns.spans) if not _is_plain(span)]
    for position in malformed:
        yield from _malformed_span(document, document.mentions[position])


def _is_plain(span: Span) -> bool:
    ranges, tokens = span
    if len(ranges) == 1:
        return 0 <= ranges[0][0] < ranges[0][1]
    return len(tokens) == 1 and tokens != ("",)


def _malformed_span(document: Document, mention: Mention) -> Iterator[Finding]:
    span = mention.span
    if span == EMPTY_SPAN:
        return  # the reader reported that it could not be read
    if span.is_empty:
        message = f"the span {str(span)!r} covers nothing; the mention can never be matched"
        yield document.finding("empty-span", "warning", message, mention.line, mention.id)
    elif hollow := next((f"{begin},{end}" for begin, end in span.ranges if begin >= end), None):
        message = f"the segment '{hollow}' of {str(span)!r} covers nothing"
        yield document.finding("empty-segment", "warning", message, mention.line, mention.id)
    negative = next((f"{begin},{end}" for begin, end in span.ranges if begin < 0 or end < 0), None)
    if negative is not None:
        message = f"expected offsets from 0, found {negative}"
        yield document.finding("span-out-of-range", "error", message, mention.line, mention.id)
    if len(span.ranges) > 1 and span.written_size != span.size:
        message = f"the segments of {str(span)!r} overlap"
        yield document.finding("overlapping-segments", "warning", message, mention.line, mention.id)
    if "" in span.tokens:
        message = f"expected token ids, found {str(span)!r}; what is empty counts as an id"
        yield document.finding("empty-token-id", "warning", message, mention.line, mention.id)
    elif len(span.tokens) > 1 and not _ascending(span.tokens):
        message = f"the token ids {str(span)!r} do not ascend; their order has no meaning"
        yield document.finding("tokens-not-ascending", "warning", message, mention.line, mention.id)


def _ascending(tokens: tuple[str, ...]) -> bool:
    numbers = [token.lstrip("t") for token in tokens]
    if not all(map(is_natural, numbers)):
        return True
    values = list(map(int, numbers))
    return all(left < right for left, right in pairwise(values))


def unknown_realis(
    document: Document, known: Collection[str], normalise: Callable[[str], str]
) -> Iterator[Finding]:
    """A realis value that is not one of the known ones."""
    unknown = {value for value in set(document.columns.realis) if normalise(value) not in known}
    if not unknown:
        return
    for mention in document.mentions:
        if mention.realis in unknown:
            message = f"expected realis Actual, Generic or Other, found {mention.realis!r}"
            yield document.finding("unknown-realis", "warning", message, mention.line, mention.id)


def spans_out_of_range(document: Document, length: int) -> Iterator[Finding]:
    """A character offset behind the end of the text (an end equal to the length is fine)."""
    for mention in document.mentions:
        for begin, end in mention.span.ranges:
            if end > length or length <= begin < end:
                message = f"expected offsets from 0 to {length}, found {begin},{end}"
                yield document.finding("span-out-of-range", "error", message, mention.line, mention.id)
                break


def differing_text_columns(document: Document, text: str) -> Iterator[Finding]:
    """A text column that differs from the text at the offsets, except in white space or where grounding placed it."""
    placed = document.layers.get("grounding", ())
    for mention in document.mentions:
        ranges = mention.span.ranges if mention.id not in placed else ()
        if not ranges or not mention.text or any(begin < 0 or end > len(text) for begin, end in ranges):
            continue
        found = " ".join(" ".join(text[begin:end] for begin, end in ranges).split())
        if found != " ".join(mention.text.split()):
            message = f"the text column says {mention.text!r}, the document has {found!r} at {mention.span}"
            hint = "are the offsets counted in another unit, or from another text?"
            yield document.finding("text-mismatch", "warning", message, mention.line, mention.id, hint=hint)


def unknown_tokens(
    document: Document, table: Collection[str], where: str, hint: str | None = None
) -> Iterator[Finding]:
    """A token id that the token table does not have; without a table every one is unknown."""
    for mention in document.mentions:
        for token in mention.span.tokens:
            if token not in table:
                message = f"token {token!r} is not in {where}"
                yield document.finding("unknown-token", "error", message, mention.line, token, hint=hint)


def invisible_spans(document: Document, invisible: Collection[str]) -> Iterator[Finding]:
    """A mention made of invisible words only: it stays, but nothing can match it."""
    if not invisible:
        return
    for mention in document.mentions:
        tokens = mention.span.tokens
        if tokens and all(token in invisible for token in tokens):
            message = f"mention {mention.id!r} consists of words that do not count; nothing can match it"
            for code in ("mention-of-invisible-words-only", "empty-span"):
                yield document.finding(code, "warning", message, mention.line, mention.id)


# ---------------------------------------------------------------------------------------------------- relations


def relation_members(document: Document) -> Iterator[Finding]:
    """Too few members, members that no mention has, clusters of one."""
    if not document.relations:
        return
    known = set(document.columns.ids)
    for relation in document.relations:
        if relation.name == COREFERENCE:
            if len(set(relation.members)) == 1:
                message = f"a cluster of one member, {relation.members[0]!r}; singletons need no line"
                yield document.finding("singleton-chain", "warning", message, relation.line)
        elif relation.members and len(relation.members) < 2:
            message = f"@{relation.name} relates two mentions, found {len(relation.members)}"
            yield document.finding("relation-too-few-arguments", "error", message, relation.line)
        for member in () if known.issuperset(relation.members) else relation.members:
            if member not in known:
                stripped = member.strip()
                hint = "no blank after the comma" if stripped != member and stripped in known else None
                message = f"no mention of this document has the id {member!r}"
                # The official programs that stop here look at clusters alone.
                level: Severity = "error" if relation.name == COREFERENCE else "warning"
                code = "relation-unknown-mention"
                yield document.finding(code, level, message, relation.line, member, hint=hint)


def links_with_too_many_members(document: Document) -> Iterator[Finding]:
    """After and Subevent links with more than two members."""
    for relation in document.relations:
        if relation.name in LINKS and len(relation.members) > 2:
            message = f"@{relation.name} relates two mentions, found {len(relation.members)}"
            hint = "write one line for each pair"
            yield document.finding("relation-too-many-arguments", "error", message, relation.line, hint=hint)


def relations_as_mentions(document: Document) -> Iterator[Finding]:
    """Relation lines, which a program that knows none reads as mentions with too few columns."""
    for relation in document.relations:
        message = f"@{relation.name} is read as a mention line, which needs 7 columns"
        yield document.finding("too-few-columns", "error", message, relation.line)


def unknown_relations(document: Document) -> Iterator[Finding]:
    """Relation names that are not scored."""
    for relation in document.relations:
        if relation.name != COREFERENCE and relation.name not in LINKS:
            message = (
                f"expected Coreference, After or Subevent, found {relation.name!r}; the line is not scored"
            )
            yield document.finding("unknown-relation", "warning", message, relation.line, relation.name)


def _coreference_relations(document: Document) -> list[Relation]:
    return [relation for relation in document.relations if relation.name == COREFERENCE]


def overlapping_clusters(document: Document) -> Iterator[Finding]:
    """Two clusters that share a member: the transitive closure was not taken."""
    clusters = _coreference_relations(document)
    named = [member for relation in clusters for member in relation.members]
    if len(set(named)) == len(named):
        return
    owner: dict[str, Relation] = {}
    for relation in clusters:
        shared = next((one for one in relation.members if owner.get(one, relation) is not relation), None)
        if shared is not None:
            message = f"mention {shared!r} is in the cluster of line {owner[shared].line} too"
            hint = "join the two clusters: coreference is transitive"
            yield document.finding("chains-overlap", "error", message, relation.line, shared, hint=hint)
        for member in relation.members:
            owner.setdefault(member, relation)


def same_span_in_cluster(document: Document) -> Iterator[Finding]:
    """Two members of a cluster with the same span."""
    columns = document.columns
    coverages: Iterable[object]
    if columns.bounds is not None:
        coverages, doubled = zip(*columns.bounds, strict=True), columns.doubled
    else:
        coverages = [*map(_coverage, columns.spans)]
        doubled = repeats([*map(hash, coverages)])
    # Members that begin where no other mention does have a span of their own.
    names = {columns.ids[position] for position in doubled}
    clusters = [one for one in _coreference_relations(document) if len(names.intersection(one.members)) > 1]
    if not clusters:
        return
    covered_by = {name: what for name, what in zip(columns.ids, coverages, strict=True) if name in names}
    for relation in clusters:
        first: dict[object, str] = {}
        for member in dict.fromkeys(relation.members):
            if member not in covered_by:
                continue
            coverage = covered_by[member]
            if coverage in first:
                message = f"members {first[coverage]!r} and {member!r} have the same span"
                yield document.finding("same-span-in-chain", "warning", message, relation.line, member)
                break
            first[coverage] = member


def _coverage(span: Span) -> object:
    """What a span covers, in a form that is equal for spans that cover the same."""
    ranges, tokens = span
    if tokens:
        return frozenset(tokens)
    return ranges if len(ranges) == 1 else span.merged()


def link_cycles(document: Document, *, unknown_ends: bool = False) -> Iterator[Finding]:
    """Links that contradict each other once each end stands for its cluster.

    a → b and b → a of one relation between the same two clusters is ``link-cycle``; a longer way back is
    ``long-cycle``, and so is a → b and b → a if a third cluster lies on a way from a to a: then the reduction of links
    takes both away.  A link whose ends are in one cluster is ``link-inside-chain``.  A link with an unknown end leads
    nowhere, unless ``unknown_ends`` lets an id that no mention has stand for its cluster.
    """
    if not any(relation.name in LINKS for relation in document.relations):
        return
    # A member of several clusters stands for the last that names it.
    clusters = enumerate(_coreference_relations(document))
    cluster_of = {member: number for number, relation in clusters for member in relation.members}
    known = set(document.columns.ids)
    if unknown_ends:
        known.update(cluster_of)
    for name in LINKS:
        links = [
            relation
            for relation in document.relations
            if relation.name == name and len(relation.members) > 1 and known.issuperset(relation.members[:2])
        ]
        yield from _cycles_of(document, name, links, cluster_of)


def _cycles_of(
    document: Document, name: str, links: Sequence[Relation], cluster_of: Mapping[str, int]
) -> Iterator[Finding]:
    ends = [tuple(cluster_of.get(member, member) for member in relation.members[:2]) for relation in links]
    between_clusters = dict.fromkeys((first, second) for first, second in ends if first != second)
    every_onward = grouped(between_clusters)
    every_back = grouped((second, first) for first, second in between_clusters)
    onward: dict[_End, set[_End]] = {}
    for relation, (first, second) in zip(links, ends, strict=True):
        if first == second:
            message = f"@{name} leads from a cluster to itself; the link is not scored"
            yield document.finding("link-inside-chain", "warning", message, relation.line)
            continue
        if first in _reached(onward, second):
            on_cycles = _reached(every_onward, first) & _reached(every_back, first)
            if first in onward.get(second, ()) and on_cycles == {first, second}:
                message = f"@{name} leads both ways between the same two clusters"
                yield document.finding("link-cycle", "error", message, relation.line)
            else:
                message = f"@{name} closes a cycle; no link on it is scored"
                yield document.finding("long-cycle", "error", message, relation.line)
        onward.setdefault(first, set()).add(second)


def _reached(onward: Mapping[_End, Collection[_End]], start: _End) -> set[_End]:
    """What one link or more lead to from ``start``."""
    reached: set[_End] = set()
    waiting = [start]
    while waiting:
        fresh = set(onward.get(waiting.pop(), ())).difference(reached)
        reached |= fresh
        waiting.extend(fresh)
    return reached


# -------------------------------------------------------------------------------------------------------- given


def given_mentions(document: Document, given: Document | None) -> Iterator[Finding]:
    """Mentions that were handed out must come back unchanged: none changed, missing or added."""
    if given is None:
        yield document.finding("document-not-given", "error", "this document was not handed out")
        return
    expected = {mention.id: mention for mention in given.mentions}
    found = {mention.id: mention for mention in document.mentions}
    for mention in document.mentions:
        original = expected.get(mention.id)
        if original is None:
            message = f"mention {mention.id!r} was not handed out"
            yield document.finding("mention-not-given", "error", message, mention.line, mention.id)
        else:
            yield from _changed_parts(document, original, mention)
    for original in given.mentions:
        if original.id not in found:
            message = f"mention {original.id!r} ({original.text!r}) was handed out and is missing"
            yield document.finding("given-mention-missing", "error", message, document.line, original.id)


def given_documents(missing: Iterable[Document], path: str) -> Iterator[Finding]:
    """Documents that were handed out with mentions and are not there."""
    for given in missing:
        if given.mentions:
            mentions = counted(len(given.mentions), "mention")
            message = f"document {given.doc_id!r} was handed out with {mentions} and is missing"
            yield Finding("given-mention-missing", "error", message, Location(path), given.doc_id)


def _changed_parts(document: Document, original: Mention, mention: Mention) -> Iterator[Finding]:
    for part in ("span", "type", "realis"):
        before, after = getattr(original, part), getattr(mention, part)
        if before != after:
            message = (
                f"{part} of mention {mention.id!r} was handed out as {str(before)!r}, found {str(after)!r}"
            )
            yield document.finding("given-mention-changed", "error", message, mention.line, mention.id)
