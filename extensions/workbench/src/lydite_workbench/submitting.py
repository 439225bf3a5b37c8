"""Sending a run to a workbench from a program, without Django."""

from __future__ import annotations

import http.client
import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple, TypedDict
from urllib.parse import quote, urlsplit

from lydite.errors import FindingDocument, LyditeError, UsageError

TOKEN = "LYDITE_TOKEN"  # noqa: S105 - the name of a variable
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
ENDED = frozenset({"invalid", "scored", "failed", "withdrawn"})
CHUNK = 1 << 16
PATIENCE, PAUSE = 60.0, 1.0
"""Seconds that an answer may take, and between two requests for the state of a run."""


class Rejected(LyditeError):  # noqa: N818 - named after what happened
    """The workbench refused a request; the message is its sentence."""

    hint: str | None = None


class RunHeadline(TypedDict):
    """The headline of a run as the API gives it, as far as it is used here."""

    figure: str
    value: float | None


class RunDocument(TypedDict):
    """A run as the API gives it, as far as it is used here."""

    id: str
    state: str
    waits_for_gold: bool
    sha256: str
    message: str | None
    findings: list[FindingDocument]
    headline: RunHeadline | None


class Workbench(NamedTuple):
    """The address of a workbench, and a token for it."""

    url: str
    token: str

    def ask(self, method: str, path: str, *, body: Iterator[bytes] | None = None, **headers: str) -> Any:
        """Make an API call; return its JSON."""
        parts = urlsplit(self.url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        line = kind(parts.hostname or "", parts.port, timeout=PATIENCE)
        given = {"Authorization": f"Bearer {self.token}", "Accept": "application/json", **headers}
        try:
            # A server that refuses a file for its size answers, and closes the connection, before all of it is sent.
            with suppress(BrokenPipeError, ConnectionResetError):
                line.request(method, f"{parts.path.rstrip('/')}/api/v1{path}", body, given)
            answer = line.getresponse()
            data = answer.read()
        except (OSError, http.client.HTTPException) as error:
            hint = "is the address right, and is the server running?"
            raise UsageError(f"cannot reach {self.url}: {error}", hint=hint) from None
        finally:
            line.close()
        return _answer_of(answer.status, data, self.url)


def _answer_of(status: int, data: bytes, url: str) -> Any:
    try:
        document = json.loads(data)
    except ValueError:
        if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            raise Rejected("the file is larger than the server accepts [too-large]") from None
        hint = "is this the address of a lydite workbench?"
        raise UsageError(f"{url} answered with status {status}, but not with JSON", hint=hint) from None
    if status >= 400:
        raise Rejected(f"{document.get('detail', 'refused')} [{document.get('title', status)}]")
    return document


def workbench_at(url: str, *, insecure: bool) -> Workbench:
    """The workbench at an address, with the token from the environment; by http only on this machine or if ``insecure``."""
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:  # brackets that nothing closes, a port that there is not
        is_address = False
    if not is_address:
        raise UsageError(f"--to {url}: expected an address such as https://eval.example.org")
    if parts.scheme == "http" and parts.hostname not in LOOPBACK and not insecure:
        hint = "use https, or add --insecure"
        raise UsageError(f"--to {url}: the token would be sent unencrypted", hint=hint)
    token = os.environ.get(TOKEN, "").strip()
    if not token:
        raise UsageError(f"no token in {TOKEN}", hint=f"export {TOKEN}=…; your team's page makes one")
    return Workbench(url, token)


def submit(workbench: Workbench, campaign: str, file: Path, fields: Mapping[str, str]) -> RunDocument:
    """Send a run; return it as the workbench answers."""
    boundary = os.urandom(16).hex()
    head, tail = _form_around_file(boundary, file.name, fields)
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
        path = f"/campaigns/{quote(campaign)}/runs"
        found: RunDocument = workbench.ask("POST", path, body=body(), **headers)
        return found


def _form_around_file(boundary: str, name: str, fields: Mapping[str, str]) -> tuple[bytes, bytes]:
    """The parts of a multipart form before and after the file."""
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
        for key, value in fields.items()
    ]
    safe_name = name.replace('"', "_").replace("\r", "_").replace("\n", "_")
    parts.append(
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{safe_name}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    )
    return "".join(parts).encode("utf-8", "surrogateescape"), f"\r\n--{boundary}--\r\n".encode()


def wait_for(workbench: Workbench, run: str) -> RunDocument:
    """Wait until the state of a run no longer changes by itself; return the run."""
    while True:
        found: RunDocument = workbench.ask("GET", f"/runs/{quote(run)}")
        if found["state"] in ENDED or found.get("waits_for_gold"):
            return found
        time.sleep(PAUSE)
