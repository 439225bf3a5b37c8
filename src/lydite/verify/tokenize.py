"""The token table cases: a text, perhaps annotated, and the table that the official maker writes."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from lydite.errors import InvalidInput
from lydite.token_tables import make_tables
from lydite.verify.cases import Case, Found

TEXT, ANNOTATION, TABLE = "text.txt", "annotation.ann", "expected.tab"


def tokenize(case: Case) -> Found:
    """``nugget.tokenize``: tokens with offsets, warnings, and the table byte for byte.

    Other blocks are information: what the maker gives where it breaks its own rule, its UTF-16 offsets, what other
    versions of the tokeniser do.
    """
    doc_id = str(case.options.get("doc_id", case.folder.name))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        annotated = (case.folder / ANNOTATION).exists()
        shutil.copy(case.path(TEXT), folder / f"{doc_id}.txt")
        if annotated:
            shutil.copy(case.path(ANNOTATION), folder / f"{doc_id}.ann")
        chosen = {"separators": case.options["separators"]} if "separators" in case.options else {}
        outcome = make_tables([folder], folder, annotation=folder if annotated else None, **chosen)
        if not outcome.written:
            raise InvalidInput(outcome.findings)
        text = (folder / f"{doc_id}.txt").read_bytes().decode("utf-8")
        table = (folder / f"{doc_id}.tab").read_bytes()
    blocks: dict[str, object] = {
        "tokens": _tokens(table, text),
        "warnings": [finding.message for finding in outcome.findings if finding.code == "boundary-mismatch"],
    }
    files = {TABLE: table} if (case.folder / TABLE).exists() else {}
    return Found(blocks, files=files)


def _tokens(table: bytes, text: str) -> list[list[object]]:
    """Begin, end and text of each token; the text as it stands in the document, which a table may not show."""
    rows = [row.split("\t") for row in table.decode("utf-8").split("\n")[:-1]]
    places = [(int(begin), int(end)) for *_, begin, end in rows]
    return [[begin, end, text[begin:end]] for begin, end in places]
