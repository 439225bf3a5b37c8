"""The one path from files to a summary: read → check → compare → measure → summarise → report.

A task is a declaration (:class:`Task`); :func:`run` walks every task along the same path.  Documents are the outer
loop and systems the inner one, so that gold is read once however many systems are scored, and nothing is held but
the document at hand and the running averages.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Literal, cast

from lydite.errors import Finding, InvalidInput, Severity, errors_among
from lydite.formats import FORMATS, formats_of
from lydite.formats.base import ALL_LAYERS
from lydite.frozen import FrozenDict, frozen
from lydite.memory import forget_files, without_garbage_collection
from lydite.model import Corpus, Document, DocumentPair, Figures, Input, PlainSummary, Score, ScoreRow, Tally
from lydite.model.document import InnerFacts
from lydite.model.tally import Counts
from lydite.parallel import Progress as Progress
from lydite.pipeline.gathering import EVERY_BREAKDOWN as EVERY_BREAKDOWN
from lydite.pipeline.gathering import Gathered as Gathered
from lydite.pipeline.gathering import Measured as Measured
from lydite.pipeline.gathering import measured
from lydite.pipeline.settings import C as C
from lydite.pipeline.settings import S as S
from lydite.pipeline.settings import TaskSettings as TaskSettings
from lydite.pipeline.sides import NO_COMMON_DOCUMENT, Side, Sides
from lydite.pipeline.sides import content_digest as content_digest
from lydite.pipeline.sides import content_of as content_of
from lydite.pipeline.sides import documents_of as documents_of
from lydite.pipeline.sides import hash_of_content as hash_of_content
from lydite.pipeline.sides import in_official_order as in_official_order
from lydite.pipeline.sides import in_order as in_order
from lydite.pipeline.sides import refuse_errors as refuse_errors
from lydite.pipeline.signature import MOST_SIGNED as MOST_SIGNED
from lydite.pipeline.signature import signature as signature
from lydite.pipeline.signature import signed_inputs as signed_inputs
from lydite.profile import Profile, load_profile, show_value
from lydite.records import NamedTuple
from lydite.registry import load
from lydite.results.averages import Average
from lydite.version import __version__

if TYPE_CHECKING:
    from _typeshed import SupportsRichComparison

    from lydite.model.verdict import Explainer
    from lydite.pipeline.blocks import Spread
    from lydite.spool import Spool

MICRO = Average("micro")


class Measurement(NamedTuple, Generic[C]):
    """One line of a report: a metric over the pairs of a comparison, and how documents are averaged.

    ``measure`` turns what ``Task.compare`` made of a document pair into counts; None leaves the document out.
    ``breakdowns`` do the same for the parts of a document: ``{"type": comparison -> (type, counts) pairs}``; a part is
    averaged by ``part_average``, called by ``part_name`` and put in order by ``part_order``, which both see the value
    and the counts of the whole corpus.
    """

    name: str
    metric: str
    measure: Callable[[C], Figures | None]
    averages: tuple[Average, ...] = (MICRO,)
    breakdowns: Mapping[str, Callable[[C], Iterable[tuple[str, Figures]]]] = MappingProxyType({})
    part_average: Average = MICRO
    part_name: Callable[[str, Figures], str] = lambda value, _figures: value
    part_order: Callable[[str, Figures], SupportsRichComparison] = lambda value, _figures: value
    document_score: Callable[[Figures], Score] | None = None
    """How a document by itself is scored, where that differs from a corpus of one document."""
    nothing: Figures | None = None
    """The micro counts of a corpus without documents, where they are no plain tally; adding them changes nothing."""
    part_nothing: Mapping[str, Figures] = MappingProxyType({})
    """The same for the parts of a breakdown, where their counts are others than those of the whole."""
    needs_documents: bool = False
    """Whether a corpus of which no document was compared has no such line, rather than one of zeros."""

    def restored(self, tally: Counts) -> Figures:
        """The counts behind the tally of a document's row."""
        return (Tally() if self.nothing is None else self.nothing).restored(tally)


RowKey = tuple[str, str, str | None]
"""Measurement, metric and average of a corpus row."""


