"""Choose documents from an index for an evaluation, and report on the quality of the choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lydite.grouping import grouped
from lydite.model.plain import plain
from lydite_corpus.index import Index, Record, thread_end
from lydite_corpus.judgements import JointJudgement, document_stars
from lydite_corpus.mentions import count_mentions
from lydite_corpus.objective import DocumentPool, Objective, PoolTarget, TypeQuota, Weights
from lydite_corpus.profiles import ALIAS, VARIANT, TargetProfile, confusable_groups
from lydite_corpus.query import FIELDS
from lydite_corpus.select import (
    GreedyChoice,
    Limits,
    Strata,
    apportion,
    choose_within,
    draw_stratified,
    lazy_greedy,
    online_bound,
    pair_clusters,
    programme_bound,
    random_values,
    stratified_values,
)

SCHEMA = "lydite.selection/1"
GREEDY, FILLED = "greedy", "fill"


class Chosen(NamedTuple):
    """A chosen document, its gain, whether greedy chose it or it fills up, and the number of characters kept."""

    document: str
    gain: float
    by: str
    end: int


@dataclass(frozen=True, slots=True)
class TargetCoverage:
    """How often a target occurs in the chosen documents and in the pool, and how many of its names occur."""

    target: str
    mentions: int
    pool: int
    forms: int
    """Aliases and variants that occur in the chosen documents."""
    all_forms: int


class Shares(NamedTuple):
    """The shares of the pool and of the choice that have a value."""

    pool: float
    chosen: float


@dataclass(frozen=True, slots=True)
class Quality:
    """The report on a choice, as in the JSON output."""

    count: int
    pool: int
    greedy: int
    filled: int
    value: float
    bound: float
    bound_by: str
    ratio: float | None
    """value / bound: at least this share of the best possible value was reached."""
    soft_value: float | None
    """The value that greedy reaches without the hard upper limit; None if there was no hard limit."""
    passed_over: int
    random: tuple[float, ...]
    stratified: tuple[float, ...]
    lower: int
    upper: int
    in_band: int
    """The number of targets with ``lower`` to ``upper`` mentions."""
    aliases: tuple[int, int]
    variants: tuple[int, int]
    confusable_groups: tuple[int, int]
    documents_with_several_targets: int
    quotas: Mapping[str, tuple[int, int]]
    mix: Mapping[str, Mapping[str, Shares]]
    """By field and value."""
    targets: tuple[TargetCoverage, ...]


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen documents in the order of choice, and the report on them."""

    documents: tuple[Chosen, ...]
    quality: Quality

    def to_dict(self) -> dict[str, object]:
        """Return the JSON output."""
        return {"schema": SCHEMA, "documents": plain(self.documents), "quality": plain(self.quality)}


@dataclass(frozen=True, slots=True)
class SelectionPlan:
    """How documents shall be chosen."""

    count: int
    hard: bool = True
    strata: tuple[str, ...] = ()
    quotas: tuple[TypeQuota, ...] = ()
    max_length: int | None = None
    seed: int = 0
    pairs: bool = True
    enumerated: int = 0
    """Greedy also starts from every set of up to so many documents: for small pools."""


def select_documents(
    index: Index,
    profiles: Sequence[TargetProfile],
    plan: SelectionPlan,
    *,
    judged: Iterable[JointJudgement] = (),
    leave_out: Collection[str] = (),
    among: Collection[str] | None = None,
) -> Selection:
    """Choose documents of an index for targets."""
    records = [
        record
        for record in index.records()
        if record.id not in leave_out and (among is None or record.id in among)
        and (plan.max_length is None or record.posts or record.characters <= plan.max_length)
    ]  # fmt: skip
    pool = build_pool(index, records, profiles, document_stars(judged), plan.max_length)
    return choose_from_pool(pool, records, plan)


def build_pool(
    index: Index,
    records: Sequence[Record],
    profiles: Sequence[TargetProfile],
    stars: Mapping[str, float],
    max_length: int | None = None,
) -> DocumentPool:
    """Collect the documents to choose from, with the mentions of the targets in them."""
    groups = confusable_groups(profiles)
    targets = tuple(
        PoolTarget(one.id, 1.0, tuple(kind for kind, _ in one.forms), groups.get(one.id), one.type)
        for one in profiles
    )
    place = {record.id: d for d, record in enumerate(records)}
    mentions = {
        place[one.doc_id]: one.counts
        for one in count_mentions(index, [profile.names for profile in profiles], longest=max_length)
        if one.doc_id in place
    }
    pool_stars = {place[doc_id]: number for doc_id, number in stars.items() if doc_id in place}
    return DocumentPool(targets, tuple(record.id for record in records), mentions, pool_stars)


def choose_from_pool(pool: DocumentPool, records: Sequence[Record], plan: SelectionPlan) -> Selection:
    """Choose documents from a pool; fill up to the count with documents that mention no target."""
    objective = Objective(pool, Weights(), plan.quotas)
    limits = _limits(plan, records)
    choice = choose_within(objective, limits, pairs=plan.pairs, enumerated=plan.enumerated)
    filled = _draw_fillers(objective, choice, _full_strata(records), plan, limits)
    documents = tuple(
        Chosen(records[d].id, gain, by, thread_end(records[d], plan.max_length))
        for d, gain, by in (
            *((d, gain, GREEDY) for d, gain in zip(choice.documents, choice.gains, strict=True)),
            *((d, 0.0, FILLED) for d in filled),
        )
    )
    return Selection(documents, _assess(objective, records, choice, filled, plan=plan, limits=limits))


