"""Coreference scoring a second time, the slow way: every definition as it is written, nothing shared with the package.

Clusters are lists of mentions, a side is a list of clusters in file order.  Links are enumerated, one-to-one maps are
tried one by one, fractions are exact.  Good for a dozen mentions.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations

Side = list[list[Hashable]]
Counts = tuple[Fraction, Fraction, Fraction, Fraction]
"""Recall credit and total, precision credit and total."""


# ----------------------------------------------------------------------------------------------------- reading


class Unbalanced(Exception):  # noqa: N818 - what the brackets are
    """A mention that ends and did not begin, or the reverse."""


def read_columns(text: str, *, fifo: bool = False) -> dict[str, tuple[int, Side]]:
    """Documents of a column file: number of tokens, and clusters in the order of their ids.

    ``fifo``: per token closes before opens, and a close takes the earliest open span of its id.
    """
    documents: dict[str, tuple[int, Side]] = {}
    name: str | None = None
    lines: list[str] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        bare = line.replace(" ", "")
        if name is None:
            if bare.startswith("#begindocument"):
                name, lines = line.split("begin document ", 1)[1], []
        elif bare.startswith("#enddocument"):
            documents.pop(name, None)
            documents[name] = _read_document(lines, fifo=fifo, ended=True)
            name = None
        else:
            lines.append(line)
    if name is not None:
        documents.pop(name, None)
        documents[name] = _read_document(lines, fifo=fifo, ended=False)
    return documents


def _read_document(lines: Sequence[str], *, fifo: bool, ended: bool) -> tuple[int, Side]:
    clusters: dict[str, list[Hashable]] = {}
    opened: dict[str, list[int]] = {}
    token = -1
    for line in lines:
        if not line.strip():
            continue
        token += 1
        items = _items((line.split("\t") if "\t" in line else line.split())[-1])
        for item in items:
            if item[0] == "(" and item[-1] == ")" and "+" not in item:
                clusters.setdefault(item[1:-1], []).append((token, token))
        opens = [item[1:] for item in items if item[0] == "(" and item[-1] != ")"]
        closes = [item[:-1] for item in items if item[0] != "(" and item[-1] == ")"]
        if fifo:
            _close(closes, opened, clusters, token, take=0)
        for name in opens:
            clusters.setdefault(name, [])
            opened.setdefault(name, []).append(token)
        if not fifo:
            _close(closes, opened, clusters, token, take=-1)
    if ended and any(opened.values()):
        raise Unbalanced
    return token + 1, [members for members in clusters.values() if members]


def _close(
    names: list[str],
    opened: dict[str, list[int]],
    clusters: dict[str, list[Hashable]],
    token: int,
    *,
    take: int,
) -> None:
    for name in names:
        if not opened.get(name):
            raise Unbalanced
        clusters[name].append((opened[name].pop(take), token))


def _items(cell: str) -> list[str]:
    """The items of a cell; a bar, a bracket that opens and one that closes are where items end."""
    items = [""]
    for sign in cell.strip():
        if sign in {"|", "("}:
            items.append("")
        if sign != "|":
            items[-1] += sign
        if sign == ")":
            items.append("")
    return [item for item in items if item and item not in {"-", "_"}]


# ------------------------------------------------------------------------------------------------ what is kept


def mentions_of(side: Side) -> set[Hashable]:
    return {mention for cluster in side for mention in cluster}


def without_later_copies(gold: Side, system: Side) -> tuple[Side, int]:
    """The system without later copies of mentions that gold has, and how many went."""
    known, seen, removed = mentions_of(gold), set(), 0
    kept: Side = []
    for cluster in system:
        stays = []
        for mention in cluster:
            if mention in known and mention in seen:
                removed += 1
            else:
                stays.append(mention)
            seen.add(mention)
        kept.append(stays)
    return [cluster for cluster in kept if cluster], removed


def first_copies(side: Side) -> Side:
    """Every mention where it first occurs."""
    seen: set[Hashable] = set()
    kept: Side = []
    for cluster in side:
        kept.append([])
        for mention in cluster:
            if mention not in seen:
                kept[-1].append(mention)
            seen.add(mention)
    return [cluster for cluster in kept if cluster]


def merged(side: Side) -> Side:
    """Clusters joined while two of them share a mention."""
    joined = [set(cluster) for cluster in side]
    while True:
        for one, other in combinations(range(len(joined)), 2):
            if joined[one] & joined[other]:
                joined[one] |= joined.pop(other)
                break
        else:
            return [list(cluster) for cluster in joined]


def without_singletons(side: Side) -> Side:
    return [cluster for cluster in side if len(cluster) > 1]


def repeats(side: Side) -> bool:
    return len(mentions_of(side)) < sum(map(len, side))


# ----------------------------------------------------------------------------------------------------- metrics


def detection(gold: Side, system: Side) -> Counts:
    ours, theirs = mentions_of(gold), mentions_of(system)
    return counts(len(ours & theirs), len(ours), len(ours & theirs), len(theirs))


def muc(gold: Side, system: Side) -> Counts:
    if repeats(gold) or repeats(system):
        home = {mention: at for at, cluster in enumerate(gold) for mention in cluster}
        links = sum(
            any(home.get(later) == home[mention] for later in cluster[at + 1 :])
            for cluster in system
            for at, mention in enumerate(cluster)
            if mention in home
        )
    else:
        links = sum(len(cluster) - _parts(cluster, system) for cluster in gold)
        assert links == sum(len(cluster) - _parts(cluster, gold) for cluster in system)
    return counts(links, sum(len(c) - 1 for c in gold), links, sum(len(c) - 1 for c in system))


def _parts(cluster: Sequence[Hashable], others: Side) -> int:
    met = sum(not set(cluster).isdisjoint(other) for other in others)
    return met + len(set(cluster) - mentions_of(others))


def b_cubed(gold: Side, system: Side) -> Counts:
    recall = precision = Fraction()
    for for_recall, for_precision in b_cubed_terms(gold, system):
        recall += for_recall
        precision += for_precision
    return recall, Fraction(sum(map(len, gold))), precision, Fraction(sum(map(len, system)))


def b_cubed_terms(gold: Side, system: Side) -> Iterator[tuple[Fraction, Fraction]]:
    """Per system mention that gold has, in file order: what it adds to recall and to precision."""
    for cluster in system:
        for mention in cluster:
            homes = [home for home in gold if mention in home]
            if homes:
                common = sum(other in homes[-1] for other in cluster)
                yield Fraction(common, len(homes[-1])), Fraction(common, len(cluster))


def phi3(ours: Sequence[Hashable], theirs: Sequence[Hashable]) -> Fraction:
    return Fraction(sum(mention in theirs for mention in ours))


def phi4(ours: Sequence[Hashable], theirs: Sequence[Hashable]) -> Fraction:
    return 2 * phi3(ours, theirs) / (len(ours) + len(theirs))


def best_maps(
    gold: Side, system: Side, phi: Callable[[Sequence[Hashable], Sequence[Hashable]], Fraction]
) -> list[dict[int, int]]:
    """All one-to-one maps with the largest sum of φ, of pairs that share something."""
    found: list[tuple[Fraction, dict[int, int]]] = []

    def extend(at: int, taken: dict[int, int], worth: Fraction) -> None:
        if at == len(gold):
            found.append((worth, taken))
            return
        extend(at + 1, taken, worth)
        for place, cluster in enumerate(system):
            weight = phi(gold[at], cluster)
            if weight and place not in taken.values():
                extend(at + 1, {**taken, at: place}, worth + weight)

    extend(0, {}, Fraction())
    best = max(worth for worth, _ in found)
    return [taken for worth, taken in found if worth == best]


def ceaf_m(gold: Side, system: Side) -> Counts:
    best = sum(
        (phi3(gold[at], system[to]) for at, to in best_maps(gold, system, phi3)[0].items()), Fraction()
    )
    return counts(best, sum(map(len, gold)), best, sum(map(len, system)))


def ceaf_e(gold: Side, system: Side) -> Counts:
    best = sum(
        (phi4(gold[at], system[to]) for at, to in best_maps(gold, system, phi4)[0].items()), Fraction()
    )
    return counts(best, len(gold), best, len(system))


def ceaf_e_over_phi3(gold: Side, system: Side) -> Counts:
    best = max(
        sum((phi4(gold[at], system[to]) for at, to in chosen.items()), Fraction())
        for chosen in best_maps(gold, system, phi3)
    )
    return counts(best, len(gold), best, len(system))


def links(side: Side) -> tuple[set[frozenset[Hashable]], set[frozenset[Hashable]]]:
    """Coreference and non-coreference links; a set of one mention is its link to itself, where copies make one."""
    places = [(mention, at) for at, cluster in enumerate(side) for mention in cluster]
    pairs = list(combinations(places, 2))
    return (
        {frozenset((one, two)) for (one, at), (two, to) in pairs if at == to},
        {frozenset((one, two)) for (one, at), (two, to) in pairs if at != to},
    )


def blanc_links(gold: Side, system: Side) -> tuple[Counts, Counts]:
    kinds = [
        counts(len(ours & theirs), len(ours), len(ours & theirs), len(theirs))
        for ours, theirs in zip(links(gold), links(system), strict=True)
    ]
    return kinds[0], kinds[1]


def blanc(coreference: Counts, other: Counts) -> tuple[Fraction, Fraction, Fraction]:
    """R, P and F; only gold's links decide which kind is left out."""
    if not coreference[1] and not other[1]:
        return Fraction(), Fraction(), Fraction()
    if not coreference[1]:
        return figures(other)
    if not other[1]:
        return figures(coreference)
    one, two = figures(coreference), figures(other)
    return (one[0] + two[0]) / 2, (one[1] + two[1]) / 2, (one[2] + two[2]) / 2


