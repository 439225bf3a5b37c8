"""What no form may say, whichever it is and however it is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from workbench_world import ON_SQLITE, World

if TYPE_CHECKING:
    from django.test import Client

FOUND = "expected text, found the character with code 0"


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

    from lydite_workbench.campaigns.models import Message, Team

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

    from lydite_workbench.campaigns.models import Run

    campaign = workbench.campaign()
    workbench.phase(campaign)
    program = workbench.program(team=workbench.team(campaign, "alder"))
    form = {"file": SimpleUploadedFile("run.tbf", b"a run"), "title": "a\0b"}
    answer = program.post("/api/v1/campaigns/spring/runs", form)
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert FOUND in answer.json()["detail"]
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"other": 6}, "too many files at once; an archive holds many"),
        ({"description": "x" * 3_000_000}, "too much text in the form"),
        ({f"field-{number}": "x" for number in range(1001)}, "too many fields in one form"),
    ],
    ids=["files", "text", "fields"],
)
def test_a_form_that_says_too_much_is_refused_with_a_reason(
    workbench: World, more: dict[str, Any], told: str
) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    from lydite_workbench.campaigns.models import Run

    campaign = workbench.campaign()
    workbench.phase(campaign)
    program = workbench.program(team=workbench.team(campaign, "alder"))
    files = [SimpleUploadedFile("run.tbf", b"a run") for _ in range(more.get("other", 1))]
    answer = program.post("/api/v1/campaigns/spring/runs", {"file": files, **more})
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert told in answer.json()["detail"]
    assert not Run.objects.exists()


def test_a_form_of_a_browser_is_refused_as_such_and_not_as_forged(workbench: World) -> None:
    from django.test import Client

    browser = Client(enforce_csrf_checks=True)
    browser.get("/sign-in")
    answer = browser.post("/sign-in", {"name": "ol\0ga", "password": "x"})
    assert (answer.status_code, FOUND in answer.content.decode()) == (400, True)
    assert browser.post("/sign-in", {"name": "olga", "password": "x"}).status_code == 403
    assert not list(workbench.files.rglob("*"))


HALF = "expected text, found half of a surrogate pair"


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ({"note": "a\0b"}, FOUND),
        ({"no\0te": "a"}, FOUND),
        ({"answers": {"type": ["a\0"]}}, FOUND),
        ({"note": "\ud800"}, HALF),
        ({"answers": {"\udfff": []}}, HALF),
    ],
)
def test_json_with_what_is_no_text_is_refused_like_a_form(
    workbench: World, said: dict[str, object], found: str
) -> None:
    from lydite_workbench.adjudication.models import Decision, Queue, QueueItem

    queue = Queue.objects.create(campaign=workbench.campaign(), kind="targets", title="What was found")
    item = QueueItem.objects.create(queue=queue, name="1", position=0, data={"said": [], "document": "d"})
    program = workbench.program(user=workbench.user("olga", administrator=True))
    url = f"/api/v1/items/{item.public_id}/judgements"
    answer = program.post(url, {"decision": "up", **said}, content_type="application/json")
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert found in answer.json()["detail"]
    plain = program.post(url, {"decision": "up", "note": "a\\u0000b"}, content_type="application/json")
    assert plain.status_code == 201
    assert [one.note for one in Decision.objects.all()] == ["a\\u0000b"]


TURNED = "U+202E RIGHT-TO-LEFT OVERRIDE"
WINDOW = {"opens": "2031-01-01T00:00", "closes": "2031-02-01T00:00", "zone": "UTC"}


@ON_SQLITE
@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/account", {"act": "change", "shown_name": "{}", "zone": "UTC"}),
        ("/account/token", {"label": "{}"}),
        ("/campaigns/spring/teams", {"name": "{}"}),
        ("/campaigns/spring/about", {"title": "{}"}),
        ("/campaigns/spring/phases", {"phase": "final", "phase_title": "{}", **WINDOW}),
        ("/campaigns/spring/message", {"subject": "{}", "text": "b"}),
        ("/campaigns/spring/send", {"title": "{}", "file": "a run"}),
        ("/campaigns/spring/corpora/new", {"slug": "new", "title": "{}", "texts": "a text"}),
        ("/new-campaign", {"slug": "new", "title": "{}", "task": "nugget", **WINDOW}),
    ],
)
@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Alder\u202eredlA", TURNED),
        ("a\u200bb", "U+200B ZERO WIDTH SPACE"),
        ("a\x1bb", "U+001B"),
        ("\u05d0\u200d\u05d1 \U0001f469\u200d\U0001f4bb", None),
    ],
)
def test_a_title_or_a_name_has_no_character_that_makes_a_page_lie(
    workbench: World, path: str, fields: dict[str, str], said: str, found: str | None
) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    from lydite_workbench.campaigns.models import Campaign, Team

    client = _organiser(workbench)
    campaign = Campaign.objects.get()
    team = Team.objects.create(campaign=campaign, slug="alder", name="Alder")
    team.members.add(client.session["_auth_user_id"])
    form: dict[str, Any] = {name: value.format(said) for name, value in fields.items()}
    for name in {"file", "texts"} & {*form}:
        form[name] = SimpleUploadedFile("a.txt", form[name].encode())
    answer = client.post(path, form)
    if found is None:
        # Joiners are how words and signs are written; a team needs letters of its short name beside them.
        assert answer.status_code in {200, 201, 302} or b"no short name can be made from" in answer.content
    else:
        assert (answer.status_code, f"{found} is invisible" in answer.content.decode()) == (400, True)


@pytest.mark.parametrize("name", ["ol\u202ega", "ol\u200dga", "ol\u00adga"])
def test_no_account_has_a_name_that_looks_like_that_of_another(workbench: World, name: str) -> None:
    from lydite_workbench.problems import Refused

    with pytest.raises(Refused, match="name"):
        workbench.user(name)


def test_texts_of_many_lines_stay_as_they_are(workbench: World) -> None:
    from lydite_workbench.campaigns.models import Campaign, Message

    client, text = _organiser(workbench), "one\n\u202btwo\u202c\tthree"
    client.post("/campaigns/spring/message", {"subject": "a word", "text": text})
    client.post("/campaigns/spring/about", {"title": "Spring", "description": text})
    assert (Message.objects.get().text, Campaign.objects.get().description) == (text, text)


def test_what_is_longer_than_can_be_kept_is_refused_and_not_cut(workbench: World) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    from lydite_workbench.adjudication.models import Decision, Queue, QueueItem
    from lydite_workbench.campaigns.models import Campaign, Message, Run

    client = _organiser(workbench)
    program = workbench.program(team=workbench.team(Campaign.objects.get(), "alder"))
    form = {"file": SimpleUploadedFile("run.tbf", b"a run"), "title": "x" * 201}
    answer = program.post("/api/v1/campaigns/spring/runs", form)
    assert (answer.status_code, answer.json()["detail"]) == (
        400,
        "title: Ensure this value has at most 200 characters (it has 201).",
    )
    client.post("/campaigns/spring/message", {"subject": "x" * 201, "text": "b"})
    queue = Queue.objects.create(campaign=Campaign.objects.get(), kind="targets", title="What was found")
    item = QueueItem.objects.create(queue=queue, name="1", position=0, data={"said": [], "document": "d"})
    judge = workbench.program(user=workbench.user("ann", administrator=True))
    said = {"decision": "up", "note": "x" * 2001}
    answer = judge.post(f"/api/v1/items/{item.public_id}/judgements", said, content_type="application/json")
    assert (answer.status_code, answer.json()["detail"]) == (400, "note: at most 2000 characters, found 2001")
    assert [kind.objects.count() for kind in (Run, Message, Decision)] == [0, 0, 0]
