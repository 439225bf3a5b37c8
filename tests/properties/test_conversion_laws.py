"""Whatever carries a layer carries its scores: every pair of formats, on the example corpus and on cases."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite.cli import run
from lydite.facade import measure_conversion, score
from lydite.formats import FORMATS
from lydite.formats.eal import parse_file, with_linking
from lydite.formats.losses import Losses
from lydite.formats.rewriting import measure, rewritten
from lydite.model import Corpus, Document
from lydite.model.argument import Argument, ArgumentRow, Event, EventArgument, Frame
from lydite.model.argument_lines import ArgumentLines
from lydite.model.cluster import Cluster, Partition
from lydite.model.triple import Element, Triple
from strategies import corpora

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "examples"
CASES = ROOT / "tests" / "conformance"


def figures(gold: str, system: str, **settings: Any) -> list[Any]:
    summary = score(gold, system, by=("doc",), **settings)
    return [
        (row.measurement, row.metric, row.average, row.document, row.score, row.tally) for row in summary.rows
    ]


def converted(source: Path, target: Path, name: str, *words: str) -> str:
    assert run(["convert", *words, str(source), str(target), "--to", name, "--quiet"]) == 0
    return str(target)


NUGGET = ("tbf", "brat", "lydite")


@pytest.mark.parametrize(("first", "second"), [*itertools.product(NUGGET, NUGGET)])
def test_event_mentions_score_the_same_in_every_pair_of_formats(
    first: str, second: str, tmp_path: Path
) -> None:
    before = figures(str(EXAMPLES / "gold.tbf"), str(EXAMPLES / "systems" / "alder.tbf"), task="nugget")
    gold = converted(EXAMPLES / "gold.tbf", tmp_path / f"gold.{first}", first)
    system = converted(EXAMPLES / "systems" / "alder.tbf", tmp_path / f"system.{second}", second)
    assert figures(gold, system, task="nugget") == before


SPANS = ("conll", "semeval", "corefud", "coref-jsonl", "lydite")


def _coref_case() -> Path:
    return next(folder for folder in sorted(CASES.glob("coref/*random*")) if (folder / "key.conll").is_file())


@pytest.mark.parametrize(
    ("first", "second"),
    [*itertools.product(SPANS, SPANS), ("coref-xml", "coref-xml"), ("cluster-table", "cluster-table")],
)
def test_clusters_score_the_same_in_every_pair_of_formats(first: str, second: str, tmp_path: Path) -> None:
    case = _coref_case()
    settings = {"task": "coref", "profile": "conll-8.01", "reading": "as-official"}
    before = figures(str(case / "key.conll"), str(case / "response.conll"), **settings)
    ending = {
        "coref-xml": ".xml",
        "coref-jsonl": ".jsonl",
        "lydite": ".lydite.jsonl",
        "corefud": ".conllu",
        "cluster-table": ".clusters",
    }
    gold = converted(case / "key.conll", tmp_path / f"gold{ending.get(first, '.conll')}", first)
    system = converted(case / "response.conll", tmp_path / f"system{ending.get(second, '.conll')}", second)
    assert _without_documents(figures(gold, system, **settings)) == _without_documents(before)


def _without_documents(rows: list[Any]) -> list[Any]:
    return [row for row in rows if row[3] is None]


TRIPLES = ("trp", "triples-jsonl", "lydite")


@pytest.mark.parametrize(("first", "second"), [*itertools.product(TRIPLES, TRIPLES)])
def test_triples_score_the_same_in_every_pair_of_formats(first: str, second: str, tmp_path: Path) -> None:
    folder = EXAMPLES / "triples"
    before = figures(str(folder / "gold.trp"), str(folder / "system.trp"), task="triples")
    ending = {"trp": ".trp", "triples-jsonl": ".jsonl", "lydite": ".lydite.jsonl"}
    gold = converted(folder / "gold.trp", tmp_path / f"gold{ending[first]}", first)
    system = converted(folder / "system.trp", tmp_path / f"system{ending[second]}", second)
    assert _without_documents(figures(gold, system, task="triples")) == _without_documents(before)


EVENTS = ("events", "brat", "lydite")


@pytest.mark.parametrize(("first", "second"), [*itertools.product(EVENTS, EVENTS)])
def test_events_score_the_same_in_every_pair_of_formats(first: str, second: str, tmp_path: Path) -> None:
    case = ROOT / "src" / "lydite" / "cases" / "arguments" / "exact-sets"
    settings = {"task": "arguments", "profile": "exact"}
    before = figures(str(case / "gold.jsonl"), str(case / "system.jsonl"), **settings)
    words = ("arguments", "--profile", "exact", "--from", "events")
    ending = {"events": ".jsonl", "brat": ".brat", "lydite": ".lydite.jsonl"}
    for folder in ("gold.brat", "system.brat"):
        (tmp_path / folder).mkdir()
    gold = converted(case / "gold.jsonl", tmp_path / f"gold{ending[first]}", first, *words)
    system = converted(case / "system.jsonl", tmp_path / f"system{ending[second]}", second, *words)
    assert figures(gold, system, **settings) == before


@pytest.mark.parametrize("name", ["lydite", "eal"])
def test_event_arguments_score_the_same_in_both_formats(name: str, tmp_path: Path) -> None:
    case = CASES / "arguments" / "62-breakdowns"
    settings = {"task": "arguments", "profile": "kbp2014"}
    before = figures(str(case / "annotation"), str(case / "system"), **settings)
    target = tmp_path / {"lydite": "gold.lydite.jsonl", "eal": "store"}[name]
    gold = converted(case / "annotation", target, name, "arguments")
    assert figures(gold, str(case / "system"), **settings) == before


LINKED = ("lydite", "eal")


@pytest.mark.parametrize(("first", "second"), [*itertools.product(LINKED, LINKED)])
def test_arguments_and_linking_score_the_same_after_every_pair_of_formats(
    first: str, second: str, tmp_path: Path
) -> None:
    case = CASES / "arguments-linking" / "k10-random"
    settings = {"task": "arguments", "profile": "kbp2015", "linking": str(case / "reference-linking")}
    before = figures(str(case / "annotation"), str(case / "system"), **settings)
    ending = {"lydite": ".lydite.jsonl", "eal": ""}
    there = converted(case / "system", tmp_path / f"there{ending[first]}", first, "arguments")
    system = converted(Path(there), tmp_path / f"back{ending[second]}", second, "arguments")
    assert figures(str(case / "annotation"), system, **settings) == before


_WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=6)
_RANGES = st.tuples(st.integers(0, 99), st.integers(1, 9)).map(lambda pair: (pair[0], sum(pair)))


@st.composite
def argument_lines(draw: Callable[..., Any]) -> ArgumentLines:
    """Arguments under ids of any kind, in frames over any of them, or waiting for one."""
    arguments = st.builds(
        Argument,
        st.just("d1"),
        st.sampled_from(["Life.Die", "Conflict.Attack"]),
        st.sampled_from(["Victim", "Place", "Time"]),
        _WORDS,
        _RANGES,
        st.sets(_RANGES, min_size=1, max_size=3).map(lambda spans: tuple(sorted(spans))),
        _RANGES,
        st.sets(_RANGES, max_size=2).map(lambda spans: tuple(sorted(spans))),
        st.sampled_from(["Actual", "Generic", "Other"]),
    )
    rows = draw(
        st.lists(
            st.tuples(arguments, st.text(max_size=5), st.floats(0, 1)).map(
                lambda parts: ArgumentRow(parts[0], id=parts[1], confidence=parts[2])
            ),
            max_size=5,
            unique_by=(lambda row: row.id, lambda row: row.argument),
        )
    )
    some = st.lists(st.sampled_from([row.id for row in rows]), min_size=1, max_size=4, unique=True).map(tuple)
    frames = draw(st.lists(some.map(Frame), max_size=4)) if rows else []
    incomplete = draw(some) if rows and draw(st.booleans()) else ()
    return ArgumentLines(tuple(rows), frames=tuple(frames), incomplete=incomplete, linked=True, nested=True)


def _linked(lines: ArgumentLines) -> tuple[Any, ...]:
    """What a document says about its arguments, with arguments in place of their ids."""
    meant = {row.id: row.argument for row in lines.rows}
    frames = [frozenset(meant[member] for member in frame.members) for frame in lines.frames]
    answers = {row.argument: row.confidence for row in lines.rows}
    return answers, frames, {meant[member] for member in lines.incomplete}


@given(lines=argument_lines())
def test_arguments_and_linking_return_unchanged_from_a_store(lines: ArgumentLines) -> None:
    corpus = Corpus("x", {"d1": Document("d1", layers={"arguments": lines})}, format="lydite")
    losses = Losses("lydite", "eal")
    (written,) = rewritten(corpus, FORMATS["eal"])
    measure(written, FORMATS["eal"], losses)
    assert not losses.is_lossy
    assert losses.kept["frames"] == len(lines.frames)
    again = with_linking(parse_file("d1", written.files["arguments"]), written.files["linking"])
    assert _linked(again) == _linked(lines)


@given(lines=argument_lines(), names=st.lists(st.text(max_size=3), max_size=3))
def test_what_a_linking_file_cannot_hold_is_counted(lines: ArgumentLines, names: list[str]) -> None:
    frames = tuple(frame._replace(id=name) for frame, name in zip(lines.frames, names, strict=False))
    corpus = Corpus(
        "x", {"d1": Document("d1", layers={"arguments": replace(lines, frames=frames)})}, format="lydite"
    )
    losses, _ = measure_conversion(corpus, FORMATS["eal"])
    assert losses.kept["frames"] == len(frames)
    assert losses.count("dropped", "frame ids") == sum(bool(frame.id) for frame in frames)


_PLACES = st.lists(_RANGES, min_size=1, max_size=2, unique=True).map(lambda spans: tuple(sorted(spans)))


@st.composite
def event_layers(draw: Callable[..., Any]) -> tuple[Event, ...]:
    """Events whose triggers and fillers have a place, words, or both."""

    def placed() -> tuple[Any, str]:
        span = draw(st.one_of(st.just(()), _PLACES))
        return span, draw(_WORDS) if not span or draw(st.booleans()) else ""

    events = []
    for _ in range(draw(st.integers(0, 3))):
        fillers = []
        for _ in range(draw(st.integers(0, 3))):
            span, words = placed()
            head = draw(st.one_of(st.just(()), _PLACES))
            fillers.append(EventArgument(draw(st.sampled_from(["Agent", "Place"])), span, head, words))
        trigger, words = placed()
        realis = draw(st.sampled_from(["", "Actual"]))
        events.append(
            Event(draw(st.sampled_from(["Attack", "Die"])), trigger, tuple(fillers), (), realis, text=words)
        )
    return tuple(events)


@pytest.mark.parametrize("name", ["events", "lydite"])
@given(events=event_layers(), text=st.text(max_size=20))
def test_events_with_places_or_words_return_unchanged(
    name: str, events: tuple[Event, ...], text: str
) -> None:
    document = Document("d1", text=text or None, layers={"events": events})
    losses, _ = measure_conversion(Corpus("x", {"d1": document}, format="lydite"), FORMATS[name])
    assert not losses.is_lossy
    arguments = sum(len(event.arguments) for event in events)
    assert (losses.kept["events"], losses.kept["event arguments"]) == (len(events), arguments)


@given(events=event_layers())
def test_what_brat_cannot_hold_of_events_is_counted(events: tuple[Event, ...]) -> None:
    document = Document("d1", layers={"events": events})
    losses, _ = measure_conversion(Corpus("x", {"d1": document}, format="lydite"), FORMATS["brat"])
    for what, total in (
        ("events", len(events)),
        ("event arguments", sum(len(one.arguments) for one in events)),
    ):
        assert losses.kept[what] + losses.count("dropped", what) == total
    unplaced = sum(not one.trigger for one in events)
    assert losses.count("dropped", "events") >= unplaced


@pytest.mark.parametrize("name", ["lydite", "apf"])
def test_ace_elements_score_the_same_in_both_formats(name: str, tmp_path: Path) -> None:
    case = CASES / "ace" / "entity_split"
    before = figures(str(case / "ref"), str(case / "sys"), task="ace")
    gold = converted(
        case / "ref", tmp_path / f"gold.{name}.{'jsonl' if name == 'lydite' else 'xml'}", name, "ace"
    )
    assert figures(gold, str(case / "sys"), task="ace") == before


@pytest.mark.parametrize("name", ["tbf", "brat", "lydite", "conll", "coref-jsonl", "events"])
@given(corpus=corpora(most=1))
def test_what_is_reported_as_kept_and_dropped_is_everything(name: str, corpus: Corpus) -> None:
    losses = Losses("tbf", name)
    for written in rewritten(corpus, FORMATS[name]):
        measure(written, FORMATS[name], losses)
    total = sum(len(document.mentions) for document in corpus.documents.values())
    assert losses.kept["mentions"] + losses.count("dropped", "mentions") == total


@st.composite
def cluster_documents(draw: Callable[..., Any]) -> Document:
    """Clusters of runs of tokens that do not overlap."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=8))
    begins = list(itertools.accumulate(sizes, initial=0))
    spans = [(begin, begin + size) for begin, size in zip(begins, sizes, strict=False)]
    homes = draw(st.lists(st.integers(0, 3), min_size=len(spans), max_size=len(spans)))
    groups = {home: [span for span, own in zip(spans, homes, strict=True) if own == home] for home in homes}
    clusters = Partition(Cluster(str(number), tuple(group)) for number, group in enumerate(groups.values()))
    return Document("d1", layers={"clusters": clusters, "token-count": begins[-1]})


