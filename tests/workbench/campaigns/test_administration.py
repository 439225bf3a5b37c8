"""Administration without a browser: declarations, exports, copies, and sending runs by a command."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import lydite
from workbench_world import ON_SQLITE, Live, World, some_documents, upload

if TYPE_CHECKING:
    from lydite.workbench.campaigns.models import Campaign

DECLARATION = """
slug = "spring"
title = "Spring"
task = "nugget"
gold = "gold.tbf"
public = true
figures = ["span.f1"]

[settings]
documents = "text"

[rules]
ranks = true

[[phases]]
slug = "test"
opens = 2020-01-01T00:00:00
closes = 2120-01-01T23:59:00
zone = "AoE"
runs-per-team = 3
"""


@pytest.fixture
def declared(tmp_path: Path) -> Path:
    (tmp_path / "text").mkdir()
    for name in ("df01-boots", "df02-price", "df03-witness"):
        (tmp_path / "text" / f"{name}.txt").write_bytes(Path(f"examples/text/{name}.txt").read_bytes())
    (tmp_path / "gold.tbf").write_bytes(some_documents("examples/gold.tbf"))
    (tmp_path / "campaign.toml").write_text(DECLARATION)
    return tmp_path / "campaign.toml"


def _create(path: Path) -> Campaign:
    from lydite.workbench.campaigns.declarations import read_declaration
    from lydite.workbench.campaigns.services import create_campaign

    return create_campaign(read_declaration(path), actor="test")


def _send(campaign: Campaign, world: World, name: str, rank: int = 1) -> None:
    from lydite.workbench.campaigns.rules import About
    from lydite.workbench.campaigns.services import accept_run

    data = some_documents(f"examples/systems/{name}.tbf")
    accept_run(world.team(campaign, name), upload(f"{name}.tbf", data), About(rank=rank), actor="test")


def test_a_declaration_makes_a_campaign_with_files_rules_and_zones(workbench: World, declared: Path) -> None:
    campaign = _create(declared)
    phase = campaign.phases.get()
    assert phase.closes.isoformat() == "2120-01-02T11:59:00+00:00"
    assert (campaign.profile, campaign.needs_ranks, phase.runs_per_team) == ("kbp2017", True, 3)
    assert campaign.files.get().name == "text.zip"
    assert workbench.files.exists()


@pytest.mark.usefixtures("workbench")
def test_the_declaration_of_the_manual_is_one(declared: Path) -> None:
    from lydite.workbench.campaigns.declarations import LIMITS, PHASE, PLAIN, RULES, read_declaration

    page = Path("docs/commands/workbench.md").read_text(encoding="utf-8")
    shown = page.partition("```toml\n")[2].partition("```")[0]
    declared.write_text(shown.replace('"texts"', '"text"'))
    new = read_declaration(declared)
    assert (new.campaign.slug, new.phases[0].zone, new.campaign.limit_upload) == (
        "spring",
        "Etc/GMT+12",
        100_000_000,
    )
    for word in {*PLAIN, *LIMITS, *PHASE, *RULES} - {"description", "format"}:
        assert f"{word} = " in shown, word


@pytest.mark.usefixtures("workbench")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("title", "titel"), "there is no 'titel'"),
        (('task = "nugget"', 'task = "nuget"'), "nuget"),
        (("gold.tbf", "gone.tbf"), "no such file"),
        (('zone = "AoE"', 'zone = "Mars"'), "no time zone 'Mars'"),
        (("2120", "1999"), "closes before it opens"),
        (("[rules]", "[rules]\nrank = 1"), "there is no 'rank'"),
    ],
)
def test_a_wrong_declaration_is_refused_and_makes_nothing(
    declared: Path, change: tuple[str, str], message: str
) -> None:
    from lydite.errors import LyditeError
    from lydite.workbench.campaigns.models import Campaign

    declared.write_text(declared.read_text().replace(*change))
    with pytest.raises(LyditeError, match=message):
        _create(declared)
    assert not Campaign.objects.exists()


@ON_SQLITE
def test_an_export_gives_the_digits_of_the_leaderboard_and_can_be_imported(
    workbench: World,
    declared: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    from lydite.cli import run
    from lydite.workbench.campaigns.exporting import export, import_campaign
    from lydite.workbench.campaigns.models import Phase
    from lydite.workbench.campaigns.services import (
        comparisons_of,
        draft_board,
        publish_board,
        published_board,
    )

    campaign = _create(declared)
    for name in ("alder", "birch"):
        _send(campaign, workbench, name)
    workbench.work()
    board = draft_board(Phase.objects.get(), actor="test")
    workbench.work()
    board.refresh_from_db()
    publish_board(board, actor="test")
    export(campaign, tmp_path / "campaign.zip", actor="test")
    folder = tmp_path / "unpacked"
    with zipfile.ZipFile(tmp_path / "campaign.zip") as archive:
        archive.extractall(folder)
    manifest = json.loads((folder / "manifest.json").read_bytes())
    shown = {place["system"].lower(): place["figure"] for place in comparisons_of(board)[0]["systems"]}
    for entry in manifest["runs"]:
        scored = lydite.score(
            folder / "gold/1/gold.tbf", folder / entry["file"], task="nugget", profile="kbp2017"
        )
        assert scored.headline_score() == shown[entry["team"]]
        kept = json.loads((folder / "scores" / f"{entry['label']}.json").read_bytes())
        of_command = json.loads(json.dumps([row.to_dict() for row in scored.corpus_rows()]))
        of_board = [row for row in kept["scores"] if row["scope"] == "corpus" and not row["by"]]
        assert [row["tally"] for row in of_board] == [row["tally"] for row in of_command if not row["by"]]
    # The command that the export shows, as it stands there.
    said = (folder / "README.txt").read_text(encoding="utf-8").split("    lydite ")[1]
    monkeypatch.chdir(folder)
    capfd.readouterr()
    assert run(shlex.split(said)) == 0
    printed = capfd.readouterr()
    assert lydite.Summary.from_dict(json.loads(printed.out)).headline_score() == shown["alder"]
    assert "source-text-missing" not in printed.err
    again = import_campaign(folder, actor="test", slug="again")
    assert (again.runs.count(), again.signature) == (2, campaign.signature)
    found = published_board(again)
    assert found is not None
    assert comparisons_of(found) == comparisons_of(board)


def test_a_copy_of_a_running_workbench_can_be_restored(workbench: World, tmp_path: Path) -> None:
    from django.conf import settings

    from lydite.workbench.accounts.models import AuditEntry, User
    from lydite.workbench.backups import backup, restore
    from lydite.workbench.campaigns.models import Run, StoredFile
    from lydite.workbench.store import path_of

    campaign = workbench.campaign()
    workbench.phase(campaign)
    workbench.user("somebody")
    _send(campaign, workbench, "alder")
    lines = AuditEntry.objects.count()
    assert backup(tmp_path / "copy.zip") == 1
    _forget_everything()
    settings.LYDITE_FILES = tmp_path / "elsewhere"
    restore(tmp_path / "copy.zip")
    assert (User.objects.get().name, Run.objects.get().label, AuditEntry.objects.count()) == (
        "somebody",
        "alder-1",
        lines,
    )
    assert path_of(StoredFile.objects.get().sha256).read_bytes() == some_documents(
        "examples/systems/alder.tbf"
    )
    workbench.user("another")


def _forget_everything() -> None:
    from django.core.management import call_command
    from django.db import connection

    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            names = [name for name in connection.introspection.table_names() if name != "django_migrations"]
            cursor.execute(f"TRUNCATE {', '.join(names)} RESTART IDENTITY CASCADE")
        return
    connection.close()
    for ending in ("", "-wal", "-shm"):
        Path(f"{connection.settings_dict['NAME']}{ending}").unlink(missing_ok=True)
    call_command("migrate", interactive=False, verbosity=0)


def test_a_run_is_sent_by_the_command_and_its_findings_are_shown(
    live: Live, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from lydite.cli import run
    from lydite.workbench.accounts.services import new_token
    from lydite.workbench.campaigns.models import Run, RunState, Validation

    campaign = live.world.campaign()
    live.world.phase(campaign, runs_per_team=1)
    token = new_token(team=live.world.team(campaign, "alder"), actor="test")
    monkeypatch.setenv("LYDITE_TOKEN", token)
    file = tmp_path / "run.tbf"
    file.write_bytes(b"a run")
    words = ["submit", str(file), "--to", live.url, "--campaign", "spring"]
    assert run([*words, "--title", "ünïcode", "--web-access", "a dictionary"]) == 0
    sent = Run.objects.get()
    assert (sent.title, sent.web_access, sent.web_access_text) == ("ünïcode", True, "a dictionary")
    assert sent.public_id in capfd.readouterr().out
    assert run(words) == 3
    assert "limit-reached" in capfd.readouterr().err
    Run.objects.update(state=RunState.INVALID)
    finding = {"code": "no-files", "severity": "error", "message": "nothing", "path": "run.tbf", "line": 3}
    empty = dict.fromkeys(("column", "document", "item", "hint"))
    Validation.objects.update(findings=[{**finding, **empty}], errors=1)
    monkeypatch.setattr("lydite.workbench.submitting.ENDED", {"received"})
    assert run([*words, "--wait"]) == 0
    assert run(["submit", str(tmp_path), "--to", live.url, "--campaign", "spring"]) == 2
    assert run(["submit", str(file), "--to", "http://eval.example.org", "--campaign", "spring"]) == 2


@pytest.mark.usefixtures("workbench")
@pytest.mark.parametrize(
    ("profile", "settings"),
    [
        ("/etc/kbp.toml", {}),
        ("kbp2014", {"taxonomy": "/etc/passwd"}),
        ("kbp2014", {"documents": "../secret"}),
        ("kbp2014", {"scored-documents": ["/etc/passwd"]}),
    ],
)
def test_no_setting_names_a_place_on_the_disk_of_the_workbench(
    profile: str, settings: dict[str, object]
) -> None:
    from lydite.workbench.campaigns.models import Campaign
    from lydite.workbench.campaigns.services import NewCampaign, create_campaign
    from lydite.workbench.problems import Refused

    new = NewCampaign(Campaign(slug="own", title="Own", task="arguments", profile=profile, settings=settings))
    with pytest.raises(Refused, match="not places on its own disk"):
        create_campaign(new, actor="test")


@pytest.mark.parametrize("url", ["http://[::1", "http://127.0.0.1:99999", "https://:443", "http://h:x"])
def test_what_is_no_address_is_wrong_usage(tmp_path: Path, url: str) -> None:
    from lydite.cli import run

    file = tmp_path / "d.tbf"
    file.touch()
    assert run(["submit", str(file), "--to", url, "--campaign", "spring"]) == 2


@pytest.mark.parametrize(
    "words",
    [
        ("workbench", "backup", "-o", "b.zip"),
        ("workbench", "migrate", "--database", "postgresql://nobody@127.0.0.1:1/none"),
    ],
)
def test_a_database_that_is_empty_or_away_is_told(tmp_path: Path, words: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "lydite", *words, "--folder", str(tmp_path / "new")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, "error: the database" in done.stderr) == (2, True), done.stderr
    assert not (tmp_path / "b.zip").exists()
