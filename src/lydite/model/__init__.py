"""The records that all rooms share: spans, mentions, documents, alignments, tallies, summaries.

Everything here is immutable.  ``==`` always means equal; whether two things *match* is decided in ``align``.
The records that a corpus holds by the hundred thousand (:class:`Span`, :class:`Mention`, :class:`Pair`) are named
tuples, because making one costs half as much as a frozen dataclass; the others are frozen dataclasses.
"""

from lydite.model.alignment import Alignment, Pair
from lydite.model.document import Corpus, Document, DocumentPair, LazyDocuments
from lydite.model.mention import Bounds, LazyMentions, Mention, MentionColumns, Relation
from lydite.model.span import EMPTY_SPAN, Span
from lydite.model.summary import Input, MeasurementView, ScoreRow, Summary
from lydite.model.tally import Figures, Score, Share, Tally

__all__ = [
    "EMPTY_SPAN",
    "Alignment",
    "Bounds",
    "Corpus",
    "Document",
    "DocumentPair",
    "Figures",
    "Input",
    "LazyDocuments",
    "LazyMentions",
    "MeasurementView",
    "Mention",
    "MentionColumns",
    "Pair",
    "Relation",
    "Score",
    "ScoreRow",
    "Share",
    "Span",
    "Summary",
    "Tally",
]
