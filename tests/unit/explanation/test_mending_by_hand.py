"""Mending by hand what a row of the budget names gives exactly its ``gain_alone``, for every row of every task.

A world has every fault of its task; what a row asks to be mended is written out here, file by file, and scored.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import pytest

import apf_files
import lydite
from lydite.explanation import Explanation
from triple_files import triple
from triple_files import write as write_triples

Written = Callable[[str], str]
"""Writes what a system says with one fault mended (none: as it is) and gives the path."""


def check_rows(
    gold: str,
    written: Written,
    faults: Sequence[str],
    *,
    task: str,
    headline: str,
    profile: str | None = None,
) -> Explanation:
    """Every fault occurs, and mending it by hand gives what its row says."""
    found = lydite.explain(gold, written(""), task=task, profile=profile, budget=True)
    assert found.budget is not None
    assert [row.fault for row in found.budget.faults if row.items] == list(faults)
    for row in found.budget.faults:
        if row.items:
            mended = lydite.score(gold, written(row.fault), task=task, profile=profile)
            figure = mended.headline_score("system")
            assert figure is not None
            assert Fraction(figure) - found.budget.figure == row.gain_alone, row.fault
    assert found.headline["measurement"] == headline
    return found


# ------------------------------------------------------------------------------------------------------- nuggets

ATTACK, DIE = "Conflict_Attack", "Life_Die"
Mention = tuple[str, str, str]
"""Span, type, realis."""
GOLD_MENTIONS: dict[str, Mention] = {
    "E1": ("0,4", ATTACK, "Actual"),
    "E2": ("10,14", ATTACK, "Actual"),
    "E3": ("20,24", ATTACK, "Actual"),
    "E4": ("30,34", ATTACK, "Actual"),
    "E5": ("40,44", DIE, "Other"),
    "E6": ("50,54", ATTACK, "Actual"),
    "E7": ("50,58", DIE, "Actual"),
    "E8": ("70,74", DIE, "Actual"),
}
SYSTEM_MENTIONS: dict[str, Mention] = {
    "S1": ("0,4", ATTACK, "Actual"),
    "S2": ("10,12", ATTACK, "Actual"),
    "S3": ("20,24", DIE, "Actual"),
    "S4": ("30,34", ATTACK, "Generic"),
    "S5": ("40,44", ATTACK, "Actual"),
    "S6": ("50,54", ATTACK, "Actual"),
    "S7": ("0,4", ATTACK, "Actual"),
    "S8": ("90,94", ATTACK, "Actual"),
    "S9": ("12,14", DIE, "Actual"),
}
MENDED_MENTIONS: dict[str, dict[str, Mention | None]] = {
    "duplicate": {"S7": None},
    "spurious": {"S8": None},
    "outcompeted": {"S9": None},
    "span": {"S2": ("10,14", ATTACK, "Actual")},
    "type": {"S3": ("20,24", ATTACK, "Actual"), "S5": ("40,44", DIE, "Actual")},
    "realis": {"S4": ("30,34", ATTACK, "Actual"), "S5": ("40,44", ATTACK, "Other")},
    "missed": {"E7": GOLD_MENTIONS["E7"], "E8": GOLD_MENTIONS["E8"]},
}


def tbf(path: Path, mentions: Mapping[str, Mention | None]) -> str:
    lines = [
        f"sys\td1\t{name}\t{span}\tword\t{type_}\t{realis}"
        for name, (span, type_, realis) in ((name, one) for name, one in mentions.items() if one is not None)
    ]
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(["#BeginOfDocument d1", *lines, "#EndOfDocument"]) + "\n", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("profile", ["kbp2017", "kbp2016", "modern"])
def test_every_fault_of_nuggets(tmp_path: Path, profile: str) -> None:
    def written(fault: str) -> str:
        return tbf(
            tmp_path / f"mended {fault}" / "system.tbf", {**SYSTEM_MENTIONS, **MENDED_MENTIONS.get(fault, {})}
        )

    gold = tbf(tmp_path / "gold.tbf", GOLD_MENTIONS)
    check_rows(gold, written, list(MENDED_MENTIONS), task="nugget", headline="type+realis", profile=profile)


# --------------------------------------------------------------------------------------------------- coreference

Clusters = list[list[list[int]]]
GOLD_CLUSTERS: Clusters = [[[0, 1], [3, 3], [8, 9]], [[5, 6], [11, 11]]]
SYSTEM_CLUSTERS: Clusters = [[[0, 1], [5, 6], [12, 12]], [[3, 3], [9, 9]]]
MENDED_CLUSTERS: dict[str, Clusters] = {
    # 9 overlaps 8-9, which the system lacks.
    "span": [[[0, 1], [5, 6], [12, 12]], [[3, 3], [8, 9]]],
    "spurious": [[[0, 1], [5, 6]], [[3, 3]]],
    # Both system clusters have one mention of the first gold cluster; the one that begins first wins.
    "missed": [[[0, 1], [5, 6], [12, 12], [8, 9], [11, 11]], [[3, 3], [9, 9]]],
    # Two parts of one mention each; what gold lacks stays with the one that begins first.
    "merged": [[[0, 1], [12, 12]], [[5, 6]], [[3, 3], [9, 9]]],
    "split": [[[0, 1], [5, 6], [12, 12], [3, 3]], [[9, 9]]],
}


def records(path: Path, clusters: Clusters) -> str:
    record = {"doc_key": "d1", "sentences": [[f"w{at}" for at in range(13)]], "clusters": clusters}
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return str(path)


def test_every_fault_of_coreference(tmp_path: Path) -> None:
    def written(fault: str) -> str:
        path = tmp_path / f"mended {fault}" / "system.jsonl"
        return records(path, MENDED_CLUSTERS.get(fault, SYSTEM_CLUSTERS))

    gold = records(tmp_path / "gold.jsonl", GOLD_CLUSTERS)
    check_rows(gold, written, list(MENDED_CLUSTERS), task="coref", headline="coref")


# ---------------------------------------------------------------------------------------------- event arguments

RIGHT = ("C", "C", "C", "C", "1", "Actual", "NAME")
WRONG_TYPE, WRONG_ROLE = ("W", *["NIL"] * 6), ("C", "W", *["NIL"] * 5)


def response(
    number: int, role: str, text: str, start: int, realis: str = "Actual", *, confidence: str = "0.5"
) -> str:
    end = start + len(text) - 1
    place = f"{start}-{end}"
    return "\t".join(
        (str(number), "d1", "Conflict.Attack", role, text, place, "0-199", place, "NIL", realis, confidence)
    )


def judged(line: str, *letters: str) -> str:
    return "\t".join((line, *letters))


RESPONSES = {
    1: response(1, "Attacker", "gunmen", 0),
    2: response(2, "Target", "depot", 20),
    3: response(3, "Place", "quay", 40),
    4: response(4, "Instrument", "rifles", 60),
    5: response(5, "Attacker", "police", 80),
    6: response(6, "Target", "guards", 100),
    7: response(7, "Place", "harbour", 120),
    8: response(8, "Attacker", "gunmen", 0, confidence="0.4"),
}
MISSED = {
    9: response(9, "Target", "clerk", 140),
    10: response(10, "Target", "guards", 100, "Other"),
}
JUDGED = [
    judged(RESPONSES[1], *RIGHT),
    judged(RESPONSES[2], *WRONG_TYPE),
    judged(RESPONSES[3], *WRONG_ROLE),
    judged(RESPONSES[4], "C", "C", "C", "W", "4", "Actual", "NAME"),
    judged(RESPONSES[5], "C", "C", "W", "C", "5", "Actual", "NAME"),
    judged(RESPONSES[6], "C", "C", "C", "C", "6", "Other", "NAME"),
    judged(MISSED[9], "C", "C", "C", "C", "9", "Actual", "NAME"),
    judged(MISSED[10], "C", "C", "C", "C", "6", "Other", "NAME"),
]
MENDED_RESPONSES: dict[str, dict[int, str | None]] = {
    "type": {2: None},
    "role": {3: None},
    "filler": {4: None},
    "string": {5: None},
    "realis": {6: response(6, "Target", "guards", 100, "Other")},
    "unassessed": {7: None},
    "redundant": {8: None},
    "missed": dict(MISSED),
}


def test_every_fault_of_assessed_arguments(tmp_path: Path) -> None:
    def written(fault: str) -> str:
        folder = tmp_path / f"mended {fault}" / "system"
        folder.mkdir(parents=True)
        rows = {**RESPONSES, **MENDED_RESPONSES.get(fault, {})}
        (folder / "d1").write_text("".join(f"{row}\n" for row in rows.values() if row), encoding="utf-8")
        return str(folder)

    (tmp_path / "gold").mkdir()
    (tmp_path / "gold" / "d1").write_text("".join(f"{line}\n" for line in JUDGED), encoding="utf-8")
    gold = str(tmp_path / "gold")
    check_rows(
        gold,
        written,
        list(MENDED_RESPONSES),
        task="arguments",
        headline="standard",
        profile="kbp2014",
    )


# ------------------------------------------------------------------------------------------------------- triples

GOLD_TRIPLES = [
    triple("agent", "w1", "w2", id="a"),
    triple("agent", "w3", "w4", id="b"),
    triple("time", "w5", "w6", id="c"),
    triple("place", "w7", "w8", id="d"),
    triple("agent", "w10 w11", "w12", id="e"),
]
SYSTEM_TRIPLES = {
    "a": triple("agent", "w1", "w2", id="a"),
    "b": triple("agent", "w9", "w4", id="b"),
    "c": triple("agent", "w5", "w6", id="c"),
    "s": triple("time", "w20", "w21", id="s"),
    "e": triple("agent", "w10", "w12", id="e"),
}
MENDED_TRIPLES: dict[str, dict[str, object]] = {
    "spurious": {"s": None},
    "ids": {"b": GOLD_TRIPLES[1], "e": GOLD_TRIPLES[4]},
    "relation": {"c": GOLD_TRIPLES[2]},
    "missed": {"d": GOLD_TRIPLES[3]},
}


@pytest.mark.parametrize("profile", ["default", "reference"])
def test_every_fault_of_triples(tmp_path: Path, profile: str) -> None:
    def written(fault: str) -> str:
        triples = {**SYSTEM_TRIPLES, **MENDED_TRIPLES.get(fault, {})}
        path = tmp_path / f"mended {fault}" / "system.trp"
        return write_triples(path, *(one for one in triples.values() if one is not None))  # type: ignore[arg-type]

    gold = write_triples(tmp_path / "gold.trp", *GOLD_TRIPLES)
    check_rows(gold, written, list(MENDED_TRIPLES), task="triples", headline="partial_same", profile=profile)


def test_with_everything_mended_triples_that_share_a_partner_are_all_covered(tmp_path: Path) -> None:
    gold = write_triples(tmp_path / "gold.trp", triple("agent", "w1", "w2"), triple("agent", "w3", "w2"))
    system = write_triples(
        tmp_path / "system.trp", triple("agent", "w1 w3", "w2"), triple("agent", "w8", "w9")
    )
    found = lydite.explain(gold, system, task="triples", matching="coverage", budget=True)
    assert found.budget is not None
    assert found.budget.perfect == 1


# ----------------------------------------------------------------------------------------------------------- ACE


def entities(**changes: str | None) -> dict[str, str]:
    """What a perfect system would write, entity by entity, with some of them changed or gone."""
    perfect = {
        "right": _entity("right", 0, "Hallek"),
        "typed": _entity("typed", 20, "Heron", type_="VEH", subtype="Underspecified"),
        "subtyped": _entity("subtyped", 40, "Sool"),
        "classed": _entity("classed", 60, "Soole"),
        "named": _entity("named", 80, "Lantern"),
        "mentioned": _entity("mentioned", 100, "Varrick", "depot"),
        "missed": _entity("missed", 140, "Orvik"),
    }
    return {name: text for name, text in {**perfect, **changes}.items() if text is not None}


def _entity(
    name: str,
    start: int,
    *words: str,
    names: Sequence[str] | None = None,
    type_: str = "PER",
    subtype: str = "Individual",
    class_: str = "SPC",
) -> str:
    mentions = [apf_files.mention(f"{name}-{at}", start + 10 * at, word) for at, word in enumerate(words)]
    return apf_files.entity(
        name, mentions, names=words if names is None else names, type_=type_, subtype=subtype, class_=class_
    )


WRONG_ENTITIES: dict[str, str | None] = {
    "typed": _entity("typed", 20, "Heron", type_="WEA", subtype="Underspecified"),
    "subtyped": _entity("subtyped", 40, "Sool", subtype="Group"),
    "classed": _entity("classed", 60, "Soole", class_="GEN"),
    "named": _entity("named", 80, "Lantern", names=("Lanterne",)),
    "mentioned": _entity("mentioned", 100, "Varrick", names=("Varrick", "depot")),
    "missed": None,
    "spurious": _entity("spurious", 180, "Luth"),
}
MENDED_ENTITIES = {
    "spurious": "spurious",
    "type": "typed",
    "subtype": "subtyped",
    "class": "classed",
    "other attributes": "named",
    "mentions": "mentioned",
    "missed": "missed",
}


@pytest.mark.parametrize("profile", ["ace08-local", "ace07", "ace05"])
def test_every_fault_of_entities(tmp_path: Path, profile: str) -> None:
    def written(fault: str) -> str:
        changes = dict(WRONG_ENTITIES)
        changes.pop(MENDED_ENTITIES.get(fault, ""), None)
        text = apf_files.document("d1", *entities(**changes).values())
        return apf_files.write(tmp_path / f"mended {fault}" / "system", d1=text)

    gold = apf_files.write(tmp_path / "gold", d1=apf_files.document("d1", *entities().values()))
    check_rows(gold, written, list(MENDED_ENTITIES), task="ace", headline="entity", profile=profile)


def test_an_entity_that_gets_its_mentions_in_a_document_that_lacks_it_gets_its_names_too(
    tmp_path: Path,
) -> None:
    def found(prefix: str, *texts: str) -> str:
        """By document an entity that is unnamed in the first one and named in the second."""
        places = {
            "d1": [apf_files.mention(f"{prefix}1", 0, "doctor", "NOM")],
            "d2": [apf_files.mention(f"{prefix}2", 0, "Mira")],
        }
        files = {
            name: apf_files.document(
                name,
                *[apf_files.entity(prefix, places[name], names=["Mira"] * (name == "d2"))] * (name in texts),
            )
            for name in places
        }
        return apf_files.write(tmp_path / prefix, **files)

    budget = lydite.explain(
        found("E", "d1", "d2"), found("S", "d1"), task="ace", profile="ace08-global", budget=True
    ).budget
    assert budget is not None
    assert {row.fault: row.items for row in budget.faults if row.items} == {"mentions": 1}
    assert budget.perfect == 1
