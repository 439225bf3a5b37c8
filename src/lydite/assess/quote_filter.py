"""The quote filter: arguments from quoted text are not assessed."""

from __future__ import annotations

from collections.abc import Iterable

from lydite.assess.stores import OpenedStore
from lydite.checks.quotes import is_quoted, quoted_regions
from lydite.errors import Finding, InvalidInput, Location
from lydite.formats.eal import system_columns
from lydite.formats.quote_filters import QuoteFilter, unknown_documents
from lydite.formats.texts import Texts
from lydite.model.argument import Range


def build(texts: Texts) -> QuoteFilter:
    """The regions of all documents; :class:`InvalidInput` if a quote is never closed."""
    regions: dict[str, tuple[Range, ...]] = {}
    findings: list[Finding] = []
    for doc_id in texts.doc_ids:
        quotes = quoted_regions(texts.text(doc_id) or "")
        if quotes.unclosed is not None:
            message, place = f"quote opened at {quotes.unclosed} is never closed", f"{texts.path}/{doc_id}"
            findings.append(Finding("unclosed-quote", "error", message, Location(place), doc_id))
        regions[doc_id] = quotes.regions
    if findings:
        raise InvalidInput(findings)
    return regions


def refuse_unknown_documents(quote_filter: QuoteFilter, stores: Iterable[OpenedStore]) -> None:
    """Raise :class:`InvalidInput` if stores have documents that the filter was not built for."""
    unknown = [
        finding for store in stores for finding in unknown_documents(quote_filter, store.path, store.doc_ids)
    ]
    if unknown:
        raise InvalidInput(unknown)


def apply(quote_filter: QuoteFilter, store: OpenedStore) -> tuple[dict[str, bytes], dict[str, int]]:
    """The files of the store without the lines of quoted arguments, and the number of lines removed from each.

    :class:`InvalidInput` if the store has a document that the filter was not built for.
    """
    refuse_unknown_documents(quote_filter, [store])
    files: dict[str, bytes] = {}
    removed: dict[str, int] = {}
    for doc_id in store.doc_ids:
        rows = store.rows(doc_id)
        kept = [row for row in rows if not is_quoted(row.argument, quote_filter[doc_id])]
        lines_kept = [
            (row.remark, "\t".join(system_columns(row.argument, row.confidence, id_=row.id))) for row in kept
        ]
        files[doc_id] = "".join(f"{line}\n" for lines in lines_kept for line in lines if line).encode("utf-8")
        removed[doc_id] = len(rows) - len(kept)
    return files, removed
