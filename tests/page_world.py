"""A small world for pages: a few documents with hostile names, three systems, everything a viewer must bear."""

from __future__ import annotations

from pathlib import Path

HOSTILE = "</script><img src=x onerror=window.planted=1>"
BIDI = "\u202eevil\u2069"

TEXTS = {
    "d1": "Rebels attacked the depot. The attack killed a guard, and they locked him up.",
    "d2": "هاجم المتمردون المستودع 😀 ثم هربوا",
    f"d3{HOSTILE}": f"He {HOSTILE} said so.\n{BIDI} again",
    "d4": "",
}

Mention = tuple[str, ...]
"""Id, place, text, type, realis; confidences may follow."""

GOLD: dict[str, list[Mention]] = {
    "d1": [
        ("E1", "7,15", "attacked", "Conflict_Attack", "Actual"),
        ("E2", "31,37", "attack", "Conflict_Attack", "Actual"),
        ("E3", "38,44", "killed", "Life_Die", "Actual"),
        ("E4", "63,69;74,76", "locked up", "Justice_Arrest-Jail", "Actual"),
    ],
    "d2": [
        ("E1", "0,4", "هاجم", "Conflict_Attack", "Actual"),
        ("E2", "29,34", "هربوا", "Movement_Transport-Person", "Actual"),
    ],
    f"d3{HOSTILE}": [("E1", "3,10", HOSTILE[:7], "Contact_Broadcast", "Other")],
    "d4": [],
}
SYSTEMS: dict[str, dict[str, list[Mention]]] = {
    "good": {**GOLD, "d1": GOLD["d1"][:3]},
    "fair": {
        **GOLD,
        "d1": [
            ("M1", "7,15", "attacked", "Conflict_Attack", "Generic"),
            ("M2", "38,44", "killed", "Life_Injure", "Actual"),
            ("M3", "16,25", "the depot", "Conflict_Attack", "Actual"),
        ],
    },
    "<b>bad</b>": {name: [] for name in GOLD},
}


def write_tbf(path: Path, system: str, documents: dict[str, list[Mention]]) -> Path:
    lines = []
    for doc_id, mentions in documents.items():
        lines.append(f"#BeginOfDocument {doc_id}")
        lines += ["\t".join((system, doc_id, *mention)) for mention in mentions]
        if doc_id == "d1" and len(mentions) > 3:
            lines.append("@Coreference\tC1\tE1,E2")
            lines.append("@After\tR1\tE1,E3")
        lines.append("#EndOfDocument")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def write_world(folder: Path) -> tuple[Path, list[Path], Path]:
    """Gold, systems and texts as files; a text whose id is no name of a file is left out."""
    texts = folder / "texts"
    texts.mkdir()
    for name, text in TEXTS.items():
        if "/" not in name:
            (texts / f"{name}.txt").write_text(text, encoding="utf-8")
    gold = write_tbf(folder / "gold.tbf", "gold", GOLD)
    systems = [
        write_tbf(folder / f"{name.replace('/', '%')}.tbf", "run", documents)
        for name, documents in SYSTEMS.items()
    ]
    return gold, systems, texts
