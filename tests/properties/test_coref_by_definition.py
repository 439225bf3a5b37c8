"""Random column files through the public path, against every definition computed the slow way (``naive_coref``)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
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
from lydite.coref import newsreader
from lydite.errors import InvalidInput
from lydite.model import ScoreRow
from lydite.report.official import LAYOUTS
from lydite.tasks.coref.settings import METRICS
from strategies import column_files

Sides = tuple[naive.Side, naive.Side]

PLAIN = {
    "mentions": naive.detection,
    "muc": naive.muc,
    "b-cubed": naive.b_cubed,
    "ceaf-m": naive.ceaf_m,
    "ceaf-e": naive.ceaf_e,
}
CUT = 1e-12


# ------------------------------------------------------------------------------------------------- both readings


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
    return naive.counts(*map(Fraction, numbers))


def links_of(row: ScoreRow) -> tuple[naive.Counts, naive.Counts]:
    found = []
    for kind in ("coreference", "other"):
        common = row.tally[f"common_{kind}"]
        found.append(naive.counts(common, row.tally[f"gold_{kind}"], common, row.tally[f"system_{kind}"]))
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
@given(files=column_files())
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


@pytest.mark.parametrize("policy", ["first", "merge"])
@pytest.mark.parametrize("crossing", ["stack", "fifo"])
@pytest.mark.parametrize("documents", ["gold", "either"])
@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(files=column_files())
def test_other_readings_of_repeats_brackets_and_documents_are_those_of_the_definitions(
    policy: str, crossing: str, documents: str, files: tuple[str, str]
) -> None:
    options = {"repeats": policy, "crossing": crossing, "scored_documents": documents}
    try:
        gold, system = (naive.read_columns(text, fifo=crossing == "fifo") for text in files)
    except naive.Unbalanced:
        with pytest.raises(InvalidInput, match="mention-not-"):
            scored(files, **options)
        return
    treat = {"first": naive.first_copies, "merge": naive.merged}[policy]
    names = gold.keys() | system.keys() if documents == "either" else gold.keys()
    pairs = [tuple(treat(side.get(name, (0, []))[1]) for side in (gold, system)) for name in sorted(names)]
    rows = {row.metric: row for row in scored(files, **options).corpus_rows()}
    for metric, definition in {**PLAIN, "lea": naive.lea}.items():
        assert credits_of(rows[metric]) == total_of([definition(*pair) for pair in pairs]), metric
    links = [naive.blanc_links(*pair) for pair in pairs]
    assert links_of(rows["blanc"]) == tuple(total_of([kinds[at] for kinds in links]) for at in (0, 1))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(files=column_files())
def test_copies_that_go_are_counted(files: tuple[str, str]) -> None:
    entries = scored(files).diagnosis["documents"]
    found = {entry["document"]: entry["counts"]["repeats_dropped"] for entry in entries}
    assert found == {name: removed for name, (_, removed) in sides(files).items()}


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(files=column_files())
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
@given(files=column_files())
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


def repeated(files: tuple[str, str]) -> Iterator[str]:
    """The lines about copies, in the order of gold's documents."""
    gold, system = map(naive.read_columns, files)
    for name, (_, ours) in gold.items():
        yield from repeated_in(ours, system.get(name, (0, []))[1])


def repeated_in(ours: naive.Side, theirs: naive.Side) -> Iterator[str]:
    """A line for every gold copy after the first and every system copy that goes."""
    numbered = [mention for cluster in ours for mention in cluster]
    for number, (first, last) in enumerate(numbered):  # type: ignore[misc]
        before = [at for at in range(number) if numbered[at] == (first, last)]
        if before:
            yield f"Repeated mention in the key: {first}, {last} {before[-1]}{number}"
    seen: list[Hashable] = []
    for mention in (mention for cluster in theirs for mention in cluster):
        if mention in seen and mention in numbered:
            number = max(at for at, other in enumerate(numbered) if other == mention)
            first, last = mention  # type: ignore[misc]
            yield f"Repeated mention in the response: {first}, {last} {number}{number}"
        seen.append(mention)


def expected_text(total: Mapping[str, tuple[float, ...]], copies: list[str]) -> list[str]:
    rule = "-" * 74
    text = []
    for metric in ("muc", "bcub", "ceafm", "ceafe", "blanc"):
        text += ["", f"METRIC {metric}:", *copies, "", "====== TOTALS ======="]
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
@given(files=column_files())
def test_the_official_text_adds_doubles_in_file_order_and_cuts(files: tuple[str, str]) -> None:
    found = LAYOUTS["coref"](scored(files)).splitlines()
    possible = set()
    for choice in product(*(list(running(pair)) for pair, _ in sides(files).values())):
        total: dict[str, tuple[float, ...]] = {}
        for document in choice:
            for name, counts in document.items():
                before = total.get(name, (0.0,) * 4)
                total[name] = tuple(one + two for one, two in zip(before, counts, strict=True))
        possible.add(tuple(expected_text(total, list(repeated(files)))))
    assert tuple(found[1:]) in possible


