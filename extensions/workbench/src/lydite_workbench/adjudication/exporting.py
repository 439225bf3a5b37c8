"""Queues and decisions in the export of their campaign; and back."""

from __future__ import annotations

import json
from pathlib import Path

from lydite_workbench.adjudication.models import Decision, Queue, QueueFile, QueueItem, QueueKind
from lydite_workbench.adjudication.services import decisions_file
from lydite_workbench.campaigns.exporting import ExportFiles, pseudonyms_of, stand_ins_for
from lydite_workbench.campaigns.models import Campaign
from lydite_workbench.records import fields_from, fields_of, file_in, json_lines, lines_in
from lydite_workbench.store import store_file, stored_pieces

ROOM = "adjudication"
QUEUE = ("kind", "title", "rules", "created")
FILE = ("position", "name", "has_texts")
DECISION = ("decision", "edited", "note", "at")
"""The fields of rows that are written and read as they are."""


def export_entries(campaign: Campaign) -> ExportFiles:
    """Every queue with its files, items and decisions; decisions on targets also in the format of ``assess apply``."""
    pseudonym_of = pseudonyms_of(campaign)
    for number, queue in enumerate(campaign.queues.order_by("created", "pk"), 1):
        room = f"{ROOM}/{number}"
        head = {
            **fields_of(queue, QUEUE),
            "runs": [run.label for run in queue.runs.select_related("team")],
            "files": [fields_of(kept, FILE) for kept in queue.files.all()],
        }
        yield f"{room}/queue.json", json.dumps(head, indent=2, sort_keys=True).encode()
        for kept in queue.files.all():
            yield f"{room}/files/{kept.position}/{kept.name}", stored_pieces(kept.file_id)
        items = ({"item": item.name, "data": item.data} for item in queue.items.all())
        yield f"{room}/items.jsonl", json_lines(items)
        decisions = Decision.objects.filter(item__queue=queue).select_related("item").order_by("id")
        lines = (
            {"item": one.item.name, "judge": pseudonym_of(one.judge_id), **fields_of(one, DECISION)}
            for one in decisions
        )
        yield f"{room}/decisions.jsonl", json_lines(lines)
        if queue.kind == QueueKind.TARGETS:
            yield f"{room}/decisions.tsv", decisions_file(queue, name_of=pseudonym_of).encode()


def import_entries(campaign: Campaign, folder: Path) -> None:
    """Read exported queues; accounts that nobody can sign in to stand for the people who decided."""
    runs = {run.label: run for run in campaign.runs.select_related("team")}
    person_named = stand_ins_for(campaign)
    for place in sorted((folder / ROOM).glob("*/queue.json"), key=lambda place: int(place.parent.name)):
        entry = json.loads(place.read_bytes())
        queue = Queue.objects.create(campaign=campaign, **fields_from(entry, Queue, QUEUE))
        queue.runs.set([runs[label] for label in entry["runs"]])
        for kept in entry["files"]:
            file = store_file(file_in(place.parent, f"files/{kept['position']}/{kept['name']}"))
            QueueFile.objects.create(queue=queue, file=file, **fields_from(kept, QueueFile, FILE))
        items = {
            line["item"]: QueueItem.objects.create(
                queue=queue, name=line["item"], position=position, data=line["data"]
            )
            for position, line in enumerate(lines_in(place.parent / "items.jsonl"))
        }
        for line in lines_in(place.parent / "decisions.jsonl"):
            Decision.objects.create(
                item=items[line["item"]],
                judge=person_named(line["judge"]),
                **fields_from(line, Decision, DECISION),
            )
