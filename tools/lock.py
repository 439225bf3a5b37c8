"""The lock: what every recorded case and every example prints, under every shipped profile, as hashes.

``python tools/lock.py check`` compares the outputs with ``tests/lock.txt``, ``write`` writes the file anew.  A figure
that moves is seen here, whichever case records it.  Sentences may change: messages, hints and reasons are left out.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stderr
from pathlib import Path
from tempfile import TemporaryFile

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "tests" / "lock.txt"
CASE_FOLDERS = ("tests/conformance", "tests/conformance-spans", "tests/shipped")
LEFT_OUT = {"version", "settings", "message", "hint", "reason", "note", "notes", "departures"}
"""Keys whose values are written for people, say the version, or list settings, of which there will be more."""
SIDES = (
    ("gold", "system"), ("key", "response"), ("ref", "sys"), ("annotation", "system")
)  # fmt: skip
EXAMPLES = {
    "nugget": ("examples/gold.tbf", "examples/systems/alder.tbf"),
    "coref": ("examples/gold.tbf", "examples/systems/alder.tbf"),
    "spans": ("examples/gold.tbf", "examples/systems/alder.tbf"),
    "ace": ("examples/ace/gold", "examples/ace/systems/alder"),
    "arguments": ("examples/arguments/annotation", "examples/arguments/systems/alder"),
    "triples": ("examples/triples/gold.trp", "examples/triples/system.trp"),
}

OTHER_NAMES = {
    "nugget": {"span_only": "span", "mention_type": "type", "realis_status": "realis"},
    "triples": {"scope": "token-range", "scope-mode": "scope"},
}
"""Words for options and their values, as cases write them, and as the command knows them."""

Run = tuple[str, list[str]]
"""The name of a run, and the words of its command."""


def runs() -> Iterator[Run]:
    """Every run: cases and examples under every profile of their task; the case's own profile in every layout."""
    profiles: dict[str, list[str]] = {}
    for path in sorted((ROOT / "src/lydite/profiles").glob("*/*.toml")):
        if path.stem != "base":
            profiles.setdefault(path.parent.name, []).append(path.stem)
    for task, (gold, system) in EXAMPLES.items():
        for profile in profiles[task]:
            words = [task, gold, system, "--profile", profile]
            yield f"examples {task} {profile} json", ["score", *words, "--format", "json"]
            yield f"examples {task} {profile} explain", ["explain", *words, "--format", "json"]
            yield f"examples {task} {profile} official", ["score", *words, "--format", "official"]
    for folder in CASE_FOLDERS:
        for path in sorted((ROOT / folder).rglob("expected.json")):
            yield from case_runs(path.parent.relative_to(ROOT), json.loads(path.read_bytes()), profiles)


def case_runs(case: Path, expected: Mapping[str, object], profiles: Mapping[str, list[str]]) -> Iterator[Run]:
    """The runs of one case; cases of kinds that are no scores have none."""
    task, _, verb = str(expected["kind"]).partition(".")
    sides = sides_of(case)
    if not verb.startswith("score") or sides is None or task not in profiles:
        return
    words = [task, *sides, *options_of(case, task, expected)]
    if "reading" in expected and task != "triples":
        words += ["--reading", str(expected["reading"])]
    own = expected.get("profile")
    for profile in profiles[task]:
        yield f"{case} {profile} json", ["score", *words, "--profile", profile, "--format", "json"]
        if own in {None, profile}:
            yield f"{case} {profile} explain", ["explain", *words, "--profile", profile, "--format", "json"]
            yield (
                f"{case} {profile} official",
                ["score", *words, "--profile", profile, "--format", "official"],
            )


def sides_of(case: Path) -> tuple[str, str] | None:
    """The paths of gold and system, if the case has both."""
    for names in SIDES:
        paths = [
            sorted(path for path in (ROOT / case).iterdir() if path.name.split(".")[0] == name)
            for name in names
        ]
        if all(paths):
            return str(paths[0][0].relative_to(ROOT)), str(paths[1][0].relative_to(ROOT))
    return None


