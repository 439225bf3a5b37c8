"""ACE as a user meets it: values by hand, targets, external ids, settings, layouts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import lydite
from apf_files import document, entity, mention, write
from lydite.cli import run
from lydite.errors import InputError, UsageError
from lydite.metrics.ace_value import _entropy_bin, _mention_bin, _value_bin
from lydite.model.ace_settings import AceSettings
from lydite.model.tally import sum_of
from lydite.pipeline.reading import read_corpus
from lydite.pipeline.running import compared
from lydite.profile import load_profile
from lydite.tasks.ace import ACE
from lydite.tasks.ace.elements import split_into_elements

CASES = Path(__file__).parent.parent.parent / "conformance" / "ace"


def score(gold: str, system: str, **settings: object) -> lydite.Summary:
    return lydite.score(gold, system, task="ace", **settings)


def value(gold: str, system: str, section: str = "entity", **settings: object) -> float | None:
    return score(gold, system, **settings)[section]["ace-value"].value


def case(name: str) -> tuple[str, str]:
    return str(CASES / name / "ref"), str(CASES / name / "sys")


@pytest.fixture
def perfect() -> tuple[str, str]:
    return case("perfect")


def test_the_worked_example_of_a_split_entity() -> None:
    assert value(*case("entity_split")) == pytest.approx((6.5 - 0.2 / 1.7 - 0.075) / 6.5, abs=1e-7)


def test_the_worked_example_of_a_wrong_type() -> None:
    assert value(*case("entity_wrong_type")) == pytest.approx((6.5 - 0.595) / 6.5, abs=1e-7)


@pytest.mark.parametrize(
    ("name", "profile", "expected"),
    [
        ("two-documents", "ace08-global", -0.95),
        ("five-documents", "ace08-global", -2.85),
        ("mentions", "ace08-local", -0.25 / 3),
    ],
)
def test_the_last_bit_of_a_gain_decides_which_entity_is_mapped(
    name: str, profile: str, expected: float
) -> None:
    found = value(*case(f"live3-tie-last-bit-{name}"), profile=profile)
    assert found == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    "profile", ["ace05", "ace05-timex", "ace07", "ace08-local", "ace08-local2007", "ace08-global"]
)
def test_perfect_output_is_worth_all(perfect: tuple[str, str], profile: str) -> None:
    summary = score(*perfect, profile=profile)
    for section in ("entity", "value", "timex2", "relation", "event"):
        assert summary[section]["ace-value"].value == pytest.approx(1)


def test_empty_output_is_worth_nothing_and_says_so() -> None:
    summary = score(*case("empty_system_output"))
    assert summary["entity"]["ace-value"].value == 0
    assert "not-scored-by-reference" in {finding.code for finding in summary.findings}


@pytest.mark.parametrize("words", [["score", "--fail-under", "0"], ["explain"], ["compare"], ["report"]])
def test_gold_without_any_element_has_no_value(words: list[str], tmp_path: Path) -> None:
    gold = write(tmp_path / "gold", d1=document("d1"))
    system = write(tmp_path / "system", d1=document("d1", entity("E1", [mention("M1", 0, "Mira")])))
    assert lydite.score(gold, system, task="ace")["entity"].micro.value is None
    verb, *more = words
    more += [system] * (verb == "compare") + ["-o", f"{tmp_path}/page.html"] * (verb == "report")
    assert run([verb, "ace", gold, system, *more, "-q"]) == (1 if verb == "score" else 0)


def test_corpus_wide_relations_are_scored() -> None:
    assert value(*case("xdoc_perfect"), "relation", profile="ace08-global") == pytest.approx(1)


def test_a_profile_of_ones_own_changes_one_weight(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        'extends = "ace/ace08-local"\n[entity.error]\nTYPE = 1.0\nSUBTYPE = 1.0\n', encoding="utf-8"
    )
    # Only the roles of its two mentions are still wrong.
    assert value(*case("entity_wrong_type"), profile=str(own)) == pytest.approx((6.5 - 0.1) / 6.5, abs=1e-7)


def test_a_table_of_weights_counts_also_inside_the_group_under_which_it_is_shown(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        'extends = "ace/ace08-local"\n[score.entity.error]\nTYPE = 1.0\nSUBTYPE = 1.0\n', encoding="utf-8"
    )
    assert value(*case("entity_wrong_type"), profile=str(own)) == pytest.approx((6.5 - 0.1) / 6.5, abs=1e-7)


def test_a_table_of_weights_that_is_written_in_two_places_is_refused(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    text = 'extends = "ace/ace08-local"\n[max-extent-difference]\ntext = 2\n[score.max-extent-difference]\ntext = 3\n'
    own.write_text(text, encoding="utf-8")
    with pytest.raises(
        UsageError, match=r"\[score.max-extent-difference\] and \[max-extent-difference\] are one"
    ):
        value(*case("perfect"), profile=str(own))


def test_a_misspelt_weight_is_refused(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('extends = "ace/ace08-local"\n[entity.error]\nTYP = 1.0\n', encoding="utf-8")
    with pytest.raises(UsageError, match="TYP"):
        value(*case("perfect"), profile=str(own))


def test_a_number_where_weights_belong_is_refused(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('extends = "ace/ace08-local"\n[entity]\ntype = 3\n', encoding="utf-8")
    with pytest.raises(UsageError, match=r"\[entity.type\]: expected a table, found 3"):
        value(*case("perfect"), profile=str(own))


@pytest.mark.parametrize("weight", ["nan", "-inf", "true"])
def test_a_weight_that_is_no_number_is_refused(tmp_path: Path, weight: str) -> None:
    own = tmp_path / "own.toml"
    own.write_text(f'extends = "ace/ace08-local"\n[entity.type]\nPER = {weight}\n', encoding="utf-8")
    with pytest.raises(UsageError, match=r"\[entity.type\] PER: expected a number, found "):
        value(*case("perfect"), profile=str(own))


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"inventories": {}}, r"\[inventories.entity\] types: expected a table"),
        ({"inventories": {"entity": 3}}, r"\[inventories.entity\] types: expected a table"),
        ({"max_extent_difference": {"text": 4}}, r"\[max-extent-difference\] audio: expected a number"),
    ],
)
def test_a_table_that_lacks_something_is_refused(changed: dict[str, object], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        score(*case("perfect"), **changed)


def test_an_inventory_of_something_else_than_names_is_refused(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('extends = "ace/ace08-local"\n[inventories.event]\npolarity = 3\n', encoding="utf-8")
    with pytest.raises(UsageError, match="polarity: expected a list of names, found 3"):
        value(*case("perfect"), profile=str(own))


def test_targets_reduce_gold_and_leave_other_system_entities_out(tmp_path: Path) -> None:
    (tmp_path / "targets.txt").write_text("G1\n", encoding="utf-8")
    summary = score(*case("xdoc_perfect"), profile="ace08-global", targets=str(tmp_path / "targets.txt"))
    tally = next(row.tally for row in summary.corpus_rows() if row.metric == "ace-value")
    assert tally["gold_elements"] == 1
    assert tally["spurious"] == 0
    assert tally["left_out"] > 0
    assert tally["spurious_elements"] == 0
    assert summary.measurements == ("entity",)


@pytest.mark.parametrize(
    ("profile", "items", "metric"),
    [
        ("ace08-global-mentions", "mentions", "ace-b-cubed"),
        ("ace08-global", "documents", "ace-b-cubed-documents"),
    ],
)
def test_system_entities_without_a_target_do_not_count_in_b_cubed(
    tmp_path: Path, profile: str, items: str, metric: str
) -> None:
    targets = tmp_path / "targets.txt"
    targets.write_text("G1\n", encoding="utf-8")
    summary = score(*case("xdoc_perfect"), profile=profile, targets=str(targets), b_cubed=items)
    found = summary["entity"][metric]
    assert (found.precision, found.recall) == (1.0, 1.0)


def test_targets_may_be_named_by_external_ids_and_limited_to_documents(tmp_path: Path) -> None:
    def named(name: str) -> str:
        link = '<external_link RESOURCE="KB" EID="Q7"/>'
        return document(name, entity("E", [mention(f"E-{name}", 0, "Mira")], names=["Mira"], extra=link))

    gold = write(tmp_path / "gold", a=named("a"), b=named("b"))
    (tmp_path / "targets.txt").write_text("Q7\ta\n", encoding="utf-8")
    summary = score(gold, gold, profile="ace08-global", targets=str(tmp_path / "targets.txt"))
    tally = next(row.tally for row in summary.corpus_rows() if row.metric == "ace-value")
    assert tally["correct"] == 1


def test_a_target_that_gold_lacks_is_reported(tmp_path: Path) -> None:
    (tmp_path / "targets.txt").write_text("G1\nG99\n", encoding="utf-8")
    summary = score(*case("xdoc_perfect"), profile="ace08-global", targets=str(tmp_path / "targets.txt"))
    assert [finding.item for finding in summary.findings if finding.code == "target-not-in-gold"] == ["G99"]


def test_entity_types_filter_both_sides(perfect: tuple[str, str]) -> None:
    summary = score(*perfect, entity_types="PER,ORG", by=("type",))
    assert {row.by["type"] for row in summary.by("type").rows if row.measurement == "entity"} == {
        "PER",
        "ORG",
    }
    assert summary["entity"]["ace-value"].value == pytest.approx(1)


def test_mapping_by_external_ids_ignores_what_is_worth_more() -> None:
    gold, system = case("external_links")
    assert value(gold, system) == pytest.approx(1)
    mapped = score(gold, system, mapping="external-ids", diagnosis=True)
    pairs = {
        (item["gold"], item["system"])
        for item in mapped.diagnosis["documents"][0]["mapping"]["entity"]
        if item["gold"] and item["system"]
    }
    assert pairs == {("KD_0001-E1", "S-KD_0001-E1")}


def test_elements_without_external_ids_are_mapped_by_value_where_entities_are_mapped_by_external_ids(
    perfect: tuple[str, str],
) -> None:
    summary = score(*perfect, mapping="external-ids", mentions=True)
    values = {
        name: summary[name]["ace-value"].value for name in ("entity", "value", "timex2", "mention_entity")
    }
    assert values == {"entity": -0.75, "value": 1.0, "timex2": 1.0, "mention_entity": 1.0}
    assert [finding.code for finding in summary.findings].count("no-external-ids") == 2


def test_entities_with_external_ids_are_not_reported_to_have_none() -> None:
    codes = {finding.code for finding in score(*case("external_links"), mapping="external-ids").findings}
    assert "no-external-ids" not in codes


def partners(summary: lydite.Summary, section: str = "entity") -> dict[str, str]:
    return {
        item["gold"]: item["system"]
        for entry in summary.diagnosis["documents"]
        for item in entry["mapping"][section]
        if item["gold"] and item["system"]
    }


def test_a_preferred_pair_decides_between_equally_good_mappings_only(tmp_path: Path) -> None:
    gold, system = case("xdoc_entity_split")
    prefer = tmp_path / "mapping.tsv"
    settings = {"profile": "ace08-global", "diagnosis": True}
    plain = score(gold, system, **settings)
    assert partners(plain)["G4"] == "S-G4"
    prefer.write_text("section\tgold\tsystem\nentity\tG4\tS-G4b\nentity\tG1\tS-G4\nentity\t\tS-G2\n")
    chosen = score(gold, system, prefer=str(prefer), **settings)
    assert partners(chosen) == {**partners(plain), "G4": "S-G4b"}
    assert chosen["entity"]["ace-value"].value == pytest.approx(plain["entity"]["ace-value"].value)


@pytest.mark.parametrize(
    ("pairs", "unknown"),
    [
        ("G4\tS-G4b\n", []),
        ("G99\tS-G4b\nG98\tS-G4b\n", ["2 unknown ids: G98, G99"]),
        ("G4\tG4\n", ["1 unknown id: G4"]),
        ("S-G4\tG4\n", ["1 unknown id: S-G4", "1 unknown id: G4"]),
        ("", []),
    ],
)
def test_a_preferred_pair_of_ids_that_a_side_lacks_is_found(
    tmp_path: Path, pairs: str, unknown: list[str]
) -> None:
    prefer = tmp_path / "mapping.tsv"
    prefer.write_text("gold\tsystem\n" + pairs)
    summary = score(*case("xdoc_entity_split"), profile="ace08-global", prefer=str(prefer))
    found = [one.message for one in summary.findings if one.code == "unknown-preferred-id"]
    assert [message.partition(", found ")[2] for message in found] == unknown


@pytest.mark.parametrize("text", ["gold\nG4\n", "gold\tsystem\nG4\n", ""])
def test_a_mapping_without_its_columns_is_refused(tmp_path: Path, text: str) -> None:
    prefer = tmp_path / "mapping.tsv"
    prefer.write_text(text)
    with pytest.raises(InputError, match="bad-table"):
        score(*case("perfect"), prefer=str(prefer))


def test_a_mapping_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unreadable-file"):
        score(*case("perfect"), prefer=str(tmp_path / "none.tsv"))
    (tmp_path / "latin").write_bytes(b"gold\tsystem\n\xe9\t\xe8\n")
    with pytest.raises(InputError, match="not-utf-8"):
        score(*case("perfect"), prefer=str(tmp_path / "latin"))


@pytest.mark.parametrize(
    ("in_rows", "bounds"),
    [
        (_entropy_bin, {0.3: "<=0.3", 0.31: "0.3-0.6", 0.6: "0.3-0.6", 1.0: "0.6-1.0", 1.01: ">1.0"}),
        (_mention_bin, {1: "1", 2: "2", 3: "3-4", 4: "3-4", 5: "5-8", 8: "5-8", 9: ">8"}),
        (_value_bin, {0.2: "<=0.2", 0.21: "0.2-0.5", 1.0: "0.5-1.0", 2.0: "1-2", 4.0: "2-4", 4.01: ">4"}),
    ],
)
def test_the_upper_bound_of_every_row_of_a_table_belongs_to_it(
    in_rows: Callable[[float], str], bounds: dict[float, str]
) -> None:
    assert {bound: in_rows(bound) for bound in bounds} == bounds


def test_the_document_list_variant_of_b_cubed() -> None:
    gold, system = case("xdoc_entity_split")
    summary = score(gold, system, profile="ace08-global", b_cubed="documents")
    split = summary["entity"]["ace-b-cubed-documents"]
    assert split.precision == pytest.approx(1)
    assert split.recall is not None
    assert split.recall < 1


def test_the_diagnosis_says_why_value_was_lost() -> None:
    summary = score(*case("entity_wrong_type"), diagnosis=True)
    reasons = [
        reason for item in summary.diagnosis["documents"][0]["mapping"]["entity"] for reason in item["why"]
    ]
    assert "TYPE is LOC, not GPE" in reasons


def test_mentions_are_scored_on_request(perfect: tuple[str, str]) -> None:
    assert "mention_entity" not in score(*perfect).measurements
    assert score(*perfect, mentions=True)["mention_relation"]["ace-value"].value == pytest.approx(1)


def test_undefined_mention_sections_are_left_out_with_a_note() -> None:
    summary = score(*case("xdoc_perfect"), profile="ace08-global-mentions", mentions=True)
    assert "mention_relation" not in summary.measurements
    assert "not-defined" in {finding.code for finding in summary.findings}


@pytest.mark.parametrize("profile", ["ace05", "ace07", "ace08-local"])
def test_the_official_layout_has_every_table(profile: str, capsys: pytest.CaptureFixture[str]) -> None:
    gold, system = case("random_local_11")
    assert run(["score", "ace", gold, system, "--profile", profile, "--format", "official"]) == 0
    shown = capsys.readouterr().out
    assert "by TYPE" in shown
    assert "by SUBTYPE given TYPE=PER" in shown
    assert ("by LANGUAGE" in shown) is (profile == "ace08-local")


@pytest.mark.parametrize("layout", ["json", "csv", "markdown", "latex", "text"])
def test_every_layout_works(
    perfect: tuple[str, str], layout: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["score", "ace", *perfect, "--format", layout]) == 0
    assert ("entity" if layout == "latex" else "ace-value") in capsys.readouterr().out


def test_a_file_list_works_on_the_command_line(tmp_path: Path) -> None:
    gold, system = case("perfect")
    for name, folder in (("gold.lst", gold), ("system.lst", system)):
        paths = "\n".join(str(path) for path in Path(folder).iterdir())
        (tmp_path / name).write_text(paths + "\n", encoding="utf-8")
    assert run(["score", "ace", str(tmp_path / "gold.lst"), str(tmp_path / "system.lst")]) == 0


def test_the_mapping_is_written_with_the_reasons_of_every_loss(tmp_path: Path) -> None:
    gold, system = case("entity_wrong_type")
    listing = tmp_path / "mapping.tsv"
    assert (
        run(["score", "ace", gold, system, "--comparison", str(listing), "-o", str(tmp_path / "scores.txt")])
        == 0
    )
    lines = [line.split("\t") for line in listing.read_text(encoding="utf-8").splitlines()]
    wrong = next(line for line in lines if line[0] == "entity" and line[4] == "error")
    assert "TYPE is LOC, not GPE" in wrong[8]


def timex2(name: str, attributes: str) -> str:
    place = '<extent><charseq START="0" END="5">Monday</charseq></extent>'
    return f'<timex2 ID="{name}"{attributes}><timex2_mention ID="{name}-1">{place}</timex2_mention></timex2>'


@pytest.mark.parametrize(("profile", "expected"), [("ace08-local", 0.2 / 1.2), ("ace05-timex", 1.0)])
def test_an_empty_attribute_of_a_time_counts_except_in_2005(
    tmp_path: Path, profile: str, expected: float
) -> None:
    gold = write(tmp_path / "gold", d=document("d", timex2("T", ' VAL=""')))
    system = write(tmp_path / "system", d=document("d", timex2("S", "")))
    assert value(gold, system, "timex2", profile=profile) == pytest.approx(expected, abs=1e-6)


def test_any_attribute_of_a_time_may_have_a_weight(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('extends = "ace/ace08-local"\n[timex2.attribute]\nNON_SPECIFIC = 1.0\n', encoding="utf-8")
    vague, plain = ' VAL="2005" NON_SPECIFIC="YES"', ' VAL="2005"'
    gold, system = (
        write(
            tmp_path / side,
            d=document("d", timex2(f"{side}1", vague)),
            e=document("e", timex2(f"{side}2", attributes)),
        )
        for side, attributes in (("gold", vague), ("system", plain))
    )
    assert value(gold, system, "timex2", profile=own) == pytest.approx((2.2 + 1.2) / 4.4)


@pytest.mark.parametrize("profile", ["ace08-local", "ace05-timex"])
def test_an_empty_set_of_a_time_is_not_read_as_no(tmp_path: Path, profile: str) -> None:
    # Gold has TYPE and SET="NO", worth 0.1 each; of these only TYPE is found.
    gold = write(tmp_path / "gold", d=document("d", timex2("T", "")))
    system = write(tmp_path / "system", d=document("d", timex2("S", ' SET=""')))
    assert value(gold, system, "timex2", profile=profile) == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize(
    ("worth", "row"),
    [
        (0.2, "<=0.2"),
        (0.2 + 4e-6, "<=0.2"),
        (0.2 + 6e-6, "0.2-0.5"),
        (0.5 + 4e-6, "0.2-0.5"),
        (0.5 + 6e-6, "0.5-1.0"),
        (1 + 4e-6, "0.5-1.0"),
        (1 + 6e-6, "1-2"),
        (2 + 4e-6, "1-2"),
        (2 + 6e-6, "2-4"),
        (4 + 4e-6, "2-4"),
        (4 + 6e-6, ">4"),
    ],
)
def test_the_upper_bound_of_a_row_of_values_belongs_to_it_up_to_five_millionths(
    tmp_path: Path, worth: float, row: str
) -> None:
    own = tmp_path / "own.toml"
    own.write_text(f'extends = "ace/ace08-local"\n[entity.type]\nPER = {worth!r}\n', encoding="utf-8")
    gold = write(tmp_path / "gold", d=document("d", entity("E", [mention("M", 0, "Mira")], names=["Mira"])))
    rows = score(gold, gold, profile=str(own), by=("value",)).by("value").rows
    assert {found.by["value"] for found in rows if found.metric in {"ace-value", "ace-b-cubed"}} == {row}


GEOMETRIC = """extends = "ace/ace05"
[score]
argument-average = "geometric"
[event]
argument-false-alarm = 0.0
"""


def related(subtype: str = "Individual", place: int = 10) -> str:
    """Two people who are related, the second one of the subtype and at the place."""
    people = (
        entity("E1", [mention("E1-1", 0, "Anna")]),
        entity("E2", [mention("E2-1", place, "Bert")], subtype=subtype),
    )
    arguments = "".join(f'<relation_argument REFID="E{at}" ROLE="Arg-{at}"/>' for at in (1, 2))
    of_mention = "".join(f'<relation_mention_argument REFID="E{at}-1" ROLE="Arg-{at}"/>' for at in (1, 2))
    extent = '<extent><charseq START="0" END="13">Anna and Bert</charseq></extent>'
    relation = (
        f'<relation ID="R1" TYPE="PER-SOC" SUBTYPE="Family">{arguments}'
        f'<relation_mention ID="R1-1">{extent}{of_mention}</relation_mention></relation>'
    )
    return document("d", *people, relation)


@pytest.mark.parametrize(
    ("profile", "worth"), [('extends = "ace/ace05"\n', (1 + 0.9) / 2), (GEOMETRIC, (1 * 0.9) ** 0.5)]
)
def test_arguments_are_added_up_or_averaged_geometrically(tmp_path: Path, profile: str, worth: float) -> None:
    (tmp_path / "own.toml").write_text(profile, encoding="utf-8")
    gold = write(tmp_path / "gold", d=related())
    system = write(tmp_path / "system", d=related("Group"))
    own = str(tmp_path / "own.toml")
    assert value(gold, system, "relation", profile=own) == pytest.approx(worth, abs=1e-7)
    assert value(gold, gold, "relation", profile=own) == pytest.approx(1)


def test_a_geometric_mean_is_refused_where_arguments_in_excess_cost_something(
    perfect: tuple[str, str],
) -> None:
    for profile, named in (("ace05", "argument-false-alarm = 0.5"), ("ace07", "spurious = 'own-worth'")):
        with pytest.raises(UsageError, match="argument-average") as refused:
            value(*perfect, "relation", profile=profile, **{"argument-average": "geometric"})
        assert named in str(refused.value)


def test_a_relation_that_lacks_an_argument_is_worth_nothing_by_the_geometric_mean(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(GEOMETRIC, encoding="utf-8")
    gold, system = write(tmp_path / "gold", d=related()), write(tmp_path / "system", d=related(place=40))
    one_is_enough = {"nargs-required": "1"}
    assert value(gold, system, "relation", profile="ace05", **one_is_enough) == pytest.approx(0.5)
    own = str(tmp_path / "own.toml")
    assert value(gold, system, "relation", profile=own, **one_is_enough) == pytest.approx(0, abs=1e-7)


def value_of(tmp_path: Path, gold: str, system: str, **settings: object) -> float | None:
    sides = [write(tmp_path / name, d=text) for name, text in (("gold", gold), ("system", system))]
    return value(sides[0], sides[1], **settings)


def test_unnamed_entities_neither_count_nor_cost_where_only_named_ones_are_scored(tmp_path: Path) -> None:
    named = entity("E1", [mention("E1-1", 0, "Mira Valdez")], names=["Mira Valdez"])
    unnamed = entity("E2", [mention("E2-1", 40, "doctor", "NOM")])
    gold, system = document("d", named, unnamed), document("d", named)
    options: dict[str, object] = {"profile": "ace08-local"}
    assert value_of(tmp_path, gold, system, **options) == pytest.approx(1 / 1.5, abs=1e-6)
    only_names = {**options, "score_non_named_entities": False}
    assert value_of(tmp_path, gold, system, **only_names) == pytest.approx(1)
    assert value_of(tmp_path, system, gold, **only_names) == pytest.approx(1)


def test_names_are_those_that_are_given_or_else_the_heads_of_named_mentions(tmp_path: Path) -> None:
    def named(head: str, *names: str) -> str:
        return document("d", entity("E", [mention("E-1", 0, head)], names=names))

    options: dict[str, object] = {"profile": "ace08-global"}
    assert value_of(tmp_path, named("Mira", "Mira Valdez"), named("Zo", "Mira Valdez"), **options) == 1
    options["named_without_names_is_worthless"] = False
    assert value_of(tmp_path, named("Mira Valdez"), named("Mira Valdez"), **options) == 1
    assert value_of(tmp_path, named("Mira Valdez"), named("Oren Takk"), **options) == pytest.approx(-0.75)
    mentions = [mention("E-1", 0, "Mira Valdez"), mention("E-2", 40, "doctor", "NOM")]
    both = document("d", entity("E", mentions))
    assert value_of(tmp_path, both, named("Mira Valdez"), **options) == 1  # a nominal mention says no name


def event(*roles: tuple[str, str]) -> str:
    at = '<charseq START="0" END="3">went</charseq>'
    elements = "".join(f'<event_argument REFID="{filler}" ROLE="{role}"/>' for role, filler in roles)
    mentions = "".join(
        f'<event_mention_argument REFID="{filler}-1" ROLE="{role}"/>' for role, filler in roles
    )
    return (
        '<event ID="V" TYPE="Conflict" SUBTYPE="Attack" MODALITY="Asserted" POLARITY="Positive"'
        f' GENERICITY="Specific" TENSE="Past">{elements}<event_mention ID="V-1"><extent>{at}</extent>'
        f"<anchor>{at}</anchor>{mentions}</event_mention></event>"
    )


def test_where_every_argument_is_required_an_event_that_lacks_one_is_not_mapped(tmp_path: Path) -> None:
    people = [entity(f"E{n}", [mention(f"E{n}-1", 20 * n, "Mira")], names=["Mira"]) for n in (1, 2)]

    both, one = [("Attacker", "E1"), ("Target", "E2")], [("Attacker", "E1")]
    whole, part = (document("d", *people, event(*roles)) for roles in (both, one))
    for required, equal, lacking in (("1", 1, 0.5), ("all", 1, -0.75 * 0.5)):
        settings: dict[str, object] = {"section": "event", "profile": "ace07", "argscore_required": required}
        assert value_of(tmp_path, whole, whole, **settings) == pytest.approx(equal)
        assert value_of(tmp_path, whole, part, **settings) == pytest.approx(lacking, abs=1e-6)


def test_an_argument_that_is_mapped_saves_its_false_alarm_whatever_its_role(tmp_path: Path) -> None:
    def person(name: str, *places: int) -> str:
        mentions = [mention(f"{name}-{n}", 10 * place, "Mira") for n, place in enumerate(places, 1)]
        return entity(name, mentions, names=["Mira"])

    gold = document("d", person("E", *range(1, 10)), event(("Attacker", "E")))
    people = person("S", 1, 2, 3, 4), person("T", 5, 6, 7, 8, 9)
    system = document("d", *people, event(("Attacker", "S"), ("Target", "T")))
    # The Target, (0.75 + 0.5) 5/9, gains more than the Attacker, (1 + 0.5) 4/9; without the false alarm it would not.
    # Of the two arguments, each worth 1, 5/9 is no false alarm.
    worth = value_of(tmp_path, gold, system, section="event", profile="ace05")
    assert worth == pytest.approx(0.75 * 5 / 9 - 0.5 * (2 - 5 / 9), abs=1e-6)


def test_confusions_of_attributes_are_counted_once_for_each_mapped_occurrence(tmp_path: Path) -> None:
    gold, system = (
        write(tmp_path / name, d=document("d", entity("E", [mention("E-1", 0, "Mira")], subtype=subtype)))
        for name, subtype in (("gold", "Individual"), ("system", "Group"))
    )
    summary = score(gold, system, recognition=True)
    rows = [row for row in summary.by("confusion").rows if row.measurement == "entity"]
    assert {row.by["confusion"]: row.tally["wrong"] + row.tally["right"] for row in rows} == {
        "CLASS: SPC > SPC": 1,
        "LEVEL: NAM > NAM": 1,
        "SUBTYPE: Individual > Group": 1,
        "TYPE: PER > PER": 1,
    }


def test_a_name_and_a_nominal_mention_match_and_are_worth_nothing_where_names_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "gold", d=document("d", entity("G", [mention("G-1", 0, "Mira")], names=["Mira"])))
    write(tmp_path / "system", d=document("d", entity("S", [mention("S-1", 0, "Mira", "NOM")], names=[])))
    paths = [str(tmp_path / side) for side in ("gold", "system")]
    assert run(["explain", "ace", *paths, "--profile", "ace08-global-mentions", "--cause", "missed"]) == 0
    assert "S matches something of it (worth 0.000)" in " ".join(capsys.readouterr().out.split())


def test_without_mentions_the_lower_level_weighs_a_pair_of_2005_and_a_false_alarm_counts_once(
    tmp_path: Path,
) -> None:
    def scored(folder: str, *system: str) -> float | None:
        sides = document("d", named), document("d", *system)
        return value_of(tmp_path / folder, *sides, profile="ace05", use_mentions=False)

    named = entity("E1", [mention("M1", 0, "Mira")], names=["Mira"])
    assert scored("pair", entity("S1", [mention("N1", 0, "Mira", "PRO")])) == pytest.approx(0.1)
    thrice = entity("S2", [mention(f"N{place}", place, "he", "PRO") for place in (20, 30, 40)])
    assert scored("more", named, thrice) == pytest.approx(1 - 0.1 * 0.75 * 0.75)


@pytest.mark.parametrize("name", ["xdoc_entity_split", "xdoc_documents_missed_and_spurious"])
def test_the_elements_of_a_document_have_its_figures_between_them(name: str) -> None:
    profile = load_profile("ace", "ace08-global", AceSettings).replace({"kinds": ("entity",)})
    gold, system = (read_corpus(side, ACE, profile) for side in case(name))
    for _, _, view, _ in compared(ACE, gold, [system], profile):
        parts = [part for _, _, part in split_into_elements(view)]
        for measurement in ACE.measurements(profile.settings):
            whole, figures = measurement.measure(view), sum_of([*map(measurement.measure, parts)])
            assert figures.as_dict() == pytest.approx(whole.as_dict())


def hurt(event_id: str, mention_id: str, *victims: str) -> str:
    arguments = "".join(f'<event_argument REFID="{victim}" ROLE="Victim"/>' for victim in victims)
    place = '<charseq START="60" END="63">hurt</charseq>'
    return (
        f'<event ID="{event_id}" TYPE="Life" SUBTYPE="Injure" MODALITY="Asserted" POLARITY="Positive" '
        f'GENERICITY="Specific" TENSE="Past">{arguments}<event_mention ID="{mention_id}">'
        f"<extent>{place}</extent><anchor>{place}</anchor></event_mention></event>"
    )


def persons(prefix: str, doc_id: str, **names: str) -> list[str]:
    """Named persons of a document, each twelve characters after the one before."""
    return [
        entity(f"{prefix}{key}", [mention(f"{prefix}{key}-{doc_id}", 12 * place, name)], names=[name])
        for place, (key, name) in enumerate(names.items())
    ]


def test_the_language_of_an_event_in_a_document_is_that_of_the_arguments_in_this_document(
    tmp_path: Path,
) -> None:
    sides = []
    for side, prefix in (("gold", "G"), ("system", "S")):
        latin = (*persons(prefix, "a", p="Mira"), hurt(f"{prefix}V", f"{prefix}va", f"{prefix}p"))
        arabic = (*persons(prefix, "b", q="سليم"), hurt(f"{prefix}V", f"{prefix}vb", f"{prefix}q"))
        sides.append(write(tmp_path / side, a=document("a", *latin), b=document("b", *arabic)))
    summary = score(*sides, profile="ace08-global", kinds=["event"], by=["language"])
    correct = {row.by["language"]: row.counts["correct"] for row in summary.rows_by("language")}
    assert correct == {"English": 1, "MIXED": 1}


def argument_errors_of_false_alarms(tmp_path: Path, ids: tuple[str, str], **settings: object) -> list[str]:
    """The rows of a system event in two documents whose partner is in the first one only, both with one argument."""
    sides = []
    for side, event_id, doc_ids in (("gold", ids[0], "a"), ("system", ids[1], "ab")):
        documents = {
            one: document(
                one, *persons(side, one, p="Mira"), hurt(event_id, f"{side}-{event_id}-{one}", f"{side}p")
            )
            for one in doc_ids
        }
        documents.setdefault("b", document("b", *persons(side, "b", p="Mira")))
        sides.append(write(tmp_path / side, **documents))
    summary = score(*sides, profile="ace08-global", kinds=["event"], by=["argument-errors"], **settings)
    rows = [row for row in summary.rows_by("argument-errors") if row.metric == "ace-value"]
    return [row.by["argument-errors"] for row in rows if row.counts["spurious"]]


def test_a_document_that_only_the_system_side_of_a_mapped_event_has_counts_all_arguments_as_errors(
    tmp_path: Path,
) -> None:
    assert argument_errors_of_false_alarms(tmp_path, ("GV", "SV")) == ["1"]


def test_equal_ids_of_a_mapped_event_find_its_argument_map(tmp_path: Path) -> None:
    assert argument_errors_of_false_alarms(tmp_path, ("V", "V")) == ["0"]


def test_without_the_quirk_every_false_alarm_of_an_event_has_no_argument_errors(tmp_path: Path) -> None:
    assert argument_errors_of_false_alarms(tmp_path, ("GV", "SV"), surplus_document_row=False) == ["0"]


def led(tmp_path: Path, side: str, *, doc_a: str = "Mira", doc_b: str = "leader", other: str = "") -> str:
    """A person with one mention in each of two documents, a name in the first and a nominal in the second."""
    prefix = side[0]
    first = entity(f"{prefix}1", [mention(f"{prefix}1-a", 0, doc_a)], names=[doc_a])
    second = entity(f"{prefix}1", [mention(f"{prefix}1-b", 0, doc_b, "NOM")])
    more = [entity(f"{prefix}2", [mention(f"{prefix}2-b", 20, other)], names=[other])] if other else []
    return write(tmp_path / side, a=document("a", first), b=document("b", second, *more))


def only_named(tmp_path: Path) -> str:
    """A system that finds the person in the document that names it, and nothing else but the other person."""
    other = entity("s2", [mention("s2-b", 20, "Oren")], names=["Oren"])
    first = entity("s1", [mention("s1-a", 0, "Mira")], names=["Mira"])
    return write(tmp_path / "sys", a=document("a", first), b=document("b", other))


def targets_of(tmp_path: Path, *ids: str) -> str:
    (tmp_path / "targets.txt").write_text("\n".join(ids), encoding="utf-8")
    return str(tmp_path / "targets.txt")


def test_targets_are_scored_only_in_documents_that_name_them(tmp_path: Path) -> None:
    gold, system = led(tmp_path, "gold"), only_named(tmp_path)
    targets = targets_of(tmp_path, "g1")
    summary = score(gold, system, profile="ace08-global", targets=targets)
    assert summary["entity"]["ace-value"].value == pytest.approx(1)
    (found,) = (finding for finding in summary.findings if finding.code == "targets-only")
    assert "in 1 of 2 documents" in found.message
    assert "also left out: 1 occurrence of a target in a document that does not name it" in found.message
    everywhere = score(gold, system, profile="ace08-global", targets=targets, unnamed_targets=True)
    assert everywhere["entity"]["ace-value"].value == pytest.approx(2 / 3)


def test_what_is_found_where_gold_does_not_name_a_target_neither_counts_nor_costs(tmp_path: Path) -> None:
    gold, system = led(tmp_path, "gold", other="Oren"), led(tmp_path, "sys", other="Oren")
    targets = targets_of(tmp_path, "g1", "g2")
    for profile in ("ace08-global", "ace08-global-mentions"):
        summary = score(gold, system, profile=profile, targets=targets, b_cubed=["mentions", "documents"])
        assert summary["entity"]["ace-value"].value == pytest.approx(1)
        found = summary["entity"]["ace-b-cubed-documents"]
        assert (found.precision, found.recall) == (1.0, 1.0)


def test_elements_in_one_language_and_in_several_are_told_apart(tmp_path: Path) -> None:
    sides = []
    for side in ("gold", "system"):
        latin = [*persons(side, "a", p="Mira", q="Oren")]
        arabic = [*persons(side, "b", p="سليم", r="كمال")]
        sides.append(write(tmp_path / side, a=document("a", *latin), b=document("b", *arabic)))
    summary = score(*sides, profile="ace08-global", by=["languages"])
    rows = {
        (row.metric, row.by["languages"]): row.counts
        for row in summary.rows_by("languages")
        if row.metric in {"ace-value", "ace-b-cubed-documents"}
    }
    assert {key: counts["correct"] for key, counts in rows.items() if key[0] == "ace-value"} == {
        ("ace-value", "one"): 2,
        ("ace-value", "several"): 2,
    }
    assert rows["ace-b-cubed-documents", "several"]["gold_total"] == 2


def test_b_cubed_of_the_profile_without_mentions_counts_documents(perfect: tuple[str, str]) -> None:
    summary = score(*perfect, profile="ace08-global")
    assert summary["entity"]["ace-b-cubed-documents"].f1 == pytest.approx(1)
    assert "ace-b-cubed" not in {row.metric for row in summary.corpus_rows()}


def test_types_that_the_task_across_documents_does_not_mean_are_noted(tmp_path: Path) -> None:
    place = entity("G", [mention("G-1", 0, "Corvale")], names=["Corvale"], type_="GPE", subtype="Nation")
    gold = write(tmp_path / "gold", a=document("a", place, *persons("P", "a", p="Mira")))

    def notes(**settings: object) -> list[str]:
        summary = score(gold, gold, **settings)
        return [one.message for one in summary.findings if one.code == "types-beyond-task"]

    (message,) = notes(profile="ace08-global")
    assert "means entities of PER and ORG; gold also has GPE" in message
    assert notes(profile="ace08-global", entity_types=["PER"]) == notes(profile="ace08-local") == []


def tied_entities(tmp_path: Path) -> tuple[str, str]:
    """A person, nominal in one document and named in the other; two system entities have one document each."""
    gold = write(
        tmp_path / "gold",
        a=document("a", entity("G1", [mention("G1-a", 0, "leader", "NOM")])),
        b=document("b", entity("G1", [mention("G1-b", 0, "Mira")], names=["Mira"])),
    )
    system = write(
        tmp_path / "system",
        a=document("a", entity("S1", [mention("S1-a", 0, "leader", "NOM")])),
        b=document("b", entity("S2", [mention("S2-b", 0, "Mira")], names=["Mira"])),
    )
    return gold, system


def ties(summary: lydite.Summary) -> list[str]:
    return [finding.message for finding in summary.findings if finding.code == "mapping-tie"]


def test_a_tie_that_changes_the_value_of_entities_is_told_with_the_range(tmp_path: Path) -> None:
    summary = score(*tied_entities(tmp_path), profile="ace08-global")
    # One of the two is mapped, and the other costs 0.75 of its own worth; gold is worth 1.5.
    assert summary["entity"]["ace-value"].value == pytest.approx((0.5 - 0.75) / 1.5, abs=1e-6)
    (message,) = ties(summary)
    assert "-16.67 to 41.67; the one that is reported is worth -16.67" in message


def test_a_mapping_that_is_preferred_is_no_tie(tmp_path: Path) -> None:
    sides = tied_entities(tmp_path)
    (tmp_path / "mapping.tsv").write_text("gold\tsystem\nG1\tS2\n", encoding="utf-8")
    summary = score(*sides, profile="ace08-global", prefer=str(tmp_path / "mapping.tsv"))
    assert summary["entity"]["ace-value"].value == pytest.approx((1 - 0.375) / 1.5, abs=1e-6)
    assert ties(summary) == []


def test_a_tie_between_mappings_of_equal_value_is_not_told(tmp_path: Path) -> None:
    twice = [entity(f"S{n}", [mention(f"S{n}-a", 0, "Mira")], names=["Mira"]) for n in (1, 2)]
    gold = write(tmp_path / "gold", a=document("a", entity("G", [mention("G-a", 0, "Mira")], names=["Mira"])))
    system = write(tmp_path / "system", a=document("a", *twice))
    assert ties(score(gold, system, profile="ace08-global")) == []


def test_a_tie_among_arguments_that_changes_the_value_of_events_is_told_with_the_range(
    tmp_path: Path,
) -> None:
    """Two persons of equal names tie; the event has one of them as its victim, and its value follows the choice."""
    sides = []
    for side, prefix, victim in (("gold", "G", "p"), ("system", "S", "q")):
        same = persons(prefix, "a", p="Mira", q="Mira")
        event_ = hurt(f"{prefix}V", f"{prefix}v", f"{prefix}{victim}")
        sides.append(write(tmp_path / side, a=document("a", *same, event_)))
    summary = score(*sides, profile="ace08-global")
    assert summary["event"]["ace-value"].value == pytest.approx(-0.75, abs=1e-6)
    (message,) = ties(summary)
    assert message.startswith("event: ")
    assert "-75.00 to 100.00; the one that is reported is worth -75.00" in message


def test_the_range_of_a_tie_is_that_of_all_documents_however_many_processes_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In each document two nominals tie, and the spurious name of the second one costs more where it is not mapped."""
    gold, system = {}, {}
    for name in "abcd":
        heads = [
            mention(f"{name}-{place}", 20 * place, text, "NOM")
            for place, text in enumerate(("leader", "chief"))
        ]
        gold[name] = document(name, entity(f"G{name}", heads))
        more = [mention(f"{name}-s2", 60, "Zork"), mention(f"{name}-s1", 20, "chief", "NOM")]
        system[name] = document(
            name,
            entity(f"S1{name}", [mention(f"{name}-s0", 0, "leader", "NOM")]),
            entity(f"S2{name}", more, names=["Zork"]),
        )
    sides = write(tmp_path / "gold", **gold), write(tmp_path / "system", **system)
    told = []
    for jobs in ("1", "2"):
        assert run(["score", "ace", *sides, "-j", jobs]) == 0
        told.append([line for line in capsys.readouterr().err.splitlines() if "mapping-tie" in line])
    assert told[0] == told[1]
    (line,) = told[0]
    assert "-125.00 to -100.00" in line
