"""Scores after a conversion are scores before it: every layer, every pair of formats that carry it, on either side.

The pairs come from what the formats declare, so that a new one cannot slip by.  Where a format cannot hold something,
the loss report of that very conversion must name it.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from format_samples import SAMPLES, Sample
from lydite.cli import run
from lydite.errors import InputError
from lydite.facade.library import read, score
from lydite.formats import FORMATS
from lydite.formats.layers import LAYERS
from lydite.formats.rewriting import file_name
from lydite.tasks import TASKS


def carries(name: str, layer: str) -> bool:
    return layer in FORMATS[name].layers or "*" in FORMATS[name].layers


def pairs() -> Iterator[tuple[str, str, str, str]]:
    """(task, layer, source format, target format): every reader that carries the layer with every such writer."""
    for task in TASKS:
        for layer in TASKS[task].layers:
            names = [name for name in TASKS[task].formats if carries(name, layer)]
            targets = [name for name in names if FORMATS[name].write is not None]
            yield from ((task, layer, *pair) for pair in itertools.product(names, targets))


class Sides(NamedTuple):
    """Gold and system in one format, and the loss reports of the conversions that led there."""

    gold: str
    system: str
    doc_id: str | None
    """The name of the document, if a file holds one alone."""
    losses: tuple[dict[str, Any], ...] = ()


class Workshop:
    """Converts samples through the command, each once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._figures: dict[tuple[str, ...], list[Any]] = {}
        self._made: dict[tuple[str, str], Sides | None] = {}

    def figures(self, sample: Sample, gold: str, system: str) -> list[Any]:
        # Two samples may score the same files under two tasks.
        key = sample.task, sample.name, gold, system
        if key not in self._figures:
            self._figures[key] = figures(sample, gold, system)
        return self._figures[key]

    def differences(self, sample: Sample, before: Sides, after: Sides) -> list[str]:
        """Which side, converted, leads to other figures or to none."""
        expected = self.figures(sample, before.gold, before.system)
        ways = {
            "gold": (after.gold, before.system),
            "system": (before.gold, after.system),
            "both": (after.gold, after.system),
        }
        found = []
        for way, (gold, system) in ways.items():
            try:
                same = self.figures(sample, gold, system) == expected
            except InputError as error:
                found.append(f"{way}: {error}")
            else:
                found += [] if same else [way]
        return found

    def given(self, sample: Sample) -> Sides:
        gold, system = sample.files(self._place(sample, sample.format))
        said = {key: value for key, value in _keywords(sample).items() if key != "profile"}
        known = read(gold, format=sample.gold_format or sample.format, **said)
        single = Path(gold).is_file() and len(known) == 1
        return Sides(gold, system, known.doc_ids[0] if single else None)

    def source(self, sample: Sample, name: str) -> Sides | None:
        """The sample in a format, None if it cannot be had in it."""
        if name == sample.format:
            return self.given(sample)
        if FORMATS[name].write is None:
            return None
        key = f"{sample.task} {sample.name}", name
        if key not in self._made:
            given = self.given(sample)
            made = self.converted(sample, given, sample.format, name)
            # If it cannot hold what this sample is about, another one must do; that pair has a test of its own.
            self._made[key] = None if self.differences(sample, given, made) else made
        return self._made[key]

    def converted(self, sample: Sample, sides: Sides, source: str, target: str) -> Sides:
        made, losses = [], []
        for side, path in (("gold", sides.gold), ("system", sides.system)):
            if side == "gold" and sample.gold_format:
                made.append(path)
                continue
            folder = self._place(sample, f"{source}-{target}") / side
            folder.mkdir(exist_ok=True)
            out = _out(folder, target, sides.doc_id)
            report = folder.with_suffix(".losses.json")
            words = ["--from", source, "--to", target, "--losses", str(report), "--quiet"]
            assert run(["convert", sample.task, path, out, *words, *_options(sample)]) == 0
            made.append(out)
            losses.append(json.loads(report.read_text(encoding="utf-8")))
        return Sides(*made, sides.doc_id, tuple(losses))

    def _place(self, sample: Sample, name: str) -> Path:
        folder = self._folder / f"{sample.task}-{sample.name}-{name}"
        folder.mkdir(exist_ok=True)
        return folder