@pytest.mark.parametrize("name", [*SPANS])
@given(document=cluster_documents())
def test_clusters_of_runs_come_back_from_every_format_that_carries_them(
    name: str, document: Document
) -> None:
    corpus = Corpus("c", {"d1": document}, format="conll")
    losses, _ = measure_conversion(corpus, FORMATS[name])
    assert losses.kept["clusters"] == len(document.layers["clusters"])
    assert not losses.is_lossy


words = st.text(st.characters(codec="utf-8", categories=("L", "N")), min_size=1, max_size=5)
elements = st.builds(Element, st.lists(words, max_size=3, unique=True).map(tuple), words, words)
triples = st.builds(
    Triple, words, elements, elements, words, words, st.none() | st.integers(0, 9).map(float), words
)


@pytest.mark.parametrize("name", [*TRIPLES])
@given(made=st.lists(triples, max_size=4))
def test_triples_come_back_from_every_format_that_carries_them(name: str, made: list[Triple]) -> None:
    document = Document("d1", layers={"triples": tuple(made)})
    losses, _ = measure_conversion(Corpus("c", {"d1": document}, format="trp"), FORMATS[name])
    assert losses.kept["triples"] == len(made)
    assert not losses.is_lossy


@given(corpus=corpora())
def test_the_inner_form_loses_nothing(corpus: Corpus) -> None:
    from dataclasses import replace

    losses, _ = measure_conversion(replace(corpus, format="tbf"), FORMATS["lydite"])
    assert not losses.is_lossy
    assert not losses.changed
