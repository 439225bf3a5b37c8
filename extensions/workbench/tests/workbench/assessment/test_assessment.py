"""From pooled runs to a frozen store: documents are leased, judgements add up, two people differ, one decides."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

import pytest

from lydite.writing import archive_bytes
from workbench_world import ON_SQLITE, ROOT, World, upload

if TYPE_CHECKING:
    from lydite.model.argument import Filler
    from lydite_workbench.accounts.models import User
    from lydite_workbench.assessment.differences import Disagreement
    from lydite_workbench.assessment.models import Pool, PooledDocument
    from lydite_workbench.campaigns.models import Campaign, Run
    from lydite_workbench.store import Upload

EXAMPLES = ROOT / "examples" / "arguments"
DOCUMENTS = ("df01-boots", "nw01-depot", "nw02-march")


def zipped(folder: Path, names: tuple[str, ...] = DOCUMENTS, realis: bytes = b"Actual") -> bytes:
    there = [folder / name for name in names if (folder / name).exists()]
    return archive_bytes((file.name, file.read_bytes().replace(b"Actual", realis)) for file in there)


def sent(campaign: Campaign, world: World, name: str, *, realis: bytes = b"Actual") -> Run:
    """A valid run of an example system; with another ``realis`` it has what no other run has."""
    from lydite.version import __version__
    from lydite_workbench.campaigns.models import JobState, Phase, Run, RunState, Validation
    from lydite_workbench.store import store

    phase = Phase.objects.filter(campaign=campaign).first() or world.phase(campaign)
    run = Run.objects.create(
        campaign=campaign,
        phase=phase,
        team=world.team(campaign, name),
        number=1,
        file=store(zipped(EXAMPLES / "systems" / name, realis=realis)),
        file_name=f"{name}.zip",
        state=RunState.VALID,
    )
    Validation.objects.create(
        run=run, job_state=JobState.DONE, signature=campaign.signature, lydite_version=__version__
    )
    return run


def assessed(world: World, *names: str, twice: int = 0) -> tuple[Pool, list[User]]:
    """A pool of two example runs, and its assessors."""
    from lydite.assess.pooling import PoolRules
    from lydite_workbench.accounts.models import Role
    from lydite_workbench.assessment import pools
    from lydite_workbench.rights import Caller

    signature = "lydite|t:arguments|p:kbp2014"
    campaign = world.campaign("arguments", task="arguments", profile="kbp2014", signature=signature)
    runs = [sent(campaign, world, "alder"), sent(campaign, world, "birch")]
    people = [world.user(name) for name in names]
    for person in people:
        world.role(person, campaign, Role.ASSESSOR)
    return pools.make_pool(campaign, runs, PoolRules(), Caller(), twice=twice), people


WRONG: dict[str, str] = {"event type": "W"}
RIGHT: dict[str, str] = {
    "event type": "C",
    "role": "C",
    "base filler": "C",
    "canonical string": "C",
    "realis": "Actual",
    "mention type": "NAME",
}


def proposed(document: PooledDocument, person: User) -> dict[Filler, int]:
    """The right strings of a document with the classes that are proposed for them."""
    from lydite_workbench.assessment.judgements import judged_by

    (judged,) = judged_by(document, person)
    return judged.strings


def judge_document(pool: Pool, person: User, answers: dict[str, str]) -> str:
    """Judge all of the next document in one way, and group its strings as they are proposed."""
    from lydite_workbench.assessment import judgements

    seat = judgements.take_seat(pool, person)
    assert seat is not None
    for item in seat.document.items.all():
        judgements.judge(item, person, answers, seconds=2.0)
    judgements.group(seat.document, person, proposed(seat.document, person))
    return seat.document.doc_id


def test_a_pool_has_what_the_command_pools(workbench: World, tmp_path: Path) -> None:
    from lydite.assess.pooling import PoolRules
    from lydite.assess.pooling import pool as library_pool
    from lydite.assess.stores import open_system
    from lydite_workbench.assessment import pools

    pool, _ = assessed(workbench)
    for name in ("alder", "birch"):
        (tmp_path / f"{name}.zip").write_bytes(zipped(EXAMPLES / "systems" / name))
    made = library_pool([open_system(tmp_path / f"{name}.zip") for name in ("alder", "birch")], PoolRules())
    expected = {document.doc_id: set(document.answers) for document in made.documents if document.answers}
    found = {
        document.doc_id: {pools.argument_of(item) for item in document.items.all()}
        for document in pool.documents.all()
    }
    assert found == expected


@pytest.mark.parametrize("said", [{"top_n": "0"}, {"twice": "101"}])
def test_a_pool_of_nothing_or_of_more_than_all_is_refused(workbench: World, said: dict[str, str]) -> None:
    from lydite_workbench.assessment.models import Pool

    signature = "lydite|t:arguments|p:kbp2014"
    campaign = workbench.campaign("arguments", task="arguments", profile="kbp2014", signature=signature)
    run = sent(campaign, workbench, "alder")
    organiser = workbench.client(workbench.user("olga", administrator=True))
    answer = organiser.post("/campaigns/arguments/assessment/pool", {"run": run.public_id, **said})
    assert (answer.status_code, Pool.objects.exists()) == (400, False)


@ON_SQLITE
def test_a_run_that_was_withdrawn_meanwhile_is_not_left_out_of_a_pool_in_silence(workbench: World) -> None:
    from lydite_workbench.campaigns.runs import withdraw

    campaign = workbench.campaign("arguments", task="arguments", profile="kbp2014")
    runs = [sent(campaign, workbench, name) for name in ("alder", "birch")]
    withdraw(runs[1], actor="test")
    olga = workbench.client(workbench.user("olga", administrator=True))
    form = {"run": [run.public_id for run in runs], "collapse": "system"}
    answer = olga.post("/campaigns/arguments/assessment/pool", form)
    assert (answer.status_code, "were withdrawn" in answer.text) == (400, True)
    assert not hasattr(campaign, "pool")


def test_all_of_a_document_goes_to_one_person(workbench: World) -> None:
    from lydite_workbench.assessment import judgements

    pool, (anna, ben) = assessed(workbench, "anna", "ben")
    first, second = judgements.take_seat(pool, anna), judgements.take_seat(pool, ben)
    assert first is not None
    assert second is not None
    assert first.document != second.document
    again = judgements.take_seat(pool, anna)
    assert again is not None
    assert again.document == first.document


def test_a_document_of_somebody_who_left_goes_to_the_next(workbench: World) -> None:
    from django.utils import timezone

    from lydite_workbench.assessment import judgements
    from lydite_workbench.problems import Refused

    pool, (anna, ben) = assessed(workbench, "anna", "ben")
    left = judgements.take_seat(pool, anna)
    assert left is not None
    item = left.document.items.first()
    assert item is not None
    judgements.judge(item, anna, WRONG)
    for _ in range(pool.documents.count() - 1):
        judge_document(pool, ben, WRONG)
    assert judgements.take_seat(pool, ben) is None, "anna still holds the last one"
    left.document.taken.update(until=timezone.now() - timedelta(minutes=1))
    taken = judgements.take_seat(pool, ben)
    assert taken is not None
    assert taken.document == left.document
    with pytest.raises(Refused, match="somebody else"):
        judgements.judge(item, anna, RIGHT)


def test_the_last_judgement_of_a_person_counts_and_can_be_taken_back(workbench: World) -> None:
    from lydite_workbench.assessment import judgements
    from lydite_workbench.assessment.models import Judgement

    pool, (anna,) = assessed(workbench, "anna")
    seat = judgements.take_seat(pool, anna)
    assert seat is not None
    item = seat.document.items.first()
    assert item is not None
    judgements.judge(item, anna, WRONG)
    judgements.judge(item, anna, RIGHT)
    assert judgements.judged_by(seat.document, anna)[0].judgements[item.pk].answers == RIGHT
    judgements.judge(item, anna, None)
    assert item.pk not in judgements.judged_by(seat.document, anna)[0].judgements
    assert Judgement.objects.count() == 3, "nothing is overwritten"


def test_a_judgement_that_skips_a_question_is_refused(workbench: World) -> None:
    from lydite_workbench.assessment import judgements
    from lydite_workbench.assessment.models import Judgement
    from lydite_workbench.problems import Refused

    pool, (anna,) = assessed(workbench, "anna")
    seat = judgements.take_seat(pool, anna)
    assert seat is not None
    item = seat.document.items.first()
    assert item is not None
    with pytest.raises(Refused, match="role: no answer"):
        judgements.judge(item, anna, {"event type": "C"})
    assert not Judgement.objects.exists()


def test_a_document_is_finished_only_when_every_item_is_judged_and_every_right_string_has_a_class(
    workbench: World,
) -> None:
    from lydite_workbench.assessment import judgements, progress
    from lydite_workbench.problems import Refused

    pool, (anna,) = assessed(workbench, "anna")
    seat = judgements.take_seat(pool, anna)
    assert seat is not None
    with pytest.raises(Refused, match="not judged yet"):
        judgements.group(seat.document, anna, {})
    for item in seat.document.items.all():
        judgements.judge(item, anna, RIGHT)
    with pytest.raises(Refused, match="no class for"):
        judgements.group(seat.document, anna, {})
    judgements.group(seat.document, anna, proposed(seat.document, anna))
    assert progress.progress_of(pool).documents_done == 1


def differences_of(pool: Pool) -> list[Disagreement]:
    """Where two people who have both finished a document differ, over all documents."""
    from lydite_workbench.assessment import differences

    documents = filter(differences.is_finished_by_both, pool.documents.filter(seats=2))
    return [one for document in documents for one in differences.disagreements_in(document)]


def test_two_people_who_differ_are_shown_without_names_and_one_key_decides(workbench: World) -> None:
    from lydite_workbench.assessment import differences, stores

    pool, (anna, ben) = assessed(workbench, "anna", "ben", twice=100)
    judge_document(pool, anna, RIGHT)
    doc_id = judge_document(pool, ben, {**RIGHT, "realis": "Other"})
    assert differences.compare_assessors(pool).judged_by_both == differences.compare_assessors(pool).undecided
    judge = workbench.user("carla")
    for difference in differences_of(pool):
        assert difference.questions == ("realis",)
        chosen = next(n for n, option in enumerate(difference.options) if option.assessor_id == ben.pk)
        differences.rule(difference, chosen, judge)
    assert differences.compare_assessors(pool).undecided == 0
    document = pool.documents.get(doc_id=doc_id)
    assert {row.assessment.realis for row in stores.final_rows(document) if row.assessment} == {"Other"}
    lines = differences.overruled_lines(pool, anna)
    assert {(line.question, line.yours, line.counts) for line in lines} == {("realis", "Actual", "Other")}
    assert not differences.overruled_lines(pool, ben)


def test_what_nobody_ruled_on_stays_unassessed(workbench: World) -> None:
    from lydite_workbench.assessment import stores

    pool, (anna, ben) = assessed(workbench, "anna", "ben", twice=100)
    judge_document(pool, anna, RIGHT)
    doc_id = judge_document(pool, ben, WRONG)
    rows = stores.final_rows(pool.documents.get(doc_id=doc_id))
    assert rows
    assert all(row.assessment is None for row in rows)


def test_later_runs_add_only_what_is_new(workbench: World) -> None:
    from lydite_workbench.assessment import pools, progress
    from lydite_workbench.assessment.models import PooledItem
    from lydite_workbench.rights import Caller

    pool, (anna,) = assessed(workbench, "anna")
    judge_document(pool, anna, WRONG)
    before = PooledItem.objects.count()
    late = sent(pool.campaign, workbench, "cedar", realis=b"Other")
    assert pools.runs_not_pooled(pool) == [late]
    added = pools.append_runs(pool, [late], Caller())
    assert 0 < added == PooledItem.objects.count() - before
    assert pools.append_runs(pool, [late], Caller()) == 0
    assert progress.progress_of(pool).judged > 0, "what was judged stays judged"


def judged_in_a_sheet(folder: Path) -> Path:
    """The same judgements by the commands: pool, import, a filled sheet, read back."""
    from lydite.cli import run

    for name in ("alder", "birch"):
        (folder / f"{name}.zip").write_bytes(zipped(EXAMPLES / "systems" / name))
    pool, annotation, sheet = (str(folder / name) for name in ("pool", "annotation", "sheet.csv"))
    run(["assess", "pool", str(folder / "alder.zip"), str(folder / "birch.zip"), "-o", pool])
    run(["assess", "import", pool, annotation])
    run(["assess", "sheet", annotation, "-o", sheet])
    with open(sheet, encoding="utf-8-sig", newline="") as stream:  # noqa: PTH123 - the command takes text
        head, *lines = list(csv.reader(stream))
    classes: dict[tuple[str, str], dict[str, int]] = {}
    for line in lines:
        known = classes.setdefault((line[head.index("document")], ""), {})
        string = " ".join(line[head.index("canonical string")].casefold().split())
        number = known.setdefault(string, len(known) + 1)
        line[-7:] = ["C", "C", "C", "C", str(number), "Actual", "NAME"]
    with open(sheet, "w", encoding="utf-8", newline="") as stream:  # noqa: PTH123 - as above
        csv.writer(stream).writerows([head, *lines])
    run(["assess", "read-sheet", sheet, annotation])
    return Path(annotation)


def test_a_frozen_store_scores_like_the_same_judgements_from_a_sheet(
    workbench: World, tmp_path: Path
) -> None:
    import lydite
    from lydite_workbench.assessment import judgements, stores
    from lydite_workbench.campaigns.runs import valid_runs
    from lydite_workbench.problems import Refused
    from lydite_workbench.rights import Caller
    from lydite_workbench.store import path_under_name

    pool, (anna,) = assessed(workbench, "anna")
    while judgements.take_seat(pool, anna) is not None:
        judge_document(pool, anna, RIGHT)
    gold = stores.freeze(pool, Caller())
    item = pool.documents.get(position=0).items.all()[0]
    with pytest.raises(Refused, match="frozen"):
        judgements.judge(item, anna, WRONG)
    by_hand = judged_in_a_sheet(tmp_path)
    run = valid_runs(pool.campaign)[0]
    system = path_under_name(run.file_id, run.file_name)
    summaries = [
        lydite.score(key, system, task="arguments", profile="kbp2014")
        for key in (path_under_name(gold.file_id, gold.name), by_hand)
    ]
    assert summaries[0].rows == summaries[1].rows


def test_a_frozen_assessment_is_scored_and_a_leaderboard_is_drafted(workbench: World) -> None:
    from lydite_workbench.assessment import judgements, stores
    from lydite_workbench.campaigns.boards import board_rows
    from lydite_workbench.campaigns.jobs import work_once
    from lydite_workbench.rights import Caller

    pool, (anna,) = assessed(workbench, "anna")
    while judgements.take_seat(pool, anna) is not None:
        judge_document(pool, anna, RIGHT)
    stores.freeze(pool, Caller())
    while work_once():
        pass
    (board,) = pool.campaign.boards.all()
    assert {row.run.team.slug for row in board_rows(board)} == {"alder", "birch"}


@ON_SQLITE
def test_a_leaderboard_is_drafted_also_where_the_last_score_gets_lost(workbench: World) -> None:
    from lydite_workbench.assessment import stores
    from lydite_workbench.campaigns.jobs import claim, work_once
    from lydite_workbench.campaigns.models import Score
    from lydite_workbench.rights import Caller

    pool, _ = assessed(workbench)
    stores.freeze(pool, Caller())
    assert work_once()
    for _ in range(5):
        assert claim(Score, lease=timedelta(seconds=-1)) is not None
    assert claim(Score) is None
    (board,) = pool.campaign.boards.all()
    assert [run.label for run in board.runs.all()] == ["alder-1"]


@ON_SQLITE
def test_a_frozen_assessment_drafts_nothing_once_other_gold_counts(workbench: World) -> None:
    from lydite_workbench.assessment import stores
    from lydite_workbench.campaigns.gold import replace_gold
    from lydite_workbench.rights import Caller
    from lydite_workbench.store import Upload

    pool, _ = assessed(workbench)
    frozen = stores.freeze(pool, Caller())
    other = Upload.of(frozen.file, "other-store.zip")
    replace_gold(pool.campaign, other, note="", actor="test")
    jobs = workbench.work()
    assert (pool.campaign.boards.count(), jobs) == (0, 5)


@ON_SQLITE
def test_a_late_run_opens_a_frozen_assessment_and_is_shown_between_worst_and_best(workbench: World) -> None:
    from lydite_workbench.assessment import judgements, pools, stores
    from lydite_workbench.campaigns.boards import draft_board
    from lydite_workbench.campaigns.jobs import queue_score
    from lydite_workbench.campaigns.models import Score
    from lydite_workbench.rights import Caller

    pool, (anna,) = assessed(workbench, "anna")
    while judgements.take_seat(pool, anna) is not None:
        judge_document(pool, anna, RIGHT)
    stores.freeze(pool, Caller())
    workbench.work()
    pool.refresh_from_db()
    late = sent(pool.campaign, workbench, "cedar", realis=b"Other")
    late.campaign.refresh_from_db()
    queue_score(late)
    workbench.work()
    score = Score.objects.get(run=late)
    assert score.pessimistic is not None
    assert score.optimistic is not None
    assert score.pessimistic < score.optimistic
    board = draft_board(late.phase, actor="test")
    workbench.work()
    olga = workbench.client(workbench.user("olga", administrator=True))
    between = f"[{100 * score.pessimistic:.2f}, {100 * score.optimistic:.2f}]"
    assert between in olga.get(f"/boards/{board.public_id}").content.decode()
    assert between in olga.get(f"/campaigns/{pool.campaign.slug}").content.decode()

    assert "opens again" in olga.get(f"/campaigns/{pool.campaign.slug}/assessment").content.decode()
    assert pools.append_runs(pool, [late], Caller()) > 0
    pool.refresh_from_db()
    assert pool.frozen is None
    while judgements.take_seat(pool, anna) is not None:
        judge_document(pool, anna, RIGHT)
    gold = stores.freeze(pool, Caller())
    workbench.work()
    assert gold.number == 2
    assert Score.objects.get(run=late, gold=gold).optimistic is None, "now everything is judged"
    assert pools.append_runs(pool, [late], Caller()) == 0
    pool.refresh_from_db()
    assert pool.frozen is not None, "there was nothing new"


def refused_as_problem(response: Any) -> Any:
    return json.loads(response.content)


def test_the_api_hands_out_a_document_and_takes_judgements(workbench: World) -> None:
    pool, (anna,) = assessed(workbench, "anna")
    client = workbench.program(user=anna)
    work = refused_as_problem(client.get("/api/v1/items?assigned=me"))
    assert work["campaign"] == pool.campaign.slug
    assert {"id", "event_type", "role", "text", "marks", "judgement"} <= work["items"][0].keys()
    for item in work["items"]:
        url = f"/api/v1/items/{item['id']}/judgements"
        response = client.post(url, json.dumps({"answers": WRONG, "seconds": 1.5}), "application/json")
        assert response.status_code == 201
    url = f"/api/v1/documents/{work['document']['id']}/strings"
    assert client.post(url, json.dumps({"strings": []}), "application/json").status_code == 201
    again = refused_as_problem(client.get("/api/v1/items?assigned=me"))
    assert again["document"]["id"] != work["document"]["id"]


@pytest.mark.parametrize(
    "body",
    [
        "",
        "[]",
        '{"seconds": 1}',
        '{"answers": {"event type": "C"}}',
        '{"answers": {"event type": 1}}',
        '{"answers": {"event type": "W"}, "seconds": NaN}',
        '{"answers": {"event type": "W"}, "seconds": 1e999}',
        '{"answers": {"event type": "W"}, "seconds": 1%s}' % ("0" * 400),
    ],
)
def test_a_judgement_that_is_none_is_told_so(workbench: World, body: str) -> None:
    _, (anna,) = assessed(workbench, "anna")
    client = workbench.program(user=anna)
    item = refused_as_problem(client.get("/api/v1/items?assigned=me"))["items"][0]["id"]
    response = client.post(f"/api/v1/items/{item}/judgements", body, "application/json")
    assert response.status_code == 400
    assert refused_as_problem(response)["detail"]


@ON_SQLITE
def test_runs_that_are_one_file_have_all_found_what_it_holds(workbench: World) -> None:
    from lydite.assess.pooling import PoolRules
    from lydite_workbench.assessment import pools, stores
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run, valid_runs
    from lydite_workbench.rights import Caller

    campaign = workbench.scored_campaign(task="arguments", gold=None)
    for team, system in (("one", "alder"), ("two", "cedar"), ("three", "alder")):
        run = upload("run.zip", zipped(ROOT / "examples" / "arguments" / "systems" / system))
        accept_run(workbench.team(campaign, team), run, RunDescription(), actor="test")
    workbench.work()
    pool = pools.make_pool(campaign, valid_runs(campaign), PoolRules(), Caller(), twice=0)
    stores.freeze(pool, Caller())
    pool.refresh_from_db()
    found = {" ".join(sorted(run.team.slug for run in runs)) for _, runs in pools.arguments_with_runs(pool)}
    assert found == {"one three", "one three two"}


@ON_SQLITE
def test_it_is_told_how_much_of_a_file_came_in(workbench: World) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    from lydite_workbench.accounts.models import Role
    from lydite_workbench.assessment import stores

    pool, (anna,) = assessed(workbench, "anna")
    workbench.role(anna, pool.campaign, Role.ORGANISER)
    client = workbench.client(anna)
    here = f"/campaigns/{pool.campaign.slug}/assessment"
    empty = SimpleUploadedFile("sheet.csv", stores.sheet(pool, anna, "csv"))
    assert "New judgements: 0." in client.post(f"{here}/read", {"file": empty}, follow=True).text
    judge_document(pool, anna, WRONG)
    filled = SimpleUploadedFile("store.zip", stores.store_archive(pool))
    assert "New judgements: 0." in client.post(f"{here}/read", {"file": filled}, follow=True).text
    late = sent(pool.campaign, workbench, "cedar", realis=b"Other")
    told = client.post(f"{here}/append", {"run": late.public_id}, follow=True).text
    assert re.search("New items: [1-9]", told)


def test_strings_at_no_place_are_told_so(workbench: World) -> None:
    _, (anna,) = assessed(workbench, "anna")
    client = workbench.program(user=anna)
    document = refused_as_problem(client.get("/api/v1/items?assigned=me"))["document"]["id"]
    body = '{"strings": [{"text": "a", "begin": 1e999, "end": 1, "class": 1}]}'
    assert client.post(f"/api/v1/documents/{document}/strings", body, "application/json").status_code == 400


def test_a_class_is_a_whole_number_from_1_on_and_only_right_strings_have_one(workbench: World) -> None:
    from lydite_workbench.assessment.models import Grouping

    _, (anna,) = assessed(workbench, "anna")
    client = workbench.program(user=anna)
    work = refused_as_problem(client.get("/api/v1/items?assigned=me"))
    for item in work["items"]:
        body = json.dumps({"answers": WRONG if item["lacks_date"] else RIGHT})
        assert (
            client.post(f"/api/v1/items/{item['id']}/judgements", body, "application/json").status_code == 201
        )
    strings = refused_as_problem(client.get("/api/v1/items?assigned=me"))["strings"]
    url = f"/api/v1/documents/{work['document']['id']}/strings"
    for wrong in (-5, 0, 1.5, True, "1", 10**30):
        body = json.dumps({"strings": [{**string, "class": wrong} for string in strings]})
        refused = client.post(url, body, "application/json")
        assert (refused.status_code, "whole number from 1" in refused_as_problem(refused)["detail"]) == (
            400,
            True,
        )
    other = {"text": "of no item", "begin": 0, "end": 2, "class": 9}
    kept = refused_as_problem(
        client.post(url, json.dumps({"strings": [*strings, other]}), "application/json")
    )
    assert [string["text"] for string in kept["strings"]] == [string["text"] for string in strings]
    assert len(Grouping.objects.get().classes) == len(strings) > 0


def test_a_campaign_with_a_profile_of_its_own_is_assessed_under_it(workbench: World) -> None:
    from lydite_workbench.assessment.pools import arguments_of, lacks_date
    from lydite_workbench.campaigns.models import Campaign, CampaignFile
    from lydite_workbench.store import store

    pool, (anna,) = assessed(workbench, "anna")
    campaign = Campaign.objects.get()
    profile = b'extends = "arguments/kbp2014"\n[dates]\nnon-dates = "stand"\n'
    CampaignFile.objects.create(campaign=campaign, setting="profile", name="own.toml", file=store(profile))
    campaign.profile = "own"
    campaign.save()
    assert refused_as_problem(workbench.program(user=anna).get("/api/v1/items?assigned=me"))["items"]
    arguments = [one for document in pool.documents.all() for one in arguments_of(document).values()]
    assert not any(lacks_date(campaign, one) for one in arguments)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("d" * 201, b"", "id of a document: at most 200 characters, found 201"),
        ("df01-boots", b"\0", "expected text, found a null character"),
    ],
)
def test_a_pool_that_no_database_keeps_is_refused(
    workbench: World, name: str, text: bytes, told: str
) -> None:
    from lydite.assess.pooling import PoolRules
    from lydite.errors import LyditeError
    from lydite_workbench.assessment import pools
    from lydite_workbench.assessment.models import Pool
    from lydite_workbench.campaigns.models import Run
    from lydite_workbench.rights import Caller
    from lydite_workbench.store import store

    campaign = workbench.campaign(task="arguments", profile="kbp2014-official")
    data = (EXAMPLES / "systems" / "alder" / "df01-boots").read_bytes().replace(b"df01-boots", name.encode())
    lines = [line.split(b"\t") for line in data.splitlines()]
    changed = b"".join(b"\t".join([*one[:4], one[4] + text, *one[5:]]) + b"\n" for one in lines)
    run = sent(campaign, workbench, "alder")
    Run.objects.update(file=store(archive_bytes([(name, changed)])))
    run.refresh_from_db()
    with pytest.raises(LyditeError, match=told):
        pools.make_pool(campaign, [run], PoolRules(), Caller(), twice=0)
    assert not Pool.objects.exists()


@ON_SQLITE
def test_two_who_add_runs_at_once_lose_nothing_of_what_the_other_added(workbench: World) -> None:
    from lydite_workbench.assessment import pools
    from lydite_workbench.assessment.models import Pool
    from lydite_workbench.rights import Caller

    made, _ = assessed(workbench, "anna")
    # Both pages were opened before either was sent.
    seen = [Pool.objects.get(), Pool.objects.get()]
    runs = [sent(made.campaign, workbench, "cedar", realis=b"Other")]
    pools.append_runs(seen[0], runs, Caller())
    pools.append_runs(seen[1], runs, Caller())
    assert len(pools.rounds_of(Pool.objects.get())) == 3


@ON_SQLITE
@pytest.mark.parametrize("said", ["no", 5, ["yes"]])
def test_a_flag_is_true_or_false(workbench: World, said: object) -> None:
    from lydite_workbench.assessment.models import Judgement

    _, (anna,) = assessed(workbench, "anna")
    program = workbench.program(user=anna)
    item = refused_as_problem(program.get("/api/v1/items?assigned=me"))["items"][0]["id"]
    judgement = {"answers": RIGHT, "flagged": said}
    url = f"/api/v1/items/{item}/judgements"
    assert program.post(url, judgement, content_type="application/json").status_code == 400
    assert not Judgement.objects.exists()


def test_nobody_learns_which_run_found_an_item(workbench: World) -> None:
    _, (anna,) = assessed(workbench, "anna")
    shown = workbench.program(user=anna).get("/api/v1/items?assigned=me").content.decode()
    assert "alder" not in shown
    assert "birch" not in shown


def test_a_judgement_that_is_sent_twice_is_kept_once_and_opens_nothing_again(workbench: World) -> None:
    from lydite_workbench.assessment import judgements
    from lydite_workbench.assessment.models import Judgement

    pool, (anna,) = assessed(workbench, "anna")
    doc_id = judge_document(pool, anna, RIGHT)
    document = pool.documents.get(doc_id=doc_id)
    item = document.items.first()
    assert item is not None
    before = Judgement.objects.count()
    judgements.judge(item, anna, RIGHT, seconds=9.0)
    assert Judgement.objects.count() == before
    assert document.taken.get().finished is not None
    judgements.judge(item, anna, WRONG)
    assert document.taken.get().finished is None, "who changes a judgement looks at the strings again"


def test_a_flag_stays_when_the_page_is_loaded_again(workbench: World) -> None:
    _, (anna,) = assessed(workbench, "anna")
    client = workbench.program(user=anna)
    item = refused_as_problem(client.get("/api/v1/items?assigned=me"))["items"][0]["id"]
    said = {"answers": None, "note": "odd", "flagged": True}
    client.post(f"/api/v1/items/{item}/judgements", json.dumps(said), "application/json")
    shown = refused_as_problem(client.get("/api/v1/items?assigned=me"))["items"][0]
    assert (shown["judgement"], shown["note"], shown["flagged"]) == (None, "odd", True)


def test_strings_are_shown_with_the_roles_for_which_they_were_right(workbench: World) -> None:
    from lydite_workbench.assessment import judgements, pools

    pool, (anna,) = assessed(workbench, "anna")
    seat = judgements.take_seat(pool, anna)
    assert seat is not None
    for item in seat.document.items.all():
        judgements.judge(item, anna, RIGHT)
    strings = refused_as_problem(workbench.program(user=anna).get("/api/v1/items?assigned=me"))["strings"]
    shown = {(string["text"], role) for string in strings for role in string["roles"]}
    arguments = [pools.argument_of(item) for item in seat.document.items.all()]
    assert shown == {(one.text, f"{one.event_type} {one.role}") for one in arguments}


def two_who_differ(world: World) -> tuple[Pool, list[User]]:
    pool, people = assessed(world, "anna", "ben", twice=100)
    judge_document(pool, people[0], RIGHT)
    judge_document(pool, people[1], {**RIGHT, "realis": "Other"})
    return pool, people


def test_who_changes_their_mind_is_ruled_on_anew(workbench: World) -> None:
    from lydite_workbench.assessment import differences, judgements

    pool, (anna, _) = two_who_differ(workbench)
    first = differences_of(pool)[0]
    assert first.item is not None
    for_anna = next(place for place, option in enumerate(first.options) if option.assessor_id == anna.pk)
    differences.rule(first, for_anna, workbench.user("carla"))
    assert differences_of(pool)[0].ruling is not None
    judgements.judge(first.item, anna, {**RIGHT, "realis": "Generic"})
    judgements.group(first.document, anna, proposed(first.document, anna))
    assert differences_of(pool)[0].item == first.item
    assert differences_of(pool)[0].ruling is None


def test_nobody_rules_on_answers_that_they_did_not_see_and_a_ruling_can_be_made_anew(
    workbench: World,
) -> None:
    from lydite_workbench.accounts.models import Role

    pool, _ = two_who_differ(workbench)
    carla = workbench.user("carla")
    workbench.role(carla, pool.campaign, Role.ADJUDICATOR)
    client = workbench.client(carla)
    url = f"/campaigns/{pool.campaign.slug}/assessment"
    first = differences_of(pool)[0]
    assert first.item is not None
    form = {"document": first.document.public_id, "item": first.item.public_id, "chosen": "1"}
    assert client.post(f"{url}/rule", {**form, "seen": "1 1"}).status_code == 400
    seen = " ".join(str(option.pk) for option in first.options)
    assert client.post(f"{url}/rule", {**form, "seen": seen}).status_code == 302
    assert seen in client.get(f"{url}/differences?again").content.decode()
    assert seen not in client.get(f"{url}/differences").content.decode()


def test_an_organiser_puts_their_own_guidelines_in(workbench: World) -> None:
    from lydite.assess.guidelines import GUIDELINES_FOLDER
    from lydite_workbench.assessment import pools
    from lydite_workbench.problems import Refused
    from lydite_workbench.rights import Caller
    from workbench_world import upload

    pool, (anna,) = assessed(workbench, "anna")
    text = (GUIDELINES_FOLDER / "kbp2014.toml").read_text(encoding="utf-8")
    with pytest.raises(Refused, match="questions are missing: event type, role"):
        pools.replace_guidelines(pool, upload("ours.toml", b'name = "ours"'), Caller())
    ours = text.replace('name = "kbp2014"', 'name = "ours"', 1).replace(
        "Is there an event", "Is an event told", 1
    )
    pools.replace_guidelines(pool, upload("ours.toml", ours.encode()), Caller())
    page = workbench.client(anna).get(f"/campaigns/{pool.campaign.slug}/assessment/work").content.decode()
    assert "Is an event told" in page
    judge_document(pool, anna, WRONG)
    assert anna.judgements.first().guidelines.startswith("ours ")


def test_guidelines_are_no_way_to_read_files_of_the_server(workbench: World, tmp_path: Path) -> None:
    from lydite.assess.pooling import PoolRules
    from lydite_workbench.assessment import pools
    from lydite_workbench.problems import Refused
    from lydite_workbench.rights import Caller

    secret = tmp_path / "secret.toml"
    secret.write_text('title = "secret"', encoding="utf-8")
    campaign = workbench.campaign("arguments", task="arguments", profile="kbp2014")
    runs = [sent(campaign, workbench, "alder")]
    with pytest.raises(Refused, match="no guidelines"):
        pools.make_pool(campaign, runs, PoolRules(), Caller(), twice=10, guidelines=str(secret))


def test_who_found_what_is_told_after_the_freeze_only(workbench: World) -> None:
    from lydite.assess.stores import open_system
    from lydite_workbench.assessment import pools, stores
    from lydite_workbench.problems import Refused
    from lydite_workbench.rights import Caller
    from lydite_workbench.store import path_under_name

    pool, _ = assessed(workbench)
    pools.append_runs(pool, [sent(pool.campaign, workbench, "cedar")], Caller())
    with pytest.raises(Refused, match="only after the freeze"):
        pools.found_by_sheet(pool)
    stores.freeze(pool, Caller())
    pool.refresh_from_db()
    found = {run.team.slug: set() for run in pool.runs.all()}  # type: dict[str, set[object]]
    for argument, runs in pools.arguments_with_runs(pool):
        assert runs, "somebody found it"
        for run in runs:
            found[run.team.slug].add(argument)
    pooled = set().union(*found.values())
    for run in pool.runs.all():
        system = open_system(path_under_name(run.file_id, run.file_name))
        theirs = {row.argument for doc_id in system.doc_ids for row in system.rows(doc_id)}
        assert found[run.team.slug] == theirs & pooled


@ON_SQLITE
def test_a_spreadsheet_runs_nothing_of_a_run_in_the_table_of_who_found_what(workbench: World) -> None:
    from lydite_workbench.assessment import stores
    from lydite_workbench.assessment.models import PooledItem
    from lydite_workbench.rights import Caller

    pool, _ = assessed(workbench)
    for item in PooledItem.objects.all():
        item.columns[3] = "=2+3"
        item.save()
    stores.freeze(pool, Caller())
    olga = workbench.client(workbench.user("olga", administrator=True))
    answer = olga.get(f"/campaigns/{pool.campaign.slug}/assessment/found-by.csv")
    table = answer.getvalue().decode()
    assert {row[3] for row in csv.reader(io.StringIO(table))} == {"string", " =2+3"}


def test_nobody_sees_or_decides_a_difference_in_what_they_judged(workbench: World) -> None:
    from lydite_workbench.accounts.models import Role
    from lydite_workbench.assessment import differences
    from lydite_workbench.problems import Refused

    pool, (anna, _) = two_who_differ(workbench)
    workbench.role(anna, pool.campaign, Role.ADJUDICATOR)
    first = differences_of(pool)[0]
    client = workbench.client(anna)
    url = f"/campaigns/{pool.campaign.slug}/assessment"
    shown = client.get(f"{url}/differences").content.decode()
    assert "that you judged yourself" in shown
    assert 'name="chosen"' not in shown
    assert first.item is not None
    seen = " ".join(str(option.pk) for option in first.options)
    form = {"document": first.document.public_id, "item": first.item.public_id, "chosen": "1", "seen": seen}
    refused = client.post(f"{url}/rule", form)
    assert refused.status_code == 409
    assert "you judged this document yourself" in refused.content.decode()
    with pytest.raises(Refused, match="yourself"):
        differences.rule(first, 0, anna)
    assert not pool.documents.filter(rulings__isnull=False).exists()


def test_counts_follow_every_judgement_flag_undo_and_change_of_hands(workbench: World) -> None:
    from django.utils import timezone

    from lydite_workbench.assessment import judgements, progress

    pool, (anna, ben) = assessed(workbench, "anna", "ben")
    seat = judgements.take_seat(pool, anna)
    assert seat is not None
    one, two = seat.document.items.all()[:2]
    judgements.judge(one, anna, RIGHT, seconds=3)
    judgements.judge(two, anna, WRONG, seconds=5, flagged=True, note="odd")
    judgements.judge(one, anna, WRONG, seconds=1)
    assert [judgement.item for judgement in progress.flagged_judgements(pool)] == [two]
    assert progress.progress_of(pool)[2:] == (sum(document.size for document in pool.documents.all()), 2, 1)
    assert [(pace.assessor, pace.judged, pace.seconds) for pace in progress.paces_of(pool)] == [
        (anna, 2, 3.0)
    ]
    judgements.judge(two, anna, None)
    assert progress.progress_of(pool)[3:] == (1, 0)
    assert progress.flagged_judgements(pool) == []
    for _ in range(pool.documents.count() - 1):
        judge_document(pool, ben, WRONG)
    before = progress.progress_of(pool).judged
    seat.document.taken.update(until=timezone.now() - timedelta(minutes=1))
    judgements.take_seat(pool, ben)
    assert progress.progress_of(pool).judged == before - 1, "what anna said no longer counts"
    assert {pace.assessor for pace in progress.paces_of(pool)} == {ben}


def test_documents_that_did_not_change_are_not_compared_again(
    workbench: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lydite_workbench.assessment import differences, judgements

    pool, people = two_who_differ(workbench)
    judge_document(pool, people[0], RIGHT)
    judge_document(pool, people[1], RIGHT)
    first = differences.compare_assessors(pool, seconds=0)
    assert (first.documents, first.waiting) == (2, 1), "a page does not wait for all of them"
    whole = differences.compare_assessors(pool)
    assert whole.waiting == 0
    compared: list[str] = []
    compare = differences._compare
    monkeypatch.setattr(
        differences, "_compare", lambda document: compared.append(document.doc_id) or compare(document)
    )
    assert differences.compare_assessors(pool) == whole
    assert compared == []
    item = pool.documents.get(doc_id=judged_twice(pool)).items.first()
    assert item is not None
    judgements.judge(item, people[0], WRONG)
    assert differences.compare_assessors(pool) != whole
    assert compared == [item.document.doc_id]


def judged_twice(pool: Pool) -> str:
    document = pool.documents.filter(taken__finished__isnull=False).order_by("position").first()
    assert document is not None
    return document.doc_id


def test_the_screens_ask_the_database_as_often_for_many_items_as_for_few(workbench: World) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    pool, people = two_who_differ(workbench)
    program = workbench.program(user=people[0])
    organiser = workbench.client(workbench.user("olga", administrator=True))
    url = f"/campaigns/{pool.campaign.slug}/assessment"
    program.get("/api/v1/items?assigned=me")
    for client, path, most in (
        (program, "/api/v1/items?assigned=me", 12),
        (organiser, url, 16),
        (organiser, f"{url}/agreement", 30),
    ):
        with CaptureQueriesContext(connection) as asked:
            assert client.get(path).status_code == 200
        assert len(asked) <= most, path


@ON_SQLITE
def test_a_time_that_is_no_date_cannot_be_accepted_and_never_spoils_a_freeze(workbench: World) -> None:
    from lydite_workbench.assessment import judgements, stores
    from lydite_workbench.assessment.models import Judgement, PooledItem
    from lydite_workbench.problems import Refused
    from lydite_workbench.rights import Caller

    pool, (anna,) = assessed(workbench, "anna")
    seat = judgements.take_seat(pool, anna)
    while seat is not None and all(item.columns[2] != "Time" for item in seat.document.items.all()):
        judge_document(pool, anna, RIGHT)
        seat = judgements.take_seat(pool, anna)
    assert seat is not None
    item = next(item for item in seat.document.items.all() if item.columns[2] == "Time")
    PooledItem.objects.filter(pk=item.pk).update(
        columns=[*item.columns[:3], "last Saturday", *item.columns[4:]]
    )
    item.refresh_from_db()
    with pytest.raises(Refused, match="not written as a date"):
        judgements.judge(item, anna, RIGHT)
    judgements.judge(item, anna, {**RIGHT, "canonical string": "W"})
    shown = refused_as_problem(workbench.program(user=anna).get("/api/v1/items?assigned=me"))
    assert [one["text"] for one in shown["items"] if one["lacks_date"]] == ["last Saturday"]
    Judgement.objects.create(item=item, assessor=anna, answers=RIGHT, guidelines="a sheet")
    with pytest.raises(Refused, match=r"1 accepted time without a date.*last Saturday"):
        stores.freeze(pool, Caller())
    pool.refresh_from_db()
    assert pool.frozen is None


@ON_SQLITE
def test_judgements_of_a_store_that_no_item_asks_for_are_told(workbench: World) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    from lydite_workbench.accounts.models import Role
    from lydite_workbench.assessment import stores

    pool, (anna,) = assessed(workbench, "anna")
    workbench.role(anna, pool.campaign, Role.ORGANISER)
    judge_document(pool, anna, WRONG)
    files = dict(stores.store_files(pool.documents.all()))
    document = pool.documents.get(position=0)
    files["nw99-elsewhere"] = files[document.doc_id].replace(document.doc_id.encode(), b"nw99-elsewhere")
    packed = SimpleUploadedFile("store.zip", archive_bytes(files.items()))
    read = f"/campaigns/{pool.campaign.slug}/assessment/read"
    told = workbench.client(anna).post(read, {"file": packed}, follow=True).text
    assert "New judgements: 0." in told
    assert f"not in the pool, which were left out: {document.size}." in told


def test_classes_that_alone_differ_in_a_store_are_read(workbench: World) -> None:
    from lydite_workbench.assessment import stores
    from lydite_workbench.rights import Caller

    pool, (anna,) = assessed(workbench, "anna")
    doc_id = judge_document(pool, anna, RIGHT)
    document = pool.documents.get(doc_id=doc_id)
    before = stores.final_rows(document)
    assert len({row.cluster for row in before}) > 1
    one_class = stores.write_annotation_file([row._replace(cluster=1) for row in before])
    packed = upload("store.zip", archive_bytes([(doc_id, one_class)]))
    read = stores.read_judgements(pool, packed, Caller(anna))
    assert (read.judgements, read.left_out) == (len({row.argument.canonical for row in before}), 0)
    assert {row.cluster for row in stores.final_rows(document)} == {1}
    assert stores.read_judgements(pool, packed, Caller(anna)) == (0, 0)


def test_strings_of_which_an_older_store_says_nothing_stay_with_those_they_were_grouped_with(
    workbench: World,
) -> None:
    from lydite.assess.judging import assessment_of
    from lydite_workbench.assessment import stores
    from lydite_workbench.assessment.judgements import group, judged_by
    from lydite_workbench.rights import Caller

    pool, (anna,) = assessed(workbench, "anna")
    document = pool.documents.get(doc_id=judge_document(pool, anna, RIGHT))
    first, second, third = proposed(document, anna)
    later = group(document, anna, {first: 1, second: 2, third: 2})

    def read(numbers: dict[Filler, int], **answers: str) -> None:
        """A store that was written before the third string was judged, and numbers classes in its own way."""
        said = [(row, numbers.get(row.argument.canonical)) for row in stores.final_rows(document)]
        judged = assessment_of(RIGHT | answers)
        rows = [row._replace(cluster=number, assessment=number and judged) for row, number in said]
        packed = upload("store.zip", archive_bytes([(document.doc_id, stores.write_annotation_file(rows))]))
        assert stores.read_judgements(pool, packed, Caller(anna)).judgements

    read({first: 7, second: 9}, realis="Other")
    assert judged_by(document, anna)[0].grouping == later
    read({first: 7, second: 7})
    assert judged_by(document, anna)[0].classes == {first: 7, second: 7, third: 7}


def test_nothing_that_counts_slips_in_while_an_assessment_is_frozen(
    workbench: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from concurrent.futures import ThreadPoolExecutor

    from django.db import connections

    from lydite.assess.judging import assessment_of
    from lydite_workbench.assessment import differences, stores
    from lydite_workbench.assessment.models import Judgement, Ruling
    from lydite_workbench.problems import Refused
    from lydite_workbench.rights import Caller

    pool, (anna, bob) = assessed(workbench, "anna", "bob", twice=100)
    doc_id = judge_document(pool, anna, WRONG)
    judge_document(pool, bob, {"event type": "NIL"})
    carla, dora = workbench.user("carla"), workbench.user("dora")
    difference = next(iter(differences.disagreements_to_rule_on(pool.documents.get(doc_id=doc_id))))
    other = pool.documents.get(position=1)
    wrong = assessment_of(WRONG)
    judged = stores.write_annotation_file(
        [row._replace(assessment=wrong) for row in stores.final_rows(other)]
    )
    packed = upload("store.zip", archive_bytes([(other.doc_id, judged)]))
    acts = [
        lambda: differences.rule(difference, 0, carla),
        lambda: stores.read_judgements(pool, packed, Caller(dora)),
    ]

    def refusal(act: Any) -> str:
        try:
            act()
        except Refused as refused:
            return refused.code
        finally:
            connections.close_all()
        return "done"

    begun: list[Any] = []
    real = stores.check_gold

    def slow(*words: Any) -> Any:
        with ThreadPoolExecutor(len(acts)) as meanwhile:
            begun.extend(meanwhile.submit(refusal, act) for act in acts)
        return real(*words)

    monkeypatch.setattr(stores, "check_gold", slow)
    said = Judgement.objects.count()
    stores.freeze(pool, Caller())
    assert [one.result() for one in begun] == ["frozen", "frozen"]
    assert (Ruling.objects.count(), Judgement.objects.count()) == (0, said)


@ON_SQLITE
def test_nobody_waits_for_the_database_while_runs_are_pooled_or_judgements_become_gold(
    workbench: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lydite.assess import pooling
    from lydite_workbench.assessment import pools, stores
    from lydite_workbench.rights import Caller

    stored: list[str] = []

    def storing_meanwhile(owner: Any, name: str) -> None:
        real = getattr(owner, name)

        def slow(*words: Any, **more: Any) -> Any:
            assert workbench.can_store()
            stored.append(name)
            return real(*words, **more)

        monkeypatch.setattr(owner, name, slow)

    storing_meanwhile(pooling, "pool")
    for name in ("_refuse_accepted_non_dates", "store_archive", "check_gold"):
        storing_meanwhile(stores, name)
    pool, _ = assessed(workbench)
    pools.append_runs(pool, [sent(pool.campaign, workbench, "cedar")], Caller())
    stores.freeze(pool, Caller())
    assert stored == ["pool", "pool", "_refuse_accepted_non_dates", "store_archive", "check_gold"]


def test_a_freeze_that_was_interrupted_is_done_again(workbench: World) -> None:
    from lydite_workbench.assessment import judgements, stores
    from lydite_workbench.problems import Refused

    pool, (anna,) = assessed(workbench, "anna")
    stores._end_judging(pool)  # and then the power goes
    with pytest.raises(Refused, match="frozen"):
        judgements.take_seat(pool, anna)
    olga = workbench.client(workbench.user("olga", administrator=True))
    page = f"/campaigns/{pool.campaign.slug}/assessment"
    assert "Freeze again" in olga.get(page).text
    assert "the judgements are gold 1" in olga.post(f"{page}/freeze", follow=True).text
    assert "frozen" in olga.post(f"{page}/freeze").text


def test_of_two_freezes_at_once_the_later_one_counts_and_the_other_is_refused(
    workbench: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lydite_workbench.assessment import stores
    from lydite_workbench.problems import Refused
    from lydite_workbench.rights import Caller

    pool, _ = assessed(workbench)
    real = stores.check_gold

    def overtaken(*words: Any) -> Any:
        monkeypatch.setattr(stores, "check_gold", real)
        stores.freeze(pool, Caller())
        return real(*words)

    monkeypatch.setattr(stores, "check_gold", overtaken)
    with pytest.raises(Refused, match="begun again"):
        stores.freeze(pool, Caller())
    pool.refresh_from_db()
    assert pool.frozen is not None
    assert [gold.number for gold in pool.campaign.golds.all()] == [1]


@ON_SQLITE
def test_sheets_of_two_people_are_both_read_where_they_agree_and_where_they_differ(workbench: World) -> None:
    from lydite_workbench.assessment import differences, stores
    from lydite_workbench.assessment.models import Judgement
    from lydite_workbench.records import csv_text
    from lydite_workbench.rights import Caller

    pool, (anna, bob) = assessed(workbench, "anna", "bob", twice=100)
    head, *lines = csv.reader(io.StringIO(stores.sheet(pool, anna, "csv").decode("utf-8-sig")))
    column = head.index("type (C/I/W/NIL)")

    def filled(first: str) -> Upload:
        rows = [
            [*line[:column], "W" if place else first, *line[column + 1 :]] for place, line in enumerate(lines)
        ]
        return upload("sheet.csv", csv_text([head, *rows]).encode())

    items = len(lines)
    assert stores.read_judgements(pool, filled("W"), Caller(anna)).judgements == items
    assert stores.read_judgements(pool, filled("NIL"), Caller(bob)).judgements == items
    assert Judgement.objects.count() == 2 * items
    found = differences.compare_assessors(pool)
    assert (found.judged_by_both, found.undecided) == (items, 1)


def lines_of(sheet: bytes) -> list[str]:
    """The documents of the lines of a sheet."""
    return [line["document"] for line in csv.DictReader(io.StringIO(sheet.decode("utf-8-sig")))]


@ON_SQLITE
def test_the_sheet_of_a_second_person_has_what_the_first_one_judged(workbench: World) -> None:
    from lydite_workbench.assessment import progress, stores

    pool, (anna, bob) = assessed(workbench, "anna", "bob", twice=100)
    judge_document(pool, anna, WRONG)
    items = progress.progress_of(pool).to_judge // 2
    assert len(lines_of(stores.sheet(pool, bob, "csv"))) == items
    first = pool.documents.get(position=0)
    assert len(lines_of(stores.sheet(pool, anna, "csv"))) == items - first.size


@ON_SQLITE
def test_a_sheet_has_nothing_of_documents_that_somebody_else_judges(workbench: World) -> None:
    from lydite_workbench.assessment import judgements, stores

    pool, (anna, bob) = assessed(workbench, "anna", "bob")
    begun = judgements.take_seat(pool, anna).document
    judgements.judge(begun.items.first(), anna, WRONG)
    assert lines_of(stores.sheet(pool, anna, "csv")).count(begun.doc_id) == begun.size - 1
    assert begun.doc_id not in lines_of(stores.sheet(pool, bob, "csv"))


@ON_SQLITE
def test_a_workbook_for_assessors_carries_the_guidelines_that_they_follow(workbench: World) -> None:
    from openpyxl import load_workbook

    from lydite_workbench.assessment.pools import guidelines_of

    pool, (anna,) = assessed(workbench, "anna")
    olga = workbench.client(workbench.user("olga", administrator=True))
    url = f"/campaigns/{pool.campaign.slug}/assessment/sheet"
    sent = olga.get(f"{url}.xlsx", {"person": anna.public_id})
    items, guidelines = load_workbook(io.BytesIO(sent.content)).worksheets
    assert items.max_row == 1 + sum(document.size for document in pool.documents.all())
    assert guidelines["A1"].value == f"{guidelines_of(pool).title}, version {guidelines_of(pool).version}"
    assert olga.get(f"{url}.xlsx", {"person": "nobody"}).status_code == 400
    assert olga.get(f"{url}.pdf").status_code == 404


def test_a_sheet_that_was_filled_elsewhere_is_read_in_the_middle_of_an_assessment(workbench: World) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    from lydite_workbench.assessment import progress, stores

    pool, (anna,) = assessed(workbench, "anna")
    judge_document(pool, anna, RIGHT)
    olga = workbench.client(workbench.user("olga", administrator=True))
    url = f"/campaigns/{pool.campaign.slug}/assessment"
    text = olga.get(f"{url}/sheet.csv").content.decode("utf-8-sig")
    head, *lines = csv.reader(io.StringIO(text))
    assert len(lines) == progress.progress_of(pool).to_judge - progress.progress_of(pool).judged
    strings: dict[str, int] = {}
    for line in lines:
        number = strings.setdefault(line[head.index("canonical string")].casefold(), len(strings) + 1)
        line[-7:] = ["C", "C", "C", "C", str(number), "Actual", "NAME"]
    filled = io.StringIO()
    csv.writer(filled).writerows([head, *lines])
    sheet = SimpleUploadedFile("sheet.csv", filled.getvalue().encode())
    assert olga.post(f"{url}/read", {"file": sheet, "person": "nobody"}).status_code == 400
    sheet.seek(0)
    assert olga.post(f"{url}/read", {"file": sheet, "person": anna.public_id}).status_code == 302
    done = progress.progress_of(pool)
    assert done.judged == done.to_judge
    assert {pace.assessor for pace in progress.paces_of(pool)} == {anna}
    store = olga.get(f"{url}/store.zip").content
    packed = SimpleUploadedFile("store.zip", store)
    assert olga.post(f"{url}/read", {"file": packed, "person": anna.public_id}).status_code == 302
    assert progress.progress_of(pool) == done
    with ZipFile(io.BytesIO(store)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == dict(
            stores.store_files(pool.documents.all())
        )


def test_roles_of_a_campaign_are_those_that_their_file_has_now(tmp_path: Path) -> None:
    from lydite_workbench.assessment.pools import taxonomy_of
    from lydite_workbench.campaigns.models import Campaign

    roles = tmp_path / "roles"
    campaign = Campaign(profile="kbp2014", settings={"taxonomy": str(roles)})
    for name in ("Life.Die", "Life.Born"):
        roles.write_text(f"{name}\tPerson\n")
        assert list(taxonomy_of(campaign).types) == [name]
