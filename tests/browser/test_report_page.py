"""The page in a browser: it opens from disk, without a network and without an error, and does what it says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lydite.facade.choosing import UserChoice
from lydite.pages import page_files
from lydite.pipeline.reading import PathLike
from lydite.report.page.build import page, site
from lydite.report.page.grids import Kind, cell
from page_world import HOSTILE, write_tbf, write_world

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
COREF = ROOT / "tests" / "conformance" / "coref" / "missing-and-spurious"
SPANS = ROOT / "tests" / "conformance-spans" / "default_06"

TASKS: dict[str, tuple[PathLike, list[PathLike], dict[str, str]]] = {
    "nugget": (
        EXAMPLES / "gold.tbf",
        [EXAMPLES / "systems" / f"{name}.tbf" for name in ("alder", "birch", "cedar")],
        {"documents": str(EXAMPLES / "text")},
    ),
    "coref": (COREF / "key.conll", [COREF / "response.conll"], {}),
    "arguments": (
        EXAMPLES / "arguments" / "annotation",
        [EXAMPLES / "arguments" / "systems" / "alder", EXAMPLES / "arguments" / "systems" / "birch"],
        {"documents": str(EXAMPLES / "text")},
    ),
    "triples": (EXAMPLES / "triples" / "gold.trp", [EXAMPLES / "triples" / "system.trp"], {}),
    "ace": (
        EXAMPLES / "ace" / "gold",
        [EXAMPLES / "ace" / "systems" / name for name in ("alder", "birch")],
        {"documents": str(EXAMPLES / "text")},
    ),
    "spans": (SPANS / "gold.jsonl", [SPANS / "system.jsonl"], {}),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The page of a task's example, or of the small hostile ``world``, written once."""
    folder = tmp_path_factory.mktemp("pages")

    def of(name: str) -> Path:
        target = folder / f"{name}.html"
        if not target.exists():
            if name == "world":
                gold, systems, texts = write_world(tmp_path_factory.mktemp("world"))
                choice = UserChoice(options={"documents": str(texts)})
                target.write_bytes(page(page_files(choice, gold, systems)[0]))
            else:
                key, others, settings = TASKS[name]
                target.write_bytes(page(page_files(UserChoice(task=name, options=settings), key, others)[0]))
        return target

    return of


