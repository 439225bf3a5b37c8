"""``lydite assess agree``: two assessors side by side."""

from __future__ import annotations

import click

from lydite.assess.agreement import ColumnAgreement, StoreAgreement, agreement
from lydite.assess.stores import open_annotation
from lydite.cli.assess import with_warnings
from lydite.cli.options import refuse_overwriting_input
from lydite.cli.output import write_json_or_text
from lydite.cli.parameters import output_option, text_or_json_option
from lydite.cli.verbs import examples_epilog
from lydite.escaping import counted, printable
from lydite.report.agreement import kappa_text
from lydite.report.tables import Table, percent
from lydite.report.text import plain_text


@click.command("agree", epilog=examples_epilog("lydite assess agree anna/ ben/ -v"))
@click.argument("first")
@click.argument("second")
@text_or_json_option
@output_option
@click.option("-v", "--verbose", is_flag=True, help="list every disagreement")
def command(first: str, second: str, layout: str, output: str | None, verbose: bool) -> None:
    """Compare two annotation stores over the arguments that both assessors judged."""
    refuse_overwriting_input([first, second], output)
    found = agreement(*(with_warnings(open_annotation(path)) for path in (first, second)))
    write_json_or_text(layout, _document(found), _text(found, verbose=verbose), output)


def _text(found: StoreAgreement, *, verbose: bool) -> str:
    rows = tuple(
        (column.name, str(column.total), percent(column.accuracy), kappa_text(column.kappa))
        for column in found.columns
    )
    title = f"{counted(found.judged_by_both, 'argument')} judged by both ({found.judged_by_first} and {found.judged_by_second})"
    score = found.coreference
    blocks = [
        plain_text(Table(title, ("judgement", "judged", "equal %", "kappa"), rows)),
        f"coreference ids, B³: P {percent(score.precision)}  R {percent(score.recall)}  F1 {percent(score.f1)}",
        *(_confusion(column) for column in found.columns if column.total),
        counted(len(found.disagreements), "disagreement")
        + ("" if verbose or not found.disagreements else "; -v lists them"),
    ]
    if verbose:
        blocks.extend(
            f"{printable(entry['argument'])}\n    "
            + "; ".join(f"{name}: {a} / {b}" for name, (a, b) in entry["judgements"].items())
            for entry in found.disagreements
        )
    return "\n\n".join(blocks) + "\n"


def _confusion(column: ColumnAgreement) -> str:
    values = sorted({value for cell in column.cells for value in cell})
    rows = tuple((value, *(str(column.cells.get((value, other), 0)) for other in values)) for value in values)
    return plain_text(Table(f"{column.name}: first down, second across", ("", *values), rows))


def _document(found: StoreAgreement) -> dict[str, object]:
    return {
        "schema": "lydite.agreement/1",
        "judged": {name: getattr(found, f"judged_by_{name}") for name in ("both", "first", "second")},
        "columns": [
            {
                "name": column.name,
                "accuracy": column.accuracy,
                "kappa": column.kappa,
                "confusion": [[first, second, count] for (first, second), count in column.cells.items()],
            }
            for column in found.columns
        ],
        "b_cubed": {name: getattr(found.coreference, name) for name in ("precision", "recall", "f1")},
        "disagreements": list(found.disagreements),
    }
