from lydite.tokenizer import BoundaryRepair, repair_boundaries, tokenize

DINNER = "buffet/music/buying"


def repair(text: str, segments: list[tuple[int, int]], separators: str = "") -> BoundaryRepair:
    return repair_boundaries(tokenize(text, separators=separators), segments, text=text, doc_id="d1")


def tokens_of(repaired: BoundaryRepair) -> list[str]:
    return [token.text for token in repaired.tokens]


def test_a_segment_at_the_end_of_a_token_cuts_it_and_nothing_is_dropped() -> None:
    assert tokens_of(repair(DINNER, [(13, 19)])) == ["buffet/music/", "buying"]


def test_a_warning_names_document_token_and_segment() -> None:
    (mismatch,) = repair(DINNER, [(13, 19)]).mismatches
    assert str(mismatch) == (
        "Boundary mismatch found in d1: Token [0,19] [buffet/music/buying] vs. EventMentionSpan [13,19] [buying]"
    )


def test_a_segment_of_whole_tokens_is_no_conflict() -> None:
    repaired = repair(DINNER, [(13, 19)], separators="/")
    assert tokens_of(repaired) == ["buffet", "music", "buying"]
    assert repaired.mismatches == []


def test_a_segment_inside_a_token_cuts_it_twice_with_one_warning() -> None:
    repaired = repair("anti-warprotesters", [(8, 15)])
    assert tokens_of(repaired) == ["anti-war", "protest", "ers"]
    assert len(repaired.mismatches) == 1


def test_every_segment_of_a_token_counts() -> None:
    repaired = repair("reshooting/rebombing", [(13, 20), (2, 10)])
    assert tokens_of(repaired) == ["re", "shooting", "/re", "bombing"]
    assert [mismatch.segment.text for mismatch in repaired.mismatches] == ["shooting", "bombing"]


def test_a_segment_that_enters_from_the_left_cuts_where_it_ends() -> None:
    assert tokens_of(repair("at dawnish hours", [(0, 7)])) == ["at", "dawn", "ish", "hours"]


def test_overlapping_segments_cut_at_all_their_boundaries() -> None:
    assert tokens_of(repair("counterattackers", [(0, 13), (7, 16), (7, 13)])) == ["counter", "attack", "ers"]


def test_a_token_in_conflict_is_named_as_it_was_before_the_cut() -> None:
    mismatches = repair("reshooting/rebombing", [(2, 10), (13, 20)]).mismatches
    assert {mismatch.token.text for mismatch in mismatches} == {"reshooting/rebombing"}


def test_without_segments_the_tokens_stay() -> None:
    repaired = repair("The raid was planned.", [])
    assert tokens_of(repaired) == ["The", "raid", "was", "planned", "."]
    assert repaired.mismatches == []


def test_a_segment_over_a_line_break_is_warned_of_on_one_line() -> None:
    (mismatch,) = repair("theninvaded\nTarn", [(4, 16)]).mismatches
    assert str(mismatch).endswith("EventMentionSpan [4,16] [invaded Tarn]")
