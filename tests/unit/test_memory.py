"""The collector is paused and comes back."""

from __future__ import annotations

import gc

import pytest

from lydite.memory import uncollected


def test_the_collector_is_off_inside_and_on_afterwards() -> None:
    assert gc.isenabled()
    with uncollected():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_comes_back_after_an_error_too() -> None:
    with pytest.raises(ValueError, match="inside"), uncollected():
        raise ValueError("inside")
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with uncollected():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_what_was_made_inside_is_still_collected_when_it_is_garbage() -> None:
    class Node:
        pass

    import weakref

    with uncollected():
        node = Node()
        node.itself = node  # type: ignore[attr-defined]
        seen = weakref.ref(node)
        del node
    gc.collect()
    assert seen() is None
