"""The explanation of one system's headline, in which every part is made when it is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Any

from lydite.errors import Finding, InputError, UsageError
from lydite.escaping import counted
from lydite.explanation.budget import BudgetEffort, budget, budget_effort
from lydite.explanation.confusions import count_confusions
from lydite.explanation.passes import Inputs
from lydite.facade.choosing import Request, choice_from_keywords
from lydite.facade.sides import Given, read_sides
from lydite.facade.summaries import rename_systems
from lydite.keyword_arguments import check_keywords
from lydite.model import Corpus, Summary
from lydite.model.summary import frames_of
from lydite.model.verdict import Budget, ConfusionMatrix, Verdict, VerdictDocument
from lydite.parallel import Progress
from lydite.pipeline.running import run
from lydite.profile import AnyProfile
from lydite.tasks import TASKS

if TYPE_CHECKING:
    import pandas as pd

SCHEMA = "lydite.explanation/1"


class Explanation:
    """Why a system has the headline that it has.

    ``budget`` is None where it was switched off, where it was not asked for and would take long, or where the task has
    none for this headline.  ``verdicts`` can be iterated any number of times; they are made anew each time.
    """

    def __init__(
        self,
        inputs: Inputs[Any, Any],
        summary: Summary,
        *,
        with_budget: bool | None = None,
        seconds: float = 0.0,
    ) -> None:
        self.inputs = inputs
        """The two sides and the settings."""
        self.summary = summary
        """The scores."""
        self._with_budget, self._seconds = with_budget, seconds
        self.progress: Progress | None = None
        """Called with how far budget and verdicts are."""
        self.measurement: str | None = None
        """The measurement of the verdicts, if not the headline's; budget and confusions are always the headline's."""

    def __getstate__(self) -> dict[str, object]:
        """Both sides in full, since files may not be there where this is unpickled; the task by its name."""
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
        """The findings from reading and comparing both sides."""
        return self.summary.findings

    @property
    def headline(self) -> dict[str, object]:
        """The name and value of the figure that is explained."""
        return {**self.summary.headline, "value": self.value}

    @property
    def value(self) -> float | None:
        """The figure that is explained."""
        return self.summary.headline_score()

    @cached_property
    def budget_effort(self) -> BudgetEffort:
        """The work that the budget takes."""
        return budget_effort(self.inputs)

    @property
    def budget_seconds(self) -> float:
        """About how many seconds the budget takes, estimated from the time of scoring."""
        return self._seconds * self.budget_effort.scorings / max(1, self.budget_effort.units)

    @cached_property
    def budget(self) -> Budget | None:
        """The error budget."""
        if self._with_budget is False or not self._has_faults:
            return None
        if self._with_budget is None and not self.budget_effort.is_quick:
            return None
        return budget(self.inputs, self.progress)

    @property
    def _has_faults(self) -> bool:
        return bool(self.inputs.explainer.faults(self.inputs.settings))

    @property
    def why_no_budget(self) -> str:
        """Why there is no budget although it was not switched off."""
        if self._has_faults:
            return (
                f"it takes {counted(self.budget_effort.scorings, 'scoring')} of documents; --budget gives it"
            )
        return f"task {self.summary.task} has none for {self.summary.headline['measurement']}"

    @property
    def verdicts(self) -> Iterator[Verdict]:
        """A verdict for every item."""
        other = None if self.measurement == self.summary.headline["measurement"] else self.measurement
        return self.inputs.verdicts(self.progress, measurement=other)

    def verdict_documents(self) -> Iterator[VerdictDocument]:
        """The verdicts in the form of the explanation document."""
        return (verdict.to_dict() for verdict in self.verdicts)

    def confusion(self, attribute: str) -> ConfusionMatrix:
        """The confusion matrix of an attribute."""
        return count_confusions(self.inputs, [attribute])[attribute]

    def confusions(self, attributes: Iterable[str] | None = None) -> dict[str, ConfusionMatrix]:
        """The confusion matrices of these attributes, or of all that the task has."""
        return count_confusions(
            self.inputs, self.inputs.explainer.confusions if attributes is None else attributes
        )

    def why(self, item: str) -> str:
        """What became of an item, by its id on either side: one sentence for each item of that id."""
        verdicts = [verdict for verdict in self.verdicts if verdict.id == item]
        if not verdicts:
            raise UsageError(f"no item {item!r} on either side")
        return "\n".join(f"{one.document}, {one.side} {one.id}: {one.cause}: {one.why}" for one in verdicts)

    def _repr_html_(self) -> str:
        """The small version for notebooks: the headline, and the error budget where there is one."""
        from lydite.explanation.text import budget_table
        from lydite.report.tables import Table, headline_name, html_table, percent

        lead = self.summary.headline
        title = f"{self.system}: {headline_name(lead)} {lead['figure']} {percent(self.value)}"
        table = Table("", (), ()) if self.budget is None else budget_table({self.system: self.budget})
        return html_table(table._replace(title=title))

    def to_pandas(self) -> pd.DataFrame:
        """The verdicts, one row each, with the ids of their rivals."""
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
    request: Request, read: Sequence[Corpus], *, budget: bool | None = None, progress: Progress | None = None
) -> list[Explanation]:
    """Score systems together and explain each; ``read`` are the corpora, gold first."""
    gold, *systems = read
    task = request.task
    begin = perf_counter()
    try:
        profile = _joint_profile(request, gold, systems)
        summary = run(task, gold, systems, profile, progress=progress)
    except InputError as error:
        error.notes = request.notes
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


def _joint_profile(request: Request, gold: Corpus, systems: Sequence[Corpus]) -> AnyProfile:
    """The profile with the settings that all systems decide together and that one of them alone would not have."""
    decide = request.task.reading.decide
    if len(systems) == 1:
        return request.profile
    alone = [decide(request.profile, [gold, system]) for system in systems]
    together = decide(request.profile, [gold, *systems])
    return request.profile.replace(
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
