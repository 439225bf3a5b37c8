"""The one path from files to a summary: read → check → compare → measure → summarise → report.

A task is a declaration (:class:`Task`); :func:`run` walks every task along the same path.  Documents are the outer
loop and systems the inner one, so that gold is read once however many systems are scored, and memory holds only the
current document and the running averages.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, cast

from lydite.align.windows import align_windows
from lydite.errors import Finding, InvalidInput, Severity, errors_among
from lydite.formats import FORMATS, formats_of
from lydite.formats.base import ALL_LAYERS
from lydite.frozen import FrozenDict, frozen
from lydite.memory import forget_files, without_garbage_collection
from lydite.model import Corpus, Document, DocumentPair, Figures, Input, PlainSummary, Score, ScoreRow, Tally
from lydite.model.document import InnerFacts
from lydite.model.outcome import Outcome
from lydite.model.tally import Counts
from lydite.parallel import Progress as Progress
from lydite.pipeline.gathering import EVERY_BREAKDOWN as EVERY_BREAKDOWN
from lydite.pipeline.gathering import Accumulator as Accumulator
from lydite.pipeline.gathering import DocumentFigures as DocumentFigures
from lydite.pipeline.gathering import measure_document
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
from lydite.registry import load
from lydite.results.averages import Average
from lydite.version import __version__

if TYPE_CHECKING:
    from _typeshed import SupportsRichComparison

    from lydite.model.verdict import Explainer
    from lydite.pipeline.blocks import BlockRunner
    from lydite.spool import Spool

MICRO = Average("micro")


class Measurement(NamedTuple, Generic[C]):
    """One line of a report: a metric over a comparison, and how documents are averaged.

    ``measure`` turns what ``Task.compare`` made of a document pair into counts; None leaves the document out.
    ``breakdowns`` do the same for the parts of a document: ``{"type": comparison -> (type, counts) pairs}``; a part is
    averaged by ``part_average``, named by ``part_name`` and sorted by ``part_order``, which both get the value and the
    counts of the whole corpus.
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
    """How one document is scored, where that differs from a corpus of one document."""
    nothing: Figures | None = None
    """The micro counts of a corpus without documents, unless they are a plain ``Tally``; adding them changes nothing."""
    part_nothing: Mapping[str, Figures] = MappingProxyType({})
    """The same for the parts of a breakdown, where these have other counts than the whole."""
    needs_documents: bool = False
    """Whether the line is missing, rather than full of zeros, if no document was compared."""

    def restored(self, tally: Counts) -> Figures:
        """The counts from which the tally of a document's row was made."""
        return (Tally() if self.nothing is None else self.nothing).restored(tally)


RowKey = tuple[str, str, str | None]
"""Measurement, metric and average of a corpus row."""


class Derived(NamedTuple):
    """A corpus row that is made from other corpus rows: a product of figures, for instance.

    ``make`` gets the rows of ``sources``, in that order; their figures and counts may be arrays, one entry for each
    of many resampled corpora.  If ``applies`` is true of the rows of one system, all systems have the derived row.
    """

    measurement: str
    metric: str
    average: str
    sources: tuple[RowKey, ...]
    make: Callable[[Sequence[ScoreRow]], tuple[Score, Counts]]
    applies: Callable[[Sequence[ScoreRow]], bool] = lambda _rows: True

    @property
    def key(self) -> RowKey:
        """The key of the row itself."""
        return self.measurement, self.metric, self.average

    def sources_in(self, totals: Iterable[ScoreRow]) -> list[ScoreRow]:
        """The rows of the sources; none of them if one is missing."""
        known = {(row.measurement, row.metric, row.average): row for row in totals}
        return [known[key] for key in self.sources] if known.keys() >= set(self.sources) else []

    def made(self, rows: Sequence[ScoreRow]) -> ScoreRow:
        """Make the row from those of the sources."""
        score, tally = self.make(rows)
        return ScoreRow(rows[0].system, self.measurement, self.metric, self.average, score, frozen(tally))


