"""A campaign as an archive with everything behind its figures; and back."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

from django.core.exceptions import ValidationError
from django.db import DatabaseError, transaction

from lydite.errors import UsageError
from lydite.formats.archives import ARCHIVES
from lydite.tasks import TASKS
from lydite.version import __version__
from lydite.writing import write_archive
from lydite_workbench.accounts.models import User
from lydite_workbench.accounts.services import record
from lydite_workbench.backups import database_snapshot
from lydite_workbench.campaigns import jobs
from lydite_workbench.campaigns.declarations import declaration_text, read_declaration, store_path
from lydite_workbench.campaigns.errands import unpacked_parts
from lydite_workbench.campaigns.messages import message_file
from lydite_workbench.campaigns.models import (
    Campaign,
    CampaignFile,
    GoldVersion,
    LeaderboardVersion,
    Message,
    Phase,
    Run,
    RunState,
    Team,
)
from lydite_workbench.campaigns.rules import RunDescription
from lydite_workbench.campaigns.runs import score_of
from lydite_workbench.campaigns.setup import NewCampaign, create_campaign
from lydite_workbench.records import fields_from, fields_of, file_in
from lydite_workbench.rights import Actor
from lydite_workbench.store import Upload, path_under_name, pieces_of, stored_pieces

SCHEMA = "lydite.campaign/1"
MANIFEST, DECLARATION = "manifest.json", "campaign.toml"
GOLD = ("number", "note", "created")
RUN = ("number", "received", "withdrawn", *RunDescription._fields)
BOARD = ("number", "signature", "names", "published", "note", "tables")
MESSAGE = ("subject", "text", "created")
AUDIT = ("at", "actor", "act", "about", "details")
"""The fields of rows that are written and read as they are."""
DAMAGED = (KeyError, TypeError, ValueError, AttributeError, OSError, ValidationError, DatabaseError)
"""The errors that reading a damaged or edited export can raise."""
ExportFiles = Iterator[tuple[str, bytes | Iterator[bytes]]]
"""Names and contents of the files of an export; large ones are read in pieces when they are written."""


def export(campaign: Campaign, path: Path, *, actor: Actor) -> None:
    """Write the archive of a campaign; accounts are not in it."""
    with database_snapshot():
        write_archive(path, export_files(campaign))
    record(actor, "campaign.export", campaign.slug, campaign=campaign)


def export_files(campaign: Campaign) -> ExportFiles:
    """The files of an export."""
    runs = list(campaign.runs.select_related("team", "phase", "file", "replaces__team"))
    golds = list(campaign.golds.all())
    files = {file.setting: _file_place(file) for file in campaign.files.all()}
    current = _gold_place(campaign.gold) if campaign.gold else None
    yield DECLARATION, declaration_text(campaign, current, files).encode()
    yield "README.txt", _readme(campaign, current, files, runs).encode()
    for gold in golds:
        yield _gold_place(gold), stored_pieces(gold.file_id)
    for file in campaign.files.all():
        yield from _file_entries(file)
    for run in runs:
        yield run_place(run), stored_pieces(run.file_id)
        score = score_of(run)
        if score is not None and score.summary is not None:
            yield f"scores/{run.label}.json", stored_pieces(score.summary.sha256)
    for board in campaign.boards.all():
        yield f"leaderboards/{board.number}.json", stored_pieces(board.document.sha256)
    yield "messages.txt", message_file(campaign.messages.select_related("team")).encode()
    log = campaign.audit.order_by("pk").iterator()
    yield "audit.jsonl", (json.dumps(fields_of(entry, AUDIT)).encode() + b"\n" for entry in log)
    for app in _other_apps():
        yield from app.export_entries(campaign)
    yield MANIFEST, json.dumps(_manifest(campaign, runs, golds), indent=2).encode()


def _other_apps() -> tuple[ModuleType, ...]:
    """The other apps whose ``export_entries`` and ``import_entries`` add to exports."""
    from lydite_workbench.adjudication import exporting as adjudication
    from lydite_workbench.assessment import exporting as assessment
    from lydite_workbench.corpus import exporting as corpus

    return assessment, adjudication, corpus


def run_place(run: Run) -> str:
    """The path of a run: in a folder of its own, so that it keeps the file name by which its format is recognised."""
    return f"runs/{run.label}/{run.file_name}"


def _is_packed(file: CampaignFile) -> bool:
    return file.name.endswith(ARCHIVES) and file.setting != "profile"


def _file_place(file: CampaignFile) -> str:
    """The path of the file of a setting, or of the folder into which an archive is unpacked, as most tasks want it."""
    return f"files/{file.setting}" if _is_packed(file) else f"files/{file.setting}/{file.name}"


def _file_entries(file: CampaignFile) -> ExportFiles:
    if not _is_packed(file):
        yield _file_place(file), stored_pieces(file.file_id)
        return
    for name, part in unpacked_parts(str(path_under_name(file.file_id, file.name))):
        yield f"{_file_place(file)}/{name}", pieces_of(part.open)


def _gold_place(gold: GoldVersion) -> str:
    return f"gold/{gold.number}/{gold.name}"


def _readme(campaign: Campaign, gold: str | None, files: dict[str, str], runs: list[Run]) -> str:
    # The example is a scored run, if there is one.
    run = min(runs, key=lambda run: run.state != RunState.SCORED, default=None)
    if gold is None or run is None:
        return f"{campaign.title}: an export of lydite {__version__}; there is nothing to score yet.\n"
    words = ["lydite", "score", campaign.task, gold, run_place(run)]
    if campaign.format:
        words += ["--from", campaign.format]
    for name, value in {"profile": campaign.profile, **campaign.settings, **files}.items():
        words += _flag(campaign.task, name, value)
    command = shlex.join(words)
    return (
        f"{campaign.title}: an export of lydite {__version__}.\n"
        f"The figures of a run, digit for digit, in this folder:\n\n    {command} --format json\n"
    )


def _flag(task: str, name: str, value: object) -> list[str]:
    """A setting as options of the command."""
    declared = TASKS[task].settings.declared
    if name in declared and declared[name].is_quirk:
        return ["--quirk", f"{name}={'on' if value else 'off'}"]
    if isinstance(value, bool):
        return [f"--{'' if value else 'no-'}{name}"]
    return [f"--{name}", ",".join(map(str, value)) if isinstance(value, list) else str(value)]


def _manifest(campaign: Campaign, runs: list[Run], golds: list[GoldVersion]) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "version": __version__,
        "signature": campaign.signature,
        "gold": campaign.gold.number if campaign.gold else None,
        "golds": [{"file": _gold_place(gold), **fields_of(gold, GOLD)} for gold in reversed(golds)],
        "teams": [{"slug": team.slug, "name": team.name} for team in campaign.teams.all()],
        "runs": [_run_entry(run) for run in runs],
        "leaderboards": [_board_entry(board) for board in campaign.boards.all()],
        "messages": [
            {
                "team": message.team.slug if message.team else None,
                "run": message.run.label if message.run else None,
                **fields_of(message, MESSAGE),
            }
            for message in campaign.messages.select_related("team", "run__team")
        ],
    }


def _run_entry(run: Run) -> dict[str, object]:
    return {
        "label": run.label,
        "team": run.team.slug,
        "phase": run.phase.slug,
        "file": run_place(run),
        "sha256": run.file_id,
        "state": run.state,
        "replaces": run.replaces.label if run.replaces else None,
        **fields_of(run, RUN),
    }


def _board_entry(board: LeaderboardVersion) -> dict[str, object]:
    return {
        "phase": board.phase.slug,
        "gold": board.gold.number,
        "version": board.lydite_version,
        "runs": [run.label for run in board.runs.select_related("team")],
        **fields_of(board, BOARD),
        "file": f"leaderboards/{board.number}.json",
    }


# ------------------------------------------------------------------------------------------------------- reading


def import_campaign(folder: Path, *, actor: Actor, slug: str | None = None) -> Campaign:
    """Import an unpacked export; its runs are validated and scored again."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError):
        manifest = {}
    if not isinstance(manifest, dict) or manifest.get("schema") != SCHEMA:
        raise UsageError(f"{folder}: not an export of a campaign", hint="lydite workbench export makes one")
    try:
        new = read_declaration(folder / DECLARATION, file_in)._replace(gold=None)
        if slug:
            new.campaign.slug = slug
        with transaction.atomic():
            return _import(folder, manifest, new, actor)
    except DAMAGED as error:
        what = f"{type(error).__name__}: {error}"
        hint = "export the campaign again; nothing was imported"
        raise UsageError(f"{folder}: the export is damaged ({what})", hint=hint) from None


