"""The examples of the pages: found, run, compared, and written anew.

A page is Markdown.  Three kinds of fenced blocks matter:

``console``
    lines ``$ lydite …`` and what they print: standard output and error together, as a terminal shows them, or
    standard output alone.  Known besides ``lydite`` are ``python examples/…``, ``cat FILE``, ``mkdir -p FOLDER``,
    ``echo $?``, ``2>/dev/null`` and ``| head -n N``.  A line ``...`` stands for any lines, ``...``
    inside a line for any text.
``{code-block}`` with a caption
    a file of that name, which the commands after it can use.
``python`` with ``>>>``
    a doctest.

The commands of a page run in a folder of their own in which ``docs``, ``examples`` and ``tests`` are those of the repository,
so that nothing is left behind.

    python tests/docs/console.py             # writes the output anew where it is not what the page shows
    python tests/docs/console.py PAGE...     # of these pages only
"""

from __future__ import annotations

import doctest
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LENT = ("docs", "examples", "tests")
"""What the working folder of a page shares with the repository."""


@dataclass
class Block:
    """A fenced block: what it is, where its content stands in the page, its caption."""

    info: str
    first: int
    lines: list[str]
    caption: str | None = None
    steps: list[Step] = field(default_factory=list)

    @property
    def is_console(self) -> bool:
        return self.info == "console"

    @property
    def is_doctest(self) -> bool:
        return self.info == "python" and any(line.startswith(">>>") for line in self.lines)


@dataclass
class Step:
    """One command of a console block: the line of the page, the command, the lines shown after it."""

    first: int
    command: str
    shown: list[str]


def pages() -> list[Path]:
    """The pages that are kept under version control."""
    made = {"profiles", "_generated", "_build"}
    return [page for page in PAGES if not made & set(page.relative_to(ROOT).parts)]


def is_installed(page: Path) -> bool:
    """Whether the parts of lydite are installed whose verbs the page shows: the core can be tested alone."""
    from lydite.cli import all_verbs

    verbs = set(
        re.findall(
            r"^\$ lydite (corpus|serve|submit|worker|workbench)\b", page.read_text("utf-8"), re.MULTILINE
        )
    )
    return verbs <= set(all_verbs())


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a page, in order; fences may be longer than three backticks."""
    found: list[Block] = []
    fence, block = "", None
    for number, line in enumerate(text.split("\n")):
        opening = re.match(r"(`{3,})\s*(\S*)\s*(\S*)", line)
        if block is None and opening:
            fence, block = opening[1], Block(opening[2], number + 1, [])
        elif block is not None and line.rstrip() == fence:
            found.append(_completed(block))
            block = None
        elif block is not None:
            block.lines.append(line)
    return found


def _completed(block: Block) -> Block:
    if block.info == "{code-block}":
        while block.lines and block.lines[0].startswith(":"):
            option = block.lines.pop(0)
            if option.startswith(":caption:"):
                block.caption = option.removeprefix(":caption:").strip().strip("`")
        if block.lines and not block.lines[0]:
            block.lines.pop(0)
    if block.is_console:
        for number, line in enumerate(block.lines):
            if line.startswith("$ "):
                block.steps.append(Step(block.first + number, line[2:], []))
            elif block.steps and block.steps[-1].command.endswith("\\"):
                last = block.steps[-1]
                last.command = last.command[:-1] + line.strip()
                last.first += 1
            elif block.steps:
                block.steps[-1].shown.append(line)
    return block


# ------------------------------------------------------------------------------------------------------ running


Printed = tuple[list[str], list[str]]
"""What a command prints: both streams together, and standard output alone."""


def run_page(page: Path) -> tuple[list[Printed], str]:
    """What each command of a page prints, and the report of its doctests; run in a process of its own."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("LYDITE_")}
    environment |= {"PYTHONHASHSEED": "0", "COLUMNS": "100", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    with tempfile.TemporaryDirectory() as folder:
        for name in LENT:
            if (ROOT / name).exists():
                (Path(folder) / name).symlink_to(ROOT / name)
        done = subprocess.run(
            [sys.executable, __file__, "--run", str(page)],
            cwd=folder,
            env=environment,
            capture_output=True,
            check=False,
        )
    if done.returncode:
        raise AssertionError(done.stderr.decode())
    outcome = json.loads(done.stdout)
    return outcome["printed"], outcome["doctests"]


def _run_here(page: Path) -> None:
    found = blocks(page.read_text(encoding="utf-8"))
    printed, reports, status = [], [], 0
    names: dict[str, object] = {}
    for block in found:
        if block.caption is not None:
            Path(block.caption).parent.mkdir(parents=True, exist_ok=True)
            Path(block.caption).write_text("\n".join(block.lines) + "\n", encoding="utf-8")
        for step in block.steps:
            output, status = _run(step.command, status)
            printed.append([text.rstrip("\n").split("\n") if text else [] for text in output])
        if block.is_doctest:
            reports.append(_doctest(block, page, names))
    json.dump({"printed": printed, "doctests": "".join(reports)}, sys.stdout)


def _run(command: str, status: int) -> tuple[list[str], int]:
    """What a command prints, both streams and standard output alone, and its exit status."""
    command, _, head = command.partition(" | head -n ")
    quiet = "2>/dev/null" in command
    words = shlex.split(command.replace("2>/dev/null", ""))
    if words == ["echo", "$?"]:
        return [f"{status}\n"], 0
    if words[0] == "cat":
        outputs, status = ["".join(Path(name).read_text(encoding="utf-8") for name in words[1:])], 0
    elif words[:2] == ["mkdir", "-p"]:
        for name in words[2:]:
            Path(name).mkdir(parents=True, exist_ok=True)
        outputs, status = [""], 0
    elif words[0] == "python" and words[1].startswith("examples/"):
        done = subprocess.run([sys.executable, *words[1:]], capture_output=True, text=True, check=False)
        outputs, status = [done.stdout + done.stderr], done.returncode
    elif words[0] == "lydite":
        both, alone, status = _run_lydite(words[1:])
        outputs = [alone] if quiet else [both, alone]
    else:
        raise AssertionError(f"this command is not known to the examples: {command}")
    if head:
        outputs = ["".join(output.splitlines(keepends=True)[: int(head)]) for output in outputs]
    return outputs, status


class _Both(io.BytesIO):
    """Standard output; what is written is also passed on to where both streams meet."""

    def __init__(self, meeting: io.BytesIO) -> None:
        super().__init__()
        self._meeting = meeting

    def write(self, data: Any, /) -> int:
        self._meeting.write(data)
        return super().write(data)


def _run_lydite(arguments: list[str]) -> tuple[str, str, int]:
    from lydite.cli import run

    both = io.BytesIO()
    alone = _Both(both)
    before = sys.stdout, sys.stderr
    sys.stdout = io.TextIOWrapper(alone, encoding="utf-8", write_through=True)
    sys.stderr = io.TextIOWrapper(both, encoding="utf-8", write_through=True)
    streams = sys.stdout, sys.stderr
    try:
        status = run(arguments)
    finally:
        sys.stdout, sys.stderr = before
    outputs = both.getvalue().decode(), alone.getvalue().decode()
    for stream in streams:
        stream.detach()
    return *outputs, status


def _doctest(block: Block, page: Path, names: dict[str, object]) -> str:
    text = "\n".join(block.lines) + "\n"
    test = doctest.DocTestParser().get_doctest(text, names, page.name, str(page), block.first)
    report = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=report.write, clear_globs=False)
    names.update(test.globs)
    return report.getvalue()


