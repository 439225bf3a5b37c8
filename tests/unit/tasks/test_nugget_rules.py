"""Rules of the nugget task that no conformance case shows, through the public path."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import lydite
from lydite.errors import InvalidInput, UsageError
from lydite.report.official import evmeval

PILOT = "original-v1.0", "accuracy-v1.0"


def document(doc_id: str, *spans: str, names: str = "abcdefgh", relations: tuple[str, ...] = ()) -> str:
    lines = [f"#BeginOfDocument {doc_id}"]
    for name, span in zip(names, spans, strict=False):
        lines.append(f"s\t{doc_id}\t{name}\t{span}\tw\tLife_Die\tActual")
    lines += [relation.replace(" ", "\t") for relation in relations]
    return "\n".join([*lines, "#EndOfDocument", ""])


def write(folder: Path, name: str, *documents: str) -> str:
    path = folder / name
    path.write_text("".join(documents), encoding="utf-8")
    return str(path)


def codes(summary: lydite.Summary, severity: str | None = None) -> set[str]:
    return {one.code for one in summary.findings if severity in {None, one.severity}}


# ------------------------------------------------------------------------------------- which documents are scored


def test_a_run_without_any_document_has_counts_of_nothing_and_no_coreference(tmp_path: Path) -> None:
    gold = write(tmp_path, "gold.tbf", "# nothing\n")
    system = write(tmp_path, "system.tbf", document("d1", "0,4"))
    summary = lydite.score(gold, system, reading="as-official", coref="on", sequencing="on", diagnosis=True)
    assert summary["type"].micro.f1 is None
    assert summary["after"].micro.f1 == 0
    assert "coref" not in summary.measurements
    assert "CoNLL" not in evmeval.report(summary)
    pilot = lydite.score(gold, system, profile="pilot2014", unit="char", reading="as-official")
    (muc,) = (row for row in pilot.corpus_rows() if row.metric == "muc-partial")
    assert muc.tally == {"correct": 0, "partial": 0, "possible": 0, "actual": 0}


def test_an_empty_token_id_is_an_id(tmp_path: Path) -> None:
    gold = write(tmp_path, "gold.tbf", document("d1", "t1,"), document("d2", ""))
    system = write(tmp_path, "system.tbf", document("d1", "t1"), document("d2", ""))
    summary = lydite.score(gold, system, profile="kbp2015", unit="token")
    shares = {row.document: row.score.f1 for row in summary.by("doc").rows if row.measurement == "span"}
    assert shares == {"d1": pytest.approx(2 / 3), "d2": 1}


def test_a_duplicate_id_ends_a_run_over_one_document_too(tmp_path: Path) -> None:
    gold = write(tmp_path, "gold.tbf", document("d1", "0,4"), document("d2", "0,4"))
    system = write(tmp_path, "system.tbf", document("d1", "0,4"), document("d2", "0,4", "5,9", names="aa"))
    options = {"profile": "kbp2016", "reading": "as-official", "coref": "off"}
    assert lydite.score(gold, system, only_document="d1", **options)["span"].micro.f1 == 1
    assert lydite.score(gold, system, only_document="d2", **options)["span"].micro.f1 is None


def test_a_run_that_a_duplicate_id_ends_says_how_many_documents_were_scored(tmp_path: Path) -> None:
    gold = write(tmp_path, "gold.tbf", *(document(name, "0,4") for name in ("d1", "d2", "d3")))
    system = write(tmp_path, "system.tbf", document("d1", "0,4"), document("d2", "0,4", "5,9", names="aa"))
    summary = lydite.score(gold, system, profile="kbp2016", reading="as-official")
    (finding,) = (one for one in summary.findings if one.code == "stopped-at-duplicate-id")
    assert "1 of 3 documents" in finding.message
    assert finding.document == "d2"
    whole = lydite.score(
        gold, system, profile="kbp2016", reading="as-official", quirks={"stop-at-duplicate-id": False}
    )
    assert "stopped-at-duplicate-id" not in codes(whole)


def test_the_release_that_crashes_at_a_duplicate_id_in_the_first_document_is_refused(tmp_path: Path) -> None:
    gold = write(tmp_path, "gold.tbf", document("d1", "t1"))
    system = write(tmp_path, "system.tbf", document("d1", "t1", "t2", names="aa"))
    options = {"reading": "as-official", "coref": "on"}
    assert "coref" not in lydite.score(gold, system, profile="kbp2015", **options).measurements
    with pytest.raises(InvalidInput, match="no-document-scored"):
        lydite.score(gold, system, profile="kbp2015-v1.6.2", **options)


def test_a_system_that_wrote_an_empty_file_found_nothing(tmp_path: Path) -> None:
    gold = write(tmp_path, "gold.tbf", document("d1", "0,4"))
    summary = lydite.score(gold, write(tmp_path, "nothing.tbf", " \n"))
    assert (summary.systems, summary["span"].micro.recall) == (("nothing",), 0)
    assert "empty-file" in codes(summary, "warning")
    with pytest.raises(InvalidInput, match="no-document"):
        lydite.score(write(tmp_path, "empty.tbf", ""), gold)


def test_an_empty_file_says_the_same_in_a_folder_and_in_an_archive(tmp_path: Path) -> None:
    gold = write(tmp_path, "gold.tbf", document("d1", "0,4"))
    (tmp_path / "run").mkdir()
    write(tmp_path / "run", "d1.tbf", "")
    shutil.make_archive(str(tmp_path / "run"), "zip", tmp_path / "run")
    shutil.make_archive(str(tmp_path / "run"), "gztar", tmp_path / "run")
    told = []
    for name in ("run", "run.zip", "run.tar.gz"):
        with pytest.raises(InvalidInput) as refused:
            lydite.score(gold, tmp_path / name)
        told.append({(one.code, one.severity, one.message) for one in refused.value.findings})
    assert ("no-document", "error") in {(code, severity) for code, severity, _ in told[0]}
    assert told[0] == told[1] == told[2]


def test_a_file_without_mentions_is_of_no_unit(tmp_path: Path) -> None:
    gold = write(tmp_path, "gold.tbf", document("d1", "t1"))
    system = write(tmp_path, "system.tbf", document("d1"))
    assert lydite.score(gold, system)["span"].micro.recall == 0
    assert lydite.score(system, gold).settings["unit"] == "token"


def test_tokens_of_a_document_outside_gold_need_no_table(tmp_path: Path) -> None:
    gold = write(tmp_path, "gold.tbf", document("d1", "t1"))
    system = write(tmp_path, "system.tbf", document("d1", "t1"), document("d2", "t1"))
    (tmp_path / "d1.tab").write_text("t1\tdied\t0\t4\n")
    summary = lydite.score(gold, system, tokens=str(tmp_path))
    assert summary["span"].micro.f1 == 1
    assert {"token-table-missing", "unknown-token"} <= codes(summary, "warning")
    with pytest.raises(InvalidInput, match="unknown-token"):
        lydite.score(system, system, tokens=str(tmp_path))


def test_no_figure_by_type_exceeds_one(tmp_path: Path) -> None:
    gold = write(tmp_path, "gold.tbf", document("d1", "0,4", "5,9"))
    other = document("d1", "0,4", "5,9").replace("Life_Die", "Contact_Meet", 1)
    summary = lydite.score(gold, write(tmp_path, "system.tbf", other), by=("type",))
    rows = {(row.measurement, row.by["type"]): row.score for row in summary.by("type").rows}
    assert (rows["span", "Life_Die"].precision, rows["span", "Life_Die"].recall) == (1, 1)
    assert rows["type", "Life_Die"].recall == 0.5
    assert rows["type", "Contact_Meet"].precision == 0


@pytest.mark.parametrize(
    "broken", ["@Coreference C a,b\n@Coreference C b,c", "@After R a", "s\td9\ta\t0,4"], ids=str.split
)
def test_what_is_not_scored_does_not_stop_the_official_program(broken: str, tmp_path: Path) -> None:
    gold = write(tmp_path, "gold.tbf", document("d1", "0,4"))
    bad = document("d9", "0,4", "5,9", "10,14", relations=tuple(broken.split("\n")))
    system = write(tmp_path, "system.tbf", document("d1", "0,4"), bad)
    summary = lydite.score(gold, system, reading="as-official", coref="on", sequencing="on")
    assert summary["span"].micro.f1 == 1
    assert codes(summary, "error") == set()
    with pytest.raises(InvalidInput):
        lydite.score(gold, system)
    with pytest.raises(InvalidInput):
        lydite.score(system, system, reading="as-official", coref="on", sequencing="on")


def test_documents_stand_in_the_order_of_the_bytes_of_their_ids(tmp_path: Path) -> None:
    # 0xE0 alone is no UTF-8; as bytes it comes before the three of the Chinese character.
    path = tmp_path / "gold.tbf"
    path.write_bytes((document("漢", "0,4") + document("Q", "0,4")).encode().replace(b"Q", b"\xe0"))
    summary = lydite.score(str(path), str(path), reading="as-official")
    assert [row.document for row in summary.by("doc").rows if row.measurement == "span"] == ["\udce0", "漢"]


# --------------------------------------------------------------------------------------------------- the profiles


def test_a_mention_that_covers_nothing_is_in_no_set_of_the_other_side(tmp_path: Path) -> None:
    gold = write(tmp_path, "gold.tbf", document("d1", "0,0", "3,3", "5,9"))
    system = write(tmp_path, "system.tbf", document("d1", "7,7", "5,9"))
    tally = lydite.score(gold, system, profile="exact").by("doc").rows[0].tally
    assert (tally["gold_credit"], tally["gold_total"], tally["system_total"]) == (1, 3, 2)


def test_sets_are_compared_with_realis_only_where_both_sides_have_it(tmp_path: Path) -> None:
    gold = write(tmp_path, "d1.tbf", document("d1", "0,4"))
    (tmp_path / "d1.ann").write_text("T1\tLife_Die 0 4\tdied\nE1\tLife_Die:T1\n")
    without = lydite.score(gold, str(tmp_path / "d1.ann"), task="nugget", profile="exact")
    assert (without.measurements, without.headline["measurement"]) == (("span", "type"), "type")
    (tmp_path / "d1.ann").write_text("T1\tLife_Die 0 4\tdied\nE1\tLife_Die:T1\nA1\tRealis E1 Other\n")
    having = lydite.score(gold, str(tmp_path / "d1.ann"), task="nugget", profile="exact")
    assert having["type"].micro.f1 == 1
    assert having["type+realis"].micro.f1 == 0


def test_version_1_0_leaves_documents_with_an_empty_side_out_of_every_average(tmp_path: Path) -> None:
    gold = write(tmp_path, "gold.tbf", document("d1", "t1"), document("d2", "t1"), document("d3"))
    system = write(
        tmp_path, "system.tbf", document("d1", "t1", "t2"), document("d2"), document("d3", "t1", "t2")
    )
    summary = lydite.score(gold, system, profile="pilot2014")
    rows = {(row.metric, row.measurement, row.average): row for row in summary.corpus_rows()}
    for average in ("micro", "macro"):
        spans = rows["original-v1.0", "span", average].score
        assert (spans.precision, spans.recall) == (0.5, 1)
        assert rows["accuracy-v1.0", "type", average].score.value == 1
        # Version 1.1 counts the document that the system left empty.
        assert rows["original", "span", average].score.recall == 0.5
        assert rows["accuracy", "type", average].score.value == 0.5


def test_the_pilot_program_reads_a_relation_line_as_a_mention_and_stops(tmp_path: Path) -> None:
    both = document("d1", "t1", "t2", relations=("@Coreference C a,b",))
    path = write(tmp_path, "both.tbf", both)
    assert codes(lydite.score(path, path, profile="pilot2014"), "error") == set()
    with pytest.raises(InvalidInput, match="too-few-columns"):
        lydite.score(path, path, profile="pilot2014", reading="as-official")


def test_an_average_without_muc_is_named_in_the_release_that_makes_it(tmp_path: Path) -> None:
    plain = document("d1", "t1")
    chained = document("d2", "t1", "t2", relations=("@Coreference C a,b",))
    path = write(tmp_path, "both.tbf", plain, chained)
    summary = lydite.score(path, path, profile="kbp2015-v1.6.2")
    found = [one.document for one in summary.findings if one.code == "no-chains-on-either-side"]
    assert found == ["d1"]
    assert "no-chains-on-either-side" not in codes(lydite.score(path, path, profile="kbp2015"))


def test_types_that_are_compared_as_written_have_a_row_each(tmp_path: Path) -> None:
    both = document("d1", "0,4", "5,9").replace("Life_Die", "life-die", 1)
    path = write(tmp_path, "both.tbf", both)
    summary = lydite.score(path, path, normalisation="none", diagnosis=True)
    shown = evmeval.report(summary)
    assert "life-die\t1.00" in shown
    assert "Life_Die\t1.00" in shown


def test_algorithm_2_as_printed_counts_gold_mentions_without_partner_as_false_positives(
    tmp_path: Path,
) -> None:
    gold = write(tmp_path, "gold.tbf", document("d1", "t1,t2", "t9"))
    system = write(tmp_path, "system.tbf", document("d1", "t1", "t5", "t6"))
    settings = {"profile": "pilot2014", "unit": "token", "measures": ["original", "original-v1.0"]}
    scores = {
        switch: {
            row.metric: (row.score.precision, row.score.recall)
            for row in lydite.score(
                gold, system, quirks={"misses-as-false-positives": switch}, **settings
            ).corpus_rows()
            if row.measurement == "span" and row.average == "micro"
        }
        for switch in (False, True)
    }
    # One gold mention has a partner with Dice 2/3; two system mentions and one gold mention have none.
    found, printed = pytest.approx((0.25, 1 / 3)), pytest.approx((0.4, 1 / 3))
    assert scores[False] == {"original": found, "original-v1.0": found}
    assert scores[True] == {"original": printed, "original-v1.0": printed}


def test_the_printed_muc_formulas_exchange_the_denominators(tmp_path: Path) -> None:
    gold = write(tmp_path, "gold.tbf", document("d1", "t1", "t9"), document("d2", "t1"))
    system = write(tmp_path, "system.tbf", document("d1", "t1", "t5", "t6", "t7"), document("d2"))
    rows = [
        row
        for switch in (False, True)
        for row in lydite.score(
            gold,
            system,
            profile="pilot2014",
            unit="token",
            quirks={"muc-denominators-exchanged": switch},
        ).corpus_rows()
        if row.metric == "muc-partial"
    ]
    assert [row.score[:2] for row in rows] == [pytest.approx((1 / 4, 1 / 3)), pytest.approx((1 / 3, 1 / 4))]
    assert rows[0].tally == rows[1].tally == {"correct": 1, "partial": 0, "possible": 3, "actual": 4}


def test_the_pilot_layout_shows_what_was_not_measured_as_unknown(tmp_path: Path) -> None:
    path = write(tmp_path, "both.tbf", document("d1", "t1"))
    summary = lydite.score(path, path, profile="pilot2014", attributes="type", measures="original")
    shown = evmeval.report(summary)
    assert "1.0000\tnan\td1" in shown
    assert "Mention realis status accuracy (Micro Average):nan" in shown


def test_a_layout_whose_measure_the_run_lacks_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "both.tbf", document("d1", "0,4"))
    summary = lydite.score(path, path, official_layout="evmeval-1.2", diagnosis=True)
    for laid_out in (evmeval.report, evmeval.comparison):
        with pytest.raises(UsageError, match="augmented"):
            laid_out(summary)


# -------------------------------------------------------------------------------------------------- token tables


def test_token_tables_mean_the_token_unit_to_the_official_program(tmp_path: Path) -> None:
    gold = write(tmp_path, "gold.tbf", document("d1", "1,2"))
    system = write(tmp_path, "system.tbf", document("d1", "2,3"))
    tokens = tmp_path / "tokens"
    tokens.mkdir()
    (tokens / "d1.tab").write_text("1\ta\t0\t1\n2\tb\t2\t3\n3\tc\t4\t5\n")
    options = {"profile": "kbp2017", "tokens": str(tokens), "reading": "as-official"}
    assert lydite.score(gold, system, **options)["span"].micro.f1 == 0.5


def test_token_tables_that_are_not_used_are_named(tmp_path: Path) -> None:
    path = write(tmp_path, "both.tbf", document("d1", "1,2"))
    (tmp_path / "d1.tab").write_text("1\ta\t0\t1\n2\tb\t2\t3\n")
    assert "token-tables-not-used" in codes(lydite.score(path, path, tokens=str(tmp_path)))
    assert "token-tables-not-used" not in codes(lydite.score(path, path, tokens=str(tmp_path), unit="token"))
    assert "token-tables-not-used" not in codes(lydite.score(path, path))


def test_without_the_folder_of_tables_the_official_program_looks_in_the_current_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gold = write(tmp_path, "gold.tbf", document("d1", "t1,t2"))
    system = write(tmp_path, "system.tbf", document("d1", "t2"))
    options = {"profile": "kbp2015", "tokens": str(tmp_path / "nowhere"), "reading": "as-official"}
    monkeypatch.chdir(tmp_path)
    assert lydite.score(gold, system, **options)["span"].micro.f1 == pytest.approx(2 / 3)
    (tmp_path / "d1.tab").write_text("t1\tthe\t0\t3\nt2\traid\t4\t8\n")
    assert lydite.score(gold, system, **options)["span"].micro.f1 == 1


def test_a_no_break_space_belongs_to_its_token(tmp_path: Path) -> None:
    path = write(tmp_path, "both.tbf", document("d1", "t1"))
    tokens = tmp_path / "tokens"
    tokens.mkdir()
    (tokens / "d1.tab").write_text("t1\tthe\u00a0\t0\t4\n", encoding="utf-8")
    assert lydite.score(path, path, profile="kbp2015", tokens=str(tokens))["span"].micro.f1 == 1


def test_a_side_file_that_changed_is_read_again_in_the_next_run(tmp_path: Path) -> None:
    path = write(tmp_path, "both.tbf", document("d1", "0,4"))
    types = tmp_path / "types.txt"
    types.write_text("Life_Die\n")
    assert lydite.score(path, path, type_whitelist=str(types))["span"].micro.f1 == 1
    types.write_text("Contact_Meet\n")
    assert lydite.score(path, path, type_whitelist=str(types))["span"].micro.f1 is None


def test_offsets_that_are_read_as_tokens_are_named(tmp_path: Path) -> None:
    offsets = write(tmp_path, "offsets.tbf", document("d1", "0,4", "10,14;20,22"))
    assert "offsets-as-tokens" in codes(lydite.score(offsets, offsets, profile="kbp2015"))
    tokens = write(tmp_path, "tokens.tbf", document("d1", "3,4", "7"))
    assert "offsets-as-tokens" not in codes(lydite.score(tokens, tokens, profile="kbp2015"))


# ------------------------------------------------------------------------------------------------- printed figures


def test_a_sequencing_figure_half_way_between_two_is_rounded_away_from_zero(tmp_path: Path) -> None:
    """5 of 128 links are right: 0.0390625 is half way between six-place figures, which Python 2 rounds up: 3.9063."""
    places = ("0,4", "10,14", "20,24", "30,34")
    right, wrong = ("@After R a,b",), ("@After R c,d",)
    names = [f"d{number:03}" for number in range(128)]
    gold = write(tmp_path, "gold.tbf", *(document(name, *places, relations=right) for name in names))
    answers = [right] * 5 + [wrong] * 123
    documents = (document(name, *places, relations=links) for name, links in zip(names, answers, strict=True))
    system = write(tmp_path, "system.tbf", *documents)
    summary = lydite.score(gold, system, sequencing="on", diagnosis=True)
    assert "\t\t3.9063\t3.9063\t3.9063\t" in evmeval.report(summary)


def test_a_token_counts_once_however_it_is_spelt_or_repeated(tmp_path: Path) -> None:
    (tmp_path / "d1.tab").write_text("t1\tfire\t0\t4\nt2\tshot\t5\t9\n")
    system = write(tmp_path, "system.tbf", document("d1", "t1"))
    spelt = write(tmp_path, "spelt.tbf", document("d1", "t1,1"))
    summary = lydite.score(spelt, system, profile="kbp2015", tokens=str(tmp_path))
    assert summary["span"].micro.precision == 1
    mentions = '[{"id": "a", "tokens": ["t1", "t1"], "type": "Life_Die", "realis": "Actual"}]'
    twice = write(tmp_path, "twice.lydite.jsonl", f'{{"doc_id": "d1", "mentions": {mentions}}}\n')
    assert lydite.score(twice, system, task="nugget")["span"].micro.precision == 1


# --------------------------------------------------------------------------------------------------------- pairing


def test_greedy_pairing_differs_only_where_its_credit_does_beyond_rounding(tmp_path: Path) -> None:
    # Both pairings of a tie earn 9/7, in sums that round to other doubles.
    gold = write(tmp_path, "gold.tbf", document("d1", "0,2", "8,12", "6,13", "8,13"))
    system = write(tmp_path, "system.tbf", document("d1", "2,7", "1,6", "6,13", "4,6"))
    summary = lydite.score(gold, system, profile="modern")
    assert "greedy-differs" not in codes(summary)
    assert "tied-pairing" in codes(summary)


def test_equal_spans_are_exact_though_their_segments_overlap(tmp_path: Path) -> None:
    path = write(tmp_path, "gold.tbf", document("d1", "0,5;3,8"))
    assert lydite.score(path, path, similarity="exact")["span"].micro.f1 == 1
    assert lydite.score(path, path)["span"].micro.recall == 0.8


def test_the_pairs_of_a_summary_and_of_confusions_are_those_that_are_scored(tmp_path: Path) -> None:
    # Greedy pairing takes a with a and leaves the rest; the optimum is two pairs.
    gold = write(tmp_path, "gold.tbf", document("d1", "0,10", "10,19"))
    system = write(tmp_path, "system.tbf", document("d1", "4,14", "0,4"))
    summary = lydite.score(gold, system, profile="modern", diagnosis=True)
    (entry,) = summary.diagnosis["documents"]
    assert [(pair["gold"]["id"], pair["system"]["id"]) for pair in entry["pairs"]] == [("a", "b"), ("b", "a")]
    earned = sum(pair["similarity"] for pair in entry["pairs"])
    assert summary["span"].micro.recall == pytest.approx(earned / 2)
    confusion = lydite.explain(gold, system, profile="modern").confusions(["type"])["type"]
    assert confusion.counts == ((2, 0), (0, 0))


@pytest.mark.parametrize("measures", [("detection", "augmented"), ("augmented", "detection")])
def test_an_official_layout_shows_its_own_measure_where_both_are_measured(
    measures: tuple[str, str], tmp_path: Path
) -> None:
    gold = write(
        tmp_path, "gold.tbf", document("d1", "0,10", "0,4").replace("0,4\tw\tLife_Die", "0,4\tw\tLife_Injure")
    )
    system = write(tmp_path, "system.tbf", document("d1", "0,4"))
    for layout, measure in (("evmeval-1.8", "detection"), ("evmeval-1.2", "augmented")):
        alone, both = (
            evmeval.report(
                lydite.score(
                    gold, system, official_layout=layout, measures=wanted, by=["doc", "type"], diagnosis=True
                )
            )
            for wanted in ((measure,), measures)
        )
        assert both == alone


# ------------------------------------------------------------------------------------------------ undefined figures


def one_sided(tmp_path: Path) -> tuple[Path, Path]:
    """A document with a gold mention alone, one with a system mention alone, and one with none."""
    gold = write(tmp_path, "gold.tbf", document("d1", "t1"), document("d2"), document("d3"))
    system = write(tmp_path, "system.tbf", document("d1"), document("d2", "t1"), document("d3"))
    return gold, system


@pytest.mark.parametrize("summation", [True, False])
@pytest.mark.parametrize(
    ("profile", "layout"),
    [("kbp2015", "evmeval-1.6.3"), ("pilot2014", "evmeval-1.2"), ("pilot2014", "evmeval-1.1")],
)
def test_an_official_layout_prints_zero_where_the_run_answers_zero(
    profile: str, layout: str, summation: bool, tmp_path: Path
) -> None:
    options: dict[str, object] = {
        "profile": profile,
        "official_layout": layout,
        "by": "doc",
        "diagnosis": True,
        "quirks": {"official-summation-order": summation},
    }
    sides = one_sided(tmp_path)
    assert "nan" in evmeval.report(lydite.score(*sides, **options))
    assert "nan" not in evmeval.report(lydite.score(*sides, **options, undefined="zero"))


def test_every_measure_of_the_pilot_answers_zero_where_it_is_asked_to(tmp_path: Path) -> None:
    summary = lydite.score(*one_sided(tmp_path), profile="pilot2014", undefined="zero", by=["doc", "type"])
    figures = [row.score.value if row.score.value is not None else row.score.f1 for row in summary.rows]
    assert set(figures) == {0.0}


@pytest.mark.parametrize("summation", [True, False])
@pytest.mark.parametrize(("profile", "layout"), [("pilot2014", "evmeval-1.2"), ("pilot2014", "evmeval-1.1")])
def test_an_official_layout_leaves_documents_empty_on_both_sides_out_of_macro(
    profile: str, layout: str, summation: bool, tmp_path: Path
) -> None:
    full, empty = document("d1", "t1"), document("d2")
    gold = write(tmp_path, "gold.tbf", full, empty)
    quirks = {"skip-documents-without-gold": False, "official-summation-order": summation}
    summary = lydite.score(
        gold, gold, profile=profile, official_layout=layout, by="doc", diagnosis=True, quirks=quirks
    )
    averages = evmeval.report(summary).partition("=======Final Results")[2]
    assert not {"50.00", "0.5000"} & set(averages.replace(":", "\t").split())


# ------------------------------------------------------------------------------------------ attributes and layouts


def test_the_order_in_which_attributes_are_named_changes_nothing(tmp_path: Path) -> None:
    gold, system = (
        write(tmp_path, "gold.tbf", document("d1", "0,4", "5,9")),
        write(tmp_path, "s.tbf", document("d1", "0,4")),
    )
    usual, other = (
        lydite.score(gold, system, attributes=names, measures=["detection", "original"], diagnosis=True)
        for names in (["type", "realis"], ["realis", "type", "type"])
    )
    assert other.measurements == usual.measurements
    assert [row.measurement for row in other.rows] == [row.measurement for row in usual.rows]
    assert evmeval.report(other) == evmeval.report(usual)


def test_what_is_named_twice_is_measured_once(tmp_path: Path) -> None:
    gold = write(tmp_path, "gold.tbf", document("d1", "0,4"))
    summary = lydite.score(gold, gold, measures=["muc-partial", "muc-partial"])
    assert [row.average for row in summary.corpus_rows()] == ["micro"]


def test_the_official_table_by_type_counts_the_pairs_of_the_other_tables_whether_or_not_clusters_are_scored(
    tmp_path: Path,
) -> None:
    # The only system mention is a partner of the longer gold mention, whose type is another one: nothing is earned.
    lines = "s\td1\tE1\t0,10\tw\tLife_Die\tActual\n", "s\td1\tE2\t0,9\tw\tConflict_Attack\tActual\n"
    gold = write(tmp_path, "gold.tbf", "#BeginOfDocument d1\n", *lines, "#EndOfDocument\n")
    found = lines[0].replace("Life_Die", "Conflict_Attack")
    system = write(tmp_path, "s.tbf", "#BeginOfDocument d1\n", found, "#EndOfDocument\n")
    for coref in ("off", "on"):
        summary = lydite.score(
            gold,
            system,
            measures=["augmented"],
            attributes=["type"],
            coref=coref,
            diagnosis=True,
            by=["type"],
        )
        assert [row.credit for row in evmeval.type_rows(summary)] == [0, 0]


def test_where_no_measurement_looks_at_types_the_official_table_by_type_has_no_rows(tmp_path: Path) -> None:
    gold = write(tmp_path, "gold.tbf", document("d1", "0,4"))
    for coref in ("off", "on"):
        summary = lydite.score(gold, gold, attributes=["realis"], coref=coref, diagnosis=True)
        assert evmeval.type_rows(summary) == []


@pytest.mark.parametrize("spans", [("1,2", "2"), ("t1,t2", "t2"), ("t2", "2")])
def test_members_of_a_cluster_have_the_same_span_however_their_tokens_are_spelt(
    tmp_path: Path, spans: tuple[str, str]
) -> None:
    # "The" is invisible: what counts of all these spans is the second token.
    (tmp_path / "d1.tab").write_text("1\tThe\t0\t3\n2\tattack\t4\t10\n")
    path = write(tmp_path, "gold.tbf", document("d1", *spans, relations=("@Coreference C1 a,b",)))
    with pytest.raises(InvalidInput, match="have the same span"):
        lydite.score(path, path, profile="kbp2015", tokens=tmp_path)
