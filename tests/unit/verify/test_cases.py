"""Cases that are not as they should be: told one by one, and the others still run."""

from __future__ import annotations

import cProfile
import json
import shutil
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from lydite.cli import run
from lydite.verify import ADAPTERS
from lydite.verify.cases import CaseOutcome, run_case

CASES = Path("tests/conformance")


def changed(name: str, folder: Path, **changes: Any) -> CaseOutcome:
    """What comes of a case whose ``expected.json`` is changed; None takes a key away."""
    case = folder / "case"
    shutil.copytree(CASES / name, case)
    expected = json.loads((case / "expected.json").read_text(encoding="utf-8"))
    expected.update(changes)
    kept = {key: value for key, value in expected.items() if value is not None}
    (case / "expected.json").write_text(json.dumps(kept), encoding="utf-8")
    return run_case(case, ADAPTERS.__getitem__)


def test_an_option_that_is_no_setting_is_not_ignored(tmp_path: Path) -> None:
    outcome = changed("nugget/exact-match", tmp_path, options={"unit": "char", "strictness": 3})
    assert (outcome.status, outcome.compared) == ("error", 0)
    assert "'strictness'" in (outcome.error or "")


TOKENIZE, POOL, MERGE = (
    "nugget-tokenize/abbreviation-list",
    "arguments-pool/p07-tie",
    "arguments-merge/m04-order",
)


@pytest.mark.parametrize("name", [TOKENIZE, POOL, MERGE])
def test_an_option_that_the_kind_does_not_have_is_not_ignored(name: str, tmp_path: Path) -> None:
    outcome = changed(name, tmp_path, options={"seperators": "/"})
    assert outcome.status == "error"
    assert "'seperators'" in (outcome.error or "")


@pytest.mark.parametrize("doc_id", ["../pwned", "/pwned", "case/pwned"])
def test_a_case_writes_nothing_beside_its_own_files(doc_id: str, tmp_path: Path) -> None:
    outcome = changed(TOKENIZE, tmp_path, options={"doc_id": doc_id.replace("/pwned", f"{tmp_path}/pwned")})
    assert outcome.status == "error"
    assert "expected the name of a document" in (outcome.error or "")
    assert not list(tmp_path.rglob("pwned*"))


@pytest.mark.parametrize("word", ["coref-mapping", "coref_mapping"])
def test_options_are_spelt_with_hyphens_or_underscores(word: str, tmp_path: Path) -> None:
    outcome = changed("nugget/exact-match", tmp_path, options={"unit": "char", word: "realis_status"})
    assert outcome.status == "agrees"


def test_a_case_without_a_block_that_its_kind_needs_cannot_run(tmp_path: Path) -> None:
    assert changed("nugget/exact-match", tmp_path, scores=None).status == "error"


def test_a_case_that_is_not_an_object_cannot_run(tmp_path: Path) -> None:
    (tmp_path / "expected.json").write_text("[]")
    outcome = run_case(tmp_path, ADAPTERS.__getitem__)
    assert (outcome.status, outcome.error) == ("error", "ValueError: expected.json: expected an object")


def test_a_key_that_occurs_twice_cannot_hide_its_first_value(tmp_path: Path) -> None:
    case = tmp_path / "case"
    shutil.copytree(CASES / "nugget/exact-match", case)
    text = (case / "expected.json").read_text(encoding="utf-8")
    (case / "expected.json").write_text('{"scores": {"wrong": 1}, ' + text.lstrip()[1:], encoding="utf-8")
    outcome = run_case(case, ADAPTERS.__getitem__)
    assert outcome.status == "error"
    assert "the key 'scores' twice" in (outcome.error or "")


def test_other_keys_in_a_block_of_also_are_named_as_not_compared(tmp_path: Path) -> None:
    name = "arguments/58-wrong-line-without-id"
    also = json.loads((CASES / name / "expected.json").read_text(encoding="utf-8"))["also"]
    outcome = changed(name, tmp_path, also=[{**also[0], "weather": {"here": "fine"}}, *also[1:]])
    assert (outcome.status, outcome.not_compared) == ("agrees", ("also[0].weather.here",))


def test_an_unknown_verdict_is_an_error_of_the_case(tmp_path: Path) -> None:
    given = json.loads((CASES / "ace-adjudicate/adjudication-1/expected.json").read_text(encoding="utf-8"))
    items = [{**given["items"][0], "verdict": "perhaps"}, *given["items"][1:]]
    assert "perhaps" in (changed("ace-adjudicate/adjudication-1", tmp_path, items=items).error or "")


def test_without_a_reading_mode_broken_input_is_refused(tmp_path: Path) -> None:
    assert changed("nugget/exact-match", tmp_path, reading=None).status == "agrees"
    outcome = changed("nugget/missing-footer", tmp_path / "other", reading=None)
    assert "missing-footer" in (outcome.error or "")


@pytest.mark.parametrize(
    "name", ["coref/all-singletons-both", "nugget/exact-match", "../conformance-spans/default_00"]
)
def test_a_case_that_names_no_reading_mode_is_run(name: str, tmp_path: Path) -> None:
    assert changed(name, tmp_path, reading=None).status == "agrees"


def test_a_kind_that_does_not_exist_is_reported_with_the_known_ones(tmp_path: Path) -> None:
    error = changed("coref/all-singletons-both", tmp_path, kind="coref.scores").error
    assert (
        error
        == "UsageError: no kind of case 'coref.scores'; did you mean 'coref.score' or 'ace.score' or 'records.score'?"
    )


