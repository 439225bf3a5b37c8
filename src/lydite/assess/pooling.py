"""Pooling: what goes to the assessors, and where it came from.

*Collapse*: of arguments that differ in justification and base filler alone the preferred one is kept.  *Top N*: per
system, over all its documents, after collapsing.  *PoolStream*: the union over systems, each argument with its highest
confidence.  An earlier pool that is added to stays as it is, line by line.  The manifest says of every argument which
systems gave it and what was left out and why; assessors never see it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Literal, cast

from lydite.assess.manifests import (
    NO_MANIFEST,
    DocumentEntry,
    LeftOut,
    Origin,
    PooledArgument,
    PoolHead,
    PoolManifest,
)
from lydite.assess.quote_filter import refuse_unknown_documents
from lydite.assess.stores import Answers, OpenedStore, all_documents, distinct_names
from lydite.checks.quotes import is_quoted
from lydite.formats.eal import argument_columns
from lydite.formats.quote_filters import QuoteFilter
from lydite.grouping import grouped
from lydite.model.argument import Argument, best, highest, identifier_2014, preference

Collapse = Literal["none", "system", "pool"]


@dataclass(frozen=True, slots=True)
class PoolRules:
    """How a pool is made."""

    collapse: Collapse = "system"
    keep_inference: bool = False
    top_n: int | None = None


@dataclass(frozen=True, slots=True)
class StreamedDocument:
    """One document of a pool that is being made: its arguments, and its entry in the manifest."""

    doc_id: str
    answers: Answers
    entry: DocumentEntry


@dataclass(frozen=True, slots=True)
class PoolStream:
    """A pool that is being made: the head of its manifest, and a stream of its documents."""

    head: PoolHead
    documents: Iterator[StreamedDocument]


_group_key = attrgetter("doc_id", "event_type", "role", "text", "span", "realis")
"""What the arguments of a group have in common; ``text`` and ``span`` are the canonical string."""


def needs_inference(argument: Argument) -> bool:
    """Whether the justification is more than one passage: additional spans, or several predicate spans."""
    return bool(argument.additional) or len(argument.justification) > 1


def collapse(
    answers: Mapping[Argument, float], *, keep_inference: bool
) -> tuple[Answers, dict[Argument, Argument]]:
    """The preferred argument of each group, and for every other one the argument that represents it."""
    groups = grouped((_group_key(argument), (argument, sure)) for argument, sure in answers.items())
    kept: Answers = {}
    represented: dict[Argument, Argument] = {}
    for members in groups.values():
        representative, _ = best(members)
        for argument, confidence in members:
            if argument == representative or (keep_inference and needs_inference(argument)):
                kept[argument] = confidence
            else:
                represented[argument] = representative
    return kept, represented


class _ManifestEntry:
    """The manifest's entry of a document in the making, with arguments as columns; ``before`` is the earlier one."""

    def __init__(self, before: DocumentEntry) -> None:
        self.origins: dict[str, dict[str, Origin]] = {}
        """By argument and system."""
        self.systems_of: dict[Argument, list[str]] = {}
        """The systems pooled now that gave an argument."""
        self.represents: dict[str, set[str]] = {}
        self._left_out: list[tuple[str, Argument, dict[str, str]]] = []
        self._before = before
        for pooled in before.get("arguments", ()):
            self.origins[pooled["argument"]] = {origin["system"]: origin for origin in pooled["systems"]}
            self.represents[pooled["argument"]] = set(pooled["represents"])
        for entry in before.get("left_out", ()):
            # Of an argument that was left out its own entry has the origin.
            if "rank" in entry:
                origin = Origin(system=entry["system"], confidence=entry["confidence"], rank=entry["rank"])
                self.origins.setdefault(entry["argument"], {}).setdefault(entry["system"], origin)

    def add_answers(self, system: str, answers: Answers, *, first: bool = False) -> None:
        """Note what a system gave, with the rank of each argument from 1; the system is named last, or ``first``."""
        ranked = sorted(answers.items(), key=lambda row: preference(*row), reverse=True)
        for rank, (argument, confidence) in enumerate(ranked, start=1):
            new = {system: Origin(system=system, confidence=confidence, rank=rank)}
            known = self.origins.get(_as_columns(argument), {})
            self.origins[_as_columns(argument)] = new | known if first else known | new

    def leave_out(self, system: str, argument: Argument, why: str, **more: str) -> None:
        self._left_out.append((system, argument, {"why": why, **more}))

    def leave_out_redundant(self, system: str, argument: Argument, representative: Argument) -> None:
        columns = _as_columns(representative)
        self.leave_out(system, argument, "redundant", representative=columns)
        self.represents.setdefault(columns, set()).add(system)

    def finish(self, pooled: Answers) -> DocumentEntry:
        """The entry: who gave the pooled arguments, and what was left out."""
        arguments: list[PooledArgument] = [
            {
                "id": identifier_2014(argument),
                "argument": columns,
                "systems": list(self.origins.get(columns, {}).values()),
                "represents": sorted(self.represents.get(columns, ())),
            }
            for argument in sorted(pooled)
            for columns in [_as_columns(argument)]
        ]
        new = [
            {"system": name, "argument": columns, **why, **self.origins.get(columns, {}).get(name, {})}
            for name, argument, why in self._left_out
            for columns in [_as_columns(argument)]
        ]
        before = [entry for entry in self._before.get("left_out", ()) if entry not in new]
        # The keyword arguments of leave_out have the names of its keys.
        left_out = [*before, *cast("list[LeftOut]", new)]
        return {"pooled": len(pooled), "arguments": arguments, "left_out": left_out}


