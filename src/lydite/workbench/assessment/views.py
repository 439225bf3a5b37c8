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
from lydite.workbench.accounts.models import Role, User
from lydite.workbench.adjudication.models import QueueItem
from lydite.workbench.adjudication.services import open_queues
from lydite.workbench.adjudication.views import decide, queue_data
from lydite.workbench.api import ApiCall, listed, record, text
from lydite.workbench.assessment import differences, judgements, pools, progress, screens, stores
from lydite.workbench.assessment.models import Pool, PooledDocument, PooledItem
from lydite.workbench.campaigns.models import Campaign
from lydite.workbench.campaigns.services import chosen_runs, valid_runs
from lydite.workbench.pages import CSV, asking_person, download, json_object, page, refused_on, whole_number
from lydite.workbench.problems import Refused, problem
from lydite.workbench.rights import WorkbenchRequest
from lydite.workbench.uploads import needed_file

MOST_CLASSES = 10**6
LONGEST = 10**9
"""Seconds that nobody takes for one item."""
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PATIENCE = 0.05
"""Seconds for which a page compares what two people said; the rest is compared when it is asked for again."""


def _pool(campaign: Campaign) -> Pool:
    return get_object_or_404(Pool.objects.select_related("campaign", "gold"), campaign=campaign)


# --------------------------------------------------------------------------------------------------------- pages


def overview(request: WorkbenchRequest, campaign: Campaign, error: LyditeError | None = None) -> HttpResponse:
    """How far the assessment is; for organisers also who did what, and everything that can be done."""
    caller = request.caller
    organises = caller.organises(campaign)
    pool = Pool.objects.select_related("campaign", "gold").filter(campaign=campaign).first()
    shown: dict[str, object] = {
        "campaign": campaign,
        "pool": pool,
        "organises": organises,
        "assesses": caller.has_role(campaign, Role.ASSESSOR),
        "adjudicates": caller.has_role(campaign, Role.ADJUDICATOR),
    }
    if pool is None:
        shown |= {
            "runs": valid_runs(campaign),
            "has_texts": pools.texts_of(campaign) is not None,
            "guidelines": guideline_names(),
        }
    else:
        shown["progress"] = progress.progress(pool)
    if pool is not None and organises:
        shown |= {
            "paces": progress.paces(pool),
            "flagged": progress.flagged(pool),
            "late_runs": pools.runs_outside(pool),
            "assessors": progress.assessors_of(campaign),
        }
    return page(request, "assessment/overview.html", shown, refusal=error)


form = refused_on(overview, then="assessment:overview")


def agreement(request: WorkbenchRequest, campaign: Campaign) -> HttpResponse:
    """Where two people differ and how far they agree; in a large pool the part asks for itself until all is compared."""
    shown = {"campaign": campaign, "compared": differences.compared(_pool(campaign), seconds=PATIENCE)}
    is_part = "HX-Request" in request.headers
    return page(request, "assessment/agreement.html" if is_part else "assessment/agreement_page.html", shown)


def work(request: WorkbenchRequest, campaign: Campaign) -> HttpResponse:
    """The assessor's screen."""
    pool = _pool(campaign)
    shown = {
        "campaign": campaign,
        "questions": screens.question_data(pool),
        "guidelines": pools.guidelines_of(pool),
    }
    return page(request, "assessment/work.html", shown)


def guidelines(request: WorkbenchRequest, campaign: Campaign) -> HttpResponse:
    """The guidelines that assessors follow."""
    text = pools.guidelines_of(_pool(campaign))
    shown = {"campaign": campaign, "guidelines": text, "headed": list(text.headed())}
    return page(request, "assessment/guidelines.html", shown)


def overruled(request: WorkbenchRequest, campaign: Campaign) -> HttpResponse:
    """The items on which somebody decided against the caller."""
    lines = differences.overruled_lines(_pool(campaign), asking_person(request))
    return page(request, "assessment/overruled.html", {"campaign": campaign, "lines": lines})


def next_difference(
    request: WorkbenchRequest, campaign: Campaign, error: LyditeError | None = None
) -> HttpResponse:
    """The next item on which two people differ, with both answers and no names."""
    pool, person = _pool(campaign), asking_person(request)
    compared = differences.compared(pool, seconds=PATIENCE)
    documents, barred = differences.undecided_documents(pool, person)
    last = differences.last_ruled(pool, person)
    shown: dict[str, object] = {
        "campaign": campaign,
        "undecided": compared.undecided - barred,
        "barred": barred,
        "waiting": compared.waiting,
        "last": last,
    }
    current = last if "again" in request.GET and last else differences.next_difference(documents)
    if current is not None:
        shown |= {"current": current, "options": screens.two_answers(current), "seen": _names_of(current)[2]}
        if current.item is not None:
            argument = pools.argument_of(current.item)
            shown |= {
                "argument": argument,
                "passage": screens.passage(pools.texts_of(campaign), argument),
            }
    return page(request, "assessment/differences.html", shown, refusal=error)


