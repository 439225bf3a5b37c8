from __future__ import annotations

from pathlib import Path

import pytest

import lydite
from lydite.errors import UsageError
from lydite.results.agreement import kappa, mean
from triple_files import triple, write


def test_kappa_of_a_table_worked_by_hand() -> None:
    # po = 35/50, pe = (25·30 + 25·20)/2500 = 1/2
    assert kappa({"yes": {"yes": 20, "no": 5}, "no": {"yes": 10, "no": 15}}) == pytest.approx(0.4)


def test_kappa_is_undefined_without_pairs_and_when_chance_explains_everything() -> None:
    assert kappa({}) is None
    assert kappa({"a": {"a": 7}}) is None


def test_kappa_is_zero_when_nothing_but_chance_is_left() -> None:
    assert kappa({"a": {"b": 3}}) == 0.0


def test_a_mean_is_over_what_is_defined_and_undefined_where_nothing_is() -> None:
    assert mean([0.5, None, 1.0]) == 0.75
    assert mean([None, None]) is None


def test_annotators_are_compared_pairwise_with_means(tmp_path: Path) -> None:
    files = [
        write(tmp_path / "a.trp", triple("x", "w1"), triple("y", "w2")),
        write(tmp_path / "b.trp", triple("x", "w1"), triple("x", "w2")),
        write(tmp_path / "c.trp", triple("x", "w1"), triple("y", "w2")),
    ]
    agreement = lydite.agree(*files)
    assert agreement.annotators == ("a", "b", "c")
    assert [(pair.first, pair.second, pair.kappa["relation"]) for pair in agreement.pairs] == [
        ("a", "b", 0.0),
        ("a", "c", 1.0),
        ("b", "c", 0.0),
    ]
    means = {(mean.measurement, mean.average): mean.f1 for mean in agreement.means}
    assert means["partial_same", "micro"] == pytest.approx(2 / 3)
    assert means["partial_ignored", "micro"] == 1.0
    assert agreement.mean_kappa["relation"] == pytest.approx(1 / 3)
    assert agreement.to_dict()["pairs"][0]["contingency"] == {"relation": {"x": {"x": 1}, "y": {"x": 1}}}


def test_one_annotator_cannot_agree(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="two"):
        lydite.agree(write(tmp_path / "a.trp", triple("x", "w1")))
