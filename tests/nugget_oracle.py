"""A second scorer of event nuggets, slow and plain, written from the rules alone.

It looks at every pair of mentions, every assignment of clusters and every pair of links, and shares no line with the
package: where both agree on random files, neither owes the figure to a shortcut.  :func:`scores` lays its figures out as
the conformance cases do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

WHITE = b" \t\r\v\f"
NAMES = {
    (): "plain",
    ("type",): "mention_type",
    ("realis",): "realis_status",
    ("type", "realis"): "mention_type+realis_status",
}
INVISIBLE = frozenset(b"the a an you he she we my your her our who what where when".split())
LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789")
PUNCTUATION = frozenset(b" \t\n\r\v\f!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


@dataclass(frozen=True)
class Rules:
    """What a profile decides, switch by switch."""

    normalise: str
    placeholder: tuple[str, ...]
    direct: bool
    invisible: bool
    header_row: bool
    keep_unpaired: bool
    stop_at_duplicate: bool
    per_type: bool
    with_ceafm: bool
    every_document: bool = False
    """Whether documents without gold mentions count in the averages."""
    pairing: str = "greedy"
    either_side: bool = False
    repeats: bool = True
    """Whether characters of overlapping segments count twice in the size of a span."""
    zero: bool = False
    """Whether 0/0 is 0."""
    drop_zero: bool = False
    """Whether documents whose average is 0 are left out of coreference, and averages of documents shown."""
    official_links: bool = False
    """Whether links are treated as version 1.8 does, its quirks included."""


RULES = {
    "pilot2014": Rules("none", ("type", "realis"), False, True, True, True, False, False, False),
    "kbp2015": Rules("n1", (), False, True, False, False, True, False, True),
    "kbp2015-v1.6.2": Rules("n1", (), False, True, False, False, True, False, True, drop_zero=True),
    "kbp2016": Rules("n2", ("type", "realis"), True, False, False, True, True, True, False),
    "kbp2017": Rules(
        "n2", ("type", "realis"), True, False, False, True, False, True, False, official_links=True
    ),
    "kbp2015-text": Rules("n1", (), True, True, False, True, False, False, False, True, repeats=False),
    "modern": Rules(
        "n2", ("type", "realis"), True, False, False, True, False, False, False, True, "optimal", True, False
    ),
    "exact": Rules("n2", (), True, False, False, True, False, False, False, True, "sets", True, False, True),
}


@dataclass(frozen=True)
class Run:
    """The files of a run and its options."""

    profile: str
    gold: bytes
    system: bytes
    unit: str = "char"
    tables: dict[str, bytes] = field(default_factory=dict)
    coref: bool = False
    threshold: float = 1.0
    mapping: tuple[str, ...] = ("type",)
    white_list: bytes | None = None
    only: str | None = None
    sequencing: bool = False
    other_rules: Rules | None = None
    """Instead of those of the profile."""

    @property
    def rules(self) -> Rules:
        return self.other_rules or RULES[self.profile]


@dataclass
class Mention:
    id: bytes
    elements: list[Any]
    type: bytes
    realis: bytes
    text: bytes
    line: bytes
    """As the file has it, without white space around it."""

    def value(self, attribute: str) -> bytes:
        return self.type if attribute == "type" else self.realis


@dataclass
class Doc:
    mentions: list[Mention]
    relations: list[tuple[bytes, list[bytes]]]


# ------------------------------------------------------------------------------------------------------ reading


def blocks(data: bytes) -> dict[bytes, list[bytes]]:
    """The lines of every document: what was collected since the last footer, under the id of the last header.

    Before any header the id is empty.
    """
    found: dict[bytes, list[bytes]] = {}
    current = b""
    collected: list[bytes] = []
    for raw in data.split(b"\n"):
        line = raw.strip(WHITE)
        if line.startswith(b"#BeginOfDocument"):
            current = line[len(b"#BeginOfDocument") :].strip(WHITE)
        elif line.startswith(b"#EndOfDocument"):
            found[current] = collected
            collected = []
        elif line and not line.startswith(b"#"):
            collected.append(line)
    return found


def normalised(value: bytes, how: str) -> bytes:
    if how == "none":
        return value
    if how == "n2":
        return bytes(sign for sign in value.lower() if sign in LETTERS)
    return bytes(sign for sign in value.lower() if sign not in PUNCTUATION)


def elements(written: bytes, unit: str) -> list[Any]:
    if unit == "token":
        return list(dict.fromkeys(written.split(b",")))
    offsets: list[int] = []
    for segment in written.split(b";"):
        begin, end = (int(number) for number in segment.split(b",")[:2])
        offsets.extend(range(begin, end))
    return offsets


def hidden_tokens(run: Run, doc_id: bytes) -> set[bytes]:
    table = run.tables.get(doc_id.decode("utf-8", "surrogateescape"))
    if table is None or not run.rules.invisible:
        return set()
    rows = [line.rstrip(WHITE).split(b"\t") for line in table.split(b"\n")][int(run.rules.header_row) :]
    words = INVISIBLE | ({b"i"} if run.profile == "kbp2015-text" else set())
    return {row[0] for row in rows if len(row) >= 4 and row[1].strip(WHITE).lower() in words}


def document(run: Run, lines: Iterable[bytes], doc_id: bytes) -> Doc:
    """Mentions and relations as they are compared."""
    hidden = hidden_tokens(run, doc_id)
    mentions, relations = [], []
    for line in lines:
        if line.startswith(b"@"):
            columns = line[1:].strip(WHITE).split(b"\t")
            relations.append((columns[0], columns[2].split(b",") if len(columns) > 2 else []))
            continue
        columns = line.split(b"\t")
        span = [one for one in elements(columns[3], run.unit) if one not in hidden]
        if not run.rules.repeats:
            span = list(dict.fromkeys(span))
        values = [normalised(value, run.rules.normalise) for value in columns[5:7]]
        mentions.append(Mention(columns[2], span, *values, columns[4], line))
    if run.white_list:
        wanted = {normalised(line, "n2") for line in run.white_list.removesuffix(b"\n").split(b"\n")}
        mentions = [one for one in mentions if one.type in wanted]
        ids = {one.id for one in mentions}
        kept = [(name, [member for member in members if member in ids]) for name, members in relations]
        relations = [(name, members) for name, members in kept if len(members) > 1]
    return Doc(mentions, relations)


def documents(run: Run) -> dict[bytes, tuple[Doc, Doc, bool]]:
    """Both sides of every scored document, in the order of the ids, and whether the system has it."""
    gold, system = blocks(run.gold), blocks(run.system)
    pairs = {}
    for doc_id in sorted({*gold, *system} if run.rules.either_side else gold):
        if run.only is not None and doc_id != run.only.encode():
            continue
        sides = (gold.get(doc_id, []), system.get(doc_id, []))
        ours, theirs = (document(run, lines, doc_id) for lines in sides)
        ids = [mention.id for mention in theirs.mentions]
        if run.rules.stop_at_duplicate and len(set(ids)) < len(ids):
            break
        pairs[doc_id] = ours, theirs, doc_id in system
    return pairs


# ---------------------------------------------------------------------------------------------------- detection


def dice(gold: Mention, system: Mention, *, direct: bool) -> float:
    common = len(set(gold.elements) & set(system.elements))
    if not common:
        return 0.0
    if direct:
        return 2.0 * common / (len(gold.elements) + len(system.elements))
    precision, recall = common / len(system.elements), common / len(gold.elements)
    return 2 * precision * recall / (precision + recall)


def ordered_pairs(run: Run, gold: Doc, system: Doc) -> list[tuple[float, int, int]]:
    """(Dice, system position, gold position), best first; ties by system, then gold position."""
    found = [
        (dice(ours, theirs, direct=run.rules.direct), at, place)
        for at, theirs in enumerate(system.mentions)
        for place, ours in enumerate(gold.mentions)
    ]
    return sorted((one for one in found if one[0] > 0), key=lambda one: (-one[0], one[1], one[2]))


def agree(rules: Rules, attribute: str, gold: Mention, system: Mention) -> bool:
    value = gold.value(attribute)
    if attribute in rules.placeholder and value == normalised(b"NOT_ANNOTATED", rules.normalise):
        return True
    return value == system.value(attribute)


def mapping(run: Run, gold: Doc, system: Doc, attributes: Sequence[str]) -> list[tuple[float, int, int]]:
    taken = []
    for weight, at, place in ordered_pairs(run, gold, system):
        used = any(at == other[1] or place == other[2] for other in taken)
        ours, theirs = gold.mentions[place], system.mentions[at]
        if not used and all(agree(run.rules, attribute, ours, theirs) for attribute in attributes):
            taken.append((weight, at, place))
    return taken


def over(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def harmonic(precision: float | None, recall: float | None) -> float | None:
    if precision is None or recall is None or precision + recall == 0:
        return None
    return 2 * precision * recall / (precision + recall)


def prf(precision: float | None, recall: float | None, scale: float = 100.0) -> dict[str, float | None]:
    figures = {"p": precision, "r": recall, "f1": harmonic(precision, recall)}
    return {name: None if figure is None else scale * figure for name, figure in figures.items()}


def averages(
    rules: Rules, counts: Sequence[tuple[int, int, dict[str, float]]]
) -> dict[str, dict[str, dict[str, float | None]]]:
    """Micro and macro of documents given as (gold mentions, system mentions, TP by attribute set)."""
    counted = [one for one in counts if one[0] > 0 or (rules.every_document and one[1] > 0)]
    laid_out: dict[str, dict[str, dict[str, float | None]]] = {"micro": {}, "macro": {}}
    for name in NAMES.values():
        earned = math.fsum(tp[name] for _, _, tp in counted)
        laid_out["micro"][name] = prf(
            over(earned, sum(system for _, system, _ in counted)),
            over(earned, sum(gold for gold, _, _ in counted)),
        )
        precisions = [over(tp[name], system) or 0.0 for _, system, tp in counted]
        recalls = [over(tp[name], gold) or 0.0 for gold, _, tp in counted]
        laid_out["macro"][name] = prf(
            over(math.fsum(precisions), len(counted)), over(math.fsum(recalls), len(counted))
        )
    return laid_out


def detection(run: Run) -> dict[str, Any]:
    """Micro, macro, documents, and the official table by type."""
    by_document: dict[str, Any] = {}
    counts = []
    types: dict[bytes, list[float]] = {}
    for doc_id, (gold, system, _) in documents(run).items():
        sizes = len(gold.mentions), len(system.mentions)
        taken = {name: mapping(run, gold, system, attributes) for attributes, name in NAMES.items()}
        tp = {name: _running(weight for weight, _, _ in pairs) for name, pairs in taken.items()}
        counts.append((*sizes, tp))
        by_document[text(doc_id)] = {
            "gold": sizes[0],
            "system": sizes[1],
            **{
                name: {"tp": tp[name], **prf(over(tp[name], sizes[1]), over(tp[name], sizes[0]))}
                for name in tp
            },
        }
        for side, mentions in enumerate((gold.mentions, system.mentions)):
            for mention in mentions:
                types.setdefault(mention.type, [0, 0, 0.0])[side] += 1
        for weight, _, place in sorted(taken["mention_type+realis_status"], key=lambda pair: pair[2]):
            types[gold.mentions[place].type][2] += weight
    laid_out: dict[str, Any] = {**averages(run.rules, counts), "documents": by_document}
    if run.rules.per_type:
        laid_out["per_type"] = {
            text(name): {"gold": gold, "system": system, **prf(over(tp, system), over(tp, gold), 1.0)}
            for name, (gold, system, tp) in sorted(types.items())
            if gold
        }
    return laid_out


def best_detection(run: Run) -> dict[str, Any]:
    """Detection where order means nothing: the largest total of all pairings, or sets of equal keys."""
    by_document: dict[str, Any] = {}
    sums: dict[str, list[list[float]]] = {name: [] for name in NAMES.values()}
    for doc_id, (gold, system, _) in documents(run).items():
        entry: dict[str, Any] = {}
        for attributes, name in NAMES.items():
            tp, ours, theirs = (_of_sets if run.rules.pairing == "sets" else _of_best)(
                run, gold, system, attributes
            )
            figures = _answered(run, prf(over(tp, theirs), over(tp, ours)))
            entry |= {"gold": ours, "system": theirs, name: {"tp": tp, **figures}}
            sums[name].append([tp, ours, theirs])
        by_document[text(doc_id)] = entry
    laid_out: dict[str, Any] = {"micro": {}, "macro": {}, "documents": by_document}
    for name, rows in sums.items():
        counted = [row for row in rows if row[1] or row[2]]
        tp, ours, theirs = (
            (math.fsum(column) for column in zip(*counted, strict=True)) if counted else (0, 0, 0)
        )
        laid_out["micro"][name] = _answered(run, prf(over(tp, theirs), over(tp, ours)))
        means = [
            over(math.fsum(over(row[0], row[side]) or 0.0 for row in counted), len(counted))
            for side in (2, 1)
        ]
        laid_out["macro"][name] = _answered(run, prf(*means))
    return laid_out


def _answered(run: Run, figures: dict[str, float | None]) -> dict[str, float | None]:
    return {name: figure or 0.0 for name, figure in figures.items()} if run.rules.zero else figures


def _of_sets(_run: Run, gold: Doc, system: Doc, attributes: Sequence[str]) -> tuple[float, int, int]:
    ours, theirs = (
        {
            (frozenset(one.elements) or (side, at), *(one.value(attribute) for attribute in attributes))
            for at, one in enumerate(doc.mentions)
        }
        for side, doc in (("gold", gold), ("system", system))
    )
    return float(len(ours & theirs)), len(ours), len(theirs)


def _of_best(run: Run, gold: Doc, system: Doc, attributes: Sequence[str]) -> tuple[float, int, int]:
    def weight(at: int, place: int) -> float:
        ours, theirs = gold.mentions[place], system.mentions[at]
        agreed = all(agree(run.rules, attribute, ours, theirs) for attribute in attributes)
        return dice(ours, theirs, direct=True) if agreed else 0.0

    sizes = len(gold.mentions), len(system.mentions)
    return largest_total(sizes[1], sizes[0], weight), *sizes


def largest_total(rows: int, columns: int, weight: Callable[[int, int], float]) -> float:
    """The largest total weight of all one-to-one assignments, by trying them all."""

    @cache
    def best(row: int, free: int) -> float:
        if row == rows:
            return 0.0
        taken = [
            weight(row, column) + best(row + 1, free & ~(1 << column))
            for column in range(columns)
            if free >> column & 1 and weight(row, column) > 0
        ]
        return max([best(row + 1, free), *taken])

    return best(0, (1 << columns) - 1)


def _running(figures: Iterable[float]) -> float:
    total = 0.0
    for figure in figures:
        total += figure
    return total


def text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")


# --------------------------------------------------------------------------------------------------- pilot study


def many_to_one(run: Run, gold: Doc, system: Doc) -> list[tuple[float, int, int]]:
    taken: list[tuple[float, int, int]] = []
    for weight, at, place in ordered_pairs(run, gold, system):
        if at not in {other[1] for other in taken}:
            taken.append((weight, at, place))
    return taken


def pilot(run: Run) -> dict[str, Any]:
    """All measures of the pilot study."""
    newer, older = {}, {}
    augmented_documents, counts = {}, []
    muc = {"cor": 0, "par": 0, "pos": 0, "act": 0}
    for doc_id, (gold, system, shared) in documents(run).items():
        newer[text(doc_id)] = _original(run, gold, system, lenient=True)
        if shared:
            older[text(doc_id)] = _original(run, gold, system, lenient=False)
        sizes = len(gold.mentions), len(system.mentions)
        tp = {name: _augmented(run, gold, system, attributes) for attributes, name in NAMES.items()}
        counts.append((*sizes, tp))
        augmented_documents[text(doc_id)] = {
            "gold": sizes[0],
            "system": sizes[1],
            **{
                name: {"tp": tp[name], **prf(over(tp[name], sizes[1]), over(tp[name], sizes[0]))}
                for name in tp
            },
        }
        pairs = mapping(run, gold, system, ())
        exact = sum(weight == 1 for weight, _, _ in pairs)
        for name, count in zip(muc, (exact, len(pairs) - exact, *sizes), strict=True):
            muc[name] += count
    earned = muc["cor"] + 0.5 * muc["par"]
    original = _pilot_averages(newer, lambda one: one["gold"] > 0)
    f1 = original["micro"]["f1"]
    factors = [original["micro"][f"{attribute}_accuracy"] for attribute in ("type", "realis")]
    return {
        "original": original,
        "original_v1.0": _pilot_averages(older, lambda one: one["p"] is not None and one["r"] is not None),
        "augmented": {**averages(run.rules, counts), "documents": augmented_documents},
        "multiplicative": {
            "span*type": _product(f1, factors[0]),
            "span*realis": _product(f1, factors[1]),
            "span*type*realis": _product(f1, *factors),
        },
        "muc_partial": {**prf(over(earned, muc["act"]), over(earned, muc["pos"]), 1.0), **muc},
    }


def _product(*factors: float | None) -> float | None:
    return None if None in factors else math.prod(factors)  # type: ignore[type-var, arg-type]


def _original(run: Run, gold: Doc, system: Doc, *, lenient: bool) -> dict[str, Any]:
    pairs = many_to_one(run, gold, system)
    best = {place: max(w for w, _, p in pairs if p == place) for place in sorted({p for _, _, p in pairs})}
    tp, fp = _running(best.values()), float(len(system.mentions) - len(best))
    laid_out = {"gold": len(gold.mentions), "tp": tp, "fp": fp}
    laid_out.update(prf(over(tp, tp + fp), over(tp, len(gold.mentions)), 1.0))
    for attribute in ("type", "realis"):
        correct = 0.0
        for place in best:
            ours = gold.mentions[place]
            partners = [system.mentions[at] for _, at, p in pairs if p == place]
            if lenient and attribute == "realis" and ours.realis == b"NOT_ANNOTATED":
                correct += 1.0
                continue
            for one in partners:
                if one.value(attribute) == ours.value(attribute):
                    correct += 1 / len(partners)
        laid_out[f"{attribute}_accuracy"] = over(correct, len(gold.mentions))
        laid_out[f"_{attribute}"] = correct
    return laid_out


def _pilot_averages(found: dict[str, dict[str, Any]], counts: Any) -> dict[str, Any]:
    counted = [one for one in found.values() if counts(one)]
    tp, fp = (math.fsum(one[name] for one in counted) for name in ("tp", "fp"))
    gold = sum(one["gold"] for one in counted)
    micro: dict[str, Any] = prf(over(tp, tp + fp), over(tp, gold), 1.0)
    means = {
        name: over(math.fsum(one[name] or 0.0 for one in counted), len(counted))
        for name in ("p", "r", "type_accuracy", "realis_accuracy")
    }
    macro: dict[str, Any] = prf(means["p"], means["r"], 1.0)
    for attribute in ("type", "realis"):
        micro[f"{attribute}_accuracy"] = over(math.fsum(one[f"_{attribute}"] for one in counted), gold)
        macro[f"{attribute}_accuracy"] = means[f"{attribute}_accuracy"]
    shown = {
        doc_id: {name: value for name, value in one.items() if not name.startswith("_")}
        for doc_id, one in found.items()
    }
    return {"micro": micro, "macro": macro, "documents": shown}


def _augmented(run: Run, gold: Doc, system: Doc, attributes: Sequence[str]) -> float:
    best: dict[int, float] = {}
    for weight, at, place in many_to_one(run, gold, system):
        ours, theirs = gold.mentions[place], system.mentions[at]
        if all(agree(run.rules, attribute, ours, theirs) for attribute in attributes):
            best[place] = max(weight, best.get(place, 0.0))
    return _running(best[place] for place in sorted(best))


# --------------------------------------------------------------------------------------------------- coreference

Partition = list[frozenset[Any]]


def chain_of(doc: Doc, position: int) -> Any:
    """The first coreference line that names the mention, else the mention itself."""
    name = doc.mentions[position].id
    lines = [members for relation, members in doc.relations if relation == b"Coreference"]
    return next((number for number, members in enumerate(lines) if name in members), ("alone", position))


def partition(doc: Doc, names: dict[int, Any]) -> Partition:
    """The chains over the names of elements; positions without a name are left out."""
    chains: dict[Any, list[Any]] = {}
    for position, name in names.items():
        chains.setdefault(chain_of(doc, position), []).append(name)
    return [frozenset(chain) for chain in chains.values()]


def partitions(run: Run, gold: Doc, system: Doc) -> tuple[Partition, Partition]:
    kept = {
        at: place for weight, at, place in mapping(run, gold, system, run.mapping) if weight >= run.threshold
    }
    paired = set(kept.values())
    ours = {
        place: ("gold", place)
        for place in range(len(gold.mentions))
        if run.rules.keep_unpaired or place in paired
    }
    theirs = {at: ("gold", kept[at]) if at in kept else ("system", at) for at in range(len(system.mentions))}
    return partition(gold, ours), partition(system, theirs)


def links(chains: Partition) -> tuple[set[frozenset[Any]], set[frozenset[Any]]]:
    """Unordered pairs inside a chain, and across chains."""
    together = {frozenset(pair) for chain in chains for pair in combinations(chain, 2)}
    everything = {frozenset(pair) for pair in combinations([one for chain in chains for one in chain], 2)}
    return together, everything - together


def best_total(key: Partition, response: Partition, phi: Any) -> float:
    """The largest total of phi over all one-to-one assignments of chains."""
    return largest_total(len(key), len(response), lambda at, place: phi(key[at], response[place]))


def phi_e(key: frozenset[Any], response: frozenset[Any]) -> float:
    return 2 * len(key & response) / (len(key) + len(response))


def phi_m(key: frozenset[Any], response: frozenset[Any]) -> float:
    return float(len(key & response))


def counts_of(key: Partition, response: Partition) -> dict[str, list[float]]:
    """Recall numerator and denominator, precision numerator and denominator of every metric, for one document."""
    in_key, in_response = frozenset().union(*key), frozenset().union(*response)
    common = len(in_key & in_response)
    counts: dict[str, list[float]] = {
        "mention_identification": [common, len(in_key), common, len(in_response)],
    }
    muc = sum(len(chain & in_key) - sum(1 for other in key if other & chain) for chain in response)
    counts["muc"] = [muc, sum(len(k) - 1 for k in key), muc, sum(len(r) - 1 for r in response)]
    shared = [(k, r) for k in key for r in response for _ in k & r]
    counts["bcub"] = [
        math.fsum(len(k & r) / len(k) for k, r in shared),
        len(in_key),
        math.fsum(len(k & r) / len(r) for k, r in shared),
        len(in_response),
    ]
    for name, phi, sizes in (
        ("ceafe", phi_e, (len(key), len(response))),
        ("ceafm", phi_m, (len(in_key), len(in_response))),
    ):
        total = best_total(key, response, phi)
        counts[name] = [total, sizes[0], total, sizes[1]]
    for name, ours, theirs in zip(
        ("coref_links", "noncoref_links"), links(key), links(response), strict=True
    ):
        counts[name] = [len(ours & theirs), len(ours), len(ours & theirs), len(theirs)]
    return counts


def figures(counts: Sequence[float]) -> tuple[float, float, float]:
    """P, R and F1, 0 for every 0 denominator."""
    recall = over(counts[0], counts[1]) or 0.0
    precision = over(counts[2], counts[3]) or 0.0
    return precision, recall, harmonic(precision, recall) or 0.0


def blanc(coref: Sequence[float], other: Sequence[float]) -> tuple[float, ...]:
    present = [figures(one) for one in (coref, other) if one[1]]
    if not present:
        return 0.0, 0.0, 0.0
    return tuple(sum(column) / len(present) for column in zip(*present, strict=True))


def cut(figure: float) -> float:
    return int(figure * 10000) / 100


def coreference(run: Run) -> tuple[dict[str, Any], dict[str, float]]:
    """The block ``scores.coref``, and the document averages of version 1.6.2."""
    total: dict[str, list[float]] = {}
    of_documents: dict[str, float] = {}
    for doc_id, (gold, system, _) in documents(run).items():
        counts = counts_of(*partitions(run, gold, system))
        lines = [name for doc in (gold, system) for name, _ in doc.relations]
        names = ["bcub", "ceafe", "muc"] if b"Coreference" in lines else ["bcub", "ceafe"]
        printed = [cut(figures(counts[name])[2]) for name in names]
        printed.append(cut(blanc(counts["coref_links"], counts["noncoref_links"])[2]))
        average = sum(printed) / len(printed)
        of_documents[text(doc_id)] = average
        if run.rules.drop_zero and average == 0:
            continue
        for name, four in counts.items():
            so_far = total.setdefault(name, [0.0] * 4)
            for place, count in enumerate(four):
                so_far[place] += count
    empty = [0.0] * 4
    block: dict[str, Any] = {"mention_identification": total.get("mention_identification", empty)}
    for name in ("muc", "bcub", "ceafe", "ceafm"):
        block[name] = _coref_entry(figures(total.get(name, empty)))
        block[name]["num_den"] = total.get(name, empty)
    kinds = {name: total.get(name, empty) for name in ("coref_links", "noncoref_links")}
    block["blanc"] = {**_coref_entry(blanc(*kinds.values())), **kinds}
    block["average"] = sum(block[name]["f1"] for name in ("muc", "bcub", "ceafe", "blanc")) / 4
    block["printed_average"] = (
        sum(block[name]["printed_f1"] for name in ("bcub", "ceafe", "muc", "blanc")) / 4
    )
    if run.rules.with_ceafm:
        five = ("bcub", "ceafe", "ceafm", "muc", "blanc")
        block["printed_average_with_ceafm"] = sum(block[name]["printed_f1"] for name in five) / 5
    return block, of_documents


def _coref_entry(found: Sequence[float]) -> dict[str, Any]:
    precision, recall, f1 = found
    return {"p": 100 * precision, "r": 100 * recall, "f1": 100 * f1, "printed_f1": cut(f1)}


# ---------------------------------------------------------------------------------------------------- sequencing

Link = tuple[bytes, Any, Any]
MASK = 2**64 - 1


def closure(pairs: Iterable[tuple[Any, Any]]) -> set[tuple[Any, Any]]:
    """Everything that follows by transitivity."""
    found = set(pairs)
    while True:
        more = {(a, d) for a, b in found for c, d in found if b == c} - found
        if not more:
            return found
        found |= more


def chain_lines(doc: Doc) -> list[list[bytes]]:
    return [members for relation, members in doc.relations if relation == b"Coreference"]


def end_of(rules: Rules, doc: Doc, name: bytes) -> Any:
    """What an end of a link is raised to: the last chain that names it, else itself; None if nobody knows it."""
    known = any(mention.id == name for mention in doc.mentions)
    naming = [number for number, members in enumerate(chain_lines(doc)) if name in members]
    if naming and (known or rules.official_links):
        return naming[-1]
    return ("alone", name) if known else None


def _raised(rules: Rules, doc: Doc, name: bytes) -> list[tuple[Any, Any]]:
    """The links of one relation between chains, in the order of the lines; links inside a chain or to nowhere go."""
    raised = []
    for relation, members in doc.relations:
        if relation == name and len(members) >= 2:
            first, second = (end_of(rules, doc, member) for member in members[:2])
            if first is not None and second is not None and first != second and (first, second) not in raised:
                raised.append((first, second))
    return raised


def _without_detours(raised: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """The links without those that other links lead around, through a third chain."""
    ways = closure(raised)
    chains = {end for link in raised for end in link}
    return [
        (a, b)
        for a, b in raised
        if not any((a, c) in ways and (c, b) in ways for c in chains if c not in (a, b))
    ]


def written_links(rules: Rules, doc: Doc, name: bytes) -> list[tuple[bytes, bytes]]:
    """The links of one relation between ids: raised to chains, reduced, spread over the members of the lines."""
    kept = _without_detours(_raised(rules, doc, name))
    lines = chain_lines(doc)

    def members(end: Any) -> list[bytes]:
        return lines[end] if isinstance(end, int) else [end[1]]

    return list(dict.fromkeys((one, two) for a, b in kept for one in members(a) for two in members(b)))


def string_hash(word: bytes) -> int:
    if not word:
        return 0
    x = word[0] * 128
    for byte in word:
        x = ((1000003 * x) ^ byte) % 2**64
    return x ^ len(word)


def minus_two(x: int) -> int:
    return 2**64 - 2 if x == MASK else x


def triple_hash(triple: Sequence[bytes]) -> int:
    x, f = 0x345678, 1000003
    for left, word in zip((2, 1, 0), triple, strict=True):
        x = ((x ^ minus_two(string_hash(word))) * f) % 2**64
        f = f + 82520 + 2 * left
    return minus_two((x + 97531) % 2**64)


def in_slots(keys: Iterable[Any], hash_of: Callable[[Any], int]) -> list[Any]:
    """Keys put into a table one after the other, read off slot by slot."""
    slots: dict[int, Any] = {}
    size = 8

    def put(key: Any) -> None:
        i = hash_of(key) % size
        p = hash_of(key)
        while i % size in slots:
            i = (5 * i + p + 1) % 2**64
            p = p // 32
        slots[i % size] = key

    for key in keys:
        if key in slots.values():
            continue
        put(key)
        if 3 * len(slots) >= 2 * size:
            moved = [slots[at] for at in sorted(slots)]
            wanted = (4 if len(moved) <= 50000 else 2) * len(moved)
            size = 8
            while size <= wanted:
                size *= 2
            slots.clear()
            for one in moved:
                put(one)
    return [slots[at] for at in sorted(slots)]


def ordered_links(
    rules: Rules, doc: Doc, places: dict[bytes, list[int]], names: Sequence[bytes]
) -> list[tuple[bytes, bytes, bytes]]:
    """(name, first id, second id) in the order in which the links are taken, relation by relation."""
    found = []
    for name in names:
        pairs = written_links(rules, doc, name)
        if rules.official_links:
            keys = in_slots([(one, two, name) for one, two in pairs], triple_hash)
            found += [(name, one, two) for one, two, _ in keys]
        else:
            known = [pair for pair in pairs if all(end in places for end in pair)]
            known.sort(key=lambda pair: (places[pair[0]][0], places[pair[1]][0]))
            found += [(name, one, two) for one, two in known]
    return found


def links_of(
    run: Run, doc: Doc, node_of: Callable[[int], Any], number_of: Callable[[int], int], names: Sequence[bytes]
) -> list[Link]:
    """The links of a side between nodes; of several mentions with one id the last numbered has them, or all."""
    places: dict[bytes, list[int]] = {}
    for position, mention in enumerate(doc.mentions):
        places.setdefault(mention.id, []).append(position)
    if run.rules.official_links:
        places = {name: [max(copies, key=number_of)] for name, copies in places.items()}
    found: list[Link] = []
    for name, first, second in ordered_links(run.rules, doc, places, names):
        for one in places.get(first, []):
            for two in places.get(second, []):
                link = (name, node_of(one), node_of(two))
                if link not in found:
                    found.append(link)
    return found


def points(link: Link) -> list[tuple[Any, Any]]:
    name, a, b = link
    if name == b"After":
        return [((a, 1), (b, 0))]
    return [((a, 0), (b, 0)), ((b, 1), (a, 1))]


class Logic:
    """The logical closure, worked out anew for every question."""

    def __init__(self) -> None:
        self.taken: list[Link] = []

    def known(self) -> set[tuple[Any, Any]]:
        inside = [((end, 0), (end, 1)) for link in self.taken for end in link[1:]]
        return closure([*inside, *(pair for link in self.taken for pair in points(link))])

    def take(self, link: Link) -> str:
        inside = [((end, 0), (end, 1)) for end in link[1:]]
        known = closure([*self.known(), *inside])
        if all(pair in known for pair in points(link)):
            return "known"
        if any(a == b or (b, a) in known for a, b in points(link)):
            return "refused"
        self.taken.append(link)
        return "new"

    def holds(self, link: Link) -> bool:
        return all(pair in self.known() for pair in points(link))


class Chains:
    """The official closure: a dictionary of events with chain, begin, end and marks, and a list of bridges."""

    def __init__(self) -> None:
        self.events: dict[Any, dict[str, Any]] = {}
        self.bridges: list[tuple[tuple[int, int], tuple[int, int]]] = []
        self.chains = 0

    def new_chain(self) -> int:
        self.chains += 1
        return self.chains

    def take(self, link: Link) -> str:
        name, a, b = link
        if a in self.events and b in self.events:
            return self.both_known(link)
        if a not in self.events and b not in self.events:
            c = self.new_chain()
            if name == b"After":
                self.events[a] = {"c": c, "b": 100000, "e": 101000, "marks": {"head", "hollow"}}
                self.events[b] = {"c": c, "b": 102000, "e": 103000, "marks": {"tail", "hollow"}}
            else:
                self.events[a] = {"c": c, "b": 100000, "e": 103000, "marks": {"head", "tail"}}
                self.events[b] = {"c": c, "b": 101000, "e": 102000, "marks": {"hollow"}}
        elif a in self.events:
            self.events[b] = self.second_new(name, self.events[a])
        else:
            self.events[a] = self.first_new(name, self.events[b])
        return "new"

    def first_new(self, name: bytes, k: dict[str, Any]) -> dict[str, Any]:
        if name == b"After":
            x = {"c": k["c"], "b": -1000, "e": k["b"] - 1000, "marks": {"head", "hollow"}}
            if "head" in k["marks"]:
                k["marks"] = k["marks"] - {"head"}
            else:
                x["c"] = self.new_chain()
                self.bridges.append(((x["c"], x["e"]), (k["c"], k["b"])))
            return x
        x = {"c": k["c"], "b": k["b"] - 1000, "e": k["e"] + 1000, "marks": {"head", "tail"}}
        if {"head", "tail"} <= k["marks"]:
            k["marks"] = k["marks"] - {"head", "tail"}
        else:
            x["c"] = self.new_chain()
            self.bridges.append(((x["c"], x["b"]), (k["c"], k["b"])))
            self.bridges.append(((k["c"], k["e"]), (x["c"], x["e"])))
        return x

    def second_new(self, name: bytes, k: dict[str, Any]) -> dict[str, Any]:
        if name == b"After":
            x = {"c": k["c"], "b": k["e"] + 1000, "e": k["e"] + 2000, "marks": {"tail", "hollow"}}
            if "tail" in k["marks"]:
                k["marks"] = k["marks"] - {"tail"}
            else:
                x["c"] = self.new_chain()
                self.bridges.append(((k["c"], k["e"]), (x["c"], x["b"])))
            return x
        d = k["e"] - k["b"]
        x = {
            "c": k["c"],
            "b": k["b"] + math.floor(Fraction(d, 3)),
            "e": k["b"] + math.floor(Fraction(2 * d, 3)),
            "marks": {"hollow"},
        }
        if "hollow" in k["marks"]:
            k["marks"] = k["marks"] - {"hollow"}
        else:
            x["c"] = self.new_chain()
            x["marks"] = {"head", "tail", "hollow"}
            self.bridges.append(((k["c"], k["b"]), (x["c"], x["b"])))
            self.bridges.append(((x["c"], x["e"]), (k["c"], k["e"])))
        return x

    def both_known(self, link: Link) -> str:
        asked = self.asked(link)
        found = [self.compare(x, y) for x, y in asked]
        if ">" in found or "=" in found:
            return "refused"
        if set(found) == {"<"}:
            return "known"
        self.bridges.extend(asked)
        return "new"

    def asked(self, link: Link) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        name, a, b = link[0], self.events[link[1]], self.events[link[2]]
        if name == b"After":
            return [((a["c"], a["e"]), (b["c"], b["b"]))]
        return [((a["c"], a["b"]), (b["c"], b["b"])), ((b["c"], b["e"]), (a["c"], a["e"]))]

    def compare(self, x: tuple[int, int], y: tuple[int, int]) -> str:
        if x[0] == y[0]:
            return "<" if x[1] < y[1] else ">" if x[1] > y[1] else "="
        there, back = self.way(x, y, [x[0]]), self.way(y, x, [y[0]])
        return "=" if there and back else "<" if there else ">" if back else ""

    def way(self, x: tuple[int, int], y: tuple[int, int], entered: list[int]) -> bool:
        """Every way is tried."""
        for (chain, leaves), arrival in self.bridges:
            if chain == x[0] and leaves >= x[1] and arrival[0] not in entered:
                if arrival[0] == y[0]:
                    if arrival[1] <= y[1]:
                        return True
                elif self.way(arrival, y, [*entered, arrival[0]]):
                    return True
        return False

    def holds(self, link: Link) -> bool:
        if link[1] not in self.events or link[2] not in self.events:
            return False
        return all(self.compare(x, y) == "<" for x, y in self.asked(link))


def reduced(rules: Rules, found: Sequence[Link]) -> tuple[list[Link], Logic | Chains]:
    """The new and the refused links, and the graph of the new ones."""
    graph = Chains() if rules.official_links else Logic()
    return [link for link in found if graph.take(link) != "known"], graph


SETS = (("Subevent", [b"Subevent"]), ("After", [b"After"]), ("All", [b"Subevent", b"After"]))


def both_sides(run: Run, gold: Doc, system: Doc, names: Sequence[bytes]) -> tuple[list[Link], list[Link]]:
    nodes = {at: place for _, at, place in mapping(run, gold, system, run.mapping)}

    def number(at: int) -> int:
        return nodes.get(at, len(gold.mentions) + at)

    ours = links_of(run, gold, lambda place: place, lambda place: place, names)
    return ours, links_of(run, system, number, number, names)


def sequencing(run: Run) -> dict[str, dict[str, float]]:
    laid_out = {}
    for title, names in SETS:
        sums = [0.0, 0.0, 0.0, 0.0]
        for gold, system, _ in documents(run).values():
            for place, count in enumerate(_awareness(run.rules, *both_sides(run, gold, system, names))):
                sums[place] += count
        recall, precision = over(sums[0], sums[1]) or 0.0, over(sums[2], sums[3]) or 0.0
        found = {"f1": harmonic(precision, recall) or 0.0, "p": precision, "r": recall}
        laid_out[title] = {name: 100 * round(figure, 6) for name, figure in found.items()}
    return laid_out


def _awareness(
    rules: Rules, ours: Sequence[Link], theirs: Sequence[Link]
) -> tuple[float, float, float, float]:
    (gold, in_gold), (system, in_system) = reduced(rules, ours), reduced(rules, theirs)
    p_match = sum(link in ours or in_gold.holds(link) for link in system)
    r_match = sum(link in theirs or in_system.holds(link) for link in gold)
    implicit = sum(link not in gold and in_gold.holds(link) for link in system)
    common = {end for link in gold for end in link[1:]} & {end for link in system for end in link[1:]}
    n = len(common)
    free = n * (n - 1) / 2 - r_match
    weight = 0.99 / (1 + (free if rules.official_links else max(0, free)))
    return r_match + weight * implicit, len(gold), p_match, len(system)


def divides_by_zero(run: Run, gold: Doc, system: Doc) -> bool:
    try:
        for _, names in SETS:
            _awareness(run.rules, *both_sides(run, gold, system, names))
    except ZeroDivisionError:
        return True
    return False


def scores(run: Run) -> dict[str, Any]:
    """The block ``scores`` of a case."""
    if run.profile == "pilot2014":
        return pilot(run)
    laid_out = detection(run) if run.rules.pairing == "greedy" else best_detection(run)
    if run.coref and documents(run):
        laid_out["coref"], _ = coreference(run)
    if run.sequencing:
        laid_out["sequencing"] = sequencing(run)
    return laid_out


# ------------------------------------------------------------------------------------- what stops the official run


def stops(run: Run) -> bool:
    """Whether the checks of the official program end the run: chains and links of the scored documents."""
    found = documents(run)
    if run.coref and run.rules.drop_zero and not found:
        everything = replace(run, other_rules=replace(run.rules, stop_at_duplicate=False))
        return bool(documents(everything))
    if run.coref and run.rules.drop_zero and not any(coreference(run)[1].values()):
        return True
    if any(_stops(run, doc, doc_id) for doc_id, (gold, system, _) in found.items() for doc in (gold, system)):
        return True
    return (
        run.sequencing
        and run.rules.official_links
        and any(divides_by_zero(run, gold, system) for gold, system, _ in found.values())
    )


def _stops(run: Run, doc: Doc, doc_id: bytes) -> bool:
    chains = [set(members) for name, members in doc.relations if name == b"Coreference"]
    if run.coref and any(one & two for one, two in combinations(chains, 2)):
        return True
    if run.coref and run.profile.startswith("kbp2015"):
        spans = {mention.id: frozenset(mention.elements) for mention in doc.mentions}
        if any(chain - spans.keys() or len({spans[one] for one in chain}) < len(chain) for chain in chains):
            return True
        known, hidden = known_tokens(run, doc_id), hidden_tokens(run, doc_id)
        if known is not None and any(set(one.elements) - known - hidden for one in doc.mentions):
            return True
    if not run.sequencing:
        return False
    if any(len(members) > 2 for name, members in doc.relations if name in {b"After", b"Subevent"}):
        return True
    return any(_leads_both_ways(run.rules, doc, name) for name in (b"After", b"Subevent"))


def known_tokens(run: Run, doc_id: bytes) -> set[bytes] | None:
    table = run.tables.get(text(doc_id))
    if table is None:
        return None
    rows = [line.rstrip(WHITE).split(b"\t") for line in table.split(b"\n")][int(run.rules.header_row) :]
    return {row[0] for row in rows if len(row) >= 4}


def _leads_both_ways(rules: Rules, doc: Doc, name: bytes) -> bool:
    kept = _without_detours(_raised(rules, doc, name))
    return any((b, a) in kept for a, b in kept)


# ---------------------------------------------------------------------------------------------- official layouts

HEADS = "Prec  \tRec  \tF1   "


def two(figure: float | None) -> str:
    return "nan" if figure is None else f"{figure:.2f}"


def right(name: str, width: int) -> str:
    return " " * max(0, width - len(name.encode("utf-8", "surrogateescape"))) + name


def hundred(credit: float, total: float) -> float | None:
    return 100 * credit / total if total else None


def three(precision: float | None, recall: float | None) -> str:
    return "\t".join(map(two, (precision, recall, harmonic(precision, recall))))


def report(run: Run, version: str = "") -> str:
    """The report of versions 1.6.3, 1.7.3 and 1.8, or of the pilot's 1.1 or 1.2."""
    if version == "1.1":
        return original_report(run)
    found = pilot(run)["augmented"] if version == "1.2" else detection(run)
    entries = found["documents"]
    width = max((len(name.encode("utf-8", "surrogateescape")) for name in entries), default=0)
    names = list(NAMES.values())
    of_pilot = version == "1.2"
    lines = [f"========Document {'results' if of_pilot else 'Mention Detection Results'}=========="]
    lines.append(" " * width + "\t" + "\t|\t".join(right(name, 18) for name in names))
    lines.append(right("Doc ID", width) + "\t" + "\t|\t".join([HEADS] * 4))
    for doc_id, entry in entries.items():
        columns = [
            three(hundred(entry[name]["tp"], entry["system"]), hundred(entry[name]["tp"], entry["gold"]))
            for name in names
        ]
        lines.append(right(doc_id, width) + "\t" + "\t|\t".join(columns))
    lines.append("")
    if run.rules.drop_zero and run.coref:
        lines += ["", "========Document Mention Corefrence Results (CoNLL Average)=========="]
        lines += [f"{name}\t{average:.2f}" for name, average in coreference(run)[1].items()]
        lines.append("")
    if run.rules.per_type:
        lines += ["", *_type_lines(found["per_type"]), ""]
    lines.append(f"=======Final {'' if of_pilot else 'Mention Detection '}Results=========")
    lines.append("\t".join([" " * 26, right("Micro Average", 18), right("Macro Average", 18)]))
    lines.append("\t".join([right("Attributes", 26), HEADS, HEADS]))
    counted = [entry for entry in entries.values() if entry["gold"]]
    for name in names:
        earned = _running(entry[name]["tp"] * 100 for entry in counted)
        micro = [over(earned, sum(entry[side] for entry in counted)) for side in ("system", "gold")]
        macro = [
            over(_running(hundred(entry[name]["tp"], entry[side]) or 0.0 for entry in counted), len(counted))
            for side in ("system", "gold")
        ]
        lines.append("\t".join([right(name, 26), three(*micro), three(*macro)]))
    if run.coref and entries:
        lines += ["", *_coreference_lines(run)]
    if run.sequencing:
        lines += ["", *_sequencing_lines(run)]
    return "\n".join([*lines, ""])


