"""What holds for the tokens of any text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite.tokenizer import (
    Token,
    cut_at_seams,
    cut_at_separators,
    iter_tokens,
    repair_boundaries,
    table_rows,
    tokenize,
)
from lydite.tokenizer.characters import KIND
from lydite.tokenizer.scan import iter_tokens_plainly

# Pieces that the rules look at: texts made of them reach every class and many seams between classes.
SIGNS = (
    "a b it don can cannot Gonna n t s O d y X Xi an é İ ß 東京 की \u0301 \u00ad 1 12 200 2014 08 90s ٢ ５ ² ½"
    " Inc Mr No etc Ph.D U.S. J. a.m. The He However Co Ltd com www http https :// lorn.com joe@lorn.com"
    " . .. ... , ; : ! ? ' '' ’ ‘ “ ” « ` `` \" - -- – — _ / \\ | & &amp; &nbsp; &#39; &apos; # @ $ % + = ~ * ^"
    " ( ) [ ] { } < > <a </p> <!-- --> :) :-( =D ^_^ >_< -LRB- C++ E! 😀 \ufeff \u200b \u2010 \u2012 … ₹ \x85"
)
PIECES = [*SIGNS.split(), " ", " ", " ", "  ", "\n", "\r\n", "\t", "\u00a0", "\u3000"]

# fmt: off
HALF_BEGUN = (
    "a.", "'", "-", "<a ", "1 200 ", "://", "@a", "&", ". ", "a:", "a-a.", '<a b="', "<!--",
    "http://.", "a@b.", "a'", "www.a.", "a.com/.", "Inc. <a ", "A. ", "1,", "12-", "(12) ", "é'",
    "U.S.-", "a/", "😀", "&nbsp",
)
# fmt: on

texts = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
separators = st.one_of(st.just("/-\\"), st.text(st.sampled_from("/-\\.:'_ ^]aA1"), min_size=1))

Annotated = tuple[str, list[tuple[int, int]]]


@st.composite
def annotated_texts(draw: st.DrawFn) -> Annotated:
    text = draw(texts)
    place = st.integers(0, len(text))
    segment = st.tuples(place, place).map(lambda ends: (min(ends), max(ends)))
    return text, draw(st.lists(segment, max_size=6))


@given(texts)
def test_offsets_reproduce_the_text(text: str) -> None:
    for token in iter_tokens(text):
        assert text[token.start : token.end] == token.text


@given(texts)
def test_tokens_come_in_order_without_overlap_and_none_is_empty(text: str) -> None:
    end = 0
    for token in iter_tokens(text):
        assert end <= token.start < token.end
        end = token.end


@given(texts)
def test_nothing_but_blanks_and_unknown_characters_is_left_out(text: str) -> None:
    left_out, end = [], 0
    for token in iter_tokens(text):
        left_out.append(text[end : token.start])
        end = token.end
    left_out.append(text[end:])
    characters = re.sub("(?i)&nbsp;", "", "\0".join(left_out))
    assert {KIND[character] for character in characters} <= {"blank", "unknown", "hyphen"}


@given(texts)
def test_no_token_begins_or_ends_with_a_blank(text: str) -> None:
    for token in iter_tokens(text):
        assert KIND[token.text[0]] != "blank"
        assert KIND[token.text[-1]] != "blank"


@given(texts)
def test_the_short_cut_for_ordinary_words_changes_nothing(text: str) -> None:
    assert list(iter_tokens(text)) == list(iter_tokens_plainly(text))


@given(texts)
def test_text_behind_a_blank_line_does_not_change_the_tokens_before_it(text: str) -> None:
    # Two line feeds may take a full stop from an abbreviation, as the end of the text does.
    alone = tokenize(text + "\n\n")
    assert tokenize(text + "\n\n" + "foo")[: len(alone)] == alone


@given(st.lists(texts, max_size=4), st.integers(1, 9))
def test_blocks_have_the_tokens_of_the_whole_text(parts: list[str], size: int) -> None:
    text = "\n".join(parts)
    blocks = list(cut_at_seams(text[place : place + size] for place in range(0, len(text), size)))
    assert "".join(blocks) == text
    shift, tokens = 0, []
    for block in blocks:
        tokens += [Token(start + shift, end + shift, word) for start, end, word in iter_tokens(block)]
        shift += len(block)
    assert tokens == tokenize(text)


@given(texts, separators)
def test_separators_only_cut_or_drop(text: str, characters: str) -> None:
    tokens = tokenize(text)
    pieces = tokenize(text, separators=characters)
    assert pieces == list(cut_at_separators(tokens, characters))
    kept = {place for token in pieces for place in range(token.start, token.end)}
    whole = {place for token in tokens for place in range(token.start, token.end)}
    assert kept == {place for place in whole if text[place] not in characters}
    assert {token.start for token in tokens if token.text[0] not in characters} <= {
        piece.start for piece in pieces
    }


@given(annotated_texts())
def test_after_repair_a_segment_whose_ends_lie_in_tokens_is_a_union_of_tokens(annotated: Annotated) -> None:
    text, segments = annotated
    tokens = repair_boundaries(tokenize(text), segments, text=text, doc_id="d").tokens
    for start, end in segments:
        for token in tokens:
            assert token.end <= start or token.start >= end or start <= token.start <= token.end <= end


@given(annotated_texts())
def test_repair_cuts_but_drops_nothing(annotated: Annotated) -> None:
    text, segments = annotated
    before = tokenize(text)
    after = repair_boundaries(before, segments, text=text, doc_id="d").tokens
    assert "".join(token.text for token in after) == "".join(token.text for token in before)
    assert {token.start for token in before} <= {token.start for token in after}


@given(annotated_texts())
def test_there_is_a_warning_exactly_for_each_token_and_segment_in_conflict(annotated: Annotated) -> None:
    text, segments = annotated
    tokens = tokenize(text)
    conflicts = [
        (token, segment)
        for token in tokens
        for segment in sorted(segments)
        if any(token.start < place < token.end for place in segment)
    ]
    mismatches = repair_boundaries(tokens, segments, text=text, doc_id="d").mismatches
    assert [(mismatch.token, tuple(mismatch.segment[:2])) for mismatch in mismatches] == conflicts


@given(texts)
def test_a_table_has_one_row_of_four_columns_per_token(text: str) -> None:
    tokens = tokenize(text)
    rows = list(table_rows(tokens))
    assert [row.count("\t") for row in rows] == [3] * len(tokens)
    assert [row.split("\t")[0] for row in rows] == [str(number + 1) for number in range(len(tokens))]
    assert all(row.endswith("\n") and row.count("\n") == 1 for row in rows)


@pytest.mark.parametrize("piece", HALF_BEGUN)
def test_long_runs_of_half_begun_tokens_come_to_an_end(piece: str) -> None:
    # Quadratic time would take minutes here.
    text = piece * (200_000 // len(piece))
    end = 0
    for token in iter_tokens(text):
        assert token.start >= end
        end = token.end
