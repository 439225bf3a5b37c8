from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from lydite.cli import all_verbs, lydite, run
from lydite.cli.options import TASK_KEY
from lydite.cli.score import command
from lydite.cli.verify import _block_of
from lydite.tasks import TASKS

ALDER = "examples/systems/alder.tbf"
Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("verb", all_verbs())
def test_every_verb_has_help_with_examples(verb: str, capsys: Capture) -> None:
    assert run([verb, "--help"]) == 0
    assert "Examples:" in capsys.readouterr().out


def _commands() -> Iterator[tuple[str, click.Command, click.Context]]:
    """Every verb, and every command of the verbs that have some."""
    with click.Context(lydite, info_name="lydite") as root:
        for verb in lydite.list_commands(root):
            command = lydite.get_command(root, verb)
            assert command is not None
            context = click.Context(command, info_name=verb, parent=root)
            yield verb, command, context
            for name in command.list_commands(context) if isinstance(command, click.Group) else ():
                inner = command.get_command(context, name)
                assert inner is not None
                yield f"{verb} {name}", inner, click.Context(inner, info_name=name, parent=context)


def test_the_examples_of_every_command_use_options_that_it_has(capsys: Capture) -> None:
    known = {f"--{setting}" for task in TASKS.values() for setting in task.settings.declared}
    commands = {
        name: {word for param in command.get_params(context) for word in (*param.opts, *param.secondary_opts)}
        for name, command, context in _commands()
    }
    for name in commands:
        assert run([*name.split(), "--help"]) == 0
        text = capsys.readouterr().out
        assert "Examples:" in text, name
        for line in re.findall(
            r"^ +(?:LYDITE_TOKEN=\S+ )?lydite (.+)$", text.partition("Examples:")[2], re.MULTILINE
        ):
            called = next(
                one for one in sorted(commands, key=len, reverse=True) if f"{line} ".startswith(f"{one} ")
            )
            used = set(re.findall(r"(?<!\S)--?[a-z][a-z-]*", line))
            assert used <= commands[called] | known, line


def test_settings_of_a_task_are_flags(capsys: Capture) -> None:
    assert run(["score", "nugget", "--help"]) == 0
    output = capsys.readouterr().out
    assert "--type-whitelist PATH" in output
    assert "skip-documents-without-gold" in output


def test_the_flags_of_a_task_are_made_once_for_a_verb() -> None:
    context = click.Context(command)
    context.meta[TASK_KEY] = TASKS["nugget"]
    first, again = command.get_params(context), command.get_params(context)
    assert [id(param) for param in first] == [id(param) for param in again]


def test_a_sound_file_is_valid(capsys: Capture) -> None:
    assert run(["validate", ALDER]) == 0
    assert "alder.tbf: valid, 1 warning" in capsys.readouterr().out


