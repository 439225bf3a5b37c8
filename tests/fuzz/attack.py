"""Runs commands over damaged files, in this process, and says what falls short.

What falls short: a defect (exit status 70 or a traceback), cost out of proportion, items lost without a finding, a score
above one, control characters that reach a terminal, files left half or beside the output.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from format_samples import FILE_SETTINGS
from fuzz.mutations import damaged, reworded, unclosed
from fuzz.scenarios import OUT, Scenario, task_of
from lydite.cli import run
from lydite.errors import LyditeError
from lydite.facade.choosing import UserChoice
from lydite.facade.converting import convert_file
from lydite.facade.validating import validate_file
from lydite.metrics import METRICS
from lydite.metrics.base import Law
from lydite.model.tags import TAGS_LAYER

SECONDS_PER_INPUT = 3.0
"""Processor time after which an input of some kilobytes has cost too much."""
COLLECT_AFTER = 2000
"""After so many inputs garbage goes: the cycles of refusals would fill the memory in ten minutes."""


class Cost(NamedTuple):
    """Processor time in seconds, and the bytes by which the memory of the process grew at its highest."""

    seconds: float
    memory: int


UNCLOSED = 0.15
"""The share of inputs in which something is opened, goes on for long, and is not closed."""
LENGTHS = 60_000, 15_000
"""How many bytes of it are tried: the shorter input only where the longer one cost much."""
COSTLY = Cost(0.5, 100 << 20)
"""What is much, in seconds of processor time and bytes of memory."""
GROWTH = 2.0
"""How many times as much as in the shorter input a byte of the longer one may cost: once, if cost is linear."""

MOST_BYTES = 1 << 18
"""Larger inputs are not tried: what costs more than its size shows long before."""
KNOWN_STATUSES = {0, 1, 2, 3, 4}
DATA = {"convert", "official", "json", "csv"}
"""Words of commands whose standard output is for programs: it may hold what a terminal would obey."""
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_LAST_FRAME = re.compile(r'File "[^"]*?([^/"]+)", line (\d+), in (\w+)')


class Shortfall(NamedTuple):
    """What fell short: its kind, what tells it from others of the kind, and a sentence."""

    kind: str
    place: str
    message: str


class Defect(NamedTuple):
    """A shortfall with the input that shows it."""

    shortfall: Shortfall
    scenario: Scenario
    command: tuple[str, ...]
    target: str
    content: bytes


class Outcome(NamedTuple):
    """What a command did."""

    status: int
    stdout: bytes
    stderr: str


@contextlib.contextmanager
def metered() -> Iterator[list[Cost]]:
    """What is done inside; its cost is in the list at the end."""
    costs: list[Cost] = []
    # The system forgets the highest amount of memory so far.
    Path("/proc/self/clear_refs").write_text("5")
    before, start = _memory("VmRSS"), time.process_time()
    yield costs
    costs.append(Cost(time.process_time() - start, _memory("VmHWM") - before))


def _memory(name: str) -> int:
    """Bytes of memory of this process, as the system counts them."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition(f"{name}:")[2].split()[0]) << 10


class TooLongError(BaseException):
    """Raised by the clock; no handler of errors catches it."""


def _stop(_signal: int, _frame: object) -> None:
    raise TooLongError


@contextlib.contextmanager
def timed() -> Iterator[None]:
    """Processor time is limited inside."""
    before = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS_PER_INPUT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def outcome_of(command: tuple[str, ...]) -> Outcome:
    """Run a command as a terminal would."""
    out, err = io.BytesIO(), io.BytesIO()
    stdout = io.TextIOWrapper(out, "utf-8", write_through=True)
    stderr = io.TextIOWrapper(err, "utf-8", errors="backslashreplace", write_through=True)
    with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr), timed():
        status = run(list(command))
    return Outcome(status, out.getvalue(), err.getvalue().decode("utf-8", "replace"))