def echo(name: str, side: naive.Side | None) -> list[str]:
    if side is None:
        return ["====> :", "File :"]
    shown = [" ".join(f"({first},{last})" for first, last in cluster) for cluster in side]  # type: ignore[misc]
    return [f"====> {name}:", f"File {name}:", *(f"Entity {at}: {spans}" for at, spans in enumerate(shown))]


def counted(gold: naive.Side, system: naive.Side) -> list[str]:
    ours, theirs = naive.mentions_of(gold), naive.mentions_of(system)
    copies = sum(map(len, gold)) - len(ours)
    return [
        f"Total key mentions: {len(ours)}",
        f"Total response mentions: {len(theirs)}",
        f"Strictly correct identified mentions: {len(ours & theirs)}",
        "Partially correct identified mentions: 0",
        f"No identified: {len(ours - theirs)}",
        f"Invented: {len(theirs - ours) + copies}",
    ]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(files=column_files())
def test_the_form_with_documents_shows_what_was_read_and_counted(files: tuple[str, str]) -> None:
    text = LAYOUTS["coref"](scored(files, official_layout="v8.01-documents"))
    blocks = {name: text.split(f"METRIC {name}:\n")[1].split("\n\n======")[0] for name in ("muc", "blanc")}
    found = {
        name: [line for line in block.split("\n") if line and not line.startswith("Discarded ")]
        for name, block in blocks.items()
    }
    gold, system = map(naive.read_columns, files)
    expected: dict[str, list[str]] = {"muc": [], "blanc": []}
    for name, (_, ours) in gold.items():
        read = system[name][1] if name in system else None
        pair, _ = sides(files)[name]
        for metric, lines in expected.items():
            lines += [*echo(name, ours), *echo(name, read), ":" if metric == "blanc" else f"{name}:"]
            lines += [*repeated_in(ours, read or []), *counted(*pair)]
        expected["muc"] += [line(tuple(map(float, naive.muc(*pair)))), "-" * 74]
    assert found == expected


# ---------------------------------------------------------------------------------------------- without files

two_labellings = st.integers(1, 9).flatmap(
    lambda size: st.tuples(*(st.lists(st.integers(-1, 4), min_size=size, max_size=size) for _ in range(2)))
)


def clusters_of(labels: list[int]) -> naive.Side:
    found: dict[int, list[Hashable]] = {}
    for mention, label in enumerate(labels):
        if label >= 0:
            found.setdefault(label, []).append(mention)
    return list(found.values())


@settings(deadline=None)
@given(both=two_labellings)
def test_the_original_blanc_is_the_one_of_its_paper(both: tuple[list[int], list[int]]) -> None:
    gold, system = (clusters_of([label + 1 for label in labels]) for labels in both)
    (ours, others), (theirs, apart) = naive.links(gold), naive.links(system)
    right, wrong = len(ours & theirs), len(others & theirs)
    right_apart, wrong_apart = len(others & apart), len(ours & apart)
    links = (right, right + wrong_apart, right, right + wrong)
    between = (right_apart, right_apart + wrong, right_apart, right_apart + wrong_apart)
    kinds = [naive.counts(*kind) for kind in (links, between)]
    one = Fraction(1)
    expected = (one, one, one) if len(both[0]) == 1 else naive.blanc(kinds[0], kinds[1])
    score = lydite.coref.blanc_original(gold, system)
    assert (score.recall, score.precision, score.f1) == pytest.approx(tuple(map(float, expected)), abs=CUT)


