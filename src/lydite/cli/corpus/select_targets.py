"""``lydite corpus select-targets``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from lydite.cli.output import encode_json, write_output
from lydite.cli.verbs import OptionValue, text_or_json
from lydite.corpus.index import Index, open_index
from lydite.corpus.judgements import Judged, merge_entries, read_entries, resolve
from lydite.corpus.mentions import count_mentions
from lydite.corpus.profiles import TargetProfile, read_profiles
from lydite.corpus.targets import Candidate, Minimum, candidates, choose_targets
from lydite.errors import UsageError
from lydite.report.tables import Table
from lydite.report.text import plain_text

EPILOG = """\b
Examples:
  lydite corpus select-targets index/ targets.jsonl --judgements j.jsonl --count 250 --min alias=60 --min confusable=30
  lydite corpus select-targets index/ targets.jsonl --per-language --min ar:variant=20 -o chosen.jsonl
"""


MARKS = {"alias": "a", "variant": "v", "confusable": "c", "crosslingual": "x"}
"""How the table shows the properties of targets."""


@click.command("select-targets", epilog=EPILOG)
@click.argument("index")
@click.argument("targets")
@click.option("--judgements", multiple=True, metavar="FILE", help="JSON lines or SQLite; may be repeated")
@click.option(
    "--count", type=click.IntRange(1), default=250, show_default=True, help="so many targets, at most"
)
@click.option(
    "--documents",
    type=click.IntRange(1),
    default=10000,
    show_default=True,
    help="how many documents will be chosen (K): a target must be expected 5 to 100 times in them",
)
@click.option(
    "--min",
    "minimums",
    multiple=True,
    metavar="[LANG:]WHAT=N",
    help="at least N with alias, variant, confusable, crosslingual, or of a type; may be repeated",
)
@click.option("--per-language", is_flag=True, help="count and minimums hold for each language")
@click.option("-o", "--output", metavar="FILE", help="write the profiles of the chosen targets there")
@text_or_json
def command(index: str, targets: str, **options: OptionValue) -> None:
    """Choose the targets of the largest total utility under minimums: exactly, by a 0/1 programme.

    Minimums that cannot be kept are refused, with the smallest relaxation that can (exit status 3).
    """
    profiles = targets_in(targets)
    minimums = [minimum_of(text, profiles) for text in options["minimums"]]
    opened = open_index(index)
    pool = candidates_of(opened, profiles, judged_in(options["judgements"]), options["documents"])
    chosen = choose_targets(pool, options["count"], minimums, per_language=options["per_language"])
    if options["output"]:
        write_output(profile_lines(chosen), options["output"])
    if options["layout"] == "json":
        document = {
            "schema": "lydite.target-selection/1",
            "chosen": [candidate.id for candidate in chosen],
            "utility": sum(candidate.utility for candidate in chosen),
            "candidates": [candidate.to_dict() for candidate in pool],
        }
        write_output(encode_json(document), None)
        return
    write_output(_report(pool, chosen, minimums), None)


def minimum_of(text: str, profiles: Sequence[TargetProfile]) -> Minimum:
    """``[LANG:]WHAT=N``."""
    from lydite.corpus.targets import PROPERTIES
    from lydite.registry import did_you_mean

    found = re.fullmatch(r"(?:([^:=]+):)?([^:=]+)=(\d+)", text)
    if found is None:
        raise UsageError(f"--min {text}: expected [LANG:]WHAT=N, such as alias=60 or ar:variant=20")
    language, what, count = found.groups()
    known = [*PROPERTIES, *sorted({profile.type for profile in profiles if profile.type})]
    if what not in known:
        hint = did_you_mean(what, known) or f"one of {', '.join(known)}"
        raise UsageError(f"--min {text}: no property or type {what!r}", hint=hint)
    return Minimum(what, int(count), language or "")


def targets_in(path: str) -> list[TargetProfile]:
    """The targets of a file that must hold some."""
    profiles = read_profiles(path)
    if not profiles:
        raise UsageError(f"{path}: expected target profiles, found none", hint="one JSON object per line")
    return profiles


def judged_in(files: Sequence[str]) -> list[Judged]:
    """What the judges of these files say together."""
    return resolve(merge_entries({path: read_entries(path) for path in files}))


def candidates_of(
    index: Index, profiles: Sequence[TargetProfile], judged: Sequence[Judged], documents: int
) -> list[Candidate]:
    """The candidates, counted in an index from which so many documents will be chosen."""
    mentions: Counter[str] = Counter()
    holding: Counter[str] = Counter()
    for found in count_mentions(index, [profile.names for profile in profiles]):
        counts: Counter[str] = Counter()
        for (target, _), count in found.counts.items():
            counts[profiles[target].id] += count
        mentions.update(counts)
        holding.update(counts.keys())
    share = min(1.0, documents / len(index)) if len(index) else 0.0
    return candidates(
        profiles, {one.id: (mentions[one.id], holding[one.id]) for one in profiles}, judged, share=share
    )


def profile_lines(chosen: Sequence[Candidate]) -> str:
    """The profiles of targets as they were given, with the status ``target``."""
    import json

    lines = [{**(candidate.profile.data or {}), "status": "target"} for candidate in chosen]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


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
    for minimum in minimums:
        held = [
            one for one in chosen
            if (minimum.what in one.properties or minimum.what == one.profile.type)
            and (not minimum.language or minimum.language in one.profile.languages)
        ]  # fmt: skip
        lines.append(f"minimum {minimum}: {len(held)} chosen")
    return "\n".join(lines) + "\n"


def must_not_exist(path: str) -> None:
    """Nothing that is there is overwritten by a folder."""
    if Path(path).exists():
        raise UsageError(f"{path}: exists already", hint="name another folder, or remove it")
