"""The one path from files to a summary: read → validate → align → measure → summarise → report.

A task is a declaration (:class:`Task`); :func:`run` walks every task along the same path.  Documents are the outer
loop and systems the inner one, so that gold is read once however many systems are scored, and nothing is held but
the document at hand and the running averages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from types import MappingProxyType
from typing import Any, NamedTuple

from lydite.errors import Finding, InvalidInput, Location, NoCommonDocument, Severity, errors_among
from lydite.memory import forget_files, uncollected
from lydite.model import Corpus, Document, DocumentPair, Figures, Input, Score, ScoreRow, Summary
from lydite.profile import Profile, Setting, show_value
from lydite.results.averages import Average, Gatherer
from lydite.version import __version__

Breakdown = Callable[[Any], Iterable[tuple[str, Figures]]]
EVERY_BREAKDOWN = "*"
CompareCorpora = Callable[
    [Mapping[str, Document], Mapping[str, Document], Profile], Iterable[tuple[str, Any]]
]
NO_COMMON_DOCUMENT = "no-common-document"
Progress = Callable[[int, int], None]
"""Told how many of how many documents are done."""


MICRO = Average("micro")
NO_BREAKDOWNS: Mapping[str, Breakdown] = MappingProxyType({})


class Measurement(NamedTuple):
    """One line of a report: a metric over the pairs of a comparison, and how documents are averaged.

    ``measure`` turns what ``Task.compare`` made of a document pair into counts; None leaves the document out.
    ``breakdowns`` do the same for the parts of a document: ``{"type": comparison -> (type, counts) pairs}``; a part is
    averaged by ``part_average``, called by ``part_name`` and put in order by ``part_order``, which both see the value
    and the counts of the whole corpus.
    """

    name: str
    metric: str
    measure: Callable[[Any], Figures | None]
    averages: tuple[Average, ...] = (MICRO,)
    breakdowns: Mapping[str, Breakdown] = NO_BREAKDOWNS
    part_average: Average = MICRO
    part_name: Callable[[str, Figures], str] = lambda value, _figures: value
    part_order: Callable[[str, Figures], Any] = lambda value, _figures: value
    document_score: Callable[[Any], Score] | None = None
    """How a document by itself is scored, where that differs from a corpus of one document."""
    nothing: Figures | None = None
    """The micro counts of a corpus without documents, where they are no plain tally; adding them changes nothing."""
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


def _no_findings(*_anything: Any) -> Iterable[Finding]:
    return ()


def _gold_documents(gold: Corpus, _system: Corpus, _profile: Profile) -> Sequence[str]:
    return sorted(gold.documents)


def _as_named(gold: Corpus, systems: Sequence[Corpus], _profile: Profile) -> tuple[Corpus, Sequence[Corpus]]:
    return gold, systems


def _no_rows(_rows: Sequence[ScoreRow], _profile: Profile) -> Iterable[ScoreRow]:
    return ()


def _nothing(_comparison: Any) -> Mapping[str, Any]:
    return {}


class Task(NamedTuple):
    """What is evaluated: a declaration of functions, each one stage of the path.

    ::

        bind              the measurements under a profile
        settle            a profile with everything the input decides (the unit of spans, for instance) filled
                          in
        relate            gold and systems under the ids by which their documents belong together
        pair_documents    ids of the documents that are compared, in the official order
        prepare           a document as the profile sees it: words made invisible, types filtered
        check             findings of one document of one side (gold or system), as read
        check_submission  findings that only validation asks for: documents that lack a file, for instance
        check_pair        findings that need both sides of a prepared pair
        check_corpus      findings about one side as a whole: ids that documents share, for instance
        check_corpora     findings about the two sides as wholes
        conclude          findings that follow from the findings of one side, or of all its pairs, taken together
        severity          how severe a finding is under a profile
        excuse            the severity of a finding of a document that is read but not scored
        compare           what all measurements of a pair share: candidate pairs, mostly
        compare_corpora   instead of compare, where the items of a corpus are joined across documents: prepared
                          documents of gold and of one system in, (document id, comparison) out; called only
                          after both sides were checked and found sound
        remark            findings about a comparison: ties, for instance
        derive            rows that are made from other corpus rows: means of metrics, products
        diagnose          what is no score: pairs, missed and spurious items
        join_diagnoses    the diagnoses of all documents of a system, under names that they share
        convert           a corpus as it is written in another format: names mapped, for instance
        choose_format     the format that the profile and the path decide, None to recognise it from the files
        check_agreement   refuses a profile under which two annotators cannot be compared

    ``layers`` are those that are scored; relations belong to mentions.
    """

    name: str
    title: str
    formats: tuple[str, ...]
    layers: tuple[str, ...]
    default_profile: str
    settings: tuple[Setting, ...]
    headline: Callable[[Profile], Headline]
    bind: Callable[[Profile], Sequence[Measurement]]
    compare: Callable[[DocumentPair, Profile], Any]
    settle: Callable[[Profile, Sequence[Corpus]], Profile] = lambda profile, _corpora: profile
    relate: Callable[[Corpus, Sequence[Corpus], Profile], tuple[Corpus, Sequence[Corpus]]] = _as_named
    pair_documents: Callable[[Corpus, Corpus, Profile], Sequence[str]] = _gold_documents
    prepare: Callable[[Document, Profile], Document] = lambda document, _profile: document
    check: Callable[[Document, str, Profile], Iterable[Finding]] = _no_findings
    check_submission: Callable[[Corpus, str, Profile], Iterable[Finding]] = _no_findings
    check_pair: Callable[[DocumentPair, Profile], Iterable[Finding]] = _no_findings
    check_corpus: Callable[[Corpus, str, Profile], Iterable[Finding]] = _no_findings
    check_corpora: Callable[[Corpus, Corpus, Profile], Iterable[Finding]] = _no_findings
    conclude: Callable[[Sequence[Finding], Profile], Iterable[Finding]] = _no_findings
    severity: Callable[[Finding, Profile], Severity] = lambda finding, _profile: finding.severity
    excuse: Callable[[Finding, Profile], Severity] = lambda finding, _profile: finding.severity
    remark: Callable[[Any, Profile], Iterable[Finding]] = _no_findings
    derive: Callable[[Sequence[ScoreRow], Profile], Iterable[ScoreRow]] = _no_rows
    diagnose: Callable[[Any], Mapping[str, Any]] = _nothing
    join_diagnoses: Callable[[Sequence[Mapping[str, Any]]], Sequence[Mapping[str, Any]]] = lambda documents: (
        documents
    )
    convert: Callable[[Corpus, Profile], Corpus] = lambda corpus, _profile: corpus
    cite: tuple[str, ...] = ()
    read_again: tuple[str, ...] = ()
    """Settings whose value in an inferred profile asks for reading the files again."""
    infer_profile: Callable[[Sequence[Corpus]], tuple[str, str] | None] = lambda _corpora: None
    choose_format: Callable[[Profile, str], str | None] = lambda _profile, _path: None
    check_agreement: Callable[[Profile], None] = lambda _profile: None
    compare_corpora: CompareCorpora | None = None


class Wanted(NamedTuple):
    """How much of the outcome is kept: breakdowns (``doc`` for documents, ``*`` for all others), the diagnosis."""

    by: tuple[str, ...] = ()
    diagnosis: bool = False


TOTALS = Wanted()
"""Corpus totals and nothing else."""


class _System:
    """What is gathered for one system while documents stream by."""

    def __init__(self, corpus: Corpus, measurements: Sequence[Measurement], wanted: Wanted) -> None:
        self.corpus = corpus
        self.name = corpus.name
        self.measurements = measurements
        self.wanted = wanted
        self.documents: list[ScoreRow] = []
        self.diagnoses: list[Mapping[str, Any]] = []
        self._totals: list[list[Gatherer]] = [
            [average.start(measurement.nothing) for average in measurement.averages]
            for measurement in measurements
        ]
        self._parts: list[dict[tuple[str, str], Gatherer]] = [{} for _ in measurements]

    def add(self, doc_id: str, comparison: Any) -> None:
        """Measure one compared document."""
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

    def take(self, task: Task, doc_id: str, comparison: Any) -> None:
        """Measure one compared document and, where it is wanted, keep its diagnosis."""
        self.add(doc_id, comparison)
        if self.wanted.diagnosis:
            self.diagnoses.append({"system": self.name, "document": doc_id, **task.diagnose(comparison)})

    def _add_parts(self, position: int, attribute: str, comparison: Any) -> None:
        measurement, parts = self.measurements[position], self._parts[position]
        for value, figures in measurement.breakdowns[attribute](comparison):
            gatherer = parts.get((attribute, value))
            if gatherer is None:
                gatherer = parts[attribute, value] = measurement.part_average.start()
            gatherer.add(figures)

    def _document_row(self, doc_id: str, measurement: Measurement, figures: Figures) -> ScoreRow:
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

    def rows(self, task: Task, profile: Profile) -> Iterator[ScoreRow]:
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
            for average, gatherer in zip(measurement.averages, gatherers, strict=True)
        ]
        yield from totals
        yield from task.derive(totals, profile)
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


class _Reading:
    """One side while it streams by: findings as they come up, and the hash of its normalised content."""

    def __init__(self, corpus: Corpus, side: str, task: Task, profile: Profile) -> None:
        self.corpus, self.side, self.task, self.profile = corpus, side, task, profile
        self.findings: list[Finding] = [self._judged(finding) for finding in corpus.findings]
        self.between: list[Finding] = []
        """What came up when documents of this side, a system, were compared with gold."""
        self.seen: set[str] = set()
        self._content = 0

    def load(self, doc_id: str) -> Document:
        """The document as read, or an empty one if this side lacks it; checks it and hashes it the first time."""
        if doc_id not in self.corpus.documents:
            return Document(doc_id, path=self.corpus.path, present=False)
        document = self.corpus.documents[doc_id]
        if doc_id not in self.seen:
            self.seen.add(doc_id)
            self._content += int.from_bytes(content_digest(document), "big")
            self.findings.extend(map(self._judged, document.findings))
            self.findings.extend(map(self._judged, self.task.check(document, self.side, self.profile)))
        return document

    def check_submission(self) -> None:
        """Look at this side as validation does."""
        found = self.task.check_submission(self.corpus, self.side, self.profile)
        self.findings.extend(map(self._judged, found))

    def load_unscored(self) -> None:
        """Read what was not compared: it is part of the content, and may hold errors that the task excuses."""
        scored = len(self.findings)
        self._load_all()
        for position, finding in enumerate(self.findings[scored:], scored):
            severity = self.task.excuse(finding, self.profile)
            if severity != finding.severity:
                self.findings[position] = finding._replace(severity=severity)

    def _load_all(self, progress: Progress | None = None) -> None:
        for done, doc_id in enumerate(self.corpus.documents, 1):
            if doc_id not in self.seen:
                self.load(doc_id)
            if progress is not None:
                progress(done, len(self.corpus))

    def load_rest(self, progress: Progress | None = None) -> None:
        """Read what was not read yet; then conclude."""
        self._load_all(progress)
        self.findings.extend(map(self._judged, self.task.check_corpus(self.corpus, self.side, self.profile)))
        self.findings.extend(map(self._judged, self.task.conclude(in_order(self.findings), self.profile)))

    @property
    def content_hash(self) -> str:
        """Seven hexadecimal digits of the content: digests of documents are added, so their order does not matter."""
        return sha256(str(self._content).encode()).hexdigest()[:7]

    def _judged(self, finding: Finding) -> Finding:
        severity = self.task.severity(finding, self.profile)
        return finding if severity == finding.severity else finding._replace(severity=severity)


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
    task: Task,
    gold: Corpus,
    systems: Sequence[Corpus],
    profile: Profile,
    *,
    wanted: Wanted = TOTALS,
    progress: Progress | None = None,
) -> Summary:
    """The only way to a score.

    Raises :class:`InvalidInput` with every error that was found, after all input was read, and
    :class:`NoCommonDocument` if a system is not empty and shares no document with gold.
    """
    forget_files()
    profile = task.settle(profile, [gold, *systems])
    gold, systems = task.relate(gold, systems, profile)
    measurements = task.bind(profile)
    gathered = [_System(system, measurements, wanted) for system in systems]
    gold_side = _Reading(gold, "gold", task, profile)
    system_sides = [_Reading(system, "system", task, profile) for system in systems]
    if task.compare_corpora is None:
        _compare_documents(task, gold_side, system_sides, gathered, profile=profile, progress=progress)
    for side in (gold_side, *system_sides):
        if task.compare_corpora is None:
            side.load_unscored()
        side.load_rest()
    findings = _all_findings(task, gold_side, system_sides, profile)
    refuse_errors(findings)
    if task.compare_corpora is not None:
        _compare_whole(task.compare_corpora, task, gold_side, gathered, profile=profile, progress=progress)
    return _summary(task, profile, gold_side, system_sides, gathered, findings)


def _compare_documents(
    task: Task,
    gold: _Reading,
    sides: Sequence[_Reading],
    gathered: Sequence[_System],
    *,
    profile: Profile,
    progress: Progress | None,
) -> None:
    """Document by document, every system."""
    plans = [frozenset(task.pair_documents(gold.corpus, side.corpus, profile)) for side in sides]
    order = sorted(frozenset().union(*plans), key=in_bytes)
    for done, doc_id in enumerate(order):
        gold_document = task.prepare(gold.load(doc_id), profile)
        for plan, side, system in zip(plans, sides, gathered, strict=True):
            if doc_id not in plan:
                continue
            pair = DocumentPair(doc_id, gold_document, task.prepare(side.load(doc_id), profile))
            side.between.extend(task.check_pair(pair, profile))
            comparison = task.compare(pair, profile)
            side.between.extend(task.remark(comparison, profile))
            system.take(task, doc_id, comparison)
        if progress is not None:
            progress(done + 1, len(order))


def _compare_whole(
    compare: CompareCorpora,
    task: Task,
    gold: _Reading,
    gathered: Sequence[_System],
    *,
    profile: Profile,
    progress: Progress | None,
) -> None:
    """System by system, all documents together."""
    prepared = _prepared(task, gold.corpus, profile)
    for done, system in enumerate(gathered):
        with uncollected():
            for doc_id, comparison in compare(prepared, _prepared(task, system.corpus, profile), profile):
                system.take(task, doc_id, comparison)
        if progress is not None:
            progress(done + 1, len(gathered))


def _prepared(task: Task, corpus: Corpus, profile: Profile) -> dict[str, Document]:
    return {doc_id: task.prepare(corpus.documents[doc_id], profile) for doc_id in sorted(corpus.documents)}


def check(
    task: Task, corpus: Corpus, profile: Profile, *, side: str = "system", progress: Progress | None = None
) -> list[Finding]:
    """All findings of one corpus by itself, in the order of its lines: what ``validate`` reports."""
    forget_files()
    profile = task.settle(profile, [corpus])
    reading = _Reading(corpus, side, task, profile)
    reading.check_submission()
    reading.load_rest(progress)
    return in_order(reading.findings)


def check_gold(task: Task, gold: Corpus, profile: Profile) -> list[Finding]:
    """All findings of gold by itself: a submission cannot be judged by a gold file that could not be scored with."""
    reading = _Reading(gold, "gold", task, profile)
    reading.load_rest()
    return in_order(reading.findings)


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Findings sorted by file, line and column; those without a place come first."""

    def place(finding: Finding) -> tuple[str, int, int]:
        location = finding.location or Location("")
        return location.path, location.line or 0, location.column or 0

    return sorted(findings, key=place)