class Derived(NamedTuple):
    """A corpus row that is made from other corpus rows: a product of figures, for instance.

    ``make`` gets the rows of ``sources``, in that order; their figures and counts may be arrays, one entry for each
    of many resampled corpora.  ``applies`` says whether a system asks for such a row: then all systems have it.
    """

    measurement: str
    metric: str
    average: str
    sources: tuple[RowKey, ...]
    make: Callable[[Sequence[ScoreRow]], tuple[Score, Counts]]
    applies: Callable[[Sequence[ScoreRow]], bool] = lambda _rows: True

    @property
    def key(self) -> RowKey:
        """What the row is called."""
        return self.measurement, self.metric, self.average

    def sources_in(self, totals: Iterable[ScoreRow]) -> list[ScoreRow]:
        """The rows of the sources; none if one of them is not there."""
        known = {(row.measurement, row.metric, row.average): row for row in totals}
        return [known[key] for key in self.sources] if known.keys() >= set(self.sources) else []

    def made(self, rows: Sequence[ScoreRow]) -> ScoreRow:
        """The row that follows from those of the sources."""
        score, tally = self.make(rows)
        return ScoreRow(rows[0].system, self.measurement, self.metric, self.average, score, frozen(tally))


class Headline(NamedTuple):
    """The campaign's ranking figure: it is marked in reports, orders tables and is what ``--fail-under`` means."""

    measurement: str
    metric: str
    average: str = "micro"
    figure: str = "f1"


class Checks(NamedTuple, Generic[S, C]):
    """What is looked at before and while a task scores: one table, functions by what they look at.

    A finding carries the severity that its check gives it; ``severity`` says what it is under the settings, and
    ``severity_unscored`` what becomes of that in a document that is read but not scored.
    """

    document: tuple[Callable[[Document, str, S], Iterable[Finding]], ...] = ()
    """One document of one side (``gold`` or ``system``), as it was read."""
    submission: tuple[Callable[[Corpus, str, S], Iterable[Finding]], ...] = ()
    """A side as a whole, where only validation asks: documents that lack a file, for instance."""
    sound: tuple[Callable[[Corpus, str, S], Iterable[Finding]], ...] = ()
    """A side as a whole in which no error was found, where only validation asks."""
    corpus: tuple[Callable[[Corpus, str, S], Iterable[Finding]], ...] = ()
    """A side as a whole: ids that documents share, for instance."""
    corpora: tuple[Callable[[Corpus, Corpus, S], Iterable[Finding]], ...] = ()
    """Gold and a system as wholes."""
    pair: tuple[Callable[[DocumentPair, S], Iterable[Finding]], ...] = ()
    """The two sides of a prepared document."""
    comparison: tuple[Callable[[C, S], Iterable[Finding]], ...] = ()
    """A comparison: ties, for instance."""
    findings: tuple[Callable[[Sequence[Finding], S], Iterable[Finding]], ...] = ()
    """The findings of one side, or of all its pairs, taken together: too many of one kind, for instance."""
    severity: Callable[[Finding, S], Severity] = lambda finding, _settings: finding.severity
    severity_unscored: Callable[[Finding, S], Severity] = lambda finding, _settings: finding.severity


class Confidence(NamedTuple):
    """How sure a system is of its items: the confidences of a document, and the document without those below one."""

    of: Callable[[Document], Iterable[float | None]]
    cut: Callable[[Document, float], Document]


class ComparedDocument(NamedTuple, Generic[C]):
    """A document of a system, compared with gold; ``pair`` is what was compared, where documents are by themselves."""

    system: int
    doc_id: str
    comparison: C
    pair: DocumentPair | None = None


class Plan(NamedTuple):
    """The documents that are compared, in their order, and those of each system among them."""

    order: Sequence[str]
    of_systems: Sequence[Collection[str]]


