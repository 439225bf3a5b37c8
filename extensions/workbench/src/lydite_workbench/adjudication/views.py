"""The pages and API calls of adjudication."""

from __future__ import annotations

from django.http import HttpResponse, JsonResponse
from django.http.response import HttpResponseBase

from lydite.annotators.questions import ADJUDICABLE
from lydite.errors import LyditeError
from lydite.report.tables import percent
from lydite_workbench.accounts.models import User
from lydite_workbench.adjudication import services
from lydite_workbench.adjudication.models import Queue, QueueItem, QueueKind
from lydite_workbench.campaigns.models import Campaign
from lydite_workbench.campaigns.runs import chosen_runs, valid_runs
from lydite_workbench.pages import CSV, download, page, refused_on, signed_in_person, whole_number
from lydite_workbench.problems import Refused
from lydite_workbench.rights import WebRequest
from lydite_workbench.uploads import required_file, sent_file, sent_files

# --------------------------------------------------------------------------------------------------------- pages


def overview(request: WebRequest, campaign: Campaign, error: LyditeError | None = None) -> HttpResponse:
    """The queues of a campaign, and forms for new ones."""
    context = {
        "campaign": campaign,
        "queues": services.queues_of(campaign),
        "organises": request.caller.organises(campaign),
        "runs": valid_runs(campaign) if campaign.judging == "queue" else [],
        "gold_formats": services.gold_formats(campaign),
        "can_compare_annotators": campaign.task in ADJUDICABLE,
        "has_texts": campaign.files.filter(setting__in=services.TEXTS).exists(),
    }
    return page(request, "adjudication/overview.html", context, refusal=error)


form = refused_on(overview, then="adjudication:overview")


def work(request: WebRequest, queue: Queue) -> HttpResponse:
    """The screen on which adjudicators decide."""
    return page(request, "adjudication/work.html", {"queue": queue, "campaign": queue.campaign})


@form
def scores(request: WebRequest, queue: Queue) -> HttpResponseBase:
    """The scores of runs before and after the decisions, computed for this request."""
    if queue.kind != QueueKind.TARGETS:
        raise Refused("no-figures", "decisions on annotators do not change scores")
    report = services.target_scores(queue)
    context = {"queue": queue, "campaign": queue.campaign, "report": report, "rows": _score_rows(report)}
    return page(request, "adjudication/scores.html", context)


FIGURE_NAMES = {
    "ace_value_plus": "ACE value",
    "adjudicated_precision": "precision",
    "relative_recall": "relative recall",
    "b3_precision": "B³ precision",
    "b3_recall": "B³ recall",
}


def _score_rows(report: services.TargetScores) -> list[dict[str, object]]:
    return [
        {
            "run": label,
            "undecided": found["undecided"]["items"],
            "figures": [
                (
                    name,
                    _figure_text(key, report["before"][label]["after"].get(key)),
                    _figure_text(key, found["after"].get(key)),
                    " … ".join(_figure_text(key, end) for end in found["undecided"]["range"].get(key, ())),
                )
                for key, name in FIGURE_NAMES.items()
            ],
        }
        for label, found in report["systems"].items()
    ]


def _figure_text(key: str, figure: float | None) -> str:
    """A figure in percent, as ``assess apply`` prints it; ACE values are percentages already."""
    return f"{figure:.2f}" if figure is not None and key == "ace_value_plus" else percent(figure)


# ---------------------------------------------------------------------------------------------- what organisers do


@form
def make_target_queue(request: WebRequest, campaign: Campaign) -> None:
    """Make a queue of what the runs found for targets."""
    services.make_target_queue(
        campaign,
        chosen_runs(campaign, request.POST.getlist("run")),
        required_file(request, "targets", "choose a file of targets"),
        max_items=whole_number(request.POST, "max_items", None),
        caller=request.caller,
    )


@form
def make_annotator_queue(request: WebRequest, campaign: Campaign) -> None:
    """Make a queue of the items on which annotators differ."""
    first = required_file(request, "first", "choose the file of the first annotator")
    uploads = [first, *sent_files(request, "second")]
    services.make_annotator_queue(campaign, uploads, texts=sent_file(request, "texts"), caller=request.caller)


def decisions_file(request: WebRequest, queue: Queue) -> HttpResponseBase:  # noqa: ARG001 - a view
    """Download the decisions: for ``assess apply``, or the log of who decided what."""
    if queue.kind == QueueKind.TARGETS:
        return download(services.decisions_file(queue), "decisions.tsv", "text/tab-separated-values")
    return download(services.decision_log(queue), "decisions.csv", CSV)


@form
def gold_file(request: WebRequest, queue: Queue) -> HttpResponseBase:
    """Download the gold of the decisions on annotators in a format."""
    if queue.kind != QueueKind.ANNOTATORS:
        raise Refused("no-gold", "decisions on targets do not make gold")
    undecided = request.GET.get("undecided") or None
    name, gold = services.gold_file(queue, request.GET.get("to", ""), undecided=undecided)
    return download(gold, name, "application/octet-stream")


# --------------------------------------------------------------------------------------------------------- calls


def queue_items(request: WebRequest, queue: Queue) -> HttpResponse:
    """The items of a queue with the decisions of the caller."""
    return JsonResponse(queue_data(queue, signed_in_person(request)))


def queue_data(queue: Queue, judge: User) -> dict[str, object]:
    """A queue with the decisions of one person, for the screen and the API."""
    own = services.decisions_by(queue, judge)
    return {
        "queue": queue.public_id,
        "campaign": queue.campaign.slug,
        "kind": queue.kind,
        "items": [
            {
                "id": item.public_id,
                "name": item.name,
                **item.data,
                "choices": [choice._asdict() for choice in services.choices_of(item)],
                "decision": own[item.public_id].decision if item.public_id in own else None,
                "edited": own[item.public_id].edited if item.public_id in own else "",
            }
            for item in queue.items.select_related("queue__campaign")
        ],
    }


def item_text(request: WebRequest, queue_item: QueueItem) -> HttpResponse:  # noqa: ARG001 - a view
    """The text of the document of an item."""
    text = services.text_lookup(queue_item.queue)(queue_item.data["document"])
    return JsonResponse({"document": queue_item.data["document"], "text": text})


def decide(request: WebRequest, item: QueueItem, body: dict[str, object]) -> HttpResponse:
    """Add a decision: ``{"decision", "edited", "note"}``; an empty one takes the decision before back."""
    made = services.decide(
        item,
        signed_in_person(request),
        str(body.get("decision") or ""),
        edited=str(body.get("edited") or ""),
        note=str(body.get("note") or ""),
    )
    stored = {"id": made.pk, "item": item.public_id, "decision": made.decision or None}
    return JsonResponse(stored, status=201)
