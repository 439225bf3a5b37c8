"""Every figure of the ACE task against the formulas, worked out naively over all mappings."""

from __future__ import annotations

from typing import Any

import pytest

import ace_formulas as naive
from ace_worlds import corpora
from lydite.model import Corpus
from lydite.pipeline import Wanted, run
from lydite.profile import load_profile
from lydite.report.official import ace as official
from lydite.tasks import TASKS
from lydite.verify import ace as layout

ACE = TASKS["ace"]
LOCAL = ("ace08-local", "ace08-local2007", "ace07", "ace05", "ace05-timex")
SHARED = ("ace08-local", "ace08-local2007", "ace08-global", "ace08-global-mentions")
RUNS = [(profile, False) for profile in LOCAL] + [(profile, True) for profile in SHARED]


def summary_of(gold: Corpus, system: Corpus, profile: str, **settings: object) -> Any:
    chosen = load_profile("ace", profile, ACE.settings).resolved(
        {"mentions": True, "recognition": True, **settings}
    )
    return run(ACE, gold, [system], chosen, wanted=Wanted(by=layout.BREAKDOWNS, diagnosis=True))


def mapping_of(summary: Any, name: str) -> dict[str, tuple[float, float]]:
    found = {}
    for entry in summary.diagnosis["documents"]:
        for item in entry["mapping"].get(name, ()):
            key = f"{item['gold']} {item['system']} {entry['document']}"
            found[key] = item["value"], item["maximum"]
    return found


def expected_mapping(section: naive.Section) -> dict[str, tuple[float, float]]:
    return {
        f"{out.gold.id if out.gold else None} {out.system.id if out.system else None} {out.doc}": (
            out.value,
            out.maximum,
        )
        for out in section.outs
    }


def near(number: float) -> Any:
    return pytest.approx(number, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("seed", range(int(__import__("os").environ.get("SEEDS", "25"))))
@pytest.mark.parametrize(("profile", "shared"), RUNS)
def test_every_figure_is_that_of_the_formulas(profile: str, shared: bool, seed: int) -> None:
    gold, system = corpora(seed, shared=shared)
    summary = summary_of(gold, system, profile)
    p = naive.SETS[profile]
    expected = naive.all_sections(gold, system, p)
    assert set(official.sections(summary)) == set(expected)
    tables = official.Tables(summary)
    for name, section in expected.items():
        wanted = expected_mapping(section)
        found = mapping_of(summary, name)
        assert found.keys() == wanted.keys(), name
        for key, numbers in wanted.items():
            assert found[key] == pytest.approx(numbers, rel=1e-9, abs=1e-9), (name, key)
        rows = naive.tables(name, section, p)
        ours = tables.tables(name)
        assert {key for key in ours if "external" not in key} == rows.keys(), name
        for table, labels in rows.items():
            assert ours[table].keys() == labels.keys(), (name, table)
            for label, row in labels.items():
                assert ours[table][label] == near(row), (name, table, label)  # type: ignore[arg-type]
        counts = {
            row.by["attribute"]: layout._counts(row.tally)
            for row in summary.by("attribute").rows
            if row.measurement == name and row.metric == "ace-recognition"
        }
        for attribute, row in naive.recognition(section).items():
            assert {key: counts[attribute][key] for key in row} == row, (name, attribute)
        if section.kind == "entity" and p.mentions:
            for attribute in ("type", "style", "role"):
                rows = layout._rows(summary, name, "ace-mention-detection", f"mention-{attribute}")
                assert {
                    value: [row.tally[key] for key in ("gold", "spurious", "missed", "wrong", "right")]
                    for value, row in rows
                } == naive.extent_counts(section, attribute), (name, attribute)
