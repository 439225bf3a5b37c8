"""``lydite corpus merge``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from lydite.adjudication.files import text_reader
from lydite.cli.output import show_findings, write_json_or_text
from lydite.cli.parameters import POSITIVE, TEXT, text_or_json_option, verbosity_options
from lydite.errors import Finding, InvalidInput, UsageError, errors_among
from lydite.escaping import counted
from lydite.formats import FORMATS
from lydite.formats.source import open_source
from lydite.registry import did_you_mean
from lydite.writing import write_folder
from lydite_corpus.merge import State, entities_of, read_log, replay
from lydite_corpus.merge_export import find_conflicts, global_ids, merged_files, read_corpus
from lydite_corpus.proposals import Proposer

EPILOG = """\b
Examples:
  lydite corpus merge gold/ --propose 'XIN_0001#E1' --texts texts/
  lydite corpus merge gold/ --log merges.jsonl
  lydite corpus merge gold/ --log merges.jsonl -o merged/
"""


@click.command("merge", epilog=EPILOG)
@click.argument("gold")
@click.option(
    "--log", type=TEXT, metavar="FILE", help="the merge log, JSON lines; without it nothing is merged"
)
@click.option(
    "--propose",
    "member",
    type=TEXT,
    metavar="DOC#ENTITY",
    help="list candidates for merging with this entity, best first",
)
@click.option("--limit", type=POSITIVE, default=10, help="proposals to list, at most")
@click.option(
    "--texts",
    type=TEXT,
    metavar="DIR",
    help="folder with the texts, <document>.txt, for the contexts of proposals",
)
@click.option(
    "--majority", "by_majority", is_flag=True, help="where TYPE, SUBTYPE or CLASS conflict, use the majority"
)
@click.option("-o", "--output", type=TEXT, metavar="DIR", help="write merged APF to this new folder")
@text_or_json_option
@verbosity_options
def command(
    gold: str,
    *,
    log: str | None,
    member: str | None,
    limit: int,
    texts: str | None,
    by_majority: bool,
    output: str | None,
    layout: str,
    quiet: bool,
    verbose: bool,
) -> None:
    """Merge entities of APF documents by a log, check the result, and write it with global entity ids.

    Nothing is written while members of a global entity conflict (exit status 3).  Only entity ids and the arguments that
    refer to them change; mention ids do not.
    """
    if member and output:
        hint = "leave -o out"
        raise UsageError("--propose lists candidates, -o writes merged APF: use only one of them", hint=hint)
    source = open_source(gold, extensions=FORMATS["apf"].extensions)
    corpus = read_corpus(source)
    entities = entities_of(corpus)
    operations = read_log(log) if log else []
    state = replay(entities, operations, log or "")
    if member:
        proposer = Proposer(entities, text_reader(texts))
        if member not in entities:
            near = did_you_mean(member, list(entities))
            raise UsageError(f"no entity {member!r}; it is written DOCUMENT#ENTITY", hint=near)
        proposals = proposer.propose(member, state, limit)
        document = {
            "schema": "lydite.proposals/1",
            "member": member,
            "proposals": [proposal._asdict() for proposal in proposals],
        }
        lines = [
            f"{proposal.score:.4f}  {proposal.member}  names {proposal.names:.2f}, {'same' if proposal.subtype else 'other'} subtype,"
            f" context {proposal.context:.2f}: {proposal.evidence}"
            for proposal in proposals
        ]
        lines.append(f"{counted(len(proposals), 'proposal')} for {member}")
        write_json_or_text(layout, document, "\n".join(lines) + "\n")
        return
    hint = "use the majority with --majority"
    findings = find_conflicts(corpus, state, entities, gold, by_majority=by_majority, majority_hint=hint)
    if output:
        if errors_among(findings):
            raise InvalidInput(findings)
        if Path(output).exists():
            raise UsageError(f"{output}: already exists", hint="name another folder, or remove it")
        write_folder(output, merged_files(source, state, entities, by_majority=by_majority))
    show_findings(findings, show_all=verbose, quiet=quiet)
    _report(state, global_ids(state, entities), findings, layout, len(operations))


def _report(
    state: State, ids: Mapping[str, str], findings: list[Finding], layout: str, operations: int
) -> None:
    partition = state.partition()
    document = {
        "schema": "lydite.merge/1",
        "operations": operations,
        "entities": [{"id": ids[members[0]], "members": members} for members in partition],
        "rejected": [list(pair) for pair in state.rejected],
        "findings": [finding.to_dict() for finding in findings],
    }
    merged = [members for members in partition if len(members) > 1]
    lines = [f"{ids[members[0]]}: {', '.join(members)}" for members in merged]
    lines.append(
        f"{counted(len(state.group), 'entity', 'entities')} of documents, "
        f"{counted(len(partition), 'global entity', 'global entities')}, {len(merged)} of several members; "
        f"{counted(operations, 'operation')}, {counted(len(findings), 'conflict')}"
    )
    write_json_or_text(layout, document, "\n".join(lines) + "\n")
