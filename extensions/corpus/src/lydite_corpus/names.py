"""Find names without annotation: count runs of capitalised words, and cluster them by similarity.

A run may contain joiners (*of*, *al-*, *bin*, *de*).  A single word at the beginning of a sentence counts only if it also
occurs inside a sentence.  Scripts without capitals need annotation, or a list of strings to count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from lydite.align.ace_names import similarity
from lydite.grouping import grouped, join, root_of
from lydite.model.ace_names import normalise
from lydite_corpus.index import Index, searchable
from lydite_corpus.mentions import NameCounter, add_up_counts

JOINERS = ("of", "al-", "bin", "de")
SIMILAR = 0.8
"""Strings that are at least so similar share a cluster."""
GRAM = 3
SENTENCE_GAP = 8
"""This number of blanks in a row separates sentences."""

_SENTENCE_START = re.compile(r"(?:[.!?…:»”\"]|\n\s*\n)[\s\"'“«(\[]*$")


class CountedName(NamedTuple):
    """A string, the number of its cluster, its occurrences and the number of documents that have it."""

    cluster: int
    string: str
    count: int  # type: ignore[assignment]  # a column of the table, not a method of tuples
    documents: int


@cache
def _name_pattern() -> re.Pattern[str]:
    capitals = "".join(_character_ranges(lambda character: character.isupper() or character.istitle()))
    word = rf"[{capitals}][\w]*(?:['’.-][\w]+)*"
    initial = rf"[{capitals}]\."
    attached = "|".join(re.escape(joiner) for joiner in JOINERS if joiner.endswith("-"))
    free = "|".join(joiner for joiner in JOINERS if not joiner.endswith("-"))
    part = rf"(?:(?:{attached})?(?:{initial}(?!\w)|{word}))"
    between = r"(?:[ \t]+|[ \t]*\r?\n[ \t]*)"
    return re.compile(rf"(?<![\w'’-]){part}(?:{between}(?:(?:{free}){between}){{0,2}}{part})*")


def _character_ranges(belongs: Callable[[str], bool]) -> Iterator[str]:
    """Return the ranges of a regular expression's character class, over the scripts that have capitals."""
    start = None
    for code in range(0x41, 0x2200):
        if belongs(chr(code)):
            start = code if start is None else start
        elif start is not None:
            yield f"{chr(start)}-{chr(code - 1)}"
            start = None


def name_runs(text: str) -> Iterator[tuple[str, bool]]:
    """Return the runs of capitalised words in a text, each with whether it is a single word that begins a sentence."""
    for match in _name_pattern().finditer(text):
        name = " ".join(match.group().split())
        yield name, " " not in name and _begins_sentence(text, match.start())


def _begins_sentence(text: str, start: int) -> bool:
    """Whether a sentence begins here: after punctuation, or after a gap such as tags leave."""
    before = text[max(0, start - SENTENCE_GAP) : start]
    return (
        (start <= SENTENCE_GAP and not before.strip())
        or (len(before) == SENTENCE_GAP and before.isspace())
        or (_SENTENCE_START.search(before) is not None)
    )


def count_names(texts: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Count the occurrences, and the texts, of every name that occurs inside a sentence; in one pass."""
    inside: set[str] = set()

    def count(text: str) -> Counter[str]:
        runs = list(name_runs(text))
        inside.update(name for name, begins in runs if not begins)
        return Counter(name for name, _ in runs)

    return {name: both for name, both in add_up_counts(map(count, texts)).items() if name in inside}


def index_names(index: Index, *, listed: Sequence[str] | None = None) -> dict[str, tuple[int, int]]:
    """Count the names of a collection; with a list, its strings instead, in any script."""
    texts = (searchable(record, text) for record, text in index.texts())
    if listed is None:
        return count_names(texts)
    counter = NameCounter({(position, 0): name for position, name in enumerate(listed)})
    counts = add_up_counts(map(counter.count, texts))
    return {listed[position]: counts[position, 0] for position, _ in sorted(counts)}


def annotated_names(index: Index) -> dict[str, tuple[int, int]]:
    """Count the annotated names of a collection."""
    by_document = grouped((doc_id, name.text) for doc_id, name in index.names())
    return add_up_counts(map(Counter, by_document.values()))


def histogram(counts: Mapping[str, tuple[int, int]], *, least: int = 1) -> list[CountedName]:
    """Cluster the names with at least ``least`` occurrences; the most frequent clusters, and names of each, first."""
    clusters = cluster_names([name for name, (count, _) in counts.items() if count >= least])
    for cluster in clusters:
        cluster.sort(key=lambda name: (-counts[name][0], name))
    clusters.sort(key=lambda cluster: (-sum(counts[name][0] for name in cluster), cluster[0]))
    return [
        CountedName(number, name, *counts[name])
        for number, cluster in enumerate(clusters, 1)
        for name in cluster
    ]


def cluster_names(names: Sequence[str], least_similarity: float = SIMILAR) -> list[list[str]]:
    """Cluster strings by single link: two are linked if they share a 3-gram and are similar enough."""
    normal = [normalise(name) for name in names]
    forms = sorted(set(normal))
    parent = list(range(len(forms)))
    for one, other in _similar_candidates(forms, least_similarity):
        in_two_clusters = root_of(parent, one) != root_of(parent, other)
        if in_two_clusters and similarity(forms[one], forms[other], least_similarity):
            join(parent, one, other)
    roots = {form: root_of(parent, position) for position, form in enumerate(forms)}
    return list(grouped((roots[form], name) for name, form in zip(names, normal, strict=True)).values())


COMPARED_AT_ONCE = 512
"""How many strings are compared with all others at a time."""


def _similar_candidates(forms: Sequence[str], least_similarity: float) -> Iterator[tuple[int, int]]:
    """Return pairs that share a 3-gram and may be similar enough.

    An edit changes at most three of the 3-grams of a string, so strings within d edits share all but 3·d of them.
    """
    import numpy as np
    from scipy.sparse import csr_matrix

    grams = [grams_of(form) for form in forms]
    codes = {gram: code for code, gram in enumerate(sorted(set().union(*grams)))} if grams else {}
    ends = np.cumsum([0, *map(len, grams)])
    columns = np.array([codes[gram] for own in grams for gram in sorted(own)], dtype=np.int32)
    table = csr_matrix((np.ones(len(columns), dtype=np.int32), columns, ends), shape=(len(forms), len(codes)))
    sizes, lengths = np.diff(ends), np.array([len(form) for form in forms])
    turned = table.T.tocsr()
    for start in range(0, len(forms), COMPARED_AT_ONCE):
        shared = (table[start : start + COMPARED_AT_ONCE] @ turned).tocoo()
        rows, others = shared.row + start, shared.col
        edits = np.floor((1 - least_similarity) * np.maximum(lengths[rows], lengths[others]) + 1e-9)
        enough = np.maximum(sizes[rows], sizes[others]) - GRAM * edits
        kept = (rows < others) & (shared.data >= enough)
        yield from zip(rows[kept].tolist(), others[kept].tolist(), strict=True)


def grams_of(text: str) -> set[str]:
    """Return the 3-grams of a string; the string itself if it is shorter."""
    return {text[i : i + GRAM] for i in range(max(1, len(text) - GRAM + 1))} if text else set()
