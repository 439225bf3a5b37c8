"""Unary triples beside relations: a measurement of their own, or in the headline with the others."""

from __future__ import annotations

from pathlib import Path

import pytest

import lydite
from lydite.errors import UsageError

ENDS = "T1\tPerson 0 4\tAnna\nT2\tOrganisation 5 9\tAcme\n"
GOLD, SYSTEM = f"{ENDS}R1\tworks-for Arg1:T1 Arg2:T2\n", f"{ENDS}R1\towns Arg1:T1 Arg2:T2\n"


def score(folder: Path, gold: str, system: str, suffix: str = ".ann", **settings: object) -> lydite.Summary:
    paths = folder / f"gold{suffix}", folder / f"system{suffix}"
    for path, content in zip(paths, (gold, system), strict=True):
        path.write_text(content, encoding="utf-8")
    return lydite.score(*paths, task="triples", **settings)


def test_the_headline_of_brat_with_relations_is_that_of_the_relations(tmp_path: Path) -> None:
    summary = score(tmp_path, GOLD, SYSTEM)
    assert summary["partial_same"].micro.f1 == 0
    assert summary["unary_triples"].micro.f1 == 1
    assert summary["unary_triples_exact"].micro.f1 == 1


def test_that_unary_triples_count_apart_is_a_note(tmp_path: Path) -> None:
    found = [(one.code, one.severity) for one in score(tmp_path, GOLD, SYSTEM).findings]
    assert ("unary-apart", "note") in found


def test_unary_triples_of_brat_count_with_the_others_if_asked_for(tmp_path: Path) -> None:
    summary = score(tmp_path, GOLD, SYSTEM, unary="together")
    assert summary["partial_same"].micro.f1 == pytest.approx(2 / 3)
    assert "|unary:together|" in summary.signature


def test_gold_of_brat_without_relations_is_scored_by_its_unary_triples(tmp_path: Path) -> None:
    summary = score(tmp_path, ENDS, SYSTEM)
    assert summary["partial_same"].micro.recall == 1
    assert summary.settings["unary"] == "together"


TRP = """<triples><triple id="1" relation="agent"><elementFirstIds><elementFirst id="w1"/></elementFirstIds>
<elementSecondIds><elementSecond id="w2"/></elementSecondIds></triple>
<triple id="2" relation="Person"><elementFirstIds><elementFirst id="w1"/></elementFirstIds></triple></triples>"""


def test_unary_triples_of_a_triple_file_count_with_the_others_unless_they_are_to_count_apart(
    tmp_path: Path,
) -> None:
    system = TRP.replace("agent", "patient")
    assert score(tmp_path, TRP, system, ".trp")["partial_same"].micro.f1 == 0.5
    apart = score(tmp_path, TRP, system, ".trp", unary="apart")
    assert (apart["partial_same"].micro.f1, apart["unary_triples"].micro.f1) == (0, 1)


def test_unary_triples_of_a_system_in_brat_are_no_false_alarms_beside_other_gold(tmp_path: Path) -> None:
    (tmp_path / "gold.trp").write_text(TRP, encoding="utf-8")
    (tmp_path / "system.ann").write_text(SYSTEM, encoding="utf-8")
    summary = lydite.score(tmp_path / "gold.trp", tmp_path / "system.ann", task="triples")
    (row,) = (
        one
        for one in summary.rows
        if (one.measurement, one.average, one.scope) == ("partial_same", "micro", "corpus") and not one.by
    )
    assert row.counts["system_total"] == 1


def test_triples_that_are_counted_in_another_way_have_another_signature(tmp_path: Path) -> None:
    contents = {
        unary: [one.content for one in score(tmp_path, GOLD, SYSTEM, unary=unary).inputs]
        for unary in ("auto", "together", "apart")
    }
    assert contents["auto"] == contents["apart"] != contents["together"]


def test_coverage_and_first_come_measure_unary_triples_apart_too(tmp_path: Path) -> None:
    assert score(tmp_path, GOLD, SYSTEM, matching="coverage")["unary_triples"].micro.f1 == 1
    reference = score(tmp_path, GOLD, SYSTEM, profile="reference", unary="apart")
    assert (reference["partial_same"].micro.recall, reference["unary_triples"].micro.recall) == (0, 1)


def test_without_second_elements_nothing_can_count_apart(tmp_path: Path) -> None:
    summary = score(tmp_path, GOLD, SYSTEM, ignore_element_second=True)
    assert summary.settings["unary"] == "together"
    with pytest.raises(UsageError, match="exclude each other"):
        score(tmp_path, GOLD, SYSTEM, ignore_element_second=True, unary="apart")


def test_a_verdict_says_that_a_unary_triple_is_measured_apart(tmp_path: Path) -> None:
    score(tmp_path, GOLD, SYSTEM)
    explanation = lydite.explain(tmp_path / "gold.ann", tmp_path / "system.ann", task="triples")
    causes = {one.id: (one.cause, one.why) for one in explanation.verdicts if one.side == "gold"}
    assert causes["R1"][0] == "wrong-relation"
    assert causes["T1"] == (
        "left-out",
        "T1 has no second element, and such triples are measured apart (unary)",
    )
