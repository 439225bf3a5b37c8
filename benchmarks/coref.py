"""The coreference benchmark: ratios in one interleaved run, medians, peak memory; a table and a JSON file.

    python benchmarks/coref.py [--repeat 5] [--json FILE] [--large]

Peers are used where they can be had: ``scorch`` and ``neleval`` if the interpreter named by LYDITE_PEERS (or this one)
can import them; the Perl scorer, coval and corefud-scorer if LYDITE_PERL_SCORER, LYDITE_COVAL, LYDITE_COREFUD_SCORER
name their main file.  ``--large`` adds arrays of five million mentions.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import coref_corpora
import corpora
import numpy as np

PYTHON = sys.executable
LYDITE = [PYTHON, "-m", "lydite"]


class Run:
    """One thing to time: a command (CPU seconds and peak memory of the process) or a function (CPU seconds)."""

    def __init__(self, name: str, work: list[str] | Callable[[], object]) -> None:
        self.name, self.work = name, work
        self.seconds: list[float] = []
        self.megabytes = 0.0

    def once(self) -> None:
        """Do the work and note what it cost."""
        if callable(self.work):
            started = time.process_time()
            self.work()
            self.seconds.append(time.process_time() - started)
            return
        with subprocess.Popen(self.work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise RuntimeError(f"{self.name}: exit status {process.returncode}")
        self.seconds.append(usage.ru_utime + usage.ru_stime)
        self.megabytes = max(self.megabytes, usage.ru_maxrss / 1024)

    @property
    def median(self) -> float:
        """The median of all runs."""
        return statistics.median(self.seconds)


def interleaved(runs: list[Run], repeat: int) -> dict[str, Run]:
    """Every run in turn, again and again, so that a busy moment of the machine hits all of them."""
    kept = {}
    for run in runs:
        try:
            run.once()
            run.seconds.clear()
            kept[run.name] = run
        except (OSError, RuntimeError) as error:
            print(f"left out: {run.name}: {error}", file=sys.stderr)
    for _ in range(repeat):
        for run in kept.values():
            run.once()
    return kept


def peers(gold: Path, system: Path) -> list[Run]:
    """Commands of the peers that can be had, for the same two files."""
    found = []
    interpreter = os.environ.get("LYDITE_PEERS", PYTHON)
    for name, module in (("scorch", "scorch.main"), ("neleval", "neleval")):
        known = (
            subprocess.run(
                [interpreter, "-c", f"import {module}"], capture_output=True, check=False
            ).returncode
            == 0
        )
        if known and name == "scorch":
            found.append(Run("scorch", [interpreter, "-c", _SCORCH, str(gold), str(system)]))
    scripts = {
        "Perl 8.01": ("LYDITE_PERL_SCORER", ["perl"], ["all", str(gold), str(system), "none"]),
        "coval": ("LYDITE_COVAL", [interpreter], [str(gold), str(system)]),
        "corefud-scorer": ("LYDITE_COREFUD_SCORER", [interpreter], [str(gold), str(system)]),
    }
    for name, (variable, command, arguments) in scripts.items():
        script = os.environ.get(variable)
        if script and (command[0] != "perl" or shutil.which("perl")):
            found.append(Run(name, [*command, script, *arguments]))
    return found


_SCORCH = """
import sys
from scorch import scores
def read(path):
    documents, clusters, open_, token = {}, None, None, 0
    for line in open(path):
        if line.startswith("#begin"):
            clusters, open_, token = {}, {}, 0
            documents[line[16:].strip()] = clusters
        elif clusters is not None and not line.startswith("#") and line.strip():
            for item in line.rstrip().rsplit("\\t", 1)[-1].split("|"):
                if item in "-_":
                    continue
                name = item.strip("()")
                if item[0] == "(":
                    open_.setdefault(name, []).append(token)
                if item[-1] == ")":
                    clusters.setdefault(name, set()).add((open_[name].pop(), token))
            token += 1
    return documents
