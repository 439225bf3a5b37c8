"""``lydite assess quote-filter``: build a filter from source documents, apply one to a store."""

from __future__ import annotations

import click

from lydite.assess import quote_filter
from lydite.assess.stores import open_system, refuse_linking
from lydite.assess.writing import is_among, write_store
from lydite.cli.assess import holding, tell, with_warnings
from lydite.cli.options import refuse_overwriting_input
from lydite.cli.verbs import examples_epilog
from lydite.errors import UsageError
from lydite.escaping import counted
from lydite.formats.quote_filters import read_quote_filter, write_quote_filter
from lydite.formats.texts import open_texts
from lydite.writing import write_file


@click.command(
    "quote-filter",
    epilog=examples_epilog(
        "lydite assess quote-filter --documents texts/ -o quotes.filter",
        "lydite assess quote-filter run1/ --filter quotes.filter -o run1-filtered/",
    ),
)
@click.argument("store", required=False)
@click.option("--documents", metavar="DIR", help="source documents to build the filter from")
@click.option("--filter", "filter_path", metavar="FILE", help="a filter file to apply")
@click.option(
    "--offsets", type=click.Choice(("character", "utf16")), default="character", help="what offsets count"
)
@click.option("-o", "--output", metavar="PATH", required=True, help="the filter file, or the filtered store")
def command(
    store: str | None, documents: str | None, filter_path: str | None, offsets: str, output: str
) -> None:
    """Build a quote filter from source documents, or apply one to a store."""
    if (documents is None) == (filter_path is None):
        raise UsageError("give --documents to build a filter or --filter to apply one")
    if filter_path is not None:
        if store is None:
            raise UsageError("applying a filter needs a store")
        chosen = read_quote_filter(filter_path)
    else:
        chosen = quote_filter.build(open_texts(str(documents), utf16=offsets == "utf16"))
    if store is None:
        refuse_overwriting_input([documents], output)
        write_file(output, write_quote_filter(chosen))
        regions = sum(map(len, chosen.values()))
        tell(f"{counted(len(chosen), 'document')}, {counted(regions, 'quoted region')}: {output}")
        return
    with holding(output, existing=(store,)):
        opened = with_warnings(open_system(store))
        refuse_linking(opened)
        files, removed = quote_filter.apply(chosen, opened)
        write_store(output, files.items(), owned=is_among(output, (store,)))
    tell(
        f"{counted(len(files), 'document')}, {counted(sum(removed.values()), 'line')} from quotes removed: {output}"
    )
