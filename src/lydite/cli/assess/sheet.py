"""``lydite assess sheet``: what an assessor fills in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypedDict, Unpack

import click

from lydite.assess import sheets
from lydite.assess.guidelines import Guidelines, load_guidelines
from lydite.assess.stores import open_annotation
from lydite.cli.assess import counted
from lydite.cli.output import say
from lydite.errors import UsageError
from lydite.formats.taxonomy import load_taxonomy
from lydite.formats.texts import open_texts
from lydite.writing import write_file

EPILOG = """\b
Examples:
  lydite assess sheet annotation/ --documents texts/ --unassessed -o sheet.xlsx
"""


class Options(TypedDict):
    """What is said on the command line."""

    documents: str | None
    taxonomy: str
    offsets: str
    guidelines: str
    unassessed: bool


@click.command("sheet", epilog=EPILOG)
@click.argument("annotation")
@click.option("-o", "--output", metavar="FILE", required=True, help="the sheet: *.csv or *.xlsx")
@click.option("--documents", metavar="DIR", help="source documents: the sheet then shows the text")
@click.option("--taxonomy", default="kbp2014", show_default=True, help="name or file of the taxonomy")
@click.option(
    "--offsets", type=click.Choice(("character", "utf16")), default="character", help="what offsets count"
)
@click.option(
    "--guidelines",
    default="kbp2014",
    show_default=True,
    metavar="NAME",
    help="guidelines that the sheet carries: a name, a file, or none",
)
@click.option("--unassessed", is_flag=True, help="only the lines that nobody assessed yet")
def command(annotation: str, output: str, **options: Unpack[Options]) -> None:
    """Write the lines of an annotation store as a sheet, with text, sentences, definitions and datelines.

    The guidelines are a second page of an .xlsx file; beside a .csv file they are FILE.guidelines.txt.
    """
    writers: dict[str, Callable[[Iterable[Sequence[str]], Guidelines | None], bytes]] = {
        ".csv": sheets.write_csv,
        ".xlsx": sheets.write_xlsx,
    }
    writer = next((writer for ending, writer in writers.items() if output.lower().endswith(ending)), None)
    if writer is None:
        raise UsageError(f"-o {output}: a sheet is a .csv or an .xlsx file")
    documents = options["documents"]
    texts = open_texts(documents, utf16=options["offsets"] == "utf16") if documents else None
    named = options["guidelines"]
    guidelines = load_guidelines(named) if named != "none" else None
    maker = sheets.SheetMaker(load_taxonomy(options["taxonomy"]), texts)
    lines = list(maker.lines(open_annotation(annotation), only_unassessed=options["unassessed"]))
    write_file(output, writer(lines, guidelines))
    if guidelines is not None and writer is sheets.write_csv:
        write_file(f"{output}.guidelines.txt", guidelines.text().encode())
    say(f"{counted(len(lines) - 1, 'line')}: {output}")
