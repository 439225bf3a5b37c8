"""The one path from files to a summary: read → validate → align → measure → summarise → report.

A task is a declaration (:class:`Task`); :func:`run` walks every task along the same path.  Documents are the outer
loop and systems the inner one, so that gold is read once however many systems are scored, and nothing is held but
the document at hand and the running averages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from lydite.errors import Finding, InvalidInput, Location, NoCommonDocument, Severity, errors_among
from lydite.memory import forget_files, uncollected
from lydite.model import Corpus, Document, DocumentPair, Figures, Input, Score, ScoreRow, Summary
from lydite.profile import Profile, Setting, Settings, show_value
from lydite.results.averages import Average, Gatherer
from lydite.spool import Spool, in_turn
from lydite.version import __version__

EVERY_BREAKDOWN = "*"
NO_COMMON_DOCUMENT = "no-common-document"
Progress = Callable[[int, int], None]
"""Told how many of how many documents (or systems) are done."""

S = TypeVar("S", bound=Settings)
"""The settings of a task."""
C = TypeVar("C")
"""What a task makes of a document pair: both sides, aligned."""


class SupportsLessThan(Protocol):
    """What can be put in order."""

    def __lt__(self, other: Any, /) -> bool: ...


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
    part_order: Callable[[str, Figures], SupportsLessThan] = lambda value, _figures: value
    document_score: Callable[[Figures], Score] | None = None
    """How a document by itself is scored, where that differs from a corpus of one document."""
    nothing: Figures | None = None
    """The micro counts of a corpus without documents, where they are no plain tally; adding them changes nothing."""
    needs_documents: bool = False
    """Whether a corpus of which no document was compared has no such line, rather than one of zeros."""
    restored: Callable[[Mapping[str, Any]], Figures] | None = None
    """The counts behind the tally of a row, where they are no plain tally and can be added up again."""


class Headline(NamedTuple):
    """The campaign's ranking figure: it is marked in reports, orders tables and is what ``--fail-under`` means."""

    measurement: str
    metric: str
    average: str = "micro"
    figure: str = "f1"

    def to_dict(self) -> dict[str, str]:
        """As it stands in the summary document."""
        return {
            "measurement": self.measurement,
            "metric": self.metric,
            "average": self.average,
            "figure": self.figure,
        }


class Checks(NamedTuple, Generic[S, C]):
    """What is looked at before and while a task scores: one table, functions by what they look at.

    A finding carries the severity that its check gives it; ``Task.severity`` says what it is under a profile.
    """

    document: tuple[Callable[[Document, str, S], Iterable[Finding]], ...] = ()
    """One document of one side (``gold`` or ``system``), as it was read."""
    submission: tuple[Callable[[Corpus, str, S], Iterable[Finding]], ...] = ()
    """A side as a whole, where only validation asks: documents that lack a file, for instance."""
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


class Compared(NamedTuple, Generic[C]):
    """A document of a system, compared with gold; ``pair`` is what was compared, where documents are by themselves."""

    system: int
    doc_id: str
    comparison: C
    pair: DocumentPair | None = None


Compare = Callable[["Sides[S, C]", S], Iterator[Compared[C]]]
"""The comparing stage of a task: made by :func:`per_document` or :func:`whole_corpora`."""


def _gold_documents(gold: Corpus, _system: Corpus, _settings: Settings) -> Sequence[str]:
    return sorted(gold.documents)


def _as_read(document: Document, _settings: Settings) -> Document:
    return document


def per_document(
    compare: Callable[[DocumentPair, S], C],
    *,
    prepare: Callable[[Document, S], Document] = _as_read,
    pair_documents: Callable[[Corpus, Corpus, S], Sequence[str]] = _gold_documents,
) -> Compare[S, C]:
    """Document by document, every system: gold is read and prepared once however many systems there are.

    ``prepare`` gives a document as the settings see it: words made invisible, types filtered.  ``pair_documents``
    names the documents that are compared.
    """

    def compared(sides: Sides[S, C], settings: S) -> Iterator[Compared[C]]:
        gold = sides.gold
        plans = [frozenset(pair_documents(gold.corpus, side.corpus, settings)) for side in sides.systems]
        order = sorted(frozenset().union(*plans), key=in_bytes)
        for done, doc_id in enumerate(order, 1):
            gold_document = prepare(gold.load(doc_id), settings)
            for position, (plan, side) in enumerate(zip(plans, sides.systems, strict=True)):
                if doc_id in plan:
                    pair = DocumentPair(doc_id, gold_document, prepare(side.load(doc_id), settings))
                    yield Compared(position, doc_id, compare(pair, settings), pair)
            sides.progress(done, len(order))

    return compared


