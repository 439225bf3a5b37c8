"""An assessor, an organiser and an explorer at work where 200,000 judgements are stored, on this machine alone.

The aim: the next item is there, and a judgement is kept, within 100 ms; pages of organisers within 300 ms.
"""

from __future__ import annotations

import io
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import Request, urlopen
from zipfile import ZIP_DEFLATED, ZipFile

from measuring import Measured, at_most, report

from workbench import ROOT, lydite, serve

if TYPE_CHECKING:
    from lydite_workbench.accounts.models import User
    from lydite_workbench.campaigns.models import Campaign
    from lydite_workbench.corpus.models import Collection, Entry

DOCUMENTS, ITEMS, OPEN, ASSESSORS = 1010, 200, 10, 8
"""A thousand documents are judged; the last ten wait."""
ROUNDS = 60
TEXTS, READERS, RECORDS = 5000, 4, 200_000
"""A collection whose targets are judged: documents, people, judgements."""
WORDS = "Runa Hval met the council of Orvik on Tuesday and left the harbour before noon. "
RIGHT = {"event type": "C", "role": "C", "base filler": "C", "canonical string": "C", "realis": "Actual",
         "mention type": "NAME"}  # fmt: skip


def columns(doc_id: str, place: int) -> list[str]:
    """The argument of an item: the name in some sentence of the text."""
    begin = place * len(WORDS)
    name, sentence = f"{begin}-{begin + 8}", f"{begin}-{begin + len(WORDS) - 2}"
    return [doc_id, "Contact.Meet", "Entity", "Runa Hval", name, sentence, name, "NIL", "Actual"]


def texts() -> bytes:
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for number in range(DOCUMENTS):
            archive.writestr(f"d{number:04}.txt", WORDS * ITEMS)
    return packed.getvalue()


def prepare(folder: Path) -> tuple[str, str]:
    """A pool that is nearly judged; tokens of an assessor and of the organiser."""
    lydite("workbench", "migrate", folder=folder)
    from lydite_workbench.installation import embedded
    from lydite_workbench.project import start

    start(embedded(folder))
    from django.utils import timezone

    from lydite_workbench.accounts.models import Role
    from lydite_workbench.accounts.services import create_user, give_role, new_token
    from lydite_workbench.assessment.models import Grouping, Judgement, Pool, PooledDocument, PooledItem, Seat
    from lydite_workbench.campaigns.models import Campaign, CampaignFile
    from lydite_workbench.store import store

    campaign = Campaign.objects.create(
        slug="arguments", title="Arguments", task="arguments", profile="kbp2014", signature="benchmark"
    )
    CampaignFile.objects.create(campaign=campaign, setting="documents", name="texts.zip", file=store(texts()))
    people = [create_user(f"assessor{number}", "a long enough phrase") for number in range(ASSESSORS)]
    for person in people:
        give_role(person, campaign, Role.ASSESSOR, actor="benchmark")
    olga = create_user("olga", "a long enough phrase", administrator=True)
    pool = Pool.objects.create(campaign=campaign)
    documents = PooledDocument.objects.bulk_create(
        PooledDocument(
            pool=pool, doc_id=f"d{number:04}", position=number, seats=2 if number % 10 == 0 else 1, size=ITEMS
        )
        for number in range(DOCUMENTS)
    )
    now = timezone.now()
    for number, document in enumerate(documents):
        items = PooledItem.objects.bulk_create(
            PooledItem(
                document=document, key=f"r{place}", position=place, columns=columns(document.doc_id, place)
            )
            for place in range(ITEMS)
        )
        if number >= DOCUMENTS - OPEN:
            continue
        judges = [people[number % 7], people[(number + 1) % 7]][: document.seats]
        for seat, person in enumerate(judges, 1):
            Seat.objects.create(
                document=document,
                assessor=person,
                number=seat,
                until=now,
                finished=now,
                judged=ITEMS,
                seconds=2 * ITEMS,
            )
            Judgement.objects.bulk_create(
                Judgement(item=item, assessor=person, answers=RIGHT, seconds=2, guidelines="kbp2014")
                for item in items
            )
            strings = [["Runa Hval", place * len(WORDS), place * len(WORDS) + 8, 1] for place in range(ITEMS)]
            Grouping.objects.create(document=document, assessor=person, classes=strings)
    explored(campaign, olga)
    print(f"{Judgement.objects.count()} judgements of {PooledItem.objects.count()} items in the store")
    first, second = (new_token(user=person, actor="benchmark") for person in (people[7], olga))
    return first, second