class Headline(NamedTuple):
    """The campaign's ranking figure: it is marked in reports, orders tables and is what ``--fail-under`` means."""

    measurement: str
    metric: str
    average: str = "micro"
    figure: str = "f1"


class Checks(NamedTuple, Generic[S, C]):
    """The checks of a task, by what they check.

    A check gives its findings a severity; ``severity`` changes it as the settings say, and ``severity_unscored``
    once more for a document that is read but not scored.
    """

    document: tuple[Callable[[Document, str, S], Iterable[Finding]], ...] = ()
    """One document of one side (``gold`` or ``system``), as it was read."""
    submission: tuple[Callable[[Corpus, str, S], Iterable[Finding]], ...] = ()
    """A side as a whole, in validation only: documents that lack a file, for instance."""
    sound: tuple[Callable[[Corpus, str, S], Iterable[Finding]], ...] = ()
    """A side as a whole without errors, in validation only."""
    corpus: tuple[Callable[[Corpus, str, S], Iterable[Finding]], ...] = ()
    """A side as a whole: ids that documents share, for instance."""
    corpora: tuple[Callable[[Corpus, Corpus, S], Iterable[Finding]], ...] = ()
    """Gold and a system as wholes."""
    pair: tuple[Callable[[DocumentPair, S], Iterable[Finding]], ...] = ()
    """The two sides of a prepared document."""
    comparison: tuple[Callable[[C, S], Iterable[Finding]], ...] = ()
    """A comparison: ties, for instance."""
    comparisons: tuple[Callable[[Corpus, Corpus, Sequence[Finding], S], Iterable[Finding]], ...] = ()
    """Gold and a system as wholes, with the findings of all comparisons: whether all documents have one, for instance."""
    findings: tuple[Callable[[Sequence[Finding], S], Iterable[Finding]], ...] = ()
    """All findings of one side, or of all its pairs: too many of one kind, for instance."""
    severity: Callable[[Finding, S], Severity] = lambda finding, _settings: finding.severity
    severity_unscored: Callable[[Finding, S], Severity] = lambda finding, _settings: finding.severity


class Confidence(NamedTuple, Generic[S]):
    """The confidences of a document's items (``of``), and the document without the items below a threshold (``cut``).

    ``name`` says of what, where an item has several confidences.
    """

    of: Callable[[Document, S], Iterable[float | None]]
    cut: Callable[[Document, float, S], Document]
    name: Callable[[S], str] = lambda _settings: "confidence"


class ComparedDocument(NamedTuple, Generic[C]):
    """A document of a system, compared with gold; ``pair`` is None where items are joined across documents."""

    system: int
    doc_id: str
    comparison: C
    pair: DocumentPair | None = None


class Plan(NamedTuple):
    """The documents that are compared, in order, and which of them each system is compared on."""

    order: Sequence[str]
    of_systems: Sequence[Collection[str]]


