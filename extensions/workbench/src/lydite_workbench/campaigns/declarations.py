"""A campaign as a TOML file, which is read into a workbench and written by an export."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from django.forms import BaseForm

from lydite.errors import UsageError
from lydite.profile import Setting
from lydite.registry import did_you_mean
from lydite.tasks import TASKS
from lydite.toml_files import read_toml
from lydite.writing import archive_bytes
from lydite_workbench.campaigns.forms import NewCampaignForm, PhaseForm, checked
from lydite_workbench.campaigns.models import Campaign, Phase
from lydite_workbench.campaigns.setup import NewCampaign
from lydite_workbench.problems import Refused
from lydite_workbench.store import Upload, store, store_file

TOP_FIELDS = {
    "slug": "slug",
    "title": "title",
    "description": "description",
    "public": "is_public",
    "task": "task",
    "profile": "profile",
    "format": "format",
    "figures": "figures",
    "leaderboard": "board_of",
    "gold-documents-are-known": "gold_documents_are_known",
}
RULE_FIELDS = {"run-without-web": "needs_run_without_web", "ranks": "needs_ranks"}
LIMIT_FIELDS = {
    "seconds": "limit_seconds",
    "megabytes": "limit_megabytes",
    "processes": "limit_processes",
    "upload-bytes": "limit_upload",
}
PHASE_FIELDS = {
    "slug": "slug",
    "title": "title",
    "test": "is_test",
    "runs-per-team": "runs_per_team",
    "rejected-per-team": "rejected_per_team",
    "teams-see": "teams_see",
    "leaderboard": "board",
    "late": "takes_late_runs",
}
"""Key of the file → field."""
TOP_KEYS = {*TOP_FIELDS, "gold", "settings", "rules", "limits", "phases"}
KINDS: Mapping[str, tuple[type, str]] = {
    **dict.fromkeys(
        ("public", "gold-documents-are-known", *RULE_FIELDS, "test", "late"), (bool, "true or false")
    ),
    **dict.fromkeys((*LIMIT_FIELDS, "runs-per-team", "rejected-per-team"), (int, "a whole number")),
    **dict.fromkeys(("figures", "phases"), (list, "a list")),
    **dict.fromkeys(("settings", "rules", "limits"), (dict, "a table")),
}
"""Key of the file → type of its value, and words for it; all other values are texts."""
TEXT = (str, "a text")


def read_declaration(path: Path, file_named: Callable[[Path, str], Path] = Path.joinpath) -> NewCampaign:
    """The campaign that a file declares; the files that it names are stored.

    ``file_named`` gives the path of such a file, from the folder of the declaration and the name.
    """
    table = read_toml(path)
    _refuse_unknown(table, TOP_KEYS, str(path))
    _refuse_kinds(table, str(path))
    for figure in table.get("figures", ()):
        if not isinstance(figure, str):
            raise UsageError(f"{path}: figures: expected texts, found {figure!r:.60}")
    for word in ("slug", "title", "task"):
        if not isinstance(table.get(word), str):
            raise UsageError(f"{path}: a campaign needs a {word}", hint=f'{word} = "…"')
    task = TASKS[table["task"]]
    place_of = partial(file_named, path.parent)
    settings, files = _settings(table.get("settings", {}), task.settings.declared, place_of)
    if str(table.get("profile", "")).endswith(".toml"):
        files["profile"] = store_path(place_of(table["profile"]))
    fields = {**_fields(table, TOP_FIELDS), "figures": list(table.get("figures", ())), "settings": settings}
    for name, keys in (("rules", RULE_FIELDS), ("limits", LIMIT_FIELDS)):
        _refuse_unknown(table.get(name, {}), keys, f"{path}, [{name}]")
        _refuse_kinds(table.get(name, {}), f"{path}, [{name}]")
        fields |= _fields(table.get(name, {}), keys)
    campaign, where = NewCampaignForm(_with_defaults(Campaign, fields)), str(path)
    phases = [_phase(one, f"{path}, phase {number}") for number, one in enumerate(table.get("phases", ()), 1)]
    _check(campaign, where)
    gold = store_path(place_of(table["gold"])) if table.get("gold") else None
    return NewCampaign(campaign.instance, gold, files, phases)


def _with_defaults(model: type[Campaign | Phase], fields: Mapping[str, object]) -> dict[str, object]:
    """The fields as a form takes them; what a form leaves out is false, what a file leaves out is the default."""
    defaults = {field.name: field.get_default() for field in model._meta.fields if field.has_default()}  # noqa: SLF001 - Django's public name
    return {**defaults, **fields}


def _check(form: BaseForm, where: str) -> None:
    try:
        checked(form)
    except Refused as error:
        raise UsageError(f"{where}: {error}") from None


def _refuse_unknown(table: Mapping[str, object], known: Collection[str], where: str) -> None:
    for word in table:
        if word not in known:
            hint = did_you_mean(word, sorted(known)) or f"known: {', '.join(sorted(known))}"
            raise UsageError(f"{where}: unknown key {word!r}", hint=hint)


def _refuse_kinds(table: Mapping[str, object], where: str) -> None:
    for word, value in table.items():
        kind, expected = KINDS.get(word, TEXT)
        of_kind = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
        if not of_kind or (isinstance(value, str) and "\0" in value):
            raise UsageError(f"{where}: {word}: expected {expected}, found {value!r:.60}")


def _fields(table: Mapping[str, object], words: Mapping[str, str]) -> dict[str, Any]:
    return {field: table[word] for word, field in words.items() if word in table}


def _settings(
    table: Mapping[str, Any], declared: Mapping[str, Setting], place_of: Callable[[str], Path]
) -> tuple[dict[str, object], dict[str, Upload]]:
    """Settings with plain values, and the stored files of the others."""
    _refuse_unknown(table, declared, "[settings]")
    named = {}
    for name, value in table.items():
        # As for the command, a list of one text may name a file, too.
        (only,) = value if isinstance(value, list) and len(value) == 1 else [value]
        if declared[name].kind == "path" and value:
            named[name] = value
        elif declared[name].or_file and isinstance(only, str) and place_of(only).is_file():
            named[name] = only
    plain = {name: value for name, value in table.items() if name not in named}
    _refuse_kinds(named, "[settings]")
    return plain, {name: store_path(place_of(value)) for name, value in named.items()}


def _phase(table: Mapping[str, Any], where: str) -> Phase:
    if not isinstance(table, Mapping):
        raise UsageError(f"{where}: expected a table, found {table!r:.60}")
    _refuse_unknown(table, {*PHASE_FIELDS, "opens", "closes", "zone"}, where)
    _refuse_kinds({word: value for word, value in table.items() if word not in {"opens", "closes"}}, where)
    fields = _fields(table, PHASE_FIELDS)
    if "slug" not in fields:
        raise UsageError(f"{where}: a phase needs a slug", hint='slug = "test"')
    times = {word: table[word] for word in ("opens", "closes", "zone") if word in table}
    form = PhaseForm(
        {
            PhaseForm().add_prefix(name): value
            for name, value in _with_defaults(Phase, {**fields, **times}).items()
        }
    )
    _check(form, where)
    phase: Phase = form.instance
    return phase


def store_path(path: Path) -> Upload:
    """Store a file, or a folder as an archive."""
    try:
        if path.is_dir():
            return Upload.of(store(pack_folder(path)), f"{path.name}.zip")
        if path.is_file():
            return Upload.of(store_file(path), path.name)
    except OSError as error:
        raise UsageError(f"{error.filename or path}: {error.strerror}") from None
    raise UsageError(f"{path}: no such file or folder")


def pack_folder(folder: Path) -> bytes:
    """A folder as a zip archive; the same files give the same bytes."""
    return archive_bytes(
        (file.relative_to(folder).as_posix(), file.read_bytes())
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    )


# ------------------------------------------------------------------------------------------------------- writing


def declaration_text(campaign: Campaign, gold: str | None, files: Mapping[str, str]) -> str:
    """The text of the file that declares a campaign; ``gold`` and ``files`` are the paths that it names."""
    plain = {word: getattr(campaign, field) for word, field in TOP_FIELDS.items()}
    if gold is not None:
        plain["gold"] = gold
    if "profile" in files:
        plain["profile"] = files["profile"]
    lines = [f"{word} = {_toml_value(value)}" for word, value in plain.items()]
    settings = {**campaign.settings, **{name: place for name, place in files.items() if name != "profile"}}
    tables = [
        ("settings", settings),
        ("rules", {word: getattr(campaign, field) for word, field in RULE_FIELDS.items()}),
        ("limits", {word: getattr(campaign, field) for word, field in LIMIT_FIELDS.items()}),
    ]
    for name, values in tables:
        lines += ["", f"[{name}]", *_toml_pairs(values)]
    for phase in campaign.phases.all():
        lines += ["", "[[phases]]", *_phase_lines(phase)]
    return "\n".join(lines) + "\n"


def _phase_lines(phase: Phase) -> Iterator[str]:
    for word, field in PHASE_FIELDS.items():
        if getattr(phase, field) is not None:
            yield f"{word} = {_toml_value(getattr(phase, field))}"
    for word in ("opens", "closes"):
        there = getattr(phase, word).astimezone(ZoneInfo(phase.zone))
        # Offsets of TOML have no seconds, but those of local times long ago do.
        is_whole = there.utcoffset() % timedelta(minutes=1) == timedelta()
        yield f"{word} = {(there if is_whole else there.astimezone(UTC)).isoformat()}"
    yield f"zone = {_toml_value(phase.zone)}"


def _toml_pairs(table: Mapping[str, object]) -> Iterator[str]:
    return (f"{_toml_value(key)} = {_toml_value(value)}" for key, value in table.items())


def _toml_value(value: object) -> str:
    """A value as TOML; texts, numbers and booleans are written as in JSON."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(_toml_pairs(value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml_value, value)) + "]"
    # TOML takes no surrogate pairs as escapes, and the character of code 127 only as an escape.
    text = json.dumps(str(value) if isinstance(value, str) else value, ensure_ascii=False)
    return text.replace("\x7f", "\\u007f")
