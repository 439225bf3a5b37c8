"""Findings about coreference input, and how severe they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from lydite.align.clusters import Repeat
from lydite.checks.windows import missing_windows
from lydite.errors import Finding, Location, Severity
from lydite.escaping import counted, first_of
from lydite.model import Corpus, Document, DocumentPair
from lydite.model.cluster import mention_text
from lydite.model.windows import SENTENCES
from lydite.tasks.coref.comparison import Coreference
from lydite.tasks.coref.settings import SAME, CorefSettings
from lydite.tasks.reading import check_documents

if TYPE_CHECKING:
    from lydite.align.nodes import NodePairing
    from lydite.model.nodes import Sentence

REPEAT_LIMIT = 10
_RAND_INDICES = frozenset({"rand", "adjusted-rand"})
"""Metrics that are defined on one set of mentions."""


def severity(finding: Finding, settings: CorefSettings) -> Severity:
    """The severity of a finding: under ``refuse`` the profile lists errors, under ``as-official`` what stops the program."""
    if finding.code in {"repeated-mention", "repeat-dropped"}:
        return "error" if settings.repeats == "error" else "warning"
    if finding.code == "texts-differ":
        return finding.severity if settings.reading == "refuse" else "warning"
    if finding.code in {"mention-in-two-clusters", "no-trees"}:
        return "error"  # the first is found only where no setting says how to read it, the second where nothing can be paired
    if finding.code == "no-common-document" and finding.severity == "warning":
        return "warning"  # a table without rows shares no document and scores zero
    listed = settings.errors if settings.reading == "refuse" else settings.official_errors
    if finding.code in listed:
        return "error"
    return "note" if finding.severity == "note" else "warning"


def severity_if_not_scored(finding: Finding, _settings: CorefSettings) -> Severity:
    """A mention in two clusters is only a warning in a document that is not scored: it moves no figure."""
    return "warning" if finding.code == "mention-in-two-clusters" else finding.severity


def check_pair(pair: DocumentPair, settings: CorefSettings) -> Iterator[Finding]:
    """Different numbers of tokens on the two sides, by which spans may mean other words; documents that a side lacks."""
    if settings.match != SAME:
        for document in (pair.gold, pair.system):
            if document.present and "trees" not in document.layers:
                message = f"match = {settings.match} needs mentions over nodes with heads, which this file does not have"
                hint = (
                    "give CorefUD files and score them document by document, or choose --profile conll-8.01"
                )
                yield document.finding("no-trees", "error", message, hint=hint)
        return
    yield from _mentions_without_words(pair)
    if SENTENCES in pair.gold.layers and SENTENCES in pair.system.layers:
        yield from _differing_words(pair)
        return
    if not (_knows_tokens(pair.gold) and _knows_tokens(pair.system)):
        return
    gold, system = _token_counts(pair.gold), _token_counts(pair.system)
    place = Location(pair.system.path, pair.system.line or None)
    for doc_id, count in gold.items():
        theirs = system.get(doc_id)
        if count is not None and theirs is not None and theirs != count:
            message = f"document {doc_id!r} has {counted(count, 'token')} in gold and {theirs} here"
            hint = "were the two sides tokenised alike?"
            yield Finding("token-count-differs", "warning", message, place, doc_id, hint=hint)
    if not ("token-counts" in pair.gold.layers and "token-counts" in pair.system.layers):
        return
    for doc_id in sorted(gold.keys() ^ system.keys()):
        code, consequence = (
            ("document-missing-in-system", "is missing here; all its mentions are missed")
            if doc_id in gold
            else ("document-missing-in-gold", "is not in gold; all its mentions are spurious")
        )
        message = f"document {doc_id!r} of {pair.doc_id!r} {consequence}"
        yield Finding(code, "warning", message, place, doc_id)


def _differing_words(pair: DocumentPair) -> Iterator[Finding]:
    """The first token that differs; an error, if the sides are cut into other tokens."""
    gold, system = pair.gold.layers[SENTENCES], pair.system.layers[SENTENCES]
    if gold.words == system.words:
        return
    ours, theirs = list(chain.from_iterable(gold.words)), list(chain.from_iterable(system.words))
    if gold.counted and system.counted:
        other_tokens = [*map(len, gold.words)] != [*map(len, system.words)]
    else:
        other_tokens = len(ours) != len(theirs)
    pairs = enumerate(zip_longest(ours, theirs))
    at, (ours_at, theirs_at) = next(
        (one for one in pairs if one[1][0] != one[1][1]), (len(ours), (None, None))
    )
    if ours_at == theirs_at and not other_tokens:
        return
    here, there = (repr(word) if word is not None else "no token" for word in (ours_at, theirs_at))
    message = f"document {pair.doc_id!r}: token {at} is {here} in gold, {there} here"
    if ours_at == theirs_at:
        message = f"document {pair.doc_id!r}: the sentences here have other numbers of tokens than in gold"
    hint = "were both sides made from the same text? --reading as-official compares token numbers as they are"
    place = Location(pair.system.path, pair.system.line or None)
    yield Finding(
        "texts-differ", "error" if other_tokens else "warning", message, place, pair.doc_id, hint=hint
    )


def _mentions_without_words(pair: DocumentPair) -> Iterator[Finding]:
    """Mentions whose addresses lead to no word, where files have the words of the documents."""
    for document in (pair.gold, pair.system):
        load = document.layers.get("addressed-words")
        if load is None or not (words := load()).words:
            continue
        mentions = {member for cluster in document.layers["clusters"] for member in cluster.members}
        lost = sorted(mention_text(member) for member in mentions if not words.places_of(member))
        if lost:
            verb = "has" if len(lost) == 1 else "have"
            message = f"{len(lost)} of {counted(len(mentions), 'mention')} {verb} no words in the files of --documents ({first_of(lost)})"
            hint = "what stands behind # is the id of a term or a token of the document before it"
            yield Finding(
                "unknown-token", "warning", message, Location(document.path), pair.doc_id, hint=hint
            )


def _knows_tokens(document: Document) -> bool:
    return "token-count" in document.layers or "token-counts" in document.layers


def _token_counts(document: Document) -> Mapping[str, int | None]:
    """The numbers of tokens of the document, or of each document of a unit; None where the format does not tell."""
    counts: Mapping[str, int | None] = document.layers.get(
        "token-counts", {document.doc_id: document.layers.get("token-count")}
    )
    return counts


def check_comparison(comparison: Coreference, settings: CorefSettings) -> Iterator[Finding]:
    """Mentions that are written twice, and sides whose mentions differ where a metric needs the same ones."""
    for repeat in comparison.repeats:
        document = comparison.pair.gold if repeat.side == "gold" else comparison.pair.system
        # A table says of its rows which of them are refused.
        if not any(finding.code == "mention-in-two-clusters" for finding in document.findings):
            yield _repeat_finding(document, repeat, settings)
    if comparison.paired is not None:
        yield from _pairing_findings(comparison.pair, comparison.paired)
        return
    needs_same_mentions = "blanc-original" in settings.metrics and not settings.complete
    indices = sorted(_RAND_INDICES.intersection(settings.metrics))
    if not (needs_same_mentions or indices) or comparison.alignment.has_same_mentions:
        return
    doc_id, system = comparison.pair.doc_id, comparison.pair.system
    if needs_same_mentions:
        message = f"document {doc_id!r}: blanc-original needs the same mentions on both sides"
        hint = "--complete gives each side the mentions that it lacks as singletons"
        yield system.finding("mentions-differ", "error", message, hint=hint)
    if indices:
        message = (
            f"document {doc_id!r}: the mentions differ; only the common ones count in {', '.join(indices)}"
        )
        yield system.finding("common-mentions-only", "warning", message)


def _pairing_findings(pair: DocumentPair, paired: NodePairing) -> Iterator[Finding]:
    """Findings of the pairing of mentions over nodes."""
    from lydite.model.nodes import node_mention_text

    for mention in paired.without_dependencies:
        item = node_mention_text(mention)
        message = f"zero {item} has no dependencies to be paired by"
        hint = "fill DEPS of its empty node, or pair zeros by their place: --zeros linear"
        yield pair.system.finding("zero-without-dependencies", "error", message, item=item, hint=hint)
    if paired.overwritten:
        message = (
            f"mentions that are not looked up as their partners, because the other side has the same nodes paired"
            f" elsewhere: {paired.overwritten}"
        )
        yield pair.system.finding("partner-overwritten", "warning", message)
    if paired.unordered:
        message = (
            "mentions that begin and end where another one does and have as many nodes, so that the official scorer"
            f" leaves their order open and figures can depend on it: {paired.unordered}"
        )
        yield pair.system.finding("order-left-open", "warning", message)


def _repeat_finding(document: Document, repeat: Repeat, settings: CorefSettings) -> Finding:
    mention = mention_text(repeat.mention)
    message = (
        f"mention {mention} is written again: first in cluster {repeat.first!r}, then in {repeat.again!r}"
    )
    code = "repeat-dropped" if repeat.dropped else "repeated-mention"
    hint = None
    if settings.repeats == "error":
        if settings.match == SAME:
            hint = "--repeats first keeps the first one, --repeats merge joins the clusters"
    else:
        message += "; this copy is dropped" if repeat.dropped else "; every copy counts"
    return document.finding(code, "warning", message, item=f"{repeat.side} {mention}", hint=hint)


def check_findings(findings: Sequence[Finding], settings: CorefSettings) -> Iterator[Finding]:
    """More than ten system copies of gold mentions, over all documents; only the official reading has this limit."""
    if not settings.limit_repeats or settings.repeats != "v8.01":
        return
    copies = [finding for finding in findings if finding.code == "repeat-dropped"]
    if len(copies) > REPEAT_LIMIT:
        yield copies[REPEAT_LIMIT]._replace(
            code="too-many-repeats",
            severity="error",
            message=f"{len(copies)} mentions are written again; more than {REPEAT_LIMIT} are refused",
            hint="write every mention once, or switch the quirk limit-repeats off",
        )


def check_corpora(gold: Corpus, system: Corpus, settings: CorefSettings) -> Iterator[Finding]:
    """Documents that one side lacks; over nodes also sentences that differ."""
    over_nodes = settings.match != SAME
    if not settings.joins_documents:
        yield from missing_windows(gold, system)
    if over_nodes:
        yield from _compare_sentences(gold, system)
    for finding in check_documents(gold, system, settings):
        if over_nodes and finding.code == "document-missing-in-system":
            message = f"document {finding.document!r} is missing in {system.name}, so it cannot be compared"
            yield finding._replace(message=message)
        else:
            yield finding


# -------------------------------------------------------------------------------------------------- sentences


def _compare_sentences(gold: Corpus, system: Corpus) -> Iterator[Finding]:
    """The first sentence that differs; if none does, sentences that are shorter on one side, and missing sentences.

    Mentions over nodes mean nothing unless both files of trees have the same sentences.  Documents, ``sent_id`` and
    words must agree, sentence by sentence, as far as both sides go; empty nodes may differ.
    """
    ours, theirs = _sentences(gold), _sentences(system)
    if not ours or not theirs:
        return
    place = Location(system.path)
    shorter = []
    for (_, one), (doc_id, other) in zip(ours, theirs, strict=False):
        difference = _difference(one, other)
        if difference is not None:
            what, expected, found = difference
            message = f"sentence {one.number}: gold has {what} {expected!r}, here it is {found!r}"
            hint = "mentions are compared sentence by sentence: were both files made from the same text?"
            yield Finding("sentence-differs", "error", message, place, doc_id, hint=hint)
            return
        if len(one.words) != len(other.words):
            words = f"{counted(len(one.words), 'word')} in gold and {len(other.words)} here"
            shorter.append((f"sentence {one.number} has {words}", doc_id))
    for message, doc_id in shorter:
        yield Finding("words-missing", "warning", message, place, doc_id)
    if len(ours) != len(theirs):
        numbers = f"gold has {counted(len(ours), 'sentence')}, this side {len(theirs)}"
        yield Finding("sentences-missing", "warning", f"{numbers}; the others are not compared", place)


def _sentences(corpus: Corpus) -> list[tuple[str, Sentence]]:
    """All sentences in the order of the file, with their documents."""
    found = [
        (doc_id, sentence)
        for doc_id, document in corpus.documents.items()
        if (trees := document.layers.get("trees")) is not None
        for sentence in trees.sentences
    ]
    return sorted(found, key=lambda entry: entry[1].number)


def _difference(gold: Sentence, system: Sentence) -> tuple[str, object, object] | None:
    """What differs first: the beginning of a document, the id, a word."""
    if gold.begins != system.begins:
        return "document", gold.begins, system.begins
    if gold.sent_id != system.sent_id:
        return "sent_id", gold.sent_id, system.sent_id
    for place, (one, other) in enumerate(zip(gold.words, system.words, strict=False), 1):
        if one != other:
            return f"word {place}", one, other
    return None
