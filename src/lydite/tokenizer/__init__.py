"""Tokens with offsets, as the makers of event nugget token tables cut them.

The rules are those of the EvmEval token file maker 1.0.4 around the PTB tokeniser of Stanford CoreNLP
3.5.1, as observed from outside: text to tokens (``tokenize``), extra separators (``cut_at_separators``),
annotated segments (``repair_boundaries``), table (``table_rows``).
"""

from lydite.tokenizer.boundaries import BoundaryMismatch, BoundaryRepair, Segment, repair_boundaries
from lydite.tokenizer.scan import cut_at_seams, iter_tokens
from lydite.tokenizer.token import DEFAULT_SEPARATORS, Token, cut_at_separators, table_rows

__all__ = [
    "DEFAULT_SEPARATORS",
    "BoundaryMismatch",
    "BoundaryRepair",
    "Segment",
    "Token",
    "cut_at_seams",
    "cut_at_separators",
    "iter_tokens",
    "repair_boundaries",
    "table_rows",
    "tokenize",
]


def tokenize(text: str, *, separators: str = "") -> list[Token]:
    """The tokens of ``text`` in order, cut at each of the characters in ``separators``.

    Offsets count code points, so that ``text[token.start : token.end] == token.text``.
    The official table maker cuts at ``DEFAULT_SEPARATORS`` unless told otherwise.
    """
    return list(cut_at_separators(iter_tokens(text), separators))
