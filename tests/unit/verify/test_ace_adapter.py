"""What official ACE runs leave open: equally good mappings, and the language of an element of several documents."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import lydite
from apf_files import document, entity, mention, write
from lydite.report.official.ace import Tables
from lydite.verify import ace
from lydite.verify.cases import run_case

CASE = Path(__file__).parent.parent.parent / "conformance" / "ace" / "xdoc_entity_split"


def left_out() -> set[str]:
    outcome = run_case(CASE, lambda _kind: ace.score)
    assert outcome.status == "agrees"
    return {path for path in outcome.not_compared if ".mention_relation." not in path}


def test_a_recorded_mapping_that_is_as_good_as_ours_is_followed() -> None:
    assert left_out() == set()


def test_the_recorded_mapping_of_a_determined_section_is_not_followed(tmp_path: Path) -> None:
    shutil.copytree(CASE, tmp_path / "case")
    path = tmp_path / "case" / "expected.json"
    expected = json.loads(path.read_text(encoding="utf-8"))
    expected["source"]["08-global"]["determined"] = ["entity"]
    path.write_text(json.dumps(expected), encoding="utf-8")
    outcome = run_case(tmp_path / "case", lambda _kind: ace.score)
    assert outcome.status == "differs"
    assert {".".join(difference.path.split(".")[:4]) for difference in outcome.differences} >= {
        "scores.08-global.entity.mapping"
    }


@pytest.mark.parametrize("side", ["ref", "sys"])
def test_a_recorded_pair_that_no_best_mapping_has_is_a_difference(side: str, tmp_path: Path) -> None:
    shutil.copytree(CASE, tmp_path / "case")
    path = tmp_path / "case" / "expected.json"
    expected = json.loads(path.read_text(encoding="utf-8"))
    pair = expected["scores"]["08-global"]["entity"]["mapping"][0]
    pair[side] += "-unheard-of"
    path.write_text(json.dumps(expected), encoding="utf-8")
    outcome = run_case(tmp_path / "case", lambda _kind: ace.score)
    assert f"scores.08-global.entity.mapping.{pair['ref']} {pair['sys']}.value" in {
        difference.path for difference in outcome.differences
    }


def test_the_arbitrary_language_of_an_element_of_several_documents_is_not_compared(tmp_path: Path) -> None:
    for side, prefix in (("ref", "G"), ("sys", "S")):
        latin = entity(f"{prefix}1", [mention(f"{prefix}1-a", 0, "Salim")], names=["Salim"])
        arabic = entity(f"{prefix}1", [mention(f"{prefix}1-b", 0, "سليم")], names=["سليم"])
        write(tmp_path / side, a=document("a", latin), b=document("b", arabic))
    summary = lydite.score(str(tmp_path / "ref"), str(tmp_path / "sys"), task="ace", by=ace.BREAKDOWNS)
    tables = Tables(summary).tables("entity")
    rows = tables["LANGUAGE"]
    assert rows.keys() == {"English", "Arabic", "MIXED", "total"}
    rows["Arabic"] = rows.pop("MIXED")[:3] + rows["Arabic"][3:]
    expected = {
        "kind": "ace.score",
        "reading": "as-official",
        "tolerance": {"*": 1e-9},
        "source": {"08-2008": {"outcome": "scored"}},
        "scores": {"08-2008": {"entity": {"tables": tables}, "mention_entity": {"columns": "08"}}},
    }
    (tmp_path / "expected.json").write_text(json.dumps(expected), encoding="utf-8")
    outcome = run_case(tmp_path, lambda _kind: ace.score)
    assert outcome.differences == ()
    assert {path.split("[")[0] for path in outcome.not_compared} == {
        f"scores.08-2008.entity.tables.LANGUAGE.{language}" for language in ("Arabic", "English")
    }


@pytest.mark.parametrize(("found", "warned"), [(True, ["named-mention-without-name"]), (False, [])])
def test_names_of_mentions_are_warned_of_only_where_the_scorers_look_at_them(
    tmp_path: Path, found: bool, warned: list[str]
) -> None:
    """A NAM mention without a name: the scorers say so while they score entity mentions, which needs both sides."""
    unnamed = entity("G1", [mention("G1-1", 0, "Salim")])
    write(tmp_path / "ref", a=document("a", unnamed))
    write(
        tmp_path / "sys", a=document("a", *([entity("S1", [mention("S1-1", 0, "Salim")])] if found else []))
    )
    expected = {
        "kind": "ace.score",
        "source": {"05": {"outcome": "scored", "warnings": warned}},
        "scores": {"05": {}},
    }
    (tmp_path / "expected.json").write_text(json.dumps(expected), encoding="utf-8")
    outcome = run_case(tmp_path, lambda _kind: ace.score)
    assert [one for one in outcome.differences if "warnings" in one.path] == []


def test_scores_of_a_run_that_the_case_does_not_describe_are_differences(tmp_path: Path) -> None:
    shutil.copytree(CASE, tmp_path / "case")
    path = tmp_path / "case" / "expected.json"
    expected = json.loads(path.read_text(encoding="utf-8"))
    del expected["source"]["08-global"]
    path.write_text(json.dumps(expected), encoding="utf-8")
    found = run_case(tmp_path / "case", lambda _kind: ace.score)
    assert {one.path.split(".")[1] for one in found.differences} == {"08-global"}
