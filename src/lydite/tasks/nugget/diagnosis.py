"""What is no score: which mentions were paired, missed, spurious."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lydite.align.comparison import Columns, Comparison
from lydite.model import Mention
from lydite.tasks.nugget import coreference


def diagnose(comparison: Comparison) -> Mapping[str, Any]:
    """The span alignment of a document: pairs with what agrees, missed and spurious mentions, in file order."""
    gold = _mentions(comparison.gold.mentions, comparison.gold_columns)
    system = _mentions(comparison.system.mentions, comparison.system_columns)
    pairs = comparison.align_greedily().pairs
    partner = {pair.gold: pair for pair in pairs}
    taken = {pair.system for pair in pairs}
    attributes = ("type", "realis")
    return {
        "pairs": [
            {
                "gold": gold[position],
                "system": system[partner[position].system],
                "similarity": partner[position].similarity,
                **{
                    f"{attribute}_agrees": comparison.agrees(attribute, position, partner[position].system)
                    for attribute in attributes
                },
            }
            for position in range(len(gold))
            if position in partner
        ],
        "missed": [gold[position] for position in range(len(gold)) if position not in partner],
        "spurious": [system[position] for position in range(len(system)) if position not in taken],
        "agreement": {
            attribute: _contingency(attribute, [(gold[pair.gold], system[pair.system]) for pair in pairs])
            for attribute in attributes
        },
        **diagnose_for_layout(comparison),
    }


def diagnose_for_layout(comparison: Comparison) -> Mapping[str, Any]:
    """What the reports of EvmEval are made from beside scores: clusters, and the order in which they are added up."""
    return coreference.diagnose(comparison) if comparison.chains else {}


def _contingency(
    attribute: str, pairs: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]
) -> dict[str, dict[str, int]]:
    """Which value, as compared, stands on the one side where which other one stands on the other."""
    from lydite.model.agreement import contingency

    return contingency(
        (first["compared"][attribute], second["compared"][attribute]) for first, second in pairs
    )


def _mentions(mentions: Sequence[Mention], columns: Columns) -> list[dict[str, Any]]:
    return [
        {
            "position": position,
            "id": mention.id,
            "span": str(mention.span),
            "text": mention.text,
            "type": mention.type,
            "realis": mention.realis,
            "compared": {name: values[position] for name, values in columns.items()},
            "line": mention.line,
        }
        for position, mention in enumerate(mentions)
    ]
