"""Text of the input made visible: marks for control characters and for controls of writing direction."""

from __future__ import annotations

_BIDI = {
    0x061C: "ALM",
    0x200E: "LRM",
    0x200F: "RLM",
    0x202A: "LRE",
    0x202B: "RLE",
    0x202C: "PDF",
    0x202D: "LRO",
    0x202E: "RLO",
    0x2066: "LRI",
    0x2067: "RLI",
    0x2068: "FSI",
    0x2069: "PDI",
}
_TAB_AND_LINE_FEED = frozenset({0x09, 0x0A})
_MARKS: dict[int, str] = {
    **{code: chr(0x2400 + code) for code in range(0x20) if code not in _TAB_AND_LINE_FEED},
    0x7F: "\u2421",
    **{code: f"⟦{code:02X}⟧" for code in range(0x80, 0xA0)},
    **{code: f"⟦{name}⟧" for code, name in _BIDI.items()},
    0xFEFF: "⟦BOM⟧",
    0xFFFE: "\ufffd",
    0xFFFF: "\ufffd",
}


def visible(text: str) -> str:
    """The text with control characters and directional controls as marks, and bytes that are not UTF-8 as escapes."""
    marked = text.translate(_MARKS)
    try:
        marked.encode("utf-8")
    except UnicodeEncodeError:
        return marked.encode("utf-8", "backslashreplace").decode("utf-8")
    return marked
