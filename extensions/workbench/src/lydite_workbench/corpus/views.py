"""Pages and API calls of collections; ``urls`` says who may see which."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect

from lydite.errors import LyditeError, errors_among
from lydite_workbench.api import ApiCall, listed, record, refused_as_problem
from lydite_workbench.campaigns.models import Campaign
from lydite_workbench.corpus import merging, screens, services
from lydite_workbench.corpus.indexing import is_indexed
from lydite_workbench.corpus.models import Collection
from lydite_workbench.pages import download, json_object, page, refused_on, signed_in_person, whole_number
from lydite_workbench.rights import WebRequest
from lydite_workbench.uploads import required_file, sent_file, sent_files

FILTERS = ("date", "genre", "source", "lang")
LINES = "application/x-ndjson"
COUNTING_SECONDS = 0.05
"""How long a request counts judgements and mentions; the page asks again for the rest."""


# --------------------------------------------------------------------------------------------------------- pages


def with_index(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A decorator of pages that need the index: until there is one, a page shows its progress or why it failed."""

    @wraps(view)
    def answer(
        request: WebRequest, /, collection: Collection, error: LyditeError | None = None
    ) -> HttpResponse:
        if is_indexed(collection):
            return view(request, collection, error)
        return page(request, "corpus/indexing.html", _collection_context(request, collection), refusal=error)

    return answer


def _collection_context(request: WebRequest, collection: Collection) -> dict[str, object]:
    """What every page of a collection gets."""
    return {
        "collection": collection,
        "campaign": collection.campaign,
        "organises": request.caller.organises(collection.campaign),
    }


def state(request: WebRequest, collection: Collection) -> HttpResponse:
    """The progress of the index, as part of a page, which reloads when the index is finished."""
    is_ready = is_indexed(collection)
    answer = page(request, "corpus/indexing_state.html", _collection_context(request, collection))
    if is_ready:
        answer.headers["HX-Refresh"] = "true"
    return answer


def index_again(request: WebRequest, collection: Collection) -> HttpResponse:
    """Queue an index again that could not be made."""
    services.index_again(collection, caller=request.caller)
    return redirect("corpus:explore", collection=collection.slug)


def overview(request: WebRequest, campaign: Campaign, error: LyditeError | None = None) -> HttpResponse:
    """The collections of a campaign, and a form for new ones."""
    context = {
        "campaign": campaign,
        "collections": campaign.collections.all(),
        "organises": request.caller.organises(campaign),
    }
    return page(request, "corpus/overview.html", context, refusal=error)


@refused_on(overview)
def make(request: WebRequest, campaign: Campaign) -> HttpResponse:
    """Make a collection."""
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
def explore(request: WebRequest, collection: Collection, error: LyditeError | None = None) -> HttpResponse:
    """The explorer's screen."""
    judged = services.judged_document_counts(collection)
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
    context = {**_collection_context(request, collection), "targets": targets}
    return page(request, "corpus/explore.html", context, refusal=error)


def records(request: WebRequest, collection: Collection) -> HttpResponseBase:  # noqa: ARG001 - a view
    """Download queries, judgements and captures as JSON lines."""
    return download(services.json_lines(collection), f"{collection.slug}-judgements.jsonl", LINES)


@refused_on(explore, "collection", then="corpus:explore")
def import_records(request: WebRequest, collection: Collection) -> None:
    """Add the records of another site."""
    sent = required_file(request, "file", "choose a file of JSON lines")
    added = services.import_records(collection, sent, caller=request.caller)
    messages.info(request, f"New records: {added}.")


# ------------------------------------------------------------------------------------------ targets, documents


def _target_choice(request: WebRequest) -> services.TargetChoice:
    given = request.POST if request.method == "POST" else request.GET
    usual = services.TargetChoice()
    return services.TargetChoice(
        max(1, whole_number(given, "count", usual.targets)),
        max(1, whole_number(given, "documents", usual.documents)),
        given.get("minimums", "").strip(),
        given.get("per_language") == "1",
    )


@with_index
def targets(request: WebRequest, collection: Collection, error: LyditeError | None = None) -> HttpResponse:
    """The board of targets: candidates, minimums, and the choice."""
    choice = services.TargetChoice()
    board = None
    try:
        choice = _target_choice(request)
        board = services.target_board(collection, choice, seconds=COUNTING_SECONDS)
        error = error or board.refusal
    except LyditeError as refusal:
        error = error or refusal
    context = {
        **_collection_context(request, collection),
        "choice": choice,
        "board": board,
        "captures": collection.entries.filter(kind="capture").order_by("-id").values_list("data", flat=True),
        "asked": request.GET.urlencode(),
    }
    return page(request, "corpus/targets.html", context, refusal=error)


@refused_on(targets, "collection")
def chosen_targets(request: WebRequest, collection: Collection) -> HttpResponseBase:
    """Download the profiles of the chosen targets as JSON lines."""
    lines = services.chosen_targets(collection, _target_choice(request))
    return download(lines, f"{collection.slug}-targets.jsonl", LINES)


