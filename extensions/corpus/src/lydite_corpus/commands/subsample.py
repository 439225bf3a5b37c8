"""``lydite corpus subsample``."""

from __future__ import annotations

import click

from lydite.cli.output import second_output, show_findings, write_output
from lydite.cli.parameters import POSITIVE, TEXT, text_or_json_option, verbosity_options
from lydite.cli.verbs import examples_epilog
from lydite.errors import Finding, FormatError, refuse
from lydite.escaping import counted, first_of, in_bytes
from lydite.formats.json_values import NotJSONError, json_value
from lydite.formats.text import whole_text
from lydite_corpus.commands.select_documents import selection_report, strata_of
from lydite_corpus.commands.select_targets import read_joint_judgements, read_targets
from lydite_corpus.index import Index, open_index
from lydite_corpus.quality_page import page
from lydite_corpus.selection import SCHEMA, SelectionPlan, select_documents
from lydite_corpus.targets import opinions_of, profile_lines, rate_candidates_in, subsample_targets


@click.command(
    "subsample",
    epilog=examples_epilog(
        "lydite corpus subsample index/ targets.jsonl --selection selection.json --targets 50 --count 400 --seed 7"
    ),
)
@click.argument("index")
@click.argument("targets")
@click.option(
    "--selection",
    type=TEXT,
    metavar="FILE",
    help="choose from these documents (JSON of select-documents); without it, from the whole index",
)
@click.option("--targets", "target_count", type=POSITIVE, default=50, help="targets to draw")
@click.option("--count", type=POSITIVE, default=400, help="documents to choose")
@click.option("--strata", default="genre,lang", metavar="A,B", help="keep these proportions of the pool")
@click.option(
    "--judgements",
    multiple=True,
    type=TEXT,
    metavar="FILE",
    help="judgements with stars of documents; may be repeated",
)
@click.option("--seed", type=int, default=0, help="seed for the random draws")
@click.option("--targets-output", type=TEXT, metavar="FILE", help="write the profiles of the drawn targets")
@click.option("--page", "page_file", type=TEXT, metavar="FILE", help="also write the report as an HTML page")
@click.option("-o", "--output", type=TEXT, metavar="FILE", help="write the result to this file")
@text_or_json_option
@verbosity_options
def command(
    index: str,
    targets: str,
    *,
    selection: str | None,
    target_count: int,
    count: int,
    strata: str,
    judgements: tuple[str, ...],
    seed: int,
    targets_output: str | None,
    page_file: str | None,
    output: str | None,
    layout: str,
    quiet: bool,
    verbose: bool,
) -> None:
    """Draw a random sample of targets, stratified by their properties, and choose documents for them.

    Confusable groups are drawn as a whole.  Documents are chosen as by select-documents; targets with fewer than 5
    mentions in them are reported.
    """
    profiles = read_targets(targets)
    opened = open_index(index)
    judged = read_joint_judgements(judgements)
    among = _selected(selection, opened) if selection else None
    size = len(opened) if among is None else len(among)
    pool = rate_candidates_in(opened, profiles, opinions_of(judged), size)
    chosen = subsample_targets(pool, target_count, seed)
    kept = {candidate.id for candidate in chosen}
    sample = select_documents(
        opened,
        [profile for profile in profiles if profile.id in kept],
        SelectionPlan(count, strata=strata_of(strata), seed=seed),
        judged=judged,
        among=among,
    )
    findings = []
    for target in sample.quality.targets:
        if target.mentions < sample.quality.lower:
            expected = f"at least {counted(sample.quality.lower, 'mention')} of {target.target}"
            message = f"expected {expected}, found {target.mentions} (of {target.pool} in the pool)"
            findings.append(Finding("target-below-minimum", "warning", message, item=target.target))
    show_findings(findings, show_all=verbose, quiet=quiet)
    with (
        second_output(targets_output, lambda: profile_lines(chosen)),
        second_output(page_file, lambda: page(sample, "Subsample")),
    ):
        write_output(selection_report(sample, (), layout), output)


def _selected(path: str, index: Index) -> set[str]:
    """Read the documents of a selection; refuse it if the index lacks one of them."""
    chosen = read_selection(path)
    if absent := sorted(chosen.difference(record.id for record in index.records()), key=in_bytes):
        message = f"expected documents of {index.path}, found {len(absent)} that it does not have: {first_of([repr(name) for name in absent])}"
        raise refuse(path, "bad-selection", message, hint="name the index from which they were chosen")
    return chosen


def read_selection(path: str) -> set[str]:
    """Read the documents of a selection that select-documents wrote as JSON."""
    try:
        document = json_value(whole_text(path))
    except NotJSONError as error:
        raise _no_selection(path, f"broken JSON: {error}") from None
    chosen = document.get("documents") if isinstance(document, dict) else None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA or not isinstance(chosen, list):
        raise _no_selection(path, "something else")
    for entry in chosen:
        if not isinstance(entry, dict) or not isinstance(entry.get("document"), str):
            raise _no_selection(path, f"{entry!r:.60} among the documents")
    return {entry["document"] for entry in chosen}


def _no_selection(path: str, found: str) -> FormatError:
    message = f"expected what select-documents --format json writes ({SCHEMA}), found {found}"
    return refuse(path, "bad-selection", message)
