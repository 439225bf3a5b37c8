from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lydite.verify import ADAPTERS
from lydite.verify.cases import CaseOutcome, run_case
from triple_files import triple, write


def outcome(folder: Path, kind: str, options: dict[str, Any], **blocks: Any) -> CaseOutcome:
    case = {"kind": kind, "options": options, **blocks}
    (folder / "expected.json").write_text(json.dumps(case))
    return run_case(folder, ADAPTERS.__getitem__)


def test_an_unknown_option_is_an_error_and_not_ignored(tmp_path: Path) -> None:
    for name in ("gold.trp", "system.trp"):
        write(tmp_path / name, triple("r", "w1"))
    found = outcome(tmp_path, "triples.score", {"ignore_relation": True}, scores={"default": {}})
    assert found.status == "error"
    assert "has no setting 'ignore-relation'" in str(found.error)


def test_options_about_output_change_nothing(tmp_path: Path) -> None:
    for name in ("gold.trp", "system.trp"):
        write(tmp_path / name, triple("r", "w1"))
    scores = {"default": {"headline": "partial_same"}}
    found = outcome(tmp_path, "triples.score", {"key": "k", "debug": True}, scores=scores)
    assert "scores.default.headline" not in {difference.path for difference in found.differences}


def test_a_block_that_the_kind_of_case_does_not_know_is_named_as_not_compared(tmp_path: Path) -> None:
    write(tmp_path / "input.trp")
    blocks = {"triples": {"default": []}, "counts": {"default": 0}, "warnings": [{"line": 1}], "note": "x"}
    found = outcome(tmp_path, "triples.convert", {"from": "trp"}, **blocks)
    assert (found.status, found.not_compared) == ("agrees", ("warnings[0].line", "note"))


@pytest.mark.parametrize("options", [{"intersect": True}, {"layers": ["--opinion", "--intersect"]}])
def test_the_intersection_is_an_option_or_a_word_among_the_layers(tmp_path: Path, options: Any) -> None:
    (tmp_path / "input.kaf").write_text(
        '<KAF><text><wf wid="w1" sent="1">a</wf></text><terms><term tid="t1"><span><target id="w1"/></span></term></terms>'
        "<opinions><opinion><opinion_expression><span><target id='t1'/></span></opinion_expression></opinion></opinions></KAF>"
    )
    options = {"from": "kaf", "layers": ["--opinion"], **options}
    found = outcome(tmp_path, "triples.convert", options, triples={"default": []}, counts={"default": 0})
    assert found.status == "agrees"
