"""What holds for records whatever they hold: gold against itself, exchanged sides, shuffled lists, broken answers."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lydite
from lydite.formats.answers import REPAIRS, read_answer
from lydite.model import Summary

pytestmark = pytest.mark.filterwarnings("error")

LEAVES = st.one_of(st.none(), st.booleans(), st.integers(0, 3), st.sampled_from(["", "a", "b", "Ab", "a b"]))
KEYS = st.sampled_from(["k", "l", "m", "x.y"])


def _nested(inside: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.one_of(st.lists(inside, max_size=3), st.dictionaries(KEYS, inside, max_size=3))


RECORDS = st.dictionaries(KEYS, st.recursive(LEAVES, _nested, max_leaves=8), max_size=3)


def _score(gold: object, system: object, profile: str = "strict", **options: object) -> Summary:
    return lydite.score({"r": gold}, {"r": system}, task="records", profile=profile, **options)


def _figures(summary: Summary) -> dict[tuple[str, str], object]:
    return {(row.measurement, row.metric): (row.score, row.tally) for row in summary.corpus_rows()}


def _has_leaf(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(_has_leaf, value.values()))
    if isinstance(value, list):
        return any(map(_has_leaf, value))
    return value is not None and value != ""


def _shuffled(value: object, order: random.Random) -> object:
    """The value with its lists and keys in another order."""
    if isinstance(value, dict):
        items = [(key, _shuffled(one, order)) for key, one in value.items()]
        order.shuffle(items)
        return dict(items)
    if isinstance(value, list):
        items_of_list = [_shuffled(one, order) for one in value]
        order.shuffle(items_of_list)
        return items_of_list
    return value


@pytest.mark.parametrize("profile", ["strict", "anls-star"])
@given(record=RECORDS.filter(_has_leaf))
def test_gold_against_itself_is_one(profile: str, record: object) -> None:
    assert _score(record, record, profile).headline_score() == 1


@given(gold=RECORDS, system=RECORDS)
def test_exchanging_the_sides_exchanges_precision_and_recall_under_strict(
    gold: object, system: object
) -> None:
    one, other = (
        _figures(_score(*sides))["field", "leaf-agreement"] for sides in ((gold, system), (system, gold))
    )
    assert one[0].precision == other[0].recall  # type: ignore[index]
    assert one[0].recall == other[0].precision  # type: ignore[index]


@pytest.mark.parametrize("profile", ["strict", "anls-star"])
@given(gold=RECORDS, system=RECORDS, seed=st.integers(0, 5))
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_the_headline_does_not_depend_on_the_order_of_lists_and_keys(
    profile: str, gold: object, system: object, seed: int
) -> None:
    order = random.Random(seed)
    shuffled = _shuffled(gold, order), _shuffled(system, order)
    before, after = _score(gold, system, profile), _score(*shuffled, profile)
    assert before.headline_score() == pytest.approx(after.headline_score(), abs=1e-12)
    if profile == "strict":
        assert _figures(before)["record", "exact"] == _figures(after)["record", "exact"]


@given(gold=RECORDS, written=st.text(max_size=40))
def test_a_broken_answer_is_scored_and_counted(gold: object, written: str) -> None:
    summary = _score(gold, written)
    (row,) = (row for row in summary.corpus_rows() if row.measurement == "json" and row.metric == "counts")
    assert row.tally["records"] == 1


@given(record=RECORDS, end=st.integers(0, 60))
def test_the_beginning_of_an_answer_is_repaired_or_no_json(record: object, end: int) -> None:
    answer = read_answer(json.dumps(record)[:end], REPAIRS)
    assert answer.how in {"plain", "unparseable", "outer", "close", "outer+close"}


@given(gold=RECORDS, system=RECORDS)
def test_the_verdicts_count_what_the_headline_counts(gold: object, system: object) -> None:
    verdicts = list(lydite.explain({"r": gold}, {"r": system}, task="records", budget=False).verdicts)
    tally = _figures(_score(gold, system))["field", "leaf-agreement"][1]  # type: ignore[index]
    assert sum(one.side == "gold" for one in verdicts) == tally["gold"]
    assert sum(one.side == "system" for one in verdicts) == tally["system"]


@given(gold=RECORDS.filter(_has_leaf), system=RECORDS)
@settings(max_examples=40, deadline=None)
def test_an_answer_without_its_faults_is_gold(gold: object, system: object) -> None:
    budget = lydite.explain({"r": gold}, {"r": system}, task="records", budget=True).budget
    assert budget is not None
    assert float(budget.perfect) == pytest.approx(1)
