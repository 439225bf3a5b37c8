"""Documents of one system, shared among processes: every byte is that of one process."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import lydite
from in_blocks import EVERYTHING, InTurn, outcome
from lydite.cli import run
from lydite.errors import Finding, FormatError
from lydite.facade.choosing import UserChoice
from lydite.facade.scoring import score_sides
from lydite.facade.sharing import _measure_block, split
from lydite.facade.sides import read_sides
from lydite.model import LazyDocuments
from lydite.parallel import Processes
from lydite.pipeline.task import Plan

Capture = pytest.CaptureFixture[str]
Files = tuple[str, Path, Path]
EXAMPLES = Path("examples")
BLOCKS = (2, 3, 7)


def _columns(chance: random.Random, doc_ids: range) -> str:
    lines = []
    for number in doc_ids:
        cells = [chance.choice(("-", "-", f"({chance.randrange(4)})")) for _ in range(12)]
        rows = [f"d\t0\t{place}\tw\t{cell}" for place, cell in enumerate(cells)]
        lines += [f"#begin document (d/{number:02}); part 000", *rows, "", "#end document"]
    return "\n".join(lines) + "\n"


def nuggets(_folder: Path) -> Files:
    return "nugget", EXAMPLES / "gold.tbf", EXAMPLES / "systems" / "alder.tbf"


def columns(folder: Path) -> Files:
    """Documents that one side lacks, and brackets that do not fit the tokens."""
    chance = random.Random(3)
    gold, system = folder / "gold.conll", folder / "system.conll"
    gold.write_text(_columns(chance, range(12)), encoding="utf-8")
    system.write_text(_columns(chance, range(2, 15)), encoding="utf-8")
    return "coref", gold, system


def stores(_folder: Path) -> Files:
    return "arguments", EXAMPLES / "arguments" / "annotation", EXAMPLES / "arguments" / "systems" / "birch"


def triples(folder: Path) -> Files:
    """A folder of files, of which one has no partner."""
    text = (EXAMPLES / "triples" / "gold.trp").read_text(encoding="utf-8")
    for side, names in (("gold", "abcdef"), ("system", "bcdefg")):
        (folder / side).mkdir()
        for place, name in enumerate(names):
            cut = (
                text
                if side == "gold"
                else re.sub("<triple .*?</triple>", "", text, count=place, flags=re.DOTALL)
            )
            (folder / side / f"{name}.trp").write_text(cut, encoding="utf-8")
    return "triples", folder / "gold", folder / "system"


def elements(folder: Path) -> Files:
    """Relations that gold has in its last document alone, and a system that has them everywhere; one more document."""
    gold, system = folder / "gold", folder / "system"
    for number in range(5):
        _apf(gold, f"d{number}", TWO, more=RELATION.replace("@", "d4-") if number == 4 else "")
        _apf(system, f"d{number}", TWO + RELATION, prefix="s-")
    _apf(system, "other", TWO, prefix="s-")
    return "ace", gold, system


WORLDS = (nuggets, columns, stores, triples, elements)


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.__name__)
def test_any_number_of_blocks_gives_the_bytes_of_one_process(
    world: Callable[[Path], Files], tmp_path: Path
) -> None:
    task, gold, system = world(tmp_path)
    notes: list[str] = []
    alone = outcome(UserChoice(task), gold, [system], None, notes)
    assert isinstance(alone, bytes)
    for count in BLOCKS:
        workers = InTurn(count)
        assert outcome(UserChoice(task), gold, [system], workers, notes) == alone
        assert len(workers.shares) > 1
    assert notes == []


@pytest.mark.parametrize("world", [nuggets, elements], ids=lambda world: world.__name__)
@pytest.mark.parametrize("layout", ["json", "official"])
def test_the_number_of_processes_shows_nowhere(
    world: Callable[[Path], Files], layout: str, tmp_path: Path, capsys: Capture
) -> None:
    task, gold, system = world(tmp_path)
    said = []
    for jobs in ("1", "2", "3"):
        assert run(["score", task, str(gold), str(system), "--format", layout, "-v", "-j", jobs]) == 0
        said.append(capsys.readouterr())
    assert said[0].out
    assert said[1] == said[2] == said[0]


@pytest.mark.parametrize("layout", ["text", "json", "csv", "markdown", "latex"])
def test_every_layout_is_the_same_for_two_processes(layout: str, tmp_path: Path, capsys: Capture) -> None:
    _, gold, system = columns(tmp_path)
    said = []
    for jobs in ("1", "2"):
        words = [
            "score",
            "coref",
            str(gold),
            str(system),
            "--by",
            "doc",
            "--format",
            layout,
            "-v",
            "-j",
            jobs,
        ]
        assert run(words) == 0
        said.append(capsys.readouterr())
    assert said[0].out
    assert said[1] == said[0]


def test_comparisons_are_the_same_for_two_processes(capsys: Capture) -> None:
    systems = [str(EXAMPLES / "systems" / f"{name}.tbf") for name in ("alder", "birch")]
    said = []
    for jobs in ("1", "2"):
        words = ["compare", str(EXAMPLES / "gold.tbf"), *systems, "--resamples", "100", "--format", "json"]
        assert run([*words, "-j", jobs]) == 0
        said.append(capsys.readouterr().out)
    assert said[1] == said[0]


def test_what_is_odd_about_a_file_as_a_whole_is_said_too(tmp_path: Path) -> None:
    empty = tmp_path / "empty.tbf"
    empty.touch()
    alone = outcome(UserChoice("nugget"), EXAMPLES / "gold.tbf", [empty], None, [])
    assert isinstance(alone, bytes)
    assert b"empty-file" in alone
    assert outcome(UserChoice("nugget"), EXAMPLES / "gold.tbf", [empty], InTurn(3), []) == alone


def test_documents_that_are_made_here_stay_here() -> None:
    """Words that are put where they stand: who reads the file elsewhere would not know where."""
    asked, read = read_sides(UserChoice(), EXAMPLES / "gold.tbf", [EXAMPLES / "systems" / "alder.tbf"])
    documents = read[1].documents
    made = replace(read[1], documents=LazyDocuments(tuple(documents), lambda name: documents[name]))
    notes: list[str] = []
    alone = score_sides(asked, read)
    assert score_sides(asked, [read[0], made], workers=Processes(2), notes=notes) == alone
    told = ["all documents stay in one process: they cannot be sent to another process"]
    assert notes == told
    both = [made, replace(made, name="again")]
    notes.clear()
    score_sides(asked, [read[0], *both], workers=Processes(2), left_out={}, notes=notes)
    assert notes == told, "one by one, and said once"


def test_broken_documents_are_refused_with_the_same_findings(tmp_path: Path) -> None:
    _, gold, _ = nuggets(tmp_path)
    broken = tmp_path / "broken.tbf"
    lines = (EXAMPLES / "systems" / "alder.tbf").read_text(encoding="utf-8").splitlines()
    for place in (5, 60, 61, 200):
        lines[place] = lines[place].replace("\t", " ")
    broken.write_text("\n".join([*lines, "#BeginOfDocument more", "x", "#EndOfDocument"]), encoding="utf-8")
    alone = outcome(UserChoice("nugget"), gold, [broken], None, [])
    assert not isinstance(alone, bytes)
    for count in BLOCKS:
        assert outcome(UserChoice("nugget"), gold, [broken], InTurn(count), []) == alone


def test_blocks_hold_every_document_once_and_in_order() -> None:
    order = [f"d{number}" for number in range(10)]
    plan = Plan(order, [frozenset(order[2:]), frozenset(order[:5])])
    documents = (order, [*order[2:], "x", "y"], order)
    for count in (1, 2, 3, 10):
        blocks = split(plan, documents, count)
        assert [doc_id for block in blocks for doc_id in block.plan.order] == order
        read = [[doc_id for block in blocks for doc_id in block.of_side(side)] for side in range(3)]
        assert [sorted(one) for one in read] == [sorted(one) for one in documents]


# ------------------------------------------------------------------------------------------------------- ACE


def _apf(folder: Path, doc_id: str, elements: str, *, prefix: str = "", more: str = "") -> None:
    folder.mkdir(exist_ok=True)
    body = elements.replace("@", f"{prefix}{doc_id}-")
    (folder / f"{doc_id}.apf.xml").write_text(
        f'<source_file URI="u" SOURCE="newswire" TYPE="text"><document DOCID="{doc_id}">{body}{more}'
        "</document></source_file>",
        encoding="utf-8",
    )


def _entity(name: str, start: int) -> str:
    place = f'<charseq START="{start}" END="{start + 3}">Runa</charseq>'
    return (
        f'<entity ID="@{name}" TYPE="PER" SUBTYPE="Individual" CLASS="SPC"><entity_mention ID="@{name}-1" '
        f'TYPE="NAM"><extent>{place}</extent><head>{place}</head></entity_mention>'
        f'<entity_attributes><name NAME="Runa">{place}</name></entity_attributes></entity>'
    )


RELATION = (
    '<relation ID="@R" TYPE="PER-SOC" SUBTYPE="Family" MODALITY="Asserted" TENSE="Past">'
    '<relation_argument REFID="@A" ROLE="Arg-1"/><relation_argument REFID="@B" ROLE="Arg-2"/>'
    '<relation_mention ID="@R-1"><extent><charseq START="0" END="13">x</charseq></extent>'
    '<relation_mention_argument REFID="@A-1" ROLE="Arg-1"/>'
    '<relation_mention_argument REFID="@B-1" ROLE="Arg-2"/></relation_mention></relation>'
)
TWO = _entity("A", 0) + _entity("B", 10)


@pytest.fixture
def relations(tmp_path: Path) -> tuple[Path, Path]:
    return elements(tmp_path)[1:]


@pytest.mark.parametrize("profile", ["ace08-local", "ace07"])
@pytest.mark.parametrize("settings", [{}, {"mentions": True}])
def test_what_gold_has_in_another_block_is_scored_in_all(
    relations: tuple[Path, Path], profile: str, settings: dict[str, object]
) -> None:
    gold, system = relations
    choice = UserChoice("ace", profile, None, settings)
    notes: list[str] = []
    alone = outcome(choice, gold, [system], None, notes)
    assert isinstance(alone, bytes)
    assert b'"relation"' in alone
    for count in (2, 5):
        workers = InTurn(count)
        assert outcome(choice, gold, [system], workers, notes) == alone
        assert len(workers.shares) == count
    assert notes == []


TIME = (
    '<timex2 ID="@T" VAL="2005"><timex2_mention ID="@T-1"><extent><charseq START="30" END="33">2005</charseq></extent>'
    "</timex2_mention></timex2>"
)


def _event(*arguments: tuple[str, str]) -> str:
    place = '<charseq START="20" END="22">hit</charseq>'
    of_event = "".join(f'<event_argument REFID="@{one}" ROLE="{role}"/>' for role, one in arguments)
    of_mention = "".join(
        f'<event_mention_argument REFID="@{one}-1" ROLE="{role}"/>' for role, one in arguments
    )
    return (
        '<event ID="@V" TYPE="Conflict" SUBTYPE="Attack" MODALITY="Asserted" POLARITY="Positive" GENERICITY="Specific" '
        f'TENSE="Past">{of_event}<event_mention ID="@V-1"><extent>{place}</extent><anchor>{place}</anchor>{of_mention}'
        "</event_mention></event>"
    )


def test_arguments_of_a_kind_that_gold_has_in_another_block_are_worth_something_in_all(
    tmp_path: Path,
) -> None:
    gold, system = tmp_path / "gold", tmp_path / "system"
    _apf(gold, "d0", TWO + TIME)
    _apf(system, "d0", TWO + TIME, prefix="s-")
    _apf(gold, "d1", TWO + _event(("Attacker", "A")))
    _apf(system, "d1", TWO + TIME + _event(("Attacker", "A"), ("Time-Within", "T")), prefix="s-")
    choice = UserChoice("ace", "ace05")
    notes: list[str] = []
    alone = outcome(choice, gold, [system], None, notes)
    assert isinstance(alone, bytes)
    # A time is worth 0.5, and half of an argument in excess is lost.
    assert lydite.score(gold, system, profile="ace05")["event"].micro.value == pytest.approx(1 - 0.5 * 0.5)
    assert outcome(choice, gold, [system], InTurn(2), notes) == alone
    assert notes == []


def test_documents_that_share_an_id_stay_together_and_it_is_said(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold", tmp_path / "system"
    for number in range(4):
        _apf(gold, f"d{number}", TWO)
        _apf(system, f"d{number}", TWO, prefix="s-")
    path = gold / "d3.apf.xml"
    path.write_text(path.read_text(encoding="utf-8").replace('"d3-B"', '"d0-B"'), encoding="utf-8")
    notes: list[str] = []
    alone = outcome(UserChoice("ace"), gold, [system], None, notes)
    assert outcome(UserChoice("ace"), gold, [system], InTurn(2), notes) == alone
    assert notes == [f"all documents stay in one process: 'd0-B' stands in several documents of {gold}"]


def test_documents_with_a_mapping_to_prefer_stay_together_and_its_unknown_ids_are_found(
    relations: tuple[Path, Path], tmp_path: Path
) -> None:
    prefer = tmp_path / "mapping.tsv"
    prefer.write_text("gold\tsystem\nd0-A\ts-d0-A\nd9-Z\ts-d1-A\n", encoding="utf-8")
    choice = UserChoice("ace", None, None, {"prefer": str(prefer)})
    notes: list[str] = []
    alone = outcome(choice, relations[0], [relations[1]], None, notes)
    assert isinstance(alone, bytes)
    assert b"1 unknown id: d9-Z" in alone
    assert outcome(choice, relations[0], [relations[1]], InTurn(2), notes) == alone
    assert notes == [
        "all documents stay in one process: the mapping to prefer names elements of all documents"
    ]


def test_a_tag_in_a_comment_changes_nothing(relations: tuple[Path, Path]) -> None:
    gold, system = relations
    path = gold / "d0.apf.xml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("<entity ", "<!-- <event ID='x'> --><entity ", 1),
        encoding="utf-8",
    )
    notes: list[str] = []
    alone = outcome(UserChoice("ace"), gold, [system], None, notes)
    assert outcome(UserChoice("ace"), gold, [system], InTurn(2), notes) == alone
    assert len(notes) == 1


@pytest.mark.parametrize("systems", [("birch",), ("alder", "birch")])
def test_documents_that_names_join_stay_in_one_process(systems: tuple[str, ...], capsys: Capture) -> None:
    paths = [str(EXAMPLES / "ace" / "systems" / name) for name in systems]
    words = ["score", "ace", str(EXAMPLES / "ace" / "gold"), *paths, "--profile", "ace08-global"]
    said = []
    for jobs in ("1", "2"):
        assert run([*words, "--format", "json", "-j", jobs]) == 0
        said.append(capsys.readouterr())
    assert said[1].out == said[0].out
    assert ("stay in one process" in said[1].err) == (len(systems) == 1)


def test_several_documents_in_one_file_stay_together(relations: tuple[Path, Path]) -> None:
    gold, system = relations
    first, second = (gold / f"d{number}.apf.xml" for number in (0, 1))
    first.write_text(first.read_text(encoding="utf-8") + second.read_text(encoding="utf-8"), encoding="utf-8")
    second.unlink()
    notes: list[str] = []
    alone = outcome(UserChoice("ace"), gold, [system], None, notes)
    assert outcome(UserChoice("ace"), gold, [system], InTurn(2), notes) == alone
    assert notes == [f"all documents stay in one process: {gold} does not have one document per file"]


# ---------------------------------------------------------------------------------------------------- mishaps


def test_a_file_that_went_away_is_told_with_the_document(tmp_path: Path) -> None:
    system = tmp_path / "system.tbf"
    system.write_bytes((EXAMPLES / "systems" / "alder.tbf").read_bytes())
    asked, read = read_sides(UserChoice(), EXAMPLES / "gold.tbf", [system])
    system.unlink()
    with pytest.raises(FormatError) as refused:
        score_sides(asked, read, workers=Processes(2))
    finding: Finding = refused.value.findings[0]
    assert (finding.code, finding.location and finding.location.path) == ("unreadable-file", str(system))
    assert finding.document in lydite.read(EXAMPLES / "gold.tbf").documents


def test_a_defect_says_in_which_document_it_showed(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    def fail(*_anything: object) -> None:
        raise ZeroDivisionError("nothing to divide by")

    monkeypatch.setattr("lydite.facade.sharing.measure", fail)
    monkeypatch.setattr("lydite.cli.options.Processes", InTurn)
    gold, alder = EXAMPLES / "gold.tbf", EXAMPLES / "systems" / "alder.tbf"
    assert run(["score", str(gold), str(alder), "-j", "2"]) == 70
    assert "in or near document" in capsys.readouterr().err


def test_the_function_that_workers_call_can_be_sent() -> None:
    import pickle

    assert pickle.loads(pickle.dumps(_measure_block)) is _measure_block  # noqa: S301 - our own
    assert EVERYTHING.diagnosis