def original_report(run: Run) -> str:
    """The report of version 1.1."""
    entries = {
        text(doc_id): _original(run, gold, system, lenient=True)
        for doc_id, (gold, system, _) in documents(run).items()
    }
    lines = ["========Document results=========="]
    columns = ("p", "r", "f1", "type_accuracy", "realis_accuracy")
    for doc_id, entry in entries.items():
        lines.append("TP\tFP\t#Gold\tPrec\tRecall\tF1\tType\tRealis\tDoc Id")
        shown = [f"{entry['tp']:.2f}", f"{entry['fp']:.2f}", str(entry["gold"])]
        lines.append("\t".join([*shown, *(four(entry[name]) for name in columns), doc_id]))
    lines += ["", "=======Final Results========="]
    counted = [entry for entry in entries.values() if entry["gold"]]
    tp, fp = (_running(entry[name] for entry in counted) for name in ("tp", "fp"))
    size = sum(entry["gold"] for entry in counted)
    micro = [over(tp, tp + fp), over(tp, size)]
    micro += [over(_running(entry[name] for entry in counted), size) for name in ("_type", "_realis")]
    macro = [
        over(_running(entry[name] or 0.0 for entry in counted), len(counted))
        for name in ("p", "r", "type_accuracy", "realis_accuracy")
    ]
    for word, (p, r, *accuracies) in (("Micro", micro), ("Macro", macro)):
        blank = " " if word == "Macro" else ""
        lines.append(f"Precision ({word} Average): {four(p)}")
        lines.append(f"Recall ({word} Average):{blank}{four(r)}")
        lines.append(f"F1 ({word} Average):{blank}{four(harmonic(p, r))}")
        lines.append(f"Mention type detection accuracy ({word} Average):{four(accuracies[0])}")
        lines.append(f"Mention realis status accuracy ({word} Average):{four(accuracies[1])}")
    return "\n".join([*lines, ""])


