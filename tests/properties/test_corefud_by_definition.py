"""Random CorefUD files through the public path, against every rule computed the slow way (``naive_corefud``)."""

from __future__ import annotations

import io
from fractions import Fraction
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

import lydite
import naive_corefud as naive
from lydite.align import nodes
from lydite.align.nodes import PLAIN_LIMIT, best_pairs
from lydite.errors import InvalidInput
from lydite.formats.corefud import COREFUD
from lydite.formats.source import Source, SourcePart
from lydite.model import Corpus, ScoreRow

METRICS = ("muc", "b-cubed", "ceaf-m", "ceaf-e", "lea", "mor", "zero")
FIELDS = "eid-etype-head-other"

# -------------------------------------------------------------------------------------------------- random files


@st.composite
def layouts(draw: st.DrawFn) -> list[list[int]]:
    """Documents as numbers of words of their sentences."""
    return draw(st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=2), min_size=1, max_size=2))


@st.composite
def sides(draw: st.DrawFn, layout: list[list[int]]) -> str:
    """A file with this layout: empty nodes, mentions of one word and more, nested, crossing, in parts, repeated."""
    lines = []
    sentence = 0
    for number, sizes in enumerate(layout):
        lines += [f"# newdoc id = d{number}", f"# global.Entity = {FIELDS}"]
        for size in sizes:
            sentence += 1
            lines.append(f"# sent_id = s{sentence}")
            lines += draw(sentences(size))
            lines.append("")
    return "\n".join([*lines, ""])


@st.composite
def sentences(draw: st.DrawFn, size: int) -> list[str]:
    nodes = []
    for word in range(size + 1):
        nodes += [str(word)] if word else []
        nodes += [f"{word}.{empty}" for empty in range(1, draw(st.sampled_from((0, 0, 0, 1, 2))) + 1)]
    cells: list[list[tuple[int, int, str]]] = [[] for _ in nodes]
    for order in range(draw(st.integers(0, 5))):
        eid = draw(st.sampled_from(("e1", "e1", "e2", "e3")))
        ranges = draw(st.sampled_from((1, 1, 1, 1, 2)))
        edges = sorted(
            draw(
                st.lists(
                    st.integers(0, len(nodes) - 1),
                    min_size=2 * ranges,
                    max_size=2 * ranges,
                    unique=ranges > 1,
                )
            )
            if len(nodes) >= 2 * ranges
            else [0, 0]
        )
        parts = list(zip(edges[::2], edges[1::2], strict=True))
        length = sum(last - first + 1 for first, last in parts)
        head = draw(st.integers(0, length)) if draw(st.integers(0, 9)) == 0 else draw(st.integers(1, length))
        for part, (first, last) in enumerate(parts, 1):
            name = eid if len(parts) == 1 else f"{eid}[{part}/{len(parts)}]"
            if first == last:
                cells[first].append((2, order, f"({name}-x-{head}-)"))
            else:
                cells[first].append((1, -last, f"({name}-x-{head}-"))
                cells[last].append((0, -first, f"{name})"))
    rows = []
    for node, cell in zip(nodes, cells, strict=True):
        deps = "_"
        if "." in node:
            parents = st.sampled_from([*nodes, "0"])
            labels = st.sampled_from(("nsubj", "obj", "nsubj:pass"))
            chosen = draw(
                st.lists(
                    st.tuples(parents, labels), max_size=2, min_size=draw(st.sampled_from((0, 1, 1, 1, 1, 1)))
                )
            )
            deps = "|".join(":".join(item) for item in chosen) or "_"
        entity = "Entity=" + "".join(text for _, _, text in sorted(cell)) if cell else "_"
        rows.append("\t".join((node, f"w{node}", *"____", "_", "_", deps, entity)))
    return rows


@st.composite
def files(draw: st.DrawFn) -> tuple[str, str]:
    layout = draw(layouts())
    return draw(sides(layout)), draw(sides(layout))


# --------------------------------------------------------------------------------------------------- comparison


def scored(texts: tuple[str, str], match: str, *, dependent: bool, singletons: bool) -> lydite.Summary:
    with TemporaryDirectory() as folder:
        paths = [Path(folder, f"{side}.conllu") for side in ("gold", "system")]
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text, encoding="utf-8", newline="")
        return lydite.score(
            *paths,
            task="coref",
            profile="corefud",
            match=match,
            zeros="dependent" if dependent else "linear",
            singletons="keep" if singletons else "drop",
            reading="as-official",
            by=("doc",),
        )


