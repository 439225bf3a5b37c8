"""Choosing targets: an exact 0/1 programme over the candidates, with minimums that are never relaxed in silence.

The utility of a candidate is::

    u = [lower ≤ n·K/N ≤ upper] · (1 + 1·[alias] + ½·[variant] + 4·[confusable] + 1·[several languages]) · stars/5

with n the mentions found for its names, corrected by the judged precision of its query.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from lydite.corpus.index import Index
from lydite.corpus.judgements import JointJudgement, precision
from lydite.corpus.mentions import DocumentMentions, add_up_counts, count_mentions
from lydite.corpus.profiles import TargetProfile, confusable_groups
from lydite.corpus.select import apportion
from lydite.errors import Finding, InvalidInput, UsageError
from lydite.escaping import counted
from lydite.grouping import grouped
from lydite.numerals import NATURAL
from lydite.records import NamedTuple, dataclass, replace
from lydite.registry import did_you_mean
from lydite.writing import json_lines

K = TypeVar("K", bound=Hashable)

UNJUDGED_STARS = 3.0
"""Stars of a candidate that nobody has given any."""
PROPERTIES = ("alias", "variant", "confusable", "crosslingual")
BONUS = {"alias": 1.0, "variant": 0.5, "confusable": 4.0, "crosslingual": 1.0}
FLAG = "--min "
"""What stands before a minimum where it is asked for on the command line."""
_SMALL = 1e-6


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate with what speaks for it."""

    profile: TargetProfile
    mentions: int
    documents: int
    precision: float
    expected: float
    """Mentions to be expected in the documents that will be chosen: n · precision · K/N."""
    stars: float
    properties: frozenset[str]
    group: str | None
    in_band: bool

    @property
    def id(self) -> str:
        """The id of the target."""
        return self.profile.id

    @property
    def utility(self) -> float:
        """What it is worth to choose it."""
        if not self.in_band:
            return 0.0
        return (1 + sum(BONUS[name] for name in sorted(self.properties))) * self.stars / 5

    def to_dict(self) -> dict[str, object]:
        """As it stands in the JSON output."""
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
    """What the judges together say of a target: documents that do mention it, of those decided; mean stars, if any."""

    up: int
    decided: int
    stars: float | None


NO_OPINION = Opinion(0, 0, None)


def opinions_of(judged: Iterable[JointJudgement]) -> dict[str, Opinion]:
    """What the judges say, by target."""
    found = {}
    for target, items in grouped((item.target, item) for item in judged).items():
        decided = [item.mentioned for item in items if item.mentioned is not None]
        stars = [item.stars for item in items if item.stars is not None]
        found[target] = Opinion(sum(decided), len(decided), sum(stars) / len(stars) if stars else None)
    return found


class Minimum(NamedTuple):
    """At least so many chosen targets with a property or of a type, perhaps of one language."""

    what: str
    count: int  # type: ignore[assignment]  # a number of targets, not a method of tuples
    language: str = ""

    def holds(self, candidate: Candidate) -> bool:
        """Whether a candidate is one of these."""
        is_so = self.what in candidate.properties or self.what == candidate.profile.type
        return is_so and (not self.language or self.language in candidate.profile.languages)

    def __str__(self) -> str:
        return f"{self.language + ':' if self.language else ''}{self.what}={self.count}"


def candidates(
    profiles: Sequence[TargetProfile],
    found: Mapping[str, tuple[int, int]],
    opinions: Mapping[str, Opinion],
    *,
    share: float,
    lower: int = 5,
    upper: int = 100,
) -> list[Candidate]:
    """The candidates with their utilities; ``found`` has mentions and documents by target, ``share`` is K/N."""
    groups = confusable_groups(profiles)
    made = []
    for profile in profiles:
        opinion = opinions.get(profile.id, NO_OPINION)
        right = precision(opinion.up, opinion.decided)
        mentions, documents = found.get(profile.id, (0, 0))
        expected = mentions * right * share
        made.append(
            Candidate(
                profile,
                mentions,
                documents,
                right,
                expected,
                UNJUDGED_STARS if opinion.stars is None else opinion.stars,
                _properties(profile, groups),
                groups.get(profile.id),
                lower <= expected <= upper,
            )
        )
    return [_without_partners(candidate, made) for candidate in made]