def four(figure: float | None) -> str:
    return "nan" if figure is None else f"{figure:.4f}"


def _type_lines(types: dict[str, dict[str, Any]]) -> Iterable[str]:
    yield "========Mention Type Results=========="
    if types:
        width = max(map(len, types))
        yield "\t".join([right("Type", width), "Prec", "Rec", "F1", "#Gold", "#Sys"])
        for name, entry in types.items():
            shown = [f"{entry[figure] or 0:.2f}" for figure in ("p", "r", "f1")]
            yield "\t".join([right(name, width), *shown, str(entry["gold"]), str(entry["system"])])


def _coreference_lines(run: Run) -> Iterable[str]:
    block, _ = coreference(run)
    gap = " : " if run.profile == "kbp2015" else "\t"
    yield "=======Final Mention Coreference Results========="
    for name in ("bcub", "ceafe", "ceafm", "muc", "blanc"):
        yield f"Metric : {name}\tScore{gap}{block[name]['printed_f1']:.2f}{' *' * (name == 'ceafm')}"
    average = block.get("printed_average_with_ceafm", block["printed_average"])
    yield f"Overall Average CoNLL score{gap}{average:.2f}"
    yield ""
    yield "* Score not included for final CoNLL score."


def _sequencing_lines(run: Run) -> Iterable[str]:
    for title, entry in sequencing(run).items():
        f1, precision, recall = (_four(entry[name]) for name in ("f1", "p", "r"))
        yield f"=======Event Sequencing Results for {title} ======="
        yield "=== Temporal Awareness Score ==="
        yield "Evaluated considering implicit relations in recall as well"
        yield "Temporal Score\tF1\tP\tR"
        yield f"\t\t{f1}\t{precision}\t{recall}\t"
        yield f"Overall Temporal Awareness Score (F1 score): {f1}"
        yield ""


