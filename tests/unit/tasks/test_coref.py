"""The coreference task through the public path: settings, findings, averages, units, layouts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import lydite
from lydite.errors import InvalidInput, NoCommonDocument, UsageError
from lydite.metrics import MEANS, METRICS
from lydite.model import Summary
from lydite.model.cluster import Cluster
from lydite.pipeline.task import Headline
from lydite.report.official import LAYOUTS
from lydite.report.tables import heading
from lydite.tasks.coref.measurements import outcomes
from lydite.tasks.coref.settings import CorefSettings

Scored = Callable[..., Any]
"""Gold and system (cells, or cells by document) and settings in, a summary out."""


def columns(path: Path, documents: dict[str, list[str]]) -> str:
    lines = []
    for name, cells in documents.items():
        lines.append(f"#begin document {name}")
        lines.extend(f"w\t{cell}" for cell in cells)
        lines += ["", "#end document"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture
def score(tmp_path: Path) -> Scored:
    def scored(gold: object, system: object, **settings: object) -> Summary:
        sides = [
            columns(tmp_path / f"{name}.conll", side if isinstance(side, dict) else {"d": side})
            for name, side in (("gold", gold), ("system", system))
        ]
        return lydite.score(*sides, **settings)  # type: ignore[arg-type]

    return scored


ONE = ["(1)", "(1)", "(2)", "(2)", "(3)"]


def test_metrics_chooses_among_all_that_are_declared_for_clusters() -> None:
    of_clusters = [name for name in METRICS if METRICS[name].domain in {"clusters", "nodes"}]
    assert [name for name in of_clusters if name not in MEANS] == list(
        CorefSettings.declared["metrics"].choices
    )


def test_the_headline_is_the_mean_f1_of_three_metrics(score: Scored) -> None:
    summary = score(ONE, ["(1)", "(1)", "(1)", "(2)", "-"])
    coref = summary["coref"]
    three = [coref[name].f1 for name in ("muc", "b-cubed", "ceaf-e")]
    assert summary.headline_score() == coref["conll"].f1 == pytest.approx(sum(three) / 3)
    assert coref["kbp"].f1 == pytest.approx((sum(three) + coref["blanc"].f1) / 4)
    assert summary["mentions"].micro.recall == 4 / 5


def test_weights_change_the_mean(score: Scored) -> None:
    system = ["(1)", "(1)", "(1)", "(2)", "-"]
    summary = score(ONE, system, mela_weights=["2", "0", "0"])
    assert summary["coref"]["conll"].f1 == summary["coref"]["muc"].f1
    for odd in (["1", "x"], ["1", "1", "nan"], ["1", "1", "inf"], ["3", "-1", "1"], ["0", "0", "0"]):
        with pytest.raises(UsageError, match="three weights"):
            score(ONE, system, mela_weights=odd)


def test_a_document_that_the_system_lacks_counts_as_empty(score: Scored) -> None:
    summary = score({"a": ONE, "b": ONE}, {"a": ONE})
    assert summary["mentions"].micro.recall == 0.5
    assert "document-missing-in-system" in {finding.code for finding in summary.findings}


def test_a_document_that_gold_lacks_is_ignored_or_counted(score: Scored) -> None:
    gold, system = {"a": ONE}, {"a": ONE, "b": ONE}
    assert score(gold, system)["mentions"].micro.precision == 1
    assert score(gold, system, scored_documents="either")["mentions"].micro.precision == 0.5


def test_no_document_in_common_is_refused(score: Scored) -> None:
    with pytest.raises(NoCommonDocument):
        score({"a": ONE}, {"b": ONE})


def test_singletons_can_be_dropped_on_both_sides(score: Scored) -> None:
    tally = score(ONE, ["(1)", "(1)", "(2)", "-", "(3)"], singletons="drop").rows[0].tally
    assert (tally["gold_total"], tally["system_total"]) == (4, 2)


def test_macro_is_the_mean_of_the_f1s_of_documents_or_harmonic(score: Scored) -> None:
    gold, system = {"a": ONE, "b": ONE}, {"a": ONE, "b": ["(1)", "-", "-", "-", "-"]}
    by_document = [row.score for row in score(gold, system).by("doc").rows if row.metric == "b-cubed"]
    mean = score(gold, system, averages=["macro"])["coref"]["b-cubed"]
    harmonic = score(gold, system, averages=["macro"], macro_f="harmonic")["coref"]["b-cubed"]
    assert mean.f1 == pytest.approx(sum(one.f1 for one in by_document) / 2)
    assert harmonic.f1 == pytest.approx(2 * mean.precision * mean.recall / (mean.precision + mean.recall))


def test_the_report_says_which_macro_f1_it_shows(score: Scored) -> None:
    sides: Any = ({"a": ONE, "b": ONE}, {"a": ONE, "b": ["(1)"] * 5})
    assert "macro F1" not in heading(score(*sides))
    assert heading(score(*sides, averages=["macro"])).endswith("macro F1 is the mean of the documents' F1s")
    harmonic = score(*sides, averages=["micro", "macro"], macro_f="harmonic")
    assert heading(harmonic).endswith("macro F1 is the harmonic mean of macro P and R")


def test_the_macro_average_of_metrics_is_the_mean_of_their_macro_f1s(score: Scored) -> None:
    sides: Any = ({"a": ONE, "b": ONE}, {"a": ["(1)", "(1)", "(1)", "(2)", "-"], "b": ["(1)"] * 5})
    for kind in ("mean", "harmonic"):
        summary = score(*sides, averages=["macro"], macro_f=kind)
        f1 = {row.metric: row.score.f1 for row in summary.corpus_rows()}
        three = f1["muc"] + f1["b-cubed"] + f1["ceaf-e"]
        assert f1["conll"] == pytest.approx(three / 3)
        assert f1["kbp"] == pytest.approx((three + f1["blanc"]) / 4)
        rand = score(*sides, metrics=["rand"], averages=["macro"], macro_f=kind)
        assert rand.corpus_rows()[0].score.value == pytest.approx((3 / 6 + 2 / 10) / 2)


def test_averages_are_means_of_the_figures_shown_under_every_setting(score: Scored) -> None:
    system = ["(1)", "(1)", "(1)", "(2)", "-"]
    singletons = ["(1)", "(2)", "(3)"]
    for summary in (
        score(ONE, system, ceafe_alignment="phi3"),
        score(singletons, singletons, zero_division="one-if-identical"),
    ):
        coref = summary["coref"]
        three = [coref[name].f1 for name in ("muc", "b-cubed", "ceaf-e")]
        assert coref["conll"].f1 == pytest.approx(sum(three) / 3)
        assert coref["kbp"].f1 == pytest.approx((sum(three) + coref["blanc"].f1) / 4)


def test_documents_without_a_pair_count_as_zero_in_the_macro_rand_index(score: Scored) -> None:
    single = {"a": ["(1)"], "b": ["(2)"]}
    summary = score(single, single, metrics=["rand"], averages=["micro", "macro"])
    assert [row.score.value for row in summary.corpus_rows()] == [0, 0]


def test_identical_sides_without_links_can_score_one(score: Scored) -> None:
    alone = ["(1)"]
    assert score(alone, alone)["coref"]["muc"].f1 == 0
    lenient = score(alone, alone, zero_division="one-if-identical")
    assert lenient["coref"]["muc"].f1 == lenient["coref"]["blanc"].f1 == 1
    assert score(alone, ["-"], zero_division="one-if-identical")["coref"]["muc"].f1 == 0


def test_the_original_blanc_needs_the_same_mentions_or_completion(score: Scored) -> None:
    system = ["(1)", "(1)", "(2)", "(2)", "-"]
    with pytest.raises(InvalidInput, match="same mentions"):
        score(ONE, system, metrics=["blanc-original"])
    assert score(ONE, system, metrics=["blanc-original"], complete=True)["coref"]["blanc-original"].f1 == 1


def test_the_rand_index_says_that_it_saw_the_common_mentions_only(score: Scored) -> None:
    def codes(system: list[str]) -> list[tuple[str, str]]:
        found = score(ONE, system, metrics=["rand", "adjusted-rand"]).findings
        return [(finding.code, finding.severity) for finding in found]

    assert codes(["(1)", "(1)", "(1)", "(2)", "-"]) == [("common-mentions-only", "warning")]
    assert codes(["(1)"] * 5) == []


def test_more_than_ten_dropped_copies_are_refused_over_all_documents(score: Scored) -> None:
    gold = {name: ["(1)"] * 6 for name in "ab"}
    system = {name: ["(1)|(2)"] * 6 for name in "ab"}
    with pytest.raises(InvalidInput, match="more than 10"):
        score(gold, system)
    summary = score(gold, system, quirks={"limit-repeats": False})
    assert summary["coref"]["muc"].f1 == 1
    assert sum(finding.code == "repeat-dropped" for finding in summary.findings) == 12


def test_dropped_copies_are_counted_over_all_files_of_a_system_and_per_system(tmp_path: Path) -> None:
    gold = columns(tmp_path / "gold.conll", {name: ["(1)"] * 6 for name in "ab"})
    repeating = {name: ["(1)|(2)"] * 6 for name in "ab"}
    folder = tmp_path / "system"
    folder.mkdir()
    for name, cells in repeating.items():
        columns(folder / f"{name}.conll", {name: cells})
    with pytest.raises(InvalidInput, match="12 mentions are written again; more than 10"):
        lydite.score(gold, folder)
    few = [columns(tmp_path / f"{name}.conll", {name: repeating[name]}) for name in "ab"]
    assert lydite.score(gold, *few).systems == ("a", "b")


def test_only_the_official_reading_of_repeats_knows_a_limit(score: Scored) -> None:
    summary = score(["(1)|(2)"] * 12, ["(1)"] * 12, repeats="first")
    assert summary["mentions"].micro.f1 == 1


def test_pairwise_is_the_coreference_half_of_blanc_where_mentions_repeat(score: Scored) -> None:
    chosen = ("blanc", "pairwise", "pairwise-negative")
    summary = score(["(1)|(2)", "(1)", "(2)"], ["(1)|(2)", "(1)", "(1)"], metrics=chosen)
    links, inside, between = (dict(row.tally) for row in summary.corpus_rows())
    assert inside == {
        "gold_credit": links["common_coreference"],
        "gold_total": links["gold_coreference"],
        "system_credit": links["common_coreference"],
        "system_total": links["system_coreference"],
    }
    assert between["gold_total"] == links["gold_other"] == 4


def test_the_cost_of_outcomes_grows_with_mentions_and_not_with_pairs_of_them() -> None:
    compared = 0

    class Name(str):
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return str.__eq__(self, other)

    gold, system = ([Cluster("1", tuple(Name(at) for at in range(500)))] for _ in "gs")
    sides: Any = SimpleNamespace(gold=gold, system=system)
    settings: Any = SimpleNamespace(singletons="keep")
    assert all(one.is_right for one in outcomes(sides, settings, Headline("coref", "muc")))
    assert compared < 10 * 500


def test_an_empty_file_is_refused_as_gold_and_a_system_that_found_nothing(tmp_path: Path) -> None:
    empty = tmp_path / "empty.conll"
    empty.touch()
    gold = columns(tmp_path / "gold.conll", {"d": ONE})
    assert lydite.score(gold, empty, task="coref")["mentions"].micro == (0, 0, 0, None)
    with pytest.raises(InvalidInput, match="no-document"):
        lydite.score(empty, gold, task="coref")
    for sides, code in (((gold, empty), "empty-file"), ((empty, gold), "no-document")):
        summary = lydite.score(*sides, task="coref", reading="as-official", diagnosis=True)
        assert summary["mentions"].micro == (0, 0, 0, None)
        assert summary["coref"]["conll"] == (None, None, 0, None)
        assert LAYOUTS["coref"](summary).count("Recall: (0 / ") == 12
        assert code in {finding.code for finding in summary.findings}


def test_a_repeated_mention_can_be_refused(score: Scored) -> None:
    with pytest.raises(InvalidInput, match="written again"):
        score(ONE, ["(1)|(2)", "(1)", "-", "-", "-"], repeats="error")


def test_other_numbers_of_tokens_are_remarked(score: Scored) -> None:
    summary = score(ONE, [*ONE, "-"])
    assert [finding.code for finding in summary.findings] == ["token-count-differs"]


def test_documents_of_a_unit_are_held_against_each_other(score: Scored) -> None:
    gold = {"t/a": ["(1)", "-"], "t/b": ["(1)"]}
    system = {"t/a": ["(1)"], "t/c": ["(1)"]}
    for unit in ("topic", "corpus"):
        summary = score(gold, system, unit=unit)
        assert [(finding.code, finding.document) for finding in summary.findings] == [
            ("token-count-differs", "t/a"),
            ("document-missing-in-system", "t/b"),
            ("document-missing-in-gold", "t/c"),
        ]
        assert summary["mentions"].micro.precision == 0.5


def test_columns_and_json_lines_are_held_against_each_other_without_tokens(tmp_path: Path) -> None:
    gold = columns(tmp_path / "gold.conll", {"t/a": ["(1)", "-"], "t/b": ["(1)"]})
    system = tmp_path / "system.jsonl"
    system.write_text('{"doc_key": "t/a", "clusters": [[[0, 0]]]}\n', encoding="utf-8")
    summary = lydite.score(gold, system, unit="topic", system_keys="plain")
    assert [(finding.code, finding.document) for finding in summary.findings] == [
        ("document-missing-in-system", "t/b")
    ]


@pytest.mark.parametrize(
    ("cells", "code"),
    [(["(1", "-"], "mention-not-closed"), (["1)", "-"], "mention-not-opened"), (["(e1)", "-"], "odd-cell")],
)
def test_bad_brackets_are_refused(score: Scored, cells: list[str], code: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        score(["(1)", "-"], cells)
    assert code in {finding.code for finding in refused.value.findings}


def test_a_file_that_is_cut_off_is_refused_or_read_without_its_open_mentions(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.conll", tmp_path / "cut.conll"
    whole.write_text("#begin document d\nw\t(1)\nw\t(2)\n#end document\n", encoding="utf-8")
    cut.write_text("#begin document d\nw\t(1)\nw\t(2", encoding="utf-8")
    with pytest.raises(InvalidInput, match="mention-cut-off"):
        lydite.score(whole, cut)
    summary = lydite.score(whole, cut, reading="as-official")
    assert {finding.severity for finding in summary.findings} == {"warning"}
    assert summary["mentions"].micro.recall == 0.5
    assert summary["mentions"].micro.precision == 1


def test_an_odd_cell_is_read_as_the_official_scorer_does_with_a_warning(score: Scored) -> None:
    summary = score(["(1)", "-"], ["(1)x", "-"], reading="as-official")
    assert [finding.severity for finding in summary.findings if finding.code == "odd-cell"] == ["warning"]
    assert summary["mentions"].micro.f1 == 1


def test_the_whole_corpus_can_be_one_document(score: Scored) -> None:
    gold, system = {"t/a": ["(1)"], "t/b": ["(1)"]}, {"t/a": ["(5)"], "t/b": ["(5)"]}
    assert score(gold, system)["coref"]["muc"].f1 == 0
    assert score(gold, system, unit="corpus")["coref"]["muc"].f1 == 1
    assert score(gold, system, unit="topic")["coref"]["muc"].f1 == 1


def test_conventions_that_no_file_says_stand_in_the_signature(score: Scored) -> None:
    summary = score(ONE, ONE, topics="predicted", layer="events", unit="corpus")
    for part in ("topics:predicted", "layer:events", "unit:corpus"):
        assert part in summary.signature.split("|")


@pytest.mark.parametrize(
    ("settings", "signed"),
    [
        ({"metrics": ["muc", "lea"]}, "metrics:muc"),
        ({"metrics": ["lea", "muc", "b-cubed", "ceaf-e"]}, ""),
        ({"averages": ["macro", "micro"]}, "averages:macro"),
        ({"averages": ["micro", "macro"]}, ""),
    ],
)
def test_metrics_and_averages_stand_in_the_signature_where_they_choose_another_headline(
    score: Scored, settings: dict[str, object], signed: str
) -> None:
    plain, summary = score(ONE, ONE), score(ONE, ONE, **settings)
    assert (summary.headline != plain.headline) == bool(signed)
    parts = plain.signature.split("|")
    assert summary.signature.split("|") == [*parts[:3], *filter(None, [signed]), *parts[3:]]


def test_renaming_clusters_and_reordering_documents_changes_neither_scores_nor_hash(score: Scored) -> None:
    other = ["(7)", "(7)", "(9)", "(9)", "(8)"]
    first = score({"a": ONE, "b": ONE}, {"a": ONE, "b": ["(1)", "(1)", "-", "-", "-"]})
    second = score({"b": other, "a": other}, {"b": ["(4)", "(4)", "-", "-", "-"], "a": other})
    assert first.signature == second.signature
    assert [row.score for row in first.corpus_rows()] == [row.score for row in second.corpus_rows()]


def test_exchanging_gold_and_system_exchanges_precision_and_recall(score: Scored) -> None:
    system = ["(1)", "(1)", "(1)", "(2)", "-"]
    one, other = score(ONE, system), score(system, ONE)
    for name in ("muc", "b-cubed", "ceaf-m", "ceaf-e", "lea"):
        assert (one["coref"][name].precision, one["coref"][name].recall) == (
            other["coref"][name].recall,
            other["coref"][name].precision,
        )


def test_clusters_are_diagnosed_and_can_be_shown_one_by_one(score: Scored) -> None:
    gold, system = ["(1)", "(1)", "(2)", "(3)", "(3)"], ["(1)", "(2)", "-", "(2)", "(4)"]
    summary = score(gold, system, by=["doc", "cluster"], diagnosis=True)
    (entry,) = summary.diagnosis["documents"]
    assert {cluster["id"]: cluster["fate"] for cluster in entry["clusters"]["gold"]} == {
        "1": "split",
        "2": "missed",
        "3": "split",
    }
    assert {cluster["id"]: cluster["fate"] for cluster in entry["clusters"]["system"]} == {
        "1": "partial",
        "2": "merged",
        "4": "partial",
    }
    by_cluster = {row.by["cluster"]: row.score for row in summary.by("cluster").rows}
    assert by_cluster["d gold 1"].recall == 0.5
    assert by_cluster["d system 2"].precision == 0.5


@pytest.mark.parametrize(
    ("gold", "system", "settings"),
    [
        (
            ["(1)", "(1)", "(2)|(3)", "(3)", "(4)"],
            ["(1)", "(1)", "(2)", "(2)", "(2)"],
            {"singletons": "drop"},
        ),
        (["(1)", "(1)|(2)", "(2)", "(3)", "(3)"], ["(1)", "(2)", "(2)", "-", "(1)"], {"repeats": "merge"}),
        (["(1)", "(1)", "(1)", "(3)", "(3)"], ["(1)", "(1)|(2)", "(2)|(3)", "-", "(1)"], {}),
        (["(1)", "(1)", "-", "-", "-"], ["(1)|(2)", "(1)", "(3)|(4)", "(4)", "-"], {"repeats": "first"}),
    ],
)
def test_clusters_one_by_one_add_up_to_the_whole(
    score: Scored, gold: list[str], system: list[str], settings: dict[str, str]
) -> None:
    summary = score({"d": gold, "e": ONE}, {"d": system, "e": ONE}, by=["cluster"], **settings)
    (total,) = (row for row in summary.corpus_rows() if row.metric == "b-cubed")
    parts = [row.counts for row in summary.by("cluster").rows]
    for name in ("gold_credit", "gold_total", "system_credit", "system_total"):
        assert sum(part[name] for part in parts) == pytest.approx(total.counts[name])


def test_clusters_without_ids_are_shown_by_their_places(tmp_path: Path) -> None:
    sets = "".join(f'<coref><target id="a/b#{at}"/><target id="a/b#{at}x"/></coref>' for at in (1, 2))
    path = tmp_path / "sets.xml"
    path.write_text(f'<?xml version="1.0"?><coreferences version="v1">{sets}</coreferences>')
    rows = lydite.score(path, path, by=["cluster"]).by("cluster").rows
    assert [row.by["cluster"] for row in rows] == [
        "corpus gold #1",
        "corpus gold #2",
        "corpus system #1",
        "corpus system #2",
    ]


def test_official_layouts_show_totals_beside_which_means_are_measured(score: Scored) -> None:
    sides = {"d": ONE, "e": ONE}, {"d": ONE, "e": ["(1)", "(2)", "(1)", "-", "-"]}
    one, other = (
        LAYOUTS["coref"](score(*sides, averages=averages, official_layout="deliverable", diagnosis=True))
        for averages in (("micro",), ("micro", "macro"))
    )
    assert one == other


def test_means_of_documents_do_not_pass_for_the_totals_of_official_layouts(score: Scored) -> None:
    summary = score(ONE, ONE, averages=["macro"], official_layout="deliverable", diagnosis=True)
    with pytest.raises(UsageError, match="official layouts show totals"):
        LAYOUTS["coref"](summary)


@pytest.mark.parametrize(
    ("layout", "metrics"),
    [("v8.01", "muc"), ("v8.01-documents", "muc"), ("v8.01", "mentions,lea"), ("deliverable", "lea")],
)
def test_an_official_layout_is_refused_rather_than_printed_in_part(
    score: Scored, layout: str, metrics: str
) -> None:
    summary = score(ONE, ONE, metrics=metrics.split(","), official_layout=layout, diagnosis=True)
    with pytest.raises(UsageError, match="official layout"):
        LAYOUTS["coref"](summary)


def test_the_text_of_the_corefud_scorer_is_that_of_mentions_over_nodes(score: Scored) -> None:
    with pytest.raises(UsageError, match="match = same"):
        LAYOUTS["coref"](score(ONE, ONE, official_layout="corefud", diagnosis=True))


@pytest.mark.parametrize("settings", [{"ceafe_alignment": "phi3"}, {"zero_division": "one-if-identical"}])
def test_the_text_of_the_conll_scorer_shows_no_figures_that_it_does_not_define(
    score: Scored, settings: dict[str, str]
) -> None:
    summary = score(["(1)", "(2)"], ["(1)", "(2)"], diagnosis=True, **settings)
    with pytest.raises(UsageError, match="needs"):
        LAYOUTS["coref"](summary)


def test_the_official_text_cuts_percentages(score: Scored) -> None:
    gold, system = ["(1)", "(1)", "(1)", "(4)", "(5)", "(6)"], ["(1)", "(1)", "(3)", "(4)", "(5)", "(6)"]
    text = LAYOUTS["coref"](score(gold, system, diagnosis=True))
    assert text.startswith("version: 8.01 ")
    assert "\nMETRIC bcub:\n\n====== TOTALS =======\nIdentification of Mentions: Recall: (6 / 6) 100%" in text
    assert (
        "Coreference: Recall: (4.66666666666667 / 6) 77.77%\tPrecision: (6 / 6) 100%\tF1: 87.49%\n" + "-" * 74
    ) in text
    assert "BLANC: Recall: (" in text


def test_the_official_text_shows_documents_in_the_order_of_gold_when_asked_for(score: Scored) -> None:
    gold = {"b": ["(1", "1)", "(1)", "(2)"], "a": ["(7)"]}
    system = {"a": ["(1)"], "b": ["(1", "1)", "-", "(3)|(4)"]}
    options: Any = {"official_layout": "v8.01-documents", "diagnosis": True}
    text = LAYOUTS["coref"](score(gold, system, **options))
    muc = text[text.index("METRIC muc:") : text.index("\n====== TOTALS")].splitlines()
    assert muc[1:18] == [
        "====> b:",
        "File b:",
        "Entity 0: (0,1) (2,2)",
        "Entity 1: (3,3)",
        "====> b:",
        "File b:",
        "Entity 0: (0,1)",
        "Entity 1: (3,3)",
        "Entity 2: (3,3)",
        "b:",
        "Repeated mention in the response: 3, 3 22",
        "Total key mentions: 3",
        "Total response mentions: 2",
        "Strictly correct identified mentions: 2",
        "Partially correct identified mentions: 0",
        "No identified: 1",
        "Invented: 0",
    ]
    assert muc[18] == "Recall: (0 / 1) 0%\tPrecision: (0 / 0) 0%\tF1: 0%"
    assert muc[19:21] == ["-" * 74, "====> a:"]
    totals = LAYOUTS["coref"](score(gold, system, diagnosis=True))
    assert "====>" not in totals


def test_the_official_text_of_a_named_document_has_its_name_first(score: Scored) -> None:
    gold, system = {"a": ["(1)"], "b": ["(1)", "(1)"]}, {"b": ["(1)|(7+1)", "-"]}
    options: Any = {"official_layout": "v8.01-documents", "diagnosis": True}
    text = LAYOUTS["coref"](score(gold, system, only_document="b", **options))
    blanc = text[text.index("METRIC blanc:") :].splitlines()
    assert blanc[1:7] == ["b:", "====> b:", "File b:", "Entity 0: (0,0) (1,1)", "====> b:", "Discarded (7+1)"]
    assert blanc[9] == "Total key mentions: 2"
    with pytest.raises(InvalidInput, match="gold has no document 'c'"):
        score(gold, system, only_document="c", **options)
    options["reading"] = "as-official"
    unknown = LAYOUTS["coref"](score(gold, system, only_document="c", **options)).splitlines()
    assert unknown[2:9] == [
        "METRIC muc:",
        "c:",
        "====> :",
        "File :",
        "====> :",
        "File :",
        "Total key mentions: 0",
    ]


def test_a_cell_whose_items_fuse_without_bars_is_refused(score: Scored) -> None:
    for cell in ("(3(4)5)", "(3(7+1)5)", "(1(3(4)(4)5)"):
        with pytest.raises(InvalidInput) as refused:
            score({"d": ["(5", cell, "3)"]}, {"d": ["-", "-", "-"]}, reading="as-official")
        assert "fused-cell" in {finding.code for finding in refused.value.findings}
    for cell in ("(3|(4)5)", "(3(4)|5)"):
        assert score({"d": ["(5", cell, "3)"]}, {"d": ["-", "-", "-"]}, reading="as-official")


def test_the_newsreader_layout_is_a_table_of_fractions(score: Scored) -> None:
    summary = score(ONE, ONE, official_layout="deliverable")
    assert LAYOUTS["coref"](summary).splitlines()[:2] == [
        "Metrics,Recall,Precision,F-measure",
        "MUC,1.000000000,1.000000000,1.000000000",
    ]


def sets(path: Path, declarations: str, prefix: str) -> str:
    targets = [[f"{prefix}:T/F#{number}" for number in (1, 2)], [f"{prefix}:T/G#1"]]
    body = "".join(
        f'<coref cid="{number}">' + "".join(f'<target id="{name}"/>' for name in names) + "</coref>"
        for number, names in enumerate(targets)
    )
    path.write_text(f"<coreferences {declarations}>{body}</coreferences>", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("unit", ["document", "topic", "corpus"])
@pytest.mark.parametrize(
    ("system_declares", "system_prefix"),
    [('xmlns:b="u"', "b"), ("", "a"), ('xmlns:c="v"', "a"), ('xmlns:a="u" xmlns:b="u"', "b")],
)
def test_mentions_in_xml_are_the_same_by_address_or_as_written(
    tmp_path: Path, unit: str, system_declares: str, system_prefix: str
) -> None:
    gold = sets(tmp_path / "gold.xml", 'xmlns:a="u"', "a")
    system = sets(tmp_path / "system.xml", system_declares, system_prefix)
    for one, other in ((gold, system), (system, gold)):
        assert lydite.score(one, other, unit=unit)["mentions"].micro.f1 == 1


def test_one_prefix_of_two_addresses_means_two_mentions(tmp_path: Path) -> None:
    gold = sets(tmp_path / "gold.xml", 'xmlns:a="u"', "a")
    system = sets(tmp_path / "system.xml", 'xmlns:a="v"', "a")
    assert lydite.score(gold, system, unit="corpus")["mentions"].micro.f1 == 0


def test_columns_beside_sets_in_xml_are_read_under_the_profile_that_the_sets_decide(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.xml", tmp_path / "system.conll"
    targets = '<target id="d#0-1" head="yes"/><target id="d#1-2" head="yes"/>'
    gold.write_text(f'<coreferences><coref cid="1">{targets}</coref></coreferences>\n', encoding="utf-8")
    # A comment inside a document is a token in the profile that is taken first.
    system.write_text("#begin document d\n# -\nw\t(1)\nw\t(1)\n\n#end document\n", encoding="utf-8")
    inferred, named = (
        lydite.score(gold, system, task="coref", unit="document", profile=profile)
        for profile in (None, "newsreader")
    )
    assert inferred == named
    assert inferred["mentions"].micro.f1 == 1


def test_a_repeat_that_is_refused_does_not_count_and_says_what_to_try() -> None:
    with pytest.raises(InvalidInput) as refused:
        lydite.score([[[1, 2], [2, 3]]], [[[1, 2, 3]]], task="coref", repeats="error")
    (told,) = refused.value.findings
    assert told.message == "mention 2 is written again: first in cluster '0', then in '1'"
    assert told.hint == "--repeats first keeps the first one, --repeats merge joins the clusters"
