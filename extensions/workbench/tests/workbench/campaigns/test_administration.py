"""Administration without a browser: declarations, exports, copies, and sending runs by a command."""

from __future__ import annotations

import json
import shlex
import shutil
import socket
import subprocess
import sys
import threading
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import lydite
from lydite.writing import archive_bytes
from workbench_world import ON_SQLITE, Live, World, some_documents, upload

if TYPE_CHECKING:
    from collections.abc import Callable

    from lydite_workbench.campaigns.models import Campaign, Run

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
    from lydite_workbench.campaigns.declarations import read_declaration
    from lydite_workbench.campaigns.setup import create_campaign

    return create_campaign(read_declaration(path), actor="test")


def _send(campaign: Campaign, world: World, name: str, rank: int = 1) -> None:
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run

    data = some_documents(f"examples/systems/{name}.tbf")
    accept_run(
        world.team(campaign, name), upload(f"{name}.tbf", data), RunDescription(rank=rank), actor="test"
    )


def test_a_declaration_makes_a_campaign_with_files_rules_and_zones(workbench: World, declared: Path) -> None:
    campaign = _create(declared)
    phase = campaign.phases.get()
    assert phase.closes.isoformat() == "2120-01-02T11:59:00+00:00"
    assert (campaign.profile, campaign.needs_ranks, phase.runs_per_team) == ("kbp2017", True, 3)
    assert campaign.files.get().name == "text.zip"
    assert workbench.files.exists()


@pytest.mark.parametrize("text", ["Spring 😀", "a\x7fb", 'a "quoted" \\ word', "two\nlines\t\x1b"])
def test_what_a_campaign_says_is_read_as_it_was_written(workbench: World, tmp_path: Path, text: str) -> None:
    from lydite_workbench.campaigns.declarations import declaration_text, read_declaration

    # Titles have no characters that nobody sees.
    title = text if text.isprintable() else "Spring"
    campaign = workbench.campaign(title=title, description=text)
    workbench.phase(campaign, title=title)
    (tmp_path / "campaign.toml").write_text(declaration_text(campaign, None, {}), encoding="utf-8")
    found = read_declaration(tmp_path / "campaign.toml")
    said = found.campaign.title, found.campaign.description, found.phases[0].title
    assert said == (title, text, title)


def test_the_command_of_an_export_is_of_a_run_that_was_scored(workbench: World) -> None:
    from lydite_workbench.campaigns.exporting import export_files
    from lydite_workbench.campaigns.models import Run, RunState

    campaign = workbench.scored_campaign(format="tbf")
    for name in ("alder", "birch"):
        _send(campaign, workbench, name)
    Run.objects.filter(team__slug="alder").update(state=RunState.INVALID)
    Run.objects.filter(team__slug="birch").update(state=RunState.SCORED)
    told = dict(export_files(campaign))["README.txt"]
    assert b"gold/1/gold.tbf runs/birch-1/birch.tbf --from tbf --profile kbp2017" in told


@pytest.mark.usefixtures("workbench")
def test_the_declaration_of_the_manual_is_one(declared: Path) -> None:
    from lydite_workbench.campaigns.declarations import (
        LIMIT_FIELDS,
        PHASE_FIELDS,
        RULE_FIELDS,
        TOP_FIELDS,
        read_declaration,
    )

    page = Path("docs/commands/workbench.md").read_text(encoding="utf-8")
    shown = page.partition("```toml\n")[2].partition("```")[0]
    declared.write_text(shown.replace('"texts"', '"text"'))
    new = read_declaration(declared)
    assert (new.campaign.slug, new.phases[0].zone, new.campaign.limit_upload) == (
        "spring",
        "Etc/GMT+12",
        100_000_000,
    )
    for word in {*TOP_FIELDS, *LIMIT_FIELDS, *PHASE_FIELDS, *RULE_FIELDS} - {"description", "format"}:
        assert f"{word} = " in shown, word


