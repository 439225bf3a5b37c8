"""Pooling: what goes to the assessors, and where it came from.

*Collapse*: of arguments that differ in justification and base filler alone the preferred one is kept.  *Top N*: per
system, over all its documents, after collapsing.  *Pool*: the union over systems, each argument with its highest
confidence.  An earlier pool that is added to stays as it is, line by line.  The manifest says of every argument which
systems gave it and what was left out and why; assessors never see it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from lydite.assess.quote_filter import QuoteFilter, refuse_unknown
from lydite.assess.stores import Answers, OpenedStore, all_documents, names_apart
from lydite.checks.quotes import is_quoted
from lydite.formats.eal import argument_columns
from lydite.grouping import grouped
from lydite.model.argument import Argument, best, highest, identifier_2014, preference
from lydite.records import dataclass

Collapse = Literal["none", "system", "pool"]


@dataclass(frozen=True, slots=True)
class PoolRules:
    """How a pool is made."""

    collapse: Collapse = "system"
    keep_inference: bool = False
    top_n: int | None = None


@dataclass(frozen=True, slots=True)
class PooledDocument:
    """One document of the pool: its arguments, and what the manifest says of them and of what was left out."""

    doc_id: str
    answers: Answers
    entry: DocumentEntry


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool in the making: the head of its manifest, and its documents as they stream by."""

    head: PoolHead
    documents: Iterator[PooledDocument]


_group = attrgetter("doc_id", "event_type", "role", "text", "span", "realis")
"""What the arguments of a group share: the canonical string is a text with its span."""


def needs_inference(argument: Argument) -> bool:
    """Whether the justification is more than one passage: additional spans, or several predicate spans."""
    return bool(argument.additional) or len(argument.justification) > 1


def collapsed(
    answers: Mapping[Argument, float], *, keep_inference: bool
) -> tuple[Answers, dict[Argument, Argument]]:
    """The preferred argument of each group, and for every one that was left out who represents it."""
    groups = grouped((_group(argument), (argument, confidence)) for argument, confidence in answers.items())
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


class _Ledger:
    """Who gave what in a document, as it is shown, and what became of it; ``before`` is what an earlier manifest says."""

    def __init__(self, before: DocumentEntry) -> None:
        self.given: dict[str, dict[str, Origin]] = {}
        self.givers: dict[Argument, list[str]] = {}
        """Of the arguments that come now."""
        self.represents: dict[str, set[str]] = {}
        self._left_out: list[tuple[str, Argument, dict[str, str]]] = []
        self._before = before
        for pooled in before.get("arguments", ()):
            self.given[pooled["argument"]] = {origin["system"]: origin for origin in pooled["systems"]}
            self.represents[pooled["argument"]] = set(pooled["represents"])
        for entry in before.get("left_out", ()):
            # A system may have given what was then left out: its confidence and rank stand there.
            if "rank" in entry:
                origin = Origin(system=entry["system"], confidence=entry["confidence"], rank=entry["rank"])
                self.given.setdefault(entry["argument"], {}).setdefault(entry["system"], origin)

    def give(self, system: str, answers: Answers, *, first: bool = False) -> None:
        """What a system gave, with the place of each argument among all of them, from 1; named last, or ``first``."""
        ranked = sorted(answers.items(), key=lambda row: preference(*row), reverse=True)
        for rank, (argument, confidence) in enumerate(ranked, start=1):
            new = {system: Origin(system=system, confidence=confidence, rank=rank)}
            known = self.given.get(_as_columns(argument), {})
            self.given[_as_columns(argument)] = new | known if first else known | new

    def leave_out(self, system: str, argument: Argument, why: str, **more: str) -> None:
        self._left_out.append((system, argument, {"why": why, **more}))

    def represent(self, system: str, argument: Argument, representative: Argument) -> None:
        shown = _as_columns(representative)
        self.leave_out(system, argument, "redundant", representative=shown)
        self.represents.setdefault(shown, set()).add(system)

    def entry(self, pooled: Answers) -> DocumentEntry:
        """What the manifest says of the document: who gave its arguments, and what was left out."""
        arguments: list[PooledArgument] = [
            {
                "id": identifier_2014(argument),
                "argument": shown,
                "systems": list(self.given.get(shown, {}).values()),
                "represents": sorted(self.represents.get(shown, ())),
            }
            for argument in sorted(pooled)
            for shown in [_as_columns(argument)]
        ]
        new = [
            {"system": name, "argument": shown, **why, **self.given.get(shown, {}).get(name, {})}
            for name, argument, why in self._left_out
            for shown in [_as_columns(argument)]
        ]
        before = [entry for entry in self._before.get("left_out", ()) if entry not in new]
        # Why it was left out and where it comes from are told under the names of the entry.
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
) -> Pool:
    """The pool of several systems, with every line of an ``earlier`` pool as it is.

    ``human`` are names or paths of systems.  ``manifest`` is that of the earlier pool: it stays true of everything that
    was there.  Without it nobody knows who gave the earlier lines, and the earlier pool stands in the new manifest like
    a system.  Documents stream by, so that memory holds one document of the pool; only *top N* looks at all confidences
    of a system first.
    """
    earlier_paths = {system["name"]: system["path"] for system in manifest.head.get("systems", ())}
    named = dict(zip(names_apart(systems, earlier_paths), systems, strict=True))
    if quote_filter is not None:
        refuse_unknown(quote_filter, systems)
    unknown = earlier if manifest is NO_MANIFEST else None
    head = _head(named, rules, frozenset(human), filtered=quote_filter is not None, unknown=unknown)
    documents = _pooled(named, rules, quote_filter, earlier, manifest)
    return Pool(head if manifest is NO_MANIFEST else _appended(manifest.head, head), documents)