def test_all_findings_come_in_one_pass(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "bad.tbf"
    path.write_text(
        "#BeginOfDocument d1\n"
        "s\td1\tE1\t0,5\tx\tLife_Dye\tActual\n"
        "s\td1\tE1\t7,9\tx\tLife_Die\tPerhaps\n"
        "s\td1\tE2\t9,7\tx\tLife_Die\tActual\n"
        "@Coreference\tC1\tE1,E7\n"
        "#EndOfDocument\n"
    )
    assert run(["validate", str(path), "--format", "json"]) == 1
    (submission,) = json.loads(capsys.readouterr().out)["submissions"]
    found = {(item["code"], item["line"]) for item in submission["findings"]}
    assert {
        ("type-not-in-inventory", 2), ("duplicate-mention-id", 3), ("unknown-realis", 3), ("empty-span", 4),
        ("relation-unknown-mention", 5),
    } <= found  # fmt: skip
    hint = next(item["hint"] for item in submission["findings"] if item["code"] == "type-not-in-inventory")
    assert "Life_Die" in hint


def test_a_batch_gets_one_message_file_each_and_an_overview(tmp_path: Path, capsys: Capture) -> None:
    assert run(["validate", "--runs", "examples/systems", "-o", str(tmp_path / "messages")]) == 0
    names = sorted(path.name for path in (tmp_path / "messages").iterdir())
    assert names == ["alder.tbf.txt", "birch.tbf.txt", "cedar.tbf.txt", "overview.tsv"]
    assert "submission\tvalid" in capsys.readouterr().out


def test_mentions_that_were_handed_out_must_come_back_unchanged(tmp_path: Path, capsys: Capture) -> None:
    given, changed = tmp_path / "given.tbf", tmp_path / "changed.tbf"
    line = "s\td1\t{}\t{}\tx\tLife_Die\tActual\n"
    frame = "#BeginOfDocument d1\n{}#EndOfDocument\n"
    given.write_text(frame.format(line.format("E1", "0,5") + line.format("E2", "7,9")))
    changed.write_text(frame.format(line.format("E1", "0,6") + line.format("E3", "7,9")))
    assert run(["validate", "nugget", str(changed), "--given", str(given)]) == 1
    output = capsys.readouterr().out
    for code in ("given-mention-changed", "given-mention-missing", "mention-not-given"):
        assert f"[{code}]" in output
    assert run(["validate", "nugget", str(given), "--given", str(given)]) == 0


def test_documents_that_were_handed_out_must_come_back(tmp_path: Path, capsys: Capture) -> None:
    given, returned = tmp_path / "given.tbf", tmp_path / "returned.tbf"
    block = "#BeginOfDocument {0}\ns\t{0}\tE1\t0,5\tx\tLife_Die\tActual\n#EndOfDocument\n"
    given.write_text(block.format("d1") + block.format("d2") + "#BeginOfDocument d3\n#EndOfDocument\n")
    returned.write_text(block.format("d1"))
    assert run(["validate", "nugget", str(returned), "--given", str(given)]) == 1
    (line,) = (line for line in capsys.readouterr().out.splitlines() if "[given-mention-missing]" in line)
    assert "document 'd2' was handed out with 1 mention and is missing" in line


def test_a_submission_of_another_collection_is_not_valid_against_gold(
    tmp_path: Path, capsys: Capture
) -> None:
    other = tmp_path / "other.tbf"
    other.write_text(
        "#BeginOfDocument elsewhere\ns\telsewhere\tE1\t0,5\tx\tLife_Die\tActual\n#EndOfDocument\n"
    )
    assert run(["validate", str(other), "--gold", "examples/gold.tbf"]) == 1
    assert "[no-common-document]" in capsys.readouterr().out


def test_no_submission_is_judged_by_half_a_gold_file(tmp_path: Path, capsys: Capture) -> None:
    gold = tmp_path / "gold.tbf"
    gold.write_bytes(Path("examples/gold.tbf").read_bytes()[:3000])
    assert run(["validate", "examples/systems/alder.tbf", "--gold", str(gold)]) == 3
    captured = capsys.readouterr()
    assert "[missing-footer]" in captured.err
    assert captured.out == ""


@pytest.mark.parametrize("name", ["cut.tbf", "nowhere.tbf"])
def test_a_broken_file_that_was_handed_out_is_not_held_against_a_submission(
    name: str, tmp_path: Path, capsys: Capture
) -> None:
    returned = tmp_path / "returned.tbf"
    returned.write_text("#BeginOfDocument d1\n#EndOfDocument\n")
    (tmp_path / "cut.tbf").write_text("#BeginOfDocument d1\n#EndOfDocument\n#BeginOfDocument d2\n")
    assert run(["validate", "nugget", str(returned), "--given", str(tmp_path / name)]) == 3
    captured = capsys.readouterr()
    assert name in captured.err
    assert "not valid" not in captured.out


def test_the_text_column_is_checked_against_the_source(tmp_path: Path, capsys: Capture) -> None:
    assert run(["validate", ALDER, "--documents", "examples/text"]) == 0
    assert "text-mismatch" not in capsys.readouterr().out
    shifted = tmp_path / "shifted.tbf"
    lines = Path(ALDER).read_text().splitlines()
    lines[1] = lines[1].replace(lines[1].split("\t")[3], "0,3")
    shifted.write_text("\n".join(lines) + "\n")
    run(["validate", str(shifted), "--documents", "examples/text"])
    assert "[text-mismatch]" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words", ["validate {1}", "explain {0} {1} --doc nw04-sale", "adjudicate {0} {1} -o {2}"]
)
def test_a_folder_of_texts_that_is_not_there_is_no_missing_text(
    words: str, tmp_path: Path, capsys: Capture
) -> None:
    called = words.format("examples/gold.tbf", ALDER, tmp_path / "sheet.csv").split()
    assert run([*called, "--documents", "nowhere"]) == 3
    assert "nowhere: error: cannot be read" in capsys.readouterr().err


def test_what_needs_gold_is_found_beside_gold(capsys: Capture) -> None:
    assert run(["validate", "examples/systems/cedar.tbf", "--gold", "examples/gold.tbf"]) == 0
    assert "[document-missing-in-system]" in capsys.readouterr().out


def test_runs_of_one_name_and_two_teams_get_a_message_file_each(tmp_path: Path, capsys: Capture) -> None:
    for team in ("elm", "oak"):
        for number in "12":
            (tmp_path / "runs" / team / number).mkdir(parents=True)
            shutil.copy("examples/systems/cedar.tbf", tmp_path / "runs" / team / number)
    (tmp_path / "runs" / "notes.txt").write_text("hello")
    assert run(["validate", "--runs", str(tmp_path / "runs"), "-o", str(tmp_path / "out")]) == 0
    found = capsys.readouterr()
    assert [line.partition("\t")[0] for line in found.out.splitlines()[1:]] == [
        "elm/1",
        "elm/2",
        "oak/1",
        "oak/2",
    ]
    assert (tmp_path / "out" / "oak" / "1.txt").read_text() == "oak/1: valid\n"
    assert "ignored" in found.err


