"""What a summary document says of its inputs: what every input has, and the facts of its format, nothing else."""

from __future__ import annotations

import pytest

import lydite
from scored_examples import EXAMPLES

EVERY_INPUT = ["role", "name", "path", "sha256", "documents", "content", "format"]
FACTS = {
    "nugget": ["relations", "unit"],
    "coref": [],
    "arguments": ["layout", "folders"],
    "triples": ["folder"],
    "ace": ["kinds"],
    "relations": ["unit", "folder"],
    "spans": ["unit", "folder"],
    "records": [],
}


@pytest.mark.parametrize("task", EXAMPLES)
def test_an_input_has_these_keys_and_no_others(task: str) -> None:
    summary = lydite.score(*EXAMPLES[task], task=task)
    inputs = [one.to_dict() for one in summary.inputs]
    assert [one["role"] for one in inputs] == ["gold", "system"]
    for one in inputs:
        assert list(one) == [*EVERY_INPUT, *FACTS[task]]


def test_an_input_that_was_read_again_is_the_same() -> None:
    summary = lydite.score(*EXAMPLES["nugget"], task="nugget")
    assert lydite.Summary.from_dict(summary.to_dict()).inputs == summary.inputs  # type: ignore[arg-type]