@pytest.mark.usefixtures("workbench")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("title", "titel"), "unknown key 'titel'"),
        (('task = "nugget"', 'task = "nuget"'), "nuget"),
        (("gold.tbf", "gone.tbf"), "no such file"),
        (('zone = "AoE"', 'zone = "Mars"'), "unknown time zone 'Mars'"),
        (("2120", "1999"), "closes before it opens"),
        (
            ('2120-01-01T23:59:00\nzone = "AoE"', '2031-03-30T02:30:00\nzone = "Europe/Berlin"'),
            "phase 1: closes: 2031-03-30 02:30: the clocks of Europe/Berlin never show it",
        ),
        (("[rules]", "[rules]\nrank = 1"), "unknown key 'rank'"),
        (("[settings]", "[settings]\nunit = 2020-01-01"), "settings: Value must be valid JSON"),
        (("public = true", 'public = "no"'), "public: expected true or false, found 'no'"),
        (('["span.f1"]', '"span.f1"'), "figures: expected a list"),
        (('["span.f1"]', '["spann.f1"]'), "figures: no figure 'spann.f1' .did you mean 'span.f1'"),
        (('["span.f1"]', "[5]"), "figures: expected texts, found 5"),
        (('["span.f1"]', '["coref.f1"]\nprofile = "pilot2014"'), "no figure 'coref.f1'"),
        (("gold.tbf", "g" * 300), "File name too long|no such file"),  # Python ≥ 3.14 finds no such file
        (('"gold.tbf"', "5"), "gold: expected a text, found 5"),
        (('documents = "text"', "documents = 5"), "documents: expected a text, found 5"),
        (("runs-per-team = 3", "runs-per-team = true"), "runs-per-team: expected a whole number, found True"),
        (('zone = "AoE"', "zone = 5"), "zone: expected a text, found 5"),
        (("[rules]\nranks = true", "[limits]\nseconds = []"), "seconds: expected a whole number"),
        (("[settings]", "[settings]\nrelation-lines = false"), "relation-lines: only a profile can set this"),
    ],
)
def test_a_wrong_declaration_is_refused_and_makes_nothing(
    declared: Path, change: tuple[str, str], message: str
) -> None:
    from lydite.errors import LyditeError
    from lydite_workbench.campaigns.models import Campaign

    declared.write_text(declared.read_text().replace(*change))
    with pytest.raises(LyditeError, match=message):
        _create(declared)
    assert not Campaign.objects.exists()


@ON_SQLITE
@pytest.mark.parametrize(
    ("task", "settings", "known", "unknown"),
    [
        ("nugget", {}, "coref.f1", "coref.value"),
        ("nugget", {"coref": "off"}, "span.macro.f1", "coref.f1"),
        ("ace", {}, "event.ace-value.value", "event.f2"),
        ("ace", {"kinds": ["entity"]}, "entity.value", "event.ace-value.value"),
        ("arguments", {}, "strict.f1", "rules.counts.micro.f1"),
        ("coref", {}, "coref.b-cubed.f1", "coref.conll.precision"),
    ],
)
def test_a_campaign_without_gold_takes_every_figure_that_its_settings_can_measure_and_no_other(
    workbench: World, task: str, settings: dict[str, object], known: str, unknown: str
) -> None:
    from lydite_workbench.problems import Refused

    given = {"task": task, "settings": settings, "gold": None}
    with pytest.raises(Refused, match="figures: no figure"):
        workbench.scored_campaign(**given, figures=[known, unknown])
    assert workbench.scored_campaign(**given, figures=[known]).figures == [known]


@ON_SQLITE
def test_gold_that_lacks_what_a_figure_of_the_leaderboard_needs_is_refused(workbench: World) -> None:
    from lydite_workbench.campaigns.gold import replace_gold
    from lydite_workbench.problems import Refused

    campaign = workbench.scored_campaign(figures=["coref.f1"])
    without = b"".join(
        line for line in some_documents("examples/gold.tbf").splitlines(keepends=True) if line[:1] != b"@"
    )
    with pytest.raises(Refused, match=r"no figure 'coref\.f1'"):
        replace_gold(campaign, upload("gold.tbf", without), note="", actor="test")
    assert campaign.golds.count() == 1


