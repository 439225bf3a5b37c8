"""Pooling: what goes to the assessors, and where it came from.

*Collapse*: of arguments that differ in justification and base filler alone the preferred one is kept.  *Top N*: per
system, over all its documents, after collapsing.  *Pool*: the union over systems, each argument with its highest
confidence.  The manifest says of every argument which systems gave it and what was left out and why; assessors
never see it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from lydite.assess.quote_filter import QuoteFilter
from lydite.assess.stores import Answers, OpenedStore, all_documents
from lydite.checks.quotes import is_quoted
from lydite.errors import Finding, InvalidInput, Location
from lydite.formats.eal import system_columns
from lydite.model.argument import Argument, best, identifier_2014, preference

Collapse = Literal["none", "system", "pool"]
Group = tuple[str, str, str, str, tuple[int, int], str]


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
    entry: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool in the making: the head of its manifest, and its documents as they stream by."""

    head: Mapping[str, Any]
    documents: Iterator[PooledDocument]


def _group(argument: Argument) -> Group:
    return (
        argument.doc_id,
        argument.event_type,
        argument.role,
        argument.text,
        argument.span,
        argument.realis,
    )


def needs_inference(argument: Argument) -> bool:
    """Whether the justification is more than one passage: additional spans, or several predicate spans."""
    return bool(argument.additional) or len(argument.justification) > 1


def collapsed(
    answers: Mapping[Argument, float], *, keep_inference: bool
) -> tuple[Answers, dict[Argument, Argument]]:
    """The preferred argument of each group, and for every one that was left out who represents it.

    A group shares document, type, role, canonical string with its span, and realis.
    """
    groups: dict[Group, list[tuple[Argument, float]]] = {}
    for argument, confidence in answers.items():
        groups.setdefault(_group(argument), []).append((argument, confidence))
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


@dataclass
class _Ledger:
    """Who gave what, and what became of it."""

    given: dict[Argument, list[tuple[str, float]]] = field(default_factory=dict)
    represents: dict[Argument, set[str]] = field(default_factory=dict)
    left_out: list[dict[str, str]] = field(default_factory=list)

    def leave_out(self, system: str, argument: Argument, why: str, **more: str) -> None:
        self.left_out.append({"system": system, "argument": _shown(argument), "why": why, **more})


def _shown(argument: Argument) -> str:
    return "\t".join(system_columns(argument, 1.0)[1:10])


def pool(
    systems: Sequence[OpenedStore],
    rules: PoolRules,
    *,
    quote_filter: QuoteFilter | None = None,
    human: Iterable[str] = (),
    earlier: OpenedStore | None = None,
) -> Pool:
    """The pool of several systems; an ``earlier`` pool counts as one more system.

    Documents stream by, so that memory holds one document of the pool; only *top N* looks at all confidences of a
    system first.
    """
    stores = [*systems] if earlier is None else [earlier, *systems]
    names = _distinct(stores)
    _check_filter(quote_filter, all_documents(stores))
    marked = frozenset(human)
    head = {
        "schema": "lydite.pool/1",
        "rules": {"collapse": rules.collapse, "keep_inference": rules.keep_inference, "top_n": rules.top_n},
        "quote_filter": quote_filter is not None,
        "systems": [
            {"name": name, "path": store.path, "human": name in marked, "earlier_pool": store is earlier}
            for name, store in zip(names, stores, strict=True)
        ],
    }
    return Pool(head, _pooled(dict(zip(names, stores, strict=True)), rules, quote_filter))


def _pooled(
    stores: Mapping[str, OpenedStore], rules: PoolRules, quote_filter: QuoteFilter | None
) -> Iterator[PooledDocument]:
    top: dict[str, set[Argument]] = {}
    if rules.top_n is not None:
        top = {name: _top(store, rules, quote_filter) for name, store in stores.items()}
    for doc_id in all_documents(stores.values()):
        ledger = _Ledger()
        pooled: Answers = {}
        for name, store in stores.items():
            answers = _unquoted(store, doc_id, quote_filter, partial(ledger.leave_out, name, why="quote"))
            for argument, confidence in _contribution(name, answers, rules, ledger, top.get(name)):
                pooled[argument] = max(confidence, pooled.get(argument, 0.0))
        if rules.collapse == "pool":
            pooled = _collapse_pool(pooled, rules, ledger)
        yield PooledDocument(doc_id, pooled, _entry(pooled, ledger))


def _distinct(systems: Sequence[OpenedStore]) -> list[str]:
    names = [system.name for system in systems]
    return [name if names.count(name) == 1 else systems[i].path for i, name in enumerate(names)]


def _check_filter(quote_filter: QuoteFilter | None, doc_ids: Iterable[str]) -> None:
    if quote_filter is None:
        return
    unknown = [doc_id for doc_id in doc_ids if doc_id not in quote_filter]
    if unknown:
        raise InvalidInput(
            Finding(
                "unknown-to-filter",
                "error",
                f"document {doc_id} is unknown to the quote filter",
                Location(doc_id),
                document=doc_id,
            )
            for doc_id in unknown
        )


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
    for argument, confidence in answers.items():
        ledger.given.setdefault(argument, []).append((name, confidence))
    if rules.collapse == "system":
        answers, represented = collapsed(answers, keep_inference=rules.keep_inference)
        for argument, representative in represented.items():
            ledger.leave_out(name, argument, "redundant", representative=_shown(representative))
            ledger.represents.setdefault(representative, set()).add(name)
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
        for name, _ in ledger.given[argument]:
            ledger.leave_out(name, argument, "redundant", representative=_shown(representative))
            ledger.represents.setdefault(representative, set()).add(name)
    return kept


def _entry(pooled: Answers, ledger: _Ledger) -> dict[str, Any]:
    ranks = _ranks(ledger)
    arguments = [
        {
            "id": identifier_2014(argument),
            "argument": _shown(argument),
            "systems": [
                {"system": name, "confidence": confidence, "rank": ranks[name, argument]}
                for name, confidence in ledger.given[argument]
            ],
            "represents": sorted(ledger.represents.get(argument, ())),
        }
        for argument in sorted(pooled)
    ]
    return {"pooled": len(pooled), "arguments": arguments, "left_out": ledger.left_out}


def _ranks(ledger: _Ledger) -> dict[tuple[str, Argument], int]:
    """The place of an argument among those that a system gave in this document, from 1."""
    by_system: dict[str, list[tuple[Argument, float]]] = {}
    for argument, systems in ledger.given.items():
        for name, confidence in systems:
            by_system.setdefault(name, []).append((argument, confidence))
    return {
        (name, argument): rank
        for name, answers in by_system.items()
        for rank, (argument, _) in enumerate(
            sorted(answers, key=lambda row: preference(*row), reverse=True), start=1
        )
    }