def _import(folder: Path, manifest: dict[str, Any], new: NewCampaign, actor: Actor) -> Campaign:
    files = (entry["file"] for entry in (*manifest["golds"], *manifest["runs"]))
    kept = {file: store_path(file_in(folder, file)) for file in files}
    campaign = create_campaign(new, actor=actor)
    for entry in manifest["golds"]:
        gold = GoldVersion.objects.create(
            campaign=campaign,
            name=Path(entry["file"]).name,
            file=kept[entry["file"]].row,
            **fields_from(entry, GoldVersion, GOLD),
        )
        if entry["number"] == manifest["gold"]:
            campaign.gold = gold
    campaign.save(update_fields=["gold"])
    runs = _import_runs(campaign, manifest, kept)
    _import_boards(campaign, manifest, folder, runs)
    # A message without a team is one to all: a missing team must raise a KeyError.
    teams: dict[str | None, Team | None] = {None: None, **{team.slug: team for team in campaign.teams.all()}}
    for entry in manifest["messages"]:
        Message.objects.create(
            campaign=campaign,
            team=teams[entry["team"]],
            run=runs.get(entry.get("run")),
            **fields_from(entry, Message, MESSAGE),
        )
    record(actor, "campaign.import", campaign.slug, campaign=campaign, runs=len(runs))
    for app in _other_apps():
        app.import_entries(campaign, folder)
    return campaign