@ON_SQLITE
def test_a_taxonomy_of_ones_own_comes_with_its_campaign(workbench: World, tmp_path: Path) -> None:
    from lydite_workbench.assessment.pools import taxonomy_of
    from lydite_workbench.campaigns.exporting import export, import_campaign
    from lydite_workbench.problems import Refused

    shipped = Path("src/lydite/taxonomies/kbp2015.toml").read_text(encoding="utf-8")
    (tmp_path / "ours.toml").write_text(shipped.replace('name = "kbp2015"', 'name = "ours"'))
    (tmp_path / "ids.txt").write_text("nw01-depot\n")
    said = 'taxonomy = "ours.toml"\ndocument-list = ["ids.txt"]\n'
    head = 'slug = "spring"\ntitle = "Spring"\ntask = "arguments"\n\n[settings]\n'
    (tmp_path / "campaign.toml").write_text(head + said)
    campaign = _create(tmp_path / "campaign.toml")
    export(campaign, tmp_path / "campaign.zip", actor="test")
    with zipfile.ZipFile(tmp_path / "campaign.zip") as archive:
        archive.extractall(tmp_path / "unpacked")
    for one in (campaign, import_campaign(tmp_path / "unpacked", actor="test", slug="again")):
        assert taxonomy_of(one).name == "ours"
        assert {file.setting: file.name for file in one.files.all()} == {
            "taxonomy": "ours.toml",
            "document-list": "ids.txt",
        }
    with pytest.raises(Refused, match="taxonomy: the workbench takes files that are sent to it"):
        workbench.scored_campaign("other", task="arguments", gold=None, settings={"taxonomy": "ours.toml"})
    settings = {"taxonomy": "kbp2014-later"}
    assert workbench.scored_campaign("other", task="arguments", gold=None, settings=settings).pk


