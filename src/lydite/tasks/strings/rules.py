"""The rules by which strings are compared, for every layer: measurements, headline, comparison of a document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lydite.errors import UsageError
from lydite.model import Corpus, Document, DocumentPair
from lydite.model.string_items import STRINGS_LAYER, StringEntity, StringEvent, StringItems, StringRelation
from lydite.model.summary import COUNTS
from lydite.pipeline.task import Headline, Measurement
from lydite.profile import Profile
from lydite.tasks.figures import Errors, Hits, MeansOfTypes, Named
from lydite.tasks.outcomes import Compared, FigureLine, measurement_of
from lydite.tasks.strings import forms, in_text, programs
from lydite.tasks.strings.in_text import TextItem
from lydite.tasks.strings.settings import StringSettings

_ITEMS_OF = {
    "entities": ("entity",),
    "relations": ("strict", "boundaries"),
    "events": ("trigger", "argument"),
}


def _form_lines(whole: str, without: str) -> list[FigureLine]:
    metric = "string-agreement"
    return [FigureLine(whole, whole, metric, Hits(), ("type",)), FigureLine(without, without, metric, Hits())]


def _in_text_lines(name: str, fillers: str = "") -> list[FigureLine]:
    lines = [FigureLine(name, name, "string-agreement", Hits(), ("type",))]
    if fillers:
        lines.append(FigureLine(fillers, fillers, "string-agreement", Hits(), ("type",)))
    return [*lines, FigureLine("dropped", "dropped", COUNTS, Named())]


def _written_lines(layer: str) -> list[FigureLine]:
    return [
        FigureLine(f"{block} {item}", item, block, Hits())
        for block in ("multiset", "set", "reuse")
        for item in _ITEMS_OF[layer]
    ]


def _closed_lines() -> list[FigureLine]:
    return [
        line
        for name in ("boundaries", "strict")
        for line in (
            FigureLine(name, name, "errors", Errors(), ("type",)),
            FigureLine(f"{name} means", name, "mean-of-types", MeansOfTypes()),
        )
    ]


RULES: Mapping[str, Mapping[str, Sequence[FigureLine]]] = {
    "forms": {"entities": _form_lines("entity", "detection"), "relations": _form_lines("relation", "pair")},
    "in-text": {
        "entities": _in_text_lines("entities"),
        "relations": _in_text_lines("relations"),
        "events": _in_text_lines("events", "arguments"),
    },
    "as-written": {layer: _written_lines(layer) for layer in _ITEMS_OF},
    "generated": {
        "entities": [FigureLine("entity", "entity", "errors", Errors())],
        "relations": [FigureLine("relation", "relation", "errors", Errors())],
    },
    "closed-types": {"relations": _closed_lines()},
}
"""The lines of a report, by rule and layer; the first line is the headline."""


def measurements(layer: str, settings: StringSettings) -> list[Measurement[Compared]]:
    """The measurements of a layer."""
    return [measurement_of(line) for line in RULES[settings.compare_strings][layer]]


def headline(layer: str, settings: StringSettings) -> Headline:
    """The figure that ranks systems."""
    first = RULES[settings.compare_strings][layer][0]
    return Headline(first.name, first.metric)


def items_of(document: Document) -> StringItems:
    """The items of a document by their words; what has offsets alone gets the words that stand there."""
    found = document.layers.get(STRINGS_LAYER)
    if found is not None:
        return found
    text = document.text or ""

    def words(written: str, ranges: Sequence[tuple[int, int]]) -> str:
        found = written or " ".join(text[begin:end] for begin, end in ranges)
        if not found:
            message = f"document {document.doc_id!r}: an item without words, and the profile compares words"
            raise UsageError(message, hint="give the text of the document, or choose a profile of offsets")
        return found

    entities = tuple(
        StringEntity(one.type, (words(one.text, one.span.ranges),), line=one.line)
        for one in document.mentions or ()
    )
    relations = tuple(
        StringRelation(one.relation, (words(one.first.label, ()),), (words(one.second.label, ()),))
        for one in document.layers.get("triples", ())
    )
    events = tuple(
        StringEvent(
            event.type,
            words(event.text, event.trigger),
            tuple((one.role, words(one.text, one.span)) for one in event.arguments),
        )
        for event in document.layers.get("events", ())
    )
    return StringItems(entities, relations, events)


def compare(pair: DocumentPair, layer: str, settings: StringSettings) -> Compared:
    """Compare a document under the rule of the profile."""
    gold, system = items_of(pair.gold), items_of(pair.system)
    rule = settings.compare_strings
    if rule == "forms":
        return forms.compare(pair, gold, system, layer, settings.steps, counting=settings.counting)
    if not pair.gold.present:
        return Compared(pair, [], {})
    if rule == "as-written":
        return programs.compare_as_written(pair, gold, system, layer)
    if rule == "generated":
        return programs.compare_generated(pair, gold, system, layer)
    if rule == "closed-types":
        return programs.compare_closed_types(pair, gold, system, settings.types)
    return in_text.compare(
        pair,
        list(_text_items(gold, layer, settings.roles)),
        list(_text_items(system, layer, settings.roles)),
        text_of(pair, settings),
        settings.types,
        drops_hallucinated=settings.hallucinated_left_out,
        name=layer,
        fillers="arguments" if layer == "events" else "",
    )


def text_of(pair: DocumentPair, settings: StringSettings) -> str:
    """The text of a document: that of the folder of texts, else gold's."""
    if settings.documents:
        from lydite.formats.texts import source_text

        found = source_text(settings.documents, pair.doc_id)
        if found is not None:
            return found
    return pair.gold.text or ""


def _text_items(items: StringItems, layer: str, roles: Mapping[str, Sequence[str]]) -> Iterator[TextItem]:
    if layer == "entities":
        for at, one in enumerate(items.entities):
            yield TextItem(one.label, one.forms[:1], f"entities[{at}]", trims=True)
    elif layer == "relations":
        for at, relation in enumerate(items.relations):
            ends = (relation.head[0], relation.tail[0])
            yield TextItem(relation.type, ends, f"relations[{at}]", is_relation=True)
    else:
        for at, event in enumerate(items.events):
            words = () if event.trigger is None else (event.trigger,)
            place = f"events[{at}]"
            yield TextItem(event.type, words, place, tuple(_fillers(event, roles, place)))


def _fillers(
    event: StringEvent, roles: Mapping[str, Sequence[str]], place: str
) -> Iterator[tuple[str, str, str]]:
    for at, (role, words) in enumerate(event.arguments):
        if role in roles.get(event.type, ()):
            yield role, words, f"{place}.arguments[{at}]"


def decide(layer: str, profile: Profile[StringSettings], corpora: Sequence[Corpus]) -> dict[str, object]:
    """The closed lists of types and roles that gold shows, where the run does not name them."""
    settings = profile.settings
    if settings.compare_strings not in {"in-text", "closed-types"} or (settings.types and settings.roles):
        return {}
    roles: dict[str, dict[str, None]] = {}
    for document in corpora[0].documents.values():
        items = items_of(document)
        if layer == "entities":
            roles.update({one.label: {} for one in items.entities})
        elif layer == "relations":
            roles.update({one.type: {} for one in items.relations})
        for event in items.events if layer == "events" else ():
            roles.setdefault(event.type, {}).update(dict.fromkeys(role for role, _ in event.arguments))
    decided: dict[str, object] = {} if settings.types else {"types": tuple(roles)}
    if layer == "events" and not settings.roles:
        decided["roles"] = {name: tuple(found) for name, found in roles.items()}
    return decided
