"""The pages and API calls of assessment, and who may see them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from django.db.models import Model
from django.urls import URLPattern

from lydite_workbench.adjudication.models import QueueItem
from lydite_workbench.assessment import views
from lydite_workbench.assessment.models import PooledDocument, PooledItem
from lydite_workbench.rights import (
    ADJUDICATE,
    ASSESS,
    FINDERS,
    ORGANISE,
    SIGNED_IN,
    TAKE_PART,
    Caller,
    Right,
    Subject,
    by_id,
    endpoint,
)

app_name = "assessment"
HERE = "campaigns/<slug:campaign>/assessment"
post = partial(endpoint, methods=("POST",), right=ORGANISE)


def _judges(caller: Caller, subject: Subject) -> bool:
    """Items of a pool are for assessors, those of a queue for adjudicators."""
    is_queued = any(isinstance(thing, QueueItem) for thing in subject.things)
    return (ADJUDICATE if is_queued else ASSESS).holds(caller, subject)


JUDGE = Right("judge the item", _judges)


def _item(word: str, _found: Mapping[str, Model]) -> PooledItem | QueueItem:
    queued = QueueItem.objects.select_related("queue__campaign").filter(public_id=word).first()
    return queued or PooledItem.objects.select_related("document__pool__campaign").get(public_id=word)


finders = {**FINDERS, "item": _item, "document": by_id(PooledDocument)}

urlpatterns: list[URLPattern] = [
    endpoint(HERE, views.overview, right=TAKE_PART, name="overview"),
    endpoint(f"{HERE}/work", views.work, right=ASSESS, name="work"),
    endpoint(f"{HERE}/guidelines", views.guidelines, right=TAKE_PART, name="guidelines"),
    endpoint(f"{HERE}/overruled", views.overruled, right=ASSESS, name="overruled"),
    endpoint(f"{HERE}/agreement", views.agreement, right=ADJUDICATE, name="agreement"),
    endpoint(f"{HERE}/differences", views.next_disagreement, right=ADJUDICATE, name="differences"),
    endpoint(f"{HERE}/rule", views.rule, right=ADJUDICATE, name="rule", methods=("POST",)),
    post(f"{HERE}/pool", views.make_pool, name="make-pool"),
    post(f"{HERE}/append", views.append, name="append"),
    post(f"{HERE}/freeze", views.freeze, name="freeze"),
    post(f"{HERE}/put-guidelines", views.replace_guidelines, name="put-guidelines"),
    post(f"{HERE}/read", views.read, name="read"),
    endpoint(f"{HERE}/store.zip", views.store, right=ORGANISE, name="store"),
    endpoint(f"{HERE}/sheet.<slug:layout>", views.sheet, right=ORGANISE, name="sheet"),
    endpoint(f"{HERE}/found-by.csv", views.found_by, right=ORGANISE, name="found-by"),
]
send = partial(endpoint, methods=("POST",), finders=finders)
api_urlpatterns: list[URLPattern] = [
    endpoint("items", views.items, right=SIGNED_IN, name="items"),
    send("items/<slug:item>/judgements", views.add_judgement, right=JUDGE, name="judgements"),
    send("documents/<slug:document>/strings", views.strings, right=ASSESS, name="strings"),
]
"""Below ``/api/v1/``."""
