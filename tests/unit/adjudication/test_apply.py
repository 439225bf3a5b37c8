"""A whole run of adjudication: APF, queue, decisions, scores before and after."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from apf_files import document, entity, mention, write
from lydite.adjudication.decisions import LoggedDecision, agreement, read_decisions
from lydite.cli.assess import apply, queue
from lydite.errors import FormatError, InvalidInput, UsageError


def _named(entity_id: str, doc_id: str, start: int = 0) -> str:
    return entity(entity_id, [mention(f"{entity_id}-{doc_id}", start, "Mira Valdez")], names=["Mira Valdez"])


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """The worked example of the specification: gold has a1 and a2; one system also x1, x2, x3, another x4."""
    write(tmp_path / "gold", **{name: document(name, _named("T", name)) for name in ("a1", "a2")})
    first = {name: document(name, _named("S", name)) for name in ("a1", "x1", "x2", "x3")}
    write(tmp_path / "first", **first, a2=document("a2"))
    write(
        tmp_path / "second",
        **{name: document(name, _named("Q", name)) for name in ("a1", "x4")},
        a2=document("a2"),
    )
    (tmp_path / "targets.jsonl").write_text('{"id": "T", "handle": "Mira Valdez"}\n', encoding="utf-8")
    return tmp_path


def _queue(files: Path, *more: str, profile: str = "ace08-global") -> list[dict[str, str]]:
    arguments = [str(files / name) for name in ("gold", "first", "second")]
    options = [
        "--targets",
        str(files / "targets.jsonl"),
        "--profile",
        profile,
        "-o",
        str(files / "queue.tsv"),
        *more,
    ]
    outcome = CliRunner().invoke(queue.command, [*arguments, *options], catch_exceptions=False)
    assert outcome.exit_code == 0, outcome.output
    header, *rows = (files / "queue.tsv").read_text(encoding="utf-8").splitlines()
    return [dict(zip(header.split("\t"), row.split("\t"), strict=True)) for row in rows]


def _apply(
    files: Path,
    decisions: list[tuple[str, str, str]],
    profile: str = "ace08-global",
    *more: str,
    systems: tuple[str, ...] = ("first", "second"),
) -> dict[str, Any]:
    lines = ["item_id\tjudge\tdecision\ttime\tnote", *("\t".join((*line, "", "")) for line in decisions)]
    (files / "decisions.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    arguments = [str(files / name) for name in ("gold", *systems)]
    options = ["--targets", str(files / "targets.jsonl"), "--profile", profile, "--format", "json"]
    options += [
        "--queue",
        str(files / "queue.tsv"),
        "--decisions",
        str(files / "decisions.tsv"),
        "--resamples",
        "20",
    ]
    outcome = CliRunner().invoke(apply.command, [*arguments, *options, *more], catch_exceptions=False)
    assert outcome.exit_code == 0, outcome.output
    report: dict[str, Any] = json.loads(outcome.output)
    return report


def _by_document(rows: list[dict[str, str]]) -> dict[str, str]:
    return {row["docid"]: row["item_id"] for row in rows}


def test_every_document_outside_gold_that_a_mapped_entity_has_is_queued_once(files: Path) -> None:
    rows = _queue(files)
    assert [row["docid"] for row in rows] == ["x1", "x2", "x3", "x4"]
    assert {row["handle"] for row in rows} == {"Mira Valdez"}


def test_the_queue_is_blind_to_systems_unless_they_are_asked_for(files: Path) -> None:
    assert {row["systems"] for row in _queue(files)} == {""}
    assert _queue(files, "--with-systems")[0]["systems"] == "first:S"


def test_the_worked_example_of_the_specification(files: Path) -> None:
    items = _by_document(_queue(files))
    decisions = [(items["x1"], "ann", "up"), (items["x2"], "ann", "down"), (items["x4"], "ann", "up")]
    after = _apply(files, decisions)["systems"]["first"]["after"]
    assert after["ace_value_on_A"] == pytest.approx(50, abs=1e-5)
    assert after["value_plus"] == pytest.approx(4, abs=1e-6)
    assert after["score_plus"] == pytest.approx(1.25, abs=1e-6)
    assert after["ace_value_plus"] == pytest.approx(31.25, abs=1e-5)
    assert after["adjudicated_precision"] == after["relative_recall"] == pytest.approx(0.5)
    assert after["b3_recall"] == pytest.approx(0.25)
    assert after["b3_precision"] == pytest.approx(4 / 9)


def test_without_decisions_the_value_is_that_on_the_annotated_documents(files: Path) -> None:
    _queue(files)
    for found in _apply(files, [])["systems"].values():
        assert found["after"]["ace_value_plus"] == pytest.approx(found["after"]["ace_value_on_A"])


def test_undecided_items_span_a_range_around_the_value(files: Path) -> None:
    items = _by_document(_queue(files))
    found = _apply(files, [(items["x1"], "ann", "up")])["systems"]["first"]
    low, high = found["undecided"]["range"]["ace_value_plus"]
    assert low < found["after"]["ace_value_plus"] <= high
    assert found["undecided"]["items"] == 2


def test_the_last_line_of_a_judge_counts_and_a_tie_is_open(files: Path) -> None:
    items = _by_document(_queue(files))
    once = _apply(files, [(items["x1"], "ann", "up")])
    changed = _apply(files, [(items["x1"], "ann", "down"), (items["x1"], "ann", "up")])
    assert once["systems"] == changed["systems"]
    tied = _apply(files, [(items["x1"], "ann", "up"), (items["x1"], "bob", "down")])
    assert tied["systems"] == _apply(files, [])["systems"]
    assert tied["agreement"]["raw"] == 0


def test_judging_mentions_gives_the_same_figures_where_each_document_has_one(files: Path) -> None:
    rows = _queue(files, profile="ace08-global-mentions")
    assert {row["granularity"] for row in rows} == {"mention"}
    items = _by_document(rows)
    decisions = [(items["x1"], "ann", "up"), (items["x2"], "ann", "down"), (items["x4"], "ann", "up")]
    after = _apply(files, decisions, "ace08-global-mentions")["systems"]["first"]["after"]
    assert after["ace_value_plus"] == pytest.approx(31.25, abs=1e-5)
    assert after["b3_recall"] == pytest.approx(0.25)
    assert after["b3_precision"] == pytest.approx(4 / 9)


def test_context_comes_from_the_text(files: Path) -> None:
    texts = files / "texts"
    texts.mkdir()
    (texts / "x1.txt").write_text("Mira Valdez went home.", encoding="utf-8")
    rows = _queue(files, "--text", str(texts), profile="ace08-global-mentions")
    assert rows[0]["context"] == "[[Mira Valdez]] went home."


def test_a_sample_records_the_probability_of_each_item(files: Path) -> None:
    rows = _queue(files, "--max-items", "2")
    assert len(rows) == 2
    assert sum(1 / float(row["pi"]) for row in rows) == pytest.approx(4)


def test_every_range_contains_the_figure_without_the_open_items(files: Path) -> None:
    items = _by_document(_queue(files))
    for decisions in ([], [(items["x1"], "ann", "up")], [(items["x4"], "ann", "down")]):
        for found in _apply(files, decisions)["systems"].values():
            for name, figure in found["after"].items():
                low, high = found["undecided"]["range"][name]
                assert figure is None or low <= figure <= high


def test_a_decision_on_an_item_that_is_not_queued_is_refused_with_its_line(files: Path) -> None:
    items = _by_document(_queue(files))
    with pytest.raises(FormatError) as refused:
        _apply(files, [(items["x1"], "ann", "up"), ("0123456789abcdef", "ann", "up")])
    (finding,) = refused.value.findings
    assert (finding.code, finding.location.line if finding.location else None) == ("unknown-item", 3)


def test_a_target_that_gold_does_not_have_is_refused(files: Path) -> None:
    (files / "targets.jsonl").write_text("T\nNOBODY\n", encoding="utf-8")
    with pytest.raises(InvalidInput) as refused:
        _queue(files)
    assert {
        (finding.code, finding.item) for finding in refused.value.findings if finding.severity == "error"
    } == {("target-not-in-gold", "NOBODY")}


def test_a_target_of_a_type_that_is_not_scored_is_refused(files: Path) -> None:
    place = entity("L", [mention("L-a1", 60, "Orvik")], names=["Orvik"], type_="GPE", subtype="Nation")
    write(files / "gold", a1=document("a1", _named("T", "a1"), place))
    (files / "targets.jsonl").write_text("T\nL\n", encoding="utf-8")
    with pytest.raises(InvalidInput) as refused:
        _queue(files)
    (finding,) = [finding for finding in refused.value.findings if finding.severity == "error"]
    assert (finding.code, finding.item) == ("target-not-in-gold", "L")
    assert "found it outside" in finding.message


def test_a_list_of_no_target_is_refused(files: Path) -> None:
    (files / "targets.jsonl").write_text("# nobody yet\n", encoding="utf-8")
    with pytest.raises(UsageError, match="lists no target"):
        _queue(files)


def test_a_target_that_two_gold_entities_are_linked_to_is_refused(files: Path) -> None:
    link = '<external_link RESOURCE="KB" EID="Q7"/>'
    for entity_id, place in (("T", "a1"), ("U", "a2")):
        linked = entity(entity_id, [mention(f"{entity_id}-1", 0, "Mira Valdez")], names=["Mira"], extra=link)
        write(files / "gold", **{place: document(place, linked)})
    (files / "targets.jsonl").write_text("Q7\n", encoding="utf-8")
    with pytest.raises(InvalidInput) as refused:
        _queue(files)
    (finding,) = refused.value.findings
    assert (finding.code, finding.item) == ("target-of-several-entities", "Q7")
    assert "found T, U" in finding.message


@pytest.mark.parametrize("remap", [(), ("--remap",)])
def test_annotated_documents_in_which_a_target_does_not_count_are_neither_asked_about_nor_scored(
    files: Path, remap: tuple[str, ...]
) -> None:
    (files / "targets.jsonl").write_text("T\ta1\n", encoding="utf-8")
    write(files / "first", a2=document("a2", _named("S", "a2")))
    assert [row["docid"] for row in _queue(files)] == ["x1", "x2", "x3", "x4"]
    after = _apply(files, [], "ace08-global", *remap)["systems"]["first"]["after"]
    assert after["ace_value_on_A"] == after["ace_value_plus"] == pytest.approx(100)


@pytest.mark.parametrize("profile", ["ace08-global", "ace08-global-mentions"])
@pytest.mark.parametrize("remap", [(), ("--remap",)])
def test_a_system_alone_has_the_same_figures_as_beside_the_others_of_the_queue(
    files: Path, profile: str, remap: tuple[str, ...]
) -> None:
    # The items of two documents are called after mentions of the second system: they are longer.
    for place, length in (("x1", 11), ("x5", 9)):
        for name, entity_id, size in (("first", "S", length - 2), ("second", "Q", length)):
            own = mention(f"{entity_id}-{place}-2", 40, "Mira Valdez"[:size])
            text = document(place, entity(entity_id, [own], names=["Mira Valdez"]))
            write(files / name, **{place: text})
    rows = _queue(files, "--max-items", "4", profile=profile)
    decisions = [(row["item_id"], "ann", "down" if at == 1 else "up") for at, row in enumerate(rows)]
    both = _apply(files, decisions, profile, *remap)["systems"]
    for name in ("first", "second"):
        assert _apply(files, decisions, profile, *remap, systems=(name,))["systems"][name] == both[name]


def test_a_queue_of_other_items_than_are_scored_is_refused(files: Path) -> None:
    items = _by_document(_queue(files, profile="ace08-global-mentions"))
    with pytest.raises(UsageError) as refused:
        _apply(files, [(items["x1"], "ann", "up")])
    assert "items of the granularity mention, but document is scored" in str(refused.value)


def test_an_item_that_is_in_the_queue_twice_is_refused_with_its_line(files: Path) -> None:
    _queue(files)
    lines = (files / "queue.tsv").read_text(encoding="utf-8").splitlines()
    again = lines[1].replace("\t1.0", "\t0.5")
    (files / "queue.tsv").write_text("\n".join([*lines, again, ""]), encoding="utf-8")
    with pytest.raises(FormatError) as refused:
        _apply(files, [])
    (finding,) = refused.value.findings
    assert (finding.code, finding.location and finding.location.line) == ("bad-table", len(lines) + 1)


def test_a_queue_of_targets_that_are_not_listed_is_refused(files: Path) -> None:
    write(files / "gold", a1=document("a1", _named("T", "a1"), _named("U", "a1", start=60)))
    (files / "targets.jsonl").write_text("T\nU\n", encoding="utf-8")
    items = _by_document(_queue(files))
    (files / "targets.jsonl").write_text("U\n", encoding="utf-8")
    with pytest.raises(InvalidInput) as refused:
        _apply(files, [(items["x1"], "ann", "up")])
    (finding,) = refused.value.findings
    assert (finding.code, finding.item) == ("unknown-target", "T")


@pytest.mark.parametrize(("compared", "queued"), [("true", []), ("false", ["a3"])])
def test_where_neither_names_nor_mentions_are_compared_nothing_is_known_to_be_wrong(
    files: Path, compared: str, queued: list[str]
) -> None:
    write(files / "gold", a3=document("a3", _named("U", "a3")))
    write(files / "first", a3=document("a3", _named("S", "a3")))
    rows = _queue(files, profile=_weighed(files, f"use-name-similarity = {compared}"))
    assert [row["docid"] for row in rows] == [*queued, "x1", "x2", "x3", "x4"]


def test_a_place_of_the_queue_that_is_none_is_refused_with_its_line(files: Path) -> None:
    _queue(files, profile="ace08-global-mentions")
    text = (files / "queue.tsv").read_text(encoding="utf-8").replace("\t10\t", "\tten\t", 1)
    (files / "queue.tsv").write_text(text, encoding="utf-8")
    with pytest.raises(FormatError) as refused:
        _apply(files, [], "ace08-global-mentions")
    (finding,) = refused.value.findings
    assert (finding.code, finding.location and finding.location.line) == ("bad-table", 2)


def _judged(*items: dict[str, str]) -> dict[str, Any]:
    """The agreement of judges: item by item, the decision of each judge."""
    return agreement(
        LoggedDecision(f"i{number}", judge, decision)
        for number, decisions in enumerate(items)
        for judge, decision in decisions.items()
    )


def test_two_judges_agree_by_cohens_kappa() -> None:
    # Equal in 35 of 50; by chance (25·30 + 25·20)/2500 = 1/2.
    items = [("up", "up")] * 20 + [("up", "down")] * 5 + [("down", "up")] * 10 + [("down", "down")] * 15
    found = _judged(*({"ann": one, "bob": other} for one, other in items))
    assert found["raw"] == pytest.approx(0.7)
    assert found["kappa"] == pytest.approx(0.4)
    assert "alpha" not in found


def test_kappa_of_judges_is_over_what_both_decided_and_undefined_where_chance_explains_all() -> None:
    apart = ({"ann": "up"}, {"ann": "up", "bob": "unsure"}, {"bob": "down"})
    found = _judged(*apart, {"ann": "up", "bob": "up"})
    assert (found["items"], found["judged_twice"], found["kappa"]) == (4, 1, None)
    found = _judged(*apart, {"ann": "up", "bob": "up"}, {"ann": "down", "bob": "up"})
    # Equal in 1 of 2; by chance (1·2 + 1·0)/4 = 1/2.
    assert (found["raw"], found["kappa"]) == (0.5, 0.0)
    assert _judged(*apart)["kappa"] is None


def test_more_than_two_judges_agree_by_krippendorffs_alpha() -> None:
    # Of three values two are up: 2·2·1/(3−1) = 2 coincidences differ; of all 8 values 4 are up: D_e = 2·4·4/(8−1).
    found = _judged(
        {"ann": "up", "bob": "up", "cal": "down"},
        {"ann": "down", "bob": "down", "cal": "down"},
        {"ann": "up", "bob": "unsure", "cal": "up"},
        {"ann": "up"},
    )
    assert found["alpha"] == pytest.approx(1 - 2 / (2 * 4 * 4 / 7))
    found = _judged(
        {"ann": "up", "bob": "up", "cal": "down"},
        {"ann": "down", "bob": "down", "cal": "down"},
        {"ann": "up", "cal": "down"},
    )
    # Two values that differ are 2·1·1/(2−1) = 2 more; now 3 are up and 5 down.
    assert found["alpha"] == pytest.approx(1 - 4 / (2 * 3 * 5 / 7))
    assert "kappa" not in found


def test_alpha_is_one_for_judges_who_never_differ_and_undefined_for_a_single_value() -> None:
    assert _judged(*({"ann": one, "bob": one, "cal": one} for one in ("up", "down")))["alpha"] == 1
    assert _judged({"ann": "up", "bob": "up", "cal": "up"})["alpha"] is None
    assert _judged({"ann": "up"}, {"bob": "up"}, {"cal": "down"})["alpha"] is None


def test_the_verdicts_are_written_with_the_share_of_the_majority(files: Path) -> None:
    items = _by_document(_queue(files))
    decisions = [
        *(
            (items["x1"], judge, decision)
            for judge, decision in zip("abc", ("up", "up", "down"), strict=True)
        ),
        *((items["x2"], judge, decision) for judge, decision in zip("ab", ("down", "up"), strict=True)),
        *((items["x3"], judge, "down") for judge in "ab"),
        (items["x4"], "a", "unsure"),
    ]
    write(files / "second", x5=document("x5", _named("Q", "x5")))
    items = _by_document(_queue(files))
    _apply(files, decisions, "ace08-global", "--resolved", str(files / "resolved.tsv"))
    _, *lines = (files / "resolved.tsv").read_text(encoding="utf-8").splitlines()
    found = {line.split("\t")[0]: line.split("\t")[1:] for line in lines}
    assert {doc_id: found[item] for doc_id, item in items.items()} == {
        "x1": ["up", "2", "1", "0.6667"],
        "x2": ["open", "1", "1", "0.5000"],
        "x3": ["down", "0", "2", "1.0000"],
        "x4": ["open", "0", "0", ""],
        "x5": ["open", "0", "0", ""],
    }


@pytest.mark.parametrize("profile", ["ace08-global", "ace08-global-mentions"])
def test_an_item_that_was_not_queued_is_undecided_and_represents_only_itself(
    files: Path, profile: str
) -> None:
    items = _by_document(_queue(files, profile=profile))
    header, *rows = (files / "queue.tsv").read_text(encoding="utf-8").splitlines()
    kept = [row for row in rows if row.startswith(items["x1"])]
    (files / "queue.tsv").write_text("\n".join([header, *kept, ""]), encoding="utf-8")
    found = _apply(files, [(items["x1"], "ann", "up")], profile)["systems"]["first"]
    assert found["undecided"]["items"] == 2
    # If all four are right it found three of them; if only the one that was judged is, it found all.
    assert found["undecided"]["range"]["relative_recall"] == pytest.approx([3 / 4, 1])
    assert found["undecided"]["range"]["adjudicated_precision"] == pytest.approx([1 / 3, 1])


@pytest.mark.parametrize("profile", ["ace08-global", "ace08-global-mentions"])
def test_an_item_that_was_not_drawn_is_stood_for_by_those_that_were(files: Path, profile: str) -> None:
    rows = _queue(files, "--max-items", "2", profile=profile)
    found = _apply(files, [(row["item_id"], "ann", "up") for row in rows], profile)["systems"]["first"]
    # Two in gold; the two of four that were drawn stand for all four, and nothing is open.
    assert found["after"]["value_plus"] == pytest.approx(6, abs=1e-6)
    assert found["undecided"]["range"]["value_plus"] == pytest.approx([6, 6], abs=1e-6)


def _with_nominal(files: Path, *, named: bool) -> dict[str, str]:
    """The first system has a nominal mention of the target in x1, alone or beside a name; places to item ids."""
    nominal = mention("S-x1-2", 40, "doctor", "NOM")
    name = [mention("S-x1", 0, "Mira Valdez")] if named else []
    names = ["Mira Valdez"] if named else []
    write(files / "first", x1=document("x1", entity("S", [*name, nominal], names=names)))
    rows = _queue(files, profile="ace08-global-mentions")
    return {row["head_start"]: row["item_id"] for row in rows if row["docid"] == "x1"}


def test_a_nominal_mention_that_is_right_earns_credit_where_neither_side_is_named(files: Path) -> None:
    items = _with_nominal(files, named=False)
    after = _apply(files, [(items["40"], "ann", "up")], "ace08-global-mentions")["systems"]["first"]["after"]
    # Of two gold names one was found; the nominal mention is worth a half, and was found.
    assert after["value_plus"] == pytest.approx(2.5, abs=1e-6)
    assert after["score_plus"] == pytest.approx(1.5, abs=1e-6)


@pytest.mark.parametrize(("verdict", "credit"), [("up", 0.5), ("down", -0.75 * 0.5)])
def test_a_name_that_is_open_does_not_weigh_the_nominal_mention_beside_it(
    files: Path, verdict: str, credit: float
) -> None:
    items = _with_nominal(files, named=True)
    decisions = [(items["0"], "ann", "unsure"), (items["40"], "ann", verdict)]
    after = _apply(files, decisions, "ace08-global-mentions")["systems"]["first"]["after"]
    assert after["score_plus"] == pytest.approx(1 + credit, abs=1e-6)


def test_a_metonymic_name_of_gold_is_nominal_before_and_after_the_judgements(files: Path) -> None:
    metonymic = mention("T-a2", 0, "the Sound", extra=' METONYMY_MENTION="TRUE"')
    write(files / "gold", a2=document("a2", entity("T", [metonymic])))
    write(files / "first", a2=document("a2", entity("S", [mention("S-a2", 0, "the Sound", "NOM")])))
    _queue(files, profile="ace08-global-mentions")
    after = _apply(files, [], "ace08-global-mentions")["systems"]["first"]["after"]
    # A metonymic mention that is found as NOM keeps 0.9 of its type and 0.9 of its style.
    assert after["value_plus"] == pytest.approx(1.5, abs=1e-6)
    assert after["ace_value_plus"] == pytest.approx(after["ace_value_on_A"])


def test_a_nominal_mention_earns_nothing_where_the_system_wrongly_has_a_name(files: Path) -> None:
    items = _with_nominal(files, named=True)
    decisions = [(items["0"], "ann", "down"), (items["40"], "ann", "up")]
    after = _apply(files, decisions, "ace08-global-mentions")["systems"]["first"]["after"]
    assert after["value_plus"] == pytest.approx(2.5, abs=1e-6)
    assert after["score_plus"] == pytest.approx(1, abs=1e-6)


def test_a_mention_of_another_gold_entity_is_known_to_be_wrong(files: Path) -> None:
    other = entity("U", [mention("U-a1", 60, "Oren Takk")], names=["Oren Takk"])
    write(files / "gold", a1=document("a1", _named("T", "a1"), other))
    wrong = [mention("S-a1", 0, "Mira Valdez"), mention("S-a1-2", 60, "Oren Takk")]
    write(files / "first", a1=document("a1", entity("S", wrong, names=["Mira Valdez"])))
    rows = _queue(files, profile="ace08-global-mentions")
    assert "a1" not in {row["docid"] for row in rows}
    items = _by_document(rows)
    after = _apply(files, [(items["x1"], "ann", "up")], "ace08-global-mentions")["systems"]["first"]["after"]
    assert after["adjudicated_precision"] == pytest.approx(1 / 2)
    # Three mentions count as decided: two are right, and share their cluster with the wrong one.
    assert after["b3_precision"] == pytest.approx((2 / 3 + 2 / 3) / 3)


def test_what_a_system_has_in_an_annotated_document_is_queued_unless_gold_has_it_there(files: Path) -> None:
    unnamed = entity("V", [mention("V-a4", 60, "Oren Takk")], names=["Oren Takk"])
    write(files / "gold", a3=document("a3"), a4=document("a4", unnamed))
    write(files / "first", a3=document("a3", _named("S", "a3")))
    assert [row["docid"] for row in _queue(files)] == ["a3", "x1", "x2", "x3", "x4"]
    assert _apply(files, [])["systems"]["first"]["undecided"]["items"] == 4


def test_a_gold_entity_of_another_name_in_an_annotated_document_does_not_keep_an_item_from_the_queue(
    files: Path,
) -> None:
    other = entity("V", [mention("V-a3", 60, "Oren Takk")], names=["Oren Takk"])
    write(files / "gold", a3=document("a3", other))
    write(files / "first", a3=document("a3", _named("S", "a3")))
    assert [row["docid"] for row in _queue(files)] == ["a3", "x1", "x2", "x3", "x4"]


@pytest.mark.parametrize(
    ("profile", "granularity"),
    [
        ("ace08-global", "document"),
        ("ace08-global-mentions", "document"),
        ("ace08-global-mentions", "mention"),
    ],
)
def test_an_item_that_matches_another_gold_entity_of_an_annotated_document_is_not_queued(
    files: Path, profile: str, granularity: str
) -> None:
    mentions = [mention("U-a3", 0, "Mira Valdez"), mention("U-a3-2", 60, "doctor", "NOM")]
    write(files / "gold", a3=document("a3", entity("U", mentions, names=["Mira Valdez"])))
    write(files / "first", a3=document("a3", _named("S", "a3")))
    rows = _queue(files, "--granularity", granularity, profile=profile)
    assert [row["docid"] for row in rows] == ["x1", "x2", "x3", "x4"]
    after = _apply(files, [], profile, "--granularity", granularity)["systems"]["first"]["after"]
    assert after["adjudicated_precision"] == 0  # known to be wrong, although nobody judged it


@pytest.mark.parametrize(("verdict", "value", "credit"), [(None, 2, 1), ("down", 2, 1), ("up", 3, 1)])
def test_a_document_that_is_known_to_be_wrong_costs_its_system_whatever_was_judged_of_another(
    files: Path, verdict: str | None, value: float, credit: float
) -> None:
    gold = entity("U", [mention("U-a3", 0, "Mira Valdez")], names=["Mira Valdez"])
    otherwise = entity("Q", [mention("Q-a3", 60, "Oren Takk")], names=["Oren Takk"])
    write(files / "gold", a3=document("a3", gold))
    write(files / "first", a3=document("a3", _named("S", "a3")))
    write(files / "second", a3=document("a3", otherwise))
    rows = _queue(files, "--with-systems")
    assert (rows[0]["docid"], rows[0]["systems"]) == ("a3", "second:Q")
    decisions = [(rows[0]["item_id"], "ann", verdict)] if verdict else []
    after = _apply(files, decisions)["systems"]["first"]["after"]
    assert after["adjudicated_precision"] == 0
    assert after["value_plus"] == pytest.approx(value, abs=1e-6)
    assert after["score_plus"] == pytest.approx(credit - 0.75, abs=1e-6)


def test_the_type_of_an_item_is_that_of_most_systems_however_many_mentions_each_has(files: Path) -> None:
    nested = [mention("S-1", 0, "the old mayor", "NOM"), mention("S-2", 4, "old mayor", "NOM")]
    write(files / "first", x1=document("x1", entity("S", nested)))
    named = entity("Q", [mention("Q-1", 0, "the old mayor")], names=["Mira Valdez"])
    write(files / "second", x1=document("x1", named))
    (row,) = (one for one in _queue(files, profile="ace08-global-mentions") if one["docid"] == "x1")
    assert (row["head_text"], row["mention_type"]) == ("the old mayor", "NAM")


def test_a_judgement_holds_for_every_mention_that_its_item_represents(files: Path) -> None:
    # The three overlap one after the other; the first stands for all of them and does not touch the last.
    chain = {place: mention(f"m{place}", place, "Mira Valdo") for place in (0, 6, 12)}
    write(files / "first", x1=document("x1", entity("S", [chain[12]], names=["Mira Valdo"])))
    write(files / "second", x1=document("x1", entity("Q", [chain[0], chain[6]], names=["Mira Valdo"])))
    rows = _queue(files, profile="ace08-global-mentions")
    (item,) = (row["item_id"] for row in rows if row["docid"] == "x1")
    after = _apply(files, [(item, "ann", "down")], "ace08-global-mentions")["systems"]["first"]["after"]
    assert after["adjudicated_precision"] == 0
    assert after["score_plus"] == pytest.approx(1 - 0.75, abs=1e-6)


@pytest.mark.parametrize("profile", ["ace08-global", "ace08-global-mentions"])
def test_the_range_of_what_is_undecided_has_its_ends_in_order(files: Path, profile: str) -> None:
    # Two gold documents of which one was found, and an open item that stands for two.
    for place in ("first/x2", "first/x3", "second/x4"):
        (files / f"{place}.apf.xml").unlink()
    (row,) = _queue(files, profile=profile)
    lines = (files / "queue.tsv").read_text(encoding="utf-8")
    (files / "queue.tsv").write_text(lines.replace("\t1.0\t", "\t0.5\t"), encoding="utf-8")
    report = _apply(files, [(row["item_id"], "ann", "unsure")], profile)["systems"]["first"]
    found = report["undecided"]["range"]
    assert found["score_plus"] == pytest.approx([1 - 0.75 * 2, 1 + 2], abs=1e-6)
    assert found["value_plus"] == pytest.approx([2, 4], abs=1e-6)
    assert found["adjudicated_precision"] == [0, 1]
    assert found["relative_recall"] == [1, 1]
    assert found["ace_value_on_A"] == pytest.approx([50, 50], abs=1e-6)


@pytest.mark.parametrize("profile", ["ace08-global", "ace08-global-mentions"])
def test_before_any_judgement_everything_that_was_found_costs_once(files: Path, profile: str) -> None:
    _queue(files, "--max-items", "2", profile=profile)
    found = _apply(files, [], profile)["systems"]["first"]["all_found_outside_gold_is_wrong"]
    assert found == pytest.approx(100 * (1 - 3 * 0.75) / 2, abs=1e-4)


def test_the_figures_of_a_single_target_are_those_of_the_system(files: Path) -> None:
    nominal = mention("S-x1-2", 40, "the mayor", "NOM")
    named = mention("S-x1", 0, "Mira Valdez")
    write(files / "first", x1=document("x1", entity("S", [named, nominal], names=["Mira Valdez"])))
    decisions = [
        (row["item_id"], "ann", "up" if row["docid"] == "x1" else "down")
        for row in _queue(files, profile="ace08-global-mentions")
    ]
    found = _apply(files, decisions, "ace08-global-mentions")["systems"]["first"]
    assert found["targets"]["T"] == pytest.approx(found["after"])
    assert found["macro"] == pytest.approx(found["after"])


def test_a_gold_mention_is_found_by_the_least_overlap_that_counts(files: Path) -> None:
    # Three of ten characters: as much as the profile asks for.
    name = "Mira Valdo"
    write(files / "gold", a1=document("a1", entity("T", [mention("T-a1", 0, name)], names=[name])))
    write(files / "first", a1=document("a1", entity("S", [mention("S-a1", 7, name)], names=[name])))
    _queue(files, profile="ace08-global-mentions")
    after = _apply(files, [], "ace08-global-mentions")["systems"]["first"]["after"]
    assert after["b3_recall"] == pytest.approx(1 / 4)


def _weighed(files: Path, score: str) -> str:
    path = files / "weighed.toml"
    weights = "mention-type = { NAM = 2.0, NOM = 0.5, PRO = 0.1 }"
    path.write_text(f'extends = "ace/ace08-global"\n[score]\n{score}\n[entity]\n{weights}\n', "utf-8")
    return str(path)


def test_a_gold_mention_is_not_found_by_another_text_where_texts_must_match(files: Path) -> None:
    for side, name, text in (("gold", "T", "the mayor"), ("first", "S", "Oren Takk")):
        both = [mention(f"{name}-1", 0, "Mira Valdez"), mention(f"{name}-2", 20, text, "NOM")]
        write(files / side, a1=document("a1", entity(name, both, names=["Mira Valdez"])))
    profile = files / "texts.toml"
    profile.write_text('extends = "ace/ace08-global-mentions"\n[score]\nmin-text-match = 0.5\n', "utf-8")
    _queue(files, profile=str(profile))
    after = _apply(files, [], str(profile))["systems"]["first"]["after"]
    assert after["b3_recall"] == pytest.approx(1 / 9)


@pytest.mark.parametrize(("is_free", "earned"), [("true", 1.0), ("false", 0.25)])
def test_a_mention_apart_from_gold_costs_what_the_profile_says(
    files: Path, is_free: str, earned: float
) -> None:
    write(files / "first", a2=document("a2", _named("S", "a2", start=60)))
    profile = files / "apart.toml"
    quirks = f"[quirks]\nno-overlap-is-free = {is_free}\n"
    profile.write_text(f'extends = "ace/ace08-global-mentions"\n{quirks}', "utf-8")
    items = {row["docid"]: row["item_id"] for row in _queue(files, profile=str(profile))}
    found = _apply(files, [(items["a2"], "ann", "down")], str(profile))["systems"]["first"]
    assert found["after"]["ace_value_on_A"] == pytest.approx(100 * earned / 2, abs=1e-4)
    assert found["after"]["score_plus"] == pytest.approx(earned, abs=1e-6)


def test_a_right_item_is_worth_its_weight_to_the_system_that_found_it(files: Path) -> None:
    profile = _weighed(files, "use-name-similarity = true")
    items = _by_document(_queue(files, profile=profile))
    after = _apply(files, [(items["x1"], "ann", "up")], profile)["systems"]["first"]["after"]
    # Names weigh two: gold has them in two documents, and in x1; of the three two were found.
    assert after["value_plus"] == pytest.approx(6, abs=1e-6)
    assert after["score_plus"] == pytest.approx(4, abs=1e-6)


def test_a_right_item_is_worth_less_where_its_type_weighs_less(files: Path) -> None:
    path = _weighed(files, "use-name-similarity = true")
    with Path(path).open("a", encoding="utf-8") as profile:
        profile.write("type = { PER = 0.5 }\n")
    items = _by_document(_queue(files, profile=path))
    after = _apply(files, [(items["x1"], "ann", "up")], path)["systems"]["first"]["after"]
    assert after["value_plus"] == pytest.approx(3, abs=1e-6)
    assert after["score_plus"] == pytest.approx(2, abs=1e-6)


def test_a_right_item_without_a_name_earns_nothing_where_names_are_compared(files: Path) -> None:
    nominal = entity("S", [mention("S-x1", 0, "doctor", "NOM")], names=[])
    write(files / "first", x1=document("x1", nominal))
    items = _by_document(_queue(files))
    after = _apply(files, [(items["x1"], "ann", "up")])["systems"]["first"]["after"]
    assert after["value_plus"] == pytest.approx(3, abs=1e-6)
    assert after["score_plus"] == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize(("compared", "credit"), [("true", 0), ("false", 2)])
def test_another_name_costs_only_where_names_are_compared(files: Path, compared: str, credit: float) -> None:
    other = entity("S", [mention("S-x1", 0, "Oren Takk")], names=["Oren Takk"])
    write(files / "first", x1=document("x1", other))
    profile = _weighed(files, f"use-name-similarity = {compared}")
    items = _by_document(_queue(files, profile=profile))
    after = _apply(files, [(items["x1"], "ann", "up")], profile)["systems"]["first"]["after"]
    assert after["score_plus"] == pytest.approx(2 + credit, abs=1e-6)


@pytest.mark.parametrize(("text", "credit"), [("Zo Takk slept.", 1), ("She slept.", 0), (None, 1)])
def test_a_target_has_the_names_that_occur_in_the_text_or_that_systems_found_or_else_its_handle(
    files: Path, text: str | None, credit: float
) -> None:
    target = '{"id": "T", "handle": "Mira Valdez", "aliases": ["Zo Takk"]}\n'
    (files / "targets.jsonl").write_text(target, encoding="utf-8")
    write(files / "first", x1=document("x1", entity("S", [mention("S-x1", 0, "Zo Takk")], names=["Zo Takk"])))
    (files / "texts").mkdir()
    if text is not None:
        (files / "texts/x1.txt").write_text(text, encoding="utf-8")
    items = _by_document(_queue(files))
    more = ("--text", str(files / "texts"))
    after = _apply(files, [(items["x1"], "ann", "up")], "ace08-global", *more)["systems"]["first"]["after"]
    assert after["score_plus"] == pytest.approx(1 + credit, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "credit"), [("Zo Takkala slept.", 0), ("Pozo Takk slept.", 0), ("(Zo Takk)", 1)]
)
def test_a_name_inside_a_longer_word_is_not_the_name_of_the_target(
    files: Path, text: str, credit: float
) -> None:
    target = '{"id": "T", "handle": "Mira Valdez", "aliases": ["Zo Takk"]}\n'
    (files / "targets.jsonl").write_text(target, encoding="utf-8")
    write(files / "first", x1=document("x1", entity("S", [mention("S-x1", 0, "Zo Takk")], names=["Zo Takk"])))
    (files / "texts").mkdir()
    (files / "texts/x1.txt").write_text(text, encoding="utf-8")
    items = _by_document(_queue(files))
    more = ("--text", str(files / "texts"))
    after = _apply(files, [(items["x1"], "ann", "up")], "ace08-global", *more)["systems"]["first"]["after"]
    assert after["score_plus"] == pytest.approx(1 + credit, abs=1e-6)


def test_the_names_of_a_profile_are_all_by_which_a_target_is_known(files: Path) -> None:
    gold = entity("T", [mention("T-a2", 0, "Zo Takk")], names=["Zo Takk"])
    write(files / "gold", a2=document("a2", gold))
    write(files / "first", x1=document("x1", entity("S", [mention("S-x1", 0, "Zo Takk")], names=["Zo Takk"])))
    items = _by_document(_queue(files))
    after = _apply(files, [(items["x1"], "ann", "up")])["systems"]["first"]["after"]
    assert after["score_plus"] == pytest.approx(1, abs=1e-6)


def test_a_target_without_names_of_its_own_has_the_names_of_gold(files: Path) -> None:
    (files / "targets.jsonl").write_text("T\n", encoding="utf-8")
    other = entity("S", [mention("S-x1", 0, "Mira Vald")], names=["Mira Vald"])
    write(files / "first", x1=document("x1", other))
    items = _by_document(_queue(files))
    after = _apply(files, [(items["x1"], "ann", "up")])["systems"]["first"]["after"]
    assert after["score_plus"] == pytest.approx(1 + 9 / 11, abs=1e-6)


def test_a_name_and_a_nominal_mention_that_are_right_are_worth_what_a_named_entity_is(files: Path) -> None:
    items = _with_nominal(files, named=True)
    decisions = [(items["0"], "ann", "up"), (items["40"], "ann", "up")]
    after = _apply(files, decisions, "ace08-global-mentions")["systems"]["first"]["after"]
    assert after["value_plus"] == pytest.approx(3, abs=1e-6)
    assert after["score_plus"] == pytest.approx(2, abs=1e-6)


def test_a_right_mention_of_an_entity_of_the_wrong_subtype_earns_its_share(files: Path) -> None:
    for name in ("a1", "x1", "x2", "x3"):
        wrong = entity("S", [mention(f"S-{name}", 0, "Mira Valdez")], names=["Mira Valdez"], subtype="Group")
        write(files / "first", **{name: document(name, wrong)})
    items = _by_document(_queue(files, profile="ace08-global-mentions"))
    after = _apply(files, [(items["x1"], "ann", "up")], "ace08-global-mentions")["systems"]["first"]["after"]
    assert after["value_plus"] == pytest.approx(3, abs=1e-6)
    assert after["score_plus"] == pytest.approx(2 * 0.9, abs=1e-6)


def test_decisions_may_be_lines_of_json_where_null_says_nothing(tmp_path: Path) -> None:
    log = tmp_path / "decisions.jsonl"
    log.write_text('{"item_id": "a", "judge": "ann", "decision": "up", "note": null}\n', encoding="utf-8")
    assert read_decisions(str(log), {"a"}) == [LoggedDecision("a", "ann", "up")]
    with log.open("a", encoding="utf-8") as more:
        more.write('{"item_id": "a", "judge": "bob"}\n["a", "ann", "up"]\n')
    with pytest.raises(FormatError) as refused:
        read_decisions(str(log), {"a"})
    told = [(one.location and one.location.line, one.message) for one in refused.value.findings]
    keys = "expected the keys item_id, judge, decision; found no"
    assert told == [(2, f"{keys} decision"), (3, f"{keys} item_id, judge, decision")]
