"""Write the pages and tables that follow from the code: profiles, settings, help texts, metrics, severities.

They are made before every build and are not kept under version control, so they cannot go stale.
Nothing here knows a task by name: what is registered is shown.

    python docs/generate.py        # writes below docs/profiles and docs/_generated
"""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from lydite.checks.ontology import inventories
from lydite.cli import all_verbs
from lydite.cli import run as run_command
from lydite.cli.catalogue import ordered_profiles
from lydite.metrics import METRICS
from lydite.metrics.base import Law
from lydite.pipeline.task import AnyTask
from lydite.profile import AnyProfile, Setting, load_profile, show_value
from lydite.tasks import TASKS

DOCS = Path(__file__).parent
HELP_WIDTH = "100"


def pages() -> dict[str, str]:
    """Every generated file: its path below ``docs`` and its content."""
    made = {"profiles/index.md": _profile_index()}
    for task in TASKS.values():
        for name in ordered_profiles(task):
            made[f"profiles/{task.name}-{name}.md"] = _profile_page(task, _load(task, name))
        made[f"_generated/settings-{task.name}.md"] = _settings_table(task)
        made[f"_generated/profiles-{task.name}.md"] = _matrix(task)
    for verb in all_verbs():
        made[f"_generated/help-{verb}.txt"] = _help(verb)
    made["_generated/help.txt"] = _help()
    made["_generated/metrics.md"] = _metrics()
    made["_generated/types.md"] = _types()
    made["_generated/codes.md"] = _codes()
    made |= {f"_generated/extra/findings/{code}.html": _forward(code) for code in finding_pages()}
    made["_generated/more.md"] = _more()
    return made


def write() -> None:
    """Write what has changed; leave the rest alone, so that Sphinx rebuilds no more than it must."""
    made = pages()
    for name, content in made.items():
        path = DOCS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_text(encoding="utf-8") != content:
            path.write_text(content, encoding="utf-8")
    for path in (DOCS / "profiles").glob("*.md"):
        if f"profiles/{path.name}" not in made:
            path.unlink()


ROOT = DOCS.parent
EXAMPLES = DOCS / "_generated" / "extra" / "examples"
"""The example pages of ``lydite report``; the build copies them as they are."""
_REPORTS = {
    "nugget": ("examples/gold.tbf", "--runs", "examples/systems", "--documents", "examples/text"),
    "arguments": (
        "examples/arguments/annotation",
        "--runs",
        "examples/arguments/systems",
        "--documents",
        "examples/text",
    ),
    "triples": ("examples/triples/gold.trp", "examples/triples/system.trp"),
    "ace": ("examples/ace/gold", "--runs", "examples/ace/systems", "--documents", "examples/text"),
}


def write_examples() -> None:
    """One page per task from the example corpus, as the command writes it."""
    EXAMPLES.mkdir(parents=True, exist_ok=True)
    with chdir(ROOT), TemporaryDirectory() as folder, redirect_stderr(io.StringIO()):
        tokens = ("--tokens", "examples/tokens")
        reports = {
            **_REPORTS,
            "coref": _converted(
                Path(folder) / "coref",
                "examples/gold.tokens.tbf",
                "examples/systems-tokens",
                "conll",
                *tokens,
            ),
            "spans": _converted(
                Path(folder) / "spans", "examples/gold.tbf", "examples/systems", "spans-jsonl"
            ),
        }
        for path in sorted((Path(folder) / "spans").rglob("*.jsonl")):
            _add_texts(path)
        for task, arguments in reports.items():
            _run("report", task, *arguments, "-q", "-o", str(EXAMPLES / f"{task}.html"))


def _converted(folder: Path, gold: str, systems: str, format_name: str, *more: str) -> tuple[str, ...]:
    """The example corpus in another format."""
    (folder / "systems").mkdir(parents=True)
    sources = {
        "gold": gold,
        **{f"systems/{path.stem}": str(path) for path in sorted(Path(systems).glob("*.tbf"))},
    }
    ending = format_name.rpartition("-")[2]
    for name, source in sources.items():
        _run("convert", source, str(folder / f"{name}.{ending}"), "--to", format_name, "-q", *more)
    return str(folder / f"gold.{ending}"), "--runs", str(folder / "systems")


