"""Pages and calls of this app; each one is reached by a line in ``urls`` that says who may see it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect

from lydite.errors import LyditeError, errors_among
from lydite.workbench.api import ApiCall, listed, record, refused_as_problem
from lydite.workbench.campaigns.models import Campaign
from lydite.workbench.corpus import merging, screens, services
from lydite.workbench.corpus.indexing import is_indexed
from lydite.workbench.corpus.models import Collection
from lydite.workbench.pages import download, json_object, page, refused_on, signed_in_person, whole_number
from lydite.workbench.rights import WorkbenchRequest
from lydite.workbench.uploads import required_file, sent_file, sent_files

FILTERS = ("date", "genre", "source", "lang")
LINES = "application/x-ndjson"
PATIENCE = 0.05
"""Seconds for which a page counts judgements of targets; the rest is counted when it is asked for again."""


# --------------------------------------------------------------------------------------------------------- pages


def with_index(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page of what is indexed: until it is, one that tells how far it is, or why it never will be."""

    @wraps(view)
    def answer(
        request: WorkbenchRequest, /, collection: Collection, error: LyditeError | None = None
    ) -> HttpResponse:
        if is_indexed(collection):
            return view(request, collection, error)
        return page(request, "corpus/indexing.html", _about(request, collection), refusal=error)

    return answer


def _about(request: WorkbenchRequest, collection: Collection) -> dict[str, object]:
    """What every page of a collection knows."""
    return {
        "collection": collection,
        "campaign": collection.campaign,
        "organises": request.caller.organises(collection.campaign),
    }


def state(request: WorkbenchRequest, collection: Collection) -> HttpResponse:
    """How far the index is: a part of the page, which begins anew when it is there."""
    is_ready = is_indexed(collection)
    answer = page(request, "corpus/indexing_state.html", _about(request, collection))
    if is_ready:
        answer.headers["HX-Refresh"] = "true"
    return answer


def index_again(request: WorkbenchRequest, collection: Collection) -> HttpResponse:
    """Let an index be made that could not be."""
    services.index_again(collection, caller=request.caller)
    return redirect("corpus:explore", collection=collection.slug)


def overview(request: WorkbenchRequest, campaign: Campaign, error: LyditeError | None = None) -> HttpResponse:
    """The collections of a campaign; organisers make new ones."""
    shown = {
        "campaign": campaign,
        "collections": campaign.collections.all(),
        "organises": request.caller.organises(campaign),
    }
    return page(request, "corpus/overview.html", shown, refusal=error)


@refused_on(overview)
def make(request: WorkbenchRequest, campaign: Campaign) -> HttpResponse:
    """A new collection."""
    new = services.NewCollection(
        request.POST.get("slug", ""),
        request.POST.get("title", ""),
        sent_files(request, "texts"),
        sent_file(request, "targets"),
        sent_file(request, "gold"),
    )
    made = services.make_collection(campaign, new, caller=request.caller)
    return redirect("corpus:explore", collection=made.slug)


@with_index
def explore(
    request: WorkbenchRequest, collection: Collection, error: LyditeError | None = None
) -> HttpResponse:
    """The explorer's screen."""
    judged = services.judged_documents(collection)
    targets = [
        {
            "id": profile.id,
            "handle": profile.handle,
            "judged": judged.get(profile.id, 0),
            "confusable": list(profile.confusable_with),
            "names": [{"kind": kind, "text": text} for kind, text in profile.forms],
        }
        for profile in services.profiles_of(collection)
    ]
    shown = {**_about(request, collection), "targets": targets}
    return page(request, "corpus/explore.html", shown, refusal=error)


def records(request: WorkbenchRequest, collection: Collection) -> HttpResponseBase:  # noqa: ARG001 - a view
    """Queries, judgements and captures as JSON lines."""
    return download(services.json_lines(collection), f"{collection.slug}-judgements.jsonl", LINES)


@refused_on(explore, "collection", then="corpus:explore")
def read_in(request: WorkbenchRequest, collection: Collection) -> None:
    """Records of another site."""
    sent = required_file(request, "file", "choose a file of JSON lines")
    added = services.read_in(collection, sent, caller=request.caller)
    messages.info(request, f"{added} records were added.")


# ------------------------------------------------------------------------------------------ targets, documents


def _wish(request: WorkbenchRequest) -> services.Wish:
    given = request.POST if request.method == "POST" else request.GET
    usual = services.Wish()
    return services.Wish(
        max(1, whole_number(given, "count", usual.targets)),
        max(1, whole_number(given, "documents", usual.documents)),
        given.get("minimums", "").strip(),
        given.get("per_language") == "1",
    )


@with_index
def targets(
    request: WorkbenchRequest, collection: Collection, error: LyditeError | None = None
) -> HttpResponse:
    """The board of targets: candidates, quotas, and what would be chosen."""
    wish = services.Wish()
    found = None
    try:
        wish = _wish(request)
        found = services.target_board(collection, wish, seconds=PATIENCE)
        error = error or found.refusal
    except LyditeError as broken:
        error = error or broken
    shown = {
        **_about(request, collection),
        "wish": wish,
        "board": found,
        "captures": collection.entries.filter(kind="capture").order_by("-id").values_list("data", flat=True),
        "asked": request.GET.urlencode(),
    }
    return page(request, "corpus/targets.html", shown, refusal=error)


@refused_on(targets, "collection")
def chosen_targets(request: WorkbenchRequest, collection: Collection) -> HttpResponseBase:
    """The chosen profiles as JSON lines."""
    lines = services.chosen_targets(collection, _wish(request))
    return download(lines, f"{collection.slug}-targets.jsonl", LINES)


