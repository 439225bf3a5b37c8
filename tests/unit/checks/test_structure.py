"""What mentions of one document have in common."""

from __future__ import annotations

import pytest

from lydite.checks.structure import duplicate_mentions, malformed_spans, same_span_in_cluster
from lydite.model import Document, Mention, Relation, Span
from lydite.model.mention import COREFERENCE


def document(*mentions: tuple[str, int, str]) -> Document:
    """Mentions of four characters as (id, begin, type), and a cluster of E1 and E2."""
    made = [
        Mention(name, Span(((begin, begin + 4),)), "word", kind, "Actual", line=line)
        for line, (name, begin, kind) in enumerate(mentions, 2)
    ]
    return Document("d", made, (Relation(COREFERENCE, "C1", ("E1", "E2"), 9),))


def test_an_id_that_is_used_again_stands_for_its_last_mention_in_a_cluster() -> None:
    apart = document(("E1", 0, "A"), ("E2", 0, "B"), ("E1", 20, "C"))
    assert not list(same_span_in_cluster(apart))
    together = document(("E1", 20, "A"), ("E2", 0, "B"), ("E1", 0, "C"))
    assert [finding.item for finding in same_span_in_cluster(together)] == ["E2"]


def test_every_copy_of_a_mention_is_compared_with_the_first_one() -> None:
    thrice = document(("E1", 0, "A"), ("E2", 0, "B"), ("E3", 0, "A"), ("E4", 8, "A"), ("E5", 0, "A"))
    told = [
        (finding.item, finding.message.endswith("'E1' in line 2")) for finding in duplicate_mentions(thrice)
    ]
    assert told == [("E3", True), ("E5", True)]


@pytest.mark.parametrize(
    ("tokens", "code"),
    [
        (("t4",), None),
        (("t4", "t5"), None),
        (("t5", "t4"), "tokens-not-ascending"),
        (("",), "empty-token-id"),
        (("t4", ""), "empty-token-id"),
    ],
)
def test_token_ids_that_are_empty_or_out_of_order_are_reported(
    tokens: tuple[str, ...], code: str | None
) -> None:
    mention = Mention("E1", Span(tokens=tokens), "word", "A", "Actual", line=2)
    assert [finding.code for finding in malformed_spans(Document("d", [mention]))] == (
        [] if code is None else [code]
    )
