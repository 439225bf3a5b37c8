"""Make the ACE part of the example corpus: APF of gold and two systems, targets, and a log of decisions.

    python examples/build_ace.py            # after a change of entities.tsv
    python examples/build_ace.py --check    # are the files up to date?

``entities.tsv`` has one line per mention: the entity, where its words stand in the text (``words#2`` is the second
occurrence), and which entity each system puts it into (empty: it does not find it).  Gold annotates six documents;
in the others a verdict says whether the document really mentions the entity.  Standard library only.
"""

from __future__ import annotations

import csv
import sys
from hashlib import sha256
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

HERE = Path(__file__).parent
ANNOTATED = ("df01-boots", "nw01-depot", "nw03-ferryman", "nw05-wenn", "nw09-election", "nw10-shipyard")
SYSTEMS = ("alder", "birch")
COLUMNS = ("entity", "type", "subtype", "document", "words", "mention", *SYSTEMS, "verdict")
TARGETS = {
    "hallek": ("Dov Hallek", ["the Ferryman"], []),
    "sool": ("Marten Sool", [], ["Sool"]),
    "soole": ("Marten Soole", [], ["Soole"]),
    "lantern": ("Ninth Lantern", [], []),
}
"""Handle, aliases, variants."""
KNOWN_WRONG = {("soole", "nw11-ambush"): "down"}
"""What a system claims that no line of the table says: birch takes the chief for the captain."""

Row = dict[str, str]


def read_rows() -> list[Row]:
    """The mentions of the table."""
    with (HERE / "entities.tsv").open(encoding="utf-8", newline="") as stream:
        lines = [line for line in csv.reader(stream, delimiter="\t") if line and not line[0].startswith("#")]
    return [dict(zip(COLUMNS, [*line, *[""] * (len(COLUMNS) - len(line))], strict=True)) for line in lines]


def text_of(doc_id: str) -> str:
    """The plain document."""
    return (HERE / "text" / f"{doc_id}.txt").read_bytes().decode("utf-8")


def place(text: str, words: str) -> tuple[int, str]:
    """Where the words begin, and the words."""
    wanted, _, number = words.partition("#")
    begin = -1
    for _ in range(int(number or 1)):
        begin = text.index(wanted, begin + 1)
    return begin, wanted


def charseq(begin: int, words: str) -> str:
    """A place; its end is the last character."""
    return f'<charseq START="{begin}" END="{begin + len(words) - 1}">{escape(words)}</charseq>'


def entity(entity_id: str, rows: list[Row], doc_id: str) -> list[str]:
    """An entity of one document."""
    first, text = rows[0], text_of(doc_id)
    lines = [f'<entity ID="{entity_id}" TYPE="{first["type"]}" SUBTYPE="{first["subtype"]}" CLASS="SPC">']
    names = []
    for number, row in enumerate(rows, 1):
        where = charseq(*place(text, row["words"]))
        lines += [
            f'  <entity_mention ID="{entity_id}-{doc_id}-{number}" TYPE="{row["mention"]}">',
            f"    <extent>{where}</extent>",
            f"    <head>{where}</head>",
            "  </entity_mention>",
        ]
        if row["mention"] == "NAM":
            names.append(f"    <name NAME={quoteattr(row['words'].partition('#')[0])}>{where}</name>")
    if names:
        lines += ["  <entity_attributes>", *names, "  </entity_attributes>"]
    return [*lines, "</entity>"]


def apf(doc_id: str, side: str, rows: list[Row]) -> str:
    """The file of one document: of gold, or of a system."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        name = row["entity"] if side == "gold" else row[side]
        if row["document"] == doc_id and name:
            groups.setdefault(name, []).append(row)
    source = "forum" if doc_id.startswith("df") else "newswire"
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<source_file URI="{doc_id}.txt" SOURCE="{source}" TYPE="text">',
        f'<document DOCID="{doc_id}">',
    ]
    prefix = "" if side == "gold" else f"{side}-"
    for name, found in groups.items():
        lines += entity(f"{prefix}{name}", found, doc_id)
    return "\n".join([*lines, "</document>", "</source_file>", ""])


def targets() -> str:
    """The targets as JSON lines."""
    import json

    lines = []
    for name, (handle, aliases, variants) in TARGETS.items():
        entry = {
            "id": name,
            "handle": handle,
            "aliases": [{"text": text} for text in aliases],
            "variants": [{"text": text} for text in variants],
        }
        lines.append(json.dumps(entry, ensure_ascii=False))
    return "\n".join(lines) + "\n"


def decisions(rows: list[Row]) -> str:
    """Two judges; the second leaves one item undecided."""
    lines = ["item_id\tjudge\tdecision\ttime\tnote"]
    judged: dict[tuple[str, str], str] = dict(KNOWN_WRONG)
    for row in rows:
        if row["verdict"] and row["entity"] in TARGETS:
            judged[row["entity"], row["document"]] = row["verdict"]
    for hour, ((target, doc_id), verdict) in enumerate(sorted(judged.items()), 9):
        item = sha256(f"{target}|{doc_id}|||document".encode()).hexdigest()[:16]
        if (target, doc_id) == ("soole", "nw08-flour"):
            lines.append(f"{item}\tann\tunsure\t2031-05-02T{hour:02}:00:00\tis he the captain of the Heron?")
            continue
        lines += [f"{item}\t{judge}\t{verdict}\t2031-05-02T{hour:02}:00:00\t" for judge in ("ann", "bob")]
    return "\n".join(lines) + "\n"


def outputs() -> dict[str, str]:
    """All files by path."""
    rows = read_rows()
    everywhere = sorted({row["document"] for row in rows} | set(ANNOTATED))
    files = {f"ace/gold/{doc_id}.apf.xml": apf(doc_id, "gold", rows) for doc_id in ANNOTATED}
    for system in SYSTEMS:
        files |= {
            f"ace/systems/{system}/{doc_id}.apf.xml": apf(doc_id, system, rows) for doc_id in everywhere
        }
    return {**files, "ace/targets.jsonl": targets(), "ace/decisions.tsv": decisions(rows)}


def main() -> int:
    """Write the files, or say which are not up to date."""
    status = 0
    for name, content in outputs().items():
        path = HERE / name
        if "--check" in sys.argv:
            if not path.is_file() or path.read_bytes() != content.encode():
                print(f"{name} is not up to date")
                status = 1
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
    return status


if __name__ == "__main__":
    sys.exit(main())
