"""Every row of the diagnostics table: what is found, and how severe it is under which profile."""

from __future__ import annotations

from pathlib import Path

import pytest

from apf_files import document, entity, mention, write
from lydite.errors import Finding
from lydite.facade.choosing import UserChoice
from lydite.facade.validating import validate_file

E1 = entity("E1", [mention("E1-1", 0, "Mira Valdez")], names=["Mira Valdez"])
E2 = entity("E2", [mention("E2-1", 20, "Corvale")], names=["Corvale"], type_="GPE", subtype="Nation")
VALUE = (
    '<value ID="V" TYPE="Crime"><value_mention ID="V-1"><extent>'
    '<charseq START="40" END="45">murder</charseq></extent></value_mention></value>'
)
EXTENT = '<extent><charseq START="0" END="30">Mira Valdez of Corvale</charseq></extent>'


def relation(
    *,
    type_: str = "PHYS",
    subtype: str = "Located",
    first: str = "E1",
    second: str = "E2",
    mentions: str | None = None,
    relation_id: str = "R",
) -> str:
    inside = mentions
    if inside is None:
        inside = (
            f'<relation_mention ID="{relation_id}-1">{EXTENT}'
            '<relation_mention_argument REFID="E1-1" ROLE="Arg-1"/>'
            '<relation_mention_argument REFID="E2-1" ROLE="Arg-2"/></relation_mention>'
        )
    return (
        f'<relation ID="{relation_id}" TYPE="{type_}" SUBTYPE="{subtype}">'
        f'<relation_argument REFID="{first}" ROLE="Arg-1"/><relation_argument REFID="{second}" ROLE="Arg-2"/>'
        f"{inside}</relation>"
    )


def found(
    tmp_path: Path, *elements: str, profile: str = "ace08-local", reading: str = "refuse"
) -> dict[str, str]:
    path = write(tmp_path / "run", d=document("d", *elements))
    findings, _ = validate_file(UserChoice(task="ace", profile=profile, options={"reading": reading}), path)
    return by_code(findings)


def between(gold: str, system: str, profile: str = "ace08-local") -> dict[str, str]:
    findings, _ = validate_file(UserChoice(task="ace", profile=profile), system, gold=gold)
    return by_code(findings)


def by_code(findings: list[Finding]) -> dict[str, str]:
    return {finding.code: finding.severity for finding in findings}


def test_sound_input_has_no_errors(tmp_path: Path) -> None:
    assert "error" not in found(tmp_path, E1, E2, VALUE, relation()).values()


@pytest.mark.parametrize(
    "wrong",
    [
        E1.replace("Individual", "Giant"),
        E1.replace("SPC", "XXX"),
        E1.replace('TYPE="NAM"', 'TYPE="NOUN"'),
        E1.replace('TYPE="NAM"', 'TYPE="NAM" ROLE="SHIP"'),
        E1.replace('TYPE="NAM"', 'TYPE="NAM" METONYMY_MENTION="true"'),
        VALUE.replace("Crime", "Illness"),
        VALUE.replace('TYPE="Crime"', 'TYPE="Crime" SUBTYPE="Money"'),
    ],
)
def test_values_outside_the_inventories_are_errors(tmp_path: Path, wrong: str) -> None:
    assert found(tmp_path, wrong)["illegal-attribute-value"] == "error"


def test_roles_and_relation_types_have_inventories_too(tmp_path: Path) -> None:
    assert found(tmp_path, E1, E2, relation(subtype="Far"))["illegal-attribute-value"] == "error"
    wrong_role = relation().replace(
        '<relation_argument REFID="E1" ROLE="Arg-1"/>', '<relation_argument REFID="E1" ROLE="Arg-9"/>'
    )
    assert found(tmp_path, E1, E2, wrong_role)["illegal-attribute-value"] == "error"


@pytest.mark.parametrize("name", ["TYPE", "SUBTYPE", "CLASS", "ID"])
def test_a_missing_attribute_is_an_error(tmp_path: Path, name: str) -> None:
    head, rest = E1.split(">", 1)
    without = " ".join(part for part in head.split(" ") if not part.startswith(f"{name}="))
    assert found(tmp_path, f"{without}>{rest}")["missing-attribute"] == "error"


