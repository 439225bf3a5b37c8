"""How tests of the tokeniser write tokens: as text, with a bar between two of them."""

from collections.abc import Callable

import pytest

from lydite.tokenizer import tokenize


@pytest.fixture
def cut() -> Callable[[str], str]:
    """The tokens of a text, joined by bars."""
    return lambda text: "|".join(token.text for token in tokenize(text))
