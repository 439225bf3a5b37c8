"""The pages and API calls of assessment."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect

from lydite.assess.guidelines import guideline_names
from lydite.assess.pooling import PoolRules
from lydite.assess.sheets import WRITERS
from lydite.errors import LyditeError
from lydite.numerals import is_whole
from lydite_workbench.accounts.models import Role, User
from lydite_workbench.adjudication.models import QueueItem
from lydite_workbench.adjudication.services import open_queues
from lydite_workbench.adjudication.views import decide, queue_data
from lydite_workbench.api import ApiCall, listed, record, text
from lydite_workbench.assessment import differences, judgements, pools, progress, screens, stores
from lydite_workbench.assessment.models import Pool, PooledDocument, PooledItem
from lydite_workbench.campaigns.models import Campaign
from lydite_workbench.campaigns.runs import chosen_runs, valid_runs
from lydite_workbench.pages import (
    CSV,
    download,
    json_object,
    page,
    refused_on,
    signed_in_person,
    whole_number,
)
from lydite_workbench.problems import BadInput, problem
from lydite_workbench.rights import WebRequest
from lydite_workbench.uploads import required_file

MOST_CLASSES = 10**6
LONGEST_SECONDS = 10**9
"""More seconds than anybody takes for one item."""
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
COMPARING_SECONDS = 0.05
"""How long a request compares the judgements of two people; the page asks again for the rest."""


def _pool(campaign: Campaign) -> Pool:
    return get_object_or_404(Pool.objects.select_related("campaign", "gold"), campaign=campaign)


# --------------------------------------------------------------------------------------------------------- pages


def overview(request: WebRequest, campaign: Campaign, error: LyditeError | None = None) -> HttpResponse:
    """How far the assessment is; for organisers also how much each assessor has done, and the forms to run it."""
    caller = request.caller
    organises = caller.organises(campaign)
    pool = Pool.objects.select_related("campaign", "gold").filter(campaign=campaign).first()
    context: dict[str, object] = {
        "campaign": campaign,
        "pool": pool,
        "organises": organises,
        "assesses": caller.has_role(campaign, Role.ASSESSOR),
        "adjudicates": caller.has_role(campaign, Role.ADJUDICATOR),
    }
    if pool is None:
        context |= {
            "runs": valid_runs(campaign),
            "has_texts": pools.texts_of(campaign) is not None,
            "guidelines": guideline_names(),
        }
    else:
        context["progress"] = progress.progress_of(pool)
    if pool is not None and organises:
        context |= {
            "paces": progress.paces_of(pool),
            "flagged": progress.flagged_judgements(pool),
            "late_runs": pools.runs_not_pooled(pool),
            "assessors": progress.assessors_of(campaign),
        }
    return page(request, "assessment/overview.html", context, refusal=error)


form = refused_on(overview, then="assessment:overview")


def agreement(request: WebRequest, campaign: Campaign) -> HttpResponse:
    """How far two people agree, as a page, or as a part that loads itself again until all documents are compared."""
    compared = differences.compare_assessors(_pool(campaign), seconds=COMPARING_SECONDS)
    template = "agreement.html" if "HX-Request" in request.headers else "agreement_page.html"
    return page(request, f"assessment/{template}", {"campaign": campaign, "compared": compared})


def work(request: WebRequest, campaign: Campaign) -> HttpResponse:
    """The screen on which an assessor judges."""
    pool = _pool(campaign)
    context = {"questions": screens.question_data(pool), "guidelines": pools.guidelines_of(pool)}
    return page(request, "assessment/work.html", {"campaign": campaign, **context})


def guidelines(request: WebRequest, campaign: Campaign) -> HttpResponse:
    """The guidelines that assessors follow."""
    text = pools.guidelines_of(_pool(campaign))
    context = {"campaign": campaign, "guidelines": text, "headed": list(text.with_headings())}
    return page(request, "assessment/guidelines.html", context)


def overruled(request: WebRequest, campaign: Campaign) -> HttpResponse:
    """The items on which an adjudicator decided against the caller."""
    lines = differences.overruled_lines(_pool(campaign), signed_in_person(request))
    return page(request, "assessment/overruled.html", {"campaign": campaign, "lines": lines})


def next_disagreement(
    request: WebRequest, campaign: Campaign, error: LyditeError | None = None
) -> HttpResponse:
    """The next disagreement without a ruling, with both answers and no names."""
    pool, person = _pool(campaign), signed_in_person(request)
    agreement = differences.compare_assessors(pool, seconds=COMPARING_SECONDS)
    documents, own_disagreements = differences.undecided_documents(pool, person)
    last = differences.last_ruled_by(pool, person)
    context: dict[str, object] = {
        "campaign": campaign,
        "undecided": agreement.undecided - own_disagreements,
        "own_disagreements": own_disagreements,
        "waiting": agreement.waiting,
        "last": last,
    }
    current = last if "again" in request.GET and last else differences.next_disagreement(documents)
    if current is not None:
        seen = _identity_of(current)[2]
        context |= {"current": current, "options": screens.option_data(current), "seen": seen}
        if current.item is not None:
            argument = pools.argument_of(current.item)
            passage = screens.passage_data(pools.texts_of(campaign), argument)
            context |= {"argument": argument, "passage": passage}
    return page(request, "assessment/differences.html", context, refusal=error)


@refused_on(next_disagreement)
def rule(request: WebRequest, campaign: Campaign) -> HttpResponse:
    """Rule for one of the two answers that the form showed."""
    identity = tuple(request.POST.get(field, "") for field in ("document", "item", "seen"))
    document = _pool(campaign).documents.filter(public_id=identity[0]).first()
    open_ones = differences.disagreements_to_rule_on(document) if document else ()
    disagreement = next((one for one in open_ones if _identity_of(one) == identity), None)
    if disagreement is None or request.POST.get("chosen") not in {"1", "2"}:
        sentence = "the answers have changed since this page was made; here is the next disagreement"
        raise BadInput("no-difference", sentence)
    differences.rule(disagreement, int(request.POST["chosen"]) - 1, signed_in_person(request))
    return redirect("assessment:differences", campaign=campaign.slug)


def _identity_of(disagreement: differences.Disagreement) -> tuple[str, str, str]:
    """How a form names a disagreement: with the ids of both answers, so that nobody rules on answers they did not see."""
    item = disagreement.item.public_id if disagreement.item else ""
    options = " ".join(str(option.pk) for option in disagreement.options)
    return disagreement.document.public_id, item, options


# ---------------------------------------------------------------------------------------------- what organisers do


@form
def make_pool(request: WebRequest, campaign: Campaign) -> None:
    """Pool the chosen runs."""
    fields = request.POST
    pools.make_pool(
        campaign,
        chosen_runs(campaign, fields.getlist("run")),
        PoolRules(
            pools.collapse_rule(fields.get("collapse", "system")),
            "keep_inference" in fields,
            whole_number(fields, "top_n", None),
        ),
        request.caller,
        drop_quotes="drop_quotes" in fields,
        twice=whole_number(fields, "twice", 0),
        guidelines=fields.get("guidelines", "kbp2014"),
    )


@form
def append(request: WebRequest, campaign: Campaign) -> None:
    """Add the arguments that only later runs found."""
    runs = chosen_runs(campaign, request.POST.getlist("run"))
    messages.info(request, f"New items: {pools.append_runs(_pool(campaign), runs, request.caller)}.")


@form
def freeze(request: WebRequest, campaign: Campaign) -> None:
    """Write the judgements as gold."""
    stores.freeze(_pool(campaign), request.caller)


@form
def replace_guidelines(request: WebRequest, campaign: Campaign) -> None:
    """Replace the guidelines by those of a file."""
    pools.replace_guidelines(_pool(campaign), required_file(request), request.caller)


@form
def read(request: WebRequest, campaign: Campaign) -> None:
    """Read a sheet or a store as the judgements of an assessor or of the caller."""
    person = _assessor(campaign, request.POST.get("person", ""))
    count = stores.read_judgements(_pool(campaign), required_file(request), request.caller, person=person)
    messages.info(request, f"New judgements: {count.judgements}.")
    if count.left_out:
        sentence = f"Judgements of arguments that are not in the pool, which were left out: {count.left_out}."
        messages.info(request, sentence)


def _assessor(campaign: Campaign, public_id: str) -> User | None:
    """The assessor of that id; None if it is empty."""
    person = next((one for one in progress.assessors_of(campaign) if one.public_id == public_id), None)
    if public_id and person is None:
        raise BadInput("no-assessor", "choose an assessor of this campaign")
    return person


def store(request: WebRequest, campaign: Campaign) -> HttpResponseBase:  # noqa: ARG001 - what the table of URLs gives
    """Download the annotation store as it is now."""
    return download(stores.store_archive(_pool(campaign)), f"{campaign.slug}-store.zip", "application/zip")


@form
def sheet(request: WebRequest, campaign: Campaign, layout: str) -> HttpResponseBase:
    """Download a sheet of what an assessor, by default the caller, can still judge."""
    if layout not in WRITERS:
        raise Http404
    person = _assessor(campaign, request.GET.get("person", "")) or signed_in_person(request)
    name, kind = f"{campaign.slug}-left-to-judge.{layout}", CSV if layout == "csv" else XLSX
    return download(stores.sheet(_pool(campaign), person, layout), name, kind)


@form
def found_by(request: WebRequest, campaign: Campaign) -> HttpResponseBase:  # noqa: ARG001 - what the table of URLs gives
    """Download which run found what; only after the freeze."""
    return download(pools.found_by_sheet(_pool(campaign)), f"{campaign.slug}-found-by.csv", CSV)


# ----------------------------------------------------------------------------------------------------------- API


@ApiCall(
    "The items of the document that you work on, and the queues that you decide on.",
    {200: "the document and its items", 400: "another list was asked for"},
    record(
        campaign={"type": ["string", "null"]},
        document={"type": ["object", "null"]},
        items=listed({"type": "object"}),
        strings=listed({"type": "object"}),
        queues=listed({"type": "object"}),
    ),
    query={"assigned": "me", "campaign": "of this campaign, where you work in several"},
)
def items(request: WebRequest) -> HttpResponse:
    """The items of the document that the caller judges, and the queues that they decide on: ``?assigned=me``."""
    person = signed_in_person(request)
    if request.GET.get("assigned") != "me":
        return problem(400, "no-such-list", "expected ?assigned=me")
    campaign = request.GET.get("campaign")
    queues = [queue_data(one, person) for one in open_queues(person) if campaign in {None, one.campaign.slug}]
    for pool in progress.open_pools_of(person, campaign):
        work = screens.work_data(pool, person)
        if work["document"] is not None or campaign:
            return JsonResponse({**work, "queues": queues})
    nothing: dict[str, object] = {"document": None, "items": [], "strings": []}
    return JsonResponse({"campaign": campaign, **nothing, "queues": queues})


_ANSWERS = {"type": ["object", "null"], "description": "by question; null takes the judgement back"}
_DECISION = {
    "type": ["string", "null"],
    "description": "empty or null, without an edited value, takes the decision back",
}
_BESIDE: dict[str, dict[str, object]] = {
    "seconds": {"type": "number"},
    "note": text(),
    "flagged": {"type": "boolean"},
}
_KEPT: dict[str, dict[str, object]] = {"id": {"type": "integer"}, "item": text()}


@ApiCall(
    "Add a judgement on an item of a pool, or a decision on an item of a queue; nothing is overwritten.",
    {201: "stored", 400: "not a judgement", 409: "it cannot be judged now"},
    {"oneOf": [record(**_KEPT, answers=_ANSWERS), record(**_KEPT, decision=_DECISION)]},
    body={
        "oneOf": [
            record(_BESIDE, answers=_ANSWERS),
            record({"edited": text(), "note": text()}, decision=_DECISION),
        ]
    },
)
def add_judgement(request: WebRequest, item: PooledItem | QueueItem) -> HttpResponse:
    """Add a judgement: ``{"answers": {…} | null, "seconds", "note", "flagged"}``, or a decision of adjudication."""
    try:
        body = json_object(request)
        if isinstance(item, QueueItem):
            return decide(request, item, body)
        judgement = judgements.judge(
            item,
            signed_in_person(request),
            _answers(body.get("answers", "none")),
            seconds=_seconds(body.get("seconds") or 0),
            note=str(body.get("note") or ""),
            flagged=_flagged(body.get("flagged")),
        )
    except (TypeError, ValueError, OverflowError) as error:
        return problem(400, "no-judgement", str(error))
    stored = {"id": judgement.pk, "item": item.public_id, "answers": judgement.answers}
    return JsonResponse(stored, status=201)


def _flagged(value: object) -> bool:
    if value not in {None, True, False}:
        raise ValueError(f"flagged: expected true or false, found {value!r:.60}")
    return bool(value)


def _seconds(value: str | float) -> float:
    seconds = float(value)
    if not -LONGEST_SECONDS < seconds < LONGEST_SECONDS:
        raise ValueError(f"seconds: expected the time that the judgement took, found {seconds}")
    return seconds


def _answers(answers: object) -> dict[str, str] | None:
    if answers is None:
        return None
    if not isinstance(answers, dict) or not all(isinstance(value, str) for value in answers.values()):
        message = "answers: expected an object of texts, by question, or null to take them back"
        raise BadInput("no-judgement", message)
    return answers


@ApiCall(
    "Group equivalent strings that are correct into classes, and finish the document.",
    {201: "stored", 400: "not classes", 409: "the document cannot be finished now"},
    record(document=text(), strings=listed({"type": "object"})),
    body=record(strings=listed({"type": "object"})),
)
def strings(request: WebRequest, document: PooledDocument) -> HttpResponse:
    """Group correct strings, and finish the document: ``{"strings": [{"text", "begin", "end", "class"}]}``."""
    try:
        lines = json_object(request).get("strings")
        classes = {
            (str(line["text"]), (int(line["begin"]), int(line["end"]))): _class(line["class"])
            for line in lines or ()
        }
        grouping = judgements.group(document, signed_in_person(request), classes)
    except (TypeError, ValueError, OverflowError, KeyError) as error:
        return problem(400, "no-classes", f"strings: expected text, begin, end and class of each ({error})")
    kept = screens.string_data(judgements.classes_of(grouping), {})
    return JsonResponse({"document": document.public_id, "strings": kept}, status=201)


def _class(number: object) -> int:
    if not (is_whole(number) and 0 < number <= MOST_CLASSES):
        raise ValueError(f"class: expected a whole number from 1, found {number!r:.60}")
    return number
