"""A metric that documents are fed to: exact totals at any time, from any split of the documents.

Nothing is averaged over batches: the counts of every document are kept, and the summary is what one run over all
documents gives.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import starmap
from typing import Any, Self, TypedDict, final

from lydite.errors import Finding, InvalidInput, Location, UsageError
from lydite.escaping import counted, in_bytes
from lydite.facade.choosing import Request, choice_from_keywords, resolve
from lydite.facade.scoring import refuse_unknown_breakdowns
from lydite.facade.sides import as_sides
from lydite.facade.summaries import Summary, public_summary
from lydite.formats.faults import Faults
from lydite.keywords import check_keywords, names_of
from lydite.memory import without_garbage_collection
from lydite.model import Corpus, Document, Input
from lydite.model.cluster import Cluster, Partition
from lydite.model.document import Facts, some_layers
from lydite.model.mention import RELATIONS
from lydite.model.verdict import Verdict
from lydite.objects import corpus_of_objects, document_id
from lydite.objects.values import NAMELESS
from lydite.pipeline import (
    NOT_MEASURED,
    Accumulator,
    AnyMeasurement,
    CountedDocument,
    Detail,
    DocumentFigures,
    TaskSettings,
    content_digest,
    count_documents,
    hash_of_content,
    run,
    summarise,
)
from lydite.profile import AnyProfile
from lydite.records import NamedTuple, replace
from lydite.streaming.state import decode, encode
from lydite.tasks import TASKS

STATE = "lydite.metric/1"
CHANGED = "document-came-twice"


class Kept(NamedTuple):
    """Both sides of a document, where items are joined across documents, or if it is asked for."""

    gold: Document | None
    system: Document | None


class Remark(NamedTuple):
    """The findings of one kind: the one of the first document, and how many there are by document.

    What a document is found to have is counted once, on however many ranks it was seen; what concerns none, under "".
    """

    first: Finding
    counts: dict[str, int]


class Seen(NamedTuple):
    """What came: the counts of documents, both sides of those that are kept, findings by code, names of relations."""

    documents: dict[str, CountedDocument]
    kept: dict[str, Kept]
    remarks: dict[str, Remark]
    relations: set[str]

    def add(self, other: Seen) -> None:
        """Take in what came elsewhere; a document that came to both came once."""
        self.documents.update(other.documents)
        self.kept.update(other.kept)
        self.relations.update(other.relations)
        for code, (finding, found) in other.remarks.items():
            first, counts = self.remarks.get(code, Remark(finding, {}))
            self.remarks[code] = Remark(min(first, finding, key=_document_of), counts)
            for doc_id, count in found.items():
                counts[doc_id] = max(count, counts.get(doc_id, 0))

    def renamed(self, names: Mapping[str, str]) -> Seen:
        """The same with other names of some documents."""
        return Seen(
            {names.get(doc_id, doc_id): one for doc_id, one in self.documents.items()},
            {names.get(doc_id, doc_id): one for doc_id, one in self.kept.items()},
            {
                code: Remark(
                    first._replace(document=names.get(first.document or "", first.document)),
                    {names.get(doc_id, doc_id): count for doc_id, count in counts.items()},
                )
                for code, (first, counts) in self.remarks.items()
            },
            self.relations,
        )


def _nothing() -> Seen:
    return Seen({}, {}, {}, set())


@final
class CountedState(TypedDict):
    """The digests of both sides of a document, and its counts."""

    gold: str
    system: str
    figures: list[object]
    parts: list[list[Any]]  # place, attribute, value and counts: JSON has no rows


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
        "remarks": dict[str, list[Any]],  # a finding and counts by document: JSON has no pairs
        "documents": dict[str, CountedState],
        "kept": dict[str, list[list[object] | None]],  # both sides: lines of lydite's own form, and clusters
    },
)
"""Everything that a metric has counted, and how it was made."""


class Metric:
    """A score that documents are added to, batch by batch, on one process or many.

    >>> import lydite
    >>> metric = lydite.Metric("coref", metrics=("muc", "b-cubed", "ceaf-e"))
    >>> metric.update(gold=[[[1, 2, 3]]], system=[[[1, 2], [3]]], ids=["d1"])
    >>> metric.update(gold=[[[1, 2]]], system=[[[1, 2]]], ids=["d2"])
    >>> round(metric.value, 4)
    0.7905

    ``task``, ``profile`` and settings are those of :func:`lydite.score`; ``by`` names breakdowns that are kept too.
    ``expect`` holds gold documents by id: those that never come count as missed.  Counts are kept, documents only where
    a task joins elements across them, or if ``keep_documents`` is asked for, which :meth:`errors` needs.
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
            (doc_id,) = _ids([key], "expect")
            if doc_id in self._expected:
                raise UsageError(f"expect: the document id {doc_id!r} occurs twice")
            self._expected[doc_id] = gold
        # Settings that no document could mend are refused at once.
        asked = self._under(self.task.default_profile)
        self._asked = None if profile is None else asked
        self.reset()

    def _under(self, profile: str) -> Request:
        """What is asked for, under this profile if none was named."""
        named = self._choice._replace(profile=self._choice.profile or profile)
        return resolve(named, self.task, lambda _asked: ())[0]

    def reset(self) -> None:
        """Forget all documents."""
        self._seen = _nothing()
        self._request: Request | None = self._asked
        self._setup: _Setup | None = None
        self._without_id = 0

    # -------------------------------------------------------------------------------------------------- taking in

    def update(
        self,
        gold: Iterable[object] | None = None,
        system: Iterable[object] = (),
        ids: Iterable[str] | None = None,
    ) -> None:
        """Take in documents of both sides, which belong together by position; ``ids`` are their names.

        Documents without ids are called ``#0``, ``#1``, … over all updates, and never taken for one another.  A
        document that comes again under its id with the same content counts once; with other content it is refused.
        With ``expect`` gold may be left out.
        """
        theirs = _listed("system", system)
        names = self._names(ids, len(theirs))
        ours = [self._expectation(name) for name in names] if gold is None else _listed("gold", gold)
        if len(ours) != len(theirs):
            raise UsageError(
                f"update: expected as many gold as system documents, found {len(ours)} and {len(theirs)}"
            )
        if len(set(names)) < len(names):
            self._refuse_changed_copies(names, ours, theirs)
        with without_garbage_collection(keeps=False):
            self._take_documents(dict(zip(names, ours, strict=True)), dict(zip(names, theirs, strict=True)))
        if ids is None:
            self._without_id += len(names)

    def _names(self, ids: Iterable[str] | None, count: int) -> list[str]:
        if ids is None:
            return _places(self._without_id, count)
        names = _ids(list(ids) if isinstance(ids, Mapping) else _listed("ids", ids), "update")
        if len(names) != count:
            raise UsageError(
                f"update: expected {counted(count, 'id')}, one for each document, found {len(names)}"
            )
        return names

    def _expectation(self, name: str) -> object:
        if name not in self._expected:
            raise UsageError(
                f"update: no gold for document {name!r}", hint="give gold, or name the document in expect="
            )
        return self._expected[name]

    def _take_documents(self, gold: Mapping[str, object], system: Mapping[str, object]) -> None:
        ours, theirs = _corpora(self.task.name, gold, system, self.name)
        seen = self._seen.documents
        known = {key: self._digests(_pair(key, ours, theirs)) for key in ours.documents if key in seen}
        self._refuse_changed(known)
        if known:
            ours, theirs = _without(ours, known), _without(theirs, known)
        if ours.documents:
            self._seen.add(self._counted(ours, theirs))

    def _counted(self, gold: Corpus, system: Corpus) -> Seen:
        """What is kept of documents; those that are refused decide nothing for others."""
        asked, setup = self._settled(gold, system)
        documents: dict[str, CountedDocument] = {}
        findings: Sequence[Finding] = ()
        if not setup.joins:
            documents, findings = count_documents(
                self.task, gold, system, setup.profile, measurements=setup.measurements, by=self.by
            )
        kept = {}
        if setup.joins or self.keep_documents:
            kept = {doc_id: _pair(doc_id, gold, system) for doc_id in gold.documents}
        self._request, self._setup = asked, setup
        if setup.joins:
            documents = {
                doc_id: CountedDocument(*self._digests(one), NOT_MEASURED) for doc_id, one in kept.items()
            }
        relations = {name for side in (gold, system) for name in side.facts["relations"]}
        return Seen(documents, kept, _remarks_of(findings), relations)

    def _settled(self, gold: Corpus, system: Corpus) -> tuple[Request, _Setup]:
        """The settings under which documents are measured: the same for all, or refused."""
        asked = self._request or resolve(self._choice, self.task, lambda _asked: (gold, system))[0]
        everything = [replace(one, facts={**one.facts, "relations": RELATIONS}) for one in (gold, system)]
        profile = self.task.with_input(asked.profile, everything)
        setup = self._setup
        if setup is None:
            joins = profile.settings.joins_documents or self.task.joins_items
            refuse_unknown_breakdowns(self.by, asked, {**profile.values, **dict(self.task.everything)})
            measurements = () if joins else tuple(self.task.measurements(profile.settings))
            setup = _Setup(profile, measurements, joins)
        elif not (setup.joins or profile is setup.profile or profile.values == setup.profile.values):
            old, new = setup.profile.values, profile.values
            changed = ", ".join(
                f"{name} {old[name]}, then {new[name]}" for name in old if old[name] != new[name]
            )
            raise UsageError(
                f"update: documents ask for other settings than those before: {changed}",
                hint="name the profile, or these settings, when the metric is made",
            )
        return asked, setup

    def _digests(self, sides: Kept) -> tuple[int, int]:
        """The digests of both sides; 0 of one that is not there."""
        asked = self._setup or self._request or self._under(self.task.default_profile)
        settings = asked.profile.settings
        gold, system = (0 if one is None else content_digest(one, self.task, settings) for one in sides)
        return gold, system

    def _refuse_changed(self, came: Mapping[str, tuple[int, int]]) -> None:
        """Documents that are known, and come again with these digests: their content must be the same."""
        known = self._seen.documents
        self._refuse([key for key, digests in came.items() if digests != known[key][:2]])

    def _refuse_changed_copies(
        self, names: Sequence[str], gold: Sequence[object], system: Sequence[object]
    ) -> None:
        """Copies inside one batch: all must say the same."""
        contents: dict[str, set[tuple[int, int]]] = {}
        for name, ours, theirs in zip(names, gold, system, strict=True):
            sides = _corpora(self.task.name, {name: ours}, {name: theirs}, self.name)
            contents.setdefault(name, set()).add(self._digests(_pair(name, *sides)))
        self._refuse([name for name, digests in contents.items() if len(digests) > 1])

    def _refuse(self, changed: Sequence[str]) -> None:
        if changed:
            raise InvalidInput([_came_twice(doc_id, self.name) for doc_id in changed])

    # ---------------------------------------------------------------------------------------------------- figures

    def compute(self) -> Summary:
        """The summary of all documents so far, as one run over them gives it; nothing is reset."""
        seen = self._complete()
        if self._request is None or self._setup is None:
            raise UsageError("compute: no document came yet", hint="call update first")
        findings = list(map(_with_count, seen.remarks.values()))
        if self._setup.joins:
            gold, system, profile = self._as_read(seen.kept)
            summary = run(self.task, gold, [system], profile, detail=Detail(by=self.by))
            return public_summary(replace(summary, findings=(*summary.findings, *findings)))
        facts: Facts = {"unit": self._unit, "relations": sorted(seen.relations)}
        sides = [
            Corpus(role, {"": Document("")}, format="lydite", facts=facts) for role in ("gold", self.name)
        ]
        profile = self.task.with_input(self._request.profile, sides)
        accumulator = self._gathered(profile, seen.documents)
        inputs = (
            _input("gold", "gold", [one.gold for one in seen.documents.values()]),
            _input("system", self.name, [one.system for one in seen.documents.values()]),
        )
        return public_summary(summarise(self.task, profile, inputs, [accumulator], findings))

    def _gathered(
        self, profile: AnyProfile, documents: Mapping[str, CountedDocument]
    ) -> Accumulator[TaskSettings, object]:
        """The counts of all documents in the order of their ids, under the measurements that all of them ask for."""
        assert self._setup is not None
        measurements = self.task.measurements(profile.settings)
        kept = [(one.name, one.metric) for one in self._setup.measurements]
        places = [kept.index((one.name, one.metric)) for one in measurements]
        accumulator: Accumulator[TaskSettings, object] = Accumulator(
            self.name, measurements, Detail(by=self.by)
        )
        for doc_id in sorted(documents, key=in_bytes):
            figures, parts = documents[doc_id].counts
            if not figures:
                continue
            accumulator.add(
                doc_id,
                DocumentFigures(
                    tuple([figures[place] for place in places]),
                    tuple(
                        (places.index(at), attribute, value, part)
                        for at, attribute, value, part in parts
                        if at in places
                    ),
                ),
            )
        return accumulator

    def _as_read(self, documents: Mapping[str, Kept]) -> tuple[Corpus, Corpus, AnyProfile]:
        """Both sides with all documents, and the profile."""
        assert self._request is not None
        sides = [
            {doc_id: kept[side] for doc_id, kept in documents.items() if kept[side] is not None}
            for side in (0, 1)
        ]
        gold, system = _corpora(self.task.name, sides[0], sides[1], self.name)
        profile = self._request.profile
        if profile.settings.joins_documents:
            from lydite.formats.units import regroup

            gold, system = regroup(gold, profile.values), regroup(system, profile.values)
        return gold, system, profile

    def errors(self) -> Iterator[Verdict]:
        """What became of every item of both sides, and why: the verdicts of :func:`lydite.explain`.

        Needs the documents: ``keep_documents=True``, unless the task keeps them anyway.

        >>> import lydite
        >>> metric = lydite.Metric("spans", keep_documents=True)
        >>> metric.update([[(0, 3, "PER")]], [[(0, 3, "LOC")]], ["d1"])
        >>> [(one.side, one.cause) for one in metric.errors()]
        [('gold', 'wrong-type'), ('system', 'wrong-type')]
        """
        from lydite.explanation.passes import Inputs

        seen = self._complete()
        if self._setup is None:
            raise UsageError("errors: no document came yet", hint="call update first")
        if not (self._setup.joins or self.keep_documents):
            raise UsageError(
                "errors: the documents were not kept", hint="lydite.Metric(…, keep_documents=True)"
            )
        gold, system, profile = self._as_read(seen.kept)
        profile, gold, (system,) = self.task.prepare_sides(profile, gold, [system])
        return Inputs(self.task, gold, system, profile.settings).verdicts()

    def _complete(self) -> Seen:
        """All documents, those that were expected and never came as missed."""
        missing = {key: gold for key, gold in self._expected.items() if key not in self._seen.documents}
        if not missing:
            return self._seen
        message = (
            f"{len(missing)} of {len(self._expected)} expected documents never came; they count as missed"
        )
        missed = Finding("expected-document-missing", "warning", message, Location(self.name))
        complete = _nothing()
        complete.add(self._seen)
        counted = self._counted(*_corpora(self.task.name, missing, {}, self.name))
        complete.add(counted._replace(remarks=_remarks_of([missed])))
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
        return len(self._seen.documents)

    def __repr__(self) -> str:
        profile = self._choice.profile or self.task.default_profile
        return f"Metric({self.task.name!r}, profile={profile!r}, documents={len(self)})"

    # ---------------------------------------------------------------------------------------------------- joining

    def merge(self, other: Metric) -> None:
        """Take in what another metric of the same settings has seen, on another rank for instance."""
        if not isinstance(other, Metric):
            raise UsageError(
                f"merge: expected a lydite.Metric, found {type(other).__name__}",
                hint="lydite.Metric.from_state(…) makes one of a state",
            )
        self._refuse_other_settings(other)
        nameless = _places(0, other._without_id)
        free = _places(self._without_id, other._without_id)
        came = other._seen.renamed(dict(zip(nameless, free, strict=True)))
        known = self._seen.documents
        self._refuse_changed({key: one[:2] for key, one in came.documents.items() if key in known})
        self._expected.update(self._expected_by(other))
        self._seen.add(came)
        self._without_id += other._without_id
        self._setup, self._request = self._setup or other._setup, self._request or other._request

    def _expected_by(self, other: Metric) -> dict[str, object]:
        """What another metric expects and this one does not; both must expect the same of one document."""
        mine, yours = self._expected, other._expected
        of_both = [key for key, gold in yours.items() if mine.get(key, gold) is not gold]
        ours, theirs = (
            corpus_of_objects({key: gold[key] for key in of_both}, self.task.name, "gold").documents
            for gold in (mine, yours)
        )
        self._refuse([key for key in of_both if len({*self._digests(Kept(ours[key], theirs[key]))}) > 1])
        return {key: gold for key, gold in yours.items() if key not in mine}

    def _refuse_other_settings(self, other: Metric) -> None:
        """Settings count however they were said; a profile that nobody named is the one that the other metric has."""
        ours, theirs = self._terms(other), other._terms(self)
        different = [key for key in ours if ours[key] != theirs.get(key)]
        # What documents decide is decided anew where all of them are joined.
        if self._setup and other._setup and not (different or self._setup.joins):
            mine, yours = self._setup.profile.values, other._setup.profile.values
            different = [key for key in mine if mine[key] != yours[key]]
        if different:
            raise UsageError(f"metrics with other settings do not add up: {', '.join(different)} differ")

    def _terms(self, other: Metric) -> dict[str, object]:
        """Everything that must be equal where counts are added."""
        if self.task.name != other.task.name:
            return {"task": self.task.name}
        profile = (self._request or self._under(other._profile or self.task.default_profile)).profile
        return {
            "by": self.by,
            "keep-documents": self.keep_documents,
            "profile": profile.signed_name,
            **profile.values,
        }

    @property
    def _profile(self) -> str | None:
        """The profile that was named, or that documents have decided."""
        return self._choice.profile or (self._request.profile.name if self._request else None)

    def __add__(self, other: Metric) -> Metric:
        if not isinstance(other, Metric):
            return NotImplemented
        both = Metric.from_state(self.state(), expect=self._expected)
        both.merge(other)
        return both

    def state(self) -> MetricState:
        """Everything that was counted, as values that pickle and JSON take: by document, digests and tallies."""
        settings = {key.replace("_", "-"): value for key, value in self._choice.options.items()}
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
            "without-id": self._without_id,
            "relations": sorted(self._seen.relations),
            "unit": self._unit,
            "inferred": None if self._request is None else self._profile,
            "remarks": {
                code: [first.to_dict(), counts] for code, (first, counts) in self._seen.remarks.items()
            },
            "documents": {doc_id: _state_of(one) for doc_id, one in self._seen.documents.items()},
            "kept": {doc_id: list(map(_kept_state, sides)) for doc_id, sides in self._seen.kept.items()},
        }

    @classmethod
    def from_state(cls, state: MetricState, *, expect: Mapping[str, object] | None = None) -> Self:
        """The metric that :meth:`state` was taken from; expected documents are given anew."""
        schema = state.get("schema") if isinstance(state, Mapping) else state
        if schema != STATE:
            raise UsageError(f"expected the state of a metric ({STATE}), found {schema!r}")
        try:
            return cls._from_sound_state(state, expect)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise UsageError(f"the state of this metric is damaged: {error!r}") from None

    @classmethod
    def _from_sound_state(cls, state: MetricState, expect: Mapping[str, object] | None) -> Self:
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
        metric._without_id = state["without-id"]
        metric._seen = Seen(
            {doc_id: _from_state(one) for doc_id, one in state["documents"].items()},
            {doc_id: Kept(*map(_kept_from_state, sides)) for doc_id, sides in state["kept"].items()},
            {
                code: Remark(Finding.from_dict(first), dict(counts))
                for code, (first, counts) in state["remarks"].items()
            },
            set(state["relations"]),
        )
        if state["inferred"] is not None:
            metric._request = metric._under(state["inferred"])
        if metric._seen.documents:
            facts: Facts = {"unit": state["unit"] or "char", "relations": []}
            empty = Corpus("", {"": Document("")}, format="lydite", facts=facts)
            metric._setup = metric._settled(empty, empty)[1]
        return metric

    def __reduce__(self) -> tuple[partial[Self], tuple[MetricState]]:
        return partial(type(self).from_state, expect=self._expected), (self.state(),)


