from __future__ import annotations

from pathlib import Path

import pytest

import lydite
from lydite.cli import run
from lydite.errors import InputError, NoCommonDocument, UsageError
from lydite.formats.lists import read_relation_mapping
from triple_files import triple, write

TEXT = '<KAF><text><wf wid="w1" sent="s1">a</wf><wf wid="w2" sent="s1">b</wf><wf wid="w3" sent="s2">c</wf></text></KAF>'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "gold.trp", triple("agent", "w1", "w2"), triple("time", "w3"))
    write(tmp_path / "system.trp", triple("Agent", "w1", "w2"), triple("place", "w3"))
    (tmp_path / "text.kaf").write_text(TEXT)
    return tmp_path


def test_two_files_belong_together_whatever_their_names(folder: Path) -> None:
    summary = lydite.score(folder / "gold.trp", folder / "system.trp")
    assert summary.task == "triples"
    assert summary["partial_same"].micro == (0.5, 0.5, 0.5, None)
    assert summary["partial_ignored"].micro.f1 == 1.0


def test_documents_of_two_names_are_not_one_though_each_side_has_but_one() -> None:
    of_one = {"d1": [("a", "r", "b")]}
    assert lydite.score(of_one, dict(of_one), task="triples")["partial_same"].micro.f1 == 1.0
    with pytest.raises(NoCommonDocument, match="gold has 'd1'; system has 'd2'"):
        lydite.score(of_one, {"d2": of_one["d1"]}, task="triples")


def test_a_named_document_goes_with_a_single_file_that_names_none(folder: Path) -> None:
    triples = [(("w1",), "agent", ("w2",)), (("w3",), "time", ())]
    assert lydite.score({"d1": triples}, folder / "gold.trp", task="triples")["exact_same"].micro.f1 == 1.0


def test_single_files_belong_together_in_the_own_form_too(folder: Path) -> None:
    files = [folder / f"{name}.lydite.jsonl" for name in ("gold", "system")]
    for file in files:
        assert run(["convert", str(file.with_name(file.name.replace("lydite.jsonl", "trp"))), str(file)]) == 0
    assert lydite.score(*files, task="triples")["partial_same"].micro == (0.5, 0.5, 0.5, None)


def test_the_headline_follows_ignored_relations_and_nothing_else_changes(folder: Path) -> None:
    plain = lydite.score(folder / "gold.trp", folder / "system.trp")
    ignoring = lydite.score(folder / "gold.trp", folder / "system.trp", ignore_relations=True)
    assert (plain.headline_score(), ignoring.headline_score()) == (0.5, 1.0)
    assert plain["partial_same"].micro == ignoring["partial_same"].micro


def test_relations_can_be_compared_with_their_case(folder: Path) -> None:
    assert (
        lydite.score(
            folder / "gold.trp", folder / "system.trp", case_sensitive_relations=True
        ).headline_score()
        == 0.0
    )


def test_a_relation_is_shown_in_the_spelling_of_gold(folder: Path) -> None:
    rows = lydite.score(folder / "gold.trp", folder / "system.trp").by("relation").rows
    assert {row.by["relation"] for row in rows} == {"agent", "time", "place"}


def test_a_relation_keeps_one_row_over_documents_that_spell_it_differently(tmp_path: Path) -> None:
    for name, gold, system in (("a.trp", "x", "AGENT"), ("b.trp", "Agent", "agent")):
        write(tmp_path / "gold" / name, triple(gold, "w1"))
        write(tmp_path / "system" / name, triple(system, "w1"))
    rows = lydite.score(tmp_path / "gold", tmp_path / "system").by("relation").rows
    shown = {
        row.by["relation"]: row.tally["system_total"] for row in rows if row.measurement == "partial_same"
    }
    assert shown == {"Agent": 2, "x": 0}


@pytest.mark.parametrize("settings", [{}, {"scope": "token-range"}, {"profile": "reference"}])
def test_without_a_scope_everything_is_in_range_and_the_report_says_so(
    folder: Path, settings: dict[str, object]
) -> None:
    summary = lydite.score(folder / "gold.trp", folder / "system.trp", **settings)
    assert [finding.message for finding in summary.findings if finding.code == "no-scope"] == [
        "scope: none (no token range and no text given)"
    ]


