"""Collections, what people look for and judge in them; the only door of this app to the library, with ``merging``."""

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

from django.db import IntegrityError, transaction
from django.db.models import Count
from django.utils import timezone

from lydite.corpus.analysis import placed_words, words
from lydite.corpus.index import Index, open_index, searchable
from lydite.corpus.judgements import (
    Progress,
    check_entry,
    merge_entries,
    read_entries,
    resolve,
    to_json_lines,
)
from lydite.corpus.mentions import DocumentMentions, count_mentions
from lydite.corpus.profiles import TargetProfile, read_profiles
from lydite.corpus.query import Words
from lydite.corpus.search import facets, find_longest_terms, search, search_term_of
from lydite.corpus.selection import Selection, select_documents
from lydite.corpus.selection import Wanted as WantedDocuments
from lydite.corpus.targets import (
    PROPERTIES,
    Candidate,
    Minimum,
    choose_targets,
    parse_minimum,
    profile_lines,
    rate_candidates_in,
)
from lydite.errors import InvalidInput, LyditeError
from lydite.records import NamedTuple
from lydite.version import __version__
from lydite.workbench.accounts.models import User
from lydite.workbench.accounts.services import record
from lydite.workbench.campaigns.jobs import retry
from lydite.workbench.campaigns.models import Campaign, JobState
from lydite.workbench.campaigns.services import refuse_slug
from lydite.workbench.corpus.indexing import index_folder, is_indexed
from lydite.workbench.corpus.models import Collection, CollectionFile, Entry, Part
from lydite.workbench.corpus.tallies import tallied
from lydite.workbench.keys import random_id
from lydite.workbench.problems import Refused, one_line, refuse_long, refuse_unstorable, text_problem
from lydite.workbench.rights import Caller
from lydite.workbench.store import Upload, path_under_name, store
from lydite.writing import json_lines as lines_of_records

LONGEST_SLUG, LONGEST_ID = 80, 200
MOST_HITS = 100
"""Documents of one answer, at most."""


# -------------------------------------------------------------------------------------------------- collections


class NewCollection(NamedTuple):
    """What a collection is made from."""

    slug: str
    title: str
    texts: Sequence[Upload]
    targets: Upload | None = None
    gold: Upload | None = None


def make_collection(campaign: Campaign, new: NewCollection, *, caller: Caller) -> Collection:
    """A collection whose index is made by a job, from what can be read of texts, targets and entities."""
    refuse_slug(one_line("slug", new.slug, LONGEST_SLUG))
    if not new.title.strip():
        raise Refused("no-title", "a collection needs a title", status=400)
    if not new.texts:
        raise Refused("no-texts", "choose the texts of the collection", status=400)
    parts = [*((Part.TEXTS, one) for one in new.texts), (Part.GOLD, new.gold), (Part.TARGETS, new.targets)]
    if new.targets is not None:
        _refuse_odd_targets(read_profiles(str(new.targets.path)))
    try:
        with transaction.atomic():
            _give_way(campaign, new.slug)
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
    """Let an index be made that could not be, as after the limits of the campaign were raised."""
    retry(collection)
    record(caller, "collection.index", collection.slug, campaign=collection.campaign)


def _give_way(campaign: Campaign, slug: str) -> None:
    """A collection that could not be indexed gives its name to the next try; nobody worked in it."""
    failed = Collection.objects.filter(campaign=campaign, slug=slug, job_state=JobState.FAILED)
    CollectionFile.objects.filter(collection__in=failed).delete()
    failed.delete()


def _add_file(collection: Collection, part: Part, upload: Upload) -> CollectionFile:
    return CollectionFile.objects.create(
        collection=collection, part=part, name=upload.safe_name, file=upload.row
    )


def file_of(collection: Collection, part: Part) -> Path | None:
    """The file of a collection that counts."""
    last = collection.files.filter(part=part).last()
    return path_under_name(last.file_id, last.name) if last else None


@contextmanager
def opened(collection: Collection) -> Iterator[Index]:
    """The index of a collection; refused while there is none."""
    if not is_indexed(collection):
        raise Refused("not-indexed", "the texts of this collection are not indexed yet; try again in a while")
    index = open_index(index_folder(collection))
    try:
        yield index
    finally:
        index.close()


# ------------------------------------------------------------------------------------------------------ targets


def profiles_of(collection: Collection) -> list[TargetProfile]:
    """The targets of a collection, in the order of their file; none if it has no file."""
    path = file_of(collection, Part.TARGETS)
    return [] if path is None else read_profiles(str(path))