@refused_on(next_difference)
def rule(request: WorkbenchRequest, campaign: Campaign) -> HttpResponse:
    """Decide for one of two answers."""
    wanted = tuple(request.POST.get(field, "") for field in ("document", "item", "seen"))
    document = _pool(campaign).documents.filter(public_id=wanted[0]).first()
    known = differences.to_rule_on(document) if document else ()
    found = next((one for one in known if _names_of(one) == wanted), None)
    if found is None or request.POST.get("chosen") not in {"1", "2"}:
        raise Refused("no-difference", "this difference is gone; here is the next one", status=400)
    differences.rule(found, int(request.POST["chosen"]) - 1, asking_person(request))
    return redirect("assessment:differences", campaign=campaign.slug)


def _names_of(difference: differences.Disagreement) -> tuple[str, str, str]:
    """What a form says of a difference; the answers are named, so that nobody rules on what they did not see."""
    item = difference.item.public_id if difference.item else ""
    return difference.document.public_id, item, " ".join(str(option.pk) for option in difference.options)


# ---------------------------------------------------------------------------------------------- what organisers do


@form
def make_pool(request: WorkbenchRequest, campaign: Campaign) -> None:
    """Pool the chosen runs."""
    said = request.POST
    pools.make_pool(
        campaign,
        chosen_runs(campaign, said.getlist("run")),
        PoolRules(
            pools.collapse_named(said.get("collapse", "system")),
            "keep_inference" in said,
            whole_number(said, "top_n", None),
        ),
        request.caller,
        drop_quotes="drop_quotes" in said,
        twice=whole_number(said, "twice", 0),
        guidelines=said.get("guidelines", "kbp2014"),
    )


@form
def append(request: WorkbenchRequest, campaign: Campaign) -> None:
    """Add what later runs found and nobody found before."""
    runs = chosen_runs(campaign, request.POST.getlist("run"))
    messages.info(request, f"New items: {pools.append_runs(_pool(campaign), runs, request.caller)}.")


@form
def freeze(request: WorkbenchRequest, campaign: Campaign) -> None:
    """Write the judgements as gold."""
    stores.freeze(_pool(campaign), request.caller)


@form
def put_guidelines(request: WorkbenchRequest, campaign: Campaign) -> None:
    """Let assessors follow the guidelines of a file."""
    pools.put_guidelines(_pool(campaign), needed_file(request), request.caller)


@form
def read(request: WorkbenchRequest, campaign: Campaign) -> None:
    """Read a sheet or a store into the assessment, as the judgements of an assessor or of the caller."""
    person = _assessor(campaign, request.POST.get("person", ""))
    read = stores.read_file(_pool(campaign), needed_file(request), request.caller, person=person)
    messages.info(request, f"New judgements: {read.judgements}.")
    if read.left:
        messages.info(request, f"Judgements of what is not in the pool, which were left out: {read.left}.")


def _assessor(campaign: Campaign, whose: str) -> User | None:
    """The assessor whom a form names, if it names one."""
    person = next((one for one in progress.assessors_of(campaign) if one.public_id == whose), None)
    if whose and person is None:
        raise Refused("no-assessor", "choose an assessor of this campaign", status=400)
    return person


def store(request: WorkbenchRequest, campaign: Campaign) -> HttpResponseBase:  # noqa: ARG001 - what the table of URLs gives
    """The annotation store as it is now."""
    return download(stores.store_archive(_pool(campaign)), f"{campaign.slug}-store.zip", "application/zip")


@form
def sheet(request: WorkbenchRequest, campaign: Campaign, layout: str) -> HttpResponseBase:
    """A sheet of what an assessor, or the caller, can still judge."""
    if layout not in WRITERS:
        raise Http404
    person = _assessor(campaign, request.GET.get("person", "")) or asking_person(request)
    kind = CSV if layout == "csv" else XLSX
    return download(
        stores.sheet(_pool(campaign), person, layout), f"{campaign.slug}-left-to-judge.{layout}", kind
    )


