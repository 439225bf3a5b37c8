"""The five metrics of scorch, document by document, on two column files; run with an interpreter that has it."""

from __future__ import annotations

import sys
from pathlib import Path


def read(path: str) -> dict[str, dict[str, set[tuple[int, int]]]]:
    """Clusters of spans by document."""
    documents: dict[str, dict[str, set[tuple[int, int]]]] = {}
    clusters: dict[str, set[tuple[int, int]]] = {}
    started: dict[str, list[int]] = {}
    token = 0
    for line in Path(path).read_text(encoding="utf-8").split("\n"):
        if line.startswith("#begin"):
            clusters, started, token = {}, {}, 0
            documents[line] = clusters
        elif line and not line.startswith("#"):
            for item in line.rsplit("\t", 1)[-1].split("|"):
                name = item.strip("()")
                if item[0] == "(":
                    started.setdefault(name, []).append(token)
                if item[-1] == ")":
                    clusters.setdefault(name, set()).add((started[name].pop(), token))
            token += 1
    return documents


def main(gold_path: str, system_path: str) -> None:
    """Score and throw away."""
    from scorch import scores

    gold, system = read(gold_path), read(system_path)
    for name, clusters in gold.items():
        sides = list(clusters.values()), list(system.get(name, {}).values())
        for metric in (scores.muc, scores.b_cubed, scores.ceaf_m, scores.ceaf_e, scores.blanc):
            metric(*sides)


if __name__ == "__main__":
    main(*sys.argv[1:])
