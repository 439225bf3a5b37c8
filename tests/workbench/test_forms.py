"""What no form may say, whichever it is and however it is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from workbench_world import World

if TYPE_CHECKING:
    from django.test import Client

FOUND = "expected text, found the character of code 0"


def _organiser(workbench: World) -> Client:
    campaign = workbench.campaign(is_public=True)
    workbench.phase(campaign)
    return workbench.client(workbench.user("olga", administrator=True))


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/sign-in", {"name": "ol\0ga", "password": "x"}),
        ("/account", {"act": "change", "shown_name": "Ol\0ga", "zone": "UTC"}),
        ("/campaigns/spring/teams", {"name": "Al\0der"}),
        ("/campaigns/spring/message", {"subject": "a word", "text": "a\0b"}),
        ("/campaigns/spring/message", {"subject": "a word", "text": "b", "te\0am": "x"}),
    ],
)
@pytest.mark.parametrize("is_encoded", [False, True], ids=["multipart", "urlencoded"])
def test_a_form_with_the_character_of_code_0_is_refused_and_changes_nothing(
    workbench: World, path: str, fields: dict[str, str], *, is_encoded: bool
) -> None:
    from urllib.parse import urlencode

    from lydite.workbench.campaigns.models import Message, Team

    client = _organiser(workbench)
    given: dict[str, Any] = {"data": fields}
    if is_encoded:
        given = {"data": urlencode(fields), "content_type": "application/x-www-form-urlencoded"}
    answer = client.post(path, **given)
    assert answer.status_code == 400
    assert FOUND in answer.content.decode()
    assert not Team.objects.exists()
    assert not Message.objects.exists()


@pytest.mark.parametrize(
    "path",
    ["/?a=%00", "/campaigns/spring?ph%00ase=1", "/api/v1/campaigns/spring/leaderboard?phase=%00"],
)
def test_a_query_with_the_character_of_code_0_is_refused_like_a_form(workbench: World, path: str) -> None:
    answer = _organiser(workbench).get(path)
    assert (answer.status_code, FOUND in answer.content.decode()) == (400, True)


def test_a_program_that_sends_the_character_of_code_0_gets_a_problem_document(workbench: World) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    from lydite.workbench.campaigns.models import Run

    campaign = workbench.campaign()
    workbench.phase(campaign)
    program = workbench.program(team=workbench.team(campaign, "alder"))
    form = {"file": SimpleUploadedFile("run.tbf", b"a run"), "title": "a\0b"}
    answer = program.post("/api/v1/campaigns/spring/runs", form)
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert FOUND in answer.json()["detail"]
    assert not Run.objects.exists()


def test_a_form_of_a_browser_is_refused_as_such_and_not_as_forged(workbench: World) -> None:
    from django.test import Client

    browser = Client(enforce_csrf_checks=True)
    browser.get("/sign-in")
    answer = browser.post("/sign-in", {"name": "ol\0ga", "password": "x"})
    assert (answer.status_code, FOUND in answer.content.decode()) == (400, True)
    assert browser.post("/sign-in", {"name": "olga", "password": "x"}).status_code == 403
    assert not list(workbench.files.rglob("*"))


@pytest.mark.parametrize("said", [{"note": "a\0b"}, {"no\0te": "a"}, {"answers": {"type": ["a\0"]}}])
def test_json_with_the_character_of_code_0_is_refused_like_a_form(
    workbench: World, said: dict[str, object]
) -> None:
    from lydite.workbench.adjudication.models import Decision, Queue, QueueItem

    queue = Queue.objects.create(campaign=workbench.campaign(), kind="targets", title="What was found")
    item = QueueItem.objects.create(queue=queue, name="1", position=0, data={"said": [], "document": "d"})
    program = workbench.program(user=workbench.user("olga", administrator=True))
    url = f"/api/v1/items/{item.public_id}/judgements"
    answer = program.post(url, {"decision": "up", **said}, content_type="application/json")
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert FOUND in answer.json()["detail"]
    plain = program.post(url, {"decision": "up", "note": "a\\u0000b"}, content_type="application/json")
    assert plain.status_code == 201
    assert [one.note for one in Decision.objects.all()] == ["a\\u0000b"]
