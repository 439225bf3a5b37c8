"""Who may come where: every line of the URL table against every role, and what the API says that it answers.

``extensions/workbench/tests/workbench/APP/rights.toml`` says for each endpoint of an app who gets an answer; all others must get 404.
``rights_words.py`` beside it makes what the URLs of the app name.  An endpoint without a line fails.
"""

from __future__ import annotations

import importlib.util
import re
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from workbench_world import ON_SQLITE, World

if TYPE_CHECKING:
    from django.test import Client
    from django.urls import URLPattern

HERE = Path(__file__).parent
ROLES = ("public", "team", "other-team", "assessor", "adjudicator", "explorer", "organiser")
OTHERS = ("administrator", "elsewhere")
"""Who runs the workbench, and may what an organiser may and make campaigns; who is everything in another campaign."""


def _expected() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for file in sorted(HERE.glob("**/rights.toml")):
        for name, roles in tomllib.loads(file.read_text(encoding="utf-8")).items():
            assert name not in found, f"{name} is said twice"
            found[name] = set(ROLES) if roles == ["everybody"] else set(roles)
            assert found[name] <= set(ROLES), name
    return found


def _endpoints() -> Iterator[tuple[str, URLPattern]]:
    from django.urls import URLPattern, URLResolver, get_resolver

    def walk(resolver: URLResolver, prefix: str) -> Iterator[tuple[str, URLPattern]]:
        for pattern in resolver.url_patterns:
            if isinstance(pattern, URLPattern):
                yield f"{prefix}{pattern.name}", pattern
            else:
                yield from walk(pattern, f"{pattern.namespace}:" if pattern.namespace else prefix)

    yield from walk(get_resolver(), "")


def _words(world: World) -> dict[str, str]:
    """What URLs name: of a campaign with one team that sent runs, and of what every app adds to it."""
    words: dict[str, str] = {}
    # What other apps add belongs to the campaign that comes first.
    for file in sorted(
        HERE.glob("*/rights_words.py"), key=lambda file: (file.parent.name != "campaigns", file)
    ):
        spec = importlib.util.spec_from_file_location(f"rights_words_{file.parent.name}", file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        words |= module.words(world)
    return words


def _clients(world: World) -> dict[str, Client]:
    from lydite_workbench.accounts.models import Role
    from lydite_workbench.campaigns.models import Campaign, Team

    campaign = Campaign.objects.get(slug="spring")
    clients = {"public": world.client()}
    for role in Role:
        user = world.user(f"the-{role}")
        world.role(user, campaign, role)
        clients[str(role)] = world.client(user)
    for role, slug in (("team", "alder"), ("other-team", "birch")):
        user = world.user(f"of-{slug}")
        Team.objects.get(campaign=campaign, slug=slug).members.add(user)
        clients[role] = world.client(user)
    far, other = world.user("from-elsewhere"), world.campaign("autumn")
    for role in Role:
        world.role(far, other, role)
    world.team(other, "cedar", far)
    clients["elsewhere"] = world.client(far)
    clients["administrator"] = world.client(world.user("the-administrator", administrator=True))
    return clients


def _who_may(name: str, pattern: URLPattern, roles: set[str]) -> set[str]:
    """All who get an answer, by the roles that do."""
    # What names nothing of a campaign is for everybody, or for everybody who signed in.
    is_of_campaign = pattern.pattern.converters and "public" not in roles
    far = {"elsewhere"} if roles >= set(ROLES) - {"public"} and not is_of_campaign else set()
    runs_it = {"administrator"} if "organiser" in roles or name == "campaigns:new" else set()
    return roles | far | runs_it


@pytest.mark.usefixtures("workbench")
def test_every_endpoint_says_who_may_come_there() -> None:
    for name, pattern in _endpoints():
        assert hasattr(pattern.callback, "right"), f"{name}: make it with rights.endpoint"


@pytest.mark.usefixtures("workbench")
def test_the_matrix_of_rights_has_every_endpoint_and_nothing_else() -> None:
    assert {name for name, _ in _endpoints()} == set(_expected())


@ON_SQLITE
def test_whoever_may_not_see_something_is_told_that_it_is_not_there(workbench: World) -> None:
    from django.urls import reverse

    words = _words(workbench)
    clients = _clients(workbench)
    expected, wrong = _expected(), []
    described = workbench.client().get("/api/v1/openapi.json").json()["paths"]
    for name, pattern in _endpoints():
        may = _who_may(name, pattern, expected[name])
        needed = {key: words[key] for key in pattern.pattern.converters}
        url = reverse(name, kwargs=needed)
        for role in (*ROLES, *OTHERS):
            for method in pattern.callback.methods:  # type: ignore[attr-defined]
                status = _status(clients[role], method, url)
                if (status != 404) != (role in may) or status >= 500:
                    wrong.append(f"{name}: {method} by {role}: {status}")
                call = described.get("/" + re.sub(r"<\w+:(\w+)>", r"{\1}", str(pattern.pattern)), {})
                if name.startswith("api:") and str(status) not in call[method.lower()]["responses"]:
                    wrong.append(f"{name}: {method} by {role}: {status} is not described")
    assert not wrong, "\n".join(wrong)


def _status(client: Client, method: str, url: str) -> int:
    """What is answered; what the request changed, for itself or others, is taken back."""
    from django.db import transaction

    cookies = deepcopy(client.cookies)
    with transaction.atomic():
        answer = client.generic(method, url)
        answer.close()
        transaction.set_rollback(True)
    client.cookies = cookies
    return answer.status_code


@pytest.mark.parametrize("role", ["public", "team"])
def test_an_unknown_address_is_answered_alike_for_pages_and_api(workbench: World, role: str) -> None:
    client = workbench.client(workbench.user("somebody") if role == "team" else None)
    assert client.get("/nothing").status_code == 404
    answer = client.get("/api/v1/nothing")
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")


@pytest.mark.parametrize(
    ("path", "kind"), [("/api/v1/campaigns/x/runs", "application/problem+json"), ("/sign-in", "text/plain")]
)
def test_what_is_sent_without_token_or_form_is_refused_in_the_words_of_its_place(
    path: str,
    kind: str,
    workbench: World,  # noqa: ARG001 - for its address table
) -> None:
    from django.test import Client

    answer = Client(enforce_csrf_checks=True).post(path)
    assert answer.status_code == 403
    assert answer["Content-Type"].startswith(kind)
