"""Queues and decisions in the export of their campaign; and back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from lydite.workbench.adjudication.models import Decision, Kind, Queue, QueueFile, QueueItem
from lydite.workbench.campaigns.exporting import Entry
from lydite.workbench.campaigns.models import Campaign
from lydite.workbench.campaigns.stand_ins import Masks, StandIns, instant, json_lines, lines_in
from lydite.workbench.store import path_of, store_file

ROOM = "adjudication"
SAID = ("decision", "edited", "note")


def export_entries(campaign: Campaign) -> Iterator[Entry]:
    """Every queue with its files, items and decisions; those on targets also as ``assess apply`` reads them."""
    from lydite.workbench.adjudication.services import decisions_file

    people = Masks(campaign)
    for number, queue in enumerate(campaign.queues.order_by("created", "pk"), 1):
        room = f"{ROOM}/{number}"
        yield Entry(f"{room}/queue.json", json.dumps(_queue(queue), indent=2, sort_keys=True).encode())
        for kept in queue.files.all():
            yield Entry(f"{room}/files/{kept.position}/{kept.name}", path_of(kept.file_id))
        items = ({"item": item.name, "data": item.data} for item in queue.items.all())
        yield Entry(f"{room}/items.jsonl", json_lines(items))
        decisions = Decision.objects.filter(item__queue=queue).select_related("item").order_by("id")
        yield Entry(f"{room}/decisions.jsonl", json_lines(_decision(one, people) for one in decisions))
        if queue.kind == Kind.TARGETS:
            named = decisions_file(queue, name_of=people.of)
            yield Entry(f"{room}/decisions.tsv", named.encode())


def _queue(queue: Queue) -> dict[str, object]:
    return {
        "kind": queue.kind,
        "title": queue.title,
        "rules": queue.rules,
        "runs": [run.label for run in queue.runs.select_related("team")],
        "created": queue.created.isoformat(),
        "files": [
            {"position": kept.position, "name": kept.name, "has_texts": kept.has_texts}
            for kept in queue.files.all()
        ],
    }


def _decision(one: Decision, people: Masks) -> dict[str, object]:
    said = {name: getattr(one, name) for name in SAID}
    return {"item": one.item.name, "judge": people.of(one.judge_id), "at": one.at.isoformat(), **said}


def import_entries(campaign: Campaign, folder: Path) -> None:
    """Read queues that were exported; accounts that nobody can use stand for who decided."""
    runs = {run.label: run for run in campaign.runs.select_related("team")}
    people = StandIns(campaign)
    places = sorted((folder / ROOM).glob("*/queue.json"), key=lambda place: int(place.parent.name))
    for place in places:
        told = json.loads(place.read_bytes())
        queue = Queue.objects.create(
            campaign=campaign,
            kind=Kind(told["kind"]),
            title=told["title"],
            rules=told["rules"],
            created=instant(told["created"]),
        )
        queue.runs.set([runs[label] for label in told["runs"]])
        for kept in told["files"]:
            file = store_file(place.parent / "files" / str(kept["position"]) / kept["name"])
            QueueFile.objects.create(queue=queue, file=file, **kept)
        items = {
            line["item"]: QueueItem.objects.create(
                queue=queue, name=line["item"], position=position, data=line["data"]
            )
            for position, line in enumerate(lines_in(place.parent / "items.jsonl"))
        }
        for line in lines_in(place.parent / "decisions.jsonl"):
            Decision.objects.create(
                item=items[line["item"]],
                judge=people.named(line["judge"]),
                at=instant(line["at"]),
                **{name: line[name] for name in SAID},
            )
