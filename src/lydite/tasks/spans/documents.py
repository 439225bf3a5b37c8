"""The spans of a document: read from tags, compared, checked, diagnosed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import chain, repeat

from lydite.align.spans import overlapping_pairs, pair_by_overlap, pair_by_rank
from lydite.checks.structure import spans_out_of_range
from lydite.checks.windows import differing_windows
from lydite.errors import Finding, Location, Severity
from lydite.escaping import counted, first_of
from lydite.model import Corpus, Document, DocumentPair, Mention, Span
from lydite.model.outcome import pair_outcomes, pairs_and_rest
from lydite.model.span_alignment import LabelledSpan, Ranges, SpanAlignment, SpanPair
from lydite.model.tags import BILOU, TAGS_LAYER, PlacedTags, Tags, ill_formed, lenient, read
from lydite.model.windows import WINDOWS
from lydite.tasks.spans.settings import SpanSettings

SHOWN = 3
"""How many places a finding about tags names."""


def prepare(document: Document, settings: SpanSettings) -> Document:
    """The document with the spans that its tags stand for."""
    tags: Tags | None = document.layers.get(TAGS_LAYER)
    if tags is None:
        return document
    scheme, complete, well_formed = read(tags, settings.scheme)
    mentions: list[Mention] = []
    start = 0
    for sentence, spans, sound in zip(tags, complete, well_formed, strict=True):
        # Both readings find the same in well-formed tags, but for letters that conlleval does not have.
        reads_alike = sound and scheme != BILOU
        found = lenient(sentence) if settings.lenient_tags and not reads_alike else spans
        mentions += [
            Mention(f"T{at}", Span(((start + begin, start + end),)), "", type_)
            for at, (begin, end, type_) in enumerate(found, len(mentions) + 1)
        ]
        start += len(sentence)
    doc_id, _, *others = document
    return Document._make((doc_id, tuple(mentions), *others))


class SpanComparison:
    """The spans of both sides of a document, each once; pairs are found when they are asked for."""

    def __init__(self, pair: DocumentPair, _settings: SpanSettings) -> None:
        self.pair = pair
        self.gold, self.system = _distinct_spans(pair.gold), _distinct_spans(pair.system)

    @cached_property
    def by_rank(self) -> SpanAlignment:
        """Spans paired by rank: equal ones first, then those with equal boundaries or types."""
        return pair_by_rank(self.gold, self.system)

    @cached_property
    def by_overlap(self) -> SpanAlignment:
        """Spans of the same type, paired by overlap."""
        return pair_by_overlap(self.gold, self.system)

    @cached_property
    def candidates(self) -> list[SpanPair]:
        """All pairs that have something in common, the most similar ones first."""
        return sorted(
            overlapping_pairs(self.gold, self.system), key=lambda one: (-one.dice, one.system, one.gold)
        )

    @cached_property
    def unpaired(self) -> SpanAlignment:
        """An alignment without pairs, for metrics that only look for equal spans."""
        return SpanAlignment(self.gold, self.system, ())


def _distinct_spans(document: Document) -> list[LabelledSpan]:
    """The spans of a document, each once, in the order of the text, so that the order of the file does not matter."""
    return sorted(set(map(labelled_span, document.mentions)))


def labelled_span(mention: Mention) -> LabelledSpan:
    """The span and the type of a mention, which is all that counts of it."""
    return LabelledSpan(mention.span.merged(), mention.type)


# ----------------------------------------------------------------------------------------------------- findings


def check(document: Document, _side: str, settings: SpanSettings) -> Iterator[Finding]:
    """Tags that belong to no complete span, spans that cover no characters, and spans that are there twice."""
    if TAGS_LAYER in document.layers:
        yield from _ill_formed_tags(document, settings)
    elif document.text is not None:
        yield from spans_out_of_range(document, len(document.text))
    if not document.mentions:
        return
    seen: set[tuple[object, str]] = set()
    for one in document.mentions:
        key = one.span.merged(), one.type
        if not key[0]:
            message = f"document {document.doc_id!r}: {one.type} at {one.span} covers no characters"
            hint = "put tokens where they stand: lydite convert --to-unit char" if one.span.tokens else None
            yield document.finding("no-characters", "error", message, item=one.id, hint=hint)
        elif key in seen:
            message = f"document {document.doc_id!r}: {one.type} at {one.span} is there twice; it counts once"
            yield document.finding("repeated-span", "warning", message, item=one.id)
        seen.add(key)


def check_submission(corpus: Corpus, _side: str, _settings: SpanSettings) -> Iterator[Finding]:
    """Findings of validation alone: words of spans that differ from the text in the file."""
    from lydite.checks.placing import differing_words

    for document in corpus.documents.values():
        if document.text is not None and TAGS_LAYER not in document.layers:
            yield from differing_words(document, document.text, mentions=True)


def _ill_formed_tags(document: Document, settings: SpanSettings) -> Iterator[Finding]:
    """One finding, at the first tag that does not fit the scheme; it names the first few of them."""
    tags: Tags = document.layers[TAGS_LAYER]
    scheme, complete, well_formed = read(tags, settings.scheme)
    if all(well_formed):
        return
    misfits: list[tuple[str, Location]] = []
    start = 0
    for sentence, spans in zip(tags, complete, strict=True):
        for at in ill_formed(sentence, spans):
            place = Location(document.path, document.line or None)
            if isinstance(sentence, PlacedTags):
                place = Location(document.path, sentence.line + at, sentence.columns[at])
            where = f"on line {place.line}" if place.column else f"at word {start + at}"
            misfits.append((f"{sentence[at]} {where}", place))
        start += len(sentence)
    shown = first_of([tag for tag, _ in misfits], SHOWN)
    alone = len(misfits) == 1
    outside = "it belongs to no span" if alone else "they belong to no span"
    effect = "each begins or continues a span" if settings.lenient_tags else outside
    number = f"{counted(len(misfits), 'tag')} {'does' if alone else 'do'} not fit {scheme}"
    message = f"document {document.doc_id!r}: {number} ({shown}); {effect}"
    hint = (
        None
        if settings.lenient_tags
        else "--profile conll03 reads such tags as conlleval does; seqeval-strict leaves them out"
    )
    yield Finding("ill-formed-tags", "warning", message, misfits[0][1], document.doc_id, hint=hint)


def check_pair(pair: DocumentPair, settings: SpanSettings) -> Iterator[Finding]:
    """Findings on sides whose words or schemes differ, so that their spans do not mean the same."""
    gold, system = pair.gold, pair.system
    if not (gold.present and system.present):
        return
    if WINDOWS in gold.layers and WINDOWS in system.layers:
        yield from differing_windows(gold, system)
        return
    tagged, also_tagged = TAGS_LAYER in gold.layers, TAGS_LAYER in system.layers
    if tagged != also_tagged and gold.mentions and system.mentions:
        message = f"document {pair.doc_id!r}: one side has tags of words, the other spans of characters"
        yield system.finding("units-differ", "error", message)
        return
    if not (tagged or also_tagged) and gold.text and system.text:
        from lydite.checks.placing import differing_texts

        hint = "were both sides made from one text?"
        yield from (finding._replace(hint=hint) for finding in differing_texts(gold, system))
    if not (tagged and also_tagged):
        return
    # Where tags make no spans, no scheme is seen in them.
    one, other = (
        read(side.layers[TAGS_LAYER], settings.scheme).scheme if side.mentions else None
        for side in (gold, system)
    )
    if one and other and one != other:
        message = (
            f"document {pair.doc_id!r}: gold is read as {one}, this side as {other}, each by its own letters"
        )
        hint = f"--scheme {one} reads both sides as what gold is"
        yield system.finding("schemes-differ", "warning", message, hint=hint)
    ours, theirs = sum(map(len, gold.layers[TAGS_LAYER])), sum(map(len, system.layers[TAGS_LAYER]))
    hint = "were the two sides tokenised alike?"
    if ours != theirs:
        message = f"document {pair.doc_id!r} has {counted(ours, 'word')} in gold and {theirs} here"
        yield system.finding("words-differ", "error", message, hint=hint)
    elif gold.tokens and system.tokens:
        # Tags have an order and no ids: words are compared by position, whatever their ids.
        system_words = chain(system.tokens.values(), repeat(None))
        different = [
            (at, word, other)
            for at, (word, other) in enumerate(zip(gold.tokens.values(), system_words, strict=False))
            if word != other
        ]
        if different:
            at, word, other = different[0]
            differ = "differs" if len(different) == 1 else "differ"
            message = (
                f"document {pair.doc_id!r}: {counted(len(different), 'word')} {differ}, the first at word {at}: "
                f"{word!r} in gold, {other!r} here"
            )
            yield system.finding("words-differ", "error", message, hint=hint)


def severity(finding: Finding, settings: SpanSettings) -> Severity:
    """The severity of a finding: what the profile lists is an error."""
    refused = (*settings.errors, *settings.further_errors)
    listed = refused if settings.reading == "refuse" else settings.official_errors
    return "error" if finding.code in listed else "note" if finding.severity == "note" else "warning"


# ---------------------------------------------------------------------------------------------------- diagnosis


def diagnose(comparison: SpanComparison) -> Mapping[str, object]:
    """Pairs with what agrees, missed and spurious spans, in the order of the text."""
    from lydite.model.agreement import contingency

    alignment = comparison.by_rank
    pairs = {pair[:2]: pair for pair in alignment.pairs}
    same = [
        (alignment.gold[pair.gold].type, alignment.system[pair.system].type)
        for pair in alignment.pairs
        if pair.same_place
    ]
    gold = [_span_entry(one, comparison.pair.gold) for one in alignment.gold]
    system = [_span_entry(one, comparison.pair.system) for one in alignment.system]
    agreement = {"type": contingency(same)}
    outcomes = pair_outcomes(
        [one.type for one in alignment.gold], [one.type for one in alignment.system], pairs
    )

    def agreed(ours: int, theirs: int) -> dict[str, object]:
        pair = pairs[ours, theirs]
        return {"span_agrees": pair.same_place, "type_agrees": pair.same_type, "similarity": float(pair.dice)}

    return {**pairs_and_rest(outcomes, gold, system, agreed), "agreement": agreement}


def _span_entry(span: LabelledSpan, document: Document) -> dict[str, str]:
    return {
        "span": ";".join(f"{begin},{end}" for begin, end in span.ranges),
        "type": span.type,
        "text": words_of(span.ranges, document),
    }


def words_of(ranges: Ranges, document: Document) -> str:
    """The words of a span, where the document has them."""
    if TAGS_LAYER in document.layers:
        words = document.tokens or {}
        return " ".join(words[str(at)] for one in ranges for at in range(*one) if str(at) in words)
    text = document.text
    return "" if text is None else " ".join(text[begin:end] for begin, end in ranges)
