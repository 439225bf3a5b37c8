"""Choose targets by an exact 0/1 programme over the candidates; minimums are never relaxed silently.

The utility of a candidate is::

    u = [lower ≤ n·K/N ≤ upper] · (1 + 1·[alias] + ½·[variant] + 4·[confusable] + 1·[several languages]) · stars/5

where n is the number of mentions found for its names, times the judged precision of its query.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from lydite.errors import Finding, InvalidInput, UsageError
from lydite.escaping import counted
from lydite.grouping import grouped
from lydite.numerals import NATURAL
from lydite.registry import did_you_mean
from lydite.writing import json_lines
from lydite_corpus.index import Index
from lydite_corpus.judgements import JointJudgement, precision
from lydite_corpus.mentions import DocumentMentions, add_up_counts, count_mentions
from lydite_corpus.profiles import TargetProfile, confusable_groups
from lydite_corpus.select import apportion

K = TypeVar("K", bound=Hashable)

UNJUDGED_STARS = 3.0
"""The stars of a candidate that nobody has rated."""
PROPERTIES = ("alias", "variant", "confusable", "crosslingual")
BONUS = {"alias": 1.0, "variant": 0.5, "confusable": 4.0, "crosslingual": 1.0}
FLAG = "--min "
"""The option with which the command line asks for a minimum."""
_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate and everything on which its utility depends."""

    profile: TargetProfile
    mentions: int
    documents: int
    precision: float
    expected: float
    """Mentions expected in the documents that will be chosen: n · precision · K/N."""
    stars: float
    properties: frozenset[str]
    group: str | None
    in_band: bool

    @property
    def id(self) -> str:
        """Return the id of the target."""
        return self.profile.id

    @property
    def utility(self) -> float:
        """Return the value of choosing it."""
        if not self.in_band:
            return 0.0
        return (1 + sum(BONUS[name] for name in sorted(self.properties))) * self.stars / 5

    def to_dict(self) -> dict[str, object]:
        """Return the JSON output."""
        return {
            "id": self.id,
            "handle": self.profile.handle,
            "type": self.profile.type,
            "languages": list(self.profile.languages),
            "mentions": self.mentions,
            "documents": self.documents,
            "precision": self.precision,
            "expected": self.expected,
            "stars": self.stars,
            "properties": sorted(self.properties),
            "group": self.group,
            "in_band": self.in_band,
            "utility": self.utility,
        }


class Opinion(NamedTuple):
    """What the judges say about a target: documents that mention it, documents decided, mean stars if there are any."""

    up: int
    decided: int
    stars: float | None


NO_OPINION = Opinion(0, 0, None)


def opinions_of(judged: Iterable[JointJudgement]) -> dict[str, Opinion]:
    """Summarise joint judgements by target."""
    opinions = {}
    for target, items in grouped((item.target, item) for item in judged).items():
        decided = [item.mentioned for item in items if item.mentioned is not None]
        stars = [item.stars for item in items if item.stars is not None]
        opinions[target] = Opinion(sum(decided), len(decided), sum(stars) / len(stars) if stars else None)
    return opinions


class Minimum(NamedTuple):
    """The least number of chosen targets with a property or of a type, perhaps in one language."""

    what: str
    count: int  # type: ignore[assignment]  # a number of targets, not a method of tuples
    language: str = ""

    def matches(self, candidate: Candidate) -> bool:
        """Whether a candidate counts towards the minimum."""
        has_it = self.what in candidate.properties or self.what == candidate.profile.type
        return has_it and (not self.language or self.language in candidate.profile.languages)

    def __str__(self) -> str:
        return f"{self.language + ':' if self.language else ''}{self.what}={self.count}"


def rate_candidates(
    profiles: Sequence[TargetProfile],
    counts: Mapping[str, tuple[int, int]],
    opinions: Mapping[str, Opinion],
    *,
    share: float,
    lower: int = 5,
    upper: int = 100,
) -> list[Candidate]:
    """Return the candidates; ``counts`` are the mentions and documents of each target, ``share`` is K/N."""
    groups = confusable_groups(profiles)
    rated = []
    for profile in profiles:
        opinion = opinions.get(profile.id, NO_OPINION)
        judged_precision = precision(opinion.up, opinion.decided)
        mentions, documents = counts.get(profile.id, (0, 0))
        expected = mentions * judged_precision * share
        figures = (mentions, documents, judged_precision, expected)
        stars = UNJUDGED_STARS if opinion.stars is None else opinion.stars
        properties, group = _properties(profile, groups), groups.get(profile.id)
        rated.append(Candidate(profile, *figures, stars, properties, group, lower <= expected <= upper))
    return [_drop_unusable_group(candidate, rated) for candidate in rated]