def test_gold_is_no_part_of_a_submission_whose_name_begins_alike(tmp_path: Path, capsys: Capture) -> None:
    shutil.copytree("examples/systems", tmp_path / "run")
    words = ["validate", "nugget", str(tmp_path / "run"), "--gold", str(tmp_path / "run-gold.tbf")]
    assert run(words) == 3
    found = capsys.readouterr()
    assert "nothing was validated" in found.err
    assert not found.out


def test_a_submission_that_cannot_be_read_stops_no_other_however_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "x.tbf.gz").write_text("no gzip")
    shutil.copy("examples/systems/alder.tbf", tmp_path / "good.tbf")
    monkeypatch.chdir(tmp_path)
    assert run(["validate", "nugget", "./bad", "good.tbf"]) == 1
    assert "good.tbf: valid" in capsys.readouterr().out


def test_a_file_that_cannot_be_read_has_its_own_exit_status(capsys: Capture) -> None:
    assert run(["validate", "nugget", "nowhere.tbf"]) == 3
    assert "[unreadable-file]" in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["tasks", "profiles", "formats", "metrics", "quirks", "settings"])
def test_everything_can_be_listed_and_each_shown(kind: str, capsys: Capture) -> None:
    assert run(["list", kind, "--format", "json"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert records
    for record in records[:4]:
        assert run(["show", kind[:-1], record["name"]]) == 0
        assert record["name"] in capsys.readouterr().out


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("profiles", {"spans/conll03", "spans/exact", "spans/seqeval-strict"}),
        ("formats", {"iob", "spans-jsonl", "brat", "lydite"}),
        ("settings", {"spans/scheme"}),
        ("quirks", {"spans/lenient-tags"}),
        ("causes", {"spans/missed"}),
    ],
)
def test_what_there_is_can_be_listed_for_one_task(kind: str, names: set[str], capsys: Capture) -> None:
    assert run(["list", kind, "spans", "--format", "json"]) == 0
    found = {record["name"] for record in json.loads(capsys.readouterr().out)}
    assert names <= found
    assert all(name.startswith("spans/") for name in found) or kind == "formats"
    assert "tbf" not in found


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("profiles", "nuget"), "did you mean 'nugget'?"),
        (("metrics", "nugget"), "metrics are not listed by task"),
    ],
)
def test_a_list_that_no_task_has_is_refused(words: tuple[str, ...], told: str, capsys: Capture) -> None:
    assert run(["list", *words]) == 2
    assert told in capsys.readouterr().err


def test_the_list_of_formats_says_which_are_read_only(capsys: Capture) -> None:
    assert run(["list", "formats"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "triples-tsv     Plain triples  (read only)" in lines
    assert "tbf             TBF, token-based format" in lines


def test_only_the_default_profiles_are_marked_as_default(capsys: Capture) -> None:
    from lydite.tasks import TASKS

    assert run(["list", "settings"]) == 0
    assert "(default)" not in capsys.readouterr().out
    assert run(["list", "profiles"]) == 0
    assert capsys.readouterr().out.count("(default)") == len(TASKS)


def test_the_citation_of_every_task_and_metric_exists(capsys: Capture) -> None:
    from lydite.metrics import METRICS
    from lydite.tasks import TASKS

    assert run(["cite", *TASKS, *METRICS]) == 0
    assert "@software{lydite," in capsys.readouterr().out


def test_the_shipped_cases_agree(capsys: Capture) -> None:
    assert run(["verify", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "lydite.verify/1"
    assert document["summary"]["agree"] == document["summary"]["cases"] > 10


def test_an_overview_of_agreement_is_long_rather_than_wide(capsys: Capture) -> None:
    few = ("--coref", "off", "--sequencing", "off", "--attributes", "type", "-q")
    assert run(["agree", "nugget", "examples/gold.tbf", ALDER, *few]) == 0
    two = capsys.readouterr().out.splitlines()
    assert two[1].split() == ["measurement", "metric", "gold–alder"]
    others = (f"examples/systems/{name}.tbf" for name in ("birch", "cedar"))
    assert run(["agree", "nugget", "examples/gold.tbf", ALDER, *others, *few]) == 0
    four = capsys.readouterr().out.splitlines()
    assert four[1].split()[:2] == ["first", "second"]
    assert four[-1].split()[0] == "mean"
    assert four[2].split()[2] == two[2].split()[2]


@pytest.mark.parametrize(
    ("path", "block"),
    [
        ("variants.v1.6.2.source", "variants.v1.6.2"),
        ("scores.documents.d1.lea", "scores.documents"),
        ("scores.pairs[3].first", "scores.pairs"),
        ("source", "source"),
    ],
)
def test_leaves_left_out_are_counted_by_the_first_two_names(path: str, block: str) -> None:
    assert _block_of(path) == block


def test_the_folder_where_one_stands_can_be_an_annotator_beside_a_file_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample = Path("examples/gold.tbf").read_bytes()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d.tbf").write_bytes(sample)
    assert run(["agree", "nugget", "d.tbf", "d.tbf", ".", "-q"]) == 0