def _four(figure: float) -> str:
    whole, _, decimals = f"{figure:.4f}".partition(".")
    return f"{whole}.{decimals.rstrip('0') or '0'}"


def comparison(run: Run, version: str = "") -> str:
    """The comparison file: gold mentions with their partners, system mentions without, chains.

    ``version`` is 1.1 or 1.2 of the pilot, or nothing for the one that the profile names.
    """
    lines = []
    for doc_id, (gold, system, _) in documents(run).items():
        lines.append(f"#BeginOfDocument {text(doc_id)}")
        name = "system.tbf"
        if version or run.rules.drop_zero:
            name = text(system.mentions[0].line.split(b"\t")[0]) if system.mentions else ""
        if version == "1.1":
            lines += _original_lines(run, doc_id, gold, system, name)
        elif version == "1.2":
            lines += _augmented_lines(run, gold, system, name)
        else:
            lines += _matched_lines(run, gold, system, name)
        if run.coref:
            for side, doc in (("gold", gold), ("system", system)):
                texts = {mention.id: text(mention.text) for mention in doc.mentions}
                if run.rules.per_type:
                    texts = {one: shown.replace(",", "") for one, shown in texts.items()}
                for relation, members in doc.relations:
                    if relation == b"Coreference":
                        shown = ",".join(f"{text(one)}:{texts.get(one, '')}" for one in members)
                        lines.append(f"@coref\t{side}\t{shown}")
        lines.append("#EndOfDocument ")
    return "\n".join([*lines, ""]) if lines else ""