class PerDocument(NamedTuple, Generic[S, C]):
    """Compares document by document; gold is read and prepared once however many systems there are.

    ``prepare`` changes a document as the settings say: words made invisible, types filtered.  ``pair_documents``
    gives the ids of the documents that are compared, in any order; the mapping of gold itself, if they are all of gold.
    """

    compare: Callable[[DocumentPair, S], C]
    prepare: Callable[[Document, S], Document] = lambda document, _settings: document
    pair_documents: Callable[[Corpus, Corpus, S], Collection[str]] = lambda gold, *_: gold.documents

    def __call__(self, sides: Sides[S, C], settings: S) -> Iterator[ComparedDocument[C]]:
        """Every document of every system, compared."""
        return self.compared(sides, settings, self.plan(sides, settings))

    def plan(self, sides: Sides[S, C], settings: S) -> Plan:
        """Which documents are compared, and in which order."""
        gold = sides.gold.corpus
        paired = [_quick_to_search(self.pair_documents(gold, one.corpus, settings)) for one in sides.systems]
        is_same = all(doc_ids is paired[0] for doc_ids in paired)
        order = in_official_order(paired[0] if is_same else frozenset().union(*paired))
        sides.gold.scored_documents = sum(doc_id in gold.documents for doc_id in order)
        return Plan(order, paired)

    def compared(self, sides: Sides[S, C], settings: S, plan: Plan) -> Iterator[ComparedDocument[C]]:
        """The documents of a plan, compared."""
        for done, doc_id in enumerate(plan.order, 1):
            gold = sides.gold.load(doc_id)
            gold_document = self.prepare(gold, settings)
            for position, (paired, side) in enumerate(zip(plan.of_systems, sides.systems, strict=True)):
                if doc_id in paired:
                    system = self.aligned(gold, side.load(doc_id), settings)
                    pair = DocumentPair(doc_id, gold_document, self.prepare(system, settings))
                    yield ComparedDocument(position, doc_id, self.compare(pair, settings), pair)
            sides.progress(done, len(plan.order))

    def aligned(self, gold: Document, system: Document, settings: S) -> Document:
        """A system's document as it was read, with its places moved into the text of gold where windows align them."""
        return align_windows(gold, system, strict=settings.reading == "refuse")


def _quick_to_search(doc_ids: Collection[str]) -> Collection[str]:
    """The ids in a mapping or set."""
    return doc_ids if isinstance(doc_ids, Mapping) else frozenset(doc_ids)


Documents = Mapping[str, Document]


class Apart(NamedTuple, Generic[S, C]):
    """How a task that joins items across documents compares blocks of documents, where in fact nothing joins them.

    Whether nothing does is known only after all documents were read: a block reports the ``names`` by which its items
    could be joined, and the kinds of items ``found`` in it; if a name is in two blocks, or if the kinds are not those
    that the readers ``expect``, the documents are compared together after all.
    """

    together: Callable[[S], str | None]
    """Why the settings require all documents to be compared together; None if they do not."""
    names: Callable[[Document], Iterable[str]]
    expect: Callable[[Corpus, Corpus, S], frozenset[tuple[str, str]]]
    """The kinds of items on each side that single documents show."""
    found: Callable[[C], frozenset[tuple[str, str]]]
    compare: Callable[[Documents, Documents, S, frozenset[tuple[str, str]]], Iterable[tuple[str, C]]]
    """Compares some of the documents, given the kinds that are expected."""
    outline: Callable[[Document], Document]
    """As much of a document as the checks of whole corpora need."""


class WholeCorpora(NamedTuple, Generic[S, C]):
    """Compares all documents of a system together, to join items across them; both sides are checked first."""

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
        """The documents of gold, for comparing blocks of them."""
        gold = sorted(sides.gold.corpus.documents)
        return Plan(gold, [frozenset(gold).intersection(side.corpus.documents) for side in sides.systems])


def by_id(documents: Documents) -> dict[str, Document]:
    """The documents in the order of their ids."""
    return {doc_id: documents[doc_id] for doc_id in sorted(documents)}


Compare = PerDocument[S, C] | WholeCorpora[S, C]
"""The comparing stage of a task."""


def every_character(folder: str, doc_id: str, _settings: object) -> str | None:
    """The source text for offsets that count every character: tags, both characters of a line end, a byte-order mark."""
    from lydite.formats.texts import source_text

    return source_text(folder, doc_id)


