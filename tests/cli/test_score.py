from __future__ import annotations

import json
from pathlib import Path

import pytest

from lydite.cli import run

GOLD, ALDER, BIRCH, CEDAR = (
    "examples/gold.tbf", "examples/systems/alder.tbf", "examples/systems/birch.tbf", "examples/systems/cedar.tbf",
)  # fmt: skip
SAMPLE = (
    "#BeginOfDocument sample\n"
    "system1\tsample\tE2\tt1069\tmarried\tLife_Marry\tActual\t1\t1\t1\n"
    "system1\tsample\tE4\tt1096\tdivorced\tLife_Divorce\tActual\t1\t1\t1\n"
    "system1\tsample\tE5\tt1109\tmarried\tLife_Marry\tActual\t1\t1\t1\n"
    "system1\tsample\tE6\tt1157\tmarried\tLife_Marry\tActual\t1\t1\t1\n"
    "@Coreference\tR1\tE6,E2\n"
    "#EndOfDocument\n"
)

Capture = pytest.CaptureFixture[str]


def lydite(*arguments: object) -> int:
    return run([str(argument) for argument in arguments])


def test_two_files_and_nothing_else_are_enough(capsys: Capture) -> None:
    assert lydite("score", GOLD, ALDER) == 0
    output = capsys.readouterr()
    assert "type+realis *  detection           75.14  73.44  74.28" in output.out
    assert "lydite|t:nugget|p:kbp2017|" in output.out
    assert "note: task nugget" in output.err