@refused_on(targets, "collection", then="corpus:targets")
def change_targets(request: WorkbenchRequest, collection: Collection) -> None:
    """Other targets from now on: those that are chosen, one more that was captured, or those of a file."""
    if request.POST.get("capture"):
        services.add_candidate(collection, request.POST["capture"], caller=request.caller)
    elif request.POST.get("take") == "1":
        services.take_targets(collection, _wish(request), caller=request.caller)
    else:
        sent = required_file(request, "file", "choose a file of target profiles")
        services.replace_targets(collection, sent, caller=request.caller)


@with_index
def selection(
    request: WorkbenchRequest, collection: Collection, error: LyditeError | None = None
) -> HttpResponse:
    """The report on a choice of documents for the targets, with charts; worked out anew."""
    shown = _about(request, collection)
    try:
        count = whole_number(request.GET, "count", None)
        if count is not None:
            shown["count"] = count
            found = services.selection_of(collection, max(1, count))
            shown |= screens.selection_data(found)
            if request.GET.get("format") == "json":
                return JsonResponse(found.to_dict())
    except LyditeError as broken:
        error = broken
    return page(request, "corpus/selection.html", shown, refusal=error)


# ------------------------------------------------------------------------------------------------------- merging


@with_index
def merge(
    request: WorkbenchRequest, collection: Collection, error: LyditeError | None = None
) -> HttpResponse:
    """The screen on which entities are merged."""
    shown = _about(request, collection)
    try:
        merging.gold_of(collection)
    except LyditeError as broken:
        return page(request, "corpus/no_gold.html", shown, refusal=broken)
    return page(request, "corpus/merge.html", shown, refusal=error)


@refused_on(merge, "collection")
def conflicts(request: WorkbenchRequest, collection: Collection) -> HttpResponse:
    """In what merged entities disagree, before they are written."""
    shown = {
        **_about(request, collection),
        "conflicts": merging.conflicts_of(collection),
        "settled": not errors_among(merging.conflicts_of(collection, by_majority=True)),
    }
    return page(request, "corpus/conflicts.html", shown)


def merge_log(request: WorkbenchRequest, collection: Collection) -> HttpResponseBase:  # noqa: ARG001 - a view
    """The merge log as JSON lines."""
    return download(merging.log_lines(collection), f"{collection.slug}-merges.jsonl", LINES)


@refused_on(merge, "collection")
def merged(request: WorkbenchRequest, collection: Collection) -> HttpResponseBase:
    """The merged documents, unless there are conflicts."""
    data = merging.merged_archive(collection, by_majority=request.GET.get("majority") == "1")
    return download(data, f"{collection.slug}-merged.zip", "application/zip")


# --------------------------------------------------------------------------------------------------------- calls


@ApiCall(
    "Search a collection; the query is stored with who asked and when.",
    {200: "the hits", 400: "the query cannot be read", 409: "not indexed yet"},
    record(total={"type": "integer"}, hits=listed({"type": "object"})),
    query={
        "q": "the query",
        "from": "leave out so many of the first",
        "limit": "so many, at most 100",
        "date": "from..to",
        "genre": "one of these",
        "source": "one of these",
        "lang": "one of these",
        "target": "the id of the target that is looked for",
    },
)
def search(request: WorkbenchRequest, collection: Collection) -> HttpResponse:
    """Hits of a query: ``q``, ``from``, ``limit``, filters ``date``, ``genre``, ``source``, ``lang``, and ``target``."""
    asked = services.Search(
        request.GET.get("q", ""),
        {name: request.GET[name] for name in FILTERS if request.GET.get(name)},
        request.GET.get("target", ""),
        whole_number(request.GET, "from", 0),
        whole_number(request.GET, "limit", 10),
    )
    return JsonResponse(services.find(collection, asked, signed_in_person(request)))


@refused_as_problem
def document(request: WorkbenchRequest, collection: Collection) -> HttpResponse:
    """A document: ``id``, with the names of ``target`` marked."""
    found = services.document_data(
        collection, request.GET.get("id", ""), request.GET.get("target", ""), signed_in_person(request)
    )
    return JsonResponse(found)


@refused_as_problem
def judge(request: WorkbenchRequest, collection: Collection) -> HttpResponse:
    """Add a judgement."""
    made = services.judge(collection, json_object(request), signed_in_person(request))
    return JsonResponse(made.data, status=201)


@refused_as_problem
def capture(request: WorkbenchRequest, collection: Collection) -> HttpResponse:
    """Add a capture."""
    made = services.capture(collection, json_object(request), signed_in_person(request))
    return JsonResponse(made.data, status=201)


@refused_as_problem
def merge_work(request: WorkbenchRequest, collection: Collection) -> HttpResponse:
    """The entity under work and what may be the same: ``member``, and ``q`` for an own search."""
    found = merging.work_data(collection, request.GET.get("member", ""), request.GET.get("q", ""))
    return JsonResponse(found)


@refused_as_problem
def inspect(request: WorkbenchRequest, collection: Collection) -> HttpResponse:
    """Where an entity stands in its document: ``member``."""
    return JsonResponse(merging.inspect(collection, request.GET.get("member", "")))


@refused_as_problem
def operate(request: WorkbenchRequest, collection: Collection) -> HttpResponse:
    """Add an operation to the merge log."""
    made = merging.operate(collection, json_object(request), signed_in_person(request))
    return JsonResponse({"operations": made}, status=201)
