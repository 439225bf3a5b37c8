"""Pools of arguments: made from runs, with the texts, types, roles and guidelines that belong to them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache, lru_cache
from hashlib import sha256
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple, Required

from django.db import transaction
from django.db.models import F

from lydite.assess import judging, pooling, quote_filter, sheets
from lydite.assess.guidelines import Guidelines, guideline_names, load_guidelines, parse_guidelines
from lydite.assess.manifests import DocumentEntry, PoolHead
from lydite.assess.stores import open_system
from lydite.formats.eal import argument_columns, parse_file
from lydite.formats.quote_filters import read_quote_filter, write_quote_filter
from lydite.formats.taxonomy import load_taxonomy
from lydite.formats.texts import Texts, open_texts
from lydite.grouping import grouped
from lydite.model.argument import TIME_ROLES, Argument
from lydite.model.partial_date import is_date
from lydite.model.taxonomy import Taxonomy
from lydite.profile import load_profile
from lydite.tasks.arguments.settings import ArgumentSettings
from lydite_workbench.accounts.services import record
from lydite_workbench.assessment.models import Pool, PooledDocument, PooledItem
from lydite_workbench.campaigns.models import Campaign, Run
from lydite_workbench.campaigns.runs import valid_runs
from lydite_workbench.campaigns.setup import SettingFile, add_file, check_file, file_of, profile_of
from lydite_workbench.problems import BadInput, Refused, refuse_long, refuse_unstorable
from lydite_workbench.records import sheet_lines
from lydite_workbench.rights import Caller
from lydite_workbench.store import Upload, path_of, path_under_name, store, stored_json

TEXTS_SETTING = "documents"
"""The setting whose file has the source texts of a campaign."""
QUOTES_SETTING = "quote-filter"
"""The setting whose file has the quoted passages of these texts: they are left out of pools and of runs alike."""
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
    """Pool what the runs found, for one or two people to judge each document."""
    if campaign.judging != "pool":
        sentence = f"only event arguments are pooled; the task of this campaign is {campaign.task}"
        raise Refused("no-pool", sentence)
    if not runs:
        raise Refused("no-runs", "choose at least one valid run to pool")
    if rules.top_n == 0:
        raise BadInput("no-items", "a pool has at least one item, not the best 0")
    if twice > 100:
        raise BadInput("no-share", f"a share is at most 100 of 100 documents, not {twice}")
    if guidelines not in guideline_names():
        raise BadInput("no-such-guidelines", f"no guidelines {guidelines!r} are shipped")
    stored = {**asdict(rules), "drop_quotes": drop_quotes}
    pool = Pool(campaign=campaign, rules=stored, twice=twice, guidelines=guidelines)
    _refuse_second_pool(campaign)
    new_filter = _new_quote_filter(pool)
    pooled = _pool_runs(pool, runs, new_filter)
    with transaction.atomic():
        Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        _refuse_second_pool(campaign)
        if new_filter is not None:
            add_file(campaign, new_filter, actor=caller)
        pool.save()
        added = _add_items(pool, runs, pooled)
        record(caller, "pool.make", about=campaign.slug, campaign=campaign, runs=len(runs), items=added)
    return pool


def _refuse_second_pool(campaign: Campaign) -> None:
    if Pool.objects.filter(campaign=campaign).exists():
        raise Refused("pool-exists", "this campaign has a pool; later runs are added to it")


def append_runs(pool: Pool, runs: Sequence[Run], caller: Caller) -> int:
    """Add the arguments that only later runs found; return how many items are new.

    If there are any, a frozen assessment opens again; the gold of the earlier freeze counts until the next one.
    """
    if not runs:
        raise Refused("no-runs", "choose at least one valid run to add")
    keep_quote_filter(pool, caller)
    pooled = _pool_runs(pool, runs)
    with transaction.atomic():
        # The row of the caller may be older than what others have added since.
        pool = Pool.objects.select_for_update().get(pk=pool.pk)
        added = _add_items(pool, runs, pooled)
        opens = added > 0 and pool.frozen is not None
        if opens:
            pool.frozen = None
            pool.save(update_fields=["frozen"])
        counts = {"runs": len(runs), "items": added, "opened_again": opens}
        record(caller, "pool.append", pool.campaign.slug, campaign=pool.campaign, **counts)
    return added


class Round(PoolHead):
    """The manifest of what was pooled at once, and the ids of the runs behind each of its systems."""

    runs: Required[list[list[str]]]
    documents: Required[dict[str, DocumentEntry]]


class PooledRuns(NamedTuple):
    """What runs found, pooled but not stored yet."""

    round: Round
    items: Mapping[str, Mapping[str, list[str]]]
    """Document → key of an item → columns of the argument, in the order in which they are judged."""


def _new_quote_filter(pool: Pool) -> SettingFile | None:
    """The filter of a pool that leaves quotes out, to be stored with its campaign; None if it needs none or has one."""
    campaign = pool.campaign
    if not pool.rules.get("drop_quotes") or QUOTES_SETTING in campaign.files_by_setting:
        return None
    texts = texts_of(campaign)
    if texts is None:
        sentence = "quoted passages can only be left out of the pool where the campaign has texts"
        raise Refused("no-texts", sentence)
    built = write_quote_filter(quote_filter.build(texts))
    return check_file(campaign, QUOTES_SETTING, Upload.of(store(built), "quotes.filter"))


def keep_quote_filter(pool: Pool, caller: Caller) -> None:
    """Store the filter of a pool with its campaign, if the pool is older than that practice: runs are scored with it."""
    new_filter = _new_quote_filter(pool)
    if new_filter is not None:
        with transaction.atomic():
            campaign = Campaign.objects.select_for_update(no_key=True).get(pk=pool.campaign.pk)
            if QUOTES_SETTING not in campaign.files_by_setting:
                add_file(campaign, new_filter, actor=caller)
        pool.campaign = campaign


def _pool_runs(pool: Pool, runs: Sequence[Run], new_filter: SettingFile | None = None) -> PooledRuns:
    """Pool runs by the rules of a pool.  It takes long, and so it is done before the database is locked."""
    rules = dict(pool.rules)
    filter_path = file_of(pool.campaign, QUOTES_SETTING) if new_filter is None else new_filter.upload.path
    drops_quotes = rules.pop("drop_quotes", False)
    # Runs with the same file under the same name are one system.
    senders = grouped((path_under_name(run.file_id, run.file_name), run.public_id) for run in runs)
    made = pooling.pool(
        [open_system(path) for path in senders],
        pooling.PoolRules(**rules),
        quote_filter=read_quote_filter(filter_path) if drops_quotes and filter_path else None,
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
    refuse_unstorable(doc_id, [doc_id, *columns.values()])
    return columns


def _add_items(pool: Pool, runs: Sequence[Run], pooled: PooledRuns) -> int:
    """Add what runs found to a pool; return how many items are new."""
    added = sum(_add_document(pool, doc_id, columns) for doc_id, columns in pooled.items.items())
    pool.manifest = store(json.dumps({"rounds": [*rounds_of(pool), pooled.round]}, sort_keys=True).encode())
    pool.save(update_fields=["manifest"])
    pool.runs.add(*runs)
    return added


def rounds_of(pool: Pool) -> list[Round]:
    """The manifest of every time that runs were pooled, in order."""
    if pool.manifest_id is None:
        return []
    rounds: list[Round] = stored_json(pool.manifest_id)["rounds"]
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
        # Whoever had finished the document has work again.
        document.taken.update(finished=None)
        mark_changed(document)
    return len(new)


def _is_judged_twice(pool: Pool, doc_id: str) -> bool:
    """Whether a document is of the share that two people judge: drawn by its name, so that no order matters."""
    drawn = int.from_bytes(sha256(f"{pool.campaign.slug}\0{doc_id}".encode()).digest()[:4], "big")
    return drawn % 100 < pool.twice


def runs_not_pooled(pool: Pool) -> list[Run]:
    """The valid runs that are not in the pool."""
    known = set(pool.runs.values_list("pk", flat=True))
    return [run for run in valid_runs(pool.campaign) if run.pk not in known]


def collapse_rule(name: str) -> pooling.Collapse:
    """The rule of that name for redundant responses."""
    rules: dict[str, pooling.Collapse] = {"none": "none", "system": "system", "pool": "pool"}
    if name not in rules:
        raise BadInput("no-such-rule", f"unknown way to collapse: {name!r}")
    return rules[name]


def texts_of(campaign: Campaign) -> Texts | None:
    """The source texts of a campaign; None if it has none."""
    held = file_of(campaign, TEXTS_SETTING)
    return None if held is None else _cached_texts(held)


_cached_texts = lru_cache(maxsize=8)(open_texts)
"""Texts by the path of a stored file, which never changes."""


def taxonomy_of(campaign: Campaign) -> Taxonomy:
    """The event types and roles of the campaign; a file is read each time, since its path can come to mean another one."""
    profile = load_profile("arguments", profile_of(campaign), ArgumentSettings)
    taxonomy = file_of(campaign, "taxonomy") or campaign.settings.get("taxonomy")
    return load_taxonomy(str(taxonomy or profile.settings.taxonomy))


def lacks_date(campaign: Campaign, argument: Argument) -> bool:
    """Whether an argument fills a time role with what is not a date: a store that accepts it cannot be scored."""
    settings = _cached_settings(profile_of(campaign), json.dumps(campaign.settings, sort_keys=True))
    return (
        settings.non_dates == "refuse"
        and argument.role in TIME_ROLES
        and not is_date(argument.text, small_x=settings.small_x_is_unknown)
    )


@lru_cache(maxsize=16)
def _cached_settings(profile: str, options: str) -> ArgumentSettings:
    return load_profile("arguments", profile, ArgumentSettings).replace(json.loads(options)).settings


def guidelines_of(pool: Pool) -> Guidelines:
    """The guidelines that its assessors follow: an organiser's file, or shipped ones."""
    if pool.guidelines_file_id is None:
        return _shipped_guidelines(pool.guidelines)
    return _stored_guidelines(pool.guidelines_file_id, pool.guidelines)


