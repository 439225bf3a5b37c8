"""The checks of the arguments task, and the severity of their findings."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from lydite.align.arguments import WITHOUT_ID
from lydite.checks import arguments as checks
from lydite.checks.placing import differing_texts, lying_offsets
from lydite.checks.quotes import quoted_regions
from lydite.checks.windows import differing_windows, missing_windows
from lydite.errors import Finding, Location, Severity
from lydite.escaping import counted
from lydite.formats.bridges import with_layers
from lydite.formats.eal import OFFICIAL, as_in_store
from lydite.formats.quote_filters import kept_quote_filter, unknown_documents
from lydite.formats.taxonomy import kept_taxonomy
from lydite.formats.texts import EXTENSIONS, document_id
from lydite.formats.unplaced import CODE as WITHOUT_PLACE
from lydite.grouping import grouped
from lydite.model import Corpus, Document, DocumentPair, LazyDocuments
from lydite.model.argument import Filler, without_additional
from lydite.model.argument_alignment import Refusal
from lydite.model.argument_lines import lines_of
from lydite.registry import did_you_mean
from lydite.tasks.arguments.documents import (
    ArgumentComparison,
    listed_documents,
    open_linking,
    source_text,
    text_if_given,
    texts_of,
)
from lydite.tasks.arguments.exact import EventComparison, lonely_triggers
from lydite.tasks.arguments.items import ItemComparison
from lydite.tasks.arguments.settings import ArgumentSettings
from lydite.tasks.placing import check_corpus_words


def severity(finding: Finding, settings: ArgumentSettings) -> Severity:
    """``refuse``: as the check says.  ``as-official``: what does not stop the official program is a warning."""
    if finding.code == WITHOUT_PLACE and settings.match == "words":
        return "note"  # where words alone are compared they need no place
    if finding.code == "not-an-event":
        return "error"  # such mentions would not be compared at all
    if settings.reading == "refuse" or finding.severity != "error":
        return finding.severity
    if finding.code == "column-count":
        # The official reader wants eleven columns and does not mind more.
        return "error" if int(finding.item or 0) < 11 else "warning"
    return "error" if finding.code in settings.official_errors and finding.item != OFFICIAL else "warning"


def check(document: Document, side: str, settings: ArgumentSettings) -> Iterator[Finding]:
    """Checks of the form of a document, before scoring and in validation."""
    if settings.match != "assessment":
        if not _is_listed(document.doc_id, settings):
            return
        # Findings about events that are made from other layers here, and again when they are compared.
        yield from with_layers(document, ("events",)).findings[len(document.findings) :]
        yield from checks.place_findings(document)
    elif _is_checked(document, settings):
        yield from _reader_findings(document, settings, gold=side == "gold" or settings.annotation)


def _reader_findings(document: Document, settings: ArgumentSettings, *, gold: bool) -> Iterator[Finding]:
    return checks.reader_findings(
        as_in_store(document),
        "gold" if gold else "system",
        integer_ids=settings.integer_ids and not lines_of(document).nested,
        everything=settings.reading != "refuse",
    )


_UNREAD = frozenset(
    {"encoding", "confidence", "assessment-value"}
    | {"docid", "realis", "span-syntax", "span-order", "empty-justification", "empty-set"}
)
"""Findings about lines of which something could not be read; those of the second row make no argument in a store."""


def conversion_findings(document: Document, settings: ArgumentSettings) -> Iterator[Finding]:
    """The findings of the reader, for a conversion: errors about lines that cannot be written as they are, else warnings."""
    rows = lines_of(document).rows
    written = {row.line or document.line or None for row in rows}
    side = "gold" if any(row.width == 18 for row in rows) else "system"
    for problem in checks.reader_findings(as_in_store(document), side, integer_ids=False):
        finding = problem._replace(severity=severity(problem, settings))
        was_read = finding.code not in _UNREAD or finding.item == OFFICIAL
        is_written = was_read and finding.location is not None and finding.location.line in written
        yield finding._replace(severity="warning") if is_written and finding.severity == "error" else finding


def _is_checked(document: Document, settings: ArgumentSettings) -> bool:
    """Whether the file is one of the corpus and in the layout of the profile; if not, check_submission reports it."""
    corpus_documents = _corpus_documents(settings)
    if corpus_documents and not _is_in_corpus(document.doc_id, corpus_documents):
        return False
    return settings.frames or not lines_of(document).nested


def _validation_findings(document: Document, settings: ArgumentSettings, *, gold: bool) -> Iterator[Finding]:
    """Findings of the checks that only validation makes: taxonomy, offsets, dates, lengths, rules between judgements."""
    if not lines_of(document).readable or not _is_checked(document, settings):
        return
    problems = list(_reader_findings(document, settings, gold=gold))
    document = checks.restrict_to_width(document, 18 if gold else 11)
    columns = list(_column_findings(document, settings))
    yield from columns
    if gold:
        yield from checks.accepted_date_findings(document)
        faulty = frozenset(checks.faulty_lines([*problems, *columns]))
        yield from checks.consistency_findings(document, faulty)
        yield from checks.unaccepted_id_findings(document, faulty)
    else:
        yield from _submission_findings(document, settings)


def _corpus_documents(settings: ArgumentSettings) -> Collection[str]:
    """The documents that a store may have files for; empty if that is not known."""
    texts = texts_of(settings)
    return listed_documents(settings) or (texts.files if texts is not None else ())


def _is_listed(doc_id: str, settings: ArgumentSettings) -> bool:
    listed = listed_documents(settings)
    return not listed or doc_id in listed


def _is_in_corpus(doc_id: str, names: Collection[str]) -> bool:
    """Whether a document is among these names of documents or of their source files."""
    return doc_id in names or any(f"{doc_id}{ending}" in names for ending in EXTENSIONS)


def _column_findings(document: Document, settings: ArgumentSettings) -> Iterator[Finding]:
    """Findings about columns 2–10, which both kinds of store have."""
    yield from checks.taxonomy_findings(document, kept_taxonomy(settings.taxonomy))
    text = text_if_given(document.doc_id, settings)
    if text is not None:
        yield from checks.bounds_findings(document, text)


def _submission_findings(document: Document, settings: ArgumentSettings) -> Iterator[Finding]:
    """Findings about a submission alone, which can still be changed."""
    yield from checks.date_findings(document)
    yield from checks.shape_findings(
        document,
        mention=settings.max_mention_length,
        justification=settings.max_justification_length,
        spans=settings.max_justification_spans,
    )
    identifies = settings.additional_justification_identifies
    yield from checks.repeated_findings(document, additional_identifies=identifies)
    text = text_if_given(document.doc_id, settings)
    if text is not None:
        yield from checks.text_findings(document, text)
        yield from lying_offsets(document, text)
        yield from checks.quote_findings(document, quoted_regions(text).regions)


def check_submission(corpus: Corpus, side: str, settings: ArgumentSettings) -> Iterator[Finding]:
    """The checks that validation makes and scoring does not: the content of lines, and missing and surplus files."""
    if settings.match != "assessment":
        listed = [doc_id for doc_id in corpus.documents if _is_listed(doc_id, settings)]
        documents = LazyDocuments(listed, corpus.documents.__getitem__)
        yield from check_corpus_words(replace(corpus, documents=documents), settings, source_text)
        return
    gold = side == "gold" or settings.annotation
    for document in corpus.documents.values():
        yield from _validation_findings(document, settings, gold=gold)
    for finding in corpus.findings:
        if finding.code == "clutter":
            hint = "leave hidden files and __MACOSX out of the archive"
            yield finding._replace(code="extra-document", severity="error", hint=hint)
        elif finding.code == "linking-document":
            yield finding._replace(severity="error")
    nested = corpus.facts.get("layout") == "linking" and not settings.frames
    for folder in corpus.facts["folders"] if nested else ():
        message = f"contains the folder {folder!r}"
        hint = "this profile wants the files themselves at the top"
        yield Finding("subdirectory", "error", message, Location(corpus.path), item=folder, hint=hint)
    if settings.frames and not gold:
        for document in corpus.documents.values():
            yield from checks.linking_findings(document)
    files = frozenset() if nested else frozenset(corpus.documents)
    corpus_documents = _corpus_documents(settings)
    if not corpus_documents:
        return
    for doc_id in sorted(files):
        if not _is_in_corpus(doc_id, corpus_documents):
            message = f"{doc_id!r} is not a document of the corpus"
            hint = "files are named after their document, without an extension"
            yield Finding("extra-document", "error", message, Location(corpus.path), item=doc_id, hint=hint)
    for name in () if gold else sorted(corpus_documents):
        doc_id = document_id(name)
        if files.isdisjoint({name, doc_id}):
            message = f"the store has no file for the document {doc_id!r}"
            hint = "a system that found nothing gives an empty file"
            yield Finding("missing-document", "error", message, Location(corpus.path), item=doc_id, hint=hint)


def check_corpora(gold: Corpus, system: Corpus, settings: ArgumentSettings) -> Iterator[Finding]:
    """Findings about windows that a side lacks, listed documents that neither has, and the store of the gold linking."""
    yield from missing_windows(gold, system, only=listed_documents(settings))
    for doc_id in listed_documents(settings):
        if doc_id not in gold.documents and doc_id not in system.documents:
            message = f"document-list names {doc_id!r}, which neither gold nor the system {system.name} has"
            hint = did_you_mean(doc_id, list(gold.documents)) or "is it a file? then it is not there"
            yield Finding("listed-document-missing", "warning", message, Location(system.path), hint=hint)
    if settings.frames and settings.linking:
        yield from open_linking(settings.linking).findings
    if settings.quote_filter and settings.match == "assessment":
        known = kept_quote_filter(settings.quote_filter)
        yield from unknown_documents(known, system.path, system.documents)


def check_pair(pair: DocumentPair, settings: ArgumentSettings) -> Iterator[Finding]:
    """Findings about sides with different texts, and about the lines of files that are not checked otherwise.

    Validation reports of a surplus file only that; if it is scored, its bad lines must be reported as well.
    """
    if settings.match == "sentences":
        yield from differing_windows(pair.gold, pair.system)
    if settings.match == "spans":
        yield from differing_texts(pair.gold, pair.system)
        if settings.given == "triggers":
            yield from _differing_triggers(pair, settings)
    for document in (pair.gold, pair.system) if settings.match == "assessment" else ():
        if not _is_checked(document, settings):
            yield from _reader_findings(document, settings, gold=document is pair.gold)


def _differing_triggers(pair: DocumentPair, settings: ArgumentSettings) -> Iterator[Finding]:
    """An error if the sides do not have the same triggers, though the system was given those of gold."""
    lonely = lonely_triggers(pair, settings)
    if lonely:
        kind, place = lonely[0]
        at = ",".join(f"{begin}-{end}" for begin, end in place)
        message = f"document {pair.doc_id!r}: {counted(len(lonely), 'trigger')} on one side alone, the first is {kind} at {at}"
        hint = "without --given triggers, triggers are scored too"
        yield pair.system.finding("triggers-differ", "error", message, hint=hint)


def check_comparison(comparison: EventComparison, settings: ArgumentSettings) -> Iterator[Finding]:
    """Refusals of a document under the profile, and warnings about what is easily overlooked."""
    if isinstance(comparison, ItemComparison):
        yield from comparison.findings()
        return
    if not isinstance(comparison, ArgumentComparison):
        yield from comparison.wordless
        return
    yield from comparison.inconsistencies
    refusals = comparison.refusals
    if settings.reading == "refuse":
        yield from _strings_without_id(comparison)
        refusals = tuple(refusal for refusal in refusals if refusal.code != WITHOUT_ID)
    for refusal in refusals:
        yield _refusal_finding(refusal, comparison)
    yield from _differing_in_additional(comparison, settings)


def _strings_without_id(comparison: ArgumentComparison) -> Iterator[Finding]:
    """A note for each side of a document on its strings without coreference id; :func:`check_findings` adds them up.

    A string of the system that gold has as well is gold's.
    """
    pair = comparison.pair
    known: set[Filler] = set()
    for document, side in ((pair.gold, "gold"), (pair.system, "system")):
        refusals = (one for one in comparison.refusals if one.code == WITHOUT_ID and one.side == side)
        found = {one.argument.canonical for one in refusals if one.argument} - known
        known |= found
        if found:
            message = f"{_count_strings(len(found))}; each is a class of its own"
            yield Finding(
                WITHOUT_ID, "note", message, Location(document.path), pair.doc_id, item=str(len(found))
            )


def _count_strings(number: int) -> str:
    return f"{counted(number, 'string')} without coreference id"


def check_findings(findings: Sequence[Finding], _settings: ArgumentSettings) -> Iterator[Finding]:
    """How many strings of each store are without coreference id in all documents together."""
    notes = [one for one in findings if one.code == WITHOUT_ID and one.severity == "note"]
    stores = grouped(
        (one.location.path.removesuffix(f"/{one.document}"), one)
        for one in dict.fromkeys(notes)
        if one.location
    )
    for store, found in stores.items():
        total = sum(int(one.item or 0) for one in found)
        message = f"{_count_strings(total)} in {counted(len(found), 'document')}; each is a class of its own"
        hint = "the official program refuses such stores (--reading as-official); -v names the documents"
        yield Finding(WITHOUT_ID, "warning", message, Location(store), hint=hint)


def _refusal_finding(refusal: Refusal, comparison: ArgumentComparison) -> Finding:
    pair, rules, forms = comparison.pair, comparison.gold.rules, comparison.system.forms
    document = pair.gold if refusal.side == "gold" else pair.system
    line = refusal.line
    message = refusal.message
    if refusal.argument is not None:
        if line is None:
            rows = ((rules.identified(row.argument), row.line or None) for row in lines_of(document).rows)
            line = next((at for one, at in rows if refusal.argument in {one, forms.get(one)}), None)
        about = f"{refusal.argument.event_type} {refusal.argument.role}: {refusal.argument.text!r}"
        message = f"{message} ({about})"
    place = Location(refusal.path or document.path, line)
    return Finding(refusal.code, refusal.severity, message, place, pair.doc_id, hint=refusal.hint)


def _differing_in_additional(comparison: ArgumentComparison, settings: ArgumentSettings) -> Iterator[Finding]:
    """Warnings about unassessed system arguments that differ from an assessed one in additional justification alone."""
    pair = comparison.pair
    if not settings.additional_justification_identifies or not comparison.alignment.counts.unassessed:
        return
    assessments, forms = comparison.gold.assessments, comparison.system.forms
    known = set(map(without_additional, assessments))
    for row in lines_of(pair.system).rows:
        form = forms.get(row.argument, row.argument)
        if form not in assessments and without_additional(form) in known:
            message = "not assessed, but an assessed argument differs from it in column 9 alone"
            hint = "under kbp2014-text additional justification does not tell arguments apart"
            place = Location(pair.system.path, row.line, 9)
            yield Finding("differs-in-column-9", "warning", message, place, pair.doc_id, hint=hint)
