"""What became of the mentions of a document under the headline: pairs, copies, and what is left out."""

from __future__ import annotations

from collections.abc import Iterator

from lydite.align.comparison import MentionComparison
from lydite.align.pairing import pair_greedily
from lydite.model import Document, Mention, Pair
from lydite.model.outcome import FILTERED, Outcome, Status, left_out
from lydite.model.verdict import GOLD, SYSTEM, Credit, Explained, Side
from lydite.model.word_text import NamedWords, Ranges
from lydite.tasks.nugget.documents import compared_positions
from lydite.tasks.nugget.measurements import (
    MUC_PARTIAL,
    ORIGINAL_V1_0,
    headline,
    headline_alignment,
    headline_attributes,
)
from lydite.tasks.nugget.settings import NuggetSettings
from lydite.tasks.paired import MentionMatching, find_copies


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


def sides_of(explained: Explained[MentionComparison]) -> tuple[tuple[Side, Document, Document], ...]:
    """Both sides, gold first, each with its document as it was read and as it is compared."""
    comparison = explained.comparison
    return (GOLD, explained.gold, comparison.gold), (SYSTEM, explained.system, comparison.system)


def counts_once(settings: NuggetSettings) -> bool:
    """Whether equal mentions of a side count once: the pilot's measures know no sets."""
    return settings.pairing == "sets" and headline(settings).metric == "detection"


def match_mentions(comparison: MentionComparison, settings: NuggetSettings) -> MentionMatching[Pair]:
    """The pairs of the headline's mapping, pairs of what it leaves unpaired, and mentions that repeat others.

    The mentions of a pair agree on all attributes under evaluation exactly if the pair is one of the mapping.
    """
    agree = headline_attributes(settings)
    gold_copies: dict[int, int] = {}
    set_copies: dict[int, int] = {}
    credited = headline_alignment(comparison, settings).pairs
    if counts_once(settings):
        gold_firsts, gold_copies = find_copies(comparison.mention_keys(GOLD, agree))
        system_firsts, set_copies = find_copies(comparison.mention_keys(SYSTEM, agree))
        gold_places, system_places = list(gold_firsts.values()), list(system_firsts.values())
        credited = tuple(
            Pair(gold_places[gold], system_places[system], similarity)
            for gold, system, similarity in credited
        )
    # What the mapping leaves unpaired is paired greedily, in the official order: an attribute differs.
    gold_done = {*gold_copies, *(pair.gold for pair in credited)}
    system_done = {*set_copies, *(pair.system for pair in credited)}
    candidates = (
        pair
        for pair in comparison.candidates
        if pair.gold not in gold_done
        and pair.system not in system_done
        and not all(comparison.agrees(attribute, pair.gold, pair.system) for attribute in agree)
    )
    sizes = len(comparison.gold.mentions), len(comparison.system.mentions)
    pairs = (*credited, *pair_greedily(candidates, *sizes)) if agree else credited
    gold_pairs, system_pairs = {pair.gold: pair for pair in pairs}, {pair.system: pair for pair in pairs}
    # An unpaired system mention that says the same as a paired mention, or as one before it, is a copy.
    keys = comparison.mention_keys(SYSTEM, ("type", "realis"))
    firsts: dict[object, int] = {}
    for position in sorted(range(len(keys)), key=lambda at: (at not in system_pairs, at)):
        firsts.setdefault(keys[position], position)
    copies = {at: firsts[key] for at, key in enumerate(keys) if firsts[key] != at and at not in system_pairs}
    return MentionMatching(
        gold_pairs, system_pairs, gold_copies, {**copies, **set_copies}, comparison.candidates
    )


# --------------------------------------------------------------------------------------------- what is left out


def left_out_mention(
    side: Side, mention: Mention, why: str, *, nothing: Credit = 0.0, status: Status = FILTERED
) -> Outcome:
    """The outcome of a mention that is not counted."""
    return left_out(
        side,
        mention.id,
        why,
        nothing=nothing,
        line=mention.line,
        type=mention.type,
        text=mention.text,
        status=status,
    )


def filtered_mentions(
    document: Document, side: Side, settings: NuggetSettings, *, nothing: Credit = 0.0
) -> Iterator[Outcome]:
    """The outcomes of the mentions that the white list removes."""
    compared = frozenset(compared_positions(document, settings))
    for at, mention in enumerate(document.mentions):
        if at not in compared:
            why = f"the type {mention.type or 'empty'} of {mention.id} is not on the white list (type-whitelist)"
            yield left_out_mention(side, mention, why, nothing=nothing)


# --------------------------------------------------------------------------------------- where mentions stand


class MentionPlaces:
    """Where mentions stand, in characters; where spans are token ids, characters of the joined words of the table."""

    def __init__(self, comparison: MentionComparison) -> None:
        self._words = NamedWords(comparison.gold.tokens or comparison.system.tokens or {})

    def ranges_of(self, mention: Mention) -> Ranges:
        """The characters that a mention covers."""
        tokens = mention.span.tokens
        return self._words.named(tokens) if tokens else mention.span.ranges

    @property
    def text(self) -> str | None:
        """The joined words of the token table, None without a table."""
        return self._words.text or None


def text_of(explained: Explained[MentionComparison]) -> str | None:
    """The text that ranges are of: the words of the token table, or None where mentions stand in the source text."""
    comparison = explained.comparison
    mentions = [*comparison.gold.mentions, *comparison.system.mentions]
    return MentionPlaces(comparison).text if any(mention.span.tokens for mention in mentions) else None
