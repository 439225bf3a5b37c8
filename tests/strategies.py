"""Random corpora, small enough to be looked at when a law fails."""

from __future__ import annotations

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
