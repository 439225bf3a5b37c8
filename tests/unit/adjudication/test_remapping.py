"""Targets mapped again after the judges: ``lydite assess apply --remap``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from apf_files import document, entity, mention, write
from lydite.cli import run

PROFILES = ("ace08-global", "ace08-global-mentions")


def _named(entity_id: str, doc_id: str, start: int = 0, head: str = "Mira Valdez") -> str:
    return entity(entity_id, [mention(f"{entity_id}-{doc_id}", start, head)], names=["Mira Valdez"])


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gold has T in a1.  System ``split`` has P there, and Q in x1 and x2; system ``whole`` has Z in all of them."""
    monkeypatch.chdir(tmp_path)
    write(Path("gold"), a1=document("a1", _named("T", "a1")))
    write(Path("split"), a1=document("a1", _named("P", "a1")))
    write(Path("split"), **{name: document(name, _named("Q", name)) for name in ("x1", "x2")})
    write(Path("whole"), **{name: document(name, _named("Z", name)) for name in ("a1", "x1", "x2")})
    Path("targets.jsonl").write_text('{"id": "T", "handle": "Mira Valdez"}\n', encoding="utf-8")


def _applied(
    capsys: pytest.CaptureFixture[str], profile: str, *more: str, **decisions: str
) -> dict[str, Any]:
    """The document of ``assess apply``, after a decision on the item of each document."""
    common = ["gold", "split", "whole", "--targets", "targets.jsonl", "--profile", profile]
    assert run(["assess", "queue", *common, "-o", "queue.tsv"]) == 0
    header, *rows = Path("queue.tsv").read_text(encoding="utf-8").splitlines()
    queued = [dict(zip(header.split("\t"), row.split("\t"), strict=True)) for row in rows]
    items = {row["docid"]: row["item_id"] for row in queued}
    lines = [f"{items[doc_id]}\tann\t{decision}\t\t" for doc_id, decision in decisions.items()]
    log = "\n".join(["item_id\tjudge\tdecision\ttime\tnote", *lines, ""])
    Path("decisions.tsv").write_text(log, encoding="utf-8")
    files = ["--queue", "queue.tsv", "--decisions", "decisions.tsv", "--resamples", "20"]
    capsys.readouterr()
    assert run(["assess", "apply", *common, *files, "--format", "json", *more]) == 0
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


@pytest.mark.parametrize("profile", PROFILES)
def test_a_target_goes_to_the_entity_that_has_most_of_what_was_judged_right(
    profile: str, capsys: pytest.CaptureFixture[str]
) -> None:
    first = _applied(capsys, profile, x1="up", x2="up")["systems"]["split"]["after"]
    # Mapped to P: of T in a1, x1 and x2 only a1 was found.
    assert (first["value_plus"], first["score_plus"]) == pytest.approx((3, 1), abs=1e-6)
    assert (first["relative_recall"], first["b3_recall"]) == pytest.approx((0, 1 / 9))
    again = _applied(capsys, profile, "--remap", x1="up", x2="up")["systems"]["split"]["after"]
    # Mapped to Q: x1 and x2 were found, and a1 was not.
    assert (again["value_plus"], again["score_plus"]) == pytest.approx((3, 2), abs=1e-6)
    assert again["ace_value_plus"] == pytest.approx(200 / 3, abs=1e-5)
    assert (again["adjudicated_precision"], again["relative_recall"]) == (1, 1)
    assert (again["b3_recall"], again["b3_precision"]) == pytest.approx((2 * (2 / 3) / 3, 1))
    assert again["ace_value_on_A"] == first["ace_value_on_A"] == pytest.approx(100)


@pytest.mark.parametrize("profile", PROFILES)
def test_a_target_stays_where_it_is_while_no_other_entity_has_more_of_it(
    profile: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for decisions in ({}, {"x1": "down", "x2": "down"}, {"x2": "unsure"}):
        first = _applied(capsys, profile, **decisions)
        again = _applied(capsys, profile, "--remap", **decisions)
        assert "remap" not in first
        assert again == {**first, "remap": True}


@pytest.mark.parametrize("profile", PROFILES)
def test_an_item_that_was_not_queued_is_not_decided(profile: str, capsys: pytest.CaptureFixture[str]) -> None:
    write(Path("split"), x3=document("x3", _named("Q", "x3")))
    again = _applied(capsys, profile, "--remap", x1="up", x2="up")["systems"]["split"]
    assert again["undecided"]["items"] == 1
    assert again["after"]["score_plus"] == pytest.approx(2, abs=1e-6)
    # Were it wrong it would cost 0.75 of its value, were it right it would earn it.
    assert again["undecided"]["range"]["score_plus"] == pytest.approx([2 - 0.75, 3], abs=1e-6)


@pytest.mark.parametrize("profile", PROFILES)
def test_an_item_judged_right_counts_as_gold_even_if_no_mapped_entity_has_it_any_more(
    profile: str, capsys: pytest.CaptureFixture[str]
) -> None:
    # Now ``split`` has P in all documents but x1; ``whole`` has Z in a1 and x1, and Y in the others.
    others = ("x2", "x3", "x4")
    write(Path("split"), x1=document("x1"))
    write(Path("split"), **{name: document(name, _named("P", name)) for name in others})
    write(Path("whole"), **{name: document(name, _named("Y", name)) for name in others})
    right = dict.fromkeys(("x1", *others), "up")
    first = _applied(capsys, profile, **right)["systems"]["whole"]["after"]
    assert (first["value_plus"], first["score_plus"]) == pytest.approx((5, 2), abs=1e-6)
    again = _applied(capsys, profile, "--remap", **right)["systems"]
    for system, score in (("whole", 3), ("split", 4)):
        after = again[system]["after"]
        assert (after["value_plus"], after["score_plus"]) == pytest.approx((5, score), abs=1e-6)
        assert after["relative_recall"] == 3 / 4


def test_a_mention_that_overlaps_a_judged_item_is_judged_with_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    # Six of eleven characters: enough to match.
    write(Path("split"), x1=document("x1", _named("Q", "x1", start=5, head="Valdez")))
    again = _applied(capsys, "ace08-global-mentions", "--remap", x1="up", x2="up")["systems"]["split"]
    assert again["after"]["score_plus"] == pytest.approx(2, abs=1e-6)
    assert (again["undecided"]["items"], again["after"]["relative_recall"]) == (0, 1)


def test_documents_that_were_judged_cannot_be_mapped_again_by_mentions(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["gold", "split", "--targets", "targets.jsonl", "--profile", "ace08-global-mentions"]
    words += ["--granularity", "document"]
    assert run(["assess", "queue", *words, "-o", "queue.tsv"]) == 0
    Path("decisions.tsv").write_text("item_id\tjudge\tdecision\n", encoding="utf-8")
    more = ["--queue", "queue.tsv", "--decisions", "decisions.tsv", "--remap"]
    assert run(["assess", "apply", *words, *more]) == 2
    assert "leave --remap out" in capsys.readouterr().err