def _add_texts(path: Path) -> None:
    """The texts of the example corpus in lines of labelled spans."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        line["text"] = Path("examples/text", f"{line['doc_id']}.txt").read_bytes().decode("utf-8")
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def _run(*arguments: str) -> None:
    status = run_command([*arguments])
    if status:
        raise SystemExit(f"lydite {' '.join(arguments)}: exit status {status}")


def _load(task: AnyTask, name: str) -> AnyProfile:
    return load_profile(task.name, name, task.settings)


# ------------------------------------------------------------------------------------------------- small parts


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def _cell(text: str) -> str:
    """Text in a table: no bar ends a cell, and ``<document>`` outside code is no tag."""
    parts = text.replace("|", "\\|").split("`")
    return "`".join(part if number % 2 else part.replace("<", "&lt;") for number, part in enumerate(parts))


def _code(value: object) -> str:
    return f"`{show_value(value)}`"


KNOWN_FOLDERS = {
    "_build", "_generated", "_static", "commands", "decisions", "errors", "formats", "how-to", "profiles", "tasks",
}  # fmt: skip
"""Folders that ``index.md`` lists by itself."""


def _more() -> str:
    """A tree of the folders that ``index.md`` does not list, so that a new one is never out of reach."""
    folders = sorted({page.parent.name for page in DOCS.glob("*/*.md")} - KNOWN_FOLDERS)
    trees = [
        ["```{toctree}", ":hidden:", f":caption: {name.capitalize()}", ":glob:", "", f"{name}/*", "```", ""]
        for name in folders
    ]
    return "\n".join(line for tree in trees for line in tree)


def _toctree(entries: list[str]) -> str:
    return "\n".join(["```{toctree}", ":maxdepth: 1", ":hidden:", "", *entries, "```"])


def quirk_link(task: AnyTask, name: str) -> str:
    """A link to the paragraph of a quirk, on a page of quirks or of its task."""
    for page in [*sorted(DOCS.glob("quirks*.md")), *sorted((DOCS / "tasks").glob(f"{task.name}*.md"))]:
        if name in _marks(page):
            return f"[`{name}`](../{page.relative_to(DOCS)}#{name})"
    return f"`{name}`"


@cache
def _marks(page: Path) -> tuple[str, ...]:
    """The headings and labels of a page that are names: ``## too-few-columns``, ``(too-few-columns)=``."""
    text = page.read_text(encoding="utf-8")
    found = re.findall(r"^(?:##+ ([a-z][a-z0-9-]*)|\(([a-z][a-z0-9-]*)\)=)$", text, flags=re.MULTILINE)
    return tuple(heading or label for heading, label in found)


# ---------------------------------------------------------------------------------------------------- profiles


def _profile_index() -> str:
    parts = [
        "# Profiles",
        "",
        "A profile is a bundle of settings under a name: which official program and version is reproduced.",
        "These pages are made from the TOML files that lydite reads, so they say what the program does.",
        "[How to choose a profile](../how-to/choose-a-profile.md) helps to decide.",
        "",
    ]
    entries = []
    for task in TASKS.values():
        rows = []
        for name in ordered_profiles(task):
            profile = _load(task, name)
            mark = " (default)" if name == task.default_profile else ""
            rows.append((f"[`{name}`]({task.name}-{name}.md){mark}", profile.title, profile.reproduces))
            entries.append(f"{task.name}-{name}")
        parts += [f"## {task.name}", "", _table(("profile", "title", "reproduces"), rows), ""]
    return "\n".join([*parts, _toctree(entries), ""])


def _profile_page(task: AnyTask, profile: AnyProfile) -> str:
    default = " It is the default of its task." if profile.name == task.default_profile else ""
    lines = [
        f"# {task.name}/{profile.name}",
        "",
        f"**{profile.title}.**{default}",
        "",
        f"Reproduces: {profile.reproduces}",
        "",
        f"{profile.notes}",
        "",
        "```sh",
        f"lydite score {task.name} GOLD SYSTEM --profile {profile.name}",
        "```",
        "",
        "A value in bold differs from the declared default of the setting.",
        "",
    ]
    tables = dict.fromkeys(setting.table for setting in task.settings.declared.values())
    for table in tables:
        settings = [
            setting
            for setting in task.settings.declared.values()
            if setting.table == table and not setting.is_quirk
        ]
        if settings:
            rows = []
            for setting in settings:
                value = _value(profile.settings.by_name(setting.name))
                changed = profile.settings.by_name(setting.name) != _parsed_default(setting)
                rows.append((f"`{setting.name}`", f"**{value}**" if changed else value, setting.help))
            lines += [f"## [{table}]", "", _table(("setting", "value", "meaning"), rows), ""]
    quirks = [setting for setting in task.settings.declared.values() if setting.is_quirk]
    if quirks:
        rows = [
            (
                quirk_link(task, setting.name),
                "on" if profile.settings.by_name(setting.name) else "off",
                setting.help,
            )
            for setting in quirks
        ]
        lines += ["## Quirks", "", _table(("quirk", "here", "what it does"), rows), ""]
    lines += _weights(profile)
    headline = task.headline(profile.settings)
    figure = (
        f"{headline.measurement}, {headline.metric}, {headline.average or 'no average'}, {headline.figure}"
    )
    return "\n".join([*lines, "## Headline", "", f"The ranking figure is: {figure}.", ""])


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        return f"{len(value)} entries, below" if value else "none"
    if isinstance(value, tuple) and len(value) > 3:
        return ", ".join(_linked(str(item)) for item in value)
    return _code(value)


def _linked(item: str) -> str:
    """A word as code; the code of a finding with a link to its entry."""
    pages_of = finding_pages()
    return f"[`{item}`](../errors/{pages_of[item][0]}.md#{item})" if item in pages_of else f"`{item}`"


