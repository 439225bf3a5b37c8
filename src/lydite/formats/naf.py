"""KAF and NAF: linguistic annotation in layers of XML, each pointing to the one below by ids.

Names are compared without case.  Ids may be called ``wid``, ``tid``, ``cid``, ``eid``, ``pid``, ``oid``, ``prid``,
``rid`` (KAF) or ``id`` (NAF), spans may stand directly in an entity or in ``references``, the text of a token is what comes before
its first ``subtoken`` (NAF 3.1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, permutations
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lydite.errors import UsageError
from lydite.formats.base import Options, list_option, text_option
from lydite.formats.names import xml_names
from lydite.formats.safe_xml import attributes, children, closed_elements, has_tag, line_of, local_name, parse
from lydite.formats.source import Source, SourcePart, open_file
from lydite.formats.triples import READ_AS_TRIPLES, ConversionReport, corpus_of_parts
from lydite.model import Corpus, Document
from lydite.model.triple import EMPTY_ELEMENT, Triple, TripleElement

if TYPE_CHECKING:
    from lxml.etree import _Element

SENTIMENT_PARTS = (
    ("polarity",),
    ("strength",),
    ("sentiment_semantic_type", "semantic_type"),
    ("factual",),
    ("subjectivity",),
    ("sentiment_modifier",),
    ("sentiment_product_feature",),
)
"""The seven parts of a sentiment, in the order in which they make a relation, with the names they go by."""
_MODIFIER_PART = ("sentiment_modifier",)


class NafText(NamedTuple):
    """The tokens of a text, in order: id → word, id → sentence."""

    words: Mapping[str, str]
    sentences: Mapping[str, str]
    """Empty for a token without ``sent``."""
    repeated: tuple[str, ...]
    """Ids that several tokens have; the last token counts."""

    def comment(self, ids: Iterable[str]) -> str:
        """The words of tokens, joined by spaces."""
        return " ".join(filter(None, map(self.words.get, ids)))


def id_under(values: Mapping[str, str], *names: str) -> str:
    """The id that an element has under one of these names, or as ``id``; empty if it has none."""
    return next((values[name] for name in (*names, "id") if values.get(name)), "")


def _token(node: _Element) -> tuple[str, str, str]:
    values = attributes(node)
    sentence = values.get("sent", "").lower().removeprefix("s")
    return id_under(values, "wid"), (node.text or "").strip(), sentence


def read_text(path: str) -> NafText:
    """The tokens of a KAF or NAF file, and nothing else of it."""
    return _naf_text(map(_token, closed_elements(open_file(path), "wf")))


def file_for(path: str, key: str) -> str | None:
    """The file itself, or of a folder the file for a document; None if there is none.

    Its name is the key, with or without one more suffix, or else the key without its own suffix.
    """
    folder = Path(path)
    if not folder.is_dir():
        return path
    files = sorted(file for file in folder.iterdir() if file.is_file())
    for stem in dict.fromkeys((key, key.rstrip("."), Path(key).stem)):
        for file in files:
            if stem in {file.name, file.stem}:
                return str(file)
    return None


def _naf_text(tokens: Iterable[tuple[str, str, str]]) -> NafText:
    words: dict[str, str] = {}
    sentences: dict[str, str] = {}
    repeated: list[str] = []
    for token, word, sentence in tokens:
        if token in words:
            repeated.append(token)
        if token:
            words[token], sentences[token] = word, sentence
    return NafText(words, sentences, tuple(repeated))


@dataclass(frozen=True)
class NafFile:
    """A KAF or NAF file: its root, its text, and the tokens of each term."""

    root: _Element
    text: NafText
    terms: Mapping[str, tuple[str, ...]]

    def layer(self, name: str) -> Iterator[_Element]:
        """The elements of that name anywhere in the file, in document order."""
        return (node for node in self.root.iter() if local_name(node) == name)


def read_naf(part: SourcePart, report: ConversionReport) -> NafFile:
    """The file with its text and terms; of several tokens or terms with one id the last one counts."""
    root = parse(part)
    tokens: dict[str, tuple[str, str, str]] = {}
    terms: dict[str, tuple[str, ...]] = {}
    for node in root.iter():
        name = local_name(node)
        if name not in {"wf", "term", "target"}:
            continue
        identifier = id_under(attributes(node), "wid" if name == "wf" else "tid")
        if not identifier:
            message = f"expected {name!r} with an id, found none; it is not read"
            report.warn("element-without-id", message, line_of(node), path=part.path)
        elif name != "target":
            if identifier in (tokens if name == "wf" else terms):
                message = f"the id of this {name!r} is used twice; the last one counts"
                report.warn("repeated-id", message, line_of(node), path=part.path)
            if name == "wf":
                tokens[identifier] = _token(node)
            else:
                terms[identifier] = targets(node)
    return NafFile(root, _naf_text(tokens.values()), terms)


def spans(node: _Element) -> list[_Element]:
    """The spans of an entity or property, directly below it or within ``references``, as they stand in the file."""
    found = []
    for child in node:
        if local_name(child) == "span":
            found.append(child)
        elif local_name(child) == "references":
            found.extend(children(child, "span"))
    return found


def span_targets(span: _Element) -> tuple[str, ...]:
    """The ids that a span points to, in their order."""
    found = (id_under(attributes(target), "tid") for target in children(span, "target"))
    return tuple(identifier for identifier in found if identifier)


def targets(node: _Element) -> tuple[str, ...]:
    """The ids that the spans directly below an element point to."""
    return tuple(identifier for span in children(node, "span") for identifier in span_targets(span))


class Resolver:
    """Turns term ids into elements of token ids, and counts ids that lead nowhere."""

    def __init__(self, part: SourcePart, report: ConversionReport) -> None:
        self.naf = read_naf(part, report)
        self.report = report

    def tokens(self, terms: Iterable[str]) -> tuple[str, ...]:
        """The tokens of terms, in the order of the targets, each once."""
        found: dict[str, None] = {}
        for term in terms:
            if term not in self.naf.terms:
                self.report.add("unknown-annotation", "ids that are no term", term)
            for token in self.naf.terms.get(term, ()):
                if token in self.naf.text.words:
                    found[token] = None
                else:
                    self.report.add("unknown-token", "ids of tokens that are not in the text", token)
        return tuple(found)

    def element(self, terms: Sequence[str], label: str = "") -> TripleElement | None:
        """The element of these terms; None if there are terms and none of them has tokens."""
        ids = self.tokens(terms)
        if terms and not ids:
            return None
        return TripleElement(ids, label, self.naf.text.comment(ids)) if ids or label else EMPTY_ELEMENT

    def triples(
        self, name: str, triple: Triple, first: TripleElement | None, second: TripleElement | None
    ) -> Iterator[Triple]:
        """The triple with both elements, or a finding that it was left out."""
        if first is None or second is None:
            reason = f"triples of the layer {name} without tokens"
            self.report.add("unresolved-element", reason, triple.id or triple.relation)
            return
        yield triple._replace(first=first, second=second)


def _sentiment(values: Mapping[str, str], parts: Sequence[Sequence[str]] = SENTIMENT_PARTS) -> list[str]:
    return [next((values[name] for name in names if values.get(name)), "") for names in parts]


def _term_sentiment(resolver: Resolver, settings: Options) -> Iterator[Triple]:
    ignored_part = _MODIFIER_PART if settings.get("modifier-alone-is-nothing", False) else None
    counted = [part for part in SENTIMENT_PARTS if part != ignored_part]
    for term in resolver.naf.layer("term"):
        sentiments = map(attributes, children(term, "sentiment"))
        filled = [one for one in sentiments if one.get("resource") or any(_sentiment(one, counted))]
        if filled:
            identifier = id_under(attributes(term), "tid")
            triple = Triple("#".join(_sentiment(filled[0])), id=identifier, layer="term")
            yield from resolver.triples("term", triple, resolver.element((identifier,)), EMPTY_ELEMENT)
            for _ in filled[1:]:
                resolver.report.add("repeated-element", "sentiments of a term beside its first", identifier)


class _Opinion(NamedTuple):
    """An opinion with its participants in the order holder, target."""

    id: str
    relation: str
    expression: tuple[str, ...]
    participants: tuple[tuple[str, tuple[str, ...]], ...]
    overlaps: tuple[str, ...]


def _read_opinion(node: _Element, settings: Options) -> _Opinion:
    holders, aims = children(node, "opinion_holder"), children(node, "opinion_target")
    expressions = children(node, "opinion_expression")
    values = attributes(expressions[0]) if expressions else {}
    if settings.get("opinion-modifier-unread", False):
        for name in ("sentiment_modifier", "semantic_type"):
            values.pop(name, None)
    participants = []
    for holder in holders:
        kind = attributes(holder).get("type", "")
        participants.append((f"holder:{kind}" if kind else "holder", targets(holder)))
    participants.extend(("target", targets(aim)) for aim in aims)
    parts = [node] if settings.get("overlap-on-opinion-only", False) else [node, *holders, *aims]
    overlaps = (attributes(part).get(name) for part in parts for name in ("overlap_ents", "overlap_props"))
    return _Opinion(
        id=id_under(attributes(node), "oid"),
        relation="#".join(_sentiment(values)),
        expression=targets(expressions[0]) if expressions else (),
        participants=tuple(participant for participant in participants if participant[1]),
        overlaps=tuple(filter(None, overlaps)),
    )


def _opinions(resolver: Resolver, settings: Options) -> Iterator[Triple]:
    named: frozenset[str] = frozenset()
    intersect = settings.get("intersect", False)
    if intersect and not settings.get("overlap-on-opinion-only", False):
        nodes = chain.from_iterable(map(resolver.naf.layer, ("entity", "property")))
        named = frozenset(term for node in nodes for span in spans(node) for term in span_targets(span))
    for node in resolver.naf.layer("opinion"):
        opinion = _read_opinion(node, settings)
        for _ in children(node, "opinion_expression")[1:]:
            resolver.report.add("repeated-element", "expressions of an opinion beside its first", opinion.id)
        meets_entity = any(not named.isdisjoint(terms) for _, terms in opinion.participants)
        if intersect and not opinion.overlaps and not meets_entity:
            resolver.report.add("no-intersection", "opinions that meet no entity or property", opinion.id)
            continue
        yield from _opinion_triples(resolver, opinion)


def _opinion_triples(resolver: Resolver, opinion: _Opinion) -> Iterator[Triple]:
    triple = Triple(opinion.relation, id=opinion.id, profile_id=" ".join(opinion.overlaps), layer="opinion")
    first = resolver.element(opinion.expression)
    for label, terms in opinion.participants:
        yield from resolver.triples("opinion", triple, first, resolver.element(terms, label))
    if not opinion.participants:
        yield from resolver.triples("opinion", triple, first, EMPTY_ELEMENT)


def _span_triples(layer: str, resolver: Resolver, _settings: Options) -> Iterator[Triple]:
    for node in resolver.naf.layer(layer):
        values = attributes(node)
        kind = values.get("type", "") or (values.get("lemma", "") if layer == "property" else "")
        triple = Triple(kind, id=id_under(values, "eid" if layer == "entity" else "pid"), layer=layer)
        for span in spans(node):
            # A triple without tokens could never be matched.
            terms = span_targets(span)
            first = resolver.element(terms) if terms else None
            yield from resolver.triples(layer, triple, first, EMPTY_ELEMENT)


def _relation_of_role(role: _Element) -> str:
    written = attributes(role).get("semrole", "")
    if written:
        return written
    references = (node for node in role.iter() if local_name(node) == "externalref")
    return next((attributes(node).get("reference", "") for node in references), "")


def _semantic_roles(resolver: Resolver, _settings: Options) -> Iterator[Triple]:
    for predicate in resolver.naf.layer("predicate"):
        identifier = id_under(attributes(predicate), "prid", "pid")
        roles = children(predicate, "role")
        first = resolver.element(targets(predicate), "predicate") if roles else None
        for role in roles:
            triple = Triple(_relation_of_role(role), id=identifier, layer="srl")
            yield from resolver.triples("srl", triple, first, resolver.element(targets(role), "role"))


def _dependencies(resolver: Resolver, _settings: Options) -> Iterator[Triple]:
    for number, node in enumerate(resolver.naf.layer("dep"), start=1):
        values = attributes(node)
        triple = Triple(values.get("rfunc", ""), id=f"d{number}", layer="deps")
        first, second = (resolver.element((values.get(name, ""),)) for name in ("from", "to"))
        yield from resolver.triples("deps", triple, first, second)


Conversion = Callable[[Resolver, Mapping[str, object]], Iterator[Triple]]
CONVERSIONS: dict[str, Conversion] = {
    "term-sentiment": _term_sentiment,
    "opinion": _opinions,
    "entity": partial(_span_triples, "entity"),
    "property": partial(_span_triples, "property"),
    "srl": _semantic_roles,
    "dep": _dependencies,
}
"""The function that makes the triples of each layer, in the order of the output."""


def chunk_baseline(resolver: Resolver, settings: Options) -> Iterator[Triple]:
    """A triple for every ordered pair of different chunk heads of a sentence.

    A head is the set of tokens of its term; heads stand in the order of their first tokens.  With
    ``baseline-by-token`` (the reference) every token of a head is an element by itself, and the triples have neither
    id nor layer nor comments.
    """
    by_token = settings.get("baseline-by-token", False)
    relation = text_option(settings, "baseline-relation", "patient")
    comment = resolver.naf.text.comment
    number = 0
    for heads in _heads_by_sentence(resolver):
        elements = list(dict.fromkeys((token,) for head in heads for token in head)) if by_token else heads
        for pair in permutations(elements, 2):
            number += 1
            if by_token:
                first, second = map(TripleElement, pair)
                yield Triple(relation, first, second)
            else:
                first, second = (TripleElement(head, "", comment(head)) for head in pair)
                yield Triple(relation, first, second, id=f"b{number}", layer="chunk")


def _heads_by_sentence(resolver: Resolver) -> list[list[tuple[str, ...]]]:
    text = resolver.naf.text
    order = {token: place for place, token in enumerate(text.words)}
    sentences: dict[str, dict[frozenset[str], tuple[str, ...]]] = {}
    for node in resolver.naf.layer("chunk"):
        values = attributes(node)
        head = resolver.tokens((values.get("head", ""),))
        if head:
            sentences.setdefault(text.sentences[head[0]], {}).setdefault(frozenset(head), head)
        else:
            name = id_under(values, "cid")
            resolver.report.add("unresolved-element", "chunks whose head has no tokens", name)
    in_order = dict.fromkeys(sentence for sentence in text.sentences.values() if sentence in sentences)
    return [
        sorted(sentences[sentence].values(), key=lambda head: min(order[token] for token in head))
        for sentence in in_order
    ]


def read(source: Source, settings: Options, name: str = "naf") -> Corpus:
    """The triples of the wanted ``layers`` of each file, or of the ``baseline``."""
    layers = list_option(settings, "layers") or tuple(CONVERSIONS)
    unknown = [layer for layer in layers if layer not in CONVERSIONS]
    if unknown:
        raise UsageError(f"no layer {unknown[0]!r}", hint=f"known: {', '.join(CONVERSIONS)}")
    if settings.get("no-srl-no-dep", False):
        layers = tuple(layer for layer in layers if layer not in {"srl", "dep"})
    return corpus_of_parts(source, name, lambda part: _document(part, layers, settings))


def _document(part: SourcePart, layers: Sequence[str], settings: Options) -> Document:
    report = ConversionReport(part)
    resolver = Resolver(part, report)
    report.expect_places(resolver.naf.root, _EXPECTED_CHILDREN)
    made = [convert(resolver, settings) for layer, convert in CONVERSIONS.items() if layer in layers]
    if settings.get("baseline", "none") == "chunks":
        made = [chunk_baseline(resolver, settings)]
    return report.document(chain.from_iterable(made), settings)


_EXPECTED_CHILDREN = {
    "text": {"wf"},
    "terms": {"term"},
    "term": {"span", "sentiment"},
    "deps": {"dep"},
    "chunks": {"chunk"},
    "chunk": {"span"},
    "entities": {"entity"},
    "entity": {"references", "span"},
    "properties": {"property"},
    "property": {"references", "span"},
    "references": {"span"},
    "span": {"target"},
    "opinions": {"opinion"},
    "opinion": {"opinion_holder", "opinion_target", "opinion_expression"},
    "srl": {"predicate"},
    "predicate": {"role", "span"},
    "reference": (),  # an attribute
}
_NAMES = xml_names(
    "text wf wid id sent para terms term tid lemma pos span target sentiment resource polarity strength subjectivity"
    " factual sentiment_modifier sentiment_semantic_type sentiment_product_feature deps dep from to rfunc chunks chunk"
    " cid phrase head entities entity eid type references properties property pid overlap_ents overlap_props opinions"
    " opinion oid opinion_holder opinion_target opinion_expression semantic_type srl predicate prid role rid semRole"
    " externalReferences externalRef reference",
    "coreferences coref constituency tree nonterminals terminals edge raw lp name version modifier",
    any_case=True,
)
NAF = READ_AS_TRIPLES._replace(
    name="naf",
    title="NAF",
    extensions=(".naf",),
    recognise=partial(has_tag, b"<naf"),
    read=read,
    names=_NAMES,
)
KAF = NAF._replace(
    name="kaf",
    title="KAF",
    extensions=(".kaf",),
    recognise=partial(has_tag, b"<kaf"),
    read=partial(read, name="kaf"),
)
