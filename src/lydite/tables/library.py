"""Tables of the library: objects in memory as corpora, beside the files of the command."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from lydite.formats.base import Options, list_option
from lydite.formats.source import Source, open_source
from lydite.model import Corpus
from lydite.tables.columns import parse_columns
from lydite.tables.format import corpus_of, read
from lydite.tables.pieces import pieces_of_object
from lydite.tables.table import open_table

if TYPE_CHECKING:
    import dask.dataframe as dd


def corpus_of_object(table: object, name: str, options: Options) -> Corpus:
    """A path, several paths, or a table in memory, as a corpus of that name."""
    if isinstance(table, str | os.PathLike):
        return read(open_source(table), options)
    if isinstance(table, Sequence):
        sources = [open_source(path) for path in table]
        return read(Source(name, tuple(part for source in sources for part in source.parts)), options)
    pieces = pieces_of_object(table, name)
    # Asking the class would import Dask, which most tables do not need: its module says what the table is.
    frame = cast("dd.DataFrame", table) if type(table).__module__.startswith("dask") else None
    opened, findings = open_table(pieces, name, parse_columns(list_option(options, "table-columns")), frame)
    if opened is None:
        return Corpus(name, {}, name, "table", findings=tuple(findings))
    return corpus_of(opened, options, name)
