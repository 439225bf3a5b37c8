"""Scores of frozen assessments with wrong strings, ignored items, quotes, a pool of the best, and a late run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lydite.profile import load_profile, profile_names
from lydite.tasks.arguments.settings import ArgumentSettings
from lydite.writing import archive_bytes
from workbench_world import ON_SQLITE, World

if TYPE_CHECKING:
    from lydite_workbench.accounts.models import User
    from lydite_workbench.assessment.models import Pool
    from lydite_workbench.campaigns.models import Campaign, Run, Score

TEXT = "Ann met Bob. Cal met Dan. <quote>Eve met Flo.</quote> Gus met Hal. Ian met Jon."
RIGHT = {
    "event type": "C",
    "role": "C",
    "base filler": "C",
    "canonical string": "C",
    "realis": "Actual",
    "mention type": "NAME",
}
ANSWERS = {
    "Bob": {**RIGHT, "canonical string": "W"},
    "Cal": {"event type": "NIL"},
    "Jon": RIGHT,
    "Ann": RIGHT,
}
"""The string of one item is wrong, and another item is ignored."""


def _is_assessed(profile: str) -> bool:
    settings = load_profile("arguments", profile, ArgumentSettings).settings
    return settings.match == "assessment" and settings.compare_strings == "none"


ASSESSED = sorted(filter(_is_assessed, profile_names("arguments")))


def campaign_of(world: World, profile: str) -> Campaign:
    """A campaign with the text, and for frames with a gold linking without frames."""
    from lydite_workbench.campaigns.models import CampaignFile
    from lydite_workbench.store import store

    signature = f"lydite|t:arguments|p:{profile}"
    campaign = world.campaign("arguments", task="arguments", profile=profile, signature=signature)
    files = {"documents": archive_bytes([("D.txt", TEXT.encode())])}
    if load_profile("arguments", profile, ArgumentSettings).settings.frames:
        files["linking"] = archive_bytes([("D", b"")])
    for setting, data in files.items():
        CampaignFile.objects.create(
            campaign=campaign, setting=setting, name=f"{setting}.zip", file=store(data)
        )
    return campaign


def sent(world: World, campaign: Campaign, team: str, names: str) -> Run:
    """A valid run that claims these names, the earlier ones with more confidence."""
    from lydite.version import __version__
    from lydite_workbench.campaigns.models import JobState, Phase, Run, RunState, Validation
    from lydite_workbench.store import store

    lines = []
    for number, name in enumerate(names.split()):
        begin = TEXT.index(name)
        span = f"{begin}-{begin + 2}"
        columns = ("D", "Contact.Meet", "Entity", name, span, span, span, "NIL", "Actual", f"0.{9 - number}")
        lines.append("\t".join((str(number), *columns)))
    files = {"D": "\n".join(lines).encode()}
    if load_profile("arguments", campaign.profile, ArgumentSettings).settings.frames:
        frames = "\t".join(str(number) for number in range(len(lines)))
        files = {"arguments/D": files["D"], "linking/D": frames.encode()}
    run = Run.objects.create(
        campaign=campaign,
        phase=Phase.objects.filter(campaign=campaign).first() or world.phase(campaign),
        team=world.team(campaign, team),
        number=1,
        file=store(archive_bytes(files.items())),
        file_name=f"{team}.zip",
        state=RunState.VALID,
    )
    Validation.objects.create(
        run=run, job_state=JobState.DONE, signature=campaign.signature, lydite_version=__version__
    )
    return run


def pooled(
    world: World, run: Run, *, top_n: int | None = None, drop_quotes: bool = False
) -> tuple[Pool, User]:
    """A pool of one run, and its assessor."""
    from lydite.assess.pooling import PoolRules
    from lydite_workbench.accounts.models import Role
    from lydite_workbench.assessment import pools
    from lydite_workbench.rights import Caller

    anna = world.user("anna")
    world.role(anna, run.campaign, Role.ASSESSOR)
    rules = PoolRules(top_n=top_n)
    return pools.make_pool(run.campaign, [run], rules, Caller(), drop_quotes=drop_quotes, twice=0), anna


def judge_and_freeze(world: World, pool: Pool, person: User) -> None:
    """Judge everything by ``ANSWERS``, freeze it, and score all runs."""
    from lydite_workbench.assessment import judgements, stores
    from lydite_workbench.assessment.judgements import judged_by
    from lydite_workbench.rights import Caller

    while (seat := judgements.take_seat(pool, person)) is not None:
        for item in seat.document.items.all():
            judgements.judge(item, person, ANSWERS[item.columns[3]], seconds=2.0)
        (judged,) = judged_by(seat.document, person)
        judgements.group(seat.document, person, judged.strings)
    stores.freeze(pool, Caller())
    world.work()


def score_of(run: Run) -> Score:
    from lydite_workbench.campaigns.models import Campaign, Score

    campaign = Campaign.objects.get(pk=run.campaign.pk)
    return Score.objects.get(run=run, gold=campaign.gold, signature=campaign.signature)


def figures(run: Run) -> tuple[float | None, float | None, float | None]:
    """The headline of a run in percent, and its worst and best value while items are not judged."""
    score = score_of(run)
    found = score.value, score.pessimistic, score.optimistic
    rounded = (value if value is None else round(100 * value, 2) for value in found)
    return next(rounded), next(rounded), next(rounded)


@ON_SQLITE
@pytest.mark.parametrize("profile", ASSESSED)
def test_a_frozen_assessment_with_a_wrong_string_and_an_ignored_item_is_scored(
    workbench: World, profile: str
) -> None:
    run = sent(workbench, campaign_of(workbench, profile), "alder", "Ann Bob Cal")
    judge_and_freeze(workbench, *pooled(workbench, run))
    score = score_of(run)
    assert (score.job_state, score.message) == ("done", "")
    # Under kbp2015 half of the overall score is that of linking, which is 0 in a corpus without frames.
    assert figures(run) == (25 if profile == "kbp2015" else 50, None, None)


@ON_SQLITE
@pytest.mark.parametrize("profile", ["kbp2014-official", "kbp2014-final", "kbp2014", "kbp2014-text"])
def test_runs_beyond_the_pool_are_scored(workbench: World, profile: str) -> None:
    from lydite_workbench.assessment import pools
    from lydite_workbench.campaigns.jobs import queue_score
    from lydite_workbench.rights import Caller

    run = sent(workbench, campaign_of(workbench, profile), "alder", "Ann Eve Bob Cal Gus")
    pool, anna = pooled(workbench, run, top_n=3, drop_quotes=True)
    judge_and_freeze(workbench, pool, anna)
    # Ann is right, Bob and Cal are not, Gus is below the best three, Eve is in a quote.
    assert figures(run) == (40, 40, 66.67)
    pool.refresh_from_db()
    late = sent(workbench, pool.campaign, "birch", "Ann Flo Jon")
    queue_score(late)
    workbench.work()
    assert figures(late) == (66.67, 66.67, 100)
    pools.append_runs(pool, [late], Caller())
    judge_and_freeze(workbench, pool, anna)
    assert figures(late) == (100, None, None)


@ON_SQLITE
def test_a_profile_that_refuses_what_nobody_judged_names_a_profile_that_does_not(workbench: World) -> None:
    run = sent(workbench, campaign_of(workbench, "kbp2014-revised"), "alder", "Ann Bob Cal Gus")
    judge_and_freeze(workbench, *pooled(workbench, run, top_n=3))
    score = score_of(run)
    (refused,) = (one for one in score.findings if one["severity"] == "error")
    assert (score.job_state, refused["code"]) == ("failed", "unassessed")
    assert "kbp2014-final" in refused["hint"]


@ON_SQLITE
@pytest.mark.usefixtures("processes")
def test_quotes_are_left_out_of_runs_as_of_the_pool_and_the_page_of_a_run_says_so(workbench: World) -> None:
    campaign = campaign_of(workbench, "kbp2014-official")
    run = sent(workbench, campaign, "alder", "Ann Eve Bob")
    olga = workbench.client(workbench.user("olga", administrator=True))
    page = f"/runs/{run.public_id}"
    assert "quoted passages" not in olga.get(page).text
    judge_and_freeze(workbench, *pooled(workbench, run, drop_quotes=True))
    assert figures(run) == (66.67, None, None)
    assert "from quoted passages is left out" in olga.get(page).text
    campaign.refresh_from_db()
    assert "|quote-filter:" in campaign.signature


@ON_SQLITE
def test_runs_that_were_scored_before_the_pool_are_scored_again_without_quotes(workbench: World) -> None:
    from lydite_workbench.campaigns.gold import replace_gold
    from lydite_workbench.store import Upload, store

    campaign = campaign_of(workbench, "kbp2014-official")
    run = sent(workbench, campaign, "alder", "Ann Eve")
    columns = ("0", "D", "Contact.Meet", "Entity", "Ann", "0-2", "0-2", "0-2", "NIL", "Actual", "1.0")
    judged = "\t".join((*columns, "C", "C", "C", "C", "1", "Actual", "NAME"))
    gold = store(archive_bytes([("D", judged.encode())]))
    replace_gold(campaign, Upload.of(gold, "gold.zip"), note="", actor="test")
    workbench.work()
    assert figures(run) == (66.67, 66.67, 100)
    pooled(workbench, run, drop_quotes=True)
    workbench.work()
    assert figures(run) == (100, None, None)


@ON_SQLITE
def test_a_pool_from_before_quote_filters_were_stored_gets_its_filter_with_the_freeze(
    workbench: World,
) -> None:
    run = sent(workbench, campaign_of(workbench, "kbp2014-official"), "alder", "Ann Eve Bob")
    pool, anna = pooled(workbench, run, drop_quotes=True)
    pool.campaign.files.filter(setting="quote-filter").delete()
    pool.refresh_from_db()
    judge_and_freeze(workbench, pool, anna)
    assert figures(run) == (66.67, None, None)


@ON_SQLITE
def test_the_command_gives_the_figure_of_a_run_without_quotes_from_the_export(
    workbench: World, tmp_path_factory: pytest.TempPathFactory
) -> None:
    from zipfile import ZipFile

    import lydite
    from lydite_workbench.campaigns.exporting import export, import_campaign

    run = sent(workbench, campaign_of(workbench, "kbp2014-official"), "alder", "Ann Eve Bob")
    pool, anna = pooled(workbench, run, drop_quotes=True)
    judge_and_freeze(workbench, pool, anna)
    pool.campaign.refresh_from_db()
    folder = tmp_path_factory.mktemp("export")
    export(pool.campaign, folder / "campaign.zip", actor="test")
    ZipFile(folder / "campaign.zip").extractall(folder)
    (gold,) = (folder / "gold" / "1").iterdir()
    (filter_,) = (folder / "files" / "quote-filter").iterdir()
    found = lydite.score(
        gold, folder / "runs" / "alder-1" / "alder.zip", task="arguments", quote_filter=str(filter_)
    )
    assert found["standard"].micro.f1 == score_of(run).value
    again = import_campaign(folder, actor="test", slug="again")
    assert again.files_by_setting.keys() == {"documents", "quote-filter"}
    assert again.signature == pool.campaign.signature