Documents = Mapping[str, Document]


def whole_corpora(
    compare: Callable[[Documents, Documents, S], Iterable[tuple[str, C]]],
) -> Compare[S, C]:
    """System by system, all documents together, where items are joined across documents.

    Elements can only be joined where both sides are sound: everything is read and checked first.
    """

    def compared(sides: Sides[S, C], settings: S) -> Iterator[Compared[C]]:
        sides.refuse_unsound()
        gold = sides.gold.corpus.documents
        for position, side in enumerate(sides.systems):
            with uncollected():
                for doc_id, comparison in compare(_by_id(gold), _by_id(side.corpus.documents), settings):
                    yield Compared(position, doc_id, comparison)
            sides.progress(position + 1, len(sides.systems))

    return compared


def _by_id(documents: Documents) -> dict[str, Document]:
    return {doc_id: documents[doc_id] for doc_id in sorted(documents)}


class Task(NamedTuple, Generic[S, C]):
    """What is evaluated: a declaration of typed stages.

    ``settings`` is the record of what can be set, ``checks`` the table of what is looked at, ``compare`` the stage
    that aligns gold and systems, ``measurements`` the metrics over what it yields, under the settings.  ``layers``
    are those that are scored; relations belong to mentions.
    """

    name: str
    title: str
    formats: tuple[str, ...]
    layers: tuple[str, ...]
    default_profile: str
    settings: type[S]
    headline: Callable[[S], Headline]
    measurements: Callable[[S], Sequence[Measurement[C]]]
    compare: Compare[S, C]
    checks: Checks[S, C] = Checks()
    severity: Callable[[Finding, S], Severity] = lambda finding, _settings: finding.severity
    """How severe a finding is under the settings."""
    severity_unscored: Callable[[Finding, S], Severity] = lambda finding, _settings: finding.severity
    """How severe it is in a document that is read but not scored."""
    decide: Callable[[Profile[S], Sequence[Corpus]], Mapping[str, object]] = lambda _profile, _corpora: {}
    """The settings that the input decides (the unit of spans, for instance); refuses what cannot be compared."""
    match_documents: Callable[[Corpus, Sequence[Corpus], S], tuple[Corpus, Sequence[Corpus]]] = (
        lambda gold, systems, _settings: (gold, systems)
    )
    """Gold and systems under the ids by which their documents belong together."""
    derive: Callable[[Sequence[ScoreRow], S], Iterable[ScoreRow]] = lambda _rows, _settings: ()
    """Rows that are made from other corpus rows: means of metrics, products."""
    diagnose: Callable[[C], Mapping[str, object]] = lambda _comparison: {}
    """What a document shows beside its scores: pairs, missed and spurious items."""
    diagnose_for_layout: Callable[[C], Mapping[str, object]] | None = None
    """As much of it as the official layout needs; all of it if there is no such function."""
    join_diagnoses: Callable[[Sequence[Mapping[str, Any]]], Sequence[Mapping[str, Any]]] = lambda documents: (
        documents
    )
    """The diagnoses of all documents of a system, under names that they share."""
    convert: Callable[[Corpus, S], Corpus] = lambda corpus, _settings: corpus
    """A corpus as it is written in another format: names mapped, for instance."""
    cite: tuple[str, ...] = ()
    examples: tuple[tuple[str, str], ...] = ()
    """Commands of ``score`` that people begin with, after ``lydite score``, and what they are for."""
    read_again: tuple[str, ...] = ()
    """Settings whose value in an inferred profile asks for reading the files again."""
    infer_profile: Callable[[Sequence[Corpus]], tuple[str, str] | None] = lambda _corpora: None
    """The profile that the files ask for, and why."""
    choose_format: Callable[[S, str], str | None] = lambda _settings, _path: None
    """The format that the settings and the path decide, None to recognise it from the files."""
    refuse_annotators: Callable[[Profile[S]], None] = lambda _profile: None
    """Refuses a profile under which two annotators cannot be compared."""

    def with_input(self, profile: Profile[S], corpora: Sequence[Corpus]) -> Profile[S]:
        """The profile with everything that the input decides."""
        return profile.resolved(self.decide(profile, corpora))


