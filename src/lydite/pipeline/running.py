"""Running a task: the only way to a score.

Documents are the outer loop and systems the inner one, so that gold is read once however many systems are scored, and
memory holds only the current document and the running averages.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Generic, NamedTuple

from lydite.errors import Finding, InvalidInput, errors_among
from lydite.escaping import in_bytes
from lydite.frozen import FrozenDict, frozen
from lydite.memory import forget_files
from lydite.model import Corpus, Input, Summary
from lydite.model.document import InnerFacts
from lydite.model.settings import C, S
from lydite.parallel import Progress
from lydite.pipeline.gathering import Accumulator, DocumentFigures, measure_document
from lydite.pipeline.sides import NO_COMMON_DOCUMENT, Side, Sides, in_order, refuse_errors
from lydite.pipeline.task import TOTALS, ComparedDocument, KeptResults, Measurement, Task
from lydite.profile import Profile, Setting, show_value
from lydite.version import __version__


class Run(Generic[S, C]):
    """A run of a task: gold and systems under the settings that the input decides, and the sums of every system."""

    def __init__(
        self,
        task: Task[S, C],
        gold: Corpus,
        systems: Sequence[Corpus],
        profile: Profile[S],
        *,
        detail: KeptResults = TOTALS,
        progress: Progress | None = None,
    ) -> None:
        forget_files()
        self.task = task
        self.gold, self.systems, self.given_profile, self.detail = task.reading.count_large_tables(
            gold, systems, profile, detail
        )
        self.profile, matched_gold, matched = task.prepare_sides(self.given_profile, self.gold, self.systems)
        self.sides = sides_of(task, matched_gold, matched, self.profile.settings, progress)
        measurements = task.measurements(self.profile.settings)
        self.accumulators = [Accumulator[S, C](one.name, measurements, self.detail) for one in matched]

    def summary(self) -> Summary:
        """Check the sides as wholes, refuse errors, and make the summary."""
        self.sides.complete()
        findings = self.sides.findings()
        refuse_errors(findings)
        inputs = []
        for side in self.sides.all:
            corpus = side.corpus
            facts = {
                name: one for name, one in corpus.facts.items() if name not in InnerFacts.__annotations__
            }
            if side.scored_documents is not None and side.scored_documents < len(corpus):
                facts["scored"] = side.scored_documents
            documents = corpus.facts.get("documents", len(corpus))
            facts = frozen({"format": corpus.format, **facts})
            shown = (corpus.name, corpus.path, corpus.sha256, documents, side.content_hash, facts)
            inputs.append(Input(side.role, *shown))
        return summarise(self.task, self.profile, tuple(inputs), self.accumulators, findings)


def run(
    task: Task[S, C],
    gold: Corpus,
    systems: Sequence[Corpus],
    profile: Profile[S],
    *,
    detail: KeptResults = TOTALS,
    progress: Progress | None = None,
) -> Summary:
    """Score the systems.

    Raises :class:`InvalidInput` with every error that was found, after all input was read, and
    :class:`NoCommonDocument` if a system is not empty and shares no document with gold.
    """
    begun = Run(task, gold, systems, profile, detail=detail, progress=progress)
    settings = begun.profile.settings
    measure(task, settings, begun.sides, begun.accumulators, task.compare(begun.sides, settings))
    return begun.summary()


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
        accumulators[position].measure(task, settings, doc_id, comparison)


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
    checked_side.check_submission(progress)
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
) -> Summary:
    """Make the summary: the rows of all systems, with everything needed to trust them."""
    totals = [system.totals() for system in accumulators]
    derived = [
        one
        for one in task.derive(profile.settings)
        if any(sources and one.applies(sources) for sources in map(one.sources_in, totals))
    ]
    with_totals = zip(accumulators, totals, strict=True)
    rows = tuple(row for system, own in with_totals for row in system.rows(own, derived))
    return Summary(
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

    found: dict[str, object] = {
        name: chain_records(entries) for name, entries in by_system.items() if entries
    }
    of_rows = task.diagnosis.of_rows
    if of_rows is not None and by_system["documents"]:
        shown = {one.name: of_rows(one.totals(), one.diagnoses) for one in accumulators}
        first = next(iter(shown.values()), {})
        for name in first:
            by_name = {system: blocks[name] for system, blocks in shown.items()}
            found[name] = first[name] if len(shown) == 1 else by_name
    return FrozenDict(found)


def signature(task: str, profile: Profile[S], inputs: Sequence[Input]) -> str:
    """The signature: task, profile, every departure from it, hashes of the content, version.

    ``lydite|t:nugget|p:kbp2015|unit:token|gold:3f9c21a|sys:b07d110|v:0.1.0``
    """
    parts = ["lydite", f"t:{task}", f"p:{profile.signed_name}"]
    for name, value in profile.departures().items():
        setting = profile.declared[name]
        part = setting.signed_part(value)
        if setting.signed and part != setting.signed_part(profile.replaced[name]):
            parts.append(f"{setting.abbreviation or name}:{_signed_value(setting, part)}")
    return f"{'|'.join(parts)}{signed_inputs(inputs)}|v:{__version__}"


MOST_SIGNED = 3
"""How many systems a signature names one by one."""


def signed_inputs(inputs: Sequence[Input]) -> str:
    """The hashes of gold and systems; for many systems their number and one hash over theirs, in any order."""
    golds = [item.content for item in inputs if item.role == "gold"]
    systems = [item.content for item in inputs if item.role == "system"]
    if len(systems) > MOST_SIGNED:
        joint_hash = sha256("|".join(sorted(systems)).encode()).hexdigest()[:7]
        systems = [f"{joint_hash}x{len(systems)}"]
    return "".join([*(f"|gold:{one}" for one in golds), *(f"|sys:{one}" for one in systems)])


def _signed_value(setting: Setting, value: object) -> str:
    file = setting.file_in(value)
    if file is not None:
        from pathlib import Path

        from lydite.formats.source import open_file

        # The content of a file or folder decides scores, not its place.
        path = Path(file)
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        digest = sha256()
        for one in files:
            if one.is_file():
                digest.update(in_bytes(one.name) + b"\0" + one.read_bytes())
            elif one.exists() and not one.is_dir():
                # A pipe can be read only once, and its name means nothing.
                digest.update(open_file(one).read_bytes())
        return digest.hexdigest()[:7]
    return show_value(value)
