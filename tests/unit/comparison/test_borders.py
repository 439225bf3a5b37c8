"""Intervals of figures that are at an end of their range in every unit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import lydite
from lydite.comparison.files import units_of_run
from lydite.comparison.intervals import with_intervals
from lydite.facade.choosing import UserChoice
from lydite.facade.scoring import score_sides
from lydite.facade.sides import read_sides
from lydite.model import Summary
from lydite.model.comparison import Resampling
from lydite.pipeline.task import KeptResults

FIVE = 0.05 ** (1 / 5)
LINE = "x\t{}\t{}\t{},{}\tattacked\t{}\tActual"
Mention = tuple[int, str]
ATTACK, DIE = (0, "Conflict_Attack"), (20, "Life_Die")


def tbf(path: Path, documents: Sequence[Sequence[Mention]]) -> str:
    """A file of documents, each with its mentions by begin and type."""
    lines = []
    for number, mentions in enumerate(documents):
        rows = [LINE.format(f"d{number}", f"E{n}", at, at + 8, kind) for n, (at, kind) in enumerate(mentions)]
        lines += [f"#BeginOfDocument d{number}", *rows, "#EndOfDocument"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def with_ci(gold: str, *systems: str, task: str = "nugget", **options: object) -> Summary:
    resampling = Resampling(resamples=200)
    choice = UserChoice(task=task, options=options)
    request, read = read_sides(choice, gold, systems)
    detail = KeptResults(by=("doc", "type"), elements=True, parts=True)
    summary = score_sides(request, read, detail=detail)
    units = units_of_run(summary, request, read, None, {name: name for name in summary.systems})
    return with_intervals(summary, units, resampling)


def interval_of(summary: Summary, measurement: str, average: str, figure: str, **part: str) -> object:
    (row,) = (
        row
        for row in summary.rows
        if (row.scope, row.measurement, row.average) == ("corpus", measurement, average)
        and dict(row.by) == part
    )
    return None if row.interval is None else row.interval[figure]


def codes(found: lydite.Summary | object) -> list[str]:
    return [finding.code for finding in found.findings]  # type: ignore[attr-defined]


def test_units_that_are_all_perfect_have_the_bound_of_clopper_and_pearson(tmp_path: Path) -> None:
    gold = tbf(tmp_path / "gold.tbf", [[ATTACK]] * 5)
    system, copy = (tbf(tmp_path / f"{name}.tbf", [[ATTACK]] * 5) for name in "ab")
    found = lydite.compare(gold, system, copy, resamples=100)
    assert [(one.figure, one.low, one.high) for one in found.systems] == [(1, pytest.approx(FIVE), 1)] * 2
    assert codes(found).count("bound-by-units") == 1


def test_the_bound_follows_the_level_and_not_the_draws(tmp_path: Path) -> None:
    gold, system = (tbf(tmp_path / f"{name}.tbf", [[ATTACK]] * 12) for name in ("gold", "a"))
    bad = tbf(tmp_path / "b.tbf", [[ATTACK, DIE]] * 12)
    for interval in ("expanded", "percentile"):
        found = lydite.compare(gold, system, bad, level=0.9, interval=interval, resamples=100)
        assert found.systems[0].low == pytest.approx(0.1 ** (1 / 12))
        assert found.systems[1].low == found.systems[1].high == pytest.approx(2 / 3)


def test_units_in_which_nothing_is_right_leave_the_other_end_open(tmp_path: Path) -> None:
    gold = tbf(tmp_path / "gold.tbf", [[ATTACK]] * 5)
    summary = with_ci(gold, tbf(tmp_path / "a.tbf", [[DIE]] * 5))
    for figure in ("precision", "recall"):
        assert interval_of(summary, "type+realis", "micro", figure) == (0, pytest.approx(1 - FIVE))


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_every_average_of_perfect_units_has_its_bound(tmp_path: Path, average: str) -> None:
    gold = tbf(tmp_path / "gold.tbf", [[ATTACK, DIE]] * 5)
    summary = with_ci(gold, tbf(tmp_path / "a.tbf", [[ATTACK, DIE]] * 5))
    for figure in ("precision", "recall", "f1"):
        assert interval_of(summary, "span", average, figure) == (pytest.approx(FIVE), 1)
    assert codes(summary).count("bound-by-units") == 1


def test_a_unit_that_does_not_define_a_figure_is_not_counted(tmp_path: Path) -> None:
    gold = tbf(tmp_path / "gold.tbf", [*[[ATTACK]] * 5, [], [DIE]])
    summary = with_ci(gold, tbf(tmp_path / "a.tbf", [*[[ATTACK]] * 5, [], []]))
    assert interval_of(summary, "type", "micro", "precision") == (pytest.approx(FIVE), 1)
    recall = interval_of(summary, "type", "micro", "recall")
    assert recall != (pytest.approx(FIVE), 1)


def test_a_part_is_bound_by_the_units_that_have_it(tmp_path: Path) -> None:
    documents = [[ATTACK], [ATTACK], [ATTACK, DIE], [DIE, (40, "Life_Injure")], [DIE]]
    gold, system = (tbf(tmp_path / f"{name}.tbf", documents) for name in ("gold", "a"))
    summary = with_ci(gold, system)
    assert interval_of(summary, "type", "micro", "f1", type="Life_Die") == (pytest.approx(0.05 ** (1 / 3)), 1)


def test_one_wrong_unit_is_enough_for_resampling(tmp_path: Path) -> None:
    gold = tbf(tmp_path / "gold.tbf", [[ATTACK]] * 5)
    summary = with_ci(gold, tbf(tmp_path / "a.tbf", [*[[ATTACK]] * 4, [ATTACK, DIE]]))
    assert interval_of(summary, "type", "micro", "recall") == (pytest.approx(FIVE), 1)
    low, high = interval_of(summary, "type", "micro", "precision")  # type: ignore[misc]
    assert (0.5 < low < 5 / 6, high) == (True, 1)


def test_a_mean_of_metrics_has_the_bound_of_its_units(tmp_path: Path) -> None:
    lines = [
        "#begin document (d{});",
        "d\t0\t0\ta\t(1)",
        "d\t0\t1\tb\t(1)",
        "d\t0\t2\tc\t(2)",
        "d\t0\t3\td\t(2)",
        "",
        "#end document",
    ]
    for name in ("gold", "a"):
        content = "\n".join("\n".join(lines).format(number) for number in range(5))
        (tmp_path / f"{name}.conll").write_text(content + "\n", encoding="utf-8")
    summary = with_ci(str(tmp_path / "gold.conll"), str(tmp_path / "a.conll"), task="coref")
    (row,) = (row for row in summary.corpus_rows() if row.metric == "conll" and row.average == "micro")
    assert row.interval == {"f1": (pytest.approx(FIVE), 1)}


def test_a_figure_without_a_lower_end_keeps_width_zero_with_the_finding() -> None:
    gold = "examples/ace/gold"
    summary = with_ci(gold, gold, task="ace")
    lead = summary.headline
    (row,) = (
        row
        for row in summary.corpus_rows()
        if (row.measurement, row.metric) == (lead["measurement"], lead["metric"])
    )
    assert (row.score.value, row.interval) == (1, {"value": (1, 1)})
    assert codes(summary).count("bound-by-units") == 1


def test_the_finding_names_the_headline_first_and_no_system(tmp_path: Path) -> None:
    gold, system = (tbf(tmp_path / f"{name}.tbf", [[ATTACK]] * 5) for name in ("gold", "a"))
    (message,) = (one.message for one in with_ci(gold, system).findings if one.code == "bound-by-units")
    said = "type+realis.detection.micro.f1 of a system: all 5 documents with this figure are perfect; "
    assert message.startswith(said)


def test_two_systems_that_are_equal_in_every_unit_show_no_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from lydite.cli import run

    gold = tbf(tmp_path / "gold.tbf", [[ATTACK]] * 5)
    one, other = (tbf(tmp_path / f"{name}.tbf", [*[[ATTACK]] * 4, []]) for name in "ab")
    (pair,) = lydite.compare(gold, one, other, resamples=100).pairs
    assert (pair.p, pair.low, pair.high) == (1, 0, 0)
    assert run(["compare", gold, one, other]) == 0
    said = capsys.readouterr().out
    assert "5 documents show no difference between a and b." in said
    assert "do not tell" not in said


def test_metrics_without_a_declaration_are_shares_between_zero_and_one(tmp_path: Path) -> None:
    records = [f'{{"id": "{number}", "record": {{"items": [{{"n": "p"}}]}}}}' for number in range(5)]
    gold, system = tmp_path / "gold.jsonl", tmp_path / "system.jsonl"
    gold.write_text("\n".join(records), encoding="utf-8")
    system.write_text("\n".join(records).replace('"p"', '"q"'), encoding="utf-8")
    summary = with_ci(str(gold), str(system), task="records")
    row = next(row for row in summary.corpus_rows() if (row.measurement, row.metric) == ("elements", "exact"))
    assert row.interval is not None
    assert row.interval["f1"] == (0.0, pytest.approx(1 - FIVE))