class Reading(NamedTuple, Generic[S]):
    """What files decide for a task, and how corpora are changed before they are compared."""

    also_from: tuple[str, ...] = ()
    """Layers of other tasks from which the task makes its own, in files whose format is named."""
    choose_format: Callable[[S, str], str | None] = lambda _settings, _path: None
    """The format that follows from the settings and the path; None to recognise it from the files."""
    infer_profile: Callable[[Sequence[Corpus]], tuple[str, str] | None] = lambda _corpora: None
    """The profile that fits the files, and why."""
    decide: Callable[[Profile[S], Sequence[Corpus]], Mapping[str, object]] = lambda _profile, _corpora: {}
    """The settings that the input decides (the unit of spans, for instance); refuses sides that cannot be compared."""
    refuse_annotators: Callable[[Profile[S]], None] = lambda _profile: None
    """Refuses a profile under which two annotators cannot be compared."""
    source_text: Callable[[str, str, S], str | None] = every_character
    """The text of a document in a folder of source texts, as the task counts offsets; None if there is none."""
    convert: Callable[[Corpus, S], Corpus] = lambda corpus, _settings: corpus
    """A corpus as it is written in another format: names mapped, for instance."""
    match_documents: Callable[[Corpus, Sequence[Corpus], S], tuple[Corpus, Sequence[Corpus]]] = (
        lambda gold, systems, _settings: (gold, systems)
    )
    """Gives documents of gold and systems that belong together the same id."""
    content: Callable[[Document, S], Iterable[str]] = content_of
    """The content of a document under the settings, in a normal form: it is hashed for the signature."""
    condense: Condense[S] = lambda gold, systems, profile, detail: (gold, systems, profile, detail)
    """Replaces corpora that are too large to be read as documents by counts over them, and drops the detail that these lack."""


class Diagnosis(NamedTuple, Generic[C]):
    """What documents show beside their scores: pairs, missed and spurious items."""

    of_document: Callable[[C], Mapping[str, object]]
    for_layout: Callable[[C], Mapping[str, object]] | None = None
    """As much of it as the official layout needs; None if it needs all."""
    join: Callable[[Sequence[Mapping[str, object]]], Sequence[Mapping[str, object]]] = lambda given: given
    """The diagnoses of all documents of a system, with one name for what is joined across documents."""


class SamplingUnit(NamedTuple, Generic[C]):
    """The unit that is resampled for intervals and tests: documents, or what reaches across them."""

    kind: str = "document"
    """``document``, ``component`` (documents that clusters join) or ``element``."""
    split: Callable[[Sequence[Corpus], Callable[[str], str]], Sequence[Corpus]] | None = None
    """Splits corpora of one document, gold first, into corpora with one document for each component."""
    elements: Callable[[C], Iterable[tuple[str, bool, C]]] = lambda _comparison: ()
    """The elements of a comparison: their ids, whether they are gold's, and each as a comparison of its own."""
    joined: Callable[[Corpus], Sequence[str]] = lambda _corpus: ()
    """Ids that join documents of a corpus, though documents are the unit."""