class PerDocument(NamedTuple, Generic[S, C]):
    """Document by document, every system: gold is read and prepared once however many systems there are.

    ``prepare`` gives a document as the settings see it: words made invisible, types filtered.  ``pair_documents``
    names the documents that are compared, in any order: the documents of gold themselves, where it is all of them.
    """

    compare: Callable[[DocumentPair, S], C]
    prepare: Callable[[Document, S], Document] = lambda document, _settings: document
    pair_documents: Callable[[Corpus, Corpus, S], Collection[str]] = lambda gold, _system, _settings: (
        gold.documents
    )

    def __call__(self, sides: Sides[S, C], settings: S) -> Iterator[ComparedDocument[C]]:
        """Every document of every system, compared."""
        return self.compared(sides, settings, self.plan(sides, settings))

    def plan(self, sides: Sides[S, C], settings: S) -> Plan:
        """Which documents are compared, and in which order."""
        gold = sides.gold.corpus
        plans = [_looked_up(self.pair_documents(gold, side.corpus, settings)) for side in sides.systems]
        is_one = all(plan is plans[0] for plan in plans)
        return Plan(in_official_order(plans[0] if is_one else frozenset().union(*plans)), plans)

    def compared(self, sides: Sides[S, C], settings: S, plan: Plan) -> Iterator[ComparedDocument[C]]:
        """The documents of a plan, compared."""
        for done, doc_id in enumerate(plan.order, 1):
            gold_document = self.prepare(sides.gold.load(doc_id), settings)
            for position, (paired, side) in enumerate(zip(plan.of_systems, sides.systems, strict=True)):
                if doc_id in paired:
                    pair = DocumentPair(doc_id, gold_document, self.prepare(side.load(doc_id), settings))
                    yield ComparedDocument(position, doc_id, self.compare(pair, settings), pair)
            sides.progress(done, len(plan.order))


def _looked_up(doc_ids: Collection[str]) -> Collection[str]:
    """The ids as what tells at once whether one is among them."""
    return doc_ids if isinstance(doc_ids, Mapping) else frozenset(doc_ids)


Documents = Mapping[str, Document]


class Apart(NamedTuple, Generic[S, C]):
    """How documents are taken apart where nothing joins them, by a task that joins items across documents.

    Whether nothing does is known only when all of them were read: blocks say by which ``names`` their items could be
    joined, and what was ``found`` in them; if a name stands in two blocks, or if something else was found than the
    readers ``expect``, the documents are compared together after all.
    """

    together: Callable[[S], str | None]
    """Why the documents belong together under the settings, whatever is in them; None if they may be taken apart."""
    names: Callable[[Document], Iterable[str]]
    expect: Callable[[Corpus, Corpus, S], frozenset[tuple[str, str]]]
    """What gold and system have, as far as it shows in single documents."""
    found: Callable[[C], frozenset[tuple[str, str]]]
    compare: Callable[[Documents, Documents, S, frozenset[tuple[str, str]]], Iterable[tuple[str, C]]]
    """Compares some of the documents, where all of them have what is expected."""
    outline: Callable[[Document], Document]
    """As much of a document as the checks of gold and system together look at."""


class WholeCorpora(NamedTuple, Generic[S, C]):
    """System by system, all documents together, where items are joined across documents.

    Elements can only be joined where both sides are sound: everything is read and checked first.
    """

    compare: Callable[[Documents, Documents, S], Iterable[tuple[str, C]]]
    apart: Apart[S, C] | None = None

    def __call__(self, sides: Sides[S, C], settings: S) -> Iterator[ComparedDocument[C]]:
        """Every document of every system, compared."""
        sides.refuse_unsound()
        gold = sides.gold.corpus.documents
        for position, side in enumerate(sides.systems):
            with without_garbage_collection():
                for doc_id, comparison in self.compare(by_id(gold), by_id(side.corpus.documents), settings):
                    yield ComparedDocument(position, doc_id, comparison)
            sides.progress(position + 1, len(sides.systems))

    def plan(self, sides: Sides[S, C], _settings: S) -> Plan:
        """The documents of gold, where they are compared by themselves."""
        gold = sorted(sides.gold.corpus.documents)
        return Plan(gold, [frozenset(gold).intersection(side.corpus.documents) for side in sides.systems])


def by_id(documents: Documents) -> dict[str, Document]:
    """The documents in the order of their ids."""
    return {doc_id: documents[doc_id] for doc_id in sorted(documents)}


