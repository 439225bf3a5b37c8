"""The pictures of the how-to pages: the demo of the workbench, driven in Chromium (``make docs-pictures``).

``--dark`` and ``--width 360`` write the same pictures as others see the pages, to look at: say ``--folder`` too.
"""

from __future__ import annotations

import argparse
import base64
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.request import urlopen

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

PICTURES = Path(__file__).parent / "pictures"
PASSWORD = "touchstone-demo"  # noqa: S105 - of the demo, which prints it
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars")
PATIENCE = 120.0


@contextmanager
def demo() -> Iterator[str]:
    """The demo on a free port; its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    words = [sys.executable, "-m", "lydite", "serve", "--demo", "--port", str(port)]
    with tempfile.TemporaryDirectory(prefix="lydite-pictures-") as folder:
        process = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603 - our own program
        try:
            _wait_for(lambda: process.poll() is not None or _answers(url))
            yield url
        finally:
            process.terminate()
            process.wait(30)


def _answers(url: str) -> bool:
    try:
        with urlopen(f"{url}/readyz", timeout=5):  # noqa: S310 - of this machine
            return True
    except (URLError, OSError):
        return False


def _wait_for(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > until:
            raise TimeoutError
        time.sleep(0.1)


@contextmanager
def chromium(width: int, *, dark: bool) -> Iterator[Chrome]:
    """A browser of that width."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in FLAGS:
        options.add_argument(flag)
    browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
        yield browser
    finally:
        browser.quit()


class Photographer:
    """Goes from page to page and keeps what it sees."""

    def __init__(self, browser: Chrome, url: str, folder: Path, kind: str) -> None:
        self.browser, self.url, self.folder, self.kind = browser, url, folder, kind

    def sign_in(self, name: str) -> None:
        """Be somebody of the demo."""
        from selenium.webdriver.common.by import By

        self.browser.delete_all_cookies()
        self.browser.get(f"{self.url}/sign-in")
        self.browser.find_element(By.NAME, "name").send_keys(name)
        self.browser.find_element(By.NAME, "password").send_keys(PASSWORD)
        self.browser.find_element(By.CSS_SELECTOR, "form.stacked button").click()
        self.see("Sign out")

    def go(self, path: str) -> None:
        """Open a page."""
        self.browser.get(self.url + path)

    def follow(self, words: str) -> None:
        """Follow the link with these words."""
        from selenium.webdriver.common.by import By

        self.browser.get(self.browser.find_element(By.PARTIAL_LINK_TEXT, words).get_attribute("href") or "")

    def type(self, *keys: str) -> None:
        """Press keys."""
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.browser).send_keys(*keys).perform()

    def see(self, words: str) -> None:
        """Wait until the page shows these words."""
        _wait_for(lambda: words in self.shown())

    def shown(self) -> str:
        """What the page says; nothing while it is loading."""
        text: str = self.browser.execute_script("return document.body ? document.body.innerText : ''")
        return text

    def keep(self, name: str) -> None:
        """Write what the window shows."""
        time.sleep(0.3)
        seen = self.browser.execute_cdp_cmd("Page.captureScreenshot", {"format": self.kind})
        (self.folder / f"{name}.{self.kind}").write_bytes(base64.b64decode(seen["data"]))


BROKEN = "#BeginOfDocument nw01-depot\nrun\tnw01-depot\tE1\t7,x\tfled\tMovement_Transport\tActual\n"


def take_all(camera: Photographer) -> None:
    """Every picture, in the order of a campaign."""
    from selenium.webdriver.common.by import By

    camera.sign_in("olga")
    camera.go("/campaigns/harbour-nuggets")
    camera.keep("campaign")
    camera.go("/campaigns/harbour-nuggets/leaderboard")
    camera.keep("leaderboard")

    camera.sign_in("alder")
    camera.go("/campaigns/harbour-nuggets/send")
    with tempfile.TemporaryDirectory() as folder:
        broken = Path(folder) / "alder-3.tbf"
        broken.write_text(BROKEN, encoding="utf-8")
        camera.browser.find_element(By.NAME, "file").send_keys(str(broken))
        camera.browser.find_element(By.CSS_SELECTOR, "form.stacked button").click()
        camera.see("This run is not valid")
    camera.keep("run-with-findings")

    camera.sign_in("ada")
    camera.go("/campaigns/harbour-arguments/assessment/work")
    camera.see("Is there an event of this type?")
    camera.type("c", "c")
    camera.keep("judge")
    _judge_the_rest(camera)
    camera.keep("strings")

    camera.sign_in("carla")
    camera.go("/campaigns/harbour-nuggets/adjudication")
    camera.follow("Decide")
    camera.see("of 198 decided")
    camera.type("a", "b", "a", "e")
    camera.keep("annotators")
    camera.go("/campaigns/harbour-entities/adjudication")
    camera.follow("Decide")
    camera.see("decided")
    time.sleep(1)
    camera.keep("targets")


def _judge_the_rest(camera: Photographer) -> None:
    """Answer until the strings of the document are asked for."""
    from selenium.webdriver.common.keys import Keys

    camera.type("c", "c", "a", "n", Keys.ENTER)
    while "Which strings are the same?" not in (shown := camera.shown()):
        if "Is there an event of this type?" in shown:
            camera.type("c", "c", "c", "c", "a", "n", Keys.ENTER)
        time.sleep(0.05)


def main() -> None:
    """Take the pictures."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--folder", type=Path, default=PICTURES)
    asked.add_argument("--width", type=int, default=1280)
    asked.add_argument("--kind", choices=("webp", "png"), default="webp")
    asked.add_argument("--dark", action="store_true")
    asked.add_argument("--url", help="of a demo that runs already")
    chosen = asked.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    with chromium(chosen.width, dark=chosen.dark) as browser:
        if chosen.url:
            take_all(Photographer(browser, chosen.url, chosen.folder, chosen.kind))
            return
        with demo() as url:
            take_all(Photographer(browser, url, chosen.folder, chosen.kind))


if __name__ == "__main__":
    main()
