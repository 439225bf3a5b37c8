"""The laws of verdicts and budgets on small random worlds."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

import lydite
from explained_cases import check_budget, check_verdicts
from lydite.tasks.spans.settings import MEASURES

SEEDS = range(12)
TYPES, REALIS = ("Conflict_Attack", "Life_Die"), ("Actual", "Other")


Make = Callable[[random.Random, str], str]


def nuggets(chance: random.Random, side: str) -> str:
    lines = []
    for doc_id in ("d1", "d2"):
        lines.append(f"#BeginOfDocument {doc_id}")
        for number in range(chance.randrange(6)):
            begin = chance.randrange(12)
            span = f"{begin},{begin + chance.randrange(1, 6)}"
            values = chance.choice(TYPES), chance.choice(REALIS)
            lines.append("\t".join((side, doc_id, f"{side}{number}", span, "word", *values)))
        lines.append("#EndOfDocument")
    return "\n".join(lines) + "\n"


def clusters(chance: random.Random, _side: str) -> str:
    homes: dict[int, list[list[int]]] = {}
    for begin in chance.sample(range(0, 24, 2), chance.randrange(1, 9)):
        homes.setdefault(chance.randrange(4), []).append([begin, begin + chance.randrange(3)])
    return json.dumps({"doc_key": "d1", "clusters": list(homes.values())}) + "\n"


def triples(chance: random.Random, _side: str) -> str:
    lines = ["<triples>"]
    for number in range(chance.randrange(1, 6)):
        lines.append(f'<triple id="t{number}" relation="{chance.choice(("agent", "time"))}">')
        for element in ("elementFirst", "elementSecond"):
            ids = "".join(
                f'<{element} id="w{token}"/>' for token in chance.sample(range(5), chance.randrange(1, 3))
            )
            lines.append(f"<{element}Ids>{ids}</{element}Ids>")
        lines.append("</triple>")
    return "\n".join([*lines, "</triples>"]) + "\n"


def spans(chance: random.Random, _side: str) -> str:
    """Overlapping spans, some of them twice."""
    lines = []
    for doc_id in ("d1", "d2"):
        found = []
        for _ in range(chance.randrange(7)):
            begin = chance.randrange(12)
            found.append([begin, begin + chance.randrange(1, 5), chance.choice(("PER", "LOC"))])
        lines.append(json.dumps({"doc_id": doc_id, "spans": found + found[: chance.randrange(2)]}))
    return "\n".join([*lines, ""])


def tags(chance: random.Random, _side: str) -> str:
    """Ten words, whatever their tags."""
    drawn = [chance.choice(("O", "B-PER", "I-PER", "B-LOC", "I-LOC")) for _ in range(10)]
    return json.dumps({"doc_id": "d1", "tags": drawn}) + "\n"


def events(chance: random.Random, _side: str) -> str:
    """Words without places, some of them again and again."""
    lines = []
    for doc_id in ("d1", "d2"):
        found = [
            {
                "type": chance.choice(("Attack", "Die")),
                "text": chance.choice(("hit", "fell")),
                "arguments": [
                    {
                        "role": chance.choice(("Agent", "Place")),
                        "text": chance.choice(("Ana", "ana ", "Lima")),
                    }
                    for _ in range(chance.randrange(4))
                ],
            }
            for _ in range(chance.randrange(4))
        ]
        lines.append(json.dumps({"doc_id": doc_id, "events": found}))
    return "\n".join([*lines, ""])


WORLDS = [
    ("arguments", ".jsonl", events, "strings"),
    *(("spans", ".jsonl", spans, name) for name in ("conll03", "muc", "semeval2013", "overlap")),
    ("spans", ".jsonl", tags, "conll03"),
    ("spans", ".jsonl", tags, "seqeval-strict"),
    ("nugget", ".tbf", nuggets, "kbp2017"),
    ("nugget", ".tbf", nuggets, "modern"),
    ("nugget", ".tbf", nuggets, "exact"),
    ("coref", ".jsonl", clusters, "conll-8.01"),
    ("triples", ".trp", triples, "default"),
    ("triples", ".trp", triples, "reference"),
]


@pytest.mark.parametrize(
    ("task", "ending", "make", "profile"), WORLDS, ids=lambda part: part if isinstance(part, str) else ""
)
def test_the_laws_hold_on_random_worlds(
    task: str, ending: str, make: Make, profile: str, tmp_path: Path
) -> None:
    for seed in SEEDS:
        chance = random.Random(seed)
        gold, system = tmp_path / f"gold{seed}{ending}", tmp_path / f"system{seed}{ending}"
        gold.write_text(make(chance, "gold"), encoding="utf-8")
        system.write_text(make(chance, "sys"), encoding="utf-8")
        explanation = lydite.explain(gold, system, task=task, profile=profile, budget=True)
        check_verdicts(explanation)
        itself = lydite.explain(gold, gold, task=task, profile=profile, budget=False)
        check_budget(explanation, itself.headline["value"] or 0.0)


@pytest.mark.parametrize("measure", MEASURES)
def test_credits_add_up_whatever_is_the_headline_of_spans(measure: str, tmp_path: Path) -> None:
    for seed in SEEDS:
        chance = random.Random(seed)
        paths = [tmp_path / f"{side}{seed}.jsonl" for side in ("gold", "system")]
        for path in paths:
            path.write_text(spans(chance, ""), encoding="utf-8")
        explanation = lydite.explain(*paths, task="spans", profile="exact", measures=(measure,), budget=True)
        if not measure.startswith("types"):
            check_verdicts(explanation)
        itself = lydite.explain(paths[0], paths[0], task="spans", profile="exact", measures=(measure,))
        check_budget(explanation, itself.headline["value"] or 0.0)