def _matched_lines(run: Run, gold: Doc, system: Doc, name: str) -> Iterable[str]:
    taken = {place: (weight, at) for weight, at, place in mapping(run, gold, system, ())}
    for place, mention in enumerate(gold.mentions):
        weight, at = taken.get(place, (None, None))
        other = "-" if at is None else _part(run, system.mentions[at])
        score = "-" if weight is None else two(weight)
        yield f"{name}\t{_part(run, mention)}\t|\t{other}\t{score}"
    used = {at for _, at in taken.values()}
    for at, mention in enumerate(system.mentions):
        if at not in used:
            yield f"{name}\t-\t|\t{_part(run, mention)}\t-"


def _part(run: Run, mention: Mention) -> str:
    if run.unit == "token":
        units = text(mention.line.split(b"\t")[3])
    else:
        units = ",".join(str(one) for one in mention.elements)
    columns = [text(mention.id), units, text(mention.type), text(mention.realis)]
    return "\t".join([*columns, text(mention.text)] if run.rules.per_type else columns)


def _augmented_lines(run: Run, gold: Doc, system: Doc, name: str) -> Iterable[str]:
    taken = many_to_one(run, gold, system)
    for place, mention in enumerate(gold.mentions):
        partners = [(weight, at) for weight, at, p in taken if p == place]
        for weight, at in sorted(partners, key=lambda partner: partner[0]):
            other = _pilot_part(system.mentions[at])
            yield f"{name}\t{_pilot_part(mention)}\t|\t{other}\t{two(weight)}"
        if not partners:
            yield f"{name}\t{_pilot_part(mention)}\t|\t-\t-"
    for at, mention in enumerate(system.mentions):
        if at not in {other for _, other, _ in taken}:
            yield f"{name}\t-\t|\t{_pilot_part(mention)}\t-"