Compare = PerDocument[S, C] | WholeCorpora[S, C]
"""The comparing stage of a task."""


def every_character(folder: str, doc_id: str, _settings: object) -> str | None:
    """The source text of a task whose offsets count everything: tags, each sign of a line end, a byte-order mark."""
    from lydite.formats.texts import source_text

    return source_text(folder, doc_id)


class Reading(NamedTuple, Generic[S]):
    """What files decide for a task, and what becomes of corpora before they are compared."""

    also_from: tuple[str, ...] = ()
    """Layers of other tasks that it makes its own of, in files whose format is named."""
    choose_format: Callable[[S, str], str | None] = lambda _settings, _path: None
    """The format that the settings and the path decide, None to recognise it from the files."""
    infer_profile: Callable[[Sequence[Corpus]], tuple[str, str] | None] = lambda _corpora: None
    """The profile that the files ask for, and why."""
    decide: Callable[[Profile[S], Sequence[Corpus]], Mapping[str, object]] = lambda _profile, _corpora: {}
    """The settings that the input decides (the unit of spans, for instance); refuses what cannot be compared."""
    refuse_annotators: Callable[[Profile[S]], None] = lambda _profile: None
    """Refuses a profile under which two annotators cannot be compared."""
    source_text: Callable[[str, str, S], str | None] = every_character
    """The text of a document in a folder of source texts, as offsets of the task count it; None if it is not there."""
    convert: Callable[[Corpus, S], Corpus] = lambda corpus, _settings: corpus
    """A corpus as it is written in another format: names mapped, for instance."""
    match_documents: Callable[[Corpus, Sequence[Corpus], S], tuple[Corpus, Sequence[Corpus]]] = (
        lambda gold, systems, _settings: (gold, systems)
    )
    """Gold and systems under the ids by which their documents belong together."""
    content: Callable[[Document, S], Iterable[str]] = content_of
    """What a document says under the settings, in a normal form: it is hashed for the signature."""
    condense: Condense[S] = lambda gold, systems, profile, detail: (gold, systems, profile, detail)
    """Replaces corpora that are too large to be read as documents by counts over them, and drops the detail that these lack."""


class Diagnosis(NamedTuple, Generic[C]):
    """What documents show beside their scores: pairs, missed and spurious items."""

    of_document: Callable[[C], Mapping[str, object]]
    for_layout: Callable[[C], Mapping[str, object]] | None = None
    """As much of it as the official layout needs; all of it if there is no such function."""
    join: Callable[[Sequence[Mapping[str, object]]], Sequence[Mapping[str, object]]] = lambda documents: (
        documents
    )
    """The diagnoses of all documents of a system, under names that they share."""


class SamplingUnit(NamedTuple, Generic[C]):
    """What may be drawn again: documents, or what reaches across them."""

    kind: str = "document"
    """``document``, ``component`` (documents that clusters join) or ``element``."""
    split: Callable[[Sequence[Corpus], Callable[[str], str]], Sequence[Corpus]] | None = None
    """Corpora of one document, gold first, with a document for each component."""
    elements: Callable[[C], Iterable[tuple[str, bool, C]]] = lambda _comparison: ()
    """The elements of a comparison by id, whether gold has them, each as a comparison of its own."""
    joined: Callable[[Corpus], Sequence[str]] = lambda _corpus: ()
    """Ids that join units of a corpus, where documents are drawn all the same."""


