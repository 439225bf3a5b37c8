"""``lydite assess status``: how far the assessment has come."""

from __future__ import annotations

from dataclasses import asdict, astuple

import click

from lydite.assess.status import DocumentStatus, status, total
from lydite.assess.stores import distinct_names, open_annotation, open_systems
from lydite.cli.assess import with_warnings
from lydite.cli.output import write_json_or_text
from lydite.cli.parameters import text_or_json_option
from lydite.cli.verbs import examples_epilog
from lydite.report.tables import Table
from lydite.report.text import plain_text

EPILOG = examples_epilog(
    "lydite assess status annotation/", "lydite assess status annotation/ run1/ run2/ --format json"
)


@click.command("status", epilog=EPILOG)
@click.argument("annotation")
@click.argument("systems", nargs=-1, metavar="[SYSTEM]…")
@text_or_json_option
def command(annotation: str, systems: tuple[str, ...], layout: str) -> None:
    """Show per document how many arguments are pooled, assessed, not assessed, without coreference id.

    With systems: how many of the arguments that decide their scores nobody assessed yet.
    """
    stores = [with_warnings(store) for store in open_systems(systems)]
    documents = list(status(with_warnings(open_annotation(annotation)), stores))
    everything = total(documents, len(stores))
    names = distinct_names(stores)
    entries = [_entry(document, names) for document in documents]
    report = {"schema": "lydite.status/1", "documents": entries, "total": _entry(everything, names)}
    columns = ("document", "pooled", "assessed", "unassessed", "without id", *names)
    figures = map(astuple, [*documents, everything])
    rows = tuple(tuple(map(str, (*counts, *selected))) for *counts, selected in figures)
    write_json_or_text(layout, report, plain_text(Table(annotation, columns, rows)) + "\n")


def _entry(document: DocumentStatus, names: list[str]) -> dict[str, object]:
    return {**asdict(document), "selected": dict(zip(names, document.selected, strict=True))}
