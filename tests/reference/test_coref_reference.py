"""Figures that the test suites of other scorers state for their own files; skipped where the files are not there."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import lydite

BESIDE = Path(__file__).parents[2].parent / "shared" / "reference-data"
DATA = Path(os.environ.get("LYDITE_REFERENCE_DATA", str(BESIDE))) / "coref"
NAMES = {
    "mentions": "mentions",
    "muc": "muc",
    "bcub": "b-cubed",
    "ceafm": "ceaf-m",
    "ceafe": "ceaf-e",
    "blanc": "blanc",
    "lea": "lea",
    "mor": "mor",
    "zero": "zero",
}
OTHER_BLANC = {("M3", "blanc"), ("M6", "blanc"), ("N3", "blanc"), ("N6", "blanc")}
"""That scorer leaves a kind of link out only if both sides lack it."""

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the reference data of other scorers are not there")


def cases(file: str) -> list[tuple[str, dict[str, Any]]]:
    content = json.loads((DATA / file).read_text(encoding="utf-8"))["cases"]
    return [
        (name, row) for name, rows in content.items() for row in (rows if isinstance(rows, list) else [rows])
    ]


def summary(folder: str, row: dict[str, Any], format_name: str) -> Any:
    return lydite.score(
        DATA / folder / row["key"],
        DATA / folder / row["response"],
        task="coref",
        profile="conll-8.01",
        format=format_name,
        reading="as-official",
        quirks={"limit-repeats": False},
        by=(),
    )


def compare(
    file: str, folder: str, format_name: str, *, exceptions: frozenset[tuple[str, str]] = frozenset()
) -> int:
    compared = 0
    for name, row in cases(file):
        if row.get("matching", "exact") != "exact" or "TC-Z" in row["key"]:
            continue
        scores = summary(folder, row, format_name)["coref"]
        for metric, expected in row["expected"].items():
            if (name, metric) in exceptions:
                continue
            found = scores[NAMES[metric]]
            assert [found.recall, found.precision, found.f1] == pytest.approx(expected, abs=1e-4), (
                name,
                metric,
            )
            compared += 1
    return compared


def test_the_91_figures_of_the_conll_scorer() -> None:
    assert compare("conll-v8.01/expected.json", "conll-v8.01", "conll") == 91


def test_the_82_figures_of_coval() -> None:
    assert compare("conll-v8.01/expected-coval.json", "conll-v8.01", "conll") == 82


def test_the_figures_of_corefud_scorer_on_the_same_files() -> None:
    exceptions = frozenset(OTHER_BLANC)
    assert (
        compare("conll-v8.01/expected-corefud-scorer.json", "conll-v8.01", "conll", exceptions=exceptions)
        == 111
    )


def test_exact_matching_of_corefud_files_under_the_profile_of_columns() -> None:
    exceptions = frozenset(OTHER_BLANC)
    assert compare("corefud/expected.json", "corefud/exact-match", "corefud", exceptions=exceptions) == 112


PROFILES = {"exact": "corefud-exact", "head": "corefud", "partial-corefud": "corefud-partial"}
NOT_ONE_TO_ONE = {("OLMC5", "muc"), ("OLMC5", "bcub"), ("OLMC6", "bcub"), ("OLMC7", "muc"), ("OLMC7", "bcub")}
"""Figures in which more system mentions are found than gold has: no one-to-one pairing gives them."""


def test_312_figures_of_the_corefud_scorer_on_files_of_its_own() -> None:
    compared = 0
    for name, row in cases("corefud/expected.json"):
        if row.get("keep_zeros") is False:
            continue
        matching = row.get("matching", "partial-corefud")
        folder = DATA / "corefud" / ("zeros" if "TC-Z" in row["key"] else f"{matching}-match")
        scores = lydite.score(
            folder / row["key"],
            folder / row["response"],
            task="coref",
            profile=PROFILES[matching],
            format="corefud",
            singletons="keep",
            zeros=row.get("zero_match_method", "linear"),
            reading="as-official",
            by=(),
        )["coref"]
        for metric, expected in row["expected"].items():
            if (name, metric) not in NOT_ONE_TO_ONE:
                found = scores[NAMES[metric]]
                figures = [found.recall, found.precision, found.f1]
                assert figures == pytest.approx(expected, abs=1e-4), (name, metric)
                compared += 1
    assert compared == 312


def test_the_counts_of_coval_files() -> None:
    content = json.loads((DATA / "coval/expected.json").read_text(encoding="utf-8"))["cases"]
    for name, expected in content.items():
        folder, _, response = name.partition("/")
        row = {"key": "key", "response": f"{response}.response"}
        if not (DATA / "coval" / folder / row["response"]).is_file():
            row["response"] = response
        rows = {one.metric: one.tally for one in summary(f"coval/{folder}", row, "conll").corpus_rows()}
        for metric, counts in expected.items():
            tally = rows[NAMES[metric]]
            if metric == "blanc":
                assert list(tally.values()) == [*counts["coref"], *counts["noncoref"]], (name, metric)
                continue
            sides = ("gold_credit", "gold_total", "system_credit", "system_total")
            assert [tally[side] for side in sides] == pytest.approx(counts, rel=1e-9), (name, metric)
