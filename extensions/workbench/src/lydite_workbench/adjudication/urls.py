"""The pages and API calls of adjudication, and who may see them."""

from __future__ import annotations

from functools import partial

from django.urls import URLPattern

from lydite_workbench.adjudication import views
from lydite_workbench.adjudication.models import Queue, QueueItem
from lydite_workbench.rights import ADJUDICATE, FINDERS, ORGANISE, by_id, endpoint

app_name = "adjudication"
HERE = "campaigns/<slug:campaign>/adjudication"
finders = {**FINDERS, "queue": by_id(Queue), "queue_item": by_id(QueueItem)}
judge = partial(endpoint, right=ADJUDICATE, finders=finders)
organise = partial(endpoint, right=ORGANISE, finders=finders)

urlpatterns: list[URLPattern] = [
    judge(HERE, views.overview, name="overview"),
    organise(f"{HERE}/targets", views.make_target_queue, name="make-targets", methods=("POST",)),
    organise(f"{HERE}/annotators", views.make_annotator_queue, name="make-annotators", methods=("POST",)),
    judge("queues/<slug:queue>", views.work, name="work"),
    judge("queues/<slug:queue>/items", views.queue_items, name="items"),
    judge("queue-items/<slug:queue_item>/text", views.item_text, name="text"),
    organise("queues/<slug:queue>/scores", views.scores, name="scores"),
    organise("queues/<slug:queue>/decisions", views.decisions_file, name="decisions"),
    organise("queues/<slug:queue>/gold", views.gold_file, name="gold"),
]
