"""TBF from characters to tokens and back, through token tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lydite
from lydite.cli import run

TABLES = ["--tokens", "examples/tokens"]
PAIRS = [
    ("examples/gold.tbf", "examples/gold.tokens.tbf"),
    *(
        (f"examples/systems/{name}.tbf", f"examples/systems-tokens/{name}.tbf")
        for name in ("alder", "birch", "cedar")
    ),
]


@pytest.mark.parametrize(("characters", "tokens"), PAIRS, ids=lambda path: Path(path).stem)
def test_the_example_corpus_goes_both_ways_byte_for_byte(
    characters: str, tokens: str, tmp_path: Path
) -> None:
    out = tmp_path / "out.tbf"
    assert run(["convert", characters, str(out), "--to-unit", "token", *TABLES]) == 0
    assert out.read_bytes() == Path(tokens).read_bytes()
    assert run(["convert", tokens, str(out), "--to-unit", "char", *TABLES]) == 0
    assert out.read_bytes() == Path(characters).read_bytes()


def test_converted_files_score_as_those_that_were_made_so(tmp_path: Path) -> None:
    for name, (characters, _) in zip(("gold", "alder"), PAIRS[:2], strict=True):
        run(["convert", characters, str(tmp_path / f"{name}.tbf"), "--to-unit", "token", *TABLES])
    files = [str(tmp_path / "gold.tbf"), str(tmp_path / "alder.tbf")]
    made = lydite.score(*files, tokens="examples/tokens")
    given = lydite.score(PAIRS[0][1], PAIRS[1][1], tokens="examples/tokens")
    assert made.signature == given.signature
    assert [row.to_dict() for row in made.rows] == [row.to_dict() for row in given.rows]


def test_where_spans_are_equal_or_not_the_unit_does_not_matter() -> None:
    # Equal characters are equal tokens when every mention is made of whole tokens; parts of spans would weigh otherwise.
    settings = {"profile": "exact", "task": "nugget"}
    by_character = lydite.score(PAIRS[0][0], PAIRS[1][0], **settings)
    by_token = lydite.score(PAIRS[0][1], PAIRS[1][1], tokens="examples/tokens", unit="token", **settings)
    assert [row.score for row in by_character.rows] == [row.score for row in by_token.rows]
    assert len(by_character.rows) > 4


TABLE = "t1\tThe\t0\t3\nt2\tguards\t4\t10\nt3\twere\t11\t15\nt4\tshot\t16\t20\nt5\tdead\t21\t25\n"


def convert(folder: Path, lines: str, *options: str, table: str = TABLE) -> tuple[int, str]:
    (folder / "tokens").mkdir(exist_ok=True)
    (folder / "tokens" / "d1.tab").write_text(table)
    (folder / "in.tbf").write_text(f"#BeginOfDocument d1\n{lines}#EndOfDocument\n")
    out = folder / "out.tbf"
    status = run(["convert", str(folder / "in.tbf"), str(out), "--tokens", str(folder / "tokens"), *options])
    return status, out.read_text() if out.exists() else ""


def mention(name: str, span: str) -> str:
    return f"sys\td1\t{name}\t{span}\tx\tLife_Die\tActual\t0.9\n"


def test_tokens_become_one_segment_per_run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status, written = convert(tmp_path, mention("E1", "t5,t4,t1"), "--to-unit", "char")
    assert status == 0
    assert written.split("\n")[1] == "sys\td1\tE1\t0,3;16,25\tx\tLife_Die\tActual\t0.9"
    assert capfd.readouterr().err.startswith("note: 1 document written as tbf\nkept: 1 mention, ")


def test_a_mention_that_is_not_made_of_whole_tokens_is_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    status, written = convert(tmp_path, mention("E1", "14,18") + mention("E2", "17,25"), "--to-unit", "token")
    assert status == 0
    assert [line.split("\t")[2:4] for line in written.split("\n")[1:-2]] == [["E2", "t5"]]
    error = capfd.readouterr().err
    assert (
        "in.tbf:2: warning: mention 'E1' at 14,18 covers no token and is covered by none; it is left out"
        in error
    )
    assert (
        "in.tbf:3: warning: mention 'E2' at 17,25 becomes t5, which stands for 21,25 [inexact-conversion]"
        in error
    )


def test_neighbours_written_as_two_segments_are_not_exactly_one(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    _, written = convert(tmp_path, mention("E1", "16,20;21,25"), "--to-unit", "token")
    assert "\tt4,t5\t" in written
    assert "becomes t4,t5, which stands for 16,25 [inexact-conversion]" in capfd.readouterr().err


def test_relations_lose_mentions_that_were_left_out(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    lines = mention("E1", "16,20") + mention("E2", "14,18") + mention("E3", "21,25")
    relations = "@Coreference\tC1\tE1,E2,E3\n@After\tR1\tE1,E2\n"
    _, written = convert(tmp_path, lines + relations, "--to-unit", "token")
    assert [line for line in written.split("\n") if line.startswith("@")] == ["@Coreference\tC1\tE1,E3"]
    error = capfd.readouterr().err
    assert "@Coreference C1 loses E2 [relation-of-mention-left-out]" in error
    assert "@After R1 is left out, because E2 was [relation-of-mention-left-out]" in error


def test_mentions_that_were_all_left_out_do_not_come_back_from_the_events_of_brat(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "d1.ann").write_text("T1\tLife_Die 14 18\te sh\nE7\tLife_Die:T1\n")
    (tmp_path / "d1.tab").write_text(TABLE)
    out = tmp_path / "out.tbf"
    options = ["--to-unit", "token", "--tokens", str(tmp_path)]
    assert run(["convert", "nugget", str(tmp_path / "in"), str(out), *options]) == 0
    assert out.read_text() == "#BeginOfDocument d1\n#EndOfDocument\n"


def test_triggers_of_events_without_mentions_become_tokens(tmp_path: Path) -> None:
    event = {"type": "Life_Die", "trigger": [[16, 20]], "realis": "Actual", "text": "shot"}
    lines = {"schema": "lydite.document/1", "doc_id": "d1", "layers": {"events": [event]}}
    (tmp_path / "in.jsonl").write_text(json.dumps(lines) + "\n")
    (tmp_path / "d1.tab").write_text(TABLE)
    out = tmp_path / "out.tbf"
    options = ["--to-unit", "token", "--tokens", str(tmp_path)]
    assert run(["convert", "nugget", str(tmp_path / "in.jsonl"), str(out), *options]) == 0
    assert "\tE1\tt4\tshot\t" in out.read_text()


def test_an_unknown_token_refuses_the_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status, written = convert(tmp_path, mention("E1", "t4,t77"), "--to-unit", "char")
    assert (status, written) == (3, "")
    assert "error: token 't77' is not in the token table" in capfd.readouterr().err


def test_read_as_official_the_known_tokens_remain(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status, written = convert(
        tmp_path, mention("E1", "t4,t77"), "--to-unit", "char", "--reading", "as-official"
    )
    assert status == 0
    assert "\t16,20\t" in written
    assert "warning: token 't77' is not in the token table" in capfd.readouterr().err


def test_a_token_without_offsets_refuses_the_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    table = TABLE.replace("16\t20", "-\t-")
    assert convert(tmp_path, mention("E1", "t4"), "--to-unit", "char", table=table)[0] == 3
    assert "error: token 't4' has no offsets in" in capfd.readouterr().err


def test_a_missing_table_refuses_the_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lines = (
        mention("E1", "t4")
        + "#EndOfDocument\n#BeginOfDocument d2\n"
        + mention("E1", "t4").replace("d1", "d2")
    )
    assert convert(tmp_path, lines, "--to-unit", "char")[0] == 3
    assert "error: no token table d2.tab in" in capfd.readouterr().err


def test_without_tables_units_cannot_change(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["convert", "examples/gold.tbf", str(tmp_path / "o.tbf"), "--to-unit", "token"]) == 2
    assert "needs token tables" in capfd.readouterr().err


def test_ids_of_another_spelling_are_understood(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    status, written = convert(
        tmp_path, mention("E1", "t4"), "--to-unit", "char", table=TABLE.replace("t", "")
    )
    assert status == 0
    assert "\t16,20\t" in written
    assert "token-id-spelling" not in capfd.readouterr().err


def test_ids_of_another_spelling_are_told_of_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lines = mention("E1", "4") + mention("E2", "3,4")
    status, written = convert(tmp_path, lines, "--to-unit", "char", "--unit", "token")
    assert status == 0
    assert "\t11,20\t" in written
    assert capfd.readouterr().err.count("[token-id-spelling]") == 1


def test_ids_that_look_like_offsets_are_warned_of(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    table = "".join(line[1:] + "\n" for line in TABLE.splitlines())
    _, written = convert(tmp_path, mention("E1", "16,25"), "--to-unit", "token", table=table)
    assert "\t4,5\t" in written
    assert "[ambiguous-token-ids]" in capfd.readouterr().err


def test_the_same_unit_stays_as_it_is(tmp_path: Path) -> None:
    out = tmp_path / "out.tbf"
    assert run(["convert", "examples/gold.tbf", str(out), "--to-unit", "char"]) == 0
    assert out.read_bytes() == Path("examples/gold.tbf").read_bytes()


def test_a_folder_as_target_takes_one_file_per_document(tmp_path: Path) -> None:
    assert run(["convert", "examples/gold.tbf", str(tmp_path), "--to-unit", "token", *TABLES]) == 0
    assert len(list(tmp_path.glob("*.tbf"))) == 20