@form
def found_by(request: WorkbenchRequest, campaign: Campaign) -> HttpResponseBase:  # noqa: ARG001 - what the table of URLs gives
    """Which run found what; after the freeze only."""
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
def items(request: WorkbenchRequest) -> HttpResponse:
    """The items of the document that the caller judges, and the queues that they decide on: ``?assigned=me``."""
    person = asking_person(request)
    if request.GET.get("assigned") != "me":
        return problem(400, "no-such-list", "expected ?assigned=me")
    wanted = request.GET.get("campaign")
    queues = [
        queue_data(queue, person) for queue in open_queues(person) if wanted in {None, queue.campaign.slug}
    ]
    for pool in progress.pools_of(person, wanted):
        found = screens.work_of(pool, person)
        if found["document"] is not None or wanted:
            return JsonResponse({**found, "queues": queues})
    return JsonResponse({"campaign": wanted, "document": None, "items": [], "strings": [], "queues": queues})


_ANSWERS = {"type": ["object", "null"], "description": "by question; null takes them back"}
_DECISION = {"type": ["string", "null"], "description": "empty or null, with nothing edited, takes it back"}
_BESIDE: dict[str, dict[str, object]] = {
    "seconds": {"type": "number"},
    "note": text(),
    "flagged": {"type": "boolean"},
}
_KEPT: dict[str, dict[str, object]] = {"id": {"type": "integer"}, "item": text()}


@ApiCall(
    "Add a judgement on an item of a pool, or a decision on one of a queue; nothing is overwritten.",
    {201: "kept", 400: "no judgement", 409: "it cannot be judged now"},
    {"oneOf": [record(**_KEPT, answers=_ANSWERS), record(**_KEPT, decision=_DECISION)]},
    body={
        "oneOf": [
            record(_BESIDE, answers=_ANSWERS),
            record({"edited": text(), "note": text()}, decision=_DECISION),
        ]
    },
)
def add_judgement(request: WorkbenchRequest, item: PooledItem | QueueItem) -> HttpResponse:
    """Add a judgement: ``{"answers": {…} | null, "seconds", "note", "flagged"}``, or a decision of adjudication."""
    try:
        said = json_object(request)
        if isinstance(item, QueueItem):
            return decide(request, item, said)
        judgement = judgements.judge(
            item,
            asking_person(request),
            _answers(said.get("answers", "none")),
            seconds=_seconds(said.get("seconds") or 0),
            note=str(said.get("note") or ""),
            flagged=_flagged(said.get("flagged")),
        )
    except (TypeError, ValueError, OverflowError) as error:
        return problem(400, "no-judgement", str(error))
    return JsonResponse(
        {"id": judgement.pk, "item": item.public_id, "answers": judgement.answers}, status=201
    )


def _flagged(said: object) -> bool:
    if said not in {None, True, False}:
        raise ValueError(f"flagged: expected true or false, found {said!r:.60}")
    return bool(said)


def _seconds(said: str | float) -> float:
    seconds = float(said)
    if not -LONGEST < seconds < LONGEST:
        raise ValueError(f"seconds: expected the time that it took, found {seconds}")
    return seconds


def _answers(said: object) -> dict[str, str] | None:
    if said is None:
        return None
    if not isinstance(said, dict) or not all(isinstance(value, str) for value in said.values()):
        message = "answers: expected an object of texts, by question, or null to take them back"
        raise Refused("no-judgement", message, status=400)
    return said


@ApiCall(
    "Say which right strings are the same, and finish the document.",
    {201: "kept", 400: "no classes", 409: "it cannot be finished now"},
    record(document=text(), strings=listed({"type": "object"})),
    body=record(strings=listed({"type": "object"})),
)
def strings(request: WorkbenchRequest, document: PooledDocument) -> HttpResponse:
    """Say which right strings are the same, and finish the document: ``{"strings": [{"text", "begin", "end", "class"}]}``."""
    try:
        said = json_object(request).get("strings")
        classes = {
            (str(line["text"]), (int(line["begin"]), int(line["end"]))): _class(line["class"])
            for line in said or ()
        }
        grouping = judgements.group(document, asking_person(request), classes)
    except (TypeError, ValueError, OverflowError, KeyError) as error:
        return problem(400, "no-classes", f"strings: expected text, begin, end and class of each ({error})")
    kept = screens.string_data(judgements.classes_of(grouping), {})
    return JsonResponse({"document": document.public_id, "strings": kept}, status=201)


def _class(said: object) -> int:
    if not (is_whole(said) and 0 < said <= MOST_CLASSES):
        raise ValueError(f"class: expected a whole number from 1 on, found {said!r:.60}")
    return said