def _import_runs(campaign: Campaign, manifest: dict[str, Any], kept: dict[str, Upload]) -> dict[str, Run]:
    teams = {
        entry["slug"]: Team.objects.create(campaign=campaign, slug=entry["slug"], name=entry["name"])
        for entry in manifest["teams"]
    }
    phases = {phase.slug: phase for phase in Phase.objects.filter(campaign=campaign)}
    runs: dict[str, Run] = {}
    for entry in manifest["runs"]:
        team = teams[entry["team"]]
        run = Run.objects.create(
            campaign=campaign,
            phase=phases[entry["phase"]],
            team=team,
            file=kept[entry["file"]].row,
            file_name=Path(entry["file"]).name,
            replaces=runs.get(entry.get("replaces")),
            **fields_from(entry, Run, RUN),
        )
        team.runs_sent = max(team.runs_sent, run.number)
        team.save(update_fields=["runs_sent"])
        jobs.queue_validation(run)
        runs[entry["label"]] = run
    return runs


def _import_boards(campaign: Campaign, manifest: dict[str, Any], folder: Path, runs: dict[str, Run]) -> None:
    golds = {gold.number: gold for gold in campaign.golds.all()}
    phases = {phase.slug: phase for phase in campaign.phases.all()}
    for entry in manifest["leaderboards"]:
        board = LeaderboardVersion.objects.create(
            campaign=campaign,
            phase=phases[entry["phase"]],
            gold=golds[entry["gold"]],
            lydite_version=entry["version"],
            document=store_path(file_in(folder, entry["file"])).row,
            **fields_from(entry, LeaderboardVersion, BOARD),
        )
        board.runs.set([runs[label] for label in entry["runs"]])


# -------------------------------------------------------------------------------------------------------- people


def pseudonyms_of(campaign: Campaign) -> Callable[[int], str]:
    """From the key of an account to the pseudonym of the person in an export."""

    @cache
    def pseudonym(user: int) -> str:
        secret = f"{campaign.slug}\0{User.objects.get(pk=user).public_id}"
        return f"person-{sha256(secret.encode()).hexdigest()[:8]}"

    return pseudonym


def stand_ins_for(campaign: Campaign) -> Callable[[str], User]:
    """From a pseudonym in an imported campaign to an account that nobody can sign in to."""

    @cache
    def stand_in(name: str) -> User:
        user, made = User.objects.get_or_create(
            name=f"{campaign.slug}-{name}",
            defaults={"shown_name": f"{name} of {campaign.title}"[:150], "is_active": False},
        )
        if made:
            user.set_unusable_password()
            user.save(update_fields=["password"])
        return user

    return stand_in
