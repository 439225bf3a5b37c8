"""Extending as CONTRIBUTING says: a package of somebody else adds a metric and a format, a file adds a profile."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from base64 import b64encode
from pathlib import Path

import pytest

PLUGIN = '''
"""Another package: metrics of clusters, and formats of mentions, events, triples and ACE elements."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import replace
from io import BytesIO

from lydite.formats.apf import APF
from lydite.formats.base import Format
from lydite.formats.source import SourcePart
from lydite.formats.events import event_of
from lydite.formats.triples import corpus_of_parts, triple_document
from lydite.metrics.base import MetricDeclaration
from lydite.model import Corpus, Document, Mention, Span
from lydite.model.cluster import ClusterTally
from lydite.model.tally import Additive, Score
from lydite.model.triple import Triple, TripleElement
from dataclasses import dataclass


def measure(alignment):
    """How many clusters there are."""
    gold, system = len(alignment.gold), len(alignment.system)
    common = min(gold, system)
    return ClusterTally.whole(common, gold, common, system)


COUNTED = MetricDeclaration("cluster-count", "Number of clusters", "nobody2026count", measure, domain="clusters")


@dataclass(frozen=True, slots=True)
class Sizes(Additive):
    """Counts of a kind of their own."""

    gold: int = 0
    system: int = 0

    def score(self, *, empty="undefined"):
        return Score.of_credit(min(self.gold, self.system), self.system, self.gold, empty=empty)


SIZED = COUNTED._replace(
    name="cluster-sizes", measure=lambda alignment: Sizes(len(alignment.gold), len(alignment.system))
)


def read(source, options):
    """One line per mention: document, first, end, type."""
    found = {}
    for line in source.parts[0].read_bytes().decode().splitlines()[1:]:
        doc_id, first, end, type_ = line.split("|")
        found.setdefault(doc_id, []).append(
            Mention(f"E{len(found.get(doc_id, ())) + 1}", Span(((int(first), int(end)),)), "", type_, "Actual")
        )
    documents = {doc_id: Document(doc_id, tuple(mentions)) for doc_id, mentions in found.items()}
    return Corpus("bars", documents, source.path, format="bars", facts={"unit": "char"})


BARS = Format("bars", "Bars", (".bars",), ("nugget",), lambda head: head.startswith(b"#bars"), read)


def read_bolts(source, options):
    return replace(read(source, options), format="bolts")


BOLTS = BARS._replace(
    name="bolts", extensions=(".tbf",), recognise=lambda head: head.startswith(b"#bolts"), read=read_bolts
)


def read_pipes(source, options):
    """One line per triple: first, relation, second."""
    def document(part):
        lines = part.read_bytes().decode().splitlines()[1:]
        triples = [
            Triple(relation, TripleElement((first,), "", first), TripleElement((second,), "", second), id=str(number))
            for number, (first, relation, second) in enumerate((line.split("|") for line in lines), 1)
        ]
        return triple_document(part, triples)

    return corpus_of_parts(source, "pipes", document)


PIPES = Format("pipes", "Pipes", (".pipes",), ("triples",), lambda head: head.startswith(b"#pipes"), read_pipes,
               layers=("triples",))


def read_rails(source, options):
    """One line per event: document, first, end, type."""
    found = {}
    for line in source.parts[0].read_bytes().decode().splitlines()[1:]:
        doc_id, first, end, type_ = line.split("|")
        event = {"type": type_, "trigger": [int(first), int(end)], "arguments": []}
        found.setdefault(doc_id, []).append(event_of(event, doc_id, 0))
    documents = {name: Document(name, layers={"events": tuple(events)}) for name, events in found.items()}
    return Corpus("rails", documents, source.path, format="rails", facts={"unit": "char"})


RAILS = Format("rails", "Rails", (".rails",), ("arguments",), lambda head: head.startswith(b"#rails"), read_rails,
               layers=("events",))


def read_cards(source, options):
    """APF that was packed."""
    def unpacked(part):
        return SourcePart(part.path, lambda: BytesIO(b64decode(part.read_bytes()[6:])))

    return replace(APF.read(source._replace(parts=tuple(map(unpacked, source.parts))), options), format="cards")


