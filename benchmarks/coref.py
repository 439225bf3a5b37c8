"""Coreference: cold and warm runs, CEAFe against reading, arrays, nuggets with clusters and links; peers beside them.

    python benchmarks/coref.py [--large]

Peers take part where they can be had: ``scorch`` if the interpreter that LYDITE_PEERS names (or this one) has it; the Perl
scorer, coval and corefud-scorer if LYDITE_PERL_SCORER, LYDITE_COVAL and LYDITE_COREFUD_SCORER name their main files.
``--large`` measures arrays of five million mentions instead of half a million, and memory at ten million.

The limits in ``× pass`` of whole coreference runs stand for a factor against the Perl scorer, which took 75 times as long
as ``python -c pass`` on 20x100 where it was measured; with LYDITE_PERL_SCORER the factor itself is measured.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import coref_corpora
import corpora
import numpy as np
from measuring import (
    NOTHING,
    Measured,
    at_least,
    at_most,
    calls,
    compile_package,
    interleaved,
    lydite,
    peak_memory,
    report,
)

import lydite as library
from lydite import coref
from lydite.align.clusters import align_clusters, clusters_of
from lydite.metrics import METRICS

FEW = 5
"""Rounds where a round takes long."""


def peers(gold: Path, system: Path) -> dict[str, list[str]]:
    """Commands of the peers that can be had, for the same two files."""
    interpreter = os.environ.get("LYDITE_PEERS", sys.executable)
    found = {}
    if subprocess.run([interpreter, "-c", "import scorch"], capture_output=True, check=False).returncode == 0:
        found["scorch"] = [
            interpreter,
            str(Path(__file__).with_name("peers") / "scorch_all.py"),
            str(gold),
            str(system),
        ]
    scripts = {
        "Perl": ("LYDITE_PERL_SCORER", "perl", ["all", str(gold), str(system), "none"]),
        "coval": ("LYDITE_COVAL", interpreter, [str(gold), str(system)]),
        "corefud-scorer": ("LYDITE_COREFUD_SCORER", interpreter, [str(gold), str(system)]),
    }
    for name, (variable, program, arguments) in scripts.items():
        script = os.environ.get(variable)
        if script and shutil.which(program):
            found[name] = [program, script, *arguments]
    return found


def collections(folder: Path) -> list[Measured]:
    """Document collections as columns: whole processes, all metrics, the peers beside them."""
    rows = []
    for documents, mentions, faster in ((20, 100, {"Perl": 10}), (200, 300, {"Perl": 100, "scorch": 5})):
        name = f"{documents}x{mentions}"
        gold, system = coref_corpora.write_columns(
            folder, coref_corpora.documents(documents, mentions, seed=1), name
        )
        beside = peers(gold, system)
        commands = {"pass": NOTHING, "lydite": lydite("score", "--quiet", gold, system), **beside}
        times = interleaved(commands, FEW if beside else 7)
        rows.append(
            at_most(f"{name}, cold", times["lydite"] / times["pass"], 75 if documents > 20 else 7.5, "× pass")
        )
        rows.extend(
            at_least(
                f"{name}, against {peer}", times[peer] / times["lydite"], faster.get(peer, 1), "× faster"
            )
            for peer in beside
        )
    return rows


def within(what: str, figure: float, limit: float | None, unit: str) -> Measured:
    """A figure with its limit; None for what is only shown: two partitions that have nothing to do with each other."""
    return (
        Measured(what, figure, unit, "none", met=True)
        if limit is None
        else at_most(what, figure, limit, unit)
    )


def growth(folder: Path) -> list[Measured]:
    """Twice the documents, whole processes: time, and memory, which holds one document at a time."""
    small, large = (
        coref_corpora.write_columns(
            folder, coref_corpora.documents(number, 300, seed=1), f"growth-{number}x300"
        )
        for number in (400, 800)
    )
    commands = {"small": lydite("score", "--quiet", *small), "large": lydite("score", "--quiet", *large)}
    times = interleaved(commands, FEW)
    peaks = {name: peak_memory(command) for name, command in commands.items()}
    return [
        at_most("800 documents", times["large"] / times["small"], 2.2, "× 400"),
        at_most("memory of 800 documents", peaks["large"] / peaks["small"], 1.1, "× 400"),
    ]


def reading(folder: Path) -> list[Measured]:
    """The column reader against a loop that splits every line."""
    gold, _ = coref_corpora.write_columns(folder, coref_corpora.documents(100, 300, seed=2), "reading")
    times = calls({"split": lambda: split_lines(gold), "lydite": lambda: read(gold)})
    return [at_least("reading columns", times["split"] / times["lydite"], 3, "× split")]


def split_lines(path: Path) -> int:
    """The loop that most readers are: split every line, look at its last cell, keep a stack per cluster."""
    clusters: dict[tuple[str, str], list[tuple[int, int]]] = {}
    started: dict[tuple[str, str], list[int]] = {}
    name, token = "", 0
    with path.open(encoding="utf-8") as stream:
        for line in stream:
            fields = line.split()
            if not fields:
                continue
            if line.startswith("#"):
                name, token = line, 0
                continue
            for item in fields[-1].split("|"):
                if item != "-":
                    key = (name, item.strip("()"))
                    if item.startswith("("):
                        started.setdefault(key, []).append(token)
                    if item.endswith(")"):
                        clusters.setdefault(key, []).append((started[key].pop(), token))
            token += 1
    return len(clusters)


def read(path: Path) -> int:
    """All clusters of a file."""
    documents = library.read(path, format="conll").documents
    return sum(len(document.layers["clusters"]) for document in documents.values())


def across_documents(folder: Path) -> list[Measured]:
    """One clustering of 50,000 mentions: CEAFe against the time to read its file."""
    gold = coref_corpora.gold_labels(50_000, seed=3)
    systems = {
        "ordinary": (coref_corpora.ordinary(gold, seed=4), 0.05),
        "bad": (coref_corpora.bad(gold, seed=4), 0.2),
        "dense": (coref_corpora.dense(50_000, seed=4), 0.5),
        "independent": (coref_corpora.independent(50_000, seed=4), None),
    }
    measure = METRICS["ceaf-e"].measure
    rows = []
    for name, (labels, limit) in systems.items():
        paths = coref_corpora.write_columns(folder, [labels], f"across-{name}")
        sides = [next(iter(library.read(path, format="conll").documents.values())) for path in paths]
        alignment = align_clusters(*map(clusters_of, sides))
        times = calls(
            {
                "reading": partial(read, paths[0]),
                "ceaf": partial(measure, alignment),
            }
        )
        rows.append(
            within(f"CEAFe, 50,000 mentions, {name}", times["ceaf"] / times["reading"], limit, "× reading")
        )
    return rows


FEW_METRICS = ("mentions", "muc", "b-cubed", "blanc", "lea")
"""All that need no assignment."""


def arrays(mentions: int) -> list[Measured]:
    """Labels in: against one pass over the two arrays.

    CEAF leaves memory in pieces and comes last.  Of independent partitions it takes minutes and is measured at 50,000
    mentions only.
    """
    gold = coref_corpora.gold_labels(mentions, seed=5)
    systems = {
        "ordinary": coref_corpora.ordinary(gold, seed=6),
        "bad": coref_corpora.bad(gold, seed=6),
        "dense": coref_corpora.dense(mentions, seed=6),
        "independent": coref_corpora.independent(mentions, seed=6),
    }
    times = {name: calls(_passes(labels), FEW) for name, labels in systems.items()}
    limits = {"independent": None}
    rows = [
        within(
            f"{mentions:,} mentions, {name}, all but CEAF",
            of["few"] / of["pass"],
            limits.get(name, 70),
            "× one pass",
        )
        for name, of in times.items()
    ]
    for name in ("ordinary", "bad", "dense"):
        everything = calls({"all": partial(coref.score_arrays, *systems[name])}, FEW)
        figure = (everything["all"] - times[name]["few"]) / times[name]["pass"]
        rows.append(within(f"{mentions:,} mentions, {name}, CEAF", figure, None, "× one pass"))
    return rows


def _passes(labels: tuple[coref_corpora.Labels, coref_corpora.Labels]) -> dict[str, Callable[[], object]]:
    return {
        "pass": lambda: int(np.maximum(*labels).sum()),
        "few": lambda: coref.score_arrays(*labels, metrics=FEW_METRICS),
    }


_MAKE = (
    "import sys; sys.path.insert(0, sys.argv[1]); import coref_corpora as made; n = int(sys.argv[2]);"
    "labels = made.ordinary(made.gold_labels(n, seed=5), seed=6);"
)
_SCORE = "from lydite import coref; coref.score_arrays(*labels)"


def memory(mentions: int) -> list[Measured]:
    """Peak memory of a process that makes labels and scores them, and what scoring adds to making them."""
    arguments = [str(Path(__file__).parent), str(mentions)]
    whole = peak_memory([sys.executable, "-c", _MAKE + _SCORE, *arguments])
    inputs = peak_memory([sys.executable, "-c", _MAKE, *arguments])
    megabyte = 1 << 20
    return [
        at_most(f"{mentions:,} mentions, whole process", whole * megabyte / mentions, 100, "B / mention"),
        Measured("added by scoring", (whole - inputs) * megabyte / mentions, "B / mention", "none", True),
        at_most(f"{mentions:,} mentions, all metrics", whole / 1024, 1.5, "GB"),
    ]


def nuggets(folder: Path) -> list[Measured]:
    """200 documents, 6,921 mentions, whole processes: detection, with clusters, with links too."""
    gold = corpora.nugget_documents(200, 6921, seed=11)
    chance = random.Random(12)
    plain, paths = [], []
    for name, side in (("gold", gold), ("system", [corpora.spoiled(mentions, chance) for mentions in gold])):
        plain.append(folder / f"{name}.plain.tbf")
        corpora.write_tbf(plain[-1], side, system=name)
        blocks = plain[-1].read_text(encoding="utf-8").split("#EndOfDocument")[:-1]
        texts = [block.strip("\n") for block in blocks]
        paths.append(folder / f"{name}.tbf")
        coref_corpora.write_sequenced_tbf(paths[-1], texts, seed=13, links=8)
    base = ("score", "nugget", "--quiet", "--reading", "as-official", "--coref", "on")
    times = interleaved(
        {
            "pass": NOTHING,
            "coref": lydite(*base, "--sequencing", "off", *plain),
            "links": lydite(*base, "--sequencing", "on", *paths),
        }
    )
    return [
        at_most("nuggets with coreference, cold", times["coref"] / times["pass"], 18, "× pass"),
        at_most("nuggets with sequencing, cold", times["links"] / times["pass"], 54, "× pass"),
    ]


def main(arguments: list[str]) -> None:
    compile_package()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        report("coref: document collections", collections(folder))
        report("coref: growth", growth(folder))
        report("coref: reading", reading(folder))
        report("coref: across documents", across_documents(folder))
        report("coref: nuggets", nuggets(folder))
    report("coref: arrays", arrays(5_000_000 if "--large" in arguments else 500_000))
    report("coref: memory", memory(10_000_000 if "--large" in arguments else 5_000_000))


if __name__ == "__main__":
    main(sys.argv[1:])
