"""A collection in a browser: an explorer searches, judges, captures and merges by keyboard alone."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

pytest.importorskip("django", reason="the workbench is an extra: pip install lydite[workbench]")
pytest.importorskip("tantivy", reason="the search engine is an extra: pip install lydite[corpus]")

from in_browser.test_workbench import PATIENCE, sign_in, until
from in_browser.test_workbench import _wait_for as wait_for
from workbench.corpus.test_exploring import TARGET, explored
from workbench.corpus.test_merging import same_people
from workbench_world import Live

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.parametrize("workbench", ["sqlite"], indirect=True)


def keys(browser: Chrome, *pressed: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(browser).send_keys(*pressed).perform()


def explore(browser: Chrome, live: Live) -> None:
    """Open the explorer, and wait until what is typed goes into its query."""
    from selenium.webdriver.support.ui import WebDriverWait

    browser.get(f"{live.url}/corpora/harbour")
    WebDriverWait(browser, PATIENCE).until(
        lambda page: page.switch_to.active_element.get_attribute("data-part") == "query"
    )


def with_shift(browser: Chrome, key: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    ActionChains(browser).key_down(Keys.SHIFT).send_keys(key).key_up(Keys.SHIFT).perform()


def shown(browser: Chrome, part: str) -> str:
    from selenium.webdriver.common.by import By

    return browser.find_element(By.CSS_SELECTOR, f'[data-part="{part}"]').text


def test_an_explorer_searches_judges_and_captures_by_keyboard_alone(browser: Chrome, live: Live) -> None:
    from selenium.webdriver.common.keys import Keys

    from lydite_workbench.corpus import services

    collection, (emil,) = explored(live.world, "emil")
    entries = collection.entries
    sign_in(browser, live, emil)
    explore(browser, live)
    keys(browser, "bread (salt", Keys.ENTER)
    assert "^" in until(browser, "query, column 7")
    keys(browser, Keys.ESCAPE, "/", Keys.BACKSPACE, f"profile:{TARGET}", Keys.ENTER)
    until(browser, "documents found")
    keys(browser, "t", TARGET, Keys.ENTER)
    until(browser, "not judged yet")
    first = shown(browser, "title")
    keys(browser, "y", "+", "a", "4", "m", "seen", Keys.ESCAPE, Keys.ENTER)
    wait_for(lambda: entries.filter(kind="judgement").count() == 1)
    wait_for(lambda: shown(browser, "title") != first)
    second = shown(browser, "title")
    keys(browser, "n", "1", "k")
    wait_for(lambda: entries.filter(kind="judgement").count() == 2)
    wait_for(lambda: shown(browser, "title") == first)
    keys(browser, Keys.ARROW_RIGHT)
    with_shift(browser, Keys.ARROW_RIGHT)
    keys(browser, "e")
    wait_for(lambda: entries.filter(kind="capture").count() == 1)
    keys(browser, Keys.ARROW_RIGHT, "r")
    wait_for(lambda: entries.filter(kind="capture").count() == 2)
    one, two = (entry.data for entry in entries.filter(kind="judgement"))
    found = services.document_data(collection, first, TARGET, emil)
    assert (one["docid"], one["mentioned"], one["stars"], one["note"]) == (first, 1, 4, "seen")
    assert one["n_mentions"] == len(found["marks"]) + 1
    assert (two["docid"], two["mentioned"], two["n_mentions"], two["stars"]) == (second, 0, 0, 1)
    assert one["query_id"] in set(entries.filter(kind="query").values_list("name", flat=True))
    new, related = (entry.data for entry in entries.filter(kind="capture"))
    start, _, _ = found["marks"][0]
    assert (new["capture"], new["start"], len(new["text"].split())) == ("new-entity", start, 2)
    assert (related["capture"], related["target_id"], len(related["text"].split())) == ("related", TARGET, 1)
    assert not [entry for entry in browser.get_log("browser") if "Content Security" in entry["message"]]


def serious(browser: Chrome, axe: str) -> list[str]:
    """What axe finds on the page that is open."""
    browser.execute_script(axe)
    found = browser.execute_async_script("axe.run().then(arguments[arguments.length - 1])")
    return [
        f"{browser.current_url}: {one['id']}: {one['nodes'][0]['html']}"
        for one in found["violations"]
        if one["impact"] in {"serious", "critical"}
    ]


def test_axe_finds_nothing_serious_on_screens_of_collections(browser: Chrome, live: Live, axe: str) -> None:
    explored(live.world)
    sign_in(browser, live, live.world.user("olga", administrator=True))
    found = []
    for path in (
        "campaigns/harbour/corpora",
        "corpora/harbour/targets?documents=150&count=12&minimums=alias%3D3",
        "corpora/harbour/selection?count=60",
        "corpora/harbour/merge/conflicts",
    ):
        browser.get(f"{live.url}/{path}")
        found += serious(browser, axe)
    explore(browser, live)
    keys(browser, f"profile:{TARGET}", "\ue007")
    until(browser, "documents found")
    keys(browser, "t", TARGET, "\ue007")
    until(browser, "not judged yet")
    time.sleep(0.2)
    found += serious(browser, axe)
    assert not found, "\n".join(found)


def test_entities_are_merged_by_keyboard_alone(browser: Chrome, live: Live, axe: str) -> None:
    from selenium.webdriver.common.keys import Keys

    from lydite_workbench.corpus import merging

    collection, (emil,) = explored(live.world, "emil")
    member = same_people()[0][0]

    def logged() -> list[str]:
        return [data["op"] for _, data in merging.log_of(collection)]

    def together() -> int:
        return len(merging.state_of(collection).members_with(member))

    sign_in(browser, live, emil)
    browser.get(f"{live.url}/corpora/harbour/merge?member={quote(member)}")
    until(browser, member)
    until(browser, "same subtype")
    keys(browser, " ")
    until(browser, "Merged with")
    assert (logged(), together()) == (["merge"], 2)
    keys(browser, Keys.ARROW_LEFT, Keys.ARROW_DOWN, "s")
    until(browser, "stands alone")
    keys(browser, "u")
    until(browser, "Undone")
    assert (logged(), together()) == (["merge", "split", "undo"], 2)
    keys(browser, Keys.ARROW_RIGHT, Keys.ARROW_DOWN, "x")
    until(browser, "never proposed again")
    keys(browser, "i")
    until(browser, "…")
    assert not serious(browser, axe)
    keys(browser, "/", "tomas", Keys.ENTER)
    until(browser, "together with")
    keys(browser, Keys.ESCAPE, "n")
    wait_for(lambda: member not in shown(browser, "left"))
    keys(browser, "p")
    wait_for(lambda: member in shown(browser, "left"))
    assert logged() == ["merge", "split", "undo", "reject"]
    assert not [entry for entry in browser.get_log("browser") if "Content Security" in entry["message"]]
