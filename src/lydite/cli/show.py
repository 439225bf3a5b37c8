"""``lydite list``: the names of tasks, profiles and so on; ``lydite show``: one of them in full."""

from __future__ import annotations

from dataclasses import asdict

import click

from lydite.cli.catalogue import KINDS, find
from lydite.cli.output import write_json_or_text
from lydite.cli.parameters import text_or_json_option
from lydite.cli.verbs import examples_epilog
from lydite.errors import UsageError
from lydite.formats.taxonomy import load_taxonomy, write_role_file
from lydite.grouping import grouped
from lydite.profile import show_value
from lydite.tasks import TASKS

SINGULAR = {
    {"guidelines": "guidelines", "taxonomies": "taxonomy"}.get(kind, kind[:-1]): kind for kind in KINDS
}


@click.command(
    "list", epilog=examples_epilog("lydite list profiles nugget", "lydite list quirks --format json")
)
@click.argument("kind", type=click.Choice(tuple(KINDS)), default="tasks")
@click.argument("task", required=False)
@text_or_json_option
def list_(kind: str, task: str | None, layout: str) -> None:
    """List tasks, profiles, formats, metrics, quirks, settings, guidelines, taxonomies or causes; with TASK, those of a task."""
    records = KINDS[kind]()
    if task is not None:
        if kind in {"tasks", "metrics", "guidelines", "taxonomies"}:
            raise UsageError(f"{kind} are not listed by task", hint=f"lydite list {kind}")
        prefix = f"{TASKS[task].name}/"
        records = [
            record
            for record in records
            if (
                task in tasks
                if isinstance(tasks := record.get("tasks"), list)
                else str(record["name"]).startswith(prefix)
            )
        ]
    width = max(len(str(record["name"])) for record in records)
    lines = []
    for record in records:
        mark = "  (default)" if record.get("default") is True else ""
        if record.get("writes") is False:
            mark = "  (read only)"
        lines.append(f"{record['name']:<{width}}  {record['title']}{mark}")
    write_json_or_text(layout, records, "\n".join(lines) + "\n")


EPILOG = """\b
Examples:
  lydite show profile nugget/kbp2015
  lydite show quirk skip-documents-without-gold
  lydite show metric detection
  lydite show guidelines kbp2014
  lydite show taxonomy kbp2015 > roles.txt
  lydite show schema gold.jsonl > schema.toml
"""


@click.command("show", epilog=EPILOG)
@click.argument("kind", type=click.Choice((*SINGULAR, "schema")))
@click.argument("name")
@text_or_json_option
def command(kind: str, name: str, layout: str) -> None:
    """Show a task, profile, format, metric, quirk, setting, cause, the guidelines of an assessment or a taxonomy.

    A taxonomy is shown as a role file of the campaign: one line per event type, with its roles.  A schema is what the
    records of a file show, as TOML to start from.
    """
    # Guidelines and taxonomies may also be files of the user.
    if kind == "guidelines":
        from lydite.assess.guidelines import load_guidelines

        guidelines = load_guidelines(name)
        write_json_or_text(layout, guidelines.content, guidelines.text())
        return
    if kind == "taxonomy":
        taxonomy = load_taxonomy(name)
        content = {**asdict(taxonomy), "removed": sorted(taxonomy.removed)}
        write_json_or_text(layout, content, write_role_file(taxonomy))
        return
    if kind == "schema":
        _show_schema(name, layout)
        return
    record = find(SINGULAR[kind], name)
    if kind == "profile":
        _show_profile(str(record["name"]), layout)
        return
    write_json_or_text(layout, record, "\n".join(_fields(record)) + "\n")


def _show_schema(path: str, layout: str) -> None:
    import tomllib

    from lydite.pipeline.reading import read_corpus
    from lydite.tasks.records.schema import inferred_toml
    from lydite.tasks.records.sides import answer_of
    from lydite.tasks.records.values import with_alternatives

    task = TASKS["records"]
    corpus = read_corpus(path, task, task.profile())
    text = inferred_toml([with_alternatives(answer_of(one).value) for one in corpus.documents.values()])
    write_json_or_text(layout, tomllib.loads(text), text)


def _fields(record: dict[str, object]) -> list[str]:
    width = max(map(len, record))
    fields = {
        key: ", ".join(map(str, value)) if isinstance(value, list) else value for key, value in record.items()
    }
    return [f"{key:<{width}}  {value}" for key, value in fields.items() if value not in {"", None}]


def _show_profile(full_name: str, layout: str) -> None:
    task, _, name = full_name.partition("/")
    profile = TASKS[task].profile(name)
    document = {
        "name": f"{profile.task}/{profile.name}",
        "title": profile.title,
        "reproduces": profile.reproduces,
        "notes": profile.notes,
        "settings": dict(profile.values),
    }
    lines = [
        f"{profile.task}/{profile.name}: {profile.title}",
        f"reproduces: {profile.reproduces}",
        profile.notes,
    ]
    width = max(map(len, profile.declared))
    for table, named in grouped(
        (setting.table, setting.name) for setting in profile.declared.values()
    ).items():
        lines += ["", f"[{table}]"]
        lines += [f"{setting:<{width}}  {show_value(profile.settings.by_name(setting))}" for setting in named]
    write_json_or_text(layout, document, "\n".join(lines) + "\n")