gold, system = map(read, sys.argv[1:])
for name in gold:
    sides = list(gold[name].values()), list(system.get(name, {}).values())
    for metric in (scores.muc, scores.b_cubed, scores.ceaf_m, scores.ceaf_e, scores.blanc):
        metric(*sides)
"""


def ratio(runs: dict[str, Run], slow: str, fast: str) -> float | None:
    if slow not in runs or fast not in runs:
        return None
    return runs[slow].median / runs[fast].median


def columns(folder: Path, repeat: int) -> dict[str, Any]:
    """Cold processes on document collections, the peers beside them."""
    figures: dict[str, Any] = {}
    for count, mentions in ((20, 100), (200, 300)):
        name = f"{count}x{mentions}"
        gold, system = coref_corpora.write_columns(
            folder, coref_corpora.documents(count, mentions, seed=1), name
        )
        import lydite

        def warm(gold: Path = gold, system: Path = system) -> object:
            return lydite.score(gold, system, by=())

        runs = interleaved(
            [
                Run("python -c pass", [PYTHON, "-c", "pass"]),
                Run("lydite", [*LYDITE, "score", "--quiet", str(gold), str(system)]),
                Run("lydite warm", warm),
                Run("split every line", lambda gold=gold: _split_lines(gold)),  # type: ignore[misc]
                Run("lydite reading", lambda gold=gold: _read(gold)),  # type: ignore[misc]
                *peers(gold, system),
            ],
            repeat,
        )
        figures[name] = {
            run.name: {"seconds": run.median, "megabytes": run.megabytes} for run in runs.values()
        }
        figures[name]["ratios"] = {
            "lydite / python -c pass": ratio(runs, "lydite", "python -c pass"),
            "split every line / lydite reading": ratio(runs, "split every line", "lydite reading"),
            **{
                f"{peer} / lydite": ratio(runs, peer, "lydite")
                for peer in ("Perl 8.01", "coval", "corefud-scorer", "scorch")
            },
            "Perl 8.01 / lydite warm": ratio(runs, "Perl 8.01", "lydite warm"),
        }
    return figures


def _split_lines(path: Path) -> int:
    mentions = 0
    with path.open(encoding="utf-8") as stream:
        for line in stream:
            cells = line.rstrip("\n").split("\t")
            mentions += cells[-1] != "-"
    return mentions


def _read(path: Path) -> int:
    import lydite

    corpus = lydite.read(path, format="conll")
    return sum(len(document.layers["clusters"]) for document in corpus.documents.values())


def cross_document(folder: Path, repeat: int) -> dict[str, Any]:
    """One clustering of 50,000 mentions: CEAFe against the time to read the file."""
    import lydite
    from lydite.align.clusters import align_clusters, clusters_of
    from lydite.metrics import METRICS

    gold = coref_corpora.gold_labels(50_000, seed=3)
    sides = {
        "ordinary": coref_corpora.ordinary(gold, seed=4),
        "bad": coref_corpora.bad(gold, seed=4),
        "dense": coref_corpora.dense(50_000, seed=4),
    }
    measure = METRICS["ceaf-e"].measure
    figures: dict[str, Any] = {}
    for name, labels in sides.items():
        paths = coref_corpora.write_columns(folder, [labels], f"x50k-{name}")
        read = [next(iter(lydite.read(path, format="conll").documents.values())) for path in paths]
        alignment = align_clusters(*map(clusters_of, read))
        runs = interleaved(
            [
                Run("reading", lambda path=paths[0]: _read(path)),  # type: ignore[misc]
                Run("CEAFe", lambda alignment=alignment: measure(alignment)),  # type: ignore[misc]
            ],
            repeat,
        )
        figures[f"x50k {name}"] = {
            **{run.name: {"seconds": run.median} for run in runs.values()},
            "ratios": {"CEAFe / reading": ratio(runs, "CEAFe", "reading")},
        }
    return figures


def arrays(repeat: int, *, mentions: int) -> dict[str, Any]:
    """Arrays in: all metrics but CEAF against one pass over the two label arrays; CEAF by itself; peak memory."""
    from lydite import coref

    gold = coref_corpora.gold_labels(mentions, seed=5)
    kinds = {
        "ordinary": coref_corpora.ordinary(gold, seed=6),
        "bad": coref_corpora.bad(gold, seed=6),
        "dense": coref_corpora.dense(mentions, seed=6),
    }
    figures: dict[str, Any] = {}
    for name, (one, other) in kinds.items():
        runs = interleaved(
            [
                Run("one pass", lambda one=one, other=other: int(np.maximum(one, other).sum())),  # type: ignore[misc]
                Run(
                    "all but CEAF",
                    lambda one=one, other=other: coref.score_arrays(  # type: ignore[misc]
                        one, other, metrics=("mentions", "muc", "b-cubed", "blanc", "lea")
                    ),
                ),
                Run("everything", lambda one=one, other=other: coref.score_arrays(one, other)),  # type: ignore[misc]
            ],
            repeat,
        )
        figures[f"arrays {mentions:,} {name}"] = {
            **{run.name: {"seconds": run.median} for run in runs.values()},
            "ratios": {
                "all but CEAF / one pass": ratio(runs, "all but CEAF", "one pass"),
                "everything / one pass": ratio(runs, "everything", "one pass"),
            },
        }
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures["peak memory"] = {
        "megabytes": peak,
        "ratios": {"bytes per mention": peak * 1024 * 1024 / mentions},
    }
    return figures


def nuggets(folder: Path, repeat: int) -> dict[str, Any]:
    """200 documents, 6,921 mentions: detection, with coreference, with sequencing; cold processes."""
    import random

    gold = corpora.nugget_documents(200, 6921, seed=11)
    chance = random.Random(12)
    system = [corpora.spoiled(mentions, chance) for mentions in gold]
    paths = []
    for name, side in (("gold", gold), ("system", system)):
        plain = folder / f"nuggets.{name}.tbf"
        corpora.write_tbf(plain, side, system=name)
        texts = [block.strip("\n") for block in plain.read_text(encoding="utf-8").split("#EndOfDocument")][
            :-1
        ]
        path = folder / f"sequenced.{name}.tbf"
        coref_corpora.write_sequenced_tbf(path, texts, seed=13, links=8)
        paths.append(str(path))
    base = [*LYDITE, "score", "nugget", "--quiet", "--profile", "kbp2017", "--reading", "as-official"]
    runs = interleaved(
        [
            Run("python -c pass", [PYTHON, "-c", "pass"]),
            Run("detection", [*base, "--coref", "off", "--sequencing", "off", *paths]),
            Run("with coreference", [*base, "--coref", "on", "--sequencing", "off", *paths]),
            Run("with sequencing", [*base, "--coref", "on", "--sequencing", "on", *paths]),
        ],
        repeat,
    )
    return {
        "nuggets 200 documents": {
            **{run.name: {"seconds": run.median, "megabytes": run.megabytes} for run in runs.values()},
            "ratios": {
                f"{name} / python -c pass": ratio(runs, name, "python -c pass")
                for name in ("detection", "with coreference", "with sequencing")
            },
        }
    }


def show(figures: dict[str, Any]) -> None:
    for name, block in figures.items():
        print(f"\n{name}")
        for entry, values in block.items():
            if isinstance(values, dict) and "seconds" in values:
                memory = f"{values['megabytes']:9.0f} MB" if values.get("megabytes") else ""
                print(f"  {entry:28}{values['seconds'] * 1000:12.1f} ms{memory}")
        for entry, value in block.get("ratios", {}).items():
            if value is not None:
                print(f"  {entry:36}{value:10.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeat", type=int, default=5, help="how often everything is run (median counts)")
    parser.add_argument("--json", type=Path, help="write the figures there")
    parser.add_argument("--large", action="store_true", help="also five million mentions")
    options = parser.parse_args()
    # Compiled files are what users have: a run without them would time the compiler.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        figures = {
            **columns(folder, options.repeat),
            **cross_document(folder, options.repeat),
            **nuggets(folder, options.repeat),
            **arrays(options.repeat, mentions=5_000_000 if options.large else 500_000),
        }
    show(figures)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
