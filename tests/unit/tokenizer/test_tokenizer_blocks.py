from lydite.tokenizer import cut_at_seams, tokenize


def test_a_block_ends_behind_the_last_line_feed_of_a_piece() -> None:
    assert list(cut_at_seams(["one\ntwo\nthr", "ee\nfour"])) == ["one\ntwo\n", "three\n", "four"]


def test_a_block_never_ends_with_a_full_stop() -> None:
    pieces = ["He left the U.S.\n", "He stayed\n", "away"]
    assert list(cut_at_seams(pieces)) == ["He left the U.S.\nHe stayed\n", "away"]


def test_a_block_never_ends_with_a_full_stop_and_blanks() -> None:
    assert list(cut_at_seams(["the U.S. \n", "\n", "\r\n", "He stayed"])) == ["the U.S. \n\n\r\nHe stayed"]


def test_a_line_may_end_with_carriage_return_and_line_feed() -> None:
    assert list(cut_at_seams(["one\r\n", "two"])) == ["one\r\n", "two"]


def test_nothing_gives_no_block() -> None:
    assert list(cut_at_seams([])) == []


def test_the_stop_of_an_acronym_is_decided_across_pieces() -> None:
    pieces = ["in the U.S.\n", "He left\n"]
    blocks = list(cut_at_seams(pieces))
    assert [token.text for block in blocks for token in tokenize(block)] == [
        token.text for token in tokenize("".join(pieces))
    ]