class _Setup(NamedTuple):
    """What holds for all documents: the profile with what the input decides, and whether documents are joined."""

    profile: AnyProfile
    measurements: tuple[AnyMeasurement, ...]
    joins: bool


def _listed(side: str, documents: object) -> list[object]:
    if isinstance(documents, str | bytes | Mapping) or not isinstance(documents, Iterable):
        raise UsageError(f"update: expected a list for {side}, found {type(documents).__name__}")
    return list(documents)


def _places(first: int, count: int) -> list[str]:
    """The names of documents without ids: their places among all of them."""
    return [f"{NAMELESS}{place}" for place in range(first, first + count)]


def _ids(given: Iterable[object], where: str) -> list[str]:
    try:
        names = list(map(document_id, given))
    except Faults as fault:
        raise UsageError(f"{where}{fault}") from None
    for name in names:
        if name.startswith(NAMELESS):
            raise UsageError(
                f"{where}: expected an id that does not begin with {NAMELESS!r}, found {name!r}",
                hint=f"documents that come without an id are called {NAMELESS}0, {NAMELESS}1, …",
            )
    return names


def _corpora(
    task: str, gold: Mapping[str, object], system: Mapping[str, object], name: str
) -> tuple[Corpus, Corpus]:
    """Both sides, as documents among others; what does not fit on either is raised together."""
    sides = as_sides([gold, system], task, roles=["gold", name])
    gold_side, system_side = (side for side in sides if isinstance(side, Corpus))
    # A side without mentions is of the unit of the other one.
    return (
        replace(gold_side, facts={**system_side.facts, **gold_side.facts, "folder": True}),
        replace(system_side, facts={**gold_side.facts, **system_side.facts, "folder": True}),
    )


