"""Explaining: verdicts against scoring, and the error budget.  Ratios, never absolute times."""

from __future__ import annotations

import random
import tempfile
from collections import deque
from pathlib import Path

import ace
import arguments
import coref_corpora
import objects
import triples
from corpora import nugget_documents, spoiled, write_tbf
from measuring import Measured, at_most, calls, compile_package, report

import lydite

DOCUMENTS, MENTIONS = 100, 3500
Data = Path | list[list[str]]


def nuggets(folder: Path) -> list[Measured]:
    """A corpus of half the size of the pilot study's."""
    gold = nugget_documents(DOCUMENTS, MENTIONS, seed=1)
    chance = random.Random(7)
    write_tbf(folder / "gold.tbf", gold, system="gold")
    write_tbf(folder / "system.tbf", [spoiled(document, chance) for document in gold], system="system")
    return _ratios("nugget", folder / "gold.tbf", folder / "system.tbf", attributes=("type", "realis"))


def clusters(folder: Path) -> list[Measured]:
    """Twenty documents of a hundred mentions."""
    gold, system = coref_corpora.write_columns(folder, coref_corpora.documents(20, 100, seed=3), "coref")
    return _ratios("coref", gold, system)


def event_arguments(folder: Path) -> list[Measured]:
    """A hundred documents of a hundred arguments, one system."""
    arguments.write_corpus(folder, documents=100, size=100, systems=1)
    return _ratios("arguments", folder / "annotation", folder / "runs1" / "system00", profile="kbp2014")


def relations(folder: Path) -> list[Measured]:
    """The chunk baseline of a long document: nearly all system triples are too many."""
    return _ratios("triples", *triples.write_files(folder, triples.SENTENCES))


def entities(folder: Path) -> list[Measured]:
    """Fifty documents of forty entities."""
    ace.corpus(folder, 50, 40)
    return _ratios("ace", folder / "ref", folder / "sys", profile="ace08-local")


def labelled_spans(_: Path) -> list[Measured]:
    """Tags of sentences."""
    return _ratios("spans", *objects.tag_sequences())


def _ratios(task: str, gold: Data, system: Data, **settings: object) -> list[Measured]:
    explanation = lydite.explain(gold, system, task=task, budget=False, **settings)
    times = calls(
        {
            "score": lambda: lydite.score(gold, system, task=task, by=(), **settings),
            "verdicts": lambda: deque(explanation.verdicts, maxlen=0),
        }
    )
    return [at_most(f"{task}: verdicts, once scored", times["verdicts"] / times["score"], 2, "× scoring")]


TASKS = (nuggets, clusters, event_arguments, relations, entities, labelled_spans)


def main() -> None:
    """Measure and report."""
    compile_package()
    with tempfile.TemporaryDirectory() as name:
        report("explain", [row for measure in TASKS for row in measure(Path(name))])


if __name__ == "__main__":
    main()
