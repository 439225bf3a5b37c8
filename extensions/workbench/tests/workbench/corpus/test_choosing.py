"""Targets and documents are chosen as by the commands, from the same judgements."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("tantivy", reason="the search engine is an extra: pip install lydite[corpus]")

from workbench.corpus.test_exploring import by_command, example, explored, post
from workbench_world import ON_SQLITE, World, upload

if TYPE_CHECKING:
    from lydite_workbench.corpus.models import Collection


@pytest.fixture
def index(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The index that the command makes."""
    from lydite.cli import run

    made = tmp_path / "index"
    run(["corpus", "index", str(example() / "documents.jsonl"), str(example() / "gold"), "-o", str(made)])
    capsys.readouterr()
    return str(made)


def judged(collection: Collection) -> list[str]:
    """Read the judgements of a site in; the option that gives them to a command."""
    from lydite_workbench.corpus import services
    from lydite_workbench.rights import Caller

    north = example() / "judgements-north.jsonl"
    services.import_records(collection, upload("north.jsonl", north.read_bytes()), caller=Caller())
    return ["--judgements", str(north)]


def test_the_targets_of_the_board_are_those_of_the_command(
    workbench: World, index: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from lydite_workbench.corpus import services

    collection, (emil,) = explored(workbench, "emil")
    options = judged(collection)
    wish = services.TargetChoice(12, 150, "alias=3 confusable=2 PER=8")
    there = by_command(
        capsys, "select-targets", index, str(example() / "targets.jsonl"), *options,
        "--count", "12", "--documents", "150", "--min", "alias=3", "--min", "confusable=2", "--min", "PER=8",
    )  # fmt: skip
    board = services.target_board(collection, wish)
    assert [one.id for one in board.chosen] == there["chosen"]
    assert [row.candidate.to_dict() for row in board.rows] == there["candidates"]
    assert all(sum(row.by_language) == row.candidate.mentions for row in board.rows)
    asked = {"count": 12, "documents": 150, "minimums": "alias=3 confusable=2 PER=8"}
    lines = workbench.client(emil).get("/corpora/harbour/targets.jsonl", asked).content.decode().splitlines()
    assert [json.loads(line)["id"] for line in lines] == there["chosen"]


@ON_SQLITE
def test_what_is_missing_to_a_quota_is_shown(workbench: World) -> None:
    from lydite_workbench.corpus import services

    collection, (emil,) = explored(workbench, "emil")
    client = workbench.client(emil)
    services.target_board(collection, services.TargetChoice())
    shown = client.get("/corpora/harbour/targets", {"documents": 150, "minimums": "alias=100"})
    assert shown.status_code == 400
    assert "the smallest relaxation is alias=" in shown.content.decode()
    assert (
        "no property or type"
        in client.get("/corpora/harbour/targets", {"minimums": "ally=1"}).content.decode()
    )


def test_targets_of_which_nothing_was_judged_since_are_not_counted_again(
    workbench: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lydite_workbench.corpus import services, tallies

    collection, (emil,) = explored(workbench, "emil")
    judged(collection)
    monkeypatch.setattr(tallies, "TOGETHER", 1)
    board = services.target_board(collection, services.TargetChoice(), seconds=0)
    assert board.waiting == board.targets - 1, "a page does not wait for all of them"
    assert board.rows == ()
    whole = tallies.tally_targets(collection)
    counted: list[str] = []
    tally = tallies._tallies
    monkeypatch.setattr(
        tallies, "_tallies", lambda collection, some: counted.extend(some) or tally(collection, some)
    )
    assert tallies.tally_targets(collection) == whole
    assert counted == []
    (target, before), *_ = whole.progress.items()
    with services.open_collection_index(collection) as index:
        (document, *_) = (about.id for about in index.records() if about.id not in seen(collection, target))
    services.judge(collection, {"target_id": target, "docid": document, "mentioned": True}, emil)
    assert tallies.tally_targets(collection).progress[target].judged == before.judged + 1
    assert counted == [target]


def seen(collection: Collection, target: str) -> set[str]:
    return set(collection.entries.filter(target=target).values_list("document", flat=True))


@ON_SQLITE
def test_a_capture_becomes_a_candidate_and_the_chosen_go_on_alone(workbench: World) -> None:
    from lydite_workbench.corpus import services
    from lydite_workbench.rights import Caller

    collection, (emil,) = explored(workbench, "emil")
    olga = workbench.client(workbench.user("olga", administrator=True))
    document = json.loads((example() / "documents.jsonl").read_text(encoding="utf-8").splitlines()[0])
    said = {"docid": document["id"], "start": 4, "end": 11, "capture": "new-entity"}
    made = post(workbench.client(emil), "/corpora/harbour/captures", **said).json()
    assert olga.post("/corpora/harbour/targets/change", {"capture": made["id"]}).status_code == 302
    assert services.profiles_of(collection)[-1].handle == made["text"]
    assert olga.post("/corpora/harbour/targets/change", {"capture": made["id"]}).status_code == 409
    taken = services.keep_chosen_targets(collection, services.TargetChoice(5, 150), caller=Caller())
    left = services.profiles_of(collection)
    assert (taken, {profile.status for profile in left}) == (5, {"target"})


@ON_SQLITE
def test_the_choice_of_documents_is_that_of_the_command(
    workbench: World, index: str, capsys: pytest.CaptureFixture[str]
) -> None:
    collection, (emil,) = explored(workbench, "emil")
    options = judged(collection)
    there = by_command(
        capsys, "select-documents", index, str(example() / "targets.jsonl"), *options, "--count", "60"
    )
    client = workbench.client(emil)
    here = client.get("/corpora/harbour/selection", {"count": 60, "format": "json"}).json()
    assert here == {key: there[key] for key in here}
    shown = client.get("/corpora/harbour/selection", {"count": 60}).content.decode()
    assert f"{here['quality']['ratio']:.4f}" in shown
