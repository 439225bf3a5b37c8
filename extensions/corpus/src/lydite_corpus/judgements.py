"""Judgements of several people and sites on which documents mention which targets; append-only.

Records are of three kinds, ``query``, ``judgement`` and ``capture``, and have unique ids.  They are kept as JSON lines or
in a SQLite file with one table per kind; files of several sites are merged by id.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path

from lydite.errors import Finding, FormatError, Location, UsageError
from lydite.escaping import is_utf_8
from lydite.formats.numbered_lines import read_json_lines
from lydite.grouping import grouped
from lydite.numerals import WHOLE, is_whole
from lydite.writing import json_lines

COLUMNS: dict[str, dict[str, type]] = {
    "query": {"target_id": str, "text": str, "filters": str, "n_results": int},
    "judgement": {
        "target_id": str, "docid": str, "query_id": str, "mentioned": int, "n_mentions": int, "has_alias": int,
        "has_variant": int, "confusable_with": str, "stars": int, "note": str
    },
    "capture": {"docid": str, "start": int, "end": int, "text": str, "capture": str, "target_id": str}
}  # fmt: skip
"""The columns of each kind of record beside ``id``, ``user`` and ``time``."""
_REQUIRED = {
    "query": ("text",),
    "judgement": ("target_id", "docid", "mentioned"),
    "capture": ("docid", "start", "end", "text", "capture"),
}
CAPTURES = ("new-entity", "related")
_TABLES = {"query": "queries", "judgement": "judgments", "capture": "captures"}
_IN_TABLES = {"capture": "kind"}
"""The SQLite names of columns that have another name in JSON lines, where ``kind`` is the kind of the record."""
_CHECKS = {"stars": "CHECK(stars BETWEEN 1 AND 5)", "kind": "CHECK(kind IN ('new-entity', 'related'))"}

Entry = Mapping[str, object]
"""A record: ``kind``, ``id``, ``user``, ``time`` and the columns of its kind."""


@dataclass(frozen=True, slots=True)
class JointJudgement:
    """The judgement of all judges together on a target in a document: mean of stars, majority of flags."""

    target: str
    document: str
    judges: int
    mentioned: bool | None
    mentions: float
    has_alias: bool
    has_variant: bool
    stars: float | None


@dataclass(frozen=True, slots=True)
class Progress:
    """The judging of a target: documents judged, documents that mention it, mean stars, agreement of judges."""

    target: str
    judged: int
    up: int
    stars: float | None
    agreement: float | None
    judged_twice: int


# ------------------------------------------------------------------------------------------------ reading, writing


def read_entries(path: str) -> list[Entry]:
    """Read the records of a SQLite file, or else of JSON lines; all broken lines are reported together."""
    if _is_sqlite(path):
        with closing(sqlite3.connect(path, timeout=30)) as database:
            return list(_rows(database, _tables_in(database, path)))
    entries, findings = read_json_lines(path, "bad-judgement", check_entry)
    if findings:
        raise FormatError(findings)
    return [entry for _, entry in entries]


def _is_sqlite(path: str) -> bool:
    if not Path(path).is_file():
        return False
    with Path(path).open("rb") as stream:
        return stream.read(16) == b"SQLite format 3\0"


def check_entry(entry: object) -> Entry:
    """Return a record if it is valid; raise :class:`ValueError` otherwise."""
    if not isinstance(entry, dict):
        raise ValueError(f"expected an object, found {type(entry).__name__}")  # noqa: TRY004 - about the input
    kind = entry.get("kind")
    if not isinstance(kind, str) or kind not in COLUMNS:
        raise ValueError(f"expected the kind {', '.join(COLUMNS)}, found {kind!r}")
    for key in ("id", "user", "time", *_REQUIRED[kind]):
        if entry.get(key) in (None, ""):
            raise ValueError(f"expected {key!r} in a {kind}, found none")
    types: dict[str, type] = {"kind": str, "id": str, "user": str, "time": str, **COLUMNS[kind]}
    for key, value in entry.items():
        if key not in types:
            raise ValueError(f"expected the keys {', '.join(types)} in a {kind}, found {key!r}")
        if value is not None and (isinstance(value, bool) or not isinstance(value, types[key])):
            raise ValueError(f"expected {types[key].__name__} under {key!r}, found {value!r}")
        if not (is_whole(value) if isinstance(value, int) else is_utf_8(str(value or ""))):
            raise ValueError(f"expected {WHOLE}, or UTF-8 text, under {key!r}, found {value!r:.60}")
    stars = entry.get("stars")
    if stars is not None and not 1 <= stars <= 5:
        raise ValueError(f"expected 1 to 5 stars, found {stars}")
    if kind == "capture" and entry["capture"] not in CAPTURES:
        raise ValueError(f"expected the capture {' or '.join(CAPTURES)}, found {entry['capture']!r}")
    return entry


def append_entry(path: str, entry: Entry) -> None:
    """Append a record to a file of JSON lines or SQLite; several processes may do so at the same time."""
    check_entry(dict(entry))
    if Path(path).suffix in {".sqlite", ".db"}:
        write_sqlite(path, [entry])
        return
    with Path(path).open("ab", buffering=0) as stream:
        stream.write(json_lines([dict(entry)]).encode("utf-8"))


def merge_entries(files: Mapping[str, Sequence[Entry]]) -> list[Entry]:
    """Merge the records of several sites, sorted by time and id; refuse different records with the same id."""
    merged: dict[str, Entry] = {}
    origin: dict[str, str] = {}
    findings: list[Finding] = []
    for path, entries in files.items():
        for entry in entries:
            key = str(entry["id"])
            first = merged.setdefault(key, entry)
            origin.setdefault(key, path)
            if _content(first) != _content(entry):
                message = f"expected the record {key!r} of {origin[key]}, found a different one with that id"
                hint = "make the ids of every site unique, for example by beginning them with the name of the site"
                findings.append(
                    Finding("judgement-conflict", "error", message, Location(path), item=key, hint=hint)
                )
    if findings:
        raise FormatError(findings)
    return sorted(merged.values(), key=_time_and_id)


def _time_and_id(entry: Entry) -> tuple[str, str]:
    """Return the time of a record in a form that sorts (UTC if it has a time zone), and its id."""
    time = str(entry["time"])
    with suppress(ValueError, OverflowError):
        read = datetime.fromisoformat(time)
        time = (read.astimezone(UTC) if read.tzinfo else read).isoformat()
    return time, str(entry["id"])


def _content(entry: Entry) -> dict[str, object]:
    return {key: value for key, value in entry.items() if value is not None}


def to_json_lines(entries: Iterable[Entry]) -> str:
    """Write records as JSON lines."""
    return json_lines(map(_content, entries))


def write_sqlite(path: str, entries: Iterable[Entry]) -> None:
    """Add records to a SQLite file, new or not; refuse a record that differs from the one with its id there."""
    try:
        with closing(sqlite3.connect(path, timeout=30)) as database, database:
            _make_tables(database)
            added = list(entries)
            for entry in added:
                _insert(database, entry)
            stored = [row for entry in added for row in _rows(database, _TABLES.values(), str(entry["id"]))]
            merge_entries({"the records to add": added, path: stored})
    except sqlite3.OperationalError as error:
        raise UsageError(f"cannot write {path}: {error}") from None


def _insert(database: sqlite3.Connection, entry: Entry) -> None:
    """Add a record, unless the file has one with its id."""
    kind = str(entry["kind"])
    columns = ("id", "user", "time", *COLUMNS[kind])
    marks = ", ".join("?" * len(columns))
    names = ", ".join(f'"{_IN_TABLES.get(name, name)}"' for name in columns)
    insert = f"INSERT OR IGNORE INTO {_TABLES[kind]}({names}) VALUES ({marks})"  # noqa: S608 - names of ours
    database.execute(insert, [entry.get(name) for name in columns])


def _make_tables(database: sqlite3.Connection) -> None:
    database.execute("PRAGMA journal_mode = WAL")  # several people can work on one file
    for kind, columns in COLUMNS.items():
        types = {
            _IN_TABLES.get(name, name): "TEXT" if kept is str else "INTEGER" for name, kept in columns.items()
        }
        own = ", ".join(f'"{name}" {type_} {_CHECKS.get(name, "")}' for name, type_ in types.items())
        create = (
            f"CREATE TABLE IF NOT EXISTS {_TABLES[kind]}(id TEXT PRIMARY KEY, user TEXT, time TEXT, {own})"
        )
        database.execute(create)


def _tables_in(database: sqlite3.Connection, path: str) -> set[str]:
    """Return the tables of a SQLite file; refuse it if none is of judgements."""
    known = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not known & set(_TABLES.values()):
        found = ", ".join(sorted(known)) or "none"
        message = f"expected the tables {', '.join(_TABLES.values())}, found {found}"
        raise FormatError([Finding("bad-judgement", "error", message, Location(path))])
    return known


def _rows(
    database: sqlite3.Connection, tables: Collection[str], record_id: str | None = None
) -> Iterator[Entry]:
    """Return the records in the tables: all, or those with an id."""
    database.row_factory = sqlite3.Row
    json_names = {name: key for key, name in _IN_TABLES.items()}
    condition, values = ("", ()) if record_id is None else ("WHERE id = ?", (record_id,))
    for kind, table in _TABLES.items():
        if table in tables:
            for row in database.execute(f"SELECT * FROM {table} {condition} ORDER BY time, id", values):  # noqa: S608 - names of ours
                columns = {json_names.get(key, key): row[key] for key in row.keys() if row[key] is not None}  # noqa: SIM118 - a row yields values
                yield {"kind": kind, **columns}


# ------------------------------------------------------------------------------------------------------ resolving


def latest_judgements(entries: Iterable[Entry]) -> dict[tuple[str, str], dict[str, Entry]]:
    """Return the last judgement of each user, by (target, document)."""
    last: dict[tuple[str, str], dict[str, Entry]] = {}
    for entry in sorted(entries, key=_time_and_id):
        if entry["kind"] == "judgement":
            last.setdefault((str(entry["target_id"]), str(entry["docid"])), {})[str(entry["user"])] = entry
    return last


LatestJudgements = Mapping[tuple[str, str], Mapping[str, Entry]]


def resolve(entries: Iterable[Entry]) -> list[JointJudgement]:
    """Return the joint judgement for every (target, document), sorted."""
    return resolve_latest(latest_judgements(entries))


def resolve_latest(last: LatestJudgements) -> list[JointJudgement]:
    """As :func:`resolve`, from the last judgement of each user."""
    return [
        JointJudgement(
            target,
            document,
            len(users),
            _majority([_number_at(entry, "mentioned") for entry in users.values()]),
            _mean([_number_at(entry, "n_mentions") for entry in users.values()]) or 0.0,
            bool(_majority([_number_at(entry, "has_alias") for entry in users.values()])),
            bool(_majority([_number_at(entry, "has_variant") for entry in users.values()])),
            _mean([_number_at(entry, "stars") for entry in users.values() if entry.get("stars")]),
        )
        for (target, document), users in sorted(last.items())
    ]


def _number_at(entry: Entry, key: str) -> int:
    """Return a number or a flag of a record; 0 if it has none."""
    value = entry.get(key)
    return value if isinstance(value, int) else 0


def _majority(flags: Sequence[int]) -> bool | None:
    """Return the majority of flags; None for a tie."""
    yes = sum(bool(flag) for flag in flags)
    return None if 2 * yes == len(flags) else 2 * yes > len(flags)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def precision(up: int, judged: int) -> float:
    """Return the smoothed share of judged documents that mention the target, (up + 1) / (judged + 2); 1 if none is judged."""
    return (up + 1) / (judged + 2) if judged else 1.0


def target_progress(entries: Sequence[Entry]) -> list[Progress]:
    """Return the progress of the judging of each target."""
    last = latest_judgements(entries)
    return target_progress_of(last, resolve_latest(last))


def target_progress_of(last: LatestJudgements, joint: Iterable[JointJudgement]) -> list[Progress]:
    """As :func:`target_progress`, from the last judgements and the joint ones."""
    judged = grouped((item.target, item) for item in joint)
    pairs: dict[str, list[bool]] = {}
    for (target, _), users in last.items():
        flags = [bool(entry["mentioned"]) for entry in users.values()]
        pairs.setdefault(target, []).extend(one == other for one, other in combinations(flags, 2))
    return [
        Progress(
            target,
            len(items),
            sum(item.mentioned is True for item in items),
            _mean([item.stars for item in items if item.stars is not None]),
            sum(pairs[target]) / len(pairs[target]) if pairs[target] else None,
            sum(item.judges > 1 for item in items),
        )
        for target, items in sorted(judged.items())
    ]


def document_stars(judged: Iterable[JointJudgement]) -> dict[str, float]:
    """Return the mean stars of every document that has any."""
    stars = grouped((item.document, item.stars) for item in judged if item.stars is not None)
    return {document: sum(values) / len(values) for document, values in stars.items()}
