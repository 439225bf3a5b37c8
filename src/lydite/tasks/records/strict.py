"""The profile ``strict``: leaves that are correct, mismatched, missing and spurious, whatever the order of lists."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import partial

from lydite.metrics.leaves import LeafTally, count_leaves
from lydite.model import Figures
from lydite.model.answer import UNPARSEABLE
from lydite.model.strings import DEFAULT_STEPS, normaliser
from lydite.model.verdict import GOLD, LEFT_OUT, SYSTEM
from lydite.tasks import outcomes as cause
from lydite.tasks.figures import ByPart, Hits
from lydite.tasks.outcomes import Compared, ItemOutcome
from lydite.tasks.records import walk as walks
from lydite.tasks.records.comparators import is_ambiguous_date
from lydite.tasks.records.schema import Schema
from lydite.tasks.records.sides import RecordSides
from lydite.tasks.records.values import Alternatives, kind_of, shown
from lydite.tasks.records.walk import RecordLeaf, Walk, Walker


def compare(sides: RecordSides, walker: Walker, schema: Schema) -> Compared:
    """The leaves of both sides, counted."""
    walk = walker.walk(sides.gold, sides.system)
    figures, parts = _figures(walk, sides)
    ambiguous = [
        leaf.path
        for leaf in walk.leaves
        if leaf.node.comparator.name == "date"
        and leaf.status in {walks.CORRECT, walks.MISMATCHED}
        and is_ambiguous_date(leaf.node.comparator, leaf.gold, leaf.system)
    ]
    detail = {AMBIGUOUS: ambiguous} if ambiguous else {}
    return Compared(sides.pair, _outcomes(walk, sides, schema), figures, parts, detail)


AMBIGUOUS = "ambiguous_dates"
FIGURES = ("field", "path_mean", "elements paired", "elements exact", "record")


def _figures(
    walk: Walk, sides: RecordSides
) -> tuple[Mapping[str, Figures | None], Mapping[tuple[str, str], list[tuple[str, Figures]]]]:
    by_path: dict[str, list[int]] = {}
    for leaf in walk.leaves:
        if leaf.status != walks.LEFT_OUT:
            counts = by_path.get(leaf.path)
            if counts is None:
                counts = by_path[leaf.path] = [0, 0, 0, 0]
            counts[_PLACE_OF[leaf.status]] += 1
    tallies = {path: LeafTally(*counts) for path, counts in by_path.items()}
    total = count_leaves(leaf.status for leaf in walk.leaves)
    elements: dict[str, tuple[Hits, Hits]] = defaultdict(lambda: (Hits(), Hits()))
    for one in walk.elements:
        paired, exact = elements[one.path]
        elements[one.path] = (
            paired + Hits(one.paired, one.gold, one.system),
            exact + Hits(one.exact, one.gold, one.system),
        )
    paired = sum((one for one, _ in elements.values()), Hits())
    exact = sum((one for _, one in elements.values()), Hits())
    has_gold, has_answer = sides.state != cause.EXTRA_RECORD, sides.state != cause.ABSENT
    is_right = not sides.state and total.correct == total.gold == total.system
    if not has_gold and sides.answer.how == UNPARSEABLE:
        has_answer = False
    record = Hits(int(is_right), int(has_gold), int(has_answer))
    figures: dict[str, Figures | None] = dict(
        zip(FIGURES, (total, ByPart(tallies), paired, exact, record), strict=True)
    )
    return figures, {
        ("field", "path"): list(tallies.items()),
        ("elements paired", "path"): [(path, one) for path, (one, _) in elements.items()],
        ("elements exact", "path"): [(path, one) for path, (_, one) in elements.items()],
    }


_PLACE_OF = {walks.CORRECT: 0, walks.MISMATCHED: 1, walks.MISSING: 2, walks.SPURIOUS: 3}


# ------------------------------------------------------------------------------------------------------ outcomes


def left_out(walk: Walk, why: str) -> list[ItemOutcome]:
    """The leaves of a record that does not count."""
    return [
        ItemOutcome(side, item, None, walks.LEFT_OUT, LEFT_OUT, 0, leaf.path, leaf.gold, leaf.system, why)
        for leaf in walk.leaves
        for side, item in ((GOLD, leaf.gold_id), (SYSTEM, leaf.system_id))
        if item is not None
    ]


def _outcomes(walk: Walk, sides: RecordSides, schema: Schema) -> list[ItemOutcome]:
    """The outcome of every leaf of both sides, gold first."""
    is_written = _finder(sides.text)
    gold: list[ItemOutcome] = []
    system: list[ItemOutcome] = []
    for leaf in walk.leaves:
        found = cause_of(leaf, sides.state, is_written, has_schema=schema.written)
        credit = int(found == cause.RIGHT)
        why = partial(_why, leaf, found)
        values = leaf.path, leaf.gold, leaf.system, why
        if leaf.gold_id is not None:
            gold.append(ItemOutcome(GOLD, leaf.gold_id, leaf.system_id, leaf.status, found, credit, *values))
        if leaf.system_id is not None:
            system.append(
                ItemOutcome(SYSTEM, leaf.system_id, leaf.gold_id, leaf.status, found, credit, *values)
            )
    return gold + system


def _finder(text: str | None) -> Callable[[str], bool] | None:
    """A function that says whether words are in the text, after the same steps; None without a text."""
    if text is None:
        return None
    normalise = normaliser(DEFAULT_STEPS)
    normalised = normalise(text)
    return lambda words: normalise(words) in normalised


def cause_of(
    leaf: RecordLeaf, state: str, is_written: Callable[[str], bool] | None, *, has_schema: bool
) -> str:
    """The cause of a leaf, the first that fits."""
    if leaf.status == walks.LEFT_OUT:
        return LEFT_OUT
    if leaf.status == walks.CORRECT:
        return cause.RIGHT
    if state:
        return state
    is_words = isinstance(leaf.system, str) and leaf.system_id is not None
    if is_words and is_written is not None and not is_written(str(leaf.system)):
        return cause.HALLUCINATED
    if leaf.reason == walks.EXTRA and has_schema:
        return cause.EXTRA_FIELD
    if leaf.reason == walks.TYPES:
        return cause.TYPE_DIFFERS
    if leaf.status == walks.MISMATCHED:
        golds = leaf.gold if isinstance(leaf.gold, Alternatives) else (leaf.gold,)
        same_type = any(kind_of(one) == kind_of(leaf.system) for one in golds)
        return cause.VALUE_DIFFERS if same_type else cause.TYPE_DIFFERS
    return cause.MISSING if leaf.status == walks.MISSING else cause.SPURIOUS


_SENTENCES = {
    cause.ABSENT: "the system has no answer for this record",
    cause.UNPARSEABLE: "the answer is no JSON",
    cause.EXTRA_RECORD: "gold has no such record",
    cause.EXTRA_FIELD: "the schema lacks this key, or a key above it",
    cause.MISSING: "the system has nothing here",
    cause.SPURIOUS: "gold has nothing here",
}


def _why(leaf: RecordLeaf, found: str) -> str:
    if leaf.gold_id is not None and leaf.system_id is not None:
        kind = f"{kind_of(leaf.system)}s" if kind_of(leaf.gold) == kind_of(leaf.system) else "other types"
        verb = leaf.node.comparator.sentence()
        sentence = f"{shown(leaf.system)} for {shown(leaf.gold)}: {kind}, {verb}"
        return f"{sentence}; it is not in the text" if found == cause.HALLUCINATED else sentence
    value = shown(leaf.gold if leaf.gold_id is not None else leaf.system)
    if found == LEFT_OUT:
        why = "the path is skipped" if leaf.reason == walks.SKIPPED else "extra keys are ignored"
        return f"{value}: {why}"
    if found == cause.HALLUCINATED:
        return f"{value} is not in the text"
    if found == cause.TYPE_DIFFERS:
        return f"{value}: the two sides have values of other types here"
    return f"{value}: {_SENTENCES[found]}"
