"""Collections in the export of their campaign: files, records and merge logs; and back."""

from __future__ import annotations

import json
from itertools import chain, count
from pathlib import Path

from lydite.version import __version__
from lydite_workbench.campaigns.exporting import ExportFiles
from lydite_workbench.campaigns.models import Campaign
from lydite_workbench.corpus.merging import log_lines
from lydite_workbench.corpus.models import Collection, CollectionFile, MergeOperation
from lydite_workbench.corpus.services import LONGEST_SLUG, json_lines, store_entry
from lydite_workbench.records import file_in, lines_in
from lydite_workbench.store import store_file, stored_pieces

ROOM = "collections"
RECORDS, MERGES = "judgements.jsonl", "merges.jsonl"


def export_entries(campaign: Campaign) -> ExportFiles:
    """Every collection: its files, its records for ``corpus judgements``, and its merge log for ``corpus merge``.

    Records keep the names of their authors, as those of every site do.
    """
    for collection in campaign.collections.all():
        room = f"{ROOM}/{collection.slug}"
        files = [
            {"part": one.part, "name": one.name, "place": f"{one.part}/{number}/{one.name}"}
            for number, one in enumerate(collection.files.all())
        ]
        entry = {"slug": collection.slug, "title": collection.title, "files": files}
        yield f"{room}/collection.json", json.dumps(entry, indent=2, sort_keys=True).encode()
        for file, one in zip(files, collection.files.all(), strict=True):
            yield f"{room}/{file['place']}", stored_pieces(one.file_id)
        yield f"{room}/{RECORDS}", json_lines(collection).encode()
        yield f"{room}/{MERGES}", log_lines(collection).encode()


def import_entries(campaign: Campaign, folder: Path) -> None:
    """Read exported collections; they are indexed again, under another short name if theirs is taken."""
    for place in sorted((folder / ROOM).glob("*/collection.json")):
        entry = json.loads(place.read_bytes())
        collection = Collection.objects.create(
            campaign=campaign,
            slug=_free_slug(entry["slug"]),
            title=entry["title"],
            lydite_version=__version__,
        )
        for one in entry["files"]:
            file = store_file(file_in(place.parent, one["place"]))
            CollectionFile.objects.create(
                collection=collection, part=one["part"], name=one["name"], file=file
            )
        for record in lines_in(place.parent / RECORDS):
            store_entry(collection, record)
        MergeOperation.objects.bulk_create(
            MergeOperation(collection=collection, data=data) for data in lines_in(place.parent / MERGES)
        )


def _free_slug(slug: str) -> str:
    """The short name, with a number if another collection has it."""
    # Leave room for a number.
    short = slug[: LONGEST_SLUG - 8]
    taken = set(Collection.objects.filter(slug__startswith=short).values_list("slug", flat=True))
    names = chain([slug], (f"{short}-{number}" for number in count(2)))
    return next(name for name in names if name not in taken)