def _full_strata(records: Sequence[Record]) -> Strata:
    return {d: (one.genre, one.source, one.language, one.date[:7]) for d, one in enumerate(records)}


def _limits(plan: SelectionPlan, records: Sequence[Record]) -> Limits:
    if not plan.strata:
        return Limits(plan.count, plan.hard)
    strata: list[Hashable] = [tuple(getattr(one, FIELDS[name]) for name in plan.strata) for one in records]
    return Limits(plan.count, plan.hard, strata, apportion(dict(Counter(strata)), plan.count))


def _draw_fillers(
    objective: Objective, choice: GreedyChoice, strata: Strata, plan: SelectionPlan, limits: Limits
) -> list[int]:
    """Draw documents without targets to fill up the choice, in the proportions of the pool and within its strata."""
    taken = set(choice.documents)
    free = [d for d in strata if d not in taken and not objective.mentions_targets(d)]
    missing = plan.count - len(taken)
    if limits.strata is None or limits.room is None:
        return draw_stratified(strata, free, missing, plan.seed)
    filled: list[int] = []
    used = Counter(limits.strata[d] for d in choice.documents)
    for name, room in sorted(limits.room.items(), key=lambda item: str(item[0])):
        inside = {d: strata[d] for d, stratum in enumerate(limits.strata) if stratum == name}
        filled += draw_stratified(inside, [d for d in free if d in inside], room - used[name], plan.seed)
    return filled


def _assess(
    objective: Objective,
    records: Sequence[Record],
    choice: GreedyChoice,
    filled: Sequence[int],
    *,
    plan: SelectionPlan,
    limits: Limits,
) -> Quality:
    chosen = [*choice.documents, *filled]
    counts, all_counts = objective.counts(chosen), objective.counts(range(len(records)))
    value = objective.value(chosen)
    programme = programme_bound(objective, limits)
    online = online_bound(objective, chosen, limits)
    # The programme is solved only up to rounding: its optimum must not seem to be less than what was reached.
    bound = online if programme is None else max(value, min(online, programme))
    targets = tuple(_target_coverage(objective, counts, all_counts))
    lower, upper = objective.weights.lower, objective.weights.upper
    of_targets = zip(objective.pool.targets, counts, strict=False)
    mentioned = grouped((target.group, count > 0) for target, count in of_targets if target.group is not None)
    return Quality(
        count=len(chosen),
        pool=len(records),
        greedy=len(choice.documents),
        filled=len(filled),
        value=value,
        bound=bound,
        bound_by="online bound" if programme is None or online < programme else "linear programme",
        ratio=value / bound if bound else None,
        soft_value=_soft_value(objective, limits, choice, value, pairs=plan.pairs),
        passed_over=choice.passed_over,
        random=tuple(random_values(objective, plan.count)),
        stratified=tuple(stratified_values(objective, _full_strata(records), plan.count)),
        lower=lower,
        upper=upper,
        in_band=sum(lower <= target.mentions <= upper for target in targets),
        aliases=_count_covered_names(objective, counts, ALIAS),
        variants=_count_covered_names(objective, counts, VARIANT),
        confusable_groups=(sum(sum(group) > 1 for group in mentioned.values()), len(mentioned)),
        documents_with_several_targets=sum(
            len({target for target, _ in objective.pool.mentions.get(d, ())}) > 1 for d in chosen
        ),
        quotas={one.type: (counts[objective.quota_counter[one.type]], one.count) for one in objective.quotas},
        mix={name: _pool_and_chosen_shares(records, chosen, name) for name in FIELDS.values()},
        targets=targets,
    )


def _soft_value(
    objective: Objective, limits: Limits, choice: GreedyChoice, value: float, *, pairs: bool
) -> float | None:
    """Return the value that greedy reaches without the hard upper limit; None if there is no hard limit."""
    if not limits.hard or not choice.passed_over:
        return value if limits.hard else None
    unlimited = Limits(limits.count, False, limits.strata, limits.room)
    clusters = pair_clusters(objective) if pairs else {}
    # Without the limit, the choice within it is possible, too.
    return max(value, objective.value(lazy_greedy(objective, unlimited, clusters=clusters).documents))


def _count_covered_names(objective: Objective, counts: Sequence[int], kind: str) -> tuple[int, int]:
    own = [
        counts[counter]
        for (target, form), counter in objective.form_counter.items()
        if objective.pool.targets[target].forms[form] == kind
    ]
    return sum(count > 0 for count in own), len(own)


def _target_coverage(
    objective: Objective, counts: Sequence[int], pool: Sequence[int]
) -> Iterable[TargetCoverage]:
    for place, target in enumerate(objective.pool.targets):
        forms = [counter for (owner, _), counter in objective.form_counter.items() if owner == place]
        covered = sum(counts[counter] > 0 for counter in forms)
        yield TargetCoverage(target.id, counts[place], pool[place], covered, len(forms))


def _pool_and_chosen_shares(records: Sequence[Record], chosen: Sequence[int], name: str) -> dict[str, Shares]:
    pool = Counter(getattr(record, name) for record in records)
    taken = Counter(getattr(records[d], name) for d in chosen)
    return {
        value: Shares(count / len(records), taken[value] / len(chosen) if chosen else 0.0)
        for value, count in sorted(pool.items())
    }
