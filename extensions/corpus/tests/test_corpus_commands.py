"""``lydite corpus`` as it is typed."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lydite.cli import run

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    script = ROOT / "examples" / "build_collection.py"
    subprocess.run(
        [sys.executable, str(script), str(folder), "--documents", "300"], check=True, capture_output=True
    )
    assert (
        run(["corpus", "index", f"{folder}/documents.jsonl", f"{folder}/threads", "-o", f"{folder}/index"])
        == 0
    )
    return folder


def printed(capfd: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    assert run(["corpus", *words]) == status
    return capfd.readouterr().out


def document(capfd: pytest.CaptureFixture[str], *words: str) -> Any:
    return json.loads(printed(capfd, *words, "--format", "json"))


def test_hits_have_the_keys_of_the_contract(made: Path, capfd: pytest.CaptureFixture[str]) -> None:
    found = document(capfd, "search", f"{made}/index", '"the Envoy"', "--limit", "1")
    assert found.keys() == {"total", "hits"}
    (hit,) = found["hits"]
    assert list(hit) == ["document", "score", "date", "genre", "source", "language", "passages"]
    assert list(hit["passages"][0]) == ["text", "start", "end", "marks"]


def test_filters_may_stand_without_a_query(made: Path, capfd: pytest.CaptureFixture[str]) -> None:
    total = document(capfd, "search", f"{made}/index", "--lang", "ar", "--date", "2006-01..2006-06")["total"]
    assert total == document(capfd, "search", f"{made}/index", "lang:ar date:2006-01..2006-06")["total"] > 0


def test_a_query_that_cannot_be_parsed_is_wrong_usage(made: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["corpus", "search", f"{made}/index", "a AND (b"]) == 2
    assert "column 7" in capfd.readouterr().err


def test_a_logged_query_says_who_and_when(
    made: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log.jsonl"
    printed(capfd, "search", f"{made}/index", "ferry", "--log", str(log), "--user", "anna")
    entry = json.loads(log.read_text())
    assert (entry["kind"], entry["user"], entry["text"]) == ("query", "anna", "ferry")
    assert run(["corpus", "search", f"{made}/index", "ferry", "--log", str(log)]) == 2


def test_what_is_no_index_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["corpus", "search", str(tmp_path), "x"]) == 3
    assert "no index of a collection" in capfd.readouterr().err


def test_without_the_extra_the_command_says_what_to_install(tmp_path: Path) -> None:
    texts = tmp_path / "a.txt"
    texts.write_text("a")
    code = (
        "import sys; sys.modules['tantivy'] = None; from lydite.cli import run; sys.exit(run(sys.argv[1:]))"
    )
    for words in (["search", str(tmp_path), "x"], ["index", str(texts), "-o", str(tmp_path / "i")]):
        done = subprocess.run(
            [sys.executable, "-c", code, "corpus", *words], capture_output=True, text=True, check=False
        )
        assert done.returncode == 2
        assert "pip install 'lydite[corpus]'" in done.stderr


def test_names_are_a_table(made: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lines = printed(capfd, "names", f"{made}/index", "--min", "5").splitlines()
    assert lines[0] == "cluster\tstring\tcount\tdocuments"
    assert all(len(line.split("\t")) == 4 for line in lines)


def test_profiles_with_an_error_fail_the_check(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"id": "T1", "handle": "x", "confusable_with": ["T2"]}\n')
    printed(capfd, "profile", str(path), status=0)
    printed(capfd, "profile", str(path), "--check", status=1)


def test_minimums_may_be_listed_in_one_word(made: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = ["select-targets", f"{made}/index", f"{made}/targets.jsonl", "--count", "8", "--documents", "150"]
    told = printed(capfd, *words, "--min", "alias=2,variant=1")
    assert told == printed(capfd, *words, "--min", "alias=2", "--min", "variant=1")


def test_targets_documents_and_a_subsample(
    made: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    chosen, selection, page = tmp_path / "t.jsonl", tmp_path / "s.json", tmp_path / "r.html"
    targets = [
        "select-targets",
        f"{made}/index",
        f"{made}/targets.jsonl",
        "--count",
        "8",
        "--documents",
        "150",
    ]
    found = document(capfd, *targets, "--judgements", f"{made}/judgements-north.jsonl", "-o", str(chosen))
    assert len(found["chosen"]) == 8
    assert [json.loads(line)["status"] for line in chosen.read_text().splitlines()] == ["target"] * 8
    documents = ["select-documents", f"{made}/index", str(chosen), "--count", "60", "--drop-reposts"]
    printed(capfd, *documents, "--page", str(page), "--format", "json", "-o", str(selection))
    written = json.loads(selection.read_text())
    assert written["schema"] == "lydite.selection/1"
    assert len(written["documents"]) == 60
    assert 0.632 <= written["quality"]["ratio"] <= 1
    assert written["quality"]["value"] > max(written["quality"]["random"])
    assert len(written["reposts"]) == 12
    html = page.read_text()
    assert html.startswith("<!DOCTYPE html>")
    assert "http" not in html
    smaller = document(
        capfd,
        "subsample",
        f"{made}/index",
        str(chosen),
        "--selection",
        str(selection),
        "--targets",
        "3",
        "--count",
        "10",
    )
    assert {one["document"] for one in smaller["documents"]} <= {
        one["document"] for one in written["documents"]
    }
    assert len(smaller["quality"]["targets"]) <= 3


def test_what_is_missing_is_filled_with_documents_without_targets(
    made: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    one = tmp_path / "t.jsonl"
    one.write_text((made / "targets.jsonl").read_text(encoding="utf-8").splitlines()[0] + "\n")
    found = document(capfd, "select-documents", f"{made}/index", str(one), "--count", "100")
    by = [chosen["by"] for chosen in found["documents"]]
    assert 0 < by.count("greedy") < 100
    assert by.count("greedy") + by.count("fill") == 100


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--min", "alias"], "expected [LANG:]WHAT=N"),
        (["--min", "aliass=3"], "did you mean 'alias'"),
        (["--min", "alias=999"], "infeasible-quotas"),
    ],
)
def test_minimums_that_make_no_sense_are_refused(
    words: list[str], said: str, made: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["corpus", "select-targets", f"{made}/index", f"{made}/targets.jsonl", *words]) in {2, 3}
    assert said in capfd.readouterr().err


def test_options_of_which_one_would_do_nothing_are_refused_together(
    made: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    nothing = tmp_path / "list.txt"
    nothing.write_text("", encoding="utf-8")
    for words in (
        ["merge", f"{made}/gold", "--propose", "D#E", "-o", str(tmp_path / "merged")],
        ["names", f"{made}/index", "--annotated", "--list", str(nothing)],
    ):
        assert run(["corpus", *words]) == 2
        assert "use only one of them" in capfd.readouterr().err
    assert printed(capfd, "names", f"{made}/index", "--list", str(nothing)).count("\n") == 1


def test_two_quotas_of_one_type_are_refused(made: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = ["select-documents", f"{made}/index", f"{made}/targets.jsonl"]
    assert run(["corpus", *words, "--quota", "type=PER:3", "--quota", "type=PER:9"]) == 2
    assert "expected each type once" in capfd.readouterr().err


def test_a_quota_of_a_type_that_no_target_has_is_told(made: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = ["select-documents", f"{made}/index", f"{made}/targets.jsonl", "--quota", "type=PRE:3"]
    assert run(["corpus", *words]) == 0
    told = capfd.readouterr().err
    assert told == (
        "note: --quota type=PRE:3 changes nothing, for no target is of type 'PRE'; did you mean 'PER'?\n"
    )


def test_a_subsample_of_documents_that_the_index_does_not_have_is_refused(
    made: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    selection = tmp_path / "s.json"
    selection.write_text('{"schema": "lydite.selection/1", "documents": [{"document": "elsewhere"}]}')
    words = ["subsample", f"{made}/index", f"{made}/targets.jsonl", "--selection", str(selection)]
    assert run(["corpus", *words]) == 3
    assert "found 1 that it does not have: 'elsewhere' [bad-selection]" in capfd.readouterr().err


def test_density_reaches_its_minimums_without_reposts(made: Path, capfd: pytest.CaptureFixture[str]) -> None:
    found = document(capfd, "density", f"{made}/index", "--events", f"{made}/types.tsv")
    assert found["missing"] == {}
    dropped = {one["document"] for one in found["reposts"]}
    planted = json.loads((made / "truth.json").read_text())["posts"]
    assert {one["document"]: {str(one["post"]): one["kept"]} for one in found["repeated_posts"]} == planted
    assert len(dropped) == 12
    assert not dropped & {one["document"] for one in found["documents"]}


def test_merged_files_can_be_scored_and_keep_everything_else(
    made: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    truth = json.loads((made / "truth.json").read_text(encoding="utf-8"))["entities"]
    first: dict[str, str] = {}
    log = tmp_path / "log.jsonl"
    with log.open("w") as stream:
        for member, target in truth.items():
            if target in first:
                line = {"time": "1", "user": "anna", "op": "merge", "a": first[target], "b": member}
                stream.write(json.dumps(line) + "\n")
            first.setdefault(target, member)
    found = document(capfd, "merge", f"{made}/gold", "--log", str(log), "-o", str(tmp_path / "merged"))
    assert len(found["entities"]) == len(set(truth.values()))
    before = sum(
        path.read_text(encoding="utf-8").count("<entity_mention ") for path in (made / "gold").iterdir()
    )
    after = sum(
        path.read_text(encoding="utf-8").count("<entity_mention ") for path in (tmp_path / "merged").iterdir()
    )
    assert before == after
    assert (
        run(
            [
                "score",
                "ace",
                str(tmp_path / "merged"),
                str(tmp_path / "merged"),
                "--profile",
                "ace08-global",
                "-q",
            ]
        )
        == 0
    )
    assert "100.00" in capfd.readouterr().out
    assert run(["corpus", "merge", f"{made}/gold", "--log", str(log), "-o", str(tmp_path / "merged")]) == 2


APF = """<source_file URI="D.txt" SOURCE="newswire" TYPE="text"><document DOCID="D">
{entities}
<relation ID="R1" TYPE="PER-SOC" SUBTYPE="Family"><relation_argument REFID="E1" ROLE="Arg-1"/>
<relation_argument REFID="E2" ROLE="Arg-2"/><relation_mention ID="R1-1" LEXICALCONDITION="Other"><extent><charseq START="0" END="9">a</charseq></extent>
<relation_mention_argument REFID="E1-1" ROLE="Arg-1"/><relation_mention_argument REFID="E2-1" ROLE="Arg-2"/></relation_mention></relation>
</document></source_file>
"""
ENTITY = """<entity ID="{id}" TYPE="{type}" SUBTYPE="{subtype}" CLASS="SPC"><entity_mention ID="{id}-1" TYPE="NAM" LDCTYPE="NAMPRE">
<extent><charseq START="{at}" END="{at}">x</charseq></extent><head><charseq START="{at}" END="{at}">x</charseq></head></entity_mention>
<entity_attributes><name NAME="{id} name"/></entity_attributes></entity>"""


def gold_of(folder: Path, **types: str) -> str:
    subtypes = {"PER": "Individual", "ORG": "Commercial"}
    entities = [
        ENTITY.format(id=name, type=type_, subtype=subtypes[type_], at=place)
        for place, (name, type_) in enumerate(types.items())
    ]
    folder.mkdir()
    (folder / "D.apf.xml").write_text(APF.format(entities="\n".join(entities)), encoding="utf-8")
    return str(folder)


def log_of(path: Path, *operations: dict[str, Any]) -> str:
    path.write_text("".join(json.dumps({"time": "1", "user": "a", **one}) + "\n" for one in operations))
    return str(path)


def test_entities_of_one_document_become_one_and_arguments_follow(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    gold = gold_of(tmp_path / "gold", E1="PER", E2="PER", E3="PER")
    log = log_of(
        tmp_path / "log.jsonl",
        {"op": "merge", "a": "D#E3", "b": "D#E1"},
        {"op": "link", "g": "D#E1", "resource": "kb", "id": "Q7"},
    )
    printed(capfd, "merge", gold, "--log", log, "-o", str(tmp_path / "merged"))
    text = (tmp_path / "merged" / "D.apf.xml").read_text(encoding="utf-8")
    assert text.count("<entity ") == 2
    assert text.count("<entity_mention ") == 3
    assert text.count("LDCTYPE") == 3
    assert '<external_link RESOURCE="kb" EID="Q7"/>' in text
    assert '<relation_argument REFID="E1" ROLE="Arg-1"/>' in text
    assert '<relation_mention_argument REFID="E1-1"' in text


def test_a_conflict_stops_the_export_unless_the_majority_decides(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    gold = gold_of(tmp_path / "gold", E1="PER", E2="PER", E3="ORG")
    log = log_of(
        tmp_path / "log.jsonl",
        {"op": "merge", "a": "D#E1", "b": "D#E3"},
        {"op": "merge", "a": "D#E1", "b": "D#E2"},
    )
    assert run(["corpus", "merge", gold, "--log", log, "-o", str(tmp_path / "merged")]) == 3
    assert "merge-conflict" in capfd.readouterr().err
    assert not (tmp_path / "merged").exists()
    printed(capfd, "merge", gold, "--log", log, "--majority", "-o", str(tmp_path / "merged"))
    text = (tmp_path / "merged" / "D.apf.xml").read_text(encoding="utf-8")
    assert 'TYPE="ORG"' not in text


@pytest.mark.parametrize("table", [None, "events"])
def test_an_index_that_lost_a_part_is_told(
    table: str | None, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "texts.jsonl").write_text('{"id": "d", "text": "Anna met Bert Hall in Paris."}\n')
    assert run(["corpus", "index", f"{tmp_path}/texts.jsonl", "-o", f"{tmp_path}/index", "-q"]) == 0
    if table is None:
        for file in (tmp_path / "index").rglob("*.pos"):
            file.unlink()
        assert run(["corpus", "search", f"{tmp_path}/index", "anna"]) == 3
    else:
        (database,) = (tmp_path / "index").rglob("*.sqlite")
        with closing(sqlite3.connect(database)) as opened:
            opened.execute(f"DROP TABLE {table}")
        (tmp_path / "texts.jsonl").write_text('{"id": "d", "text": "Bert left."}\n')
        assert run(["corpus", "index", f"{tmp_path}/texts.jsonl", "-o", f"{tmp_path}/index"]) == 3
    assert "is damaged" in capfd.readouterr().err


def test_a_folder_of_texts_that_is_not_there_is_refused(
    made: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ["corpus", "merge", f"{made}/gold", "--propose", "D#E1", "--texts", f"{made}/nowhere"]
    assert run(words) == 3
    err = capfd.readouterr().err
    assert "nowhere: error: cannot be read" in err
    assert "hint: there is nothing of that name in" in err


def test_a_refused_index_leaves_no_folder(tmp_path: Path) -> None:
    texts = tmp_path / "d.jsonl"
    texts.write_text('{"id": "A1", "te')
    assert run(["corpus", "index", str(texts), "-o", str(tmp_path / "index")]) == 3
    assert [entry.name for entry in tmp_path.iterdir()] == ["d.jsonl"]


def test_no_report_of_a_collection_shows_control_characters(
    made: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    targets = tmp_path / "t.jsonl"
    targets.write_text('{"id": "T\\u001b[2J", "handle": "Emil Sorrell", "type": "P\\u0007"}\n')
    index = f"{made}/index"
    for words in (
        ("profile", str(targets)),
        ("select-targets", index, str(targets), "--count", "1"),
        ("select-documents", index, str(targets), "--count", "5"),
    ):
        assert not {"\x1b", "\x07"} & set(printed(capfd, *words)), words
