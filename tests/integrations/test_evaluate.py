from __future__ import annotations

import inspect

import pytest

import lydite
from lydite.integrations.evaluate import load

evaluate = pytest.importorskip("evaluate")


def test_the_methods_take_what_those_of_the_library_take() -> None:
    for name in ("add", "add_batch", "compute"):
        theirs = set(inspect.signature(getattr(evaluate.Metric, name)).parameters) - {"self", "kwargs"}
        ours = set(inspect.signature(getattr(load("coref"), name)).parameters)
        assert theirs <= ours


def test_documents_one_by_one_and_in_batches_give_one_run() -> None:
    gold, system = [[[1, 2]], [[1, 2, 3]]], [[[1], [2]], [[1, 2]]]
    metric = load("coref")
    metric.add(prediction=system[0], reference=gold[0])
    metric.add_batch(predictions=system[1:], references=gold[1:])
    one = lydite.Metric("coref")
    one.update(gold, system)
    assert metric.compute() == one.compute_dict()
    assert metric.compute(predictions=system, references=gold) == one.compute_dict()


def test_an_option_that_does_not_exist_is_refused() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'id'"):
        load("coref").add(prediction=[], reference=[], id="d1")  # type: ignore[call-arg]
