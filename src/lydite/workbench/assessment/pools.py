"""Pools of arguments: what runs found, what is known of it, and which guidelines hold."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache, lru_cache
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Required

from django.db import transaction
from django.db.models import F

from lydite.assess import judging, pooling, quote_filter, sheets
from lydite.assess.guidelines import Guidelines, guideline_names, load_guidelines, read_guidelines
from lydite.assess.manifests import DocumentEntry, PoolHead
from lydite.assess.stores import open_system
from lydite.formats.eal import argument_columns, parse_file
from lydite.formats.taxonomy import load_taxonomy
from lydite.formats.texts import Texts, open_texts
from lydite.grouping import grouped
from lydite.model.argument import TIME_ROLES, Argument
from lydite.model.partial_date import is_date
from lydite.model.taxonomy import Taxonomy
from lydite.profile import load_profile
from lydite.records import NamedTuple
from lydite.tasks.arguments.settings import ArgumentSettings
from lydite.workbench.accounts.services import record
from lydite.workbench.assessment.models import Pool, PooledDocument, PooledItem
from lydite.workbench.campaigns.models import Campaign, Run
from lydite.workbench.campaigns.services import file_of, profile_of, valid_runs
from lydite.workbench.problems import Refused, refuse_long, refuse_what_cannot_be_kept
from lydite.workbench.records import sheet_lines
from lydite.workbench.rights import Caller
from lydite.workbench.store import Upload, json_in, path_of, path_under_name, store

DOCUMENTS = "documents"
"""The setting whose file holds the source texts of a campaign."""
LONGEST_ID = 200


def make_pool(
    campaign: Campaign,
    runs: Sequence[Run],
    rules: pooling.PoolRules,
    caller: Caller,
    *,
    drop_quotes: bool = False,
    twice: int,
    guidelines: str = "kbp2014",
) -> Pool:
    """Pool what the runs found; every document is split over as many people as it needs."""
    if campaign.judging != "pool":
        raise Refused(
            "no-pool", f"only event arguments are pooled; the task of this campaign is {campaign.task}"
        )
    if not runs:
        raise Refused("no-runs", "choose at least one valid run to pool")
    if rules.top_n == 0:
        raise Refused("no-items", "a pool has at least one item, not the best 0", status=400)
    if twice > 100:
        raise Refused("no-share", f"a share is at most 100 of 100 documents, not {twice}", status=400)
    if guidelines not in guideline_names():
        raise Refused("no-such-guidelines", f"no guidelines {guidelines!r} are shipped", status=400)
    pool = Pool(
        campaign=campaign,
        rules={**asdict(rules), "drop_quotes": drop_quotes},
        twice=twice,
        guidelines=guidelines,
    )
    _refuse_second_pool(campaign)
    pooled = _pool_runs(pool, runs)
    with transaction.atomic():
        Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        _refuse_second_pool(campaign)
        pool.save()
        added = _add(pool, runs, pooled)
        record(caller, "pool.make", about=campaign.slug, campaign=campaign, runs=len(runs), items=added)
    return pool


def _refuse_second_pool(campaign: Campaign) -> None:
    if Pool.objects.filter(campaign=campaign).exists():
        raise Refused("pool-exists", "this campaign has a pool; later runs are added to it")


def append_runs(pool: Pool, runs: Sequence[Run], caller: Caller) -> int:
    """Add what later runs found and nobody found before; how many items that are.

    A frozen assessment opens again for them, until it is frozen anew; the gold of the first freeze counts meanwhile.
    """
    if not runs:
        raise Refused("no-runs", "choose at least one valid run to add")
    pooled = _pool_runs(pool, runs)
    with transaction.atomic():
        # The row of the caller may be older than what others have added since.
        pool = Pool.objects.select_for_update().get(pk=pool.pk)
        added = _add(pool, runs, pooled)
        opens = added > 0 and pool.frozen is not None
        if opens:
            pool.frozen = None
            pool.save(update_fields=["frozen"])
        record(
            caller,
            "pool.append",
            about=pool.campaign.slug,
            campaign=pool.campaign,
            runs=len(runs),
            items=added,
            opened_again=opens,
        )
    return added


class Round(PoolHead):
    """What was pooled at once: the manifest of the pool, and of each of its systems the runs that sent it."""

    runs: Required[list[list[str]]]
    documents: Required[dict[str, DocumentEntry]]


class PooledRuns(NamedTuple):
    """What runs found, pooled; nothing of it is stored yet."""

    round: Round
    items: Mapping[str, Mapping[str, list[str]]]
    """By document and key of the item, in the order in which they are judged: the argument as a line of a store."""


def _pool_runs(pool: Pool, runs: Sequence[Run]) -> PooledRuns:
    """Pool runs by the rules of a pool.  This takes long, so that it is done before anybody waits for the database."""
    texts = texts_of(pool.campaign)
    rules = dict(pool.rules)
    drop_quotes = rules.pop("drop_quotes", False)
    if drop_quotes and texts is None:
        raise Refused(
            "no-texts", "quoted passages can only be left out of the pool where the campaign has texts"
        )
    # Several runs may be one file under one name: it is one system.
    senders = grouped((path_under_name(run.file_id, run.file_name), run.public_id) for run in runs)
    made = pooling.pool(
        [open_system(path) for path in senders],
        pooling.PoolRules(**rules),
        quote_filter=quote_filter.build(texts) if drop_quotes and texts is not None else None,
    )
    entries, items = {}, {}
    for document in made.documents:
        entries[document.doc_id] = document.entry
        if document.answers:
            items[document.doc_id] = _item_columns(document.doc_id, document.answers)
    return PooledRuns({**made.head, "runs": [*senders.values()], "documents": entries}, items)


def _item_columns(doc_id: str, arguments: Iterable[Argument]) -> dict[str, list[str]]:
    ordered = sorted(arguments, key=lambda argument: (argument.span, argument))
    columns = {sheets.key_of(argument): list(argument_columns(argument)) for argument in ordered}
    refuse_long("id of a document", doc_id, LONGEST_ID)
    refuse_what_cannot_be_kept(doc_id, [doc_id, *columns.values()])
    return columns


def _add(pool: Pool, runs: Sequence[Run], pooled: PooledRuns) -> int:
    """Add what runs found to a pool; how many items are new."""
    added = sum(_add_document(pool, doc_id, columns) for doc_id, columns in pooled.items.items())
    rounds = [*rounds_of(pool), pooled.round]
    pool.manifest = store(json.dumps({"rounds": rounds}, sort_keys=True).encode())
    pool.save(update_fields=["manifest"])
    pool.runs.add(*runs)
    return added


def rounds_of(pool: Pool) -> list[Round]:
    """Of every time that runs were pooled, which run gave what."""
    if pool.manifest_id is None:
        return []
    rounds: list[Round] = json_in(pool.manifest_id)["rounds"]
    return rounds


def _add_document(pool: Pool, doc_id: str, columns: Mapping[str, list[str]]) -> int:
    document, _ = PooledDocument.objects.get_or_create(
        pool=pool,
        doc_id=doc_id,
        defaults={"position": pool.documents.count(), "seats": 2 if _is_judged_twice(pool, doc_id) else 1},
    )
    known = set(document.items.values_list("key", flat=True))
    new = [key for key in columns if key not in known]
    PooledItem.objects.bulk_create(
        PooledItem(document=document, key=key, position=len(known) + place, columns=columns[key])
        for place, key in enumerate(new)
    )
    document.size = len(known) + len(new)
    document.save(update_fields=["size"])
    if new and known:
        # Who had finished the document has work again.
        document.taken.update(finished=None)
        mark_changed(document)
    return len(new)


def _is_judged_twice(pool: Pool, doc_id: str) -> bool:
    """The share is drawn by the name of the document, so that it does not depend on the order of anything."""
    drawn = int.from_bytes(sha256(f"{pool.campaign.slug}\0{doc_id}".encode()).digest()[:4], "big")
    return drawn % 100 < pool.twice


def runs_outside(pool: Pool) -> list[Run]:
    """The runs that could be pooled and are not."""
    known = set(pool.runs.values_list("pk", flat=True))
    return [run for run in valid_runs(pool.campaign) if run.pk not in known]


def collapse_named(name: str) -> pooling.Collapse:
    """How redundant responses are treated, by name."""
    known: dict[str, pooling.Collapse] = {"none": "none", "system": "system", "pool": "pool"}
    if name not in known:
        raise Refused("no-such-rule", f"unknown way to collapse: {name!r}", status=400)
    return known[name]


def texts_of(campaign: Campaign) -> Texts | None:
    """The source documents of a campaign, where it has them."""
    held = file_of(campaign, DOCUMENTS)
    return None if held is None else _texts(held)


_texts = lru_cache(maxsize=8)(open_texts)
"""The texts of a stored file, whose path never means another one."""


def taxonomy_of(campaign: Campaign) -> Taxonomy:
    """The types and roles of the campaign; a file is read each time, for its path can mean another one."""
    profile = load_profile("arguments", profile_of(campaign), ArgumentSettings)
    said = file_of(campaign, "taxonomy") or campaign.settings.get("taxonomy")
    return load_taxonomy(str(said or profile.settings.taxonomy))


def lacks_date(campaign: Campaign, argument: Argument) -> bool:
    """Whether an argument claims a time that is no date: scoring refuses a store in which it was accepted."""
    settings = _settings(profile_of(campaign), json.dumps(campaign.settings, sort_keys=True))
    return (
        settings.non_dates == "refuse"
        and argument.role in TIME_ROLES
        and not is_date(argument.text, small_x=settings.small_x_is_unknown)
    )


@lru_cache(maxsize=16)
def _settings(profile: str, options: str) -> ArgumentSettings:
    return load_profile("arguments", profile, ArgumentSettings).replace(json.loads(options)).settings


def guidelines_of(pool: Pool) -> Guidelines:
    """The guidelines that its assessors follow: an organiser's file, or else shipped ones."""
    if pool.guidelines_file_id is None:
        return _shipped(pool.guidelines)
    return _guidelines_in(pool.guidelines_file_id, pool.guidelines)


