"""The page: one file, inert data, nothing of the input leaves its place, every number is found unrounded."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from lxml import html

import lydite
from lydite.cli import run
from lydite.errors import UsageError
from lydite.facade.choosing import UserChoice
from lydite.model import Document, Mention, Relation, Span
from lydite.model.verdict import faults_of
from lydite.pages import page_files
from lydite.report.page import data
from lydite.report.page.build import HERE, SCRIPTS, page, site, static
from lydite.report.page.data import DataBlock, blocks, choose_fitting, inert
from lydite.report.page.grids import cell
from lydite.report.page.material import PageMaterial
from lydite.report.page.sections import answer, confusion, figures, parts, ranked
from lydite.report.page.sides import page_side, text_of
from lydite.report.tables import percent
from lydite.report.visible import visible
from page_world import BIDI, HOSTILE, write_tbf, write_world
from scored_examples import EXAMPLES


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> PageMaterial:
    gold, systems, texts = write_world(tmp_path_factory.mktemp("world"))
    choice = UserChoice(options={"documents": str(texts)})
    return page_files(choice, gold, systems)[0]


@pytest.fixture(scope="module")
def written(material: PageMaterial) -> str:
    return page(material).decode("utf-8")


def data_of(written: str) -> dict[str, Any]:
    (block,) = html.fromstring(written).xpath("//script[@id='lydite-data']")
    found: dict[str, Any] = json.loads(block.text)
    return found


def test_the_same_material_gives_the_same_bytes(material: PageMaterial, written: str) -> None:
    assert page(material) == written.encode("utf-8")


def test_the_policy_allows_the_one_script_of_the_page_and_nothing_else(written: str) -> None:
    tree = html.fromstring(written)
    (policy,) = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    running = [script for script in tree.xpath("//script") if script.get("type") is None]
    assert len(running) == 1
    digest = base64.b64encode(sha256(running[0].text.encode("utf-8")).digest()).decode("ascii")
    assert policy == (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:"
    )


def test_nothing_is_fetched(written: str) -> None:
    tree = html.fromstring(written)
    assert not tree.xpath("//*[@src]")
    assert all(link.startswith(("#", "data:")) for link in tree.xpath("//*[@href]/@href"))
    assert re.findall(r"url\((?!#hatching)", written) == []


def method_of(written: str) -> str:
    (lead,) = html.fromstring(written).xpath("//section[@id='method']/p[1]")
    return str(lead.text_content())


def test_the_method_tells_changes_of_the_profile_from_where_texts_lie(material: PageMaterial) -> None:
    texts, profile = material.summary.departures, "Scored with the profile kbp2017 of the task nugget"
    assert method_of(page(material).decode("utf-8")) == f"{profile}, as it is; with {texts[0]}."
    options = {"documents": "examples/text", "only-document": "nw01-depot", "pairing": "optimal"}
    changed = page_files(UserChoice(options=options), "examples/gold.tbf", ["examples/systems/alder.tbf"])[0]
    assert method_of(page(changed).decode("utf-8")) == (
        f"{profile}, changed by only-document=nw01-depot, pairing=optimal; with documents=examples/text."
    )


def test_the_test_of_the_ranking_has_the_words_of_the_text_where_there_is_one(written: str) -> None:
    told = "(paired randomisation test, corrected by Holm, limit 0.05)"
    assert told in written
    alone = page_files(UserChoice(), "examples/gold.tbf", ["examples/systems/alder.tbf"])[0]
    assert told not in page(alone).decode("utf-8")


def test_hostile_names_stay_text(written: str) -> None:
    tree = html.fromstring(written)
    assert not tree.xpath("//img")
    assert not tree.xpath("//*[@onerror]")
    visible_part = re.sub(r"<script type=.*?</script>", "", written, flags=re.DOTALL)
    assert not set(BIDI) & {"\u202e", "\u2069"} & set(visible_part)
    assert "&lt;b&gt;bad" in visible_part


def test_data_blocks_have_no_markup() -> None:
    value = {"a": HOSTILE, "b": "<!--", "c": "\u2028", "d": "\udc80"}
    text = inert(value)
    assert "<" not in text
    assert json.loads(text) == value
    text.encode("utf-8")


@pytest.fixture(scope="module", params=sorted(EXAMPLES))
def of_task(request: pytest.FixtureRequest) -> str:
    """The page of an example of every task, with two systems of the same file."""
    gold, system = EXAMPLES[request.param]
    choice = UserChoice(task=request.param)
    material, _ = page_files(choice, gold, [system, system])
    return page(material).decode("utf-8")


def numbers_in(value: object) -> Iterator[float]:
    """Every number of a document, at any depth."""
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from numbers_in(part)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value


def test_every_number_in_a_chart_or_in_the_head_stands_unrounded_in_the_data(of_task: str) -> None:
    # Places in lists are numbers too, but no figures.
    places = {"errors", "kept", "chains"}
    known = set(numbers_in({key: part for key, part in data_of(of_task).items() if key not in places}))
    names = "|".join(map(re.escape, data_of(of_task)["systems"]))
    said = {percent(value) for value in known} | {f"{value:g}" for value in known}
    tree = html.fromstring(of_task)
    told = [tip.rpartition(": ")[2] for tip in tree.xpath("//svg//*[@class]/title/text()")]
    told += tree.xpath("//svg//text[@class='count']/text()")
    told += tree.xpath("//section[@id='head']//dd[contains(., ' documents')]/text()")
    (answered,) = tree.xpath("//p[@class='answer']/text()")
    told.append(answered.rpartition(" is ")[2].replace("95 % interval", ""))
    seen = [number for text in told for number in re.findall(r"-?\d+(?:\.\d+)?", re.sub(names, "", text))]
    assert len(seen) > 10
    assert set(seen) - said == set()


def test_every_number_of_a_table_stands_unrounded_in_the_data(of_task: str) -> None:
    check_tables(of_task)


def test_every_number_of_a_table_of_hostile_names_stands_unrounded_in_the_data(written: str) -> None:
    assert check_tables(written) > 50


def check_tables(written: str) -> int:
    """Every cell of every table says what the data say; how many numbers were compared."""
    tables = data_of(written)["tables"]
    seen = 0
    for table in html.fromstring(written).xpath("//table[@data-grid]"):
        grid = tables[table.get("data-grid")]
        for row in table.xpath("./tbody/tr"):
            values = grid["rows"][int(row.get("data-row"))]
            for place, found in enumerate(row.xpath("./td")):
                said = visible(cell(values[place], grid["columns"][place]["kind"]))
                assert " ".join(found.text_content().split()) == " ".join(said.split())
                seen += isinstance(values[place], float)
    return seen


def answer_of(found: PageMaterial) -> str:
    return answer(found, ranked(found))


def test_the_first_sentence_says_who_is_best_and_how_sure_that_is(material: PageMaterial) -> None:
    assert material.comparison is not None
    comparison = material.comparison
    first = comparison.systems[0]._replace(system="x", figure=0.7, low=0.65, high=0.75)
    second = first._replace(system="y", rank=2)
    pair = replace(comparison.pairs[0], a="x", b="y", significant=True)
    told = replace(comparison, systems=(first, second), pairs=(pair,))
    interval = "Its type+realis F1 is 70.00 (95 % interval 65.00 to 75.00)."
    assert answer_of(replace(material, comparison=told)) == (
        f"x is best: every other system is significantly worse. {interval}"
    )
    told = replace(told, pairs=(replace(pair, significant=False),))
    assert answer_of(replace(material, comparison=told)) == (
        f"x has the best figure, but is not significantly better than y. {interval}"
    )
    told = replace(told, systems=(first, second._replace(rank=1)))
    assert answer_of(replace(material, comparison=told)) == f"x and y share the best figure. {interval}"
    told = replace(told, pairs=(replace(pair, significant=None),))
    told = replace(told, systems=(first._replace(low=None, high=None), second))
    assert answer_of(replace(material, comparison=told)) == (
        "x has the best figure; nothing was tested. Its type+realis F1 is 70.00."
    )
    told = replace(told, systems=(first,), pairs=())
    assert answer_of(replace(material, comparison=told)) == interval.replace("Its", "The")


def test_long_names_that_differ_at_their_end_are_told_apart(tmp_path: Path) -> None:
    gold, (system, *_), _ = write_world(tmp_path)
    runs = [tmp_path / f"a-campaign-with-a-rather-long-name-{team}" / "run.tbf" for team in ("oak", "elm")]
    for path in runs:
        path.parent.mkdir()
        path.write_bytes(system.read_bytes())
    opened = html.fromstring(page(page_files(UserChoice(), gold, runs)[0]))
    for told in (opened.findtext(".//h1"), opened.xpath("//p[@class='answer']")[0].text_content()):
        assert "oak/run" in told
        assert "elm/run" in told


def test_gaps_are_read_as_a_bottleneck_only_where_later_figures_ask_for_more() -> None:
    leads = {}
    for task in ("nugget", "coref"):
        gold, system = EXAMPLES[task]
        found, _ = page_files(UserChoice(task=task), gold, [system])
        leads[task] = figures(found, ranked(found)).lead
    assert "bottleneck" in leads["nugget"]
    assert "another way to count" in leads["coref"]


def test_the_plain_page_of_the_pilot_shows_the_three_figures_of_its_study(tmp_path: Path) -> None:
    gold = write_tbf(tmp_path / "gold.tbf", "gold", {"d": [mention("E1", 0), mention("E2", 10)]})
    strong = write_tbf(tmp_path / "strong.tbf", "strong", {"d": [mention("M1", 0)]})
    others = {"d": [(*mention(name, at)[:4], "Generic") for name, at in (("M1", 0), ("M2", 10))]}
    weak = write_tbf(tmp_path / "weak.tbf", "weak", others)
    choice = UserChoice(profile="pilot2014", options={"unit": "char"})
    found, _ = page_files(choice, gold, [weak, strong])
    charts = {chart.grid.key: chart for chart in figures(found, ranked(found)).charts if chart.grid}
    assert [name for name in charts if name.startswith(("pilot", "gaps"))] == [
        "pilot-1",
        "pilot-2",
        "pilot-3",
    ]
    for chart in (charts[name] for name in ("pilot-1", "pilot-2", "pilot-3")):
        assert chart.grid is not None
        assert [row[0] for row in chart.grid.rows] == ["strong", "weak"]
        assert chart.drawn_by == "headline"
    second = charts["pilot-2"].grid
    assert second is not None
    assert [column.name for column in second.columns] == [
        "system",
        "span",
        "span*type",
        "span*realis",
        "span*type*realis",
    ]
    assert second.rows == [
        ["strong", *map(pytest.approx, (2 / 3, 1 / 3, 1 / 3, 1 / 6))],
        ["weak", 1, 1, 0, 0],
    ]
    choices = html.fromstring(page(found)).xpath("//select[@data-sort='pilot-2']/option/text()")
    assert choices == ["headline", "span", "span*type", "span*realis", "span*type*realis"]


def test_every_count_of_a_matrix_stands_in_its_table_and_only_confusions_are_listed(of_task: str) -> None:
    for part in html.fromstring(of_task).xpath("//details[@class='confused']"):
        rows = [[" ".join(cell.text_content().split()) for cell in row] for row in part.xpath(".//tbody/tr")]
        drawn = part.xpath(".//text[@class='count']/text()")
        assert sorted(row[2] for row in rows) == sorted(drawn)
        assert len(part.xpath(".//*[@data-list]")) == sum(gold != found for gold, found, _ in rows)


def test_every_section_stands_on_the_page_under_one_heading(written: str) -> None:
    tree = html.fromstring(written)
    assert len(tree.xpath("//h1")) == 1
    sections = tree.xpath("//main//section/@id")
    wanted = ["head", "ranking", "figures", "budget", "parts", "confusion", "documents", "results", "items"]
    assert sections == [*wanted, "viewer", "curves", "differences", "method"]
    ids = tree.xpath("//@id")
    assert len(ids) == len(set(ids))


def test_confidences_are_calibrated_in_ten_bins(tmp_path: Path) -> None:
    gold = write_tbf(
        tmp_path / "gold.tbf", "gold", {"d": [mention("E1", 0), mention("E2", 10), mention("E3", 20)]}
    )
    found = [
        (*mention("M1", 0), "0.95"),
        (*mention("M2", 10), "0.91"),
        (*mention("M3", 40), "0.97"),
        (*mention("M4", 50), "0.2"),
    ]
    system = write_tbf(tmp_path / "system.tbf", "run", {"d": found})
    material, _ = page_files(UserChoice(), gold, [system])
    bins = {one.low: one for one in material.bins["system"]}
    assert len(bins) == 10
    assert (bins[0.9].items, bins[0.9].right, bins[0.9].high) == (3, 2, 1.0)
    assert bins[0.9].confidence == pytest.approx((0.95 + 0.91 + 0.97) / 3)
    assert (bins[0.2].items, bins[0.2].right) == (1, 0)
    assert bins[0.5] == (0.5, 0.6, 0, 0, None)
    rows = data_of(page(material).decode("utf-8"))["tables"]["calibration"]["rows"]
    assert rows[9] == ["system", 0.9, 1.0, 3, 2, bins[0.9].confidence, 2 / 3]


def test_confidences_beyond_one_are_not_calibrated(tmp_path: Path) -> None:
    gold = write_tbf(tmp_path / "gold.tbf", "gold", {"d": [mention("E1", 0)]})
    system = write_tbf(
        tmp_path / "system.tbf", "run", {"d": [(*mention("M1", 0), "17"), (*mention("M2", 9), "3")]}
    )
    material, _ = page_files(UserChoice(), gold, [system])
    assert material.bins["system"] == []
    assert "Calibration" not in page(material).decode("utf-8")


def mention(name: str, begin: int) -> tuple[str, ...]:
    return (name, f"{begin},{begin + 6}", "attack", "Conflict_Attack", "Actual")


def test_metrics_say_what_they_count_and_who_defined_them(of_task: str) -> None:
    told = html.fromstring(of_task).xpath("//section[@id='method']//dl[1]/dd[span[@class='faint']]")
    assert told
    for one in told:
        formula, source = one.text.strip(), one.xpath("string(span)")
        assert formula.endswith(".")
        assert re.match(r"(.+, )?\d{4}: ", source)


def test_a_document_block_holds_text_items_and_verdicts(written: str) -> None:
    found = data_of(written)
    number = found["documents"].index("d1")
    (block,) = html.fromstring(written).xpath(f"//script[@id='lydite-doc-{number}']")
    document = json.loads(block.text)
    assert document["text"].startswith("Rebels attacked")
    assert [item["id"] for item in document["gold"]["items"]] == ["E1", "E2", "E3", "E4"]
    assert document["gold"]["chains"] == [{"id": "C1", "items": ["E1", "E2"]}]
    fair = found["systems"].index("fair")
    causes = {verdict["id"]: verdict["cause"] for verdict in document["verdicts"][fair]}
    assert causes["M1"] == "wrong-realis"
    assert causes["M3"] == "spurious"


def test_errors_are_listed_with_the_values_of_both_sides(written: str) -> None:
    found = data_of(written)
    errors, fair = found["errors"], found["systems"].index("fair")
    rows = [row for row, name in enumerate(errors["id"]) if name == "M2" and errors["system"][row] == fair]
    (row,) = rows
    said = [errors["words"][side[row]] for side in errors["values"]["type"]]
    assert said == ["Life_Die", "Life_Injure"]


def test_a_fault_lists_all_causes_that_have_it() -> None:
    faults = ("spurious", "outcompeted", "span", "type", "realis", "missed")
    assert faults_of("gold", "wrong-type-and-realis", faults, ("type", "realis")) == ["type", "realis"]
    assert faults_of("system", "partial-span", faults, ()) == ["span"]
    assert faults_of("system", "outcompeted", faults, ()) == ["outcompeted"]
    assert faults_of("gold", "outcompeted", faults, ()) == ["missed"]
    of_triples = ("spurious", "ids", "relation", "missed")
    assert faults_of("gold", "both-ids", of_triples, ()) == ["ids"]
    of_ace = ("spurious", "type", "subtype", "class", "other attributes")
    assert faults_of("gold", "attribute-error", of_ace, ("class",)) == ["class"]
    assert faults_of("gold", "attribute-error", of_ace, ()) == ["other attributes"]
    assert faults_of("system", "mapped-to-none-by-cost", of_ace, ()) == ["spurious"]


def test_a_fault_lists_as_many_items_as_the_budget_counts_where_items_have_one_fault(written: str) -> None:
    found = data_of(written)
    errors, budget = found["errors"], found["tables"]["budget"]
    of_pair = [
        side == 1 and other is not None for side, other in zip(errors["side"], errors["other"], strict=True)
    ]
    for place, (fault, *cells) in enumerate(budget["rows"]):
        for rank, counted in enumerate(cells[::3]):
            listed = [
                row
                for row, system in enumerate(errors["system"])
                if system == rank and errors["faults"][row] >> place & 1 and not of_pair[row]
            ]
            assert (fault, len(listed)) == (fault, counted)


def test_without_comparison_and_explanation_the_page_says_so(material: PageMaterial) -> None:
    bare = replace(material, comparison=None, explanations={}, absent={"budget": "No budget here."})
    tree = html.fromstring(page(bare))
    assert "No budget here." in tree.xpath("string(//section[@id='budget'])")
    assert "without intervals" in tree.xpath("string(//section[@id='ranking'])")


def test_a_small_limit_leaves_out_what_lost_least_and_says_so(material: PageMaterial, written: str) -> None:
    every = data_of(written)["kept"]
    tree = html.fromstring(written)
    sizes = {number: len(tree.xpath(f"string(//script[@id='lydite-doc-{number}'])")) for number in every}
    limit = len(written.encode("utf-8")) - min(sizes.values()) // 2
    smaller = page(material, max_size=limit).decode("utf-8")
    found = data_of(smaller)
    assert 0 < len(found["kept"]) < len(every)
    assert found["left_out"] == len(every) - len(found["kept"])
    assert f"{found['left_out']} of {len(every)} documents are left out" in smaller
    assert found["documents"].index("d1") in found["kept"]
    assert found["documents"].index("d4") not in found["kept"]


def test_of_blocks_those_that_lost_most_are_kept() -> None:
    found = [
        (1.0, 0, DataBlock("0", "x" * 100)),
        (5.0, 1, DataBlock("1", "x" * 100)),
        (1.0, 2, DataBlock("2", "x")),
    ]
    assert choose_fitting(found, 200) == {1}
    assert choose_fitting(found, 400) == {0, 1}
    assert choose_fitting(found, 1000) == {0, 1, 2}


def test_large_documents_are_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "PACK_ABOVE", 100)
    (block,) = blocks([("0", {"text": "a" * 500})])
    assert block.packed
    assert json.loads(gzip.decompress(base64.b64decode(block.text))) == {"text": "a" * 500}


def test_anonymous_pages_do_not_name_systems(tmp_path: Path) -> None:
    gold, systems, _ = write_world(tmp_path)
    material, _ = page_files(UserChoice(), gold, systems, anonymous=True)
    written = page(material).decode("utf-8")
    assert data_of(written)["systems"] == ["A", "B", "C"]
    for name in ("good", "fair", "bad"):
        assert not re.search(
            rf"\b{name}\b", re.sub(r"<(style|script)>.*?</\1>", "", written, flags=re.DOTALL)
        )


def test_a_folder_has_a_page_for_every_document(material: PageMaterial) -> None:
    files = dict(site(material))
    assert sorted(files) == [
        "documents/000001.html",
        "documents/000002.html",
        "documents/000003.html",
        "documents/000004.html",
        "index.html",
    ]
    index, one = (files[name].decode("utf-8") for name in ("index.html", "documents/000001.html"))
    assert not html.fromstring(index).xpath("//script[starts-with(@id,'lydite-doc-')]")
    assert html.fromstring(one).xpath("//script[starts-with(@id,'lydite-doc-')]/@id") == ["lydite-doc-0"]
    assert data_of(one)["pages"]["1"] == "documents/000002.html"


def test_places_of_words_are_those_of_the_text_they_make() -> None:
    document = Document(
        "d",
        mentions=(Mention("E1", Span(tokens=("t1", "t3")), "b d"),),
        tokens={"t0": "a", "t1": "bb", "t2": "c", "t3": "dd"},
    )
    (item,) = page_side(document).items
    text = text_of(document)
    assert text == "a bb c dd"
    assert [text[begin:end] for begin, end in item.ranges] == ["bb", "dd"]


def test_relations_other_than_coreference_are_links() -> None:
    relations = (Relation("Coreference", "C1", ("E1", "E2")), Relation("After", "R1", ("E2", "E1")))
    mentions = tuple(Mention(name, Span(ranges=((0, 1),))) for name in ("E1", "E2"))
    found = page_side(Document("d", mentions, relations))
    assert [chain.items for chain in found.chains] == [("E1", "E2")]
    assert [(link.name, [part.item for part in link.parts]) for link in found.links] == [
        ("After", ["E2", "E1"])
    ]


def test_scripts_and_styles_stay_small_and_plain() -> None:
    scripts = [static(name) for name in SCRIPTS]
    assert sum(len(script.splitlines()) for script in scripts) < 1200
    assert len(static("page.css").splitlines()) < 700
    for script in scripts:
        assert "innerHTML" not in script
        assert "eval(" not in script
        assert "</" not in script
    assert {path.name for path in (HERE / "static").glob("*.js")} == set(SCRIPTS)


def test_what_cannot_be_seen_is_shown_as_a_mark() -> None:
    assert visible("a\u202eb\x00\x1b\udc80\tc") == "a⟦RLO⟧b␀␛\\udc80\tc"


def test_tasks_of_other_layers_are_shown() -> None:
    choice = UserChoice(task="triples")
    material, _ = page_files(choice, "examples/triples/gold.trp", ["examples/triples/system.trp"])
    (document,) = material.documents()
    assert [link.name for link in document.gold.links] == ["agent", "location", "time"]
    assert page(material)


def test_spans_of_tags_stand_under_their_words(tmp_path: Path) -> None:
    rows = [("Ann", "B-PER"), ("Lee", "I-PER"), ("left", "O"), ("Oslo", "B-LOC")]
    for name, kept in (("gold", 4), ("system", 3)):
        lines = [f"{word} {tag if at < kept else 'O'}" for at, (word, tag) in enumerate(rows)]
        (tmp_path / f"{name}.conll").write_text("\n".join(lines) + "\n", encoding="utf-8")
    choice = UserChoice(task="spans")
    material, _ = page_files(choice, tmp_path / "gold.conll", [tmp_path / "system.conll"])
    (document,) = material.documents()
    assert document.text == "Ann Lee left Oslo"
    assert [(item.text, item.ranges) for item in document.gold.items] == [
        ("Ann Lee", ((0, 7),)),
        ("Oslo", ((13, 17),)),
    ]
    assert [item.text for item in document.systems["system"].items] == ["Ann Lee"]


def test_a_summary_opens_as_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    summary = lydite.score("examples/gold.tbf", "examples/systems/alder.tbf")
    written = Path(summary.show(tmp_path / "page.html"))
    assert opened == [written.as_uri()]
    assert "74.28" in html.fromstring(written.read_bytes()).xpath("string(//section[@id='ranking'])")
    with pytest.raises(UsageError, match="no folder"):
        summary.show(tmp_path / "nowhere" / "page.html")


# ---------------------------------------------------------------------------------------- curves and texts


def _with_confidences(path: Path, *confidences: str) -> Path:
    lines = [
        "\t".join(
            ("s", "d1", f"E{at}", f"{9 * at},{9 * at + 4}", "word", "Life_Die", "Actual", sure, sure, sure)
        )
        for at, sure in enumerate(confidences)
    ]
    path.write_text("\n".join(("#BeginOfDocument d1", *lines, "#EndOfDocument", "")), encoding="utf-8")
    return path


def test_curves_are_drawn_where_a_system_says_how_sure_it_is(tmp_path: Path) -> None:
    sure = _with_confidences(tmp_path / "sure.tbf", "0.9", "0.5")
    constant = _with_confidences(tmp_path / "constant.tbf", "1", "1")
    drawn, _ = page_files(UserChoice(), sure, [sure, constant])
    assert list(drawn.curves) == ["sure"]
    assert b"curve-pr" in page(drawn)


def test_a_threshold_has_all_its_digits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sure = _with_confidences(tmp_path / "sure.tbf", "0.87654321", "0.8765")
    written = page(page_files(UserChoice(), sure, [sure])[0]).decode("utf-8")
    (table,) = html.fromstring(written).xpath("//table[@data-grid='curves']")
    assert [row[1].text for row in table.xpath("./tbody/tr")] == ["0.87654321", "0.8765"]
    assert run(["score", str(sure), str(sure), "--curve", "-q"]) == 0
    assert "0.87654321     1" in capsys.readouterr().out


def test_curves_that_take_long_are_left_to_score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sure = _with_confidences(tmp_path / "sure.tbf", "0.9", "0.5")
    monkeypatch.setattr("lydite.pages.QUICK_CURVES", 3)
    assert "lydite score --curve computes them" in page_files(UserChoice(), sure, [sure])[0].absent["curves"]


def test_a_task_whose_files_name_no_texts_takes_them_beside(tmp_path: Path) -> None:
    spans = tmp_path / "spans.jsonl"
    spans.write_text('{"doc_id": "d1", "spans": [[0, 3, "PER"]]}\n', encoding="utf-8")
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "d1.txt").write_text("Eva left.", encoding="utf-8")
    material, _ = page_files(UserChoice(task="spans"), spans, [spans], documents=str(tmp_path / "texts"))
    assert [one.text for one in material.documents()] == ["Eva left."]


def test_of_many_pairs_most_wait_until_they_are_chosen(material: PageMaterial) -> None:
    assert material.comparison is not None
    pairs = material.comparison.pairs[:1] * 50
    many = replace(material, comparison=replace(material.comparison, pairs=pairs))
    panels = html.fromstring(page(many).decode("utf-8")).xpath("//div[@class='panel']")
    assert [bool(panel.xpath("./template")) for panel in panels] == [False] * 45 + [True] * 5


def test_a_part_of_ace_is_as_frequent_as_its_elements_occur_in_documents() -> None:
    gold, system = EXAMPLES["ace"]
    material, _ = page_files(UserChoice(task="ace"), gold, [system])
    (chart,) = [chart for chart in parts(material, ranked(material)).charts if "By source" in chart.title]
    assert chart.grid is not None
    assert {row[0]: row[1] for row in chart.grid.rows if row[0] != "(multi)"} == {"newswire": 20, "forum": 3}


def test_tables_of_pairs_are_told_apart_whatever_systems_are_called(tmp_path: Path) -> None:
    mentions = [(f"E{at}", f"{9 * at},{9 * at + 3}", "x", "Life_Die", "Actual") for at in range(4)]
    names = ("bert", "bert-large", "crf", "large-crf")
    gold, *runs = (
        write_tbf(tmp_path / f"{name}.tbf", "run", dict.fromkeys(("a", "b"), mentions[:count]))
        for name, count in zip(("gold", *names), (4, 4, 3, 2, 1), strict=True)
    )
    keys = html.fromstring(page(page_files(UserChoice(), gold, runs)[0])).xpath("//table/@data-grid")
    assert len(set(keys)) == len(keys)
    assert sum(key.startswith("top-units-") for key in keys) == 6


def test_the_head_tells_what_was_found_while_systems_were_compared(tmp_path: Path) -> None:
    gold = tmp_path / "gold.tbf"
    documents = (f"#BeginOfDocument {name}\n#EndOfDocument\n" for name in "ab")
    gold.write_text("".join(documents))
    material, _ = page_files(UserChoice(), gold, [gold], gold_before=gold)
    opened = html.fromstring(page(material))
    assert "only 2 units" in opened.xpath("string(//ul[@class='findings'])")
    # Two golds of one system: no pair has a difference.
    assert "Each difference" not in opened.xpath("string(//section[@id='differences'])")


def test_a_page_without_any_item_says_what_it_lacks(tmp_path: Path) -> None:
    nothing = write_tbf(tmp_path / "gold.tbf", "run", {"a": []})
    tree = html.fromstring(page(page_files(UserChoice(), nothing, [nothing])[0]))
    assert [part.get("id") for part in tree.xpath("//section[p[@class='absent']]")] == [
        "figures", "parts", "confusion", "curves", "differences",
    ]  # fmt: skip
    assert "figures" not in "".join(tree.xpath("//nav//a/@href"))


@pytest.mark.parametrize(
    ("task", "key", "axis"),
    [("nugget", "parts-type", "F1 (%)"), ("coref", "parts-cluster", "recall or precision (%)")],
)
def test_a_part_shows_the_figure_that_its_axis_names(task: str, key: str, axis: str) -> None:
    gold, system = EXAMPLES[task]
    material, _ = page_files(UserChoice(task=task), gold, [system])
    charts = parts(material, ranked(material)).charts
    (chart,) = [chart for chart in charts if chart.grid and chart.grid.key == key]
    assert f">{axis}<" in chart.svg


def test_a_part_that_a_system_lacks_has_no_f1(tmp_path: Path) -> None:
    mentions = [("E1", "0,3", "x", "Life_Die", "Actual"), ("E2", "9,12", "x", "Life_Marry", "Actual")]
    gold = write_tbf(tmp_path / "gold.tbf", "run", {"a": mentions})
    system = write_tbf(tmp_path / "one.tbf", "run", {"a": mentions[:1]})
    (chart,) = parts(page_files(UserChoice(), gold, [system])[0], ["one"]).charts
    assert chart.grid
    assert [list(row) for row in chart.grid.rows] == [["Life_Die", 1.0, 1.0], ["Life_Marry", 1.0, None]]


def test_a_matrix_of_many_values_keeps_what_was_missed_and_says_what_it_draws(tmp_path: Path) -> None:
    gold = [(f"E{at}", f"{9 * at},{9 * at + 3}", "x", f"Life_T{at:02}", "Actual") for at in range(40)]
    found = [(name, place, "x", f"Life_U{place[:2]}", "Actual") for name, place, *_ in gold[1:]]
    key = write_tbf(tmp_path / "gold.tbf", "run", {"a": gold})
    material, _ = page_files(UserChoice(), key, [write_tbf(tmp_path / "one.tbf", "run", {"a": found})])
    (chart, *_) = confusion(material, ["one"]).charts
    assert chart.title.endswith("; the most frequent values are drawn")
    assert "→ (missed): 1" in chart.svg


def test_a_chart_of_parts_says_how_many_systems_it_draws(tmp_path: Path) -> None:
    mentions = [("E1", "0,3", "x", "Life_Die", "Actual"), ("E2", "9,12", "x", "Life_Marry", "Actual")]
    runs = [write_tbf(tmp_path / f"s{at}.tbf", "run", {"a": mentions}) for at in range(9)]
    material, _ = page_files(UserChoice(), runs[0], runs)
    (chart,) = parts(material, ranked(material)).charts
    assert chart.title.endswith("; the first 8 systems are drawn")


def test_headings_of_tables_may_be_broken_where_words_are_joined(tmp_path: Path) -> None:
    gold = write_tbf(tmp_path / "gold.tbf", "gold", {"d": [mention("E1", 0)]})
    runs = [write_tbf(tmp_path / f"a_<b>_{place}.tbf", "run", {"d": [mention("M1", 0)]}) for place in "xy"]
    material, _ = page_files(UserChoice(), gold, runs)
    assert "a_&lt;b&gt;_<wbr>x: share</button>" in page(material).decode("utf-8")


def test_ranks_by_the_usual_figures_stand_beside_their_agreement(
    material: PageMaterial, written: str
) -> None:
    tables = data_of(written)["tables"]
    names = [column["name"] for column in tables["ranks"]["columns"]]
    assert names == ["system", "type+realis", "span", "type", "realis"]
    assert material.comparison is not None
    assert [row[:2] for row in tables["ranks"]["rows"]] == [
        [one.system, None if one.figure is None else one.rank] for one in material.comparison.systems
    ]
    assert len(tables["ranks-agreement"]["rows"]) == 6


def test_named_figures_take_the_place_of_the_usual_ones(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    figures = ["--figure", "type.precision", "--figure", "type.recall"]
    files = ["examples/gold.tbf", "--runs", "examples/systems"]
    assert run(["report", *files, *figures, "-o", str(path), "-q"]) == 0
    columns = data_of(path.read_text(encoding="utf-8"))["tables"]["ranks"]["columns"]
    assert [column["name"] for column in columns] == [
        "system",
        "type+realis.f1",
        "type.precision",
        "type.recall",
    ]