def test_a_finding_is_asked_for_something_it_does_not_have(tmp_path: Path) -> None:
    wanted = [{"check": "chains-overlap", "severity": "error", "colour": "red"}]
    outcome = changed("nugget-invalid/chains-overlap", tmp_path, must_fire=wanted)
    assert [item.path for item in outcome.differences] == ["must_fire[0].colour"]


def test_the_order_of_links_needs_no_record_and_is_compared_where_there_is_one(tmp_path: Path) -> None:
    name = "nugget/sequencing-after-chain"
    assert changed(name, tmp_path / "one", sequencing_all_link_order=None).status == "agrees"
    other = {"d1": {"gold": [["After", "x", "y"]], "system": []}}
    outcome = changed(name, tmp_path / "two", sequencing_all_link_order=other)
    assert outcome.status == "differs"


@pytest.mark.parametrize(
    "name",
    [
        "nugget/exact-match",
        "nugget-convert/brat-dangling-and-duplicate",
        "ace/entity_split",
        "ace-select/selection-1",
        "arguments-linking/k01-perfect",
        "arguments-pool/p01-worked-example",
    ],
)
def test_a_block_that_the_kind_does_not_know_is_named(name: str, tmp_path: Path) -> None:
    outcome = changed(name, tmp_path, weather={"here": "fine"})
    assert (outcome.status, outcome.not_compared.count("weather.here")) == ("agrees", 1)


def test_a_text_that_the_kind_does_not_know_is_named(tmp_path: Path) -> None:
    changed("nugget/exact-match", tmp_path)
    (tmp_path / "case" / "report-v9.txt").write_text("nothing")
    outcome = run_case(tmp_path / "case", ADAPTERS.__getitem__)
    assert (outcome.status, outcome.not_compared) == ("agrees", ("report-v9.txt",))


def test_an_older_release_without_coreference_is_compared_by_its_detection(tmp_path: Path) -> None:
    variants = {"v1.6.2": {"exit": 0, "detection_equal": True}}
    assert changed("nugget/kbp2015-token-exact", tmp_path, variants=variants).status == "agrees"


def test_names_in_a_case_reach_no_terminal_raw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed("nugget/exact-match", tmp_path, **{"od\x9bd": 1})
    run(["verify", str(tmp_path / "case"), "-v"])
    said = capsys.readouterr().out
    assert said.count("not compared: od\\x9bd") == 2
    assert "\x9b" not in said


def test_a_case_whose_numbers_cannot_be_divided_is_an_error_of_its_own(tmp_path: Path) -> None:
    outcome = changed("ace-select/selection-1", tmp_path, K=0)
    assert outcome.status == "error"
    assert (outcome.error or "").startswith("ZeroDivisionError: ")


@pytest.mark.parametrize(
    ("name", "value"),
    [("c", 10**30), ("c", 0), ("c", 2.5), ("U", -3), ("L", 10**9), ("lam", float("nan")), ("w_alias", "2")],
)
def test_parameters_that_no_formula_has_are_an_error_of_the_case(
    tmp_path: Path, name: str, value: object
) -> None:
    given = json.loads((CASES / "ace-select/selection-1/expected.json").read_text(encoding="utf-8"))
    outcome = changed("ace-select/selection-1", tmp_path, parameters={**given["parameters"], name: value})
    assert outcome.status == "error"
    assert "expected" in (outcome.error or "")


def test_a_limit_of_billions_costs_no_more_than_the_mentions_that_there_are(tmp_path: Path) -> None:
    given = json.loads((CASES / "ace-select/selection-1/expected.json").read_text(encoding="utf-8"))
    parameters = {**given["parameters"], "U": 10**12, "c": 10**11}
    assert changed("ace-select/selection-1", tmp_path, parameters=parameters).status == "differs"


@pytest.mark.parametrize(
    ("name", "damage", "place"),
    [
        ("text.txt", b"\xff", "text.txt:1:1: error: expected UTF-8"),
        ("annotation.ann", b"T1\tw 9999 10000\tabc\n", "annotation.ann:1: error: T1 stands at"),
    ],
)
def test_a_refusal_names_the_file_of_the_case(name: str, damage: bytes, place: str, tmp_path: Path) -> None:
    case = tmp_path / "case"
    shutil.copytree(CASES / "nugget-tokenize/boundary-cuts", case)
    (case / name).write_bytes(damage)
    assert f"InvalidInput: {case}/{place}" in (run_case(case, ADAPTERS.__getitem__).error or "")


def test_a_line_of_many_tokens_takes_a_number_of_calls_for_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = tmp_path / "case"
    shutil.copytree(CASES / "nugget-tokenize/boundary-cuts", case)
    (case / "annotation.ann").write_bytes(b"")
    run(["verify", str(case)])  # what is loaded once
    (case / "text.txt").write_bytes(b"," * 20_000)
    calls = cProfile.Profile()
    assert calls.runcall(run, ["verify", str(case)]) == 1
    assert "more; -v shows all" in capsys.readouterr().out
    assert sum(entry.callcount for entry in calls.getstats()) < 60 * 20_000


def test_a_refusal_of_a_shipped_case_names_no_folder_that_is_taken_away_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = tmp_path / "nugget" / "case"
    shutil.copytree(CASES / "nugget-tokenize/boundary-cuts", case)
    (case / "text.txt").unlink()
    monkeypatch.setattr("lydite.cli.verify.unpacked_cases", lambda: nullcontext(tmp_path))
    assert run(["verify"]) == 1
    told = capsys.readouterr().out
    assert "'nugget/case/text.txt'" in told
    assert str(tmp_path) not in told
