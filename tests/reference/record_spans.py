"""Records what seqeval and nervaluate give on generated tags, as conformance cases of the task ``spans``.

    python tests/reference/record_spans.py tests/conformance-spans

Needs both packages (extra ``dev``).  Every case is a folder with gold, system and what the package gave.  nervaluate
goes through spans in their order: it is run on many orders of both sides, and what differs between them is recorded as
``unstable``, because the definition knows no order.
"""

from __future__ import annotations

import json
import random
import sys
import warnings
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from nervaluate import Evaluator
from seqeval.metrics import classification_report
from seqeval.scheme import BILOU, IOB2, IOBES

TYPES = ("PER", "LOC", "ORG")
SCHEMES = {"iob2": IOB2, "iobes": IOBES, "bilou": BILOU}
LETTERS = {"iob2": ("B", "I", "I", "B"), "iobes": ("B", "I", "E", "S"), "bilou": ("B", "I", "L", "U")}
"""Of every scheme the letters of a first, a middle, a last and a single token."""

ORDERS = 60
"""On how many orders of the spans nervaluate is run."""

Tags = list[list[str]]


def well_formed(chance: random.Random, scheme: str, sentences: int) -> Tags:
    """Sentences of complete spans."""
    first, middle, last, single = LETTERS[scheme]
    made = []
    for _ in range(sentences):
        sentence: list[str] = []
        for _ in range(chance.randint(1, 6)):
            sentence += ["O"] * chance.randint(0, 2)
            size, name = chance.choice((1, 1, 2, 3)), chance.choice(TYPES)
            letters = [single] if size == 1 else [first, *[middle] * (size - 2), last]
            sentence += [f"{letter}-{name}" for letter in letters]
        made.append(sentence)
    return made


def changed(chance: random.Random, tags: Tags, letters: Sequence[str], share: float) -> Tags:
    """The same sentences with some tags replaced by any others: ill-formed as often as not."""
    return [
        [
            chance.choice(["O", *(f"{letter}-{name}" for letter in letters for name in TYPES)])
            if chance.random() < share
            else tag
            for tag in sentence
        ]
        for sentence in tags
    ]


def moved(chance: random.Random, tags: Tags) -> Tags:
    """The same sentences with spans cut, grown, joined, renamed or dropped, still complete (IOB2)."""
    made = []
    for sentence in tags:
        names = ["" if tag == "O" else tag[2:] for tag in sentence]
        marks = [tag[0] for tag in sentence]
        for at in range(len(sentence)):
            if chance.random() < 0.25:
                names[at] = chance.choice(("", *TYPES, names[at - 1] if at else ""))
                marks[at] = chance.choice("BI")
        before = ""
        fixed = []
        for name, mark in zip(names, marks, strict=True):
            fixed.append("O" if not name else f"{'I' if mark == 'I' and name == before else 'B'}-{name}")
            before = name
        made.append(fixed)
    return made


