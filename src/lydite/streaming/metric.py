"""A metric that documents are added to: exact totals at any time, for any split of the documents.

Nothing is averaged over batches: the counts of every document are kept, and the summary is what one run over all
documents gives.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import starmap
from typing import Any, NamedTuple, Self, TypedDict, final

from lydite.errors import Finding, InvalidInput, Location, UsageError
from lydite.escaping import counted, in_bytes
from lydite.facade.choosing import Request, choice_from_keywords, resolve
from lydite.facade.scoring import refuse_unknown_breakdowns
from lydite.facade.sides import as_sides
from lydite.formats.faults import Faults
from lydite.keyword_arguments import check_keywords, names_of
from lydite.memory import without_garbage_collection
from lydite.model import Corpus, Document, Input, Summary
from lydite.model.cluster import Cluster, Partition
from lydite.model.document import Facts, some_layers
from lydite.model.mention import RELATIONS
from lydite.model.settings import TaskSettings
from lydite.model.verdict import Verdict
from lydite.objects import corpus_of_objects, document_id
from lydite.objects.values import NAMELESS_PREFIX
from lydite.pipeline.gathering import Accumulator, DocumentFigures
from lydite.pipeline.running import NOT_MEASURED, CountedDocument, count_documents, run, summarise
from lydite.pipeline.sides import content_digest, hash_of_content
from lydite.pipeline.task import AnyMeasurement, KeptResults
from lydite.profile import AnyProfile
from lydite.streaming.state import decode, encode
from lydite.tasks import TASKS

STATE = "lydite.metric/1"
CHANGED = "document-came-twice"


class DocumentSides(NamedTuple):
    """Both sides of a document; kept where items are joined across documents, or if the user asks for it."""

    gold: Document | None
    system: Document | None


class FindingCounts(NamedTuple):
    """The findings with one code: that of the first document, and their number by document.

    Findings of a document that several ranks have seen count once; those of no document are counted under "".
    """

    first: Finding
    counts: dict[str, int]


class Collected(NamedTuple):
    """All that a metric keeps: counts of documents, both sides of those that are kept, findings by code, names of relations."""

    documents: dict[str, CountedDocument]
    kept: dict[str, DocumentSides]
    findings: dict[str, FindingCounts]
    relations: set[str]

    def add(self, other: Collected) -> None:
        """Add what another metric has collected; a document that both have counts once."""
        self.documents.update(other.documents)
        self.kept.update(other.kept)
        self.relations.update(other.relations)
        for code, (finding, more) in other.findings.items():
            first, counts = self.findings.get(code, FindingCounts(finding, {}))
            self.findings[code] = FindingCounts(min(first, finding, key=_document_of), counts)
            for doc_id, count in more.items():
                counts[doc_id] = max(count, counts.get(doc_id, 0))

    def with_new_ids(self, names: Mapping[str, str]) -> Collected:
        """The same with new ids for some documents."""
        return Collected(
            {names.get(doc_id, doc_id): one for doc_id, one in self.documents.items()},
            {names.get(doc_id, doc_id): one for doc_id, one in self.kept.items()},
            {
                code: FindingCounts(
                    first._replace(document=names.get(first.document or "", first.document)),
                    {names.get(doc_id, doc_id): count for doc_id, count in counts.items()},
                )
                for code, (first, counts) in self.findings.items()
            },
            self.relations,
        )


def _nothing_collected() -> Collected:
    return Collected({}, {}, {}, set())


@final
class CountedState(TypedDict):
    """The digests of both sides of a document, and its counts."""

    gold: str
    system: str
    figures: list[object]
    parts: list[list[Any]]  # position, attribute, value and counts


MetricState = TypedDict(
    "MetricState",
    {
        "schema": str,
        "task": str,
        "profile": str | None,
        "by": list[str],
        "keep-documents": bool,
        "settings": dict[str, object],
        "quirks": dict[str, Any],
        "no-quirks": bool,
        "name": str,
        "without-id": int,
        "relations": list[str],
        "unit": str | None,
        "inferred": str | None,
        "remarks": dict[str, list[Any]],  # a finding, and counts by document
        "documents": dict[str, CountedState],
        "kept": dict[str, list[list[object] | None]],  # both sides: lines of lydite's own form, and clusters
    },
)
"""Everything that a metric has counted, and the settings that it was made with."""


class Metric:
    """A score that documents are added to, batch by batch, on one process or many.

    >>> import lydite
    >>> metric = lydite.Metric("coref", metrics=("muc", "b-cubed", "ceaf-e"))
    >>> metric.update(gold=[[[1, 2, 3]]], system=[[[1, 2], [3]]], ids=["d1"])
    >>> metric.update(gold=[[[1, 2]]], system=[[[1, 2]]], ids=["d2"])
    >>> round(metric.value, 4)
    0.7905

    ``task``, ``profile`` and settings are those of :func:`lydite.score`; ``by`` names breakdowns that are kept too.
    ``expect`` holds gold documents by id: those that never come count as missed.  Only counts are kept; documents are
    kept where a task joins elements across them, or with ``keep_documents``, which :meth:`errors` needs.
    """

    def __init__(
        self,
        task: str,
        profile: str | None = None,
        *,
        expect: Mapping[str, object] | None = None,
        by: Iterable[str] = (),
        name: str = "system",
        keep_documents: bool = False,
        quirks: Mapping[str, bool] | None = None,
        no_quirks: bool = False,
        **settings: object,
    ) -> None:
        self._choice = choice_from_keywords(task, profile, None, settings, quirks, no_quirks)
        check_keywords(expect=expect, name=name, keep_documents=keep_documents)
        self.task = TASKS[task]
        self.name = name
        self.keep_documents = keep_documents
        self.by = names_of("by", by)
        self._expected: dict[str, object] = {}
        for key, gold in (expect or {}).items():
            (doc_id,) = _checked_ids([key], "expect")
            if doc_id in self._expected:
                raise UsageError(f"expect: the document id {doc_id!r} occurs twice")
            self._expected[doc_id] = gold
        # Settings that are wrong whatever documents come are refused at once.
        request = self._request_under(self.task.default_profile)
        self._named_request = None if profile is None else request
        self.reset()

    def _request_under(self, profile: str) -> Request:
        """The request under the profile that the user named, or else under this one."""
        named = self._choice._replace(profile=self._choice.profile or profile)
        return resolve(named, self.task, lambda _request: ())[0]

    def reset(self) -> None:
        """Forget all documents."""
        self._collected = _nothing_collected()
        self._request: Request | None = self._named_request
        self._setup: _Setup | None = None
        self._nameless_count = 0

    # --------------------------------------------------------------------------------------------- adding documents

    def update(
        self,
        gold: Iterable[object] | None = None,
        system: Iterable[object] = (),
        ids: Iterable[str] | None = None,
    ) -> None:
        """Add documents of both sides, which belong together by position, with their ``ids``.

        Documents without ids are called ``#0``, ``#1``, … over all updates, and never taken for one another.  A
        document that comes again under its id with the same content counts once; with other content it is refused.
        With ``expect`` gold may be left out.
        """
        systems = _listed("system", system)
        doc_ids = self._document_ids(ids, len(systems))
        golds = [self._expected_gold(doc_id) for doc_id in doc_ids] if gold is None else _listed("gold", gold)
        if len(golds) != len(systems):
            found = f"{len(golds)} and {len(systems)}"
            raise UsageError(f"update: expected as many gold as system documents, found {found}")
        if len(set(doc_ids)) < len(doc_ids):
            self._refuse_changed_copies(doc_ids, golds, systems)
        with without_garbage_collection(keeps=False):
            by_id = (dict(zip(doc_ids, side, strict=True)) for side in (golds, systems))
            self._add_documents(*by_id)
        if ids is None:
            self._nameless_count += len(doc_ids)

    def _document_ids(self, ids: Iterable[str] | None, count: int) -> list[str]:
        if ids is None:
            return _nameless_ids(self._nameless_count, count)
        names = _checked_ids(list(ids) if isinstance(ids, Mapping) else _listed("ids", ids), "update")
        if len(names) != count:
            expected = f"{counted(count, 'id')}, one for each document"
            raise UsageError(f"update: expected {expected}, found {len(names)}")
        return names

    def _expected_gold(self, doc_id: str) -> object:
        if doc_id not in self._expected:
            hint = "give gold, or name the document in expect="
            raise UsageError(f"update: no gold for document {doc_id!r}", hint=hint)
        return self._expected[doc_id]

    def _add_documents(self, gold: Mapping[str, object], system: Mapping[str, object]) -> None:
        gold_corpus, system_corpus = _make_corpora(self.task.name, gold, system, self.name)
        repeated = {
            doc_id: self._digests(_document_sides(doc_id, gold_corpus, system_corpus))
            for doc_id in gold_corpus.documents
            if doc_id in self._collected.documents
        }
        self._refuse_changed(repeated)
        if repeated:
            gold_corpus = _without_documents(gold_corpus, repeated)
            system_corpus = _without_documents(system_corpus, repeated)
        if gold_corpus.documents:
            self._collected.add(self._count(gold_corpus, system_corpus))

    def _count(self, gold: Corpus, system: Corpus) -> Collected:
        """Count documents; if they are refused, they leave no trace in the settings."""
        request, setup = self._fix_settings(gold, system)
        documents: dict[str, CountedDocument] = {}
        findings: Sequence[Finding] = ()
        if not setup.joins:
            documents, findings = count_documents(
                self.task, gold, system, setup.profile, measurements=setup.measurements, by=self.by
            )
        kept = {}
        if setup.joins or self.keep_documents:
            kept = {doc_id: _document_sides(doc_id, gold, system) for doc_id in gold.documents}
        self._request, self._setup = request, setup
        if setup.joins:
            documents = {key: CountedDocument(*self._digests(one), NOT_MEASURED) for key, one in kept.items()}
        relations = {name for side in (gold, system) for name in side.facts["relations"]}
        return Collected(documents, kept, _count_findings(findings), relations)

    def _fix_settings(self, gold: Corpus, system: Corpus) -> tuple[Request, _Setup]:
        """The settings for these documents; refused if they differ from those for earlier documents."""
        request = self._request or resolve(self._choice, self.task, lambda _request: (gold, system))[0]
        everything = [replace(one, facts={**one.facts, "relations": RELATIONS}) for one in (gold, system)]
        profile = self.task.with_input(request.profile, everything)
        setup = self._setup
        if setup is None:
            joins = profile.settings.joins_documents or self.task.joins_items
            refuse_unknown_breakdowns(
                self.by, request, {**profile.values, **dict(self.task.settings_for_all_measurements)}
            )
            measurements = () if joins else tuple(self.task.measurements(profile.settings))
            setup = _Setup(profile, measurements, joins)
        elif not (setup.joins or profile is setup.profile or profile.values == setup.profile.values):
            old, new = setup.profile.values, profile.values
            changed = [f"{name} {old[name]}, then {new[name]}" for name in old if old[name] != new[name]]
            raise UsageError(
                f"update: documents ask for other settings than those before: {', '.join(changed)}",
                hint="name the profile, or these settings, when the metric is made",
            )
        return request, setup

    def _digests(self, sides: DocumentSides) -> tuple[int, int]:
        """The digests of both sides; 0 for a missing one."""
        request = self._setup or self._request or self._request_under(self.task.default_profile)
        settings = request.profile.settings
        gold, system = (0 if one is None else content_digest(one, self.task, settings) for one in sides)
        return gold, system

    def _refuse_changed(self, repeated: Mapping[str, tuple[int, int]]) -> None:
        """Refuse documents that come again with other digests than before."""
        known = self._collected.documents
        self._refuse_documents([key for key, digests in repeated.items() if digests != known[key][:2]])

    def _refuse_changed_copies(
        self, doc_ids: Sequence[str], golds: Sequence[object], systems: Sequence[object]
    ) -> None:
        """Refuse documents that are twice in one batch with different content."""
        digests: dict[str, set[tuple[int, int]]] = {}
        for doc_id, gold, system in zip(doc_ids, golds, systems, strict=True):
            corpora = _make_corpora(self.task.name, {doc_id: gold}, {doc_id: system}, self.name)
            digests.setdefault(doc_id, set()).add(self._digests(_document_sides(doc_id, *corpora)))
        self._refuse_documents([doc_id for doc_id, different in digests.items() if len(different) > 1])

    def _refuse_documents(self, changed: Sequence[str]) -> None:
        if changed:
            raise InvalidInput([_changed_document(doc_id, self.name) for doc_id in changed])

    # ---------------------------------------------------------------------------------------------------- figures

    def compute(self) -> Summary:
        """The summary of all documents so far, as one run over them gives it; nothing is reset."""
        collected = self._with_missing_documents()
        if self._request is None or self._setup is None:
            raise UsageError("compute: there are no documents yet", hint="call update first")
        findings = []
        for of_kind in collected.findings.values():
            first, more = of_kind.first, sum(of_kind.counts.values()) - 1
            message = f"{first.message} (and {more} more of this kind)" if more else first.message
            findings.append(first._replace(message=message))
        if self._setup.joins:
            gold, system, profile = self._kept_corpora(collected.kept)
            summary = run(self.task, gold, [system], profile, detail=KeptResults(by=self.by))
            return replace(summary, findings=(*summary.findings, *findings))
        facts: Facts = {"unit": self._unit, "relations": sorted(collected.relations)}
        empty = {"": Document("")}
        sides = [Corpus(role, empty, format="lydite", facts=facts) for role in ("gold", self.name)]
        profile = self.task.with_input(self._request.profile, sides)
        accumulator = self._accumulate(profile, collected.documents)
        inputs = (
            _summary_input("gold", "gold", [one.gold for one in collected.documents.values()]),
            _summary_input("system", self.name, [one.system for one in collected.documents.values()]),
        )
        return summarise(self.task, profile, inputs, [accumulator], findings)

    def _accumulate(
        self, profile: AnyProfile, documents: Mapping[str, CountedDocument]
    ) -> Accumulator[TaskSettings, object]:
        """Add up the counts of all documents in the order of their ids, for the measurements of the final profile."""
        assert self._setup is not None
        measurements = self.task.measurements(profile.settings)
        counted = [(one.name, one.metric) for one in self._setup.measurements]
        places = [counted.index((one.name, one.metric)) for one in measurements]
        detail = KeptResults(by=self.by)
        accumulator: Accumulator[TaskSettings, object] = Accumulator(self.name, measurements, detail)
        for doc_id in sorted(documents, key=in_bytes):
            figures, parts = documents[doc_id].counts
            if not figures:
                continue
            own_figures = tuple([figures[place] for place in places])
            own_parts = [
                (places.index(at), key, value, part) for at, key, value, part in parts if at in places
            ]
            accumulator.add(doc_id, DocumentFigures(own_figures, tuple(own_parts)))
        return accumulator

    def _kept_corpora(self, documents: Mapping[str, DocumentSides]) -> tuple[Corpus, Corpus, AnyProfile]:
        """Both sides with all kept documents, and the profile."""
        assert self._request is not None
        sides = [
            {doc_id: kept[side] for doc_id, kept in documents.items() if kept[side] is not None}
            for side in (0, 1)
        ]
        gold, system = _make_corpora(self.task.name, sides[0], sides[1], self.name)
        profile = self._request.profile
        if profile.settings.joins_documents:
            from lydite.formats.units import regroup

            gold, system = regroup(gold, profile.values), regroup(system, profile.values)
        return gold, system, profile

    def errors(self) -> Iterator[Verdict]:
        """The verdicts of :func:`lydite.explain`: what became of every item of both sides, and why.

        This needs the documents: ``keep_documents=True``, unless the task keeps them anyway.

        >>> import lydite
        >>> metric = lydite.Metric("spans", keep_documents=True)
        >>> metric.update([[(0, 3, "PER")]], [[(0, 3, "LOC")]], ["d1"])
        >>> [(one.side, one.cause) for one in metric.errors()]
        [('gold', 'wrong-type'), ('system', 'wrong-type')]
        """
        from lydite.explanation.passes import Inputs

        collected = self._with_missing_documents()
        if self._setup is None:
            raise UsageError("errors: there are no documents yet", hint="call update first")
        if not (self._setup.joins or self.keep_documents):
            hint = "lydite.Metric(…, keep_documents=True)"
            raise UsageError("errors: the documents were not kept", hint=hint)
        gold, system, profile = self._kept_corpora(collected.kept)
        profile, gold, (system,) = self.task.prepare_sides(profile, gold, [system])
        return Inputs(self.task, gold, system, profile.settings).verdicts()

    def _with_missing_documents(self) -> Collected:
        """All documents, including the expected ones that never came, which the system missed."""
        missing = {key: gold for key, gold in self._expected.items() if key not in self._collected.documents}
        if not missing:
            return self._collected
        share = f"{len(missing)} of {len(self._expected)}"
        message = f"{share} expected documents never came; they count as missed"
        missed = Finding("expected-document-missing", "warning", message, Location(self.name))
        complete = _nothing_collected()
        complete.add(self._collected)
        counted = self._count(*_make_corpora(self.task.name, missing, {}, self.name))
        complete.add(counted._replace(findings=_count_findings([missed])))
        return complete

    def compute_dict(self) -> dict[str, float]:
        """All corpus figures that are defined, flat: ``{"coref/conll/f1": 0.71, "coref/muc/recall": …}``.

        An average beside the first one has its name before the figure: ``type/detection/macro/f1``.
        """
        flat: dict[str, float] = {}
        first: dict[str, str | None] = {}
        for row in self.compute().corpus_rows():
            key = f"{row.measurement}/{row.metric}"
            if first.setdefault(key, row.average) != row.average:
                key = f"{key}/{row.average}"
            figures = row.score._asdict().items()
            flat.update({f"{key}/{name}": value for name, value in figures if value is not None})
        return flat

    @property
    def _unit(self) -> str | None:
        if self._setup is None:
            return None
        settings: TaskSettings = self._setup.profile.settings
        return settings.unit

    @property
    def value(self) -> float:
        """The headline as a float, for early stopping; 0 where it is undefined."""
        return self.compute().headline_score() or 0.0

    def __len__(self) -> int:
        return len(self._collected.documents)

    def __repr__(self) -> str:
        profile = self._choice.profile or self.task.default_profile
        return f"Metric({self.task.name!r}, profile={profile!r}, documents={len(self)})"

    # ---------------------------------------------------------------------------------------------------- merging

    def merge(self, other: Metric) -> None:
        """Add the documents of another metric with the same settings, from another rank for instance."""
        if not isinstance(other, Metric):
            raise UsageError(
                f"merge: expected a lydite.Metric, found {type(other).__name__}",
                hint="lydite.Metric.from_state(…) makes one of a state",
            )
        self._refuse_other_settings(other)
        nameless = _nameless_ids(0, other._nameless_count)
        free = _nameless_ids(self._nameless_count, other._nameless_count)
        collected = other._collected.with_new_ids(dict(zip(nameless, free, strict=True)))
        known = self._collected.documents
        self._refuse_changed({key: one[:2] for key, one in collected.documents.items() if key in known})
        self._expected.update(self._new_expectations(other))
        self._collected.add(collected)
        self._nameless_count += other._nameless_count
        self._setup, self._request = self._setup or other._setup, self._request or other._request

    def _new_expectations(self, other: Metric) -> dict[str, object]:
        """The expected documents that only the other metric has; those that both have must be equal."""
        shared = [key for key, gold in other._expected.items() if self._expected.get(key, gold) is not gold]
        first, second = (
            corpus_of_objects({key: expected[key] for key in shared}, self.task.name, "gold").documents
            for expected in (self._expected, other._expected)
        )
        pairs = {key: DocumentSides(first[key], second[key]) for key in shared}
        self._refuse_documents([key for key, pair in pairs.items() if len({*self._digests(pair)}) > 1])
        return {key: gold for key, gold in other._expected.items() if key not in self._expected}

    def _refuse_other_settings(self, other: Metric) -> None:
        """Refuse a metric with other settings; a metric without a named profile takes that of the other one."""
        own, others = self._settings_to_match(other), other._settings_to_match(self)
        different = [key for key in own if own[key] != others.get(key)]
        # Where documents are joined, what they decide is decided again from all of them.
        if self._setup and other._setup and not (different or self._setup.joins):
            own, others = self._setup.profile.values, other._setup.profile.values
            different = [key for key in own if own[key] != others[key]]
        if different:
            raise UsageError(f"metrics with different settings do not add up: {', '.join(different)} differ")

    def _settings_to_match(self, other: Metric) -> dict[str, object]:
        """Everything that must be equal in two metrics that are added."""
        if self.task.name != other.task.name:
            return {"task": self.task.name}
        request = self._request or self._request_under(other._profile_name or self.task.default_profile)
        profile = request.profile
        return {
            "by": self.by,
            "keep-documents": self.keep_documents,
            "profile": profile.signed_name,
            **profile.values,
        }

    @property
    def _profile_name(self) -> str | None:
        """The profile that the user named or the documents decided."""
        return self._choice.profile or (self._request.profile.name if self._request else None)

    def __add__(self, other: Metric) -> Metric:
        if not isinstance(other, Metric):
            return NotImplemented
        both = Metric.from_state(self.state(), expect=self._expected)
        both.merge(other)
        return both

    def state(self) -> MetricState:
        """Everything that was counted, as values that pickle and JSON accept: digests and tallies by document."""
        settings = {key.replace("_", "-"): value for key, value in self._choice.options.items()}
        findings = self._collected.findings.items()
        return {
            "schema": STATE,
            "task": self.task.name,
            "profile": self._choice.profile,
            "by": list(self.by),
            "keep-documents": self.keep_documents,
            "settings": {key: _as_json_value(settings[key]) for key in sorted(settings)},
            "quirks": dict(sorted(self._choice.quirks.items())),
            "no-quirks": self._choice.no_quirks,
            "name": self.name,
            "without-id": self._nameless_count,
            "relations": sorted(self._collected.relations),
            "unit": self._unit,
            "inferred": None if self._request is None else self._profile_name,
            "remarks": {code: [first.to_dict(), counts] for code, (first, counts) in findings},
            "documents": {doc_id: _document_state(one) for doc_id, one in self._collected.documents.items()},
            "kept": {doc_id: list(map(_side_state, sides)) for doc_id, sides in self._collected.kept.items()},
        }

    @classmethod
    def from_state(cls, state: MetricState, *, expect: Mapping[str, object] | None = None) -> Self:
        """Restore a metric from its :meth:`state`; expected documents must be given again."""
        schema = state.get("schema") if isinstance(state, Mapping) else state
        if schema != STATE:
            raise UsageError(f"expected the state of a metric ({STATE}), found {schema!r}")
        try:
            return cls._from_valid_state(state, expect)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise UsageError(f"the state of this metric is damaged: {error!r}") from None

    @classmethod
    def _from_valid_state(cls, state: MetricState, expect: Mapping[str, object] | None) -> Self:
        metric = cls(
            state["task"],
            state["profile"],
            expect=expect,
            by=state["by"],
            name=state["name"],
            keep_documents=state["keep-documents"],
            quirks=state["quirks"],
            no_quirks=state["no-quirks"],
            **state["settings"],
        )
        metric._nameless_count = state["without-id"]
        metric._collected = Collected(
            {doc_id: _document_from_state(one) for doc_id, one in state["documents"].items()},
            {doc_id: DocumentSides(*map(_side_from_state, sides)) for doc_id, sides in state["kept"].items()},
            {
                code: FindingCounts(Finding.from_dict(first), dict(counts))
                for code, (first, counts) in state["remarks"].items()
            },
            set(state["relations"]),
        )
        if state["inferred"] is not None:
            metric._request = metric._request_under(state["inferred"])
        if metric._collected.documents:
            facts: Facts = {"unit": state["unit"] or "char", "relations": []}
            empty = Corpus("", {"": Document("")}, format="lydite", facts=facts)
            metric._setup = metric._fix_settings(empty, empty)[1]
        return metric

    def __reduce__(self) -> tuple[partial[Self], tuple[MetricState]]:
        return partial(type(self).from_state, expect=self._expected), (self.state(),)


class _Setup(NamedTuple):
    """The settings of all documents: the profile with what the input decides, and whether documents are joined."""

    profile: AnyProfile
    measurements: tuple[AnyMeasurement, ...]
    joins: bool


def _listed(side: str, documents: object) -> list[object]:
    if isinstance(documents, str | bytes | Mapping) or not isinstance(documents, Iterable):
        raise UsageError(f"update: expected a list for {side}, found {type(documents).__name__}")
    return list(documents)


def _nameless_ids(first: int, count: int) -> list[str]:
    """Ids for documents that came without: ``#`` and their numbers among all such documents."""
    return [f"{NAMELESS_PREFIX}{number}" for number in range(first, first + count)]


