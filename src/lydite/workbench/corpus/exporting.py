"""Collections in the export of their campaign: files, records and the log of merges; and back."""

from __future__ import annotations

import json
from itertools import chain, count
from pathlib import Path

from lydite.version import __version__
from lydite.workbench.campaigns.exporting import ExportFiles
from lydite.workbench.campaigns.models import Campaign
from lydite.workbench.corpus.merging import log_lines
from lydite.workbench.corpus.models import Collection, CollectionFile, MergeOperation
from lydite.workbench.corpus.services import LONGEST_SLUG, json_lines, keep_entry
from lydite.workbench.records import file_in, lines_in
from lydite.workbench.store import store_file, stored_pieces

ROOM = "collections"
RECORDS, MERGES = "judgements.jsonl", "merges.jsonl"


def export_entries(campaign: Campaign) -> ExportFiles:
    """Every collection: its files, its records as ``corpus judgements`` reads them, its merges as ``corpus merge`` does.

    Records keep who wrote them, as the records of every site do.
    """
    for collection in campaign.collections.all():
        room = f"{ROOM}/{collection.slug}"
        files = [
            {"part": one.part, "name": one.name, "place": f"{one.part}/{number}/{one.name}"}
            for number, one in enumerate(collection.files.all())
        ]
        told = {"slug": collection.slug, "title": collection.title, "files": files}
        yield f"{room}/collection.json", json.dumps(told, indent=2, sort_keys=True).encode()
        for entry, one in zip(files, collection.files.all(), strict=True):
            yield f"{room}/{entry['place']}", stored_pieces(one.file_id)
        yield f"{room}/{RECORDS}", json_lines(collection).encode()
        yield f"{room}/{MERGES}", log_lines(collection).encode()


def import_entries(campaign: Campaign, folder: Path) -> None:
    """Read collections that were exported; they are indexed anew, under another name where theirs is taken."""
    for place in sorted((folder / ROOM).glob("*/collection.json")):
        told = json.loads(place.read_bytes())
        collection = Collection.objects.create(
            campaign=campaign, slug=_free(told["slug"]), title=told["title"], lydite_version=__version__
        )
        for one in told["files"]:
            file = store_file(file_in(place.parent, one["place"]))
            CollectionFile.objects.create(
                collection=collection, part=one["part"], name=one["name"], file=file
            )
        for record in lines_in(place.parent / RECORDS):
            keep_entry(collection, record)
        MergeOperation.objects.bulk_create(
            MergeOperation(collection=collection, data=data) for data in lines_in(place.parent / MERGES)
        )


def _free(slug: str) -> str:
    """The name, or the first one after it that no collection has."""
    # Room for a number that tells it apart.
    short = slug[: LONGEST_SLUG - 8]
    taken = set(Collection.objects.filter(slug__startswith=short).values_list("slug", flat=True))
    names = chain([slug], (f"{short}-{number}" for number in count(2)))
    return next(name for name in names if name not in taken)
