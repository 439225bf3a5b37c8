"""Agreement of annotators of events and of clusters: kappa beside the scores."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lydite

LINE = "x\td1\t{id}\t{begin},{end}\tw\t{type}\t{realis}\n"


def write_tbf(path: Path, mentions: list[tuple[int, str, str]]) -> str:
    lines = [
        LINE.format(id=f"E{n}", begin=begin, end=begin + 3, type=kind, realis=realis)
        for n, (begin, kind, realis) in enumerate(mentions)
    ]
    path.write_text("#BeginOfDocument d1\n" + "".join(lines) + "#EndOfDocument\n", encoding="utf-8")
    return str(path)


def test_kappa_of_attributes_looks_at_paired_mentions_alone(tmp_path: Path) -> None:
    kinds = ["Life_Die", "Life_Die", "Life_Injure", "Life_Injure"]
    others = ["Life_Die", "Life_Injure", "Life_Injure", "life.injure"]
    first = write_tbf(tmp_path / "a.tbf", [(10 * n, kind, "Actual") for n, kind in enumerate(kinds)])
    second = write_tbf(
        tmp_path / "b.tbf", [(10 * n, kind, "Actual") for n, kind in enumerate(others)] + [(90, "X", "Other")]
    )
    (pair,) = lydite.agree(first, second, task="nugget").pairs
    # po = 3/4, pe = (2·1 + 2·3)/16 = 1/2
    assert pair.kappa["type"] == pytest.approx(0.5)
    assert pair.kappa["realis"] is None


def test_kappa_of_links_looks_at_pairs_of_common_mentions(tmp_path: Path) -> None:
    paths = []
    for name, clusters in (
        ("a", [[[0, 0], [1, 1], [2, 2]], [[3, 3]], [[9, 9]]]),
        ("b", [[[0, 0], [1, 1]], [[2, 2], [3, 3]], [[8, 8]]]),
    ):
        path = tmp_path / f"{name}.jsonl"
        path.write_text(json.dumps({"doc_key": "d", "clusters": clusters}), encoding="utf-8")
        paths.append(str(path))
    (pair,) = lydite.agree(*paths, task="coref").pairs
    assert pair.contingency["link"] == {
        "linked": {"linked": 1, "apart": 2},
        "apart": {"linked": 1, "apart": 2},
    }
    assert pair.kappa["link"] == pytest.approx(0.0)
