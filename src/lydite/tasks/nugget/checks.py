"""Which checks a nugget file goes through, and how severe a finding is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from lydite.align.attributes import NORMALISATIONS, n2
from lydite.align.comparison import MentionComparison
from lydite.checks import ontology, structure
from lydite.checks.windows import missing_windows
from lydite.errors import Finding, FormatError, Location, Severity, errors_among
from lydite.escaping import counted
from lydite.formats.lists import read_character_counts, read_type_list
from lydite.formats.source import open_source
from lydite.formats.tbf import TBF
from lydite.formats.tokens import TokenTable
from lydite.grouping import grouped
from lydite.memory import kept_for_a_run
from lydite.model import Corpus, Document, DocumentPair, Span
from lydite.model.mention import COREFERENCE, NOT_ANNOTATED
from lydite.pipeline.sides import in_official_order
from lydite.pipeline.task import every_character
from lydite.registry import did_you_mean
from lydite.tasks.nugget import coreference
from lydite.tasks.nugget.documents import (
    ATTRIBUTES_LAYER,
    invisible_tokens,
    keep_compared_mentions,
    pair_documents,
    spell_token,
    stops_at_duplicate_id,
    token_table,
)
from lydite.tasks.nugget.measurements import attribute_sets, measurement_name
from lydite.tasks.nugget.settings import NuggetSettings
from lydite.tasks.reading import check_documents
from lydite.tasks.reading import pair_documents as every_document

_CYCLES = frozenset({"link-cycle", "long-cycle"})
KNOWN_REALIS = frozenset({"actual", "generic", "other", n2(NOT_ANNOTATED)})


def severity(finding: Finding, settings: NuggetSettings) -> Severity:
    """The severity of a finding under a profile and its reading mode.

    ``refuse``: what the profile lists under ``errors`` and ``further-errors`` is an error.  ``as-official``: only what
    stops the official program is; everything else is a warning.  Without ``validate-links`` cycles of links are warnings.
    """
    if finding.code in _CYCLES and not settings.validate_links:
        return "warning"
    if settings.reading == "refuse":
        fatal = finding.code in settings.errors or finding.code in settings.further_errors
    elif finding.code == "relation-column-count":
        rule = settings.relation_columns
        if rule == "any" and settings.measures_coreference:
            rule = "at-least-3"
        found = int(finding.item or 0)
        fatal = found != 3 if rule == "exactly-3" else rule == "at-least-3" and found < 3
    elif finding.code == "relation-unknown-mention" and finding.severity == "warning":
        fatal = False
    else:
        fatal = (
            finding.code in settings.official_errors
            or finding.code in settings.further_official_errors
            or (settings.measures_coreference and finding.code in settings.official_coref_errors)
            or (settings.measures_sequencing and finding.code in settings.official_sequencing_errors)
        )
    if fatal:
        return "error"
    return "note" if finding.severity == "note" else "warning"


def severity_if_not_scored(finding: Finding, settings: NuggetSettings) -> Severity:
    """The severity in a document that is not scored: the official program does not read it, so nothing stops it there.

    An unknown token is no error either without a token table: only gold's documents need to have one.
    """
    if finding.severity != "error":
        return finding.severity
    not_looked_up = finding.code == "unknown-token" and token_table(settings, finding.document or "") is None
    return "warning" if settings.reading == "as-official" or not_looked_up else "error"


def check(document: Document, side: str, settings: NuggetSettings) -> Iterator[Finding]:
    """The findings on one document by itself."""
    yield from structure.duplicate_ids(document)
    yield from structure.duplicate_mentions(document)
    yield from structure.malformed_spans(document)
    yield from structure.unknown_realis(document, KNOWN_REALIS, n2)
    yield from _check_types(document, settings)
    yield from _check_lengths(document, settings)
    yield from _check_texts(document, settings)
    yield from _check_tokens(document, side, settings)
    if document.relations:
        if not settings.relation_lines and settings.reading == "as-official":
            yield from structure.relations_as_mentions(document)
        yield from structure.relation_members(document)
        # Clusters and links are scored without what the white list removes, and spans without invisible words.
        scored = keep_compared_mentions(document, settings)
        yield from structure.overlapping_clusters(scored)
        yield from structure.same_span_in_cluster(scored)
        if any(relation.name != COREFERENCE for relation in document.relations):
            yield from structure.unknown_relations(document)
            yield from structure.links_with_too_many_members(scored)
            yield from structure.link_cycles(scored, unknown_ends=settings.unknown_id_stands_for_chain)
    if settings.given and side == "system":
        yield from structure.given_mentions(document, _given_documents(settings).get(document.doc_id))


def check_submission(corpus: Corpus, _side: str, settings: NuggetSettings) -> Iterator[Finding]:
    """Findings of validation alone: words that differ from the text in the file."""
    if not settings.documents:
        from lydite.tasks.placing import check_corpus_words

        yield from check_corpus_words(corpus, settings, every_character)


def _check_types(document: Document, settings: NuggetSettings) -> Iterator[Finding]:
    code: str
    severity: Severity
    if settings.type_list:
        # The official validator strips white space and case from its list, and nothing else.
        lines = ("".join(line.split()).lower() for line in read_type_list(settings.type_list))
        known, where = {name: name for name in lines}, settings.type_list
        code, severity = "unknown-type", "error"
    elif settings.type_inventory != "none":
        known, where = _inventory(settings.type_inventory), f"the inventory {settings.type_inventory!r}"
        code, severity = "type-not-in-inventory", "warning"
    else:
        return
    yield from ontology.types_outside(
        document, known, code=code, severity=severity, where=where, normalise=n2
    )


@lru_cache(maxsize=8)
def _inventory(name: str) -> dict[str, str]:
    return {n2(written): written for written in (*ontology.inventories()[name], NOT_ANNOTATED)}


def _check_lengths(document: Document, settings: NuggetSettings) -> Iterator[Finding]:
    if not settings.character_counts:
        return
    lengths = read_character_counts(settings.character_counts)
    if document.doc_id not in lengths:
        hint = did_you_mean(document.doc_id, list(lengths))
        message = f"document {document.doc_id!r} is not in {settings.character_counts}"
        yield document.finding("unknown-document", "error", message, hint=hint)
        return
    yield from structure.spans_out_of_range(document, lengths[document.doc_id])


def _check_texts(document: Document, settings: NuggetSettings) -> Iterator[Finding]:
    if not settings.documents:
        return
    text = every_character(settings.documents, document.doc_id, settings)
    if text is None:
        message = f"no source text {document.doc_id}.txt in {settings.documents}"
        yield document.finding("source-text-missing", "warning", message)
        return
    from lydite.tasks.placing import check_words

    yield from structure.spans_out_of_range(document, len(text))
    yield from structure.differing_text_columns(document, text)
    yield from check_words(document, text, mentions=False)


def _check_tokens(document: Document, side: str, settings: NuggetSettings) -> Iterator[Finding]:
    if settings.unit != "token":
        return
    table = token_table(settings, document.doc_id)
    if table is None:
        if settings.tokens:
            name = f"token table {document.doc_id}{settings.token_suffix}"
            message = f"no {name} in {settings.tokens}: {_consequence(settings)}"
            yield document.finding("token-table-missing", "warning", message)
            if settings.reading != "as-official":
                where = f"the {name}, which is missing"
                yield from structure.unknown_tokens(document, (), where)
        return
    if side == "gold":
        yield from table.findings
    document, findings = spell_as_table(document, table, settings, side)
    yield from findings
    yield from structure.invisible_spans(document, invisible_tokens(table, settings))


def spell_as_table(
    document: Document, table: TokenTable, settings: NuggetSettings, side: str = "system"
) -> tuple[Document, list[Finding]]:
    """The document with token ids as the table spells them, and findings about other spellings and unknown ids."""
    known = table.strings
    findings: list[Finding] = []
    if settings.reading != "as-official":
        written = dict.fromkeys(token for one in document.mentions for token in one.span.tokens)
        spelt = {token: spell_token(token, known) for token in written}
        findings.extend(_check_spelling(document, spelt, known))
        document = document._replace(
            mentions=tuple(
                one._replace(span=Span(tokens=tuple(spelt[token] for token in one.span.tokens)))
                for one in document.mentions
            )
        )
    hint = None
    if side == "system" and settings.official_layout == "evmeval-1.1":
        hint = "version 1.1 stops at such a token of a paired mention when it writes a comparison file"
    findings.extend(structure.unknown_tokens(document, known, f"the token table {table.path}", hint))
    return document, findings


def _check_spelling(
    document: Document, spelt: Mapping[str, str], known: Collection[str]
) -> Iterator[Finding]:
    """A finding for each way in which token ids differ from those of the table, the same for all documents of a file.

    There is none where the table numbers its rows and every id is ``t`` and such a number, as in the 2015 document.
    """
    if all(token == f"t{other}" for token, other in spelt.items()) and _number_rows(known):
        return
    ways = dict.fromkeys(len(token) > len(other) for token, other in spelt.items() if token != other)
    for longer in ways:
        difference = "with a 't' that the tables lack" if longer else "without the 't' of the tables"
        one, other = ("t48", "48") if longer else ("48", "t48")
        message = f"token ids are written {difference}: {one} is taken as the table's {other}"
        yield Finding("token-id-spelling", "warning", message, Location(document.path))


def _number_rows(ids: Collection[str]) -> bool:
    """Whether the ids are the numbers of the rows, counted from 0 or from 1."""
    first = next(iter(ids), "")
    return first in {"0", "1"} and all(row == str(number) for number, row in enumerate(ids, int(first)))


def _consequence(settings: NuggetSettings) -> str:
    return "no word is invisible" if settings.invisible_words else "token ids are not checked"


def check_corpus(corpus: Corpus, side: str, settings: NuggetSettings) -> Iterator[Finding]:
    """Documents that were handed out with mentions and did not come back."""
    if settings.given and side == "system":
        given = _given_documents(settings).items()
        missing = (document for doc_id, document in given if doc_id not in corpus.documents)
        yield from structure.given_documents(missing, corpus.path)


def _given_documents(settings: NuggetSettings) -> Mapping[str, Document]:
    """The documents that were handed out; errors in their file are raised, for a submission cannot be checked then."""
    documents, read = _read_given_documents(str(settings.given), settings.unit)
    findings = [finding._replace(severity=severity(finding, settings)) for finding in read]
    if errors_among(findings):
        raise FormatError(findings)
    return documents


@kept_for_a_run(4)
def _read_given_documents(path: str, unit: str) -> tuple[Mapping[str, Document], tuple[Finding, ...]]:
    corpus = TBF.read(open_source(path, extensions=TBF.extensions), {"unit": unit})
    documents = dict(corpus.documents)
    return documents, (*corpus.findings, *(one for each in documents.values() for one in each.findings))


def check_findings(findings: Sequence[Finding], _settings: NuggetSettings) -> Iterator[Finding]:
    """More than ten relation lines of unknown names in a file are an error, placed at the eleventh."""
    files = grouped(
        (finding.location.path, finding)
        for finding in findings
        if finding.code == "unknown-relation" and finding.location
    )
    for unknown in files.values():
        if len(unknown) > 10:
            # Findings come in the order of document ids, which need not be that of the file.
            eleventh = sorted(unknown, key=lambda one: (one.location and one.location.line) or 0)[10]
            yield eleventh._replace(
                code="too-many-unknown-relations",
                severity="error",
                message=f"{len(unknown)} relation lines of unknown names; more than ten are an error",
            )


# ------------------------------------------------------------------------------------------------- both sides


def check_corpora(gold: Corpus, system: Corpus, settings: NuggetSettings) -> Iterator[Finding]:
    """Documents and windows that one side lacks, and units that do not fit together."""
    yield from missing_windows(gold, system)
    units = gold.facts.get("unit"), system.facts.get("unit")
    if None not in units and units[0] != units[1] and len(system) and len(gold):
        message = f"gold spans are of unit {units[0]}, the spans of {system.name} of unit {units[1]}"
        hint = "convert one of them, or say --unit if one was taken for the other"
        yield Finding("units-differ", "error", message, Location(system.path), hint=hint)
    elif (
        settings.unit not in {units[0], "auto"}
        and units[0] is not None
        and any(document.mentions for document in gold.documents.values())
    ):
        message = f"the spans are of unit {units[0]}, the run is of unit {settings.unit}"
        hint = f"choose a profile of unit {units[0]}, or --unit {units[0]}; lydite convert changes units (--to-unit)"
        yield Finding("units-differ", "error", message, Location(gold.path), hint=hint)
    if settings.unit == "token" and not settings.tokens:
        message = f"no token tables were given: {_consequence(settings)}"
        hint = "name the folder of token tables with --tokens"
        yield Finding("token-table-missing", "warning", message, Location(gold.path), hint=hint)
    if settings.unit == "char" and settings.tokens:
        message = "the spans are read as offsets, so the token tables are not used"
        hint = "if their numbers are token ids, say --unit token"
        yield Finding("token-tables-not-used", "warning", message, Location(gold.path), hint=hint)
    yield from _check_duplicate_id_stop(gold, system, settings)
    yield from check_documents(gold, system, settings)


def _check_duplicate_id_stop(gold: Corpus, system: Corpus, settings: NuggetSettings) -> Iterator[Finding]:
    """How many documents were scored before a duplicate id ended the run."""
    if not stops_at_duplicate_id(settings):
        return
    doc_ids = in_official_order(every_document(gold, system, settings))
    scored = pair_documents(gold, system, settings)
    if len(scored) == len(doc_ids):
        return
    last = doc_ids[len(scored)]
    message = (
        f"the run ends at a duplicate mention id in document {last!r}: "
        f"{len(scored)} of {len(doc_ids)} documents were scored"
    )
    hint = "renumber the mentions, or score all documents with --quirk stop-at-duplicate-id=off"
    place = Location(system.path)
    yield Finding("stopped-at-duplicate-id", "warning", message, place, last, hint=hint)
    if not scored:
        message = "no document was scored, so there are no coreference figures either"
        yield Finding("no-document-scored", "warning", message, place)


def check_pair(pair: DocumentPair, settings: NuggetSettings) -> Iterator[Finding]:
    """Findings on a prepared pair that concern its score: an empty side, attributes that were not annotated."""
    gold, system = pair.gold, pair.system
    if not gold.mentions:
        message = f"document {pair.doc_id!r} has no gold mentions"
        yield gold.finding("no-gold-mentions", "note", message)
    elif not system.mentions:
        message = f"document {pair.doc_id!r} has no system mentions"
        yield system.finding("no-system-mentions", "note", message)
    if settings.unit != "token" and gold.text and system.text:
        from lydite.checks.placing import differing_texts

        yield from differing_texts(gold, system)
    if not settings.placeholder_never_matches:
        yield from _check_placeholders(gold, settings)
    if settings.drop_zero_documents and settings.measures_coreference:
        from lydite.align.chains import has_clusters

        if not (has_clusters(gold) or has_clusters(system)):
            message = f"document {pair.doc_id!r} has no clusters on either side: its average is without MUC"
            yield gold.finding("no-chains-on-either-side", "note", message)


def _check_placeholders(gold: Document, settings: NuggetSettings) -> Iterator[Finding]:
    placeholder = NORMALISATIONS[settings.normalisation](NOT_ANNOTATED)
    for attribute in settings.placeholder:
        values = gold.layers[ATTRIBUTES_LAYER][attribute] if gold.layers else ()
        if placeholder not in values:
            continue
        for mention, value in zip(gold.mentions, values, strict=True):
            if value == placeholder:
                message = f"{attribute} of gold mention {mention.id!r} is {NOT_ANNOTATED}: any system value is right"
                yield gold.finding("attribute-not-annotated", "note", message, mention.line, mention.id)


def check_comparison(comparison: MentionComparison, settings: NuggetSettings) -> Iterator[Finding]:
    """Findings on a compared document: doubtful links, no place in coreference, pairings that are not the only ones."""
    yield from coreference.check_relations(comparison, settings)
    if settings.measures_coreference and coreference.is_left_out(comparison, settings):
        gold = comparison.gold
        message = f"document {gold.doc_id!r} is left out of coreference: its average is 0"
        yield gold.finding(_ZERO, "note", message)
    yield from _check_pairings(comparison, settings)


_ZERO = "document-average-zero"


def check_comparisons(
    gold: Corpus, system: Corpus, findings: Sequence[Finding], settings: NuggetSettings
) -> Iterator[Finding]:
    """Whether every document is left out of coreference because its average is 0."""
    left_out = sum(finding.code == _ZERO for finding in findings)
    if left_out and left_out == len(pair_documents(gold, system, settings)):
        message = "every document is left out of coreference: no average is above 0"
        hint = (
            "version 1.6.2 ends here with exit status 1 and an empty report (its revision of October 2015 prints"
            " detection alone, which is not repeated); --coref off scores detection"
        )
        yield Finding("no-document-above-zero", "warning", message, Location(system.path), hint=hint)


def _check_pairings(comparison: MentionComparison, settings: NuggetSettings) -> Iterator[Finding]:
    """Under optimal pairing: where greedy pairing would give another credit, and where several pairings are optimal."""
    if settings.pairing != "optimal":
        return
    from lydite.align.optimal import components, exact_credit, has_ties

    for agree in attribute_sets(settings):
        name = measurement_name(agree)
        best, greedy = comparison.align(agree), comparison.align_greedily(agree)
        other = len(set(best.pairs) - set(greedy.pairs))
        if other and exact_credit(best.pairs) != exact_credit(greedy.pairs):
            message = f"{name}: greedy pairing would give another credit, by {counted(other, 'other pair')}"
            yield comparison.system.finding("greedy-differs", "warning", message)
        ties = sum(has_ties(group) for group in components(comparison.agreeing_candidates(agree)))
        if ties:
            message = f"{name}: {counted(ties, 'group')} of mentions with more than one best pairing"
            yield comparison.system.finding("tied-pairing", "note", message)
