from lydite.tokenizer import Token, table_rows, tokenize


def test_a_row_is_number_token_begin_and_end() -> None:
    assert "".join(table_rows(tokenize("It was."))) == "1\tIt\t0\t2\n2\twas\t3\t6\n3\t.\t6\t7\n"


def test_a_token_stands_as_in_the_text() -> None:
    assert list(table_rows(tokenize("(“x”)")))[:2] == ["1\t(\t0\t1\n", "2\t“\t1\t2\n"]


def test_each_tab_and_line_feed_in_a_token_becomes_one_blank() -> None:
    assert list(table_rows([Token(0, 6, "a\tb\n\rc")])) == ["1\ta b \rc\t0\t6\n"]


def test_no_tokens_give_an_empty_table() -> None:
    assert list(table_rows([])) == []