def profile_of(collection: Collection, target: str) -> TargetProfile:
    """One target."""
    for profile in profiles_of(collection):
        if profile.id == target:
            return profile
    raise Refused("no-target", f"the collection has no target {target!r}", status=400)


@transaction.atomic
def replace_targets(collection: Collection, upload: Upload, *, caller: Caller) -> None:
    """Other targets from now on; the file before stays."""
    _add_file(collection, Part.TARGETS, upload)
    profiles = profiles_of(collection)
    _refuse_odd_targets(profiles)
    targets = len(profiles)
    record(caller, "targets.replace", collection.slug, campaign=collection.campaign, targets=targets)


def _refuse_odd_targets(profiles: Sequence[TargetProfile]) -> None:
    """Refuse targets that no page can show and no judgement can name."""
    for profile in profiles:
        refuse_long("id of a target", profile.id, LONGEST_ID)
        refuse_unstorable(profile.id, dict(profile.data or {}))


# ---------------------------------------------------------------------------------------------------- exploring


class Search(NamedTuple):
    """A query: its text, filters beside it (``date``, ``genre``, ``source``, ``lang``), and for which target."""

    query: str
    filters: Mapping[str, str] = {}
    target: str = ""
    start: int = 0
    limit: int = 10


def find(collection: Collection, asked: Search, person: User) -> dict[str, object]:
    """The hits of a query as ``corpus search`` gives them; the query is stored with who and when."""
    limit = max(1, min(MOST_HITS, asked.limit))
    names = {profile.id: profile.names for profile in profiles_of(collection)}
    with opened(collection) as index:
        found = search(
            index, asked.query, filters=asked.filters, limit=limit, offset=max(0, asked.start), names=names
        )
        counts = facets(index, asked.query, filters=asked.filters, names=names)
    given = " ".join(f"{key}:{value}" for key, value in asked.filters.items() if value)
    entry = {"text": asked.query.strip() or given, "filters": given, "n_results": found.total}
    if asked.target:
        entry["target_id"] = asked.target
    stored = add_entry(collection, "query", entry, person)
    return {**found.to_dict(), "facets": counts, "query": stored.name}


def add_entry(collection: Collection, kind: str, values: Mapping[str, object], person: User) -> Entry:
    """Add a record in the form of the commands."""
    if own := values.keys() & {"kind", "id", "user", "time"}:
        raise Refused("bad-record", f"nobody else says it of a record: {', '.join(sorted(own))}", status=400)
    # Of one person's judgements the last counts, by time: seconds are too coarse for keys.
    now = timezone.now().strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    data = {"kind": kind, "id": random_id(), "user": person.name, "time": now, **values}
    try:
        return keep_entry(collection, check_entry(data), person)
    except ValueError as error:
        raise Refused("bad-record", str(error), status=400) from None


def keep_entry(collection: Collection, data: Mapping[str, object], person: User | None = None) -> Entry:
    """Keep a record, of a person here or of another site."""
    target, document = str(data.get("target_id") or ""), str(data.get("docid") or "")
    if len(str(data["id"])) > LONGEST_ID or len(target) > LONGEST_ID or len(document) > 400:
        raise Refused("too-long", "ids have at most 200 characters, ids of documents 400", status=400)
    if wrong := text_problem(dict(data)):
        raise Refused("bad-record", wrong, status=400)
    return Entry.objects.create(
        collection=collection,
        name=str(data["id"]),
        kind=str(data["kind"]),
        target=target,
        document=document,
        data=dict(data),
        author=person,
    )


def judge(collection: Collection, said: Mapping[str, object], person: User) -> Entry:
    """Add a judgement on a target in a document."""
    given = {key: value for key, value in said.items() if value is not None and value != ""}
    values = {key: int(value) if isinstance(value, bool) else value for key, value in given.items()}
    profile_of(collection, str(values.get("target_id", "")))
    with opened(collection) as index:
        index.record(str(values.get("docid", "")))
    return add_entry(collection, "judgement", values, person)


def capture(collection: Collection, said: Mapping[str, object], person: User) -> Entry:
    """Add a piece of a text that names a new entity, or something related to the target."""
    start, end = said.get("start"), said.get("end")
    doc_id = str(said.get("docid", ""))
    with opened(collection) as index:
        text = searchable(index.record(doc_id), index.text(doc_id))
    if not (isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= len(text)):
        raise Refused("no-place", "expected a place in the document", status=400)
    values = {
        "docid": doc_id,
        "start": start,
        "end": end,
        "text": text[start:end],
        "capture": str(said.get("capture", "")),
    }
    if said.get("target_id"):
        values["target_id"] = profile_of(collection, str(said["target_id"])).id
    return add_entry(collection, "capture", values, person)


