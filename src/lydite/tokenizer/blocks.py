"""A long text in blocks: the tokens of each block are those that the whole text has there.

No token goes over a line feed, and behind a word no rule looks beyond one.  Behind a full stop some
do (``U.S.``, a line feed, ``He``), so a block never ends with a full stop and blanks.
"""

from collections.abc import Iterable, Iterator

from lydite.tokenizer.characters import BLANKS

_NO_SEAM = BLANKS | {"."}


def cut_at_seams(pieces: Iterable[str]) -> Iterator[str]:
    """The text that comes in ``pieces``, cut anew behind line feeds where no token rule looks across.

    A block is about as long as a piece, unless a piece has no such line feed.
    """
    held: list[str] = []
    for piece in pieces:
        seam = _last_seam(piece)
        if seam:
            yield "".join((*held, piece[:seam]))
            held = []
        if seam < len(piece):
            held.append(piece[seam:])
    if held:
        yield "".join(held)


def _last_seam(piece: str) -> int:
    """The place behind the last line feed at which ``piece`` can be cut; 0 if there is none."""
    feed = piece.rfind("\n")
    while feed > 0:
        before = piece[feed - 2 : feed - 1] if piece[feed - 1] == "\r" else piece[feed - 1]
        if before and before not in _NO_SEAM:
            return feed + 1
        feed = piece.rfind("\n", 0, feed)
    return 0
