"""Citations: the sources of the measures, and of lydite."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lydite.toml_files import shipped_toml

CITATIONS = Path(__file__).parent / "data" / "citations.toml"


def citations() -> Mapping[str, Mapping[str, str]]:
    """All citations by key."""
    return shipped_toml(str(CITATIONS))


def reference(key: str) -> str:
    """A source in one line: authors, year, title, where it appeared; the key itself if it is of another package."""
    if key not in citations():
        return key
    entry = citations()[key]
    writers = entry.get("author", entry.get("organization", entry.get("institution", "")))
    authors = [name.partition(",")[0].strip("{} ") for name in writers.split(" and ")]
    named = " and ".join(authors) if len(authors) < 3 else f"{authors[0]} et al."
    where = next((entry[one] for one in ("booktitle", "journal", "institution", "note") if one in entry), "")
    authors_and_year = ", ".join(filter(None, (named, entry.get("year", ""))))
    title = f"{authors_and_year}: {entry['title']}".replace("{", "").replace("}", "")
    return f"{title}. {where}" if where else title