AnyTask = Task[Any, Any]
"""A task of a registry, whatever its settings and comparisons."""


class Wanted(NamedTuple):
    """How much of the outcome is kept: breakdowns (``doc`` for documents, ``*`` for all others), the diagnosis."""

    by: tuple[str, ...] = ()
    diagnosis: bool = False
    keep: type[list[Mapping[str, Any]] | Spool] = list
    """What holds the diagnoses of documents: memory, or a temporary file."""
    for_layout: bool = False
    """Only what the official layout needs of the diagnosis."""


TOTALS = Wanted()
"""Corpus totals and nothing else."""


class _Gathered(Generic[S, C]):
    """What is gathered for one system while documents stream by."""

    def __init__(self, corpus: Corpus, measurements: Sequence[Measurement[C]], wanted: Wanted) -> None:
        self.corpus = corpus
        self.name = corpus.name
        self.measurements = measurements
        self.wanted = wanted
        self.documents: list[ScoreRow] = []
        self.diagnoses = wanted.keep()
        self.taken = 0
        self._totals: list[list[Gatherer]] = [
            [average.start(measurement.nothing) for average in measurement.averages]
            for measurement in measurements
        ]
        self._parts: list[dict[tuple[str, str], Gatherer]] = [{} for _ in measurements]

    def add(self, doc_id: str, comparison: C) -> None:
        """Measure one compared document."""
        self.taken += 1
        keep_documents = "doc" in self.wanted.by
        for position, measurement in enumerate(self.measurements):
            figures = measurement.measure(comparison)
            if figures is None:
                continue
            for gatherer in self._totals[position]:
                gatherer.add(figures)
            if keep_documents:
                self.documents.append(self._document_row(doc_id, measurement, figures))
            for attribute in measurement.breakdowns:
                if attribute in self.wanted.by or EVERY_BREAKDOWN in self.wanted.by:
                    self._add_parts(position, attribute, comparison)

    def take(self, task: Task[S, C], doc_id: str, comparison: C) -> None:
        """Measure one compared document and, where it is wanted, keep its diagnosis."""
        self.add(doc_id, comparison)
        if self.wanted.diagnosis:
            brief = task.diagnose_for_layout if self.wanted.for_layout else None
            diagnose = task.diagnose if brief is None else brief
            self.diagnoses.append({"system": self.name, "document": doc_id, **diagnose(comparison)})

    def _add_parts(self, position: int, attribute: str, comparison: C) -> None:
        measurement, parts = self.measurements[position], self._parts[position]
        for value, figures in measurement.breakdowns[attribute](comparison):
            gatherer = parts.get((attribute, value))
            if gatherer is None:
                gatherer = parts[attribute, value] = measurement.part_average.start()
            gatherer.add(figures)

    def _document_row(self, doc_id: str, measurement: Measurement[C], figures: Figures) -> ScoreRow:
        empty = measurement.averages[0].empty if measurement.averages else "undefined"
        return ScoreRow(
            system=self.name,
            measurement=measurement.name,
            metric=measurement.metric,
            average=None,
            score=figures.score(empty=empty)
            if measurement.document_score is None
            else measurement.document_score(figures),
            tally=figures.as_dict(),
            scope="document",
            document=doc_id,
        )

    def rows(self, task: Task[S, C], settings: S) -> Iterator[ScoreRow]:
        """All rows of this system: totals, derived totals, parts, documents."""
        totals = [
            ScoreRow(
                system=self.name,
                measurement=measurement.name,
                metric=measurement.metric,
                average=average.name,
                score=gatherer.score(),
                tally=gatherer.figures.as_dict(),
            )
            for measurement, gatherers in zip(self.measurements, self._totals, strict=True)
            if self.taken or not measurement.needs_documents
            for average, gatherer in zip(measurement.averages, gatherers, strict=True)
        ]
        yield from totals
        yield from task.derive(totals, settings)
        yield from self._part_rows()
        yield from self.documents

    def _part_rows(self) -> Iterator[ScoreRow]:
        for measurement, parts in zip(self.measurements, self._parts, strict=True):
            order = {key: measurement.part_order(key[1], gatherer.figures) for key, gatherer in parts.items()}
            for attribute, value in sorted(parts, key=lambda key: (key[0], order[key])):
                gatherer = parts[attribute, value]
                yield ScoreRow(
                    system=self.name,
                    measurement=measurement.name,
                    metric=measurement.metric,
                    average=measurement.part_average.name,
                    score=gatherer.score(),
                    tally=gatherer.figures.as_dict(),
                    by={attribute: measurement.part_name(value, gatherer.figures)},
                )


