"""Averages over documents, worked by hand."""

from __future__ import annotations

import pickle
from dataclasses import fields
from functools import reduce
from operator import add
from typing import Any

import pytest

from lydite.metrics.triples import HitCounts, MatchCounts
from lydite.model import Share, Tally
from lydite.model.cluster import ClusterTally, LinkTally, MeanTally
from lydite.model.span_alignment import TypeTally
from lydite.model.tally import Additive, sum_of
from lydite.results.averages import PENDING, Average, MeanFigures

HALF, ALL, NONE = Tally(1, 2, 1, 4), Tally(2, 2, 2, 2), Tally(0, 3, 0, 0)
"""P = 1/4 and R = 1/2; P = R = 1; P undefined and R = 0."""


def averaged(average: Average, *documents: Any) -> Any:
    parts = documents[0].parts if average.of == "parts" else {}
    gatherer = average.start(
        MeanTally(dict.fromkeys(parts, Tally()), documents[0].weights) if parts else None
    )
    for document in documents:
        gatherer.add(document)
    # What a row holds and what it shows belong together.
    assert gatherer.figures.score(empty=average.empty) == gatherer.score()
    return gatherer


def score(average: Average, *documents: Any) -> tuple[float | None, ...]:
    return tuple(averaged(average, *documents).score())


def test_micro_adds_counts_and_divides_once() -> None:
    gatherer = averaged(Average("micro"), HALF, ALL, NONE)
    assert gatherer.figures == Tally(3, 7, 3, 6)
    assert gatherer.score()[:3] == pytest.approx((3 / 6, 3 / 7, 6 / 13))


def test_micro_adds_counts_that_are_no_tallies_to_those_of_nothing() -> None:
    gatherer = Average("micro").start(MatchCounts(0, 0, 0))
    assert gatherer.figures == MatchCounts()
    gatherer.add(MatchCounts(1, 2, 3))
    gatherer.add(MatchCounts(2, 2, 2))
    assert gatherer.figures == MatchCounts(3, 4, 5)


def test_micro_adds_tallies_where_nothing_is_said_to_be_a_tally() -> None:
    gatherer = Average("micro").start(Tally())
    gatherer.add(HALF)
    gatherer.add(ALL)
    assert gatherer.figures == Tally(3, 4, 3, 6)


@pytest.mark.parametrize("of", ["prf", "figures", "each"])
def test_a_document_that_is_not_included_changes_nothing(of: Any) -> None:
    average = Average("macro", includes=lambda figures: figures.as_dict()["system_total"] > 0, of=of)
    assert score(average, HALF, NONE) == score(average, HALF)
    micro = Average("micro", includes=average.includes)
    assert score(micro, HALF, NONE) == score(micro, HALF)
    assert score(micro, MatchCounts(1, 2, 3), MatchCounts(0, 9, 0)) == score(micro, MatchCounts(1, 2, 3))


def test_macro_takes_the_means_of_precision_and_recall_and_f1_from_them() -> None:
    gatherer = averaged(Average("macro"), HALF, ALL)
    assert gatherer.figures == Tally(1.5, 2, 1.25, 2)
    assert gatherer.score()[:3] == pytest.approx((0.625, 0.75, 2 * 0.625 * 0.75 / 1.375))


def test_an_undefined_figure_counts_as_zero() -> None:
    assert averaged(Average("macro"), HALF, ALL, NONE).figures == Tally(1.5, 3, 1.25, 3)


def test_of_each_figure_the_mean_is_over_the_documents_that_define_it() -> None:
    average = Average("macro", of="each")
    found = averaged(average, HALF, ALL, NONE)
    assert found.score()[:3] == pytest.approx((1.25 / 2, 1.5 / 3, (1 / 3 + 1) / 2))
    assert found.figures.as_dict() == pytest.approx(
        {
            "precision_part": 1.25,
            "precision_whole": 2,
            "recall_part": 1.5,
            "recall_whole": 3,
            "f1_part": 4 / 3,
            "f1_whole": 2,
        }
    )
    twice = (found.figures + averaged(average, ALL).figures).score()
    assert twice[:3] == pytest.approx((2.25 / 3, 2.5 / 4, (1 / 3 + 2) / 3))


def test_a_figure_that_no_document_defines_stays_undefined() -> None:
    hits = Average("macro", of="each")
    assert score(hits, HitCounts(1, 2), HitCounts(1, 1)) == (0.75, None, None, None)
    figures = Average("macro", of="figures")
    assert score(figures, HitCounts(1, 2), HitCounts(1, 1)) == (0.75, None, None, None)
    assert averaged(figures, HitCounts(1, 2)).figures.as_dict() == {"precisions": 0.5, "documents": 1}


def test_the_mean_of_f1s_is_not_the_harmonic_mean_of_the_means() -> None:
    average = Average("macro", empty="zero", of="figures")
    found = averaged(average, HALF, ALL, NONE)
    assert found.score()[:3] == pytest.approx((1.25 / 3, 1.5 / 3, (1 / 3 + 1) / 3))
    assert found.figures.as_dict() == pytest.approx(
        {"precisions": 1.25, "recalls": 1.5, "f1s": 4 / 3, "documents": 3}
    )