def _as_columns(argument: Argument) -> str:
    return "\t".join(argument_columns(argument))


def pool(
    systems: Sequence[OpenedStore],
    rules: PoolRules,
    *,
    quote_filter: QuoteFilter | None = None,
    human: Iterable[str] = (),
    earlier: OpenedStore | None = None,
    manifest: PoolManifest = NO_MANIFEST,
) -> PoolStream:
    """The pool of several systems, with every line of an ``earlier`` pool unchanged.

    ``human`` are names or paths of systems.  ``manifest`` is that of the earlier pool, and the new one continues it.
    Without it nobody knows which systems gave the earlier lines, and the new manifest lists the earlier pool as a system.
    Memory holds one document at a time; only *top N* reads all confidences of a system first.
    """
    earlier_paths = {system["name"]: system["path"] for system in manifest.head.get("systems", ())}
    named = dict(zip(distinct_names(systems, earlier_paths), systems, strict=True))
    if quote_filter is not None:
        refuse_unknown_documents(quote_filter, systems)
    without_manifest = earlier if manifest is NO_MANIFEST else None
    filtered = quote_filter is not None
    head = _head(named, rules, frozenset(human), filtered=filtered, without_manifest=without_manifest)
    documents = _stream_documents(named, rules, quote_filter, earlier, manifest)
    return PoolStream(head if manifest is NO_MANIFEST else _continued_head(manifest.head, head), documents)


def _head(
    named: Mapping[str, OpenedStore],
    rules: PoolRules,
    human: frozenset[str],
    *,
    filtered: bool,
    without_manifest: OpenedStore | None,
) -> PoolHead:
    stores = {**({without_manifest.path: without_manifest} if without_manifest else {}), **named}
    return {
        "schema": "lydite.pool/1",
        "rules": {"collapse": rules.collapse, "keep_inference": rules.keep_inference, "top_n": rules.top_n},
        "quote_filter": filtered,
        "systems": [
            {
                "name": name,
                "path": store.path,
                "human": not human.isdisjoint({store.name, store.path}),
                "earlier_pool": store is without_manifest,
            }
            for name, store in stores.items()
        ],
    }


def _continued_head(before: PoolHead, new: PoolHead) -> PoolHead:
    """The head of an earlier manifest, continued with the systems that are added now and their rules."""
    known = [system["name"] for system in before["systems"]]
    later = {
        "systems": [system["name"] for system in new["systems"]],
        "rules": new["rules"],
        "quote_filter": new["quote_filter"],
    }
    return {
        **before,
        "systems": [
            *before["systems"],
            *(system for system in new["systems"] if system["name"] not in known),
        ],
        "appended": [*before.get("appended", ()), later],
    }