def shortfalls(scenario: Scenario, command: tuple[str, ...]) -> Iterator[Shortfall]:
    """What falls short when a command runs over the files as they lie there."""
    about = f"{' '.join(command[:2] if command[0] == 'assess' else command[:1])}, {scenario.name}"
    try:
        outcome = outcome_of(command)
    except TooLongError:
        yield Shortfall("cost", about, f"more than {SECONDS_PER_INPUT} s")
        return
    except BaseException as error:  # noqa: BLE001 - whatever leaves the command is a defect
        yield Shortfall("traceback", about, f"{type(error).__name__}: {error}"[:200])
        return
    finally:
        made = [name for name in os.listdir() if name not in _KNOWN_HERE]  # noqa: PTH208 - names alone
        _clean(made)
    if outcome.status not in KNOWN_STATUSES:
        frames = _LAST_FRAME.findall(outcome.stderr)
        last = outcome.stderr.strip().splitlines()[-2:]
        yield Shortfall("defect", ":".join(frames[-1]) if frames else about, " ".join(last)[:300])
        return
    yield from _left_behind(outcome, made, about)
    shown = "" if DATA.intersection(command) else outcome.stdout.decode("utf-8", "replace")
    for name, text in (("stdout", shown), ("stderr", outcome.stderr)):
        if found := _CONTROLS.search(text):
            yield Shortfall(
                "control character",
                f"{name}, {about}",
                repr(text[max(0, found.start() - 30) : found.end() + 10]),
            )
    if "json" in command and outcome.status == 0 and command[0] == "score" and "-o" not in command:
        yield from _above_one(outcome.stdout, about, repeats="as-official" in command)


def _left_behind(outcome: Outcome, made: list[str], about: str) -> Iterator[Shortfall]:
    strange = [name for name in made if not name.startswith(OUT)]
    if strange:
        yield Shortfall("file left behind", about, ", ".join(strange))
    if outcome.status in {2, 3, 4} and made:
        yield Shortfall("half output", about, f"status {outcome.status}, and {', '.join(made)} is there")


_KNOWN_HERE: set[str] = set()


def _clean(made: list[str]) -> None:
    for name in made:
        path = Path(name)
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def _above_one(stdout: bytes, about: str, *, repeats: bool) -> Iterator[Shortfall]:
    for row in json.loads(stdout)["scores"]:
        if not _is_bounded(row["metric"], repeats=repeats):
            continue
        for figure in ("precision", "recall", "f1"):
            value = row[figure]
            if value is not None and not 0 <= value <= 1 + 1e-9:
                what = f"{row['measurement']} {row['metric']} {figure}"
                yield Shortfall(
                    "score out of range", f"{what}, {about}", f"{what} of {row['by'] or 'all'} is {value}"
                )
                return


def _is_bounded(name: str, *, repeats: bool) -> bool:
    """Whether a metric says that its figures lie between 0 and 1; those that no metric declares must."""
    if name not in METRICS:
        return True
    metric = METRICS[name]
    return Law.BOUNDS in metric.laws and not (repeats and metric.counts_copies)


# ------------------------------------------------------------------------------------------------ silent loss


def items_in(value: Any) -> int:
    """How many things that are said a value of records, tuples and mappings holds."""
    if value is None or value == "" or isinstance(value, bool | int | float):
        return 0
    if isinstance(value, str):
        return 1
    if isinstance(value, dict):
        return sum(map(items_in, value.values()))
    if is_dataclass(value):
        return 1 + sum(items_in(getattr(value, name)) for name in value.__dataclass_fields__)
    try:
        parts = list(value)
    except TypeError:
        return 1
    return 1 + sum(map(items_in, parts))


Reading = tuple[int, frozenset[str]]
"""How much a file says, and what is remarked about it."""


def reading(name: str, path: str) -> Reading:
    """How much is read from a file, and what the findings say; a refused file says enough."""
    task = task_of(name)
    choice = UserChoice(task=task, format=name, options=FILE_SETTINGS.get(name, {}))
    try:
        findings, _ = validate_file(choice, path)
        corpus = convert_file(choice, path)
        amount = 0
        for doc_id in corpus.documents:
            document = corpus.documents[doc_id]
            amount += len(list(document.mentions)) + sum(1 + len(one.members) for one in document.relations)
            # The blank line between two sentences of tags may be lost without anything being lost.
            tags = sum(map(len, document.layers.get(TAGS_LAYER, ())))
            amount += tags + sum(
                items_in(layer) for name, layer in document.layers.items() if name != TAGS_LAYER
            )
    except LyditeError:
        return 0, frozenset({"refused"})
    return amount, frozenset(finding.message for finding in findings if finding.severity != "note")


