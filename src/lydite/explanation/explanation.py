"""The explanation of one system's headline: made lazily, so that nobody waits for what nobody asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Any

from lydite.errors import Finding, InputError, UsageError
from lydite.escaping import counted
from lydite.explanation.budget import Budgeting, budget, effort
from lydite.explanation.confusions import confusions
from lydite.explanation.passes import Inputs
from lydite.facade.choosing import Request, choice_from_keywords
from lydite.facade.sides import Given, read_sides
from lydite.facade.summaries import rename_systems
from lydite.keywords import check_keywords
from lydite.model import Corpus, PlainSummary
from lydite.model.summary import frames_of
from lydite.model.verdict import Budget, ConfusionMatrix, Verdict, VerdictDocument
from lydite.pipeline import Progress, run
from lydite.profile import AnyProfile
from lydite.records import replace
from lydite.tasks import TASKS

if TYPE_CHECKING:
    import pandas as pd

SCHEMA = "lydite.explanation/1"


class Explanation:
    """Why a system has the headline that it has.

    ``budget`` is None where it was switched off, where it was not asked for and would take long, or where the task has
    none of this headline.  ``verdicts`` may be gone through any number of times; they are made anew each time and kept
    by nobody.
    """

    def __init__(
        self,
        inputs: Inputs[Any, Any],
        summary: PlainSummary,
        *,
        with_budget: bool | None = None,
        seconds: float = 0.0,
    ) -> None:
        self.inputs = inputs
        """What is compared."""
        self.summary = summary
        """The scores."""
        self._with_budget, self._seconds = with_budget, seconds
        self.progress: Progress | None = None
        """Who is told how far budget and verdicts are."""
        self.measurement: str | None = None
        """Whose verdicts are asked for, if not the headline's; budget and confusions are always the headline's."""

    def __getstate__(self) -> dict[str, object]:
        """Both sides in full: files may be gone, or others, where this is unpacked; the task by its name."""
        task, *sides, settings = self.inputs
        read = [replace(side, documents=dict(side.documents)) for side in sides]
        return {**self.__dict__, "inputs": (task.name, *read, settings), "progress": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        task, *sides = state["inputs"]
        self.__dict__.update(state, inputs=Inputs(TASKS[task], *sides))

    @property
    def system(self) -> str:
        """The name of the system."""
        return self.inputs.system.name

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was found while both sides were read and compared."""
        return self.summary.findings

    @property
    def headline(self) -> dict[str, object]:
        """The figure that is explained."""
        return {**self.summary.headline, "value": self.value}

    @property
    def value(self) -> float | None:
        """How high it is."""
        return self.summary.headline_score()

    @cached_property
    def effort(self) -> Budgeting:
        """How much work the budget is."""
        return effort(self.inputs)

    @property
    def budget_seconds(self) -> float:
        """About how long the budget takes, by how long scoring took."""
        return self._seconds * self.effort.scorings / max(1, self.effort.units)

    @cached_property
    def budget(self) -> Budget | None:
        """The error budget."""
        if self._with_budget is False or not self._knows_faults:
            return None
        if self._with_budget is None and not self.effort.at_once:
            return None
        return budget(self.inputs, self.progress)

    @property
    def _knows_faults(self) -> bool:
        return bool(self.inputs.explainer.faults(self.inputs.settings))

    @property
    def why_no_budget(self) -> str:
        """Why there is no budget where none was declined."""
        if self._knows_faults:
            return f"it takes {counted(self.effort.scorings, 'scoring')} of documents; --budget gives it"
        return f"task {self.summary.task} has none of {self.summary.headline['measurement']}"

    @property
    def verdicts(self) -> Iterator[Verdict]:
        """A verdict for every item."""
        other = None if self.measurement == self.summary.headline["measurement"] else self.measurement
        return self.inputs.verdicts(self.progress, measurement=other)

    def verdict_documents(self) -> Iterator[VerdictDocument]:
        """The verdicts as they stand in the explanation document."""
        return (verdict.to_dict() for verdict in self.verdicts)

    def confusion(self, attribute: str) -> ConfusionMatrix:
        """The confusion of an attribute."""
        return confusions(self.inputs, [attribute])[attribute]

    def confusions(self, attributes: Iterable[str] | None = None) -> dict[str, ConfusionMatrix]:
        """The confusions of these attributes, or of all that the task has."""
        return confusions(self.inputs, self.inputs.explainer.confusions if attributes is None else attributes)

    def why(self, item: str) -> str:
        """What became of an item, by its id on either side: one sentence for each item of that id."""
        found = [verdict for verdict in self.verdicts if verdict.id == item]
        if not found:
            raise UsageError(f"no item {item!r} on either side")
        return "\n".join(f"{one.document}, {one.side} {one.id}: {one.cause}: {one.why}" for one in found)

    def _repr_html_(self) -> str:
        """The small version for notebooks: the headline, and the error budget where there is one."""
        from lydite.report.tables import Table, headline_name, html_table, number, percent

        lead = self.summary.headline
        title = f"{self.system}: {headline_name(lead)} {lead['figure']} {percent(self.value)}"
        rows = tuple(
            (row.fault, number(row.items), percent(float(row.share)), percent(float(row.gain_alone)))
            for row in (self.budget.faults if self.budget is not None else ())
        )
        return html_table(Table(title, ("fault", "items", "share", "alone"), rows))

    def to_pandas(self) -> pd.DataFrame:
        """One row per verdict; of its rivals their ids."""
        rows = [
            {**verdict.to_dict(), "rivals": " ".join(rival.id for rival in verdict.rivals)}
            for verdict in self.verdicts
        ]
        frame: pd.DataFrame = frames_of("pandas").DataFrame(rows)
        return frame

    def head(self, confusions: Iterable[str] | None = None) -> dict[str, object]:
        """The explanation document without its verdicts; with these confusions, or with all that the task has."""
        summary = self.summary
        other = {} if self.measurement is None else {"measurement": self.measurement}
        return {
            "schema": SCHEMA,
            "version": summary.version,
            "task": summary.task,
            "profile": summary.profile,
            "signature": summary.signature,
            "system": self.system,
            **other,
            "headline": self.headline,
            "budget": None if self.budget is None else self.budget.to_dict(),
            "confusion": {name: matrix.to_dict() for name, matrix in self.confusions(confusions).items()},
        }

    def to_dict(self) -> dict[str, object]:
        """The explanation document, with all confusions that the task has."""
        return {**self.head(), "verdicts": [*self.verdict_documents()]}