_shipped = cache(load_guidelines)


@lru_cache(maxsize=16)
def _guidelines_in(digest: str, name: str) -> Guidelines:
    return read_guidelines(path_of(digest).read_bytes(), Path(name))


@transaction.atomic
def put_guidelines(pool: Pool, upload: Upload, caller: Caller) -> Guidelines:
    """Let assessors follow another file from now on; judgements say which one they were made under."""
    hold_open(pool)
    guidelines = _guidelines_in(upload.digest, upload.name)
    told = {question.name for question in guidelines.questions}
    missing = [question.name for question in judging.QUESTIONS if question.name not in told]
    if missing:
        raise Refused("no-question", f"{upload.name}: nothing about: {', '.join(missing)}", status=400)
    pool.guidelines, pool.guidelines_file = upload.safe_name[-80:], upload.row
    pool.save(update_fields=["guidelines", "guidelines_file"])
    record(caller, "assessment.guidelines", upload.digest, campaign=pool.campaign)
    return guidelines


def guidelines_version(pool: Pool) -> str:
    """What judgements say of the guidelines that they were made under."""
    guidelines = guidelines_of(pool)
    return f"{guidelines.name} {guidelines.version}".strip()


def argument_of(item: PooledItem) -> Argument:
    """The argument that an item asks about."""
    (argument,) = _parsed(item.document.doc_id, [item.columns])
    return argument