class Task(NamedTuple, Generic[S, C]):
    """The declaration of a task: what is evaluated, stage by stage.

    ``settings`` is the class of its settings, ``checks`` the table of its checks, ``compare`` the stage that aligns
    gold and systems, ``measurements`` the metrics over what that stage yields, under the settings.  ``layers`` are the
    layers of a document that are scored; relations belong to mentions.
    """

    name: str
    title: str
    layers: tuple[str, ...]
    default_profile: str
    settings: type[S]
    headline: Callable[[S], Headline]
    measurements: Callable[[S], Sequence[Measurement[C]]]
    compare: Compare[S, C]
    outcomes: Callable[[C, S, Headline], Iterable[Outcome] | None]
    """What became of the items of a document under a figure; None if the figure has no items."""
    diagnosis: Diagnosis[C]
    explained_at: str
    """The place of the task's :class:`~lydite.model.verdict.Explainer`: ``"package.module:NAME"``."""
    checks: Checks[S, C] = Checks()
    reading: Reading[S] = Reading()
    derive: Callable[[S], Sequence[Derived]] = lambda _settings: ()
    """Rows that are made from other corpus rows: products, for instance."""
    confidence: Confidence[S] | None = None
    """How sure systems are of their items, where the formats have confidences."""
    sampling_unit: Callable[[S], SamplingUnit[C]] = lambda _settings: SamplingUnit()
    judging: Literal["none", "pool", "queue"] = "none"
    """How people judge what systems found: arguments in a pool, what was found for targets in a queue, or not at all."""
    everything: tuple[tuple[str, object], ...] = ()
    """Settings under which all measurements exist, whatever the input holds."""
    cite: tuple[str, ...] = ()
    examples: tuple[tuple[str, str], ...] = ()
    """Common commands, without ``lydite score``, and what they are for."""

    def explainer(self) -> Explainer[S, C]:
        """What explains the headline: verdicts, corrections, confusions; it is loaded when first asked for."""
        return cast("Explainer[S, C]", load(self.explained_at))

    def profile(self, name: str | None = None) -> Profile[S]:
        """The profile of that name; without a name, the default profile."""
        return load_profile(self.name, self.default_profile if name is None else name, self.settings)

    @property
    def joins_items(self) -> bool:
        """Whether items are joined across documents, so that no document can be measured alone."""
        return isinstance(self.compare, WholeCorpora)

    @property
    def formats(self) -> tuple[str, ...]:
        """The formats of the task; those that can hold anything come last."""
        return tuple(sorted(formats_of(self.name), key=lambda name: ALL_LAYERS in FORMATS[name].layers))

    def shown_text(self, folder: str, doc_id: str, settings: S) -> str | None:
        """The source text of a document for people to read, with the offsets of the task unchanged."""
        from lydite.formats.texts import as_shown

        text = self.reading.source_text(folder, doc_id, settings)
        return None if text is None else as_shown(text)

    def with_input(self, profile: Profile[S], corpora: Sequence[Corpus]) -> Profile[S]:
        """The profile with the settings that the input decides."""
        return profile.resolved(self.reading.decide(profile, corpora))

    def prepare_sides(
        self, profile: Profile[S], gold: Corpus, systems: Sequence[Corpus]
    ) -> tuple[Profile[S], Corpus, Sequence[Corpus]]:
        """The profile with the settings that the input decides, and the corpora with matching document ids."""
        resolved = self.with_input(profile, [gold, *systems])
        return resolved, *self.reading.match_documents(gold, systems, resolved.settings)


AnyTask = Task[Any, Any]
"""A task with whatever settings and comparisons."""
AnySamplingUnit = SamplingUnit[Any]
AnyMeasurement = Measurement[Any]


class Detail(NamedTuple):
    """How much of a run its summary keeps beside the totals."""

    by: tuple[str, ...] = ()
    """The breakdowns: ``doc`` for documents, ``*`` for all others."""
    diagnosis: bool = False
    keep: type[list[Mapping[str, object]] | Spool] = list
    """Where the diagnoses of documents are kept: in memory or in a temporary file."""
    for_layout: bool = False
    """Of the diagnosis only what the official layout needs."""
    standing: Sequence[str | None] = ()
    """The figures by which it is kept which gold items each system has right; None means the headline."""
    elements: bool = False
    """Rows of scope ``element``, where elements reach across documents."""
    parts: bool = False
    """Rows of the parts of every document (or element), for the breakdowns in ``by``."""


TOTALS = Detail()
"""The totals of the corpus and nothing else."""

Condense = Callable[
    [Corpus, Sequence[Corpus], Profile[S], Detail], tuple[Corpus, Sequence[Corpus], Profile[S], Detail]
]
"""Replaces large corpora by smaller ones before they are scored; may also limit the detail."""


