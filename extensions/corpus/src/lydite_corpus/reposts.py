"""Find reposts, documents with the same content, by MinHash and an exact comparison of the candidates.

Shingles are five words in a row.  Candidates agree in one of 32 bands of 4 of their 128 smallest hashes; they are reposts
if their Jaccard similarity is at least 0.5.  A text that is not newswire is also a repost if at least 0.7 of its shingles
occur in a newswire text, which may be longer.  The oldest document of a group is kept, the others are listed; nothing is
deleted.  Every post of a thread is compared by itself; the thread is a repost if all of its posts are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby
from typing import TYPE_CHECKING, NamedTuple

from lydite.grouping import grouped, join, root_of
from lydite_corpus.analysis import folded

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from lydite_corpus.index import Record

    Hashes = npt.NDArray[np.uint64]

SHINGLE, HASHES, BANDS = 5, 128, 32
JACCARD, CONTAINMENT = 0.5, 0.7
NEWSWIRE = frozenset({"nw", "newswire"})
MAX_SHINGLES = 20_000_000
"""How many shingles of newswire are indexed; if there are more, a sample by hash."""


class Repost(NamedTuple):
    """A repost, the oldest document of its group, and their similarity (Jaccard or containment, whichever is larger).

    ``post`` is the number of the post of a thread that repeats the other document, or 0 if the whole document does.
    """

    document: str
    kept: str
    similarity: float
    post: int = 0


def find_reposts(texts: Iterable[tuple[str, str]], about: Mapping[str, Record]) -> list[Repost]:
    """Return the reposts among texts, sorted by id; the oldest of a group is kept, of equal age the smallest id."""
    import numpy as np

    words = _WordHashes()
    ids, shingles, signatures = [], [], []
    post_shingles: list[tuple[str, int, Hashes]] = []
    factors = np.random.default_rng(14).integers(1, 2**63, size=(2, HASHES), dtype=np.uint64)
    factors[0] |= np.uint64(1)
    for doc_id, text in texts:
        own = shingles_of(text, words)
        ids.append(doc_id)
        shingles.append(own)
        signatures.append(_minhash(own, factors))
        if about[doc_id].genre not in NEWSWIRE:
            pieces = (shingles_of(text[post.start : post.end], words) for post in about[doc_id].posts)
            post_shingles += ((doc_id, number, piece) for number, piece in enumerate(pieces, 1) if len(piece))
    parent = list(range(len(ids)))
    for one, other in _candidate_pairs(signatures, shingles):
        in_two_groups = root_of(parent, one) != root_of(parent, other)
        if in_two_groups and jaccard(shingles[one], shingles[other]) >= JACCARD:
            join(parent, one, other)
    posts = [i for i, doc_id in enumerate(ids) if about[doc_id].genre not in NEWSWIRE and len(shingles[i])]
    newswire = [i for i, doc_id in enumerate(ids) if about[doc_id].genre in NEWSWIRE and len(shingles[i])]
    index = _ShingleIndex({i: shingles[i] for i in newswire})
    for post in posts:
        for wire in index.texts_sharing_with(shingles[post]):
            if containment(shingles[post], shingles[wire]) >= CONTAINMENT:
                join(parent, post, wire)
    reposts = []
    for group in grouped((root_of(parent, i), i) for i in range(len(ids))).values():
        kept = min(group, key=lambda i: (about[ids[i]].date or "9999", ids[i]))
        for i in group:
            if i != kept:
                likeness = max(jaccard(shingles[i], shingles[kept]), containment(shingles[i], shingles[kept]))
                reposts.append(Repost(ids[i], ids[kept], likeness))
    reposted = {repost.document: repost.kept for repost in reposts}
    alone = [one for one in post_shingles if one[0] not in reposted]
    # The newswire text may itself be a repost of the one that is kept.
    reposts += (
        repost._replace(kept=reposted.get(repost.kept, repost.kept))
        for repost in _repeated_posts(alone, index, ids, shingles)
    )
    return sorted(reposts, key=lambda one: (one.document, one.post))


def _repeated_posts(
    post_shingles: Sequence[tuple[str, int, Hashes]],
    index: _ShingleIndex,
    ids: Sequence[str],
    shingles: Sequence[Hashes],
) -> Iterator[Repost]:
    """Return posts of threads that occur in a newswire text, each with the text that contains most of it.

    If all posts of a thread do, return the thread instead of its posts, with the text of the first post.
    """
    for doc_id, posts in groupby(post_shingles, key=lambda one: one[0]):
        repeated, count = [], 0
        for _, number, post in posts:
            count += 1
            shares = ((containment(post, shingles[one]), ids[one]) for one in index.texts_sharing_with(post))
            share, kept = min(shares, key=lambda one: (-one[0], one[1]), default=(0.0, ""))
            if share >= CONTAINMENT:
                repeated.append(Repost(doc_id, kept, share, number))
        if count and len(repeated) == count:
            yield repeated[0]._replace(similarity=min(repost.similarity for repost in repeated), post=0)
        else:
            yield from repeated


class _WordHashes(dict[str, int]):
    """A cache of word hashes that are the same in every run."""

    def __missing__(self, word: str) -> int:
        from hashlib import blake2b

        self[word] = number = int.from_bytes(blake2b(word.encode("utf-8"), digest_size=8).digest(), "little")
        return number


def shingles_of(text: str, words: Mapping[str, int] | None = None) -> Hashes:
    """Return the distinct shingles of a text as sorted hashes; a text of fewer than five words is one shingle."""
    import numpy as np

    hashes = _WordHashes() if words is None else words
    numbers = np.array([hashes[word] for word in folded(text).split()], dtype=np.uint64)
    if not len(numbers):
        return numbers
    width = min(SHINGLE, len(numbers))
    mixed = np.zeros(len(numbers) - width + 1, dtype=np.uint64)
    for offset in range(width):
        mixed = mixed * np.uint64(0x9E3779B97F4A7C15) + numbers[offset : offset + len(mixed)]
    mixed ^= mixed >> np.uint64(29)
    return np.unique(mixed)


def _minhash(shingles: Hashes, factors: Hashes) -> Hashes:
    import numpy as np

    if not len(shingles):
        return np.zeros(HASHES, dtype=np.uint64)
    smallest: Hashes = (shingles[:, None] * factors[0] + factors[1]).min(axis=0)
    return smallest


def _candidate_pairs(signatures: list[Hashes], shingles: list[Hashes]) -> Iterator[tuple[int, int]]:
    """Return pairs that share a band, once for every such band; documents without words are in no pair."""
    width = HASHES // BANDS
    for band in range(BANDS):
        part = slice(band * width, (band + 1) * width)
        with_words = ((i, one) for i, one in enumerate(signatures) if len(shingles[i]))
        for bucket in grouped((one[part].tobytes(), i) for i, one in with_words).values():
            yield from combinations(bucket, 2)


class _ShingleIndex:
    """An index of the shingles of many texts; if there are very many, of a sample by hash."""

    def __init__(self, texts: Mapping[int, Hashes]) -> None:
        import numpy as np

        total = sum(map(len, texts.values()))
        self._rate = 1
        while total // self._rate > MAX_SHINGLES:
            self._rate *= 2
        parts = [self._sample(shingles) for shingles in texts.values()]
        hashes = np.concatenate(parts) if parts else np.zeros(0, dtype=np.uint64)
        owners = np.repeat(np.array(list(texts), dtype=np.int64), [len(part) for part in parts])
        order = np.argsort(hashes, kind="stable")
        self._hashes, self._owners = hashes[order], owners[order]

    def _sample(self, shingles: Hashes) -> Hashes:
        import numpy as np

        return shingles[shingles % np.uint64(self._rate) == 0] if self._rate > 1 else shingles

    def texts_sharing_with(self, text: Hashes) -> list[int]:
        """Return the texts that share a shingle with the given text, sorted."""
        import numpy as np

        sample = self._sample(text)
        first = np.searchsorted(self._hashes, sample, "left")
        ranges = zip(first.tolist(), np.searchsorted(self._hashes, sample, "right").tolist(), strict=True)
        return sorted({owner for low, high in ranges for owner in self._owners[low:high].tolist()})


def jaccard(one: Hashes, other: Hashes) -> float:
    """Return |A ∩ B| / |A ∪ B|."""
    import numpy as np

    shared = len(np.intersect1d(one, other, assume_unique=True))
    union = len(one) + len(other) - shared
    return shared / union if union else 0.0


def containment(part: Hashes, whole: Hashes) -> float:
    """Return |A ∩ B| / |A|."""
    import numpy as np

    return len(np.intersect1d(part, whole, assume_unique=True)) / len(part) if len(part) else 0.0
