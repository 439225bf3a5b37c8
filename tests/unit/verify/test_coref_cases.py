"""The adapter of coreference cases: options are settings, and nothing is passed over in silence."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lydite.verify import ADAPTERS
from lydite.verify.cases import CaseOutcome, run_case

CASES = Path(__file__).parent.parent.parent / "conformance"

Changed = Callable[..., CaseOutcome]


@pytest.fixture
def changed(tmp_path: Path) -> Changed:
    """A case with other contents of ``expected.json`` and of other files, run."""

    def run(case: str, change: Callable[[dict[str, Any]], object], **files: str) -> CaseOutcome:
        folder = tmp_path / "case"
        shutil.copytree(CASES / case, folder)
        for name, text in files.items():
            (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
        expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
        change(expected)
        (folder / "expected.json").write_text(json.dumps(expected), encoding="utf-8")
        return run_case(folder, ADAPTERS.__getitem__)

    return run


def only(expected: dict[str, Any], block: str, **options: object) -> None:
    """Make one block the scores of the case, under these options."""
    scores = expected[block]
    for name in [name for name in expected if name.startswith(("scores", "table", "classes", "response_"))]:
        del expected[name]
    expected.update(scores=scores, options=options)


def test_options_of_a_case_are_settings_of_its_run(changed: Changed) -> None:
    outcome = changed(
        "coref/missing-and-spurious",
        lambda expected: only(expected, "scores_without_singletons", singletons="drop"),
    )
    assert outcome.status == "agrees"
    assert outcome.compared > 50


def test_options_may_be_written_with_underscores(changed: Changed) -> None:
    outcome = changed(
        "coref-xml/random-topics",
        lambda expected: only(expected, "scores_by_topic", unit="topic", topic_of="^n?[^:]*:?([^/]+)/"),
    )
    assert outcome.status == "agrees"


def test_an_option_that_is_no_setting_is_no_silent_success(changed: Changed) -> None:
    outcome = changed("coref/perfect", lambda expected: expected.update(options={"nonsense": 1}))
    assert outcome.status == "error"


def test_a_block_that_is_not_known_differs(changed: Changed) -> None:
    outcome = changed("coref/perfect", lambda expected: expected.update(scores_new={"figure": 0.5}))
    assert [difference.path for difference in outcome.differences] == ["scores_new.figure"]


@pytest.mark.parametrize("text", ["report.txt", "report-documents.txt", "report-named.txt"])
@pytest.mark.parametrize(("old", "new"), [("lib/CorScorer.pm", "else/where.pm"), ("50%", "51%")])
def test_every_text_of_a_case_is_compared_but_for_its_first_line(
    changed: Changed, text: str, old: str, new: str
) -> None:
    official = (CASES / "coref" / "report-blanc-documents" / text).read_text(encoding="utf-8")
    files = {text.replace(".", "_"): official.replace(old, new)}
    outcome = changed("coref/report-blanc-documents", lambda _: None, **files)
    assert [difference.path for difference in outcome.differences] == ([text] if old == "50%" else [])


def test_the_report_of_the_corefud_scorer_is_compared(changed: Changed) -> None:
    report = (CASES / "coref-corefud" / "zeros-cycle" / "report.txt").read_text(encoding="utf-8")
    wrong = report.replace("68.25", "68.26")
    outcome = changed("coref-corefud/zeros-cycle", lambda _: None, report_txt=wrong)
    assert [difference.path for difference in outcome.differences] == ["report.txt"]


def test_a_wrong_figure_under_all_targets_is_found_and_a_missing_block_is_not_asked_for(
    changed: Changed,
) -> None:
    def change(expected: dict[str, Any]) -> None:
        del expected["all_targets"]["table"]
        expected["all_targets"]["classes"]["key"] += 1

    outcome = changed("coref-xml/head-no", change)
    assert [difference.path for difference in outcome.differences] == ["all_targets.classes.key"]


def test_a_key_without_documents_is_laid_out_as_zeros(changed: Changed) -> None:
    outcome = changed("coref/both-empty", lambda _: None, key_conll="")
    assert outcome.status == "agrees"
    assert outcome.compared > 100


@pytest.mark.parametrize("key", ["profile", "kind"])
def test_a_case_that_does_not_say_how_it_is_run_cannot_be_run(changed: Changed, key: str) -> None:
    outcome = changed("coref/perfect", lambda expected: expected.pop(key))
    assert outcome.status == "error"
    assert outcome.error


def test_a_case_that_is_no_table_cannot_be_run(tmp_path: Path) -> None:
    (tmp_path / "expected.json").write_text("[1]", encoding="utf-8")
    assert run_case(tmp_path, ADAPTERS.__getitem__).status == "error"