def test_a_text_limits_the_scope_to_the_sentences_of_gold(tmp_path: Path) -> None:
    write(tmp_path / "gold.trp", triple("agent", "w1"))
    write(tmp_path / "system.trp", triple("agent", "w1"), triple("agent", "w3"), triple("agent", "w9"))
    (tmp_path / "text.kaf").write_text(TEXT)
    summary = lydite.score(
        tmp_path / "gold.trp", tmp_path / "system.trp", text=tmp_path / "text.kaf", diagnosis=True
    )
    counts = summary.diagnosis["documents"][0]["counts"]["system"]
    assert (counts["in_range"], counts["out_of_range"]) == (1, 2)
    (finding,) = (finding for finding in summary.findings if finding.code == "unknown-token")
    assert finding.message == "1 of 3 system ids are not in the text (w9)"


def test_the_scope_limits_both_sides_or_the_system_only(folder: Path) -> None:
    (folder / "range").write_text("w1\n")
    both = lydite.score(folder / "gold.trp", folder / "system.trp", token_range=folder / "range")
    system = lydite.score(
        folder / "gold.trp", folder / "system.trp", token_range=folder / "range", scope_side="system"
    )
    assert (both["partial_same"].micro.recall, system["partial_same"].micro.recall) == (1.0, 0.5)


def test_the_scope_is_reported_with_the_number_of_triples_in_range(folder: Path) -> None:
    (folder / "range").write_text("w1\n")
    findings = lydite.score(folder / "gold.trp", folder / "system.trp", token_range=folder / "range").findings
    (finding,) = (finding for finding in findings if finding.code == "triples-in-range")
    expected = (
        f"scope: 1 token id ({folder / 'range'}); in range are 1 of 2 gold triples, 1 of 2 system triples"
    )
    assert (finding.severity, finding.message) == ("note", expected)


def test_a_token_range_and_another_scope_exclude_each_other(folder: Path) -> None:
    (folder / "range").write_text("w1\n")
    with pytest.raises(UsageError, match="exclude"):
        lydite.score(folder / "gold.trp", folder / "system.trp", token_range=folder / "range", scope="none")
    with pytest.raises(UsageError, match="needs the text"):
        lydite.score(folder / "gold.trp", folder / "system.trp", scope="sentences")


@pytest.mark.parametrize("setting", ["token_range", "text"])
def test_a_document_for_which_a_folder_has_no_scope_is_in_range_with_a_warning(
    tmp_path: Path, setting: str
) -> None:
    for name in ("a.trp", "b.trp"):
        write(tmp_path / "gold" / name, triple("agent", "w1"))
        write(tmp_path / "system" / name, triple("agent", "w1"), triple("agent", "w3"))
    (tmp_path / "scopes").mkdir()
    (tmp_path / "scopes" / "a.kaf").write_text("w1\n" if setting == "token_range" else TEXT)
    summary = lydite.score(tmp_path / "gold", tmp_path / "system", **{setting: tmp_path / "scopes"})
    assert summary["partial_same"].micro.precision == 2 / 3
    assert [(each.severity, each.message) for each in summary.findings if each.code == "no-scope"] == [
        ("warning", f"scope: none for document 'b.trp' (nothing for it in {tmp_path / 'scopes'})")
    ]


def test_a_token_range_may_be_a_folder_with_a_file_per_document(tmp_path: Path) -> None:
    for name in ("a.trp", "b.trp"):
        for side in ("gold", "system"):
            write(tmp_path / side / name, triple("r", "w1"), triple("r", "w2"))
    (tmp_path / "ranges").mkdir()
    (tmp_path / "ranges" / "a.txt").write_text("w1\n")
    summary = lydite.score(tmp_path / "gold", tmp_path / "system", token_range=tmp_path / "ranges")
    assert summary["partial_same"].rows[0].tally["gold_total"] == 3


