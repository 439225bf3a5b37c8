"""Merged documents as APF: entity ids are global, arguments follow, everything else stays as it was given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from lydite.corpus.merge import DocumentEntity, State
from lydite.errors import Finding, InvalidInput, Location, Severity, errors_among
from lydite.formats import FORMATS, safe_xml
from lydite.formats.source import Source, without_suffix
from lydite.model import Corpus
from lydite.model.ace import ENTITY, LAYER, RELATION

if TYPE_CHECKING:
    from lxml.etree import _Element

AGREEING = ("TYPE", "SUBTYPE", "CLASS")
"""Attributes in which the members of a global entity must agree."""


def read_corpus(source: Source) -> Corpus:
    """The APF of a source; :class:`InvalidInput` if something in it is wrong."""
    corpus = FORMATS["apf"].read(source, {})
    findings = [*corpus.findings, *(finding for one in corpus.documents.values() for finding in one.findings)]
    if errors_among(findings):
        raise InvalidInput(errors_among(findings))
    return corpus


def global_ids(state: State, entities: Mapping[str, DocumentEntity]) -> dict[str, str]:
    """The id of the global entity of each member: that of its first member, where no other entity has it.

    Otherwise the name of the document stands before it, once more for as long as another entity has that id.
    """
    uses = Counter(entity.element.id for entity in entities.values())
    ids: dict[str, str] = {}
    given = set(uses)
    for members in state.partition():
        first = entities[members[0]]
        name = first.element.id
        # The same id in other documents is no obstacle if they all are this entity.
        if uses[name] != sum(entities[member].element.id == name for member in members):
            while name in given:
                name = f"{first.document}-{name}"
            given.add(name)
        ids.update(dict.fromkeys(members, name))
    return ids


def all_conflicts(
    corpus: Corpus,
    state: State,
    entities: Mapping[str, DocumentEntity],
    path: str,
    *,
    by_majority: bool,
    way_out: str,
) -> list[Finding]:
    """Global entities whose members disagree in TYPE, SUBTYPE, CLASS or in a link, and relations in their arguments.

    What the majority settles is a warning; ``way_out`` tells whoever reads the findings how to take the majority.
    """
    severity: Severity = "warning" if by_majority else "error"
    hint = None if by_majority else f"split the entity, correct the documents, or {way_out}"
    place = Location(path)
    findings: list[Finding] = []
    for members in state.partition():
        for name in AGREEING:
            values = Counter(entities[member].element.attributes.get(name, "") for member in members)
            if len(values) > 1:
                told = ", ".join(f"{value or 'none'} ({count})" for value, count in values.most_common())
                message = f"expected one {name} for the members of {members[0]!r}, found {told}"
                findings.append(
                    Finding("merge-conflict", severity, message, place, item=members[0], hint=hint)
                )
        findings.extend(_links_in_conflict(members, state, entities, place))
    findings.extend(_relations_in_conflict(corpus, global_ids(state, entities), place))
    return findings


def _links_in_conflict(
    members: Sequence[str], state: State, entities: Mapping[str, DocumentEntity], place: Location
) -> Iterator[Finding]:
    held: dict[str, set[str]] = {}
    for member in members:
        for link in entities[member].element.links:
            held.setdefault(link.resource, set()).add(link.id)
        for resource, link_id in state.links.get(member, ()):
            held.setdefault(resource, set()).add(link_id)
    for resource, found in sorted(held.items()):
        if len(found) > 1:
            message = f"expected one id in {resource!r} for the members of {members[0]!r}, found {', '.join(sorted(found))}"
            yield Finding("merge-conflict", "error", message, place, item=members[0])


def _relations_in_conflict(corpus: Corpus, ids: Mapping[str, str], place: Location) -> Iterator[Finding]:
    """Relations of several documents whose arguments are not the same global entities."""
    seen: dict[tuple[str, str], str] = {}
    for document in corpus.documents.values():
        for element in document.layers.get(LAYER, ()):
            if element.kind != RELATION:
                continue
            for argument in element.arguments:
                filler = ids.get(f"{document.doc_id}#{argument.filler}", argument.filler)
                first = seen.setdefault((element.id, argument.role), filler)
                if first != filler:
                    message = f"expected one {argument.role} of relation {element.id!r}, found {first!r} and {filler!r}"
                    yield Finding("merge-conflict", "error", message, place, document.doc_id, element.id)


def _majority(state: State, entities: Mapping[str, DocumentEntity]) -> dict[str, dict[str, str]]:
    """By member, the attributes that most members of its global entity have; among equals that of the first."""
    chosen: dict[str, dict[str, str]] = {}
    for members in state.partition():
        values = {
            name: Counter(
                entities[member].element.attributes.get(name, "") for member in members
            ).most_common(1)[0][0]
            for name in AGREEING
        }
        chosen.update(dict.fromkeys(members, values))
    return chosen


def merged_files(
    source: Source, state: State, entities: Mapping[str, DocumentEntity], *, by_majority: bool
) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of every file, with global ids.  Entities of one document that became one are put together."""
    from lxml import etree

    ids = global_ids(state, entities)
    attributes = _majority(state, entities) if by_majority else {}
    for name, part in zip(_file_names(source), source.parts, strict=True):
        root = safe_xml.parse(part)
        for document in root.iter("document"):
            _rename(document, str(document.get("DOCID", "")).strip(), state, ids, attributes)
        text: bytes = etree.tostring(root.getroottree(), encoding="UTF-8", xml_declaration=True)
        yield name, text + b"\n"


