"""The conformance cases of coreference, and of nuggets with coreference and sequencing."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydite.verify import ADAPTERS
from lydite.verify.cases import find_cases, run_case

CONFORMANCE = Path(__file__).parents[2] / "conformance"
CASES = list(find_cases([CONFORMANCE / part for part in ("coref", "coref-xml")]))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_agrees_in_every_leaf(case: Path) -> None:
    outcome = run_case(case, ADAPTERS.__getitem__)
    assert outcome.status == "agrees", (outcome.differences[:5], outcome.error)


def test_only_information_and_unstable_figures_are_left_out() -> None:
    left_out = {path for case in CASES for path in run_case(case, ADAPTERS.__getitem__).not_compared}
    allowed = ("other_tools", "source", ".source", ".note", "printed_unstable", ".lea", ".printed.")
    assert all(any(word in path for word in allowed) for path in left_out)
