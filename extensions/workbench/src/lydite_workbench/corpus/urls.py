"""The pages and API calls of collections, and who may see them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from django.db.models import Model
from django.urls import URLPattern

from lydite_workbench.corpus import views
from lydite_workbench.corpus.models import Collection
from lydite_workbench.rights import EXPLORE, FINDERS, ORGANISE, endpoint

app_name = "corpus"
HERE = "corpora/<slug:collection>"


def _collection(word: str, _found: Mapping[str, Model]) -> Collection:
    return Collection.objects.select_related("campaign").get(slug=word)


finders = {**FINDERS, "collection": _collection}
explore = partial(endpoint, right=EXPLORE, finders=finders)
send = partial(explore, methods=("POST",))
organise = partial(endpoint, right=ORGANISE, finders=finders, methods=("POST",))

urlpatterns: list[URLPattern] = [
    explore("campaigns/<slug:campaign>/corpora", views.overview, name="overview"),
    organise("campaigns/<slug:campaign>/corpora/new", views.make, name="make"),
    explore(HERE, views.explore, name="explore"),
    explore(f"{HERE}/state", views.state, name="state"),
    organise(f"{HERE}/index", views.index_again, name="index-again"),
    explore(f"{HERE}/document", views.document, name="document"),
    explore(f"{HERE}/judgements.jsonl", views.records, name="records"),
    send(f"{HERE}/judgements", views.judge, name="judge"),
    send(f"{HERE}/captures", views.capture, name="capture"),
    organise(f"{HERE}/import", views.import_records, name="import"),
    explore(f"{HERE}/targets", views.targets, name="targets"),
    explore(f"{HERE}/targets.jsonl", views.chosen_targets, name="chosen-targets"),
    organise(f"{HERE}/targets/change", views.change_targets, name="change-targets"),
    explore(f"{HERE}/selection", views.selection, name="selection"),
    explore(f"{HERE}/merge", views.merge, name="merge"),
    explore(f"{HERE}/merge/work", views.merge_work, name="merge-work"),
    explore(f"{HERE}/merge/inspect", views.inspect, name="inspect"),
    send(f"{HERE}/merge/operations", views.operate, name="operate"),
    explore(f"{HERE}/merge/conflicts", views.conflicts, name="conflicts"),
    explore(f"{HERE}/merges.jsonl", views.merge_log, name="merge-log"),
    explore(f"{HERE}/merged.zip", views.merged, name="merged"),
]
api_urlpatterns: list[URLPattern] = [explore(f"{HERE}/search", views.search, name="search")]
"""Below ``/api/v1/``."""
