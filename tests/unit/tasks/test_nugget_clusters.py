"""Coreference and sequencing of nuggets through the public path."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lydite
from lydite.errors import InvalidInput, UsageError


def tbf(path: Path, *relations: str, mentions: str = "abcd") -> str:
    lines = ["#BeginOfDocument d"]
    for at, name in enumerate(mentions):
        lines.append(f"s\td\t{name}\t{10 * at},{10 * at + 4}\tw\tConflict_Attack\tActual")
    for number, relation in enumerate(relations):
        kind, members = relation.split()
        lines.append(f"@{kind}\tR{number}\t{','.join(members)}")
    path.write_text("\n".join([*lines, "#EndOfDocument", ""]), encoding="utf-8")
    return str(path)


def codes(summary: lydite.Summary) -> set[str]:
    return {finding.code for finding in summary.findings}


def test_coreference_is_measured_if_a_file_has_clusters(tmp_path: Path) -> None:
    gold = tbf(tmp_path / "gold.tbf", "Coreference ab")
    plain = tbf(tmp_path / "plain.tbf")
    assert lydite.score(gold, plain)["coref"]["muc"].recall == 0
    assert "coref" not in lydite.score(plain, plain).measurements
    assert "coref" in lydite.score(plain, plain, coref="on").measurements
    assert "coref" not in lydite.score(gold, gold, coref="off").measurements


def test_the_mean_of_four_is_three_quarters_for_singletons(tmp_path: Path) -> None:
    plain = tbf(tmp_path / "plain.tbf")
    assert lydite.score(plain, plain, coref="on")["coref"]["kbp"].f1 == 0.75


def test_gold_mentions_without_partner_leave_gold_only_with_the_quirk(tmp_path: Path) -> None:
    gold = tbf(tmp_path / "gold.tbf", "Coreference ab")
    system = tbf(tmp_path / "system.tbf", mentions="abc")
    kept = lydite.score(gold, system, coref="on")["coref"]["b-cubed"].recall
    dropped = lydite.score(gold, system, coref="on", quirks={"drop-unpaired-gold": True})["coref"][
        "b-cubed"
    ].recall
    assert kept == pytest.approx((0.5 + 0.5 + 1) / 4)
    assert dropped == pytest.approx((0.5 + 0.5 + 1) / 3)


def test_links_are_measured_through_clusters(tmp_path: Path) -> None:
    gold = tbf(tmp_path / "gold.tbf", "Coreference bc", "After ab")
    system = tbf(tmp_path / "system.tbf", "After ab", "After ac")
    assert lydite.score(gold, system)["after"].micro.f1 == 1


def test_a_figure_that_depends_on_the_order_of_links_is_named(tmp_path: Path) -> None:
    gold = tbf(tmp_path / "gold.tbf", "Subevent bc", "After ab", "After ac")
    assert "link-order-counts" in codes(lydite.score(gold, gold))
    order = tmp_path / "order.json"
    order.write_text(json.dumps({"d": {"gold": [["After", "a", "c"]], "system": []}}), encoding="utf-8")
    assert "link-order-counts" not in codes(lydite.score(gold, gold, link_order=str(order)))
    for content in ("[]", '{"d": {"gold": [[{}, "a", "c"]], "system": []}}'):
        order.write_text(content, encoding="utf-8")
        with pytest.raises(UsageError, match="link-order"):
            lydite.score(gold, gold, link_order=str(order))


def test_links_that_cannot_all_hold_are_named(tmp_path: Path) -> None:
    gold = tbf(tmp_path / "gold.tbf", "Subevent ab", "After ab")
    assert "contradictory-links" in codes(lydite.score(gold, gold))


def test_clusters_that_share_a_member_are_refused_as_the_official_program_does(tmp_path: Path) -> None:
    gold = tbf(tmp_path / "gold.tbf", "Coreference ab", "Coreference bc")
    for reading in ("refuse", "as-official"):
        with pytest.raises(InvalidInput, match="chains-overlap"):
            lydite.score(gold, gold, reading=reading)
    assert lydite.score(gold, gold, reading="as-official", coref="off")["span"].micro.f1 == 1


def test_a_link_over_three_mentions_is_refused_and_stops_the_official_program_where_links_are_measured(
    tmp_path: Path,
) -> None:
    gold = tbf(tmp_path / "gold.tbf", "After abc")
    for reading in ("refuse", "as-official"):
        with pytest.raises(InvalidInput, match="relation-too-many-arguments"):
            lydite.score(gold, gold, reading=reading)
    assert lydite.score(gold, gold, reading="as-official", sequencing="off")["span"].micro.f1 == 1
    other = tbf(tmp_path / "other.tbf", "Causes abc")
    assert lydite.score(other, other)["span"].micro.f1 == 1


def test_a_division_by_zero_of_the_official_program_stops_the_official_reading_only(tmp_path: Path) -> None:
    gold = tbf(tmp_path / "gold.tbf", "Subevent ab", "After ab")
    with pytest.raises(InvalidInput, match="link-weight-undefined"):
        lydite.score(gold, gold, reading="as-official")
    summary = lydite.score(gold, gold)
    assert "link-weight-undefined" in codes(summary)
    assert summary["sequencing"].micro.f1 == 1
    assert "link-weight-undefined" not in codes(lydite.score(gold, gold, profile="modern"))


def test_circles_of_links_are_refused_unless_links_are_not_validated(tmp_path: Path) -> None:
    gold = tbf(tmp_path / "gold.tbf", "After ab", "After bc")
    both = tbf(tmp_path / "both.tbf", "After ab", "After ba")
    circle = tbf(tmp_path / "circle.tbf", "After ab", "After bc", "After ca")
    for system, code, reading in (
        (both, "link-cycle", "refuse"),
        (both, "link-cycle", "as-official"),
        (circle, "long-cycle", "refuse"),
    ):
        with pytest.raises(InvalidInput, match=code):
            lydite.score(gold, system, sequencing="on", reading=reading)
        summary = lydite.score(gold, system, sequencing="on", reading=reading, validate_links=False)
        assert code in codes(summary)
        assert summary["span"].micro.f1 == 1