def _out(folder: Path, target: str, doc_id: str | None) -> str:
    """One document becomes one file, as one would do it by hand; many a file that holds many, else a folder."""
    kind = FORMATS[target]
    named = kind.extensions and (kind.holds_many or doc_id)
    return str(folder / file_name(doc_id or "all", kind)) if named else f"{folder}/"


def _options(sample: Sample) -> list[str]:
    values = {
        key: ",".join(value) if isinstance(value, tuple) else str(value)
        for key, value in sample.settings.items()
    }
    return [word for key, value in values.items() for word in (f"--{key}", value)]


def _keywords(sample: Sample) -> dict[str, Any]:
    return {key.replace("-", "_"): value for key, value in sample.settings.items()}


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return Workshop(tmp_path_factory.mktemp("pairs"))


NOT_SCORED = {
    "confidences",
    "texts of mentions",
    "texts of triggers",
    "texts of event arguments",
    "frame ids",
    "tokens",
    "remarks",
}
"""What may be lost without any score changing: no excuse for one that does."""


def reasons(losses: tuple[dict[str, Any], ...]) -> dict[str, str]:
    """What the loss reports name, with the reason, as far as scores look at it."""
    entries = [entry for report in losses for kind in ("changed", "dropped") for entry in report[kind]]
    scored = [entry for entry in entries if entry["what"] not in NOT_SCORED]
    return {entry["what"]: entry["why"] for entry in scored if not entry["what"].endswith("ids")}


def figures(sample: Sample, gold: str, system: str) -> list[Any]:
    """Everything that a summary counts; of documents the place in the order of names, because a file has another."""
    summary = score(gold, system, task=sample.task, by=("doc",), **_keywords(sample))
    names = sorted({row.document for row in summary.rows if row.document is not None})
    place = {name: number for number, name in enumerate(names)}
    return [
        (row.measurement, row.metric, row.average, place.get(row.document or ""), row.score, row.tally)
        for row in summary.rows
    ]


@pytest.mark.parametrize(("task", "layer", "source", "target"), list(pairs()))
def test_scores_are_the_same_after_every_conversion(
    workshop: Workshop, task: str, layer: str, source: str, target: str
) -> None:
    compared = 0
    for sample in SAMPLES:
        if (sample.task, sample.layer) != (task, layer):
            continue
        before = workshop.source(sample, source)
        if before is None:
            continue
        compared += 1
        after = workshop.converted(sample, before, source, target)
        found = workshop.differences(sample, before, after)
        if found:
            lost = reasons(after.losses)
            assert lost, f"{sample.name}: {source} → {target}: {found}, and the loss report names nothing"
            print(f"{sample.name}: {source} → {target} cannot hold all: {lost}")  # noqa: T201 - pytest -rP shows it
    assert compared, f"no sample of {layer} can be had in {source}"


UNSCORED = {"entities", "times", "links", "trees", "prefixes"}
"""What stands beside events or clusters; it is scored by itself in no task, and converting it has its laws elsewhere."""


def test_every_layer_is_scored_by_a_task_and_has_samples() -> None:
    scored = {layer for task in TASKS for layer in TASKS[task].layers}
    assert scored | UNSCORED == {"mentions", *(layer for layer in LAYERS if LAYERS[layer].content)}
    assert not scored & UNSCORED
    assert {(sample.task, sample.layer) for sample in SAMPLES} == {
        (task, layer) for task in TASKS for layer in TASKS[task].layers
    }


def test_the_samples_tell_right_from_wrong(workshop: Workshop) -> None:
    """Two sides that agree in everything or in nothing would do so after many a conversion."""
    for sample in SAMPLES:
        sides = workshop.given(sample)
        scores = [row[4] for row in workshop.figures(sample, sides.gold, sides.system)]
        between = [score for score in scores if 0 < (score.f1 or score.value or 0) < 1]
        assert between, (sample.task, sample.name)