def visible(mention: Mention) -> list[bytes]:
    return in_slots(mention.elements, lambda token: minus_two(string_hash(token)))


def _pilot_part(mention: Mention) -> str:
    columns = (mention.id, b",".join(visible(mention)), mention.type, mention.realis)
    return "\t".join(map(text, columns))


def _original_lines(run: Run, doc_id: bytes, gold: Doc, system: Doc, name: str) -> Iterable[str]:
    words = token_words(run, doc_id)
    taken = many_to_one(run, gold, system)
    for place, mention in enumerate(gold.mentions):
        partners = [(weight, system.mentions[at]) for weight, at, p in taken if p == place]
        columns = [name, *map(text, mention.line.split(b"\t")[1:])]
        columns.append(f"{partners[0][0]:.4f}" if partners else "-")
        for _, one in partners:
            shown = " ".join(text(words.get(token, b"").lower()) for token in visible(one))
            ids = text(b",".join(visible(one)))
            columns += ["|", ids, shown, text(one.type), text(one.realis)]
        yield "\t".join(columns if partners else [*columns, "|", "MISS"])


def token_words(run: Run, doc_id: bytes) -> dict[bytes, bytes]:
    table = run.tables.get(text(doc_id), b"")
    rows = [line.rstrip(WHITE).split(b"\t") for line in table.split(b"\n")][int(run.rules.header_row) :]
    return {row[0]: row[1] for row in rows if len(row) >= 4}