def silent_loss(scenario: Scenario, sound: Reading) -> Iterator[Shortfall]:
    """A file in which every word still stands gives less than the sound one, and nobody says so."""
    assert scenario.format is not None
    try:
        with timed():
            amount, findings = reading(scenario.format, scenario.targets[0])
    except TooLongError:
        yield Shortfall("cost", f"reading, {scenario.name}", f"more than {SECONDS_PER_INPUT} s")
        return
    except Exception as error:  # noqa: BLE001 - whatever is not ours is a defect
        yield Shortfall("traceback", f"reading, {scenario.name}", f"{type(error).__name__}: {error}"[:200])
        return
    if amount < sound[0] and not findings - sound[1]:
        yield Shortfall(
            "silent loss", scenario.name, f"{amount} of {sound[0]} items are read, without a finding"
        )


# --------------------------------------------------------------------------------------------------- the attack


class Attack:
    """Draws scenario, damage and command; keeps one minimised input for each distinct shortfall."""

    def __init__(self, scenarios: list[Scenario], seed: int, keep: Path | None = None) -> None:
        self.scenarios, self.random, self.keep = scenarios, Random(seed), keep
        self.inputs = 0
        self.found: dict[tuple[str, str], list[Defect]] = {}
        self._damaged: dict[Path, tuple[str, bytes]] = {}
        """The file of a folder that is damaged at the moment, and what it said before."""
        self._contents = {
            (scenario.name, target): (scenario.folder / target).read_bytes()
            for scenario in scenarios
            for target in scenario.targets
        }
        self._sound = {
            scenario.name: reading(scenario.format, str(scenario.folder / scenario.targets[0]))
            for scenario in scenarios
            if scenario.format
        }

    @property
    def defects(self) -> int:
        return sum(map(len, self.found.values()))

    def step(self) -> None:
        """One input."""
        random = self.random
        scenario = random.choice(self.scenarios)
        target = random.choice(scenario.targets)
        content = self._contents[scenario.name, target]
        if random.random() < UNCLOSED:
            self.inputs += 1
            for defect in self._try_unclosed(scenario, target, random.choice(scenario.commands)):
                self._note(defect)
            return
        losing = scenario.format is not None and random.random() < 0.3
        content = (reworded if losing else damaged)(random, content)[:MOST_BYTES]
        command = random.choice(scenario.commands)
        self.inputs += 1
        for shortfall in self._try(scenario, target, content, () if losing else command):
            self._note(Defect(shortfall, scenario, () if losing else command, target, content))

    def _try(
        self, scenario: Scenario, target: str, content: bytes, command: tuple[str, ...]
    ) -> list[Shortfall]:
        """What falls short with this content; without a command, what is lost in silence."""
        folder = scenario.folder
        before = Path.cwd()
        os.chdir(folder)
        _KNOWN_HERE.clear()
        _KNOWN_HERE.update(os.listdir())  # noqa: PTH208 - names alone
        try:
            # A file is mended when another one of its folder is damaged: to write is what a small input costs most.
            if folder in self._damaged and self._damaged[folder][0] != target:
                _write(*self._damaged[folder])
            self._damaged[folder] = target, self._contents[scenario.name, target]
            _write(target, content)
            if command:
                return list(shortfalls(scenario, command))
            return list(silent_loss(scenario, self._sound[scenario.name]))
        finally:
            os.chdir(before)

    def _try_unclosed(self, scenario: Scenario, target: str, command: tuple[str, ...]) -> Iterator[Defect]:
        """What falls short with something long that is not closed, and whether a byte of more costs more."""
        before, piece, rest = unclosed(self.random, self._contents[scenario.name, target])
        per_byte: list[tuple[float, ...]] = []
        longest = b""
        for length in LENGTHS:
            content = before + piece * (length // len(piece)) + rest
            with metered() as costs:
                found = self._try(scenario, target, content, command)
            yield from (Defect(shortfall, scenario, command, target, content) for shortfall in found)
            if found or (
                not per_byte and all(cost < much for cost, much in zip(costs[0], COSTLY, strict=True))
            ):
                return
            per_byte.append(tuple(cost / len(content) for cost in costs[0]))
            longest = max(content, longest, key=len)
        for name, much, long, short in zip(Cost._fields, COSTLY, *per_byte, strict=True):
            if long * len(longest) > much and long > GROWTH * short:
                message = (
                    f"{name} per byte: {short:.3g} where {piece!r} is short, {long:.3g} where it is long"
                )
                shortfall = Shortfall("cost", f"{name}, {command[0]}, {scenario.name}", message)
                yield Defect(shortfall, scenario, command, target, longest)

    def _note(self, defect: Defect) -> None:
        key = defect.shortfall[:2]
        self.found.setdefault(key, []).append(defect)
        if len(self.found[key]) == 1 and self.keep is not None:
            self._write_down(self._minimised(defect))

    def _minimised(self, defect: Defect) -> Defect:
        """The same shortfall with as few bytes as a minute of tries finds; what is lost by length stays as it is."""
        if not defect.command or defect.shortfall.kind == "cost":
            return defect

        def shows(content: bytes) -> bool:
            return any(
                one[:2] == defect.shortfall[:2]
                for one in self._try(defect.scenario, defect.target, content, defect.command)
            )

        return defect._replace(content=smallest(defect.content, shows))

    def _write_down(self, defect: Defect) -> None:
        assert self.keep is not None
        folder = self.keep / f"{len(self.found):03}-{defect.shortfall.kind.replace(' ', '-')}"
        shutil.copytree(defect.scenario.folder, folder)
        (folder / defect.target).write_bytes(defect.content)
        command = shlex.join(
            (
                "lydite",
                *(defect.command or ("validate", task_of(defect.scenario.format or ""), defect.target)),
            )
        )
        (folder / "REPEAT.sh").write_text(
            f"#!/bin/sh\n# {defect.shortfall.kind}: {defect.shortfall.message!r}\n{command}\n"
        )


def _write(path: str, content: bytes) -> None:
    with open(path, "wb", buffering=0) as stream:  # noqa: PTH123 - thousands of times a minute
        stream.write(content)


def smallest(content: bytes, shows: Callable[[bytes], bool], *, tries: int = 300) -> bytes:
    """Ever smaller pieces are left out as long as the shortfall still shows."""
    size = max(len(content) // 2, 1)
    while tries > 0 and size >= 1:
        place, shrunk = 0, False
        while place < len(content) and tries > 0:
            shorter = content[:place] + content[place + size :]
            tries -= 1
            if shows(shorter):
                content, shrunk = shorter, True
            else:
                place += size
        if size == 1 and not shrunk:
            break
        size = size if shrunk and size == 1 else size // 2
    return content


def report(attack: Attack, seconds: float, processor: float = 0.0) -> str:
    """What was tried and what fell short, most frequent first; of processor time, which a busy machine does not share."""
    rate, work = (attack.inputs / spent if spent else 0.0 for spent in (seconds, processor))
    rates = f"{rate:.0f} a second, {work:.0f} for a second of processor time"
    lines = [
        f"{attack.inputs} inputs in {seconds:.0f} s ({rates}), {attack.defects} fall short in {len(attack.found)} ways"
    ]
    for (kind, place), defects in sorted(attack.found.items(), key=lambda item: -len(item[1])):
        lines.append(f"{len(defects):6}  {kind}: {place}\n        {defects[0].shortfall.message}")
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """``python -m fuzz SECONDS SEED FOLDER``: attack for a time; 1 if something fell short."""
    import gc
    import resource
    import tempfile

    from fuzz.scenarios import scenarios

    seconds, seed, keep = float(arguments[0]), int(arguments[1]), Path(arguments[2])
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    os.environ["LYDITE_DEBUG"] = "1"
    shutil.rmtree(keep, ignore_errors=True)
    keep.mkdir(parents=True)
    gc.set_threshold(50_000, 50, 50)  # nearly as the command does
    # Where memory can be had as a folder, no input waits for a disk.
    shared = "/dev/shm"  # noqa: S108 - a folder of our own in it
    with tempfile.TemporaryDirectory(dir=shared if os.access(shared, os.W_OK) else None) as root:
        attack = Attack(scenarios(Path(root)), seed, keep.resolve())
        start, worked = time.monotonic(), time.process_time()
        while (spent := time.monotonic() - start) < seconds:
            attack.step()
            if attack.inputs % COLLECT_AFTER == 0:
                gc.collect()
        print(report(attack, spent, time.process_time() - worked))  # noqa: T201 - this is the command
    if attack.found:
        print(f"one input for each, with the command that repeats it (REPEAT.sh): {keep}")  # noqa: T201
    else:
        keep.rmdir()
    return 1 if attack.found else 0