def _file_names(source: Source) -> list[str]:
    """The names of the files of a source; with their folders inside it where two have one name."""
    names = [part.name for part in source.parts]
    if len(set(names)) == len(names):
        return names
    places = [part.path.removeprefix(source.path).lstrip("/!") for part in source.parts]
    return [without_suffix(place.replace("!", "/")) for place in places]


def _rename(
    document: _Element,
    doc_id: str,
    state: State,
    ids: Mapping[str, str],
    attributes: Mapping[str, Mapping[str, str]],
) -> None:
    first: dict[str, _Element] = {}
    for node in list(document.iterchildren(ENTITY)):
        member = f"{doc_id}#{str(node.get('ID', '')).strip()}"
        name = ids[member]
        for key, value in attributes.get(member, {}).items():
            if value:
                node.set(key, value)
        node.set("ID", name)
        if name in first:
            _absorb(first[name], node)
        first.setdefault(name, node)
    for member, links in state.links.items():
        for name in {ids[other] for other in state.together(member)} & first.keys():
            _add_links(first[name], links)
    for tag in ("relation_argument", "event_argument"):
        for node in document.iter(tag):
            filler = str(node.get("REFID", "")).strip()
            node.set("REFID", ids.get(f"{doc_id}#{filler}", filler))


def _absorb(kept: _Element, node: _Element) -> None:
    """Mentions after mentions, names among names, then the empty node goes."""
    names = kept.find("entity_attributes")
    mentions = kept.findall("entity_mention")
    place = kept.index(mentions[-1]) + 1 if mentions else 0
    for child in list(node):
        if child.tag == "entity_attributes" and names is not None:
            names.extend(list(child))
        elif child.tag == "entity_mention":
            kept.insert(place, child)
            place += 1
        else:
            kept.append(child)
    parent = node.getparent()
    if parent is not None:
        parent.remove(node)


def _add_links(node: _Element, links: Sequence[tuple[str, str]]) -> None:
    from lxml import etree

    present = {(link.get("RESOURCE"), link.get("EID")) for link in node.iterchildren("external_link")}
    for resource, link_id in links:
        if (resource, link_id) not in present:
            etree.SubElement(node, "external_link", {"RESOURCE": resource, "EID": link_id})
