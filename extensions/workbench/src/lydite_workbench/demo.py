"""The example campaigns of ``lydite serve --demo``, with something to see and to do for every role."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from runpy import run_path
from tempfile import TemporaryDirectory

from lydite.assess.pooling import PoolRules
from lydite.errors import UsageError
from lydite.writing import archive_bytes
from lydite_workbench.accounts import services as accounts
from lydite_workbench.accounts.models import Role, User
from lydite_workbench.adjudication.services import make_annotator_queue, make_target_queue
from lydite_workbench.assessment.pools import make_pool
from lydite_workbench.campaigns import boards
from lydite_workbench.campaigns.declarations import store_path
from lydite_workbench.campaigns.jobs import work_once
from lydite_workbench.campaigns.models import Campaign, Phase, RunState, Team
from lydite_workbench.campaigns.rules import RunDescription
from lydite_workbench.campaigns.runs import accept_run, valid_runs
from lydite_workbench.campaigns.setup import NewCampaign, create_campaign
from lydite_workbench.campaigns.teams import add_team
from lydite_workbench.corpus.services import NewCollection, import_records, make_collection
from lydite_workbench.rights import Caller
from lydite_workbench.store import Upload, store

PASSWORD = "touchstone-demo"  # noqa: S105 - printed for everybody who starts the demo
TEAMS = ("alder", "birch", "cedar")
PEOPLE = ("olga", "ada", "ben", "carla", "emil", *TEAMS)
"""The organiser, two assessors, an adjudicator, an explorer, and one member of each team."""


def examples_folder() -> Path:
    """The folder of the example corpora, in the package or beside its sources."""
    room = Path(__file__).parent
    found = [folder for folder in (room / "examples", room.parents[3] / "examples") if folder.is_dir()]
    if not found:
        hint = "run the demo from a clone: make workbench"
        raise UsageError("the example corpora are not installed", hint=hint)
    return found[0]


People = Mapping[str, User]
"""By name."""


def _organiser(people: People) -> Caller:
    return Caller(people["olga"])


def _give_role(people: People, name: str, campaign: Campaign, role: Role) -> None:
    accounts.give_role(people[name], campaign, role, actor=_organiser(people))


def fill(say: Callable[[str], None]) -> None:
    """Make the accounts and campaigns of the demo, and do all of their jobs."""
    # The log of the jobs would drown the lines for the user.
    logging.getLogger("lydite_workbench").setLevel(logging.WARNING)
    people = {
        name: accounts.create_user(name, PASSWORD, shown_name=name.title(), administrator=name == "olga")
        for name in PEOPLE
    }
    organiser = _organiser(people)
    folder = examples_folder()
    say("making the example campaigns; this takes half a minute")
    nuggets = _nuggets(people, folder)
    _give_role(people, "carla", nuggets, Role.ADJUDICATOR)
    arguments = _arguments(people, folder)
    entities = _entities(people, folder)
    while work_once():
        pass
    _send_corrected_run(people, arguments, folder)
    while work_once():
        pass
    for phase in nuggets.phases.all():
        boards.draft_board(phase, actor=organiser)
    make_pool(arguments, valid_runs(arguments), PoolRules(), organiser, twice=25)
    targets = store_path(folder / "ace" / "targets.jsonl")
    make_target_queue(entities, valid_runs(entities), targets, caller=organiser)
    annotators = [store_path(folder / "systems" / f"{name}.tbf") for name in ("alder", "birch")]
    make_annotator_queue(nuggets, annotators, texts=store_path(folder / "text"), caller=organiser)
    _collection(people, entities, folder)
    while work_once():
        pass
    boards.publish_board(nuggets.boards.get(), actor=organiser, names="names")
    logging.getLogger("lydite_workbench").setLevel(logging.INFO)


def _open_phase(**more: object) -> Phase:
    now = datetime.now(UTC).replace(second=0, microsecond=0)
    opens, closes = now - timedelta(days=7), now + timedelta(days=30)
    return Phase(slug="development", title="Development", opens=opens, closes=closes, runs_per_team=5, **more)


def _campaign(
    people: People,
    phase: Phase,
    *,
    gold: Upload | None = None,
    files: Mapping[str, Upload] = {},
    **about: str,
) -> Campaign:
    new = NewCampaign(Campaign(is_public=True, **about), gold, files, [phase])
    return create_campaign(new, actor=_organiser(people))


def _team(campaign: Campaign, name: str, people: People) -> Team:
    team = add_team(campaign, name.title(), actor=_organiser(people))
    team.members.add(people[name])
    return team


def _nuggets(people: People, folder: Path) -> Campaign:
    """Three teams with two runs each; the second run is the first without every seventh mention."""
    campaign = _campaign(
        people,
        _open_phase(is_test=False, teams_see="report"),
        slug="harbour-nuggets",
        title="Harbour nuggets",
        task="nugget",
        description="Find the events of twenty stories from a harbour town: their words, types and realis.",
        board_of="all",
        gold=store_path(folder / "gold.tbf"),
    )
    for name in TEAMS:
        team = _team(campaign, name, people)
        first = (folder / "systems" / f"{name}.tbf").read_bytes()
        runs = (("all features", first, ""), ("fewer mentions", _without_every_seventh(first), "word lists"))
        for rank, (title, data, web) in enumerate(runs, 1):
            about = RunDescription(title=title, rank=rank, web_access=bool(web), web_access_text=web)
            run = Upload.of(store(data), f"{name}-{rank}.tbf")
            accept_run(team, run, about, actor=Caller(people[name]))
    return campaign


def _without_every_seventh(data: bytes) -> bytes:
    """A system output without every seventh mention, and without links between mentions."""
    kept, seen = [], 0
    for line in data.splitlines(keepends=True):
        if line.startswith(b"@"):
            continue
        if not line.startswith(b"#") and line.strip():
            seen += 1
            if seen % 7 == 0:
                continue
        kept.append(line)
    return b"".join(kept)


def _send_run(campaign: Campaign, name: str, people: People, folder: Path, about: RunDescription) -> None:
    team = _team(campaign, name, people)
    accept_run(team, store_path(folder / "systems" / name), about, actor=Caller(people[name]))


def _arguments(people: People, folder: Path) -> Campaign:
    """Event arguments without gold: assessors judge what the runs found."""
    campaign = _campaign(
        people,
        _open_phase(),
        slug="harbour-arguments",
        title="Harbour arguments",
        task="arguments",
        profile="kbp2014",
        description="Who did what to whom in the stories of the harbour town; assessors judge what the systems found.",
        files={"documents": store_path(folder / "text")},
    )
    for name in ("ada", "ben"):
        _give_role(people, name, campaign, Role.ASSESSOR)
    _give_role(people, "carla", campaign, Role.ADJUDICATOR)
    for name in TEAMS:
        is_valid = name != "birch"
        about = RunDescription("run") if is_valid else RunDescription("first try", description=NOT_VALID)
        _send_run(campaign, name, people, folder / "arguments", about)
    return campaign


NOT_VALID = (
    "This run is invalid on purpose, to show what a team sees: the finding below has the line, what was expected and "
    "what to try. Run 2 is the same with a valid date."
)


def _send_corrected_run(people: People, campaign: Campaign, folder: Path) -> None:
    """Replace the invalid run by the same one with a valid date, as its team would."""
    (broken,) = campaign.runs.filter(state=RunState.INVALID).select_related("team")
    files = {file.name: file.read_bytes() for file in (folder / "arguments" / "systems" / "birch").iterdir()}
    mended = {name: data.replace(b"\tlast Saturday\t", b"\t2031-03-08\t") for name, data in files.items()}
    accept_run(
        broken.team,
        Upload.of(store(archive_bytes(sorted(mended.items()))), "birch.zip"),
        RunDescription("run", description="The first try with a valid date."),
        actor=Caller(people["birch"]),
        replaces=broken,
    )


def _entities(people: People, folder: Path) -> Campaign:
    """Entities across documents: adjudicators judge what the systems found for the targets beyond gold."""
    campaign = _campaign(
        people,
        _open_phase(),
        slug="harbour-entities",
        title="Harbour entities",
        task="ace",
        profile="ace08-global",
        description="The people of the harbour town across all stories; adjudicators judge what is not in gold.",
        gold=store_path(folder / "ace" / "gold"),
        files={"documents": store_path(folder / "text")},
    )
    _give_role(people, "carla", campaign, Role.ADJUDICATOR)
    for name in ("alder", "birch"):
        _send_run(campaign, name, people, folder / "ace", RunDescription(title="run"))
    return campaign


def _collection(people: People, campaign: Campaign, folder: Path) -> None:
    """A collection of two hundred documents with planted names, and the judgements of another site."""
    if find_spec("tantivy") is None:
        # The search engine is an extra of its own.
        return
    _give_role(people, "emil", campaign, Role.EXPLORER)
    with TemporaryDirectory() as place:
        made = Path(place)
        run_path(str(folder / "build_collection.py"))["write"](made, 200, 1)
        new = NewCollection(
            slug="harbour-collection",
            title="Harbour collection",
            texts=[store_path(made / "documents.jsonl"), store_path(made / "threads")],
            targets=store_path(made / "targets.jsonl"),
            gold=store_path(made / "gold"),
        )
        north = store_path(made / "judgements-north.jsonl")
    collection = make_collection(campaign, new, caller=_organiser(people))
    import_records(collection, north, caller=_organiser(people))
