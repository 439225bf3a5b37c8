"""Small triple files for tests, and the strategies that make random ones."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

from lydite.formats import triples as trp
from lydite.model import Corpus, Document
from lydite.model.triple import Triple, TripleElement

RELATIONS = ("agent", "patient", "Agent", "time")


def triple(relation: str, first: str, second: str = "", **more: object) -> Triple:
    """``triple("agent", "w1 w2", "w3")``: ids separated by spaces."""
    return Triple(relation, TripleElement(tuple(first.split())), TripleElement(tuple(second.split())), **more)  # type: ignore[arg-type]


def write(path: Path, *triples: Triple) -> str:
    """A file of these triples; its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(trp.write(Corpus("x", {"d": Document("d", layers={"triples": tuple(triples)})})))
    return str(path)


def elements(*, least: int = 1) -> st.SearchStrategy[TripleElement]:
    """Elements over a few tokens, so that they overlap."""
    tokens = st.integers(0, 5).map(lambda number: f"w{number}")
    return st.lists(tokens, min_size=least, max_size=3, unique=True).map(
        lambda ids: TripleElement(tuple(ids))
    )


def triples(*, most: int = 8) -> st.SearchStrategy[list[Triple]]:
    """Lists of triples, some unary, that overlap in many ways."""
    one = st.builds(Triple, st.sampled_from(RELATIONS), elements(), elements(least=0))
    return st.lists(one, max_size=most)