def candidates_of(
    index: Index,
    profiles: Sequence[TargetProfile],
    opinions: Mapping[str, Opinion],
    documents: int,
    found: Iterable[DocumentMentions] | None = None,
) -> list[Candidate]:
    """The candidates, counted in an index from which so many documents will be chosen; ``found`` is what is counted."""
    if found is None:
        found = count_mentions(index, [profile.names for profile in profiles])
    share = min(1.0, documents / len(index)) if len(index) else 0.0
    counted = add_up_counts(_by_target(one, profiles) for one in found)
    return candidates(profiles, counted, opinions, share=share)


def _by_target(found: DocumentMentions, profiles: Sequence[TargetProfile]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for (target, _), count in found.counts.items():
        counts[profiles[target].id] += count
    return counts


def profile_lines(chosen: Sequence[Candidate]) -> str:
    """The profiles of targets as they were given, with the status ``target``."""
    return json_lines({**(candidate.profile.data or {}), "status": "target"} for candidate in chosen)


def minimum_of(text: str, profiles: Sequence[TargetProfile], *, flag: str = FLAG) -> Minimum:
    """``[LANG:]WHAT=N``."""
    found = re.fullmatch(rf"(?:([^:=]+):)?([^:=]+)=({NATURAL})", text)
    if found is None:
        raise UsageError(f"{flag}{text}: expected [LANG:]WHAT=N, such as alias=60 or ar:variant=20")
    language, what, count = found.groups()
    known = [*PROPERTIES, *sorted({profile.type for profile in profiles if profile.type})]
    if what not in known:
        hint = did_you_mean(what, known) or f"one of {', '.join(known)}"
        raise UsageError(f"{flag}{text}: no property or type {what!r}", hint=hint)
    return Minimum(what, int(count), language or "")


def _properties(profile: TargetProfile, groups: Mapping[str, str]) -> frozenset[str]:
    has = {
        "alias": bool(profile.aliases),
        "variant": bool(profile.variants),
        "confusable": profile.id in groups,
        "crosslingual": len(profile.languages) > 1,
    }
    return frozenset(name for name, holds in has.items() if holds)


def _without_partners(candidate: Candidate, everyone: Sequence[Candidate]) -> Candidate:
    """A target whose confusable partners are all out of the band is confusable with nobody."""
    partners = (other for other in everyone if other.group == candidate.group and other.id != candidate.id)
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
    """The targets of the largest total utility, sorted by id; among equal choices the one with the smallest ids.

    Confusable groups are taken with at least two members or not at all.  With ``per_language`` the count and every
    minimum without a language hold for each language, and the count for those without any.  Raises
    :class:`InvalidInput` if the minimums cannot be kept.
    """
    able = sorted((candidate for candidate in pool if candidate.utility > 0), key=lambda one: one.id)
    spoken = [one.profile.languages if per_language else () for one in able]
    languages = sorted({code for codes in spoken for code in codes})
    asked = [
        minimum._replace(language=code)
        for minimum in minimums
        for code in ([minimum.language] if minimum.language else languages or [""])
    ]
    shares = [[i for i, codes in enumerate(spoken) if code in codes] for code in languages]
    shares.append([i for i, codes in enumerate(spoken) if not codes])
    programme = _Programme(able, shares, count, asked)
    chosen = programme.solve()
    if chosen is None:
        raise InvalidInput(_infeasible(programme, asked, flag))
    return [candidate for candidate, taken in zip(able, chosen, strict=True) if taken]


def _infeasible(programme: _Programme, asked: Sequence[Minimum], flag: str) -> list[Finding]:
    missing = programme.relaxation()
    kept = " ".join(
        f"{flag}{minimum._replace(count=minimum.count - short)}"
        for minimum, short in zip(asked, missing, strict=True)
    )
    return [
        Finding(
            "infeasible-quotas",
            "error",
            f"expected at least {counted(minimum.count, 'target')} with {minimum.what}"
            + (f" in {minimum.language!r}" if minimum.language else "")
            + f", found that {minimum.count - short} are possible beside the other minimums",
            hint=f"the smallest relaxation is {kept}",
        )
        for minimum, short in zip(asked, missing, strict=True)
        if short
    ]


class _Programme:
    """Variables: one for each candidate, one for each group, and (for the relaxation) one slack for each minimum."""

    def __init__(
        self,
        able: Sequence[Candidate],
        shares: Sequence[Sequence[int]],
        count: int,
        minimums: Sequence[Minimum],
    ) -> None:
        self.able, self.minimums = able, minimums
        sizes = Counter(candidate.group for candidate in able if candidate.group is not None)
        self.groups = [group for group, size in sorted(sizes.items()) if size > 1]
        self.rows: list[tuple[dict[int, float], float, float]] = []
        infinite = float("inf")
        for members in shares:
            self.rows.append((dict.fromkeys(members, 1.0), -infinite, count))
        for place, group in enumerate(self.groups, len(able)):
            members = [i for i, candidate in enumerate(able) if candidate.group == group]
            self.rows += [({i: 1.0, place: -1.0}, -infinite, 0) for i in members]
            self.rows.append(({**dict.fromkeys(members, 1.0), place: -2.0}, 0, infinite))
        for number, minimum in enumerate(minimums):
            slack = len(able) + len(self.groups) + number
            holders = [i for i, one in enumerate(able) if minimum.holds(one)]
            self.rows.append(({**dict.fromkeys(holders, 1.0), slack: 1.0}, minimum.count, infinite))

    def solve(self) -> list[bool] | None:
        """The best choice without slack: first by utility, then by ids; None if there is none."""
        utilities = [candidate.utility for candidate in self.able]
        first = self._solve([-utility for utility in utilities], [])
        if first is None:
            return None
        best = sum(utility for utility, taken in zip(utilities, first, strict=False) if taken > 0.5)
        keep = (dict(enumerate(utilities)), best - _SMALL, float("inf"))
        ranks = [float(rank) for rank in range(len(self.able))]
        second = self._solve(ranks, [keep]) or first
        return [taken > 0.5 for taken in second[: len(self.able)]]

    def relaxation(self) -> list[int]:
        """By how much each minimum must be lowered, at least in total."""
        found = self._solve([], [], slack=True)
        assert found is not None, "with slack for every minimum nothing is impossible"
        return [round(value) for value in found[len(self.able) + len(self.groups) :]]

    def _solve(
        self,
        cost: Sequence[float],
        more: Sequence[tuple[dict[int, float], float, float]],
        *,
        slack: bool = False,
    ) -> list[float] | None:
        import numpy as np
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import lil_matrix

        size = len(self.able) + len(self.groups) + len(self.minimums)
        rows = [*self.rows, *more]
        if not size:
            return []
        table = lil_matrix((len(rows), size))
        for number, (row, _, _) in enumerate(rows):
            for column, value in row.items():
                table[number, column] = value
        costs = np.zeros(size)
        costs[: len(cost)] = cost
        most = np.ones(size)
        most[len(self.able) + len(self.groups) :] = np.inf if slack else 0
        if slack:
            costs[len(self.able) + len(self.groups) :] = 1
        limits = LinearConstraint(table.tocsr(), [low for _, low, _ in rows], [high for *_, high in rows])
        solved = milp(
            costs,
            constraints=limits,
            integrality=np.ones(size, dtype=np.int64),
            bounds=Bounds(0, most),
            options={"mip_rel_gap": 0},
        )
        return None if solved.x is None else [float(value) for value in solved.x]


# ---------------------------------------------------------------------------------------------------- subsampling


def _stratum(candidate: Candidate) -> tuple[object, ...]:
    properties = (name in candidate.properties for name in PROPERTIES)
    band = "few" if candidate.expected < 10 else "some" if candidate.expected < 30 else "many"
    return *properties, candidate.profile.type, band


def _with_one_each(sizes: Mapping[K, int], count: int) -> dict[K, int]:
    """How many of ``count`` each stratum gets, in proportion, but at least one."""
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
    """``count`` targets, by chance within strata of equal properties, type and count band, in proportion.

    Every stratum gets at least one while there is room.  Confusable groups are taken or left as a whole; a group belongs
    to the stratum of its first member.
    """
    in_order = sorted(pool, key=lambda one: one.id)
    units = grouped((candidate.group or candidate.id, candidate) for candidate in in_order)
    strata = grouped((_stratum(unit[0]), unit) for unit in units.values())
    sizes = {key: sum(map(len, members)) for key, members in strata.items()}
    wanted = _with_one_each(sizes, count)
    chance = random.Random(seed)  # noqa: S311 - seeded chance is meant
    order: list[tuple[int, int, list[Candidate]]] = []
    for key in sorted(strata, key=lambda key: (-sizes[key], str(key))):
        members = list(strata[key])
        chance.shuffle(members)
        taken = 0
        for unit in members:
            # One unit of each stratum comes first, then its share; the others are what it is filled up with.
            rank = 0 if not taken else 1 if taken < wanted[key] else 2
            order.append((rank, len(order), unit))
            taken += len(unit)
    chosen: list[Candidate] = []
    for _, _, unit in sorted(order, key=lambda item: item[:2]):
        if len(chosen) + len(unit) <= count:
            chosen += unit
    return sorted(chosen, key=lambda one: one.id)
