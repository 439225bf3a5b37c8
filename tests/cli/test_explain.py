"""``lydite explain`` as people call it."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

import lydite
from apf_files import document, entity, mention, write
from lydite.cli import run
from lydite.facade.choosing import UserChoice
from lydite.pages import page_files

ROOT = Path(__file__).parent.parent.parent
GOLD = str(ROOT / "examples" / "gold.tbf")
ALDER, BIRCH = (str(ROOT / "examples" / "systems" / f"{name}.tbf") for name in ("alder", "birch"))


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(["explain", *words]) == 0
    return capsys.readouterr().out


def test_the_overview_of_an_example_fits_one_screen(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, GOLD, BIRCH).splitlines()
    assert len(lines) <= 23
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("mend first: spurious") for line in lines)


@pytest.mark.parametrize("layout", ["text", "markdown"])
def test_a_perfect_system_has_no_tables_without_rows(layout: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, GOLD, GOLD, "--quiet", "--format", layout)
    assert "error budget: 0.00 points to 100.00\n" in out
    assert "largest causes (354 items, 0 of them left out)\n" in out
    assert "alone" not in out
    assert "for instance" not in out


def test_nothing_is_to_be_mended_where_gold_against_itself_loses_as_much(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "gold.jsonl"
    clusters = [[[0, 1], [4, 4], [8, 9]], [[12, 12], [4, 4], [20, 21]]]
    path.write_text(json.dumps({"doc_key": "d", "clusters": clusters}) + "\n", encoding="utf-8")
    out = said(capsys, "coref", str(path), str(path), "--quiet")
    assert "gold split" in out
    assert "nothing to mend: no fault costs a point\n" in out
    assert "mend first" not in out


def test_every_verdict_is_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    lines = list(csv.DictReader(io.StringIO(said(capsys, GOLD, BIRCH, "--format", "csv"))))
    assert {line["side"] for line in lines} == {"gold", "system"}
    assert all(line["why"] for line in lines)


def test_several_systems_have_one_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert "together     25.72  49.77" in said(capsys, GOLD, ALDER, BIRCH, "--budget")


@pytest.fixture
def unlike(tmp_path: Path) -> list[str]:
    """Gold, and two systems of which the second knows no realis: together they are scored by type alone."""
    gold, one, other = tmp_path / "gold.tbf", tmp_path / "one.tbf", tmp_path / "other"
    for path, realis in ((gold, "Actual"), (one, "Other")):
        mentions = f"x\td\tE1\t0,4\tdied\tLife_Die\t{realis}\t0.5\t0.5\t0.5\n"
        path.write_text(f"#BeginOfDocument d\n{mentions}#EndOfDocument\n")
    other.mkdir()
    (other / "d.txt").write_text("died")
    (other / "d.ann").write_text("T1\tLife_Die 0 4\tdied\nE1\tLife_Die:T1\n")
    return [str(gold), str(one), str(other), "--profile", "exact"]


def test_systems_are_explained_by_the_figure_that_they_are_scored_by_together(
    unlike: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    explained = json.loads(said(capsys, *unlike, "--format", "json"))["systems"]
    assert [one["headline"]["measurement"] for one in explained] == ["type", "type"]
    assert [one["headline"]["value"] for one in explained] == [1, 1]
    assert all("|attributes:type|" in one["signature"] for one in explained)
    assert re.search(r"together +0.00 +0.00", said(capsys, *unlike))


def test_documents_of_systems_go_by_the_names_that_they_are_scored_under_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = '{"relation": "born in", "first": {"ids": ["Marie Curie"]}, "second": {"ids": ["Warsaw"]}}\n'
    gold = "Marie Curie\tborn in\tWarsaw\n"
    folders = {"gold/d.tsv": gold, "one/d.tsv": gold, "other/d.jsonl": line}
    for name, content in folders.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(content)
    sides = [str(tmp_path / name) for name in ("gold", "one", "other")]
    assert run(["score", "triples", *sides, "-q", "--format", "json"]) == 0
    scored = json.loads(capsys.readouterr().out)["scores"]
    explained = json.loads(said(capsys, "triples", *sides, "-q", "--format", "json"))["systems"]
    names = {verdict["document"] for system in explained for verdict in system["verdicts"]}
    assert names == {row["document"] for row in scored if row["scope"] == "document"} == {"d"}


def test_pages_of_systems_are_of_the_figure_that_they_are_scored_by_together(
    unlike: list[str],
) -> None:
    gold, *systems = unlike[:3]
    material, _ = page_files(UserChoice(profile="exact"), gold, systems)
    assert [system.value for system in material.explanations.values()] == [1, 1]
    (Path(systems[1]) / "d.ann").write_text("T1\tLife_Die 0 4\tdied\nE1\tLife_Die:T1\nA1\tRealis E1 Other\n")
    material, _ = page_files(UserChoice(profile="exact"), gold, systems)
    assert [system.value for system in material.explanations.values()] == [0, 0]


def test_between_lists_what_the_second_system_lacks(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, GOLD, "--between", ALDER, BIRCH, "--format", "csv")
    assert {row["side"] for row in csv.DictReader(io.StringIO(out))} == {"gold"}


def test_types_that_are_called_like_what_lacks_are_told_apart_from_it() -> None:
    gold = {"d": [(0, 1, "(missed)"), (2, 3, "(spurious)"), (4, 5, "A"), (6, 7, "A")]}
    system = {"d": [(0, 1, "(missed)"), (2, 3, "A"), (4, 5, "(missed)"), (8, 9, "(spurious)")]}
    found = lydite.explain(gold, system, task="spans").to_dict()["confusion"]["type"]
    assert found == {
        "rows": ["'(missed)'", "'(spurious)'", "A", "(spurious)"],
        "columns": ["'(missed)'", "'(spurious)'", "A", "(missed)"],
        "counts": [[1, 0, 0, 0], [0, 0, 1, 0], [1, 0, 0, 1], [0, 1, 0, 0]],
    }


def test_a_confusion_matrix_is_whole_in_csv(capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(
        csv.reader(said(capsys, GOLD, BIRCH, "--confusion", "realis", "--format", "csv").splitlines())
    )
    assert rows[0] == ["gold realis", "Actual", "Generic", "Other", "(missed)"]
    assert len(rows) == 5


def test_verdicts_do_not_change_when_documents_are_reordered(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    blocks = Path(BIRCH).read_text("utf-8").split("#BeginOfDocument")
    turned = tmp_path / "birch.tbf"
    turned.write_text("#BeginOfDocument".join([blocks[0], *reversed(blocks[1:])]), encoding="utf-8")
    plain, other = (
        [
            (one["document"], one["side"], one["id"], one["cause"])
            for one in csv.DictReader(io.StringIO(said(capsys, GOLD, path, "--format", "csv")))
        ]
        for path in (BIRCH, str(turned))
    )
    assert plain == other


def test_an_unknown_cause_or_document_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", GOLD, BIRCH, "--cause", "spuriuos"]) == 2
    assert "spurious" in capsys.readouterr().err
    assert run(["explain", GOLD, BIRCH, "--doc", "df03"]) == 2
    assert "df03" in capsys.readouterr().err


@pytest.mark.parametrize("layout", ["text", "markdown"])
def test_a_list_that_was_cut_says_so(layout: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, GOLD, BIRCH, "--confusion", "realis", "--max", "2", "--format", layout)
    assert "confusion of realis: 119 pairs agree; 3 more cells, --max 0 shows all" in out
    out = said(capsys, GOLD, BIRCH, "--format", layout)
    assert "error budget: 49.77 points to 100.00" in out
    assert "|\nshares add up" not in out


def test_markdown_keeps_the_lines_of_lists_and_documents(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (("--cause", "wrong-type"), ("--doc", "nw08-flour", "--documents", "examples/text")):
        plain = said(capsys, GOLD, BIRCH, *words)
        assert said(capsys, GOLD, BIRCH, *words, "--format", "markdown") == f"```text\n{plain}```\n"


@pytest.mark.parametrize("layout", ["json", "csv", "text"])
@pytest.mark.parametrize("systems", [(BIRCH,), (BIRCH, ALDER)])
def test_what_cannot_be_shown_is_refused_before_anything_is_written(
    layout: str, systems: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    for wrong in (("--id", "E999"), ("--measurement", "span"), ("--confusion", "role")):
        assert run(["explain", GOLD, *systems, "--format", layout, *wrong, "-q"]) == 2
        assert not capsys.readouterr().out


def test_causes_of_a_measurement_are_those_that_its_task_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "nugget", GOLD, BIRCH, "--measurement", "coref", "--cause", "merged"]) == 0
    assert run(["explain", "nugget", GOLD, BIRCH, "--cause", "merged"]) == 2
    assert run(["explain", "ace", GOLD, BIRCH, "--measurement", "relation", "--cause", "merged"]) == 2
    assert "causes of ace: right, " in capsys.readouterr().err


def test_a_document_is_shown_with_its_text(capsys: pytest.CaptureFixture[str]) -> None:
    texts = str(ROOT / "examples" / "text")
    out = said(capsys, GOLD, BIRCH, "--doc", "df03-witness", "--documents", texts, "--context", "0", "-q")
    assert "gold                                                 A---" in out
    assert "when they shot her. The band was" in out


def marked(lines: list[str], side: str) -> set[str]:
    """The words that marks of a side stand at, by the line of text between gold above and system below."""
    found = set()
    for at, line in enumerate(lines):
        if line.startswith(f"{side:<8}"):
            step = 1 if side == "gold" else -1
            near = at + step
            while lines[near].startswith(f"{side:<8}"):
                near += step
            for match in re.finditer(r"[A-Za-z]-*", line[8:]):
                found.add(lines[near][8:][match.start() : match.end()])
    return found


RUNNING = {
    "nugget": (GOLD, BIRCH, "--documents", "examples/text", "--doc", "nw08-flour"),
    "tokens": (
        "examples/gold.tokens.tbf",
        "examples/systems-tokens/birch.tbf",
        "--tokens",
        "examples/tokens",
        "--doc",
        "nw08-flour",
    ),
    "arguments": (
        "arguments",
        "examples/arguments/annotation",
        "examples/arguments/systems/birch",
        "--documents",
        "examples/text",
        "--doc",
        "nw01-depot",
    ),
    "triples": (
        "triples",
        "examples/triples/gold.trp",
        "examples/triples/system.trp",
        "--doc",
        "document",
    ),
    "ace": (
        "ace",
        "examples/ace/gold",
        "examples/ace/systems/birch",
        "--documents",
        "examples/text",
        "--doc",
        "df01-boots",
    ),
}
EXPECTED = {
    "nugget": ({"arrives", "carried"}, {"arrives", "brought"}),
    "tokens": ({"arrives", "carried"}, {"arrives", "brought"}),
    "arguments": ({"Monday", "the Ninth Lantern"}, {"Sool"}),
    "triples": ({"responded", "6:30 p.m."}, {"to", "about"}),
    "ace": ({"Ferryman", "Hallek", "police chief"}, {"Ferryman", "Sool"}),
}


@pytest.mark.parametrize("world", RUNNING)
def test_a_document_of_every_task_has_marks_at_its_words(
    world: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = said(capsys, *RUNNING[world], "--quiet").splitlines()
    for side, expected in zip(("gold", "system"), EXPECTED[world], strict=True):
        assert expected <= marked(lines, side), side


def test_marks_stand_at_words_where_a_task_does_not_count_all_that_its_text_has(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "d1.txt").write_bytes(b"\xef\xbb\xbfNews\r\nof\r\nMira Takk\r\n")
    name = entity("E1", [mention("E1-1", 8, "Mira Takk")], names=["Mira Takk"])
    gold = write(tmp_path / "gold", d1=document("d1", name))
    system = write(tmp_path / "system", d1=document("d1", name.replace("Individual", "Group")))
    shown = ("ace", gold, system, "--doc", "d1", "--documents", str(tmp_path), "--quiet")
    assert marked(said(capsys, *shown).splitlines(), "gold") == {"Mira Takk"}
    material = page_files(UserChoice("ace"), gold, [system], documents=str(tmp_path))[0]
    assert [one.text for one in material.documents()] == ["News\nof\nMira Takk\n"]


def test_a_byte_order_mark_that_a_task_counts_stands_on_its_page(tmp_path: Path) -> None:
    (tmp_path / "nw08-flour.txt").write_bytes(b"\xef\xbb\xbfFlour arrives.")
    material = page_files(UserChoice(), GOLD, [BIRCH], documents=str(tmp_path))[0]
    texts = {one.doc_id: one.text for one in material.documents()}
    assert texts["nw08-flour"] == "\ufeffFlour arrives."


def test_words_of_coreference_make_a_text(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["The", "mayor", "said", "he", "saw", "her", "dog"]
    for name, clusters in (("gold", [[[0, 1], [3, 3]]]), ("system", [[[1, 1], [3, 3]]])):
        record = {"doc_key": "d1", "sentences": [words], "clusters": clusters}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    sides = (str(tmp_path / "gold.jsonl"), str(tmp_path / "system.jsonl"))
    lines = said(capsys, "coref", *sides, "--doc", "d1", "--quiet").splitlines()
    assert lines[1:4] == [
        "gold    A--------",
        "        The mayor said he saw her dog",
        "system      a----",
    ]


def test_a_long_budget_says_how_long_it_takes_before_it_starts(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "ace", "examples/ace/gold", "examples/ace/systems/birch", "--budget"]) == 0
    told = re.search(
        r"the error budget of birch takes (\d+) scorings of the whole corpus, (.*)", capsys.readouterr().err
    )
    if told is None:
        pytest.fail("nothing was said")
    assert int(told[1]) == 2**4
    assert "second" in told[2] or "about" in told[2]


def test_each_entry_of_a_folder_of_runs_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, GOLD, "--runs", "examples/systems", "--budget", "-q")
    assert "fault        alder  birch  cedar" in out


def test_the_document_has_every_confusion_of_the_task_unless_one_is_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    whole = json.loads(said(capsys, GOLD, BIRCH, "--format", "json"))["confusion"]
    assert list(whole) == ["type", "realis"]
    one = json.loads(said(capsys, GOLD, BIRCH, "--format", "json", "--confusion", "realis"))["confusion"]
    assert one == {"realis": whole["realis"]}
    assert json.loads(said(capsys, GOLD, BIRCH, "--format", "json", "--id", "E1"))["confusion"] == {}


def test_between_takes_names_of_systems_and_paths_that_are_named_already(
    capsys: pytest.CaptureFixture[str],
) -> None:
    alone = said(capsys, GOLD, "--between", ALDER, BIRCH)
    assert alone.startswith("alder has right and birch has wrong")
    assert said(capsys, GOLD, BIRCH, ALDER, "--between", "alder", "birch") == alone
    assert said(capsys, GOLD, ALDER, BIRCH, "--between", ALDER, BIRCH) == alone
    assert run(["explain", GOLD, ALDER, BIRCH, "--between", "alder", "bitch"]) == 2
    assert "did you mean 'birch'?" in capsys.readouterr().err


def test_an_item_that_nobody_has_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", GOLD, BIRCH, "--id", "E1", "--id", "Z9"]) == 2
    told = capsys.readouterr()
    assert "--id Z9: neither side has such an item" in told.err
    assert not told.out


def test_the_headline_may_be_named_as_measurement(capsys: pytest.CaptureFixture[str]) -> None:
    plain = said(capsys, GOLD, BIRCH, "--format", "csv")
    assert said(capsys, GOLD, BIRCH, "--format", "csv", "--measurement", "type+realis") == plain


def test_the_overview_shows_causes_however_many_faults_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(ROOT / "examples" / "arguments" / name) for name in ("annotation", "systems/birch")]
    table = said(capsys, "arguments", *files).split("largest causes")[1]
    assert table.split("\n\n")[0].count("\n") >= 3


@pytest.mark.parametrize(
    "words",
    [
        ("--by", "type", "--format", "json"),
        ("--by", "type", "--format", "csv"),
        ("--confusion", "realis", "--doc", "df01-boots"),
        ("--confusion", "realis", "--measurement", "coref"),
        ("--budget", "--cause", "missed"),
        ("--budget", "--format", "csv"),
    ],
)
def test_an_option_that_would_say_nothing_is_wrong_usage(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["explain", GOLD, BIRCH, *words]) == 2
    told = capsys.readouterr()
    assert told.err.splitlines()[-2].startswith(f"error: {words[0]}")
    assert not told.out


@pytest.mark.parametrize("layout", ["text", "json", "csv", "markdown"])
def test_a_document_that_neither_side_has_is_wrong_usage_in_every_layout(
    layout: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["explain", GOLD, BIRCH, "--doc", "df01-boot", "--format", layout]) == 2
    told = capsys.readouterr()
    assert "--doc df01-boot: neither side has such a document" in told.err
    assert not told.out


def test_an_item_of_a_document_has_its_rivals_and_must_be_there(capsys: pytest.CaptureFixture[str]) -> None:
    of_one = (GOLD, BIRCH, "--doc", "df03-witness", "--id")
    assert "    rival M2: similarity 1.00, paired with E2" in said(capsys, *of_one, "E3").splitlines()
    assert run(["explain", *of_one, "Z9"]) == 2
    assert "--id Z9: neither side has such an item" in capsys.readouterr().err


def test_no_more_verdicts_of_a_document_are_listed_than_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    of_one = (GOLD, BIRCH, "--doc", "df03-witness", "--max")
    every = said(capsys, *of_one, "0").count(", credit ")
    few = said(capsys, *of_one, "2")
    assert few.count(", credit ") == 2
    assert few.endswith(f"… and {every - 2} more; --max 0 shows all\n")


def test_what_a_second_system_lacks_is_counted_by_a_trait(capsys: pytest.CaptureFixture[str]) -> None:
    between = (GOLD, "--between", ALDER, BIRCH)
    lacking = list(csv.DictReader(io.StringIO(said(capsys, *between, "--format", "csv"))))
    rows = [line.split() for line in said(capsys, *between, "--by", "type").splitlines()[4:] if line]
    assert sum(int(row[2]) for row in rows) == len(lacking)


def test_several_systems_without_their_budgets_are_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", GOLD, ALDER, BIRCH, "--no-budget"]) == 2
    assert capsys.readouterr().err.endswith("hint: leave out --no-budget\n")


def test_runs_of_teams_have_the_names_that_their_scores_have(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for team, runs in (("blue", (ALDER, BIRCH)), ("red", (BIRCH, ALDER))):
        (tmp_path / team).mkdir()
        for number, path in enumerate(runs, 1):
            (tmp_path / team / f"run{number}.tbf").write_bytes(Path(path).read_bytes())
    out = said(capsys, GOLD, "--runs", str(tmp_path), "--between", "blue/run1", "red/run1")
    assert out.startswith("blue/run1 has right and red/run1 has wrong")


def test_marks_stand_under_wide_characters_and_combining_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "d1.txt").write_text("警方逮捕了 cafe\u0301 fire\n" + "警" * 50, encoding="utf-8")
    lines = "E1\t2,4\t逮捕\tJustice_Arrest-Jail\tActual", "E2\t12,16\tfire\tLife_Die\tActual"
    gold, system = tmp_path / "gold.tbf", tmp_path / "system.tbf"
    said_of = "".join(f"x\td1\t{line}\n" for line in lines)
    gold.write_text(f"#BeginOfDocument d1\n{said_of}#EndOfDocument\n", encoding="utf-8")
    system.write_text("#BeginOfDocument d1\n#EndOfDocument\n", encoding="utf-8")
    shown = said(capsys, str(gold), str(system), "--doc", "d1", "--documents", str(tmp_path)).splitlines()
    margin = " " * 8
    assert shown[1:3] == [f"gold        A---{' ' * 8}B---", f"{margin}警方逮捕了 cafe\u0301 fire"]
    assert shown[3:5] == [f"{margin}{'警' * 35}", f"{margin}{'警' * 15}"]
