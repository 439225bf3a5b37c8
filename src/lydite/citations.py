"""Who defined what: the sources of the measures, and of lydite."""

from __future__ import annotations

from functools import cache
from pathlib import Path

CITATIONS = Path(__file__).parent / "data" / "citations.toml"


@cache
def citations() -> dict[str, dict[str, str]]:
    """All citations by key."""
    import tomllib

    with CITATIONS.open("rb") as stream:
        return tomllib.load(stream)


def reference(key: str) -> str:
    """A source in one line: authors, year, title, where it appeared; its key where another package knows it."""
    if key not in citations():
        return key
    entry = citations()[key]
    writers = entry.get("author", entry.get("organization", entry.get("institution", "")))
    authors = [name.partition(",")[0].strip("{} ") for name in writers.split(" and ")]
    named = " and ".join(authors) if len(authors) < 3 else f"{authors[0]} et al."
    where = next(
        (entry[name] for name in ("booktitle", "journal", "institution", "note") if name in entry), ""
    )
    said = ", ".join(filter(None, (named, entry.get("year", ""))))
    return f"{said}: {entry['title']}".replace("{", "").replace("}", "") + (f". {where}" if where else "")