@ON_SQLITE
def test_the_command_imports_an_export_with_runs_that_are_archives(workbench: World, tmp_path: Path) -> None:
    from lydite_workbench.campaigns.exporting import export
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run

    campaign = workbench.campaign()
    workbench.phase(campaign)
    packed = upload("run.zip", archive_bytes([("run.tbf", b"a run")]))
    accept_run(workbench.team(campaign, "alder"), packed, RunDescription(), actor="test")
    export(campaign, tmp_path / "campaign.zip", actor="test")
    for words in (["migrate"], ["import", "campaign.zip"]):
        command = [sys.executable, "-m", "lydite", "workbench", "--folder", "new", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "created the campaign spring with 1 run, which waits to be validated\n"


@ON_SQLITE
def test_files_are_found_under_their_names_after_the_workbench_was_moved(workbench: World) -> None:
    from django.conf import settings

    kept = upload("run.tbf", b"a run")
    assert kept.path.read_bytes() == b"a run"
    settings.LYDITE_FILES = workbench.files.rename(workbench.files.with_name("moved"))
    assert kept.path.read_bytes() == b"a run"


@ON_SQLITE
def test_an_export_holds_one_piece_of_a_file_at_a_time(workbench: World, tmp_path: Path) -> None:
    from lydite_workbench.campaigns.exporting import export, export_files, run_place
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run
    from lydite_workbench.store import PIECE

    campaign = workbench.campaign()
    workbench.phase(campaign)
    large = bytes(range(256)) * (PIECE // 100)
    run = accept_run(
        workbench.team(campaign, "alder"), upload("run.tbf", large), RunDescription(), actor="test"
    )
    pieces = dict(export_files(campaign))[run_place(run)]
    assert [len(piece) for piece in pieces] == [PIECE, PIECE, len(large) - 2 * PIECE]
    export(campaign, tmp_path / "campaign.zip", actor="test")
    with zipfile.ZipFile(tmp_path / "campaign.zip") as archive:
        assert archive.read(run_place(run)) == large


@ON_SQLITE
def test_an_export_gives_the_digits_of_the_leaderboard_and_can_be_imported(
    workbench: World,
    declared: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    from lydite.cli import run
    from lydite_workbench.campaigns.boards import comparisons_of, draft_board, publish_board, published_board
    from lydite_workbench.campaigns.exporting import export, import_campaign
    from lydite_workbench.campaigns.models import Phase

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


@ON_SQLITE
@pytest.mark.parametrize(
    ("opens", "zone"),
    [("1900-06-01T00:00:00", "Europe/Amsterdam"), ("2031-01-01T00:00:00.5", "Pacific/Kiritimati")],
)
def test_a_phase_of_any_time_is_read_again_as_it_was(
    workbench: World, tmp_path: Path, opens: str, zone: str
) -> None:
    from lydite_workbench.campaigns.declarations import declaration_text, read_declaration

    campaign = workbench.campaign()
    organiser = workbench.client(workbench.user("olga", administrator=True))
    window = {"phase": "final", "opens": opens, "closes": "2032-01-01T00:00", "zone": zone}
    assert organiser.post("/campaigns/spring/phases", window).status_code == 302
    early = organiser.post(
        "/campaigns/spring/phases", {**window, "phase": "x", "opens": "1900-01-01T00:00+14:00"}
    )
    assert (early.status_code, b"expected a year from 1900" in early.content) == (400, True)
    (tmp_path / "campaign.toml").write_text(declaration_text(campaign, None, {}), encoding="utf-8")
    (found,) = read_declaration(tmp_path / "campaign.toml").phases
    phase = campaign.phases.get()
    assert (found.opens, found.closes, found.zone) == (phase.opens, phase.closes, phase.zone)


@ON_SQLITE
def test_an_import_shows_a_message_to_its_team_alone_and_beside_its_run(
    workbench: World, tmp_path: Path
) -> None:
    from lydite.errors import UsageError
    from lydite_workbench.campaigns.exporting import MANIFEST, export, import_campaign
    from lydite_workbench.campaigns.models import Message, Run

    campaign = workbench.scored_campaign()
    _send(campaign, workbench, "alder")
    run = Run.objects.get()
    Message.objects.create(campaign=campaign, team=run.team, run=run, subject="Run 1", text="for you alone")
    export(campaign, tmp_path / "campaign.zip", actor="test")
    with zipfile.ZipFile(tmp_path / "campaign.zip") as archive:
        archive.extractall(tmp_path / "unpacked")
    again = import_campaign(tmp_path / "unpacked", actor="test", slug="again")
    message = again.messages.get()
    assert (message.team, message.run) == (again.teams.get(), again.runs.get())
    manifest = tmp_path / "unpacked" / MANIFEST
    manifest.write_text(
        manifest.read_text().replace('"team": "alder",\n      "run"', '"team": "gone",\n      "run"')
    )
    with pytest.raises(UsageError, match="the export is damaged"):
        import_campaign(tmp_path / "unpacked", actor="test", slug="third")


@ON_SQLITE
def test_an_export_keeps_which_run_replaces_which(workbench: World, tmp_path: Path) -> None:
    from lydite_workbench.campaigns.exporting import export, import_campaign
    from lydite_workbench.campaigns.models import Run, RunState

    campaign = workbench.scored_campaign()
    _send(campaign, workbench, "alder")
    first = Run.objects.get()
    Run.objects.update(state=RunState.INVALID)
    Run.objects.create(
        campaign=campaign,
        phase=first.phase,
        team=first.team,
        number=2,
        file=first.file,
        file_name="b.tbf",
        replaces=first,
    )
    export(campaign, tmp_path / "campaign.zip", actor="test")
    with zipfile.ZipFile(tmp_path / "campaign.zip") as archive:
        archive.extractall(tmp_path / "unpacked")
    again = import_campaign(tmp_path / "unpacked", actor="test", slug="again")
    assert [run.replaces and run.replaces.label for run in again.runs.all()] == [None, "alder-1"]


def test_a_copy_of_a_running_workbench_can_be_restored(workbench: World, tmp_path: Path) -> None:
    from django.conf import settings

    from lydite_workbench.accounts.models import AuditEntry, User
    from lydite_workbench.backups import backup, restore
    from lydite_workbench.campaigns.models import Run, StoredFile
    from lydite_workbench.store import path_of

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


def test_a_copy_holds_runs_that_were_pooled_later_than_newer_ones(workbench: World, tmp_path: Path) -> None:
    from lydite_workbench.assessment.models import Pool
    from lydite_workbench.backups import backup, restore

    campaign = workbench.campaign()
    workbench.phase(campaign)
    for name in ("alder", "birch", "cedar"):
        _send(campaign, workbench, name)
    pool = Pool.objects.create(campaign=campaign)
    for run in campaign.runs.order_by("-pk"):
        pool.runs.add(run)
    backup(tmp_path / "copy.zip")
    _forget_everything()
    restore(tmp_path / "copy.zip")
    assert {run.label for run in Pool.objects.get().runs.all()} == {"alder-1", "birch-1", "cedar-1"}


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda name, data: None if name.startswith("by-hash/") else data, "is missing in the copy"),
        (lambda name, data: None if name == "rows.jsonl" else data, "the copy is damaged"),
        (lambda name, data: data[:-5] if name == "rows.jsonl" else data, "the copy is damaged"),
        (lambda _name, data: data.replace(b'"slug"', b'"slag"'), "the copy is damaged"),
        (lambda name, data: b"[]" if name == "manifest.json" else data, "not a copy of a workbench"),
    ],
)
def test_a_damaged_copy_is_refused_and_fills_nothing(
    workbench: World, tmp_path: Path, damage: Callable[[str, bytes], bytes | None], told: str
) -> None:
    from lydite.errors import UsageError
    from lydite_workbench.backups import backup, restore
    from lydite_workbench.campaigns.models import Campaign

    workbench.scored_campaign()
    backup(tmp_path / "copy.zip")
    with zipfile.ZipFile(tmp_path / "copy.zip") as whole, zipfile.ZipFile(tmp_path / "less.zip", "w") as less:
        for name in whole.namelist():
            data = damage(name, whole.read(name))
            if data is not None:
                less.writestr(name, data)
    _forget_everything()
    shutil.rmtree(workbench.files)
    with pytest.raises(UsageError, match=told):
        restore(tmp_path / "less.zip")
    assert not Campaign.objects.exists()


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


