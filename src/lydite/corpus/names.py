"""Names that nobody has annotated yet: runs of capitalised words, counted and put together by similarity.

A name is a run of capitalised words, with joiners (*of*, *al-*, *bin*, *de*) inside.  A single word at the beginning of a
sentence counts only if it is also seen inside one.  Scripts without capitals need a list of strings to look for, or
annotation.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache

from lydite.align.ace_names import similarity
from lydite.corpus.index import Index, searchable
from lydite.corpus.mentions import NameCounter, add_up_counts
from lydite.grouping import grouped, join, root_of
from lydite.model.ace_names import normalise
from lydite.records import NamedTuple

JOINERS = ("of", "al-", "bin", "de")
ALIKE = 0.8
"""Strings of this similarity are linked."""
GRAM = 3
GAP = 8
"""So many blanks in a row separate sentences."""

_SENTENCE_START = re.compile(r"(?:[.!?…:»”\"]|\n\s*\n)[\s\"'“«(\[]*$")


class CountedName(NamedTuple):
    """A string, its cluster (the number of its most frequent string), how often and in how many documents it stands."""

    cluster: int
    string: str
    count: int  # type: ignore[assignment]  # a column of the table, not a method of tuples
    documents: int


@cache
def _pattern() -> re.Pattern[str]:
    capitals = "".join(_ranges(lambda character: character.isupper() or character.istitle()))
    word = rf"[{capitals}][\w]*(?:['’.-][\w]+)*"
    initial = rf"[{capitals}]\."
    attached = "|".join(re.escape(joiner) for joiner in JOINERS if joiner.endswith("-"))
    free = "|".join(joiner for joiner in JOINERS if not joiner.endswith("-"))
    part = rf"(?:(?:{attached})?(?:{initial}(?!\w)|{word}))"
    between = r"(?:[ \t]+|[ \t]*\r?\n[ \t]*)"
    return re.compile(rf"(?<![\w'’-]){part}(?:{between}(?:(?:{free}){between}){{0,2}}{part})*")


def _ranges(wanted: Callable[[str], bool]) -> Iterator[str]:
    """Ranges of a character class, over the scripts that have capitals."""
    start = None
    for code in range(0x41, 0x2200):
        if wanted(chr(code)):
            start = code if start is None else start
        elif start is not None:
            yield f"{chr(start)}-{chr(code - 1)}"
            start = None


def name_runs(text: str) -> Iterator[tuple[str, bool]]:
    """The runs of a text, blanks made one, each with whether it is a single word that begins a sentence."""
    for match in _pattern().finditer(text):
        name = " ".join(match.group().split())
        yield name, " " not in name and _begins_sentence(text, match.start())


def _begins_sentence(text: str, place: int) -> bool:
    """Whether what stands before a place ends a sentence; a gap, such as a tag leaves, does too."""
    before = text[max(0, place - GAP) : place]
    return (
        (place <= GAP and not before.strip())
        or (len(before) == GAP and before.isspace())
        or (_SENTENCE_START.search(before) is not None)
    )


def count_names(texts: Iterable[str]) -> dict[str, tuple[int, int]]:
    """How often and in how many texts each name stands that is seen inside a sentence, in one pass."""
    inside: set[str] = set()

    def counted(text: str) -> Counter[str]:
        runs = list(name_runs(text))
        inside.update(name for name, begins in runs if not begins)
        return Counter(name for name, _ in runs)

    found = add_up_counts(map(counted, texts))
    return {name: both for name, both in found.items() if name in inside}


def index_names(index: Index, *, listed: Sequence[str] | None = None) -> dict[str, tuple[int, int]]:
    """The names of a collection; with a list, the strings of the list instead, in any script."""
    texts = (searchable(record, text) for record, text in index.texts())
    if listed is None:
        return count_names(texts)
    phrases = NameCounter({(position, 0): name for position, name in enumerate(listed)})
    found = add_up_counts(map(phrases.count, texts))
    return {listed[position]: found[position, 0] for position, _ in sorted(found)}


def annotated_names(index: Index) -> dict[str, tuple[int, int]]:
    """The names that annotation gives."""
    held = grouped((doc_id, name.text) for doc_id, name in index.names())
    return add_up_counts(map(Counter, held.values()))


def histogram(counts: Mapping[str, tuple[int, int]], *, least: int = 1) -> list[CountedName]:
    """Names that stand at least so often, by cluster; large clusters first, and the most frequent string of each."""
    kept = {name: found for name, found in counts.items() if found[0] >= least}
    groups = clusters(list(kept))
    for group in groups:
        group.sort(key=lambda name: (-kept[name][0], name))
    groups.sort(key=lambda group: (-sum(kept[name][0] for name in group), group[0]))
    return [
        CountedName(number, name, *kept[name]) for number, group in enumerate(groups, 1) for name in group
    ]


def clusters(names: Sequence[str], alike: float = ALIKE) -> list[list[str]]:
    """Strings joined by single link: two are linked if they share three letters in a row and are similar enough."""
    normal = [normalise(name) for name in names]
    forms = sorted(set(normal))
    parent = list(range(len(forms)))
    for one, other in _near(forms, alike):
        apart = root_of(parent, one) != root_of(parent, other)
        if apart and similarity(forms[one], forms[other], alike):
            join(parent, one, other)
    roots = {form: root_of(parent, position) for position, form in enumerate(forms)}
    return list(grouped((roots[form], name) for name, form in zip(names, normal, strict=True)).values())


BLOCK = 512
"""So many strings are compared with all others at a time."""


def _near(forms: Sequence[str], alike: float) -> Iterator[tuple[int, int]]:
    """Pairs that share a 3-gram and may be similar enough.

    An edit takes away at most three of the 3-grams of a string, so strings within d edits share all but 3·d of them.
    """
    import numpy as np
    from scipy.sparse import csr_matrix

    grams = [grams_of(form) for form in forms]
    number = {gram: place for place, gram in enumerate(sorted(set().union(*grams)))} if grams else {}
    ends = np.cumsum([0, *(len(found) for found in grams)])
    columns = np.array([number[gram] for found in grams for gram in sorted(found)], dtype=np.int32)
    table = csr_matrix(
        (np.ones(len(columns), dtype=np.int32), columns, ends), shape=(len(forms), len(number))
    )
    sizes, lengths = np.diff(ends), np.array([len(form) for form in forms])
    turned = table.T.tocsr()
    for start in range(0, len(forms), BLOCK):
        shared = (table[start : start + BLOCK] @ turned).tocoo()
        rows, others = shared.row + start, shared.col
        longest = np.maximum(lengths[rows], lengths[others])
        edits = np.floor((1 - alike) * longest + 1e-9)
        enough = np.maximum(sizes[rows], sizes[others]) - GRAM * edits
        kept = (rows < others) & (shared.data >= enough)
        yield from zip(rows[kept].tolist(), others[kept].tolist(), strict=True)


def grams_of(text: str) -> set[str]:
    """The 3-grams of a string; a shorter string is its only gram."""
    return {text[i : i + GRAM] for i in range(max(1, len(text) - GRAM + 1))} if text else set()
