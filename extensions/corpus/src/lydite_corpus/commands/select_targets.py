"""``lydite corpus select-targets``."""

from __future__ import annotations

from collections.abc import Sequence

import click

from lydite.cli.output import write_json_or_text, write_output
from lydite.cli.parameters import POSITIVE, TEXT, text_or_json_option
from lydite.errors import UsageError
from lydite.report.tables import Table
from lydite.report.text import plain_text
from lydite_corpus.index import open_index
from lydite_corpus.judgements import JointJudgement, merge_entries, read_entries, resolve
from lydite_corpus.profiles import TargetProfile, read_profiles
from lydite_corpus.targets import (
    Candidate,
    Minimum,
    choose_targets,
    opinions_of,
    parse_minimum,
    profile_lines,
    rate_candidates_in,
)

EPILOG = """\b
Examples:
  lydite corpus select-targets index/ targets.jsonl --judgements j.jsonl --count 250 --min alias=60,confusable=30
  lydite corpus select-targets index/ targets.jsonl --per-language --min ar:variant=20 -o chosen.jsonl
"""


MARKS = {"alias": "a", "variant": "v", "confusable": "c", "crosslingual": "x"}
"""The letters that stand for properties of targets in the table."""


@click.command("select-targets", epilog=EPILOG)
@click.argument("index")
@click.argument("targets")
@click.option(
    "--judgements",
    multiple=True,
    type=TEXT,
    metavar="FILE",
    help="judgements, JSON lines or SQLite; may be repeated",
)
@click.option("--count", type=POSITIVE, default=250, help="targets to choose, at most")
@click.option(
    "--documents",
    type=POSITIVE,
    default=10000,
    help="documents that will be chosen later (K): in so many, a target must be expected 5 to 100 times",
)
@click.option(
    "--min",
    "minimums",
    multiple=True,
    type=TEXT,
    metavar="[LANG:]WHAT=N,…",
    help="at least N targets with alias, variant, confusable, crosslingual, or of a type; may be repeated",
)
@click.option("--per-language", is_flag=True, help="apply the count and the minimums to each language")
@click.option("-o", "--output", type=TEXT, metavar="FILE", help="write the profiles of the chosen targets")
@text_or_json_option
def command(
    index: str,
    targets: str,
    *,
    judgements: tuple[str, ...],
    count: int,
    documents: int,
    minimums: tuple[str, ...],
    per_language: bool,
    output: str | None,
    layout: str,
) -> None:
    """Choose the targets with the largest total utility that satisfy the minimums, by an exact 0/1 programme.

    Minimums that cannot be satisfied are refused, with the smallest relaxation that can be (exit status 3).
    """
    profiles = read_targets(targets)
    required = [parse_minimum(text, profiles) for texts in minimums for text in texts.split(",")]
    opened = open_index(index)
    opinions = opinions_of(read_joint_judgements(judgements))
    pool = rate_candidates_in(opened, profiles, opinions, documents)
    chosen = choose_targets(pool, count, required, per_language=per_language)
    if output:
        write_output(profile_lines(chosen), output)
    document = {
        "schema": "lydite.target-selection/1",
        "chosen": [candidate.id for candidate in chosen],
        "utility": sum(candidate.utility for candidate in chosen),
        "candidates": [candidate.to_dict() for candidate in pool],
    }
    write_json_or_text(layout, document, _report(pool, chosen, required))


def read_targets(path: str) -> list[TargetProfile]:
    """Read target profiles from a file; refuse an empty one."""
    profiles = read_profiles(path)
    if not profiles:
        raise UsageError(f"{path}: expected target profiles, found none", hint="one JSON object per line")
    return profiles


def read_joint_judgements(files: Sequence[str]) -> list[JointJudgement]:
    """Read files of judgements and resolve them: one for each target and document."""
    return resolve(merge_entries({path: read_entries(path) for path in files}))


def _report(pool: Sequence[Candidate], chosen: Sequence[Candidate], minimums: Sequence[Minimum]) -> str:
    rows = tuple(
        (
            candidate.id,
            candidate.profile.handle,
            "".join(mark for name, mark in MARKS.items() if name in candidate.properties),
            str(candidate.mentions),
            f"{candidate.expected:.1f}",
            f"{candidate.stars:.2f}",
            f"{candidate.utility:.2f}",
        )
        for candidate in chosen
    )
    columns = ("target", "handle", "has", "mentions", "expected", "stars", "utility")
    lines = [plain_text(Table("targets", columns, rows, text_columns=3)), ""]
    lines.append("has: " + ", ".join(f"{mark} {name}" for name, mark in MARKS.items()))
    out = sum(not candidate.in_band for candidate in pool)
    total = sum(candidate.utility for candidate in chosen)
    lines.append(
        f"{len(chosen)} of {len(pool)} candidates, utility {total:.2f}; {out} out of the band of 5 to 100 mentions"
    )
    lines += [f"minimum {minimum}: {sum(map(minimum.matches, chosen))} chosen" for minimum in minimums]
    return "\n".join(lines) + "\n"
