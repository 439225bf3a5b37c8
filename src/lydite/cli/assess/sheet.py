"""``lydite assess sheet``: what an assessor fills in."""

from __future__ import annotations

from pathlib import Path

import click

from lydite.assess import sheets
from lydite.assess.guidelines import load_guidelines
from lydite.assess.stores import open_annotation
from lydite.cli.assess import tell, with_warnings
from lydite.cli.options import refuse_overwriting_input
from lydite.cli.output import second_output
from lydite.cli.parameters import TEXT
from lydite.cli.verbs import examples_epilog
from lydite.errors import UsageError
from lydite.escaping import counted
from lydite.formats.taxonomy import load_taxonomy
from lydite.formats.texts import open_texts
from lydite.writing import write_file


@click.command(
    "sheet",
    epilog=examples_epilog("lydite assess sheet annotation/ --documents texts/ --unassessed -o sheet.xlsx"),
)
@click.argument("annotation")
@click.option("-o", "--output", type=TEXT, required=True, metavar="FILE", help="the sheet: *.csv or *.xlsx")
@click.option("--documents", type=TEXT, metavar="DIR", help="source documents: the sheet then shows the text")
@click.option("--taxonomy", default="kbp2014", help="name or file of the taxonomy")
@click.option(
    "--offsets",
    type=click.Choice(("character", "utf16")),
    default="character",
    show_default=False,
    help="what offsets count",
)
@click.option(
    "--guidelines",
    default="kbp2014",
    metavar="NAME",
    help="guidelines that the sheet carries: a name, a file, or none",
)
@click.option("--unassessed", is_flag=True, help="only the lines that nobody assessed yet")
def command(
    annotation: str,
    *,
    output: str,
    documents: str | None,
    taxonomy: str,
    offsets: str,
    guidelines: str,
    unassessed: bool,
) -> None:
    """Write the lines of an annotation store as a sheet, with text, sentences, definitions and datelines.

    The guidelines are a second page of an .xlsx file; beside a .csv file they are FILE.guidelines.txt.
    """
    endings = sheets.WRITERS.items()
    writer = next((writer for ending, writer in endings if output.lower().endswith(f".{ending}")), None)
    if writer is None:
        raise UsageError(f"-o {output}: a sheet is a .csv or an .xlsx file")
    refuse_overwriting_input([annotation, documents], output)
    if Path(output).resolve().is_relative_to(Path(annotation).resolve()):
        hint = "name a place outside of it"
        raise UsageError(f"-o {output}: the store would hold it as a document", hint=hint)
    texts = open_texts(documents, utf16=offsets == "utf16") if documents else None
    handed = load_guidelines(guidelines) if guidelines != "none" else None
    store = with_warnings(open_annotation(annotation))
    lines = list(sheets.sheet_lines(store, load_taxonomy(taxonomy), texts, only_unassessed=unassessed))
    aside = f"{output}.guidelines.txt" if handed is not None and writer is sheets.write_csv else None
    with second_output(aside, lambda: handed.text() if handed is not None else ""):
        write_file(output, writer(lines, handed))
    tell(f"{counted(len(lines) - 1, 'line')}: {output}")