def _valid_at_once(run: Run) -> None:
    run.state = "valid"
    run.save()


def test_who_is_in_two_teams_says_for_which_one_a_run_is_sent(
    live: Live, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from lydite.cli import run
    from lydite_workbench.accounts.services import new_token
    from lydite_workbench.campaigns.models import Run

    campaign, anna = live.world.campaign(), live.world.user("anna")
    live.world.phase(campaign)
    for name in ("alder", "birch"):
        live.world.team(campaign, name, anna)
    monkeypatch.setenv("LYDITE_TOKEN", new_token(user=anna, actor="test"))
    (tmp_path / "run.tbf").write_bytes(b"a run")
    words = ["submit", str(tmp_path / "run.tbf"), "--to", live.url, "--campaign", "spring"]
    assert run(words) == 3
    assert run([*words, "--team", "birch", "--web-access", ""]) == 0
    assert [(one.team.slug, one.web_access) for one in Run.objects.all()] == [("birch", True)]


def test_a_server_that_refuses_a_large_file_before_it_is_sent_is_understood(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from lydite.cli import run

    (tmp_path / "run.tbf").write_bytes(bytes(20_000_000))
    monkeypatch.setenv("LYDITE_TOKEN", "a token")
    with socket.create_server(("127.0.0.1", 0)) as server:

        def refuse() -> None:
            line, _ = server.accept()
            with line:
                line.recv(100)
                line.sendall(b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 9\r\n\r\ntoo large")
                line.shutdown(socket.SHUT_RDWR)

        threading.Thread(target=refuse, daemon=True).start()
        address = f"http://127.0.0.1:{server.getsockname()[1]}"
        assert run(["submit", str(tmp_path / "run.tbf"), "--to", address, "--campaign", "spring"]) == 3
    assert "the file is larger than the server accepts [too-large]" in capfd.readouterr().err


def test_a_run_is_sent_by_the_command_and_its_findings_are_shown(
    live: Live, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from lydite.cli import run
    from lydite_workbench.accounts.services import new_token
    from lydite_workbench.campaigns.models import Run, RunState, Validation

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
    monkeypatch.setattr("lydite_workbench.submitting.ENDED", {"received"})
    assert run([*words, "--wait"]) == 0
    monkeypatch.setattr("lydite_workbench.submitting.ENDED", set())
    monkeypatch.setattr("lydite_workbench.submitting.PAUSE", 0)
    Run.objects.update(state=RunState.VALID)
    campaign.phases.update(runs_per_team=None)
    with monkeypatch.context() as patched:
        # Nothing waits for gold that is not there yet.
        patched.setattr("lydite_workbench.campaigns.jobs.queue_validation", _valid_at_once)
        assert run([*words, "--wait"]) == 0
    assert "valid" in capfd.readouterr().out
    assert run(["submit", str(tmp_path), "--to", live.url, "--campaign", "spring"]) == 2
    assert run(["submit", str(file), "--to", "http://eval.example.org", "--campaign", "spring"]) == 2


@pytest.mark.usefixtures("workbench")
@pytest.mark.parametrize(
    ("profile", "settings"),
    [
        ("/etc/kbp.toml", {}),
        ("kbp2014", {"taxonomy": "/etc/passwd"}),
        ("kbp2014", {"documents": "../secret"}),
        ("kbp2014", {"documents": "texts"}),
        ("kbp2014", {"scored-documents": ["/etc/passwd"]}),
    ],
)
def test_no_setting_names_a_place_on_the_disk_of_the_workbench(
    profile: str, settings: dict[str, object]
) -> None:
    from lydite_workbench.campaigns.models import Campaign
    from lydite_workbench.campaigns.setup import NewCampaign, create_campaign
    from lydite_workbench.problems import Refused

    new = NewCampaign(Campaign(slug="own", title="Own", task="arguments", profile=profile, settings=settings))
    with pytest.raises(Refused, match="not paths on its own disk"):
        create_campaign(new, actor="test")


@pytest.mark.parametrize("url", ["http://[::1", "http://127.0.0.1:99999", "https://:443", "http://h:x"])
def test_what_is_no_address_is_wrong_usage(tmp_path: Path, url: str) -> None:
    from lydite.cli import run

    file = tmp_path / "d.tbf"
    file.touch()
    assert run(["submit", str(file), "--to", url, "--campaign", "spring"]) == 2


def test_a_workbench_that_cannot_listen_promises_nothing(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        words = ["serve", "--folder", "new", "--port", str(taken.getsockname()[1])]
        command = [sys.executable, "-m", "lydite", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert "cannot listen at 127.0.0.1" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("workbench", "backup", "-o", "b.zip"),
        ("workbench", "--database", "postgresql://nobody@127.0.0.1:1/none", "migrate"),
    ],
)
def test_a_database_that_is_empty_or_away_is_told(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "workbench.sqlite3").touch()
    folder = ("--folder", str(tmp_path / "new"))
    command = [sys.executable, "-m", "lydite", words[0], *folder, *words[1:]]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, "error: the database" in done.stderr) == (2, True), done.stderr
    assert not (tmp_path / "b.zip").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("workbench", "create-user", "a\udcff"),
        ("workbench", "create-user", "anna", "--shown-name", "a\udcff"),
        ("workbench", "add-team", "a\udcff", "Alder"),
        ("workbench", "add-team", "spring", "a\udcff"),
        ("workbench", "add-team", "spring", "Alder", "--slug", "a\udcff"),
        ("workbench", "add-team", "spring", "Alder", "--address", "a\udcff"),
        ("workbench", "token", "--user", "a\udcff"),
        ("workbench", "token", "--team", "a\udcff/b"),
        ("workbench", "token", "--revoke", "a\udcff"),
        ("workbench", "token", "--user", "anna", "--label", "a\udcff"),
        ("workbench", "export", "a\udcff", "-o", "a.zip"),
        ("workbench", "import", "a.zip", "--slug", "a\udcff"),
        ("submit", "run.tbf", "--to", "http://127.0.0.1:1", "--campaign", "a\udcff"),
        ("submit", "run.tbf", "--to", "http://127.0.0.1:1", "--campaign", "c", "--title", "a\udcff"),
    ],
)
def test_words_that_are_no_utf_8_are_wrong_usage(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    from lydite.cli import run

    assert run(list(words)) == 2
    assert "expected text in UTF-8, found a\\xff" in capsys.readouterr().err
