"""Pages and calls of this app; each one is reached by a line in ``urls`` that says who may see it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps

from django.db.models import Model
from django.http import HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse

from lydite.corpus.query import QueryError
from lydite.errors import LyditeError, errors_among
from lydite.workbench.campaigns.models import Campaign
from lydite.workbench.corpus import merging, screens, services
from lydite.workbench.corpus.indexing import is_indexed
from lydite.workbench.corpus.models import Collection
from lydite.workbench.pages import asking_person, download, page
from lydite.workbench.problems import Refused, problem
from lydite.workbench.rights import Request
from lydite.workbench.uploads import sent_files

FILTERS = ("date", "genre", "source", "lang")
LINES = "application/x-ndjson"
PATIENCE = 0.05
"""Seconds for which a page counts judgements of targets; the rest is counted when it is asked for again."""


def answered(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A call of a screen: what the library refuses is a problem document; of a query it names the column."""

    @wraps(view)
    def answer(request: Request, /, **things: Model) -> HttpResponse:
        try:
            return view(request, **things)
        except QueryError as error:
            told = {"column": error.column, "excerpt": list(error.excerpt), "hint": error.hint}
            return problem(400, "bad-query", str(error), **told)
        except LyditeError as error:
            return problem(_status(error), getattr(error, "code", "bad-input"), services.sentence_of(error))

    return answer


def _status(error: LyditeError | None) -> int:
    if error is None:
        return 200
    return error.status if isinstance(error, Refused) else 400


def _body(request: Request) -> dict[str, object]:
    try:
        said = json.loads(request.body or b"null")
    except ValueError:
        said = None
    if not isinstance(said, dict):
        raise Refused("no-object", "expected a JSON object", status=400)
    return said


# --------------------------------------------------------------------------------------------------------- pages