def test_a_value_with_subtypes_needs_one(tmp_path: Path) -> None:
    assert found(tmp_path, VALUE.replace("Crime", "Numeric"))["missing-attribute"] == "error"


def test_a_value_whose_type_has_no_subtypes_may_have_none(tmp_path: Path) -> None:
    given = VALUE.replace('TYPE="Crime"', 'TYPE="Crime" SUBTYPE="Unspecified"')
    assert found(tmp_path, given)["illegal-attribute-value"] == "error"


def test_an_unknown_entity_type_is_refused_unless_read_as_the_official_scorers_do(tmp_path: Path) -> None:
    alien = E1.replace('TYPE="PER"', 'TYPE="ALIEN"')
    assert found(tmp_path, alien)["unknown-entity-type"] == "error"
    assert found(tmp_path, alien, reading="as-official")["unknown-entity-type"] == "warning"


def test_an_entity_without_mentions_is_refused_where_mentions_are_used(tmp_path: Path) -> None:
    bare = entity("E1", [], names=["Mira"])
    assert found(tmp_path, bare)["element-without-mentions"] == "error"
    assert "element-without-mentions" not in found(tmp_path, bare, profile="ace08-global")


def test_a_metonymy_relation_needs_no_mentions(tmp_path: Path) -> None:
    bare = relation(type_="METONYMY", mentions="").replace(' SUBTYPE="Located"', "")
    assert "error" not in found(tmp_path, E1, E2, bare).values()
    assert found(tmp_path, E1, E2, relation(mentions=""))["element-without-mentions"] == "error"


@pytest.mark.parametrize(("profile", "reading", "severity"), [
    ("ace08-global", "refuse", "error"),
    ("ace08-global", "as-official", "warning"),
    ("ace07", "as-official", "error"),
])  # fmt: skip
def test_an_argument_that_does_not_exist(tmp_path: Path, profile: str, reading: str, severity: str) -> None:
    codes = found(tmp_path, E1, E2, relation(second="E9"), profile=profile, reading=reading)
    assert codes["argument-unknown"] == severity


def test_arguments_of_mentions_must_be_mentions_of_the_arguments(tmp_path: Path) -> None:
    unknown = relation().replace('REFID="E2-1"', 'REFID="E9-1"')
    assert found(tmp_path, E1, E2, unknown)["argument-mention-unknown"] == "error"
    third = entity("E3", [mention("E3-1", 60, "she", "PRO")])
    other = relation().replace('REFID="E2-1"', 'REFID="E3-1"')
    assert found(tmp_path, E1, E2, third, other)["mention-argument-not-of-argument"] == "error"


def test_a_symmetric_relation_needs_two_different_arguments_in_2008(tmp_path: Path) -> None:
    loop = relation(second="E1", mentions=f'<relation_mention ID="R-1">{EXTENT}</relation_mention>')
    codes = found(tmp_path, E1, E2, loop)
    assert codes["symmetric-relation-needs-two-arguments"] == "error"
    assert codes["argument-repeated"] == "warning"
    assert "symmetric-relation-needs-two-arguments" not in found(tmp_path, E1, E2, loop, profile="ace07")


def test_an_asymmetric_relation_needs_one_of_each(tmp_path: Path) -> None:
    lone = relation(type_="ORG-AFF", subtype="Employment").replace(
        '<relation_argument REFID="E2" ROLE="Arg-2"/>', ""
    )
    assert found(tmp_path, E1, E2, lone)["relation-argument-conflict"] == "error"


def test_names_on_an_unnamed_entity(tmp_path: Path) -> None:
    unnamed = entity("E1", [mention("E1-1", 0, "she", "PRO")], names=["Mira"])
    assert found(tmp_path, unnamed)["names-on-unnamed-entity"] == "error"
    assert found(tmp_path, unnamed, profile="ace07")["names-on-unnamed-entity"] == "warning"


def test_a_metonymic_mention_that_is_also_a_name(tmp_path: Path) -> None:
    mentions = [mention("M1", 0, "Corvale"), mention("M2", 20, "Corvale", extra=' METONYMY_MENTION="TRUE"')]
    codes = found(tmp_path, entity("E", mentions, type_="GPE", subtype="Nation", names=["Corvale"]))
    assert codes["metonymic-mention-equals-name"] == "warning"


