"""Reposts: documents that say the same, found by MinHash and confirmed by exact comparison.

Shingles are five words in a row.  Candidates share one of 32 bands of 4 of their 128 smallest hashes; a pair is one if
its Jaccard similarity is at least 0.5.  A post may repeat a part of a longer newswire text: it is a repost if at least 0.7
of its shingles stand there.  Of each group the oldest is kept; the others are listed, nothing is deleted.  In a thread
every post is looked at alone; the thread is a repost if all of them are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby
from typing import TYPE_CHECKING

from lydite.corpus.analysis import folded
from lydite.grouping import grouped, join, root_of
from lydite.records import NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from lydite.corpus.index import Record

    Hashes = npt.NDArray[np.uint64]

SHINGLE, VALUES, BANDS = 5, 128, 32
JACCARD, CONTAINED = 0.5, 0.7
NEWSWIRE = frozenset({"nw", "newswire"})
LARGEST_TABLE = 20_000_000
"""So many shingles of newswire are looked up at once; of more, a sample by hash."""


class Repost(NamedTuple):
    """A document, the oldest of its group, and how alike they are (Jaccard, or the share contained).

    ``post`` is the number of the post of a thread that repeats the other document, or 0 if all of the document does.
    """

    document: str
    kept: str
    similarity: float
    post: int = 0


def find_reposts(texts: Iterable[tuple[str, str]], about: Mapping[str, Record]) -> list[Repost]:
    """The reposts among texts, sorted by id; of a group the oldest is kept, then the one with the smallest id."""
    import numpy as np

    words = _WordHashes()
    ids, shingles, signatures = [], [], []
    inside: list[tuple[str, int, Hashes]] = []
    factors = np.random.default_rng(14).integers(1, 2**63, size=(2, VALUES), dtype=np.uint64)
    factors[0] |= np.uint64(1)
    for doc_id, text in texts:
        found = shingles_of(text, words)
        ids.append(doc_id)
        shingles.append(found)
        signatures.append(_signature(found, factors))
        if about[doc_id].genre not in NEWSWIRE:
            pieces = (shingles_of(text[post.start : post.end], words) for post in about[doc_id].posts)
            inside += ((doc_id, number, piece) for number, piece in enumerate(pieces, 1) if len(piece))
    parent = list(range(len(ids)))
    # A document without words is like no other.
    for one, other in _pairs(signatures, shingles):
        apart = root_of(parent, one) != root_of(parent, other)
        if apart and jaccard(shingles[one], shingles[other]) >= JACCARD:
            join(parent, one, other)
    posts = [i for i, doc_id in enumerate(ids) if about[doc_id].genre not in NEWSWIRE and len(shingles[i])]
    wires = [i for i, doc_id in enumerate(ids) if about[doc_id].genre in NEWSWIRE and len(shingles[i])]
    table = _Table({i: shingles[i] for i in wires})
    for post in posts:
        for wire in table.sharing(shingles[post]):
            if contained(shingles[post], shingles[wire]) >= CONTAINED:
                join(parent, post, wire)
    reposts = []
    for group in grouped((root_of(parent, i), i) for i in range(len(ids))).values():
        kept = min(group, key=lambda i: (about[ids[i]].date or "9999", ids[i]))
        for i in group:
            if i != kept:
                alike = max(jaccard(shingles[i], shingles[kept]), contained(shingles[i], shingles[kept]))
                reposts.append(Repost(ids[i], ids[kept], alike))
    whole = {repost.document: repost.kept for repost in reposts}
    alone = [one for one in inside if one[0] not in whole]
    # A newswire text that is a repost itself is not the one that is kept.
    reposts += (
        repost._replace(kept=whole.get(repost.kept, repost.kept))
        for repost in _repeated_posts(alone, table, ids, shingles)
    )
    return sorted(reposts, key=lambda one: (one.document, one.post))


def _repeated_posts(
    inside: Sequence[tuple[str, int, Hashes]], table: _Table, ids: Sequence[str], shingles: Sequence[Hashes]
) -> Iterator[Repost]:
    """Posts inside threads that stand in a newswire text, each with the one that holds most of it.

    Where all posts of a thread do, the thread comes out instead of them, with what holds its first post.
    """
    for doc_id, posts in groupby(inside, key=lambda one: one[0]):
        repeated, count = [], 0
        for _, number, post in posts:
            count += 1
            shares = ((contained(post, shingles[wire]), ids[wire]) for wire in table.sharing(post))
            share, kept = min(shares, key=lambda one: (-one[0], one[1]), default=(0.0, ""))
            if share >= CONTAINED:
                repeated.append(Repost(doc_id, kept, share, number))
        if count and len(repeated) == count:
            least = min(repost.similarity for repost in repeated)
            yield repeated[0]._replace(similarity=least, post=0)
        else:
            yield from repeated


class _WordHashes(dict[str, int]):
    """A hash for every word that is the same in every run."""

    def __missing__(self, word: str) -> int:
        from hashlib import blake2b

        self[word] = number = int.from_bytes(blake2b(word.encode("utf-8"), digest_size=8).digest(), "little")
        return number


def shingles_of(text: str, words: Mapping[str, int] | None = None) -> Hashes:
    """The distinct shingles of a text as sorted hashes; a text of fewer than five words is one shingle."""
    import numpy as np

    table = _WordHashes() if words is None else words
    numbers = np.array([table[word] for word in folded(text).split()], dtype=np.uint64)
    if not len(numbers):
        return numbers
    width = min(SHINGLE, len(numbers))
    mixed = np.zeros(len(numbers) - width + 1, dtype=np.uint64)
    for offset in range(width):
        mixed = mixed * np.uint64(0x9E3779B97F4A7C15) + numbers[offset : offset + len(mixed)]
    mixed ^= mixed >> np.uint64(29)
    return np.unique(mixed)


def _signature(shingles: Hashes, factors: Hashes) -> Hashes:
    import numpy as np

    if not len(shingles):
        return np.zeros(VALUES, dtype=np.uint64)
    smallest: Hashes = (shingles[:, None] * factors[0] + factors[1]).min(axis=0)
    return smallest


def _pairs(signatures: list[Hashes], shingles: list[Hashes]) -> Iterator[tuple[int, int]]:
    """Pairs that share a band; a pair may come once for every band."""
    width = VALUES // BANDS
    for band in range(BANDS):
        part = slice(band * width, (band + 1) * width)
        with_words = ((i, one) for i, one in enumerate(signatures) if len(shingles[i]))
        for bucket in grouped((one[part].tobytes(), i) for i, one in with_words).values():
            yield from combinations(bucket, 2)


class _Table:
    """Shingles of many texts, to be looked up together; of very many, a sample by hash."""

    def __init__(self, texts: Mapping[int, Hashes]) -> None:
        import numpy as np

        total = sum(map(len, texts.values()))
        self._rate = 1
        while total // self._rate > LARGEST_TABLE:
            self._rate *= 2
        parts = [self._sampled(found) for found in texts.values()]
        hashes = np.concatenate(parts) if parts else np.zeros(0, dtype=np.uint64)
        owners = np.repeat(np.array(list(texts), dtype=np.int64), [len(part) for part in parts])
        order = np.argsort(hashes, kind="stable")
        self._hashes, self._owners = hashes[order], owners[order]

    def _sampled(self, found: Hashes) -> Hashes:
        import numpy as np

        return found[found % np.uint64(self._rate) == 0] if self._rate > 1 else found

    def sharing(self, text: Hashes) -> list[int]:
        """The texts that share a shingle with another, sorted."""
        import numpy as np

        wanted = self._sampled(text)
        first = np.searchsorted(self._hashes, wanted, "left")
        last = np.searchsorted(self._hashes, wanted, "right")
        held = zip(first.tolist(), last.tolist(), strict=True)
        return sorted({owner for low, high in held for owner in self._owners[low:high].tolist()})


def jaccard(one: Hashes, other: Hashes) -> float:
    """|A ∩ B| / |A ∪ B|."""
    import numpy as np

    shared = len(np.intersect1d(one, other, assume_unique=True))
    union = len(one) + len(other) - shared
    return shared / union if union else 0.0


def contained(part: Hashes, whole: Hashes) -> float:
    """|A ∩ B| / |A|."""
    import numpy as np

    return len(np.intersect1d(part, whole, assume_unique=True)) / len(part) if len(part) else 0.0
