"""A real browser, without a network.

``make test-browser`` sets up what is needed and says ``LYDITE_BROWSER=required``; else these tests are skipped.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--window-size=1280,1000",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
AXE = Path(__file__).parents[2] / ".venv" / "axe" / "package" / "axe.min.js"


@pytest.fixture(scope="session")
def browser() -> Iterator[Chrome]:
    """Chromium, driven by Debian's chromedriver."""
    if os.environ.get("LYDITE_BROWSER") != "required":
        pytest.skip("browsers are for make check and make test-browser, which set one up")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.fail("no chromium and chromedriver here: make test-browser sets them up")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        started = webdriver.Chrome(options=options, service=Service(driver))
        started.set_script_timeout(300)  # a busy machine is slow, not wrong
        yield started
        started.quit()


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core."""
    return AXE.read_text(encoding="utf-8")