def _checked_ids(given: Iterable[object], where: str) -> list[str]:
    try:
        doc_ids = list(map(document_id, given))
    except Faults as fault:
        raise UsageError(f"{where}{fault}") from None
    for doc_id in doc_ids:
        if doc_id.startswith(NAMELESS_PREFIX):
            raise UsageError(
                f"{where}: expected an id that does not begin with {NAMELESS_PREFIX!r}, found {doc_id!r}",
                hint=f"documents that come without an id are called {NAMELESS_PREFIX}0, {NAMELESS_PREFIX}1, …",
            )
    return doc_ids


def _make_corpora(
    task: str, gold: Mapping[str, object], system: Mapping[str, object], name: str
) -> tuple[Corpus, Corpus]:
    """Make corpora of the objects of both sides; the faults of both are raised together."""
    sides = as_sides([gold, system], task, roles=["gold", name])
    gold_side, system_side = (side for side in sides if isinstance(side, Corpus))
    # A side without mentions takes the unit of the other one.
    return (
        replace(gold_side, facts={**system_side.facts, **gold_side.facts, "folder": True}),
        replace(system_side, facts={**gold_side.facts, **system_side.facts, "folder": True}),
    )


def _document_sides(doc_id: str, gold: Corpus, system: Corpus) -> DocumentSides:
    return DocumentSides(gold.documents[doc_id], system.documents.get(doc_id))