class Side(Generic[S, C]):
    """One side while it streams by: findings as they come up, and the hash of its normalised content."""

    def __init__(self, corpus: Corpus, role: str, task: Task[S, C], settings: S) -> None:
        self.corpus, self.role, self.task, self.settings = corpus, role, task, settings
        self.findings: list[Finding] = [self._judged(finding) for finding in corpus.findings]
        self.compared: list[Finding] = []
        """What came up when documents of this side, a system, were compared with gold."""
        self._seen: set[str] = set()
        self._content = 0
        self._is_complete = False

    def load(self, doc_id: str) -> Document:
        """The document as read, or an empty one if this side lacks it; checks it and hashes it the first time."""
        if doc_id not in self.corpus.documents:
            return Document(doc_id, path=self.corpus.path, present=False)
        document = self.corpus.documents[doc_id]
        if doc_id not in self._seen:
            self._seen.add(doc_id)
            self._content += int.from_bytes(content_digest(document), "big")
            self.findings.extend(map(self._judged, document.findings))
            for check in self.task.checks.document:
                self.findings.extend(map(self._judged, check(document, self.role, self.settings)))
        return document

    def check_submission(self) -> None:
        """Look at this side as validation does."""
        for check in self.task.checks.submission:
            self.findings.extend(map(self._judged, check(self.corpus, self.role, self.settings)))

    def load_unscored(self) -> None:
        """Read what was not compared: it is part of the content, and what is wrong there may be less severe."""
        scored = len(self.findings)
        self._load_all()
        for position, finding in enumerate(self.findings[scored:], scored):
            severity = self.task.severity_unscored(finding, self.settings)
            if severity != finding.severity:
                self.findings[position] = finding._replace(severity=severity)

    def _load_all(self, progress: Progress | None = None) -> None:
        for done, doc_id in enumerate(self.corpus.documents, 1):
            if doc_id not in self._seen:
                self.load(doc_id)
            if progress is not None:
                progress(done, len(self.corpus))

    def complete(self, progress: Progress | None = None) -> None:
        """Read what was not read yet; then look at the side as a whole."""
        if self._is_complete:
            return
        self._is_complete = True
        self._load_all(progress)
        for check in self.task.checks.corpus:
            self.findings.extend(map(self._judged, check(self.corpus, self.role, self.settings)))
        self.findings.extend(map(self._judged, list(self._taken_together(self.findings))))

    def against(self, gold: Corpus) -> Iterator[Finding]:
        """What is to be said of this side, a system, and gold."""
        common = list(no_common_document(gold, self.corpus))
        for check in self.task.checks.corpora:
            yield from map(self._judged, check(gold, self.corpus, self.settings))
        if len(self.corpus):
            yield from map(self._judged, common)
        yield from map(self._judged, self.compared)
        yield from map(self._judged, self._taken_together(self.compared))
        if not len(self.corpus):
            # A system that found nothing shares nothing; it scores zero.
            yield from (finding._replace(severity="warning") for finding in common)

    def _taken_together(self, findings: Sequence[Finding]) -> Iterator[Finding]:
        ordered = in_order(findings)
        for check in self.task.checks.findings:
            yield from check(ordered, self.settings)

    @property
    def content_hash(self) -> str:
        """Seven hexadecimal digits of the content: digests of documents are added, so their order does not matter."""
        return sha256(str(self._content).encode()).hexdigest()[:7]

    def _judged(self, finding: Finding) -> Finding:
        severity = self.task.severity(finding, self.settings)
        return finding if severity == finding.severity else finding._replace(severity=severity)


