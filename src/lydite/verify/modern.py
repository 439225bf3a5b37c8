"""Cases of today's scorers: one file for each side, figures of every measurement, and what the reader must say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lydite.errors import Finding, InputError, UsageError, errors_among
from lydite.facade.choosing import UserChoice
from lydite.facade.suites import score_suite
from lydite.model import ScoreRow, Summary
from lydite.report.official.rams import printed
from lydite.verify.cases import Case, CaseResult, summary_of
from lydite.verify.rows import FIGURES, values_of

CHECKS = frozenset(
    [
        "predictions-as-gold",
        "gold-only-layer",
        "gold-keys-as-system",
        "ends-without-types",
        "missing-window",
        "extra-window",
        "repeated-window",
        "texts-differ",
        "records-differ",
        "place-differs",
        "text-mismatch",
        "missing-dataset",
        "extra-dataset",
    ]
)
"""The findings about reading: of these, a case with ``must_fire`` lists all that may appear."""

_COMPARED = ("scores", "must_fire", "absent", "error", "printed")


def has_both_files(case: Case) -> bool:
    """Whether the inputs of a case are the files ``gold`` and ``system``, whatever their formats."""
    return all(any(case.folder.glob(f"{side}.*")) for side in ("gold", "system"))


def is_modern(case: Case) -> bool:
    """Whether a case of labelled spans is one of these: it has counts, or says what the reader must find."""
    figures = case.expected.get("scores", {}).values()
    return not {"error", "must_fire"}.isdisjoint(case.expected) or any("gold" in one for one in figures)


def score(case: Case) -> CaseResult:
    """A run, and each of those in ``also``, with the listed figures, findings and absences, or its refusal."""
    found, expected = _run(case, case.reading), _expected(case)
    if "also" in case.expected:
        others = [Case(case.folder, block) for block in case.expected["also"]]
        found["also"] = [_run(other, case.reading) for other in others]
        expected["also"] = [_expected(other) for other in others]
    return CaseResult(found, expected=expected)


def score_suites(case: Case) -> CaseResult:
    """A run over folders of datasets: F1 of each, and the means."""
    options = {key.replace("_", "-"): case.resolve_path(value) for key, value in case.options.items()}
    task = case.kind.removesuffix(".score")
    choice = UserChoice(
        task=task, profile=case.expected["profile"], options={"reading": case.reading, **options}
    )
    summary = score_suite(choice, case.path("gold"), [case.path("system")])[0]
    datasets: dict[str, dict[str, object]] = {}
    for row in summary.rows_by("dataset"):
        datasets.setdefault(row.by["dataset"], {})[_name(row)] = row.score.f1
    means = {_name(row): row.score.f1 for row in summary.corpus_rows()}
    scores = _listed(case.expected["scores"], {"datasets": datasets, "macro": means})
    found: dict[str, object] = {"scores": scores}
    if "must_fire" in case.expected:
        told = ((one.code, one.severity) for one in summary.findings if one.code in CHECKS)
        found["must_fire"] = _distinct(told)
    return CaseResult(found, expected=_expected(case))


def _expected(case: Case) -> dict[str, object]:
    expected = {key: case.expected[key] for key in _COMPARED if key in case.expected}
    if "must_fire" in expected:
        listed = case.expected["must_fire"]
        expected["must_fire"] = _distinct((one["check"], one["severity"]) for one in listed)
    return expected


def _run(case: Case, reading: str) -> dict[str, object]:
    """What a case expects, as the run gives it."""
    options = {key.replace("_", "-"): case.resolve_path(value) for key, value in case.options.items()}
    task, expected = case.kind.removesuffix(".score"), case.expected
    choice = UserChoice(task=task, profile=expected["profile"], options={"reading": reading, **options})
    try:
        summary = summary_of(choice, _file(case, "gold"), _file(case, "system"), *_breakdowns(case))
    except InputError as error:
        if "error" not in expected:
            raise
        return {"error": _refusal(error.findings, expected["error"])}
    if "error" in expected:
        return {"error": "scored"}
    found: dict[str, object] = {"scores": _listed(expected["scores"], _scores(summary))}
    if "must_fire" in expected:
        told = ((one.code, one.severity) for one in summary.findings if one.code in CHECKS)
        found["must_fire"] = _distinct(told)
    if "printed" in expected:
        found["printed"] = printed(summary)
    if "absent" in expected:
        names = {_name(row) for row in summary.corpus_rows()}
        found["absent"] = [name for name in expected["absent"] if name not in names]
    return found


def _file(case: Case, side: str) -> str:
    found = sorted(case.folder.glob(f"{side}.*"))
    if len(found) != 1:
        raise UsageError(f"{case.folder}: expected one file {side}.*, found {len(found)}")
    return str(found[0])


def _breakdowns(case: Case) -> list[str]:
    """The breakdowns that the scores of a case have."""
    keys = {key for scores in case.expected.get("scores", {}).values() for key in scores}
    return sorted(key.removeprefix("by_") for key in keys if key.startswith("by_"))


def _refusal(findings: Iterable[Finding], expected: str) -> str:
    """The expected code if an error has it; else those of all errors."""
    codes = list(dict.fromkeys(finding.code for finding in errors_among(list(findings))))
    return expected if expected in codes else ", ".join(codes)


def _scores(summary: Summary) -> dict[str, dict[str, object]]:
    scores: dict[str, dict[str, object]] = {}
    for row in summary.corpus_rows():
        found = scores.setdefault(_name(row), {})
        if row.metric == "exact-match":
            found["em"] = row.score.value
        elif row.average == "macro":
            found["macro"] = _figures(row)
        else:
            found.update(_figures(row))
    for row in summary.rows:
        for name, value in row.by.items() if row.scope == "corpus" else ():
            parts = scores[_name(row)].setdefault(f"by_{name}", {})
            assert isinstance(parts, dict)
            parts[value] = _figures(row)
    return scores


def _name(row: ScoreRow) -> str:
    """The name of a measurement in the cases: coreference is measured by several metrics."""
    return row.metric if row.measurement == "coref" else row.measurement


def _figures(row: ScoreRow) -> dict[str, object]:
    names = {
        "gold": "gold_total",
        "system": "system_total",
        "correct": "system_credit",
        "in_train": "in_train",
    }
    counts = {name: row.counts[key] for name, key in names.items() if key in row.counts}
    return {**counts, **values_of(row, FIGURES)}


def _listed(expected: object, found: object) -> object:
    """Of what was found, that which the case lists."""
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        return {key: _listed(value, found[key]) for key, value in expected.items() if key in found}
    return found


def _distinct(findings: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"check": code, "severity": severity} for code, severity in sorted(set(findings))]
