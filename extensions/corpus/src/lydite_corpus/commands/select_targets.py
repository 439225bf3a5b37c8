"""``lydite corpus select-targets``."""

from __future__ import annotations

from collections.abc import Sequence

import click

from lydite.cli.option_records import POSITIVE, TEXT_OR_JSON, OptionRecord, option, options_from
from lydite.cli.output import write_json_or_text, write_output
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


class _Options(OptionRecord):
    judgements: tuple[str, ...] = option("judgements, JSON lines or SQLite; may be repeated", metavar="FILE")
    count: int = option("targets to choose, at most", type=POSITIVE, default=250)
    documents: int = option(
        "documents that will be chosen later (K): in so many, a target must be expected 5 to 100 times",
        type=POSITIVE,
        default=10000,
    )
    minimums: tuple[str, ...] = option(
        "at least N targets with alias, variant, confusable, crosslingual, or of a type; may be repeated",
        "--min",
        metavar="[LANG:]WHAT=N,…",
    )
    per_language: bool = option("apply the count and the minimums to each language")
    output: str | None = option("write the profiles of the chosen targets", "-o", "--output", metavar="FILE")
    layout: str = TEXT_OR_JSON


@click.command("select-targets", epilog=EPILOG)
@click.argument("index")
@click.argument("targets")
@options_from(_Options)
def command(index: str, targets: str, options: _Options) -> None:
    """Choose the targets with the largest total utility that satisfy the minimums, by an exact 0/1 programme.

    Minimums that cannot be satisfied are refused, with the smallest relaxation that can be (exit status 3).
    """
    profiles = read_targets(targets)
    minimums = [parse_minimum(text, profiles) for texts in options.minimums for text in texts.split(",")]
    opened = open_index(index)
    opinions = opinions_of(read_joint_judgements(options.judgements))
    pool = rate_candidates_in(opened, profiles, opinions, options.documents)
    chosen = choose_targets(pool, options.count, minimums, per_language=options.per_language)
    if options.output:
        write_output(profile_lines(chosen), options.output)
    document = {
        "schema": "lydite.target-selection/1",
        "chosen": [candidate.id for candidate in chosen],
        "utility": sum(candidate.utility for candidate in chosen),
        "candidates": [candidate.to_dict() for candidate in pool],
    }
    write_json_or_text(options.layout, document, _report(pool, chosen, minimums))


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
            one.id,
            one.profile.handle,
            "".join(mark for name, mark in MARKS.items() if name in one.properties),
            str(one.mentions),
            f"{one.expected:.1f}",
            f"{one.stars:.2f}",
            f"{one.utility:.2f}",
        )
        for one in chosen
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
