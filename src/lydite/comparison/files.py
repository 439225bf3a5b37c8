"""From files to comparisons: score, find the units, compare every figure that was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from lydite.comparison.compare import compare_systems
from lydite.comparison.counts import Units, count_units, settings_of
from lydite.comparison.differences import Differences, standing_of
from lydite.comparison.golds import (
    describe_ranking,
    gold_content,
    join_summaries,
    rules_differ,
    with_gold_before,
)
from lydite.errors import FormatError, UsageError, refuse
from lydite.escaping import first_of
from lydite.facade.choosing import Request
from lydite.facade.scoring import ALL_BREAKDOWNS, score_sides
from lydite.facade.sides import Given, LeftOut, read_side
from lydite.facade.summaries import Summary, rename_systems
from lydite.formats.json_values import NotJSONError, json_value
from lydite.formats.source import open_file
from lydite.formats.units import topics
from lydite.model import Corpus, PlainSummary, Score
from lydite.model.comparison import PlainComparison, Resampling, Testing
from lydite.parallel import Workers
from lydite.pipeline import AnySamplingUnit, AnyTask, Detail, Progress, TaskSettings, in_order
from lydite.pipeline.reading import PathLike
from lydite.records import NamedTuple, replace
from lydite.report.paper import find_figure
from lydite.tasks import TASKS


class ComparisonPlan(NamedTuple):
    """What is asked of the systems: which figures (none: the headline), by which units, how sure it must be."""

    figures: tuple[str, ...] = ()
    resample_by: str | None = None
    resampling: Resampling = Resampling()
    testing: Testing = Testing()
    top: int = 10


class ComparisonAnswer(NamedTuple):
    """The answer: one comparison for each figure, and the summary behind them."""

    comparisons: tuple[PlainComparison, ...]
    summary: Summary

    def with_all_findings(self) -> tuple[PlainComparison, ...]:
        """The comparisons with the findings of the run in front of their own."""
        return tuple(
            replace(one, findings=(*self.summary.findings, *one.findings)) for one in self.comparisons
        )


def compare_sides(
    asked: Request,
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
    """Score the systems and compare them; also with what they had under the gold before, if there is one.

    ``read`` are the corpora, gold first.  ``choose`` gives the systems that are compared, of all that were scored, and
    what they are called; a single one has its figure with an interval.
    """
    detail = Detail(by=ALL_BREAKDOWNS, standing=True, elements=True)
    scored = score_sides(
        asked, read, detail=detail, progress=progress, workers=workers, left_out=left_out, notes=notes
    )
    shown = choose(scored) if choose else {name: name for name in scored.systems}
    summary = rename_systems(scored, shown)
    against = plan.testing.against
    if against is not None:
        # Who asked knows the systems by their own names.
        testing = plan.testing._replace(against=shown.get(against, against))
        plan = plan._replace(testing=testing)
    units = units_of_run(summary, asked, read, plan.resample_by, shown)
    found = compare_by_units(summary, units, plan)
    if gold_before is not None:
        old = read_side(gold_before, asked, role="gold")
        kept = [corpus for corpus in read[1:] if corpus.name in shown]
        earlier = score_sides(asked, [old, *kept], detail=detail, progress=progress, workers=workers)
        before = rename_systems(earlier, shown)
        found = tuple(with_gold_before(comparison, before, summary) for comparison in found)
        told = in_order(dict.fromkeys((*summary.findings, *before.findings)))
        summary = replace(summary, findings=tuple(told))
    return ComparisonAnswer(found, summary)


def compare_summaries(
    paths: Sequence[PathLike], plan: ComparisonPlan
) -> tuple[tuple[PlainComparison, ...], tuple[str, ...]]:
    """Two saved summary documents, of two golds or of two runs under the same one; and the systems, older ones first."""
    before, after = (load_summary(path) for path in paths)
    if before.task != after.task or dict(before.headline) != dict(after.headline):
        raise UsageError(
            f"two summaries of one task and headline are compared, found {describe_ranking(before)} and {describe_ranking(after)}"
        )
    is_one_gold = gold_content(before) == gold_content(after)
    summary = join_summaries(before, after) if is_one_gold else after
    found = compare_by_units(summary, units_of_summary(summary, plan.resample_by), plan)
    if not is_one_gold:
        found = tuple(with_gold_before(one, before, after) for one in found)
    told = tuple(rules_differ(before, after))
    return tuple(replace(one, findings=(*one.findings, *told)) for one in found), summary.systems


def load_summary(path: PathLike) -> PlainSummary:
    """A summary document that was saved, also as ``.gz`` or on stdin, with rows by document; another file is refused."""
    try:
        content = json_value(open_file(path).read_bytes())
    except NotJSONError as error:
        raise _no_summary(path, f"expected JSON, found none: {error}") from None
    if not isinstance(content, dict):
        raise _no_summary(path, f"expected a summary document, found a JSON {type(content).__name__}")
    with _whole(path):
        # What is none does not come through.
        for name in ("version", "task", "profile", "signature"):
            if not isinstance(content[name], str):
                raise TypeError(f"{name}: expected a text")
        summary = PlainSummary.from_dict(content)
        if not any(row.scope != "corpus" for row in summary.rows):
            raise _no_summary(
                path,
                "this summary has no rows of documents (scope 'document')",
                hint="it was made with --by none, or without documents; make it again with --format json alone",
            )
        _refuse_odd_rows(summary)
        return summary


def _no_summary(
    path: PathLike, message: str, *, hint: str = "lydite score … --format json -o FILE"
) -> FormatError:
    return refuse(str(path), "bad-summary", message, hint=hint)


@contextmanager
def _whole(path: PathLike) -> Iterator[None]:
    """Refuse a document that lacks something, or has something else in its place: it was changed since it was written."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise _no_summary(
            path,
            f"the summary document is damaged: {type(error).__name__} {error}",
            hint="write it anew: lydite score … --format json -o FILE",
        ) from None