def rate_candidates_in(
    index: Index,
    profiles: Sequence[TargetProfile],
    opinions: Mapping[str, Opinion],
    documents: int,
    mentions: Iterable[DocumentMentions] | None = None,
) -> list[Candidate]:
    """Return the candidates for an index of which ``documents`` will be chosen; ``mentions`` if counted before."""
    if mentions is None:
        mentions = count_mentions(index, [profile.names for profile in profiles])
    share = min(1.0, documents / len(index)) if len(index) else 0.0
    counts = add_up_counts(_counts_by_target(one, profiles) for one in mentions)
    return rate_candidates(profiles, counts, opinions, share=share)


def _counts_by_target(mentions: DocumentMentions, profiles: Sequence[TargetProfile]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for (target, _), count in mentions.counts.items():
        counts[profiles[target].id] += count
    return counts


def profile_lines(chosen: Sequence[Candidate]) -> str:
    """Return the profiles of the chosen targets as they were given, with the status ``target``, as JSON lines."""
    return json_lines({**(candidate.profile.data or {}), "status": "target"} for candidate in chosen)


def parse_minimum(text: str, profiles: Sequence[TargetProfile], *, flag: str = FLAG) -> Minimum:
    """Parse ``[LANG:]WHAT=N``."""
    match = re.fullmatch(rf"(?:([^:=]+):)?([^:=]+)=({NATURAL})", text)
    if match is None:
        raise UsageError(f"{flag}{text}: expected [LANG:]WHAT=N, such as alias=60 or ar:variant=20")
    language, what, count = match.groups()
    known = [*PROPERTIES, *sorted({profile.type for profile in profiles if profile.type})]
    if what not in known:
        hint = did_you_mean(what, known) or f"one of {', '.join(known)}"
        raise UsageError(f"{flag}{text}: no property or type {what!r}", hint=hint)
    return Minimum(what, int(count), language or "")


def _properties(profile: TargetProfile, groups: Mapping[str, str]) -> frozenset[str]:
    flags = (profile.aliases, profile.variants, profile.id in groups, len(profile.languages) > 1)
    return frozenset(name for name, flag in zip(PROPERTIES, flags, strict=True) if flag)


def _drop_unusable_group(candidate: Candidate, rated: Sequence[Candidate]) -> Candidate:
    """Let a candidate whose confusable partners are all outside the band not count as confusable."""
    partners = (other for other in rated if other.group == candidate.group and other.id != candidate.id)
    if candidate.group is None or any(other.in_band for other in partners):
        return candidate
    return replace(candidate, group=None, properties=candidate.properties - {"confusable"})


def choose_targets(
    pool: Sequence[Candidate],
    count: int,
    minimums: Sequence[Minimum] = (),
    *,
    per_language: bool = False,
    flag: str = FLAG,
) -> list[Candidate]:
    """Choose the targets with the largest total utility, sorted by id; of equal choices the one with the smallest ids.

    At least two members of a confusable group are chosen, or none.  With ``per_language`` the count and every minimum
    without a language apply to each language, and the count to the targets without any.  Raises :class:`InvalidInput`
    if the minimums cannot be satisfied.
    """
    eligible = sorted((candidate for candidate in pool if candidate.utility > 0), key=lambda one: one.id)
    languages_of = [one.profile.languages if per_language else () for one in eligible]
    languages = sorted({code for codes in languages_of for code in codes})
    effective_minimums = [
        minimum._replace(language=code)
        for minimum in minimums
        for code in ([minimum.language] if minimum.language else languages or [""])
    ]
    limited = [[i for i, codes in enumerate(languages_of) if code in codes] for code in languages]
    limited.append([i for i, codes in enumerate(languages_of) if not codes])
    programme = _Programme(eligible, limited, count, effective_minimums)
    chosen = programme.solve()
    if chosen is None:
        raise InvalidInput(_explain_infeasibility(programme, flag))
    return [candidate for candidate, is_chosen in zip(eligible, chosen, strict=True) if is_chosen]


def _explain_infeasibility(programme: _Programme, flag: str) -> list[Finding]:
    minimums = list(zip(programme.minimums, programme.relaxation(), strict=True))
    relaxed = " ".join(f"{flag}{one._replace(count=one.count - excess)}" for one, excess in minimums)
    return [
        Finding(
            "infeasible-quotas",
            "error",
            f"expected at least {counted(minimum.count, 'target')} with {minimum.what}"
            + (f" in {minimum.language!r}" if minimum.language else "")
            + f", found that only {minimum.count - excess} are possible with the other minimums",
            hint=f"the smallest relaxation is {relaxed}",
        )
        for minimum, excess in minimums
        if excess
    ]


class _Programme:
    """The 0/1 programme: a variable for each candidate and group, and a slack for each minimum, for the relaxation."""

    def __init__(
        self,
        eligible: Sequence[Candidate],
        limited: Sequence[Sequence[int]],
        count: int,
        minimums: Sequence[Minimum],
    ) -> None:
        self.eligible, self.minimums = eligible, minimums
        sizes = Counter(candidate.group for candidate in eligible if candidate.group is not None)
        self.groups = [group for group, size in sorted(sizes.items()) if size > 1]
        self.rows: list[tuple[dict[int, float], float, float]] = []
        infinite = float("inf")
        for members in limited:
            self.rows.append((dict.fromkeys(members, 1.0), -infinite, count))
        for place, group in enumerate(self.groups, len(eligible)):
            members = [i for i, candidate in enumerate(eligible) if candidate.group == group]
            self.rows += [({i: 1.0, place: -1.0}, -infinite, 0) for i in members]
            self.rows.append(({**dict.fromkeys(members, 1.0), place: -2.0}, 0, infinite))
        for number, minimum in enumerate(minimums):
            slack = len(eligible) + len(self.groups) + number
            matching = [i for i, one in enumerate(eligible) if minimum.matches(one)]
            self.rows.append(({**dict.fromkeys(matching, 1.0), slack: 1.0}, minimum.count, infinite))

    def solve(self) -> list[bool] | None:
        """Return the best choice without slack, by utility, then by ids; None if there is none."""
        utilities = [candidate.utility for candidate in self.eligible]
        first = self._solve([-utility for utility in utilities], [])
        if first is None:
            return None
        best = sum(utility for utility, taken in zip(utilities, first, strict=False) if taken > 0.5)
        keep = (dict(enumerate(utilities)), best - _TOLERANCE, float("inf"))
        ranks = [float(rank) for rank in range(len(self.eligible))]
        second = self._solve(ranks, [keep]) or first
        return [taken > 0.5 for taken in second[: len(self.eligible)]]

    def relaxation(self) -> list[int]:
        """Return by how much each minimum must be lowered, with the smallest total."""
        solution = self._solve([], [], slack=True)
        assert solution is not None, "with slack for every minimum nothing is impossible"
        return [round(value) for value in solution[len(self.eligible) + len(self.groups) :]]

    def _solve(
        self,
        cost: Sequence[float],
        extra_rows: Sequence[tuple[dict[int, float], float, float]],
        *,
        slack: bool = False,
    ) -> list[float] | None:
        import numpy as np
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import lil_matrix

        first_slack = len(self.eligible) + len(self.groups)
        size = first_slack + len(self.minimums)
        rows = [*self.rows, *extra_rows]
        if not size:
            return []
        table = lil_matrix((len(rows), size))
        for number, (row, _, _) in enumerate(rows):
            for column, value in row.items():
                table[number, column] = value
        costs = np.zeros(size)
        costs[: len(cost)] = cost
        upper = np.ones(size)
        upper[first_slack:] = np.inf if slack else 0
        if slack:
            costs[first_slack:] = 1
        limits = LinearConstraint(table.tocsr(), [low for _, low, _ in rows], [high for *_, high in rows])
        whole, bounds = np.ones(size, dtype=np.int64), Bounds(0, upper)
        solved = milp(costs, constraints=limits, integrality=whole, bounds=bounds, options={"mip_rel_gap": 0})
        return None if solved.x is None else [float(value) for value in solved.x]


# ---------------------------------------------------------------------------------------------------- subsampling


def _stratum_of(candidate: Candidate) -> tuple[object, ...]:
    properties = (name in candidate.properties for name in PROPERTIES)
    band = "few" if candidate.expected < 10 else "some" if candidate.expected < 30 else "many"
    return *properties, candidate.profile.type, band


def _apportion_at_least_one(sizes: Mapping[K, int], count: int) -> dict[K, int]:
    """Distribute ``count`` over strata in proportion to their sizes, with at least one for each."""
    large, small = dict(sizes), dict[K, int]()
    while large and count > len(sizes):
        shares = apportion(large, count - len(small))
        none = [key for key, share in shares.items() if not share]
        if not none:
            return shares | small
        for key in none:
            small[key] = 1
            del large[key]
    return dict.fromkeys(sizes, 1)


def subsample_targets(pool: Sequence[Candidate], count: int, seed: int) -> list[Candidate]:
    """Draw ``count`` targets at random, in proportion to strata of equal properties, type and band of counts.

    Every stratum gets at least one as long as there is room.  Confusable groups are drawn as a whole; a group belongs to
    the stratum of its first member.
    """
    by_id = sorted(pool, key=lambda one: one.id)
    units = grouped((candidate.group or candidate.id, candidate) for candidate in by_id)
    strata = grouped((_stratum_of(unit[0]), unit) for unit in units.values())
    sizes = {key: sum(map(len, members)) for key, members in strata.items()}
    shares = _apportion_at_least_one(sizes, count)
    chance = random.Random(seed)  # noqa: S311 - seeded chance is meant
    order: list[tuple[int, int, list[Candidate]]] = []
    for key in sorted(strata, key=lambda key: (-sizes[key], str(key))):
        members = list(strata[key])
        chance.shuffle(members)
        drawn = 0
        for unit in members:
            # One unit of each stratum comes first, then the rest of its share; the others fill up.
            order.append((0 if not drawn else 1 if drawn < shares[key] else 2, len(order), unit))
            drawn += len(unit)
    chosen: list[Candidate] = []
    for _, _, unit in sorted(order, key=lambda item: item[:2]):
        if len(chosen) + len(unit) <= count:
            chosen += unit
    return sorted(chosen, key=lambda one: one.id)
