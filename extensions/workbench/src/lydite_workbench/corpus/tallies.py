"""Counts of the judgements of each target, which are counted again only after new judgements."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import NamedTuple

from django.db.models import Count, Max

from lydite.grouping import grouped
from lydite_corpus.judgements import Progress, latest_judgements, resolve_latest, target_progress_of
from lydite_corpus.targets import Opinion, opinions_of
from lydite_workbench.corpus.models import Collection, TargetTally

TOGETHER = 2000
"""About how many judgements are read at once."""


class TargetTallies(NamedTuple):
    """Progress and opinion by target; and how many of the judged targets are still to be counted."""

    progress: Mapping[str, Progress]
    opinions: Mapping[str, Opinion]
    targets: int
    waiting: int


def tally_targets(collection: Collection, *, seconds: float = math.inf) -> TargetTallies:
    """Count the judgements of every target; after ``seconds`` the rest is left to the next call."""
    judged = collection.entries.filter(kind="judgement").order_by()
    counted = judged.values_list("target").annotate(entries=Count("pk"), last=Max("pk"))
    now = {target: (entries, last) for target, entries, last in counted}
    held = {one.target: one for one in collection.tallies.all()}
    stale = [
        target
        for target, version in now.items()
        if target not in held or (held[target].entries, held[target].last) != version
    ]
    until = time.monotonic() + seconds
    made: list[TargetTally] = []
    for some in _batches(stale, {target: entries for target, (entries, _) in now.items()}):
        made += _tallies(collection, some)
        if time.monotonic() > until:
            break
    TargetTally.objects.bulk_create(
        made,
        update_conflicts=True,
        unique_fields=["collection", "target"],
        update_fields=["entries", "last", "progress", "opinion"],
    )
    known = held | {one.target: one for one in made}
    return TargetTallies(
        {target: Progress(**one.progress) for target, one in known.items()},
        {target: Opinion(*one.opinion) for target, one in known.items()},
        len(now),
        len(stale) - len(made),
    )


def _batches(targets: Sequence[str], entries: Mapping[str, int]) -> Iterator[list[str]]:
    """Targets in batches with at most ``TOGETHER`` judgements, or with one target."""
    batch: list[str] = []
    size = 0
    for target in targets:
        if batch and size + entries[target] > TOGETHER:
            yield batch
            batch, size = [], 0
        batch.append(target)
        size += entries[target]
    if batch:
        yield batch


def _tallies(collection: Collection, targets: Sequence[str]) -> Iterator[TargetTally]:
    rows = collection.entries.filter(kind="judgement", target__in=targets).values_list("target", "pk", "data")
    for target, entries in grouped((target, (key, data)) for target, key, data in rows).items():
        last = latest_judgements(data for _, data in entries)
        resolved = resolve_latest(last)
        (progress,), (opinion,) = target_progress_of(last, resolved), opinions_of(resolved).values()
        yield TargetTally(
            collection=collection,
            target=target,
            entries=len(entries),
            last=max(key for key, _ in entries),
            progress=asdict(progress),
            opinion=list(opinion),
        )
