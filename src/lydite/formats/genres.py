"""The genre of a document: from its id, or from a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lydite.errors import UsageError

_PREFIXES: tuple[tuple[str, str], ...] = (
    *((prefix, "Broadcast conversation") for prefix in ("CNN_CF", "CNN_IP")),
    *((prefix, "Broadcast News") for prefix in ("CNN_", "CNNHL")),
    *(
        (prefix, "Forum")
        for prefix in (
            "bolt", "marce", "alt.", "aus.cars", "Austin-Grad", "misc.", "rec.", "seattle.", "soc.", "talk.", "uk.",
        )
    ),
    *((prefix, "Newswire") for prefix in ("APW", "AFP", "CNA", "NYT", "WPB", "XIN")),
    *(
        (prefix, "Blog")
        for prefix in (
            "AGGRESSIVEVOICEDAILY", "BACONSREBELLION", "FLOPPING_ACES", "GETTINGPOLITICAL", "HEALINGIRAQ",
            "MARKBACKER", "OIADVANTAGE", "TTRACY",
        )
    ),
    ("fsh_", "Speech"),
)  # fmt: skip


def genre_of(doc_id: str, known: Mapping[str, str]) -> str:
    """The genre that a file gave, else that of the first prefix of the id that matches, else ``Unknown``."""
    if doc_id in known:
        return known[doc_id]
    return next((genre for prefix, genre in _PREFIXES if doc_id.startswith(prefix)), "Unknown")


def read_genres(path: str) -> dict[str, str]:
    """A file with document id, tab, genre on each line."""
    try:
        lines = Path(path).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None
    genres: dict[str, str] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.startswith("#"):
            continue
        doc_id, tab, genre = line.partition("\t")
        if not tab or not genre.strip():
            raise UsageError(f"{path}:{number}: expected document id, tab, genre, found {line!r}")
        genres[doc_id.strip()] = genre.strip()
    return genres
