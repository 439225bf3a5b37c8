"""Exploring a collection: what is found, judged and captured, and that the commands read and give the same."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("tantivy", reason="the search engine is an extra: pip install lydite[corpus]")

from workbench_world import ON_SQLITE, ROOT, World, upload, zipped

if TYPE_CHECKING:
    from django.test import Client

    from lydite_workbench.accounts.models import User
    from lydite_workbench.corpus.models import Collection

TARGET = "T0011"


@cache
def example() -> Path:
    """A collection of 200 documents with planted names, made once."""
    import tempfile

    sys.path.insert(0, str(ROOT / "examples"))
    try:
        import build_collection
    finally:
        sys.path.pop(0)
    folder = Path(tempfile.mkdtemp(prefix="lydite-collection-"))
    build_collection.write(folder, 200, 1)
    return folder


def explored(world: World, *people: str) -> tuple[Collection, list[User]]:
    """The example collection, and people who explore it."""
    from lydite_workbench.accounts.models import Role
    from lydite_workbench.corpus import services
    from lydite_workbench.rights import Caller

    campaign = world.campaign("harbour")
    explorers = [world.user(name) for name in people]
    for person in explorers:
        world.role(person, campaign, Role.EXPLORER)
    texts = [upload("documents.jsonl", (example() / "documents.jsonl").read_bytes())]
    targets = upload("targets.jsonl", (example() / "targets.jsonl").read_bytes())
    gold = upload("gold.zip", zipped(example() / "gold"))
    new = services.NewCollection("harbour", "Harbour", texts, targets, gold)
    made = services.make_collection(campaign, new, caller=Caller())
    world.work()
    made.refresh_from_db()
    return made, explorers


def post(client: Client, url: str, **said: Any) -> Any:
    return client.post(url, json.dumps(said), "application/json")


def by_command(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    from lydite.cli import run

    run(["corpus", *words, "--format", "json"])
    return json.loads(capsys.readouterr().out)


def test_a_search_gives_the_hits_of_the_command_and_is_stored(
    workbench: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from lydite.cli import run

    collection, (emil,) = explored(workbench, "emil")
    client = workbench.program(user=emil)
    asked = {"q": f"profile:{TARGET} OR bread", "genre": "nw", "limit": "5", "from": "1"}
    here = client.get("/api/v1/corpora/harbour/search", asked).json()
    run(
        [
            "corpus",
            "index",
            str(example() / "documents.jsonl"),
            str(example() / "gold"),
            "-o",
            str(tmp_path / "index"),
        ]
    )
    capsys.readouterr()
    options = [
        "--genre",
        "nw",
        "--limit",
        "5",
        "--offset",
        "1",
        "--targets",
        str(example() / "targets.jsonl"),
    ]
    there = by_command(capsys, "search", str(tmp_path / "index"), asked["q"], *options)
    assert {key: here[key] for key in ("total", "hits")} == there
    assert there["hits"]
    (stored,) = collection.entries.all()
    assert (stored.kind, stored.data["text"], stored.data["filters"]) == ("query", asked["q"], "genre:nw")
    assert (stored.data["user"], stored.data["n_results"]) == ("emil", there["total"])


@ON_SQLITE
def test_an_error_in_a_query_points_at_its_column(workbench: World) -> None:
    _, (emil,) = explored(workbench, "emil")
    answer = workbench.program(user=emil).get("/api/v1/corpora/harbour/search", {"q": "bread (salt"})
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert (answer.json()["column"], answer.json()["excerpt"][1]) == (7, "      ^")


@ON_SQLITE
def test_names_of_a_target_are_marked_by_form(workbench: World) -> None:
    from lydite_workbench.corpus import services

    collection, (emil,) = explored(workbench, "emil")
    profiles = {profile.id: profile for profile in services.profiles_of(collection)}
    truth = json.loads((example() / "truth.json").read_text(encoding="utf-8"))["mentions"]
    seen = set()
    for document, mentions in list(truth.items())[:25]:
        for target in {mention[0] for mention in mentions}:
            kinds = {text: kind for kind, text in profiles[target].forms}
            planted = [(start, kinds[name]) for owner, start, name in mentions if owner == target]
            found = services.document_data(collection, document, target, emil)
            assert [(start, kind) for start, _, kind in found["marks"]] == planted
            seen |= {kind for _, kind in planted}
    assert seen == {"handle", "alias", "variant"}


def test_records_are_read_by_the_command_and_the_last_judgement_counts(
    workbench: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from dataclasses import asdict

    from lydite_workbench.corpus import services
    from lydite_workbench.corpus.tallies import tally_targets

    collection, (emil, rosa) = explored(workbench, "emil", "rosa")
    hits = (
        workbench.program(user=emil)
        .get("/api/v1/corpora/harbour/search", {"q": f"profile:{TARGET}"})
        .json()["hits"]
    )
    for person, answers in ((emil, (False, True, True)), (rosa, (True, False, True))):
        client = workbench.client(person)
        for place, mentioned in enumerate(answers):
            said = {"target_id": TARGET, "docid": hits[place]["document"], "mentioned": mentioned, "stars": 4}
            assert post(client, "/corpora/harbour/judgements", **said).status_code == 201
    again = {"target_id": TARGET, "docid": hits[0]["document"], "mentioned": True, "stars": 5, "note": "yes"}
    assert post(workbench.client(emil), "/corpora/harbour/judgements", **again).status_code == 201
    shown = services.document_data(collection, hits[0]["document"], TARGET, emil)
    assert (shown["judgement"]["stars"], shown["judgement"]["note"]) == (5, "yes")
    file = tmp_path / "j.jsonl"
    file.write_bytes(workbench.client(emil).get("/corpora/harbour/judgements.jsonl").content)
    there = by_command(capsys, "judgements", str(file))
    assert there["targets"] == [asdict(row) for row in tally_targets(collection).progress.values()]
    assert (there["records"], there["targets"][0]["agreement"]) == (8, 2 / 3)


@ON_SQLITE
@pytest.mark.parametrize("own", ["kind", "id", "user", "time"])
def test_nobody_says_who_judged_or_when_but_the_workbench(workbench: World, own: str) -> None:
    collection, (emil,) = explored(workbench, "emil")
    client = workbench.client(emil)
    document = client.get("/api/v1/corpora/harbour/search?q=the").json()["hits"][0]["document"]
    said = {"target_id": TARGET, "docid": document, "mentioned": True, own: "frida"}
    answer = post(client, "/corpora/harbour/judgements", **said)
    assert (answer.status_code, collection.entries.filter(kind="judgement").exists()) == (400, False)


@ON_SQLITE
@pytest.mark.parametrize(("note", "is_kept"), [("a\\u0000b", True), ("a\0b", False), ("a\ud800b", False)])
def test_a_note_may_spell_out_an_escape_but_not_hold_what_no_database_keeps(
    workbench: World, note: str, is_kept: bool
) -> None:
    from lydite_workbench.corpus.models import Collection
    from lydite_workbench.corpus.services import store_entry
    from lydite_workbench.problems import Refused

    campaign = workbench.campaign()
    collection = Collection.objects.create(campaign=campaign, slug="harbour", title="Harbour")
    said = {"id": "j1", "kind": "judgement", "note": note}
    with nullcontext() if is_kept else pytest.raises(Refused):
        assert store_entry(collection, said).data["note"] == note


def test_a_capture_holds_the_words_at_its_place(workbench: World) -> None:
    collection, (emil,) = explored(workbench, "emil")
    client = workbench.client(emil)
    document = json.loads((example() / "documents.jsonl").read_text(encoding="utf-8").splitlines()[0])
    said = {"docid": document["id"], "start": 4, "end": 11, "capture": "related", "target_id": TARGET}
    assert post(client, "/corpora/harbour/captures", **said).json()["text"] == document["text"][4:11]
    for wrong in (
        {"end": 10**6},
        {"capture": "other"},
        {"target_id": "T9"},
        {"docid": "none"},
        {"start": "4"},
    ):
        assert post(client, "/corpora/harbour/captures", **{**said, **wrong}).status_code == 400
    assert collection.entries.count() == 1
    nowhere = client.get("/corpora/harbour/document", {"id": "none"}).json()["detail"]
    assert nowhere == "no document 'none'"


def test_records_of_another_site_are_merged_by_id(workbench: World) -> None:
    from lydite.errors import FormatError
    from lydite_workbench.corpus import services
    from lydite_workbench.rights import Caller

    collection, _ = explored(workbench)
    north = (example() / "judgements-north.jsonl").read_bytes()
    count = len(north.splitlines())
    assert services.import_records(collection, upload("north.jsonl", north), caller=Caller()) == count
    assert services.import_records(collection, upload("north.jsonl", north), caller=Caller()) == 0
    changed = north.replace(b'"mentioned": 1', b'"mentioned": 0', 1)
    with pytest.raises(FormatError, match="found a different one with that id"):
        services.import_records(collection, upload("north.jsonl", changed), caller=Caller())
    assert services.json_lines(collection).encode().count(b"\n") == count


@ON_SQLITE
def test_the_page_says_once_how_many_records_came_in_and_nothing_that_a_link_says(workbench: World) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    from lydite_workbench.accounts.models import Role

    collection, (organiser,) = explored(workbench, "olga")
    workbench.role(organiser, collection.campaign, Role.ORGANISER)
    client = workbench.client(organiser)
    north = (example() / "judgements-north.jsonl").read_bytes()
    sent = {"file": SimpleUploadedFile("north.jsonl", north)}
    told = f"New records: {len(north.splitlines())}."
    assert told in client.post("/corpora/harbour/import", sent, follow=True).text
    page = client.get("/corpora/harbour", {"added": "Nobody is safe: 5"}).text
    assert told not in page
    assert "Nobody is safe" not in page


@ON_SQLITE
def test_what_cannot_be_a_collection_is_told(workbench: World) -> None:
    from lydite.errors import LyditeError
    from lydite_workbench.corpus import services
    from lydite_workbench.corpus.models import Collection
    from lydite_workbench.problems import sentence_of
    from lydite_workbench.rights import Caller

    campaign = workbench.campaign("harbour")
    good = upload("documents.jsonl", b'{"id": "a", "text": "one"}\n')
    for slug, texts, targets, why in (
        ("Not A Slug", [good], None, "lower-case"),
        ("c", [], None, "texts"),
        ("c", [good], upload("targets.jsonl", b'{"id": 1}\n'), "expected a text"),
    ):
        new = services.NewCollection(slug, "C", texts, targets)
        with pytest.raises(LyditeError) as refused:
            services.make_collection(campaign, new, caller=Caller())
        assert why in sentence_of(refused.value)
        assert str(workbench.files) not in sentence_of(refused.value)
    assert not Collection.objects.exists()


@ON_SQLITE
@pytest.mark.usefixtures("processes")
def test_an_index_that_is_gone_is_made_again(workbench: World) -> None:
    import shutil

    _, (emil,) = explored(workbench, "emil")
    shutil.rmtree(workbench.files / "indexes")
    program = workbench.program(user=emil)
    waits = program.get("/api/v1/corpora/harbour/search", {"q": "bread"})
    assert (waits.status_code, waits.json()["title"]) == (409, "not-indexed")
    assert "This page reloads itself" in workbench.client(emil).get("/corpora/harbour").content.decode()
    workbench.work()
    assert program.get("/api/v1/corpora/harbour/search", {"q": "bread"}).json()["total"] > 0


@ON_SQLITE
def test_texts_that_cannot_be_indexed_are_told_and_their_name_is_free_again(workbench: World) -> None:
    from lydite_workbench.corpus import services
    from lydite_workbench.corpus.models import Collection
    from lydite_workbench.rights import Caller

    campaign = workbench.campaign("harbour")
    olga = workbench.client(workbench.user("olga", administrator=True))
    twice = upload("twice.jsonl", b'{"id": "a", "text": "one"}\n{"id": "a", "text": "two"}\n')
    services.make_collection(campaign, services.NewCollection("c", "C", [twice]), caller=Caller())
    assert "waiting for a worker" in olga.get("/corpora/c").content.decode()
    workbench.work()
    shown = olga.get("/corpora/c").content.decode()
    assert "twice.jsonl:2" in shown
    assert str(workbench.files) not in shown
    assert olga.post("/corpora/c/index").status_code == 302
    assert Collection.objects.get().job_state == "waiting"
    workbench.work()
    good = upload("documents.jsonl", b'{"id": "a", "text": "one"}\n')
    services.make_collection(campaign, services.NewCollection("c", "C", [good]), caller=Caller())
    workbench.work()
    assert [(one.job_state, one.documents) for one in Collection.objects.all()] == [("done", 1)]


@ON_SQLITE
def test_an_index_job_tells_how_far_it_is(workbench: World, tmp_path: Path) -> None:
    from lydite_workbench.campaigns.errands import PROGRESS
    from lydite_workbench.campaigns.jobs import claim
    from lydite_workbench.corpus import services
    from lydite_workbench.corpus.indexing import INDEXING
    from lydite_workbench.corpus.models import Collection
    from lydite_workbench.rights import Caller

    good = upload("documents.jsonl", b'{"id": "a", "text": "one"}\n')
    new = services.NewCollection("c", "C", [good])
    services.make_collection(workbench.campaign("harbour"), new, caller=Caller())
    job = claim(Collection)
    assert job is not None
    assert INDEXING.report_progress is not None
    (tmp_path / PROGRESS).write_text("40")
    INDEXING.report_progress(job, tmp_path)
    olga = workbench.client(workbench.user("olga", administrator=True))
    assert "40 %" in olga.get("/corpora/c/state").content.decode()


def test_the_short_name_of_a_collection_is_as_long_as_can_be_kept(workbench: World) -> None:
    from lydite_workbench.corpus.exporting import _free_slug
    from lydite_workbench.corpus.models import Collection
    from lydite_workbench.corpus.services import NewCollection, make_collection
    from lydite_workbench.problems import Refused
    from lydite_workbench.rights import Caller

    campaign = workbench.campaign()
    texts = [upload("a.txt", b"a text")]
    for slug in ("x" * 81, "", "\u6797", "a b"):
        with pytest.raises(Refused):
            make_collection(campaign, NewCollection(slug, "Harbour", texts), caller=Caller())
    longest = "x" * 80
    make_collection(campaign, NewCollection(longest, "Harbour", texts), caller=Caller())
    Collection.objects.create(campaign=campaign, slug=_free_slug(longest), title="Again")
    assert sorted(map(len, Collection.objects.values_list("slug", flat=True))) == [74, 80]


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ({"id": "T1", "handle": "\ud800"}, b"T1: expected text, found half of a surrogate pair"),
        ({"id": "T\0", "handle": "bread"}, b"expected text, found the character with code 0"),
        ({"id": "T" * 201, "handle": "bread"}, b"id of a target: at most 200 characters, found 201"),
    ],
)
def test_targets_that_no_page_can_show_are_refused(
    workbench: World, target: dict[str, str], told: bytes
) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    collection, _ = explored(workbench)
    before = collection.files.count()
    organiser = workbench.client(workbench.user("olga", administrator=True))
    line = json.dumps(target).encode()
    new = {"slug": "new", "title": "New", "texts": SimpleUploadedFile("a.txt", b"a text")}
    for place, form in (
        ("/corpora/harbour/targets/change", {"file": SimpleUploadedFile("targets.jsonl", line)}),
        ("/campaigns/harbour/corpora/new", {**new, "targets": SimpleUploadedFile("targets.jsonl", line)}),
    ):
        answer = organiser.post(place, form)
        assert (answer.status_code, told in answer.content) == (400, True)
    assert collection.files.count() == before
    assert organiser.get("/corpora/harbour").status_code == 200
