"""Triple figures derived anew from the written definitions, as plainly as possible, to compare the product with.

Nothing here is shared with the package: files are read with the standard library, every comparison looks at all pairs,
and each function follows one paragraph of the description.  The layout is that of the conformance cases.
"""

from __future__ import annotations

import json
import random
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import quoteattr

MODES = ("exact_same", "exact_ignored", "partial_same", "partial_ignored")
SAME_MODES = ("exact_same", "partial_same")
LUMPED = (
    "patient",
    "done-by",
    "destination-of",
    "use-of",
    "instrument",
    "source-of",
    "product-of",
    "path-of",
)
FIRST_NAMES = ("elementfirst", "event")
SECOND_NAMES = ("elementsecond", "participant")


class Found(NamedTuple):
    """A triple as read: ids in order, with repeats."""

    id: str
    relation: str
    profile: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    first_label: str
    second_label: str


Test = Callable[[Found, Found], bool]

# ------------------------------------------------------------------------------------------------------- reading


def _name(tag: str) -> str:
    return tag.rpartition("}")[2]


def _values(node: ET.Element) -> dict[str, str]:
    return {_name(key).lower(): value.strip() for key, value in node.attrib.items()}


def _element(node: ET.Element, names: tuple[str, str]) -> tuple[tuple[str, ...], str]:
    ids, label = [], ""
    for child in node.iter():
        name = _name(child.tag).lower()
        if name in names and _values(child).get("id"):
            ids.append(_values(child)["id"])
        if name in {f"{one}ids" for one in names}:
            label = _values(child).get("label", "")
    return tuple(ids), label


def read(path: Path, *, as_reference: bool) -> list[Found]:
    """All triples of a file; the reference loses capitalised ones and keeps repeated ids."""
    triples = []
    for node in ET.parse(path).getroot().iter():  # noqa: S314 - files that the tests wrote
        if _name(node.tag).lower() not in {"triple", "triplet"}:
            continue
        if as_reference and _name(node.tag) not in {"triple", "triplet"}:
            continue
        values = _values(node)
        first, first_label = _element(node, FIRST_NAMES)
        second, second_label = _element(node, SECOND_NAMES)
        if not as_reference:
            first, second = tuple(dict.fromkeys(first)), tuple(dict.fromkeys(second))
        name, relation = values.get("id", ""), values.get("relation", "")
        profile = values.get("profile_id", "")
        triples.append(Found(name, relation, profile, first, second, first_label, second_label))
    return triples


def listed(path: Path) -> list[str]:
    """The entries of a list: lines trimmed, blank ones ignored."""
    return [line.strip() for line in path.read_text("utf-8").split("\n") if line.strip()]


def mapping(path: Path) -> dict[str, str]:
    """New names by old ones: lines of exactly two fields, the last one of a source counts."""
    lines = [line.split("\t") for line in path.read_text("utf-8").split("\n")]
    return {fields[0].strip(): fields[1].strip() for fields in lines if len(fields) == 2}


# --------------------------------------------------------------------------------------------------- preparation


def prepared(
    triples: Iterable[Found], options: Mapping[str, Any], folder: Path, *, version: str
) -> list[Found]:
    """Relation mapping, time and location, relation filter, label filters, second element ignored."""
    as_reference = version != "default"
    found = list(triples)
    if options.get("relation_mapping"):
        names = mapping(folder / options["relation_mapping"])
        found = [one._replace(relation=names.get(one.relation, one.relation)) for one in found]
    if options.get("skip_time_and_location"):
        found = [one for one in found if one.relation not in {"TIME", "LOCATION"}]
    if as_reference:
        found = [one for one in found if one.relation != "LOCATION"]
    if options.get("relation_filter"):
        kept = set(listed(folder / options["relation_filter"]))
        found = [one for one in found if one.relation in kept]
    if version != "reference-0.1":
        if options.get("element_first_filter") is not None:
            found = [one for one in found if one.first_label == options["element_first_filter"]]
        if options.get("element_second_filter") is not None:
            found = [one for one in found if one.second_label == options["element_second_filter"]]
    if options.get("ignore_element_second") and not as_reference:
        found = [one._replace(second=(), second_label="") for one in found]
    return found


def scope(
    options: Mapping[str, Any], folder: Path, gold: Sequence[Found], key: str, version: str
) -> set[str] | None:
    """The token ids in scope; None puts everything in range."""
    if version == "reference-0.1":
        return None
    if options.get("scope"):
        path = folder / options["scope"]
        path = path / f"{key}.txt" if path.is_dir() else path
        ids = set(listed(path)) if path.exists() else set()
        return ids or None
    if options.get("scope_mode") == "first-elements":
        return {token for one in gold for token in one.first}
    if options.get("text"):
        words = list(ET.parse(folder / options["text"]).getroot().iter("wf"))  # noqa: S314
        used = {token for one in gold for token in (*one.first, *one.second)}
        touched = {word.get("sent") for word in words if word.get("wid") in used}
        return {str(word.get("wid")) for word in words if word.get("sent") in touched}
    return None