def _head(
    named: Mapping[str, OpenedStore],
    rules: PoolRules,
    human: frozenset[str],
    *,
    filtered: bool,
    unknown: OpenedStore | None,
) -> PoolHead:
    stores = {**({unknown.path: unknown} if unknown else {}), **named}
    return {
        "schema": "lydite.pool/1",
        "rules": {"collapse": rules.collapse, "keep_inference": rules.keep_inference, "top_n": rules.top_n},
        "quote_filter": filtered,
        "systems": [
            {
                "name": name,
                "path": store.path,
                "human": not human.isdisjoint({store.name, store.path}),
                "earlier_pool": store is unknown,
            }
            for name, store in stores.items()
        ],
    }


def _appended(before: PoolHead, new: PoolHead) -> PoolHead:
    """The head of an earlier manifest with the systems that came later, and the rules under which they did."""
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


def _pooled(
    stores: Mapping[str, OpenedStore],
    rules: PoolRules,
    quote_filter: QuoteFilter | None,
    earlier: OpenedStore | None,
    manifest: PoolManifest,
) -> Iterator[PooledDocument]:
    top: dict[str, set[Argument]] = {}
    if rules.top_n is not None:
        top = {name: _top(store, rules, quote_filter) for name, store in stores.items()}
    for doc_id in all_documents([*stores.values(), *([earlier] if earlier else [])]):
        ledger = _Ledger(manifest.document(doc_id))
        given: list[tuple[Argument, float]] = []
        for name, store in stores.items():
            answers = _unquoted(store, doc_id, quote_filter, partial(ledger.leave_out, name, why="quote"))
            given += _contribution(name, answers, rules, ledger, top.get(name))
        new = highest(given)
        if rules.collapse == "pool":
            new = _collapse_pool(new, rules, ledger)
        pooled = _with_earlier(new, earlier, doc_id, ledger if manifest is NO_MANIFEST else None)
        yield PooledDocument(doc_id, pooled, ledger.entry(pooled))


def _with_earlier(new: Answers, earlier: OpenedStore | None, doc_id: str, ledger: _Ledger | None) -> Answers:
    """What systems add to the lines of the earlier pool, each of which stays; the ledger is told where nobody else knows."""
    if earlier is None:
        return new
    pooled = earlier.answers(doc_id)
    if ledger is not None:
        ledger.give(earlier.path, pooled, first=True)
    return highest([*pooled.items(), *new.items()])


def _unquoted(
    system: OpenedStore, doc_id: str, quote_filter: QuoteFilter | None, drop: Callable[[Argument], None]
) -> Answers:
    answers = system.answers(doc_id)
    if quote_filter is None:
        return answers
    kept: Answers = {}
    for argument, confidence in answers.items():
        if is_quoted(argument, quote_filter[doc_id]):
            drop(argument)
        else:
            kept[argument] = confidence
    return kept


def _contribution(
    name: str, answers: Answers, rules: PoolRules, ledger: _Ledger, wanted: set[Argument] | None
) -> Iterator[tuple[Argument, float]]:
    """What a system adds to the pool of a document: collapsed, and only its best where *top N* is asked for."""
    ledger.give(name, answers)
    for argument in answers:
        ledger.givers.setdefault(argument, []).append(name)
    if rules.collapse == "system":
        answers, represented = collapsed(answers, keep_inference=rules.keep_inference)
        for argument, representative in represented.items():
            ledger.represent(name, argument, representative)
    for argument, confidence in answers.items():
        if wanted is None or argument in wanted:
            yield argument, confidence
        else:
            ledger.leave_out(name, argument, "below top N")


def _top(system: OpenedStore, rules: PoolRules, quote_filter: QuoteFilter | None) -> set[Argument]:
    """The N preferred arguments of a system over all its documents, after collapsing."""
    import heapq

    def candidates() -> Iterator[tuple[tuple[float, int, tuple[str, ...]], Argument]]:
        for doc_id in system.doc_ids:
            answers = _unquoted(system, doc_id, quote_filter, lambda _argument: None)
            if rules.collapse == "system":
                answers, _ = collapsed(answers, keep_inference=rules.keep_inference)
            for argument, confidence in answers.items():
                yield preference(argument, confidence), argument

    assert rules.top_n is not None
    return {argument for _, argument in heapq.nlargest(rules.top_n, candidates())}


def _collapse_pool(pooled: Answers, rules: PoolRules, ledger: _Ledger) -> Answers:
    kept, represented = collapsed(pooled, keep_inference=rules.keep_inference)
    for argument, representative in represented.items():
        for name in ledger.givers[argument]:
            ledger.represent(name, argument, representative)
    return kept