def test_the_sample_of_the_scoring_document_scores_against_itself(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "sample.tbf"
    path.write_text(SAMPLE)
    assert lydite("score", path, path, "--format", "json") == 0
    output = capsys.readouterr()
    document = json.loads(output.out)
    assert document["profile"] == "kbp2015"
    detection = [row for row in document["scores"] if row["metric"] == "detection"]
    assert detection
    assert all(row["f1"] == 1 for row in detection)
    assert "the spans are token ids" in output.err


COREF = tuple(f"tests/conformance/coref/multi-part/{name}.conll" for name in ("key", "response"))
ACE = tuple(f"tests/conformance/ace/event_argument_errors/{name}" for name in ("ref", "sys"))


@pytest.mark.parametrize(
    ("files", "choice", "headline"),
    [
        ((GOLD, ALDER), ("--measures", "original"), "span * original 89.22 84.18 86.63"),
        ((GOLD, ALDER), ("--measures", "original-v1.0"), "span * original-v1.0 89.22"),
        ((GOLD, ALDER), ("--measures", "muc-partial"), "span * muc-partial 85.06"),
        (COREF, ("--metrics", "rand"), "coref * 63.89"),
        (COREF, ("--metrics", "adjusted-rand"), "coref * 25.86"),
        (("ace", *ACE), ("--kinds", "event"), "event * ace-value 75.76"),
    ],
)
def test_the_headline_is_a_figure_that_is_measured(
    files: tuple[str, ...], choice: tuple[str, str], headline: str, capsys: Capture
) -> None:
    assert lydite("score", *files, *choice, "-q", "--fail-under", 0.2) == 0
    assert headline in " ".join(capsys.readouterr().out.split())
    assert lydite("explain", *files, *choice, "-q") == 0


@pytest.mark.parametrize(
    ("layout", "option"),
    [
        ("csv", ("--curve",)),
        ("csv", ("--show-columns", "span")),
        ("json", ("--comparison", "c.txt")),
        ("json", ("--by", "type", "--what-if")),
        ("official", ("--by", "type")),
        ("official", ("--ci",)),
    ],
)
def test_what_a_layout_has_no_place_for_is_refused(
    layout: str, option: tuple[str, ...], capsys: Capture
) -> None:
    assert lydite("score", GOLD, ALDER, "--format", layout, *option) == 2
    told = capsys.readouterr()
    assert (
        f"{option[-1] if '--what-if' in option else option[0]} has no place in --format {layout}" in told.err
    )
    assert not told.out


def test_attributes_that_were_chosen_are_signed_where_the_files_hold_them(capsys: Capture) -> None:
    assert lydite("score", GOLD, ALDER, "--profile", "exact", "--attributes", "type", "-q") == 0
    assert "|p:exact|attributes:type|" in capsys.readouterr().out


def test_a_value_of_an_option_is_no_task_and_no_gold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    here = Path.cwd()
    gold, system = here / GOLD, here / ALDER
    monkeypatch.chdir(tmp_path)
    setting = ("--attributes", "type", "-q")
    # What was written is a table, and a table is one of coreference; the folder of runs is called like a task.
    for _ in range(2):
        words = ("score", "--format", "parquet", "-o", "rows.parquet", gold, system, *setting)
        assert lydite(*words) == 0
    Path("ace").mkdir()
    Path("ace/alder.tbf").write_bytes(system.read_bytes())
    assert lydite("score", "--runs", "ace", gold, *setting) == 0
    assert "nugget · kbp2017 · with attributes=type" in capsys.readouterr().out
    assert lydite("score", "--shared-attributes", "nugget", gold, system, *setting) == 0


def test_a_product_needs_its_factors(capsys: Capture) -> None:
    assert lydite("score", GOLD, ALDER, "--measures", "multiplicative") == 2
    assert "--measures original,multiplicative" in capsys.readouterr().err
    assert lydite("score", GOLD, ALDER, "--measures", "") == 2
    assert "expected at least one, found none" in capsys.readouterr().err


def test_many_systems_are_ordered_by_the_headline(capsys: Capture) -> None:
    assert lydite("score", GOLD, CEDAR, ALDER, BIRCH, "-q") == 0
    lines = capsys.readouterr().out.splitlines()
    assert "measurement  figure  alder  birch  cedar" in lines


def test_each_entry_of_a_folder_of_runs_is_a_system(capsys: Capture) -> None:
    assert lydite("score", GOLD, "--runs", "examples/systems", "-q") == 0
    assert "3 systems" in capsys.readouterr().out


@pytest.mark.parametrize("layout", ["text", "markdown", "latex"])
def test_tables_for_people_say_what_stands_above_them(layout: str, capsys: Capture) -> None:
    """Whose figures these are, how the parts are measured, where a curve is best."""
    assert lydite("score", GOLD, ALDER, "--by", "type", "--curve", "--format", layout, "-q") == 0
    output = capsys.readouterr().out
    for title in ("alder", "type+realis by type", "alder, by confidence of the span; best F1 75.43 at 0.6; "):
        assert title in output, output[:200]


@pytest.mark.parametrize(
    ("name", "thresholds"),
    [
        ("span", ["0.9", "0.2"]),
        ("type", ["0.5", "0.1"]),
        ("realis", ["0.6", "0.4"]),
        ("product", ["0.054", "0.04"]),
    ],
)
def test_a_curve_goes_by_the_confidence_that_is_chosen(
    name: str, thresholds: list[str], tmp_path: Path, capsys: Capture
) -> None:
    path = tmp_path / "sure.tbf"
    lines = [
        "E1\t0,4\tkill\tLife_Die\tActual\t0.9\t0.1\t0.6",
        "E2\t9,12\tdies\tLife_Die\tActual\t0.2\t0.5\t0.4",
    ]
    path.write_text(
        "\n".join(["#BeginOfDocument d", *(f"s\td\t{line}" for line in lines), "#EndOfDocument\n"])
    )
    assert (
        lydite("score", "nugget", path, path, "--curve", "--confidence", name, "--format", "json", "-q") == 0
    )
    (curve,) = json.loads(capsys.readouterr().out)["diagnosis"]["curves"]
    assert name in curve["confidence"]
    assert [point["threshold"] for point in curve["points"]] == pytest.approx([*map(float, thresholds)])


def test_a_curve_needs_the_confidence_that_is_chosen(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "sure.tbf"
    path.write_text("#BeginOfDocument d\ns\td\tE1\t0,4\tkill\tLife_Die\tActual\t0.9\n#EndOfDocument\n")
    assert lydite("score", "nugget", path, path, "--curve", "--confidence", "product") == 2
    assert "1 of 1 items have no product of the confidences" in capsys.readouterr().err


@pytest.mark.parametrize("layout", ["text", "json", "csv", "markdown", "latex"])
def test_every_layout_holds_the_same_figures(layout: str, capsys: Capture) -> None:
    assert lydite("score", GOLD, ALDER, "--format", layout, "-q") == 0
    output = capsys.readouterr().out
    assert "74.28" in output or "0.742810113968707" in output


def test_nothing_is_rounded_in_the_summary_document(capsys: Capture) -> None:
    lydite("score", GOLD, ALDER, "--format", "json", "-q")
    document = json.loads(capsys.readouterr().out)
    row = next(
        row
        for row in document["scores"]
        if row["measurement"] == "type" and row["average"] == "micro" and not row["by"]
    )
    assert row["tally"]["gold_credit"] / row["tally"]["gold_total"] == row["recall"]
    assert document["schema"] == "lydite.summary/1"
    assert {"pairs", "missed", "spurious"} <= set(document["diagnosis"]["documents"][0])


def test_a_breakdown_by_document_and_type_is_shown(capsys: Capture) -> None:
    assert lydite("score", GOLD, ALDER, "--by", "type,doc", "-q") == 0
    output = capsys.readouterr().out
    assert "type+realis by type" in output
    assert "type+realis by document" in output


def test_an_unknown_breakdown_says_what_is_possible(capsys: Capture) -> None:
    assert lydite("score", GOLD, ALDER, "--by", "colour", "-q") == 2
    assert "can be broken down by doc, type" in capsys.readouterr().err


def test_the_official_report_is_the_reports_bytes(tmp_path: Path) -> None:
    report, comparison = tmp_path / "report.txt", tmp_path / "comparison.txt"
    case = Path("tests/conformance/nugget/multi-doc-micro-macro")
    arguments = [
        "score",
        "nugget",
        case / "gold.tbf",
        case / "system.tbf",
        "--format",
        "official",
        "-o",
        report,
    ]
    assert lydite(*arguments, "--reading", "as-official", "--comparison", comparison, "-q") == 0
    assert report.read_bytes() == (case / "report.txt").read_bytes()
    assert comparison.read_bytes() == (case / "comparison.txt").read_bytes()


def test_the_gate_is_closed_below_the_limit_and_open_above(capsys: Capture) -> None:
    assert lydite("score", GOLD, ALDER, "-q", "--fail-under", "0.7") == 0
    assert lydite("score", GOLD, ALDER, "-q", "--fail-under", "0.8") == 1
    assert "gate: alder: type+realis f1 is 0.74281, below 0.8" in capsys.readouterr().err
    assert lydite("score", GOLD, ALDER, "-q", "--fail-under", "type.micro.precision=0.82") == 0
    assert lydite("score", GOLD, ALDER, "-q", "--fail-under", "type.detection.macro.precision=0.83") == 1


@pytest.mark.parametrize("text", ["75", "high", "type=0.5", "type.accuracy=0.5", "colour.f1=0.5"])
def test_a_gate_that_cannot_be_understood_is_wrong_usage(text: str, capsys: Capture) -> None:
    assert lydite("score", GOLD, ALDER, "-q", "--fail-under", text) == 2
    assert "--fail-under" in capsys.readouterr().err


def test_a_setting_that_differs_from_the_profile_is_named(capsys: Capture) -> None:
    assert (
        lydite(
            "score", GOLD, ALDER, "-q", "--attributes", "type", "--quirk", "skip-documents-without-gold=off"
        )
        == 0
    )
    output = capsys.readouterr().out
    assert "with attributes=type, skip-documents-without-gold=off" in output
    assert "|attributes:type|skip-documents-without-gold:off|" in output


def test_switching_all_quirks_off_counts_every_document(capsys: Capture) -> None:
    assert lydite("score", GOLD, BIRCH, "-q", "--no-quirks", "--format", "json", "--by", "none") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["scores"][0]["tally"]["system_total"] == 283


def test_switching_all_quirks_off_beats_what_the_surroundings_switch_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    gold, system = Path(GOLD).resolve(), Path(BIRCH).resolve()
    (tmp_path / "lydite.toml").write_text("[nugget]\nplaceholder-never-matches = true\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LYDITE_SKIP_DOCUMENTS_WITHOUT_GOLD", "on")

    def is_on(*arguments: str) -> list[bool]:
        assert lydite("score", gold, system, "-q", "--no-quirks", *arguments, "--format", "json") == 0
        settings = json.loads(capsys.readouterr().out)["settings"]
        return [settings[name] for name in ("skip-documents-without-gold", "placeholder-never-matches")]

    assert is_on() == [False, False]
    assert is_on("--quirk", "placeholder-never-matches=on") == [False, True]


def test_the_environment_beats_the_file_however_the_file_spells_a_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    gold, system = Path(GOLD).resolve(), Path(ALDER).resolve()
    (tmp_path / "lydite.toml").write_text("coref-threshold = 0.9\n[nugget]\ncoref_threshold = 0.5\n")
    monkeypatch.chdir(tmp_path)
    assert lydite("score", gold, system, "-q") == 0
    assert "with coref-threshold=0.5 " in capsys.readouterr().out
    monkeypatch.setenv("LYDITE_COREF_THRESHOLD", "0.7")
    assert lydite("score", gold, system, "-q") == 0
    assert "with coref-threshold=0.7 " in capsys.readouterr().out


def test_option_beats_environment_beats_file_beats_profile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    paths = [Path(name).resolve() for name in (GOLD, ALDER)]
    monkeypatch.chdir(tmp_path)

    def profile(*arguments: str) -> str:
        assert lydite("score", *paths, "-q", *arguments) == 0
        return capsys.readouterr().out.splitlines()[0].split(" · ")[1]

    assert profile() == "kbp2017"
    (tmp_path / "lydite.toml").write_text('[nugget]\nprofile = "exact"\n')
    assert profile() == "exact"
    monkeypatch.setenv("LYDITE_PROFILE", "modern")
    assert profile() == "modern"
    (tmp_path / "lydite.toml").write_text('profile = "exact"\n')
    assert profile() == "modern"
    assert profile("--profile", "kbp2016") == "kbp2016"


def test_a_page_takes_a_profile_of_ones_own_from_where_a_score_takes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    paths = [Path(name).resolve() for name in (GOLD, ALDER)]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lydite.toml").write_text('[nugget]\nprofile = "mine.toml"\n')
    (tmp_path / "mine.toml").write_text('extends = "kbp2017"\n')
    assert lydite("report", *paths, paths[1], "-o", "page.html", "-q") == 0, capsys.readouterr().err


def test_paths_of_a_settings_file_in_a_folder_above_begin_where_it_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    paths = [
        Path(name).resolve() for name in ("examples/gold.tokens.tbf", "examples/systems-tokens/alder.tbf")
    ]
    (tmp_path / "tables").symlink_to(Path("examples/tokens").resolve())
    (tmp_path / "lydite.toml").write_text('profile = "mine.toml"\n[nugget]\ntokens = "tables"\n')
    (tmp_path / "mine.toml").write_text('extends = "kbp2015"\n')
    (tmp_path / "inside").mkdir()
    shown = []
    for folder in (tmp_path, tmp_path / "inside"):
        monkeypatch.chdir(folder)
        assert lydite("score", *paths, "-q") == 0, capsys.readouterr().err
        shown.append(capsys.readouterr().out.split("\n", 1)[1])
    assert shown[0] == shown[1]


def test_a_folder_that_is_gone_has_no_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [Path(name).resolve() for name in (GOLD, ALDER)]
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert lydite("score", *paths, "-q") == 0


@pytest.mark.parametrize(
    ("content", "hint"),
    [
        ('profile = "kbp216"\n', "this comes from lydite.toml"),
        ('profil = "kbp2016"\n', "did you mean 'profile'"),
        ("jobs = 4\n", "lydite list settings"),
        ("[nugget]\ncoref = 3\n", "lydite.toml"),
        ("[nuget]\n", "did you mean 'nugget'?"),
        ("profile =\n", "not valid TOML"),
    ],
)
def test_what_a_settings_file_gets_wrong_is_said(
    content: str, hint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    paths = [Path(name).resolve() for name in (GOLD, ALDER)]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lydite.toml").write_text(content)
    assert lydite("score", *paths) == 2
    assert hint in capsys.readouterr().err


def test_a_settings_file_may_hold_settings_of_other_tasks_and_underscores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    paths = [Path(name).resolve() for name in (GOLD, ALDER)]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lydite.toml").write_text('only_document = "nw01-depot"\nlayers = "opinion"\n')
    assert lydite("score", *paths, "-q") == 0
    assert "only-document=nw01-depot" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "profile"),
    [
        ('[tool.lydite]\nprofile = "exact"\n', "exact"),
        ('[tool.lydite.nugget]\nprofile = "exact"\n', "exact"),
        ('[project]\nname = "lydite-runs"\n', "kbp2017"),
        ("[tool.ruff\n", "kbp2017"),  # of other tools alone: not read, however broken
    ],
)
def test_settings_may_stand_in_the_file_of_a_project(
    content: str, profile: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    paths = [Path(name).resolve() for name in (GOLD, ALDER)]
    inner = tmp_path / "runs" / "today"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    (tmp_path / "pyproject.toml").write_text(content)
    assert lydite("score", *paths, "-q") == 0
    assert capsys.readouterr().out.splitlines()[0].split(" · ")[1] == profile


@pytest.mark.parametrize("content", ['tool = "lydite"\n', "[tool]\nlydite = 3\n"])
def test_settings_that_are_no_table_are_refused(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    paths = [Path(name).resolve() for name in (GOLD, ALDER)]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text(content)
    assert lydite("score", *paths) == 2
    assert "expected a table" in capsys.readouterr().err


def test_results_do_not_depend_on_the_number_of_processes(capsys: Capture) -> None:
    outputs = []
    for jobs in ("1", "2"):
        assert lydite("score", GOLD, ALDER, BIRCH, CEDAR, "-q", "--format", "json", "-j", jobs) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]


def test_a_list_of_documents_is_signed_by_what_it_says(tmp_path: Path, capsys: Capture) -> None:
    gold, system = "examples/arguments/annotation", "examples/arguments/systems/alder"

    def signature(folder: str, *documents: str) -> str:
        path = tmp_path / folder / "documents.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(documents), encoding="utf-8")
        assert lydite("score", "arguments", gold, system, "--document-list", path, "-q", "-o", path) == 2
        assert lydite("score", "arguments", gold, system, "--document-list", path, "-q") == 0
        return capsys.readouterr().out.splitlines()[-1]

    first = signature("a", "nw05-wenn", "nw02-march")
    assert signature("b", "nw05-wenn", "nw02-march") == first
    assert signature("a", "nw05-wenn", "nw01-depot") != first


@pytest.mark.parametrize("workers", [(), ("-j", "2")])
def test_the_first_line_says_how_many_gold_documents_are_scored(
    workers: tuple[str, ...], capsys: Capture
) -> None:
    words = ("score", "arguments", "examples/arguments/annotation", "examples/arguments/systems/alder", "-q")
    assert lydite(*words, "--document-list", "nw01-depot,nw05-wenn,gone", *workers) == 0
    assert " · 2 of 20 gold documents\n" in capsys.readouterr().out
    assert lydite(*words, *workers) == 0
    assert " · 20 gold documents\n" in capsys.readouterr().out
    nuggets = ("score", "examples/gold.tbf", "examples/systems/alder.tbf", "-q")
    assert lydite(*nuggets, "--only-document", "nw05-wenn", "--format", "json", *workers) == 0
    gold, system = json.loads(capsys.readouterr().out)["inputs"]
    assert (gold["documents"], gold["scored"]) == (20, 1)
    assert "scored" not in system


def test_a_list_of_documents_that_is_not_there_is_not_taken_for_a_document_in_silence(
    capsys: Capture,
) -> None:
    words = ("score", "arguments", "examples/arguments/annotation", "examples/arguments/systems/alder")
    assert lydite(*words, "--document-list", "gone.txt") == 0
    assert (
        "document-list names 'gone.txt', which neither gold nor the system alder has"
        in capsys.readouterr().err
    )
    assert lydite(*words, "--document-list", "nw01-depott,nw05-wenn") == 0
    assert "did you mean 'nw01-depot'" in capsys.readouterr().err


def test_a_pattern_that_is_none_is_refused_whether_it_is_used_or_not(capsys: Capture) -> None:
    assert lydite("score", GOLD, ALDER, "--topic-of", "(", "-q") == 2
    assert "setting 'topic-of': '(' is no regular expression" in capsys.readouterr().err


def test_a_reordered_or_reencoded_file_keeps_its_hash(tmp_path: Path, capsys: Capture) -> None:
    text = Path(ALDER).read_text()
    blocks = [block + "#EndOfDocument\n" for block in text.split("#EndOfDocument\n") if block.strip()]
    other = tmp_path / "other.tbf"
    other.write_bytes("".join(reversed(blocks)).replace("\n", "\r\n").encode())

    def signature(path: object) -> str:
        assert lydite("score", GOLD, path, "-q") == 0
        return capsys.readouterr().out.splitlines()[-1]

    assert signature(other) == signature(ALDER)


# ---------------------------------------------------------------------------------------------------- bad input


def _bad(tmp_path: Path, name: str) -> Path:
    path = tmp_path / "bad.tbf"
    good = Path(ALDER).read_text()
    content = {
        "empty": b"",
        "prose": b"This is not a submission.\n",
        "utf-16": good.encode("utf-16"),
        "latin-1": good.encode().replace(b"\tActual", b"\tActual\xe9", 1),
        "columns": good.replace("\t", " ").encode(),
        "cut": good[: len(good) // 2].encode(),
    }[name]
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("prose", "no-document"), ("utf-16", "null-character"), ("latin-1", "not-utf-8"),
        ("columns", "too-few-columns"), ("cut", "missing-footer"),
    ],
)  # fmt: skip
def test_broken_input_is_refused_with_its_code_and_no_output(
    name: str, code: str, tmp_path: Path, capsys: Capture
) -> None:
    output = tmp_path / "result.json"
    assert lydite("score", "nugget", GOLD, _bad(tmp_path, name), "--format", "json", "-o", output) == 3
    captured = capsys.readouterr()
    assert f"[{code}]" in captured.err
    assert captured.out == ""
    assert list(tmp_path.iterdir()) == [tmp_path / "bad.tbf"]


@pytest.mark.parametrize(("name", "said"), [("empty", "the file is empty"), ("utf-16", "save it as UTF-8")])
def test_why_a_file_holds_no_document_is_said(name: str, said: str, tmp_path: Path, capsys: Capture) -> None:
    assert lydite("score", "nugget", _bad(tmp_path, name), GOLD) == 3
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("task", "gold", "ending"),
    [
        ("nugget", GOLD, "tbf"),
        ("coref", "tests/conformance/coref/all-singletons-both/key.conll", "conll"),
        ("coref", "tests/conformance/coref-xml/closure-key/key.xml", "xml"),
        ("triples", "tests/conformance/triples/confusion/gold.trp", "trp"),
        ("ace", "examples/ace/gold", "xml"),
    ],
)
def test_a_system_that_wrote_an_empty_file_scores_zero_with_a_warning(
    task: str, gold: str, ending: str, tmp_path: Path, capsys: Capture
) -> None:
    nothing = tmp_path / f"nothing.{ending}"
    nothing.touch()
    assert lydite("score", task, gold, nothing) == 0
    captured = capsys.readouterr()
    assert "[empty-file]" in captured.err
    assert "0.00" in captured.out


