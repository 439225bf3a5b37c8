"""Every figure of the ACE task against the formulas, worked out naively over all mappings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ace_formulas as naive
from ace_worlds import corpora
from lydite.model import Corpus
from lydite.pipeline.running import run
from lydite.pipeline.task import KeptResults
from lydite.profile import load_profile
from lydite.report.official import ace as official
from lydite.tasks import TASKS
from lydite.verify import ace as layout
from lydite.verify.rows import values_of

ACE = TASKS["ace"]
LOCAL = ("ace08-local", "ace08-local2007", "ace07", "ace05", "ace05-timex")
SHARED = ("ace08-local", "ace08-local2007", "ace08-global", "ace08-global-mentions")
RUNS = [(profile, False) for profile in LOCAL] + [(profile, True) for profile in SHARED]


def summary_of(gold: Corpus, system: Corpus, profile: str, **settings: object) -> Any:
    chosen = load_profile("ace", profile, ACE.settings).resolved(
        {"mentions": True, "recognition": True, **settings}
    )
    return run(ACE, gold, [system], chosen, detail=KeptResults(by=layout.BREAKDOWNS, diagnosis=True))


def mapping_of(summary: Any, name: str) -> dict[str, tuple[float, float]]:
    found = {}
    for entry in summary.diagnosis["documents"]:
        for item in entry["mapping"].get(name, ()):
            key = f"{item['gold']} {item['system']} {entry['document']}"
            found[key] = item["value"], item["maximum"]
    return found


def expected_mapping(section: naive.Section) -> dict[str, Any]:
    return {
        f"{out.gold.id if out.gold else None} {out.system.id if out.system else None} {out.doc}": pytest.approx(
            (out.value, out.maximum), rel=1e-9, abs=1e-9
        )
        for out in section.outs
    }


def near(row: Sequence[float]) -> Any:
    return pytest.approx(row, rel=1e-5, abs=1e-6)


SEEDS = (0, 1, 2, 3, 4, 19, 47, 82, 105)
"""The later ones have what the first lack: common documents where nothing matches, and totals that tie."""

FIVE = ("gold", "spurious", "missed", "wrong", "right")


def five(summary: Any, name: str, metric: str, attribute: str) -> dict[str, list[int]]:
    rows = layout._rows(summary, name, metric, attribute)
    return {value: [row.tally[key] for key in FIVE] for value, row in rows}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("profile", "shared"), RUNS)
def test_every_figure_is_that_of_the_formulas(profile: str, shared: bool, seed: int) -> None:
    p = naive.SETS[profile]
    gold, system = corpora(seed, shared=shared, extra=p.model > 2005)
    summary = summary_of(gold, system, profile)
    expected = naive.all_sections(gold, system, p)
    assert set(official.sections(summary)) == set(expected)
    tables = official.Tables(summary)
    for name, section in expected.items():
        assert mapping_of(summary, name) == expected_mapping(section), name
        rows = naive.tables(name, section, p)
        ours = {title: rows for title, rows in tables.tables(name).items() if "external" not in title}
        assert ours.keys() == rows.keys(), name
        for table, labels in rows.items():
            assert ours[table] == {label: near(row) for label, row in labels.items()}, (name, table)
        recognised(summary, name, section, p)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("valuation", ["attributes", "mentions", "none"])
@pytest.mark.parametrize("profile", ["ace08-local", "ace07"])
def test_arguments_are_valued_as_asked_for(profile: str, valuation: str, seed: int) -> None:
    gold, system = corpora(seed, shared=False, extra=False)
    summary = summary_of(gold, system, profile, **{"arg-valuation": valuation})
    expected = naive.all_sections(gold, system, replace(naive.SETS[profile], valuation=valuation))
    for name in expected.keys() & {"relation", "event"}:
        assert mapping_of(summary, name) == expected_mapping(expected[name]), name


@pytest.mark.parametrize("seed", [1, 2, 9, 11, 24, 60, 82, 103, 1022])
@pytest.mark.parametrize(
    ("profile", "shared"),
    [("ace08-local", True), ("ace08-global-mentions", True), ("ace07", False), ("ace05", False)],
)
def test_the_mapping_by_f_measure_is_that_of_the_formula(profile: str, shared: bool, seed: int) -> None:
    gold, system = corpora(seed, shared=shared, extra=False)
    summary = summary_of(gold, system, profile, **{"map-weighting": "fmeasure"})
    expected = naive.all_sections(gold, system, replace(naive.SETS[profile], f_measure=True))
    for name in expected.keys() & {"entity", "value", "timex2"}:
        assert mapping_of(summary, name) == expected_mapping(expected[name]), name


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("profile", ["ace08-local", "ace07", "ace05"])
def test_without_mentions_an_occurrence_is_valued_by_its_level(profile: str, seed: int) -> None:
    gold, system = corpora(seed, shared=False, extra=False)
    summary = summary_of(gold, system, profile, **{"use-mentions": False})
    expected = naive.all_sections(gold, system, replace(naive.SETS[profile], mentions=False))
    for name, section in expected.items():
        assert mapping_of(summary, name) == expected_mapping(section), name


GEOMETRIC = """extends = "ace/ace05"
[score]
argument-average = "geometric"
[event]
argument-false-alarm = 0.0
"""


@pytest.mark.parametrize("seed", range(20))
def test_the_geometric_mean_of_arguments_is_that_of_the_formula(tmp_path: Path, seed: int) -> None:
    own = tmp_path / "geometric.toml"
    own.write_text(GEOMETRIC, encoding="utf-8")
    gold, system = corpora(seed, shared=False, extra=False)
    summary = summary_of(gold, system, str(own), mentions=False)
    expected = naive.all_sections(gold, system, replace(naive.SETS["ace05"], geometric=True))
    for name in expected.keys() & {"relation", "event"}:
        assert mapping_of(summary, name) == expected_mapping(expected[name]), name


def recognised(summary: Any, name: str, section: naive.Section, p: naive.Set) -> None:
    attributes = {
        attribute: values_of(row, layout._ERRORS)
        for attribute, row in layout._rows(summary, name, "ace-recognition", "attribute")
    }
    assert attributes == naive.recognition(section), name
    if section.kind == "entity":
        assert five(summary, name, "ace-names", "type") == naive.name_counts(section), name
    if section.kind == "entity" and p.mentions:
        for attribute in ("type", "style", "role"):
            found = five(summary, name, "ace-mention-detection", f"mention-{attribute}")
            assert found == naive.extent_counts(section, attribute), (name, attribute)
    if section.kind in {"relation", "event"} and not (p.model == 2005 and name != section.kind):
        assert five(summary, name, "ace-recognition", "argument-role") == naive.role_counts(section), name