def explored(campaign: Campaign, olga: User) -> None:
    """A collection whose targets are judged by several people."""
    from lydite_workbench.campaigns.jobs import work_once
    from lydite_workbench.corpus.models import Entry
    from lydite_workbench.corpus.services import NewCollection, make_collection
    from lydite_workbench.rights import Caller
    from lydite_workbench.store import Upload, store

    sys.path.insert(0, str(ROOT / "examples"))
    from build_collection import write

    with tempfile.TemporaryDirectory() as name:
        write(Path(name), TEXTS, 1)
        texts, targets = ((Path(name) / f"{part}.jsonl").read_bytes() for part in ("documents", "targets"))
    kept = [
        Upload(row.sha256, row.size, f"{part}.jsonl")
        for part, row in (("documents", store(texts)), ("targets", store(targets)))
    ]
    new = NewCollection("stories", "Stories", kept[:1], kept[1])
    collection = make_collection(campaign, new, caller=Caller(olga))
    while work_once():
        pass
    doc_ids, target_ids = (
        [json.loads(line)["id"] for line in part.splitlines()] for part in (texts, targets)
    )
    Entry.objects.bulk_create(
        (_judgement(collection, number, doc_ids, target_ids) for number in range(RECORDS)), batch_size=2000
    )


def _judgement(collection: Collection, number: int, doc_ids: list[str], target_ids: list[str]) -> Entry:
    from lydite_workbench.corpus.models import Entry

    pair, reader = divmod(number, READERS)
    target, document = target_ids[pair % len(target_ids)], doc_ids[pair // len(target_ids) % len(doc_ids)]
    data = {"kind": "judgement", "id": f"j{number}", "user": f"r{reader}", "time": f"2026-01-01T{number:09}",
            "target_id": target, "docid": document, "mentioned": int(number % 7 < 4), "n_mentions": 2,
            "stars": 1 + number % 5}  # fmt: skip
    return Entry(
        collection=collection,
        name=f"j{number}",
        kind="judgement",
        target=target,
        document=document,
        data=data,
    )


class Desk:
    """Calls of the API with a token, and the seconds that they took."""

    def __init__(self, url: str, token: str) -> None:
        self._url, self._token = url, token

    def call(self, path: str, body: object = None) -> bytes:
        """The answer."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        request = Request(f"{self._url}{path}", data=data, headers=headers)  # noqa: S310 - of this machine
        with urlopen(request, timeout=300) as answer:  # noqa: S310 - of this machine
            content: bytes = answer.read()
        return content


def processor(pid: int) -> float:
    """Milliseconds of processor time that a process has taken; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def milliseconds(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - started)


def at_work(desk: Desk, server: int) -> list[Measured]:
    """An assessor takes a document, judges, finishes it, takes the next."""
    mine = "/api/v1/items?assigned=me"
    desk.call(mine)
    before = processor(server)
    taking = sorted(milliseconds(lambda: desk.call(mine)) for _ in range(ROUNDS))
    worked = (processor(server) - before) / ROUNDS
    work = json.loads(desk.call(mine))
    urls = [f"/api/v1/items/{item['id']}/judgements" for item in work["items"]]
    said = {"answers": RIGHT, "seconds": 2}
    judging = sorted(milliseconds(lambda url=url: desk.call(url, said)) for url in urls)
    strings = {"strings": json.loads(desk.call(mine))["strings"]}
    finishing = milliseconds(
        lambda: desk.call(f"/api/v1/documents/{work['document']['id']}/strings", strings)
    )
    following = milliseconds(lambda: desk.call(mine))
    return [
        at_most(f"a document with {ITEMS} items and its text, 95 %", _high(taking), 100, "ms"),
        at_most("the same, processor time of the server, mean", worked, 50, "ms"),
        at_most("a judgement is kept, 95 %", _high(judging), 100, "ms"),
        at_most("a document is finished, once", finishing, 100, "ms"),
        at_most("the document after it, once", following, 100, "ms"),
    ]


def organised(desk: Desk, server: int) -> list[Measured]:
    """The pages of an organiser: the first time, most of the later times, and the processor time when all is counted."""
    pages = {
        "the organiser's overview": "/campaigns/arguments/assessment",
        "agreement": "/campaigns/arguments/assessment/agreement",
        "where two people differ": "/campaigns/arguments/assessment/differences",
        "the board of targets": "/corpora/stories/targets?count=20",
    }
    rows = []
    for name, path in pages.items():
        first = milliseconds(lambda path=path: desk.call(path))
        rows.append(at_most(f"{name}, first", first, 300, "ms"))
        later = [milliseconds(lambda path=path: desk.call(path)) for _ in range(ROUNDS)]
        rows.append(at_most(f"{name}, 95 %", _high(sorted(later)), 300, "ms"))
        before = processor(server)
        for _ in range(10):
            desk.call(path)
        worked = (processor(server) - before) / 10
        rows.append(at_most(f"{name}, processor time, mean", worked, 150, "ms"))
    return rows


def _high(times: list[float]) -> float:
    return times[int(0.95 * len(times))]


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="lydite-judgements-") as name:
        folder = Path(name)
        assessor, organiser = prepare(folder)
        process, url = serve(folder)
        try:
            rows = [*at_work(Desk(url, assessor), process.pid), *organised(Desk(url, organiser), process.pid)]
        finally:
            process.terminate()
            process.wait(30)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    report("at work where 200,000 judgements are stored", rows)


if __name__ == "__main__":
    main()
