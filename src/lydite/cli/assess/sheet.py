"""``lydite assess sheet``: what an assessor fills in."""

from __future__ import annotations

from pathlib import Path

import click

from lydite.assess import sheets
from lydite.assess.guidelines import load_guidelines
from lydite.assess.stores import open_annotation
from lydite.cli.assess import quiet_option, tell, with_warnings
from lydite.cli.option_records import OptionRecord, option, options_from
from lydite.cli.options import refuse_overwriting_input
from lydite.cli.output import second_output
from lydite.cli.verbs import examples_epilog
from lydite.errors import UsageError
from lydite.escaping import counted
from lydite.formats.taxonomy import load_taxonomy
from lydite.formats.texts import open_texts
from lydite.writing import write_file


class _Options(OptionRecord):
    output: str = option("the sheet: *.csv or *.xlsx", "-o", "--output", metavar="FILE", required=True)
    documents: str | None = option("source documents: the sheet then shows the text", metavar="DIR")
    taxonomy: str = option("name or file of the taxonomy", default="kbp2014")
    offsets: str = option(
        "what offsets count",
        type=click.Choice(("character", "utf16")),
        default="character",
        show_default=False,
    )
    guidelines: str = option(
        "guidelines that the sheet carries: a name, a file, or none", default="kbp2014", metavar="NAME"
    )
    unassessed: bool = option("only the lines that nobody assessed yet")


@click.command(
    "sheet",
    epilog=examples_epilog("lydite assess sheet annotation/ --documents texts/ --unassessed -o sheet.xlsx"),
)
@click.argument("annotation")
@options_from(_Options)
@quiet_option
def command(annotation: str, options: _Options) -> None:
    """Write the lines of an annotation store as a sheet, with text, sentences, definitions and datelines.

    The guidelines are a second page of an .xlsx file; beside a .csv file they are FILE.guidelines.txt.
    """
    output = options.output
    endings = sheets.WRITERS.items()
    writer = next((writer for ending, writer in endings if output.lower().endswith(f".{ending}")), None)
    if writer is None:
        raise UsageError(f"-o {output}: a sheet is a .csv or an .xlsx file")
    documents = options.documents
    refuse_overwriting_input([annotation, documents], output)
    if Path(output).resolve().is_relative_to(Path(annotation).resolve()):
        hint = "name a place outside of it"
        raise UsageError(f"-o {output}: the store would hold it as a document", hint=hint)
    texts = open_texts(documents, utf16=options.offsets == "utf16") if documents else None
    named = options.guidelines
    guidelines = load_guidelines(named) if named != "none" else None
    store, taxonomy = with_warnings(open_annotation(annotation)), load_taxonomy(options.taxonomy)
    lines = list(sheets.sheet_lines(store, taxonomy, texts, only_unassessed=options.unassessed))
    aside = f"{output}.guidelines.txt" if guidelines is not None and writer is sheets.write_csv else None
    with second_output(aside, lambda: guidelines.text() if guidelines is not None else ""):
        write_file(output, writer(lines, guidelines))
    tell(f"{counted(len(lines) - 1, 'line')}: {output}")