class Task(NamedTuple, Generic[S, C]):
    """What is evaluated: a declaration of typed stages.

    ``settings`` is the record of what can be set, ``checks`` the table of what is looked at, ``compare`` the stage
    that aligns gold and systems, ``measurements`` the metrics over what it yields, under the settings.  ``layers``
    are those that are scored; relations belong to mentions.  What has a default here, or in the records, most tasks
    do alike.
    """

    name: str
    title: str
    layers: tuple[str, ...]
    default_profile: str
    settings: type[S]
    headline: Callable[[S], Headline]
    measurements: Callable[[S], Sequence[Measurement[C]]]
    compare: Compare[S, C]
    standing: Callable[[C, S], Iterable[tuple[str, bool]]]
    """The gold items of a document by an id of their own, and whether each gets full credit under the headline."""
    diagnosis: Diagnosis[C]
    """What documents show beside their scores."""
    explained_at: str
    """Where that stands which explains the headline: ``"package.module:NAME"``."""
    checks: Checks[S, C] = Checks()
    reading: Reading[S] = Reading()
    """What files decide, and what becomes of corpora before they are compared."""
    derive: Callable[[S], Sequence[Derived]] = lambda _settings: ()
    """Rows that are made from other corpus rows: products, for instance."""
    confidence: Confidence | None = None
    """How sure systems are of their items, where the formats say it."""
    sampling_unit: Callable[[S], SamplingUnit[C]] = lambda _settings: SamplingUnit()
    """What may be drawn again under the settings."""
    judging: Literal["none", "pool", "queue"] = "none"
    """How people judge what systems found: arguments in a pool, what was found for targets in a queue, or not at all."""
    everything: tuple[tuple[str, object], ...] = ()
    """Settings under which all measurements are there, whatever the input holds."""
    cite: tuple[str, ...] = ()
    examples: tuple[tuple[str, str], ...] = ()
    """Commands of ``score`` that people begin with, after ``lydite score``, and what they are for."""

    def explainer(self) -> Explainer[S, C]:
        """What explains the headline: verdicts, mends, confusions; loaded when someone asks why."""
        return cast("Explainer[S, C]", load(self.explained_at))

    def profile(self, name: str | None = None) -> Profile[S]:
        """The profile of that name, or the one that counts where none is named."""
        return load_profile(self.name, self.default_profile if name is None else name, self.settings)

    @property
    def joins_items(self) -> bool:
        """Whether items are joined across documents, so that no document can be measured by itself."""
        return isinstance(self.compare, WholeCorpora)

    @property
    def formats(self) -> tuple[str, ...]:
        """The formats that say that they are for this task; what can hold anything comes last."""
        return tuple(sorted(formats_of(self.name), key=lambda name: ALL_LAYERS in FORMATS[name].layers))

    def shown_text(self, folder: str, doc_id: str, settings: S) -> str | None:
        """The source text of a document for people: readable, with every offset where the task counts it."""
        from lydite.formats.texts import as_shown

        text = self.reading.source_text(folder, doc_id, settings)
        return None if text is None else as_shown(text)

    def with_input(self, profile: Profile[S], corpora: Sequence[Corpus]) -> Profile[S]:
        """The profile with everything that the input decides."""
        return profile.resolved(self.reading.decide(profile, corpora))

    def settled(
        self, profile: Profile[S], gold: Corpus, systems: Sequence[Corpus]
    ) -> tuple[Profile[S], Corpus, Sequence[Corpus]]:
        """The same, and gold and systems under the ids by which their documents belong together."""
        resolved = self.with_input(profile, [gold, *systems])
        return resolved, *self.reading.match_documents(gold, systems, resolved.settings)


AnyTask = Task[Any, Any]
"""A task of a registry, whatever its settings and comparisons."""
AnySamplingUnit = SamplingUnit[Any]
"""What may be drawn again of whatever is compared."""
AnyMeasurement = Measurement[Any]
"""A measurement of a task that compares in several ways."""


class Detail(NamedTuple):
    """How much of a run its summary keeps beside the totals: breakdowns, the diagnosis, single items.

    ``by`` names the breakdowns: ``doc`` for documents, ``*`` for all others.
    """

    by: tuple[str, ...] = ()
    diagnosis: bool = False
    keep: type[list[Mapping[str, object]] | Spool] = list
    """What holds the diagnoses of documents: memory, or a temporary file."""
    for_layout: bool = False
    """Only what the official layout needs of the diagnosis."""
    standing: bool = False
    """Which gold items each system has right."""
    elements: bool = False
    """Rows of scope ``element``, where elements reach across documents."""
    parts: bool = False
    """Rows of the parts of every document (or element), for the breakdowns in ``by``."""


TOTALS = Detail()
"""The totals of the corpus and nothing else."""

