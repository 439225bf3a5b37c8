"""Judgements as an annotation store: written, read, and frozen as a version of gold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from django.db import transaction
from django.utils import timezone

from lydite.assess import judging, sheets
from lydite.assess.merging import merged_ids
from lydite.assess.stores import OpenedStore, cluster_ids, open_annotation
from lydite.assess.writing import hold, write_store
from lydite.escaping import counted
from lydite.formats.eal import write_annotation_file
from lydite.model.argument import Argument, ArgumentRow, Filler
from lydite.records import NamedTuple
from lydite.workbench.accounts.models import User
from lydite.workbench.accounts.services import record
from lydite.workbench.assessment.differences import differences_in, partition_of
from lydite.workbench.assessment.judgements import (
    LEASE,
    classes_of,
    documents_open_to,
    judged_by,
    recount,
)
from lydite.workbench.assessment.models import Grouping, Judgement, Pool, PooledDocument, PooledItem, Seat
from lydite.workbench.assessment.pools import (
    argument_of,
    arguments_of,
    guidelines_of,
    guidelines_version,
    hold_open,
    lacks_date,
    refuse_frozen,
    taxonomy_of,
    texts_of,
)
from lydite.workbench.campaigns.models import Campaign, GoldVersion
from lydite.workbench.campaigns.services import check_gold, draft_board, replace_gold, scored_again
from lydite.workbench.problems import Refused
from lydite.workbench.rights import Caller
from lydite.workbench.store import Upload, store
from lydite.writing import archive_bytes

Rows = Callable[[PooledDocument], tuple[ArgumentRow, ...]]
"""The rows of a document: as all people together judged it, or one of them."""


def settled_rows(document: PooledDocument) -> tuple[ArgumentRow, ...]:
    """The rows of a document as they go into the store: rulings count, then what the first of two people said.

    An item on which two people differ and nobody ruled waits for an assessor.
    """
    seats = list(document.taken.select_related("assessor").order_by("number"))
    people = judged_by(document, *(seat.assessor for seat in seats))
    if not people:
        return judging.judged_rows(arguments_of(document).values(), {}, {})
    said = dict(people[0].assessments)
    classes = people[0].classes
    for other in people[1:]:
        for argument, assessment in other.assessments.items():
            said.setdefault(argument, assessment)
        classes = classes or other.classes
    for difference in differences_in(document, people) if len(people) == 2 else ():
        ruled = difference.ruling
        if difference.item is None:
            classes = classes_of(ruled.grouping) if ruled else classes
        elif ruled is None or ruled.judgement is None:
            said.pop(argument_of(difference.item), None)
        else:
            said[argument_of(difference.item)] = judging.assessment_of(ruled.judgement.answers or {})
    strings = judging.strings_to_group(said)
    # Strings that a ruling made right, or that nobody grouped yet, are classed as they would be proposed.
    complete = judging.proposed_classes(strings, classes)
    return judging.judged_rows(people[0].arguments.values(), said, complete)


def rows_by(person: User) -> Rows:
    """The rows of documents as one person judged them, whatever others said."""

    def rows(document: PooledDocument) -> tuple[ArgumentRow, ...]:
        (judged,) = judged_by(document, person)
        return judged.rows

    return rows


def store_files(
    documents: Iterable[PooledDocument], rows_of: Rows = settled_rows
) -> Iterator[tuple[str, bytes]]:
    """The annotation store of some documents as it is now: a file for each."""
    for document in documents:
        yield document.doc_id, write_annotation_file(rows_of(document))


def store_archive(pool: Pool) -> bytes:
    """The annotation store as an archive."""
    return archive_bytes(store_files(pool.documents.all()))


def sheet(pool: Pool, person: User, layout: str) -> bytes:
    """What a person can still judge, with the text that they need, and the guidelines where there is room for them.

    It holds what can be read back as theirs: of documents that others judge nothing, also where items still wait.
    """
    taxonomy, texts = taxonomy_of(pool.campaign), texts_of(pool.campaign)
    with _as_store(documents_open_to(person, pool), rows_by(person)) as store:
        lines = sheets.sheet_lines(store, taxonomy, texts, only_unassessed=True)
        return sheets.WRITERS[layout](lines, guidelines_of(pool))


@contextmanager
def _as_store(documents: Iterable[PooledDocument], rows_of: Rows) -> Iterator[OpenedStore]:
    """Some documents as a store on the disk, for as long as it is looked at."""
    with TemporaryDirectory(prefix="lydite-store-") as folder:
        path = Path(folder) / "annotation"
        with hold(path):
            write_store(path, store_files(documents, rows_of))
        yield open_annotation(path)


class Read(NamedTuple):
    """How many judgements of a file came in, and how many are of what the pool does not ask."""

    judgements: int
    left: int


@transaction.atomic
def _take_rows(
    pool: Pool, rows: Mapping[str, Sequence[ArgumentRow]], known: Rows, person: User, caller: Caller
) -> Read:
    """Judgements from elsewhere that are not ``known`` become those of a person, with the seats they complete."""
    hold_open(pool)
    added, asked = 0, set[Argument]()
    for document in pool.documents.filter(doc_id__in=list(rows)):
        items = {argument_of(item): item for item in document.items.select_related("document")}
        added += _take_document(document, items, person, rows[document.doc_id], known)
        asked.update(items)
    judged = {row.argument for found in rows.values() for row in found if row.assessment is not None}
    record(
        caller,
        "assessment.read",
        about=pool.campaign.slug,
        campaign=pool.campaign,
        judgements=added,
        person=person.name,
    )
    return Read(added, len(judged - asked))


def _take_document(
    document: PooledDocument,
    items: Mapping[Argument, PooledItem],
    person: User,
    rows: Sequence[ArgumentRow],
    known: Rows,
) -> int:
    is_seated = document.taken.filter(assessor=person).exists()
    number = document.taken.count() + 1
    is_full = not is_seated and number > document.seats
    # Where there is no seat for a person, what they say is nothing new as long as others said the same.
    said_before = (settled_rows if is_full else known)(document)
    before = {row.argument: row.assessment for row in said_before}
    new = {
        row.argument: row.assessment
        for row in rows
        if row.assessment is not None and row.argument in items and before.get(row.argument) != row.assessment
    }
    regrouped = _regrouped(said_before, rows)
    if not (new or regrouped):
        return 0
    if is_full:
        raise Refused("judged", f"{document.doc_id} was judged by others; their judgements stay")
    if not is_seated:
        Seat.objects.create(document=document, assessor=person, number=number, until=timezone.now() + LEASE)
    version = guidelines_version(document.pool)
    Judgement.objects.bulk_create(
        Judgement(item=items[argument], assessor=person, answers=judging.answers_of(said), guidelines=version)
        for argument, said in new.items()
    )
    (judged,) = judged_by(document, person)
    # Strings of which the file says nothing, since it is older perhaps, stay with those that they were grouped with.
    classes = merged_ids(rows, judged.rows)
    if partition_of(classes) != partition_of(judged.classes):
        stored = [[text, *span, number] for (text, span), number in classes.items()]
        Grouping.objects.create(document=document, assessor=person, classes=stored)
    seat = document.taken.select_related("document").get(assessor=person)
    recount(seat)
    grouped = all(string in classes for string in judging.strings_to_group(judged.assessments))
    if grouped and len(judged.judgements) == len(items):
        seat.finished = timezone.now()
        seat.save(update_fields=["finished"])
    return len(new) + len(regrouped)


def _regrouped(before: Sequence[ArgumentRow], after: Sequence[ArgumentRow]) -> set[Filler]:
    """The strings with a class that share theirs with other ones than before; strings that are new move nothing."""
    old, new = map(cluster_ids, (before, after))
    both = old.keys() & new.keys()
    were, are = (partition_of({string: classes[string] for string in both}) for classes in (old, new))
    return {string for shared in were - are for string in shared}


def read_file(pool: Pool, upload: Upload, caller: Caller, *, person: User | None = None) -> Read:
    """Read a filled sheet, or a store in an archive, as the judgements of a person or else of the caller."""
    who = person or caller.user
    if who is None:
        raise Refused("nobody", "judgements belong to a person; sign in")
    if upload.name.lower().endswith((".csv", ".xlsx")):
        # A sheet is filled by one person, whatever a second one said of the same document.
        own = rows_by(who)
        with _as_store(pool.documents.all(), own) as store:
            return _take_rows(pool, sheets.read_back(store, upload.path).documents, own, who, caller)
    # A store has what all people said together: what it repeats is of nobody in particular.
    store = open_annotation(upload.path)
    rows = {doc_id: store.rows(doc_id) for doc_id in store.doc_ids}
    return _take_rows(pool, rows, settled_rows, who, caller)


def _refuse_non_dates(pool: Pool) -> None:
    """Nothing could be scored with a store in which a time that is no date counts as right, as a sheet may say."""
    found = [
        f"{document.doc_id}: {row.argument.text!r}"
        for document in pool.documents.all()
        for row in settled_rows(document)
        if row.assessment is not None
        and row.assessment.accepts_text
        and lacks_date(pool.campaign, row.argument)
    ]
    if found:
        some = "; ".join(found[:10])
        raise Refused(
            "no-date",
            f"{counted(len(found), 'accepted time')} without a date, to be judged wrong first: {some}",
        )


def freeze(pool: Pool, caller: Caller) -> GoldVersion:
    """Write the judgements as a new version of gold; all runs are scored with it, and a leaderboard is drafted.

    Judging ends first.  The store is then written and checked, which takes minutes in a large pool, while nobody else
    waits for the database.  If that is refused, judging goes on; if it is interrupted, the freeze can be done again.
    """
    began, gold_before = _end_judging(pool)
    try:
        _refuse_non_dates(pool)
        upload = Upload.of(store(store_archive(pool)), f"{pool.campaign.slug}-store.zip")
        check_gold(pool.campaign, upload)
        return _take_as_gold(pool, upload, began, caller)
    except BaseException:
        Pool.objects.filter(pk=pool.pk, frozen=began, gold=None).update(frozen=None, gold=gold_before)
        raise


@transaction.atomic
def _end_judging(pool: Pool) -> tuple[datetime, GoldVersion | None]:
    """Refuse all judgements from now on, and wait for those that are being stored; when, and the gold of an earlier freeze.

    A frozen pool without gold is one whose store is still being written, or whose freeze was interrupted.
    """
    locked = Pool.objects.select_for_update().get(pk=pool.pk)
    if locked.gold is not None:
        refuse_frozen(locked)
    list(Seat.objects.select_for_update().filter(document__pool=locked))
    gold_before, locked.frozen, locked.gold = locked.gold, timezone.now(), None
    locked.save(update_fields=["frozen", "gold"])
    return locked.frozen, gold_before


@transaction.atomic
def _take_as_gold(pool: Pool, upload: Upload, began: datetime, caller: Caller) -> GoldVersion:
    locked = Pool.objects.select_for_update().get(pk=pool.pk)
    if locked.frozen != began:
        raise Refused("not-frozen", "late runs were added, or the freeze was begun again; freeze it anew")
    gold = replace_gold(pool.campaign, upload, note="the frozen assessment", actor=caller, is_checked=True)
    locked.gold = gold
    locked.save(update_fields=["gold"])
    record(caller, "assessment.freeze", gold, campaign=pool.campaign)
    return gold


def draft_when_scored(campaign: Campaign) -> None:
    """Draft the leaderboard of a frozen assessment as soon as all its runs are scored, if it is the gold that counts."""
    frozen = Pool.objects.filter(campaign=campaign, frozen__isnull=False, gold=campaign.gold)
    if not frozen.exists() or scored_again(campaign) or campaign.boards.filter(gold=campaign.gold).exists():
        return
    for phase in campaign.phases.all():
        # A phase may have no run that is scored.
        with suppress(Refused):
            draft_board(phase, actor="worker", note="the frozen assessment")