def test_a_token_range_named_as_the_whole_document_goes_before_one_named_as_a_part_of_it(
    tmp_path: Path,
) -> None:
    for side in ("gold", "system"):
        write(tmp_path / side / "d.1.trp", triple("r", "w1"), triple("r", "w2"))
    (tmp_path / "ranges").mkdir()
    (tmp_path / "ranges" / "d.1").write_text("w1\nw2\n")
    (tmp_path / "ranges" / "d.txt").write_text("w1\n")
    (tmp_path / "ranges" / "d.1.trp.range").write_text("w1\n")
    settings = {"token_range": tmp_path / "ranges"}
    whole = lydite.score(tmp_path / "gold", tmp_path / "system", **settings)
    cut = lydite.score(tmp_path / "gold", tmp_path / "system", ignore_file_suffix=4, **settings)
    assert whole["partial_same"].rows[0].tally["gold_total"] == 1
    assert cut["partial_same"].rows[0].tally["gold_total"] == 2


def test_kappa_over_documents_that_spell_a_relation_differently_sees_one_relation(tmp_path: Path) -> None:
    write(tmp_path / "anna" / "1.trp", triple("Agent", "w1"), triple("patient", "w2"))
    write(tmp_path / "anna" / "2.trp", triple("agent", "w1"), triple("patient", "w2"))
    write(tmp_path / "ben" / "1.trp", triple("Agent", "w1"), triple("Agent", "w2"))
    write(tmp_path / "ben" / "2.trp", triple("AGENT", "w1"), triple("patient", "w2"))
    (pair,) = lydite.agree(tmp_path / "anna", tmp_path / "ben", task="triples").pairs
    # po = 3/4, pe = (2·3 + 2·1) / 16
    assert pair.kappa == {"relation": 0.5}
    assert pair.contingency == {"relation": {"Agent": {"Agent": 2}, "patient": {"Agent": 1, "patient": 1}}}
    second = pair.summary.diagnosis["documents"][1]
    assert second["confusion"] == {"Agent": {"Agent": 1}, "patient": {"patient": 1}}


def test_long_system_elements_are_warned_about(tmp_path: Path) -> None:
    write(tmp_path / "gold.trp", triple("r", "w1"))
    write(tmp_path / "system.trp", triple("r", "w1 w2 w3"))
    codes = [
        finding.code for finding in lydite.score(tmp_path / "gold.trp", tmp_path / "system.trp").findings
    ]
    assert "long-elements" in codes


def test_an_unknown_relation_in_a_filter_is_warned_about_with_near_names(folder: Path) -> None:
    (folder / "filter").write_text("agnt\ntime\n")
    findings = lydite.score(
        folder / "gold.trp", folder / "system.trp", relation_filter=folder / "filter"
    ).findings
    (finding,) = (finding for finding in findings if finding.code == "unknown-relation")
    assert finding.hint is not None
    assert "'agent'" in finding.hint.lower()


def folders(tmp_path: Path, gold: str, system: str) -> tuple[Path, Path]:
    for side, names in (("gold", gold), ("system", system)):
        for name in names.split():
            write(tmp_path / side / name, triple("r", "w1"))
    return tmp_path / "gold", tmp_path / "system"


def test_a_gold_document_without_system_document_counts_as_empty_and_is_named(tmp_path: Path) -> None:
    gold, system = folders(tmp_path, "a.trp b.trp", "a.trp z.trp")
    summary = lydite.score(gold, system)
    assert summary["partial_same"].micro.recall == 0.5
    assert {(finding.code, finding.document) for finding in summary.findings if finding.document} == {
        ("document-without-system", "b.trp"),
        ("document-without-gold", "z.trp"),
    }


def test_missing_documents_can_be_skipped_or_refused(tmp_path: Path) -> None:
    gold, system = folders(tmp_path, "a.trp b.trp", "a.trp")
    assert lydite.score(gold, system, missing_documents="skip")["partial_same"].micro.recall == 1.0
    with pytest.raises(InputError, match="document-without-system"):
        lydite.score(gold, system, missing_documents="error")