CARDS = Format("cards", "Cards", (".cards",), ("ace",), lambda head: head.startswith(b"#cards"), read_cards,
               layers=("ace",))
'''
POINTS = """[lydite.metrics]
cluster-count = bars_and_counts:COUNTED
cluster-sizes = bars_and_counts:SIZED

[lydite.formats]
bars = bars_and_counts:BARS
bolts = bars_and_counts:BOLTS
pipes = bars_and_counts:PIPES
rails = bars_and_counts:RAILS
cards = bars_and_counts:CARDS
"""
EXAMPLES = Path(__file__).parents[2] / "examples"
COLUMNS = """#begin document (d); part 000
d 0 0 a (1)
d 0 1 b (1)
d 0 2 c (2)

#end document
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    (folder / "bars_and_counts.py").write_text(PLUGIN)
    facts = folder / "bars_and_counts-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: bars-and-counts\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(POINTS)
    return folder


def called(package: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "lydite", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(package)},
        capture_output=True,
        text=True,
        check=False,
    )


def scored(package: Path, *arguments: object) -> dict[str, object]:
    done = called(package, "score", *arguments, "--format", "json")
    assert done.returncode == 0, done.stderr
    document: dict[str, object] = json.loads(done.stdout)
    return document


def test_a_metric_of_another_package_is_chosen_by_its_name(package: Path, tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.conll", tmp_path / "system.conll"
    gold.write_text(COLUMNS)
    system.write_text(COLUMNS.replace("(2)", "-"))
    document = scored(package, "coref", gold, system, "--metrics", "cluster-count")
    (row,) = [row for row in document["scores"] if row["scope"] == "corpus"]  # type: ignore[attr-defined]
    assert (row["metric"], row["precision"], row["recall"]) == ("cluster-count", 1.0, 0.5)


RANKS = """
import pickle
import lydite

first, second = (lydite.Metric("coref", metrics=("cluster-sizes",)) for _ in range(2))
first.update([[[1, 2]]], [[[1], [2]]], ["a"])
second.update([[[1, 2], [3, 4]]], [[[1, 2]]], ["b"])
together = first + pickle.loads(pickle.dumps(second))
print(dict(together.compute().rows[0].tally))
"""


def test_counts_of_another_package_travel_and_add_up(package: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RANKS],
        env={**os.environ, "PYTHONPATH": str(package)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "{'gold': 3, 'system': 3}\n", done.stderr


def test_a_misspelt_metric_of_another_package_is_hinted_at(package: Path, tmp_path: Path) -> None:
    gold = tmp_path / "gold.conll"
    gold.write_text(COLUMNS)
    done = called(package, "score", "coref", gold, gold, "--metrics", "clustercount")
    assert done.returncode == 2
    assert "did you mean 'cluster-count'?" in done.stderr


def test_the_report_names_the_source_of_a_metric_of_another_package(package: Path, tmp_path: Path) -> None:
    gold, page = tmp_path / "gold.conll", tmp_path / "page.html"
    gold.write_text(COLUMNS)
    done = called(package, "report", "coref", gold, gold, "--metrics", "cluster-count", "-o", page)
    assert done.returncode == 0, done.stderr
    assert "nobody2026count" in page.read_text()


def test_a_source_that_only_another_package_knows_is_not_cited(package: Path) -> None:
    done = called(package, "cite", "cluster-count")
    assert done.returncode == 2
    assert "no source 'nobody2026count' in lydite" in done.stderr


@pytest.mark.parametrize(
    ("kind", "name"), [("metrics", "cluster-count"), ("formats", "bars"), ("formats", "pipes")]
)
def test_what_another_package_adds_is_listed(package: Path, kind: str, name: str) -> None:
    listed = called(package, "list", kind).stdout.splitlines()
    assert name in {line.split()[0] for line in listed}


@pytest.mark.parametrize("task", [(), ("nugget",)])
def test_a_format_of_another_package_is_recognised_and_scored(
    package: Path, tmp_path: Path, task: tuple[str, ...]
) -> None:
    gold, system = tmp_path / "gold.bars", tmp_path / "system.bars"
    gold.write_text("#bars\nd|0|4|Conflict_Attack\nd|9|12|Conflict_Attack\n")
    system.write_text("#bars\nd|0|4|Conflict_Attack\n")
    document = scored(package, *task, gold, system)
    (row,) = [
        row
        for row in document["scores"]  # type: ignore[attr-defined]
        if row["measurement"] == "span"
        and row["average"] == "micro"
        and row["scope"] == "corpus"
        and not row["by"]
    ]
    assert (row["precision"], row["recall"]) == (1.0, 0.5)


def test_a_folder_in_a_format_of_another_package_is_scored(package: Path, tmp_path: Path) -> None:
    for side in ("gold", "system"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "d.bars").write_text("#bars\nd|0|4|Conflict_Attack\n")
        (tmp_path / side / "notes.txt").write_text("nothing\n")
    document = scored(package, "nugget", tmp_path / "gold", tmp_path / "system")
    assert {side["format"] for side in document["inputs"]} == {"bars"}  # type: ignore[attr-defined]


@pytest.mark.parametrize("task", [(), ("nugget",)])
def test_a_format_of_another_package_may_have_an_extension_of_ours(
    package: Path, tmp_path: Path, task: tuple[str, ...]
) -> None:
    gold = tmp_path / "gold.tbf"
    gold.write_text("#bolts\nd|0|4|Conflict_Attack\n")
    document = scored(package, *task, gold, gold)
    assert {side["format"] for side in document["inputs"]} == {"bolts"}  # type: ignore[attr-defined]


def test_files_of_another_package_belong_to_ours_by_their_names_without_extensions(
    package: Path, tmp_path: Path
) -> None:
    contents = {"gold": ("tsv", "a\tlikes\tb\n"), "system": ("pipes", "#pipes\na|likes|b\n")}
    for side, (ending, content) in contents.items():
        (tmp_path / side).mkdir()
        for name in ("one", "two"):
            (tmp_path / side / f"{name}.{ending}").write_text(content)
    document = scored(package, "triples", tmp_path / "gold", tmp_path / "system")
    (row,) = [
        row
        for row in document["scores"]  # type: ignore[attr-defined]
        if (row["measurement"], row["average"], row["scope"], row["by"])
        == ("partial_same", "micro", "corpus", {})
    ]
    assert row["f1"] == 1.0


def test_a_format_of_events_of_another_package_is_no_store(package: Path, tmp_path: Path) -> None:
    gold = tmp_path / "gold.rails"
    gold.write_text("#rails\nd|0|4|Attack\nd|9|12|Attack\n")
    document = scored(package, "arguments", gold, gold)
    assert "|p:exact" in str(document["signature"])


@pytest.mark.parametrize("of", ["file", "folder"])
def test_a_format_of_another_package_is_not_taken_for_apf(package: Path, tmp_path: Path, of: str) -> None:
    (tmp_path / "gold").mkdir()
    gold = tmp_path / "gold" / "d.cards"
    apf = next((EXAMPLES / "ace" / "gold").glob("*.xml")).read_bytes()
    gold.write_bytes(b"#cards" + b64encode(apf))
    path = gold if of == "file" else gold.parent
    document = scored(package, "ace", path, path)
    assert {side["format"] for side in document["inputs"]} == {"cards"}  # type: ignore[attr-defined]


def test_a_profile_needs_its_file_and_nothing_else(package: Path, tmp_path: Path) -> None:
    profile = tmp_path / "mine.toml"
    profile.write_text('extends = "coref/conll-8.01"\ntitle = "Mine"\n\n[measure]\nmetrics = ["lea"]\n')
    gold = tmp_path / "gold.conll"
    gold.write_text(COLUMNS)
    document = scored(package, "coref", gold, gold, "--profile", profile)
    assert {row["metric"] for row in document["scores"]} == {"lea"}  # type: ignore[attr-defined]
    assert "|p:mine@" in str(document["signature"])