Condense = Callable[
    [Corpus, Sequence[Corpus], Profile[S], Detail], tuple[Corpus, Sequence[Corpus], Profile[S], Detail]
]
"""What makes less of corpora before they are scored."""


def run(
    task: Task[S, C],
    gold: Corpus,
    systems: Sequence[Corpus],
    profile: Profile[S],
    *,
    detail: Detail = TOTALS,
    progress: Progress | None = None,
    spread: Spread | None = None,
) -> PlainSummary:
    """The only way to a score.

    With ``spread`` others measure blocks of documents, where documents can be taken apart; nothing else changes.
    Raises :class:`InvalidInput` with every error that was found, after all input was read, and
    :class:`NoCommonDocument` if a system is not empty and shares no document with gold.
    """
    forget_files()
    gold, systems, profile, detail = task.reading.condense(gold, systems, profile, detail)
    resolved, ours, theirs = task.settled(profile, gold, systems)
    settings = resolved.settings
    measurements = task.measurements(settings)
    gathered = [Gathered[S, C](system.name, measurements, detail) for system in theirs]
    sides = sides_of(task, ours, theirs, settings, progress)
    if spread is None:
        measure(task, settings, sides, gathered, task.compare(sides, settings))
    else:
        from lydite.pipeline.blocks import Common, read_in_full

        if not spread.measure(task, Common(task.name, gold, systems, resolved, detail), sides, gathered):
            gold, *systems = map(read_in_full, (gold, *systems))
            return run(task, gold, systems, profile, detail=detail, progress=progress)
    sides.complete()
    findings = sides.findings()
    refuse_errors(findings)
    inputs = (_input("gold", sides.gold), *(_input("system", side) for side in sides.systems))
    return summarise(task, resolved, inputs, gathered, findings)


def sides_of(
    task: Task[S, C], gold: Corpus, systems: Sequence[Corpus], settings: S, progress: Progress | None = None
) -> Sides[S, C]:
    """Gold and systems, as they stream by."""
    of_systems = [Side(system, "system", task, settings) for system in systems]
    return Sides(Side(gold, "gold", task, settings), of_systems, progress)


def measure(
    task: Task[S, C],
    settings: S,
    sides: Sides[S, C],
    gathered: Sequence[Gathered[S, C]],
    comparisons: Iterable[ComparedDocument[C]],
) -> None:
    """Check and measure every comparison, and gather what comes out."""
    for position, doc_id, comparison, _ in _checked(task, sides, settings, comparisons):
        gathered[position].take(task, settings, doc_id, comparison)


def _checked(
    task: Task[S, C], sides: Sides[S, C], settings: S, comparisons: Iterable[ComparedDocument[C]]
) -> Iterator[ComparedDocument[C]]:
    """Everything that is compared, looked at by the checks on its way."""
    for compared in comparisons:
        side = sides.systems[compared.system]
        if compared.pair is not None:
            for check_pair in task.checks.pair:
                side.compared.extend(check_pair(compared.pair, settings))
        for check_comparison in task.checks.comparison:
            side.compared.extend(check_comparison(compared.comparison, settings))
        yield compared


NOT_MEASURED = Measured((), ())
"""What is kept of a document that is not compared: it is content all the same."""


class Counted(NamedTuple):
    """One document of a running metric: the digests of both sides and what was measured, all that is kept of it."""

    gold: int
    system: int
    measured: Measured


def count_documents(
    task: Task[S, C],
    gold: Corpus,
    system: Corpus,
    profile: Profile[S],
    *,
    measurements: Sequence[Measurement[C]],
    by: Collection[str] = (),
) -> tuple[dict[str, Counted], list[Finding]]:
    """The documents of one system, each measured by itself, and the findings; refuses what :func:`run` refuses.

    ``profile`` and ``measurements`` are settled already.  To gather the documents of all calls in the order of their
    ids gives what one run over them gives.
    """
    settings = profile.settings
    sides = sides_of(task, gold, [system], settings)
    ours, theirs = sides.gold, sides.systems[0]
    ours.digests, theirs.digests = {}, {}
    found = {
        doc_id: measured(measurements, comparison, by)
        for _, doc_id, comparison, _ in _checked(task, sides, settings, task.compare(sides, settings))
    }
    sides.complete()
    findings = sides.findings()
    refuse_errors(findings)
    return {
        doc_id: Counted(
            ours.digests.get(doc_id, 0), theirs.digests.get(doc_id, 0), found.get(doc_id, NOT_MEASURED)
        )
        for doc_id in {**ours.digests, **theirs.digests}
    }, findings


