"""The sample data of TripleEvaluation, where it is at hand: the printed tables and the figures of every profile."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import lydite
from lydite.formats.triples import TRIPLES
from lydite.verify.leaves import agrees, leaves
from lydite.verify.triples import figures_of

DATA = Path(__file__).parents[4] / "shared" / "reference-data" / "tripleevaluation"
KYOTO = DATA / "kyoto"
NUMBERS: dict[str, Any] = json.loads((DATA / "numbers.json").read_text()) if DATA.is_dir() else {"runs": {}}
INFORMATION = "debug.missed.lines"
"""The number of lines in the log of the reference: no figure."""

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the sample data of TripleEvaluation is not here")

FILES = {
    "kyoto-kybot-0": (KYOTO / "11767.tag.trp", KYOTO / "11767.kaf.kybot.xml.0.trp"),
    "kyoto-kybot-60": (KYOTO / "11767.tag.trp", KYOTO / "11767.kaf.kybot.xml.60.trp"),
    "opener-folders": (DATA / "opener" / "gold-standard", DATA / "opener" / "system-output"),
}
RUNS = [
    (name, profile)
    for name, run in NUMBERS["runs"].items()
    for profile in run
    if profile in {"default", "reference", "reference-0.1"} and name != "kybot-conversion-counts"
]


def figures(name: str, profile: str, system: Path | None = None) -> dict[str, Any]:
    files = next(
        (files for prefix, files in FILES.items() if name.startswith(prefix)), FILES["kyoto-kybot-0"]
    )
    options = {key: value for key, value in NUMBERS["runs"][name]["options"].items() if key != "system"}
    if "token_range" in options:
        options["token_range"] = KYOTO / options["token_range"]
    if profile == "default":
        options["matching"] = "both"
    summary = lydite.score(
        files[0],
        system or files[1],
        task="triples",
        profile=profile,
        diagnosis=True,
        by=("relation", "profile"),
        **options,
    )
    return figures_of(summary)


@pytest.fixture(scope="module")
def baseline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    corpus = lydite.convert(KYOTO / "11767.reduced.kaf", profile="reference", baseline="chunks")
    path = tmp_path_factory.mktemp("baseline") / "baseline.trp"
    writer = lydite.FORMATS["trp"].write
    assert writer is not None
    path.write_bytes(writer(corpus))
    return path


@pytest.mark.parametrize(("name", "profile"), RUNS)
def test_the_figures_of_a_run_are_those_recorded(name: str, profile: str, baseline: Path) -> None:
    found = dict(leaves(figures(name, profile, baseline if name == "kyoto-chunk-baseline" else None)))
    expected = dict(leaves(NUMBERS["runs"][name][profile]))
    wrong = {
        path: (value, found.get(path))
        for path, value in expected.items()
        if path != INFORMATION and not agrees(value, found.get(path, "missing"), 1e-9)
    }
    assert not wrong


def test_table_1_of_the_deliverable() -> None:
    table, found = NUMBERS["tables"]["table1"], figures("kyoto-kybot-0", "reference-0.1")["evaluate"]
    assert found["gold"] == {
        "triples": table["gold_triples"],
        "average_first_ids": table["gold_average_first_ids"],
        "average_second_ids": table["gold_average_second_ids"],
    }
    assert found["system"]["in_range"] == table["in_range"]
    assert found["system"]["unique"] == table["unique_in_scope"]
    for name in ("first_elements", "second_elements"):
        assert found[name]["recall"] == pytest.approx(table[name]["recall"], abs=5e-10)
        assert found[name]["precision"] == table[name]["precision"]
    for figure in ("precision", "recall"):
        assert found["modes"]["partial_same"][figure] == pytest.approx(
            table["partial_same"][figure], abs=5e-10
        )


def test_table_2_of_the_deliverable() -> None:
    table, found = NUMBERS["tables"]["table2"], figures("kyoto-kybot-0", "reference-0.1")["evaluate"]
    columns = (
        "gold",
        "gold_percent",
        "system",
        "system_percent",
        *(f"partial_same_{name}" for name in ("correct", "recall_percent", "precision_percent")),
    )
    for relation, row in table["rows"].items():
        printed = found["per_relation"][{"g-location": "q-location"}.get(relation, relation)]
        assert [printed[column] for column in columns] == row, relation
    total = found["per_relation_total"]
    assert (total["gold"], total["system"], total["partial_same_correct"]) == (470, 164, 10)
    assert (total["partial_same_recall_percent"], total["partial_same_precision_percent"]) == (2, 6)


def test_table_3_is_table_2_without_a_slip_of_the_annotators() -> None:
    table, found = (
        NUMBERS["tables"]["table3"],
        figures("kyoto-kybot-0", "reference-0.1")["evaluate"]["per_relation"],
    )
    rows = {relation: row for relation, row in found.items() if relation != "elementSecond"}
    assert sum(row["gold"] for row in rows.values()) == table["total"]["gold"]
    for relation, share in table["gold_percent"].items():
        printed = {"g-location": "q-location"}.get(relation, relation)
        assert int(100 * rows[printed]["gold"] / table["total"]["gold"] + 0.5) == share, relation


def test_the_missed_triples_of_the_debug_log() -> None:
    table, found = NUMBERS["tables"]["debug_log"], figures("kyoto-kybot-60", "reference-0.1")["debug"]
    assert found["missed"]["count"] == table["not_covered"]
    missed = found["missed"]["by_relation"]
    assert {relation: missed.get(relation) for relation in table["missed_by_relation"]} == table[
        "missed_by_relation"
    ]
    assert found["wrong_relation"]["by_relation"] == table["wrong_relations"]


def test_table_4_is_the_part_of_the_folder_overview_that_is_about_sentiment() -> None:
    table, found = NUMBERS["tables"]["table4"], figures("opener-folders", "reference-0.1")["per_relation"]
    by_short_name = {
        relation.strip("#") if relation.startswith("#") else relation.rstrip("#"): row
        for relation, row in found.items()
    }
    for relation, (gold, _, system, _, correct, recall, precision) in table["rows"].items():
        row = by_short_name[relation]
        printed = [
            row["gold"],
            row["system"],
            *(row[f"partial_same_{name}"] for name in ("correct", "recall_percent", "precision_percent")),
        ]
        assert printed == [gold, system, correct, recall, precision], relation


@pytest.mark.parametrize(("threshold", "count"), [(0, 195), (60, 115), (100, 73)])
def test_kybot_output_gives_as_many_triples_as_recorded(threshold: int, count: int) -> None:
    corpus = lydite.convert(
        KYOTO / "11767.kaf.kybot.xml", kaf=KYOTO / "11767.reduced.kaf", wsd_threshold=threshold
    )
    assert len(corpus.documents["11767.kaf.kybot.xml"].layers[TRIPLES]) == count


@pytest.mark.parametrize("threshold", [0, 60])
def test_kybot_output_gives_the_triples_that_the_reference_made(threshold: int) -> None:
    def content(corpus: lydite.Corpus) -> list[Any]:
        (document,) = corpus.documents.values()
        return sorted(
            (found.relation, sorted(found.first.ids), sorted(found.second.ids))
            for found in document.layers[TRIPLES]
        )

    ours = lydite.convert(
        KYOTO / "11767.kaf.kybot.xml",
        profile="reference",
        kaf=KYOTO / "11767.reduced.kaf",
        wsd_threshold=threshold,
    )
    theirs = lydite.read(KYOTO / f"11767.kaf.kybot.xml.{threshold}.trp")
    assert content(ours) == content(theirs)


def test_the_chunk_baseline_has_as_many_triples_as_recorded() -> None:
    corpus = lydite.convert(KYOTO / "11767.reduced.kaf", baseline="chunks")
    assert len(corpus.documents["11767.reduced.kaf"].layers[TRIPLES]) == 20992


def test_the_page_about_published_figures_shows_what_the_profiles_give() -> None:
    page = (Path(__file__).parents[3] / "docs" / "tasks" / "triples-published-figures.md").read_text(
        encoding="utf-8"
    )
    rows = {
        cells[1].strip(): [cell.strip() for cell in cells[2:5]]
        for line in page.splitlines()
        if len(cells := line.split("|")) == 7
    }
    old = figures("kyoto-kybot-0", "reference-0.1")["evaluate"]
    new = figures("kyoto-kybot-0", "reference")["evaluate"]
    own = figures("kyoto-kybot-0", "default")

    def quotient(part: int, whole: int) -> str:
        return f"{part}/{whole} = {part / whole:.4f}"

    assert rows["unique system triples"] == [str(found["system"]["unique"]) for found in (old, new, own)]
    assert rows["system triples in range"] == [
        f"{found['system']['in_range']} of {found['system']['triples']}" for found in (old, new, own)
    ]
    correct = [found["modes"]["partial_same"]["correct"] for found in (old, new, own)]
    assert rows["correct"] == list(map(str, correct))
    assert rows["precision"] == [
        quotient(right, found["system"]["unique"])
        for right, found in zip(correct, (old, new, own), strict=True)
    ]
    golds = (old["gold"]["triples"], new["gold"]["triples"], own["gold"]["unique"])
    assert rows["recall"] == [quotient(right, gold) for right, gold in zip(correct, golds, strict=True)]
    elements = [found["second_elements"] for found in (old, new, own)]
    right = [elements[0]["correct"], elements[1]["correct"], elements[2]["partial"]["correct"]]
    assert rows["second elements: correct of system"] == [
        f"{count} of {element['system']}" for count, element in zip(right, elements, strict=True)
    ]
    assert rows["second elements: recall"] == [
        quotient(count, element["gold"]) for count, element in zip(right, elements, strict=True)
    ]
    assert rows["ids per second element of gold"][2] == f"{own['gold']['mean_second_ids']:.2f}"
