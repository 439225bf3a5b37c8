from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lydite_corpus.index import Index, build, open_index

ROOT = Path(__file__).parents[4]


@pytest.fixture(scope="session")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example collection, in a size that is quick to index."""
    folder = tmp_path_factory.mktemp("collection")
    script = ROOT / "examples" / "build_collection.py"
    subprocess.run(
        [sys.executable, str(script), str(folder), "--documents", "600"], check=True, capture_output=True
    )
    return folder


@pytest.fixture(scope="session")
def truth(collection: Path) -> dict[str, Any]:
    return dict(json.loads((collection / "truth.json").read_text(encoding="utf-8")))


@pytest.fixture(scope="session")
def indexed(collection: Path) -> Index:
    build([str(collection / "documents.jsonl")], collection / "index")
    return open_index(collection / "index")
