"""ACE: cost of whole runs as ratios to ``python -c pass``, over seeded corpora; ``--large`` adds those of minutes."""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from measuring import NOTHING, at_most, compile_package, interleaved, lydite, peak_memory, report

SUBTYPES = {"PER": "Individual", "ORG": "Commercial", "GPE": "Nation", "LOC": "Boundary", "FAC": "Plant"}
SYLLABLES = (
    "ka",
    "lo",
    "mi",
    "re",
    "tan",
    "dor",
    "vel",
    "sha",
    "nu",
    "pri",
    "gol",
    "mar",
    "ten",
    "bis",
    "zel",
)
NOMINAL = {"NOM": "the person", "PRO": "he"}


def invented_name(chance: random.Random) -> str:
    """One to three words of two to four syllables."""
    words = (
        "".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))).title()
        for _ in range(chance.randint(1, 3))
    )
    return " ".join(words)


def entity(
    entity_id: str, type_: str, doc_id: str, mentions: list[tuple[str, int, str]], names: list[str]
) -> str:
    """An entity with its mentions and names, laid out as annotation tools do."""
    lines = [f'<entity ID="{entity_id}" TYPE="{type_}" SUBTYPE="{SUBTYPES[type_]}" CLASS="SPC">']
    for number, (level, start, text) in enumerate(mentions):
        place = f'<charseq START="{start}" END="{start + len(text) - 1}">{text}</charseq>'
        lines += [
            f'  <entity_mention ID="{entity_id}-{doc_id}-{number}" TYPE="{level}">',
            f"    <extent>\n      {place}\n    </extent>",
            f"    <head>\n      {place}\n    </head>",
            "  </entity_mention>",
        ]
    if names:
        start = next(start for level, start, _ in mentions if level == "NAM")
        places = (
            f'<charseq START="{start}" END="{start + len(name) - 1}">{name}</charseq>' for name in names
        )
        lines += [
            "  <entity_attributes>",
            *(f'    <name NAME="{name}">{place}</name>' for name, place in zip(names, places, strict=True)),
            "  </entity_attributes>",
        ]
    return "\n".join([*lines, "</entity>"])


def document(doc_id: str, entities: list[str]) -> str:
    """One file."""
    body = "\n".join(entities)
    return (
        f'<?xml version="1.0"?>\n<source_file URI="{doc_id}.sgm" SOURCE="newswire" TYPE="text">\n'
        f'<document DOCID="{doc_id}">\n{body}\n</document>\n</source_file>\n'
    )


def corpus(folder: Path, documents: int, entities: int, *, pool: int = 0, seed: int = 7) -> Path:
    """Gold under ``ref`` and a system with a quarter of errors under ``sys``; ``pool`` gives corpus-wide ids."""
    chance = random.Random(seed)
    shared = [(f"G{n}", chance.choice(list(SUBTYPES)), invented_name(chance)) for n in range(pool)]
    for side in ("ref", "sys"):
        (folder / side).mkdir(parents=True, exist_ok=True)
    for number in range(documents):
        doc_id = f"D{number:05d}"
        here = chance.sample(shared, entities) if pool else list(_local(doc_id, entities, chance))
        gold, system = _sides(doc_id, here, chance)
        (folder / "ref" / f"{doc_id}.apf.xml").write_text(document(doc_id, gold), encoding="utf-8")
        (folder / "sys" / f"{doc_id}.apf.xml").write_text(document(doc_id, system), encoding="utf-8")
    return folder


def _local(doc_id: str, entities: int, chance: random.Random) -> Iterator[tuple[str, str, str]]:
    for number in range(entities):
        yield f"{doc_id}-E{number}", chance.choice(list(SUBTYPES)), invented_name(chance)


def _sides(
    doc_id: str, here: list[tuple[str, str, str]], chance: random.Random
) -> tuple[list[str], list[str]]:
    place, gold, system = 0, [], []
    for entity_id, type_, name in here:
        mentions = []
        for number in range(chance.choice((1, 2, 3, 3, 4, 5))):
            level = "NAM" if number == 0 and chance.random() < 0.8 else chance.choice(("NAM", "NOM", "PRO"))
            text = NOMINAL.get(level, name)
            mentions.append((level, place, text))
            place += len(text) + chance.randint(2, 20)
        named = any(level == "NAM" for level, _, _ in mentions)
        gold.append(entity(entity_id, type_, doc_id, mentions, [name] if named else []))
        draw = chance.random()
        if draw < 0.08:
            continue
        kept = [mention for mention in mentions if chance.random() > 0.1] or mentions
        spelt = name if chance.random() > 0.1 else name[:-1] + "x"
        still_named = any(level == "NAM" for level, _, _ in kept)
        system.append(entity(f"S-{entity_id}", type_, doc_id, kept, [spelt] if still_named else []))
        if draw > 0.95:
            invented = [("NAM", place, "Zork")]
            system.append(entity(f"S-{doc_id}-{entity_id}", type_, doc_id, invented, ["Zork"]))
            place += 10
    return gold, system


def similar_names(folder: Path, count: int, *, seed: int = 3) -> Path:
    """One document with that many named entities whose names are all alike."""
    chance = random.Random(seed)
    for side, prefix in (("ref", ""), ("sys", "S-")):
        entities = []
        for number in range(count):
            name = f"Mira Valdez {number:03d}"
            if prefix and chance.random() < 0.3:
                name = name.replace("e", "a")
            entities.append(entity(f"{prefix}E{number}", "PER", "D", [("NAM", number * 30, name)], [name]))
        (folder / side).mkdir(parents=True, exist_ok=True)
        (folder / side / "D.apf.xml").write_text(document("D", entities), encoding="utf-8")
    return folder


def scored(folder: Path, profile: str) -> list[str]:
    """The command that scores a corpus."""
    return lydite("score", "ace", folder / "ref", folder / "sys", "--profile", profile, "--quiet")


def main(*, large: bool) -> None:
    """Whole processes, cold: what they cost, how they grow, what they hold."""
    compile_package()
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        local, wide = "ace08-local", "ace08-global"
        commands = {
            "nothing": NOTHING,
            "small": scored(corpus(root / "small", 100, 40), local),
            "double": scored(corpus(root / "double", 200, 40), local),
            "alike": scored(similar_names(root / "alike", 800), wide),
        }
        if large:
            commands |= {
                "all": scored(corpus(root / "all", 800, 40), local),
                "thousand": scored(corpus(root / "thousand", 1000, 8, pool=2000), wide),
                "ten": scored(corpus(root / "ten", 10000, 8, pool=20000), wide),
            }
        times = interleaved(commands, rounds=3)
        rows = [
            at_most("doubling the documents", times["double"] / times["small"], 2.2, "x"),
            at_most("800 similar names", times["alike"] / times["nothing"], 300, "x nothing"),
        ]
        if large:
            rows += [
                at_most("800 documents x 40 entities", times["all"] / times["nothing"], 700, "x nothing"),
                at_most("the same, memory", peak_memory(commands["all"]), 1000, "MB"),
                at_most("10,000 documents against 1,000", times["ten"] / times["thousand"], 12, "x"),
                at_most("10,000 documents, memory", peak_memory(commands["ten"]), 2000, "MB"),
            ]
        else:
            # Linear growth is looked at above, so that a quarter of the corpus stands for all of it.
            rows.append(
                at_most(
                    "200 documents x 40 entities", times["double"] / times["nothing"], 700 / 4, "x nothing"
                )
            )
        report("ACE", rows)


if __name__ == "__main__":
    main(large="--large" in sys.argv)
