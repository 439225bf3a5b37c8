"""Token tables: one row per token.

A row is number, token, begin and end, with TAB between and a line feed behind; numbers run from
1, the end is exclusive, and there is no header.  The token is the text as it stands in the
document, except that each TAB and each line feed in it is written as one blank.
"""

from collections.abc import Iterable, Iterator

from lydite.tokenizer.token import Token

_ONE_BLANK = str.maketrans("\t\n", "  ")


def table_rows(tokens: Iterable[Token], *, first: int = 1, shift: int = 0) -> Iterator[str]:
    """The rows of a token table, each with its line feed.

    ``first`` is the number of the first row and ``shift`` is added to offsets, where the tokens are those
    of a later block of a long text.
    """
    for number, (start, end, text) in enumerate(tokens, start=first):
        yield f"{number}\t{text.translate(_ONE_BLANK)}\t{start + shift}\t{end + shift}\n"