def counted(row: ScoreRow) -> naive.Counts:
    tally = row.tally
    gold, system = (
        Fraction(tally.get(f"{side}_exact", tally[f"{side}_credit"])) for side in ("gold", "system")
    )
    return gold, tally["gold_total"], system, tally["system_total"]


def links(row: ScoreRow, kind: str) -> naive.Counts:
    common = Fraction(row.tally[f"common_{kind}"])
    return common, row.tally[f"gold_{kind}"], common, row.tally[f"system_{kind}"]


def f1(counts: naive.Counts) -> float:
    recall, precision = (Fraction(counts[at]) / (counts[at + 1] or 1) for at in (0, 2))
    return float(2 * recall * precision / (recall + precision)) if recall + precision else 0.0


@settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(
    texts=files(),
    how=st.sampled_from(list(product(("head", "exact", "partial"), (True, False), (True, False)))),
)
def test_counts_are_those_of_the_rules(texts: tuple[str, str], how: tuple[str, bool, bool]) -> None:
    match, dependent, singletons = how
    try:
        gold, system = map(naive.read, texts)
        matched = {
            name: naive.match(gold[name], system[name], match, dependent=dependent, singletons=singletons)
            for name in gold
        }
    except naive.StoppedError:
        with pytest.raises(InvalidInput):
            scored(texts, match, dependent=dependent, singletons=singletons)
        return
    summary = scored(texts, match, dependent=dependent, singletons=singletons)
    by_document = summary.by("doc").rows
    for name, both in matched.items():
        expected = naive.counts(both)
        rows = {row.metric: row for row in by_document if row.document == name}
        for metric in METRICS:
            assert counted(rows[metric]) == expected[metric], (name, metric)
            assert rows[metric].score.f1 == pytest.approx(f1(expected[metric]), abs=1e-12)
        for kind in ("coreference", "other"):
            assert links(rows["blanc"], kind) == expected[kind], (name, kind)
        kinds = [
            f1(expected[kind]) for kind in ("coreference", "other") if expected[kind][1] or expected[kind][3]
        ]
        assert rows["blanc"].score.f1 == pytest.approx(sum(kinds) / len(kinds) if kinds else 0, abs=1e-12)
        said = {finding.code for finding in summary.findings if finding.document == name}
        assert ("order-left-open" in said) == both.unordered


@pytest.mark.parametrize("plain_limit", [PLAIN_LIMIT, 0])
@settings(deadline=None)
@given(data=st.data())
def test_of_several_best_pairings_the_choice_is_that_of_scipy(data: st.DataObject, plain_limit: int) -> None:
    rows, columns = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 7))
    values = st.sampled_from((0.0, 0.0, 0.0, 0.5, 1.0, 1 / 3, 2 / 3))
    table = data.draw(
        st.lists(st.lists(values, min_size=columns, max_size=columns), min_size=rows, max_size=rows)
    )
    weights = [{column: weight for column, weight in enumerate(row) if weight} for row in table]
    chosen = linear_sum_assignment(np.array(table), maximize=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nodes, "PLAIN_LIMIT", plain_limit)
        pairs = best_pairs(weights, columns)
    assert sorted(pairs) == sorted(zip(*(side.tolist() for side in chosen), strict=True))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(layouts().flatmap(sides))
def test_what_is_written_reads_the_same(text: str) -> None:
    try:
        naive.read(text)
    except naive.StoppedError:
        return
    corpus = read_bytes(text.encode())
    again = read_bytes(COREFUD.write(corpus))  # type: ignore[misc]
    for doc_id, document in corpus.documents.items():
        assert again.documents[doc_id].layers["trees"] == document.layers["trees"]
        assert again.documents[doc_id].layers["clusters"] == document.layers["clusters"]


def read_bytes(data: bytes) -> Corpus:
    return COREFUD.read(Source("x", (SourcePart("x", lambda: io.BytesIO(data)),)), {})


def test_a_file_scored_against_itself_gets_one(tmp_path: Path) -> None:
    path = tmp_path / "gold.conllu"
    rows = [
        f"{node}\tw\t_\t_\t_\t_\t_\t_\t1:nsubj\tEntity=({eid}-x-1-)"
        for node, eid in (("1", "e1"), ("1.1", "e1"))
    ]
    path.write_text(
        "\n".join(["# newdoc id = d", f"# global.Entity = {FIELDS}", *rows, "", ""]), encoding="utf-8"
    )
    summary = lydite.score(path, path)
    assert summary.profile == "corefud"
    assert summary["coref"]["conll"].f1 == 1
