"""Random column files through the public path, against every definition computed the slow way (``naive_coref``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lydite
import naive_coref as naive
from lydite.model import ScoreRow
from lydite.report.official import LAYOUTS
from lydite.tasks.coref.settings import METRICS

Sides = tuple[naive.Side, naive.Side]

PLAIN = {
    "mentions": naive.detection,
    "muc": naive.muc,
    "b-cubed": naive.b_cubed,
    "ceaf-m": naive.ceaf_m,
    "ceaf-e": naive.ceaf_e,
}
CUT = 1e-12


# --------------------------------------------------------------------------------------------------- the files


@st.composite
def cells(draw: st.DrawFn, *, most: int = 7) -> list[str]:
    """Cells of a document: singles, opens and closes in any order in the cell, with or without bars; all spans close."""
    ids = draw(st.sampled_from((("1", "2", "3"), ("0", "01", "1", "12"), ("7",))))
    size = draw(st.integers(0, most))
    opened: list[str] = []
    rows = []
    for token in range(size):
        items = [f"({name})" for name in draw(st.lists(st.sampled_from(ids), max_size=2))]
        items += ["(1+2)"] * draw(st.sampled_from((0, 0, 0, 0, 1)))
        starts = draw(st.lists(st.sampled_from(ids), max_size=2))
        opened += starts
        ends = opened if token == size - 1 else draw(st.permutations(opened))[: draw(st.integers(0, 2))]
        for name in ends:
            opened = [*opened]
            opened.remove(name)
        items += [f"({name}" for name in starts] + [f"{name})" for name in ends]
        rows.append(joined(draw(st.permutations(items)), bars=draw(st.booleans())))
    return rows


def joined(items: list[str], *, bars: bool) -> str:
    """One cell; the bar may be missing where an item ends or begins with a bracket."""
    text = ""
    for item in items:
        needed = text and not (text.endswith(")") or item.startswith("("))
        text += ("|" if needed or (text and bars) else "") + item
    return text or "-"


@st.composite
def columns(draw: st.DrawFn, names: list[str], *, most: int = 7) -> str:
    """A column file of these documents, with the freedom that the format leaves."""
    separator = draw(st.sampled_from(("\t", "\t", " ", "   ")))
    lines = draw(st.sampled_from(([], ["a line before the first document (9)"])))
    for name in names:
        lines = [*lines, draw(st.sampled_from(("#begin document ", "# begin document "))) + name]
        for number, cell in enumerate(draw(cells(most=most))):
            if draw(st.sampled_from((False, False, False, True))):
                lines.append(draw(st.sampled_from(("", " ", "# a remark", "\t"))))
            nothing = draw(st.sampled_from(("-", "_"))) if cell == "-" else cell
            lines.append(separator.join(("d", "0", str(number), "w", nothing)))
        lines += ["", draw(st.sampled_from(("#end document", "#end document " + name, "# end document"))), ""]
    return draw(st.sampled_from(("\n", "\n", "\r\n"))).join(lines)


@st.composite
def corpora(draw: st.DrawFn) -> tuple[str, str]:
    """Gold and system: up to three documents each, mostly the same, in any order."""
    names = ["(d/a); part 000", "(d/a); part 001", "b "]
    gold = draw(st.permutations(names))[: draw(st.integers(1, 3))]
    system = draw(st.permutations(names))[: draw(st.integers(1, 3))]
    return draw(columns(gold)), draw(columns(system))


def scored(files: tuple[str, str], **options: Any) -> lydite.Summary:
    with TemporaryDirectory() as folder:
        paths = [Path(folder, f"{side}.conll") for side in ("gold", "system")]
        for path, text in zip(paths, files, strict=True):
            path.write_text(text, encoding="utf-8", newline="")
        options = {"reading": "as-official", "quirks": {"limit-repeats": False}, **options}
        return lydite.score(*paths, task="coref", by=("doc",), diagnosis=True, **options)


def sides(files: tuple[str, str], *, keep: bool = True) -> dict[str, tuple[Sides, int]]:
    """Per gold document: both sides after repeats and singletons were treated, and how many copies were removed."""
    gold, system = map(naive.read_columns, files)
    treated = {}
    for name in sorted(gold):
        ours = gold[name][1]
        theirs, removed = naive.without_later_copies(ours, system.get(name, (0, []))[1])
        if not keep:
            ours, theirs = naive.without_singletons(ours), naive.without_singletons(theirs)
        treated[name] = ((ours, theirs), removed)
    return treated


# ------------------------------------------------------------------------------------------------ exact figures


def credits_of(row: ScoreRow) -> naive.Counts:
    tally = row.tally
    numbers = (
        tally.get("gold_exact", tally["gold_credit"]),
        tally["gold_total"],
        tally.get("system_exact", tally["system_credit"]),
        tally["system_total"],
    )
    recall, gold, precision, system = map(Fraction, numbers)
    return recall, gold, precision, system


def links_of(row: ScoreRow) -> tuple[naive.Counts, naive.Counts]:
    found = []
    for kind in ("coreference", "other"):
        common = row.tally[f"common_{kind}"]
        numbers = (common, row.tally[f"gold_{kind}"], common, row.tally[f"system_{kind}"])
        recall, gold, precision, system = map(Fraction, numbers)
        found.append((recall, gold, precision, system))
    return found[0], found[1]


def same_figures(row: ScoreRow, figures: tuple[Fraction, Fraction, Fraction]) -> None:
    found = (row.score.recall, row.score.precision, row.score.f1)
    assert found == pytest.approx(tuple(map(float, figures)), abs=CUT), row.metric


def check_plain(rows: Mapping[str, ScoreRow], counts: Mapping[str, naive.Counts]) -> None:
    for metric, expected in counts.items():
        assert credits_of(rows[metric]) == expected, metric
        same_figures(rows[metric], naive.figures(expected))


def check_averages(
    rows: Mapping[str, ScoreRow],
    counts: Mapping[str, naive.Counts],
    links: tuple[naive.Counts, naive.Counts],
) -> None:
    three = sum((naive.figures(counts[name])[2] for name in ("muc", "b-cubed", "ceaf-e")), Fraction())
    of_links = naive.blanc(*links)[2]
    assert rows["conll"].score.f1 == pytest.approx(float(three / 3), abs=CUT)
    assert rows["kbp"].score.f1 == pytest.approx(float((three + of_links) / 4), abs=CUT)


def total_of(documents: list[naive.Counts]) -> naive.Counts:
    total: naive.Counts = (Fraction(), Fraction(), Fraction(), Fraction())
    for counts in documents:
        total = naive.added(total, counts)
    return total


@pytest.mark.parametrize("singletons", ["keep", "drop"])
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(files=corpora())
def test_counts_and_figures_are_those_of_the_definitions(singletons: str, files: tuple[str, str]) -> None:
    summary = scored(files, singletons=singletons)
    treated = sides(files, keep=singletons == "keep")
    by_document = summary.by("doc").rows
    assert {row.document for row in by_document} == set(treated)
    all_counts: dict[str, list[naive.Counts]] = {name: [] for name in (*PLAIN, "lea", "coreference", "other")}
    repeated = False
    for name, (pair, _) in treated.items():
        rows = {row.metric: row for row in by_document if row.document == name}
        counts = {metric: definition(*pair) for metric, definition in PLAIN.items()}
        if any(map(naive.repeats, pair)):
            repeated = True
        else:
            counts["lea"] = naive.lea(*pair)
        links = naive.blanc_links(*pair)
        check_plain(rows, counts)
        assert links_of(rows["blanc"]) == links
        same_figures(rows["blanc"], naive.blanc(*links))
        check_averages(rows, counts, links)
        for metric, found in {**counts, "coreference": links[0], "other": links[1]}.items():
            all_counts[metric].append(found)
    if repeated:
        del all_counts["lea"]
    totals = {metric: total_of(documents) for metric, documents in all_counts.items()}
    links = (totals.pop("coreference"), totals.pop("other"))
    rows = {row.metric: row for row in summary.corpus_rows()}
    check_plain(rows, totals)
    assert links_of(rows["blanc"]) == links
    same_figures(rows["blanc"], naive.blanc(*links))
    check_averages(rows, totals, links)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(files=corpora())
def test_copies_that_go_are_counted(files: tuple[str, str]) -> None:
    entries = scored(files).diagnosis["documents"]
    found = {entry["document"]: entry["counts"]["repeats_dropped"] for entry in entries}
    assert found == {name: removed for name, (_, removed) in sides(files).items()}


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(files=corpora())
def test_the_variants_for_predicted_mentions_are_those_of_the_definitions(files: tuple[str, str]) -> None:
    names = tuple(name for name in METRICS if name.endswith(("-0", "-all", "-rn", "-cs")))
    treated = sides(files)
    totals: dict[str, list[naive.Counts]] = {name: [] for name in names}
    for pair, _ in treated.values():
        if any(map(naive.repeats, pair)):
            return
        for name, counts in naive.variants(*pair).items():
            totals[name].append(counts)
    rows = {row.metric: row for row in scored(files, metrics=names).corpus_rows()}
    check_plain(rows, {name: total_of(documents) for name, documents in totals.items()})


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(files=corpora())
def test_links_and_indices_are_those_of_the_definitions(files: tuple[str, str]) -> None:
    metrics = ("pairwise", "pairwise-negative", "exact-clusters", "rand", "ceaf-e")
    treated = sides(files)
    if any(naive.repeats(side) for pair, _ in treated.values() for side in pair):
        return
    summary = scored(files, metrics=metrics, ceafe_alignment="phi3")
    for name, ((gold, system), _) in treated.items():
        rows = {row.metric: row for row in summary.by("doc").rows if row.document == name}
        coreference, other = naive.blanc_links(gold, system)
        equal = Fraction(sum(set(one) == set(two) for one, two in product(gold, system)))
        check_plain(
            rows,
            {
                "pairwise": coreference,
                "pairwise-negative": other,
                "exact-clusters": (equal, Fraction(len(gold)), equal, Fraction(len(system))),
                "ceaf-e": naive.ceaf_e_over_phi3(gold, system),
            },
        )
        common = naive.mentions_of(gold) & naive.mentions_of(system)
        ours, theirs = ([[m for m in cluster if m in common] for cluster in side] for side in (gold, system))
        agreed = sum(len(one & two) for one, two in zip(naive.links(ours), naive.links(theirs), strict=True))
        pairs = len(common) * (len(common) - 1) // 2
        assert rows["rand"].score.value == pytest.approx(agreed / pairs if pairs else 0, abs=CUT)


# --------------------------------------------------------------------------------------------- printed figures


def as_printed(value: float) -> str:
    return f"{int(value * 10000) / 100:.15g}%"


def running(pair: Sides) -> Iterator[dict[str, tuple[float, ...]]]:
    """Counts as doubles added one by one in file order, for every best alignment of CEAFe."""
    recall = precision = 0.0
    for for_recall, for_precision in naive.b_cubed_terms(*pair):
        recall += for_recall.numerator / for_recall.denominator
        precision += for_precision.numerator / for_precision.denominator
    gold, system = (sum(map(len, side)) for side in pair)
    for chosen in naive.best_maps(*pair, naive.phi4):
        credit = 0.0
        for at in sorted(chosen):
            credit += 1 - (1 - float(naive.phi4(pair[0][at], pair[1][chosen[at]])))
        yield {
            "bcub": (recall, gold, precision, system),
            "ceafe": (credit, len(pair[0]), credit, len(pair[1])),
            **{
                name: tuple(map(float, PLAIN[metric](*pair)))
                for name, metric in (("mentions", "mentions"), ("muc", "muc"), ("ceafm", "ceaf-m"))
            },
            **dict(
                zip(
                    ("coreference", "other"),
                    (tuple(map(float, kind)) for kind in naive.blanc_links(*pair)),
                    strict=True,
                )
            ),
        }


def line(counts: tuple[float, ...], figures: tuple[float, float, float] | None = None) -> str:
    recall, precision, f1 = figures or doubles(counts)
    return (
        f"Recall: ({counts[0]:.15g} / {counts[1]:.15g}) {as_printed(recall)}\t"
        f"Precision: ({counts[2]:.15g} / {counts[3]:.15g}) {as_printed(precision)}\tF1: {as_printed(f1)}"
    )


def doubles(counts: tuple[float, ...]) -> tuple[float, float, float]:
    recall = counts[0] / counts[1] if counts[1] else 0.0
    precision = counts[2] / counts[3] if counts[3] else 0.0
    return recall, precision, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def expected_text(total: Mapping[str, tuple[float, ...]]) -> list[str]:
    rule = "-" * 74
    text = []
    for metric in ("muc", "bcub", "ceafm", "ceafe", "blanc"):
        text += ["", f"METRIC {metric}:", "", "====== TOTALS ======="]
        text += ["Identification of Mentions: " + line(total["mentions"]), rule]
        if metric != "blanc":
            text += ["Coreference: " + line(total[metric]), rule]
            continue
        kinds = [doubles(total[kind]) for kind in ("coreference", "other") if total[kind][1]] or [(0.0,) * 3]
        recall, precision, f1 = (sum(figure) / len(kinds) for figure in zip(*kinds, strict=True))
        text += ["", "Coreference:"]
        text += ["Coreference links: " + line(total["coreference"]), rule]
        text += ["Non-coreference links: " + line(total["other"]), rule]
        text += ["BLANC: " + line((recall, 1, precision, 1), (recall, precision, f1)), rule]
    return text


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(files=corpora())
def test_the_official_text_adds_doubles_in_file_order_and_cuts(files: tuple[str, str]) -> None:
    found = LAYOUTS["coref"](scored(files)).splitlines()
    possible = set()
    for choice in product(*(list(running(pair)) for pair, _ in sides(files).values())):
        total: dict[str, tuple[float, ...]] = {}
        for document in choice:
            for name, counts in document.items():
                before = total.get(name, (0.0,) * 4)
                total[name] = tuple(one + two for one, two in zip(before, counts, strict=True))
        possible.add(tuple(expected_text(total)))
    assert tuple(found[1:]) in possible
