from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from lydite.cli import run

CASES = Path(__file__).parent.parent / "conformance" / "nugget-tokenize"
TEXTS = "examples/text"


def test_every_token_case_agrees(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(CASES), "--format", "json"]) == 0
    report = json.loads(capfd.readouterr().out)
    assert (report["summary"]["cases"], report["summary"]["agree"]) == (50, 50)
    left_out = {
        path.partition(".")[0].partition("[")[0] for case in report["cases"] for path in case["not_compared"]
    }
    assert left_out == {"official", "offsets_utf16", "other_versions"}


def test_a_case_with_another_token_differs(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = CASES / "boundary-cuts"
    for entry in source.iterdir():
        (tmp_path / entry.name).write_bytes(entry.read_bytes())
    expected = json.loads((tmp_path / "expected.json").read_text())
    expected["tokens"][3][1] += 1
    expected["warnings"][0] += "!"
    (tmp_path / "expected.json").write_text(json.dumps(expected))
    (tmp_path / "expected.tab").write_bytes(
        (tmp_path / "expected.tab").read_bytes().replace(b"1\t", b"2\t", 1)
    )
    assert run(["verify", str(tmp_path), "--format", "json"]) == 1
    (case,) = json.loads(capfd.readouterr().out)["cases"]
    assert [item["path"] for item in case["differences"]] == ["tokens[3][1]", "warnings[0]", "expected.tab"]


def test_texts_become_tables(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["tokenize", TEXTS, "-o", str(tmp_path / "tokens")]) == 0
    captured = capfd.readouterr()
    assert captured.out == f"{tmp_path / 'tokens'}: 20 tables, 2709 tokens\n"
    assert captured.err == ""
    assert len(list((tmp_path / "tokens").iterdir())) == 20


def test_a_second_run_is_refused_unless_forced(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["tokenize", f"{TEXTS}/nw01-depot.txt", "-o", str(tmp_path)]
    assert run(arguments) == 0
    assert run(arguments) == 2
    assert "nw01-depot.tab would be overwritten" in capfd.readouterr().err
    assert run([*arguments, "--force"]) == 0


def test_the_report_as_json(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "d1.txt").write_text("They made a buffet/music/buying\n")
    (tmp_path / "d1.ann").write_text("T1\tTransaction 25 31\tbuying\n")
    arguments = ["tokenize", str(tmp_path), "-o", str(tmp_path / "out"), "--annotation", str(tmp_path)]
    assert run([*arguments, "--separators", "", "--format", "json"]) == 0
    captured = capfd.readouterr()
    report = json.loads(captured.out)
    (file,) = report["files"]
    assert (report["schema"], report["written"], report["tokens"], report["cuts"]) == (
        "lydite.tokenize/1",
        True,
        5,
        1,
    )
    assert (file["document"], file["table"], file["tokens"], file["cuts"]) == ("d1", "d1.tab", 5, 1)
    assert [(finding["code"], finding["line"]) for finding in report["findings"]] == [
        ("boundary-mismatch", 1)
    ]
    assert "warning: Boundary mismatch found in d1: Token [12,31] [buffet/music/buying]" in captured.err


def test_refused_input_gives_exit_status_three_and_no_table(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.txt").write_bytes(b"caf\xe9")
    (tmp_path / "b.txt").write_text("good")
    assert run(["tokenize", str(tmp_path), "-o", str(tmp_path / "out")]) == 3
    captured = capfd.readouterr()
    assert captured.out == ""
    assert "a.txt:1:4: error: expected UTF-8 text, found byte 0xe9 [not-utf-8]" in captured.err
    assert not (tmp_path / "out").exists()
    assert run(["tokenize", str(tmp_path), "-o", str(tmp_path / "out"), "--format", "json"]) == 3
    report = json.loads(capfd.readouterr().out)
    assert (report["written"], [finding["code"] for finding in report["findings"]]) == (False, ["not-utf-8"])


@pytest.mark.parametrize("arguments", [["tokenize", TEXTS], ["tokenize", "-o", "x"]])
def test_wrong_usage_gives_exit_status_two(arguments: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    assert "Missing" in capfd.readouterr().err


def test_more_than_five_mismatches_are_grouped(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "d1.txt").write_text("shooting " * 9)
    (tmp_path / "d1.ann").write_text("".join(f"T{n}\tX {9 * n} {9 * n + 5}\tshoot\n" for n in range(9)))
    arguments = ["tokenize", str(tmp_path), "-o", str(tmp_path / "out"), "--annotation", str(tmp_path)]
    assert run(arguments) == 0
    assert "… and 4 more warnings [boundary-mismatch]; -v shows all" in capfd.readouterr().err
    assert run([*arguments, "--force", "-v"]) == 0
    assert capfd.readouterr().err.count("[boundary-mismatch]") == 9


def test_tables_serve_score_validate_and_convert(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tables = str(tmp_path / "tokens")
    assert run(["tokenize", TEXTS, "-o", tables]) == 0
    made = {name: str(tmp_path / f"{name}.tbf") for name in ("gold", "alder", "birch")}
    for name, target in made.items():
        source = "examples/gold.tbf" if name == "gold" else f"examples/systems/{name}.tbf"
        assert run(["convert", source, target, "--to-unit", "token", "--tokens", tables]) == 0
    token = ["--unit", "token", "--tokens", tables]
    capfd.readouterr()
    assert run(["validate", made["alder"], *token, "--profile", "kbp2017"]) == 0
    assert "valid" in capfd.readouterr().out
    assert run(["score", *made.values(), *token, "--profile", "kbp2017", "--format", "json"]) == 0
    assert json.loads(capfd.readouterr().out)["settings"]["unit"] == "token"


def test_annotated_text_gives_tables_in_which_every_mention_is_exact(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from lydite import convert, read

    gold = read("examples/gold.tbf")
    (tmp_path / "ann").mkdir()
    for doc_id, document in gold.documents.items():
        lines = [
            f"T{number}\t{mention.type} {';'.join(f'{b} {e}' for b, e in mention.span.ranges)}\t{mention.text}\n"
            for number, mention in enumerate(document.mentions, 1)
        ]
        (tmp_path / "ann" / f"{doc_id}.ann").write_text("".join(lines), encoding="utf-8")
    tables = str(tmp_path / "tokens")
    options = ["--annotation", str(tmp_path / "ann"), "--separators", ""]
    assert run(["tokenize", TEXTS, "-o", tables, *options]) == 0
    capfd.readouterr()
    converted = convert("examples/gold.tbf", to_unit="token", tokens=tables)
    assert sum(len(document.mentions) for document in converted.documents.values()) == 177
    assert [finding for document in converted.documents.values() for finding in document.findings] == []


def test_tokenize_loads_no_heavy_library(tmp_path: Path) -> None:
    code = (
        "import sys; from lydite.cli import run\n"
        f"assert run(['tokenize', '{TEXTS}', '-o', {str(tmp_path / 'out')!r}]) == 0\n"
        "assert not {'numpy', 'scipy', 'lxml', 'rich', 'jinja2'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
