"""The assessment in the export of a campaign: the store and everything that it is made from; and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from lydite_workbench.accounts.models import User
from lydite_workbench.assessment.judgements import recount_seat
from lydite_workbench.assessment.models import (
    Grouping,
    Judgement,
    Pool,
    PooledDocument,
    PooledItem,
    Ruling,
    Seat,
)
from lydite_workbench.assessment.pools import rounds_of
from lydite_workbench.assessment.stores import store_files
from lydite_workbench.campaigns.exporting import ExportFiles, pseudonyms_of, stand_ins_for
from lydite_workbench.campaigns.models import Campaign
from lydite_workbench.records import fields_from, fields_of, json_lines, lines_in
from lydite_workbench.store import store, store_file, stored_pieces

ROOM = "assessment"
POOL = ("rules", "twice", "guidelines", "created", "frozen")
SEAT = ("number", "until", "finished")
JUDGEMENT = ("answers", "note", "flagged", "seconds", "guidelines", "at")
GROUPING = ("classes", "at")
RULING = ("at",)
"""The fields of rows that are written and read as they are."""
AT_ONCE = 100
"""How many documents are looked up together."""


def export_entries(campaign: Campaign) -> ExportFiles:
    """The annotation store for ``lydite assess``, and the pool, judgements, groupings and rulings behind it."""
    pool = Pool.objects.filter(campaign=campaign).first()
    if pool is None:
        return
    pseudonym_of = pseudonyms_of(campaign)
    documents = pool.documents.prefetch_related("items", "taken")
    yield f"{ROOM}/pool.json", json.dumps(_pool(pool), indent=2, sort_keys=True).encode()
    for name, records in {
        "documents": (_document(one, pseudonym_of) for one in documents.iterator(chunk_size=AT_ONCE)),
        "judgements": _judgements(pool, pseudonym_of),
        "groupings": _groupings(pool, pseudonym_of),
        "rulings": _rulings(pool, pseudonym_of),
    }.items():
        yield f"{ROOM}/{name}.jsonl", json_lines(records)
    if pool.guidelines_file_id is not None:
        yield f"{ROOM}/guidelines.toml", stored_pieces(pool.guidelines_file_id)
    for doc_id, data in store_files(pool.documents.all()):
        yield f"{ROOM}/store/{doc_id}", data


def _pool(pool: Pool) -> dict[str, object]:
    labels = {run.public_id: run.label for run in pool.runs.select_related("team")}
    return {
        **fields_of(pool, POOL),
        "runs": sorted(labels.values()),
        "gold": pool.gold.number if pool.gold else None,
        "rounds": [
            {**one, "runs": [[labels[run] for run in runs] for runs in one["runs"]]}
            for one in rounds_of(pool)
        ],
    }


def _document(document: PooledDocument, pseudonym_of: Callable[[int], str]) -> dict[str, object]:
    return {
        "document": document.doc_id,
        "seats": document.seats,
        "items": [[item.key, item.columns] for item in document.items.all()],
        "taken": [
            {"assessor": pseudonym_of(seat.assessor_id), **fields_of(seat, SEAT)}
            for seat in document.taken.all()
        ],
    }


def _judgements(pool: Pool, pseudonym_of: Callable[[int], str]) -> Iterator[dict[str, object]]:
    found = Judgement.objects.filter(item__document__pool=pool).select_related("item__document")
    for one in found.order_by("id").iterator():
        yield {
            "id": one.pk,
            "document": one.item.document.doc_id,
            "item": one.item.key,
            "assessor": pseudonym_of(one.assessor_id),
            **fields_of(one, JUDGEMENT),
        }


def _groupings(pool: Pool, pseudonym_of: Callable[[int], str]) -> Iterator[dict[str, object]]:
    for one in Grouping.objects.filter(document__pool=pool).select_related("document").order_by("id"):
        yield {
            "id": one.pk,
            "document": one.document.doc_id,
            "assessor": pseudonym_of(one.assessor_id),
            **fields_of(one, GROUPING),
        }


def _rulings(pool: Pool, pseudonym_of: Callable[[int], str]) -> Iterator[dict[str, object]]:
    for one in Ruling.objects.filter(document__pool=pool).select_related("document", "item").order_by("id"):
        yield {
            "document": one.document.doc_id,
            "item": one.item.key if one.item else None,
            "judgement": one.judgement_id,
            "grouping": one.grouping_id,
            "adjudicator": pseudonym_of(one.adjudicator_id),
            **fields_of(one, RULING),
        }


# ------------------------------------------------------------------------------------------------------- reading


def import_entries(campaign: Campaign, folder: Path) -> None:
    """Read an exported assessment; accounts that nobody can sign in to stand for its people."""
    room = folder / ROOM
    if not (room / "pool.json").is_file():
        return
    pool = _import_pool(campaign, room)
    person_named = stand_ins_for(campaign)
    items = _import_documents(pool, room, person_named)
    judgements: dict[int, Judgement] = {}
    for line in lines_in(room / "judgements.jsonl"):
        judgements[line["id"]] = Judgement.objects.create(
            item=items[line["document"], line["item"]],
            assessor=person_named(line["assessor"]),
            **fields_from(line, Judgement, JUDGEMENT),
        )
    documents = {document.doc_id: document for document in pool.documents.all()}
    groupings = {
        line["id"]: Grouping.objects.create(
            document=documents[line["document"]],
            assessor=person_named(line["assessor"]),
            **fields_from(line, Grouping, GROUPING),
        )
        for line in lines_in(room / "groupings.jsonl")
    }
    for line in lines_in(room / "rulings.jsonl"):
        Ruling.objects.create(
            document=documents[line["document"]],
            item=items[line["document"], line["item"]] if line["item"] else None,
            judgement=judgements[line["judgement"]] if line["judgement"] else None,
            grouping=groupings[line["grouping"]] if line["grouping"] else None,
            adjudicator=person_named(line["adjudicator"]),
            **fields_from(line, Ruling, RULING),
        )
    for seat in Seat.objects.filter(document__pool=pool).select_related("document", "assessor"):
        recount_seat(seat)


def _import_pool(campaign: Campaign, room: Path) -> Pool:
    entry = json.loads((room / "pool.json").read_bytes())
    runs = {run.label: run for run in campaign.runs.select_related("team")}
    rounds = [
        {**one, "runs": [[runs[label].public_id for label in labels] for labels in one["runs"]]}
        for one in entry["rounds"]
    ]
    own = room / "guidelines.toml"
    pool = Pool.objects.create(
        campaign=campaign,
        **fields_from(entry, Pool, POOL),
        guidelines_file=store_file(own) if own.is_file() else None,
        manifest=store(json.dumps({"rounds": rounds}, sort_keys=True).encode()),
        gold=campaign.golds.filter(number=entry["gold"]).first() if entry["gold"] else None,
    )
    pool.runs.set([runs[label] for label in entry["runs"]])
    return pool


def _import_documents(
    pool: Pool, room: Path, person_named: Callable[[str], User]
) -> dict[tuple[str, str], PooledItem]:
    """Make the documents with their items and seats; return the items by document and key."""
    found: dict[tuple[str, str], PooledItem] = {}
    for position, line in enumerate(lines_in(room / "documents.jsonl")):
        document = PooledDocument.objects.create(
            pool=pool,
            doc_id=line["document"],
            position=position,
            seats=line["seats"],
            size=len(line["items"]),
        )
        items = PooledItem.objects.bulk_create(
            PooledItem(document=document, key=key, position=place, columns=columns)
            for place, (key, columns) in enumerate(line["items"])
        )
        for seat in line["taken"]:
            assessor = person_named(seat["assessor"])
            Seat.objects.create(document=document, assessor=assessor, **fields_from(seat, Seat, SEAT))
        found |= {(document.doc_id, item.key): item for item in items}
    return found
