"""Who may do what; pages and API ask the same functions.

Every URL is made by :func:`endpoint` with the right that it needs, and anybody without that right gets 404.  So the
table of URLs is the table of rights; a test walks it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import NamedTuple, TypeVar

from django.core.exceptions import (
    DisallowedHost,
    ObjectDoesNotExist,
    RequestDataTooBig,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path

from lydite_workbench.accounts.models import Role, Token, User
from lydite_workbench.campaigns.models import (
    Campaign,
    GoldVersion,
    LeaderboardVersion,
    Message,
    Phase,
    Run,
    Shown,
    Team,
)
from lydite_workbench.problems import BAD_INPUT, NO_TEXT, NoText, problem

M = TypeVar("M", bound=Model)
PLAIN = "text/plain; charset=utf-8"
NOT_HERE = "there is nothing here, or nothing that you may see"
NO_TOKEN = "send a token with it: Authorization: Bearer TOKEN"  # noqa: S105 - a sentence


@dataclass(frozen=True)
class Caller:
    """Who sent a request: a person, a team (by its token) or the public; roles and teams are looked up once."""

    user: User | None = None
    team: Team | None = None
    token: Token | None = None
    address: str = ""

    @property
    def actor(self) -> str:
        """The caller in the audit log."""
        if self.team is not None:
            return f"team {self.team.slug}"
        return f"user {self.user.name}" if self.user else "public"

    @property
    def is_in_person(self) -> bool:
        """Whether somebody signed in with a password."""
        return self.user is not None and self.token is None

    @property
    def is_administrator(self) -> bool:
        """Whether the caller administers this workbench."""
        return self.user is not None and self.user.is_administrator

    @cached_property
    def _roles(self) -> frozenset[tuple[int, str]]:
        """Pairs of the key of a campaign and a role in it."""
        return frozenset(self.user.roles.values_list("campaign", "role") if self.user else ())

    @cached_property
    def _teams(self) -> list[Team]:
        if self.team is not None:
            return [self.team]
        return list(self.user.teams.select_related("campaign")) if self.user else []

    def has_role(self, campaign: Campaign, *roles: Role) -> bool:
        """Whether the caller has one of the roles in the campaign."""
        return any((campaign.pk, role) in self._roles for role in roles)

    def organises(self, campaign: Campaign) -> bool:
        """Whether the caller is an organiser of the campaign."""
        return self.is_administrator or self.has_role(campaign, Role.ORGANISER)

    def teams_in(self, campaign: Campaign) -> list[Team]:
        """The teams of the campaign that the caller belongs to."""
        return [team for team in self._teams if team.campaign_id == campaign.pk]

    def belongs_to(self, team: Team) -> bool:
        """Whether the caller is the team or one of its members."""
        return team in self._teams

    def takes_part(self, campaign: Campaign) -> bool:
        """Whether the caller has a role or a team in the campaign."""
        return self.organises(campaign) or self.has_role(campaign, *Role) or bool(self.teams_in(campaign))


Actor = Caller | str
"""Who does something: a caller, or a word such as ``command`` or ``worker``."""


def person_of(actor: Actor) -> User | None:
    """The person who does something, if it is a person."""
    return actor.user if isinstance(actor, Caller) else None


class WebRequest(HttpRequest):
    """A request of a browser or program, with its caller."""

    caller: Caller


PUBLIC = Caller()


class Subject(NamedTuple):
    """The things that the URL of a request names."""

    things: Collection[Model]

    def the(self, kind: type[M]) -> M:
        """The first thing of that kind."""
        return next(thing for thing in self.things if isinstance(thing, kind))

    @property
    def campaign(self) -> Campaign:
        """The campaign that the URL names or that the named things belong to."""
        owners = (one if isinstance(one, Campaign) else getattr(one, "campaign", None) for one in self.things)
        return next(owner for owner in owners if isinstance(owner, Campaign))


class Right(NamedTuple):
    """A right: its name, and the function that says who has it."""

    name: str
    holds: Callable[[Caller, Subject], bool]


# --------------------------------------------------------------------------------------------------- the rights


def _is_member_or_organiser(caller: Caller, team: Team) -> bool:
    return caller.belongs_to(team) or caller.organises(team.campaign)


def _sees_campaign(caller: Caller, subject: Subject) -> bool:
    campaign = subject.campaign
    return campaign.is_public or caller.takes_part(campaign)


def _sees_board(caller: Caller, subject: Subject) -> bool:
    board = subject.the(LeaderboardVersion)
    if caller.organises(subject.campaign):
        return True
    return board.published is not None and _sees_campaign(caller, subject)


def _sees_message(caller: Caller, subject: Subject) -> bool:
    message = subject.the(Message)
    if message.team is not None:
        return _is_member_or_organiser(caller, message.team)
    return caller.organises(message.campaign) or bool(caller.teams_in(message.campaign))


def _is_of_run(caller: Caller, subject: Subject) -> bool:
    return _is_member_or_organiser(caller, subject.the(Run).team)


def _sees_step(step: Shown) -> Callable[[Caller, Subject], bool]:
    return lambda caller, subject: may_see_scores(caller, subject.the(Run), step)


def _owns_token(caller: Caller, subject: Subject) -> bool:
    token = subject.the(Token)
    if token.team is not None:
        return _is_member_or_organiser(caller, token.team)
    return caller.user is not None and caller.user.pk == token.user_id


def _role(*roles: Role) -> Callable[[Caller, Subject], bool]:
    def holds(caller: Caller, subject: Subject) -> bool:
        campaign = subject.campaign
        return caller.organises(campaign) or caller.has_role(campaign, *roles)

    return holds


ANYBODY = Right("anybody", lambda _caller, _subject: True)
SIGNED_IN = Right("signed in", lambda caller, _subject: caller.user is not None)
IN_PERSON = Right("signed in with a password", lambda caller, _subject: caller.is_in_person)
SEE_CAMPAIGN = Right("see the campaign", _sees_campaign)
SEND_RUNS = Right("send runs", lambda caller, subject: bool(caller.teams_in(subject.campaign)))
SEE_TEAM = Right("see the team", lambda caller, subject: _is_member_or_organiser(caller, subject.the(Team)))
MAKE_TOKEN = Right(
    "make a token of the team",
    # Whoever has a token must not make others that outlive it.
    lambda caller, subject: caller.is_in_person and _is_member_or_organiser(caller, subject.the(Team)),
)
SEE_RUN = Right("see the run", _is_of_run)
WITHDRAW_RUN = Right("withdraw the run", _is_of_run)
SEE_FIGURES = Right("see figures of the run", _sees_step(Shown.FIGURES))
SEE_REPORT = Right("see the report of the run", _sees_step(Shown.REPORT))
SEE_BOARD = Right("see the leaderboard", _sees_board)
SEE_MESSAGE = Right("read the message", _sees_message)
MANAGE_TOKEN = Right("revoke the token", _owns_token)
ORGANISE = Right("organise", lambda caller, subject: caller.organises(subject.campaign))
ASSESS = Right("assess", _role(Role.ASSESSOR))
ADJUDICATE = Right("adjudicate", _role(Role.ADJUDICATOR))
EXPLORE = Right("explore", _role(Role.EXPLORER))
TAKE_PART = Right("take part", lambda caller, subject: caller.takes_part(subject.campaign))
ADMINISTER = Right("administer", lambda caller, _subject: caller.is_administrator)


def may_see_scores(caller: Caller, run: Run, step: Shown) -> bool:
    """Whether the caller may see the scores of a run up to a step: organisers all, its team what the phase allows."""
    if caller.organises(run.campaign):
        return True
    steps = Shown.values
    is_allowed = steps.index(run.phase.teams_see) >= steps.index(step)
    return caller.belongs_to(run.team) and is_allowed and (step != Shown.REPORT or may_know_documents(run))


def may_know_documents(run: Run) -> bool:
    """Whether a team may see results of single documents: not in a test phase, nor from gold that may be that of one.

    A campaign has one gold at a time: gold made after the phase of the run closed may belong to a test phase.
    """
    campaign, phase = run.campaign, run.phase
    is_of_phase = campaign.gold is None or campaign.gold.created < phase.closes
    return not phase.is_test and (is_of_phase or not campaign.phases.filter(is_test=True).exists())


def may(caller: Caller, right: Right, *things: Model) -> bool:
    """Whether the caller has the right to these things."""
    return right.holds(caller, Subject(things))


# -------------------------------------------------------------------------------------------------- the URL table

Finder = Callable[[str, Mapping[str, Model]], Model]
"""From a word of a URL, and the things that the words before it name, to the thing that it names."""
View = Callable[..., HttpResponseBase]


def by_id(model: type[M]) -> Callable[[str, Mapping[str, Model]], M]:
    """A finder of things of a kind by their random id."""
    return lambda word, _found: model._default_manager.get(public_id=word)  # noqa: SLF001 - Django's public name for it


def _phase(word: str, found: Mapping[str, Model]) -> Phase:
    return Phase.objects.get(campaign_id=found["campaign"].pk, slug=word)


FINDERS: Mapping[str, Finder] = {
    "campaign": lambda word, _found: Campaign.objects.get(slug=word),
    "phase": _phase,
    "run": by_id(Run),
    "team": by_id(Team),
    "board": by_id(LeaderboardVersion),
    "gold": by_id(GoldVersion),
    "message": by_id(Message),
    "token": by_id(Token),
}
"""Word of a URL (``run`` in ``<slug:run>``) → its finder; views get the thing instead of the word."""


def endpoint(
    route: str,
    view: View,
    *,
    right: Right,
    name: str,
    methods: tuple[str, ...] = ("GET",),
    finders: Mapping[str, Finder] = FINDERS,
) -> URLPattern:
    """A line of the URL table: the route, its view, the right that it needs, and its methods."""

    @wraps(view)
    def guarded(request: WebRequest, /, **words: str) -> HttpResponseBase:
        found = _find_things(words, finders)
        if not right.holds(request.caller, Subject(found.values())):
            raise Http404
        if request.method not in methods and not (request.method == "HEAD" and "GET" in methods):
            return _not_allowed(request, methods)
        return view(request, **{**words, **found})

    guarded.right, guarded.methods = right, methods  # type: ignore[attr-defined]
    return path(route, guarded, name=name)


def _is_api_call(request: HttpRequest) -> bool:
    """Whether a request is an API call, every error of which is answered by a problem document."""
    return request.path.startswith("/api/")


def _not_allowed(request: HttpRequest, methods: tuple[str, ...]) -> HttpResponse:
    if _is_api_call(request):
        return problem(405, "method-not-allowed", f"this call takes {', '.join(methods)}")
    return HttpResponseNotAllowed(methods)


def _find_things(words: Mapping[str, str], finders: Mapping[str, Finder]) -> dict[str, Model]:
    """The things that the words of a URL name; 404 if one does not exist."""
    found: dict[str, Model] = {}
    try:
        for key, word in words.items():
            if key in finders:
                found[key] = finders[key](word, found)
    except ObjectDoesNotExist:
        raise Http404 from None
    return found


def server_error(request: HttpRequest) -> HttpResponse:
    """The answer to an error in the workbench, without details, which are in the log."""
    if _is_api_call(request):
        return problem(500, "defect", "something went wrong on the server; its log has the details")
    # This page needs neither templates nor database, which may be what failed.
    return HttpResponse(BROKEN, status=500)


BROKEN = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Something went wrong</title><link rel="stylesheet" href="/static/workbench/workbench.css"></head>
<body><main><h1>Something went wrong here</h1>
<p>This is an error of the server, not yours, and its log has the details. Everything that was confirmed as stored is stored.</p>
<p><a href="">Try again</a>, or <a href="/">go to the campaigns</a>.</p></main></body></html>
"""


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001 - Django's
    """The answer to a form without a valid CSRF token, and to a program without a token."""
    if _is_api_call(request):
        return problem(403, "no token", NO_TOKEN)
    sentence = "This form does not come from a page of this workbench, or the page is too old: reload it and send it again."
    return HttpResponse(sentence, status=403, content_type=PLAIN)


BAD_REQUEST = "the request is malformed"
BAD_REQUEST_SENTENCES: Mapping[type[Exception], str] = {
    DisallowedHost: "the workbench does not answer under this host name; lydite serve --hosts sets its names",
    NoText: NO_TEXT,
    TooManyFilesSent: "too many files at once; an archive holds many",
    TooManyFieldsSent: "too many fields in one form",
    RequestDataTooBig: "too much text in the form, apart from its files",
}
"""Exception → sentence for the answer."""


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The answer to a malformed request, query or form."""
    fitting = (said for kind, said in BAD_REQUEST_SENTENCES.items() if isinstance(exception, kind))
    sentence = next(fitting, BAD_REQUEST)
    if _is_api_call(request):
        return problem(400, BAD_INPUT, sentence)
    return HttpResponse(f"This request was refused: {sentence}.", status=400, content_type=PLAIN)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001 - Django's
    """The same answer for what does not exist and for what the caller may not see."""
    from lydite_workbench.pages import page

    if _is_api_call(request):
        return problem(404, "not found", NOT_HERE)
    return page(request, "workbench/not_found.html", status=404)
