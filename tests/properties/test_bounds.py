"""No precision, recall or F1 of a summary is below 0 or above 1, unless its metric says that it may be."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ace_worlds
import lydite
from argument_cases import store
from argument_stores import Chances, stores
from lydite.errors import InputError
from lydite.facade.scoring import EVERYTHING
from lydite.metrics import METRICS
from lydite.metrics.base import Law
from lydite.model import Summary
from lydite.model.triple import Triple
from lydite.pipeline.running import run
from lydite.profile import load_profile, profile_names
from lydite.tasks import TASKS
from nugget_files import run_of
from nugget_oracle import RULES
from strategies import column_files
from triple_files import triples, write

SLACK = 1e-9
SEEDS = st.integers(0, 2**32 - 1)
AS_OFFICIAL: dict[str, object] = {"reading": "as-official"}
"""Odd files are scored too."""


def outside(summary: Summary) -> Iterator[str]:
    """Every figure that is out of bounds and may not be."""
    for row in summary.rows:
        if row.metric in METRICS and Law.BOUNDS not in METRICS[row.metric].laws:
            continue
        for name in ("precision", "recall", "f1"):
            figure = getattr(row.score, name)
            if figure is not None and not -SLACK <= figure <= 1 + SLACK:
                yield f"{row.scope} {dict(row.by)} {row.measurement} {row.metric} {name} = {figure}"


def scored_in_bounds(gold: str, system: str, *, task: str, **said: object) -> None:
    try:
        summary = lydite.score(gold, system, task=task, **said)  # type: ignore[arg-type]
    except InputError:
        return
    assert list(outside(summary)) == []


def score_random_nuggets(profile: str, seed: int) -> None:
    made = run_of(Random(seed), profile)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "gold.tbf").write_bytes(made.gold)
        (place / "system.tbf").write_bytes(made.system)
        said: dict[str, object] = {"unit": made.unit, "profile": profile, **AS_OFFICIAL}
        if made.unit == "token":
            tables = {f"{name}.tab": table for name, table in made.tables.items()}
            said["tokens"] = store(place / "tokens", tables)
        scored_in_bounds(f"{folder}/gold.tbf", f"{folder}/system.tbf", task="nugget", **said)


@pytest.mark.parametrize("profile", RULES)
@settings(max_examples=15)
@given(seed=SEEDS)
def test_nugget_scores_are_fractions_of_one(profile: str, seed: int) -> None:
    score_random_nuggets(profile, seed)


@pytest.mark.parametrize(
    ("profile", "seed"),
    [
        ("pilot2014", 58),
        ("kbp2015", 217),
        ("kbp2015-text", 217),
        ("kbp2016", 33),
        ("kbp2017", 67),
        ("modern", 50),
    ],
)
def test_nugget_scores_of_a_type_are_fractions_of_one(profile: str, seed: int) -> None:
    score_random_nuggets(profile, seed)


@pytest.mark.parametrize("profile", profile_names("coref"))
@settings(max_examples=15)
@given(files=column_files())
def test_coreference_scores_are_fractions_of_one(profile: str, files: tuple[str, str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        sides = [f"{folder}/gold.conll", f"{folder}/system.conll"]
        for path, text in zip(sides, files, strict=True):
            Path(path).write_text(text, encoding="utf-8", newline="")
        scored_in_bounds(sides[0], sides[1], task="coref", format="conll", profile=profile)


# A profile that compares words has nothing to compare in triples of token ids.
TRIPLE_PROFILES = {
    name: load_profile("triples", name, TASKS["triples"].settings).values["compare-strings"]
    for name in profile_names("triples")
}


@pytest.mark.parametrize("profile", [name for name, words in TRIPLE_PROFILES.items() if words == "none"])
@settings(max_examples=15)
@given(gold=triples(), system=triples())
def test_triple_scores_are_fractions_of_one(profile: str, gold: list[Triple], system: list[Triple]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        sides = [write(Path(folder) / f"{name}.trp", *side) for name, side in (("g", gold), ("s", system))]
        scored_in_bounds(sides[0], sides[1], task="triples", profile=profile)


NAMES = st.sampled_from(["Finch", "finch", "The Finch", "Vale", "K. F."])
STRING_RELATIONS = st.lists(
    st.fixed_dictionaries({"head": NAMES, "type": st.sampled_from(["leads", "left"]), "tail": NAMES}),
    max_size=5,
)


@pytest.mark.parametrize("profile", [name for name, words in TRIPLE_PROFILES.items() if words != "none"])
@settings(max_examples=15)
@given(gold=STRING_RELATIONS, system=STRING_RELATIONS)
def test_scores_of_relations_by_their_words_are_fractions_of_one(
    profile: str, gold: list[dict[str, str]], system: list[dict[str, str]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        sides = []
        for name, relations in (("g", gold), ("s", system)):
            path = Path(folder) / f"{name}.jsonl"
            path.write_text(json.dumps({"doc_id": "d", "relations": relations}) + "\n", encoding="utf-8")
            sides.append(str(path))
        scored_in_bounds(sides[0], sides[1], task="triples", profile=profile)


@pytest.mark.parametrize(
    "profile", ["kbp2014", "kbp2014-final", "kbp2014-official", "kbp2014-revised", "kbp2014-text"]
)
@settings(max_examples=15)
@given(seed=SEEDS)
def test_argument_scores_are_fractions_of_one(profile: str, seed: int) -> None:
    system, annotation = stores(Random(seed), Chances())
    with tempfile.TemporaryDirectory() as folder:
        sides = [
            store(Path(folder) / name, {doc: text.encode() for doc, text in files.items()})
            for name, files in (("annotation", annotation), ("system", system))
        ]
        scored_in_bounds(sides[0], sides[1], task="arguments", profile=profile, **AS_OFFICIAL)


@pytest.mark.parametrize("profile", profile_names("ace"))
@settings(max_examples=15)
@given(seed=st.integers(0, 10**6))
def test_ace_scores_are_fractions_of_one(profile: str, seed: int) -> None:
    shared = "global" in profile
    gold, system = ace_worlds.corpora(seed, shared=shared, extra=not shared)
    chosen = load_profile("ace", profile, TASKS["ace"].settings)
    chosen = chosen.resolved({"mentions": True, "recognition": True})
    try:
        summary = run(TASKS["ace"], gold, [system], chosen, detail=EVERYTHING)
    except InputError:
        return
    assert list(outside(summary)) == []
