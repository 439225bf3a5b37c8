"""What is reported beside scores: which mentions were paired, missed, spurious."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lydite.align.comparison import Columns, MentionComparison
from lydite.model import Document
from lydite.model.mention import SYSTEM_LAYER, WRITTEN_LAYER
from lydite.model.outcome import pairs_and_rest, pairs_of
from lydite.tasks.nugget import coreference
from lydite.tasks.nugget.measurements import measurement_name, span_outcomes

if TYPE_CHECKING:
    # Only types, and slow to load.
    from lydite.model.diagnosis import ShownMention


def diagnose(comparison: MentionComparison) -> Mapping[str, object]:
    """The span alignment of a document: pairs with what agrees, missed and spurious mentions, in file order."""
    from lydite.model.agreement import contingency

    gold = _show_mentions(comparison.gold, comparison.gold_columns)
    system = _show_mentions(comparison.system, comparison.system_columns)
    similarities = {pair[:2]: pair.similarity for pair in comparison.align_spans().pairs}
    outcomes = span_outcomes(comparison)
    attributes = ("type", "realis")

    def agreement(gold: int, system: int) -> dict[str, object]:
        agrees = {f"{name}_agrees": comparison.agrees(name, gold, system) for name in attributes}
        return {"similarity": similarities[gold, system], **agrees}

    return {
        **pairs_and_rest(outcomes, gold, system, agreement),
        # How often each value, as compared, is paired with each value of the other side.
        "agreement": {
            name: contingency(
                (gold[ours]["compared"][name], system[theirs]["compared"][name])
                for ours, theirs in pairs_of(outcomes)
            )
            for name in attributes
        },
        **(
            {"partners": [pair._asdict() for pair in comparison.many_to_one.pairs]}
            if comparison.several_partners
            else {}
        ),
        **diagnose_for_layout(comparison),
    }


def diagnose_for_layout(comparison: MentionComparison) -> dict[str, object]:
    """What reports in the layouts of EvmEval need beside scores: types, credits of mentions, clusters."""
    return {
        "types": {"gold": [*comparison.gold_columns["type"]], "system": [*comparison.system_columns["type"]]},
        "credits": _credits(comparison),
        "run": comparison.system.layers.get(SYSTEM_LAYER, ""),
        **(coreference.diagnose(comparison) if comparison.chains else {}),
    }


def _credits(comparison: MentionComparison) -> dict[str, list[float]]:
    """What every gold mention earned, in file order, by the attributes on which its partner agrees."""
    credits_by_measurement = {}
    for agree, alignment in comparison.alignments.items():
        if alignment.gold is comparison.gold.mentions:
            earned = {pair.gold: pair.similarity for pair in alignment.pairs}
            credits_by_measurement[measurement_name(agree)] = [
                earned.get(at, 0.0) for at in range(len(alignment.gold))
            ]
    return credits_by_measurement


def _show_mentions(document: Document, columns: Columns) -> list[ShownMention]:
    written = document.layers[WRITTEN_LAYER]() if WRITTEN_LAYER in document.layers else None
    shown: list[ShownMention] = []
    for position, mention in enumerate(document.mentions):
        entry: ShownMention = {
            "position": position,
            "id": mention.id,
            "span": str(mention.span),
            "text": mention.text,
            "type": mention.type,
            "realis": mention.realis,
            "compared": {name: values[position] for name, values in columns.items()},
            "line": mention.line,
        }
        if written is not None:
            entry["written"] = written[position]
        if document.tokens is not None:
            entry["words"] = {token: document.tokens.get(token) for token in mention.span.tokens}
        shown.append(entry)
    return shown
