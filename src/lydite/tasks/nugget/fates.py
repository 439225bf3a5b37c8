"""What became of the mentions of a document under the headline: who is paired with whom, and what is left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from lydite.align.comparison import MentionComparison, keys
from lydite.align.pairing import greedy
from lydite.model import Document, Mention, Pair
from lydite.model.verdict import GOLD, SYSTEM, Credit, Explained, Side, Verdict, uncounted
from lydite.model.word_text import NamedWords, Ranges
from lydite.tasks.nugget.documents import compared_places
from lydite.tasks.nugget.measurements import (
    MUC_PARTIAL,
    ORIGINAL_V1_0,
    headline,
    headline_alignment,
    headline_attributes,
)
from lydite.tasks.nugget.settings import NuggetSettings
from lydite.tasks.paired import Fate, first_places


def why_skipped(comparison: MentionComparison, settings: NuggetSettings) -> str | None:
    """Why the document is left out of every average of the headline, if it is; the MUC-style measure takes all."""
    metric = headline(settings).metric
    document = f"document {comparison.pair.doc_id}"
    lacking = [
        side for side, one in (("gold", comparison.gold), ("system", comparison.system)) if not one.mentions
    ]
    if metric == ORIGINAL_V1_0:
        if not comparison.system.present:
            return f"the system lacks {document}, and only documents of both sides count (measure {metric})"
        if lacking:
            return f"{document} has no {lacking[0]} mentions, so precision or recall is undefined (measure {metric})"
    elif settings.skip_documents_without_gold and metric != MUC_PARTIAL and "gold" in lacking:
        return f"{document} has no gold mentions (quirk skip-documents-without-gold)"
    return None


def counts_once(settings: NuggetSettings) -> bool:
    """Whether equal mentions of a side count once: the pilot's measures know no sets."""
    return settings.pairing == "sets" and headline(settings).metric == "detection"


def fate_of(comparison: MentionComparison, settings: NuggetSettings) -> Fate[Pair]:
    """The pairs of the headline's mapping, those that it left to be made, and what is counted once only.

    The mentions of a pair agree on all attributes if it is one of the mapping, and not on all if it is another one.
    """
    agree = headline_attributes(settings)
    gold_copies: dict[int, int] = {}
    set_copies: dict[int, int] = {}
    credited = headline_alignment(comparison, settings).pairs
    if counts_once(settings):
        gold_firsts, gold_copies = first_places(keys(comparison.gold, comparison.gold_columns, agree, GOLD))
        firsts, set_copies = first_places(keys(comparison.system, comparison.system_columns, agree, SYSTEM))
        ours, theirs = list(gold_firsts.values()), list(firsts.values())
        credited = tuple(
            Pair(ours[gold], theirs[system], similarity) for gold, system, similarity in credited
        )
    others = _second_pairs(comparison, credited, agree, {*gold_copies}, {*set_copies})
    of_gold = {pair.gold: pair for pair in (*others, *credited)}
    of_system = {pair.system: pair for pair in (*credited, *others)}
    copies = {**_copies(comparison, of_system), **set_copies}
    return Fate(of_gold, of_system, gold_copies, copies, comparison.candidates)


def _second_pairs(
    comparison: MentionComparison,
    credited: Iterable[Pair],
    agree: tuple[str, ...],
    gold_out: set[int],
    system_out: set[int],
) -> tuple[Pair, ...]:
    """What the mapping leaves unpaired, paired greedily in the official order, where an attribute differs."""
    if not agree:
        return ()
    for pair in credited:
        gold_out.add(pair.gold)
        system_out.add(pair.system)
    left = (
        pair
        for pair in comparison.candidates
        if pair.gold not in gold_out
        and pair.system not in system_out
        and not all(comparison.agrees(attribute, pair.gold, pair.system) for attribute in agree)
    )
    return greedy(left, len(comparison.gold.mentions), len(comparison.system.mentions))


def _copies(comparison: MentionComparison, paired: Mapping[int, Pair]) -> dict[int, int]:
    """Unpaired system mentions that say the same as a paired one or as one before them, with that one."""
    said = keys(comparison.system, comparison.system_columns, ("type", "realis"), SYSTEM)
    first: dict[object, int] = {}
    for position in sorted(range(len(said)), key=lambda at: (at not in paired, at)):
        first.setdefault(said[position], position)
    return {at: first[key] for at, key in enumerate(said) if first[key] != at and at not in paired}


# --------------------------------------------------------------------------------------------- what is left out


def left_out_mention(
    doc_id: str, side: Side, mention: Mention, why: str, *, nothing: Credit = 0.0
) -> Verdict:
    """The verdict on a mention that is not counted."""
    return uncounted(
        doc_id,
        side,
        mention.id,
        why,
        nothing=nothing,
        line=mention.line,
        type=mention.type,
        text=mention.text,
    )


def filtered_mentions(
    document: Document, side: Side, settings: NuggetSettings, *, nothing: Credit = 0.0
) -> Iterator[Verdict]:
    """The mentions that the white list removes."""
    compared = frozenset(compared_places(document, settings))
    for at, mention in enumerate(document.mentions):
        if at not in compared:
            why = f"the type {mention.type or 'empty'} of {mention.id} is not on the white list (type-whitelist)"
            yield left_out_mention(document.doc_id, side, mention, why, nothing=nothing)


# --------------------------------------------------------------------------------------- where mentions stand


class Places:
    """Finds the characters of mentions; those of token ids are characters of the words of the table."""

    def __init__(self, comparison: MentionComparison) -> None:
        self._words = NamedWords(comparison.gold.tokens or comparison.system.tokens or {})

    def of(self, mention: Mention) -> Ranges:
        """The characters of a mention."""
        tokens = mention.span.tokens
        return self._words.named(tokens) if tokens else mention.span.ranges

    @property
    def text(self) -> str | None:
        """The words of the table."""
        return self._words.text or None


def text_of(explained: Explained[MentionComparison]) -> str | None:
    """The words of the token table, where mentions are token ids; else the source text is the text."""
    comparison = explained.comparison
    mentions = [*comparison.gold.mentions, *comparison.system.mentions]
    return Places(comparison).text if any(mention.span.tokens for mention in mentions) else None
