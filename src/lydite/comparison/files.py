"""From files or saved summaries to comparisons: score, find the units, compare by every figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

from lydite.comparison.compare import compare_systems
from lydite.comparison.counts import Units, count_units, settings_of
from lydite.comparison.differences import Differences, standing_of
from lydite.comparison.golds import (
    describe_ranking,
    gold_content,
    join_summaries,
    measures_of_joined,
    rules_differ,
    with_gold_before,
)
from lydite.errors import FormatError, UsageError, refuse
from lydite.escaping import first_of
from lydite.facade.choosing import Request
from lydite.facade.scoring import ALL_BREAKDOWNS, score_sides
from lydite.facade.sides import Given, LeftOut, read_side
from lydite.facade.summaries import rename_systems
from lydite.formats.json_values import NotJSONError, json_value
from lydite.formats.source import open_file
from lydite.formats.units import topics
from lydite.frozen import FrozenDict
from lydite.model import Corpus, Score, Summary
from lydite.model.comparison import Comparison, Resampling, Testing
from lydite.model.settings import TaskSettings
from lydite.parallel import Progress, Workers
from lydite.pipeline.reading import PathLike
from lydite.pipeline.sides import in_order
from lydite.pipeline.task import AnySamplingUnit, AnyTask, KeptResults
from lydite.report.paper import find_figure
from lydite.tasks import TASKS


class ComparisonPlan(NamedTuple):
    """How systems are compared: by which figures (none: the headline), over which units, with which test."""

    figures: tuple[str, ...] = ()
    resample_by: str | None = None
    resampling: Resampling = Resampling()
    testing: Testing = Testing()
    top: int = 10


class ComparisonAnswer(NamedTuple):
    """One comparison for each figure, and the summary behind them."""

    comparisons: tuple[Comparison, ...]
    summary: Summary

    def with_all_findings(self) -> tuple[Comparison, ...]:
        """The comparisons with the findings of the run in front of their own."""
        return tuple(
            replace(one, findings=(*self.summary.findings, *one.findings)) for one in self.comparisons
        )


def compare_sides(
    request: Request,
    read: Sequence[Corpus],
    plan: ComparisonPlan,
    *,
    gold_before: Given | None = None,
    left_out: LeftOut | None = None,
    choose: Callable[[Summary], Mapping[str, str]] | None = None,
    progress: Progress | None = None,
    workers: Workers | None = None,
    notes: list[str] | None = None,
) -> ComparisonAnswer:
    """Score the systems and compare them; with ``gold_before``, also with their figures under that gold.

    ``read`` are the corpora, gold first.  ``choose`` gives the systems to compare, of all that were scored, and their
    new names; a single system gets its figure with an interval.
    """
    detail = KeptResults(by=ALL_BREAKDOWNS, standing=plan.figures or (None,), elements=True)
    scored = score_sides(
        request, read, detail=detail, progress=progress, workers=workers, left_out=left_out, notes=notes
    )
    names = choose(scored) if choose else {name: name for name in scored.systems}
    summary = rename_systems(scored, names)
    against = plan.testing.against
    if against is not None:
        # The option has the name that the system had when it was read.
        plan = plan._replace(testing=plan.testing._replace(against=names.get(against, against)))
    units = units_of_run(summary, request, read, plan.resample_by, names)
    comparisons = compare_by_units(summary, units, plan)
    if gold_before is not None:
        old = read_side(gold_before, request, role="gold")
        kept = [corpus for corpus in read[1:] if corpus.name in names]
        earlier = score_sides(request, [old, *kept], detail=detail, progress=progress, workers=workers)
        before = rename_systems(earlier, names)
        comparisons = tuple(with_gold_before(comparison, before, summary) for comparison in comparisons)
        findings = in_order(dict.fromkeys((*summary.findings, *before.findings)))
        summary = replace(summary, findings=tuple(findings))
    return ComparisonAnswer(comparisons, summary)


def compare_summaries(
    paths: Sequence[PathLike], plan: ComparisonPlan
) -> tuple[tuple[Comparison, ...], tuple[str, ...]]:
    """Compare two saved summary documents, of two golds or of two runs under one; with the systems, older ones first."""
    before, after = (load_summary(path) for path in paths)
    if before.task != after.task or dict(before.headline) != dict(after.headline):
        raise UsageError(
            f"two summaries of one task and headline are compared, found {describe_ranking(before)} and {describe_ranking(after)}"
        )
    is_one_gold = gold_content(before) == gold_content(after)
    summary = join_summaries(before, after) if is_one_gold else after
    measures = measures_of_joined(before, after) if is_one_gold else {}
    units = units_of_summary(summary, plan.resample_by)
    comparisons = compare_by_units(summary, units, plan, measures)
    if not is_one_gold:
        comparisons = tuple(with_gold_before(one, before, after) for one in comparisons)
    findings = tuple(rules_differ(before, after))
    return tuple(replace(one, findings=(*one.findings, *findings)) for one in comparisons), summary.systems


def load_summary(path: PathLike) -> Summary:
    """Read a summary document with rows by document, also as ``.gz`` or on stdin; anything else is refused."""
    try:
        content = json_value(open_file(path).read_bytes())
    except NotJSONError as error:
        raise _bad_summary(path, f"expected JSON, found none: {error}") from None
    if not isinstance(content, dict):
        raise _bad_summary(path, f"expected a summary document, found a JSON {type(content).__name__}")
    with _refuse_damage(path):
        for name in ("version", "task", "profile", "signature"):
            if not isinstance(content[name], str):
                raise TypeError(f"{name}: expected a text")
        summary = Summary.from_dict(content)
        if not any(row.scope != "corpus" for row in summary.rows):
            raise _bad_summary(
                path,
                "this summary has no rows of documents (scope 'document')",
                hint="it was made with --by none, or without documents; make it again with --format json alone",
            )
        _refuse_odd_rows(summary)
        return summary


def _bad_summary(
    path: PathLike, message: str, *, hint: str = "lydite score … --format json -o FILE"
) -> FormatError:
    return refuse(str(path), "bad-summary", message, hint=hint)


@contextmanager
def _refuse_damage(path: PathLike) -> Iterator[None]:
    """Refuse a document in which something is missing or of another kind: it was changed since it was written."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise _bad_summary(
            path,
            f"the summary document is damaged: {type(error).__name__} {error}",
            hint="write it anew: lydite score … --format json -o FILE",
        ) from None