def document_data(collection: Collection, doc_id: str, target: str, person: User) -> dict[str, object]:
    """A document with the names of a target marked by form, and the last judgement of a person on the two."""
    profile = profile_of(collection, target) if target else None
    with opened(collection) as index:
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
    """Start, end and form of every name of a target; of overlapping ones the longest."""
    forms = [(kind, search_term_of(Words(name))) for kind, name in profile.forms if words(name)]
    # Of two names at one place that with just these marks counts, as where names are counted.
    forms.sort(key=lambda form: form[1].unfolded is None)
    for start, end, number in find_longest_terms(placed_words(text), [term for _, term in forms]):
        yield start, end, forms[number][0]


# ------------------------------------------------------------------------------------------------ what is stored


def entries_of(collection: Collection) -> list[dict[str, object]]:
    """Every record of a collection, in the order in which it came."""
    return list(collection.entries.values_list("data", flat=True))


def json_lines(collection: Collection) -> str:
    """Every record, as ``corpus judgements`` reads and writes them."""
    return to_json_lines(merge_entries({collection.slug: entries_of(collection)}))


def read_in(collection: Collection, upload: Upload, *, caller: Caller) -> int:
    """Add the records of another site, merged by id; how many are new.  Nothing is added if two of one id differ."""
    path = upload.path
    with path.open("rb") as stream:
        if stream.read(6) == b"SQLite":
            hint = "lydite corpus judgements FILE -o judgements.jsonl writes it as JSON lines"
            raise Refused("no-json-lines", f"expected JSON lines, found a SQLite file; {hint}", status=400)
    incoming = read_entries(str(path))
    with transaction.atomic():
        Collection.objects.select_for_update().get(pk=collection.pk)
        here = entries_of(collection)
        known = {str(entry["id"]) for entry in here}
        merged = merge_entries({"the workbench": here, upload.safe_name: incoming})
        fresh = [entry for entry in merged if str(entry["id"]) not in known]
        for entry in fresh:
            keep_entry(collection, entry)
        record(caller, "judgements.import", collection.slug, campaign=collection.campaign, records=len(fresh))
    return len(fresh)


def judged_documents(collection: Collection) -> dict[str, int]:
    """By target, how many documents somebody judged for it."""
    judged = collection.entries.filter(kind="judgement").order_by().values("target")
    counted = judged.annotate(documents=Count("document", distinct=True))
    return dict(counted.values_list("target", "documents"))


# ------------------------------------------------------------------------------------------- choosing targets


class Wish(NamedTuple):
    """How targets are chosen: how many, for how many documents, with at least what."""

    targets: int = 250
    documents: int = 10_000
    minimums: str = ""
    """``[LANG:]WHAT=N``, between blanks."""
    per_language: bool = False


class TargetRow(NamedTuple):
    """A candidate, how often it stands in documents of each language, and how far its judging is."""

    candidate: Candidate
    by_language: Sequence[int]
    """In the order of the languages of the board."""
    progress: Progress | None
    chosen: bool

    @property
    def has(self) -> str:
        """Its properties, in words."""
        return ", ".join(name for name in PROPERTIES if name in self.candidate.properties)


class QuotaRow(NamedTuple):
    """A minimum, how many of the candidates it fits that can be chosen, and how many were."""

    minimum: Minimum
    able: int
    chosen: int

    @property
    def missing(self) -> int:
        """How many candidates must still be found."""
        return max(0, self.minimum.count - self.able)


class TargetBoard(NamedTuple):
    """The candidates, what is chosen of them, and why nothing is."""

    rows: Sequence[TargetRow]
    quotas: Sequence[QuotaRow]
    languages: Sequence[str]
    refusal: LyditeError | None
    targets: int = 0
    waiting: int = 0
    """Of so many judged targets these are still to be counted; nothing is chosen before."""
    is_counting: bool = False
    """Whether mentions in the documents are still counted."""

    @property
    def chosen(self) -> list[Candidate]:
        """The chosen ones."""
        return [row.candidate for row in self.rows if row.chosen]


@lru_cache(maxsize=8)
def _mentions(folder: str, targets: str) -> Future[tuple[DocumentMentions, ...]]:
    """What a file of targets names in an index, counted beside whoever asked: neither ever changes."""
    counted: Future[tuple[DocumentMentions, ...]] = Future()

    def count_all() -> None:
        try:
            index = open_index(folder)
            names = [profile.names for profile in read_profiles(targets)]
            counted.set_result(tuple(count_mentions(index, names)))
            index.close()
        except Exception as error:  # noqa: BLE001 - whoever waits is told
            counted.set_exception(error)

    Thread(target=count_all, daemon=True, name="mentions").start()
    return counted