def explain_sides(
    asked: Request, read: Sequence[Corpus], *, budget: bool | None = None, progress: Progress | None = None
) -> list[Explanation]:
    """The explanations of systems that were read behind gold, in their order; they are scored together."""
    gold, *systems = read
    task = asked.task
    begin = perf_counter()
    try:
        profile = _decided_together(asked, gold, systems)
        summary = run(task, gold, systems, profile, progress=progress)
    except InputError as error:
        error.notes = asked.notes
        raise
    seconds = (perf_counter() - begin) / max(1, len(systems))
    profile, gold, matched = task.prepare_sides(profile, gold, systems)
    return [
        Explanation(
            Inputs(task, gold, system, profile.settings),
            rename_systems(summary, {system.name: system.name}),
            with_budget=budget,
            seconds=seconds,
        )
        for system in matched
    ]


def _decided_together(asked: Request, gold: Corpus, systems: Sequence[Corpus]) -> AnyProfile:
    """The profile; what all systems decide together, and one of them alone would not, is a departure from it."""
    decide = asked.task.reading.decide
    if len(systems) == 1:
        return asked.profile
    alone = [decide(asked.profile, [gold, system]) for system in systems]
    together = decide(asked.profile, [gold, *systems])
    return asked.profile.replace(
        {name: value for name, value in together.items() if any(one.get(name) != value for one in alone)}
    )


def explain(
    gold: Given,
    system: Given,
    *,
    names: Sequence[str] | None = None,
    task: str | None = None,
    profile: str | None = None,
    format: str | None = None,  # noqa: A002 - the word that the command line uses
    budget: bool | None = None,
    quirks: Mapping[str, bool] | None = None,
    no_quirks: bool = False,
    **settings: object,
) -> Explanation:
    """Why a system has the headline that it has: a verdict for every item, and the error budget.

    Gold and system are paths or objects, as for :func:`lydite.score`.

    >>> import lydite
    >>> explanation = lydite.explain("examples/gold.tbf", "examples/systems/birch.tbf")
    >>> max(explanation.budget.faults, key=lambda row: row.share).fault
    'spurious'
    """
    choice = choice_from_keywords(task, profile, format, settings, quirks, no_quirks)
    check_keywords(budget=budget)
    (explanation,) = explain_sides(*read_sides(choice, gold, [system], names=names), budget=budget)
    return explanation