def with_index(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page of what is indexed: until it is, one that tells how far it is, or why it never will be."""

    @wraps(view)
    def answer(request: Request, /, collection: Collection) -> HttpResponse:
        if is_indexed(collection):
            return view(request, collection)
        return page(request, "corpus/indexing.html", _indexing(request, collection))

    return answer


def _indexing(request: Request, collection: Collection) -> dict[str, object]:
    return {
        "collection": collection,
        "campaign": collection.campaign,
        "organises": request.caller.organises(collection.campaign),
    }


def state(request: Request, collection: Collection) -> HttpResponse:
    """How far the index is: a part of the page, which begins anew when it is there."""
    is_ready = is_indexed(collection)
    answer = page(request, "corpus/indexing_state.html", _indexing(request, collection))
    if is_ready:
        answer.headers["HX-Refresh"] = "true"
    return answer


def index_again(request: Request, collection: Collection) -> HttpResponse:
    """Let an index be made that could not be."""
    services.index_again(collection, caller=request.caller)
    return HttpResponseRedirect(reverse("corpus:explore", kwargs={"collection": collection.slug}))


def overview(request: Request, campaign: Campaign) -> HttpResponse:
    """The collections of a campaign; organisers make new ones."""
    return _overview(request, campaign)


def _overview(request: Request, campaign: Campaign, error: LyditeError | None = None) -> HttpResponse:
    shown = {
        "campaign": campaign,
        "collections": services.collections_of(campaign),
        "organises": request.caller.organises(campaign),
        "refusal": error and services.sentence_of(error),
    }
    return page(request, "corpus/overview.html", shown, status=_status(error))


def make(request: Request, campaign: Campaign) -> HttpResponse:
    """A new collection."""
    try:
        targets, gold = sent_files(request, "targets"), sent_files(request, "gold")
        new = services.NewCollection(
            request.POST.get("slug", ""),
            request.POST.get("title", ""),
            sent_files(request, "texts"),
            targets[0] if targets else None,
            gold[0] if gold else None,
        )
        made = services.make_collection(campaign, new, caller=request.caller)
    except LyditeError as error:
        return _overview(request, campaign, error)
    return HttpResponseRedirect(reverse("corpus:explore", kwargs={"collection": made.slug}))


@with_index
def explore(request: Request, collection: Collection) -> HttpResponse:
    """The explorer's screen."""
    return _explore(request, collection)


def _explore(request: Request, collection: Collection, error: LyditeError | None = None) -> HttpResponse:
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
    shown = {
        "collection": collection,
        "campaign": collection.campaign,
        "targets": targets,
        "organises": request.caller.organises(collection.campaign),
        "added": request.GET.get("added"),
        "refusal": error and services.sentence_of(error),
    }
    return page(request, "corpus/explore.html", shown, status=_status(error))


def records(request: Request, collection: Collection) -> HttpResponse:  # noqa: ARG001 - a view
    """Queries, judgements and captures as JSON lines."""
    return download(services.json_lines(collection), f"{collection.slug}-judgements.jsonl", LINES)


def read_in(request: Request, collection: Collection) -> HttpResponse:
    """Records of another site."""
    try:
        sent = sent_files(request, "file")
        if not sent:
            raise Refused("no-file", "choose a file of JSON lines", status=400)
        added = services.read_in(collection, sent[0], caller=request.caller)
    except LyditeError as error:
        return _explore(request, collection, error)
    url = reverse("corpus:explore", kwargs={"collection": collection.slug})
    return HttpResponseRedirect(f"{url}?added={added}")


# ------------------------------------------------------------------------------------------ targets, documents


def _wish(request: Request) -> services.Wish:
    given = request.POST if request.method == "POST" else request.GET
    usual = services.Wish()
    return services.Wish(
        max(1, _whole(given.get("count", ""), "count", usual.targets)),
        max(1, _whole(given.get("documents", ""), "documents", usual.documents)),
        given.get("minimums", "").strip(),
        given.get("per_language") == "1",
    )


@with_index
def targets(request: Request, collection: Collection) -> HttpResponse:
    """The board of targets: candidates, quotas, and what would be chosen."""
    return _targets(request, collection)


def _targets(request: Request, collection: Collection, error: LyditeError | None = None) -> HttpResponse:
    wish = services.Wish()
    found = None
    try:
        wish = _wish(request)
        found = services.target_board(collection, wish, seconds=PATIENCE)
        error = error or found.refusal
    except LyditeError as broken:
        error = error or broken
    shown = {
        "collection": collection,
        "campaign": collection.campaign,
        "organises": request.caller.organises(collection.campaign),
        "wish": wish,
        "board": found,
        "captures": services.captures_of(collection),
        "asked": request.GET.urlencode(),
        "refusal": error and services.sentence_of(error),
    }
    return page(request, "corpus/targets.html", shown, status=_status(error))


def chosen_targets(request: Request, collection: Collection) -> HttpResponse:
    """The chosen profiles as JSON lines."""
    try:
        lines = services.chosen_targets(collection, _wish(request))
    except LyditeError as error:
        return _targets(request, collection, error)
    return download(lines, f"{collection.slug}-targets.jsonl", LINES)


def change_targets(request: Request, collection: Collection) -> HttpResponse:
    """Other targets from now on: those of a file, those that are chosen, or one more that was captured."""
    try:
        sent = sent_files(request, "file")
        if sent:
            services.replace_targets(collection, sent[0], caller=request.caller)
        elif request.POST.get("capture"):
            services.add_candidate(collection, request.POST["capture"], caller=request.caller)
        elif request.POST.get("take") == "1":
            services.take_targets(collection, _wish(request), caller=request.caller)
        else:
            raise Refused("no-file", "choose a file of target profiles", status=400)
    except LyditeError as error:
        return _targets(request, collection, error)
    return HttpResponseRedirect(reverse("corpus:targets", kwargs={"collection": collection.slug}))


@with_index
def selection(request: Request, collection: Collection) -> HttpResponse:
    """The report on a choice of documents for the targets, with charts; worked out anew."""
    shown: dict[str, object] = {"collection": collection, "campaign": collection.campaign}
    error = None
    try:
        if request.GET.get("count"):
            shown["count"] = _number(request, "count", 1)
            found = services.selection_of(collection, max(1, _number(request, "count", 1)))
            shown |= screens.selection_data(found)
            if request.GET.get("format") == "json":
                return JsonResponse(found.to_dict())
    except LyditeError as broken:
        error = broken
    shown["refusal"] = error and services.sentence_of(error)
    return page(request, "corpus/selection.html", shown, status=_status(error))


# ------------------------------------------------------------------------------------------------------- merging


@with_index
def merge(request: Request, collection: Collection) -> HttpResponse:
    """The screen on which entities are merged."""
    return _merge(request, collection)


def _merge(request: Request, collection: Collection, error: LyditeError | None = None) -> HttpResponse:
    shown: dict[str, object] = {"collection": collection, "campaign": collection.campaign}
    try:
        merging.gold_of(collection)
    except LyditeError as broken:
        return page(
            request,
            "corpus/no_gold.html",
            {**shown, "refusal": services.sentence_of(broken)},
            status=_status(broken),
        )
    shown["refusal"] = error and services.sentence_of(error)
    return page(request, "corpus/merge.html", shown, status=_status(error))


def conflicts(request: Request, collection: Collection) -> HttpResponse:
    """In what merged entities disagree, before they are written."""
    try:
        found = merging.conflicts_of(collection)
    except LyditeError as error:
        return _merge(request, collection, error)
    shown = {
        "collection": collection,
        "campaign": collection.campaign,
        "conflicts": found,
        "settled": not errors_among(merging.conflicts_of(collection, by_majority=True)),
    }
    return page(request, "corpus/conflicts.html", shown)


def merge_log(request: Request, collection: Collection) -> HttpResponse:  # noqa: ARG001 - a view
    """The merge log as JSON lines."""
    return download(merging.log_lines(collection), f"{collection.slug}-merges.jsonl", LINES)


def merged(request: Request, collection: Collection) -> HttpResponse:
    """The merged documents, unless there are conflicts."""
    try:
        data = merging.merged_archive(collection, by_majority=request.GET.get("majority") == "1")
    except LyditeError as error:
        return _merge(request, collection, error)
    return download(data, f"{collection.slug}-merged.zip", "application/zip")


# --------------------------------------------------------------------------------------------------------- calls


@answered
def search(request: Request, collection: Collection) -> HttpResponse:
    """Hits of a query: ``q``, ``from``, ``limit``, filters ``date``, ``genre``, ``source``, ``lang``, and ``target``."""
    asked = services.Asked(
        request.GET.get("q", ""),
        {name: request.GET[name] for name in FILTERS if request.GET.get(name)},
        request.GET.get("target", ""),
        _number(request, "from", 0),
        _number(request, "limit", 10),
    )
    return JsonResponse(services.find(collection, asked, asking_person(request)))


def _number(request: Request, name: str, otherwise: int) -> int:
    return _whole(request.GET.get(name, ""), name, otherwise)


def _whole(text: str, name: str, otherwise: int) -> int:
    if not text:
        return otherwise
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Refused("no-number", f"expected a whole number under {name!r}, found {text!r}", status=400)
    return int(text)


@answered
def document(request: Request, collection: Collection) -> HttpResponse:
    """A document: ``id``, with the names of ``target`` marked."""
    found = services.document_data(
        collection, request.GET.get("id", ""), request.GET.get("target", ""), asking_person(request)
    )
    return JsonResponse(found)


@answered
def judge(request: Request, collection: Collection) -> HttpResponse:
    """Add a judgement."""
    made = services.judge(collection, _body(request), asking_person(request))
    return JsonResponse(made.data, status=201)


@answered
def capture(request: Request, collection: Collection) -> HttpResponse:
    """Add a capture."""
    made = services.capture(collection, _body(request), asking_person(request))
    return JsonResponse(made.data, status=201)


@answered
def merge_work(request: Request, collection: Collection) -> HttpResponse:
    """The entity under work and what may be the same: ``member``, and ``q`` for an own search."""
    found = merging.work_data(collection, request.GET.get("member", ""), request.GET.get("q", ""))
    return JsonResponse(found)


@answered
def inspect(request: Request, collection: Collection) -> HttpResponse:
    """Where an entity stands in its document: ``member``."""
    return JsonResponse(merging.inspect(collection, request.GET.get("member", "")))


@answered
def operate(request: Request, collection: Collection) -> HttpResponse:
    """Add an operation to the merge log."""
    made = merging.operate(collection, _body(request), asking_person(request))
    return JsonResponse({"operations": made}, status=201)