def _stream_documents(
    stores: Mapping[str, OpenedStore],
    rules: PoolRules,
    quote_filter: QuoteFilter | None,
    earlier: OpenedStore | None,
    manifest: PoolManifest,
) -> Iterator[StreamedDocument]:
    top: dict[str, set[Argument]] = {}
    if rules.top_n is not None:
        top = {name: _top_arguments(store, rules, quote_filter) for name, store in stores.items()}
    for doc_id in all_documents([*stores.values(), *([earlier] if earlier else [])]):
        entry = _ManifestEntry(manifest.document(doc_id))
        contributions: list[tuple[Argument, float]] = []
        for name, store in stores.items():
            note_quoted = partial(entry.leave_out, name, why="quote")
            answers = _answers_outside_quotes(store, doc_id, quote_filter, note_quoted)
            contributions += _contribution(name, answers, rules, entry, top.get(name))
        new = highest(contributions)
        if rules.collapse == "pool":
            new, represented = collapse(new, keep_inference=rules.keep_inference)
            for argument, representative in represented.items():
                for name in entry.systems_of[argument]:
                    entry.leave_out_redundant(name, argument, representative)
        pooled = _with_earlier(new, earlier, doc_id, entry if manifest is NO_MANIFEST else None)
        yield StreamedDocument(doc_id, pooled, entry.finish(pooled))


def _with_earlier(
    new: Answers, earlier: OpenedStore | None, doc_id: str, entry: _ManifestEntry | None
) -> Answers:
    """The new arguments together with all lines of the earlier pool, which are noted in ``entry`` if it is given."""
    if earlier is None:
        return new
    pooled = earlier.answers(doc_id)
    if entry is not None:
        entry.add_answers(earlier.path, pooled, first=True)
    return highest([*pooled.items(), *new.items()])


def _answers_outside_quotes(
    system: OpenedStore,
    doc_id: str,
    quote_filter: QuoteFilter | None,
    note_quoted: Callable[[Argument], None],
) -> Answers:
    answers = system.answers(doc_id)
    if quote_filter is None:
        return answers
    kept: Answers = {}
    for argument, confidence in answers.items():
        if is_quoted(argument, quote_filter[doc_id]):
            note_quoted(argument)
        else:
            kept[argument] = confidence
    return kept


def _contribution(
    name: str, answers: Answers, rules: PoolRules, entry: _ManifestEntry, top: set[Argument] | None
) -> Iterator[tuple[Argument, float]]:
    """What a system adds to the pool of a document: collapsed if so asked, and only what is in the *top N* if there is one."""
    entry.add_answers(name, answers)
    for argument in answers:
        entry.systems_of.setdefault(argument, []).append(name)
    if rules.collapse == "system":
        answers, represented = collapse(answers, keep_inference=rules.keep_inference)
        for argument, representative in represented.items():
            entry.leave_out_redundant(name, argument, representative)
    for argument, confidence in answers.items():
        if top is None or argument in top:
            yield argument, confidence
        else:
            entry.leave_out(name, argument, "below top N")


def _top_arguments(system: OpenedStore, rules: PoolRules, quote_filter: QuoteFilter | None) -> set[Argument]:
    """The N preferred arguments of a system over all its documents, after collapsing."""
    import heapq

    def candidates() -> Iterator[tuple[tuple[float, int, tuple[str, ...]], Argument]]:
        for doc_id in system.doc_ids:
            answers = _answers_outside_quotes(system, doc_id, quote_filter, lambda _argument: None)
            if rules.collapse == "system":
                answers, _ = collapse(answers, keep_inference=rules.keep_inference)
            for argument, confidence in answers.items():
                yield preference(argument, confidence), argument

    assert rules.top_n is not None
    return {argument for _, argument in heapq.nlargest(rules.top_n, candidates())}
