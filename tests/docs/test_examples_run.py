"""Every command and every Python line that the pages show does what they show."""

from __future__ import annotations

from pathlib import Path

import console
import pytest


@pytest.mark.parametrize(
    "page",
    [page for page in console.pages() if console.has_examples(page) and console.is_installed(page)],
    ids=lambda page: str(page.relative_to(console.ROOT)),
)
def test_the_examples_of_a_page_print_what_it_shows(page: Path) -> None:
    found = console.differences(page)
    assert not found, "\n\n".join(found)


def test_three_dots_stand_for_any_lines_or_any_text() -> None:
    assert console.fits(["a", "...", "d"], ["a", "b", "c", "d"])
    assert console.fits(["v:...|end"], ["v:1|2|end"])
    assert not console.fits(["a", "...", "d"], ["a", "b"])


def test_the_width_of_columns_does_not_matter() -> None:
    assert console.fits(["name   score"], ["name     score"])
    assert not console.fits(["name score"], ["name     score"])


def test_a_block_with_a_caption_is_a_file() -> None:
    (block,) = console.blocks("```{code-block} text\n:caption: a.tbf\n\nfirst\nsecond\n```")
    assert (block.caption, block.lines) == ("a.tbf", ["first", "second"])
