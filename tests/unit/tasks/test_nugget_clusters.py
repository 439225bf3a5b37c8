"""Coreference and sequencing of nuggets through the public path."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lydite
from lydite.errors import InvalidInput, UsageError
from lydite.model import Corpus, Document, Mention, Relation, Span
from lydite.pipeline.running import run
from lydite.profile import load_profile
from lydite.tasks import TASKS


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


def test_links_that_gold_implies_lift_recall_above_one(tmp_path: Path) -> None:
    gold = tbf(tmp_path / "gold.tbf", "Subevent ba", "After bc")
    system = tbf(tmp_path / "system.tbf", "Subevent ba", "After ac", "After bc")
    score = lydite.score(gold, system, profile="modern")["sequencing"].micro
    # Both links are found; that c comes after a, a part of b, is implied and earns 0.99/(1 + 3 − 2).
    assert (score.precision, score.recall) == (1, pytest.approx((2 + 0.99 / 2) / 2))


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


# ------------------------------------------------------------------------------------ documents that score nothing


def two_documents(path: Path, first: str, second: str) -> str:
    """Documents of mentions in places of their own: letters are mentions, those before a bar are one cluster."""
    lines = []
    for doc_id, letters in (("d1", first), ("d2", second)):
        cluster, _, others = letters.rpartition("|")
        lines.append(f"#BeginOfDocument {doc_id}")
        lines += [
            f"s\t{doc_id}\t{name}\t{10 * ord(name)},{10 * ord(name) + 4}\tw\tConflict_Attack\tActual"
            for name in cluster + others
        ]
        lines += [f"@Coreference\tR1\t{','.join(cluster)}"] if cluster else []
        lines.append("#EndOfDocument")
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return str(path)


def b_cubed_counts(gold: str, system: str, **settings: object) -> tuple[float, ...]:
    summary = lydite.score(gold, system, profile="kbp2015-v1.6.2", coref="on", **settings)
    (row,) = (row for row in summary.corpus_rows() if (row.measurement, row.metric) == ("coref", "b-cubed"))
    return tuple(row.tally[name] for name in ("gold_credit", "gold_total", "system_credit", "system_total"))


def test_a_document_in_which_every_metric_gives_zero_is_dropped_with_its_false_alarms(tmp_path: Path) -> None:
    gold = two_documents(tmp_path / "gold.tbf", "ab|c", "ab|c")
    system = two_documents(tmp_path / "system.tbf", "ab|c", "xy|z")
    assert b_cubed_counts(gold, system) == (3, 3, 3, 3)
    kept = b_cubed_counts(gold, system, quirks={"drop-zero-documents": False})
    # Gold mentions without a partner leave gold in this release; false alarms stay.
    assert kept == (3, 3, 3, 6)


def test_a_document_in_which_one_metric_gives_more_than_zero_is_kept(tmp_path: Path) -> None:
    gold = two_documents(tmp_path / "gold.tbf", "ab|c", "ab|c")
    system = two_documents(tmp_path / "system.tbf", "ab|c", "cyz")
    assert b_cubed_counts(gold, system) == (4, 4, 4, 6)


@pytest.mark.parametrize(("system_mentions", "kept"), [(19_998, True), (20_000, False)])
def test_a_figure_that_is_zero_when_cut_to_two_decimals_of_a_percentage_is_zero(
    tmp_path: Path, system_mentions: int, kept: bool
) -> None:
    # One mention of n is right: P = 1/n, R = 1, F1 = 2/(n+1), which is 0.01 % for n = 19999.
    def mentions(count: int) -> str:
        lines = [f"s\td\tE{at}\t{10 * at},{10 * at + 4}\tw\tConflict_Attack\tActual" for at in range(count)]
        return "\n".join(["#BeginOfDocument d", *lines, "#EndOfDocument", ""])

    gold, system = tmp_path / "gold.tbf", tmp_path / "system.tbf"
    gold.write_text(mentions(1), encoding="utf-8")
    system.write_text(mentions(system_mentions), encoding="utf-8")
    counts = b_cubed_counts(str(gold), str(system))
    assert counts == ((1, 1, 1, system_mentions) if kept else (0, 0, 0, 0))


def test_the_signature_says_which_relations_were_scored(tmp_path: Path) -> None:
    plain = tbf(tmp_path / "plain.tbf")
    relations = ("", "Coreference ab", "Coreference abc", "After ab", "Subevent ab", "After ba")
    systems = [
        tbf(tmp_path / f"{number}.tbf", *filter(None, [said])) for number, said in enumerate(relations)
    ]
    signatures = [lydite.score(plain, system).signature for system in systems]
    assert len({signature.partition("|sys:")[2] for signature in signatures}) == len(relations)


def test_the_signature_says_everything_that_a_document_says() -> None:
    profile = load_profile("nugget", "modern", TASKS["nugget"].settings).replace({"unit": "char"})
    mention = Mention("a", Span(((0, 4),)), "w", "Conflict_Attack", "Actual")
    plain = Document("d", (mention, mention._replace(id="b")))
    documents = (
        plain,
        plain._replace(relations=(Relation("Coreference", "R", ("a", "b")),)),
        plain._replace(relations=(Relation("After", "R", ("a", "b")),)),
        plain._replace(relations=(Relation("After", "R", ("b", "a")),)),
        plain._replace(layers={"note": "other"}),
        *(
            plain._replace(mentions=(mention._replace(**{field: other}), *plain.mentions[1:]))
            for field, other in (("span", Span(((0, 5),))), ("text", "v"), ("type", "T"), ("realis", "Other"))
        ),
    )
    gold = Corpus("gold", {"d": plain}, facts={"unit": "char"})
    systems = [Corpus(f"s{at}", {"d": said}, facts={"unit": "char"}) for at, said in enumerate(documents)]
    hashes = [item.content for item in run(TASKS["nugget"], gold, systems, profile).inputs]
    assert hashes[0] == hashes[1]
    assert len(set(hashes[1:])) == len(documents)


def test_coreference_of_very_many_mentions_is_measured_as_that_of_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gold = tbf(tmp_path / "gold.tbf", "Coreference ab", "Coreference cd", mentions="abcdefg")
    system = tbf(tmp_path / "system.tbf", "Coreference abc", "Coreference df", mentions="abcdef")
    few = lydite.score(gold, system).to_dict()
    monkeypatch.setattr("lydite.tasks.nugget.coreference.MANY", 1)
    assert lydite.score(gold, system).to_dict() == few