def _mentions_in(collection: Collection, seconds: float) -> tuple[DocumentMentions, ...] | None:
    """What the targets of a collection name in it; None if that is still counted after so many seconds."""
    asked = str(index_folder(collection)), str(file_of(collection, Part.TARGETS))
    try:
        return _mentions(*asked).result(None if seconds == math.inf else seconds)
    except TimeoutError:
        return None


def target_board(collection: Collection, wish: Wish, *, seconds: float = math.inf) -> TargetBoard:
    """The candidates with all that speaks for them, and the choice of ``corpus select-targets``.

    Nothing is shown of it while judgements are still to be counted after so many seconds.
    """
    judged = tallied(collection, seconds=seconds)
    if judged.waiting:
        return TargetBoard((), (), (), None, judged.targets, judged.waiting)
    profiles = profiles_of(collection)
    found = _mentions_in(collection, seconds) if profiles else ()
    if found is None:
        return TargetBoard((), (), (), None, is_counting=True)
    with opened(collection) as index:
        pool = rate_candidates_in(index, profiles, judged.opinions, wish.documents, found)
        languages = {about.id: about.language for about in index.records()}
    minimums = [parse_minimum(text, profiles, flag="") for text in wish.minimums.split()]
    chosen: set[str] = set()
    refusal = None
    try:
        taken = choose_targets(pool, wish.targets, minimums, per_language=wish.per_language, flag="")
        chosen = {candidate.id for candidate in taken}
    except InvalidInput as error:
        refusal = error
    by_language = [Counter[str]() for _ in profiles]
    for one in found:
        for (target, _), times in one.counts.items():
            by_language[target][languages[one.doc_id]] += times
    spoken = sorted({language for counts in by_language for language in counts})
    return TargetBoard(
        [
            TargetRow(
                candidate,
                [counts[language] for language in spoken],
                judged.progress.get(candidate.id),
                candidate.id in chosen,
            )
            for candidate, counts in zip(pool, by_language, strict=True)
        ],
        [
            QuotaRow(
                minimum,
                sum(minimum.matches(one) for one in pool if one.utility > 0),
                sum(minimum.matches(one) for one in pool if one.id in chosen),
            )
            for minimum in minimums
        ],
        spoken,
        refusal,
    )


def chosen_targets(collection: Collection, wish: Wish) -> str:
    """The profiles of the chosen targets, as ``corpus select-targets -o`` writes them."""
    found = target_board(collection, wish)
    if found.refusal is not None:
        raise found.refusal
    return profile_lines(found.chosen)


def take_targets(collection: Collection, wish: Wish, *, caller: Caller) -> int:
    """Go on with the chosen targets alone; how many they are.  The file before stays."""
    lines = chosen_targets(collection, wish)
    if not lines:
        raise Refused("no-target", "no candidate is expected often enough to be chosen")
    _write_targets(collection, lines, caller=caller)
    return lines.count("\n")


def add_candidate(collection: Collection, name: str, *, caller: Caller) -> str:
    """Make a candidate of what somebody captured as a new entity; its id."""
    held = collection.entries.filter(kind="capture", name=name).first()
    if held is None or held.data["capture"] != "new-entity":
        raise Refused("no-capture", "there is no such capture of a new entity", status=400)
    profiles = profiles_of(collection)
    known = {profile.id for profile in profiles}
    new = next(free for free in (f"T{number:04d}" for number in count(1)) if free not in known)
    with opened(collection) as index:
        language = index.record(held.document).language
    profile = {
        "id": new,
        "handle": held.data["text"],
        "languages": [language] if language else [],
        "status": "candidate",
    }
    if any(one.handle == held.data["text"] for one in profiles):
        raise Refused("handle-not-unique", f"a target has the handle {held.data['text']!r} already")
    _write_targets(
        collection, lines_of_records([*(dict(one.data or {}) for one in profiles), profile]), caller=caller
    )
    return new


def _write_targets(collection: Collection, lines: str, *, caller: Caller) -> None:
    replace_targets(collection, Upload.of(store(lines.encode()), "targets.jsonl"), caller=caller)


# --------------------------------------------------------------------------------------------- choosing documents


def selection_of(collection: Collection, documents: int) -> Selection:
    """The documents that ``corpus select-documents`` chooses for the targets, with its report."""
    profiles = profiles_of(collection)
    if not profiles:
        raise Refused("no-targets", "the collection has no targets to choose documents for")
    with opened(collection) as index:
        wanted = WantedDocuments(documents)
        return select_documents(index, profiles, wanted, judged=resolve(entries_of(collection)))