# ---------------------------------------------------------------------------------------------------- comparing


def fits(shown: list[str], printed: list[str]) -> bool:
    """Whether the lines of the page stand for what was printed; ``...`` stands for anything, blanks for blanks."""
    pattern = []
    for line in [line.rstrip() for line in shown]:
        if line == "...":
            pattern.append(r"(?:.*\n)*?")
        else:
            pattern.append(".*".join(map(_escaped, line.split("..."))) + r"\n")
    text = "".join(f"{line.rstrip()}\n" for line in printed)
    return re.fullmatch("".join(pattern), text) is not None


def _escaped(text: str) -> str:
    """The text as a pattern; a run of blanks stands for any run, since columns are as wide as their widest cell."""
    return " {2,}".join(map(re.escape, re.split(" {2,}", text)))


def _without_last_blank(lines: list[str]) -> list[str]:
    return lines[:-1] if lines and not lines[-1] else lines


def differences(page: Path) -> list[str]:
    """A sentence for each command of a page that prints something else, and the report of its doctests."""
    steps = [step for block in blocks(page.read_text(encoding="utf-8")) for step in block.steps]
    printed, doctests = run_page(page)
    found = [
        f"{page.relative_to(ROOT)}:{step.first + 1}: $ {step.command}\n" + "\n".join(outputs[0])
        for step, outputs in zip(steps, printed, strict=True)
        if not any(fits(_without_last_blank(step.shown), output) for output in outputs)
    ]
    return [*found, doctests] if doctests else found


def has_examples(page: Path) -> bool:
    """Whether anything on the page runs."""
    return any(block.steps or block.is_doctest for block in blocks(page.read_text(encoding="utf-8")))


def refresh(page: Path) -> bool:
    """Write the output of a page anew where the page shows something else; whether anything changed."""
    text = page.read_text(encoding="utf-8")
    lines = text.split("\n")
    steps = [step for block in blocks(text) for step in block.steps]
    printed, doctests = run_page(page)
    if doctests:
        sys.stdout.write(doctests)
    for step, outputs in reversed(list(zip(steps, printed, strict=True))):
        shown = _without_last_blank(step.shown)
        if not shown or not any(fits(shown, output) for output in outputs):
            start = step.first + 1
            lines[start : start + len(shown)] = [line.rstrip() for line in outputs[0]]
    if lines == text.split("\n"):
        return False
    page.write_text("\n".join(lines), encoding="utf-8")
    return True


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        _run_here(Path(sys.argv[2]))
    else:
        for chosen in [Path(name).resolve() for name in sys.argv[1:]] or pages():
            if has_examples(chosen) and refresh(chosen):
                sys.stdout.write(f"{chosen.relative_to(ROOT)}: written anew\n")
