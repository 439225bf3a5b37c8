"""An assessment in the export of its campaign: the store, and everything that it comes from; and back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lydite.workbench.assessment.judgements import recount
from lydite.workbench.assessment.models import Grouping, Item, Judgement, Pool, PooledDocument, Ruling, Seat
from lydite.workbench.assessment.pools import rounds_of
from lydite.workbench.assessment.stores import store_files
from lydite.workbench.campaigns.exporting import Entry
from lydite.workbench.campaigns.models import Campaign
from lydite.workbench.campaigns.stand_ins import Masks, StandIns, instant, json_lines, lines_in
from lydite.workbench.store import path_of, store, store_file

ROOM = "assessment"
SAID = ("answers", "note", "flagged", "seconds", "guidelines")


def export_entries(campaign: Campaign) -> Iterator[Entry]:
    """The annotation store as ``lydite assess`` reads it, and beside it pool, judgements, groupings and rulings."""
    pool = Pool.objects.filter(campaign=campaign).first()
    if pool is None:
        return
    people = Masks(campaign)
    runs = {run.public_id: run.label for run in pool.runs.select_related("team")}
    rounds = [{**one, "runs": [runs[run] for run in one["runs"]]} for one in rounds_of(pool)]
    yield _json("pool.json", {**_pool(pool), "rounds": rounds})
    documents = pool.documents.prefetch_related("items", "taken")
    yield Entry(f"{ROOM}/documents.jsonl", json_lines(_document(one, people) for one in documents))
    judgements = Judgement.objects.filter(item__document__pool=pool).select_related("item__document")
    yield Entry(
        f"{ROOM}/judgements.jsonl",
        json_lines(
            {
                "id": one.pk,
                "document": one.item.document.doc_id,
                "item": one.item.key,
                "assessor": people.of(one.assessor_id),
                "at": one.at.isoformat(),
                **{name: getattr(one, name) for name in SAID},
            }
            for one in judgements.order_by("id").iterator()
        ),
    )
    groupings = Grouping.objects.filter(document__pool=pool).select_related("document").order_by("id")
    yield Entry(
        f"{ROOM}/groupings.jsonl",
        json_lines(
            {
                "id": one.pk,
                "document": one.document.doc_id,
                "assessor": people.of(one.assessor_id),
                "classes": one.classes,
                "at": one.at.isoformat(),
            }
            for one in groupings
        ),
    )
    rulings = Ruling.objects.filter(document__pool=pool).select_related("document", "item").order_by("id")
    yield Entry(
        f"{ROOM}/rulings.jsonl",
        json_lines(
            {
                "document": one.document.doc_id,
                "item": one.item.key if one.item else None,
                "judgement": one.judgement_id,
                "grouping": one.grouping_id,
                "adjudicator": people.of(one.adjudicator_id),
                "at": one.at.isoformat(),
            }
            for one in rulings
        ),
    )
    if pool.guidelines_file_id is not None:
        yield Entry(f"{ROOM}/guidelines.toml", path_of(pool.guidelines_file_id))
    for doc_id, data in store_files(pool).items():
        yield Entry(f"{ROOM}/store/{doc_id}", data)


def _json(name: str, value: object) -> Entry:
    return Entry(f"{ROOM}/{name}", json.dumps(value, indent=2, sort_keys=True).encode())


def _pool(pool: Pool) -> dict[str, object]:
    return {
        "rules": pool.rules,
        "twice": pool.twice,
        "guidelines": pool.guidelines,
        "runs": sorted(run.label for run in pool.runs.select_related("team")),
        "created": pool.created.isoformat(),
        "frozen": pool.frozen.isoformat() if pool.frozen else None,
        "gold": pool.gold.number if pool.gold else None,
    }


def _document(document: PooledDocument, people: Masks) -> dict[str, object]:
    return {
        "document": document.doc_id,
        "seats": document.seats,
        "items": [[item.key, item.columns] for item in document.items.all()],
        "taken": [
            {
                "assessor": people.of(seat.assessor_id),
                "number": seat.number,
                "until": seat.until.isoformat(),
                "finished": seat.finished.isoformat() if seat.finished else None,
            }
            for seat in document.taken.all()
        ],
    }


# ------------------------------------------------------------------------------------------------------- reading


def import_entries(campaign: Campaign, folder: Path) -> None:
    """Read an assessment that was exported; accounts that nobody can use stand for its people."""
    room = folder / ROOM
    if not (room / "pool.json").is_file():
        return
    told = json.loads((room / "pool.json").read_bytes())
    pool = _import_pool(campaign, told, room)
    people = StandIns(campaign)
    items: dict[tuple[str, str], Item] = {}
    for position, line in enumerate(lines_in(room / "documents.jsonl")):
        items |= _import_document(pool, position, line, people)
    judgements: dict[int, Judgement] = {}
    for line in lines_in(room / "judgements.jsonl"):
        judgements[line["id"]] = Judgement.objects.create(
            item=items[line["document"], line["item"]],
            assessor=people.named(line["assessor"]),
            at=instant(line["at"]),
            **{name: line[name] for name in SAID},
        )
    documents = {document.doc_id: document for document in pool.documents.all()}
    groupings = {
        line["id"]: Grouping.objects.create(
            document=documents[line["document"]],
            assessor=people.named(line["assessor"]),
            classes=line["classes"],
            at=instant(line["at"]),
        )
        for line in lines_in(room / "groupings.jsonl")
    }
    for line in lines_in(room / "rulings.jsonl"):
        Ruling.objects.create(
            document=documents[line["document"]],
            item=items[line["document"], line["item"]] if line["item"] else None,
            judgement=judgements[line["judgement"]] if line["judgement"] else None,
            grouping=groupings[line["grouping"]] if line["grouping"] else None,
            adjudicator=people.named(line["adjudicator"]),
            at=instant(line["at"]),
        )
    for seat in Seat.objects.filter(document__pool=pool).select_related("document", "assessor"):
        recount(seat)


def _import_pool(campaign: Campaign, told: dict[str, Any], room: Path) -> Pool:
    runs = {run.label: run for run in campaign.runs.select_related("team")}
    rounds = [{**one, "runs": [runs[label].public_id for label in one["runs"]]} for one in told["rounds"]]
    own = room / "guidelines.toml"
    pool = Pool.objects.create(
        campaign=campaign,
        rules=told["rules"],
        twice=told["twice"],
        guidelines=told["guidelines"],
        guidelines_file=store_file(own) if own.is_file() else None,
        manifest=store(json.dumps({"rounds": rounds}, sort_keys=True).encode()),
        created=instant(told["created"]),
        frozen=instant(told["frozen"]) if told["frozen"] else None,
        gold=campaign.golds.filter(number=told["gold"]).first() if told["gold"] else None,
    )
    pool.runs.set([runs[label] for label in told["runs"]])
    return pool


def _import_document(
    pool: Pool, position: int, line: dict[str, Any], people: StandIns
) -> dict[tuple[str, str], Item]:
    document = PooledDocument.objects.create(
        pool=pool,
        doc_id=line["document"],
        position=position,
        seats=line["seats"],
        size=len(line["items"]),
    )
    items = Item.objects.bulk_create(
        Item(document=document, key=key, position=place, columns=columns)
        for place, (key, columns) in enumerate(line["items"])
    )
    for seat in line["taken"]:
        Seat.objects.create(
            document=document,
            assessor=people.named(seat["assessor"]),
            number=seat["number"],
            until=instant(seat["until"]),
            finished=instant(seat["finished"]) if seat["finished"] else None,
        )
    return {(document.doc_id, item.key): item for item in items}