def run(
    task: Task[S, C],
    gold: Corpus,
    systems: Sequence[Corpus],
    profile: Profile[S],
    *,
    detail: Detail = TOTALS,
    progress: Progress | None = None,
    block_runner: BlockRunner | None = None,
) -> PlainSummary:
    """Score the systems: the only way to a score.

    With ``block_runner`` workers measure blocks of documents, where documents can be split; the result is the same.
    Raises :class:`InvalidInput` with every error that was found, after all input was read, and
    :class:`NoCommonDocument` if a system is not empty and shares no document with gold.
    """
    forget_files()
    gold, systems, profile, detail = task.reading.condense(gold, systems, profile, detail)
    resolved, matched_gold, matched_systems = task.prepare_sides(profile, gold, systems)
    settings = resolved.settings
    measurements = task.measurements(settings)
    accumulators = [Accumulator[S, C](system.name, measurements, detail) for system in matched_systems]
    sides = sides_of(task, matched_gold, matched_systems, settings, progress)
    if block_runner is None:
        measure(task, settings, sides, accumulators, task.compare(sides, settings))
    else:
        from lydite.pipeline.blocks import RunInputs, read_in_full

        run_inputs = RunInputs(task.name, gold, systems, resolved, detail)
        if not block_runner.measure(task, run_inputs, sides, accumulators):
            gold, *systems = map(read_in_full, (gold, *systems))
            return run(task, gold, systems, profile, detail=detail, progress=progress)
    sides.complete()
    findings = sides.findings()
    refuse_errors(findings)
    inputs = (_input("gold", sides.gold), *(_input("system", side) for side in sides.systems))
    return summarise(task, resolved, inputs, accumulators, findings)


def sides_of(
    task: Task[S, C], gold: Corpus, systems: Sequence[Corpus], settings: S, progress: Progress | None = None
) -> Sides[S, C]:
    """Gold and systems as sides whose documents are read one by one."""
    system_sides = [Side(system, "system", task, settings) for system in systems]
    return Sides(Side(gold, "gold", task, settings), system_sides, progress)


def measure(
    task: Task[S, C],
    settings: S,
    sides: Sides[S, C],
    accumulators: Sequence[Accumulator[S, C]],
    comparisons: Iterable[ComparedDocument[C]],
) -> None:
    """Check and measure every comparison, and add it to the accumulator of its system."""
    for position, doc_id, comparison, _ in _checked(task, sides, settings, comparisons):
        accumulators[position].take(task, settings, doc_id, comparison)


def _checked(
    task: Task[S, C], sides: Sides[S, C], settings: S, comparisons: Iterable[ComparedDocument[C]]
) -> Iterator[ComparedDocument[C]]:
    """The comparisons; the findings of pairs and comparisons are collected on the way."""
    for compared in comparisons:
        side = sides.systems[compared.system]
        if compared.pair is not None:
            for check_pair in task.checks.pair:
                side.compared.extend(check_pair(compared.pair, settings))
        for check_comparison in task.checks.comparison:
            side.compared.extend(check_comparison(compared.comparison, settings))
        yield compared


NOT_MEASURED = DocumentFigures((), ())
"""The figures of a document that is not compared, but whose content is hashed."""


class CountedDocument(NamedTuple):
    """All that a running metric keeps of a document: the digests of both sides, and the figures."""

    gold: int
    system: int
    counts: DocumentFigures


def count_documents(
    task: Task[S, C],
    gold: Corpus,
    system: Corpus,
    profile: Profile[S],
    *,
    measurements: Sequence[Measurement[C]],
    by: Collection[str] = (),
) -> tuple[dict[str, CountedDocument], list[Finding]]:
    """Measure each document of one system by itself, and return the findings too; refuses what :func:`run` refuses.

    ``profile`` already has what the input decides.  Adding up the documents of all calls in the order of their ids
    gives what one run over them gives.
    """
    settings = profile.settings
    sides = sides_of(task, gold, [system], settings)
    gold_digests: dict[str, int] = {}
    system_digests: dict[str, int] = {}
    sides.gold.digests, sides.systems[0].digests = gold_digests, system_digests
    counted = {
        doc_id: measure_document(measurements, comparison, by)
        for _, doc_id, comparison, _ in _checked(task, sides, settings, task.compare(sides, settings))
    }
    sides.complete()
    findings = sides.findings()
    refuse_errors(findings)
    return {
        doc_id: CountedDocument(
            gold_digests.get(doc_id, 0), system_digests.get(doc_id, 0), counted.get(doc_id, NOT_MEASURED)
        )
        for doc_id in {**gold_digests, **system_digests}
    }, findings