def _pair(doc_id: str, gold: Corpus, system: Corpus) -> Kept:
    return Kept(gold.documents[doc_id], system.documents.get(doc_id))


def _without(corpus: Corpus, doc_ids: Collection[str]) -> Corpus:
    left = {doc_id: one for doc_id, one in corpus.documents.items() if doc_id not in doc_ids}
    return replace(corpus, documents=left)


def _came_twice(doc_id: str, name: str) -> Finding:
    message = f"document {doc_id!r} came twice with different content"
    hint = "give every document an id of its own, or call reset() between epochs"
    return Finding(CHANGED, "error", message, Location(name), doc_id, hint=hint)


def _document_of(finding: Finding) -> bytes:
    return in_bytes(finding.document or "")


def _remarks_of(findings: Iterable[Finding]) -> dict[str, Remark]:
    remarks: dict[str, Remark] = {}
    for finding in findings:
        first, counts = remarks.get(finding.code, Remark(finding, {}))
        remarks[finding.code] = Remark(min(first, finding, key=_document_of), counts)
        doc_id = finding.document or ""
        counts[doc_id] = counts.get(doc_id, 0) + 1
    return remarks


def _with_count(remark: Remark) -> Finding:
    first, more = remark.first, sum(remark.counts.values()) - 1
    return first._replace(message=f"{first.message} (and {more} more of this kind)") if more else first