@refused_on(targets, "collection", then="corpus:targets")
def change_targets(request: WebRequest, collection: Collection) -> None:
    """Replace the targets by the chosen ones or those of a file, or add a captured one."""
    if request.POST.get("capture"):
        services.add_candidate_target(collection, request.POST["capture"], caller=request.caller)
    elif request.POST.get("take") == "1":
        services.keep_chosen_targets(collection, _target_choice(request), caller=request.caller)
    else:
        sent = required_file(request, "file", "choose a file of target profiles")
        services.replace_targets(collection, sent, caller=request.caller)


@with_index
def selection(request: WebRequest, collection: Collection, error: LyditeError | None = None) -> HttpResponse:
    """The report on a choice of documents for the targets, computed for this request."""
    context = _collection_context(request, collection)
    try:
        count = whole_number(request.GET, "count", None)
        if count is not None:
            context["count"] = count
            selection = services.select_for_targets(collection, max(1, count))
            context |= screens.selection_data(selection)
            if request.GET.get("format") == "json":
                return JsonResponse(selection.to_dict())
    except LyditeError as refusal:
        error = refusal
    return page(request, "corpus/selection.html", context, refusal=error)


# ------------------------------------------------------------------------------------------------------- merging


@with_index
def merge(request: WebRequest, collection: Collection, error: LyditeError | None = None) -> HttpResponse:
    """The screen on which entities are merged."""
    context = _collection_context(request, collection)
    try:
        merging.gold_of(collection)
    except LyditeError as refusal:
        return page(request, "corpus/no_gold.html", context, refusal=refusal)
    return page(request, "corpus/merge.html", context, refusal=error)


@refused_on(merge, "collection")
def conflicts(request: WebRequest, collection: Collection) -> HttpResponse:
    """The conflicts between members of merged entities."""
    context = {
        **_collection_context(request, collection),
        "conflicts": merging.conflicts_of(collection),
        "has_majorities": not errors_among(merging.conflicts_of(collection, by_majority=True)),
    }
    return page(request, "corpus/conflicts.html", context)


def merge_log(request: WebRequest, collection: Collection) -> HttpResponseBase:  # noqa: ARG001 - a view
    """Download the merge log as JSON lines."""
    return download(merging.log_lines(collection), f"{collection.slug}-merges.jsonl", LINES)


@refused_on(merge, "collection")
def merged(request: WebRequest, collection: Collection) -> HttpResponseBase:
    """Download the merged documents; refused while there are conflicts."""
    data = merging.merged_archive(collection, by_majority=request.GET.get("majority") == "1")
    return download(data, f"{collection.slug}-merged.zip", "application/zip")


# --------------------------------------------------------------------------------------------------------- calls


@ApiCall(
    "Search a collection; the query is stored with its author and time.",
    {200: "the hits", 400: "the query cannot be read", 409: "not indexed yet"},
    record(total={"type": "integer"}, hits=listed({"type": "object"})),
    query={
        "q": "the query",
        "from": "how many hits to skip",
        "limit": "how many documents, at most 100",
        "date": "from..to",
        "genre": "one of these, separated by commas",
        "source": "one of these, separated by commas",
        "lang": "one of these, separated by commas",
        "target": "the id of the target that is looked for",
    },
)
def search(request: WebRequest, collection: Collection) -> HttpResponse:
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
def document(request: WebRequest, collection: Collection) -> HttpResponse:
    """The document ``id`` with the names of ``target`` marked."""
    doc_id, target = request.GET.get("id", ""), request.GET.get("target", "")
    return JsonResponse(services.document_data(collection, doc_id, target, signed_in_person(request)))


@refused_as_problem
def judge(request: WebRequest, collection: Collection) -> HttpResponse:
    """Add a judgement."""
    made = services.judge(collection, json_object(request), signed_in_person(request))
    return JsonResponse(made.data, status=201)


@refused_as_problem
def capture(request: WebRequest, collection: Collection) -> HttpResponse:
    """Add a capture."""
    made = services.capture(collection, json_object(request), signed_in_person(request))
    return JsonResponse(made.data, status=201)


@refused_as_problem
def merge_work(request: WebRequest, collection: Collection) -> HttpResponse:
    """The entity ``member`` and others that may be the same, or that a search for ``q`` finds."""
    found = merging.work_data(collection, request.GET.get("member", ""), request.GET.get("q", ""))
    return JsonResponse(found)


@refused_as_problem
def inspect(request: WebRequest, collection: Collection) -> HttpResponse:
    """The passages with the mentions of the entity ``member``."""
    return JsonResponse(merging.inspect(collection, request.GET.get("member", "")))


@refused_as_problem
def operate(request: WebRequest, collection: Collection) -> HttpResponse:
    """Add an operation to the merge log."""
    made = merging.operate(collection, json_object(request), signed_in_person(request))
    return JsonResponse({"operations": made}, status=201)