def in_range(triples: Iterable[Found], ids: set[str] | None) -> list[Found]:
    """The triples with an id of the first element in scope."""
    return [one for one in triples if ids is None or any(token in ids for token in one.first)]


# ----------------------------------------------------------------------------------------------- by definition


def _quotient(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _matched(correct: int, gold: int, system: int) -> dict[str, Any]:
    return {
        "correct": correct,
        "precision": _quotient(correct, system),
        "recall": _quotient(correct, gold),
        "f1": _quotient(2 * correct, system + gold),
    }


def largest(gold: Sequence[Any], system: Sequence[Any], edge: Callable[[Any, Any], bool]) -> int:
    """The size of a maximum matching, by augmenting paths over all pairs."""
    partner: dict[int, int] = {}

    def augment(ours: int, seen: set[int]) -> bool:
        for theirs, item in enumerate(system):
            if theirs not in seen and edge(gold[ours], item):
                seen.add(theirs)
                if theirs not in partner or augment(partner[theirs], seen):
                    partner[theirs] = ours
                    return True
        return False

    return sum(augment(ours, set()) for ours in range(len(gold)))


def _shares(a: Sequence[str], b: Sequence[str]) -> bool:
    return (not a and not b) or bool(set(a) & set(b))


def _conditions(options: Mapping[str, Any], key: Callable[[str], str]) -> dict[str, Test]:
    labels = options.get("match_labels", "none")
    least = options.get("min_overlap", 0)

    def labelled(a: Found, b: Found) -> bool:
        return (labels not in {"first", "both"} or a.first_label == b.first_label) and (
            labels not in {"second", "both"} or a.second_label == b.second_label
        )

    def near(a: Sequence[str], b: Sequence[str]) -> bool:
        if not least or not a or not b:
            return _shares(a, b)
        return len(set(a) & set(b)) / len(set(a) | set(b)) >= least

    def part(a: Found, b: Found) -> bool:
        return near(a.first, b.first) and near(a.second, b.second) and labelled(a, b)

    def exact(a: Found, b: Found) -> bool:
        return set(a.first) == set(b.first) and set(a.second) == set(b.second) and labelled(a, b)

    def same(a: Found, b: Found) -> bool:
        return key(a.relation) == key(b.relation)

    return {
        "exact_same": lambda a, b: exact(a, b) and same(a, b),
        "exact_ignored": exact,
        "partial_same": lambda a, b: part(a, b) and same(a, b),
        "partial_ignored": part,
    }


class Sides(NamedTuple):
    """One document pair by definition: triples before and after scope and duplicates."""

    gold: list[Found]
    system: list[Found]
    gold_range: list[Found]
    system_range: list[Found]
    gold_unique: list[Found]
    system_unique: list[Found]


def _key(options: Mapping[str, Any]) -> Callable[[str], str]:
    return str.strip if options.get("case_sensitive_relations") else lambda name: name.strip().casefold()


def _unique(triples: Iterable[Found], key: Callable[[str], str]) -> list[Found]:
    kept: dict[Any, Found] = {}
    for one in triples:
        kept.setdefault((key(one.relation), frozenset(one.first), frozenset(one.second)), one)
    return list(kept.values())


def _sides(
    gold: Path | None, system: Path | None, options: Mapping[str, Any], folder: Path, key: str = ""
) -> Sides:
    sides = [
        prepared(read(path, as_reference=False) if path else [], options, folder, version="default")
        for path in (gold, system)
    ]
    ids = scope(options, folder, sides[0], key, "default")
    gold_ids = None if options.get("scope_side") == "system" else ids
    ranges = in_range(sides[0], gold_ids), in_range(sides[1], ids)
    compared = _key(options)
    gold_unique = ranges[0] if options.get("gold_duplicates") == "keep" else _unique(ranges[0], compared)
    return Sides(*sides, *ranges, gold_unique, _unique(ranges[1], compared))


def _spellings(sides: Iterable[Sides], key: Callable[[str], str]) -> dict[str, str]:
    everything = list(sides)
    found: dict[str, str] = {}
    for content in ([side.gold_unique for side in everything], [side.system_unique for side in everything]):
        for triples in content:
            for one in triples:
                found.setdefault(key(one.relation), one.relation)
    return found


def _side(triples: list[Found], ranged: list[Found], unique: list[Found]) -> dict[str, Any]:
    return {
        "triples": len(triples),
        "in_range": len(ranged),
        "out_of_range": len(triples) - len(ranged),
        "unique": len(unique),
        "mean_first_ids": _quotient(sum(len(one.first) for one in ranged), len(ranged)),
        "mean_second_ids": _quotient(sum(len(one.second) for one in ranged), len(ranged)),
    }


def _coverage(sides: Sides, test: Test) -> dict[str, Any]:
    gold = sum(any(test(ours, theirs) for theirs in sides.system_unique) for ours in sides.gold_unique)
    system = sum(any(test(ours, theirs) for ours in sides.gold_unique) for theirs in sides.system_unique)
    precision = _quotient(system, len(sides.system_unique))
    recall = _quotient(gold, len(sides.gold_unique))
    f1: float | None = None
    if precision is not None and recall is not None:
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return {
        "gold_covered": gold,
        "system_covered": system,
        "precision": precision,
        "recall": recall,
        "f1": f1,
    }


def _elements(sides: Sides, place: str) -> dict[str, Any]:
    gold, system = (
        list(dict.fromkeys(frozenset(getattr(one, place)) for one in unique if getattr(one, place)))
        for unique in (sides.gold_unique, sides.system_unique)
    )
    sizes = len(gold), len(system)
    return {
        "gold": sizes[0],
        "system": sizes[1],
        "partial": _matched(largest(gold, system, lambda a, b: bool(a & b)), *sizes),
        "exact": _matched(largest(gold, system, lambda a, b: a == b), *sizes),
    }


def _relation_rows(every: Sequence[Sides], options: Mapping[str, Any], *, shares: bool) -> dict[str, Any]:
    key, rows = _key(options), {}
    tests = _conditions(options, key)
    totals = [sum(len(sides[place]) for sides in every) for place in (4, 5)]
    for relation, spelling in _spellings(every, key).items():
        parts = [
            [[one for one in unique if key(one.relation) == relation] for unique in (sides[4], sides[5])]
            for sides in every
        ]
        gold, system = (sum(len(part[place]) for part in parts) for place in (0, 1))
        row: dict[str, Any] = {"gold": gold, "system": system}
        if shares:
            row["gold_share"] = _quotient(100 * gold, totals[0])
            row["system_share"] = _quotient(100 * system, totals[1])
        for mode in SAME_MODES:
            row[mode] = _matched(sum(largest(*part, tests[mode]) for part in parts), gold, system)
        rows[spelling] = row
    return rows


def _profiles(sides: Sides, options: Mapping[str, Any]) -> dict[str, Any]:
    tests = _conditions(options, _key(options))
    rows: dict[str, Any] = {}
    for one in sides.system_range:
        members = [one.profile or one.relation]
        if options.get("split_profiles") and one.profile:
            split = [member.strip() for member in one.profile.split(",")]
            members = list(dict.fromkeys(member for member in split if member)) or [one.relation]
        for member in members:
            row = rows.setdefault(member, {"system": 0, **dict.fromkeys(MODES, 0)})
            row["system"] += 1
            for mode in MODES:
                row[mode] += any(tests[mode](gold, one) for gold in sides.gold_unique)
    return rows


class Diagnosis(NamedTuple):
    missed: list[Found]
    wrong: list[Found]
    spurious: list[Found]
    confusion: dict[str, dict[str, int]]


def _diagnosis(sides: Sides, options: Mapping[str, Any]) -> Diagnosis:
    key = _key(options)
    names = _spellings([sides], key)
    tests = _conditions(options, key)
    part, same = tests["partial_ignored"], tests["partial_same"]
    gold, system = sides.gold_unique, sides.system_unique
    confusion: dict[str, dict[str, int]] = {}
    for theirs in system:
        for ours in gold:
            if part(ours, theirs):
                row = confusion.setdefault(names[key(theirs.relation)], {})
                column = names[key(ours.relation)]
                row[column] = row.get(column, 0) + 1
    met = [one for one in system if any(part(ours, one) for ours in gold)]
    return Diagnosis(
        [one for one in gold if not any(part(one, theirs) for theirs in system)],
        [one for one in met if not any(same(ours, one) for ours in gold)],
        [one for one in system if one not in met],
        confusion,
    )


def _counted(triples: Iterable[Found], name: Callable[[str], str] = str) -> dict[str, Any]:
    found = list(triples)
    return {"count": len(found), "by_relation": dict(Counter(name(one.relation) for one in found))}


def _correct(sides: Sides, options: Mapping[str, Any]) -> dict[str, int]:
    tests = _conditions(options, _key(options))
    return {mode: largest(sides.gold_unique, sides.system_unique, tests[mode]) for mode in MODES}


def default_block(folder: Path, options: Mapping[str, Any]) -> dict[str, Any]:
    """The block of two files under the definitions."""
    sides = _sides(folder / "gold.trp", folder / "system.trp", options, folder)
    key = _key(options)
    names, found = _spellings([sides], key), _diagnosis(sides, options)
    sizes = len(sides.gold_unique), len(sides.system_unique)
    tests = _conditions(options, key)

    def shown(relation: str) -> str:
        return names[key(relation)]

    return {
        "gold": _side(sides.gold, sides.gold_range, sides.gold_unique),
        "system": _side(sides.system, sides.system_range, sides.system_unique),
        "first_elements": _elements(sides, "first"),
        "second_elements": _elements(sides, "second"),
        "modes": {mode: _matched(correct, *sizes) for mode, correct in _correct(sides, options).items()},
        "coverage": {mode: _coverage(sides, tests[mode]) for mode in MODES},
        "per_relation": _relation_rows([sides], options, shares=True),
        "per_profile": _profiles(sides, options),
        "missed": _counted(found.missed, shown),
        "wrong_relation": _counted(found.wrong, shown),
        "spurious": _counted(found.spurious, shown),
        "confusion": found.confusion,
        "headline": "partial_ignored" if options.get("ignore_relations") else "partial_same",
    }


def _keys(folder: Path, options: Mapping[str, Any]) -> dict[str, Path]:
    cut = options.get("ignore_file_suffix", 0)
    files = sorted(folder.glob("*.trp"))
    return {file.name[: len(file.name) - cut]: file for file in files}


def default_folders(folder: Path, options: Mapping[str, Any]) -> dict[str, Any]:
    """The overall block of two folders under the definitions."""
    gold, system = _keys(folder / "gold", options), _keys(folder / "system", options)
    every = [_sides(gold[key], system.get(key), options, folder, key) for key in sorted(gold)]
    sizes = [(len(sides.gold_unique), len(sides.system_unique)) for sides in every]
    correct = [_correct(sides, options) for sides in every]
    found = [_diagnosis(sides, options) for sides in every]
    totals = sum(size[0] for size in sizes), sum(size[1] for size in sizes)

    def mean(mode: str, figure: str) -> float | None:
        each = [_matched(one[mode], *size)[figure] for one, size in zip(correct, sizes, strict=True)]
        defined = [value for value in each if value is not None]
        return _quotient(sum(defined), len(defined))

    return {
        "documents": len(every),
        "unmatched_gold": sorted(set(gold) - set(system)),
        "unmatched_system": sorted(set(system) - set(gold)),
        "gold": totals[0],
        "system": totals[1],
        "gold_triples": sum(len(sides.gold) for sides in every),
        "system_triples": sum(len(sides.system) for sides in every),
        "micro": {mode: _matched(sum(one[mode] for one in correct), *totals) for mode in MODES},
        "macro": {
            mode: {figure: mean(mode, figure) for figure in ("precision", "recall", "f1")} for mode in MODES
        },
        "per_relation": _relation_rows(every, options, shares=False),
        "missed": sum(len(one.missed) for one in found),
        "wrong_relation": sum(len(one.wrong) for one in found),
    }


# --------------------------------------------------------------------------------------------- as the reference


def part(a: Found, b: Found) -> bool:
    return _shares(a.first, b.first) and _shares(a.second, b.second)


def exact(a: Found, b: Found) -> bool:
    return all(
        len(ours) == len(theirs) and all(token in theirs for token in ours)
        for ours, theirs in ((a.first, b.first), (a.second, b.second))
    )


def with_relation(test: Test, *, lump: bool) -> Test:
    def found(a: Found, b: Found) -> bool:
        if a.relation.lower() == b.relation.lower():
            return test(a, b)
        return lump and b.relation == "participant" and a.relation in LUMPED and exact(a, b)

    return found


def tests_of(*, lump: bool) -> dict[str, Test]:
    return {
        "exact_same": with_relation(exact, lump=lump),
        "exact_ignored": exact,
        "partial_same": with_relation(part, lump=lump),
        "partial_ignored": part,
    }


def kept(triples: Iterable[Found], duplicate: Test) -> list[Found]:
    found: list[Found] = []
    for one in triples:
        if not any(duplicate(one, other) for other in found):
            found.append(one)
    return found


def credited(gold: Sequence[Found], system: Sequence[Found], fits: Test, taken: Test) -> list[Found]:
    correct: list[Found] = []
    for theirs in system:
        for ours in gold:
            if fits(ours, theirs):
                if not any(taken(ours, other) for other in correct):
                    correct.append(ours)
                break
    return correct


class Reference(NamedTuple):
    """One file pair as the reference sees it."""

    gold: list[Found]
    system: list[Found]
    total: int
    lump: bool


def _reference(
    files: tuple[Path, Path], options: Mapping[str, Any], folder: Path, version: str, key: str = ""
) -> Reference:
    ours, theirs = (
        prepared(read(path, as_reference=True), options, folder, version=version) for path in files
    )
    ids = scope(options, folder, ours, key, version)
    ranged = [one._replace(profile=one.profile or one.relation) for one in in_range(theirs, ids)]
    return Reference(ours, ranged, len(theirs), bool(options.get("ignore_element_second")))


def _percent(part_: int, whole: int) -> int:
    return 100 * part_ // whole if whole else 0


def _reference_mode(correct: int, gold: int, system: int) -> dict[str, Any]:
    return {
        "correct": correct,
        "precision": _quotient(correct, system),
        "recall": _quotient(correct, gold),
    }


def _rows(pair: Reference, correct: Mapping[str, Sequence[Found]]) -> dict[str, Any]:
    rows = {}
    for relation in dict.fromkeys(one.relation for one in (*pair.gold, *pair.system)):
        row = {
            "gold": sum(one.relation == relation for one in pair.gold),
            "system": len(kept([one for one in pair.system if one.relation == relation], part)),
        }
        for mode, found in correct.items():
            row[f"{mode}_correct"] = sum(one.relation == relation for one in found)
        rows[relation] = row
    return rows


def _percentages(row: Mapping[str, int], modes: Iterable[str]) -> dict[str, int]:
    shown = {}
    for mode in modes:
        correct = row[f"{mode}_correct"]
        shown[f"{mode}_correct"] = correct
        shown[f"{mode}_recall_percent"] = _percent(correct, row["gold"])
        shown[f"{mode}_precision_percent"] = _percent(correct, row["system"])
    return shown


def _reference_table(
    rows: Mapping[str, Mapping[str, int]], modes: Sequence[str], totals: tuple[int, int] | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    table = {}
    for relation, row in rows.items():
        shown = {"gold": row["gold"], "system": row["system"], **_percentages(row, modes)}
        if totals is not None:
            shown["gold_percent"] = _percent(row["gold"], totals[0])
            shown["system_percent"] = _percent(row["system"], totals[1])
        table[relation] = shown
    keys = ("gold", "system", *(f"{mode}_correct" for mode in modes))
    total = {key: sum(row[key] for row in rows.values()) for key in keys}
    return table, {"gold": total["gold"], "system": total["system"], **_percentages(total, modes)}


def _element_list(triples: Iterable[Found], place: str) -> list[Found]:
    taken: set[str] = set()
    found = []
    for one in triples:
        ids = getattr(one, place)
        if ids and not taken & set(ids):
            taken |= set(ids)
            found.append(one)
    return found


def _reference_elements(pair: Reference, place: str, version: str) -> dict[str, Any]:
    gold, system = _element_list(pair.gold, place), _element_list(pair.system, place)

    def meets(a: Found, b: Found) -> bool:
        return bool(set(getattr(a, place)) & set(getattr(b, place)))

    def label(one: Found) -> str:
        return str(getattr(one, f"{place}_label"))

    def fits(ours: Found, theirs: Found) -> bool:
        return not label(ours) or label(ours) == label(theirs)

    correct = sum(any(meets(ours, one) and fits(ours, one) for ours in pair.gold) for one in system)
    if version == "reference-0.1":
        return {
            "gold": len(gold),
            "system": len(system),
            **_reference_mode(len(system), len(gold), len(system)),
        }
    matches: Counter[str] = Counter()
    mismatches: Counter[str] = Counter()
    for ours in gold:
        for theirs in pair.system:
            if not meets(ours, theirs):
                continue
            if fits(ours, theirs):
                matches[label(ours)] += 1
                break
            mismatches[f"{label(ours)}:{label(theirs)}"] += 1
    return {
        "gold": len(gold),
        "system": len(system),
        **_reference_mode(correct, len(gold), len(system)),
        "incorrect": len(system) - correct,
        "label_matches": dict(matches),
        "label_mismatches": dict(mismatches),
    }


def _average(triples: Sequence[Found], place: str) -> int:
    return sum(len(getattr(one, place)) for one in triples) // len(triples) if triples else 0


def _debug_lists(pair: Reference) -> dict[str, tuple[list[Found], int]]:
    fits, duplicates = tests_of(lump=pair.lump), tests_of(lump=True)
    return {
        mode: (
            credited(pair.gold, pair.system, fits[mode], duplicates["exact_same"]),
            len(kept(pair.system, duplicates[mode])),
        )
        for mode in MODES
    }


def _missed(pair: Reference) -> list[Found]:
    remaining = list(pair.gold)
    for theirs in pair.system:
        struck = next((ours for ours in pair.gold if part(ours, theirs)), None)
        if struck is None:
            continue
        for place, one in enumerate(remaining):
            if (
                one.id == struck.id
                and set(one.first) <= set(struck.first)
                and set(one.second) <= set(struck.second)
            ):
                del remaining[place]
                break
    return remaining


def _wrong(pair: Reference) -> list[Found]:
    fits = tests_of(lump=pair.lump)["partial_same"]
    found = [
        one
        for one in pair.system
        if any(part(ours, one) for ours in pair.gold) and not any(fits(ours, one) for ours in pair.gold)
    ]
    return kept(found, tests_of(lump=True)["partial_same"])


def _confused(pair: Reference) -> list[tuple[Found, Found]]:
    return [
        (ours, theirs)
        for theirs in pair.system
        for ours in pair.gold
        if part(ours, theirs) and ours.relation != theirs.relation
    ]


def _table(cells: Iterable[tuple[str, str]]) -> dict[str, dict[str, int]]:
    table: dict[str, dict[str, int]] = {}
    for row, column in cells:
        into = table.setdefault(row, {})
        into[column] = into.get(column, 0) + 1
    return table


def reference_block(folder: Path, options: Mapping[str, Any], version: str) -> dict[str, Any]:
    """The plain and the debug run of the reference on two files."""
    pair = _reference((folder / "gold.trp", folder / "system.trp"), options, folder, version)
    mode = "partial_ignored" if options.get("ignore_relations") else "partial_same"
    fits, duplicates = tests_of(lump=pair.lump), tests_of(lump=True)
    correct = credited(pair.gold, pair.system, fits[mode], duplicates[mode])
    sizes = len(pair.gold), len(pair.system)
    table, total = _reference_table(_rows(pair, {"partial_same": correct}), ("partial_same",), sizes)
    plain = {
        "gold": {
            "triples": sizes[0],
            "average_first_ids": _average(pair.gold, "first"),
            "average_second_ids": _average(pair.gold, "second"),
        },
        "system": {
            "triples": pair.total,
            "in_range": sizes[1],
            "out_of_range": pair.total - sizes[1],
            "average_first_ids": _average(pair.system, "first"),
            "average_second_ids": _average(pair.system, "second"),
            "unique": len(kept(pair.system, duplicates["partial_same"])),
        },
        "modes": {mode: _reference_mode(len(correct), sizes[0], len(kept(pair.system, duplicates[mode])))},
        "per_relation": table,
        "per_relation_total": total,
        "first_elements": _reference_elements(pair, "first", version),
        "second_elements": _reference_elements(pair, "second", version),
    }
    return {"evaluate": plain, "debug": _debug_block(pair)}


def _debug_block(pair: Reference) -> dict[str, Any]:
    lists = _debug_lists(pair)
    fits = tests_of(lump=pair.lump)
    table, total = _reference_table(
        _rows(pair, {mode: lists[mode][0] for mode in SAME_MODES}), SAME_MODES, None
    )
    profiles: dict[str, Any] = {}
    for one in pair.system:
        row = profiles.setdefault(one.profile, {"system": 0, **dict.fromkeys(MODES, 0)})
        row["system"] += 1
        for mode in MODES:
            row[mode] += any(fits[mode](ours, one) for ours in pair.gold)
    return {
        "modes": {
            mode: _reference_mode(len(found), len(pair.gold), unique)
            for mode, (found, unique) in lists.items()
        },
        "per_profile": profiles,
        "per_relation": table,
        "per_relation_total": total,
        "missed": _counted(_missed(pair)),
        "wrong_relation": _counted(_wrong(pair)),
        "profile_confusion": _table(
            (f"{theirs.profile}:{theirs.relation}", ours.relation) for ours, theirs in _confused(pair)
        ),
    }


def reference_folders(folder: Path, options: Mapping[str, Any], version: str) -> dict[str, Any]:
    """The overview of the reference over two folders."""
    gold, system = _keys(folder / "gold", options), _keys(folder / "system", options)
    pairs = [
        _reference((gold[key], system[key]), options, folder, version, key)
        for key in sorted(gold)
        if key in system
    ]
    lists = [_debug_lists(pair) for pair in pairs]
    sizes = sum(len(pair.gold) for pair in pairs), sum(len(pair.system) for pair in pairs)
    unique = {mode: sum(one[mode][1] for one in lists) for mode in MODES}
    divisors = {**unique, "exact_ignored": unique["partial_ignored"]}
    modes = {
        mode: _reference_mode(sum(len(one[mode][0]) for one in lists), sizes[0], divisors[mode])
        for mode in MODES
    }
    rows: dict[str, Counter[str]] = {}
    for pair, found in zip(pairs, lists, strict=True):
        for relation, row in _rows(pair, {"partial_same": found["partial_same"][0]}).items():
            rows.setdefault(relation, Counter()).update(row)
    table, total = _reference_table(rows, ("partial_same",), sizes)
    confused = [cell for pair in pairs for cell in _confused(pair)]
    headline = modes["partial_ignored" if options.get("ignore_relations") else "partial_same"]
    precision, recall = headline["precision"], headline["recall"]
    f1 = None
    if precision is not None and recall is not None and precision + recall:
        f1 = 2 * precision * recall / (precision + recall)
    averages = [
        {
            f"average_{place}_ids": _quotient(sum(_average(pair[side], place) for pair in pairs), sizes[side])
            for place in ("first", "second")
        }
        for side in (0, 1)
    ]
    return {
        "gold": {"triples": sizes[0], **averages[0]},
        "system": {"in_range": sizes[1], **averages[1]},
        "modes": modes,
        "per_relation": table,
        "per_relation_total": total,
        **{
            f"{place}_elements": {
                name: sum(len(_element_list(pair[side], place)) for pair in pairs)
                for side, name in enumerate(("gold", "system"))
            }
            for place in ("first", "second")
        },
        "overview": {"system": sizes[1], "unique": unique["partial_same"], **headline, "f1": f1},
        "confusion": _table((theirs.relation, ours.relation) for ours, theirs in confused),
        "mismatch_lines": len(confused),
        "missed": sum(len(_missed(pair)) for pair in pairs),
        "wrong_relation": sum(len(_wrong(pair)) for pair in pairs),
    }


# ------------------------------------------------------------------------------------------------- random cases

RELATIONS = (
    "agent",
    "Agent",
    "patient",
    "participant",
    "Participant",
    "done-by",
    "instrument",
    "time",
    "TIME",
    "LOCATION",
    "location",
    "",
    "a:b",
    "path-of",
)
LABELS = ("", "", "event", "participant", "target", "holder:SW")
PROFILES = ("", "", "p1", "p1,p2", "p2 , p1", "rule-7", ",")


class Maker:
    """Random triple files with everything that a reader has to bear with."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.tokens = self.random.choice((4, 8, 20))
        self.relations = self.random.sample(RELATIONS, self.random.choice((2, 4, len(RELATIONS))))
        if self.chance(0.5):
            self.relations += ["participant", "patient", "instrument"]
        self.pool = [self.fresh_ids() for _ in range(5)]

    def chance(self, share: float) -> bool:
        """Whether something of this probability happens."""
        return self.random.random() < share

    def cased(self, name: str) -> str:
        """The name, sometimes in another case."""
        return self.random.choice((name.upper(), name.lower(), name.title())) if self.chance(0.06) else name

    def value(self, text: str) -> str:
        """An attribute value, quoted, sometimes with spaces around it."""
        return quoteattr(f" {text} \t" if self.chance(0.05) else text)

    def fresh_ids(self) -> list[str]:
        """Ids of an element, perhaps with repeats."""
        size = self.random.choice((1, 1, 1, 2, 2, 3, 5))
        return [f"w{self.random.randrange(self.tokens)}" for _ in range(size)]

    def element(self, names: tuple[str, str], *, empty: float) -> str:
        """One element in XML: ids with repeats, empty ids, comments and strangers between them."""
        group, single = names
        label = self.random.choice(LABELS)
        said = f" label={self.value(label)}" if label or self.chance(0.3) else ""
        group = self.cased(group)
        if self.chance(empty):
            return self.random.choice((f"<{group}{said}/>", f"<{group}{said}> <!-- none --> </{group}>", ""))
        # Elements that come again make duplicates and exact matches.
        ids = self.random.choice(self.pool) if self.chance(0.6) else self.fresh_ids()
        parts = [f"<{self.cased(single)} {self.cased('id')}={self.value(one)}/>" for one in ids]
        if self.chance(0.05):
            parts.insert(0, f'<{single} id=" "/><{single}/><stranger id="w1"/>')
        return f"<{group}{said} comment='a &amp; b'>{''.join(parts)}</{group}>"

    def triple(self) -> str:
        """One triple in XML."""
        older = self.chance(0.1)
        name = self.cased(self.random.choice(("triple", "triplet")) if older else "triple")
        attributes = [f"{self.cased('id')}={self.value(f't{self.random.randrange(4)}')}"]
        attributes.append(f"{self.cased('relation')}={self.value(self.random.choice(self.relations))}")
        profile = self.random.choice(PROFILES)
        if profile:
            attributes.append(f"profile_id={self.value(profile)}")
        if self.chance(0.05):
            attributes = attributes[:1]
        first = self.element(
            ("eventIds", "event") if older else ("elementFirstIds", "elementFirst"), empty=0.04
        )
        second = self.element(
            ("participantIds", "participant") if older else ("elementSecondIds", "elementSecond"), empty=0.2
        )
        return f"<{name} {' '.join(attributes)}>\n{first}\n{second}</{name}>"

    def file(self, path: Path, most: int) -> None:
        """A file of random triples."""
        path.parent.mkdir(parents=True, exist_ok=True)
        triples = [self.triple() for _ in range(self.random.randrange(most))]
        body = "\n".join(f"<group>{one}</group>" if self.chance(0.05) else one for one in triples)
        path.write_text(f'<?xml version="1.0" encoding="UTF-8"?>\n<triples>\n{body}\n</triples>\n', "utf-8")

    def range_file(self, path: Path) -> None:
        """A token range with blank lines and spaces."""
        path.parent.mkdir(exist_ok=True)
        ids = [f" w{self.random.randrange(self.tokens)}" for _ in range(self.random.randrange(1, 6))]
        path.write_text("\n\n".join(ids), "utf-8")

    def options(self, folder: Path) -> dict[str, Any]:
        """Random options, with the files that they name."""
        chosen: dict[str, Any] = {}
        for name in ("ignore_relations", "ignore_element_second", "skip_time_and_location"):
            if self.chance(0.2):
                chosen[name] = True
        if self.chance(0.15):
            chosen["element_first_filter"] = self.random.choice(LABELS[2:])
        if self.chance(0.1):
            chosen["element_second_filter"] = self.random.choice(LABELS[2:])
        if self.chance(0.2):
            chosen["relation_filter"] = "filter.txt"
            names = self.random.sample(RELATIONS, 7)
            (folder / "filter.txt").write_text("\n  \n".join(names) + "\n unknown ", "utf-8")
        if self.chance(0.2):
            chosen["relation_mapping"] = "mapping.tsv"
            lines = [
                "\t".join(self.random.choices(RELATIONS, k=self.random.choice((1, 2, 2, 2, 3))))
                for _ in range(5)
            ]
            (folder / "mapping.tsv").write_text("\r\n".join(lines) + "\n\n", "utf-8")
        if self.chance(0.4):
            chosen["scope"] = "scope.txt"
            self.range_file(folder / "scope.txt")
        return chosen

    def own_options(self, folder: Path, *, scope: bool) -> dict[str, Any]:
        """Options that only the definitions know."""
        chosen: dict[str, Any] = {}
        if scope and self.chance(0.3):
            chosen["scope_mode"] = "first-elements"
        elif scope and self.chance(0.4):
            chosen["text"] = "text.kaf"
            words = (f'<wf wid="w{place}" sent="s{place // 3}">x</wf>' for place in range(self.tokens))
            (folder / "text.kaf").write_text(f"<KAF><text>{''.join(words)}</text></KAF>", "utf-8")
        if self.chance(0.3):
            chosen["gold_duplicates"] = self.random.choice(("keep", "drop"))
        if self.chance(0.3):
            chosen["case_sensitive_relations"] = True
        if self.chance(0.3):
            chosen["match_labels"] = self.random.choice(("none", "first", "second", "both"))
        if self.chance(0.2):
            chosen["min_overlap"] = self.random.choice((0.25, 0.5, 1.0))
        if self.chance(0.3):
            chosen["split_profiles"] = True
        if self.chance(0.3):
            chosen["scope_side"] = self.random.choice(("both", "system"))
        return chosen


def write_case(folder: Path, seed: int) -> None:
    """A random conformance case of two files: all profiles, or options that only the definitions know."""
    maker = Maker(seed)
    options = maker.options(folder)
    own = maker.chance(0.25)
    if own:
        options.update(maker.own_options(folder, scope="scope" not in options))
    most = maker.random.choice((3, 12, 40))
    for side in ("gold", "system"):
        maker.file(folder / f"{side}.trp", most)
    scores = {"default": default_block(folder, options)}
    if not own:
        scores.update(
            {version: reference_block(folder, options, version) for version in ("reference", "reference-0.1")}
        )
    _write_expected(folder, options, scores)


def write_folder_case(folder: Path, seed: int) -> None:
    """A random conformance case of two folders, some files without partner."""
    maker = Maker(seed)
    options = maker.options(folder)
    own = maker.chance(0.25)
    if own:
        options.update(maker.own_options(folder, scope="scope" not in options))
    cut = maker.random.choice((0, 4, 8))
    if cut:
        options["ignore_file_suffix"] = cut
    most = maker.random.choice((3, 12, 40))
    for side, names in (("gold", "abc"), ("system", "abcz")):
        ending = ".trp" if cut < 8 else f".{side[:3]}.trp"
        for name in names:
            # Document a is always in both: without a common document nothing is scored.
            if name == "a" or side == "gold" or maker.chance(0.7):
                maker.file(folder / side / f"d.{name}{ending}", most)
    if options.get("scope") and maker.chance(0.5):
        options["scope"] = "ranges"
        for key in maker.random.sample([*_keys(folder / "gold", options)], 2):
            maker.range_file(folder / "ranges" / f"{key}.txt")
    scores = {"default": default_folders(folder, options)}
    if not own:
        scores.update(
            {
                version: reference_folders(folder, options, version)
                for version in ("reference", "reference-0.1")
            }
        )
    _write_expected(folder, options, scores)


def _write_expected(folder: Path, options: Mapping[str, Any], scores: Mapping[str, Any]) -> None:
    case = {"kind": "triples.score", "options": options, "tolerance": {"*": 1e-9}, "scores": scores}
    (folder / "expected.json").write_text(json.dumps(case), "utf-8")
