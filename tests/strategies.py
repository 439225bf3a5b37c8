"""Random corpora, small enough to be looked at when a law fails."""

from __future__ import annotations

import re
from collections.abc import Callable

from hypothesis import strategies as st

from lydite.model import Alignment, Corpus, Document, Mention, Pair, Relation, Span

TYPES = ("Conflict_Attack", "Life_Die", "Contact_Meet", "NOT_ANNOTATED")
REALIS = ("Actual", "Generic", "Other")

words = st.text(
    st.characters(
        codec="utf-8", exclude_characters="\t\n\r\v\f\x1c\x1d\x1e\x85", exclude_categories=("Cc", "Cs")
    ),
    max_size=8,
)
"""Text that survives a TBF column: no tabs, line ends or controls."""


@st.composite
def character_spans(draw: Callable[..., object], *, most: int = 30) -> Span:
    """One to three segments, possibly overlapping or out of order."""
    pieces = draw(st.lists(st.tuples(st.integers(0, most), st.integers(1, 6)), min_size=1, max_size=3))
    return Span(tuple((begin, begin + size) for begin, size in pieces))


@st.composite
def mentions(
    draw: Callable[..., object], *, most: int = 6, spans: st.SearchStrategy[Span] | None = None
) -> tuple[Mention, ...]:
    """Mentions with ids that are unique in their document."""
    chosen = draw(
        st.lists(
            st.tuples(spans or character_spans(), words, st.sampled_from(TYPES), st.sampled_from(REALIS)),
            max_size=most,
        )
    )
    return tuple(
        Mention(f"E{number}", span, text.strip(), kind, realis, line=number + 1)
        for number, (span, text, kind, realis) in enumerate(chosen, 1)
    )


@st.composite
def documents(draw: Callable[..., object], doc_id: str = "d1") -> Document:
    """A document with mentions and disjoint clusters."""
    chosen = draw(mentions())
    ids = [mention.id for mention in chosen]
    cut = draw(st.integers(0, len(ids)))
    groups = [ids[:cut], ids[cut:]]
    relations = tuple(
        Relation("Coreference", f"C{number}", tuple(group))
        for number, group in enumerate(groups, 1)
        if len(group) > 1
    )
    return Document(doc_id, chosen, relations, line=1)


@st.composite
def corpora(draw: Callable[..., object], *, most: int = 3, name: str = "corpus") -> Corpus:
    """One to three documents."""
    count = draw(st.integers(1, most))
    read = [draw(documents(f"d{number}")) for number in range(1, count + 1)]
    return Corpus(name, {document.doc_id: document for document in read}, facts={"unit": "char"})


@st.composite
def alignments(draw: Callable[..., object], *, most: int = 6) -> Alignment:
    """A one-to-one alignment with similarities in (0, 1]."""
    gold, system = draw(st.integers(0, most)), draw(st.integers(0, most))
    order = draw(st.permutations(range(system)))
    paired = draw(st.integers(0, min(gold, system)))
    weights = draw(st.lists(st.sampled_from((1.0, 0.5, 2 / 3, 0.8, 1.0)), min_size=paired, max_size=paired))
    pairs = tuple(Pair(position, order[position], weights[position]) for position in range(paired))
    return Alignment(tuple(range(gold)), tuple(range(system)), pairs)


# ------------------------------------------------------------------------------------------ coreference columns


@st.composite
def column_cells(draw: st.DrawFn, *, most: int = 7) -> list[str]:
    """Cells of a document: singles, opens and closes in any order in the cell, with or without bars; all spans close."""
    ids = draw(st.sampled_from((("1", "2", "3"), ("0", "01", "1", "12"), ("7",))))
    size = draw(st.integers(0, most))
    opened: list[str] = []
    rows = []
    for token in range(size):
        items = [f"({name})" for name in draw(st.lists(st.sampled_from(ids), max_size=2))]
        items += ["(1+2)"] * draw(st.sampled_from((0, 0, 0, 0, 1)))
        starts = draw(st.lists(st.sampled_from(ids), max_size=2))
        opened += starts
        ends = opened if token == size - 1 else draw(st.permutations(opened))[: draw(st.integers(0, 2))]
        for name in ends:
            opened = [*opened]
            opened.remove(name)
        items += [f"({name}" for name in starts] + [f"{name})" for name in ends]
        order = draw(st.permutations(items))
        cell = _joined(order, bars=draw(st.booleans()))
        rows.append(_joined(order, bars=True) if FUSED.search(cell) else cell)
    return rows


FUSED = re.compile(r"\([0-9]+(?:\([0-9]+(?:\+[0-9])?\))+[0-9]+\)")
"""One-token items right between one that opens and one that closes: such cells are refused."""


def _joined(items: list[str], *, bars: bool) -> str:
    """One cell; the bar may be missing where an item ends or begins with a bracket."""
    text = ""
    for item in items:
        needed = text and not (text.endswith(")") or item.startswith("("))
        text += ("|" if needed or (text and bars) else "") + item
    return text or "-"


@st.composite
def column_file(draw: st.DrawFn, names: list[str], *, most: int = 7) -> str:
    """A column file of these documents, with the freedom that the format leaves."""
    separator = draw(st.sampled_from(("\t", "\t", " ", "   ")))
    lines = draw(st.sampled_from(([], ["a line before the first document (9)", "#end document"])))
    start = 0
    for name in names:
        start = len(lines) + 1
        lines = [*lines, draw(st.sampled_from(("#begin document ", "# begin document "))) + name]
        for number, cell in enumerate(draw(column_cells(most=most))):
            if draw(st.sampled_from((False, False, False, True))):
                lines.append(draw(st.sampled_from(("", " ", "# a remark", "\t"))))
            nothing = draw(st.sampled_from(("-", "_"))) if cell == "-" else cell
            lines.append(separator.join(("d", "0", str(number), "w", nothing)))
        lines += ["", draw(st.sampled_from(("#end document", "#end document " + name, "# end document"))), ""]
    if draw(st.sampled_from((False, False, False, True))):
        lines = lines[: draw(st.integers(start, len(lines)))]  # cut off somewhere in the last document
    return draw(st.sampled_from(("\n", "\n", "\r\n"))).join(lines)


@st.composite
def column_files(draw: st.DrawFn) -> tuple[str, str]:
    """Gold and system: up to three documents each, mostly the same, in any order, sometimes one of them twice."""
    names = ["(d/a); part 000", "(d/a); part 001", "b ", "b "]
    gold = draw(st.permutations(names))[: draw(st.integers(1, 3))]
    system = draw(st.permutations(names))[: draw(st.integers(1, 3))]
    return draw(column_file(gold)), draw(column_file(system))
