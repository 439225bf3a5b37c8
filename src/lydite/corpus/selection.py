"""Choosing documents for an evaluation from an index: the pool, the choice, and how good it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence

from lydite.corpus.index import Index, Record, thread_end
from lydite.corpus.judgements import JointJudgement, document_stars
from lydite.corpus.mentions import count_mentions
from lydite.corpus.objective import DocumentPool, Objective, PoolTarget, TypeQuota, Weights
from lydite.corpus.profiles import ALIAS, VARIANT, TargetProfile, confusable_groups
from lydite.corpus.query import FIELDS
from lydite.corpus.select import (
    GreedyChoice,
    Limits,
    Strata,
    apportion,
    choose_within,
    lazy_greedy,
    online_bound,
    pair_clusters,
    programme_bound,
    random_values,
    stratified,
    stratified_values,
)
from lydite.grouping import grouped
from lydite.model.plain import plain
from lydite.records import NamedTuple, dataclass

SCHEMA = "lydite.selection/1"
GREEDY, FILLED = "greedy", "fill"


class Chosen(NamedTuple):
    """A chosen document: what it added, whether it was chosen or filled in, and where it is cut."""

    document: str
    gain: float
    by: str
    end: int
    """The number of characters that are kept: all of them, unless a thread was cut."""


@dataclass(frozen=True, slots=True)
class TargetCoverage:
    """A target and how often it stands in the chosen documents."""

    target: str
    mentions: int
    pool: int
    forms: int
    """Aliases and variants that stand there at least once."""
    all_forms: int


class Shares(NamedTuple):
    """How much of the pool, and of the choice, has a value."""

    pool: float
    chosen: float


@dataclass(frozen=True, slots=True)
class Quality:
    """The report on a choice, as it stands in the JSON output."""

    count: int
    pool: int
    greedy: int
    filled: int
    value: float
    bound: float
    bound_by: str
    ratio: float | None
    """The certified share of the best value that is possible."""
    soft_value: float | None
    """What the same choice is worth without the hard upper limit; None if it had none."""
    passed_over: int
    random: tuple[float, ...]
    stratified: tuple[float, ...]
    lower: int
    upper: int
    in_band: int
    """Targets whose count is within the limits."""
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
    """The chosen documents in the order of choice, and the report."""

    documents: tuple[Chosen, ...]
    quality: Quality

    def to_dict(self) -> dict[str, object]:
        """As it stands in the JSON output."""
        return {"schema": SCHEMA, "documents": plain(self.documents), "quality": plain(self.quality)}


@dataclass(frozen=True, slots=True)
class Wanted:
    """How documents are to be chosen."""

    count: int
    hard: bool = True
    strata: tuple[str, ...] = ()
    quotas: tuple[TypeQuota, ...] = ()
    longest: int | None = None
    seed: int = 0
    pairs: bool = True
    enumerated: int = 0
    """Greedy also begins with every set of so many documents: for small pools."""


def select_documents(
    index: Index,
    profiles: Sequence[TargetProfile],
    wanted: Wanted,
    *,
    judged: Iterable[JointJudgement] = (),
    leave_out: Collection[str] = (),
    among: Collection[str] | None = None,
) -> Selection:
    """Choose documents of an index for these targets."""
    records = [
        record
        for record in index.records()
        if record.id not in leave_out and (among is None or record.id in among)
        and (wanted.longest is None or record.posts or record.characters <= wanted.longest)
    ]  # fmt: skip
    pool = pool_of(index, records, profiles, document_stars(judged), wanted.longest)
    return choose(pool, records, wanted)


def pool_of(
    index: Index,
    records: Sequence[Record],
    profiles: Sequence[TargetProfile],
    stars: Mapping[str, float],
    longest: int | None = None,
) -> DocumentPool:
    """The documents of these records with the mentions of the targets."""
    groups = confusable_groups(profiles)
    targets = tuple(
        PoolTarget(one.id, 1.0, tuple(kind for kind, _ in one.forms), groups.get(one.id), one.type)
        for one in profiles
    )
    place = {record.id: d for d, record in enumerate(records)}
    mentions = {
        place[found.doc_id]: found.counts
        for found in count_mentions(index, [profile.names for profile in profiles], longest=longest)
        if found.doc_id in place
    }
    given = {place[doc_id]: number for doc_id, number in stars.items() if doc_id in place}
    return DocumentPool(targets, tuple(record.id for record in records), mentions, given)


def choose(pool: DocumentPool, records: Sequence[Record], wanted: Wanted) -> Selection:
    """The choice among a pool, filled up to the count with documents that mention no target."""
    objective = Objective(pool, Weights(), wanted.quotas)
    limits = _limits(wanted, records)
    choice = choose_within(objective, limits, pairs=wanted.pairs, enumerated=wanted.enumerated)
    filled = _filling(objective, choice, _everything(records), wanted, limits)
    documents = tuple(
        Chosen(records[d].id, gain, by, thread_end(records[d], wanted.longest))
        for d, gain, by in (
            *((d, gain, GREEDY) for d, gain in zip(choice.documents, choice.gains, strict=True)),
            *((d, 0.0, FILLED) for d in filled),
        )
    )
    return Selection(documents, _quality(objective, records, choice, filled, wanted=wanted, limits=limits))


def _everything(records: Sequence[Record]) -> Strata:
    return {
        d: (record.genre, record.source, record.language, record.date[:7]) for d, record in enumerate(records)
    }


def _limits(wanted: Wanted, records: Sequence[Record]) -> Limits:
    if not wanted.strata:
        return Limits(wanted.count, wanted.hard)
    strata: list[Hashable] = [
        tuple(getattr(record, FIELDS[name]) for name in wanted.strata) for record in records
    ]
    return Limits(wanted.count, wanted.hard, strata, apportion(dict(Counter(strata)), wanted.count))


def _filling(
    objective: Objective, choice: GreedyChoice, everything: Strata, wanted: Wanted, limits: Limits
) -> list[int]:
    """Documents without targets for what is missing, in the proportions of the pool; strata keep their room."""
    taken = set(choice.documents)
    free = [d for d in everything if d not in taken and not objective.has_targets(d)]
    missing = wanted.count - len(taken)
    if limits.strata is None or limits.room is None:
        return stratified(everything, free, missing, wanted.seed)
    filled: list[int] = []
    used = Counter(limits.strata[d] for d in choice.documents)
    for name, room in sorted(limits.room.items(), key=lambda item: str(item[0])):
        inside = {d: everything[d] for d, stratum in enumerate(limits.strata) if stratum == name}
        filled += stratified(inside, [d for d in free if d in inside], room - used[name], wanted.seed)
    return filled


def _quality(
    objective: Objective,
    records: Sequence[Record],
    choice: GreedyChoice,
    filled: Sequence[int],
    *,
    wanted: Wanted,
    limits: Limits,
) -> Quality:
    chosen = [*choice.documents, *filled]
    counts, all_counts = objective.counts(chosen), objective.counts(range(len(records)))
    value = objective.value(chosen)
    programme = programme_bound(objective, limits)
    online = online_bound(objective, chosen, limits)
    # Where the programme is solved only up to rounding, it must not seem to promise less than was reached.
    bound = online if programme is None else max(value, min(online, programme))
    targets = tuple(_covered(objective, counts, all_counts))
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
        soft_value=_soft_value(objective, limits, choice, value, pairs=wanted.pairs),
        passed_over=choice.passed_over,
        random=tuple(random_values(objective, wanted.count)),
        stratified=tuple(stratified_values(objective, _everything(records), wanted.count)),
        lower=lower,
        upper=upper,
        in_band=sum(lower <= target.mentions <= upper for target in targets),
        aliases=_forms_covered(objective, counts, ALIAS),
        variants=_forms_covered(objective, counts, VARIANT),
        confusable_groups=(sum(sum(group) > 1 for group in mentioned.values()), len(mentioned)),
        documents_with_several_targets=sum(
            len({target for target, _ in objective.pool.mentions.get(d, ())}) > 1 for d in chosen
        ),
        quotas={
            quota.type: (counts[objective.quota_counter[quota.type]], quota.count)
            for quota in objective.quotas
        },
        mix={name: _shares(records, chosen, name) for name in FIELDS.values()},
        targets=targets,
    )


def _soft_value(
    objective: Objective, limits: Limits, choice: GreedyChoice, value: float, *, pairs: bool
) -> float | None:
    """What greedy reaches without the hard limit: the same where it forbids nothing; None if there is none."""
    if not limits.hard or not choice.passed_over:
        return value if limits.hard else None
    unlimited = Limits(limits.count, False, limits.strata, limits.room)
    clusters = pair_clusters(objective) if pairs else {}
    # Without the limit the choice under it is possible too.
    return max(value, objective.value(lazy_greedy(objective, unlimited, clusters=clusters).documents))


def _forms_covered(objective: Objective, counts: Sequence[int], kind: str) -> tuple[int, int]:
    own = [
        counts[counter]
        for (target, form), counter in objective.form_counter.items()
        if objective.pool.targets[target].forms[form] == kind
    ]
    return sum(count > 0 for count in own), len(own)


def _covered(objective: Objective, counts: Sequence[int], pool: Sequence[int]) -> Iterable[TargetCoverage]:
    for place, target in enumerate(objective.pool.targets):
        forms = [counter for (owner, _), counter in objective.form_counter.items() if owner == place]
        covered = sum(counts[counter] > 0 for counter in forms)
        yield TargetCoverage(target.id, counts[place], pool[place], covered, len(forms))


def _shares(records: Sequence[Record], chosen: Sequence[int], name: str) -> dict[str, Shares]:
    pool = Counter(getattr(record, name) for record in records)
    taken = Counter(getattr(records[d], name) for d in chosen)
    return {
        value: Shares(count / len(records), taken[value] / len(chosen) if chosen else 0.0)
        for value, count in sorted(pool.items())
    }
