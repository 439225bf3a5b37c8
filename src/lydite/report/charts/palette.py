"""The palette, for light and dark: the colours of charts, of the viewer and of the page.

Series also differ by shape, so that nothing depends on seeing colours.  Contrast is that of WCAG 2.2.
"""

from __future__ import annotations

from collections.abc import Mapping

LIGHT: Mapping[str, str] = {
    "ground": "#ffffff",
    "raised": "#f4f5f7",
    "text": "#1a1d21",
    "faint": "#595f69",
    "line": "#80868f",
    "rule": "#d5d9df",
    "link": "#0a58a8",
    "good": "#19703a",
    "bad": "#b3261e",
    "s1": "#0072b2",
    "s2": "#b84a00",
    "s3": "#00785a",
    "s4": "#9c3f87",
    "s5": "#7a5c00",
    "s6": "#0b7285",
    "s7": "#5a4fcf",
    "s8": "#595959",
}
DARK: Mapping[str, str] = {
    "ground": "#14171c",
    "raised": "#1f242b",
    "text": "#e8eaed",
    "faint": "#a9b0ba",
    "line": "#7d858f",
    "rule": "#3a414b",
    "link": "#7db8ff",
    "good": "#6fcf8f",
    "bad": "#ff8a80",
    "s1": "#56b4e9",
    "s2": "#f0904e",
    "s3": "#33c49a",
    "s4": "#e08cc4",
    "s5": "#e6b93c",
    "s6": "#5fd0e0",
    "s7": "#aaa5ff",
    "s8": "#b5b5b5",
}
SERIES = 8
"""The number of colours of series; the ninth has the first colour again, with another shape."""


def series_class(position: int) -> str:
    """The class of the colour of a series, ``s1`` to ``s8``."""
    return f"s{position % SERIES + 1}"


def css_variables(colours: Mapping[str, str]) -> str:
    """The palette as CSS custom properties."""
    return "".join(f"--{name}:{colour};" for name, colour in colours.items())