def of_seqeval(gold: Tags, system: Tags, **how: Any) -> dict[str, Any]:
    """The figures of a classification report."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        report = classification_report(gold, system, output_dict=True, **how)
    named = {"micro avg": "entity", "macro avg": "types", "weighted avg": "types-weighted"}
    scores: dict[str, Any] = {"by_type": {}}
    for name, row in report.items():
        figures = {
            "precision": float(row["precision"]),
            "recall": float(row["recall"]),
            "f1": float(row["f1-score"]),
        }
        if name in named:
            scores[named[name]] = figures
        else:
            scores["by_type"][name] = {**figures, "support": int(row["support"])}
    return scores


SCHEMATA = {"strict": "strict", "exact": "exact", "partial": "partial", "ent_type": "type"}


def of_nervaluate(gold: Tags, system: Tags) -> tuple[dict[str, Any], list[str]]:
    """The figures of the four schemata, and which single figures depend on the order of spans."""
    ours, theirs = _spans(gold), _spans(system)
    first = _evaluated(ours, theirs)
    unstable: set[str] = set()
    chance = random.Random(0)
    for _ in range(ORDERS):
        found = _evaluated(chance.sample(ours, len(ours)), chance.sample(theirs, len(theirs)))
        unstable.update(
            f"{schema}.{figure}"
            for schema, figures in found.items()
            for figure, value in figures.items()
            if value != first[schema][figure]
        )
    return first, sorted(unstable)


def _evaluated(gold: list[dict[str, Any]], system: list[dict[str, Any]]) -> dict[str, Any]:
    overall = Evaluator([gold], [system], tags=list(TYPES), loader="dict").evaluate()["overall"]
    return {
        ours: {
            "precision": float(overall[theirs].precision),
            "recall": float(overall[theirs].recall),
            "f1": float(overall[theirs].f1),
            **{
                name: int(getattr(overall[theirs], name))
                for name in ("correct", "incorrect", "partial", "missed", "spurious", "possible", "actual")
            },
        }
        for theirs, ours in SCHEMATA.items()
    }


def _spans(tags: Tags) -> list[dict[str, Any]]:
    """Spans with the last token as their end, which is how this package compares them."""
    spans: list[dict[str, Any]] = []
    at = 0
    for sentence in tags:
        for tag in sentence:
            if tag.startswith("B"):
                spans.append({"label": tag[2:], "start": at, "end": at})
            elif tag.startswith("I"):
                spans[-1]["end"] = at
            at += 1
    return spans


def write(folder: Path, gold: Tags, system: Tags, expected: dict[str, Any]) -> None:
    """One case."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, tags in (("gold", gold), ("system", system)):
        line = json.dumps({"doc_id": "d1", "tags": tags})
        (folder / f"{name}.jsonl").write_text(f"{line}\n", encoding="utf-8")
    case = {"kind": "spans.score", "reading": "refuse", **expected, "tolerance": {"*": 1e-12}}
    (folder / "expected.json").write_text(f"{json.dumps(case, indent=1)}\n", encoding="utf-8")


def main(target: Path) -> None:
    """All cases."""
    seqeval, nervaluate = (f"{name} {version(name)}" for name in ("seqeval", "nervaluate"))
    for number in range(24):
        chance = random.Random(1000 + number)
        scheme = tuple(SCHEMES)[number % 3]
        letters = "BIESLU" if number % 2 else LETTERS[scheme]
        gold = changed(chance, well_formed(chance, scheme, 3), letters, 0.15 if number > 5 else 0.0)
        system = changed(chance, gold, letters, 0.3 if number else 0.0)
        expected = {"profile": "conll03", "source": seqeval, "scores": of_seqeval(gold, system)}
        write(target / f"default_{number:02}", gold, system, expected)
    for number in range(24):
        chance = random.Random(2000 + number)
        scheme = tuple(SCHEMES)[number % 3]
        gold = changed(chance, well_formed(chance, scheme, 3), LETTERS[scheme], 0.15 if number > 5 else 0.0)
        system = changed(chance, gold, LETTERS[scheme], 0.3 if number > 2 else 0.0)
        scores = of_seqeval(gold, system, mode="strict", scheme=SCHEMES[scheme])
        expected = {
            "profile": "seqeval-strict",
            "options": {"scheme": scheme},
            "source": f"{seqeval}, mode='strict', scheme={scheme.upper()}",
            "scores": scores,
        }
        write(target / f"strict_{number:02}", gold, system, expected)
    for number in range(24):
        chance = random.Random(3000 + number)
        gold = well_formed(chance, "iob2", 2)
        system = moved(chance, gold) if number else gold
        scores, unstable = of_nervaluate(gold, system)
        expected = {"profile": "semeval2013", "source": nervaluate, "scores": scores}
        if unstable:
            expected["unstable"] = unstable
        write(target / f"schemata_{number:02}", gold, system, expected)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