def compared(
    task: Task[S, C], gold: Corpus, systems: Sequence[Corpus], profile: Profile[S]
) -> Iterator[ComparedDocument[C]]:
    """What :func:`run` measures: every document of every system, compared with gold, for who asks more than scores."""
    forget_files()
    profile, gold, systems = task.settled(profile, gold, systems)
    settings = profile.settings
    return task.compare(sides_of(task, gold, systems, settings), settings)


def check(
    task: Task[S, C],
    corpus: Corpus,
    profile: Profile[S],
    *,
    side: str = "system",
    progress: Progress | None = None,
) -> list[Finding]:
    """All findings of one corpus by itself, in the order of its lines: what ``validate`` reports."""
    forget_files()
    profile = task.with_input(profile, [corpus])
    reading = Side(corpus, side, task, profile.settings)
    reading.check_submission()
    reading.complete(progress)
    reading.check_sound()
    return in_order(reading.findings)


def check_against_gold(
    task: Task[S, C], gold: Corpus, submission: Corpus, profile: Profile[S]
) -> list[Finding]:
    """What a submission shows only beside gold; a gold file that could not be scored with is refused."""
    profile, gold, (submission,) = task.settled(profile, gold, [submission])
    reading = Side(gold, "gold", task, profile.settings)
    reading.complete()
    of_gold = in_order(reading.findings)
    if errors_among(of_gold):
        raise InvalidInput(of_gold)
    found = Side(submission, "system", task, profile.settings).against(gold)
    return [finding for finding in found if len(submission) or finding.code != NO_COMMON_DOCUMENT]


def summarise(
    task: Task[S, C],
    profile: Profile[S],
    inputs: tuple[Input, ...],
    gathered: Sequence[Gathered[S, C]],
    findings: Sequence[Finding],
) -> PlainSummary:
    """What was gathered, with everything needed to trust it."""
    totals = [system.totals() for system in gathered]
    derived = [
        one
        for one in task.derive(profile.settings)
        if any(sources and one.applies(sources) for sources in map(one.sources_in, totals))
    ]
    rows = tuple(
        row for system, own in zip(gathered, totals, strict=True) for row in system.rows(own, derived)
    )
    return PlainSummary(
        version=__version__,
        task=task.name,
        profile=profile.name,
        signature=signature(task.name, profile, inputs),
        settings=frozen(profile.values),
        inputs=inputs,
        rows=rows,
        diagnosis=_diagnosis(task, gathered),
        findings=tuple(findings),
        headline=FrozenDict(task.headline(profile.settings)._asdict()),
        departures=tuple(f"{name}={show_value(value)}" for name, value in profile.departures().items()),
    )


def _diagnosis(task: Task[S, C], gathered: Sequence[Gathered[S, C]]) -> Mapping[str, object]:
    kept: dict[str, Sequence[Sequence[Mapping[str, object]]]] = {
        "documents": [task.diagnosis.join(one.diagnoses) for one in gathered if one.detail.diagnosis],
        "standing": [one.standing for one in gathered if one.detail.standing],
    }
    if not any(kept.values()):
        return FrozenDict()
    from lydite.spool import in_turn

    return FrozenDict({name: in_turn(of_systems) for name, of_systems in kept.items() if of_systems})


def _input(role: str, side: Side[S, C]) -> Input:
    corpus = side.corpus
    told = {name: fact for name, fact in corpus.facts.items() if name not in InnerFacts.__annotations__}
    return Input(
        role=role,
        name=corpus.name,
        path=corpus.path,
        sha256=corpus.sha256,
        documents=corpus.facts.get("documents", len(corpus)),
        content=side.content_hash,
        facts=frozen({"format": corpus.format, **told}),
    )
