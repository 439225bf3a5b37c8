"""The documents of relations: which are compared, and what the files decide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from lydite.checks.windows import differing_windows, missing_windows
from lydite.errors import Finding, Location, Severity, refuse
from lydite.escaping import counted
from lydite.model import Corpus, Document, DocumentPair, LazyDocuments
from lydite.model.document import Facts
from lydite.model.event_pairs import EVENT_PAIRS
from lydite.model.facts import FACTS
from lydite.model.graphs import GRAPHS
from lydite.profile import Profile
from lydite.tasks.reading import ScoredDocuments, check_documents
from lydite.tasks.relations.settings import RelationSettings

OF_ENTITIES = frozenset({"rel+", "entity"})
"""The measures that need the entities that relations join."""


PROGRAMS = {"spert": "spert", "dygie": "pure", "oneie": "oneie"}
"""The profile that repeats the figures of the program whose output a format is."""


def known_program(corpora: Sequence[Corpus]) -> tuple[str, str] | None:
    """The profile exact, and which other profile repeats the figures of the program that wrote the files."""
    formats = dict.fromkeys(corpus.format for corpus in corpora if corpus.format)
    why = f"the files are {' and '.join(formats)}"
    programs = [
        f"{PROGRAMS[name]} repeats the figures of its program" for name in formats if name in PROGRAMS
    ]
    return "exact", "; ".join((why, *programs))


FILE_DECIDES = {"docred": "docred", "maven-ere": "maven-ere"}
"""The profile of formats whose items have no places in sentences."""


def infer_profile(corpora: Sequence[Corpus]) -> tuple[str, str] | None:
    """The profile that files decide by themselves, else exact."""
    formats = {corpus.format for corpus in corpora if corpus.format}
    if len(formats) == 1 and (name := FILE_DECIDES.get(next(iter(formats)))):
        return name, f"the files are {next(iter(formats))}"
    return known_program(corpora) if formats else None


def decide(profile: Profile[RelationSettings], corpora: Sequence[Corpus]) -> Mapping[str, object]:
    """Where a system has relations without entities, only the relations are measured."""
    if not any(corpus.facts.get("untyped_ends") for corpus in corpora):
        return {}
    left = tuple(name for name in profile.settings.measures if name not in OF_ENTITIES)
    return {"measures": left or ("rel",)}


def match_documents(
    gold: Corpus, systems: Sequence[Corpus], _settings: object
) -> tuple[Corpus, Sequence[Corpus]]:
    """Records that some side does not name are aligned by their order on all sides."""
    sides = [gold, *systems]
    if all(side.facts.get("named", True) for side in sides):
        return gold, systems
    for system in systems:
        if "named" in system.facts and len(system) != len(gold):
            message = f"{counted(len(gold), 'record')} in gold and {len(system)} in {system.name}"
            hint = "only their order aligns these records; orig_id on both sides aligns them by name"
            raise refuse(Location(system.path), "records-differ", message, hint=hint)
    first, *others = (_by_position(side) if "named" in side.facts else side for side in sides)
    return first, others


def _by_position(corpus: Corpus) -> Corpus:
    """The corpus with its documents named by their positions."""
    names = {str(number): doc_id for number, doc_id in enumerate(corpus.documents, 1)}

    def load(doc_id: str) -> Document:
        document = corpus.documents[names[doc_id]]
        windows = document.layers["windows"]._replace(by="position")
        return document._replace(doc_id=doc_id, layers={**document.layers, "windows": windows})

    facts: Facts = {**corpus.facts, "records": dict.fromkeys(names, ())}
    return replace(corpus, documents=LazyDocuments(names, load), facts=facts)


LAYER_OF = {"places": GRAPHS, "entities": FACTS, "events": EVENT_PAIRS}
"""The layer that is compared, by what relations join."""


def check(document: Document, _side: str, settings: RelationSettings) -> Iterator[Finding]:
    """An error about a document that does not have what the profile compares."""
    layer = LAYER_OF[settings.relation_ends]
    if layer not in document.layers:
        held = (
            ", ".join(sorted({*document.layers, *(["mentions"] if document.mentions else [])})) or "nothing"
        )
        message = f"document {document.doc_id!r}: expected {layer}, found {held}"
        hint = "the profile decides what is compared: docred facts, maven-ere pairs of events, the others sentences"
        yield document.finding("no-relations", "error", message, hint=hint)


def check_corpora(gold: Corpus, system: Corpus, settings: ScoredDocuments) -> Iterator[Finding]:
    """Windows and documents that a side lacks."""
    if "records" in gold.facts and "records" in system.facts:
        yield from missing_windows(
            gold, system, only=(settings.only_document,) if settings.only_document else ()
        )
        if settings.only_document is None:
            return
    yield from check_documents(gold, system, settings)


def check_pair(pair: DocumentPair, _settings: RelationSettings) -> Iterator[Finding]:
    """Windows whose tokens differ."""
    return differing_windows(pair.gold, pair.system)


def severity(finding: Finding, settings: RelationSettings) -> Severity:
    """The severity of a finding: what the profile lists is an error."""
    refused = (*settings.errors, *settings.further_errors)
    listed = refused if settings.reading == "refuse" else settings.official_errors
    if finding.code in listed:
        return "error"
    return "warning" if finding.severity == "error" else finding.severity