_shipped_guidelines = cache(load_guidelines)


@lru_cache(maxsize=16)
def _stored_guidelines(digest: str, name: str) -> Guidelines:
    return parse_guidelines(path_of(digest).read_bytes(), Path(name))


@transaction.atomic
def replace_guidelines(pool: Pool, upload: Upload, caller: Caller) -> Guidelines:
    """Let assessors follow another file from now on; every judgement keeps the version that it was made under."""
    lock_open(pool)
    guidelines = _stored_guidelines(upload.digest, upload.name)
    explained = {question.name for question in guidelines.questions}
    missing = [question.name for question in judging.QUESTIONS if question.name not in explained]
    if missing:
        raise BadInput("no-question", f"{upload.name}: these questions are missing: {', '.join(missing)}")
    pool.guidelines, pool.guidelines_file = upload.safe_name[-80:], upload.row
    pool.save(update_fields=["guidelines", "guidelines_file"])
    record(caller, "assessment.guidelines", upload.digest, campaign=pool.campaign)
    return guidelines


def guidelines_version(pool: Pool) -> str:
    """The name and version of the guidelines of a pool, as judgements keep them."""
    guidelines = guidelines_of(pool)
    return f"{guidelines.name} {guidelines.version}".strip()


def argument_of(item: PooledItem) -> Argument:
    """The argument that an item asks about."""
    (argument,) = _parse_lines(item.document.doc_id, [item.columns])
    return argument