def compared(
    task: Task[S, C], gold: Corpus, systems: Sequence[Corpus], profile: Profile[S]
) -> Iterator[ComparedDocument[C]]:
    """Every document of every system, compared with gold as :func:`run` compares it, for those who need more than scores."""
    forget_files()
    profile, gold, systems = task.prepare_sides(profile, gold, systems)
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
    checked_side = Side(corpus, side, task, profile.settings)
    checked_side.check_submission()
    checked_side.complete(progress)
    checked_side.check_if_sound()
    return in_order(dict.fromkeys(checked_side.findings))


def check_against_gold(
    task: Task[S, C], gold: Corpus, submission: Corpus, profile: Profile[S]
) -> list[Finding]:
    """The findings that only show when a submission is compared with gold; gold that has errors is refused."""
    profile, gold, (submission,) = task.prepare_sides(profile, gold, [submission])
    gold_side = Side(gold, "gold", task, profile.settings)
    gold_side.complete()
    gold_findings = in_order(gold_side.findings)
    if errors_among(gold_findings):
        raise InvalidInput(gold_findings)
    findings = Side(submission, "system", task, profile.settings).findings_against(gold)
    return [finding for finding in findings if len(submission) or finding.code != NO_COMMON_DOCUMENT]


def summarise(
    task: Task[S, C],
    profile: Profile[S],
    inputs: tuple[Input, ...],
    accumulators: Sequence[Accumulator[S, C]],
    findings: Sequence[Finding],
) -> PlainSummary:
    """Make the summary: the rows of all systems, with everything needed to trust them."""
    totals = [system.totals() for system in accumulators]
    derived = [
        one
        for one in task.derive(profile.settings)
        if any(sources and one.applies(sources) for sources in map(one.sources_in, totals))
    ]
    with_totals = zip(accumulators, totals, strict=True)
    rows = tuple(row for system, own in with_totals for row in system.rows(own, derived))
    return PlainSummary(
        version=__version__,
        task=task.name,
        profile=profile.name,
        signature=signature(task.name, profile, inputs),
        settings=frozen(profile.values),
        inputs=inputs,
        rows=rows,
        diagnosis=_diagnosis(task, accumulators),
        findings=tuple(findings),
        headline=FrozenDict(task.headline(profile.settings)._asdict()),
        departures=tuple(f"{name}={show_value(value)}" for name, value in profile.departures().items()),
    )


def _diagnosis(task: Task[S, C], accumulators: Sequence[Accumulator[S, C]]) -> Mapping[str, object]:
    by_system: dict[str, Sequence[Sequence[Mapping[str, object]]]] = {
        "documents": [task.diagnosis.join(one.diagnoses) for one in accumulators if one.detail.diagnosis],
        "standing": [one.standing for one in accumulators if one.detail.standing],
    }
    if not any(by_system.values()):
        return FrozenDict()
    from lydite.spool import chain_records

    return FrozenDict({name: chain_records(entries) for name, entries in by_system.items() if entries})


def _input(role: str, side: Side[S, C]) -> Input:
    corpus = side.corpus
    facts = {name: fact for name, fact in corpus.facts.items() if name not in InnerFacts.__annotations__}
    if side.scored_documents is not None and side.scored_documents < len(corpus):
        facts["scored"] = side.scored_documents
    return Input(
        role=role,
        name=corpus.name,
        path=corpus.path,
        sha256=corpus.sha256,
        documents=corpus.facts.get("documents", len(corpus)),
        content=side.content_hash,
        facts=frozen({"format": corpus.format, **facts}),
    )
