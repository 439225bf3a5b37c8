"""Small collections for tests."""

from __future__ import annotations

import json
from pathlib import Path

from lydite_corpus.index import Index, build, open_index


def write_documents(path: Path, **texts: str) -> Path:
    """JSON lines with these texts by id."""
    lines = [json.dumps({"id": doc_id, "text": text}, ensure_ascii=False) for doc_id, text in texts.items()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def index_of(folder: Path, **texts: str) -> Index:
    """An index of these texts by id."""
    build([str(write_documents(folder / "texts.jsonl", **texts))], folder / "index")
    return open_index(folder / "index")
