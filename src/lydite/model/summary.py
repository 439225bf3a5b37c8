"""The summary of a run: tidy rows of one shape for every task, with everything needed to trust them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, Self, cast

from lydite.errors import Finding, UsageError
from lydite.escaping import counted
from lydite.frozen import FrozenDict, frozen
from lydite.model.plain import plain
from lydite.model.tally import Score
from lydite.registry import near_or_known

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

SCHEMA = "lydite.summary/1"
COUNTS = "counts"
"""The metric of rows that only have counts: each has a line of its own, outside the tables of scores."""
ALL_ITEMS: Mapping[str, str] = FrozenDict()
"""The ``by`` of a row that is over all items."""
NO_INTERVALS: Mapping[str, tuple[float, float]] = FrozenDict()
"""The ``interval`` of a row if intervals were not asked for."""


class ScoreRow(NamedTuple):
    """One line of a summary: what was measured, over what, and the figures (fractions of one, None = undefined).

    ``scope`` is ``corpus``, ``document``, ``topic`` ...; ``by`` narrows the row to a part of the items, as in
    ``{"type": "Conflict.Attack"}``; ``tally`` are the additive counts behind the figures.
    """

    system: str
    measurement: str
    metric: str
    average: str | None
    score: Score
    tally: Mapping[str, object]
    scope: str = "corpus"
    document: str | None = None
    by: Mapping[str, str] = ALL_ITEMS
    interval: Mapping[str, tuple[float, float]] | None = NO_INTERVALS
    """The two ends of the interval of each figure of the row; None where there were no units to draw from."""

    @property
    def counts(self) -> dict[str, float]:
        """The numbers of the tally: without exact fractions (texts), and without the tallies inside that of a mean.

        Of resampled rows a count is an array of numbers.
        """
        counts = {name: count for name, count in self.tally.items() if not isinstance(count, str | Mapping)}
        return cast("dict[str, float]", counts)

    def to_dict(self) -> dict[str, object]:
        """The row in the summary document; with ``interval`` if that was asked for."""
        ends = self.interval
        interval = {"interval": None if ends is None else {name: list(pair) for name, pair in ends.items()}}
        return {
            "system": self.system,
            "scope": self.scope,
            "document": self.document,
            "by": dict(self.by),
            "measurement": self.measurement,
            "metric": self.metric,
            "average": self.average,
            **self.score._asdict(),
            **({} if ends == NO_INTERVALS else interval),
            "tally": {
                name: dict(count) if isinstance(count, dict) else count for name, count in self.tally.items()
            },
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ScoreRow:
        """The inverse of :meth:`to_dict`."""
        return cls(
            system=data["system"],
            measurement=data["measurement"],
            metric=data["metric"],
            average=data["average"],
            score=Score(data["precision"], data["recall"], data["f1"], data["value"]),
            tally=frozen(data["tally"]),
            scope=data["scope"],
            document=data["document"],
            by=frozen(data["by"]),
            interval=_ends(data["interval"]) if "interval" in data else NO_INTERVALS,
        )


def _ends(data: Mapping[str, Sequence[float]] | None) -> Mapping[str, tuple[float, float]] | None:
    return None if data is None else FrozenDict({name: (low, high) for name, (low, high) in data.items()})


class Input(NamedTuple):
    """One input of a run: its role (``gold``, ``system``, ``tokens`` ...), path, hashes and facts about its content."""

    role: str
    name: str
    path: str
    sha256: str
    documents: int
    content: str
    """The hash of the normalised content, which the signature has."""
    facts: Mapping[str, object]

    def to_dict(self) -> dict[str, object]:
        """The input in the summary document."""
        from copy import deepcopy

        fields = self._asdict()
        facts = deepcopy(fields.pop("facts"))
        return {**fields, **facts}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Input:
        """The inverse of :meth:`to_dict`."""
        *names, _ = cls._fields
        facts = {key: value for key, value in data.items() if key not in names}
        return cls(**{name: data[name] for name in names}, facts=frozen(facts))


class MeasurementView:
    """The corpus rows of one measurement of one system: ``view.micro.f1``, ``view["b-cubed"].f1``."""

    __slots__ = ("name", "rows")

    def __init__(self, name: str, rows: tuple[ScoreRow, ...]) -> None:
        self.name, self.rows = name, rows

    @property
    def micro(self) -> Score:
        """Over all items of the corpus."""
        return self._average("micro")

    @property
    def macro(self) -> Score:
        """The mean over documents."""
        return self._average("macro")

    def __getitem__(self, metric: str) -> Score:
        """The score of a metric, micro where there are several averages."""
        rows = [row for row in self.rows if row.metric == metric]
        if not rows:
            known = ", ".join(sorted({row.metric for row in self.rows}))
            raise UsageError(f"measurement {self.name!r} has no metric {metric!r}", hint=f"known: {known}")
        return next((row.score for row in rows if row.average == "micro"), rows[0].score)

    def _average(self, average: str) -> Score:
        for row in self.rows:
            if row.average == average:
                return row.score
        raise UsageError(f"measurement {self.name!r} has no {average} average")


@dataclass(frozen=True, slots=True, repr=False)
class Summary:
    """Corpus results of one or more systems, with profile, signature, inputs and findings.

    ``summary["type"].micro.f1`` reads a figure of the only system; ``summary.system("alder")["type"]`` picks one of
    several.  ``summary.by("type")`` keeps the rows broken down by an attribute.  Immutable and picklable;
    :meth:`to_dict` and :meth:`from_dict` round-trip through JSON.  ``print`` shows the table of the command line, a
    notebook shows it in HTML, :meth:`show` opens a page.
    """

    version: str
    task: str
    profile: str
    signature: str
    settings: Mapping[str, object]
    inputs: tuple[Input, ...]
    rows: tuple[ScoreRow, ...]
    diagnosis: Mapping[str, Any] = field(default_factory=FrozenDict)
    """The entries of the task about each document, by name; :mod:`lydite.model.diagnosis` has the shapes."""
    findings: tuple[Finding, ...] = ()
    headline: Mapping[str, str] = field(default_factory=FrozenDict)
    departures: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """One line: what was scored, and the headline of every system, or of the first few."""
        name = "/".join(self.headline.get(part, "") for part in ("measurement", "metric", "figure"))
        scores = [(system, self.headline_score(system)) for system in self.systems[:3]]
        shown = [f"{system} {'undefined' if score is None else f'{score:.4f}'}" for system, score in scores]
        more = ", …" if len(self.systems) > 3 else ""
        figures = f", {name}: {', '.join(shown)}{more}" if shown else ""
        return f"Summary({self.task}, {self.profile}, {counted(len(self.rows), 'row')}{figures})"

    def __str__(self) -> str:
        from lydite.report.tables import heading, overview, signature_line
        from lydite.report.text import plain_text

        return f"{heading(self)}\n\n{plain_text(overview(self))}\n\n{signature_line(self.signature, 'text')}"

    def _repr_html_(self) -> str:
        from lydite.report.tables import html_table, overview

        return html_table(overview(self)) + f"<p><code>{self.signature}</code></p>"

    def show(self, path: str | os.PathLike[str] | None = None) -> str:
        """Write the page of this summary (to a temporary file, if no path is given) and open it in a browser.

        It has what the summary has: scores and breakdowns.  ``lydite report`` adds intervals, errors and texts; the page
        names the command.
        """
        import tempfile
        import webbrowser
        from pathlib import Path

        from lydite.report.page.build import page
        from lydite.report.page.material import PageMaterial
        from lydite.writing import write_file

        if path is None:
            path = Path(tempfile.mkdtemp(prefix="lydite-")) / "page.html"
        absent = dict.fromkeys(("budget", "confusion", "curves", "differences"), _report_hint(self))
        write_file(path, page(PageMaterial(self, absent=absent)))
        webbrowser.open(Path(path).absolute().as_uri())
        return os.fspath(path)

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems, in the order in which they were given."""
        return tuple(dict.fromkeys(row.system for row in self.rows))

    @property
    def measurements(self) -> tuple[str, ...]:
        """The names of the measurements, in the order of the task."""
        return tuple(dict.fromkeys(row.measurement for row in self.rows))

    def __getitem__(self, measurement: str) -> MeasurementView:
        """The corpus rows of a measurement; with several systems, choose one with :meth:`system` first."""
        self._refuse_several()
        rows = tuple(row for row in self.corpus_rows() if row.measurement == measurement)
        if not rows:
            hint = near_or_known(measurement, self.measurements)
            raise UsageError(f"no measurement {measurement!r}", hint=hint)
        return MeasurementView(measurement, rows)

    def _refuse_several(self) -> None:
        if len(self.systems) > 1:
            raise UsageError(
                "this summary holds several systems", hint=f"choose one: summary.system({self.systems[0]!r})"
            )

    def __iter__(self) -> Iterator[ScoreRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def system(self, name: str) -> Self:
        """The rows of one system."""
        if name not in self.systems:
            raise UsageError(f"no system {name!r} in this summary", hint=near_or_known(name, self.systems))
        return self.keep(lambda row: row.system == name)

    def by(self, attribute: str) -> Self:
        """The rows broken down by an attribute (``type``), or by document with ``doc``; refused if there are none."""
        documents = ["doc", "document"] if self.rows_by("doc") else []
        parts = dict.fromkeys(name for row in self.rows if row.scope == "corpus" for name in row.by)
        if attribute not in [*documents, *parts]:
            hint = near_or_known(attribute, [*documents, *parts])
            raise UsageError(f"nothing in this summary is broken down by {attribute!r}", hint=hint)
        return replace(self, rows=self.rows_by(attribute))

    def rows_by(self, attribute: str) -> tuple[ScoreRow, ...]:
        """The rows broken down by an attribute or by document; there may be none."""
        if attribute in {"doc", "document"}:
            return tuple(row for row in self.rows if row.scope == "document" and not row.by)
        return tuple(row for row in self.rows if row.scope == "corpus" and attribute in row.by)

    def parts(self, attribute: str) -> tuple[ScoreRow, ...]:
        """The rows of the headline by an attribute: of its measurement and metric, or of the first that has such rows.

        A mean of metrics has none of its own, nor has a figure that is made from several measurements.
        """
        rows = self.rows_by(attribute)
        for name in ("measurement", "metric"):
            known, value = [getattr(row, name) for row in rows], self.headline[name]
            chosen = value if value in known else next(iter(known), None)
            rows = tuple(row for row in rows if getattr(row, name) == chosen)
        return rows

    def corpus_rows(self) -> tuple[ScoreRow, ...]:
        """The totals: rows over the whole corpus and all items."""
        return tuple(row for row in self.rows if row.scope == "corpus" and not row.by)

    def keep(self, wanted: Callable[[ScoreRow], bool]) -> Self:
        """The same summary with fewer rows."""
        return replace(self, rows=tuple(row for row in self.rows if wanted(row)))

    def headline_score(self, system: str | None = None) -> float | None:
        """The campaign's ranking figure of a system (the only one, if none is named)."""
        if system is not None:
            return self.system(system).headline_score()
        self._refuse_several()
        for row in self.corpus_rows():
            if is_headline(row, self.headline):
                figure: float | None = getattr(row.score, self.headline["figure"])
                return figure
        return None

    def head(self) -> dict[str, object]:
        """The summary document without scores, diagnosis and findings."""
        return {
            "schema": SCHEMA,
            "version": self.version,
            "task": self.task,
            "profile": self.profile,
            "signature": self.signature,
            "settings": plain(self.settings),
            "departures": list(self.departures),
            "headline": dict(self.headline),
            "inputs": [item.to_dict() for item in self.inputs],
        }

    def to_dict(self) -> dict[str, object]:
        """The summary document (schema ``lydite.summary/1``): nothing rounded, nothing in percent."""
        return self.head() | {
            "scores": [row.to_dict() for row in self.rows],
            "diagnosis": plain(self.diagnosis),
            "findings": [finding.to_dict() for finding in self.findings],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of :meth:`to_dict`."""
        schema = data.get("schema") if isinstance(data, Mapping) else data
        if schema != SCHEMA:
            raise UsageError(f"expected a document of schema {SCHEMA!r}, found {schema!r}")
        return cls(
            version=data["version"],
            task=data["task"],
            profile=data["profile"],
            signature=data["signature"],
            settings=frozen(data["settings"]),
            inputs=tuple(Input.from_dict(item) for item in data["inputs"]),
            rows=tuple(ScoreRow.from_dict(row) for row in data["scores"]),
            diagnosis=frozen(data["diagnosis"]),
            findings=tuple(Finding.from_dict(finding) for finding in data["findings"]),
            headline=frozen(data["headline"]),
            departures=tuple(data["departures"]),
        )

    def to_pandas(self) -> pd.DataFrame:
        """The rows as a pandas data frame, one column per figure, count and breakdown."""
        frame: pd.DataFrame = frames_of("pandas").DataFrame([flat_row(row) for row in self.rows])
        return frame

    def to_polars(self) -> pl.DataFrame:
        """The rows as a polars data frame."""
        rows = [flat_row(row) for row in self.rows]
        frame: pl.DataFrame = frames_of("polars").DataFrame(rows, infer_schema_length=None)
        return frame


def _report_hint(summary: Summary) -> str:
    """The text in place of the sections that scores alone cannot fill: the command that makes the full page."""
    import shlex

    paths = [item.path for item in summary.inputs]
    inputs = shlex.join([summary.task, *paths]) if all(paths) else f"{summary.task} GOLD SYSTEM …"
    options = " with the same options" if summary.departures else ""
    profile = shlex.quote(summary.profile)
    return f"This cannot be told from scores alone; lydite report {inputs} --profile {profile} -o page.html{options} shows it."


def frames_of(name: str) -> ModuleType:
    """Import a library of data frames; if it is not there, the error says what to install."""
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        raise UsageError(f"{name} is not installed", hint=f"pip install 'lydite[{name}]'") from None


def flat_row(row: ScoreRow) -> dict[str, object]:
    """A row without nesting: ``by.type``, ``tally.gold_total`` and so on."""
    flat: dict[str, object] = {}
    for key, value in row.to_dict().items():
        if key == "interval":
            ends = row.interval or {}
            flat.update({f"{name}.low": low for name, (low, _) in ends.items()})
            flat.update({f"{name}.high": high for name, (_, high) in ends.items()})
        else:
            flat.update(flat_counts({key: value}) if isinstance(value, dict) else {key: value})
    return flat


def flat_counts(counts: Mapping[str, object]) -> dict[str, object]:
    """Counts without nesting: those of the metrics in a mean become ``muc.gold_total`` and so on."""
    flat: dict[str, object] = {}
    for key, value in counts.items():
        if isinstance(value, Mapping):
            flat.update({f"{key}.{name}": item for name, item in flat_counts(value).items()})
        else:
            flat[key] = value
    return flat


def is_headline(row: ScoreRow, headline: Mapping[str, str]) -> bool:
    """Whether the row has the campaign's ranking figure."""
    return (
        row.measurement == headline.get("measurement")
        and row.metric == headline.get("metric")
        and (row.average or "") == headline.get("average", "")
    )
