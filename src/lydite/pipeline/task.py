"""The declaration of a task: what is evaluated, stage by stage."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, cast

from lydite.align.windows import align_windows
from lydite.errors import Finding, Severity
from lydite.formats import FORMATS, formats_of
from lydite.formats.base import ALL_LAYERS
from lydite.frozen import frozen
from lydite.memory import without_garbage_collection
from lydite.model import Corpus, Document, DocumentPair, Figures, Score, ScoreRow, Tally
from lydite.model.outcome import Outcome
from lydite.model.settings import C, S
from lydite.model.tally import Counts
from lydite.pipeline.sides import Sides, content_of, in_official_order, refuse_errors
from lydite.profile import Profile, load_profile
from lydite.registry import load
from lydite.results.averages import Average

if TYPE_CHECKING:
    from _typeshed import SupportsRichComparison

    from lydite.model.verdict import Explainer
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
    empty_counts: Figures | None = None
    """The micro counts of a corpus without documents; None means an empty ``Tally``."""
    part_empty_counts: Mapping[str, Figures] = MappingProxyType({})
    """The same for the parts of a breakdown, where these have other counts than the whole."""
    needs_documents: bool = False
    """Leave this line out when nothing was compared."""

    def from_counts(self, tally: Counts) -> Figures:
        """The counts from which the tally of a document's row was made."""
        return (Tally() if self.empty_counts is None else self.empty_counts).from_counts(tally)


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
        paired = [self.pair_documents(gold, one.corpus, settings) for one in sides.systems]
        paired = [one if isinstance(one, Mapping) else frozenset(one) for one in paired]
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


Documents = Mapping[str, Document]


class BlockComparison(NamedTuple, Generic[S, C]):
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
    in_blocks: BlockComparison[S, C] | None = None

    def __call__(self, sides: Sides[S, C], settings: S) -> Iterator[ComparedDocument[C]]:
        """Every document of every system, compared."""
        for side in sides.all:
            side.complete()
        refuse_errors(sides.findings())
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
    """The decisions that files make for a task, and the changes to corpora before they are compared."""

    derives_layers_from: tuple[str, ...] = ()
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
    count_large_tables: CountLargeTables[S] = lambda gold, systems, profile, detail: (
        gold,
        systems,
        profile,
        detail,
    )
    """Large tables are counted by an engine instead of being read; breakdowns are then not available."""


class Diagnosis(NamedTuple, Generic[C]):
    """The items of a document beside its scores: pairs, missed and spurious items."""

    of_document: Callable[[C], Mapping[str, object]]
    for_layout: Callable[[C], Mapping[str, object]] | None = None
    """As much of it as the official layout needs; None if it needs all."""
    join: Callable[[Sequence[Mapping[str, object]]], Sequence[Mapping[str, object]]] = lambda given: given
    """The diagnoses of all documents of a system, with one name for what is joined across documents."""
    of_rows: Callable[[Sequence[ScoreRow], Iterable[Mapping[str, object]]], Mapping[str, object]] | None = (
        None
    )
    """What a summary shows of the corpus, by name, from the rows of one system and its diagnoses."""


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
    settings_for_all_measurements: tuple[tuple[str, object], ...] = ()
    """Settings under which all measurements exist, whatever the input holds."""
    cite: tuple[str, ...] = ()
    examples: tuple[tuple[str, str], ...] = ()
    """Common commands, without ``lydite score``, and what they are for."""

    def explainer(self) -> Explainer[S, C]:
        """What explains the headline: verdicts, mends, confusions; it is loaded when first asked for."""
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


class KeptResults(NamedTuple):
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


TOTALS = KeptResults()
"""The totals of the corpus and nothing else."""

CountLargeTables = Callable[
    [Corpus, Sequence[Corpus], Profile[S], KeptResults],
    tuple[Corpus, Sequence[Corpus], Profile[S], KeptResults],
]
"""Counts tables of mentions that are too large to be read as documents; may leave out results that need documents."""
