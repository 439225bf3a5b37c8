"""How records are scored: of every scoring its measurements, its headline, and the comparison of one record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from lydite.errors import Finding
from lydite.metrics.leaves import LEAF_AGREEMENT, LeafTally
from lydite.model import DocumentPair, Figures, Share
from lydite.model.summary import COUNTS
from lydite.model.verdict import GOLD, LEFT_OUT, SYSTEM, Side
from lydite.pipeline.task import Headline, Measurement
from lydite.tasks import outcomes as causes
from lydite.tasks.figures import (
    ByPart,
    Confusions,
    Credits,
    EqualCells,
    Errors,
    FieldF1,
    Hits,
    MeansOfTypes,
    Named,
)
from lydite.tasks.outcomes import Compared, FigureLine, ItemOutcome, causes_of, measurement_of, outcome_of
from lydite.tasks.records import anls, strict
from lydite.tasks.records.programs import doc2edag, donut, extractbench, muc
from lydite.tasks.records.settings import RecordSettings
from lydite.tasks.records.sides import (
    RecordSides,
    counts_of_answer,
    own_schema,
    schema_of,
    scorer_of,
    sides_of,
)
from lydite.tasks.records.slots import compare_slots
from lydite.tasks.records.values import Alternatives, text_of
from lydite.tasks.records.walk import Walker


class Scoring(NamedTuple):
    """The lines of a report, the figure that ranks systems, and the comparison of a record."""

    lines: Sequence[FigureLine]
    headline: Callable[[RecordSettings], Headline]
    compare: Callable[[RecordSides, RecordSettings], Compared]


ANSWER_LINES = (
    FigureLine("causes", "causes", COUNTS, Named()),
    FigureLine("json", "json", COUNTS, Named()),
    FigureLine("json valid", "json", "valid", Share()),
    FigureLine("json usable", "json", "usable", Share()),
    FigureLine("json schema-valid", "json", "schema-valid", Share()),
)
"""How answers were read, and why items do not count: lines that every report has."""


def scoring_of(settings: RecordSettings) -> Scoring:
    """How a run scores records."""
    return SCORINGS[settings.scoring]


def headline(settings: RecordSettings) -> Headline:
    """The figure that ranks systems."""
    return scoring_of(settings).headline(settings)


def measurements(settings: RecordSettings) -> list[Measurement[Compared]]:
    """The measurements of a run; the share that fits a schema only where there is one."""
    extra = [line for line in ANSWER_LINES if line.metric != "schema-valid" or settings.schema is not None]
    return [measurement_of(line) for line in (*scoring_of(settings).lines, *extra)]


def compare(pair: DocumentPair, settings: RecordSettings) -> Compared:
    """Compare a record under the settings of the run."""
    sides = sides_of(pair, settings)
    if sides.state == LEFT_OUT:
        compared = _left_out(sides, settings)
    else:
        compared = scoring_of(settings).compare(sides, settings)
        if sides.state in {causes.ABSENT, causes.UNPARSEABLE}:
            compared = compared._replace(
                outcomes=[_of_no_answer(one, sides.state) for one in compared.outcomes]
            )
    dependent = _range_over_orders(sides, settings, compared)
    counts = counts_of_answer(sides, settings)
    records = counts.counts["records"]
    usable = counts.counts["plain"] + counts.counts["repaired"]
    figures = {
        **compared.figures,
        "causes": causes_of(compared.outcomes),
        "json": counts,
        "json valid": Share(counts.counts["plain"], records),
        "json usable": Share(usable, records),
        "json schema-valid": Share(counts.counts.get("schema_valid", 0), records),
    }
    detail = {**compared.detail, **({"json": sides.answer.how} if pair.system.present else {}), **dependent}
    return compared._replace(figures=figures, detail=detail)


IN_GIVEN_ORDER = frozenset({"mapped-templates", "rows", "slots", "trees"})
"""The scorings that depend on the order of lists by definition."""
ORDER_DEPENDENT = "order_dependent"


def _range_over_orders(sides: RecordSides, settings: RecordSettings, compared: Compared) -> dict[str, object]:
    """The F1 of a record with the lists of the system as they are and turned round, where the two differ."""
    if settings.scoring not in IN_GIVEN_ORDER or sides.state:
        return {}
    key = scoring_of(settings).lines[0].key
    turned = scoring_of(settings).compare(sides._replace(system=_turned(sides.system)), settings)
    figures = [one.figures.get(key) for one in (compared, turned)]
    scores = sorted(one.score(empty="zero").f1 or 0.0 for one in figures if one is not None)
    return {ORDER_DEPENDENT: scores} if len(scores) > 1 and scores[0] != scores[-1] else {}


def _turned(value: object) -> object:
    """A value with the order of its lists turned round."""
    if isinstance(value, dict):
        return {key: _turned(one) for key, one in value.items()}
    return [_turned(one) for one in reversed(value)] if isinstance(value, list) else value


def _of_no_answer(one: ItemOutcome, state: str) -> ItemOutcome:
    if one.side != GOLD or one.cause in {causes.RIGHT, LEFT_OUT, state}:
        return one
    why = "the system has no answer for this record" if state == causes.ABSENT else "the answer is no JSON"
    return one._replace(cause=state, why=why)


def _left_out(sides: RecordSides, settings: RecordSettings) -> Compared:
    """A record that does not count: its answer is no JSON, or a program does not see it."""
    walk = walker_of(settings).walk(sides.gold, sides.system)
    is_seen = sides.pair.gold.present
    why = "its answer is no JSON, and such records are left out" if is_seen else "gold has no such record"
    return Compared(sides.pair, strict.left_out(walk, why), {})


def walker_of(settings: RecordSettings) -> Walker:
    """What walks records under the settings of a run."""
    schema = schema_of(settings) if settings.scoring == "leaves" else None
    return _walker(
        settings.empty, settings.similarity, settings.extra, settings.schema if schema else None, id(schema)
    )


@lru_cache(maxsize=4)
def _walker(empty: str, similarity: str, extra: str, path: str | None, _schema: int) -> Walker:
    from lydite.tasks.records.schema import load_schema

    return Walker(
        load_schema(path).root,
        empty_is_value=empty == "value",
        similarity=similarity,
        ignores_extra=extra == "ignore",
    )


# --------------------------------------------------------------------------------------------------------- leaves


def _compare_leaves(sides: RecordSides, settings: RecordSettings) -> Compared:
    return strict.compare(sides, walker_of(settings), schema_of(settings))


LEAVES = Scoring(
    (
        FigureLine("field", "field", LEAF_AGREEMENT.name, LeafTally(), ("path",)),
        FigureLine("path_mean", "path_mean", LEAF_AGREEMENT.name, ByPart()),
        FigureLine("elements paired", "elements", "paired", Hits(), ("path",)),
        FigureLine("elements exact", "elements", "exact", Hits(), ("path",)),
        FigureLine("record", "record", "exact", Hits()),
    ),
    lambda _settings: Headline("field", LEAF_AGREEMENT.name),
    _compare_leaves,
)


# ----------------------------------------------------------------------------------------------------------- MUC-4


def _entity_outcome(
    side: Side, entity: muc.FilledEntity, role: str, partner: str | None, *, right: bool, why: str
) -> ItemOutcome:
    found = causes.RIGHT if right else causes.MISSING if side == GOLD else causes.SPURIOUS
    return outcome_of(side, entity.place, partner, found, place=role, value=entity.words, why=why)


def _compare_entities(sides: RecordSides, settings: RecordSettings) -> Compared:
    gold = muc.roles_of(muc.in_record(sides.gold, "extracts", "pred_extracts"), is_gold=True)
    system = muc.roles_of(muc.in_record(sides.system, "pred_extracts", "extracts"), is_gold=False)
    figures: dict[str, Figures | None] = {}
    parts: dict[tuple[str, str], Sequence[tuple[str, Figures]]] = {}
    table: list[ItemOutcome] = []
    for similarity in muc.SIMILARITIES:
        filled = [muc.assign(role, gold[role], system[role], similarity) for role in muc.ROLES]
        figures[similarity] = sum((one.credits for one in filled), Credits())
        parts[similarity, "role"] = [(one.role, one.credits) for one in filled]
        if similarity == settings.entity_similarity:
            table = [outcome for one in filled for outcome in _outcomes_of_role(one)]
    return Compared(sides.pair, table, figures, parts)


def _outcomes_of_role(filled: muc.RoleFillers) -> Iterator[ItemOutcome]:
    partner = {j: i for i, (j, _) in filled.pairs.items()}
    for i, one in enumerate(filled.gold):
        place = filled.system[filled.pairs[i][0]].place if i in filled.pairs else None
        why = "no entity of the system fits" if place is None else f"assigned to {place}"
        yield _entity_outcome(GOLD, one, filled.role, place, right=place is not None, why=why)
    for j, other in enumerate(filled.system):
        place = filled.gold[partner[j]].place if j in partner else None
        why = "no entity of gold fits, or it went to another" if place is None else f"assigned to {place}"
        yield _entity_outcome(SYSTEM, other, filled.role, place, right=place is not None, why=why)


ENTITIES = Scoring(
    (
        FigureLine("subset", "subset", "entity-credit", Credits(), ("role",)),
        FigureLine("proportional", "proportional", "entity-credit", Credits(), ("role",)),
    ),
    lambda settings: Headline(settings.entity_similarity, "entity-credit"),
    _compare_entities,
)


def _compare_mapped(sides: RecordSides, _settings: RecordSettings) -> Compared:
    gold = muc.in_record(sides.gold, "templates", "pred_templates")
    system = muc.in_record(sides.system, "pred_templates", "templates")
    mapped = muc.map_templates(gold, system)
    earned = mapped.credits()
    figures: dict[str, Figures | None] = {"templates": sum(earned.values(), Credits())}
    return Compared(
        sides.pair,
        list(_outcomes_of_mapping(mapped)),
        figures,
        {("templates", "role"): list(earned.items())},
    )


def _outcomes_of_mapping(mapped: muc.Mapped) -> Iterator[ItemOutcome]:
    """The types and entities of all templates: right, right under another mapping, or neither."""
    partner = {to: at for at, to in enumerate(mapped.mapping) if to is not None}
    for i, template in enumerate(mapped.gold):
        own = partner.get(i)
        pairs = [mapped.table[j][i] for j in range(len(mapped.system))]
        chosen = None if own is None else pairs[own]
        to = None if own is None else mapped.system[own].place
        yield _template_outcome(GOLD, template, to, chosen, pairs, role=muc.TYPE)
        for role in muc.ROLES:
            for at, entity in enumerate(template.roles[role]):
                yield _template_outcome(GOLD, template, to, chosen, pairs, role=role, at=at, entity=entity)
    for j, template in enumerate(mapped.system):
        to_gold = mapped.mapping[j]
        pairs = list(mapped.table[j])
        chosen = None if to_gold is None else pairs[to_gold]
        to = None if to_gold is None else mapped.gold[to_gold].place
        yield _template_outcome(SYSTEM, template, to, chosen, pairs, role=muc.TYPE)
        for role in muc.ROLES:
            for at, entity in enumerate(template.roles[role]):
                yield _template_outcome(SYSTEM, template, to, chosen, pairs, role=role, at=at, entity=entity)


def _template_outcome(
    side: Side,
    template: muc.MucTemplate,
    partner: str | None,
    chosen: muc.TemplatePair | None,
    pairs: Sequence[muc.TemplatePair],
    *,
    role: str,
    at: int | None = None,
    entity: muc.FilledEntity | None = None,
) -> ItemOutcome:
    def is_right(pair: muc.TemplatePair) -> bool:
        if at is None:
            return pair.holds
        return at in (pair.r_right if side == GOLD else pair.p_right).get(role, ())

    right = chosen is not None and is_right(chosen)
    if right:
        found, why = causes.RIGHT, f"its template is mapped to {partner}"
    elif any(map(is_right, pairs)):
        found, why = "other-mapping", "it would count if its template were mapped to another one"
    else:
        found, why = (
            (causes.MISSING, "no template of the system has it")
            if side == GOLD
            else (
                causes.SPURIOUS,
                "no template of gold has it",
            )
        )
    item = f"{template.place}.{muc.TYPE}" if entity is None else entity.place
    words = template.type if entity is None else entity.words
    return outcome_of(side, item, partner if right else None, found, place=role, value=words, why=why)


MAPPED = Scoring(
    (FigureLine("templates", "templates", "entity-credit", Credits(), ("role",)),),
    lambda _settings: Headline("templates", "entity-credit"),
    _compare_mapped,
)


def _compare_typed(sides: RecordSides, settings: RecordSettings) -> Compared:
    gold = muc.in_record(sides.gold, "templates", "pred_templates")
    system = muc.in_record(sides.system, "pred_templates", "templates")
    figures: dict[str, Figures | None] = {}
    copies = settings.alternatives_in_recall
    for similarity in ("phi3", "phi-subset"):
        figures[similarity] = muc.match_templates(gold, system, similarity, count_copies=copies).credits
    matched = muc.match_templates(gold, system, "phi3", count_copies=copies)
    return Compared(sides.pair, list(_outcomes_of_mentions(matched)), figures)


def _outcomes_of_mentions(matched: muc.Matched) -> Iterator[ItemOutcome]:
    for side, templates in ((GOLD, matched.gold), (SYSTEM, matched.system)):
        others = matched.system if side == GOLD else matched.gold
        held = {mention for one in others for entity in one.entities for mention in entity.mentions}
        for template in templates:
            for typed in template.entities:
                for at, mention in enumerate(typed.mentions):
                    right = (side, typed.entity.place, at) in matched.right
                    fault = causes.MISSING if side == GOLD else causes.SPURIOUS
                    found = causes.RIGHT if right else "other-mapping" if mention in held else fault
                    why = {
                        causes.RIGHT: "the paired template has it",
                        "other-mapping": "it would count if its template were paired with another one",
                    }.get(found, "no template of the other side has it")
                    item = f"{typed.entity.place}[{at}]"
                    yield outcome_of(side, item, None, found, place=typed.role, value=mention[2], why=why)


TYPED = Scoring(
    (
        FigureLine("phi3", "phi3", "mention-credit", Credits()),
        FigureLine("phi-subset", "phi-subset", "entity-credit", Credits()),
    ),
    lambda settings: Headline(
        settings.template_similarity,
        "mention-credit" if settings.template_similarity == "phi3" else "entity-credit",
    ),
    _compare_typed,
)


# ------------------------------------------------------------------------------------------------------- Doc2EDAG


def _compare_rows(sides: RecordSides, settings: RecordSettings) -> Compared:
    types = doc2edag.types_of(own_schema(settings))
    tables = doc2edag.tables(sides.gold, sides.system, types, fullest_first=settings.fullest_first)
    by_role = {table.type: table.by_role() for table in tables}
    by_type = {name: sum(roles.values(), Errors()) for name, roles in by_role.items()}
    total = sum(by_type.values(), Errors())
    return Compared(
        sides.pair,
        [outcome for table in tables for outcome in _outcomes_of_table(table)],
        {"cell": total, "cell means": MeansOfTypes(by_role)},
        {
            ("cell", "type"): list(by_type.items()),
            ("cell", "role"): [
                (f"{name}.{role}", one) for name, roles in by_role.items() for role, one in roles.items()
            ],
            ("cell means", "type"): [(name, MeansOfTypes({name: roles})) for name, roles in by_role.items()],
        },
    )


def _outcomes_of_table(table: doc2edag.EventTable) -> Iterator[ItemOutcome]:
    partner = {i: j for j, i in table.taken.items()}
    for i, row in enumerate(table.gold):
        other = table.system[partner[i]] if i in partner else None
        for at, role in enumerate(table.roles):
            if row.cells[at] is not None:
                theirs = None if other is None else other.cells[at]
                right = theirs == row.cells[at]
                found = causes.RIGHT if right else causes.MISSING if theirs is None else causes.VALUE_DIFFERS
                yield _cell_outcome(
                    GOLD, table, row, other, role, found=found, gold=row.cells[at], system=theirs
                )
    earlier: set[int] = set()
    taken_before: dict[int, frozenset[int]] = {}
    for j in table.order:
        taken_before[j] = frozenset(earlier)
        if j in table.taken:
            earlier.add(table.taken[j])
    for j, row in enumerate(table.system):
        other = table.gold[table.taken[j]] if j in table.taken else None
        for at, role in enumerate(table.roles):
            if row.cells[at] is not None:
                ours = None if other is None else other.cells[at]
                right = ours == row.cells[at]
                found = causes.RIGHT if right else causes.SPURIOUS if ours is None else causes.VALUE_DIFFERS
                if not right and ours is None:
                    holders = (table.gold[i].cells[at] for i in taken_before[j])
                    found = "taken" if row.cells[at] in list(holders) else found
                yield _cell_outcome(
                    SYSTEM, table, row, other, role, found=found, gold=ours, system=row.cells[at]
                )


def _cell_outcome(
    side: Side,
    table: doc2edag.EventTable,
    row: doc2edag.Row,
    other: doc2edag.Row | None,
    role: str,
    *,
    found: str,
    gold: object,
    system: object,
) -> ItemOutcome:
    partner = (
        None
        if other is None or found in {causes.MISSING, causes.SPURIOUS, "taken"}
        else f"{other.place}.{role}"
    )
    why = {
        causes.RIGHT: "the cell of the paired row is equal",
        causes.VALUE_DIFFERS: "the cell of the paired row is another one",
        "taken": "a gold row with this cell went to an earlier row",
    }.get(found, "no row is paired, or its cell is empty")
    return ItemOutcome(
        side,
        f"{row.place}.{role}",
        partner,
        found,
        found,
        int(found == causes.RIGHT),
        f"{table.type}.{role}",
        gold,
        system,
        why,
        type=table.type,
    )


ROWS = Scoring(
    (
        FigureLine("cell", "cell", "errors", Errors(), ("type", "role")),
        FigureLine("cell means", "cell", "mean-of-types", MeansOfTypes(), ("type",)),
    ),
    lambda _settings: Headline("cell", "errors"),
    _compare_rows,
)


# ----------------------------------------------------------------------------------------------------------- ANLS*


def _compare_anls(sides: RecordSides, _settings: RecordSettings) -> Compared:
    gold = anls.as_alternatives(sides.gold, sides.system)
    found = anls.compare(gold, sides.system)
    detail = {"scores": {"score": float(found.mean), "fields": anls.tree_as_dict(found.fields)}}
    table = [outcome for match in anls.matches(gold, sides.system) for outcome in _outcomes_of_match(match)]
    return Compared(sides.pair, table, {"anls_star": Share(float(found.mean), 1)}, {}, detail)


def _outcomes_of_match(match: anls.LeafMatch) -> Iterator[ItemOutcome]:
    is_pair = match.gold is not None and match.system is not None
    for side, item, partner in ((GOLD, match.gold, match.system), (SYSTEM, match.system, match.gold)):
        if item is None:
            continue
        if is_pair:
            found = causes.RIGHT if match.credit == 1 else causes.VALUE_DIFFERS
            why = f"{text_of(_one(match.system_value))!r:.60} for {text_of(_one(match.gold_value))!r:.60}: alike by {float(match.credit):.2f}"
        else:
            alone = causes.MISSING if side == GOLD else causes.SPURIOUS
            found = causes.TYPE_DIFFERS if match.differ_in_type else alone
            why = (
                "the two sides have values of other types here"
                if match.differ_in_type
                else "the other side has nothing here"
            )
        values = match.gold_value, match.system_value
        credit = match.credit if is_pair else 0
        yield ItemOutcome(
            side, item, partner if is_pair else None, found, found, credit, match.path, *values, why
        )


def _one(value: object) -> object:
    return value[0] if isinstance(value, Alternatives) else value


ANLS = Scoring(
    (FigureLine("anls_star", "anls_star", "anls-star", Share()),),
    lambda _settings: Headline("anls_star", "anls-star", figure="value"),
    _compare_anls,
)


# -------------------------------------------------------------------------------------------------------- Stickler


def _compare_thresholds(sides: RecordSides, settings: RecordSettings) -> Compared:
    scorer = scorer_of(settings)
    gold, system = sides.gold, {} if sides.state else sides.system
    refused = not isinstance(gold, dict) or not isinstance(system, dict)
    from lydite.tasks.records.programs import stickler

    if refused or any(next(stickler.misfits(value, scorer.root), None) for value in (gold, system)):
        walk = walker_of(settings).walk(sides.gold, sides.system)
        table = strict.left_out(walk, "the program refuses a record that does not fit the schema")
        return Compared(sides.pair, table, {}, {}, {"scores": {"refused_by_program": True}})
    assert isinstance(gold, dict)
    assert isinstance(system, dict)
    found = scorer.record(gold, system)
    figures: dict[str, Figures | None] = {
        "score": Share(float(found.score), 1),
        "overall": found.overall,
        "aggregate": found.aggregate,
    }
    scores = {
        "score": float(found.score),
        "fields": {key: float(score) for key, score in found.fields.items()},
        "overall": found.overall.as_dict(),
        "aggregate": found.aggregate.as_dict(),
    }
    table = [outcome for item in found.items for outcome in _outcomes_of_item(item)]
    why = "the schema lacks this key"
    table += [
        ItemOutcome(SYSTEM, path, None, causes.EXTRA_FIELD, causes.EXTRA_FIELD, 0, path, None, value, why)
        for path, value in found.extra
    ]
    return Compared(sides.pair, table, figures, {}, {"scores": scores})


_OF_COUNT = {"tp": causes.RIGHT, "fd": causes.VALUE_DIFFERS, "fa": causes.SPURIOUS, "fn": causes.MISSING}


def _outcomes_of_item(item: object) -> Iterator[ItemOutcome]:
    from lydite.tasks.records.programs.stickler import CountedItem

    assert isinstance(item, CountedItem)
    found = _OF_COUNT[item.counted]
    why = (
        f"alike by {float(item.value):.2f}"
        if item.counted in {"tp", "fd"}
        else "the other side has nothing here"
    )
    for side, own, partner in ((GOLD, item.gold_id, item.system_id), (SYSTEM, item.system_id, item.gold_id)):
        if own is not None:
            credit = int(item.counted == "tp")
            yield ItemOutcome(
                side, own, partner, found, found, credit, item.path, item.gold, item.system, why
            )


THRESHOLDS = Scoring(
    (
        FigureLine("score", "score", "weighted-mean", Share()),
        FigureLine("overall", "overall", "confusions", Confusions()),
        FigureLine("aggregate", "aggregate", "confusions", Confusions()),
    ),
    lambda _settings: Headline("score", "weighted-mean", figure="value"),
    _compare_thresholds,
)


# ---------------------------------------------------------------------------------------------------- ExtractBench


def _compare_cells(sides: RecordSides, settings: RecordSettings) -> Compared:
    counted = extractbench.count(sides.gold, {} if sides.state else sides.system, own_schema(settings))
    table = [outcome for cell in counted.cells for outcome in _outcomes_of_cell(cell)]
    scores: Mapping[str, object] | None = None
    if counted.figures is not None:
        score = counted.figures.score(empty="zero")
        figures = {"precision": score.precision, "recall": score.recall, "f1": score.f1}
        scores = {**counted.figures.as_dict(), **figures}
    return Compared(sides.pair, table, {"cells": counted.figures}, {}, {"scores": scores})


def _outcomes_of_cell(cell: extractbench.Cell) -> Iterator[ItemOutcome]:
    for side, own, partner in ((GOLD, cell.gold_id, cell.system_id), (SYSTEM, cell.system_id, cell.gold_id)):
        if own is None:
            continue
        value, other = (cell.gold, cell.system) if side == GOLD else (cell.system, cell.gold)
        if cell.is_equal:
            found = causes.RIGHT
        elif value is not None and other is not None:
            found = causes.VALUE_DIFFERS
        else:
            found = causes.MISSING if side == GOLD else causes.SPURIOUS
        is_pair = found in {causes.RIGHT, causes.VALUE_DIFFERS}
        why = (
            "equal cells"
            if cell.is_equal
            else "the cells differ"
            if is_pair
            else "one cell is empty, or has no row"
        )
        yield ItemOutcome(
            side,
            own,
            partner if is_pair else None,
            found,
            found,
            int(cell.is_equal),
            cell.path,
            cell.gold,
            cell.system,
            why,
        )


CELLS = Scoring(
    (FigureLine("cells", "cells", "cell-agreement", EqualCells()),),
    lambda _settings: Headline("cells", "cell-agreement"),
    _compare_cells,
)


# ----------------------------------------------------------------------------------------------------------- Donut


def _compare_trees(sides: RecordSides, _settings: RecordSettings) -> Compared:
    gold, system = donut.normalise(sides.gold), donut.normalise(sides.system if not sides.state else {})
    ours, theirs = donut.common(gold, system)
    right = ours & theirs
    tp = right.total()
    accuracy = donut.accuracy(gold or {}, system or {})
    figures: dict[str, Figures | None] = {
        "field": FieldF1(tp, theirs.total() - tp, ours.total() - tp),
        "ted_accuracy": Share(accuracy, 1),
    }
    table: list[ItemOutcome] = []
    for side, fields in ((GOLD, ours), (SYSTEM, theirs)):
        for (path, text), number in fields.items():
            for at in range(number):
                is_right = at < right[path, text]
                found = causes.RIGHT if is_right else causes.MISSING if side == GOLD else causes.SPURIOUS
                item = f"{path}={text}" + (f" ({at + 1})" if at else "")
                why = "the other side has this text under these keys" if is_right else "not under these keys"
                partner = item if is_right else None
                table.append(outcome_of(side, item, partner, found, place=path, value=text, why=why))
    return Compared(sides.pair, table, figures, {}, {"scores": {"ted_accuracy": accuracy}})


TREES = Scoring(
    (
        FigureLine("field", "field", "text-agreement", FieldF1()),
        FigureLine("ted_accuracy", "ted_accuracy", "tree-edits", Share()),
    ),
    lambda _settings: Headline("field", "text-agreement"),
    _compare_trees,
)


SLOTS = Scoring(
    (
        FigureLine("templates", "templates", "string-agreement", Hits(), ("type",)),
        FigureLine("slots", "slots", "string-agreement", Hits(), ("type",)),
        FigureLine("dropped", "dropped", COUNTS, Named()),
    ),
    lambda _settings: Headline("templates", "string-agreement"),
    compare_slots,
)

SCORINGS: Mapping[str, Scoring] = {
    "leaves": LEAVES,
    "entities": ENTITIES,
    "mapped-templates": MAPPED,
    "typed-templates": TYPED,
    "rows": ROWS,
    "anls": ANLS,
    "thresholds": THRESHOLDS,
    "cells": CELLS,
    "trees": TREES,
    "slots": SLOTS,
}


def check_comparison(compared: Compared, _settings: RecordSettings) -> Iterator[Finding]:
    """Dates that could not be told from other days, and figures that depend on the order of lists."""
    found = compared.detail.get(ORDER_DEPENDENT)
    if isinstance(found, list):
        low, high = found
        system = compared.pair.system
        message = (
            f"record {system.doc_id!r}: F1 depends on the order of lists, as in the program: "
            f"from {100 * low:.2f} to {100 * high:.2f} in two orders"
        )
        yield system.finding("order-dependent", "note", message, hint="profile strict never depends on it")
    ambiguous = compared.detail.get(strict.AMBIGUOUS, ())
    assert isinstance(ambiguous, Sequence)
    for path in ambiguous:
        system = compared.pair.system
        message = f"record {system.doc_id!r}, {path}: a date in digits whose order is not known; compared as strings"
        hint = 'order = "dmy" or "mdy" in the schema says which number is the day'
        yield system.finding("ambiguous-date", "warning", message, item=path, hint=hint)
