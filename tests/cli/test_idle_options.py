"""Options that would have no effect are refused or told; settings of the surroundings never are."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from lydite.cli import run

Capture = pytest.CaptureFixture[str]
GOLD, ALDER, BIRCH = "examples/gold.tbf", "examples/systems/alder.tbf", "examples/systems/birch.tbf"
TRIPLES = ("examples/triples/gold.trp", "examples/triples/system.trp")
COREF = tuple(f"tests/conformance/coref/multi-part/{name}.conll" for name in ("key", "response"))
DOC = ("--doc", "nw01-depot")
STORES = ("examples/arguments/annotation", "examples/arguments/systems/alder")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("score", "--best-per-team"), "--best-per-team needs --runs"),
        (("compare", BIRCH, "--best-per-team"), "--best-per-team needs --runs"),
        (("adjudicate", "-o", "sheet.csv", "--to", "tbf"), "--to needs --decisions"),
        (("compare", BIRCH, "--gold-before", GOLD, "--format", "csv"), "--gold-before has no place"),
        (("score", "--comparison", "c.txt"), "--comparison has no place in --format text"),
        (("score", "--max-drop", "0.1"), "--max-drop needs --against"),
        (
            ("report", "-o", "page.xlsx", "--gold-before", GOLD),
            "--gold-before has no place in a workbook",
        ),
    ],
)
def test_an_option_that_would_have_no_effect_is_refused(
    words: tuple[str, ...], told: str, capsys: Capture
) -> None:
    verb, *more = words
    assert run([verb, GOLD, ALDER, *more]) == 2
    output = capsys.readouterr()
    assert told in output.err
    assert "  hint: " in output.err
    assert not output.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("score", "--seed", "0"), "--seed has no effect without --ci"),
        (("score", "--resample-by", "document"), "--resample-by has no effect without --ci"),
        (("score", "--resamples", "9"), "--resamples has no effect without --ci"),
        (("score", "--level", "0.9"), "--level has no effect without --ci"),
        (("score", "--interval", "percentile"), "--interval has no effect without --ci"),
        (("explain", "--context", "2"), "--context has no effect"),
        (("explain", "--context", "2", *DOC, "--format", "csv"), "--context has no effect"),
        (("explain", "--context", "2", *DOC, "--by", "type"), "--context has no effect"),
        (("explain", "--max", "2"), "--max has no effect"),
        (("explain", BIRCH, "--max", "0"), "--max has no effect"),
        (("explain", "--by", "type", "--max", "2"), "--max has no effect"),
        (("explain", "--confusion", "type", "--max", "2", "--format", "csv"), "--max has no effect"),
        (
            ("compare", BIRCH, "--top", "3", "--format", "markdown"),
            "--top has no effect in --format markdown",
        ),
        (
            ("compare", "--gold-before", GOLD, "--correction", "none"),
            "--correction has no effect on a single system",
        ),
        (("compare", "--gold-before", GOLD, "--alpha", "0.1"), "--alpha has no effect on a single system"),
        (("compare", "--gold-before", GOLD, "--top", "3"), "--top has no effect on a single system"),
        (
            ("compare", "--gold-before", GOLD, "--against", "alder"),
            "--against has no effect on a single system",
        ),
        (("report", "-o", "{}/page.xlsx", "--max-size", "25"), "--max-size has no effect"),
        (("report", "-o", "{}/pages/", "--max-size", "25"), "--max-size has no effect"),
    ],
)
def test_an_option_that_only_tunes_what_was_not_asked_for_is_told(
    words: tuple[str, ...], told: str, tmp_path: Path, capsys: Capture
) -> None:
    verb, *more = (word.replace("{}", str(tmp_path)) for word in words)
    assert run([verb, GOLD, ALDER, *more]) == 0
    assert f"note: {told}" in capsys.readouterr().err


def test_nobody_shares_the_work_where_saved_summaries_are_compared(tmp_path: Path, capsys: Capture) -> None:
    saved = [f"{tmp_path}/{name}.json" for name in ("one", "other")]
    for system, path in zip((ALDER, BIRCH), saved, strict=True):
        assert run(["score", GOLD, system, "-q", "--format", "json", "-o", path]) == 0
    assert run(["compare", "--summaries", *saved, "--resamples", "9", "-j", "2"]) == 0
    assert "note: --jobs has no effect with --summaries" in capsys.readouterr().err


@pytest.mark.parametrize("words", [("explain",), ("report", "-o", "{}/page.xlsx")])
def test_a_folder_of_texts_that_nothing_is_looked_up_in_is_told(
    words: tuple[str, ...], tmp_path: Path, capsys: Capture
) -> None:
    verb, *more = (word.replace("{}", str(tmp_path)) for word in words)
    assert run([verb, *TRIPLES, *more, "--documents", str(tmp_path)]) == 0
    assert "note: --documents has no effect" in capsys.readouterr().err


def test_a_folder_of_texts_is_taken_where_offsets_are_held_against_it(
    tmp_path: Path, capsys: Capture
) -> None:
    assert (
        run(["report", GOLD, ALDER, "-q", "-o", f"{tmp_path}/page.xlsx", "--documents", "examples/text"]) == 0
    )
    for verb in ("explain", "agree"):
        assert run([verb, GOLD, ALDER, "-q", "--documents", "examples/text"]) == 0
    assert not capsys.readouterr().err


@pytest.mark.parametrize("verb", ["explain", "agree"])
def test_a_setting_of_the_surroundings_may_have_no_effect(
    verb: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("LYDITE_DOCUMENTS", "examples/text")
    monkeypatch.setenv("LYDITE_SEED", "3")
    assert run([verb, *TRIPLES, "-q"]) == 0
    assert run([verb, GOLD, ALDER, "-q"]) == 0
    assert not capsys.readouterr().err


def test_a_document_of_a_corpus_that_is_scored_as_one_is_not_scored_alone(capsys: Capture) -> None:
    for unit, status in {"document": 0, "corpus": 3}.items():
        alone = ("--only-document", "(d1); part 000", "--unit", unit)
        assert run(["score", *COREF, *alone, "-q"]) == status
    assert "hint: documents are scored together; --unit document" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["PROFILE", "ATTRIBUTES", "PAIRING", "COREF_THRESHOLD", "TOKEN_HEADER"])
def test_an_empty_variable_of_the_environment_says_nothing(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv(f"LYDITE_{name}", "")
    assert run(["score", "examples/gold.tokens.tbf", "examples/systems-tokens/alder.tbf", "-q"]) == 0
    assert capsys.readouterr().out.startswith("nugget · kbp2015 · 20 gold documents")


def test_texts_that_the_surroundings_name_are_shown_as_those_of_the_command_line_are(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def shown(*more: str) -> str:
        assert run(["explain", GOLD, ALDER, "-q", *DOC, *more]) == 0
        return capsys.readouterr().out

    said, without = shown("--documents", "examples/text"), shown()
    monkeypatch.setenv("LYDITE_DOCUMENTS", "examples/text")
    assert shown() == said != without


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((GOLD, ALDER, "--token-suffix", ".t"), "--token-suffix has no effect without --tokens"),
        (
            (GOLD, ALDER, "--muc-alignment", "best"),
            "--muc-alignment has no effect without --measures muc-partial",
        ),
        ((*COREF, "--macro-f", "harmonic"), "--macro-f has no effect without --averages macro"),
        ((*COREF, "--complete"), "--complete has no effect without --metrics blanc-original"),
        (("arguments", *STORES, "--linking", "no"), "--linking has no effect without --frames"),
    ],
)
def test_a_setting_that_changes_nothing_beside_the_others_is_told(
    words: tuple[str, ...], told: str, capsys: Capture
) -> None:
    assert run(["score", *words]) == 0
    assert f"note: {told}\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        (GOLD, ALDER, "--muc-alignment", "best", "--measures", "detection,muc-partial"),
        (*COREF, "--macro-f", "harmonic", "--averages", "micro,macro"),
        (*COREF, "--complete", "--metrics", "blanc-original"),
        (GOLD, ALDER, "--link-order", "order.json", "--sequencing", "auto"),
    ],
)
def test_a_setting_that_counts_or_may_count_is_not_told(
    words: tuple[str, ...], capsys: Capture, tmp_path: Path
) -> None:
    order = tmp_path / "order.json"
    order.write_text("{}", encoding="utf-8")
    run(["score", *(str(order) if word == "order.json" else word for word in words)])
    assert "has no effect" not in capsys.readouterr().err


def test_a_setting_of_the_surroundings_that_changes_nothing_is_not_told(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LYDITE_TOKEN_SUFFIX", ".t")
    assert run(["score", GOLD, ALDER]) == 0
    assert "has no effect" not in capsys.readouterr().err


@pytest.mark.parametrize("words", [("-",), ("--runs", "runs")])
def test_the_surroundings_count_where_only_the_files_tell_the_task(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    block = "#BeginOfDocument d\ns\td\tE1\t0,4\tFire\tOdd\tActual\n#EndOfDocument\n"
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "a.tbf").write_text(block, encoding="utf-8")
    (tmp_path / "types.txt").write_text("Life_Die\n", encoding="utf-8")
    (tmp_path / "lydite.toml").write_text('[nugget]\ntype-list = "types.txt"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(block.encode())))
    assert run(["validate", *words]) == 1
    assert "[unknown-type]" in capsys.readouterr().out
