"""Commands in a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import threading
from collections.abc import Sequence

END = b"\x00that was all\x00"


def seen_in_terminal(command: Sequence[str], *, stdout: bool = True) -> tuple[int, str]:
    """The exit status of a command, and what a terminal is shown: stderr, and stdout if that goes there too.

    Linux can lose what is on its way when the last writer closes a terminal.  So the last writer are we: what the
    command wrote is followed by a sign of ours.
    """
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    shown = follower if stdout else subprocess.DEVNULL
    with subprocess.Popen(command, stdout=shown, stderr=follower, env=environment) as process:

        def close_with_sign() -> None:
            process.wait()
            os.write(follower, END)

        closing = threading.Thread(target=close_with_sign)
        closing.start()
        seen = b""
        while not seen.endswith(END):
            seen += os.read(leader, 4096)
        closing.join()
    os.close(follower)
    os.close(leader)
    return process.returncode, seen.removesuffix(END).decode("utf-8", "surrogateescape")
