"""Which format the files of records have."""

from __future__ import annotations

import os

from lydite.tasks.records.settings import RecordSettings


def choose_format(_settings: RecordSettings, path: str) -> str | None:
    """A folder of JSON files, one JSON document, or lines; None where the name says otherwise."""
    if os.path.isdir(path):  # noqa: PTH112 - a plain path
        return "records-folder"
    name = path.lower().removesuffix(".gz")
    if name.endswith(".lydite.jsonl"):
        return None
    if name.endswith(".json"):
        return "records-json"
    return "records-jsonl"