def _input(role: str, name: str, digests: Sequence[int]) -> Input:
    present = sum(1 for digest in digests if digest)
    return Input(role, name, name, "", present, hash_of_content(sum(digests)), {"format": "lydite"})


def _as_json_value(value: object) -> object:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return list(value) if isinstance(value, tuple | set | frozenset) else value


def _state_of(document: CountedDocument) -> CountedState:
    figures, parts = document.counts
    return {
        "gold": f"{document.gold:x}",
        "system": f"{document.system:x}",
        "figures": [encode(one) for one in figures],
        "parts": [[*place, encode(counts)] for *place, counts in parts],
    }


def _from_state(data: CountedState) -> CountedDocument:
    parts = tuple((at, attribute, value, decode(counts)) for at, attribute, value, counts in data["parts"])
    counted = DocumentFigures(tuple(decode(one) for one in data["figures"]), parts)
    return CountedDocument(int(data["gold"], 16), int(data["system"], 16), counted)


def _kept_state(side: Document | None) -> list[object] | None:
    """A line of lydite's own form, and beside it the clusters: their mentions may be whatever can be hashed."""
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
            hint="mentions that are texts, numbers, or tuples and sets of such travel",
        ) from None


def _kept_from_state(data: Sequence[object] | None) -> Document | None:
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
