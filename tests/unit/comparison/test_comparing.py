"""Comparisons of systems: laws of the whole, units that reach across documents, two golds, curves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lydite
from lydite.cli import run
from lydite.comparison.counts import count_units
from lydite.comparison.curves import curve
from lydite.comparison.files import (
    ComparisonPlan,
    compare_sides,
    compare_summaries,
    load_summary,
    units_of_run,
    units_of_summary,
)
from lydite.comparison.intervals import with_intervals
from lydite.errors import FormatError, UsageError
from lydite.facade.choosing import UserChoice
from lydite.facade.scoring import score_sides
from lydite.facade.sides import read_sides
from lydite.metrics import METRICS
from lydite.model.comparison import Comparison, Resampling
from lydite.model.curve import evenly
from lydite.pipeline.task import KeptResults
from lydite.tasks import TASKS

GOLD = "examples/gold.tbf"
ALDER, BIRCH, CEDAR = (f"examples/systems/{name}.tbf" for name in ("alder", "birch", "cedar"))
CASES = "tests/conformance"
TOPICS = f"{CASES}/coref-xml/random-topics"
FOLDERS = f"{CASES}/triples/folder-same-names"


def test_the_better_system_comes_first_whatever_the_order_of_the_files() -> None:
    one = lydite.compare(GOLD, ALDER, BIRCH, resamples=200)
    other = lydite.compare(GOLD, BIRCH, ALDER, resamples=200)
    assert one.systems == other.systems
    assert one.pairs == other.pairs
    assert one.pairs[0].a == "alder"
    assert one.pairs[0].difference == one.systems[0].figure - one.systems[1].figure  # type: ignore[operator]


def test_a_system_against_its_copy_differs_in_nothing(tmp_path: Path) -> None:
    copy = tmp_path / "copy.tbf"
    copy.write_bytes(Path(ALDER).read_bytes())
    found = lydite.compare(GOLD, ALDER, str(copy), resamples=100)
    (pair,) = found.pairs
    assert (pair.difference, pair.low, pair.high, pair.p, pair.exact) == (0, 0, 0, 1, True)
    assert [place.group for place in found.systems] == ["a", "a"]
    assert [place.rank for place in found.systems] == [1, 1]
    assert pair.changed_units == 0
    assert pair.top_units == ()


def test_intervals_hold_the_figure_and_draws_serve_every_system() -> None:
    found = lydite.compare(GOLD, ALDER, BIRCH, CEDAR, resamples=500)
    alone = lydite.compare(GOLD, ALDER, BIRCH, resamples=500)
    assert found.systems[:2] == tuple(
        place._replace(group=letter) for place, letter in zip(alone.systems, "ab", strict=True)
    )
    for place in found.systems:
        assert place.low is not None
        assert place.high is not None
        assert place.figure is not None
        assert place.low <= place.figure <= place.high


def test_each_system_is_tested_against_one_and_then_there_are_no_letters() -> None:
    found = lydite.compare(GOLD, ALDER, BIRCH, CEDAR, against="birch", resamples=100)
    assert [(pair.a, pair.b) for pair in found.pairs] == [("alder", "birch"), ("birch", "cedar")]
    assert [place.group for place in found.systems] == [None, None, None]
    with pytest.raises(UsageError, match="no such system"):
        lydite.compare(GOLD, ALDER, BIRCH, against="oak", resamples=10)


def _spans(folder: Path, name: str, labels: str) -> str:
    """One document with one labelled span for each letter."""
    lines = [
        f'{{"doc_id": "d{at}", "spans": [[0, 3, "{label}"], [4, 7, "A"]]}}' for at, label in enumerate(labels)
    ]
    (folder / name).write_text("\n".join(lines) + "\n")
    return str(folder / name)


@pytest.mark.parametrize(("documents", "promised"), [(5, False), (6, True)])
def test_no_gap_is_promised_where_so_few_units_can_find_none(
    tmp_path: Path, documents: int, promised: bool
) -> None:
    gold, one, other = (
        _spans(tmp_path, name, labels[:documents])
        for name, labels in {"gold": "AAAAAA", "one": "AAAAAB", "other": "BABABA"}.items()
    )
    (pair,) = lydite.compare(gold, one, other, task="spans", resamples=100).pairs
    assert pair.significant is False
    assert (pair.detectable_gap is not None) == promised


def test_a_stricter_limit_needs_a_larger_gap() -> None:
    (usual,), (strict,) = (
        lydite.compare(GOLD, BIRCH, CEDAR, resamples=1000, alpha=alpha).pairs for alpha in (0.05, 0.001)
    )
    assert usual.detectable_gap is not None
    assert strict.detectable_gap is not None
    # (1.960 + 0.842) and (3.291 + 0.842) standard errors
    assert strict.detectable_gap / usual.detectable_gap == pytest.approx(4.1322 / 2.8016, rel=1e-4)


def test_one_of_many_pairs_needs_a_larger_gap_for_it_is_tested_against_a_stricter_limit(
    tmp_path: Path,
) -> None:
    labels = {"one": "AAAAAAAAAB", "two": "BABABAAAAA", "three": "AABBAAAAAA"}
    gold, *systems = (_spans(tmp_path, name, it) for name, it in {"gold": "A" * 10, **labels}.items())
    options = {"task": "spans", "resamples": 100}
    many, alone = lydite.compare(gold, *systems, **options), lydite.compare(gold, *systems[:2], **options)
    gaps = [
        pair.detectable_gap
        for found in (many, alone)
        for pair in found.pairs
        if {pair.a, pair.b} == {"one", "two"}
    ]
    assert not any(pair.significant for pair in many.pairs)
    # Of three pairs, none of them significant, Holm asks for a p of 0.05/3: 2.394 and not 1.960 standard errors.
    assert gaps[0] / gaps[1] == pytest.approx((2.3940 + 0.8416) / (1.9600 + 0.8416), rel=1e-4)


def test_no_gap_is_promised_where_so_few_patterns_can_find_none() -> None:
    options = {"resamples": 15, "seed": 1}
    pairs = lydite.compare(GOLD, BIRCH, CEDAR, **options).pairs
    assert [pair.detectable_gap for pair in pairs if pair.significant is False] == [None]


def test_units_contribute_what_their_counts_change_in_the_total() -> None:
    found = lydite.compare(GOLD, ALDER, BIRCH, resamples=10, top=100)
    (pair,) = found.pairs
    summary = lydite.score(GOLD, ALDER, BIRCH)
    counts = units_of_summary(summary).counts["type+realis", "detection", "micro"]
    of = counts.figure("f1")
    first, second = counts.tables["alder"], counts.tables["birch"]
    ids = sorted({str(row.document) for row in summary.by("doc").rows})
    for unit in pair.top_units:
        place = ids.index(unit.unit)
        replaced = first.copy()
        replaced[place] = second[place]
        expected = of(first.sum(axis=0)[None])[0] - of(replaced.sum(axis=0)[None])[0]
        assert unit.contribution == pytest.approx(expected, abs=1e-12)
    sizes = [abs(unit.contribution or 0.0) for unit in pair.top_units]
    assert sizes == sorted(sizes, reverse=True)


def test_gold_items_are_counted_by_who_has_them_right() -> None:
    found = lydite.compare(GOLD, ALDER, BIRCH, resamples=10)
    items = found.pairs[0].items
    assert items is not None
    assert sum(items) == 177  # as many gold mentions as the examples have
    itself = lydite.compare(GOLD, GOLD, ALDER, resamples=10).pairs[0].items
    assert itself is not None
    assert (itself.only_b, itself.none) == (0, 0)


@pytest.mark.parametrize(
    ("gold", "task"),
    [
        (f"{TOPICS}/key.xml", "coref"),
        (f"{CASES}/coref/big-merge/key.conll", "coref"),
        ("examples/triples/gold.trp", "triples"),
        ("examples/ace/gold", "ace"),
    ],
)
def test_gold_has_all_of_its_own_items_right(gold: str, task: str) -> None:
    asked, read = read_sides(UserChoice(task), gold, [gold])
    summary = score_sides(asked, read, detail=KeptResults(standing=(None,)))
    items = [right for entry in summary.diagnosis["standing"] for right in entry["items"].values()]
    assert items
    assert all(items)


def test_a_mention_is_right_with_its_nearest_antecedent(tmp_path: Path) -> None:
    def written(name: str, column: list[str]) -> str:
        lines = [f"d\t0\t{at}\tw{at}\t{cell}" for at, cell in enumerate(column)]
        path = tmp_path / name
        path.write_text("#begin document (d); part 000\n" + "\n".join(lines) + "\n\n#end document\n")
        return str(path)

    gold = written("gold.conll", ["(1)", "(1)", "(1)", "(2)", "(2)"])
    split = written("split.conll", ["(1)", "(3)", "(3)", "-", "(2)"])
    asked, read = read_sides(UserChoice("coref"), gold, [split])
    summary = score_sides(asked, read, detail=KeptResults(standing=(None,)))
    (entry,) = summary.diagnosis["standing"]
    # Word 0 opens its cluster on both sides; 1 lost its antecedent; 2 kept it; 3 was missed; 4 lost its antecedent.
    assert list(entry["items"].values()) == [True, False, True, False, False]


def test_items_of_tokens_have_the_same_names_in_every_process(tmp_path: Path) -> None:
    def written(name: str, tokens: str) -> str:
        path = tmp_path / name
        line = f"s\td1\tE1\t{tokens}\tw\tLife_Die\tActual"
        path.write_text(f"#BeginOfDocument d1\n{line}\n#EndOfDocument\n")
        return str(path)

    gold, system = written("gold.tbf", "t9,t10,t9"), written("system.tbf", "t10,t9")
    choice = UserChoice("nugget", profile="exact", options={"unit": "token"})
    asked, read = read_sides(choice, gold, [system])
    (entry,) = score_sides(asked, read, detail=KeptResults(standing=(None,))).diagnosis["standing"]
    assert entry["items"] == {"('t10', 't9') lifedie actual": True}


# ------------------------------------------------------------------------------------- units across documents


CLUSTER_METRICS = [
    name for name in METRICS if METRICS[name].domain == "clusters" and name not in {"conll", "kbp"}
]


def test_components_add_up_to_the_corpus_except_for_links_between_them() -> None:
    choice = UserChoice(options={"metrics": ",".join(CLUSTER_METRICS), "complete": True})
    asked, read = read_sides(choice, f"{TOPICS}/key.xml", [f"{TOPICS}/response.xml"])
    summary = score_sides(asked, read)
    units = units_of_run(summary, asked, read, None, {"response": "response"})
    assert units.kind == "component"
    assert len(units.ids) > 1
    apart = set()
    for row in summary.corpus_rows():
        counts = units.counts[row.measurement, row.metric, row.average]
        figure = "f1" if row.score.value is None else "value"
        found = counts.figure(figure)(counts.tables["response"].sum(axis=0)[None])[0]
        if found != pytest.approx(getattr(row.score, figure), abs=1e-12):
            apart.add(row.metric)
    # What a metric declares is what it does: those with links between components, and no others, do not add up.
    assert apart == {name for name in (*CLUSTER_METRICS, "kbp") if METRICS[name].links_between}


def test_components_are_the_same_by_whatever_prefix_a_system_calls_the_name_space_of_gold(
    tmp_path: Path,
) -> None:
    gold = Path(f"{TOPICS}/key.xml").read_text(encoding="utf-8")
    system = Path(f"{TOPICS}/response.xml").read_text(encoding="utf-8")
    prefix = system.partition("xmlns:")[2].partition("=")[0]
    other = tmp_path / "other.xml"
    other.write_text(
        system.replace(f"xmlns:{prefix}=", "xmlns:other=").replace(f'"{prefix}:', '"other:'), encoding="utf-8"
    )
    assert f"xmlns:{prefix}=" in gold
    found = lydite.compare(f"{TOPICS}/key.xml", f"{TOPICS}/response.xml", other, resamples=50)
    one, two = found.systems
    assert (one.figure, one.low, one.high) == (two.figure, two.low, two.high)
    assert one.low is not None
    assert one.low > 0


def test_a_macro_average_of_the_one_document_that_a_corpus_is_has_the_interval_of_its_total() -> None:
    gold = {
        "d1": [[(0, 1), (4, 5)]],
        "d2": [[(0, 1), (4, 5), (8, 9)], [(2, 3), (6, 7)]],
        "d3": [[(1, 2), (5, 6)]],
    }
    one = {**gold, "d2": [[(0, 1), (4, 5)], [(8, 9), (2, 3), (6, 7)]]}
    other = {**gold, "d1": [[(0, 1)], [(4, 5)]], "d3": [[(1, 2)], [(5, 6)]]}

    def compared(average: str) -> tuple[object, ...]:
        found = lydite.compare(
            gold,
            one,
            other,
            names=["one", "other"],
            task="coref",
            unit="corpus",
            averages=("micro", "macro"),
            figure=f"coref.b-cubed.{average}.f1",
            resamples=50,
        )
        assert (found.unit_kind, found.unit_count) == ("component", 3)
        return found.systems, found.pairs

    assert compared("macro") == compared("micro")


def test_blanc_has_no_interval_over_components() -> None:
    found = lydite.compare(
        f"{TOPICS}/key.xml",
        f"{TOPICS}/key.xml",
        f"{TOPICS}/response.xml",
        figure="coref.blanc.f1",
        resamples=9,
    )
    assert {place.low for place in found.systems} == {None}
    assert {pair.p for pair in found.pairs} == {None}
    assert [finding.code for finding in found.findings] == ["no-units"]


def test_documents_are_not_drawn_where_clusters_reach_across_them() -> None:
    with pytest.raises(UsageError, match="clusters reach across documents"):
        lydite.compare(
            f"{TOPICS}/key.xml", f"{TOPICS}/key.xml", f"{TOPICS}/response.xml", resample_by="document"
        )


def test_one_document_is_no_unit() -> None:
    case = f"{CASES}/coref/big-merge"
    found = lydite.compare(f"{case}/key.conll", f"{case}/key.conll", f"{case}/response.conll", resamples=9)
    assert [finding.code for finding in found.findings] == ["no-units"]
    (pair,) = found.pairs
    assert (pair.p, pair.low, pair.significant, pair.changed_units, pair.units) == (None,) * 5
    assert pair.difference is not None


@pytest.mark.parametrize(
    ("documents", "settings", "hint"),
    [
        (1, {}, "score more documents at once"),
        (1, {"resample_by": "topic"}, "score more documents at once"),
        (1, {"unit": "corpus"}, "score more documents at once"),
        (2, {"unit": "corpus"}, "try --unit topic --resample-by topic"),
        (2, {"resample_by": "topic", "topic_of": "^d"}, "say by --topic-of what a topic is"),
    ],
)
def test_other_units_are_hinted_at_where_there_can_be_some(
    documents: int, settings: dict[str, Any], hint: str, tmp_path: Path
) -> None:
    clusters = [{"id": "c", "members": [[0, 1], [4, 5]]}]
    lines = [{"doc_id": f"d{at}", "layers": {"clusters": clusters}} for at in range(documents)]
    gold = tmp_path / "gold.lydite.jsonl"
    gold.write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = lydite.compare(gold, gold, gold, resamples=9, names=["a", "b"], **settings)
    (finding,) = found.findings
    assert finding.code == "no-units"
    assert str(finding.hint).startswith(hint)


def test_pairs_that_too_few_draws_keep_together_are_warned_about() -> None:
    few = lydite.compare(GOLD, ALDER, CEDAR, resamples=10)
    (pair,) = few.pairs
    assert (pair.p, pair.exact, pair.significant) == (1 / 11, False, False)
    *of_the_files, finding = few.findings
    assert finding.code == "few-resamples"
    assert finding.hint == "--resamples 20 or more"
    enough = lydite.compare(GOLD, ALDER, CEDAR, resamples=20)
    assert enough.pairs[0].significant
    assert list(enough.findings) == of_the_files


def test_a_comparison_has_the_findings_of_the_files_too() -> None:
    found = lydite.compare(GOLD, ALDER, CEDAR, resamples=20)
    scored = lydite.score(GOLD, ALDER, CEDAR)
    assert "document-missing-in-system" in [finding.code for finding in scored.findings]
    assert found.findings == scored.findings
    assert [one["code"] for one in found.to_dict()["findings"]] == [one.code for one in scored.findings]  # type: ignore[attr-defined]


def test_pairs_that_too_few_units_keep_together_when_corrected_are_warned_about(tmp_path: Path) -> None:
    """Six documents: p is at least 2/2^6, which passes 0.05 alone, and corrected for three pairs does not."""

    def written(name: str, right: int) -> str:
        lines = []
        for number in range(6):
            lines.append(f"#BeginOfDocument d{number}")
            for at in range(4):
                kind = "Life_Die" if at < right else "Conflict_Attack"
                lines.append(f"s\td{number}\tE{at}\t{9 * at},{9 * at + 4}\tword\t{kind}\tActual")
            lines.append("#EndOfDocument")
        path = tmp_path / f"{name}.tbf"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return str(path)

    gold, *systems = (written(name, right) for name, right in (("gold", 4), ("a", 3), ("b", 2), ("c", 1)))
    two, three = lydite.compare(gold, *systems[:2]), lydite.compare(gold, *systems)
    assert [pair.p for pair in three.pairs] == [2 / 2**6] * 3
    assert two.pairs[0].significant
    assert [finding.message.split(":")[0] for finding in three.findings if finding not in two.findings] == [
        "3 pairs not told apart by the number of units alone"
    ]


def test_units_that_contribute_as_much_stand_in_the_order_of_their_ids(tmp_path: Path) -> None:
    """In d0 only the second system has the mention, in d1 to d4 only the first: +1/5 and −1/5 differ in their last bit."""

    def written(name: str, having: range) -> str:
        lines = []
        for number in range(5):
            lines.append(f"#BeginOfDocument d{number}")
            if number in having:
                lines.append(f"s\td{number}\tE1\t0,4\tword\tLife_Die\tActual")
            lines.append("#EndOfDocument")
        path = tmp_path / f"{name}.tbf"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return str(path)

    sides = (written("gold", range(5)), written("a", range(1, 5)), written("b", range(1)))
    (pair,) = lydite.compare(*sides, figure="span.recall", resamples=10).pairs
    assert [unit.unit for unit in pair.top_units] == ["d0", "d1", "d2", "d3", "d4"]
    assert len({abs(unit.contribution or 0.0) for unit in pair.top_units}) > 1


def test_few_units_are_warned_about() -> None:
    folder = f"{CASES}/ace/random_local_11"
    found = lydite.compare(f"{folder}/ref", f"{folder}/sys", f"{folder}/ref", resamples=9)
    assert [finding.code for finding in found.findings] == ["few-units", "bound-by-units"]


def test_topics_are_documents_of_one_name() -> None:
    found = lydite.compare(GOLD, ALDER, BIRCH, resample_by="topic", topic_of="^[a-z]+", resamples=9)
    assert (found.unit_kind, found.unit_count) == ("topic", 2)


def test_topics_of_spans_are_what_names_of_documents_begin_with_unless_said() -> None:
    gold = {"a/1": [(0, 3, "PER")], "a/2": [(0, 3, "LOC")], "b/1": [(0, 3, "ORG")]}
    other = {**gold, "b/1": [(0, 3, "LOC")]}
    found = lydite.compare(gold, gold, other, task="spans", resample_by="topic", resamples=9)
    assert (found.unit_kind, found.unit_count) == ("topic", 2)
    found = lydite.compare(gold, gold, other, task="spans", resample_by="topic", topic_of=".+", resamples=9)
    assert found.unit_count == 3


@pytest.mark.parametrize(
    "case", ["xdoc_entities_merged", "xdoc_relation_errors", "xdoc_documents_missed_and_spurious"]
)
def test_elements_add_up_to_the_corpus(case: str) -> None:
    folder = f"{CASES}/ace/{case}"
    asked, read = read_sides(UserChoice("ace", "ace08-global"), f"{folder}/ref", [f"{folder}/sys"])
    summary = score_sides(asked, read, detail=KeptResults(by=("doc",), elements=True))
    units = units_of_run(summary, asked, read, None, {"sys": "sys"})
    assert units.kind == "element"
    for row in summary.corpus_rows():
        counts = units.counts[row.measurement, row.metric, row.average]
        sums = counts.tables["sys"].sum(axis=0)[None]
        for name, figure in row.score._asdict().items():
            found = counts.figure(name)(sums)[0]
            assert found == pytest.approx(np.nan if figure is None else figure, abs=1e-9, nan_ok=True)


def test_it_is_said_that_the_mapping_of_elements_stays_as_it_is() -> None:
    systems = (f"examples/ace/systems/{name}" for name in ("alder", "birch"))
    found = lydite.compare("examples/ace/gold", *systems, profile="ace08-global", resamples=9)
    (said,) = (finding for finding in found.to_dict()["findings"] if finding["code"] == "mapping-kept")
    assert "mapping of the whole corpus stays" in said["message"]


def test_documents_that_share_elements_are_drawn_with_a_warning() -> None:
    folder = f"{CASES}/ace/xdoc_entity_split"
    sides = (f"{folder}/ref", f"{folder}/sys", f"{folder}/ref")
    local, across = (
        lydite.compare(*sides, profile=name, resamples=9).to_dict()["findings"]
        for name in ("ace08-local", "ace08-global")
    )
    (told,) = (finding for finding in local if finding["code"] == "units-share-elements")
    assert told["message"].endswith(": G1, G2, G3, … in ref; S-G1, S-G2, S-G3, … in sys")
    assert "units-share-elements" not in {finding["code"] for finding in across}


def test_a_false_alarm_of_one_system_is_a_unit_in_which_the_other_has_nothing() -> None:
    folder = f"{CASES}/ace/xdoc_documents_missed_and_spurious"
    asked, read = read_sides(
        UserChoice("ace", "ace08-global"), f"{folder}/ref", [f"{folder}/sys", f"{folder}/ref"]
    )
    summary = score_sides(asked, read, detail=KeptResults(elements=True))
    units = units_of_summary(summary)
    alarms = [place for place, name in enumerate(units.ids) if name.endswith(" of sys")]
    counts = units.counts["entity", "ace-value", "micro"]
    assert all(not counts.tables["ref"][place].any() for place in alarms)


# -------------------------------------------------------------------------------------------------- intervals


def test_every_total_of_a_summary_gets_its_intervals() -> None:
    summary = lydite.score(GOLD, ALDER)
    found = with_intervals(summary, units_of_summary(summary), Resampling(resamples=200))
    for row in found.corpus_rows():
        figures = {name for name, figure in row.score._asdict().items() if figure is not None}
        assert set(row.interval or {}) == figures
    again = lydite.Summary.from_dict(json.loads(json.dumps(found.to_dict())))
    assert again.rows == found.rows
    assert "|ci:x95.200.s0|by:document|" in found.signature


@pytest.mark.parametrize(
    ("task", "gold", "system", "by"),
    [
        (None, GOLD, BIRCH, "type"),
        ("arguments", "examples/arguments/annotation", "examples/arguments/systems/birch", "role"),
        ("ace", "examples/ace/gold", "examples/ace/systems/birch", "type"),
        (
            "triples",
            f"{FOLDERS}/gold",
            f"{FOLDERS}/system",
            "relation",
        ),
    ],
)
def test_a_part_has_the_interval_of_what_its_documents_add(
    task: str | None, gold: str, system: str, by: str
) -> None:
    asked, read = read_sides(UserChoice(task), gold, [system])
    summary = score_sides(asked, read, detail=KeptResults(by=("doc", by), parts=True))
    rows = [row for row in summary.rows if row.by and row.scope == "document"]
    units = units_of_summary(summary)
    found = with_intervals(summary, units, Resampling(resamples=50))
    parts = [row for row in found.rows if row.by]
    assert {row.scope for row in parts} == {"corpus"}
    held: dict[tuple[str, str, str], set[str]] = {}
    for row in rows:
        if any(value for value in row.tally.values() if not isinstance(value, str)):
            held.setdefault((row.measurement, row.metric, row.by[by]), set()).add(str(row.document))
    for row in parts:
        counts = units.parts[row.measurement, row.metric, by, row.by[by]]
        for name, figure in row.score._asdict().items():
            # Every document once is the corpus as it is.
            whole = counts.figure(name)(counts.tables[row.system].sum(axis=0)[None])[0]
            assert whole == pytest.approx(np.nan if figure is None else figure, abs=1e-9, nan_ok=True)
        several = len(held.get((row.measurement, row.metric, row.by[by]), ())) > 1
        assert (row.interval is not None) == (several and len(units.ids) > 1)


def test_an_interval_is_that_of_the_comparison() -> None:
    summary = lydite.score(GOLD, ALDER, BIRCH)
    rows = with_intervals(summary, units_of_summary(summary), Resampling(resamples=300)).corpus_rows()
    found = lydite.compare(GOLD, ALDER, BIRCH, resamples=300)
    for place in found.systems:
        (row,) = (
            row
            for row in rows
            if (row.system, row.measurement, row.average) == (place.system, "type+realis", "micro")
        )
        assert row.interval is not None
        assert row.interval["f1"] == (place.low, place.high)


def test_adding_a_document_without_counts_changes_no_figure() -> None:
    summary = lydite.score(GOLD, ALDER)
    empty = next(row for row in summary.by("doc").rows)._replace(
        document="zz", tally=dict.fromkeys(("gold_credit", "gold_total", "system_credit", "system_total"), 0)
    )
    longer = lydite.Summary(
        **{
            name: getattr(summary, name) if name != "rows" else (*summary.rows, empty)
            for name in summary.__dataclass_fields__
        }
    )
    task = TASKS["nugget"]
    one, other = (count_units(each, task, kind="document", unit_of=str) for each in (summary, longer))
    assert len(other.ids) == len(one.ids) + 1
    for key, counts in one.counts.items():
        assert np.array_equal(
            counts.tables["alder"].sum(axis=0), other.counts[key].tables["alder"].sum(axis=0)
        )


# --------------------------------------------------------------------------------------------------- two golds


def test_another_gold_changes_figures_ranks_and_items() -> None:
    found = lydite.compare(GOLD, ALDER, BIRCH, gold_before=ALDER, resamples=9)
    assert found.golds is not None
    before = {one.system: (one.before, one.rank_before) for one in found.golds.systems}
    assert before["alder"] == (1.0, 1)
    assert {change.change for change in found.golds.changes} <= {
        "now right",
        "now wrong",
        "new in gold",
        "no longer in gold",
    }
    assert {change.system for change in found.golds.changes} == {"alder", "birch"}


def test_one_system_is_enough_under_two_golds() -> None:
    found = lydite.compare(GOLD, ALDER, gold_before=GOLD, resamples=9)
    assert found.pairs == ()
    assert found.golds is not None
    assert found.golds.changes == ()
    assert found.golds.systems[0].before == found.golds.systems[0].after


def _saved(folder: Path, name: str, gold: str, system: str) -> str:
    asked, read = read_sides(UserChoice(), gold, [system])
    summary = score_sides(asked, read, detail=KeptResults(by=("doc", "*"), standing=(None,)))
    path = folder / name
    path.write_text(json.dumps(summary.to_dict()))
    return str(path)


def test_a_summary_says_what_it_lacks_where_clusters_reach_across_documents(tmp_path: Path) -> None:
    one = _saved(tmp_path, "one.json", f"{TOPICS}/key.xml", f"{TOPICS}/response.xml")
    other = _saved(tmp_path, "other.json", f"{TOPICS}/key.xml", f"{TOPICS}/key.xml")
    (found,), _ = compare_summaries([one, other], ComparisonPlan(resampling=Resampling(resamples=9)))
    (finding,) = found.findings
    assert finding.code == "no-units"
    assert "no counts of components" in finding.message
    assert "GOLD SYSTEM" in str(finding.hint)
    assert (found.unit_kind, found.unit_count) == ("component", 0)


def test_a_summary_without_elements_says_how_to_keep_them(tmp_path: Path) -> None:
    asked, read = read_sides(
        UserChoice("ace", "ace08-global"), "examples/ace/gold", ["examples/ace/systems/alder"]
    )
    for name, elements in (("bare", False), ("whole", True)):
        summary = score_sides(asked, read, detail=KeptResults(by=("doc",), elements=elements))
        (tmp_path / f"{name}.json").write_text(json.dumps(summary.to_dict()))
    bare, whole = str(tmp_path / "bare.json"), str(tmp_path / "whole.json")
    (found,), _ = compare_summaries([bare, bare], ComparisonPlan(resampling=Resampling(resamples=9)))
    assert "no rows of elements" in found.findings[0].message
    (found,), _ = compare_summaries([whole, whole], ComparisonPlan(resampling=Resampling(resamples=9)))
    assert found.pairs[0].p == 1


def test_two_saved_summaries_of_one_gold_are_two_systems(tmp_path: Path) -> None:
    paths = [_saved(tmp_path, "a.json", GOLD, BIRCH), _saved(tmp_path, "b.json", GOLD, ALDER)]
    (found,), systems = compare_summaries(paths, ComparisonPlan(resampling=Resampling(200)))
    assert systems == ("birch", "alder")
    direct = lydite.compare(GOLD, ALDER, BIRCH, resamples=200)
    assert found.pairs == direct.pairs
    assert found.systems == direct.systems


def test_two_saved_summaries_of_two_golds_say_what_changed(tmp_path: Path) -> None:
    paths = [_saved(tmp_path, "a.json", CEDAR, ALDER), _saved(tmp_path, "b.json", GOLD, ALDER)]
    (found,), _ = compare_summaries(paths, ComparisonPlan(resampling=Resampling(9)))
    direct = lydite.compare(GOLD, ALDER, gold_before=CEDAR, resamples=9)
    assert found.golds == direct.golds


def test_a_saved_summary_of_totals_alone_is_refused_with_what_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "totals.json"
    path.write_text(json.dumps(lydite.score(GOLD, ALDER, by=()).to_dict()))
    with pytest.raises(FormatError, match="no rows of documents"):
        load_summary(path)


# ------------------------------------------------------------------------------------------------------ curves


def test_the_last_point_of_a_curve_is_the_plain_score() -> None:
    asked, read = read_sides(UserChoice(), GOLD, [ALDER])
    found = curve(asked, read[0], read[1])
    plain = lydite.score(GOLD, ALDER)["type+realis"].micro
    last = found.points[-1]
    assert (last.precision, last.recall, last.f1) == plain[:3]
    assert last.kept == found.items
    kept = [point.kept for point in found.points]
    assert kept == sorted(kept)
    total, before = 0.0, 0.0
    for point in found.points:
        total += ((point.recall or 0) - before) * (point.precision or 0)
        before = point.recall or 0
    assert found.average_precision == pytest.approx(total)
    assert found.best is not None
    assert found.best.f1 == max(point.f1 or 0 for point in found.points)


def test_many_confidences_are_thinned_out_evenly_with_both_ends() -> None:
    thinned = evenly(range(1000), 200)
    assert (len(thinned), thinned[0], thinned[-1]) == (200, 0, 999)
    assert evenly([3, 2, 1], 200) == [3, 2, 1]


def test_a_curve_needs_a_confidence_for_every_item() -> None:
    asked, read = read_sides(
        UserChoice("triples"), "examples/triples/gold.trp", ["examples/triples/system.trp"]
    )
    with pytest.raises(UsageError, match="have no confidence"):
        curve(asked, read[0], read[1])


# -------------------------------------------------------------------------------------------------- wrong usage


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"resamples": 0}, "resamples"),
        ({"level": 95.0}, "did you mean|level"),
        ({"correction": "bonferroni"}, "correction"),
        ({"resample_by": "component"}, "every document is compared by itself"),
        ({"figure": "typ.f1"}, "no figure"),
    ],
)
def test_what_cannot_be_asked_is_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        lydite.compare(GOLD, ALDER, BIRCH, **options)  # type: ignore[arg-type]


def test_one_system_is_nothing_to_compare() -> None:
    with pytest.raises(UsageError, match="at least two systems"):
        lydite.compare(GOLD, ALDER)


def test_a_comparison_shows_itself_and_becomes_a_table() -> None:
    found = lydite.compare(GOLD, ALDER, BIRCH, resamples=9)
    assert "<table>" in found._repr_html_()
    assert list(found.to_pandas()["system"]) == ["alder", "birch"]


# --------------------------------------------------------------------------------------------------- undefined figures


def _some(right: int) -> dict[str, list[tuple[int, int, str, str]]]:
    """Two mentions in each of four documents; in the first ``right`` of them they stand where gold has them."""
    return {
        f"d{number}": [
            (start, start + 4, "Life_Die", "Actual") for start in ((0, 10) if number < right else (50, 60))
        ]
        for number in range(4)
    }


def test_a_unit_in_which_one_system_has_nothing_right_is_won_by_the_other() -> None:
    pair = lydite.compare(_some(4), _some(3), _some(1), names=["a", "b"], task="nugget", resamples=10).pairs[
        0
    ]
    assert {unit.unit: (unit.a, unit.b) for unit in pair.top_units} == {"d1": (1.0, None), "d2": (1.0, None)}
    assert pair.units == {"a": 2, "equal": 2, "b": 0}


def test_a_part_of_which_one_system_has_nothing_right_differs_most(tmp_path: Path) -> None:
    line = "{}\td1\tE{}\t{},{}\tword\t{}\tActual"

    def written(name: str, second: int) -> Path:
        lines = [
            line.format(name, 1, 0, 4, "Life_Die"),
            line.format(name, 2, second, second + 4, "Contact_Meet"),
        ]
        path = tmp_path / f"{name}.tbf"
        path.write_text("\n".join(["#BeginOfDocument d1", *lines, "#EndOfDocument", ""]), encoding="utf-8")
        return path

    gold, found, missed = written("gold", 10), written("found", 10), written("missed", 30)
    pair = lydite.compare(gold, found, missed, resamples=10).pairs[0]
    assert [(part.value, part.a, part.b) for part in pair.top_parts] == [("Contact_Meet", 1.0, None)]


def test_a_system_without_a_figure_shares_no_letter() -> None:
    found = lydite.compare(
        _some(4), _some(4), _some(0), _some(3), names=["a", "b", "c"], task="nugget", resamples=10
    )
    assert [(place.system, place.group) for place in found.systems] == [("a", "a"), ("c", "a"), ("b", None)]
    assert [pair.p for pair in found.pairs] == [1.0, None, None]


def test_names_in_a_notebook_are_text_also_above_the_tables() -> None:
    one = {"<i>d</i>": [(0, 4, "Life_Die", "Actual")]}
    for options in ({"against": "<b>a</b>"}, {"topic_of": "<u>(.)</u>"}):
        found = lydite.compare(
            one, one, one, names=["<b>a</b>", "b"], task="nugget", resamples=10, **options
        )._repr_html_()
        assert not {"<b>", "<i>", "<u>"} & {found[at : at + 3] for at in range(len(found))}


def test_more_resamples_than_a_machine_can_draw_are_refused_unless_they_are_allowed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["score", GOLD, ALDER, "-q", "--ci", "--resamples"]
    assert run([*arguments, str(10**12)]) == 2
    assert "LYDITE_LIMIT_RESAMPLES" in capsys.readouterr().err
    monkeypatch.setenv("LYDITE_LIMIT_RESAMPLES", "20")
    assert run([*arguments, "21"]) == 2
    assert run([*arguments, "20"]) == 0


# ------------------------------------------------------------------------------------- the items of a figure


def _items(found: Comparison) -> tuple[int, ...] | None:
    (pair,) = found.pairs
    return pair.items and tuple(pair.items)


def test_the_items_of_a_pair_are_those_of_the_figure(tmp_path: Path) -> None:
    def written(name: str, trigger: int, role: str) -> str:
        arguments = [{"role": role, "span": [10, 14]}, {"role": "Place", "span": [20, 24]}]
        event = {"type": "Conflict.Attack", "trigger": [trigger, trigger + 4], "arguments": arguments}
        path = tmp_path / name
        path.write_text(json.dumps({"doc_id": "d", "events": [event]}) + "\n", encoding="utf-8")
        return str(path)

    gold, best = written("gold.jsonl", 0, "Attacker"), written("best.jsonl", 0, "Attacker")
    other = written("other.jsonl", 5, "Target")
    plan = ComparisonPlan(("tc.f1", "ac.f1", "ac+.f1"), resampling=Resampling(resamples=9))
    asked, read = read_sides(UserChoice("arguments", profile="exact"), gold, [best, other])
    of_triggers, of_arguments, of_both = map(_items, compare_sides(asked, read, plan).comparisons)
    # One trigger, two arguments: the other system has the trigger wrong, and one role.
    assert of_triggers == (0, 1, 0, 0)
    assert of_arguments == (1, 1, 0, 0)
    assert of_both == (0, 2, 0, 0)


def test_a_figure_without_gold_items_of_its_own_has_none() -> None:
    plan = ComparisonPlan(("coref.b-cubed.f1",), resampling=Resampling(resamples=9))
    asked, read = read_sides(
        UserChoice("nugget"),
        "examples/gold.tbf",
        ["examples/systems/alder.tbf", "examples/systems/birch.tbf"],
    )
    (found,) = compare_sides(asked, read, plan).comparisons
    assert _items(found) is None


def test_the_items_of_triples_are_those_of_the_condition_or_of_the_elements() -> None:
    gold, system = "examples/triples/gold.trp", "examples/triples/system.trp"
    plan = ComparisonPlan(
        ("exact_same.f1", "partial_same.f1", "partial_ignored.f1", "first_elements.f1"),
        resampling=Resampling(resamples=9),
    )
    asked, read = read_sides(UserChoice("triples"), gold, [gold, system])
    found = [_items(one) for one in compare_sides(asked, read, plan).comparisons]
    assert found == [(1, 2, 0, 0), (2, 1, 0, 0), (3, 0, 0, 0), (1, 0, 0, 0)]


@pytest.mark.parametrize(
    ("gold", "task", "figures"),
    [
        ("examples/gold.tbf", "nugget", ("span.f1", "type.f1", "realis.f1", "type+realis.f1")),
        ("examples/triples/gold.trp", "triples", ("exact_same.f1", "second_elements_exact.f1")),
        (f"{TOPICS}/key.xml", "coref", ("mentions.f1", "coref.muc.f1")),
        ("examples/ace/gold", "ace", ("entity.ace-counts.f1",)),
    ],
)
def test_gold_has_all_items_of_every_figure_right(gold: str, task: str, figures: tuple[str, ...]) -> None:
    asked, read = read_sides(UserChoice(task), gold, [gold])
    summary = score_sides(asked, read, detail=KeptResults(standing=figures))
    entries = summary.diagnosis["standing"]
    assert {entry["measurement"] for entry in entries} == {name.partition(".")[0] for name in figures}
    assert all(right for entry in entries for right in entry["items"].values())