def lea(gold: Side, system: Side) -> Counts:
    return (
        _resolved(gold, system),
        Fraction(sum(map(len, gold))),
        _resolved(system, gold),
        Fraction(sum(map(len, system))),
    )


def _resolved(ours: Side, theirs: Side) -> Fraction:
    credit = Fraction()
    for cluster in ours:
        if len(cluster) == 1:
            credit += [cluster[0]] in theirs
        else:
            pairs = list(combinations(cluster, 2))
            found = sum(any(one in other and two in other for other in theirs) for one, two in pairs)
            credit += len(cluster) * Fraction(found, len(pairs))
    return credit


# --------------------------------------------------------------------------------- variants for predicted mentions


def variants(gold: Side, system: Side) -> dict[str, Counts]:
    """Section by section of the table of variants: other partitions, then the plain metric."""
    missed = [m for cluster in gold for m in cluster if m not in mentions_of(system)]
    spurious = mentions_of(system) - mentions_of(gold)
    bare = [[m for m in cluster if m not in spurious] for cluster in system]
    bare = [cluster for cluster in bare if cluster]
    unlonely = [cluster for cluster in system if not (len(cluster) == 1 and cluster[0] in spurious)]
    padding: Side = [[m] for m in missed]
    gold_padding: Side = [[m] for cluster in unlonely for m in cluster if m in spurious]
    found: dict[str, Counts] = {"b-cubed-0": b_cubed(gold, bare)}
    credit = b_cubed(gold, system)
    for_missed = sum(
        (Fraction(1, len(cluster)) for cluster in gold for m in cluster if m in missed), Fraction()
    )
    for_spurious = sum(
        (Fraction(1, len(cluster)) for cluster in system for m in cluster if m in spurious), Fraction()
    )
    found["b-cubed-all"] = (credit[0] + for_missed, credit[1], credit[2] + for_spurious, credit[3])
    for name, metric in (("b-cubed", b_cubed), ("ceaf-m", ceaf_m), ("ceaf-e", ceaf_e)):
        found[f"{name}-rn"] = (*metric(gold, system)[:2], *metric(gold, unlonely)[2:])
        found[f"{name}-cs"] = (
            *metric(gold, bare + padding)[:2],
            *metric(gold + gold_padding, unlonely + padding)[2:],
        )
    return found


# ----------------------------------------------------------------------------------------------------- figures


def counts(
    recall_credit: Fraction | int, recall_total: int | Fraction, credit: Fraction | int, total: int | Fraction
) -> Counts:
    """Exact counts from any numbers."""
    return Fraction(recall_credit), Fraction(recall_total), Fraction(credit), Fraction(total)


def figures(found: Counts) -> tuple[Fraction, Fraction, Fraction]:
    """R, P and F1, each 0 without divisor."""
    recall = found[0] / found[1] if found[1] else Fraction()
    precision = found[2] / found[3] if found[3] else Fraction()
    both = recall + precision
    return recall, precision, 2 * recall * precision / both if both else Fraction()


def added(one: Counts, two: Counts) -> Counts:
    return one[0] + two[0], one[1] + two[1], one[2] + two[2], one[3] + two[3]