def test_an_unreadable_file_is_refused_with_a_near_name(capsys: Capture) -> None:
    assert lydite("score", "nugget", GOLD, "examples/systems/aldr.tbf") == 3
    assert "did you mean 'alder.tbf'" in capsys.readouterr().err


def test_a_folder_without_submissions_is_refused(tmp_path: Path, capsys: Capture) -> None:
    assert lydite("score", "nugget", GOLD, tmp_path) == 3
    assert "[no-files]" in capsys.readouterr().err


def test_files_without_a_common_document_have_their_own_exit_status(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "other.tbf"
    path.write_text(
        "#BeginOfDocument elsewhere\ns\telsewhere\tE1\t0,5\tx\tLife_Die\tActual\n#EndOfDocument\n"
    )
    assert lydite("score", GOLD, path) == 4
    assert "[no-common-document]" in capsys.readouterr().err


def test_an_unknown_token_is_refused_where_there_is_a_table(tmp_path: Path, capsys: Capture) -> None:
    text = Path("examples/systems-tokens/alder.tbf").read_text()
    path = tmp_path / "bad.tbf"
    first = text.split("\t")[3]
    path.write_text(text.replace(f"\t{first}\t", "\tt99999\t", 1))
    arguments = ("score", "examples/gold.tokens.tbf", path, "--tokens", "examples/tokens")
    assert lydite(*arguments) == 3
    assert "[unknown-token]" in capsys.readouterr().err


def test_a_table_and_a_mention_may_spell_a_token_differently(tmp_path: Path, capsys: Capture) -> None:
    gold, tokens = tmp_path / "gold.tbf", tmp_path / "tokens"
    tokens.mkdir()
    (tokens / "sample.tab").write_text("".join(f"{n}\tw\t{n}\t{n + 1}\n" for n in (1069, 1096, 1109, 1157)))
    gold.write_text(SAMPLE)
    assert lydite("score", gold, gold, "--tokens", tokens) == 0
    assert "[token-id-spelling]" in capsys.readouterr().err
    assert lydite("score", gold, gold, "--tokens", tokens, "--reading", "as-official", "--coref", "off") == 0


def test_an_interrupted_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_anything: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.replace", interrupted)
    assert lydite("score", GOLD, ALDER, "-q", "-o", tmp_path / "result.txt") == 130
    assert list(tmp_path.iterdir()) == []


def test_a_defect_is_confessed_without_a_traceback(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    def broken(*_anything: object, **_more: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("lydite.cli.score.score_sides", broken)
    assert lydite("score", GOLD, ALDER) == 70
    error = capsys.readouterr().err
    assert "a defect of lydite" in error
    assert "Traceback" not in error


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["scor", GOLD, ALDER], "did you mean 'score' or"),
        (["score", GOLD], "lydite score --help"),
        (["score", "nuget", GOLD, ALDER], "did you mean 'nugget'?"),
        (["score", GOLD, ALDER, "--profile", "kbp215"], "kbp2015"),
        (["score", GOLD, ALDER, "--quirk", "skip-documents=off"], "skip-documents-without-gold"),
        (["score", GOLD, ALDER, "--quirk", "count-repeated-characters"], ""),
        (["score", GOLD, ALDER, "--unit", "words"], ""),
        (["score", GOLD, ALDER, BIRCH, "--format", "official"], "one by one"),
        (["score", GOLD, ALDER, "-o", "nowhere/at/all.txt"], ""),
        (["score", GOLD, ALDER, "-o", "examples"], "name a file in it"),
        (["score", GOLD, ALDER, "--fail-under", ""], "found nothing"),
        (["score", GOLD, ALDER, "--fail-under", "much"], "expected a fraction"),
        (["score", GOLD, ALDER, "--tokens", "nowhere"], "no such folder"),
        (["score", GOLD, ALDER, "--coref-threshold", "1.5"], "from 0 to 1"),
        (["score", GOLD, ALDER, "--coref-threshold", "nan"], "expected a number"),
        (["score", "examples/gold.tokens.tbf", "examples/gold.tokens.tbf", "--tokens", "examples/tokens",
          "--token-offsets", "2"], "for instance 2,3"),
        (["show", "profile", "kbp215"], "kbp2015"),
        (["cite", "nuget"], "did you mean 'nugget'?"),
        (["verify", "nowhere"], ""),
    ],
)  # fmt: skip
def test_wrong_usage_says_what_would_be_right(arguments: list[str], hint: str, capsys: Capture) -> None:
    assert lydite(*arguments) == 2
    assert hint in capsys.readouterr().err
