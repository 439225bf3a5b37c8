"""Objects in memory: coreference in a loop, the metric object, labelled spans; the ways people do it today beside them.

    python benchmarks/objects.py

343 documents of the size of OntoNotes.  Beside coreference stands ``peers/plain_coref.py``, an evaluator written for
this benchmark from the formulas, the way training code has them; beside labelled spans ``seqeval`` and ``nervaluate``,
where they are installed.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).with_name("peers")))

import plain_coref
from measuring import Measured, at_least, at_most, calls, report

import lydite
from lydite import coref
from lydite.formats import FORMATS
from lydite.formats.source import open_source
from lydite.objects import corpus_of_objects

Clusters = list[list[tuple[int, int]]]
DOCUMENTS = 343
SENTENCES = 2000
CONLL = ("muc", "b_cubed", "ceaf_e")


def document(chance: random.Random) -> tuple[Clusters, Clusters]:
    """Gold and system clusters: a fifth of the mentions missed or moved, a ninth invented."""
    mentions, at = [], 0
    for _ in range(max(4, int(chance.lognormvariate(3.6, 0.8)))):
        at += chance.randint(1, 6)
        mentions.append((at, at + chance.randint(1, 4)))
    mentions = list(dict.fromkeys(mentions))
    count = max(1, len(mentions) // 4)
    gold: dict[int, list[tuple[int, int]]] = {}
    for mention in mentions:
        gold.setdefault(min(int(chance.expovariate(4 / count)), count), []).append(mention)
    system: dict[int, list[tuple[int, int]]] = {}
    for home, members in gold.items():
        for mention in members:
            fate = chance.random()
            if fate >= 0.12:
                system.setdefault(home if fate < 0.9 else chance.randrange(count + 1), []).append(mention)
    for number in range(len(mentions) // 9):
        system.setdefault(chance.randrange(count + 1), []).append((10_000 + number, 10_001 + number))
    return list(gold.values()), list(system.values())


def coreference() -> list[Measured]:
    """Totals of a corpus, and the metric object beside the functions."""
    chance = random.Random(5)
    documents = [document(chance) for _ in range(DOCUMENTS)]
    gold, system = [one for one, _ in documents], [one for _, one in documents]
    rows = []
    for names, limit in (((name,), 2) for name in ("muc", "b_cubed", "lea", "ceaf_e")):
        rows.append(_against_peer(names, documents, gold, system, limit))
    rows.append(_against_peer(CONLL, documents, gold, system, 5))
    measured = calls(
        {
            "update": lambda: _fed(gold, system),
            "functions": lambda: [coref.conll(one, other) for one, other in documents],
        }
    )
    rows.append(
        at_most(
            "Metric.update, CoNLL, ÷ coref.conll per document",
            measured["update"] / measured["functions"],
            1.3,
            "×",
        )
    )
    return rows


def _against_peer(
    names: tuple[str, ...], documents: Any, gold: list[Clusters], system: list[Clusters], limit: float
) -> Measured:
    ours: Callable[..., Any] = getattr(coref, names[0] if len(names) == 1 else "conll")
    measured = calls(
        {
            "peer": partial(plain_coref.evaluate, names, documents),
            "lydite": partial(ours, gold, system, documents=True),
        }
    )
    said = "CoNLL (three metrics)" if len(names) > 1 else names[0]
    return at_least(f"{said}: plain evaluator ÷ lydite", measured["peer"] / measured["lydite"], limit, "×")


def _fed(gold: list[Clusters], system: list[Clusters]) -> None:
    metric = lydite.Metric("coref", metrics=("muc", "b-cubed", "ceaf-e"))
    metric.update(gold, system)


def files() -> list[Measured]:
    """Tables of clusters beside JSON lines of the same clusters."""
    chance = random.Random(5)
    documents = {f"t/d{number}": document(chance)[0] for number in range(DOCUMENTS)}
    corpus = corpus_of_objects(documents, "coref", "gold")
    with tempfile.TemporaryDirectory() as folder:
        readers = {}
        for name in ("coref-jsonl", "cluster-table"):
            path = Path(folder) / f"gold{FORMATS[name].extensions[0]}"
            write = FORMATS[name].write
            assert write is not None
            path.write_bytes(write(corpus))
            readers[name] = partial(_read, name, path)
        measured = calls(readers)
    return [
        at_most(
            "reading .clusters ÷ JSON lines", measured["cluster-table"] / measured["coref-jsonl"], 0.9, "×"
        )
    ]


def _read(name: str, path: Path) -> None:
    FORMATS[name].read(open_source(path), {})


def spans() -> list[Measured]:
    """Tags of sentences beside seqeval and nervaluate."""
    gold, system = tag_sequences()
    kinds = ["PER", "LOC", "ORG"]
    actions: dict[str, Callable[[], object]] = {
        "lydite": lambda: lydite.score(gold, system, task="spans", by=()),
        "schemata": lambda: lydite.score(
            gold, system, task="spans", profile="semeval2013", by=(), reading="as-official"
        ),
    }
    if find_spec("seqeval"):
        from seqeval.metrics import classification_report

        actions["seqeval"] = lambda: classification_report(gold, system, output_dict=True)
    if find_spec("nervaluate"):
        from nervaluate import Evaluator

        actions["nervaluate"] = lambda: Evaluator(gold, system, tags=kinds, loader="list").evaluate()
    measured = calls(actions)
    rows = []
    for peer, ours in (("seqeval", "lydite"), ("nervaluate", "schemata")):
        if peer in measured:
            rows.append(at_least(f"{peer} ÷ lydite", measured[peer] / measured[ours], 1, "×"))
    return rows


def tag_sequences() -> tuple[list[list[str]], list[list[str]]]:
    """Gold and system tags of sentences; the system has lost about one tag in twenty."""
    chance = random.Random(6)
    gold = _tags(chance)
    return gold, [[tag if chance.random() < 0.95 else "O" for tag in sentence] for sentence in gold]


def _tags(chance: random.Random) -> list[list[str]]:
    made = []
    for _ in range(SENTENCES):
        sentence: list[str] = []
        for _ in range(chance.randint(1, 4)):
            name = chance.choice(("PER", "LOC", "ORG"))
            inside = [f"I-{name}"] * chance.choice((0, 0, 1, 2))
            sentence += ["O"] * chance.randint(1, 6) + [f"B-{name}", *inside]
        made.append(sentence)
    return made


if __name__ == "__main__":
    report("Coreference in a loop", coreference())
    report("Files of clusters", files())
    rows = spans()
    if rows:
        report("Labelled spans", rows)
