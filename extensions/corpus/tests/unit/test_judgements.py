from __future__ import annotations

import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from lydite.errors import FormatError, UsageError
from lydite_corpus.judgements import (
    append_entry,
    check_entry,
    document_stars,
    merge_entries,
    precision,
    read_entries,
    resolve,
    target_progress,
    to_json_lines,
    write_sqlite,
)


def judgement(id_: str, user: str = "anna", minute: int = 0, **more: Any) -> dict[str, Any]:
    return {
        "kind": "judgement", "id": id_, "user": user, "time": f"2007-02-01T08:{minute:02d}:00Z", "target_id": "T1",
        "docid": "D1", "mentioned": 1, **more,
    }  # fmt: skip


def test_the_last_judgement_of_a_user_counts() -> None:
    (item,) = resolve([judgement("b", minute=2, mentioned=0), judgement("a", minute=1, stars=4)])
    assert (item.mentioned, item.stars, item.judges) == (False, None, 1)


def test_the_last_judgement_is_the_last_wherever_its_clock_stood() -> None:
    early = judgement("a", mentioned=1) | {"time": "2007-02-01T09:00:00+02:00"}
    late = judgement("b", mentioned=0) | {"time": "2007-02-01T08:00:00Z"}
    (item,) = resolve([late, early])
    assert item.mentioned is False


def test_the_last_judgement_is_the_last_however_its_time_is_written() -> None:
    early = judgement("a", mentioned=1) | {"time": "2007-02-01T08:00:00"}
    late = judgement("b", mentioned=0) | {"time": "2007-02-01 09:00"}
    (item,) = resolve([late, early])
    assert item.mentioned is False


def test_several_users_give_the_mean_of_stars_and_the_majority_of_flags() -> None:
    entries = [
        judgement(user, user, stars=stars, has_alias=flag)
        for user, stars, flag in (("x", 2, 1), ("y", 4, 1), ("z", 5, 0))
    ]
    (item,) = resolve(entries)
    assert item.stars == 11 / 3
    assert item.has_alias
    assert document_stars([item]) == {"D1": 11 / 3}


def test_a_tie_is_no_decision() -> None:
    (item,) = resolve([judgement("a", "x", mentioned=1), judgement("b", "y", mentioned=0)])
    assert item.mentioned is None


def test_precision_is_smoothed_and_one_without_judgements() -> None:
    assert precision(3, 4) == 4 / 6
    assert precision(0, 0) == 1.0


def test_files_of_several_sites_are_merged_by_id(tmp_path: Path) -> None:
    first, second = tmp_path / "north.jsonl", tmp_path / "south.sqlite"
    append_entry(str(first), judgement("n1"))
    append_entry(str(first), judgement("s1", minute=1))
    append_entry(str(second), judgement("s1", minute=1))
    append_entry(
        str(second),
        {"kind": "query", "id": "q1", "user": "ben", "time": "2007", "text": "ferry", "n_results": 3},
    )
    merged = merge_entries({str(path): read_entries(str(path)) for path in (first, second)})
    assert [entry["id"] for entry in merged] == ["q1", "n1", "s1"]
    copy = tmp_path / "all.sqlite"
    write_sqlite(str(copy), merged)
    assert merge_entries({"copy": read_entries(str(copy))}) == merged
    (tmp_path / "all.jsonl").write_text(to_json_lines(merged))
    assert read_entries(str(tmp_path / "all.jsonl")) == merged


def test_tables_of_a_database_have_the_names_that_other_programs_know(tmp_path: Path) -> None:
    path = str(tmp_path / "all.sqlite")
    captured: dict[str, Any] = {
        "kind": "capture", "id": "c1", "user": "ben", "time": "2007", "docid": "D1", "start": 0, "end": 5,
        "text": "ferry", "capture": "related", "target_id": "T1",
    }  # fmt: skip
    write_sqlite(path, [judgement("a", stars=4), captured])
    database = sqlite3.connect(path)
    assert database.execute("SELECT target_id, docid, stars FROM judgments").fetchall() == [("T1", "D1", 4)]
    assert database.execute("SELECT docid, text, kind FROM captures").fetchall() == [
        ("D1", "ferry", "related")
    ]
    database.close()
    assert read_entries(path) == [judgement("a", stars=4), captured]


