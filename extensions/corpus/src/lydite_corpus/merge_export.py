"""Write merged documents as APF with global entity ids, in arguments too; everything else stays as it was given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from lydite.errors import Finding, InvalidInput, Location, Severity, errors_among
from lydite.formats import FORMATS, safe_xml
from lydite.formats.source import Source, without_suffix
from lydite.model import Corpus
from lydite.model.ace import ENTITY, LAYER, RELATION
from lydite_corpus.merge import DocumentEntity, State

if TYPE_CHECKING:
    from lxml.etree import _Element

AGREEING = ("TYPE", "SUBTYPE", "CLASS")
"""Attributes in which the members of a global entity must agree."""


def read_corpus(source: Source) -> Corpus:
    """Read APF; raise :class:`InvalidInput` if it has errors."""
    corpus = FORMATS["apf"].read(source, {})
    findings = [*corpus.findings, *(finding for one in corpus.documents.values() for finding in one.findings)]
    if errors_among(findings):
        raise InvalidInput(errors_among(findings))
    return corpus


def global_ids(state: State, entities: Mapping[str, DocumentEntity]) -> dict[str, str]:
    """Return the id of the global entity of each member: the id of its first member, if no other entity has it.

    Otherwise the document id is prefixed, repeatedly if another entity has the resulting id.
    """
    uses = Counter(entity.element.id for entity in entities.values())
    ids: dict[str, str] = {}
    used = set(uses)
    for members in state.partition():
        first = entities[members[0]]
        name = first.element.id
        # Other documents may have the same id if it is this entity in all of them.
        if uses[name] != sum(entities[member].element.id == name for member in members):
            while name in used:
                name = f"{first.document}-{name}"
            used.add(name)
        ids.update(dict.fromkeys(members, name))
    return ids


def find_conflicts(
    corpus: Corpus,
    state: State,
    entities: Mapping[str, DocumentEntity],
    path: str,
    *,
    by_majority: bool,
    majority_hint: str,
) -> list[Finding]:
    """Find members of global entities that disagree in TYPE, SUBTYPE, CLASS or a link, and relations in arguments.

    Conflicts that the majority resolves are warnings; ``majority_hint`` tells readers how to use the majority.
    """
    severity: Severity = "warning" if by_majority else "error"
    hint = None if by_majority else f"split the entity, correct the documents, or {majority_hint}"
    place = Location(path)
    findings: list[Finding] = []
    for members in state.partition():
        for name in AGREEING:
            values = Counter(entities[member].element.attributes.get(name, "") for member in members)
            if len(values) > 1:
                listing = ", ".join(f"{value or 'none'} ({count})" for value, count in values.most_common())
                message = f"expected one {name} for the members of {members[0]!r}, found {listing}"
                findings.append(
                    Finding("merge-conflict", severity, message, place, item=members[0], hint=hint)
                )
        findings.extend(_find_link_conflicts(members, state, entities, place))
    findings.extend(_find_relation_conflicts(corpus, global_ids(state, entities), place))
    return findings


def _find_link_conflicts(
    members: Sequence[str], state: State, entities: Mapping[str, DocumentEntity], place: Location
) -> Iterator[Finding]:
    ids_by_resource: dict[str, set[str]] = {}
    for member in members:
        own = [(link.resource, link.id) for link in entities[member].element.links]
        for resource, link_id in (*own, *state.links.get(member, ())):
            ids_by_resource.setdefault(resource, set()).add(link_id)
    for resource, ids in sorted(ids_by_resource.items()):
        if len(ids) > 1:
            message = f"expected one id in {resource!r} for the members of {members[0]!r}, found {', '.join(sorted(ids))}"
            yield Finding("merge-conflict", "error", message, place, item=members[0])


def _find_relation_conflicts(corpus: Corpus, ids: Mapping[str, str], place: Location) -> Iterator[Finding]:
    """Find relations of several documents whose arguments are not the same global entities."""
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


def _majority_attributes(state: State, entities: Mapping[str, DocumentEntity]) -> dict[str, dict[str, str]]:
    """Return for each member the attributes of most members of its global entity; for a tie that of the first."""
    chosen: dict[str, dict[str, str]] = {}
    for members in state.partition():
        found = [entities[member].element.attributes for member in members]
        values = {name: Counter(one.get(name, "") for one in found).most_common(1)[0][0] for name in AGREEING}
        chosen.update(dict.fromkeys(members, values))
    return chosen


def merged_files(
    source: Source, state: State, entities: Mapping[str, DocumentEntity], *, by_majority: bool
) -> Iterator[tuple[str, bytes]]:
    """Return name and bytes of every file with global ids; merge the entities of a document that became the same."""
    from lxml import etree

    ids = global_ids(state, entities)
    attributes = _majority_attributes(state, entities) if by_majority else {}
    for name, part in zip(_file_names(source), source.parts, strict=True):
        root = safe_xml.parse(part)
        for document in root.iter("document"):
            _set_global_ids(document, str(document.get("DOCID", "")).strip(), state, ids, attributes)
        text: bytes = etree.tostring(root.getroottree(), encoding="UTF-8", xml_declaration=True)
        yield name, text + b"\n"


def _file_names(source: Source) -> list[str]:
    """Return the names of the files of a source; with their folders inside it if two names are equal."""
    names = [part.name for part in source.parts]
    if len(set(names)) == len(names):
        return names
    paths = [part.path.removeprefix(source.path).lstrip("/!") for part in source.parts]
    return [without_suffix(path.replace("!", "/")) for path in paths]


def _set_global_ids(
    document: _Element,
    doc_id: str,
    state: State,
    ids: Mapping[str, str],
    attributes: Mapping[str, Mapping[str, str]],
) -> None:
    """Set the global ids, attributes and links of the entities in a document, and the ids in its arguments."""
    first: dict[str, _Element] = {}
    for node in list(document.iterchildren(ENTITY)):
        member = f"{doc_id}#{str(node.get('ID', '')).strip()}"
        name = ids[member]
        for key, value in attributes.get(member, {}).items():
            if value:
                node.set(key, value)
        node.set("ID", name)
        if name in first:
            _merge_nodes(first[name], node)
        first.setdefault(name, node)
    for member, links in state.links.items():
        for name in {ids[other] for other in state.members_with(member)} & first.keys():
            _add_links(first[name], links)
    for tag in ("relation_argument", "event_argument"):
        for node in document.iter(tag):
            filler = str(node.get("REFID", "")).strip()
            node.set("REFID", ids.get(f"{doc_id}#{filler}", filler))


def _merge_nodes(kept: _Element, node: _Element) -> None:
    """Move the mentions and names of a node to another one, and remove the node."""
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
