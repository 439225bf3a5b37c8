"""Merging entities: the log of the screen is the log of the command, and gives the same documents."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest

pytest.importorskip("tantivy", reason="the search engine is an extra: pip install lydite[corpus]")

from workbench.corpus.test_exploring import TARGET, by_command, example, explored, post
from workbench_world import ON_SQLITE, World

if TYPE_CHECKING:
    from lydite_workbench.corpus.models import Collection


def same_people() -> list[list[str]]:
    """Entities of documents that are one, by the truth of the example."""
    truth = json.loads((example() / "truth.json").read_text(encoding="utf-8"))["entities"]
    groups: dict[str, list[str]] = {}
    for member, target in truth.items():
        groups.setdefault(target, []).append(member)
    return [members for members in groups.values() if len(members) > 1]


def by_replay(collection: Collection, tmp_path: Path) -> str:
    from lydite_workbench.corpus import merging

    log = tmp_path / "merges.jsonl"
    log.write_text(merging.log_lines(collection), encoding="utf-8")
    return str(log)


def test_the_log_gives_the_documents_of_the_command(
    workbench: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from lydite.cli import run
    from lydite_workbench.corpus import merging

    collection, (emil,) = explored(workbench, "emil")
    client = workbench.client(emil)
    first, second = same_people()[:2]
    url = "/corpora/harbour/merge/operations"
    for other in first[1:]:
        assert post(client, url, op="merge", a=first[0], b=other).status_code == 201
    assert post(client, url, op="merge", a=first[0], b=second[0]).status_code == 201
    assert post(client, url, op="undo", n=1).status_code == 201
    assert post(client, url, op="merge", a=second[0], b=second[1]).status_code == 201
    assert post(client, url, op="split", a=second[0], members=[second[1]]).status_code == 201
    assert post(client, url, op="reject", a=first[0], b=second[0]).status_code == 201
    log = by_replay(collection, tmp_path)
    there = by_command(capsys, "merge", str(example() / "gold"), "--log", log)
    here = merging.state_of(collection)
    assert [entity["members"] for entity in there["entities"]] == here.partition()
    assert [first, [second[1]]] == [here.members_with(first[0]), here.members_with(second[1])]
    assert there["rejected"] == [[first[0], second[0]]]
    run(["corpus", "merge", str(example() / "gold"), "--log", log, "-o", str(tmp_path / "merged")])
    with ZipFile(io.BytesIO(client.get("/corpora/harbour/merged.zip").content)) as archive:
        written = {name: archive.read(name) for name in archive.namelist()}
    assert written == {file.name: file.read_bytes() for file in (tmp_path / "merged").iterdir()}


@ON_SQLITE
def test_proposals_are_those_of_the_command(workbench: World, capsys: pytest.CaptureFixture[str]) -> None:
    _, (emil,) = explored(workbench, "emil")
    member = same_people()[0][0]
    options = ["--propose", member, "--texts", str(example() / "gold-text")]
    there = by_command(capsys, "merge", str(example() / "gold"), *options)
    here = workbench.client(emil).get("/corpora/harbour/merge/work", {"member": member}).json()
    assert [one["member"] for one in here["others"]] == [one["member"] for one in there["proposals"]]
    assert here["others"][0]["evidence"].startswith(f"{there['proposals'][0]['score']:.2f} = names")


@ON_SQLITE
def test_a_rejected_pair_is_never_proposed_again(workbench: World) -> None:
    _, (emil,) = explored(workbench, "emil")
    client = workbench.client(emil)
    member = same_people()[0][0]
    work = {"member": member}
    other = client.get("/corpora/harbour/merge/work", work).json()["others"][0]["member"]
    assert (
        post(client, "/corpora/harbour/merge/operations", op="reject", a=member, b=other).status_code == 201
    )
    left = client.get("/corpora/harbour/merge/work", work).json()["others"]
    assert other not in {one["member"] for one in left}


def test_nobody_undoes_what_another_person_did(workbench: World) -> None:
    collection, (emil, rosa) = explored(workbench, "emil", "rosa")
    url = "/corpora/harbour/merge/operations"
    first, second = same_people()[:2]
    assert post(workbench.client(emil), url, op="undo", n=1).status_code == 409
    assert post(workbench.client(emil), url, op="merge", a=first[0], b=first[1]).status_code == 201
    assert post(workbench.client(rosa), url, op="merge", a=second[0], b=second[1]).status_code == 201
    refused = post(workbench.client(emil), url, op="undo", n=1)
    assert (refused.status_code, "rosa" in refused.json()["detail"]) == (409, True)
    assert post(workbench.client(rosa), url, op="undo", n=1).status_code == 201
    assert post(workbench.client(emil), url, op="undo", n=1).status_code == 201
    assert collection.operations.count() == 4


@ON_SQLITE
def test_equal_names_are_merged_by_one_key_and_logged_singly(workbench: World) -> None:
    from lydite_workbench.corpus import merging

    collection, (emil,) = explored(workbench, "emil")
    entities = merging.gold_of(collection).entities
    state = merging.state_of(collection)
    member = max(entities, key=lambda one: len(merging.members_of_equal_name(collection, state, one)))
    equal = merging.members_of_equal_name(collection, state, member)
    made = merging.operate(collection, {"op": "equal", "a": member}, emil)
    assert [(one["op"], one["a"], one["b"]) for one in made] == [("merge", member, other) for other in equal]
    assert len(equal) > 1
    truth = json.loads((example() / "truth.json").read_text(encoding="utf-8"))["entities"]
    assert len({truth[one] for one in merging.state_of(collection).members_with(member)}) == 1


@ON_SQLITE
def test_conflicts_are_listed_and_nothing_is_written(workbench: World) -> None:
    from lydite_workbench.corpus import merging

    _, (emil,) = explored(workbench, "emil")
    client = workbench.client(emil)
    collection = merging.Collection.objects.get()
    kinds: dict[str, str] = {}
    for member, entity in merging.gold_of(collection).entities.items():
        kinds.setdefault(entity.element.attributes["TYPE"], member)
    a, b = kinds["PER"], kinds["ORG"]
    assert post(client, "/corpora/harbour/merge/operations", op="merge", a=a, b=b).status_code == 201
    assert "expected one TYPE" in client.get("/corpora/harbour/merge/conflicts").content.decode()
    refused = client.get("/corpora/harbour/merged.zip")
    assert (refused.status_code, "expected one TYPE" in refused.content.decode()) == (400, True)
    assert "or take what most members say when you download" in refused.content.decode()
    for wrong in (
        {"op": "merge", "a": a, "b": "none#E1"},
        {"op": "grow"},
        {"op": "split", "a": a, "members": [a, b]},
    ):
        assert post(client, "/corpora/harbour/merge/operations", **wrong).status_code in {400, 409}
    assert collection.operations.count() == 1


def test_people_who_merge_and_judge_at_once_lose_nothing(workbench: World) -> None:
    from concurrent.futures import ThreadPoolExecutor

    from django.db import connections

    from lydite_workbench.corpus import merging, services

    collection, people = explored(workbench, "emil", "rosa")
    members = list(merging.gold_of(collection).entities)
    hits = services.find(collection, services.Search("bread"), people[0])["hits"]
    connections.close_all()

    def work(number: int) -> None:
        person = people[number % 2]
        merging.operate(collection, {"op": "merge", "a": members[number], "b": members[number + 1]}, person)
        said = {"target_id": TARGET, "docid": hits[number % 5]["document"], "mentioned": True, "stars": 3}
        services.judge(collection, said, person)
        connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(12)))
    assert collection.operations.count() == collection.entries.filter(kind="judgement").count() == 12
    assert set(members[:13]) <= set(merging.state_of(collection).members_with(members[0]))
