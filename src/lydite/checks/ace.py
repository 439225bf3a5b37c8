"""Checks of APF that the official ACE scorers make.

The reader checks what needs no inventory: missing attributes, empty spans, ids used twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from lydite.errors import Finding, Location
from lydite.model import Corpus, Document
from lydite.model.ace import (
    ENTITY,
    EVENT,
    FILLER_KINDS,
    LAYER,
    RELATION,
    SOURCE_LAYER,
    Element,
    ElementArgument,
    ElementMention,
    Region,
    overlap,
)
from lydite.model.ace_alignment import CorpusElement
from lydite.model.ace_names import normalise
from lydite.model.ace_reading import attributes_of, document_level, role_of
from lydite.model.ace_settings import AceSettings, Inventories, Inventory

SYMMETRIC_ARGUMENTS = 2


def check_document(
    document: Document, parameters: AceSettings, inventories: Inventories
) -> Iterator[Finding]:
    """Findings of one document by itself: values outside the inventories, missing mentions, misplaced names."""
    legal = {kind: _legal_values(kind, inventory, parameters) for kind, inventory in inventories.items()}
    for element in document.layers.get(LAYER, ()):
        types = inventories[element.kind].get("types")
        if types is not None:
            yield from _check_type(document, element, types)
        yield from _check_values(document, element, legal[element.kind])
        if not element.mentions:
            yield from _check_mentions(document, element, parameters)
        if element.kind == ENTITY:
            yield from _check_entity(document, element, inventories, parameters)
        elif element.kind in {RELATION, EVENT}:
            yield from _check_roles(document, element, inventories, parameters)


# ------------------------------------------------------------------------------------------------ inventories


_LISTED: tuple[Literal["class", "modality", "polarity", "genericity", "tense"], ...] = (
    "class", "modality", "polarity", "genericity", "tense",
)  # fmt: skip
"""The attributes, in lower case, whose values inventories list."""


def _legal_values(kind: str, inventory: Inventory, parameters: AceSettings) -> dict[str, Sequence[str]]:
    """The attributes that are checked, with the values that the inventory lists for each."""
    return {
        name.upper(): inventory[name]
        for name in _LISTED
        if name in inventory and not (name == "tense" and kind == RELATION and not parameters.relation_tense)
    }


def _check_values(
    document: Document, element: Element, values: Mapping[str, Sequence[str]]
) -> Iterator[Finding]:
    for name, legal in values.items():
        value = element.attributes.get(name)
        is_unspecified = element.kind == RELATION and value == "Unspecified"
        if value is not None and value not in legal and not is_unspecified:
            yield _illegal_value(document, element, name, value, legal)


def _check_type(
    document: Document, element: Element, types: Mapping[str, Iterable[str]]
) -> Iterator[Finding]:
    type_, subtype = element.attributes.get("TYPE"), element.attributes.get("SUBTYPE")
    if type_ is None:
        return
    if type_ not in types:
        code = "unknown-entity-type" if element.kind == ENTITY else "illegal-attribute-value"
        message = (
            f"expected TYPE of {element.kind} {element.id!r} to be one of {', '.join(types)}, found {type_!r}"
        )
        yield document.finding(code, "error", message, element.line, element.id)
        return
    subtypes = list(types[type_])
    if subtype is None and subtypes and element.kind not in {ENTITY, EVENT}:
        message = f"expected attribute SUBTYPE on {element.kind} {element.id!r}, found none"
        yield document.finding("missing-attribute", "error", message, element.line, element.id)
    elif subtype is not None and subtype not in subtypes:
        if element.kind == RELATION and not subtypes and subtype == "Unspecified":
            return  # what the absent subtype of METONYMY is read as
        yield _illegal_value(document, element, "SUBTYPE", subtype, subtypes or ["none at all"])


def _illegal_value(
    document: Document, element: Element, name: str, value: str, legal: Iterable[str]
) -> Finding:
    type_ = element.attributes.get("TYPE", "")
    message = f"expected {name} of {type_} {element.kind} {element.id!r} to be one of {', '.join(legal)}, found {value!r}"
    return document.finding("illegal-attribute-value", "error", message, element.line, element.id)


def _check_mentions(document: Document, element: Element, parameters: AceSettings) -> Iterator[Finding]:
    if not parameters.use_mentions:
        return
    if element.kind == RELATION and element.attributes.get("TYPE") == "METONYMY":
        return
    message = f"expected at least one mention of {element.kind} {element.id!r}, found none"
    yield document.finding("element-without-mentions", "error", message, element.line, element.id)


# --------------------------------------------------------------------------------------------------- entities


def _check_entity(
    document: Document, element: Element, inventories: Inventories, parameters: AceSettings
) -> Iterator[Finding]:
    types, roles = inventories[ENTITY]["mention-type"], inventories[ENTITY]["types"]
    for mention in element.mentions:
        if (not mention.type or mention.type in types) and (not mention.role or mention.role in roles):
            continue
        for name, value, legal in (("TYPE", mention.type, types), ("ROLE", mention.role, roles)):
            if value and value not in legal:
                message = f"expected {name} of mention {mention.id!r} to be one of {', '.join(legal)}, found {value!r}"
                yield document.finding("illegal-attribute-value", "error", message, mention.line, mention.id)
    level = document_level(element, parameters)
    if level != "NAM" and element.names:
        message = f"expected no names on entity {element.id!r} of level {level}, found {len(element.names)}"
        code = "names-on-unnamed-entity"
        hint = "the level is that of its best mention; a metonymic NAM mention counts as NOM in 2008"
        yield document.finding(code, "warning", message, element.line, element.id, hint=hint)
    if level != "NAM" and not parameters.allow_non_named_entities:
        message = f"expected a named entity, found {element.id!r} of level {level}"
        yield document.finding("unnamed-entity", "error", message, element.line, element.id)
    if level == "NAM" and not element.names and parameters.use_name_similarity:
        message = f"expected at least one name on the named entity {element.id!r}, found none: it is worth nothing here"
        code = "named-entity-without-names"
        hint = "give its names, or switch the quirk named-without-names-is-worthless off to take the heads"
        yield document.finding(code, "warning", message, element.line, element.id, hint=hint)
    yield from _misplaced_names(document, element, parameters)


def _misplaced_names(document: Document, element: Element, parameters: AceSettings) -> Iterator[Finding]:
    """Heads of literal NAM mentions that are no name of their entity, and heads of other mentions that are one."""
    if not parameters.use_mentions:
        return
    named, least = [name.region for name in element.names if name.region is not None], parameters.min_overlap
    for mention in element.mentions:
        head = mention.head
        if head is None or (mention.type == "NAM" and mention.metonymic):
            continue
        has_name = any(_match(head, region, least) for region in named)
        if has_name == (mention.type == "NAM"):
            continue
        if has_name:
            code = "name-on-unnamed-mention"
            message = f"expected no name of entity {element.id!r} at the head of {mention.type} mention {mention.id!r}, found one"
        else:
            code = "named-mention-without-name"
            message = f"expected a name of entity {element.id!r} at the head of NAM mention {mention.id!r}, found none"
        yield document.finding(code, "warning", message, mention.line, mention.id)


def _metonymic_names(places: list[tuple[Document, Element]]) -> Iterator[Finding]:
    """Metonymic mentions whose head is a name of their entity in some document, once per name."""
    metonymic = [(document, one) for document, element in places for one in element.mentions if one.metonymic]
    if not metonymic:
        return
    entity = places[0][1].id
    names = {normalise(name.text) for _, element in places for name in element.names}
    for document, mention in metonymic:
        name = normalise(mention.head.text) if mention.head else None
        if name in names:
            names.discard(name)
            message = f"metonymic mention {mention.id!r} has the text of a name of entity {entity!r}"
            code = "metonymic-mention-equals-name"
            yield document.finding(code, "warning", message, mention.line, mention.id)


# ---------------------------------------------------------------------------------------- relations and events


def _check_roles(
    document: Document, element: Element, inventories: Inventories, parameters: AceSettings
) -> Iterator[Finding]:
    legal = inventories[element.kind]["roles"]
    owners: list[tuple[str, int, Iterable[ElementArgument]]] = [(element.id, element.line, element.arguments)]
    owners.extend((mention.id, mention.line, mention.arguments) for mention in element.mentions)
    for owner, line, arguments in owners:
        for argument in arguments:
            if argument.role not in legal:
                message = (
                    f"expected ROLE in {owner!r} to be a role of {element.kind}s, found {argument.role!r}"
                )
                yield document.finding("illegal-attribute-value", "error", message, line, owner)
    fillers = [argument.filler for argument in element.arguments]
    if element.kind == RELATION and len(set(fillers)) < len(fillers):
        message = f"expected different arguments in relation {element.id!r}, found one that fills two roles"
        yield document.finding("argument-repeated", "warning", message, element.line, element.id)
    yield from _redundant_mentions(document, element, parameters)


def _redundant_mentions(document: Document, element: Element, parameters: AceSettings) -> Iterator[Finding]:
    """Mentions with equal arguments, as they are scored; of events only those whose extents overlap enough to match."""
    with_arguments: dict[frozenset[object], list[ElementMention]] = {}
    type_ = element.attributes.get("TYPE", "")
    for mention in element.mentions:
        scored = ((role_of(element.kind, type_, one, parameters), one.filler) for one in mention.arguments)
        others = with_arguments.setdefault(frozenset(pair for pair in scored if pair[0] is not None), [])
        if any(
            element.kind == RELATION or _match(mention.extent, other.extent, parameters.min_overlap)
            for other in others
        ):
            message = f"expected different mentions of {element.kind} {element.id!r}, found {mention.id!r} with the arguments of another"
            yield document.finding("redundant-mentions", "warning", message, mention.line, mention.id)
        others.append(mention)


def _match(first: Region | None, second: Region | None, least: float) -> bool:
    """Whether two spans overlap, and by at least so much: shared length over the longer."""
    shared = overlap(first, second) if first is not None and second is not None else 0.0
    return shared > 0 and shared >= least


# ------------------------------------------------------------------------------------------------- one side


def check_corpus(corpus: Corpus, parameters: AceSettings) -> Iterator[Finding]:
    """Findings that need all documents of a side: arguments that do not exist, elements at odds with themselves."""
    kinds: dict[str, str] = {}
    places: dict[str, list[tuple[Document, Element]]] = {}
    for document in corpus.documents.values():
        for element in document.layers.get(LAYER, ()):
            kinds[element.id] = element.kind
            places.setdefault(element.id, []).append((document, element))
    element_of_mention: dict[str, str] = {}
    if not {RELATION, EVENT}.isdisjoint(kinds.values()):
        layers = (document.layers.get(LAYER, ()) for document in corpus.documents.values())
        element_of_mention = {
            mention.id: element.id for layer in layers for element in layer for mention in element.mentions
        }
    for occurrences in places.values():
        yield from _conflicts(occurrences, parameters)
        kind = occurrences[0][1].kind
        if kind == ENTITY:
            yield from _metonymic_names(occurrences)
        if kind in {RELATION, EVENT}:
            yield from _check_arguments(occurrences, kinds, element_of_mention, parameters)
            if kind == RELATION:
                yield from _relation_arguments(occurrences, parameters)


_CONFLICT = "cross-document-attribute-conflict"


def _conflicts(places: list[tuple[Document, Element]], parameters: AceSettings) -> Iterator[Finding]:
    """Attributes and links that differ between documents; before 2008 also levels of entities."""
    links: dict[str, str] = {}
    for document, element in places:
        for link in element.links:
            if links.setdefault(link.resource, link.id) != link.id:
                message = f"expected one id of {element.id!r} in {link.resource!r}, found {links[link.resource]!r} and {link.id!r}"
                yield document.finding(_CONFLICT, "error", message, element.line, element.id)
    if len(places) == 1:
        return
    first = _compared_attributes(places[0][1], parameters)
    for document, element in places[1:]:
        own = _compared_attributes(element, parameters)
        for name in sorted(first.keys() | own.keys()):
            if first.get(name) != own.get(name):
                message = (
                    f"expected {name} of {element.kind} {element.id!r} to be {first.get(name)!r} as in document "
                    f"{places[0][0].doc_id!r}, found {own.get(name)!r}"
                )
                yield document.finding(_CONFLICT, "error", message, element.line, element.id)


def _compared_attributes(element: Element, parameters: AceSettings) -> dict[str, str]:
    level = document_level(element, parameters) if element.kind == ENTITY else ""
    attributes = attributes_of(element, level, parameters)
    if parameters.level_may_differ:
        attributes.pop("LEVEL", None)
    return attributes


def _check_arguments(
    places: list[tuple[Document, Element]],
    kinds: Mapping[str, str],
    element_of_mention: Mapping[str, str],
    parameters: AceSettings,
) -> Iterator[Finding]:
    claimed = {
        (role_of(element.kind, element.attributes.get("TYPE", ""), argument, parameters), argument.filler)
        for _, element in places
        for argument in element.arguments
    }
    for document, element in places:
        for argument in element.arguments:
            if kinds.get(argument.filler) not in FILLER_KINDS:
                message = f"expected REFID of an argument of {element.id!r} to be an element, found {argument.filler!r}"
                yield document.finding("argument-unknown", "error", message, element.line, element.id)
        if not parameters.use_mentions:
            continue
        for mention in element.mentions:
            for argument in mention.arguments:
                owner = element_of_mention.get(argument.filler)
                role = role_of(element.kind, element.attributes.get("TYPE", ""), argument, parameters)
                if owner is None:
                    code = "argument-mention-unknown"
                    message = (
                        f"expected REFID in mention {mention.id!r} to be a mention, found {argument.filler!r}"
                    )
                    yield document.finding(code, "error", message, mention.line, mention.id)
                elif role is not None and (role, owner) not in claimed:
                    code = "mention-argument-not-of-argument"
                    message = (
                        f"expected the argument {argument.role} of mention {mention.id!r} to be a mention of that "
                        f"argument of {element.id!r}, found {argument.filler!r} of {owner!r}"
                    )
                    yield document.finding(code, "error", message, mention.line, mention.id)


def _relation_arguments(places: list[tuple[Document, Element]], parameters: AceSettings) -> Iterator[Finding]:
    """Over all documents: two different arguments of a symmetric relation with one role, else one Arg-1 and one Arg-2."""
    document, last = places[-1]
    type_ = last.attributes.get("TYPE", "")
    fillers: dict[str, set[str]] = {}
    for _, element in places:
        for argument in element.arguments:
            role = role_of(RELATION, type_, argument, parameters)
            if role is not None:
                fillers.setdefault(role, set()).add(argument.filler)
    if parameters.has_one_role(type_):
        count = len(fillers.get("Arg", ()))
        if count != SYMMETRIC_ARGUMENTS:
            code = "symmetric-relation-needs-two-arguments"
            message = f"expected two different arguments of the symmetric relation {last.id!r}, found {count}"
            yield document.finding(code, "error", message, last.line, last.id)
        return
    for role in ("Arg-1", "Arg-2"):
        found = sorted(fillers.get(role, ()))
        if len(found) != 1:
            message = (
                f"expected exactly one {role} of relation {last.id!r}, found {', '.join(found) or 'none'}"
            )
            yield document.finding("relation-argument-conflict", "error", message, last.line, last.id)


def report_equivalents(
    corpus: Corpus, equivalents: Iterable[tuple[CorpusElement, CorpusElement]]
) -> Iterator[Finding]:
    """A note on each element that is worth the full value of an earlier one, at its first occurrence."""
    for first, second in equivalents:
        doc_id, occurrence = next(iter(second.occurrences.items()))
        message = (
            f"expected different elements, found {second.kind} {second.id!r} in document {doc_id!r}, "
            f"which is worth the full value of {first.id!r}, and the other way round"
        )
        hint = "if they are one, leave one of them out; else correct what should tell them apart"
        yield corpus.documents[doc_id].finding(
            "equivalent-elements", "note", message, occurrence.line, second.id, hint=hint
        )


# ------------------------------------------------------------------------------------------------ both sides


def check_corpora(gold: Corpus, system: Corpus) -> Iterator[Finding]:
    """Documents that one side lacks, and documents that the sides describe differently."""
    for doc_id in gold.documents:
        if doc_id not in system.documents:
            message = f"expected system output for document {doc_id!r}, found none: all of it is missed"
            code = "reference-document-without-system-output"
            yield Finding(code, "warning", message, Location(system.path), doc_id)
    ours, theirs = _element_kinds(gold), _element_kinds(system)
    for kind in ours:
        if kind not in theirs:
            message = f"the system has no {kind} at all: all of them are missed, and the value is 0"
            hint = "the official scorers leave the whole section out of their report"
            yield Finding("not-scored-by-reference", "warning", message, Location(system.path), hint=hint)
    has_gold_document: dict[str, bool] = {}
    for doc_id, document in system.documents.items():
        known = doc_id in gold.documents
        has_gold_document[document.path] = has_gold_document.get(document.path, False) or known
        if not known:
            message = f"expected a document of gold, found {doc_id!r}: it is not scored"
            yield document.finding("system-document-not-in-reference", "warning", message)
        else:
            yield from _differing_sources(gold.documents[doc_id], document)
    for path, is_evaluable in has_gold_document.items():
        if not is_evaluable:
            message = "expected at least one document of gold in this file, found none"
            yield Finding("file-without-evaluable-documents", "warning", message, Location(path))


def _element_kinds(corpus: Corpus) -> dict[str, None]:
    """The kinds of elements, in the order of their first occurrence."""
    return dict.fromkeys(
        [element.kind for document in corpus.documents.values() for element in document.layers.get(LAYER, ())]
    )


def _differing_sources(gold: Document, system: Document) -> Iterator[Finding]:
    ours, theirs = gold.layers.get(SOURCE_LAYER), system.layers.get(SOURCE_LAYER)
    if ours is None or theirs is None:
        return
    for code, one, other in (
        ("source-differs", ours.source, theirs.source),
        ("data-type-differs", ours.data_type, theirs.data_type),
    ):
        if one != other:
            message = f"expected {one!r} for document {gold.doc_id!r} as in gold, found {other!r}"
            yield system.finding(code, "error", message, system.line, system.doc_id)