class Sides(Generic[S, C]):
    """Gold and the systems that are compared with it."""

    def __init__(self, gold: Side[S, C], systems: Sequence[Side[S, C]], progress: Progress | None) -> None:
        self.gold, self.systems = gold, systems
        self._progress = progress

    def progress(self, done: int, total: int) -> None:
        """Tell how far the comparison is."""
        if self._progress is not None:
            self._progress(done, total)

    def complete(self) -> None:
        """Read what was not compared, and look at every side as a whole."""
        for side in (self.gold, *self.systems):
            side.load_unscored()
            side.complete()

    def refuse_unsound(self) -> None:
        """Read and check everything; raise if there is an error."""
        for side in (self.gold, *self.systems):
            side.complete()
        refuse_errors(self.findings())

    def findings(self) -> list[Finding]:
        """All findings so far, in the order of their places."""
        sides = (self.gold, *self.systems)
        together = [finding for side in sides for finding in side.findings]
        for side in self.systems:
            together.extend(side.against(self.gold.corpus))
        return in_order(dict.fromkeys(together))


def content_digest(document: Document) -> bytes:
    """Hash of what a document says, independent of file layout, encoding and line numbers."""
    if document.content is not None:
        said = f"{document.doc_id}\x1e{document.content()}"
        return _digest(said)
    parts = [
        document.doc_id,
        *(
            f"{mention.id}\x1f{mention.span}\x1f{mention.text}\x1f{mention.type}\x1f{mention.realis}"
            for mention in document.mentions
        ),
        *(f"{relation.name}\x1f{','.join(relation.members)}" for relation in document.relations),
        *(f"{name}\x1f{layer!r}" for name, layer in sorted(document.layers.items())),
    ]
    return _digest("\x1e".join(parts))


def _digest(said: str) -> bytes:
    return sha256(in_bytes(said)).digest()


def in_bytes(said: str) -> bytes:
    """A text in UTF-8: bytes that were no UTF-8 are those bytes again, other halves of surrogate pairs stay what they are.

    The official order of documents is that of the bytes of their ids.
    """
    try:
        return said.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return said.encode("utf-8", "surrogatepass")


def run(
    task: Task[S, C],
    gold: Corpus,
    systems: Sequence[Corpus],
    profile: Profile[S],
    *,
    wanted: Wanted = TOTALS,
    progress: Progress | None = None,
) -> Summary:
    """The only way to a score.

    Raises :class:`InvalidInput` with every error that was found, after all input was read, and
    :class:`NoCommonDocument` if a system is not empty and shares no document with gold.
    """
    forget_files()
    profile = task.with_input(profile, [gold, *systems])
    settings = profile.settings
    gold, systems = task.match_documents(gold, systems, settings)
    measurements = task.measurements(settings)
    gathered = [_Gathered[S, C](system, measurements, wanted) for system in systems]
    of_systems = [Side(system, "system", task, settings) for system in systems]
    sides = Sides(Side(gold, "gold", task, settings), of_systems, progress)
    for position, doc_id, comparison, pair in task.compare(sides, settings):
        side = of_systems[position]
        if pair is not None:
            for check_pair in task.checks.pair:
                side.compared.extend(check_pair(pair, settings))
        for check_comparison in task.checks.comparison:
            side.compared.extend(check_comparison(comparison, settings))
        gathered[position].take(task, doc_id, comparison)
    sides.complete()
    findings = sides.findings()
    refuse_errors(findings)
    return _summary(task, profile, sides, gathered, findings)


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
    return in_order(reading.findings)