def test_two_records_of_one_id_are_refused() -> None:
    with pytest.raises(FormatError, match="judgement-conflict"):
        merge_entries({"north": [judgement("a")], "south": [judgement("a", mentioned=0)]})


def test_a_database_that_holds_another_record_of_an_id_refuses_all(tmp_path: Path) -> None:
    path = str(tmp_path / "all.sqlite")
    write_sqlite(path, [judgement("a")])
    with pytest.raises(FormatError, match="judgement-conflict"):
        write_sqlite(path, [judgement("b"), judgement("a", mentioned=0)])
    write_sqlite(path, [judgement("a")])
    assert read_entries(path) == [judgement("a")]


def test_two_records_of_one_id_are_not_added_to_sqlite_together(tmp_path: Path) -> None:
    path = str(tmp_path / "all.sqlite")
    with pytest.raises(FormatError, match="judgement-conflict"):
        write_sqlite(path, [judgement("a"), judgement("a", mentioned=0)])
    assert read_entries(path) == []


def test_a_record_of_another_kind_under_an_id_that_sqlite_has_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "all.sqlite")
    write_sqlite(path, [judgement("a")])
    query = {"kind": "query", "id": "a", "user": "u", "time": "2026-01-01T00:00:00", "text": "x"}
    with pytest.raises(FormatError, match="judgement-conflict"):
        write_sqlite(path, [query])
    assert read_entries(path) == [judgement("a")]


def test_a_database_in_no_folder_is_a_wrong_place(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot write .*all\.sqlite"):
        write_sqlite(str(tmp_path / "nowhere" / "all.sqlite"), [judgement("a")])


def test_broken_records_are_refused_together(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_text('{"kind": "guess"}\n{"kind": "judgement", "id": "1"}\n{\n'
                    '{"kind":"judgement","id":"1","user":"a","time":"1","target_id":"T","docid":"D","mentioned":1,"stars":6}\n')  # fmt: skip
    with pytest.raises(FormatError) as caught:
        read_entries(str(path))
    assert [finding.location and finding.location.line for finding in caught.value.findings] == [1, 2, 3, 4]


def test_a_database_of_something_else_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "x.db") as database:
        database.execute("CREATE TABLE recipes(id)")
    database.close()
    with pytest.raises(FormatError, match="expected the tables"):
        read_entries(str(tmp_path / "x.db"))


@pytest.mark.parametrize("name", ["j.jsonl", "j.sqlite"])
def test_several_people_write_at_once(name: str, tmp_path: Path) -> None:
    path = str(tmp_path / name)
    append_entry(path, judgement("first"))
    people = [
        threading.Thread(
            target=lambda who=who: [append_entry(path, judgement(f"{who}-{i}", who)) for i in range(20)]
        )
        for who in ("anna", "ben", "cleo")
    ]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert len(read_entries(path)) == 61


def test_the_board_shows_progress_and_agreement() -> None:
    entries = [
        judgement("a", "x", stars=4), judgement("b", "y", stars=2),
        judgement("c", "x", docid="D2", mentioned=0), judgement("d", "y", docid="D2", mentioned=1),
    ]  # fmt: skip
    (row,) = target_progress(entries)
    assert (row.judged, row.up, row.stars, row.agreement, row.judged_twice) == (2, 1, 3.0, 0.5, 2)


@pytest.mark.parametrize(
    ("key", "value"), [("target_id", "\ud800"), ("n_mentions", 10**30), ("stars", True), ("kind", [])]
)
def test_what_no_database_could_hold_is_refused(key: str, value: object) -> None:
    entry = {"kind": "judgement", "id": "1", "user": "a", "time": "t", "target_id": "T", "docid": "D"}
    check_entry({**entry, "mentioned": 1})
    with pytest.raises(ValueError, match="expected"):
        check_entry({**entry, "mentioned": 1, key: value})