def _all_findings(
    task: Task,
    gold: _Reading,
    systems: Sequence[_Reading],
    profile: Profile,
) -> list[Finding]:
    together = [*gold.findings, *(finding for side in systems for finding in side.findings)]
    for side in systems:
        common = list(no_common_document(gold.corpus, side.corpus))
        between = [
            *task.check_corpora(gold.corpus, side.corpus, profile),
            *(common if len(side.corpus) else ()),
            *side.between,
            *task.conclude(in_order(side.between), profile),
        ]
        together.extend(finding._replace(severity=task.severity(finding, profile)) for finding in between)
        if not len(side.corpus):
            # A system that found nothing shares nothing; it scores zero.
            together.extend(finding._replace(severity="warning") for finding in common)
    return in_order(dict.fromkeys(together))


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


def _summary(  # noqa: PLR0917 - what the run gathered, once
    task: Task,
    profile: Profile,
    gold: _Reading,
    systems: Sequence[_Reading],
    gathered: Sequence[_System],
    findings: Sequence[Finding],
) -> Summary:
    rows = tuple(row for system in gathered for row in system.rows(task, profile))
    inputs = (_input("gold", gold), *(_input("system", side) for side in systems))
    return Summary(
        version=__version__,
        task=task.name,
        profile=profile.name,
        signature=signature(task, profile, inputs),
        settings=dict(profile.values),
        inputs=inputs,
        rows=rows,
        diagnosis={
            "documents": [entry for system in gathered for entry in task.join_diagnoses(system.diagnoses)]
        }
        if any(system.wanted.diagnosis for system in gathered)
        else {},
        findings=tuple(findings),
        headline=task.headline(profile).to_dict(),
        departures=tuple(f"{name}={show_value(value)}" for name, value in profile.departures().items()),
    )


def _input(role: str, side: _Reading) -> Input:
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


def signature(task: Task, profile: Profile, inputs: Sequence[Input]) -> str:
    """What a paper cites: task, profile, every departure from it, hashes of the content, version.

    ``lydite|t:nugget|p:kbp2015|unit:token|gold:3f9c21a|sys:b07d110|v:0.1.0``
    """
    parts = ["lydite", f"t:{task.name}", f"p:{profile.signed_name}"]
    for name, value in profile.departures().items():
        setting = profile.settings[name]
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