def test_a_metonymic_mention_is_compared_with_names_as_names_are_compared(tmp_path: Path) -> None:
    metonymic = mention("M2", 20, "O'Ren.", extra=' METONYMY_MENTION="TRUE"')
    mentions = [mention("M1", 0, "Corvale"), metonymic]
    place = {"type_": "GPE", "subtype": "Nation"}
    assert "metonymic-mention-equals-name" in found(
        tmp_path, entity("E", mentions, names=["o' ren"], **place)
    )
    other = found(tmp_path, entity("E", mentions, names=["Corvale"], **place))
    assert "metonymic-mention-equals-name" not in other


def test_a_named_mention_whose_name_is_not_given(tmp_path: Path) -> None:
    assert found(tmp_path, E1)["named-mention-without-name"] == "warning"


def test_a_named_entity_without_names_is_worth_nothing_with_name_similarity(tmp_path: Path) -> None:
    bare = entity("E1", [mention("E1-1", 0, "Mira")])
    assert found(tmp_path, bare, profile="ace08-global")["named-entity-without-names"] == "warning"


def test_relation_mentions_with_equal_arguments_are_redundant(tmp_path: Path) -> None:
    one = relation().split("<relation_mention ID")[1].removesuffix("</relation>")
    two = f"<relation_mention ID{one}<relation_mention ID{one.replace('R-1', 'R-2')}"
    assert found(tmp_path, E1, E2, relation(mentions=two))["redundant-mentions"] == "warning"


def test_mentions_of_a_symmetric_relation_are_redundant_whatever_the_order_of_arguments(
    tmp_path: Path,
) -> None:
    one = relation().split("<relation_mention ID")[1].removesuffix("</relation>")
    other = one.replace("R-1", "R-2").replace("Arg-1", "Arg-3").replace("Arg-2", "Arg-1")
    two = f"<relation_mention ID{one}<relation_mention ID{other.replace('Arg-3', 'Arg-2')}"
    both = relation(mentions=two)
    third = '<relation_argument REFID="E2" ROLE="Arg-1"/><relation_argument REFID="E1" ROLE="Arg-2"/>'
    assert "redundant-mentions" in found(tmp_path, E1, E2, both)
    in_2007 = both.replace("<relation_mention ", third + "<relation_mention ", 1)
    assert "redundant-mentions" not in found(tmp_path, E1, E2, in_2007, profile="ace07")


def test_times_of_relation_mentions_are_looked_at_only_where_they_are_scored(tmp_path: Path) -> None:
    when = (
        '<timex2 ID="T"><timex2_mention ID="T-1"><extent><charseq START="50" END="53">2006</charseq>'
        "</extent></timex2_mention></timex2>"
    )
    time = '<relation_mention_argument REFID="T-1" ROLE="Time-Within"/></relation_mention>'
    timed = relation().replace("</relation_mention>", time)
    assert "mention-argument-not-of-argument" not in found(tmp_path, E1, E2, when, timed)
    assert "mention-argument-not-of-argument" in found(tmp_path, E1, E2, when, timed, profile="ace07")


def test_a_corpus_wide_element_must_agree_with_itself(tmp_path: Path) -> None:
    first = document("a", entity("E", [mention("Ea", 0, "Mira")]))
    second = document("b", entity("E", [mention("Eb", 0, "Mira")], subtype="Group"))
    path = write(tmp_path / "run", a=first, b=second)
    findings, _ = validate_file(UserChoice(task="ace", profile="ace08-local"), path)
    assert by_code(findings)["cross-document-attribute-conflict"] == "error"


def test_the_level_of_a_corpus_wide_entity_may_differ_in_2008_only(tmp_path: Path) -> None:
    first = document("a", entity("E", [mention("Ea", 0, "Mira")]))
    second = document("b", entity("E", [mention("Eb", 0, "she", "PRO")]))
    path = write(tmp_path / "run", a=first, b=second)
    for profile, conflict in (("ace08-local", False), ("ace07", True)):
        findings, _ = validate_file(UserChoice(task="ace", profile=profile), path)
        assert ("cross-document-attribute-conflict" in by_code(findings)) is conflict


