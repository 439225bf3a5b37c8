"""The workbench under load, on this machine alone: fifty teams upload at once, then pages while the worker is busy.

The aim, on two cores: none is lost, and 95 of 100 pages come within 300 ms.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from measuring import Measured, at_most, report

ROOT = Path(__file__).parent.parent
TEAMS, READERS, REQUESTS = 50, 8, 400
DECLARATION = """
slug = "load"
title = "Load"
task = "nugget"
gold = "{gold}"
public = true

[[phases]]
slug = "test"
opens = 2020-01-01T00:00:00
closes = 2120-01-01T00:00:00
"""


def lydite(*words: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "lydite", words[0], "--folder", str(folder), *words[1:]],
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def prepare(folder: Path) -> list[str]:
    """A campaign with fifty teams; the tokens of the teams."""
    declaration_text = folder / "campaign.toml"
    declaration_text.write_text(DECLARATION.format(gold=ROOT / "examples" / "gold.tbf"))
    lydite("workbench", "migrate", folder=folder)
    lydite("workbench", "create-campaign", str(declaration_text), folder=folder)
    from lydite_workbench.installation import embedded
    from lydite_workbench.project import start

    start(embedded(folder))
    from lydite_workbench.accounts.services import new_token
    from lydite_workbench.campaigns.models import Campaign
    from lydite_workbench.campaigns.teams import add_team

    campaign = Campaign.objects.get()
    teams = [add_team(campaign, f"team {number}", actor="benchmark") for number in range(TEAMS)]
    return [new_token(team=team, actor="benchmark") for team in teams]


def serve(folder: Path) -> tuple[subprocess.Popen[bytes], str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "lydite", "serve", "--folder", str(folder), "--port", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}"
    while process.poll() is None:
        try:
            with urlopen(f"{url}/readyz", timeout=5):  # noqa: S310 - of this machine
                return process, url
        except (URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError("the workbench did not start")


def seconds_of(url: str) -> float:
    started = time.perf_counter()
    with urlopen(url, timeout=60) as answer:  # noqa: S310 - of this machine
        answer.read()
    return time.perf_counter() - started


def main() -> None:
    from lydite_workbench.submitting import Workbench, submit

    run = ROOT / "examples" / "systems" / "alder.tbf"
    with tempfile.TemporaryDirectory(prefix="lydite-load-") as name:
        folder = Path(name)
        tokens = prepare(folder)
        process, url = serve(folder)
        try:
            started = time.perf_counter()
            with ThreadPoolExecutor(TEAMS) as pool:
                sent = list(pool.map(lambda token: submit(Workbench(url, token), "load", run, {}), tokens))
            uploads = time.perf_counter() - started
            pages = [f"{url}/", f"{url}/api/v1/campaigns", f"{url}/campaigns/load"]
            with ThreadPoolExecutor(READERS) as pool:
                times = sorted(pool.map(seconds_of, (pages[n % len(pages)] for n in range(REQUESTS))))
        finally:
            process.terminate()
            process.wait(30)
    kept = len({answer["id"] for answer in sent})
    print(f"{kept} uploads in {uploads:.1f} s; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    rows: list[Measured] = [
        at_most("uploads at once that were lost", TEAMS - kept, 0, f"of {TEAMS}"),
        at_most("pages while the worker is busy, 95 %", 1000 * times[int(0.95 * len(times))], 300, "ms"),
    ]
    report("workbench under load", rows)


if __name__ == "__main__":
    main()