def options_of(case: Path, task: str, expected: Mapping[str, object]) -> list[str]:
    """The options of a case, as words of a command."""
    words = []
    other_names = OTHER_NAMES.get(task, {})
    options = expected.get("options")
    for name, value in (options if isinstance(options, dict) else {}).items():
        if name == "profile" or isinstance(value, dict):
            continue
        flag = name.replace("_", "-")
        if isinstance(value, bool) and flag not in {"coref", "sequencing"}:
            words.append(f"--{flag}" if value else f"--no-{flag}")
            continue
        if isinstance(value, bool):
            text = "on" if value else "off"
        elif isinstance(value, list):
            text = ",".join(map(str, value))
        else:
            text = "+".join(other_names.get(part, part) for part in str(value).split("+"))
            if text and (ROOT / case / text).exists():
                text = str(case / text)
        words += [f"--{other_names.get(flag, flag)}", text]
    if (ROOT / case / "reference-linking").is_dir():
        words += ["--linking", str(case / "reference-linking")]
    return words


def outcome(run: Run) -> tuple[str, str]:
    """The name of a run and its exit status, with the hash of what it prints if it ends well."""
    name, words = run
    from lydite.cli import run as run_command

    with TemporaryFile() as file, redirect_stderr(io.StringIO()):
        stdout = os.dup(1)
        os.dup2(file.fileno(), 1)
        try:
            status = run_command([*words, "--quiet"])
        finally:
            sys.stdout.flush()
            os.dup2(stdout, 1)
            os.close(stdout)
        file.seek(0)
        printed = file.read()
    digest = hashlib.sha256(normalised(printed)).hexdigest()[:12] if status == 0 else ""
    return name, f"{status} {digest}".strip()


def normalised(printed: bytes) -> bytes:
    """What is printed, without what may change."""
    if not printed.startswith(b"{"):
        return printed
    text = json.dumps(without_what_may_change(json.loads(printed)), sort_keys=True, ensure_ascii=False)
    return re.sub(r"\|v:[^|\"]*", "", text).encode()


def without_what_may_change(value: object) -> object:
    """A JSON value without the keys that are left out."""
    if isinstance(value, dict):
        return {key: without_what_may_change(inner) for key, inner in value.items() if key not in LEFT_OUT}
    return [without_what_may_change(inner) for inner in value] if isinstance(value, list) else value


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the lock, or compare with it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("verb", choices=["check", "write"])
    parser.add_argument("pattern", nargs="?", default="", help="only runs whose name contains this")
    chosen = parser.parse_args(arguments)
    os.chdir(ROOT)
    locked = (
        dict(line.split("\t") for line in LOCK.read_text().splitlines()) if chosen.verb == "check" else {}
    )
    wanted = [run for run in runs() if chosen.pattern in run[0] and (run[0] in locked or not locked)]
    with ProcessPoolExecutor() as pool:
        outcomes = dict(pool.map(outcome, wanted, chunksize=16))
    if chosen.verb == "write":
        # A profile that is not for a case is refused as wrong usage, which says nothing of figures.
        kept = {name: result for name, result in outcomes.items() if result[0] in "03"}
        LOCK.write_text("".join(f"{name}\t{result}\n" for name, result in kept.items()))
        print(f"{len(kept)} runs, {sum(result[0] == '0' for result in kept.values())} of them end well")
        return 0
    differing = [
        name for name in locked if chosen.pattern in name and locked[name] != outcomes.get(name, "not run")
    ]
    for name in differing[:50]:
        print(f"{name}: locked {locked[name]}, now {outcomes.get(name, 'not run')}")
    print(f"{len(outcomes)} runs, {len(differing)} differ from {LOCK.relative_to(ROOT)}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