def test_files_pair_by_their_names_without_a_suffix(tmp_path: Path) -> None:
    gold, system = folders(tmp_path, "a.tag.trp b.tag.trp", "a.kaf.trp b.kaf.trp")
    assert lydite.score(gold, system, ignore_file_suffix=8).headline_score() == 1.0
    with pytest.raises(NoCommonDocument):
        lydite.score(gold, system)
    with pytest.raises(UsageError, match="characters"):
        lydite.score(gold, system, ignore_file_suffix=20)


def test_two_files_with_the_same_key_are_refused(tmp_path: Path) -> None:
    gold, system = folders(tmp_path, "a.1.trp a.2.trp", "a.1.trp")
    with pytest.raises(InputError, match="duplicate-document"):
        lydite.score(gold, system, ignore_file_suffix=6)


def test_files_pair_as_a_map_says(tmp_path: Path) -> None:
    gold, system = folders(tmp_path, "a.trp b.trp", "x.trp y.trp")
    (tmp_path / "map").write_text("a.trp\ty.trp\nb.trp\tx.trp\n")
    assert lydite.score(gold, system, document_map=tmp_path / "map").headline_score() == 1.0


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ("a.trp\ty.trp", "one system file for 'a.trp', found 'y.trp' after 'x.trp'"),
        ("b.trp\tx.trp", "one gold file for 'x.trp', found 'b.trp' after 'a.trp'"),
        ("b.trp\t ", "names of a gold and of a system file"),
        ("b.trp", "names of a gold and of a system file"),
        ("b.trp\ty.trp\tz.trp", "names of a gold and of a system file"),
    ],
)
def test_a_map_gives_every_file_one_partner(tmp_path: Path, second: str, expected: str) -> None:
    gold, system = folders(tmp_path, "a.trp b.trp", "x.trp y.trp")
    (tmp_path / "map").write_text(f"a.trp\tx.trp\na.trp\tx.trp\n{second}\n")
    with pytest.raises(InputError, match=expected):
        lydite.score(gold, system, document_map=tmp_path / "map")


def test_a_relation_that_is_mapped_to_two_others_is_reported(tmp_path: Path) -> None:
    (tmp_path / "map").write_text("agent\tactor\nagent\tactor\nagent\tdoer\n")
    mapping = read_relation_mapping(str(tmp_path / "map"))
    assert mapping.names == {"agent": "doer"}
    assert [finding.message for finding in mapping.findings] == [
        "'agent' was mapped to 'actor' before; this line counts"
    ]


def test_the_means_over_documents_leave_out_what_is_undefined(tmp_path: Path) -> None:
    gold, system = folders(tmp_path, "a.trp b.trp", "a.trp")
    macro = lydite.score(gold, system)["partial_same"].macro
    assert (macro.precision, macro.recall, macro.f1) == (1.0, 0.5, 0.5)


def test_equal_triples_of_different_documents_are_no_duplicates(tmp_path: Path) -> None:
    gold, system = folders(tmp_path, "a.trp b.trp", "a.trp b.trp")
    assert lydite.score(gold, system)["partial_same"].rows[0].tally["gold_total"] == 2


def test_the_signature_keeps_its_hash_when_lines_are_reordered_unless_order_counts(tmp_path: Path) -> None:
    one, two = triple("a", "w1"), triple("b", "w2")
    write(tmp_path / "gold.trp", one, two)
    write(tmp_path / "same.trp", one, two)
    write(tmp_path / "turned.trp", two, one)

    def content(name: str, profile: str) -> str:
        return lydite.score(tmp_path / "gold.trp", tmp_path / name, profile=profile).inputs[1].content

    assert content("same.trp", "default") == content("turned.trp", "default")
    assert content("same.trp", "reference") != content("turned.trp", "reference")


def test_the_reference_without_quirks_gives_every_gold_triple_its_credit(tmp_path: Path) -> None:
    content = [triple("a", "w1 w2", "w5"), triple("a", "w2 w3", "w5")]
    path = write(tmp_path / "gold.trp", *content)
    assert lydite.score(path, path, profile="reference")["partial_same"].micro.recall == 0.5
    switched = lydite.score(path, path, profile="reference", quirks={"overlap-refuses-credit": False})
    assert switched["debug:exact_same"].micro.recall == 1.0


