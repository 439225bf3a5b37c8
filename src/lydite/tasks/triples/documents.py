"""Pairing the documents of gold and system, and preparing each as the profile asks for it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from lydite.align.triple_scope import SKIPPED, Preparation, first_element_scope, sentence_scope
from lydite.errors import Finding, Location, Severity, UsageError, refuse
from lydite.escaping import counted
from lydite.formats import EXTENSIONS, FORMATS, lists, serves
from lydite.formats.lydite_jsonl import LYDITE
from lydite.formats.naf import NafText, file_for, read_text
from lydite.formats.triples import TRIPLES, without_quotes
from lydite.model import Corpus, Document, DocumentPair, LazyDocuments
from lydite.model.triple import Triple
from lydite.pipeline.task import Confidence
from lydite.profile import Profile
from lydite.registry import did_you_mean
from lydite.tasks.triples.settings import TripleSettings

LOCATION = "LOCATION"

SINGLE = "document"
"""The id of the document of a single file."""


def match_documents(
    gold: Corpus, systems: Sequence[Corpus], settings: TripleSettings
) -> tuple[Corpus, Sequence[Corpus]]:
    """Gold and systems with common document ids.

    Two single files belong together whatever their names, unless both name the document in them.  The files of folders
    belong together by name, by the name without its last N characters (``ignore-file-suffix``), or as ``document-map``
    says; where the formats differ, by the name without the extension of a format.
    """
    if settings.document_map:
        partners = lists.read_document_map(settings.document_map)
        return gold, [_rename_documents(system, partners) for system in systems]
    if _is_single(gold) and all(map(_is_single, systems)):
        named = (doc_id for one in (gold, *systems) if _is_named(one) for doc_id in one.documents)
        name = next(named, SINGLE)
        return _rename_single(gold, name), [_rename_single(system, name) for system in systems]
    if not settings.ignore_file_suffix and len({gold.format, *(system.format for system in systems)}) > 1:
        return _strip_extensions(gold), [_strip_extensions(system) for system in systems]
    return _shorten_names(gold, settings), [_shorten_names(system, settings) for system in systems]


def _strip_extensions(corpus: Corpus) -> Corpus:
    """The corpus with documents named after their files without the extension, unless two would have one name."""
    names = {name: _without_extension(name, corpus.format) for name in corpus.documents}
    return _rename_documents(corpus, names) if len(set(names.values())) == len(names) else corpus


def _without_extension(name: str, format_name: str) -> str:
    endings = [ending for ending, names in EXTENSIONS.items() if any(serves(one, "triples") for one in names)]
    if format_name in FORMATS.plugins():
        endings += FORMATS[format_name].extensions
    found = [ending for ending in endings if name.endswith(ending) and name != ending]
    return name.removesuffix(max(found, key=len)) if found else name


def _is_single(corpus: Corpus) -> bool:
    return len(corpus) == 1 and not corpus.facts.get("folder", False)


def _rename_single(corpus: Corpus, name: str) -> Corpus:
    """The corpus with its one document under this name, so that renaming its file changes no signature.

    A document that is named inside its file keeps that name.
    """
    return corpus if _is_named(corpus) else _rename_documents(corpus, dict.fromkeys(corpus.documents, name))


def _is_named(corpus: Corpus) -> bool:
    """Whether a single file names its document otherwise than by its own file name; an object always does."""
    return corpus.facts.get("named", False) or (
        corpus.format == LYDITE.name
        and all(_without_extension(name, LYDITE.name) == name for name in corpus.documents)
    )


def _shorten_names(corpus: Corpus, settings: TripleSettings) -> Corpus:
    cut = settings.ignore_file_suffix
    if not cut or _is_single(corpus):
        return corpus
    short = [name for name in corpus.documents if len(name) <= cut]
    if short:
        raise UsageError(
            f"{corpus.path}: the name {short[0]!r} has no more than the {counted(cut, 'character')} to be ignored",
            hint="choose a smaller ignore-file-suffix",
        )
    return _rename_documents(corpus, {name: name[:-cut] for name in corpus.documents})


def _rename_documents(corpus: Corpus, names: Mapping[str, str]) -> Corpus:
    original: dict[str, str] = {}
    for name in corpus.documents:
        key = names.get(name, name)
        if key in original:
            message = f"the files {original[key]!r} and {name!r} would both be document {key!r}"
            hint = "choose a smaller ignore-file-suffix, or give a document-map"
            raise refuse(corpus.path, "duplicate-document", message, hint=hint)
        original[key] = name
    documents = LazyDocuments(
        tuple(original), lambda key: corpus.documents[original[key]]._replace(doc_id=key)
    )
    return replace(corpus, documents=documents)


def decide(profile: Profile[TripleSettings], corpora: Sequence[Corpus]) -> dict[str, object]:
    """Whether unary triples count apart: where gold, or else a system, is in brat and has relations."""
    settings = profile.settings
    if settings.unary == "apart" and settings.ignore_element_second:
        message = "unary=apart and ignore-element-second exclude each other: without second elements all triples are unary"
        raise UsageError(message, hint="leave one of them out")
    if settings.unary != "auto":
        return {}
    with_relations = [bool(corpus.facts.get("relations")) for corpus in corpora if corpus.format == "brat"]
    apart = with_relations[0] if corpora and corpora[0].format == "brat" else any(with_relations)
    return {"unary": "apart" if apart and not settings.ignore_element_second else "together"}


def pair_documents(gold: Corpus, system: Corpus, settings: TripleSettings) -> Collection[str]:
    """The gold documents; without those that the system lacks, if these are skipped."""
    if settings.missing_documents == "skip":
        return [doc_id for doc_id in gold.documents if doc_id in system.documents]
    return gold.documents


def check_corpora(gold: Corpus, system: Corpus, settings: TripleSettings) -> Iterator[Finding]:
    """Findings about documents without partner, bad lines of a relation mapping, and filtered relations that do not occur."""
    severity: Severity = "error" if settings.missing_documents == "error" else "warning"
    effect = {"empty": "it counts as empty", "skip": "the document is skipped", "error": "it must be there"}
    for doc_id in sorted(doc_id for doc_id in gold.documents if doc_id not in system.documents):
        message = f"{system.name} has no document {doc_id!r}: {effect[settings.missing_documents]}"
        yield Finding("document-without-system", severity, message, Location(system.path), doc_id)
    for doc_id in sorted(doc_id for doc_id in system.documents if doc_id not in gold.documents):
        message = f"gold has no document {doc_id!r}: it is not scored"
        yield Finding("document-without-gold", "warning", message, Location(system.path), doc_id)
    if settings.unary == "apart":
        message = (
            "triples without second element are not in the headline: they are the measurement 'unary_triples'"
        )
        hint = "--unary together counts them with the others"
        yield Finding("unary-apart", "note", message, hint=hint)
    if settings.relation_mapping:
        yield from lists.read_relation_mapping(settings.relation_mapping).findings
    if settings.relation_filter:
        yield from _unknown_relations(gold, system, settings.relation_filter, _relation_names(settings))


def _unknown_relations(
    gold: Corpus, system: Corpus, path: str, mapping: Mapping[str, str]
) -> Iterator[Finding]:
    known = {
        mapping.get(triple.relation, triple.relation)
        for corpus in (gold, system)
        for document in corpus.documents.values()
        for triple in triples_of(document)
    }
    for name in lists.read_relation_filter(path):
        if name not in known:
            message = f"relation {name!r} of the filter occurs neither in gold nor in system"
            hint = did_you_mean(name, sorted(known))
            yield Finding("unknown-relation", "warning", message, Location(path), item=name, hint=hint)


def _relation_names(settings: TripleSettings) -> Mapping[str, str]:
    path = settings.relation_mapping
    return lists.read_relation_mapping(path).names if path else {}


def preparation(settings: TripleSettings) -> Preparation:
    """The steps that the settings ask for before triples are compared."""
    dropped = SKIPPED if settings.skip_time_and_location else frozenset()
    if settings.drop_location:
        dropped |= {LOCATION}
    path = settings.relation_filter
    return Preparation(
        mapping=_relation_names(settings),
        dropped=dropped,
        relations=frozenset(lists.read_relation_filter(path)) if path else None,
        first_label=None if settings.unread_label_filters else settings.element_first_filter,
        second_label=None if settings.unread_label_filters else settings.element_second_filter,
        without_second=settings.ignore_element_second and not settings.participant_stands_for_roles,
    )


def prepare(document: Document, settings: TripleSettings) -> Document:
    """The document with its triples as they are compared: relations mapped, triples filtered, ignored elements emptied."""
    return _with_triples(document, preparation(settings).apply(triples_of(document)))


def convert(corpus: Corpus, settings: TripleSettings) -> Corpus:
    """The corpus with its relations mapped, and nothing else changed.

    Under ``mapping-fills-profile`` (the reference) LOCATION triples are lost, quotes go from comments, and an empty
    ``profile_id`` gets the relation from before the mapping.
    """
    if not settings.relation_mapping:
        return corpus
    mapping = lists.read_relation_mapping(settings.relation_mapping)
    as_reference = settings.mapping_fills_profile
    steps = Preparation(mapping.names, dropped=frozenset())

    def load_mapped(doc_id: str) -> Document:
        document = corpus.documents[doc_id]
        triples = triples_of(document)
        if as_reference:
            triples = tuple(
                without_quotes(triple)._replace(profile_id=triple.profile_id or triple.relation)
                for triple in triples
                if triple.relation != LOCATION
            )
        return _with_triples(document, steps.apply(triples))

    findings = (*corpus.findings, *mapping.findings)
    return replace(corpus, documents=LazyDocuments(corpus.documents, load_mapped), findings=findings)


def triples_of(document: Document) -> tuple[Triple, ...]:
    """The triples of a document; none if the side lacks it."""
    triples: tuple[Triple, ...] = document.layers.get(TRIPLES, ())
    return triples


def _with_triples(document: Document, triples: Iterable[Triple]) -> Document:
    return document._replace(layers={**document.layers, TRIPLES: tuple(triples)})


def content(document: Document, settings: TripleSettings) -> list[str]:
    """The triples as text for the content hash, sorted unless credit depends on their order."""
    lines = []
    for relation, (first, *more), (second, *rest), *others in triples_of(document):
        parts = (relation, " ".join(first), *more, " ".join(second), *rest, *map(str, others))
        lines.append("\x1f".join(parts))
    if settings.unary == "apart":
        lines.append("unary apart")  # the same triples in another format have other figures
    return lines if settings.matching == "first-come" else sorted(lines)


def scope_kind(settings: TripleSettings) -> str:
    """The kind of scope: ``token-range``, ``sentences``, ``first-elements`` or ``none``."""
    kind: str = settings.scope
    has_range = bool(settings.token_range) and not settings.unread_token_range
    if kind == "auto":
        return "token-range" if has_range else "sentences" if settings.text else "none"
    if kind == "token-range":
        return kind if has_range else "none"
    if settings.token_range:
        raise UsageError(f"a token range and scope={kind} exclude each other", hint="leave one of them out")
    if kind == "sentences" and not settings.text:
        hint = "name the KAF or NAF file with the setting 'text'"
        raise UsageError("scope=sentences needs the text", hint=hint)
    return kind


def scope_of(pair: DocumentPair, settings: TripleSettings) -> frozenset[str] | None:
    """The token ids in scope for a prepared pair; None puts everything in range."""
    kind = scope_kind(settings)
    gold = triples_of(pair.gold)
    if kind == "token-range":
        path = file_for(settings.token_range or "", pair.doc_id)
        return lists.read_token_range(path, empty_means_all=settings.empty_range_means_all) if path else None
    if kind == "sentences":
        text = text_of(pair, settings)
        return sentence_scope(gold, text.sentences) if text else None
    return first_element_scope(gold) if kind == "first-elements" else None


def text_of(pair: DocumentPair, settings: TripleSettings) -> NafText | None:
    """The text of a document, if one was given."""
    path = file_for(settings.text, pair.doc_id) if settings.text else None
    return read_text(path) if path else None


# ------------------------------------------------------------------------------------------------ confidences


def _confidences(document: Document, _settings: TripleSettings) -> Iterator[float | None]:
    return (triple.profile_confidence for triple in triples_of(document))


def _drop_below(document: Document, threshold: float, _settings: TripleSettings) -> Document:
    triples = triples_of(document)
    return _with_triples(document, (one for one in triples if (one.profile_confidence or 0.0) >= threshold))


CONFIDENCE = Confidence(_confidences, _drop_below)
