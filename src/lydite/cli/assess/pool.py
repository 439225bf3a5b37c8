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
from lydite.cli.assess import holding, quiet_option, tell, with_warnings
from lydite.cli.option_records import POSITIVE, OptionRecord, option, options_from
from lydite.cli.options import refuse_overwriting_input
from lydite.cli.verbs import examples_epilog
from lydite.errors import UsageError
from lydite.escaping import counted
from lydite.facade.runs import runs_in
from lydite.formats.eal import write_system_file
from lydite.formats.quote_filters import read_quote_filter


class _Options(OptionRecord):
    runs: str | None = option("each entry of DIR is a system", metavar="DIR")
    output: str = option(
        "the pool; its manifest lies beside it", "-o", "--output", metavar="STORE", required=True
    )
    filter_path: str | None = option("quote filter to apply first", "--filter", metavar="FILE")
    collapse: Literal["system", "pool", "none"] = option(
        "keep one of arguments that differ in justification alone: per system, over the pool, or all",
        type=click.Choice(("system", "pool", "none")),
        default="system",
    )
    keep_inference: bool = option("also keep arguments with more than one justification")
    top_n: int | None = option("the N most confident arguments of each system", type=POSITIVE, metavar="N")
    append: bool = option(
        "add to the pool that is there: its lines stay, and its manifest keeps who gave them"
    )
    human: tuple[str, ...] = option("mark a system as a human run in the manifest", metavar="SYSTEM")


@click.command(
    "pool",
    epilog=examples_epilog(
        "lydite assess pool run1/ run2.zip --filter quotes.filter -o pool/",
        "lydite assess pool --runs runs/ --human linguist --top-n 100 -o pool/",
    ),
)
@click.argument("systems", nargs=-1, metavar="SYSTEM…")
@options_from(_Options)
@quiet_option
def command(systems: tuple[str, ...], options: _Options) -> None:
    """Pool the output of systems: what the assessors will see.

    The manifest STORE.manifest.json says who gave what and what was left out; it is not for assessors.
    """
    paths = [*systems, *([*runs_in(options.runs).paths] if options.runs else [])]
    if not paths:
        raise UsageError("lydite assess pool needs at least one system")
    stores = [with_warnings(store) for store in open_systems(paths)]
    for human in options.human:
        meant = [store for store in stores if human in {store.name, store.path}]
        if len(meant) != 1:
            why = "several systems have this name" if meant else "no such system"
            raise UsageError(f"--human {human}: {why}", hint=f"systems: {', '.join(distinct_names(stores))}")
    target = options.output
    refuse_overwriting_input(paths, target)
    rules = pooling.PoolRules(options.collapse, options.keep_inference, options.top_n)
    filtered = read_quote_filter(options.filter_path) if options.filter_path else None
    counts = [0, 0]
    with holding(target), new_manifest(target) as manifest:
        is_added_to = options.append and Path(target).exists()
        pooled = pooling.pool(
            stores,
            rules,
            quote_filter=filtered,
            human=options.human,
            earlier=with_warnings(open_system(target)) if is_added_to else None,
            manifest=read_manifest(target) if is_added_to else NO_MANIFEST,
        )
        # The manifest is written as documents stream by: it may be larger than memory.
        manifest.stream.write(_as_json(pooled.head)[:-1] + b', "documents": {')
        files = _files(pooled, manifest.stream, counts)
        write_store(target, files, owned=options.append, manifest=manifest)
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
