from __future__ import annotations

import pytest

from argument_cases import answer, argument, judged
from lydite.model.argument_lines import ArgumentLines

TEXTS = ("Ask", "O'Neil", 'the "old" guild', "both ' and \"", "back\\slash", "Tor Hvål", "a\u00a0b", "\ud800")


@pytest.mark.parametrize("texts", [(), TEXTS[:1], TEXTS[1:2], TEXTS[2:3], TEXTS[4:], TEXTS])
def test_the_text_of_the_content_hash_is_that_of_a_list_of_rows(texts: tuple[str, ...]) -> None:
    arguments = [argument(text, begin=at) for at, text in enumerate(texts)]
    rows = (*(answer(one) for one in arguments), *(judged(one, cluster=1) for one in arguments))
    said = sorted(f"({row.argument}, {row.confidence!r}, {row.assessment}, {row.cluster!r})" for row in rows)
    assert repr(ArgumentLines(rows)) == f"ArgumentLines({said}, [], 0)"
