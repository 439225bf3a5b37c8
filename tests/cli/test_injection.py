"""Names come from files of others: they move no cursor, forge no line, lead out of no folder and run nowhere."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from lxml.etree import fromstring
from markdown_it import MarkdownIt

from lydite.cli import run
from lydite.errors import Finding, Location
from lydite.escaping import printable, printable_lines, would_run
from lydite.formats import FORMATS
from lydite.report.tables import Table, html_table, latex, markdown, markdown_lines, titled_markdown
from lydite.report.text import plain_text, text_lines
from terminals import seen_in_terminal

GOLD, ALDER = "examples/gold.tbf", "examples/systems/alder.tbf"
LYDITE = [sys.executable, "-m", "lydite"]
MENTION = {"id": "E1", "span": [[0, 3]], "text": "got", "type": "Life_Die", "realis": "Actual"}


def document(**changes: object) -> dict[str, object]:
    return {"schema": "lydite.document/1", "doc_id": "d1", "mentions": [MENTION], **changes}


def written(folder: Path, *documents: dict[str, object]) -> str:
    path = folder / "in.lydite.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in documents), encoding="utf-8")
    return str(path)


# ------------------------------------------------------------------------------------------------ what is shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("d1\x1b[2J", r"d1\x1b[2J"),
        ("a\nb\tc\rd", r"a\nb\tc\rd"),
        ("\x9b31m\x7f\x00", r"\x9b31m\x7f\x00"),
        ("caf\udce9", r"caf\xe9"),
        ("\ud800", r"\ud800"),
        ("a\u202eb\u2028c", r"a\u202eb\u2028c"),
        ("Zürich – 漢字 \u200e", "Zürich – 漢字 \u200e"),
    ],
)
def test_control_characters_are_shown_as_escapes(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert printable(printable_lines(text)) == shown


def test_a_finding_is_one_line_and_its_hint_another() -> None:
    finding = Finding("x", "error", "a\nb", Location("p\x1b\n1", 3), hint="try\r\nthis")
    assert str(finding) == "p\\x1b\\n1:3: error: a\\nb [x]\n  hint: try\\r\\nthis"


NASTY = Table("ti\x1btle\n", ("sys\ntem", "F1"), (("a\nb\x1b[31m|<b>`x`[y](z)_&%$\\", "1"),))


def test_no_table_shows_control_characters_or_forged_rows() -> None:
    assert len(plain_text(NASTY).splitlines()) == 3
    assert len(markdown(NASTY).splitlines()) == 3
    assert len(latex(NASTY).splitlines()) == len(latex(NASTY._replace(rows=(("a", "1"),))).splitlines())
    for render in (plain_text, markdown, latex, html_table):
        assert not set(render(NASTY)) & {"\x1b", "\r"}
    for width in (1, 20, 80):
        assert all(line.text.isprintable() for line in text_lines(NASTY, width))


def test_what_markdown_and_latex_would_interpret_is_escaped() -> None:
    assert r"a\\nb\\x1b\[31m\|\<b\>\`x\`\[y\](z)\_\&%\$\\" in markdown(NASTY)
    assert r"\_\&\%\$\textbackslash{}" in latex(NASTY)


@pytest.mark.parametrize(
    "name",
    ["*run*", "__x__", "_a_b_", "~~old~~", "a | b", "`rm`", "<b>", "&lt;", "[x](y)", "![x](y)", "a\\*b*", "# 1",
     "- x", "+ x", "1. x", "2) x", "***", "---"],
)  # fmt: skip
def test_names_come_out_of_markdown_as_they_are(name: str) -> None:
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    written = titled_markdown(Table(name, (name, "F1"), ((name, "1"), (name, "2")), marked=frozenset({1})))
    page = fromstring(f"<page>{reader.render(written)}</page>")
    assert ["".join(one.itertext()) for one in page.findall("p")] == [name]
    cells = ["".join(one.itertext()) for one in page.iter() if one.tag in {"th", "td"}]
    assert cells == [name, "F1", name, "1", name, "2"]
    lines = f"{name}\n```\n    {name}"
    block = fromstring(f"<page>{reader.render(markdown_lines(lines))}</page>")
    assert "".join(block.itertext()) == f"{lines}\n\n"


def test_a_name_that_latex_would_take_for_an_option_or_print_as_another_sign_is_kept_from_it() -> None:
    shown = latex(Table("t", ("type|level", "n"), (("[1]", "1"), ("*", "2"), ("<a>", "3"))))
    assert r"type\textbar{}level & n" in shown
    assert "\n{}[1] & 1" in shown
    assert "\n{}* & 2" in shown
    assert r"\textless{}a\textgreater{} & 3" in shown


def test_a_file_name_is_escaped_in_latex(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    system = tmp_path / "a_b&\\input{x}%\n\x1b.tbf"
    system.write_bytes(Path(ALDER).read_bytes())
    assert run(["score", GOLD, str(system), ALDER, "--format", "latex", "-q"]) == 0
    out = capfd.readouterr().out
    assert r"a\_b\&\textbackslash{}input\{x\}\%\textbackslash{}n\textbackslash{}x1b" in out
    assert "\x1b" not in out


@pytest.mark.parametrize("layout", ["text", "json", "csv", "markdown", "latex", "official"])
def test_a_terminal_is_shown_no_escape_of_the_input(tmp_path: Path, layout: str) -> None:
    source = written(
        tmp_path, document(doc_id="d\x9b2J\x1b]0;evil\x07", mentions=[{**MENTION, "type": "T\x1b[5m"}])
    )
    words = ["score", "nugget", source, source, "--by", "doc,type", "--format", layout]
    _, seen = seen_in_terminal([*LYDITE, *words])
    for raw in ("\x1b]0;evil", "\x1b[5m", "\x9b", "\x07"):
        assert raw not in seen
    assert "evil" in seen or layout == "official"


# ---------------------------------------------------------------------------------------------------- forged lines


@pytest.mark.parametrize("name", [name for name in FORMATS if FORMATS[name].in_lines])
@pytest.mark.parametrize("sign", ["\n", "\t", "\r", "\x85"])
def test_a_document_id_with_a_line_break_is_refused_by_formats_of_lines(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str, sign: str
) -> None:
    source = written(tmp_path, document(doc_id=f"d1{sign}#EndOfDocument"))
    assert run(["convert", "nugget", source, str(tmp_path / "out"), "--to", name]) in {2, 3}
    assert "Traceback" not in capfd.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.lydite.jsonl"]


@pytest.mark.parametrize("key", ["id", "text", "type", "realis"])
@pytest.mark.parametrize("name", ["tbf", "brat", "conll", "semeval", "corefud", "cluster-table"])
def test_nothing_of_a_mention_forges_a_line(tmp_path: Path, name: str, key: str) -> None:
    def lines(value: str) -> int:
        source = written(tmp_path, document(mentions=[{**MENTION, key: value}]))
        target = tmp_path / "out"
        assert run(["convert", "nugget", source, str(target), "--to", name, "-q"]) == 0
        return len(target.read_bytes().splitlines())

    assert lines("a\nT9\tx 1 2\ty\r\n#EndOfDocument\n\tz") <= lines("a")


def test_rows_of_csv_are_one_line_each(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = written(tmp_path, document(doc_id="d\n9\t8"))
    assert run(["score", "nugget", source, source, "--by", "doc,type", "--format", "csv", "-q"]) == 0
    header, *rows = capfd.readouterr().out.splitlines()
    assert {row.count(",") for row in rows} == {header.count(",")}
    assert any(r"d\n9\t8" in row for row in rows)


def test_an_argument_with_a_tab_is_not_written_to_a_store(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    made = tmp_path / "made.lydite.jsonl"
    assert run(["convert", "arguments", "examples/arguments/systems/alder", str(made), "-q"]) == 0
    made.write_text(made.read_text("utf-8").replace('"role":"', '"role":"x\\ty', 1), encoding="utf-8")
    assert run(["convert", "arguments", str(made), f"{tmp_path}/store/", "--to", "eal", "-q"]) == 3
    assert "[unwritable-text]" in capfd.readouterr().err
    assert not (tmp_path / "store").exists()


# ------------------------------------------------------------------------------------------------ out of a folder


@pytest.mark.parametrize("doc_id", ["../secret", "x/../../secret", "ABSOLUTE", "a\0b", "..", "."])
def test_a_document_id_reads_no_file_outside_of_the_folders(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], doc_id: str
) -> None:
    for ending in (".tab", ".txt.tab", ".txt"):
        (tmp_path / f"secret{ending}").write_text("t1\tpassword\t0\t3\n", encoding="utf-8")
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "x").mkdir()
    doc_id = str(tmp_path / "secret") if doc_id == "ABSOLUTE" else doc_id
    source = written(tmp_path, document(doc_id=doc_id))
    folder = str(tmp_path / "inside")
    assert run(["validate", "nugget", source, "--tokens", folder, "--documents", folder, "-v"]) in {0, 1}
    assert "password" not in "".join(capfd.readouterr())


@pytest.mark.parametrize("doc_id", ["../x", "/x", "..\\x", "a\0b", "..", "x" * 300, "\ud800"])
@pytest.mark.parametrize("target", ["out/", "out.zip"])
def test_a_document_id_writes_no_file_outside_of_the_output(tmp_path: Path, doc_id: str, target: str) -> None:
    source = written(tmp_path, document(doc_id=doc_id), document(doc_id="d2"))
    assert run(["convert", "nugget", source, f"{tmp_path}/{target}", "--to", "brat", "-q"]) in {0, 2, 3}
    assert {path.name for path in tmp_path.iterdir()} <= {"in.lydite.jsonl", target.rstrip("/")}
    inside = list((tmp_path / "out").rglob("*")) if (tmp_path / "out").is_dir() else []
    assert all(path.parent == tmp_path / "out" for path in inside)


# ------------------------------------------------------------------------------------------------------- formulas


@pytest.mark.parametrize("cell", ["=1+1", "+cmd|'/C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "-LRB-"])
def test_a_cell_that_a_spreadsheet_would_run_is_known(cell: str) -> None:
    assert would_run(cell)


@pytest.mark.parametrize("cell", ["d1", "", "-3.5", "+7", "-", "1e-05", "-1e-05", "a=b"])
def test_other_cells_and_numbers_are_no_formulas(cell: str) -> None:
    assert not would_run(cell)


def test_a_table_with_formulas_is_flagged_and_exact(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    system = tmp_path / "=HYPERLINK(A1).tbf"
    system.write_bytes(Path(ALDER).read_bytes())
    assert run(["score", GOLD, str(system), "--by", "none", "--format", "csv"]) == 0
    said = capfd.readouterr()
    assert "stdout: warning: 1 cell would be run as a formula" in said.err
    assert "[formula-cell]" in said.err
    assert "\n=HYPERLINK(A1)" in said.out


def test_comparisons_and_verdicts_with_formulas_are_flagged_too(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    system = tmp_path / "=1+1.tbf"
    system.write_bytes(Path(ALDER).read_bytes().replace(b"\tbring\t", b"\t@SUM(A1)\t"))
    compared = ["compare", GOLD, str(system), ALDER, "--resamples", "9"]
    rows = tmp_path / "rows.csv"
    for words, cell in (
        ([*compared, "--format", "csv"], "=1+1"),
        (["explain", GOLD, str(system), "--format", "csv"], "@SUM(A1)"),
        (["explain", GOLD, str(system), ALDER, "--format", "csv", "--max", "1"], "=1+1"),
    ):
        assert run([*words, "-o", str(rows), "-q"]) == 0
        assert f"rows.csv: warning: 1 cell would be run as a formula by a spreadsheet program: {cell!r}" in (
            capfd.readouterr().err
        )
        assert cell in rows.read_text(encoding="utf-8")


def test_verdicts_have_one_line_each_whatever_their_texts_hold(tmp_path: Path) -> None:
    path = written(tmp_path, document(mentions=[{**MENTION, "text": "a\nb\x1b[31m\udc80"}]))
    rows = tmp_path / "rows.csv"
    assert run(["explain", "nugget", path, path, "--format", "csv", "-o", str(rows), "-q"]) == 0
    assert r"a\nb\x1b[31m\x80" in rows.read_text(encoding="utf-8")
    assert len(rows.read_bytes().splitlines()) == 3