class Page:
    """A page that is open in the browser."""

    def __init__(self, browser: Chrome, path: Path, fragment: str = "") -> None:
        self.browser = browser
        browser.get_log("browser")
        browser.get("about:blank")
        browser.get(f"{path.as_uri()}{fragment}")

    def run(self, script: str, *given: Any) -> Any:
        return self.browser.execute_script(script, *given)

    def wait(self, script: str) -> Any:
        from selenium.webdriver.support.wait import WebDriverWait

        return WebDriverWait(self.browser, 10).until(lambda _: self.run(f"return {script}"))

    def press(self, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.browser).send_keys(*keys).perform()

    def text(self, selector: str) -> str:
        found: str = self.run("return document.querySelector(arguments[0]).innerText", selector)
        return found

    def errors(self) -> list[str]:
        return [entry["message"] for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"]

    def open_document(self, doc_id: str, item: str = "") -> None:
        said = f"doc={doc_id}&item={item}" if item else f"doc={doc_id}"
        self.run("location.hash = arguments[0]", said)
        self.wait(f"viewer.document && viewer.document.id === {json.dumps(doc_id)}")


@pytest.mark.parametrize("task", TASKS)
def test_a_page_opens_and_its_viewer_shows_every_document(
    browser: Chrome, made: Callable[[str], Path], task: str
) -> None:
    opened = Page(browser, made(task))
    assert opened.wait("document.documentElement.classList.contains('js')")
    for doc_id in opened.run("return DATA.documents.slice(0, 3)"):
        opened.open_document(doc_id)
        assert opened.text("#viewer-name") == doc_id
        assert opened.run("return document.querySelectorAll('#list li').length === viewer.items.length")
    assert opened.run("return performance.getEntriesByType('resource').length") == 0
    assert opened.errors() == []


def test_a_column_sorts_by_its_values(browser: Chrome, made: Callable[[str], Path]) -> None:
    opened = Page(browser, made("nugget"))
    column = "document.querySelectorAll('table[data-grid=documents] tbody tr td:nth-child(2)')"
    button = "document.querySelector('table[data-grid=documents] th:nth-child(2) button').click()"
    for expected in (True, False):
        opened.run(button)
        figures = opened.run(f"return [...{column}].map((cell) => cell.innerText)")
        known = [float(figure) for figure in figures if figure != "–"]
        assert known == sorted(known, reverse=expected)
        assert figures[len(known) :] == ["–"] * (len(figures) - len(known))


def test_the_rows_of_a_chart_sort_by_any_of_its_series(browser: Chrome, made: Callable[[str], Path]) -> None:
    opened = Page(browser, made("nugget"))
    rows = "[...document.querySelectorAll('figure:has([data-sort=gaps]) svg [data-row]')]"
    order = f"return {rows}.sort((a, b) => a.getBoundingClientRect().y - b.getBoundingClientRect().y).map((row) => row.querySelector('text').textContent)"
    drawn = opened.run(order)
    table = opened.run("return DATA.tables.gaps.rows")
    for place in range(2, len(table[0])):
        opened.run(
            "const pick = document.querySelector('[data-sort=gaps]'); pick.value = arguments[0];"
            "pick.dispatchEvent(new Event('change', {bubbles: true}))",
            str(place),
        )
        assert opened.run(order) == [row[0] for row in sorted(table, key=lambda row: -row[place])]
    opened.run(
        "const pick = document.querySelector('[data-sort=gaps]'); pick.value = '';"
        "pick.dispatchEvent(new Event('change', {bubbles: true}))"
    )
    assert opened.run(order) == drawn
    assert opened.errors() == []


def test_a_row_that_is_made_in_the_browser_says_what_the_file_would_say(
    browser: Chrome, made: Callable[[str], Path]
) -> None:
    opened = Page(browser, made("nugget"))
    values = [place / 3200 for place in range(3201)] + [2 / 3, 0.00005, 0.00004, 0.99995, 12345, None]
    kinds: tuple[Kind, ...] = ("percent", "points", "count", "p", "exact")
    said = opened.run(
        "return arguments[1].map((kind) => arguments[0].map((value) => cellText(value, kind)))", values, kinds
    )
    for kind, of_kind in zip(kinds, said, strict=True):
        unlike = [
            (value, found) for value, found in zip(values, of_kind, strict=True) if found != cell(value, kind)
        ]
        assert [one for one in unlike if one[0] is None or one[0] > 0.001 or kind != "exact"] == []


def test_a_system_that_is_not_chosen_is_gone_below(browser: Chrome, made: Callable[[str], Path]) -> None:
    opened = Page(browser, made("nugget"))
    opened.run("document.querySelector('[data-choose=\"1\"]').click()")
    assert "birch" not in opened.text("table[data-grid=documents]")
    opened.open_document("nw05-wenn")
    assert "birch" not in opened.text("#viewer")
    assert opened.run("return document.querySelectorAll('figure .dim').length") > 0


def test_a_fault_lists_its_items_and_an_item_opens_in_its_document(
    browser: Chrome, made: Callable[[str], Path]
) -> None:
    opened = Page(browser, made("nugget"))
    opened.run("document.querySelector('table[data-grid=budget] tr[data-row=\"5\"] [data-list]').click()")
    assert opened.text("#items-h") == "Fault: realis"
    assert opened.run(
        "return [...new Set(listing.rows.map(causeOf))].every((cause) => cause.includes('realis'))"
    )
    item = opened.run("return document.querySelector('#items-table tbody a').innerText")
    opened.run("document.querySelector('#items-table tbody a').click()")
    opened.wait("viewer.item")
    assert item in opened.text("#verdict h3")
    assert "realis" in opened.text("#verdict .cause.fault")


def test_a_part_of_a_bar_and_a_cell_of_a_matrix_list_their_items(
    browser: Chrome, made: Callable[[str], Path]
) -> None:
    opened = Page(browser, made("nugget"))
    click = "dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    opened.run(f"document.querySelector('#budget [data-row=\"1\"] rect.bar.s2').{click}")
    assert opened.text("#items-h") == "Fault: spurious, birch"
    assert opened.text("#items-said") == "118 items"
    cell = (
        "[...document.querySelectorAll('#confusion rect[data-item]')]"
        ".find((part) => part.textContent.startsWith('Life_Die → (missed)'))"
    )
    opened.run(f"{cell}.{click}")
    assert opened.text("#items-h") == "type: gold Life_Die, found (missed)"
    # Two gold mentions on one span are paired crosswise where attributes do not matter.
    assert opened.text("#items-said").startswith("1 item; the matrix counts 3")


def test_a_fault_lists_as_many_items_as_it_counts_or_says_why_not(
    browser: Chrome, made: Callable[[str], Path]
) -> None:
    opened = Page(browser, made("nugget"))
    said = {}
    for rank, fault in ((0, "outcompeted"), (0, "missed"), (1, "span")):
        opened.run(f"listFault(DATA.tables.budget.rows.findIndex((row) => row[0] === {fault!r}), {rank})")
        said[fault] = opened.text("#items-said")
    assert said["outcompeted"] == "0 items"
    assert said["missed"] == "20 items"
    assert said["span"].startswith("12 items; the budget counts 13: an item can have several faults")


def test_a_confusion_lists_as_many_items_as_it_counts(browser: Chrome, made: Callable[[str], Path]) -> None:
    opened = Page(browser, made("nugget"))
    opened.run(
        "window.cell = [...document.querySelectorAll('table[data-grid=\"confusion-type-0\"] tbody tr')]"
        ".find((row) => !row.innerText.includes('('))"
    )
    wanted = opened.run("return DATA.tables['confusion-type-0'].rows[Number(cell.dataset.row)][2]")
    opened.run("cell.querySelector('[data-list]').click()")
    assert opened.text("#items-said").split()[0] == str(wanted)


def test_two_systems_are_picked_for_their_differences(browser: Chrome, made: Callable[[str], Path]) -> None:
    opened = Page(browser, made("nugget"))
    shown = "[...document.querySelectorAll('.panel:not(.off) h3')].map((head) => head.innerText)"
    assert opened.run(f"return {shown}") == ["alder and birch"]
    choose = (
        "const list = document.querySelector('[data-pick=\"{}\"]'); list.value = '{}';"
        "list.dispatchEvent(new Event('change'))"
    )
    opened.run(choose.format(0, 2))
    assert opened.run(f"return {shown}") == ["birch and cedar"]
    opened.run(choose.format(1, 2))
    assert opened.run(f"return {shown}") == []
    assert opened.text("#pair-said") == "Choose two different systems."
    assert opened.errors() == []


def test_keys_go_through_errors_and_documents(browser: Chrome, made: Callable[[str], Path]) -> None:
    opened = Page(browser, made("nugget"), "#doc=df01-boots")
    opened.wait("viewer.document")
    opened.press("j")
    first = opened.wait("viewer.item && viewer.item.key")
    opened.press("j")
    assert opened.wait(f"viewer.item.key !== {json.dumps(first)}")
    opened.press("k")
    assert opened.wait(f"viewer.item.key === {json.dumps(first)}")
    opened.press("n")
    assert opened.wait("viewer.document.id === 'df02-price'")
    opened.press("p")
    assert opened.wait("viewer.document.id === 'df01-boots'")
    opened.press("?")
    assert opened.wait("document.querySelector('#help').open")
    opened.press("\ue00c")
    assert opened.wait("!document.querySelector('#help').open")
    opened.press("\ue00c")
    assert opened.wait("document.querySelector('#viewer').hidden")
    opened.press("g")
    assert opened.wait("location.hash === '#ranking'")


def test_search_finds_texts_ids_and_types(browser: Chrome, made: Callable[[str], Path]) -> None:
    opened = Page(browser, made("nugget"))
    for words in ("ferryman", "nw05", "Life_Die"):
        opened.press("/")
        opened.run("document.querySelector('#search').value = ''")
        opened.press(words, "\ue007")
        opened.wait("document.querySelectorAll('#results-list li').length > 0")
        opened.wait("document.querySelector('#results-said').innerText.includes('found')")
        opened.press("\ue00c")
    assert opened.errors() == []


def test_a_link_opens_document_and_item(browser: Chrome, made: Callable[[str], Path]) -> None:
    opened = Page(browser, made("nugget"), "#doc=nw05-wenn&item=E3")
    opened.wait("viewer.item")
    assert "gold E3" in opened.text("#verdict h3")
    assert "paired with M3" in opened.text("#verdict")
    assert opened.run("return document.querySelectorAll('#text .seg.on').length") == 1


def test_items_of_one_id_on_both_sides_are_told_apart(browser: Chrome, made: Callable[[str], Path]) -> None:
    opened = Page(browser, made("world"), "#doc=d2")
    opened.wait("viewer.document")
    opened.run("chooseItem(viewer.items.find((item) => item.id === 'E2' && item.side === 'system'))")
    fragment = opened.run("return location.hash")
    opened = Page(browser, made("world"), fragment)
    opened.wait("viewer.item")
    assert opened.text("#verdict h3") == "good E2"
    opened.run("document.querySelector('#verdict .of button.link').click()")
    assert opened.text("#verdict h3") == "gold E2"
    opened.run("document.querySelector('#verdict .of button.link').click()")
    assert opened.text("#verdict h3") == "good E2"


def test_a_filter_shows_one_cause(browser: Chrome, made: Callable[[str], Path]) -> None:
    opened = Page(browser, made("nugget"), "#doc=nw05-wenn")
    opened.wait("viewer.document")
    opened.run(
        "const picker = document.querySelector('#viewer-bar select'); picker.value = 'spurious';"
        "picker.dispatchEvent(new Event('change', {bubbles: true}))"
    )
    said = opened.run("return [...document.querySelectorAll('#list li')].map((entry) => entry.innerText)")
    assert said
    assert all("spurious" in entry for entry in said)


def test_a_filter_shows_one_system(browser: Chrome, made: Callable[[str], Path]) -> None:
    opened = Page(browser, made("nugget"), "#doc=nw01-depot")
    opened.wait("viewer.document")
    opened.run(
        "const list = [...document.querySelectorAll('#viewer-bar label')]"
        ".find((label) => label.innerText.startsWith('System')).querySelector('select');"
        "list.value = 'cedar'; list.dispatchEvent(new Event('change'))"
    )
    assert "(cedar)" in opened.text("#viewer-said")
    assert "birch" not in opened.text("#list")


def test_discontinuous_spans_are_joined_and_chains_light_up(
    browser: Chrome, made: Callable[[str], Path]
) -> None:
    opened = Page(browser, made("world"), "#doc=d1&item=E4")
    opened.wait("viewer.item")
    parts = opened.run(
        "return [...document.querySelectorAll('#text .seg.on')].map((part) => part.textContent)"
    )
    assert parts == ["locked", "up"]
    opened.run("chooseById('E1')")
    chained = "return [...document.querySelectorAll('#text .seg.chained')].map((part) => part.textContent)"
    assert opened.run(chained) == ["attack"]


def test_places_count_characters_in_any_script(browser: Chrome, made: Callable[[str], Path]) -> None:
    opened = Page(browser, made("world"), "#doc=d2&item=E2")
    opened.wait("viewer.item")
    assert opened.run("return document.querySelector('#text .seg.on').textContent") == "هربوا"
    begin, end = (
        opened.run(
            "const [one] = viewer.segments.get(viewer.items.find((item) => item.id === arguments[0]).key);"
            "return one.getBoundingClientRect().left",
            name,
        )
        for name in ("E1", "E2")
    )
    label = opened.run(
        "return [...document.querySelectorAll('#text .chip')].at(-1).getBoundingClientRect().left"
    )
    # Arabic is read from the right, and a label stands behind its word.
    assert begin > end > label


def test_nothing_that_was_planted_runs(browser: Chrome, made: Callable[[str], Path]) -> None:
    opened = Page(browser, made("world"))
    for doc_id in opened.run("return DATA.documents"):
        opened.run("location.hash = 'doc=' + encodeURIComponent(arguments[0])", doc_id)
        opened.wait("viewer.document")
        opened.wait(f"viewer.document.id === {json.dumps(doc_id)}")
    opened.run("search('e')")
    opened.wait("document.querySelectorAll('#results-list li').length > 0")
    opened.run("openList('all', errorRows(() => true))")
    assert opened.run("return window.planted") is None
    assert opened.run("return document.querySelectorAll('main img').length") == 0
    assert HOSTILE in opened.run("return document.body.textContent")
    assert opened.errors() == []


def test_dark_narrow_and_print(browser: Chrome, made: Callable[[str], Path]) -> None:
    opened = Page(browser, made("nugget"), "#doc=df01-boots")
    opened.wait("viewer.document")
    ground = "return getComputedStyle(document.body).backgroundColor"

    def emulate(**media: Any) -> None:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)

    try:
        emulate(features=[{"name": "prefers-color-scheme", "value": "dark"}])
        dark = opened.run(ground)
        opened.run("document.querySelector('#theme').click()")
        light = opened.run(ground)
        assert dark != light
        opened.run("delete document.documentElement.dataset.theme")
        emulate(media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        assert opened.run(ground) == light
        assert opened.run("return getComputedStyle(document.querySelector('#viewer')).display") == "none"
        assert opened.run("return getComputedStyle(document.querySelector('.top')).display") == "none"
        emulate(media="")
        for width in (320, 360, 1280, 3840):
            size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            assert opened.run("return document.documentElement.scrollWidth <= innerWidth"), width
            ranking = "document.querySelector('#ranking figure .scroll')"
            assert opened.run(f"return {ranking}.scrollWidth <= {ranking}.clientWidth"), width
    finally:
        emulate(media="", features=[])
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_long_names_leave_no_narrow_screen(browser: Chrome, tmp_path: Path) -> None:
    mentions = [(f"E{'9' * 300}", "0,3", "x" * 300, f"Life_{'W' * 300}", "Actual")]
    gold = write_tbf(tmp_path / "gold.tbf", "run", {"D" * 300: mentions})
    (tmp_path / "page.html").write_bytes(page(page_files(UserChoice(), gold, [gold])[0]))
    opened = Page(browser, tmp_path / "page.html")
    size = {"width": 390, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    try:
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        opened.run("openDocument(0)")
        opened.wait("viewer.document")
        opened.run("chooseItem(viewer.items[0])")
        wide = (
            "return [...document.querySelectorAll('#viewer *')].filter((part) =>"
            " part.getBoundingClientRect().right > innerWidth + 1).map((part) => part.tagName)"
        )
        assert opened.run(wide) == []
        assert opened.run("return document.documentElement.scrollWidth <= innerWidth")
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("width", [700, 1000, 1280])
def test_what_is_scrolled_to_stands_below_the_bar(
    browser: Chrome, made: Callable[[str], Path], width: int
) -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        opened = Page(browser, made("nugget"), "#doc=df01-boots")
        opened.wait("viewer.document")
        top = "find('#viewer-h').getBoundingClientRect().top"
        opened.wait(f"find('#viewer').scrollIntoView(), {top} > find('.top').getBoundingClientRect().bottom")
        assert opened.run(f"return {top}") < 200
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_no_name_or_number_of_a_chart_is_cut(browser: Chrome, made: Callable[[str], Path]) -> None:
    opened = Page(browser, made("nugget"))
    beyond = """
        return [...document.querySelectorAll("svg.chart")].flatMap((chart) => {
            const room = chart.getBoundingClientRect();
            return [...chart.querySelectorAll("text")].filter((part) => {
                const own = part.getBoundingClientRect();
                return own.left < room.left - 2 || own.right > room.right + 2 || own.top < room.top - 2;
            }).map((part) => part.textContent);
        });"""
    assert opened.run(beyond) == []


def test_a_document_without_text_gives_its_room_to_the_items(
    browser: Chrome, made: Callable[[str], Path]
) -> None:
    opened = Page(browser, made("triples"), "#doc=document")
    opened.wait("viewer.document")
    wide = opened.run("return find('.beside').offsetWidth / find('.viewer').offsetWidth")
    assert wide == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(
    browser: Chrome, made: Callable[[str], Path], axe: str, theme: str
) -> None:
    opened = Page(browser, made("nugget"), "#doc=nw05-wenn&item=E3")
    opened.wait("viewer.item")
    opened.run("document.documentElement.dataset.theme = arguments[0]", theme)
    opened.run("openList('all', errorRows(() => true))")
    opened.run(axe)
    found = browser.execute_async_script(
        "axe.run(document, {resultTypes: ['violations']}).then(arguments[0], (error) => arguments[0](String(error)))"
    )
    assert isinstance(found, dict), found
    assert found["passes"]
    serious = [
        f"{entry['id']}: {entry['nodes'][0]['html'][:200]} {entry['nodes'][0]['failureSummary'][:300]}"
        for entry in found["violations"]
        if entry["impact"] in {"serious", "critical"}
    ]
    assert serious == []


def test_a_folder_leads_from_its_index_to_documents_and_back(
    browser: Chrome, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    gold, systems, texts = write_world(tmp_path_factory.mktemp("world"))
    material, _ = page_files(UserChoice(options={"documents": str(texts)}), gold, systems)
    for name, content in site(material):
        target = tmp_path / name
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(content)
    opened = Page(browser, tmp_path / "index.html")
    opened.run("document.querySelector('table[data-grid=documents] a').click()")
    opened.wait("typeof viewer !== 'undefined' && viewer.document")
    assert browser.current_url.split("#")[0].endswith("documents/000001.html")
    opened.press("n")
    opened.wait("typeof viewer !== 'undefined' && viewer.document && viewer.document.id === 'd2'")
    assert opened.errors() == []
    opened.run("document.querySelector('.top nav a').click()")
    opened.wait("DATA.only === undefined")


def test_large_documents_are_unpacked_and_open_quickly(
    browser: Chrome,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
) -> None:
    monkeypatch.setattr("lydite.report.page.data.PACK_ABOVE", 1000)
    key, others, settings = TASKS["nugget"]
    target = tmp_path / "packed.html"
    target.write_bytes(page(page_files(UserChoice(task="nugget", options=settings), key, others)[0]))
    opened = Page(browser, target, "#doc=nw05-wenn")
    opened.wait("viewer.document")
    assert opened.text("#text").startswith("Interior minister")
    record_property("milliseconds to open a document", opened.run("return viewer.opened"))