def _refuse_odd_rows(summary: PlainSummary) -> None:
    """The headline names a figure, and every count of a document becomes figures again, as comparing asks for."""
    if summary.headline["figure"] not in Score._fields:
        raise ValueError(f"in the headline: no figure {summary.headline['figure']!r}")
    task = TASKS[summary.task]
    kept = {(one.name, one.metric): one for one in task.measurements(settings_of(summary, task))}
    for row in summary.rows:
        if not all(figure is None or isinstance(figure, int | float) for figure in row.score):
            raise TypeError(f"in a row of {row.system!r}: figures are numbers")
        if row.scope == "document":
            kept[row.measurement, row.metric].restored(row.tally).score()
    standing_of(summary)
    find_figure(summary, None)


def compare_by_units(
    summary: PlainSummary, units: Units, plan: ComparisonPlan
) -> tuple[PlainComparison, ...]:
    """The systems of a summary by every figure that is asked for."""
    differences = Differences(summary, standing_of(summary), plan.top)
    figures = [find_figure(summary, name) for name in plan.figures or (None,)]
    return tuple(
        compare_systems(
            summary,
            units,
            figure,
            resampling=plan.resampling,
            testing=plan.testing,
            differences=differences,
        )
        for figure in figures
    )


# --------------------------------------------------------------------------------------------------------- units


def units_of_run(
    summary: PlainSummary, asked: Request, read: Sequence[Corpus], kind: str | None, names: Mapping[str, str]
) -> Units:
    """The units of a run, by what was asked for or by what reaches across documents.

    ``names`` are what the systems of the summary were called when they were read.
    """
    task = asked.task
    settings = settings_of(summary, task)
    kind, natural = _asked_kind(kind, settings, task)
    compared = [read[0], *(corpus for corpus in read[1:] if corpus.name in names)]
    if natural.split is None:
        shown = [read[0].name, *(names[corpus.name] for corpus in compared[1:])]
        return units_of_summary(summary, kind)._replace(joined=_what_joins(natural, compared, shown))
    group: Callable[[str], str] = topics(settings.topic_of) if kind == "topic" else str
    documents: set[str] = set()

    def noticed(doc_id: str) -> str:
        documents.add(doc_id)
        return group(doc_id)

    split = natural.split(compared, noticed)
    parts = rename_systems(score_sides(asked, split, detail=Detail(by=("doc",))), names)
    return count_units(parts, task, kind=kind, unit_of=str, across=True)._replace(documents=len(documents))


def units_of_summary(summary: PlainSummary, kind: str | None = None) -> Units:
    """The units that the rows of a summary tell, also of one that was saved."""
    task: AnyTask = TASKS[summary.task]
    settings = settings_of(summary, task)
    kind, natural = _asked_kind(kind, settings, task)
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


def _what_joins(natural: AnySamplingUnit, compared: Sequence[Corpus], shown: Sequence[str]) -> str:
    found = dict(zip(shown, map(natural.joined, compared), strict=True))
    return "; ".join(f"{first_of(ids)} in {name}" for name, ids in found.items() if ids)


def _no_units(kind: str, missing: str) -> Units:
    return Units(kind, (), {}, missing=missing)


_NATURAL = {
    "document": ("every document is compared by itself here", ("document", "topic")),
    "component": ("clusters reach across documents here", ("component", "topic")),
    "element": ("elements are joined across documents here", ("element",)),
}
"""The kind of units that the settings ask for: why it does, and the kinds that can be drawn then."""


def _asked_kind(asked: str | None, settings: TaskSettings, task: AnyTask) -> tuple[str, AnySamplingUnit]:
    """The kind of units that counts, and the unit that the settings ask for by themselves.

    Units that are not there are refused, and documents where what is counted reaches across them.
    """
    natural = task.sampling_unit(settings)
    kind = asked or natural.kind
    why, fits = _NATURAL[natural.kind]
    if kind not in fits:
        hint = f"--resample-by {' or '.join(fits)}"
        raise UsageError(f"--resample-by {kind}: {why} (task {task.name})", hint=hint)
    return kind, natural


def check_level(level: float) -> float:
    """A level of confidence, as a fraction."""
    if not 0 < level < 1:
        raise UsageError(
            f"level: expected a fraction between 0 and 1, found {level:g}",
            hint=f"did you mean {level / 100:g}?" if 1 < level < 100 else None,
        )
    return level


def comparison_documents(comparisons: Sequence[PlainComparison]) -> Mapping[str, object]:
    """The comparison document, or a list of them under ``comparisons`` if there are several."""
    documents = [comparison.to_dict() for comparison in comparisons]
    return documents[0] if len(documents) == 1 else {"comparisons": documents}
