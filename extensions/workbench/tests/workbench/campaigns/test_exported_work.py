"""What people judged, decided and explored goes with a campaign, and comes back as it was."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from workbench.adjudication.test_adjudication import target_queue
from workbench.assessment.test_assessment import RIGHT, differences_of, judge_document, two_who_differ
from workbench_world import ON_SQLITE, World, upload

if TYPE_CHECKING:
    from lydite_workbench.campaigns.models import Campaign


def unpacked(campaign: Campaign, folder: Path) -> Path:
    from lydite_workbench.campaigns.exporting import export

    export(campaign, folder / "campaign.zip", actor="test")
    with zipfile.ZipFile(folder / "campaign.zip") as archive:
        archive.extractall(folder / "export")
    return folder / "export"


def test_an_assessment_goes_with_its_campaign_and_is_gone_on_with_elsewhere(
    workbench: World, tmp_path: Path
) -> None:
    from lydite.assess.stores import open_annotation
    from lydite_workbench.assessment import differences, judgements, progress, stores
    from lydite_workbench.campaigns.exporting import import_campaign

    pool, (anna, _) = two_who_differ(workbench)
    differences.rule(differences_of(pool)[0], 1, workbench.user("carla"))
    judge_document(pool, anna, {**RIGHT, "mention type": "NOMINAL"})
    folder = unpacked(pool.campaign, tmp_path)
    store = dict(stores.store_files(pool.documents.all()))
    assert {name: (folder / "assessment/store" / name).read_bytes() for name in store} == store
    assert list(open_annotation(folder / "assessment/store").doc_ids) == sorted(store)
    written = b"".join(path.read_bytes() for path in (folder / "assessment").glob("*.json*")).decode()
    assert not any(name in written for name in ("anna", "carla"))

    again = import_campaign(folder, actor="test", slug="again").pool
    assert dict(stores.store_files(again.documents.all())) == store
    assert progress.progress_of(again) == progress.progress_of(pool)
    assert differences.compare_assessors(again) == differences.compare_assessors(pool)
    told = [sorted((pace.judged, pace.finished) for pace in progress.paces_of(one)) for one in (again, pool)]
    assert told[0] == told[1]
    dora = workbench.user("dora")
    assert judgements.take_seat(again, dora) is not None, "somebody new goes on with it"
    assert all(not seat.assessor.is_active for seat in again.documents.get(position=0).taken.all())


def test_decisions_go_with_their_campaign(workbench: World, tmp_path: Path) -> None:
    from lydite_workbench.adjudication import services
    from lydite_workbench.campaigns.exporting import import_campaign

    queue, (ann,) = target_queue(workbench, "ann")
    for item in queue.items.all()[:3]:
        services.decide(item, ann, "up", note="seen")
    folder = unpacked(queue.campaign, tmp_path)
    assert (folder / "adjudication/1/decisions.tsv").read_text().count("\tup\t") == 3
    again = import_campaign(folder, actor="test", slug="again").queues.get()
    now, before = (services.target_scores(one) for one in (again, queue))
    assert (now["systems"], now["before"]) == (before["systems"], before["before"])


@ON_SQLITE
def test_a_collection_goes_with_its_campaign_and_is_indexed_anew(workbench: World, tmp_path: Path) -> None:
    pytest.importorskip("tantivy", reason="the search engine is an extra: pip install lydite[corpus]")
    from lydite_workbench.campaigns.exporting import import_campaign
    from lydite_workbench.corpus import services
    from workbench.corpus.test_choosing import judged
    from workbench.corpus.test_exploring import explored

    collection, _ = explored(workbench)
    judged(collection)
    folder = unpacked(collection.campaign, tmp_path)
    (again,) = import_campaign(folder, actor="test", slug="again").collections.all()
    assert again.slug == "harbour-2", "the name is taken here"
    workbench.work()
    again.refresh_from_db()
    assert again.documents == collection.documents
    assert services.json_lines(again) == services.json_lines(collection)
    wish = services.TargetChoice(12, 150)
    assert services.target_board(again, wish) == services.target_board(collection, wish)


@ON_SQLITE
@pytest.mark.parametrize("damage", [{"item": "nobody knows it"}, {"seconds": None}, {"flagged": 5}])
def test_nothing_of_a_damaged_export_is_taken_over(
    workbench: World, tmp_path: Path, damage: dict[str, object]
) -> None:
    from lydite.errors import UsageError
    from lydite_workbench.campaigns.exporting import import_campaign
    from lydite_workbench.campaigns.models import Campaign

    pool, _ = two_who_differ(workbench)
    folder = unpacked(pool.campaign, tmp_path)
    lines = (folder / "assessment/judgements.jsonl").read_text().splitlines()
    broken = json.loads(lines[0]) | damage
    (folder / "assessment/judgements.jsonl").write_text("\n".join([json.dumps(broken), *lines[1:]]))
    with pytest.raises(UsageError, match="the export is damaged"):
        import_campaign(folder, actor="test", slug="again")
    assert not Campaign.objects.filter(slug="again").exists()


@ON_SQLITE
@pytest.mark.parametrize(
    ("place", "said", "instead"),
    [
        ("manifest.json", "runs/alder-1/run.tbf", "../secret"),
        ("campaign.toml", "[settings]", '[settings]\ndocuments = "../secret"'),
        ("campaign.toml", 'profile = "kbp2017"', 'profile = "../secret.toml"'),
    ],
)
def test_an_export_that_names_files_outside_of_it_is_refused(
    workbench: World, tmp_path: Path, place: str, said: str, instead: str
) -> None:
    from lydite.errors import UsageError
    from lydite_workbench.campaigns.exporting import import_campaign
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run

    campaign = workbench.campaign()
    workbench.phase(campaign)
    accept_run(workbench.team(campaign, "alder"), upload("run.tbf", b"a run"), RunDescription(), actor="test")
    folder = unpacked(campaign, tmp_path)
    for name in ("secret", "secret.toml"):
        (tmp_path / name).write_text("what lies on the disk of the server")
    (folder / place).write_text((folder / place).read_text().replace(said, instead))
    with pytest.raises(UsageError, match=r"the export is damaged .*is outside of it"):
        import_campaign(folder, actor="test", slug="again")
