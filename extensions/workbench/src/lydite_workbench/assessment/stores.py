"""Judgements as an annotation store: downloaded, read back, and frozen as a version of gold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from lydite.assess import judging, sheets
from lydite.assess.merging import merged_ids
from lydite.assess.stores import OpenedStore, cluster_ids, open_annotation
from lydite.assess.writing import hold, write_store
from lydite.errors import LyditeError
from lydite.escaping import counted
from lydite.formats.eal import write_annotation_file
from lydite.model.argument import Argument, ArgumentRow, Filler
from lydite.writing import archive_bytes
from lydite_workbench.accounts.models import User
from lydite_workbench.accounts.services import record
from lydite_workbench.assessment.differences import disagreements_in, partition_of
from lydite_workbench.assessment.judgements import (
    LEASE,
    classes_of,
    documents_open_to,
    judged_by,
    recount_seat,
)
from lydite_workbench.assessment.models import Grouping, Judgement, Pool, PooledDocument, PooledItem, Seat
from lydite_workbench.assessment.pools import (
    argument_of,
    arguments_of,
    guidelines_of,
    guidelines_version,
    keep_quote_filter,
    lacks_date,
    lock_open,
    refuse_frozen,
    taxonomy_of,
    texts_of,
)
from lydite_workbench.campaigns.boards import draft_board, scoring_count
from lydite_workbench.campaigns.gold import check_gold, replace_gold
from lydite_workbench.campaigns.models import Campaign, GoldVersion
from lydite_workbench.problems import Refused
from lydite_workbench.rights import Caller
from lydite_workbench.store import Upload, store

RowsOf = Callable[[PooledDocument], tuple[ArgumentRow, ...]]
"""From a document to its rows in a store, as everybody together or one person judged it."""


def final_rows(document: PooledDocument) -> tuple[ArgumentRow, ...]:
    """The rows of a document as the store has them: rulings count first, then the first of two people.

    An item on which two people differ without a ruling is not assessed.
    """
    seats = list(document.taken.select_related("assessor").order_by("number"))
    people = judged_by(document, *(seat.assessor for seat in seats))
    if not people:
        return judging.judged_rows(arguments_of(document).values(), {}, {})
    assessments = dict(people[0].assessments)
    classes = people[0].classes
    for other in people[1:]:
        for argument, assessment in other.assessments.items():
            assessments.setdefault(argument, assessment)
        classes = classes or other.classes
    for disagreement in disagreements_in(document, people) if len(people) == 2 else ():
        ruling = disagreement.ruling
        if disagreement.item is None:
            classes = classes_of(ruling.grouping) if ruling else classes
        elif ruling is None or ruling.judgement is None:
            assessments.pop(argument_of(disagreement.item), None)
        else:
            answers = ruling.judgement.answers or {}
            assessments[argument_of(disagreement.item)] = judging.assessment_of(answers)
    # Strings that became correct by a ruling, or that nobody grouped yet, get the class that would be proposed.
    complete = judging.proposed_classes(judging.strings_to_group(assessments), classes)
    return judging.judged_rows(people[0].arguments.values(), assessments, complete)


def rows_by(person: User) -> RowsOf:
    """Rows of documents as one person judged them."""

    def rows(document: PooledDocument) -> tuple[ArgumentRow, ...]:
        (judged,) = judged_by(document, person)
        return judged.rows

    return rows


def store_files(
    documents: Iterable[PooledDocument], rows_of: RowsOf = final_rows
) -> Iterator[tuple[str, bytes]]:
    """The annotation store of some documents: names and contents of its files."""
    for document in documents:
        yield document.doc_id, write_annotation_file(rows_of(document))


def store_archive(pool: Pool) -> bytes:
    """The annotation store as an archive."""
    return archive_bytes(store_files(pool.documents.all()))


def sheet(pool: Pool, person: User, layout: str) -> bytes:
    """A sheet of the items that a person can still judge, with passages, and as XLSX with the guidelines.

    Documents whose seats others have taken are left out: judgements of them could not be read back.
    """
    taxonomy, texts = taxonomy_of(pool.campaign), texts_of(pool.campaign)
    with _temporary_store(documents_open_to(person, pool), rows_by(person)) as store:
        lines = sheets.sheet_lines(store, taxonomy, texts, only_unassessed=True)
        return sheets.WRITERS[layout](lines, guidelines_of(pool))


@contextmanager
def _temporary_store(documents: Iterable[PooledDocument], rows_of: RowsOf) -> Iterator[OpenedStore]:
    """An annotation store of some documents in a temporary folder."""
    with TemporaryDirectory(prefix="lydite-store-") as folder:
        path = Path(folder) / "annotation"
        with hold(path):
            write_store(path, store_files(documents, rows_of))
        yield open_annotation(path)


class ReadCount(NamedTuple):
    """How many judgements of a file are new, and how many are of arguments that are not in the pool."""

    judgements: int
    left_out: int


@transaction.atomic
def _add_judgements(
    pool: Pool, rows: Mapping[str, Sequence[ArgumentRow]], known: RowsOf, person: User, caller: Caller
) -> ReadCount:
    """Add the judgements of a file that differ from the ``known`` ones as those of a person, who takes the seats for them."""
    lock_open(pool)
    added, pooled = 0, set[Argument]()
    for document in pool.documents.filter(doc_id__in=list(rows)):
        items = {argument_of(item): item for item in document.items.select_related("document")}
        added += _add_document_judgements(document, items, person, rows[document.doc_id], known)
        pooled.update(items)
    judged = {row.argument for found in rows.values() for row in found if row.assessment is not None}
    counts = {"judgements": added, "person": person.name}
    record(caller, "assessment.read", pool.campaign.slug, campaign=pool.campaign, **counts)
    return ReadCount(added, len(judged - pooled))


def _add_document_judgements(
    document: PooledDocument,
    items: Mapping[Argument, PooledItem],
    person: User,
    rows: Sequence[ArgumentRow],
    known: RowsOf,
) -> int:
    is_seated = document.taken.filter(assessor=person).exists()
    number = document.taken.count() + 1
    is_full = not is_seated and number > document.seats
    # Where no seat is free, a file may still repeat what the others judged.
    rows_before = (final_rows if is_full else known)(document)
    before = {row.argument: row.assessment for row in rows_before}
    new = {
        row.argument: row.assessment
        for row in rows
        if row.assessment is not None and row.argument in items and before.get(row.argument) != row.assessment
    }
    regrouped = _regrouped_strings(rows_before, rows)
    if not (new or regrouped):
        return 0
    if is_full:
        raise Refused("judged", f"others have judged {document.doc_id}; their judgements stay")
    if not is_seated:
        Seat.objects.create(document=document, assessor=person, number=number, until=timezone.now() + LEASE)
    shared = {"assessor": person, "guidelines": guidelines_version(document.pool)}
    Judgement.objects.bulk_create(
        Judgement(item=items[argument], answers=judging.answers_of(assessment), **shared)
        for argument, assessment in new.items()
    )
    (judged,) = judged_by(document, person)
    # Strings that have no class in the file, which may be older, stay in the classes that they have.
    classes = merged_ids(rows, judged.rows)
    if partition_of(classes) != partition_of(judged.classes):
        stored = [[text, *span, number] for (text, span), number in classes.items()]
        Grouping.objects.create(document=document, assessor=person, classes=stored)
    seat = document.taken.select_related("document").get(assessor=person)
    recount_seat(seat)
    grouped = all(string in classes for string in judging.strings_to_group(judged.assessments))
    if grouped and len(judged.judgements) == len(items):
        seat.finished = timezone.now()
        seat.save(update_fields=["finished"])
    return len(new) + len(regrouped)


def _regrouped_strings(before: Sequence[ArgumentRow], after: Sequence[ArgumentRow]) -> set[Filler]:
    """The strings that share their class with other strings than before, among those with a class before and after."""
    old, new = map(cluster_ids, (before, after))
    both = old.keys() & new.keys()
    parts_before, parts_after = (partition_of({key: one[key] for key in both}) for one in (old, new))
    return {string for part in parts_before - parts_after for string in part}


def read_judgements(pool: Pool, upload: Upload, caller: Caller, *, person: User | None = None) -> ReadCount:
    """Read a filled sheet, or a store in an archive, as the judgements of a person, by default of the caller."""
    who = person or caller.user
    if who is None:
        raise Refused("nobody", "judgements need an assessor; sign in as a person")
    if upload.name.lower().endswith((".csv", ".xlsx")):
        # A sheet has the judgements of one person alone.
        own = rows_by(who)
        with _temporary_store(pool.documents.all(), own) as store:
            return _add_judgements(pool, sheets.read_back(store, upload.path).documents, own, who, caller)
    # A store has the judgements of everybody together: what it repeats adds nothing.
    store = open_annotation(upload.path)
    rows = {doc_id: store.rows(doc_id) for doc_id in store.doc_ids}
    return _add_judgements(pool, rows, final_rows, who, caller)


def _refuse_accepted_non_dates(pool: Pool) -> None:
    """Refuse a store that accepts a time that is not a date, as a sheet may do: it could not be scored."""
    found = [
        f"{document.doc_id}: {row.argument.text!r}"
        for document in pool.documents.all()
        for row in final_rows(document)
        if row.assessment is not None
        and row.assessment.accepts_text
        and lacks_date(pool.campaign, row.argument)
    ]
    if found:
        some = "; ".join(found[:10])
        raise Refused(
            "no-date",
            f"{counted(len(found), 'accepted time')} without a date, which must be judged wrong before the freeze: {some}",
        )


def freeze(pool: Pool, caller: Caller) -> GoldVersion:
    """Write the judgements as a new version of gold, with which all runs are scored and a leaderboard is drafted.

    Judging ends first.  The store is then written and checked, which takes minutes in a large pool, while nobody else
    waits for the database.  If that is refused, judging goes on; if it is interrupted, the freeze can be done again.
    """
    began, gold_before = _end_judging(pool)
    try:
        _refuse_accepted_non_dates(pool)
        keep_quote_filter(pool, caller)
        upload = Upload.of(store(store_archive(pool)), f"{pool.campaign.slug}-store.zip")
        check_gold(pool.campaign, upload)
        return _take_as_gold(pool, upload, began, caller)
    except BaseException:
        Pool.objects.filter(pk=pool.pk, frozen=began, gold=None).update(frozen=None, gold=gold_before)
        raise


@transaction.atomic
def _end_judging(pool: Pool) -> tuple[datetime, GoldVersion | None]:
    """Refuse all judgements from now on; return since when, and the gold of an earlier freeze.

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
    """Draft the leaderboards of a frozen assessment once all runs are scored, if its gold is the current one."""
    frozen = Pool.objects.filter(campaign=campaign, frozen__isnull=False, gold=campaign.gold)
    if not frozen.exists() or scoring_count(campaign) or campaign.boards.filter(gold=campaign.gold).exists():
        return
    for phase in campaign.phases.all():
        # A phase may have no run that is scored; whatever else is wrong, the job that ends here must end.
        with suppress(LyditeError):
            draft_board(phase, actor="worker", note="the frozen assessment")
