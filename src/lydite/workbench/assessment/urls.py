"""Where the pages and API calls of assessment are, and who may see them."""

from __future__ import annotations

from functools import partial

from django.urls import URLPattern

from lydite.workbench.assessment import views
from lydite.workbench.assessment.models import Item, PooledDocument
from lydite.workbench.rights import (
    ADJUDICATE,
    ASSESS,
    FINDERS,
    ORGANISE,
    SIGNED_IN,
    TAKE_PART,
    by_id,
    endpoint,
)

app_name = "assessment"
HERE = "campaigns/<slug:campaign>/assessment"
post = partial(endpoint, methods=("POST",), right=ORGANISE)
finders = {**FINDERS, "item": by_id(Item), "document": by_id(PooledDocument)}

urlpatterns: list[URLPattern] = [
    endpoint(HERE, views.overview, right=TAKE_PART, name="overview"),
    endpoint(f"{HERE}/work", views.work, right=ASSESS, name="work"),
    endpoint(f"{HERE}/guidelines", views.guidelines, right=TAKE_PART, name="guidelines"),
    endpoint(f"{HERE}/overruled", views.overruled, right=ASSESS, name="overruled"),
    endpoint(f"{HERE}/differences", views.differences, right=ADJUDICATE, name="differences"),
    endpoint(f"{HERE}/rule", views.rule, right=ADJUDICATE, name="rule", methods=("POST",)),
    post(f"{HERE}/pool", views.make_pool, name="make-pool"),
    post(f"{HERE}/append", views.append, name="append"),
    post(f"{HERE}/freeze", views.freeze, name="freeze"),
    post(f"{HERE}/read", views.read, name="read"),
    endpoint(f"{HERE}/store.zip", views.store, right=ORGANISE, name="store"),
    endpoint(f"{HERE}/sheet.csv", views.sheet, right=ORGANISE, name="sheet"),
]
api_urlpatterns: list[URLPattern] = [
    endpoint("items", views.items, right=SIGNED_IN, name="items"),
    endpoint(
        "items/<slug:item>/judgements",
        views.judgements,
        right=ASSESS,
        name="judgements",
        methods=("POST",),
        finders=finders,
    ),
    endpoint(
        "documents/<slug:document>/strings",
        views.strings,
        right=ASSESS,
        name="strings",
        methods=("POST",),
        finders=finders,
    ),
]
"""Below ``/api/v1/``."""
