"""``lydite assess pool``: the union of what systems found."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Literal

import click

from lydite.assess import pooling
from lydite.assess.manifests import NO_MANIFEST, read_manifest
from lydite.assess.stores import distinct_names, open_system, open_systems
from lydite.assess.writing import new_manifest, write_store
from lydite.cli.assess import holding, tell, with_warnings
from lydite.cli.options import refuse_overwriting_input
from lydite.cli.parameters import POSITIVE, TEXT
from lydite.cli.verbs import examples_epilog
from lydite.errors import UsageError
from lydite.escaping import counted
from lydite.facade.runs import runs_in
from lydite.formats.eal import write_system_file
from lydite.formats.quote_filters import read_quote_filter


@click.command(
    "pool",
    epilog=examples_epilog(
        "lydite assess pool run1/ run2.zip --filter quotes.filter -o pool/",
        "lydite assess pool --runs runs/ --human linguist --top-n 100 -o pool/",
    ),
)
@click.argument("systems", nargs=-1, metavar="SYSTEM…")
@click.option("--runs", type=TEXT, metavar="DIR", help="each entry of DIR is a system")
@click.option(
    "-o", "--output", type=TEXT, required=True, metavar="STORE", help="the pool; its manifest lies beside it"
)
@click.option("--filter", "filter_path", type=TEXT, metavar="FILE", help="quote filter to apply first")
@click.option(
    "--collapse",
    type=click.Choice(("system", "pool", "none")),
    default="system",
    help="keep one of arguments that differ in justification alone: per system, over the pool, or all",
)
@click.option("--keep-inference", is_flag=True, help="also keep arguments with more than one justification")
@click.option("--top-n", type=POSITIVE, metavar="N", help="the N most confident arguments of each system")
@click.option(
    "--append",
    is_flag=True,
    help="add to the pool that is there: its lines stay, and its manifest keeps who gave them",
)
@click.option(
    "--human", multiple=True, type=TEXT, metavar="SYSTEM", help="mark a system as a human run in the manifest"
)
def command(
    systems: tuple[str, ...],
    *,
    runs: str | None,
    output: str,
    filter_path: str | None,
    collapse: Literal["system", "pool", "none"],
    keep_inference: bool,
    top_n: int | None,
    append: bool,
    human: tuple[str, ...],
) -> None:
    """Pool the output of systems: what the assessors will see.

    The manifest STORE.manifest.json says who gave what and what was left out; it is not for assessors.
    """
    paths = [*systems, *([*runs_in(runs).paths] if runs else [])]
    if not paths:
        raise UsageError("lydite assess pool needs at least one system")
    stores = [with_warnings(store) for store in open_systems(paths)]
    for name in human:
        meant = [store for store in stores if name in {store.name, store.path}]
        if len(meant) != 1:
            why = "several systems have this name" if meant else "no such system"
            raise UsageError(f"--human {name}: {why}", hint=f"systems: {', '.join(distinct_names(stores))}")
    target = output
    refuse_overwriting_input(paths, target)
    rules = pooling.PoolRules(collapse, keep_inference, top_n)
    filtered = read_quote_filter(filter_path) if filter_path else None
    counts = [0, 0]
    with holding(target), new_manifest(target) as manifest:
        is_added_to = append and Path(target).exists()
        pooled = pooling.pool(
            stores,
            rules,
            quote_filter=filtered,
            human=human,
            earlier=with_warnings(open_system(target)) if is_added_to else None,
            manifest=read_manifest(target) if is_added_to else NO_MANIFEST,
        )
        # The manifest is written as documents stream by: it may be larger than memory.
        manifest.stream.write(_as_json(pooled.head)[:-1] + b', "documents": {')
        files = _files(pooled, manifest.stream, counts)
        write_store(target, files, owned=append, manifest=manifest)
    tell(
        f"{counted(len(stores), 'system')}, {counted(counts[0], 'document')}, {counted(counts[1], 'argument')}: {target}"
    )


def _files(pooled: pooling.PoolStream, stream: IO[bytes], counts: list[int]) -> Iterator[tuple[str, bytes]]:
    for document in pooled.documents:
        stream.write(b",\n" if counts[0] else b"\n")
        stream.write(_as_json(document.doc_id) + b": " + _as_json(document.entry))
        counts[0] += 1
        counts[1] += len(document.answers)
        yield document.doc_id, write_system_file(document.answers)
    stream.write(b"}")


def _as_json(value: object) -> bytes:
    """A value as JSON; half of a surrogate pair, which stands for a byte of a name that is no UTF-8, as its escape in words."""
    said = json.dumps(value, ensure_ascii=False)
    return re.sub("[\ud800-\udfff]", lambda half: rf"\\u{ord(half[0]):04x}", said).encode()