def _refuse_odd_rows(summary: Summary) -> None:
    """Raise what ``_refuse_damage`` catches, unless figures can be made from the headline and from all counts."""
    if summary.headline["figure"] not in Score._fields:
        raise ValueError(f"in the headline: no figure {summary.headline['figure']!r}")
    task = TASKS[summary.task]
    measurements = {(one.name, one.metric): one for one in task.measurements(settings_of(summary, task))}
    for row in summary.rows:
        if not all(figure is None or isinstance(figure, int | float) for figure in row.score):
            raise TypeError(f"in a row of {row.system!r}: figures are numbers")
        if row.scope == "document":
            measurements[row.measurement, row.metric].from_counts(row.tally).score()
    standing_of(summary, find_figure(summary, None))


def compare_by_units(
    summary: Summary, units: Units, plan: ComparisonPlan, measures: Mapping[str, str] = FrozenDict()
) -> tuple[Comparison, ...]:
    """Compare the systems of a summary by every figure of the plan; ``measures`` as in :func:`compare_systems`."""
    return tuple(
        compare_systems(
            summary,
            units,
            figure,
            resampling=plan.resampling,
            testing=plan.testing,
            differences=Differences(summary, standing_of(summary, figure), plan.top),
            measures=measures,
        )
        for figure in [find_figure(summary, name) for name in plan.figures or (None,)]
    )


# --------------------------------------------------------------------------------------------------------- units


def units_of_run(
    summary: Summary,
    request: Request,
    read: Sequence[Corpus],
    kind: str | None,
    names: Mapping[str, str],
) -> Units:
    """The units of a run, as asked for or as the settings need; ``names`` are names in the summary by those in ``read``."""
    task = request.task
    settings = settings_of(summary, task)
    kind, natural = _unit_kind(kind, settings, task)
    compared = [read[0], *(corpus for corpus in read[1:] if corpus.name in names)]
    if natural.split is None:
        renamed = [read[0].name, *(names[corpus.name] for corpus in compared[1:])]
        return units_of_summary(summary, kind)._replace(joined=_shared_ids(natural, compared, renamed))
    group: Callable[[str], str] = topics(settings.topic_of) if kind == "topic" else str
    documents: set[str] = set()

    def note_document(doc_id: str) -> str:
        documents.add(doc_id)
        return group(doc_id)

    split = natural.split(compared, note_document)
    parts = rename_systems(score_sides(request, split, detail=KeptResults(by=("doc",))), names)
    return count_units(parts, task, kind=kind, unit_of=str, across=True)._replace(documents=len(documents))


def units_of_summary(summary: Summary, kind: str | None = None) -> Units:
    """The units of a summary by its rows, also of one that was saved."""
    task: AnyTask = TASKS[summary.task]
    settings = settings_of(summary, task)
    kind, natural = _unit_kind(kind, settings, task)
    if natural.split is not None:
        return _no_units(
            kind, "clusters reach across documents here, and a summary has no counts of components"
        )
    if kind == "element":
        if not any(row.scope == "element" for row in summary.rows):
            return _no_units(
                kind,
                "this summary has no rows of elements (scope 'element'); score --ci --format json keeps them",
            )
        return count_units(summary, task, kind=kind, unit_of=str, scope="element")
    unit_of: Callable[[str], str] = topics(settings.topic_of) if kind == "topic" else str
    return count_units(summary, task, kind=kind, unit_of=unit_of)


def _shared_ids(natural: AnySamplingUnit, compared: Sequence[Corpus], names: Sequence[str]) -> str:
    """The ids that several units share, by corpus, for a warning."""
    shared = dict(zip(names, map(natural.joined, compared), strict=True))
    return "; ".join(f"{first_of(ids)} in {name}" for name, ids in shared.items() if ids)


def _no_units(kind: str, missing: str) -> Units:
    return Units(kind, (), {}, missing=missing)


_POSSIBLE_KINDS = {
    "document": ("every document is compared by itself here", ("document", "topic")),
    "component": ("clusters reach across documents here", ("component", "topic")),
    "element": ("elements are joined across documents here", ("element",)),
}
"""By the kind of units that the settings need: why they need it, and the kinds that can be drawn instead."""


def _unit_kind(asked: str | None, settings: TaskSettings, task: AnyTask) -> tuple[str, AnySamplingUnit]:
    """The kind of units to draw (an impossible one is refused), and the units that the settings need by default."""
    natural = task.sampling_unit(settings)
    kind = asked or natural.kind
    why, possible = _POSSIBLE_KINDS[natural.kind]
    if kind not in possible:
        hint = f"--resample-by {' or '.join(possible)}"
        raise UsageError(f"--resample-by {kind}: {why} (task {task.name})", hint=hint)
    return kind, natural


def check_level(level: float) -> float:
    """The level of confidence; refused if it is not between 0 and 1."""
    if not 0 < level < 1:
        raise UsageError(
            f"level: expected a fraction between 0 and 1, found {level:g}",
            hint=f"did you mean {level / 100:g}?" if 1 < level < 100 else None,
        )
    return level
