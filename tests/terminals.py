"""Commands in a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
from collections.abc import Sequence


def seen_in_terminal(command: Sequence[str], *, stdout: bool = True) -> tuple[int, str]:
    """The exit status of a command, and what a terminal is shown: stderr, and stdout if that goes there too."""
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    shown = follower if stdout else subprocess.DEVNULL
    with subprocess.Popen(command, stdout=shown, stderr=follower, env=environment) as process:
        os.close(follower)
        seen = b""
        try:
            while piece := os.read(leader, 4096):
                seen += piece
        except OSError:
            pass  # how Linux says that nobody writes any more
        status = process.wait()
    os.close(leader)
    return status, seen.decode("utf-8", "surrogateescape")