def _parsed_default(setting: Setting) -> object:
    return None if setting.default is None else setting.parse(setting.default)


def _weights(profile: AnyProfile) -> Iterator[str]:
    """The tables of a profile in full: weights, inventories."""
    for setting in profile.declared.values():
        if setting.kind == "table" and profile.settings.by_name(setting.name):
            yield from (f"## {setting.name}", "", f"{setting.help}.", "", "```json")
            yield from (
                json.dumps(_plain(profile.settings.by_name(setting.name)), indent=1, ensure_ascii=False),
                "```",
                "",
            )


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return list(value) if isinstance(value, tuple) else value


def _matrix(task: AnyTask) -> str:
    """Settings on which the profiles of a task differ, one column per profile."""
    profiles = [_load(task, name) for name in ordered_profiles(task)]
    rows = []
    for setting in task.settings.declared.values():
        values = [profile.settings.by_name(setting.name) for profile in profiles]
        if (
            setting.kind == "table"
            or setting.table in {"check", "report"}
            or all(value == values[0] for value in values)
        ):
            continue
        shown = [f"{len(v)} words" if isinstance(v, tuple) and len(v) > 5 else show_value(v) for v in values]
        name = quirk_link(task, setting.name) if setting.is_quirk else f"`{setting.name}`"
        rows.append((name, *shown))
    head = (
        "setting",
        *(f"[{profile.name}](../profiles/{task.name}-{profile.name}.md)" for profile in profiles),
    )
    return _table(head, rows) + "\n"


def _settings_table(task: AnyTask) -> str:
    rows = []
    for setting in task.settings.declared.values():
        if setting.is_quirk:
            continue
        kind = " or ".join(f"`{choice}`" for choice in setting.choices) or setting.kind
        flag = (
            f"`--{setting.name}`"
            if setting.flag and setting.kind != "table"
            else f"`{setting.name}` (profile only)"
        )
        rows.append((flag, setting.table, kind, _value(_parsed_default(setting)), setting.help))
    return _table(("setting", "table", "values", "default", "meaning"), rows) + "\n"


# ---------------------------------------------------------------------------------------------------- findings


@cache
def finding_pages() -> dict[str, list[str]]:
    """The code of every finding that has an entry, and the pages under ``errors`` that hold one, without endings."""
    found: dict[str, list[str]] = {}
    for page in sorted((DOCS / "errors").glob("*.md")):
        for code in _marks(page):
            found.setdefault(code, []).append(page.stem)
    return dict(sorted(found.items()))


def _codes() -> str:
    links = [f"[`{code}`]({pages[0]}.md#{code})" for code, pages in finding_pages().items()]
    return " ·\n".join(links) + "\n"


def _forward(code: str) -> str:
    """A page at an address that follows from the code alone, for programs that link to it: it leads to the entry.

    Where several formats have an entry of that code, the reader knows which of them is meant.
    """
    links = {page: f"../errors/{page}.html#{code}" for page in finding_pages()[code]}
    at_once = [f'<meta http-equiv="refresh" content="0; url={link}">' for link in links.values()]
    shown = " · ".join(f'<a href="{link}">{page}</a>' for page, link in links.items())
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"{at_once[0] if len(at_once) == 1 else ''}"
        f"<title>{code}</title></head><body><p><code>{code}</code>: {shown}</p></body></html>\n"
    )


# ------------------------------------------------------------------------------------------- commands, metrics


def _help(*words: str) -> str:
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = HELP_WIDTH
    try:
        stream = io.StringIO()
        with redirect_stdout(stream):
            run_command([*words, "--help"])
        return stream.getvalue()
    finally:
        os.environ.pop("COLUMNS")
        if before is not None:
            os.environ["COLUMNS"] = before


def _metrics() -> str:
    return "\n".join(line for name in METRICS for line in _metric(name))


def _metric(name: str) -> Iterator[str]:
    metric = METRICS[name]
    yield f"### {name}"
    yield ""
    yield f"{metric.title}."
    if metric.cite:
        cited = ", ".join(f"`{key.strip()}`" for key in metric.cite.split(","))
        yield f"Cite {cited} (`lydite cite {name}`)."
    if metric.weaknesses:
        yield metric.weaknesses
    yield ""
    exceptions = dict(metric.exceptions)
    rows = [
        (law.value, "yes" if law in metric.laws else f"no: {exceptions.get(law, '')}".rstrip(": "))
        for law in Law
    ]
    if metric.counts_copies:
        rows.append(
            ("and also where a mention is repeated (`--reading as-official`)", "no: each copy counts")
        )
    yield _table(("law", "holds"), rows)
    yield ""


def _types() -> str:
    lines = []
    for name, types in inventories().items():
        lines += [f"`{name}` ({len(types)})", f": {', '.join(types)}", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    write()
    sys.stdout.write(f"{len(pages())} files written\n")