def test_sums_of_figures_add_up_whichever_side_lacks_one() -> None:
    average = Average("macro", empty="zero", of="figures")
    hits, half = averaged(average, HitCounts(1, 2)).figures, averaged(average, HALF).figures
    shares = averaged(average, Share(3, 4)).figures
    for together in (hits + half, half + hits):
        assert together.as_dict() == pytest.approx(
            {"precisions": 0.75, "recalls": 0.5, "f1s": 1 / 3, "documents": 2}
        )
    assert (half + shares).score()[:] == pytest.approx((0.25 / 2, 0.5 / 2, 1 / 6, 0.75 / 2))


@pytest.mark.parametrize("of", ["prf", "figures", "each", "value", "parts"])
def test_blocks_that_are_taken_together_average_as_their_documents_do(of: Any) -> None:
    average = Average("macro", empty="zero", of=of)
    documents: tuple[Any, ...] = (HALF, ALL, NONE)
    if of == "value":
        documents = (Share(1, 2), Share(3, 4), Share(0, 1))
    elif of == "parts":
        documents = tuple(MeanTally({"muc": tally, "b-cubed": ALL}, (2.0, 1.0)) for tally in documents)
    whole, block = averaged(average, *documents[:1]), averaged(average, *documents[1:])
    whole.take(block)
    assert whole.figures == averaged(average, *documents).figures


def test_sums_of_figures_are_read_back_as_they_were_written() -> None:
    figures = averaged(Average("macro", empty="zero", of="figures"), HALF, ALL).figures
    assert MeanFigures().from_counts(figures.as_dict()) == figures


def test_values_are_averaged_over_documents() -> None:
    average = Average("macro", of="value")
    assert averaged(average, Share(1, 2), Share(3, 4), Share(0, 0)).figures == Share(1.25, 3)
    included = average._replace(includes=lambda figures: figures.as_dict()["whole"] > 2)
    assert averaged(included, Share(1, 2), Share(3, 4)).figures == Share(0.75, 1)


def test_a_mean_of_metrics_is_that_of_their_averages() -> None:
    def document(*parts: tuple[int, int, int, int]) -> MeanTally:
        names = ("muc", "b-cubed")
        return MeanTally({name: ClusterTally.whole(*part) for name, part in zip(names, parts, strict=True)})

    average = Average("macro", empty="zero", of="parts")
    found = averaged(average, document((1, 2, 1, 4), (2, 2, 2, 2)), document((2, 2, 2, 2), (1, 2, 1, 1)))
    muc, b_cubed = 2 * 0.625 * 0.75 / 1.375, 2 * 1 * 0.75 / 1.75
    assert found.score().f1 == pytest.approx((muc + b_cubed) / 2)
    assert average.start(document((0, 0, 0, 0), (0, 0, 0, 0))).score().f1 == 0


def test_without_documents_there_is_nothing_to_average() -> None:
    for of in ("prf", "figures", "each", "value"):
        average = Average("macro", of=of)
        assert set(score(average)) == {None}
    assert set(score(Average("micro"))) == {None}
    assert score(Average("micro", empty="zero"))[:3] == (0, 0, 0)


def test_many_records_are_added_as_one_after_the_other() -> None:
    tallies = [Tally(0.1 * at, at, 0.3, 1) for at in range(5)]
    assert sum_of(tallies) == ((((tallies[0] + tallies[1]) + tallies[2]) + tallies[3]) + tallies[4])
    types = [
        TypeTally({"A": Tally(1, 2, 1, 1)}),
        TypeTally({}),
        TypeTally({"C": tallies[1], "A": tallies[2]}),
    ]
    assert sum_of(types) == types[0] + types[1] + types[2]
    assert list(sum_of(types).as_dict()) == ["A", "C"]


def test_a_block_adds_up_what_adds_in_any_order_and_keeps_the_counts_of_documents_that_do_not() -> None:
    average = Average("micro")
    links: Any = average.start(for_block=True)
    floats: Any = average.start(for_block=True)
    for _ in range(PENDING * 2):
        links.add(LinkTally(1, 2, 3, 4, 5, 6))
        floats.add(Share(0.1, 1))
    whole: Any = average.start()
    mixed: Any = average.start()
    whole.take(links)
    mixed.take(floats)
    assert len(pickle.dumps(links)) < len(pickle.dumps(floats)) / 4
    assert whole.figures == LinkTally(*(PENDING * 2 * number for number in range(1, 7)))
    assert mixed.figures == reduce(add, [Share(0.1, 1)] * (PENDING * 2))


@pytest.mark.parametrize("kind", [kind for kind in Additive.__subclasses__() if kind.in_any_order])
def test_counts_that_say_that_they_add_in_any_order_hold_nothing_that_is_rounded(kind: Any) -> None:
    assert {field.type for field in fields(kind)} <= {"int", "FractionSum"}
