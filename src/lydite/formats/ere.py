"""LDC event nuggets, event hoppers and Rich ERE: event mentions in XML, one file per document.

::

    <deft_ere kit_id="k1" doc_id="d1">
      <hoppers>
        <hopper id="h-7">
          <event_mention id="em-12" type="conflict" subtype="attack" realis="actual">
            <trigger source="d1" offset="29" length="6">attack</trigger>
            <em_arg entity_id="ent-1" entity_mention_id="m-1" role="agent" realis="true">Rebels</em_arg>
          </event_mention>
        </hopper>
      </hoppers>
    </deft_ere>

In nugget files ``event_mention`` stands directly under the root.  Each hopper of more than one mention is a cluster.
The id of a mention is ``E`` and the digits of its id, that of a cluster ``C`` and those of its hopper.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lydite.errors import Finding, Location
from lydite.formats.base import Format, Options, corpus_of, text_option
from lydite.formats.names import MISSPELT, misplaced, xml_names
from lydite.formats.safe_xml import children, line_of, local_name, parse
from lydite.formats.source import Source, SourcePart, parts_by_document, without_suffix
from lydite.formats.texts import text_beside
from lydite.formats.token_spans import token_tables, with_tokens
from lydite.model import Corpus, Document, LazyDocuments, Mention, Relation, Span
from lydite.model.argument import EVENTS_LAYER, Event, EventArgument
from lydite.model.document import Facts
from lydite.model.mention import COREFERENCE, SYSTEM_LAYER
from lydite.numerals import is_natural

if TYPE_CHECKING:
    from lxml.etree import _Element

SYSTEM = "rich_ere"
EXTENSIONS = (".rich_ere.xml", ".event_nuggets.xml", ".event_hoppers.xml", ".ere.xml", ".xml")

_SUBTYPE_NAMES = (
    "Transfer-Money Transfer-Ownership Start-Org End-Org Declare-Bankruptcy Merge-Org Start-Position End-Position"
    " Arrest-Jail Charge-Indict Release-Parole Trial-Hearing Transport-Artifact Transport-Person"
)
_SUBTYPES = {name.replace("-", "").lower(): name for name in _SUBTYPE_NAMES.split()}


def read(source: Source, options: Options) -> Corpus:
    """The corpus in a file, a folder or an archive; a document is named as its file, without the suffix.

    ``ere-mentions`` says which mentions count: ``hopper``, ``event-nugget`` (directly under the root), ``auto`` (all).
    Under ``unit = token`` spans become token ids, by the tables in ``tokens``.
    """
    parts, findings = parts_by_document(source, doc_id_of)
    mode = text_option(options, "ere-mentions", "auto")
    tables = token_tables(options)

    def load(doc_id: str) -> Document:
        return with_tokens(_read_document(parts[doc_id], doc_id, mode), tables)

    hoppers = mode != "event-nugget" and any(b"<hopper" in part.read_bytes() for part in parts.values())
    documents = LazyDocuments(tuple(parts), load)
    unit = "char" if tables is None else "token"
    facts: Facts = {"unit": unit, "relations": [COREFERENCE] if hoppers else [], "folder": len(parts) > 1}
    return corpus_of(source, "ere", documents, findings=findings, facts=facts)


def doc_id_of(name: str) -> str:
    """The name of a file without the suffix of annotation."""
    name = without_suffix(name)
    return next((name.removesuffix(suffix) for suffix in EXTENSIONS if name.endswith(suffix)), name)


def _read_document(part: SourcePart, doc_id: str, mode: str) -> Document:
    root = parse(part)
    reader = _Reader(part, doc_id, root)
    for node in root:
        name = local_name(node)
        if name == "event_mention" and mode != "hopper":
            reader.add_mention(node)
        elif name == "hoppers" and mode != "event-nugget":
            for hopper in children(node, "hopper"):
                reader.add_hopper(hopper)
    return reader.document()


class _Reader:
    """Collects the mentions and clusters of a file, in its order."""

    def __init__(self, part: SourcePart, doc_id: str, root: _Element) -> None:
        self._part, self._doc_id = part, doc_id
        self._text = text_beside(doc_id_of(part.path))
        self._mention_places = dict(_mention_places(root))
        self._mentions: list[Mention] = []
        self._events: list[Event] = []
        self._clusters: list[Relation] = []
        self._findings: list[Finding] = []
        for line, message in misplaced(root, _EXPECTED_CHILDREN):
            self._add_finding(MISSPELT, message, line, None)

    def add_hopper(self, hopper: _Element) -> None:
        members = [member for node in children(hopper, "event_mention") if (member := self.add_mention(node))]
        if len(members) > 1:
            name = f"C{_digits(hopper.get('id', ''))}"
            self._clusters.append(Relation(COREFERENCE, name, tuple(members), line_of(hopper) or 0))

    def add_mention(self, node: _Element) -> str | None:
        """Add one mention; returns its id, or None if it has no place."""
        line = line_of(node)
        trigger = next(iter(children(node, "trigger")), None)
        span = None if trigger is None else _span(trigger)
        if trigger is None or span is None:
            message = f"expected a trigger with offset and length, found none; {node.get('id')} is dropped"
            self._add_finding("mention-without-trigger", message, line, node.get("id"))
            return None
        name, words = f"E{_digits(node.get('id', ''))}", "".join(map(str, trigger.itertext()))
        realis = _capitalised(node.get("realis", ""))
        mention = Mention(name, span, words, _event_type(node), realis, line=line or 0)
        self._mentions.append(mention)
        self._events.append(Event.at(mention, tuple(self._arguments(node))))
        self._check_text(mention)
        return mention.id

    def _arguments(self, node: _Element) -> Iterator[EventArgument]:
        for argument in children(node, "em_arg"):
            name = argument.get("entity_mention_id") or argument.get("filler_id") or ""
            role = argument.get("role", "")
            if name in self._mention_places:
                place, words = self._mention_places[name]
                yield EventArgument(role, (place,), text=words)
            else:
                message = f"argument {role}:{name} of {node.get('id')} refers to nothing in this file; it is dropped"
                self._add_finding("unknown-annotation", message, line_of(argument), node.get("id"))

    def _check_text(self, mention: Mention) -> None:
        if self._text is None:
            return
        ((begin, end),) = mention.span.ranges
        if self._text[begin:end].split() != mention.text.split():
            message = f"the trigger says {mention.text!r}, the document has {self._text[begin:end]!r} at {mention.span}"
            self._add_finding("text-mismatch", message, mention.line, mention.id)

    def document(self) -> Document:
        return Document(
            self._doc_id,
            mentions=tuple(self._mentions),
            relations=tuple(self._clusters),
            path=self._part.path,
            text=self._text,
            layers={EVENTS_LAYER: tuple(self._events), SYSTEM_LAYER: SYSTEM},
            findings=tuple(self._findings),
        )

    def _add_finding(self, code: str, message: str, line: int | None, item: str | None) -> None:
        place = Location(self._part.path, line or None)
        self._findings.append(Finding(code, "warning", message, place, self._doc_id, item))


def _mention_places(root: _Element) -> Iterator[tuple[str, tuple[tuple[int, int], str]]]:
    """The places of entity mentions and fillers and their words, by id."""
    for node in root.iter():
        if local_name(node) in {"entity_mention", "filler"}:
            span = _span(node)
            if span is not None:
                named = next(iter(children(node, "mention_text")), node)
                yield node.get("id", ""), (span.ranges[0], " ".join((named.text or "").split()))


def _span(node: _Element) -> Span | None:
    offset, length = (node.get(name, "").strip() for name in ("offset", "length"))
    if not (is_natural(offset) and is_natural(length)):
        return None
    begin = int(offset)
    return Span(((begin, begin + int(length)),)) if int(length) else None


def _event_type(node: _Element) -> str:
    subtype = node.get("subtype", "")
    return f"{_capitalised(node.get('type', ''))}_{_SUBTYPES.get(subtype.lower(), _capitalised(subtype))}"


def _capitalised(word: str) -> str:
    return word[:1].upper() + word[1:]


def _digits(name: str) -> str:
    """The digits of an id such as ``em-12``; an id without digits stays as it is."""
    return "".join(re.findall(r"[0-9]+", name)) or name


def recognise(head: bytes) -> bool:
    """Whether the first bytes have an element ``deft_ere``, or event mentions with triggers."""
    return b"<deft_ere" in head or (b"<event_mention" in head and b"<trigger" in head)


_EXPECTED_CHILDREN = {
    "deft_ere": {"hoppers", "event_mention", "entities", "fillers"},
    "hoppers": {"hopper"},
    "hopper": {"event_mention"},
    "event_mention": {"trigger", "em_arg"},
    "entities": {"entity"},
    "entity": {"entity_mention"},
    "fillers": {"filler"},
}
_NAMES = xml_names(
    "deft_ere hoppers hopper event_mention trigger em_arg entity entities entity_mention mention_text filler fillers"
    " id source offset length realis role subtype type entity_mention_id filler_id doc_id",
    "kit_id source_type entity_id noun_type nom_head specificity ere text",
)

ERE = Format(
    name="ere",
    title="LDC event nugget, event hopper and Rich ERE XML",
    extensions=EXTENSIONS,
    tasks=("nugget", "arguments"),
    recognise=recognise,
    read=read,
    layers=("mentions", "events"),
    names=_NAMES,
)
