"""Suites of datasets: every file of a folder is scored by itself, and the means over datasets rank systems."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

from lydite.errors import Finding, FormatError, Location, UsageError
from lydite.escaping import first_of
from lydite.facade.choosing import Request, UserChoice
from lydite.facade.scoring import EVERYTHING, score_files
from lydite.formats import EXTENSIONS
from lydite.frozen import FrozenDict
from lydite.model import Input, Score, ScoreRow, Share, Summary
from lydite.model.tally import total
from lydite.pipeline.running import signature
from lydite.pipeline.task import KeptResults

DATASETS = "datasets"
RowName = tuple[str, str, str]
"""Measurement, metric and average."""


def is_suite(choice: UserChoice) -> bool:
    """Whether gold and systems are folders of datasets."""
    return choice.options.get("suite") == DATASETS


def score_suite(
    choice: UserChoice,
    gold: str,
    systems: Sequence[str],
    *,
    detail: KeptResults = EVERYTHING,
) -> tuple[Summary, Request]:
    """Score every dataset by itself; a system has 0 in the mean for a dataset that it lacks."""
    alone = choice._replace(
        options={name: value for name, value in choice.options.items() if name != "suite"}
    )
    datasets = datasets_in(gold)
    findings: list[Finding] = []
    rows: list[ScoreRow] = []
    inputs: list[Input] = []
    first: tuple[Summary, Request] | None = None
    for system in systems:
        files = datasets_in(system)
        findings += _differences(datasets, files, gold, system)
        scored: dict[str, Summary] = {}
        for name in datasets:
            if name in files:
                scored[name], request = score_files(alone, datasets[name], [files[name]], detail=detail)
                first = first or (scored[name], request)
                findings += scored[name].findings
        system_name = os.path.basename(system.rstrip("/"))
        rows += _rows(system_name, list(datasets), scored)
        inputs += _inputs(system_name, gold, system, scored)
    if first is None:
        raise UsageError(f"no dataset of {gold} has a system file")
    summary, request = first
    settings = FrozenDict({**summary.settings, "suite": DATASETS})
    inputs = [*inputs[:1], *(one for one in inputs if one.role == "system")]
    joined = replace(
        summary,
        rows=tuple(rows),
        inputs=tuple(inputs),
        findings=tuple(dict.fromkeys(findings)),
        settings=settings,
        headline=FrozenDict({**summary.headline, "average": "macro"}),
        diagnosis=FrozenDict(),
        departures=(*summary.departures, f"suite={DATASETS}"),
    )
    profile = request.profile.replace({"suite": DATASETS})
    return replace(joined, signature=signature(joined.task, profile, joined.inputs)), request


def datasets_in(folder: str) -> dict[str, str]:
    """The files of a folder by the name of their dataset, which is the file's without its extension."""
    if not os.path.isdir(folder):
        raise UsageError(f"{folder}: expected a folder with a file for each dataset (--suite datasets)")
    found: dict[str, str] = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if not os.path.isfile(path) or name.startswith("."):
            continue
        plain = name.removesuffix(".gz")
        ending = max((one for one in EXTENSIONS if plain.endswith(one)), key=len, default=None)
        stem = plain.removesuffix(ending) if ending else os.path.splitext(plain)[0]
        if stem in found:
            raise UsageError(f"{folder}: two files of the dataset {stem!r}: {found[stem]} and {path}")
        found[stem] = path
    if not found:
        raise UsageError(f"{folder}: no file, and so no dataset")
    return found


def _differences(
    gold: Mapping[str, str], system: Mapping[str, str], gold_folder: str, folder: str
) -> Iterator[Finding]:
    """Datasets that a system lacks; those that gold lacks are refused."""
    extra = [name for name in system if name not in gold]
    if extra:
        message = f"datasets that gold does not have: {first_of(extra)}"
        hint = f"files are paired by their names without extension; gold has {first_of(list(gold))}"
        raise FormatError([Finding("extra-dataset", "error", message, Location(folder), hint=hint)])
    missing = [name for name in gold if name not in system]
    if missing:
        message = f"no file for datasets of {gold_folder}: {first_of(missing)}; they count as 0 in the means"
        yield Finding("missing-dataset", "warning", message, Location(folder))


def _rows(system: str, datasets: Sequence[str], scored: Mapping[str, Summary]) -> Iterator[ScoreRow]:
    """The rows of every dataset, and the means over datasets."""
    totals = {
        name: {(row.measurement, row.metric, row.average): row for row in summary.corpus_rows()}
        for name, summary in scored.items()
    }
    keys = dict.fromkeys(key for rows in totals.values() for key in rows)
    for key in keys:
        known = {name: rows.get(key) for name, rows in totals.items()}
        example = next(row for row in known.values() if row is not None)
        of_datasets = [known.get(name) or _nothing(example) for name in datasets]
        yield _mean(system, of_datasets)
        for name, row in zip(datasets, of_datasets, strict=True):
            yield row._replace(system=system, by=FrozenDict({"dataset": name}))
    for name, summary in scored.items():
        for row in summary.rows:
            if row.scope != "corpus":
                yield row._replace(system=system, document=f"{name}/{row.document}")


def _nothing(row: ScoreRow) -> ScoreRow:
    """The row of a dataset that a system lacks."""
    zeros = Score(*(None if figure is None else 0.0 for figure in row.score))
    return row._replace(score=zeros, tally=FrozenDict())


def _mean(system: str, rows: Sequence[ScoreRow]) -> ScoreRow:
    """The mean of each figure over datasets; an undefined one counts as 0."""
    figures: list[float | None] = []
    for column in zip(*(row.score for row in rows), strict=True):
        defined = any(figure is not None for figure in column)
        figures.append(total(*(figure or 0.0 for figure in column)) / len(rows) if defined else None)
    first = rows[0]
    tally = FrozenDict(Share(len(rows), len(rows)).as_dict())
    return first._replace(system=system, average="macro", score=Score(*figures), tally=tally, by=FrozenDict())


def _inputs(system: str, gold: str, folder: str, scored: Mapping[str, Summary]) -> Iterator[Input]:
    """Gold and a system as inputs: their hashes are those of the datasets together."""
    for role, name, path in (("gold", os.path.basename(gold.rstrip("/")), gold), ("system", system, folder)):
        parts = [one for summary in scored.values() for one in summary.inputs if one.role == role]
        yield Input(
            role,
            name,
            path,
            _joined(one.sha256 for one in parts),
            sum(one.documents for one in parts),
            _joined(one.content for one in parts)[: len(parts[0].content) if parts else None],
            FrozenDict({"datasets": len(parts)}),
        )


def _joined(hashes: Iterable[str]) -> str:
    return sha256("\n".join(hashes).encode()).hexdigest()
