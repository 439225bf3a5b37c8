"""A campaign as a TOML file: read into a workbench, and written when a campaign is exported."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from lydite.errors import UsageError
from lydite.profile import Setting
from lydite.registry import did_you_mean
from lydite.tasks import TASKS
from lydite.toml_files import read_toml
from lydite.workbench.accounts.services import zone_named
from lydite.workbench.campaigns.models import Campaign, Phase
from lydite.workbench.campaigns.rules import instant_of
from lydite.workbench.campaigns.services import NewCampaign
from lydite.workbench.problems import Refused
from lydite.workbench.store import Upload, store, store_file
from lydite.writing import archive_bytes

PLAIN = {
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
RULES = {"run-without-web": "needs_run_without_web", "ranks": "needs_ranks"}
LIMITS = {
    "seconds": "limit_seconds",
    "megabytes": "limit_megabytes",
    "processes": "limit_processes",
    "upload-bytes": "limit_upload",
}
PHASE = {
    "slug": "slug",
    "title": "title",
    "test": "is_test",
    "runs-per-team": "runs_per_team",
    "rejected-per-team": "rejected_per_team",
    "teams-see": "teams_see",
    "leaderboard": "board",
    "late": "takes_late_runs",
}
"""Words of the file → fields."""
TOP = {*PLAIN, "gold", "settings", "rules", "limits", "phases"}
KINDS: Mapping[str, tuple[type, str]] = {
    **dict.fromkeys(("public", "gold-documents-are-known", *RULES, "test", "late"), (bool, "true or false")),
    **dict.fromkeys((*LIMITS, "runs-per-team", "rejected-per-team"), (int, "a whole number")),
    **dict.fromkeys(("figures", "phases"), (list, "a list")),
    **dict.fromkeys(("settings", "rules", "limits"), (dict, "a table")),
}
"""Words of the file → what they say; all others are texts."""
TEXT = (str, "a text")


def read_declaration(path: Path, file_named: Callable[[Path, str], Path] = Path.joinpath) -> NewCampaign:
    """The campaign that a file declares; the files that it names are stored.

    ``file_named`` says where one lies, from the folder of the declaration and its name there.
    """
    said = read_toml(path)
    _refuse_unknown(said, TOP, str(path))
    _refuse_kinds(said, str(path))
    for figure in said.get("figures", ()):
        if not isinstance(figure, str):
            raise UsageError(f"{path}: figures: expected texts, found {figure!r:.60}")
    for word in ("slug", "title", "task"):
        if not isinstance(said.get(word), str):
            raise UsageError(f"{path}: a campaign has a {word}", hint=f'{word} = "…"')
    task = TASKS[said["task"]]
    place_of = partial(file_named, path.parent)
    settings, files = _settings(said.get("settings", {}), task.settings.declared, place_of)
    if str(said.get("profile", "")).endswith(".toml"):
        files["profile"] = stored(place_of(said["profile"]))
    fields = {**_fields(said, PLAIN), "figures": list(said.get("figures", ())), "settings": settings}
    for table, words in (("rules", RULES), ("limits", LIMITS)):
        _refuse_unknown(said.get(table, {}), words, f"{path}, [{table}]")
        _refuse_kinds(said.get(table, {}), f"{path}, [{table}]")
        fields |= _fields(said.get(table, {}), words)
    return NewCampaign(
        Campaign(**fields),
        stored(place_of(said["gold"])) if said.get("gold") else None,
        files,
        [_phase(one, f"{path}, phase {number}") for number, one in enumerate(said.get("phases", ()), 1)],
    )


def _refuse_unknown(said: Mapping[str, object], known: Collection[str], where: str) -> None:
    for word in said:
        if word not in known:
            hint = did_you_mean(word, sorted(known)) or f"known: {', '.join(sorted(known))}"
            raise UsageError(f"{where}: there is no {word!r}", hint=hint)


def _refuse_kinds(said: Mapping[str, object], where: str) -> None:
    for word, value in said.items():
        kind, expected = KINDS.get(word, TEXT)
        of_kind = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
        if not of_kind or (isinstance(value, str) and "\0" in value):
            raise UsageError(f"{where}: {word}: expected {expected}, found {value!r:.60}")


def _fields(said: Mapping[str, object], words: Mapping[str, str]) -> dict[str, Any]:
    return {field: said[word] for word, field in words.items() if word in said}


def _settings(
    said: Mapping[str, Any], declared: Mapping[str, Setting], place_of: Callable[[str], Path]
) -> tuple[dict[str, object], dict[str, Upload]]:
    """Settings with values, and those that name files."""
    _refuse_unknown(said, declared, "[settings]")
    named = {
        name: value
        for name, value in said.items()
        if (declared[name].kind == "path" and value)
        or (declared[name].or_file and isinstance(value, str) and place_of(value).is_file())
    }
    plain = {name: value for name, value in said.items() if name not in named}
    _refuse_kinds(named, "[settings]")
    return plain, {name: stored(place_of(value)) for name, value in named.items()}


def _phase(said: Mapping[str, Any], where: str) -> Phase:
    if not isinstance(said, Mapping):
        raise UsageError(f"{where}: expected a table, found {said!r:.60}")
    _refuse_unknown(said, {*PHASE, "opens", "closes", "zone"}, where)
    _refuse_kinds({word: value for word, value in said.items() if word not in {"opens", "closes"}}, where)
    fields = _fields(said, PHASE)
    if "slug" not in fields:
        raise UsageError(f"{where}: a phase has a slug", hint='slug = "test"')
    try:
        zone = zone_named(str(said.get("zone", "UTC")))
        opens, closes = (_instant(said.get(word), zone, f"{where}: {word}") for word in ("opens", "closes"))
    except Refused as error:
        raise UsageError(f"{where}: {error}") from None
    return Phase(**{"title": fields["slug"].title(), **fields}, opens=opens, closes=closes, zone=zone.key)


def _instant(value: object, zone: ZoneInfo, where: str) -> datetime:
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            value = None
    if not isinstance(value, datetime):
        raise UsageError(f"{where}: expected a date and time, such as 2026-05-01T23:59:00")
    return instant_of(value, zone)


def stored(path: Path) -> Upload:
    """A file, or a folder as an archive, in the store."""
    try:
        if path.is_dir():
            return Upload.of(store(packed(path)), f"{path.name}.zip")
        if path.is_file():
            return Upload.of(store_file(path), path.name)
    except OSError as error:
        raise UsageError(f"{error.filename or path}: {error.strerror}") from None
    raise UsageError(f"{path}: no such file or folder")


def packed(folder: Path) -> bytes:
    """A folder as an archive; the same files give the same bytes."""
    return archive_bytes(
        (file.relative_to(folder).as_posix(), file.read_bytes())
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    )


# ------------------------------------------------------------------------------------------------------- writing


def declaration(campaign: Campaign, gold: str | None, files: Mapping[str, str]) -> str:
    """The file that declares a campaign; ``gold`` and ``files`` are the places of what it names."""
    plain = {word: getattr(campaign, field) for word, field in PLAIN.items()}
    if gold is not None:
        plain["gold"] = gold
    if "profile" in files:
        plain["profile"] = files["profile"]
    lines = [f"{word} = {_toml(value)}" for word, value in plain.items()]
    settings = {**campaign.settings, **{name: place for name, place in files.items() if name != "profile"}}
    tables = [
        ("settings", settings),
        ("rules", {word: getattr(campaign, field) for word, field in RULES.items()}),
        ("limits", {word: getattr(campaign, field) for word, field in LIMITS.items()}),
    ]
    for name, values in tables:
        lines += ["", f"[{name}]", *(f"{_toml(word)} = {_toml(value)}" for word, value in values.items())]
    for phase in campaign.phases.all():
        lines += ["", "[[phases]]", *_phase_lines(phase)]
    return "\n".join(lines) + "\n"


def _phase_lines(phase: Phase) -> Iterator[str]:
    for word, field in PHASE.items():
        if getattr(phase, field) is not None:
            yield f"{word} = {_toml(getattr(phase, field))}"
    for word in ("opens", "closes"):
        there = getattr(phase, word).astimezone(ZoneInfo(phase.zone))
        # TOML has no seconds in an offset, as local times of long ago have.
        is_whole = there.utcoffset() % timedelta(minutes=1) == timedelta()
        yield f"{word} = {(there if is_whole else there.astimezone(UTC)).isoformat()}"
    yield f"zone = {_toml(phase.zone)}"


def _toml(value: object) -> str:
    """A value as TOML; what JSON writes of texts, numbers and truth is TOML too."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_toml(key)} = {_toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    # TOML knows no pairs of escapes for one character, and not the character of code 127 as it is.
    said = json.dumps(str(value) if isinstance(value, str) else value, ensure_ascii=False)
    return said.replace("\x7f", "\\u007f")
