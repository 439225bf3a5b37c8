"""Sending a run to a workbench, from a program: needs neither Django nor an account on this machine."""

from __future__ import annotations

import http.client
import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any, TypedDict
from urllib.parse import quote, urlsplit

from lydite.errors import FindingDocument, LyditeError, UsageError
from lydite.records import NamedTuple

TOKEN = "LYDITE_TOKEN"  # noqa: S105 - the name of a variable
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
ENDED = frozenset({"invalid", "scored", "failed", "withdrawn"})
CHUNK = 1 << 16
PATIENCE, PAUSE = 60.0, 1.0
"""Seconds that an answer may take, and between two looks at a run."""


class Rejected(LyditeError):  # noqa: N818 - named after what happened
    """The workbench refused; the message is its sentence."""

    hint: str | None = None


class RunHeadline(TypedDict):
    """The headline of a run as the API tells it; intervals may stand beside it."""

    figure: str
    value: float | None


class RunDocument(TypedDict):
    """What of a run, as the API tells it, is shown here."""

    id: str
    state: str
    waits_for_gold: bool
    sha256: str
    message: str | None
    findings: list[FindingDocument]
    headline: RunHeadline | None


class Workbench(NamedTuple):
    """Where it is, and with whose rights it is asked."""

    url: str
    token: str

    def ask(self, method: str, path: str, *, body: Iterator[bytes] | None = None, **headers: str) -> Any:
        """The JSON that a call answers."""
        parts = urlsplit(self.url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        line = kind(parts.hostname or "", parts.port, timeout=PATIENCE)
        given = {"Authorization": f"Bearer {self.token}", "Accept": "application/json", **headers}
        try:
            # Who refuses a file for its size answers, and hangs up, before all of it is sent.
            with suppress(BrokenPipeError, ConnectionResetError):
                line.request(method, f"{parts.path.rstrip('/')}/api/v1{path}", body, given)
            answer = line.getresponse()
            data = answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise UsageError(
                f"cannot reach {self.url}: {error}", hint="is the address right, and the server up?"
            ) from None
        finally:
            line.close()
        return _answer_of(answer.status, data, self.url)


def _answer_of(status: int, data: bytes, url: str) -> Any:
    try:
        document = json.loads(data)
    except ValueError:
        if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            raise Rejected("the file is larger than the server takes [too-large]") from None
        raise UsageError(
            f"{url} answered {status}, and no JSON", hint="is a lydite workbench there?"
        ) from None
    if status >= 400:
        raise Rejected(f"{document.get('detail', 'refused')} [{document.get('title', status)}]")
    return document


def workbench_at(url: str, *, insecure: bool) -> Workbench:
    """The workbench at an address, with the token of the environment; it is sent by https alone, or on this machine."""
    try:
        parts = urlsplit(url)
        sound = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:  # brackets that nothing closes, a port that there is not
        sound = False
    if not sound:
        raise UsageError(f"--to {url}: expected an address such as https://eval.example.org")
    if parts.scheme == "http" and parts.hostname not in LOOPBACK and not insecure:
        raise UsageError(
            f"--to {url}: a token would travel in the clear", hint="use https, or say --insecure"
        )
    token = os.environ.get(TOKEN, "").strip()
    if not token:
        raise UsageError(f"no token in {TOKEN}", hint=f"export {TOKEN}=…; your team's page makes one")
    return Workbench(url, token)


def submit(workbench: Workbench, campaign: str, file: Path, fields: Mapping[str, str]) -> RunDocument:
    """Send a run; what the workbench says about it."""
    boundary = os.urandom(16).hex()
    head, tail = _around(boundary, file.name, fields)
    try:
        size = file.stat().st_size
        stream = file.open("rb")
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from None
    with stream:

        def body() -> Iterator[bytes]:
            yield head
            while piece := stream.read(CHUNK):
                yield piece
            yield tail

        headers = {
            "Content-Type": f"multipart/form-data; boundary={boundary}",
            "Content-Length": str(len(head) + size + len(tail)),
        }
        found: RunDocument = workbench.ask(
            "POST", f"/campaigns/{quote(campaign)}/runs", body=body(), **headers
        )
        return found


def _around(boundary: str, name: str, fields: Mapping[str, str]) -> tuple[bytes, bytes]:
    """What stands before and after the file in a form."""
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
        for key, value in fields.items()
    ]
    plain = name.replace('"', "_").replace("\r", "_").replace("\n", "_")
    parts.append(
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{plain}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    )
    return "".join(parts).encode("utf-8", "surrogateescape"), f"\r\n--{boundary}--\r\n".encode()


def wait_for(workbench: Workbench, run: str) -> RunDocument:
    """The run, when nothing more will happen to it by itself."""
    while True:
        found: RunDocument = workbench.ask("GET", f"/runs/{quote(run)}")
        if found["state"] in ENDED or found.get("waits_for_gold"):
            return found
        time.sleep(PAUSE)
