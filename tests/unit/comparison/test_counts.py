"""The counts of units add up to the figures of the corpus, for every figure of every task."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest

from lydite.comparison.counts import UnitCounts, count_units
from lydite.errors import UsageError
from lydite.facade.library import score
from lydite.model import ScoreRow, Summary
from lydite.report.paper import find_figure, named_columns
from lydite.tasks import TASKS
from scored_examples import EXAMPLES

CASES = "tests/conformance"
PROFILES = {
    "nugget": ("kbp2017", "modern", "exact", "pilot2014"),
    "coref": ("conll-8.01",),
    "arguments": ("kbp2014-official", "kbp2014-final"),
    "triples": ("default", "reference"),
    "ace": ("ace08-local", "ace08-local2007"),
}
MORE = (
    (
        "coref",
        "corefud",
        f"{CASES}/coref-corefud/documents/key.conllu",
        f"{CASES}/coref-corefud/documents/response.conllu",
    ),
)
EVERY = [(task, profile, *EXAMPLES[task]) for task, profiles in PROFILES.items() for profile in profiles]


def _counted(summary: Summary) -> dict[tuple[str, str, str | None], UnitCounts]:
    units = count_units(summary, TASKS[summary.task], kind="document", unit_of=str)
    return dict(units.counts)


def _agrees(row: ScoreRow, counts: UnitCounts) -> None:
    sums = counts.tables[row.system].sum(axis=0)
    for name, expected in row.score._asdict().items():
        found = float(counts.figure(name)(sums[None, :])[0])
        assert found == pytest.approx(nan if expected is None else expected, abs=1e-12, nan_ok=True), (
            row.measurement,
            row.metric,
            row.average,
            name,
        )


@pytest.mark.parametrize(("task", "profile", "gold", "system"), [*EVERY, *MORE])
def test_sums_of_all_units_score_what_the_corpus_scores(
    task: str, profile: str, gold: str, system: str
) -> None:
    summary = score(gold, system, task=task, profile=profile)
    counted = _counted(summary)
    for row in summary.corpus_rows():
        _agrees(row, counted[row.measurement, row.metric, row.average])


def test_rare_metrics_of_clusters_add_up_too() -> None:
    gold, system = (f"{CASES}/coref-xml/random-same-mentions/{side}.xml" for side in ("key", "response"))
    metrics = "muc,b-cubed,ceaf-e,blanc,rand,adjusted-rand,lea"
    for macro_f in ("harmonic", "mean"):
        summary = score(
            gold,
            system,
            unit="document",
            metrics=metrics,
            averages="micro,macro",
            macro_f=macro_f,
            zero_division="one-if-identical",
        )
        counted = _counted(summary)
        for row in summary.corpus_rows():
            _agrees(row, counted[row.measurement, row.metric, row.average])


@pytest.fixture(scope="module")
def example() -> Summary:
    return score("examples/gold.tbf", "examples/systems/alder.tbf")


def test_a_summary_that_was_saved_has_the_same_counts(example: Summary) -> None:
    import json

    saved = Summary.from_dict(json.loads(json.dumps(example.to_dict())))
    one, other = _counted(example), _counted(saved)
    assert one.keys() == other.keys()
    for key, counts in one.items():
        assert np.array_equal(counts.tables["alder"], other[key].tables["alder"])


def test_a_short_name_means_the_headlines_metric_and_average(example: Summary) -> None:
    assert str(find_figure(example, None)) == "type+realis.detection.micro.f1"
    assert str(find_figure(example, "span.precision")) == "span.detection.micro.precision"
    assert str(find_figure(example, "span.macro.f1")) == "span.detection.macro.f1"


def test_an_unknown_figure_is_refused_with_near_names(example: Summary) -> None:
    with pytest.raises(UsageError, match=r"no figure .spam\.f1."):
        find_figure(example, "spam.f1")


def test_a_short_name_without_the_headlines_metric_means_the_mean_of_its_metrics(example: Summary) -> None:
    assert str(find_figure(example, "coref.f1")) == "coref.kbp.micro.f1"
    assert [str(one) for one in named_columns(example, ["coref"])] == ["coref.kbp.micro.f1"]


def test_a_short_name_that_may_mean_several_metrics_is_refused() -> None:
    summary = score(*EXAMPLES["ace"], task="ace")
    assert str(find_figure(summary, "entity.value")) == "entity.ace-value.micro.value"
    with pytest.raises(UsageError, match="does not say which metric") as refused:
        find_figure(summary, "entity.f1")
    assert "entity.ace-counts.micro.f1" in str(refused.value.hint)


def test_an_undefined_figure_has_a_name_too() -> None:
    nothing = score({"d": [(0, 4, "Life_Die", "Actual")]}, {"d": []}, task="nugget")
    assert nothing["type"].micro.f1 is None
    assert str(find_figure(nothing, "type.f1")) == "type.detection.micro.f1"
