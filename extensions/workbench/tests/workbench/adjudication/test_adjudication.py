"""ACE targets and annotators who differ: decisions add up, judges are blind to each other, commands agree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lydite.writing import archive_bytes
from workbench_world import ON_SQLITE, ROOT, World, some_documents, upload, zipped

if TYPE_CHECKING:
    from django.http import HttpResponse

    from lydite_workbench.accounts.models import User
    from lydite_workbench.adjudication.models import Queue
    from lydite_workbench.campaigns.models import Campaign
    from lydite_workbench.store import Upload

EXAMPLES = ROOT / "examples"


def target_queue(
    world: World, *judges: str, profile: str = "ace08-global", more_targets: bytes = b"", **more: Any
) -> tuple[Queue, list[User]]:
    """What two example systems found for the example targets, and people to judge it."""
    from lydite_workbench.accounts.models import Role
    from lydite_workbench.adjudication import services
    from lydite_workbench.campaigns.models import GoldVersion, Run
    from lydite_workbench.rights import Caller
    from lydite_workbench.store import stored_file_row

    campaign = world.campaign("entities", task="ace", profile=profile, signature="lydite|t:ace", **more)
    gold = upload("gold.zip", zipped(EXAMPLES / "ace" / "gold"))
    campaign.gold = GoldVersion.objects.create(
        campaign=campaign, number=1, name="gold.zip", file=stored_file_row(gold.digest, gold.size)
    )
    campaign.save()
    phase = world.phase(campaign)
    for name in ("alder", "birch"):
        sent = upload(f"{name}.zip", zipped(EXAMPLES / "ace" / "systems" / name))
        team = world.team(campaign, name)
        file = stored_file_row(sent.digest, sent.size)
        Run.objects.create(
            campaign=campaign,
            phase=phase,
            team=team,
            number=1,
            file=file,
            file_name=sent.name,
            state="scored",
        )
    people = [world.user(name) for name in judges]
    for person in people:
        world.role(person, campaign, Role.ADJUDICATOR)
    targets = upload("targets.jsonl", (EXAMPLES / "ace" / "targets.jsonl").read_bytes() + more_targets)
    runs = list(campaign.runs.order_by("pk"))
    return services.make_target_queue(campaign, runs, targets, caller=Caller()), people


def annotator_queue(world: World) -> Queue:
    from lydite_workbench.adjudication import services
    from lydite_workbench.rights import Caller

    files = [upload(f"{n}.tbf", (EXAMPLES / "systems" / f"{n}.tbf").read_bytes()) for n in ("alder", "birch")]
    return services.make_annotator_queue(world.campaign("annotators"), files, caller=Caller())


def by_command(
    queue: Queue, folder: Path, capsys: pytest.CaptureFixture[str], profile: str | None = None
) -> dict[str, Any]:
    """The report of the commands on the same files and decisions."""
    from lydite.cli import run
    from lydite_workbench.adjudication import services
    from lydite_workbench.store import path_under_name

    kept = queue.files.get()
    decisions, lines = folder / "decisions.tsv", folder / "queue.tsv"
    decisions.write_text(services.decisions_file(queue), encoding="utf-8")
    files = [str(EXAMPLES / "ace" / part) for part in ("gold", "systems/alder", "systems/birch")]
    targets = [
        "--targets",
        str(path_under_name(kept.file_id, kept.name)),
        "--profile",
        profile or queue.campaign.profile,
    ]
    run(["assess", "queue", *files, *targets, "-o", str(lines)])
    capsys.readouterr()
    options = ["--queue", str(lines), "--decisions", str(decisions), "--resamples", "0", "--format", "json"]
    run(["assess", "apply", *files, *targets, *options])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_judges_are_shown_names_and_facts_of_a_target_in_words(workbench: World) -> None:
    known = (
        b'{"id": "ostrey", "handle": "Ostrey", "aliases": null, "variants": ["old Ostrey", {"text": "O."}],'
    )
    facts = b' "facts": [{"text": "a harbour", "source": "atlas"}, {"text": "small"}, "in the north"]}\n'
    queue, _ = target_queue(workbench, more_targets=known + facts)
    told = [item.data["target"] for item in queue.items.all() if "Ostrey" in item.data["title"]]
    assert told[0]["facts"] == ["a harbour (atlas)", "small", "in the north"]
    assert [name["text"] for name in told[0]["names"]] == ["old Ostrey", "O."]


@ON_SQLITE
def test_nobody_waits_for_the_database_while_the_items_of_a_queue_are_looked_for(
    workbench: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lydite_workbench.adjudication import services

    stored: list[str] = []

    def storing_meanwhile(name: str) -> None:
        real = getattr(services, name)

        def slow(*words: Any) -> Any:
            assert workbench.can_store()
            stored.append(name)
            return real(*words)

        monkeypatch.setattr(services, name, slow)

    storing_meanwhile("read_corpora")
    storing_meanwhile("adjudicate_files")
    target_queue(workbench)
    annotator_queue(workbench)
    assert stored == ["read_corpora", "adjudicate_files"]


def test_figures_after_decisions_are_those_of_the_commands(
    workbench: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from lydite_workbench.adjudication import services

    queue, (ann, bob) = target_queue(workbench, "ann", "bob")
    for place, item in enumerate(queue.items.all()):
        services.decide(item, ann, services.UP if place % 3 else services.DOWN)
        services.decide(item, bob, services.UP if place % 2 else services.UNSURE)
    here = services.target_scores(queue)
    there = by_command(queue, tmp_path, capsys)
    assert list(here["systems"].values()) == list(there["systems"].values())
    assert here["agreement"] == there["agreement"]
    page = workbench.client(workbench.user("olga", administrator=True)).get(
        f"/queues/{queue.public_id}/scores"
    )
    after = here["systems"]["birch-1"]["after"]["b3_precision"]
    before = here["before"]["birch-1"]["after"]["b3_precision"]
    assert before != after
    assert f">{100 * before:.2f}</td>" in page.content.decode()
    assert f">{100 * after:.2f}</td>" in page.content.decode()
    value = here["systems"]["birch-1"]["after"]["ace_value_plus"]
    assert f">{value:.2f}</td>" in page.content.decode()


def test_figures_after_decisions_are_of_the_gold_that_the_queue_goes_beyond(workbench: World) -> None:
    from lydite_workbench.adjudication import services
    from lydite_workbench.campaigns.models import GoldVersion

    queue, (ann,) = target_queue(workbench, "ann")
    for item in queue.items.all():
        services.decide(item, ann, services.UP)
    before = services.target_scores(queue)
    campaign = queue.campaign
    files = sorted((EXAMPLES / "ace" / "gold").iterdir())[2:]
    fewer = upload("fewer.zip", archive_bytes((file.name, file.read_bytes()) for file in files))
    campaign.gold = GoldVersion.objects.create(campaign=campaign, number=2, name=fewer.name, file=fewer.row)
    campaign.save()
    assert services.target_scores(queue) == before
    olga = workbench.client(workbench.user("olga", administrator=True))
    assert "gold 2 is the current gold" in olga.get(f"/queues/{queue.public_id}/scores").text


def test_a_queue_of_targets_heeds_the_settings_of_its_campaign(
    workbench: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from lydite_workbench.adjudication import services

    queue, (ann,) = target_queue(workbench, "ann", settings={"use-mentions": True})
    for item in queue.items.all():
        services.decide(item, ann, services.UP)
    here = services.target_scores(queue)
    there = by_command(queue, tmp_path, capsys, "ace08-global-mentions")
    assert here["granularity"] == there["granularity"] == "mention"
    assert list(here["systems"].values()) == list(there["systems"].values())


def test_the_queue_names_no_system(workbench: World) -> None:
    queue, (ann,) = target_queue(workbench, "ann")
    shown = workbench.program(user=ann).get(f"/queues/{queue.public_id}/items").content.decode()
    assert "alder" not in shown
    assert "birch" not in shown


def test_judges_are_blind_to_each_other_and_the_last_decision_counts(workbench: World) -> None:
    from lydite_workbench.adjudication import services

    queue, (ann, bob) = target_queue(workbench, "ann", "bob")
    item = queue.items.first()
    assert item is not None
    client = workbench.program(user=ann)
    url = f"/api/v1/items/{item.public_id}/judgements"
    for decision in ("up", "down"):
        assert client.post(url, json.dumps({"decision": decision}), "application/json").status_code == 201
    assert services.decisions_by(queue, ann)[item.public_id].decision == "down"
    assert not services.decisions_by(queue, bob)
    assert [line.decision for line in services.current_decisions(queue)] == ["down"]
    assert client.post(url, json.dumps({"decision": ""}), "application/json").status_code == 201
    assert not services.current_decisions(queue)
    refused = client.post(url, json.dumps({"decision": "maybe"}), "application/json")
    assert (refused.status_code, "expected one of" in refused.json()["detail"]) == (400, True)


def test_decisions_between_annotators_give_the_gold_of_the_command(workbench: World, tmp_path: Path) -> None:
    import csv

    import lydite
    from lydite.formats import FORMATS
    from lydite_workbench.adjudication import services
    from lydite_workbench.problems import Refused

    queue = annotator_queue(workbench)
    judge = workbench.user("ann")
    with pytest.raises(Refused, match="not decided yet"):
        services.gold_from(queue)
    letters = ["a", "b", "both", "neither"]
    for place, item in enumerate(queue.items.all()):
        services.decide(item, judge, letters[place % 4])
    found = lydite.adjudicate(*(EXAMPLES / "systems" / f"{name}.tbf" for name in ("alder", "birch")))
    sheet = tmp_path / "sheet.csv"
    rows = list(found.sheet())
    for place, row in enumerate(rows[1:]):
        row[-3] = letters[place % 4]
    with open(sheet, "w", encoding="utf-8", newline="") as stream:  # noqa: PTH123 - text in, text out
        csv.writer(stream).writerows(rows)
    write = FORMATS["tbf"].write
    assert write is not None
    assert write(services.gold_from(queue)) == write(found.gold(sheet)[0])
    assert services.gold_file(queue, "tbf") == ("gold.tbf", write(found.gold(sheet)[0]))


def test_gold_is_written_in_every_format_that_the_page_offers_and_in_no_other(
    workbench: World, tmp_path: Path
) -> None:
    import re

    import lydite

    queue = annotator_queue(workbench)
    organiser = workbench.client(workbench.user("olga", administrator=True))
    page = organiser.get("/campaigns/annotators/adjudication").content.decode()
    offered = re.findall("<option>([a-z-]+)</option>", page)
    url = f"/queues/{queue.public_id}/gold?undecided=a&to="
    plain = tmp_path / "gold.tbf"
    plain.write_bytes(organiser.get(f"{url}tbf").content)
    for name in offered:
        answer = organiser.get(f"{url}{name}")
        file = tmp_path / re.findall('filename="(.*)"', answer["Content-Disposition"])[0]
        file.write_bytes(answer.content)
        assert lydite.score(plain, file, task="nugget").headline_score() == 1
    assert offered == ["tbf", "lydite", "brat"]
    assert [organiser.get(f"{url}{name}").status_code for name in ("conll", "eal", "triples")] == [400] * 3


def test_what_cannot_be_queued_is_told(workbench: World) -> None:
    from lydite_workbench.adjudication import services
    from lydite_workbench.problems import Refused
    from lydite_workbench.rights import Caller

    campaign = workbench.campaign("nuggets")
    with pytest.raises(Refused, match="needs a campaign of ACE"):
        services.make_target_queue(campaign, [], upload("t", b"x"), caller=Caller())
    with pytest.raises(Refused, match="at least two annotators"):
        services.make_annotator_queue(campaign, [upload("a.tbf", b"")], caller=Caller())


def test_an_edited_value_is_checked_when_it_is_decided_and_sent_twice_is_kept_once(workbench: World) -> None:
    from lydite_workbench.adjudication import services
    from lydite_workbench.adjudication.models import Decision
    from lydite_workbench.problems import Refused

    item = annotator_queue(workbench).items.first()
    assert item is not None
    ann = workbench.user("ann")
    with pytest.raises(Refused, match=r"expected .*, found 'nonsense'"):
        services.decide(item, ann, "edit", edited="nonsense")
    shown = next(said["shown"] for said in item.data["said"] if said["shown"])
    for unsound in (shown.rpartition("|")[0] + "| Acutal", shown.partition("|")[0] + "| | Actual"):
        with pytest.raises(Refused, match="Actual, Generic or Other"):
            services.decide(item, ann, "edit", edited=unsound)
    for _ in range(2):
        services.decide(item, ann, "edit", edited=shown)
    assert Decision.objects.count() == 1


@ON_SQLITE
def test_an_edited_value_counts_also_without_a_decision(workbench: World) -> None:
    from lydite_workbench.adjudication import services

    queue = annotator_queue(workbench)
    item, ann = queue.items.first(), workbench.user("ann")
    assert item is not None
    shown = next(said["shown"] for said in item.data["said"] if said["shown"])
    services.decide(item, ann, "", edited=shown)
    (kept,) = services.current_decisions(queue)
    assert (kept.decision, kept.edited) == ("edit", shown)


def test_a_queue_of_annotators_heeds_files_that_came_with_the_campaign(workbench: World) -> None:
    campaign, answer = _queue_beside(workbench, "type-list", "types.txt", b"Conflict_Attack\n", "systems")
    page = answer.content.decode()
    assert (answer.status_code, "is not in types.txt" in page) == (400, True)
    assert str(workbench.files) not in page
    assert not campaign.queues.exists()


def test_pages_unpack_no_archive_that_came_with_the_campaign(
    workbench: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lydite_workbench.campaigns import errands

    monkeypatch.delattr(errands, "_unpacked")
    short = archive_bytes([("nw01-depot.tab", b"token_id\ttoken\tbegin\tend\nt0\tThe\t0\t2\n")])
    campaign, answer = _queue_beside(workbench, "tokens", "tokens.zip", short, "systems-tokens")
    assert (answer.status_code, campaign.queues.count()) == (302, 1)


def _queue_beside(
    workbench: World, setting: str, name: str, data: bytes, systems: str
) -> tuple[Campaign, HttpResponse]:
    """A campaign with one file of a setting, and what is answered to two annotators there."""
    from django.core.files.uploadedfile import SimpleUploadedFile

    from lydite_workbench.campaigns.models import CampaignFile

    campaign = workbench.campaign("annotators", profile="kbp2017" if systems == "systems" else "kbp2015")
    CampaignFile.objects.create(campaign=campaign, setting=setting, name=name, file=upload(name, data).row)
    client = workbench.client(workbench.user("olga", administrator=True))
    first, second = (
        SimpleUploadedFile(f"{one}.tbf", (EXAMPLES / systems / f"{one}.tbf").read_bytes())
        for one in ("alder", "birch")
    )
    both = {"first": first, "second": second}
    return campaign, client.post("/campaigns/annotators/adjudication/annotators", both)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (b"df\0", "expected text, found a null character"),
        (b"d" * 400, "id of an item: at most 300 characters, found 402"),
    ],
)
def test_a_queue_whose_items_no_database_keeps_is_refused(workbench: World, name: bytes, told: str) -> None:
    from lydite.errors import LyditeError
    from lydite_workbench.adjudication import services
    from lydite_workbench.rights import Caller

    campaign = workbench.campaign("annotators")
    files = [
        upload(f"{one}.tbf", some_documents(f"examples/systems/{one}.tbf").replace(b"df01-boots", name))
        for one in ("alder", "birch")
    ]
    with pytest.raises(LyditeError, match=told):
        services.make_annotator_queue(campaign, files, caller=Caller())
    assert not campaign.queues.exists()


def test_what_is_found_for_targets_is_not_edited(workbench: World) -> None:
    from lydite_workbench.adjudication import services
    from lydite_workbench.problems import Refused

    queue, (ann,) = target_queue(workbench, "ann")
    with pytest.raises(Refused, match="only items of annotators"):
        services.decide(queue.items.all()[0], ann, "up", edited="x")


def test_texts_given_with_annotators_are_shown_around_what_they_differ_on(workbench: World) -> None:
    from lydite_workbench.adjudication import services
    from lydite_workbench.problems import Refused
    from lydite_workbench.rights import Caller

    campaign = workbench.campaign("annotators")
    files = [
        upload(f"{name}.tbf", some_documents(f"examples/systems/{name}.tbf")) for name in ("alder", "birch")
    ]
    with pytest.raises(Refused, match="no text of a document"):
        services.make_annotator_queue(campaign, files, texts=zipped_texts("other"), caller=Caller())
    assert not campaign.queues.exists()
    doc_id = "df01-boots"
    queue = services.make_annotator_queue(campaign, files, texts=zipped_texts(doc_id), caller=Caller())
    item = next(item for item in queue.items.all() if item.data["document"] == doc_id)
    client = workbench.client(workbench.user("olga", administrator=True))
    text = client.get(f"/queue-items/{item.public_id}/text").json()["text"]
    assert text == (ROOT / "examples" / "text" / f"{doc_id}.txt").read_text(encoding="utf-8")
    start, end = item.data["mark"]
    assert f"{start},{end}" in str(item.data["said"])


def zipped_texts(doc_id: str) -> Upload:
    text = (EXAMPLES / "text" / "df01-boots.txt").read_bytes()
    return upload("texts.zip", archive_bytes([(f"{doc_id}.txt", text)]))


def test_a_target_is_decided_as_the_command_counts_it_without_who_is_unsure(workbench: World) -> None:
    from lydite_workbench.adjudication.models import Queue, QueueItem
    from lydite_workbench.adjudication.services import decide, queues_of

    campaign = workbench.campaign()
    queue = Queue.objects.create(campaign=campaign, kind="targets", title="q")
    people = [workbench.user(name) for name in ("anna", "ben")]
    for name, votes in {"i1": ("up", "unsure"), "i2": ("unsure", "unsure"), "i3": ("up", "down")}.items():
        item = QueueItem.objects.create(queue=queue, name=name, position=0, data={"document": "d"})
        for person, vote in zip(people, votes, strict=True):
            decide(item, person, vote)
    (told,) = queues_of(campaign)
    assert (told.items, told.decided, told.judges) == (3, 1, 2)