@settings(deadline=None)
@given(both=two_labellings)
def test_the_functions_of_the_newsreader_module_give_the_figures_of_the_definitions(
    both: tuple[list[int], list[int]],
) -> None:
    key, response = map(clusters_of, both)
    rel_response, rel_key = newsreader.generate_rel_partition(key, response)
    muc, b_cubed = naive.figures(naive.muc(key, response)), naive.figures(naive.b_cubed(key, response))
    ceaf_m, ceaf_e = naive.figures(naive.ceaf_m(key, response)), naive.figures(naive.ceaf_e(key, response))
    blanc = naive.blanc(*naive.blanc_links(key, response))
    over_phi3 = naive.figures(naive.ceaf_e_over_phi3(key, response))
    found = (
        newsreader.calculate_MUC(key, rel_key),
        newsreader.calculate_MUC(response, rel_response),
        *newsreader.calculate_B3(key, response, rel_response, rel_key),
        *newsreader.calculate_CEAF(key, response),
        *newsreader.calculate_CEAF(key, response, alignment="phi3")[3:],
        *newsreader.calculate_BLANC(key, response),
    )
    expected = [muc[0], muc[1], b_cubed[1], b_cubed[0]]
    for recall, precision, f1 in (ceaf_m, ceaf_e, over_phi3, blanc):
        expected += [precision, recall, f1]
    assert found == pytest.approx(tuple(map(float, expected)), abs=CUT)


@settings(deadline=None)
@given(chains=st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=4), max_size=6))
def test_equivalence_classes_are_what_chains_reach(chains: list[list[int]]) -> None:
    def reached(mention: int) -> frozenset[int]:
        known: set[int] = set()
        waiting = {mention}
        while waiting:
            known |= waiting
            waiting = {m for chain in chains for m in chain if known.intersection(chain)} - known
        return frozenset(known)

    classes = newsreader.generate_equivalence_classes(chains)
    assert {frozenset(members) for members in classes} == {reached(m) for chain in chains for m in chain}
    assert sum(map(len, classes)) == len({m for chain in chains for m in chain})


# ------------------------------------------------------------------------------------------------- sets in XML

Target = tuple[str, str]
"""An address, and what its attribute ``head`` says (nothing if empty)."""


@st.composite
def chains(draw: st.DrawFn) -> list[list[Target]]:
    addresses = [f"T{topic}/F{file}#{word}" for topic in (1, 2) for file in (1, 2) for word in (1, 2)]
    heads = st.sampled_from(("yes", "yes", "", "no"))
    return draw(st.lists(st.lists(st.tuples(st.sampled_from(addresses), heads), max_size=4), max_size=6))


def as_xml(sets: list[list[Target]]) -> str:
    body = ""
    for number, targets in enumerate(sets):
        written = "".join(
            f'<target id="n:{address}"' + (f' head="{head}"' if head else "") + "/>"
            for address, head in targets
        )
        body += f'<coref cid="n:{number}">{written}</coref>'
    return f'<coreferences version="v1" xmlns:n="http://example.org/">{body}</coreferences>'


def classes(sets: list[list[Target]], *, targets: str) -> naive.Side:
    """Sets joined while two of them share a mention."""
    kept = [[address for address, head in members if targets == "all" or head != "no"] for members in sets]
    return naive.merged([list(members) for members in kept if members])


def cut(side: naive.Side, unit: str) -> dict[str, naive.Side]:
    places = {
        "corpus": lambda _: "",
        "topic": lambda m: m.split("/")[0],
        "document": lambda m: m.split("#")[0],
    }
    found: dict[str, naive.Side] = {}
    for cluster in side:
        parts: dict[str, list[Hashable]] = {}
        for mention in cluster:
            parts.setdefault(places[unit](mention), []).append(mention)
        for place, members in parts.items():
            found.setdefault(place, []).append(members)
    return found


@pytest.mark.parametrize("unit", ["corpus", "topic", "document"])
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(gold=chains(), system=chains(), targets=st.sampled_from(("heads", "all")))
def test_sets_in_xml_are_joined_cut_and_scored_by_definition(
    unit: str, gold: list[list[Target]], system: list[list[Target]], targets: str
) -> None:
    with TemporaryDirectory() as folder:
        paths = [Path(folder, f"{side}.xml") for side in ("gold", "system")]
        for path, sets in zip(paths, (gold, system), strict=True):
            path.write_text(as_xml(sets), encoding="utf-8")
        summary = lydite.score(*paths, task="coref", unit=unit, targets=targets, reading="as-official")
    ours, theirs = (cut(classes(sets, targets=targets), unit) for sets in (gold, system))
    if unit == "corpus":
        ours.setdefault("", [])
    pairs = [(side, theirs.get(place, [])) for place, side in ours.items()]
    rows = {row.metric: row for row in summary.corpus_rows()}
    for metric, definition in {**PLAIN, "lea": naive.lea}.items():
        assert credits_of(rows[metric]) == total_of([definition(*pair) for pair in pairs]), metric
    links = [naive.blanc_links(*pair) for pair in pairs]
    assert links_of(rows["blanc"]) == tuple(total_of([kinds[at] for kinds in links]) for at in (0, 1))
