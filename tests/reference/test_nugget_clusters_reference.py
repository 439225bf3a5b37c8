"""Coreference and sequencing figures that the official event nugget scorer gave for its own sample files."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import lydite
from lydite.verify import nugget
from lydite.verify.leaves import agrees, leaves

BESIDE = Path(__file__).parents[2].parent / "shared" / "reference-data"
DATA = Path(os.environ.get("LYDITE_REFERENCE_DATA", str(BESIDE))) / "evmeval"

pytestmark = pytest.mark.skipif(
    not DATA.is_dir(), reason="the sample files of the official scorer are not there"
)


def test_clusters_and_links_of_the_sample_files() -> None:
    compared = 0
    for run in json.loads((DATA / "expected.json").read_text(encoding="utf-8"))["runs"]:
        options = run["options"]
        tokens = {"tokens": DATA / options["tokens"]} if "tokens" in options else {}
        summary = lydite.score(
            DATA / run["gold"],
            DATA / run["system"],
            task="nugget",
            profile=run["profile"],
            reading="as-official",
            diagnosis=True,
            unit=options.get("unit", "auto"),
            coref="on" if options.get("coref") else "off",
            sequencing="on" if options.get("sequencing") else "off",
            **tokens,
        )
        found = {}
        if "coref" in run:
            found["coref"] = nugget._coreference(summary)
        if "sequencing" in run:
            found["sequencing"] = nugget._sequencing(summary)
        figures = dict(leaves(found))
        for path, expected in leaves({name: run[name] for name in found}):
            assert agrees(expected, figures.get(path), 1e-4), (run["system"], path)
            compared += 1
    assert compared > 400