def arguments_of(document: PooledDocument) -> dict[int, Argument]:
    """The arguments of all items of a document, by the key of the item."""
    items = list(document.items.values_list("pk", "columns"))
    arguments = _parsed(document.doc_id, [columns for _, columns in items])
    return {key: argument for (key, _), argument in zip(items, arguments, strict=True)}


def _parsed(doc_id: str, lines: Sequence[Sequence[str]]) -> list[Argument]:
    """The arguments of lines of a store; all were read when they were pooled, so that none is broken."""
    data = "\n".join("\t".join([str(number), *columns, "1.0"]) for number, columns in enumerate(lines, 1))
    return [row.argument for row in parse_file(doc_id, data.encode("utf-8", "surrogatepass")).rows]


def mark_changed(document: PooledDocument) -> None:
    """Let what two people said of a document be compared anew."""
    PooledDocument.objects.filter(pk=document.pk, seats__gt=1).update(changes=F("changes") + 1)


def refuse_frozen(pool: Pool) -> None:
    """Refuse to change a frozen assessment; the database is asked, since somebody may have frozen it just now."""
    if Pool.objects.filter(pk=pool.pk, frozen__isnull=False).exists():
        raise Refused("frozen", "the assessment is frozen; its judgements can no longer change")


def hold_open(pool: Pool) -> None:
    """Keep everybody else from freezing or claiming until the transaction ends; refused where it is frozen."""
    Pool.objects.select_for_update().get(pk=pool.pk)
    refuse_frozen(pool)


# ------------------------------------------------------------------------------------------------ after the freeze


def found_by(pool: Pool) -> Iterator[tuple[Argument, list[Run]]]:
    """Every argument that was pooled with the runs that found it.  Refused before the freeze."""
    if pool.frozen is None:
        raise Refused("not-frozen", "who found what is told after the freeze")
    known = {run.public_id: run for run in pool.runs.select_related("team")}
    givers: dict[str, dict[str, Run]] = {}
    for pooled in rounds_of(pool):
        names = (system["name"] for system in pooled["systems"])
        senders = dict(zip(names, pooled["runs"], strict=True))
        for entry in pooled["documents"].values():
            for line in entry["arguments"]:
                found = {run: known[run] for origin in line["systems"] for run in senders[origin["system"]]}
                givers.setdefault(line["argument"], {}).update(found)
    items = PooledItem.objects.filter(document__pool=pool).select_related("document").iterator()
    return ((argument_of(item), list(givers.get("\t".join(item.columns), {}).values())) for item in items)


def found_by_sheet(pool: Pool) -> Iterator[str]:
    """The same as CSV, line by line, for the organiser."""
    rows = (
        [
            *(argument_columns(argument)[place] for place in (0, 1, 2, 3, 8)),
            " ".join(run.label for run in runs),
        ]
        for argument, runs in found_by(pool)
    )
    return sheet_lines(chain([["document", "event type", "role", "string", "realis", "runs"]], rows))