def _without_documents(corpus: Corpus, doc_ids: Collection[str]) -> Corpus:
    rest = {doc_id: one for doc_id, one in corpus.documents.items() if doc_id not in doc_ids}
    return replace(corpus, documents=rest)


def _changed_document(doc_id: str, name: str) -> Finding:
    message = f"document {doc_id!r} came twice with different content"
    hint = "give every document an id of its own, or call reset() between epochs"
    return Finding(CHANGED, "error", message, Location(name), doc_id, hint=hint)


def _document_of(finding: Finding) -> bytes:
    return in_bytes(finding.document or "")


def _count_findings(findings: Iterable[Finding]) -> dict[str, FindingCounts]:
    by_code: dict[str, FindingCounts] = {}
    for finding in findings:
        first, counts = by_code.get(finding.code, FindingCounts(finding, {}))
        by_code[finding.code] = FindingCounts(min(first, finding, key=_document_of), counts)
        doc_id = finding.document or ""
        counts[doc_id] = counts.get(doc_id, 0) + 1
    return by_code


def _summary_input(role: str, name: str, digests: Sequence[int]) -> Input:
    present = sum(1 for digest in digests if digest)
    return Input(role, name, name, "", present, hash_of_content(sum(digests)), {"format": "lydite"})


def _as_json_value(value: object) -> object:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return list(value) if isinstance(value, tuple | set | frozenset) else value


