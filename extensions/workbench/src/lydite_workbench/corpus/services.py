"""Collections: searching and judging in them, choosing targets and documents.  Only this module and ``merging`` call the library."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from functools import lru_cache
from itertools import count
from pathlib import Path
from threading import Thread
from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import Count
from django.utils import timezone
from django.utils.text import slugify

from lydite.errors import InvalidInput, LyditeError
from lydite.version import __version__
from lydite.writing import json_lines as lines_of_records
from lydite_corpus.analysis import placed_words, words
from lydite_corpus.index import Index, open_index, searchable
from lydite_corpus.judgements import (
    Progress,
    check_entry,
    merge_entries,
    read_entries,
    resolve,
    to_json_lines,
)
from lydite_corpus.mentions import DocumentMentions, count_mentions
from lydite_corpus.profiles import TargetProfile, read_profiles
from lydite_corpus.query import Words
from lydite_corpus.search import facets, find_longest_terms, search, search_term_of
from lydite_corpus.selection import Selection, SelectionPlan, select_documents
from lydite_corpus.targets import (
    PROPERTIES,
    Candidate,
    Minimum,
    choose_targets,
    parse_minimum,
    profile_lines,
    rate_candidates_in,
)
from lydite_workbench.accounts.models import User
from lydite_workbench.accounts.services import record
from lydite_workbench.campaigns.jobs import retry
from lydite_workbench.campaigns.models import Campaign, JobState
from lydite_workbench.corpus.indexing import index_folder, is_indexed
from lydite_workbench.corpus.models import Collection, CollectionFile, Entry, Part
from lydite_workbench.corpus.tallies import tally_targets
from lydite_workbench.keys import random_id
from lydite_workbench.problems import (
    BadInput,
    Refused,
    one_line,
    refuse_long,
    refuse_unstorable,
    text_problem,
)
from lydite_workbench.rights import Caller
from lydite_workbench.store import Upload, path_under_name, store

LONGEST_SLUG, LONGEST_ID = 80, 200
MOST_HITS = 100
"""The most documents in one answer."""


# -------------------------------------------------------------------------------------------------- collections


class NewCollection(NamedTuple):
    """What a collection is made from."""

    slug: str
    title: str
    texts: Sequence[Upload]
    targets: Upload | None = None
    gold: Upload | None = None


def make_collection(campaign: Campaign, new: NewCollection, *, caller: Caller) -> Collection:
    """Make a collection; a job makes its index."""
    if not new.slug or slugify(one_line("slug", new.slug, LONGEST_SLUG)) != new.slug:
        raise BadInput("bad-slug", f"{new.slug!r}: a short name has only lower-case letters, digits and -")
    if not new.title.strip():
        raise BadInput("no-title", "a collection needs a title")
    if not new.texts:
        raise BadInput("no-texts", "choose the texts of the collection")
    parts = [*((Part.TEXTS, one) for one in new.texts), (Part.GOLD, new.gold), (Part.TARGETS, new.targets)]
    if new.targets is not None:
        _refuse_bad_targets(read_profiles(str(new.targets.path)))
    try:
        with transaction.atomic():
            # Nobody can have worked in a collection of that name that could not be indexed.
            failed = Collection.objects.filter(campaign=campaign, slug=new.slug, job_state=JobState.FAILED)
            CollectionFile.objects.filter(collection__in=failed).delete()
            failed.delete()
            collection = Collection.objects.create(
                campaign=campaign,
                slug=new.slug,
                title=one_line("title", new.title.strip(), 200),
                lydite_version=__version__,
            )
            for part, upload in parts:
                if upload is not None:
                    _add_file(collection, part, upload)
            record(caller, "collection.make", collection.slug, campaign=campaign)
    except IntegrityError:
        raise Refused("slug-taken", f"there is a collection {new.slug!r} already") from None
    return collection


def index_again(collection: Collection, *, caller: Caller) -> None:
    """Queue the index of a collection again, such as after the limits of the campaign were raised."""
    retry(collection)
    record(caller, "collection.index", collection.slug, campaign=collection.campaign)


def _add_file(collection: Collection, part: Part, upload: Upload) -> CollectionFile:
    return CollectionFile.objects.create(
        collection=collection, part=part, name=upload.safe_name, file=upload.row
    )


def file_of(collection: Collection, part: Part) -> Path | None:
    """The last file of a kind in a collection; None if there is none."""
    last = collection.files.filter(part=part).last()
    return path_under_name(last.file_id, last.name) if last else None


@contextmanager
def open_collection_index(collection: Collection) -> Iterator[Index]:
    """Open the index of a collection; refused while there is none."""
    if not is_indexed(collection):
        raise Refused("not-indexed", "the texts of this collection are not indexed yet; try again later")
    index = open_index(index_folder(collection))
    try:
        yield index
    finally:
        index.close()


# ------------------------------------------------------------------------------------------------------ targets


def profiles_of(collection: Collection) -> list[TargetProfile]:
    """The target profiles of a collection, in the order of their file."""
    path = file_of(collection, Part.TARGETS)
    return [] if path is None else read_profiles(str(path))


def profile_of(collection: Collection, target: str) -> TargetProfile:
    """The profile of a target."""
    for profile in profiles_of(collection):
        if profile.id == target:
            return profile
    raise BadInput("no-target", f"the collection has no target {target!r}")


@transaction.atomic
def replace_targets(collection: Collection, upload: Upload, *, caller: Caller) -> None:
    """Replace the targets of a collection; the file before stays in the store."""
    _add_file(collection, Part.TARGETS, upload)
    profiles = profiles_of(collection)
    _refuse_bad_targets(profiles)
    record(caller, "targets.replace", collection.slug, campaign=collection.campaign, targets=len(profiles))


def _refuse_bad_targets(profiles: Sequence[TargetProfile]) -> None:
    """Refuse targets whose ids are too long or whose text cannot be stored."""
    for profile in profiles:
        refuse_long("id of a target", profile.id, LONGEST_ID)
        refuse_unstorable(profile.id, dict(profile.data or {}))


# ---------------------------------------------------------------------------------------------------- exploring


class Search(NamedTuple):
    """A query with filters (``date``, ``genre``, ``source``, ``lang``), the target that is looked for, and the page of hits."""

    query: str
    filters: Mapping[str, str] = {}
    target: str = ""
    start: int = 0
    limit: int = 10


def find(collection: Collection, asked: Search, person: User) -> dict[str, object]:
    """The hits of a query as ``corpus search`` gives them; the query is stored with its author and time."""
    start, limit = max(0, asked.start), max(1, min(MOST_HITS, asked.limit))
    names = {profile.id: profile.names for profile in profiles_of(collection)}
    with open_collection_index(collection) as index:
        found = search(index, asked.query, filters=asked.filters, limit=limit, offset=start, names=names)
        counts = facets(index, asked.query, filters=asked.filters, names=names)
    given = " ".join(f"{key}:{value}" for key, value in asked.filters.items() if value)
    entry = {"text": asked.query.strip() or given, "filters": given, "n_results": found.total}
    if asked.target:
        entry["target_id"] = asked.target
    return {**found.to_dict(), "facets": counts, "query": add_entry(collection, "query", entry, person).name}


def add_entry(collection: Collection, kind: str, values: Mapping[str, object], person: User) -> Entry:
    """Add a record in the format of the commands."""
    if own := values.keys() & {"kind", "id", "user", "time"}:
        raise BadInput("bad-record", f"a record must not set: {', '.join(sorted(own))}")
    # The last judgement of a person counts, by time: keys can be pressed faster than once a second.
    now = timezone.now().strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    data = {"kind": kind, "id": random_id(), "user": person.name, "time": now, **values}
    try:
        return store_entry(collection, check_entry(data), person)
    except ValueError as error:
        raise BadInput("bad-record", str(error)) from None


def store_entry(collection: Collection, data: Mapping[str, object], person: User | None = None) -> Entry:
    """Store a record of a person here or of another site."""
    target, document = str(data.get("target_id") or ""), str(data.get("docid") or "")
    if len(str(data["id"])) > LONGEST_ID or len(target) > LONGEST_ID or len(document) > 400:
        raise BadInput("too-long", "ids can have at most 200 characters, ids of documents 400")
    if wrong := text_problem(dict(data)):
        raise BadInput("bad-record", wrong)
    return Entry.objects.create(
        collection=collection,
        name=str(data["id"]),
        kind=str(data["kind"]),
        target=target,
        document=document,
        data=dict(data),
        author=person,
    )


def judge(collection: Collection, judgement: Mapping[str, object], person: User) -> Entry:
    """Add a judgement of a target in a document."""
    given = {key: value for key, value in judgement.items() if value is not None and value != ""}
    values = {key: int(value) if isinstance(value, bool) else value for key, value in given.items()}
    profile_of(collection, str(values.get("target_id", "")))
    with open_collection_index(collection) as index:
        index.record(str(values.get("docid", "")))
    return add_entry(collection, "judgement", values, person)


def capture(collection: Collection, span: Mapping[str, object], person: User) -> Entry:
    """Add a span of a text that names a new entity, or something related to a target."""
    start, end = span.get("start"), span.get("end")
    doc_id = str(span.get("docid", ""))
    with open_collection_index(collection) as index:
        text = searchable(index.record(doc_id), index.text(doc_id))
    if not (isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= len(text)):
        raise BadInput("no-place", "expected start and end of a span in the document")
    values = {"docid": doc_id, "start": start, "end": end, "text": text[start:end]}
    values["capture"] = str(span.get("capture", ""))
    if span.get("target_id"):
        values["target_id"] = profile_of(collection, str(span["target_id"])).id
    return add_entry(collection, "capture", values, person)


def document_data(collection: Collection, doc_id: str, target: str, person: User) -> dict[str, object]:
    """A document with the marked names of a target, and the last judgement of a person on the target in it."""
    profile = profile_of(collection, target) if target else None
    with open_collection_index(collection) as index:
        about = index.record(doc_id)
        text = searchable(about, index.text(doc_id))
    last = None
    if profile is not None:
        mine = Entry.objects.filter(collection=collection, kind="judgement", author=person)
        last = mine.filter(target=target, document=doc_id).last()
    return {
        "document": about.id,
        **{name: getattr(about, name) for name in ("date", "genre", "source", "language", "headline")},
        "text": text,
        "marks": [] if profile is None else list(_marks(text, profile)),
        "judgement": None if last is None else last.data,
    }


def _marks(text: str, profile: TargetProfile) -> Iterator[tuple[int, int, str]]:
    """Start, end and form of every name of a target in a text; of overlapping names the longest."""
    forms = [(kind, search_term_of(Words(name))) for kind, name in profile.forms if words(name)]
    # Of two names at the same place the one with exactly these marks comes first, as where names are counted.
    forms.sort(key=lambda form: form[1].unfolded is None)
    for start, end, number in find_longest_terms(placed_words(text), [term for _, term in forms]):
        yield start, end, forms[number][0]


# ------------------------------------------------------------------------------------------------ what is stored


def entries_of(collection: Collection) -> list[dict[str, object]]:
    """Every record of a collection, in the order in which they were added."""
    return list(collection.entries.values_list("data", flat=True))


def json_lines(collection: Collection) -> str:
    """Every record of a collection, as ``corpus judgements`` reads and writes them."""
    return to_json_lines(merge_entries({collection.slug: entries_of(collection)}))


def import_records(collection: Collection, upload: Upload, *, caller: Caller) -> int:
    """Add the records of another site that are new by their ids; return how many.  Refused if records with one id differ."""
    path = upload.path
    with path.open("rb") as stream:
        if stream.read(6) == b"SQLite":
            hint = "lydite corpus judgements FILE -o judgements.jsonl writes it as JSON lines"
            raise BadInput("no-json-lines", f"expected JSON lines, found a SQLite file; {hint}")
    incoming = read_entries(str(path))
    with transaction.atomic():
        Collection.objects.select_for_update().get(pk=collection.pk)
        here = entries_of(collection)
        known_ids = {str(entry["id"]) for entry in here}
        merged = merge_entries({"the workbench": here, upload.safe_name: incoming})
        fresh = [entry for entry in merged if str(entry["id"]) not in known_ids]
        for entry in fresh:
            store_entry(collection, entry)
        record(caller, "judgements.import", collection.slug, campaign=collection.campaign, records=len(fresh))
    return len(fresh)


def judged_document_counts(collection: Collection) -> dict[str, int]:
    """By target, in how many documents somebody judged it."""
    judged = collection.entries.filter(kind="judgement").order_by().values("target")
    counted = judged.annotate(documents=Count("document", distinct=True))
    return dict(counted.values_list("target", "documents"))


# ------------------------------------------------------------------------------------------- choosing targets


class TargetChoice(NamedTuple):
    """How targets are chosen: how many, for how many documents, and with which minimums."""

    targets: int = 250
    documents: int = 10_000
    minimums: str = ""
    """``[LANG:]WHAT=N``, separated by blanks."""
    per_language: bool = False


class TargetRow(NamedTuple):
    """A candidate on the board, with its mentions by language and the progress of judging it."""

    candidate: Candidate
    by_language: Sequence[int]
    """Mentions in the order of the languages of the board."""
    progress: Progress | None
    chosen: bool

    @property
    def has(self) -> str:
        """Its properties as text."""
        return ", ".join(name for name in PROPERTIES if name in self.candidate.properties)


class QuotaRow(NamedTuple):
    """A minimum on the board: how many candidates that can be chosen meet it, and how many of those were chosen."""

    minimum: Minimum
    able: int
    chosen: int

    @property
    def missing(self) -> int:
        """How many candidates are still to be found."""
        return max(0, self.minimum.count - self.able)


class TargetBoard(NamedTuple):
    """The candidates, the minimums, and why nothing can be chosen, if so."""

    rows: Sequence[TargetRow]
    quotas: Sequence[QuotaRow]
    languages: Sequence[str]
    refusal: LyditeError | None
    targets: int = 0
    waiting: int = 0
    """How many of the ``targets`` that were judged are still to be counted; nothing is chosen before."""
    is_counting: bool = False
    """Whether mentions in the documents are still being counted."""

    @property
    def chosen(self) -> list[Candidate]:
        """The chosen candidates."""
        return [row.candidate for row in self.rows if row.chosen]


@lru_cache(maxsize=8)
def _count_mentions(folder: str, targets: str) -> Future[tuple[DocumentMentions, ...]]:
    """The mentions of the targets of a file in an index, counted in a thread; neither file nor index ever changes."""
    counted: Future[tuple[DocumentMentions, ...]] = Future()

    def count_all() -> None:
        try:
            index = open_index(folder)
            names = [profile.names for profile in read_profiles(targets)]
            counted.set_result(tuple(count_mentions(index, names)))
            index.close()
        except Exception as error:  # noqa: BLE001 - passed on to whoever waits
            counted.set_exception(error)

    Thread(target=count_all, daemon=True, name="mentions").start()
    return counted


def _mentions_within(collection: Collection, seconds: float) -> tuple[DocumentMentions, ...] | None:
    """The mentions of the targets of a collection; None if they are still being counted after ``seconds``."""
    asked = str(index_folder(collection)), str(file_of(collection, Part.TARGETS))
    try:
        return _count_mentions(*asked).result(None if seconds == math.inf else seconds)
    except TimeoutError:
        return None


def target_board(collection: Collection, choice: TargetChoice, *, seconds: float = math.inf) -> TargetBoard:
    """The candidates with their figures, and the choice of ``corpus select-targets``.

    The board is empty if judgements or mentions are still to be counted after ``seconds``.
    """
    judged = tally_targets(collection, seconds=seconds)
    if judged.waiting:
        return TargetBoard((), (), (), None, judged.targets, judged.waiting)
    profiles = profiles_of(collection)
    mentions = _mentions_within(collection, seconds) if profiles else ()
    if mentions is None:
        return TargetBoard((), (), (), None, is_counting=True)
    with open_collection_index(collection) as index:
        pool = rate_candidates_in(index, profiles, judged.opinions, choice.documents, mentions)
        languages = {about.id: about.language for about in index.records()}
    minimums = [parse_minimum(text, profiles, flag="") for text in choice.minimums.split()]
    chosen: set[str] = set()
    refusal = None
    try:
        best = choose_targets(pool, choice.targets, minimums, per_language=choice.per_language, flag="")
        chosen = {candidate.id for candidate in best}
    except InvalidInput as error:
        refusal = error
    by_language = [Counter[str]() for _ in profiles]
    for one in mentions:
        for (target, _), times in one.counts.items():
            by_language[target][languages[one.doc_id]] += times
    found = sorted({language for counts in by_language for language in counts})
    rows = [
        TargetRow(one, [counts[name] for name in found], judged.progress.get(one.id), one.id in chosen)
        for one, counts in zip(pool, by_language, strict=True)
    ]
    able, taken = [one for one in pool if one.utility > 0], [one for one in pool if one.id in chosen]
    quotas = [
        QuotaRow(minimum, sum(map(minimum.matches, able)), sum(map(minimum.matches, taken)))
        for minimum in minimums
    ]
    return TargetBoard(rows, quotas, found, refusal)


def chosen_targets(collection: Collection, choice: TargetChoice) -> str:
    """The profiles of the chosen targets, as ``corpus select-targets -o`` writes them."""
    board = target_board(collection, choice)
    if board.refusal is not None:
        raise board.refusal
    return profile_lines(board.chosen)


def keep_chosen_targets(collection: Collection, choice: TargetChoice, *, caller: Caller) -> int:
    """Replace the targets by the chosen ones; return how many they are."""
    lines = chosen_targets(collection, choice)
    if not lines:
        raise Refused("no-target", "no candidate can be chosen: none is expected often enough")
    _write_targets(collection, lines, caller=caller)
    return lines.count("\n")


def add_candidate_target(collection: Collection, name: str, *, caller: Caller) -> str:
    """Add a captured new entity as a candidate target; return its id."""
    captured = collection.entries.filter(kind="capture", name=name).first()
    if captured is None or captured.data["capture"] != "new-entity":
        raise BadInput("no-capture", "this is not a capture of a new entity")
    profiles = profiles_of(collection)
    known = {profile.id for profile in profiles}
    new = next(free for free in (f"T{number:04d}" for number in count(1)) if free not in known)
    with open_collection_index(collection) as index:
        language = index.record(captured.document).language
    handle, languages = captured.data["text"], [language] if language else []
    profile = {"id": new, "handle": handle, "languages": languages, "status": "candidate"}
    if any(one.handle == handle for one in profiles):
        raise Refused("handle-not-unique", f"a target has the handle {handle!r} already")
    lines = lines_of_records([*(dict(one.data or {}) for one in profiles), profile])
    _write_targets(collection, lines, caller=caller)
    return new


def _write_targets(collection: Collection, lines: str, *, caller: Caller) -> None:
    replace_targets(collection, Upload.of(store(lines.encode()), "targets.jsonl"), caller=caller)


# --------------------------------------------------------------------------------------------- choosing documents


def select_for_targets(collection: Collection, documents: int) -> Selection:
    """The documents that ``corpus select-documents`` chooses for the targets of a collection, with its report."""
    profiles = profiles_of(collection)
    if not profiles:
        raise Refused("no-targets", "the collection has no targets for which documents could be chosen")
    with open_collection_index(collection) as index:
        judged = resolve(entries_of(collection))
        return select_documents(index, profiles, SelectionPlan(documents), judged=judged)
