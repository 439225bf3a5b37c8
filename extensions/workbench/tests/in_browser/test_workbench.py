"""The workbench in a browser: a team sends runs, an organiser publishes, an assessor judges by keyboard alone."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("django", reason="the workbench is an extra: pip install lydite[workbench]")

from workbench_world import PASSWORD, ROOT, Live

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

    from lydite_workbench.accounts.models import User
    from lydite_workbench.campaigns.models import Campaign

pytestmark = pytest.mark.parametrize("workbench", ["sqlite"], indirect=True)
EXAMPLES = ROOT / "examples"
OSTREY = b'{"id": "ostrey", "handle": "Ostrey"}\n'
"""A fifth target, with which the example systems have ten mentions beyond gold."""
PATIENCE = 90.0
"""Seconds after which a page will not come any more."""


def sign_in(browser: Chrome, live: Live, user: User) -> None:
    from selenium.webdriver.common.by import By

    browser.delete_all_cookies()
    browser.get(f"{live.url}/sign-in")
    browser.find_element(By.NAME, "name").send_keys(user.name)
    browser.find_element(By.NAME, "password").send_keys(PASSWORD)
    browser.find_element(By.CSS_SELECTOR, "form.stacked button").click()
    until(browser, "Sign out")


def until(browser: Chrome, text: str) -> str:
    """Wait until the page shows a text, and give back all that it shows."""
    from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
    from selenium.webdriver.common.by import By

    end = time.monotonic() + PATIENCE
    shown = ""
    while time.monotonic() < end:
        try:
            shown = browser.find_element(By.TAG_NAME, "body").text
        except (StaleElementReferenceException, WebDriverException):
            continue
        if text in shown:
            return shown
        time.sleep(0.05)
    raise AssertionError(f"{text!r} did not come; the page shows:\n{shown}")


def do_jobs() -> None:
    from lydite_workbench.campaigns.jobs import work_once

    while work_once():
        pass


def upload(browser: Chrome, field: str, path: Path) -> None:
    from selenium.webdriver.common.by import By

    browser.find_element(By.NAME, field).send_keys(str(path))


def press(browser: Chrome, words: str) -> None:
    from selenium.webdriver.common.by import By

    next(
        button
        for button in browser.find_elements(By.CSS_SELECTOR, "button, a.button")
        if words in button.text
    ).click()


def nuggets(live: Live) -> tuple[Campaign, User, User]:
    """A campaign with gold, its organiser, and the member of a team."""
    from datetime import UTC, datetime, timedelta

    from lydite_workbench.campaigns.models import Campaign, Phase
    from lydite_workbench.campaigns.setup import NewCampaign, create_campaign
    from lydite_workbench.campaigns.teams import add_team
    from lydite_workbench.rights import Caller
    from lydite_workbench.store import Upload, store_file

    olga, alma = live.world.user("olga", administrator=True), live.world.user("alma")
    gold = store_file(EXAMPLES / "gold.tbf")
    now = datetime.now(UTC)
    phase = Phase(
        slug="test",
        title="Test",
        opens=now - timedelta(days=1),
        closes=now + timedelta(days=1),
        is_test=False,
        teams_see="report",
    )
    campaign = create_campaign(
        NewCampaign(
            Campaign(slug="spring", title="Spring", task="nugget"),
            gold=Upload(gold.sha256, gold.size, "gold.tbf"),
            phases=[phase],
        ),
        actor=Caller(olga),
    )
    add_team(campaign, "Alder", actor=Caller(olga)).members.add(alma)
    return campaign, olga, alma


def test_a_team_reads_what_is_wrong_and_sees_its_figure(
    browser: Chrome,
    live: Live,
    tmp_path: Path,
) -> None:
    from selenium.webdriver.common.by import By

    campaign, _, alma = nuggets(live)
    good = (EXAMPLES / "systems" / "alder.tbf").read_text(encoding="utf-8")
    broken = tmp_path / "broken.tbf"
    broken.write_text(good.replace("#EndOfDocument", "", 1), encoding="utf-8")
    sign_in(browser, live, alma)
    browser.get(f"{live.url}/campaigns/{campaign.slug}")
    press(browser, "Send a run")
    upload(browser, "file", broken)
    press(browser, "Send")
    until(browser, "This page reloads itself")
    do_jobs()
    shown = until(browser, "This run is not valid")
    assert re.search(r"broken\.tbf:\d+", shown), "a finding names file and line"
    browser.find_element(By.PARTIAL_LINK_TEXT, "Replace it").click()
    until(browser, "Replaces the invalid run")
    upload(browser, "file", EXAMPLES / "systems" / "alder.tbf")
    press(browser, "Send")
    until(browser, "This page reloads itself")
    do_jobs()
    shown = until(browser, "Open the report page")
    assert "type+realis" in shown
    press(browser, "Open the report page")
    until(browser, "alder")


def test_an_organiser_replaces_gold_and_publishes(
    browser: Chrome,
    live: Live,
    tmp_path: Path,
) -> None:
    from lydite_workbench.campaigns.models import Team
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run
    from lydite_workbench.rights import Caller
    from lydite_workbench.store import Upload, store_file

    campaign, olga, alma = nuggets(live)
    run = store_file(EXAMPLES / "systems" / "birch.tbf")
    accept_run(
        Team.objects.get(slug="alder"),
        Upload(run.sha256, run.size, "run.tbf"),
        RunDescription(title="one"),
        actor=Caller(alma),
    )
    do_jobs()
    text = (EXAMPLES / "gold.tbf").read_text(encoding="utf-8").splitlines(keepends=True)
    mention = next(
        place for place, line in enumerate(text) if not line.startswith(("#", "@")) and line.strip()
    )
    gold = tmp_path / "gold-2.tbf"
    gold.write_text(
        "".join(line for place, line in enumerate(text) if place != mention and line[0] != "@"),
        encoding="utf-8",
    )
    sign_in(browser, live, olga)
    browser.get(f"{live.url}/campaigns/{campaign.slug}/manage")
    upload(browser, "file", gold)
    press(browser, "Replace gold")
    until(browser, "gold 2")
    do_jobs()
    browser.refresh()
    assert "alder-1" in until(browser, "What gold 2 changed")
    press(browser, "Compare the runs")
    until(browser, "Publish with names")
    assert "No leaderboard is published" in _as_public(browser, live, campaign)
    sign_in(browser, live, olga)
    browser.get(f"{live.url}/boards/{campaign.boards.get().public_id}")
    press(browser, "Publish with names")
    assert "Alder" in until(browser, "Unpublish")


def _as_public(browser: Chrome, live: Live, campaign: Campaign) -> str:
    campaign.is_public = True
    campaign.save(update_fields=["is_public"])
    browser.delete_all_cookies()
    browser.get(f"{live.url}/campaigns/{campaign.slug}/leaderboard")
    return until(browser, "Leaderboard")


def test_an_assessor_judges_twenty_items_by_keyboard_alone(browser: Chrome, live: Live) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    from lydite_workbench.assessment.judgements import judged_by, take_seat
    from lydite_workbench.assessment.models import Judgement
    from workbench.assessment.test_assessment import assessed

    pool, (anna,) = assessed(live.world, "anna")
    sign_in(browser, live, anna)
    browser.get(f"{live.url}/campaigns/{pool.campaign.slug}/assessment/work")
    until(browser, "Is there an event of this type?")
    answers = ["c", "c", "c", "c", "a", "n", Keys.ENTER]
    judged = 0
    while judged < 20:
        seat = take_seat(pool, anna)
        assert seat is not None
        for _ in range(seat.document.items.count()):
            keys = ["w", Keys.ENTER] if judged % 4 == 3 else answers
            ActionChains(browser).send_keys(*keys).perform()
            judged += 1
        until(browser, "Which strings are the same?")
        ActionChains(browser).send_keys(Keys.ENTER).perform()
        _wait_for(lambda seat=seat: seat.document.taken.get().finished is not None)
        assert len(judged_by(seat.document, anna)[0].judgements) == seat.document.items.count()
        # The store knows of the end of a document before the screen does: keys would still group strings.
        _wait_for(lambda: browser.find_element(By.ID, "assess").get_attribute("data-state") != "grouping")
        until(browser, "Is there an event of this type?" if take_seat(pool, anna) else "nothing left")
    assert Judgement.objects.count() == judged
    assert not [entry for entry in browser.get_log("browser") if "Content Security" in entry["message"]]


def type_keys(browser: Chrome, *keys: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(browser).send_keys(*keys).perform()


def select_all(browser: Chrome) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    ActionChains(browser).key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).perform()


def test_a_string_gets_a_class_of_two_digits_by_keys(browser: Chrome, live: Live) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    from lydite_workbench.assessment.judgements import judge, take_seat
    from workbench.assessment.test_assessment import RIGHT, assessed

    pool, (anna,) = assessed(live.world, "anna")
    seat = take_seat(pool, anna)
    assert seat is not None
    for item in seat.document.items.all():
        judge(item, anna, RIGHT)
    sign_in(browser, live, anna)
    browser.get(f"{live.url}/campaigns/{pool.campaign.slug}/assessment/work")
    until(browser, "Which strings are the same?")

    def classes() -> list[str]:
        return [one.text for one in browser.find_elements(By.CSS_SELECTOR, "[data-part=strings] kbd")]

    count = len(classes())
    assert count > 1
    type_keys(browser, *[Keys.ARROW_DOWN] * count, *["+"] * 12, Keys.ARROW_UP)
    last = classes()[-1]
    assert len(last) == 2
    type_keys(browser, last[0])
    until(browser, f"another digit for {last}")
    assert classes()[-2] == last[0]
    type_keys(browser, last[1])
    assert classes()[-2:] == [last, last]


def test_an_adjudicator_decides_ten_targets_by_keyboard_alone(
    browser: Chrome, live: Live, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from lydite_workbench.adjudication import services
    from workbench.adjudication.test_adjudication import by_command, target_queue

    queue, (ann,) = target_queue(live.world, "ann", profile="ace08-global-mentions", more_targets=OSTREY)
    sign_in(browser, live, ann)
    browser.get(f"{live.url}/queues/{queue.public_id}")
    until(browser, f"0 of {queue.items.count()} decided")
    expected = [*["up", "down", "unsure"] * 3, "down"]
    type_keys(browser, *"ynsynsyns", "y", "u", "n")
    _wait_for(lambda: [line.decision for line in services.current_decisions(queue)] == expected)
    until(browser, "10 of 10 decided")
    here, there = services.target_scores(queue), by_command(queue, tmp_path, capsys)
    assert list(here["systems"].values()) == list(there["systems"].values())
    assert here["before"] != here["systems"]


def test_an_adjudicator_resolves_ten_differences_of_annotators_by_keyboard_alone(
    browser: Chrome, live: Live, tmp_path: Path
) -> None:
    import csv

    from selenium.webdriver.common.keys import Keys

    import lydite
    from lydite.formats import FORMATS
    from lydite_workbench.accounts.models import Role
    from lydite_workbench.adjudication import services
    from workbench.adjudication.test_adjudication import annotator_queue

    queue = annotator_queue(live.world)
    ann = live.world.user("ann")
    live.world.role(ann, queue.campaign, Role.ADJUDICATOR)
    items = list(queue.items.all()[:10])
    edited = next(said["shown"] for said in items[9].data["said"] if said["shown"])
    edited = edited.replace("Actual", "Other") if "Actual" in edited else edited.replace("Other", "Actual")
    sign_in(browser, live, ann)
    browser.get(f"{live.url}/queues/{queue.public_id}")
    until(browser, f"0 of {queue.items.count()} decided")
    type_keys(browser, *"abmxabmx", "u", "b", "a", "e")
    select_all(browser)
    type_keys(browser, "nonsense", Keys.ENTER)
    until(browser, "found 'nonsense'")
    select_all(browser)
    type_keys(browser, edited, Keys.ENTER)
    until(browser, f"10 of {queue.items.count()} decided")
    decided = [*("a", "b", "both", "neither") * 2, "a", "edit"]
    decided[7] = "b"
    assert [one.decision for one in services.current_decisions(queue)] == decided

    found = lydite.adjudicate(*(EXAMPLES / "systems" / f"{name}.tbf" for name in ("alder", "birch")))
    head, *rows = found.sheet()
    for row, decision in zip(rows, decided, strict=False):
        row[-3:-1] = ["", edited] if decision == "edit" else [decision, ""]
    sheet = tmp_path / "sheet.csv"
    with sheet.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([head, *rows])
    write = FORMATS["tbf"].write
    assert write is not None
    by_command = write(found.gold(sheet, undecided="a")[0])
    assert write(services.gold_from(queue, undecided="a")) == by_command


def _wait_for(is_so: object) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.05)


def test_axe_finds_nothing_serious_on_pages_of_the_workbench(browser: Chrome, live: Live, axe: str) -> None:
    from workbench.adjudication.test_adjudication import annotator_queue, target_queue
    from workbench.assessment.test_assessment import RIGHT, assessed, judge_document

    campaign, olga, alma = nuggets(live)
    pool, (anna, ben) = assessed(live.world, "anna", "ben", twice=100)
    judge_document(pool, anna, RIGHT)
    judge_document(pool, ben, {**RIGHT, "realis": "Other"})
    targets, _ = target_queue(live.world, "carla")
    annotators = annotator_queue(live.world)
    pages = {
        olga: ["/", "/account", f"/campaigns/{campaign.slug}", f"/campaigns/{campaign.slug}/manage", "/new-campaign",
               f"/campaigns/{pool.campaign.slug}/assessment", f"/campaigns/{campaign.slug}/audit",
               f"/campaigns/{pool.campaign.slug}/assessment/differences",
               f"/campaigns/{targets.campaign.slug}/adjudication", f"/queues/{targets.public_id}/scores",
               f"/queues/{targets.public_id}", f"/queues/{annotators.public_id}"],
        alma: [f"/campaigns/{campaign.slug}", f"/campaigns/{campaign.slug}/send"],
        anna: [f"/campaigns/{pool.campaign.slug}/assessment/work", f"/campaigns/{pool.campaign.slug}/assessment/guidelines",
               f"/campaigns/{pool.campaign.slug}/assessment/overruled"],
    }  # fmt: skip
    serious = []
    for person, paths in pages.items():
        sign_in(browser, live, person)
        for path in paths:
            browser.get(live.url + path)
            time.sleep(0.3)
            browser.execute_script(axe)
            found = browser.execute_async_script("axe.run().then(arguments[arguments.length - 1])")
            serious += [
                f"{path}: {one['id']}: {one['nodes'][0]['html']}"
                for one in found["violations"]
                if one["impact"] in {"serious", "critical"}
            ]
    assert not serious, "\n".join(serious)
