"""Records: many of them, and one with two long lists.  The times are those that the specification of records names."""

from __future__ import annotations

import json
import random
import sys
import tempfile
from pathlib import Path

from measuring import Measured, at_most, process, report

RECORDS = 10_000
ELEMENTS = 2_000
MOST_SECONDS, MOST_SECONDS_OF_A_LIST = 10.0, 20.0


def record(draw: random.Random) -> dict[str, object]:
    """A record of fifty leaves: twenty fields and five items of six."""
    fields: dict[str, object] = {
        f"f{at}": draw.choice(["a", "b", draw.randrange(1000), True]) for at in range(20)
    }
    return {**fields, "items": [item(draw) for _ in range(5)]}


def item(draw: random.Random) -> dict[str, object]:
    """An item of six leaves."""
    return {
        "name": f"n{draw.randrange(500)}",
        "qty": draw.randrange(9),
        "price": round(draw.random() * 100, 1),
        "unit": draw.choice("xyz"),
        "vat": draw.choice([7, 19]),
        "sku": str(draw.randrange(10**6)),
    }


def changed(items: list[dict[str, object]], draw: random.Random) -> list[dict[str, object]]:
    """The items in another order, a third of them with another quantity."""
    others = [{**one, "qty": 99} if draw.random() < 0.3 else dict(one) for one in items]
    draw.shuffle(others)
    return others


def write(folder: Path, name: str, golds: list[dict[str, object]], draw: random.Random) -> tuple[str, str]:
    """Gold and a system; the paths."""
    paths = folder / f"{name}-gold.jsonl", folder / f"{name}-system.jsonl"
    systems = []
    for gold in golds:
        items = gold["items"]
        assert isinstance(items, list)
        systems.append({**gold, "items": changed(items, draw)})
    for path, records in zip(paths, (golds, systems), strict=True):
        path.write_text(
            "".join(json.dumps({"id": at, "record": one}) + "\n" for at, one in enumerate(records))
        )
    return str(paths[0]), str(paths[1])


def seconds(paths: tuple[str, str]) -> float:
    """CPU seconds of scoring two files."""
    return process([sys.executable, "-m", "lydite", "score", "records", *paths, "-q"])


def main() -> list[Measured]:
    draw = random.Random(1)
    with tempfile.TemporaryDirectory() as name:
        many = write(Path(name), "many", [record(draw) for _ in range(RECORDS)], draw)
        long = write(Path(name), "long", [{"items": [item(draw) for _ in range(ELEMENTS)]}], draw)
        return [
            at_most(f"{RECORDS} records of 50 leaves", seconds(many), MOST_SECONDS, "s"),
            at_most(
                f"lists of {ELEMENTS} and {ELEMENTS} objects", seconds(long), MOST_SECONDS_OF_A_LIST, "s"
            ),
        ]


if __name__ == "__main__":
    report("records", main())