def test_a_system_in_another_format_is_scored_as_it_is(tmp_path: Path) -> None:
    write(tmp_path / "gold.trp", triple("LOC", "w1"))
    (tmp_path / "system.kaf").write_text(
        '<KAF><text><wf wid="w1" sent="1">Rome</wf></text><terms><term tid="t1"><span><target id="w1"/></span></term>'
        '</terms><entities><entity eid="e" type="LOC"><span><target id="t1"/></span></entity></entities></KAF>'
    )
    assert (
        lydite.score(tmp_path / "gold.trp", tmp_path / "system.kaf", layers="entity").headline_score() == 1.0
    )


def test_relations_stand_in_the_order_of_their_gold_and_system_counts(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.trp", triple("b", "w1"), triple("a", "w2"), triple("b", "w3"))
    system = write(tmp_path / "system.trp", triple("c", "w1"), triple("d", "w2"), triple("d", "w3"))
    rows = [
        row for row in lydite.score(gold, system).by("relation").rows if row.measurement == "partial_same"
    ]
    assert [row.by["relation"] for row in rows] == ["b", "a", "d", "c"]


def test_the_files_of_a_folder_may_have_another_ending(tmp_path: Path) -> None:
    for side in ("gold", "system"):
        write(tmp_path / side / "a.xml", triple("r", "w1"))
    assert (
        lydite.score(
            tmp_path / "gold", tmp_path / "system", task="triples", format="trp", extension=".xml"
        ).headline_score()
        == 1.0
    )


def test_more_than_one_shared_id_can_be_asked_for(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.trp", triple("r", "w1 w2", "w9"), triple("r", "w4"))
    system = write(tmp_path / "system.trp", triple("r", "w2 w3", "w9"), triple("r", "w4"))
    assert lydite.score(gold, system, min_overlap=1 / 3).headline_score() == 1.0
    assert lydite.score(gold, system, min_overlap=0.34).headline_score() == 0.5
    with pytest.raises(UsageError, match="from 0 to 1"):
        lydite.score(gold, system, min_overlap=2)


def test_system_triples_of_low_confidence_can_be_left_out(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.trp", triple("r", "w1"))
    content = [
        triple("r", "w1", profile_confidence=30),
        triple("r", "w2", profile_confidence=20),
        triple("r", "w3"),
    ]
    system = write(tmp_path / "system.trp", *content)
    assert lydite.score(gold, system, min_confidence="30")["partial_same"].micro.precision == 0.5
    with pytest.raises(UsageError, match="number"):
        lydite.score(gold, system, min_confidence="high")


@pytest.mark.parametrize(("least", "found"), [(0.5, 1.0), (0.51, 0.0)])
def test_elements_that_overlap_by_exactly_the_least_share_match(
    tmp_path: Path, least: float, found: float
) -> None:
    gold = write(tmp_path / "gold.trp", triple("agent", "w1 w2", "w3"))
    system = write(tmp_path / "system.trp", triple("agent", "w1", "w3"))
    assert lydite.score(gold, system, min_overlap=least)["partial_same"].micro.f1 == found


def test_tokens_of_the_text_without_a_sentence_or_with_one_id_are_reported(tmp_path: Path) -> None:
    gold, system = folders(tmp_path, "a.trp", "a.trp")
    text = tmp_path / "a.kaf"
    text.write_text(
        '<KAF><text><wf wid="w1">A</wf><wf wid="w2" sent="1">b</wf><wf wid="w2" sent="2">c</wf></text></KAF>'
    )
    summary = lydite.score(gold, system, text=text)
    told = {finding.code: finding.message for finding in summary.findings}
    assert told["token-without-sentence"] == (
        "1 token of the text without a sentence (w1): all such count as one sentence"
    )
    assert told["repeated-id"].startswith("1 token of the text with an id that one before has (w2)")
    told = {finding.code for finding in lydite.score(gold, system, text=text, scope="none").findings}
    assert "token-without-sentence" not in told
