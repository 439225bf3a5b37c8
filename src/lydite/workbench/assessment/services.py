"""Pooling, judging and freezing; the only door of this app to the library's ``assess``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

from django.db import transaction
from django.db.models import Count, F, Max, Q, QuerySet
from django.utils import timezone

from lydite.assess import judging, pooling, quote_filter, sheets
from lydite.assess.agreement import Agreement, Rows, agreement_over
from lydite.assess.guidelines import Guidelines, load_guidelines
from lydite.assess.stores import OpenedStore, open_annotation, open_system
from lydite.assess.writing import hold, write_store
from lydite.errors import UsageError
from lydite.formats.eal import argument_columns, parse_file, write_annotation_file
from lydite.formats.taxonomy import load_taxonomy
from lydite.formats.texts import Texts, open_texts
from lydite.model.argument import Argument, ArgumentRow, Assessment, Filler
from lydite.model.taxonomy import Taxonomy
from lydite.profile import load_profile
from lydite.tasks.arguments.settings import ArgumentSettings
from lydite.workbench.accounts.models import User
from lydite.workbench.accounts.services import record
from lydite.workbench.assessment.models import Grouping, Item, Judgement, Pool, PooledDocument, Ruling, Seat
from lydite.workbench.campaigns.models import Campaign, GoldVersion, Run, RunState
from lydite.workbench.campaigns.services import (
    Upload,
    board_candidates,
    draft_board,
    replace_gold,
    scored_again,
)
from lydite.workbench.problems import Refused
from lydite.workbench.rights import ASSESS, Caller, may
from lydite.workbench.store import path_of, path_under_name, row_of, store

DOCUMENTS = "documents"
"""The setting whose file holds the source texts of a campaign."""

LEASE = timedelta(minutes=30)
"""How long a document stays with a person who does nothing; every judgement begins it anew."""


# ----------------------------------------------------------------------------------------------------- the pool


@dataclass(frozen=True, slots=True)
class PoolOrder:
    """How an organiser wants a pool to be made."""

    collapse: pooling.Collapse = "system"
    keep_inference: bool = False
    top_n: int | None = None
    drop_quotes: bool = False
    twice: int = 10
    guidelines: str = "kbp2014"


def make_pool(campaign: Campaign, runs: Sequence[Run], order: PoolOrder, caller: Caller) -> Pool:
    """Pool what the runs found; every document is split over as many people as it needs."""
    if campaign.task != "arguments":
        raise Refused(
            "no-pool", f"only event arguments are pooled; the task of this campaign is {campaign.task}"
        )
    if not runs:
        raise Refused("no-runs", "choose at least one valid run to pool")
    load_guidelines(order.guidelines)
    with transaction.atomic():
        if Pool.objects.filter(campaign=campaign).exists():
            raise Refused("pool-exists", "this campaign has a pool; later runs are added to it")
        rules = {
            "collapse": order.collapse,
            "keep_inference": order.keep_inference,
            "top_n": order.top_n,
            "drop_quotes": order.drop_quotes,
        }
        pool = Pool.objects.create(
            campaign=campaign,
            rules=rules,
            twice=order.twice,
            guidelines=order.guidelines,
            created_by=caller.user,
        )
        added = _add(pool, runs)
        record(caller, "pool.make", about=campaign.slug, campaign=campaign, runs=len(runs), items=added)
    return pool


def append_runs(pool: Pool, runs: Sequence[Run], caller: Caller) -> int:
    """Add what later runs found and nobody found before; how many items that are."""
    _refuse_frozen(pool)
    if not runs:
        raise Refused("no-runs", "choose at least one valid run to add")
    with transaction.atomic():
        added = _add(pool, runs)
        record(
            caller,
            "pool.append",
            about=pool.campaign.slug,
            campaign=pool.campaign,
            runs=len(runs),
            items=added,
        )
    return added


def _add(pool: Pool, runs: Sequence[Run]) -> int:
    texts = texts_of(pool.campaign)
    rules = dict(pool.rules)
    drop_quotes = rules.pop("drop_quotes", False)
    if drop_quotes and texts is None:
        raise Refused(
            "no-texts", "quoted passages can only be left out of the pool where the campaign has texts"
        )
    made = pooling.pool(
        [open_system(path_under_name(run.file, run.file_name)) for run in runs],
        pooling.PoolRules(**rules),
        quote_filter=quote_filter.build(texts) if drop_quotes and texts is not None else None,
    )
    entries, added = {}, 0
    for document in made.documents:
        entries[document.doc_id] = document.entry
        added += _add_document(pool, document.doc_id, document.answers)
    rounds = [*_rounds(pool), {**made.head, "documents": entries}]
    pool.manifest = store(json.dumps({"rounds": rounds}, sort_keys=True).encode())
    pool.save(update_fields=["manifest"])
    pool.runs.add(*runs)
    return added


def _rounds(pool: Pool) -> list[object]:
    if pool.manifest is None:
        return []
    rounds: list[object] = json.loads(path_of(pool.manifest.sha256).read_bytes())["rounds"]
    return rounds


def _add_document(pool: Pool, doc_id: str, arguments: Iterable[Argument]) -> int:
    arguments = sorted(arguments, key=lambda argument: (argument.span, argument))
    if not arguments:
        return 0
    document, _ = PooledDocument.objects.get_or_create(
        pool=pool,
        doc_id=doc_id,
        defaults={"position": pool.documents.count(), "seats": 2 if _is_judged_twice(pool, doc_id) else 1},
    )
    known = set(document.items.values_list("key", flat=True))
    new = [argument for argument in arguments if sheets.key_of(argument) not in known]
    Item.objects.bulk_create(
        Item(
            document=document,
            key=sheets.key_of(argument),
            position=len(known) + place,
            columns=list(argument_columns(argument)),
        )
        for place, argument in enumerate(new)
    )
    if new and known:
        # Who had finished the document has work again.
        document.taken.update(finished=None)
    return len(new)


def _is_judged_twice(pool: Pool, doc_id: str) -> bool:
    """The share is drawn by the name of the document, so that it does not depend on the order of anything."""
    drawn = int.from_bytes(sha256(f"{pool.campaign.slug}\0{doc_id}".encode()).digest()[:4], "big")
    return drawn % 100 < pool.twice


def poolable_runs(campaign: Campaign) -> list[Run]:
    """The runs that can be pooled: valid ones that were not withdrawn."""
    sound = (RunState.VALID, RunState.SCORING, RunState.SCORED)
    return list(campaign.runs.filter(state__in=sound, withdrawn__isnull=True).select_related("team", "file"))


def chosen_runs(campaign: Campaign, names: Sequence[str]) -> list[Run]:
    """The runs of these ids, of those that can be pooled."""
    return [run for run in poolable_runs(campaign) if run.public_id in names]


def runs_outside(pool: Pool) -> list[Run]:
    """The runs that could be pooled and are not."""
    known = set(pool.runs.values_list("pk", flat=True))
    return [run for run in poolable_runs(pool.campaign) if run.pk not in known]


def collapse_named(name: str) -> pooling.Collapse:
    """How redundant responses are treated, by name."""
    known: dict[str, pooling.Collapse] = {"none": "none", "system": "system", "pool": "pool"}
    if name not in known:
        raise Refused("no-such-rule", f"unknown way to collapse: {name!r}", status=400)
    return known[name]


def texts_of(campaign: Campaign) -> Texts | None:
    """The source documents of a campaign, where it has them."""
    held = campaign.files.select_related("file").filter(setting=DOCUMENTS).first()
    return None if held is None else open_texts(str(path_under_name(held.file, held.name)))


def taxonomy_of(campaign: Campaign) -> Taxonomy:
    """The types and roles of the campaign."""
    profile = load_profile("arguments", campaign.profile, ArgumentSettings)
    return load_taxonomy(str(campaign.settings.get("taxonomy") or profile.settings.taxonomy))


def guidelines_of(pool: Pool) -> Guidelines:
    """The guidelines that its assessors follow."""
    return load_guidelines(pool.guidelines)


def _version(pool: Pool) -> str:
    guidelines = guidelines_of(pool)
    return f"{guidelines.name} {guidelines.version}".strip()


def argument_of(item: Item) -> Argument:
    """The argument that an item asks about."""
    line = "\t".join(["1", *item.columns, "1.0"])
    return parse_file(item.document.doc_id, line.encode("utf-8", "surrogatepass")).rows[0].argument


def _refuse_frozen(pool: Pool) -> None:
    """Refuse to change a frozen assessment; the database is asked, since somebody may have frozen it just now."""
    if Pool.objects.filter(pk=pool.pk, frozen__isnull=False).exists():
        raise Refused("frozen", "the assessment is frozen; its judgements can no longer change")


# ---------------------------------------------------------------------------------------------------- documents


@transaction.atomic
def seat_of(pool: Pool, assessor: User) -> Seat | None:
    """The document that a person works on: the one they hold, or else the next that needs somebody.

    Whoever comes back after their lease finds the document still theirs, unless somebody else took it over.
    """
    _refuse_frozen(pool)
    # One claim at a time: two people never get one seat, whatever the database.
    Pool.objects.select_for_update().get(pk=pool.pk)
    held = _open_seats(pool).filter(assessor=assessor).order_by("document__position").first()
    seat = held or _free_seat(pool, assessor) or _left_seat(pool, assessor)
    if seat is not None:
        seat.assessor, seat.until = assessor, timezone.now() + LEASE
        seat.save()
    return seat


def _open_seats(pool: Pool) -> QuerySet[Seat]:
    return Seat.objects.select_related("document").filter(document__pool=pool, finished__isnull=True)


def _free_seat(pool: Pool, assessor: User) -> Seat | None:
    """A seat that nobody has: of documents that somebody has begun first, so that they get done."""
    document = (
        pool.documents.exclude(taken__assessor=assessor)
        .annotate(held=Count("taken"))
        .filter(held__lt=F("seats"))
        .order_by("-held", "position")
        .first()
    )
    if document is None:
        return None
    held = set(document.taken.values_list("number", flat=True))
    return Seat(document=document, number=next(number for number in (1, 2) if number not in held))


def _left_seat(pool: Pool, assessor: User) -> Seat | None:
    """A seat whose holder has left."""
    left = _open_seats(pool).filter(until__lt=timezone.now()).exclude(document__taken__assessor=assessor)
    return left.order_by("document__position").first()


def holds(assessor: User, document: PooledDocument) -> bool:
    """Whether a person judges the document."""
    return document.taken.filter(assessor=assessor).exists()


# --------------------------------------------------------------------------------------------------- judgements


def judge(
    item: Item,
    assessor: User,
    answers: Mapping[str, str] | None,
    *,
    seconds: float = 0.0,
    note: str = "",
    flagged: bool = False,
) -> Judgement:
    """Add a judgement; ``answers`` None takes the one before it back.  Refused if the document is not theirs."""
    pool = item.document.pool
    if answers is not None:
        try:
            judging.assessment_of(answers)
        except UsageError as error:
            raise Refused("no-judgement", str(error), status=400) from None
    with transaction.atomic():
        renewed = item.document.taken.filter(assessor=assessor).update(
            until=timezone.now() + LEASE, finished=None
        )
        if not renewed:
            raise Refused("not-yours", "somebody else judges this document now; go on with the next one")
        # Behind the change of the seat: a freeze locks the seats, so that no judgement slips in while it writes.
        _refuse_frozen(pool)
        return Judgement.objects.create(
            item=item,
            assessor=assessor,
            answers=answers if answers is None else dict(answers),
            seconds=max(0.0, seconds),
            note=note[:2000],
            flagged=flagged,
            guidelines=_version(pool),
        )


def last_judgements(document: PooledDocument, assessor: User) -> dict[int, Judgement]:
    """What a person last said of each item of a document, by the key of the item; without what was taken back."""
    said: dict[int, Judgement] = {}
    for judgement in Judgement.objects.filter(item__document=document, assessor=assessor).order_by("id"):
        said[judgement.item_id] = judgement
    return {item: judgement for item, judgement in said.items() if judgement.answers is not None}


class Judged(NamedTuple):
    """A document as one person judged it."""

    arguments: Mapping[int, Argument]
    judgements: Mapping[int, Judgement]
    grouping: Grouping | None

    @property
    def assessments(self) -> dict[Argument, Assessment]:
        """What was said of the arguments that were judged."""
        return {
            self.arguments[item]: judging.assessment_of(judgement.answers or {})
            for item, judgement in self.judgements.items()
        }

    @property
    def classes(self) -> dict[Filler, int]:
        """The class of each string that was grouped."""
        return classes_of(self.grouping)

    @property
    def rows(self) -> tuple[ArgumentRow, ...]:
        """As a store has it."""
        return judging.judged_rows(self.arguments.values(), self.assessments, self.classes)


def classes_of(grouping: Grouping | None) -> dict[Filler, int]:
    """The class of each string."""
    stored = grouping.classes if grouping is not None else []
    return {(text, (begin, end)): number for text, begin, end, number in stored}


def judged_by(document: PooledDocument, assessor: User) -> Judged:
    """A document as a person judged it."""
    arguments = {item.pk: argument_of(item) for item in document.items.select_related("document")}
    grouping = document.groupings.filter(assessor=assessor).order_by("-id").first()
    return Judged(arguments, last_judgements(document, assessor), grouping)


def strings_to_group(document: PooledDocument, assessor: User) -> dict[Filler, int]:
    """The right strings of a document with the class that they have, or the one that is proposed."""
    judged = judged_by(document, assessor)
    strings = judging.strings_to_group(judged.assessments)
    known = judged.classes
    proposed = judging.proposed_classes(strings)
    if not known:
        return proposed
    first_new = max(known.values(), default=0)
    return {string: known.get(string, first_new + proposed[string]) for string in strings}


def group(document: PooledDocument, assessor: User, classes: Mapping[Filler, int]) -> Grouping:
    """Say which right strings are the same, and finish the document; every one of them needs a class."""
    with transaction.atomic():
        seat = document.taken.select_for_update().filter(assessor=assessor).first()
        _refuse_frozen(document.pool)
        if seat is None:
            raise Refused("not-yours", "somebody else judges this document now; go on with the next one")
        judged = judged_by(document, assessor)
        waiting = len(judged.arguments) - len(judged.judgements)
        if waiting:
            raise Refused("not-done", f"{waiting} items of this document have no judgement yet")
        missing = [
            text for text, span in judging.strings_to_group(judged.assessments) if (text, span) not in classes
        ]
        if missing:
            raise Refused("no-class", f"no class for: {', '.join(missing)}", status=400)
        grouping = Grouping.objects.create(
            document=document,
            assessor=assessor,
            classes=[[text, *span, number] for (text, span), number in classes.items()],
        )
        seat.finished = timezone.now()
        seat.save(update_fields=["finished"])
    return grouping


# -------------------------------------------------------------------------------------------- two people differ


class Difference(NamedTuple):
    """Two answers to one item, or two ways to group the strings of a document, in no order that tells who is who."""

    document: PooledDocument
    item: Item | None
    options: tuple[Judgement, Judgement] | tuple[Grouping, Grouping]
    questions: tuple[str, ...]
    ruling: Ruling | None


def differences(pool: Pool) -> list[Difference]:
    """Where two people who have both finished a document differ; what was ruled already says so."""
    found: list[Difference] = []
    documents = pool.documents.filter(seats=2).annotate(
        done=Count("taken", filter=Q(taken__finished__isnull=False))
    )
    for document in documents.filter(done=2):
        found.extend(_differences_in(document))
    return found


def _differences_in(document: PooledDocument) -> Iterable[Difference]:
    first, second = (judged_by(document, seat.assessor) for seat in document.taken.order_by("number"))
    rulings = {ruling.item_id: ruling for ruling in document.rulings.order_by("id")}
    items = {item.pk: item for item in document.items.select_related("document__pool__campaign")}
    for key in sorted(
        first.judgements.keys() & second.judgements.keys(), key=lambda key: items[key].position
    ):
        mine, other = first.judgements[key], second.judgements[key]
        argument = first.arguments[key]
        questions = judging.differing_questions(first.assessments[argument], second.assessments[argument])
        if questions:
            options = (mine, other) if _keeps_order(items[key].key) else (other, mine)
            yield Difference(document, items[key], options, questions, rulings.get(key))
    if first.grouping and second.grouping and _partition(first.classes) != _partition(second.classes):
        pair = (first.grouping, second.grouping)
        shown = pair if _keeps_order(document.doc_id) else pair[::-1]
        yield Difference(document, None, shown, ("coreference",), rulings.get(None))


def _keeps_order(name: str) -> bool:
    """Which of two people comes first is drawn by the name of what they differ on."""
    return sha256(name.encode()).digest()[0] % 2 == 0


def _partition(classes: Mapping[Filler, int]) -> set[frozenset[Filler]]:
    grouped: dict[int, set[Filler]] = {}
    for string, number in classes.items():
        grouped.setdefault(number, set()).add(string)
    return {frozenset(strings) for strings in grouped.values()}


@transaction.atomic
def rule(difference: Difference, chosen: int, adjudicator: User) -> Ruling:
    """Decide for the first or the second of two answers."""
    _refuse_frozen(difference.document.pool)
    option = difference.options[chosen]
    return Ruling.objects.create(
        document=difference.document,
        item=difference.item,
        judgement=option if isinstance(option, Judgement) else None,
        grouping=option if isinstance(option, Grouping) else None,
        adjudicator=adjudicator,
    )


class OverruledLine(NamedTuple):
    """One question on which somebody decided against a person."""

    document: str
    item: str
    question: str
    yours: str
    counts: str


def overruled_lines(pool: Pool, assessor: User) -> list[OverruledLine]:
    """The questions on which somebody decided against a person, with both answers."""
    return [line for difference in differences(pool) for line in _overruled(difference, assessor)]


def _overruled(difference: Difference, assessor: User) -> Iterable[OverruledLine]:
    ruled = difference.ruling
    if ruled is None:
        return
    counts = ruled.judgement or ruled.grouping
    yours = next((option for option in difference.options if option.assessor_id == assessor.pk), None)
    if yours is None or counts is None or counts.assessor_id == assessor.pk:
        return
    doc_id = difference.document.doc_id
    if isinstance(yours, Judgement) and isinstance(counts, Judgement) and difference.item is not None:
        argument = argument_of(difference.item)
        shown = f"{argument.event_type} {argument.role} “{argument.text}”"
        for question in difference.questions:
            mine, others = ((said.answers or {}).get(question, "not asked") for said in (yours, counts))
            yield OverruledLine(doc_id, shown, question, mine, others)
    elif isinstance(yours, Grouping) and isinstance(counts, Grouping):
        yield OverruledLine(doc_id, "strings", "coreference", class_text(yours), class_text(counts))


def class_text(grouping: Grouping) -> str:
    """The classes of a grouping, for people."""
    grouped: dict[int, list[str]] = {}
    for (text, _), number in classes_of(grouping).items():
        grouped.setdefault(number, []).append(text)
    return "; ".join(" = ".join(strings) for _, strings in sorted(grouped.items()))


def agreement_of(pool: Pool) -> Agreement:
    """How far the two people of doubly judged documents agree, over what both have judged so far."""
    shared = pool.documents.filter(seats=2).annotate(held=Count("taken")).filter(held=2)
    return agreement_over((document.doc_id, *_two_sides(document)) for document in shared)


def _two_sides(document: PooledDocument) -> tuple[Rows, Rows]:
    first, second = (judged_by(document, seat.assessor).rows for seat in document.taken.order_by("number"))
    return first, second


# ------------------------------------------------------------------------------------------------------- progress


class Progress(NamedTuple):
    """How far the assessment is."""

    documents: int
    documents_done: int
    to_judge: int
    judged: int
    flagged: int
    undecided: int


class Pace(NamedTuple):
    """What one person did."""

    assessor: User
    judged: int
    seconds: float
    """The mean of an item."""
    finished: int


def progress(pool: Pool) -> Progress:
    """Counts over the whole pool; an item that two people judge counts twice."""
    documents = pool.documents.annotate(
        asked=Count("items", distinct=True),
        done=Count("taken", filter=Q(taken__finished__isnull=False), distinct=True),
    )
    counted = [(document.seats, document.asked, document.done) for document in documents]
    last = _last_of_everybody(pool)
    return Progress(
        documents=len(counted),
        documents_done=sum(done >= seats for seats, _, done in counted),
        to_judge=sum(seats * asked for seats, asked, _ in counted),
        judged=last.filter(answers__isnull=False).count(),
        flagged=last.filter(flagged=True).count(),
        undecided=sum(difference.ruling is None for difference in differences(pool)),
    )


def _last_of_everybody(pool: Pool) -> QuerySet[Judgement]:
    """The last judgement of every person on every item of a document that they hold."""
    newest = (
        Judgement.objects.filter(item__document__pool=pool, item__document__taken__assessor=F("assessor"))
        .values("item", "assessor")
        .annotate(newest=Max("id"))
        .values("newest")
    )
    return Judgement.objects.filter(pk__in=newest)


def flagged(pool: Pool) -> list[Judgement]:
    """The judgements that an assessor flagged."""
    return list(_last_of_everybody(pool).filter(flagged=True).select_related("item__document").order_by("id"))


def pools_of(assessor: User, campaign: str | None = None) -> list[Pool]:
    """The open pools that a person judges, or that of one campaign."""
    found = Pool.objects.select_related("campaign").filter(frozen__isnull=True).order_by("created")
    if campaign is not None:
        found = found.filter(campaign__slug=campaign)
    return [pool for pool in found if may(Caller(user=assessor), ASSESS, pool.campaign)]


def paces(pool: Pool) -> list[Pace]:
    """What every assessor did, by name."""
    found: dict[int, list[Judgement]] = {}
    for judgement in _last_of_everybody(pool).filter(answers__isnull=False).select_related("assessor"):
        found.setdefault(judgement.assessor_id, []).append(judgement)
    finished = dict(
        Seat.objects.filter(document__pool=pool, finished__isnull=False)
        .values_list("assessor")
        .annotate(documents=Count("pk"))
    )
    paced = [
        Pace(
            judgements[0].assessor,
            len(judgements),
            sum(judgement.seconds for judgement in judgements) / len(judgements),
            finished.get(key, 0),
        )
        for key, judgements in found.items()
    ]
    return sorted(paced, key=lambda pace: str(pace.assessor))


# --------------------------------------------------------------------------------------------------------- stores


def settled_rows(document: PooledDocument) -> tuple[ArgumentRow, ...]:
    """The rows of a document as they go into the store: rulings count, then what the first of two people said.

    An item on which two people differ and nobody ruled waits for an assessor.
    """
    seats = list(document.taken.select_related("assessor").order_by("number"))
    people = [judged_by(document, seat.assessor) for seat in seats]
    if not people:
        return judging.judged_rows(map(argument_of, document.items.select_related("document")), {}, {})
    said = dict(people[0].assessments)
    classes = people[0].classes
    for other in people[1:]:
        for argument, assessment in other.assessments.items():
            said.setdefault(argument, assessment)
        classes = classes or other.classes
    for difference in _differences_in(document) if len(people) == 2 else ():
        ruled = difference.ruling
        if difference.item is None:
            classes = classes_of(ruled.grouping) if ruled else classes
        elif ruled is None or ruled.judgement is None:
            said.pop(argument_of(difference.item), None)
        else:
            said[argument_of(difference.item)] = judging.assessment_of(ruled.judgement.answers or {})
    strings = judging.strings_to_group(said)
    known = {string: classes[string] for string in strings if string in classes}
    return judging.judged_rows(people[0].arguments.values(), said, _with_new_classes(strings, known))


def _with_new_classes(strings: Sequence[Filler], known: Mapping[Filler, int]) -> dict[Filler, int]:
    """Strings that a ruling made right, and that the kept grouping does not have, are classes of their own."""
    complete = dict(known)
    for string in strings:
        if string not in complete:
            complete[string] = max(complete.values(), default=0) + 1
    return complete


def store_files(pool: Pool) -> dict[str, bytes]:
    """The annotation store as it is now: a file per document."""
    return {
        document.doc_id: write_annotation_file(settled_rows(document)) for document in pool.documents.all()
    }


def store_archive(pool: Pool) -> bytes:
    """The annotation store as an archive."""
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for doc_id, data in store_files(pool).items():
            archive.writestr(doc_id, data)
    return packed.getvalue()


def sheet(pool: Pool) -> bytes:
    """A sheet of the items that nobody has judged, with the text that an assessor needs."""
    maker = sheets.SheetMaker(taxonomy_of(pool.campaign), texts_of(pool.campaign))
    with as_store(pool) as store:
        return sheets.write_csv(maker.lines(store, only_unassessed=True))


@contextmanager
def as_store(pool: Pool) -> Iterator[OpenedStore]:
    """The assessment as a store on the disk, for as long as it is looked at."""
    with TemporaryDirectory(prefix="lydite-store-") as folder:
        path = Path(folder) / "annotation"
        with hold(path):
            write_store(path, store_files(pool).items())
        yield open_annotation(path)


@transaction.atomic
def _take_rows(pool: Pool, rows: Mapping[str, Sequence[ArgumentRow]], caller: Caller) -> int:
    """Judgements from elsewhere become those of a person, with the seats of the documents they complete."""
    _refuse_frozen(pool)
    person = caller.user
    if person is None:
        raise Refused("nobody", "judgements belong to a person; sign in")
    added = sum(
        _take_document(document, person, rows[document.doc_id])
        for document in pool.documents.filter(doc_id__in=list(rows))
    )
    record(caller, "assessment.read", about=pool.campaign.slug, campaign=pool.campaign, judgements=added)
    return added


def _take_document(document: PooledDocument, person: User, rows: Sequence[ArgumentRow]) -> int:
    items = {argument_of(item): item for item in document.items.select_related("document")}
    known = {row.argument: row.assessment for row in settled_rows(document)}
    new = {
        row.argument: row.assessment
        for row in rows
        if row.assessment is not None and row.argument in items and known.get(row.argument) != row.assessment
    }
    if not new:
        return 0
    if not holds(person, document):
        number = document.taken.count() + 1
        if number > document.seats:
            raise Refused("judged", f"{document.doc_id} was judged by others; their judgements stay")
        Seat.objects.create(document=document, assessor=person, number=number, until=timezone.now() + LEASE)
    version = _version(document.pool)
    Judgement.objects.bulk_create(
        Judgement(item=items[argument], assessor=person, answers=judging.answers_of(said), guidelines=version)
        for argument, said in new.items()
    )
    classes = [
        [*row.argument.canonical[:1], *row.argument.span, row.cluster]
        for row in rows
        if row.cluster is not None
    ]
    if classes:
        Grouping.objects.create(document=document, assessor=person, classes=classes)
    if len(last_judgements(document, person)) == len(items):
        document.taken.filter(assessor=person).update(finished=timezone.now())
    return len(new)


def read_file(pool: Pool, upload: Upload, caller: Caller) -> int:
    """Read a filled sheet, or a store in an archive, as the judgements of the caller; how many came in."""
    path = path_under_name(row_of(upload.digest, upload.size), upload.name)
    if upload.name.lower().endswith((".csv", ".xlsx")):
        with as_store(pool) as store:
            return _take_rows(pool, sheets.read_back(store, path).documents, caller)
    store = open_annotation(path)
    return _take_rows(pool, {doc_id: store.rows(doc_id) for doc_id in store.doc_ids}, caller)


# ------------------------------------------------------------------------------------------------------- freezing


def freeze(pool: Pool, caller: Caller) -> GoldVersion:
    """Write the judgements as a new version of gold; all runs are scored with it, and a leaderboard is drafted."""
    with transaction.atomic():
        locked = Pool.objects.select_for_update().get(pk=pool.pk)
        _refuse_frozen(locked)
        list(Seat.objects.select_for_update().filter(document__pool=locked))
        kept = store(store_archive(pool))
        upload = Upload(kept.sha256, kept.size, f"{pool.campaign.slug}-store.zip")
        gold = replace_gold(pool.campaign, upload, note="the frozen assessment", actor=caller)
        locked.frozen, locked.gold = timezone.now(), gold
        locked.save(update_fields=["frozen", "gold"])
        record(caller, "assessment.freeze", gold, campaign=pool.campaign)
    return gold


def draft_when_scored(sender: object, campaign: Campaign, **_more: object) -> None:  # noqa: ARG001 - as Django calls it
    """Draft the leaderboard of a frozen assessment as soon as all its runs are scored."""
    pool = Pool.objects.filter(campaign=campaign, frozen__isnull=False).first()
    if (
        pool is None
        or pool.gold_id is None
        or scored_again(campaign)
        or campaign.boards.filter(gold=pool.gold).exists()
    ):
        return
    for phase in campaign.phases.all():
        if board_candidates(phase):
            draft_board(phase, actor="worker", note="the frozen assessment")