def check_against_gold(
    task: Task[S, C], gold: Corpus, submission: Corpus, profile: Profile[S]
) -> list[Finding]:
    """What a submission shows only beside gold; a gold file that could not be scored with is refused."""
    profile = task.with_input(profile, [gold, submission])
    gold, (submission,) = task.match_documents(gold, [submission], profile.settings)
    reading = Side(gold, "gold", task, profile.settings)
    reading.complete()
    of_gold = in_order(reading.findings)
    if errors_among(of_gold):
        raise InvalidInput(of_gold)
    found = Side(submission, "system", task, profile.settings).against(gold)
    return [finding for finding in found if len(submission) or finding.code != NO_COMMON_DOCUMENT]


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Findings sorted by file, line and column; those without a place come first."""

    def place(finding: Finding) -> tuple[str, int, int]:
        location = finding.location or Location("")
        return location.path, location.line or 0, location.column or 0

    return sorted(findings, key=place)


def refuse_errors(findings: Sequence[Finding]) -> None:
    """Raise if an error is among the findings, with all of them."""
    errors = errors_among(findings)
    if not errors:
        return
    if all(finding.code == NO_COMMON_DOCUMENT for finding in errors):
        raise NoCommonDocument(findings)
    raise InvalidInput(findings)


def no_common_document(gold: Corpus, system: Corpus) -> Iterator[Finding]:
    """One finding if gold and system share no document."""
    if any(doc_id in gold.documents for doc_id in system.documents):
        return
    examples = f"gold has {_some(gold.doc_ids)}; {system.name} has {_some(system.doc_ids)}"
    yield Finding(
        NO_COMMON_DOCUMENT,
        "error",
        f"gold and system share no document: {examples}",
        Location(system.path),
        hint="are these files of the same collection, and is the first one the gold file?",
    )


def _some(doc_ids: Sequence[str]) -> str:
    if not doc_ids:
        return "none"
    shown = ", ".join(repr(doc_id) for doc_id in doc_ids[:3])
    return f"{shown}, … ({len(doc_ids)} in all)" if len(doc_ids) > 3 else shown


def _summary(
    task: Task[S, C],
    profile: Profile[S],
    sides: Sides[S, C],
    gathered: Sequence[_Gathered[S, C]],
    findings: Sequence[Finding],
) -> Summary:
    rows = tuple(row for system in gathered for row in system.rows(task, profile.settings))
    inputs = (_input("gold", sides.gold), *(_input("system", side) for side in sides.systems))
    return Summary(
        version=__version__,
        task=task.name,
        profile=profile.name,
        signature=signature(task.name, profile, inputs),
        settings=profile.values,
        inputs=inputs,
        rows=rows,
        diagnosis={"documents": in_turn([task.join_diagnoses(system.diagnoses) for system in gathered])}
        if any(system.wanted.diagnosis for system in gathered)
        else {},
        findings=tuple(findings),
        headline=task.headline(profile.settings).to_dict(),
        departures=tuple(f"{name}={show_value(value)}" for name, value in profile.departures().items()),
    )


def _input(role: str, side: Side[S, C]) -> Input:
    corpus = side.corpus
    return Input(
        role=role,
        name=corpus.name,
        path=corpus.path,
        sha256=corpus.sha256,
        documents=len(corpus),
        content=side.content_hash,
        facts={"format": corpus.format, **corpus.facts},
    )


def signature(task: str, profile: Profile[S], inputs: Sequence[Input]) -> str:
    """What a paper cites: task, profile, every departure from it, hashes of the content, version.

    ``lydite|t:nugget|p:kbp2015|unit:token|gold:3f9c21a|sys:b07d110|v:0.1.0``
    """
    parts = ["lydite", f"t:{task}", f"p:{profile.signed_name}"]
    for name, value in profile.departures().items():
        setting = profile.declared[name]
        if setting.signed:
            parts.append(f"{setting.abbreviation or name}:{_signed_value(setting, value)}")
    parts.extend(f"gold:{item.content}" for item in inputs if item.role == "gold")
    parts.extend(f"sys:{item.content}" for item in inputs if item.role == "system")
    parts.append(f"v:{__version__}")
    return "|".join(parts)


def _signed_value(setting: Setting, value: Any) -> str:
    if setting.kind == "path" and value:
        from pathlib import Path

        from lydite.formats.source import open_file

        # What a file or folder says decides scores, not where it lies.
        path = Path(value)
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        digest = sha256()
        for file in files:
            if file.is_file():
                digest.update(in_bytes(file.name) + b"\0" + file.read_bytes())
            elif file.exists() and not file.is_dir():
                # A pipe can be read once; its name says nothing.
                digest.update(open_file(file).read_bytes())
        return digest.hexdigest()[:7]
    return show_value(value)