def _document_state(document: CountedDocument) -> CountedState:
    figures, parts = document.counts
    return {
        "gold": f"{document.gold:x}",
        "system": f"{document.system:x}",
        "figures": [encode(one) for one in figures],
        "parts": [[*place, encode(counts)] for *place, counts in parts],
    }


def _document_from_state(data: CountedState) -> CountedDocument:
    parts = tuple((at, attribute, value, decode(counts)) for at, attribute, value, counts in data["parts"])
    counted = DocumentFigures(tuple(decode(one) for one in data["figures"]), parts)
    return CountedDocument(int(data["gold"], 16), int(data["system"], 16), counted)


def _side_state(side: Document | None) -> list[object] | None:
    """A line of lydite's own format, and the clusters apart: their mentions may be any hashable value."""
    from lydite.formats.lydite_jsonl import line_of
    from lydite.formats.units import has_local_clusters

    if side is None:
        return None
    clusters = side.layers.get("clusters")
    rest = some_layers(side.layers, [name for name in side.layers if name != "clusters"])
    line = line_of(side._replace(layers=rest)).decode("utf-8", "surrogatepass")
    if clusters is None:
        return [line, None]
    try:
        return [line, [has_local_clusters(side), encode([tuple(one) for one in clusters])]]
    except TypeError as error:
        raise UsageError(
            f"state: document {side.doc_id!r} has a mention that JSON cannot hold: {error}",
            hint="mentions can be texts, numbers, or tuples and sets of them",
        ) from None


def _side_from_state(data: Sequence[object] | None) -> Document | None:
    import json

    from lydite.formats.lydite_jsonl import document_of

    if data is None:
        return None
    line, clusters = data
    document = document_of(json.loads(str(line)))
    if clusters is None:
        return document
    local, members = decode(clusters)
    partition = Partition(starmap(Cluster, members), local=local)
    return document._replace(layers={**document.layers, "clusters": partition})