def test_two_ids_in_one_resource_are_a_conflict(tmp_path: Path) -> None:
    links = '<external_link RESOURCE="KB" EID="1"/><external_link RESOURCE="KB" EID="2"/>'
    linked = entity("E", [mention("E-1", 0, "Mira")], extra=links)
    assert found(tmp_path, linked)["cross-document-attribute-conflict"] == "error"


def test_documents_that_one_side_lacks(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold", a=document("a", E1), b=document("b"))
    system = write(tmp_path / "system", a=document("a", E1), c=document("c"))
    codes = between(gold, system)
    assert codes["reference-document-without-system-output"] == "warning"
    assert codes["system-document-not-in-reference"] == "warning"
    assert codes["file-without-evaluable-documents"] == "warning"
    assert between(gold, system, "ace05")["system-document-not-in-reference"] == "error"


def test_source_and_kind_of_data_must_agree(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold", a=document("a", E1))
    assert (
        between(gold, write(tmp_path / "x", a=document("a", E1, source="weblog")))["source-differs"]
        == "error"
    )
    assert (
        between(gold, write(tmp_path / "y", a=document("a", data_type="image")))["data-type-differs"]
        == "error"
    )


def test_a_kind_that_the_system_lacks_is_missed_and_reported(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold", a=document("a", E1, VALUE))
    system = write(tmp_path / "system", a=document("a", E1))
    assert between(gold, system)["not-scored-by-reference"] == "warning"


def test_names_belong_to_the_heads_of_literal_named_mentions(tmp_path: Path) -> None:
    def named(start: int, end: int) -> str:
        return f'<entity_attributes><name NAME="Pres"><charseq START="{start}" END="{end}">Pres</charseq></name></entity_attributes>'

    head = mention("E-1", 0, "President Mira Takk")
    assert (
        found(tmp_path / "little", entity("E", [head], extra=named(0, 3)))["named-mention-without-name"]
        == "warning"
    )
    assert "named-mention-without-name" not in found(
        tmp_path / "enough", entity("E", [head], extra=named(0, 5))
    )
    both = [head, mention("E-2", 40, "mayor", "NOM")]
    assert (
        found(tmp_path / "nom", entity("E", both, extra=named(40, 44)))["name-on-unnamed-mention"]
        == "warning"
    )


def test_a_name_in_a_picture_belongs_to_the_head_whose_boxes_it_shares(tmp_path: Path) -> None:
    def boxed(x: int) -> str:
        return f'<bblist><bbox PAGE="1" X="{x}" Y="1" WIDTH="4" HEIGHT="2"/></bblist>'

    head = f'<entity_mention ID="E-1" TYPE="NAM"><extent>{boxed(1)}</extent><head>{boxed(1)}</head></entity_mention>'
    for x, told in ((2, False), (4, True)):
        name = f'<entity_attributes><name NAME="Mira">{boxed(x)}</name></entity_attributes>'
        codes = found(tmp_path / str(x), entity("E", [head], extra=name))
        assert ("named-mention-without-name" in codes) is told


def test_names_elsewhere_do_not_belong_to_a_mention_however_little_must_overlap(tmp_path: Path) -> None:
    at_mayor = '<entity_attributes><name NAME="x"><charseq START="40" END="44">mayor</charseq></name></entity_attributes>'
    mentions = [mention("E-1", 0, "Mira Takk"), mention("E-2", 60, "she", "PRO")]
    path = write(tmp_path / "run", a=document("a", entity("E", mentions, extra=at_mayor)))
    findings, _ = validate_file(UserChoice(task="ace", options={"min_overlap": 0.0}), path)
    assert [(one.code, one.item) for one in findings] == [("named-mention-without-name", "E-1")]


def test_a_metonymic_mention_may_not_be_called_what_its_entity_is_called_in_any_document(
    tmp_path: Path,
) -> None:
    style = ' METONYMY_MENTION="TRUE"'
    literal = entity("G", [mention("G-a", 0, "Tolvane")], names=["Tolvane"])
    metonymic = entity(
        "G", [mention("G-b", 0, "TOLVANE", extra=style), mention("G-c", 20, "tolvane", extra=style)]
    )
    path = write(tmp_path / "run", a=document("a", literal), b=document("b", metonymic))
    findings, _ = validate_file(UserChoice(task="ace", profile="ace08-local"), path)
    told = [finding.item for finding in findings if finding.code == "metonymic-mention-equals-name"]
    assert told == ["G-b"]