def arguments_of(document: PooledDocument) -> dict[int, Argument]:
    """The arguments of all items of a document, by the key of the item."""
    items = list(document.items.values_list("pk", "columns"))
    arguments = _parse_lines(document.doc_id, [columns for _, columns in items])
    return {key: argument for (key, _), argument in zip(items, arguments, strict=True)}


def _parse_lines(doc_id: str, lines: Sequence[Sequence[str]]) -> list[Argument]:
    """The arguments on lines of a store; none is malformed, since all were read when they were pooled."""
    data = "\n".join("\t".join([str(number), *columns, "1.0"]) for number, columns in enumerate(lines, 1))
    return [row.argument for row in parse_file(doc_id, data.encode("utf-8", "surrogatepass")).rows]


def mark_changed(document: PooledDocument) -> None:
    """Note that the judgements of a document changed, so that its two assessors are compared again."""
    PooledDocument.objects.filter(pk=document.pk, seats__gt=1).update(changes=F("changes") + 1)


def refuse_frozen(pool: Pool) -> None:
    """Refuse to change a frozen assessment, also one that somebody has frozen just now."""
    if Pool.objects.filter(pk=pool.pk, frozen__isnull=False).exists():
        raise Refused("frozen", "the assessment is frozen; its judgements can no longer change")


def lock_open(pool: Pool) -> None:
    """Lock a pool until the transaction ends, so that nobody freezes it or takes a seat; refuse a frozen one."""
    Pool.objects.select_for_update().get(pk=pool.pk)
    refuse_frozen(pool)


# ------------------------------------------------------------------------------------------------ after the freeze


def arguments_with_runs(pool: Pool) -> Iterator[tuple[Argument, list[Run]]]:
    """Every pooled argument with the runs that found it; refused before the freeze."""
    if pool.frozen is None:
        raise Refused("not-frozen", "who found what can be seen only after the freeze")
    known = {run.public_id: run for run in pool.runs.select_related("team")}
    finders: dict[str, dict[str, Run]] = {}
    for pooled in rounds_of(pool):
        names = (system["name"] for system in pooled["systems"])
        senders = dict(zip(names, pooled["runs"], strict=True))
        for entry in pooled["documents"].values():
            for line in entry["arguments"]:
                found = {run: known[run] for origin in line["systems"] for run in senders[origin["system"]]}
                finders.setdefault(line["argument"], {}).update(found)
    items = PooledItem.objects.filter(document__pool=pool).select_related("document").iterator()
    return ((argument_of(item), list(finders.get("\t".join(item.columns), {}).values())) for item in items)


def found_by_sheet(pool: Pool) -> Iterator[str]:
    """Which runs found which argument, as lines of CSV."""
    rows = (
        [*itemgetter(0, 1, 2, 3, 8)(argument_columns(argument)), " ".join(run.label for run in runs)]
        for argument, runs in arguments_with_runs(pool)
    )
    return sheet_lines(chain([["document", "event type", "role", "string", "realis", "runs"]], rows))
