from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import lydite
from argument_cases import answer, argument, store
from lydite.errors import InvalidInput
from lydite.model import Document
from lydite.model.argument import Frame, identifier_2015
from lydite.model.argument_lines import LAYER, ArgumentLines, lines_of
from lydite.tasks.arguments import ARGUMENTS
from lydite.tasks.arguments.documents import CONFIDENCE

CASE = Path("tests/conformance/arguments/54-document-list")


def listed(path: Path) -> lydite.Summary:
    return lydite.score(
        CASE / "annotation",
        CASE / "system",
        task="arguments",
        profile="kbp2014",
        reading="as-official",
        document_list=[str(path)],
    )


def test_a_document_list_may_be_a_file_with_remarks_and_any_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_bytes(b"\xef\xbb\xbfDOC_A\r\n# not DOC_B\r\nDOC_C\r\n")
    assert listed(path)["standard"].micro.f1 == 1


def test_a_document_list_in_another_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(lydite.FormatError, match="UTF-8"):
        listed(path)


@pytest.mark.parametrize("data", [b"", b"# nothing\n"])
def test_a_document_list_that_lists_nothing_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "list"
    path.write_bytes(data)
    with pytest.raises(lydite.UsageError, match="list"):
        listed(path)


def test_files_of_the_gold_linking_may_have_the_endings_of_later_programs(tmp_path: Path) -> None:
    case = Path("tests/conformance/arguments-linking/k10-random")
    for path in (case / "reference-linking").iterdir():
        (tmp_path / f"{path.name}.linking").write_bytes(path.read_bytes())

    def scored(linking: Path) -> lydite.Summary:
        places = case / "annotation", case / "system"
        settings = {"reading": "as-official", "linking": str(linking)}
        return lydite.score(*places, task="arguments", profile="kbp2015", **settings)

    found = scored(tmp_path)
    assert found["overall"].micro.value == scored(case / "reference-linking")["overall"].micro.value
    assert [finding.code for finding in found.findings].count("file-suffix") == 4


LINE = "{}\tD\tLife.Die\tVictim\t{}\t0-2\t0-9\t0-2\tNIL\tActual\t1.0"


def test_every_system_has_the_figure_of_unassessed_arguments_if_one_has(tmp_path: Path) -> None:
    lines = LINE.format(1, "Ann"), LINE.format(2, "Bob")
    judged = f"{lines[0]}\tC\tC\tC\tC\t7\tActual\tNAME\n" + "\t".join((lines[1], *["UNANNOTATED"] * 7))
    for name, text in (("gold", judged), ("all", "\n".join(lines)), ("assessed", lines[0])):
        (tmp_path / name).mkdir()
        (tmp_path / name / "D").write_text(text + "\n", encoding="utf-8")

    def figures(*systems: str) -> dict[str, float | None]:
        paths = [tmp_path / name for name in systems]
        found = lydite.score(tmp_path / "gold", *paths, task="arguments", profile="kbp2014")
        return {
            row.system: row.score.f1
            for row in found.corpus_rows()
            if row.measurement == "standard, unassessed right"
        }

    assert figures("all", "assessed") == {"all": 1, "assessed": 1}
    assert figures("assessed") == {}


JUDGEMENT = "\tC\tC\tC\tC\t7\tActual\tNAME\n"


def linked(folder: Path, files: dict[str, bytes]) -> lydite.Summary:
    """The score of one argument with a frame of its own on both sides, apart from the files that are given."""
    whole = {
        "gold/D": (LINE.format(1, "Ann") + JUDGEMENT).encode(),
        "linking/D": b"1\n",
        "system/arguments/D": (LINE.format(1, "Ann") + "\n").encode(),
        "system/linking/D": b"1\n",
    }
    for place, data in (whole | files).items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_bytes(data)
    places = folder / "gold", folder / "system"
    return lydite.score(*places, task="arguments", profile="kbp2015", linking=folder / "linking")


def test_a_linking_that_names_an_id_of_several_arguments_is_refused(tmp_path: Path) -> None:
    twice = LINE.format(1, "Ann") + JUDGEMENT + LINE.format(1, "Bob").replace("0-2", "4-6") + JUDGEMENT
    with pytest.raises(InvalidInput, match="names '1', which several arguments of the document have"):
        linked(tmp_path, {"gold/D": twice.encode()})


@pytest.mark.parametrize("place", ["linking/D", "system/linking/D"])
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"# one\n1\n\n7\n", "linking-id"),
        (b"1\nINCOMPLETE\n\nINCOMPLETE\n", "linking-line"),
        (b"1\n\n\n# \xff\n", "encoding"),
    ],
)
def test_a_fault_in_a_linking_file_is_reported_at_its_line(
    tmp_path: Path, place: str, data: bytes, code: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        linked(tmp_path, {place: data})
    (finding,) = refused.value.findings
    assert (finding.code, str(finding.location)) == (code, f"{tmp_path}/{place}:4")


def test_golds_that_the_linking_joins_differently_have_different_signatures(tmp_path: Path) -> None:
    # The linking joins line 1 with line 2, and which argument is line 1 only the ids say.
    fillers = {"Ann": (0, 2), "Bob": (4, 6), "Rome": (8, 11)}

    def lines(ids: str, ending: str) -> bytes:
        columns = zip(ids, fillers, fillers.values(), strict=True)
        rows = (
            LINE.format(number, text).replace("0-2", f"{begin}-{end}") + ending.replace("7", str(begin))
            for number, text, (begin, end) in columns
        )
        return "".join(rows).encode()

    def signature(name: str, ids: str, linking: bytes = b"1\t2\n3\n") -> tuple[float | None, str]:
        files = {
            "gold/D": lines(ids, JUDGEMENT),
            "linking/D": linking,
            "system/arguments/D": lines("123", "\n"),
            "system/linking/D": b"1\t2\n3\n",
        }
        scored = linked(tmp_path / name, files)
        return scored["overall"].micro.value, scored.signature.partition("|gold:")[2]

    right, of_right = signature("right", "123")
    other, of_other = signature("other", "321")
    assert (right, other) == (1, 0.5)
    assert of_right != of_other
    assert signature("renamed", "789", b"7\t8\n9\n") == (right, of_right)


def test_a_byte_order_mark_of_the_gold_linking_is_reported(tmp_path: Path) -> None:
    (finding,) = linked(tmp_path, {"linking/D": b"\xef\xbb\xbf1\n"}).findings
    assert (finding.code, str(finding.location)) == ("byte-order-mark", f"{tmp_path}/linking/D:1")


def test_frames_keep_an_argument_above_a_threshold_by_whatever_name_they_know_it() -> None:
    ask, bo = argument("Ask"), argument("Bo", begin=40)
    rows = (
        answer(ask, 0.2)._replace(id="doubtful"),
        answer(ask, 0.9)._replace(id="sure"),
        answer(bo, 0.5)._replace(id="other"),
    )
    names = identifier_2015(ask), identifier_2015(bo)
    frames = Frame(("doubtful", "other")), Frame(("other",)), Frame(names)
    document = Document("D", layers={LAYER: ArgumentLines(rows, frames=frames, linked=True)})
    kept = lines_of(CONFIDENCE.cut(document, 0.9, ARGUMENTS.profile().settings))
    assert kept.rows == rows[1:2]
    assert [frame.members for frame in kept.frames] == [names[:1], names[:1]]


def test_mending_repeated_arguments_takes_none_out_of_its_frame(tmp_path: Path) -> None:
    judged = "\tC\tC\tC\tC\t{}\tActual\tNAME\n"
    gold = (LINE.format("1", "Ask") + judged.format(1) + LINE.format("2", "Bob") + judged.format(2)).encode()
    doubtful = LINE.format("a", "Ask").replace("1.0", "0.2")
    said = "\n".join((doubtful, LINE.format("b", "Ask"), LINE.format("c", "Bob"))).encode()
    annotation = store(tmp_path / "gold", {"D": gold})
    linking = store(tmp_path / "links", {"D": b"1\t2\n"})
    store(tmp_path / "system" / "arguments", {"D": said})
    store(tmp_path / "system" / "linking", {"D": b"a\tc\n"})
    explained = lydite.explain(
        annotation, tmp_path / "system", task="arguments", profile="kbp2015", linking=linking
    )
    assert explained.budget is not None
    assert (explained.budget.figure, explained.budget.perfect) == (1, 1)


def test_mending_a_fault_also_mends_it_in_arguments_that_no_frame_keeps(tmp_path: Path) -> None:
    right, wrong = "\tC\tC\tC\tC\t{}\tActual\tNAME\n", "\tW" + 3 * "\tNIL" + "\t{}\tNIL\tNIL\n"
    twice = [
        LINE.format(name, "Bob").replace("0-9", justified) for name, justified in (("2", "0-9"), ("3", "0-8"))
    ]
    lines = [LINE.format("1", "Ask"), *twice]
    gold = "".join(
        line + end for line, end in zip(lines, (right.format(1), *2 * [wrong.format(2)]), strict=True)
    )
    annotation = store(tmp_path / "gold", {"D": gold.encode()})
    linking = store(tmp_path / "links", {"D": b"1\n"})
    store(tmp_path / "system" / "arguments", {"D": "\n".join(lines).encode()})
    store(tmp_path / "system" / "linking", {"D": b"1\t2\t3\n"})
    explained = lydite.explain(
        annotation, tmp_path / "system", task="arguments", profile="kbp2015", linking=linking
    )
    assert explained.budget is not None
    assert explained.budget.perfect == 1
    assert {fault.fault: fault.items for fault in explained.budget.faults if fault.items} == {"type": 2}


def test_ids_of_2015_are_words_and_not_numbers(tmp_path: Path) -> None:
    lines = (LINE.format("1", "Ann"), LINE.format("01", "Bob"))
    gold = "".join(line + JUDGEMENT.replace("7", str(number)) for number, line in enumerate(lines))
    files = {
        "gold/D": gold.encode(),
        "linking/D": b"1\t01\n",
        "system/arguments/D": "\n".join(lines).encode(),
        "system/linking/D": b"1\t01\n",
    }
    assert linked(tmp_path, files)["overall"].micro.value == 1
    with pytest.raises(InvalidInput, match="the id '01' was used on line 1 already"):
        lydite.score(
            tmp_path / "gold", tmp_path / "system" / "arguments", task="arguments", profile="kbp2014"
        )


@pytest.mark.parametrize("more", [1, 6, 7, 8])
def test_columns_that_the_official_program_does_not_read_take_nothing_from_a_system(
    tmp_path: Path, more: int
) -> None:
    gold = store(tmp_path / "gold", {"D": (LINE.format(1, "Ann") + JUDGEMENT).encode()})
    wide = store(tmp_path / "wide", {"D": (LINE.format(1, "Ann") + more * "\tx").encode()})
    found = lydite.score(gold, wide, task="arguments", profile="kbp2014", reading="as-official")
    assert found["standard"].micro.f1 == 1


def converted(folder: Path, text: bytes) -> list[tuple[str, str]]:
    """What a conversion says of a store with one document, and how severe it is."""
    corpus = lydite.convert(store(folder / "store", {"D": text}), task="arguments")
    return [
        (finding.code, finding.severity)
        for document in corpus.documents.values()
        for finding in document.findings
    ]


def test_a_line_of_which_something_could_not_be_read_is_not_converted(tmp_path: Path) -> None:
    line = LINE.format(1, "Ann").encode()
    assert converted(tmp_path / "1", line.replace(b"1.0", b"abc")) == [("confidence", "error")]
    assert converted(tmp_path / "2", line.replace(b"1.0", b"0.5f")) == [("confidence", "warning")]
    assert converted(tmp_path / "3", line.replace(b"Ann", b"\xff")) == [("encoding", "error")]
    judged = line + JUDGEMENT.replace("NAME", "NAM").encode()
    assert converted(tmp_path / "4", judged) == [("assessment-value", "error")]
    assert converted(tmp_path / "5", line + b"\n" + line) == [("duplicate-id", "warning")]


def test_a_refusal_names_the_line_of_an_argument_that_a_rule_gave_another_form(tmp_path: Path) -> None:
    gold = store(tmp_path / "gold", {"D": (LINE.format(1, "Ann") + JUDGEMENT).encode()})
    system = store(tmp_path / "system", {"D": LINE.format(1, "Bob").replace("Actual", "Other").encode()})
    with pytest.raises(InvalidInput) as refused:
        lydite.score(
            gold,
            system,
            task="arguments",
            profile="kbp2014-final",
            neutralize_realis=True,
            reading="as-official",
        )
    (said,) = [finding for finding in refused.value.findings if finding.code == "cas-without-id"]
    assert str(said.location) == f"{system}/D:1"


WRONG = "\tC\tC\tW\tC\tNIL\tActual\tNAME\n"
"""The judgement of a line whose string is wrong, and has no coreference id, as the task definition says."""


def told_without_id(summary: lydite.Summary, severity: str = "warning") -> list[tuple[str, str]]:
    return [
        (str(one.location), one.message.partition(";")[0])
        for one in summary.findings
        if one.code == "cas-without-id" and one.severity == severity
    ]


@pytest.mark.parametrize(
    "profile", ["kbp2014-official", "kbp2014-final", "kbp2014-revised", "kbp2014", "kbp2014-text"]
)
def test_a_string_without_coreference_id_is_a_class_of_its_own(tmp_path: Path, profile: str) -> None:
    lines = [LINE.format(number, name) for number, name in enumerate(("Ann", "Bob", "Cal"), 1)]
    right, wrong, other = lines
    gold = store(
        tmp_path / "gold", {"D": "".join((right + JUDGEMENT, wrong + WRONG, other + WRONG)).encode()}
    )
    system = store(tmp_path / "system", {"D": f"{right}\n{wrong}".encode()})
    found = lydite.score(gold, system, task="arguments", profile=profile)
    assert (found["standard"].micro.precision, found["standard"].micro.recall) == (0.5, 1)
    needed = {"kbp2014-official", "kbp2014-final", "kbp2014-revised"}
    expected = [(str(gold), "2 strings without coreference id in 1 document")] if profile in needed else []
    assert told_without_id(found) == expected
    if expected:
        with pytest.raises(InvalidInput, match="CAS without coreference id"):
            lydite.score(gold, system, task="arguments", profile=profile, reading="as-official")


def test_strings_without_coreference_id_are_counted_over_all_documents(tmp_path: Path) -> None:
    def text(name: str, strings: str, judgement: str = "\n") -> bytes:
        lines = (LINE.format(number, string) for number, string in enumerate(strings, 1))
        return "".join(line.replace("D", name, 1) + judgement for line in lines).encode()

    gold = store(tmp_path / "gold", {name: text(name, "ab", WRONG) for name in "DE"})
    # Of its strings the first is gold's.
    system = store(tmp_path / "system", {"D": text("D", "axy"), "E": text("E", "ax")})
    found = lydite.score(gold, system, task="arguments", profile="kbp2014-final")
    assert told_without_id(found) == [
        (str(gold), "4 strings without coreference id in 2 documents"),
        (str(system), "3 strings without coreference id in 2 documents"),
    ]
    assert told_without_id(found, "note")[-2:] == [
        (f"{system}/D", "2 strings without coreference id"),
        (f"{system}/E", "1 string without coreference id"),
    ]


def test_the_hint_about_unassessed_responses_names_a_profile_that_takes_them(tmp_path: Path) -> None:
    gold = store(tmp_path / "gold", {"D": (LINE.format(1, "Ann") + JUDGEMENT).encode()})
    system = store(tmp_path / "system", {"D": f"{LINE.format(1, 'Ann')}\n{LINE.format(2, 'New')}".encode()})
    with pytest.raises(InvalidInput) as refused:
        lydite.score(gold, system, task="arguments", profile="kbp2014-revised")
    (said,) = (one for one in refused.value.findings if one.severity == "error")
    named = re.search("kbp2014-[a-z]+", str(said.hint))
    assert said.code == "unassessed"
    assert named is not None
    found = lydite.score(gold, system, task="arguments", profile=named[0])
    assert (found["standard"].micro.precision, found["standard"].micro.recall) == (0.5, 1)


def test_who_is_assessed_in_another_form_does_not_differ_in_column_9(tmp_path: Path) -> None:
    justified = LINE.replace("NIL", "5-9")
    judged = (
        justified.format(1, "Ann") + JUDGEMENT.replace("Actual", "Other"),
        LINE.format(2, "Ann").replace("Actual", "Other") + JUDGEMENT.replace("Actual", "Other"),
        "\t".join((LINE.format(3, "Ann"), *["UNANNOTATED"] * 7)),
    )
    gold = store(tmp_path / "gold", {"D": "".join(judged).encode()})
    system = store(
        tmp_path / "system",
        {"D": f"{justified.format(1, 'Ann').replace('Actual', 'Other')}\n{LINE.format(2, 'Ann')}".encode()},
    )

    def told(*, expand: bool) -> list[int | None]:
        found = lydite.score(gold, system, task="arguments", profile="kbp2014", expand_realis=expand)
        codes = [one for one in found.findings if one.code == "differs-in-column-9"]
        return [one.location.line for one in codes if one.location is not None]

    # The first is assessed once realis is expanded; the second one is in gold, but nobody assessed it.
    assert (told(expand=False), told(expand=True)) == ([1, 2], [2])


@pytest.mark.parametrize("broken", ["gold", "system"])
def test_no_line_is_lost_in_silence_of_a_document_without_a_source_text(tmp_path: Path, broken: str) -> None:
    lines = {"gold": LINE.format(1, "Ann") + JUDGEMENT, "system": LINE.format(1, "Ann") + "\n"}
    more = lines[broken].replace("1", "2", 1).replace("0-9", "nine")
    gold, system = (
        store(tmp_path / side, {"D": (text + more * (side == broken)).encode()})
        for side, text in lines.items()
    )
    texts = store(tmp_path / "texts", {"E": b"of another document"})
    with pytest.raises(InvalidInput) as refused:
        lydite.score(gold, system, system, task="arguments", profile="kbp2014", documents=texts)
    said = {(finding.code, str(finding.location)) for finding in refused.value.findings}
    assert said == {("span-syntax", f"{tmp_path / broken}/D:2:7")}


def test_no_line_of_a_store_of_2015_is_lost_in_silence_by_a_profile_of_2014(tmp_path: Path) -> None:
    gold = store(tmp_path / "gold", {"D": (LINE.format(1, "Ann") + JUDGEMENT).encode()})
    sound = LINE.format("r1", "Ann") + "\n"
    for name, text in (
        ("whole", sound),
        ("broken", sound + sound.replace("r1", "r2").replace("0-9", "nine")),
    ):
        store(tmp_path / name / "arguments", {"D": text.encode()})
        store(tmp_path / name / "linking", {"D": b"r1\n"})
    assert (
        lydite.score(gold, tmp_path / "whole", task="arguments", profile="kbp2014")["standard"].micro.f1 == 1
    )
    with pytest.raises(InvalidInput, match="expected start-end, found 'nine'"):
        lydite.score(gold, tmp_path / "broken", task="arguments", profile="kbp2014")


def quoting(folder: Path, names: str, filter_: str, **settings: object) -> lydite.Summary:
    """Scores of a system that says the names, of which gold accepts Ann alone; each name stands ten after the last."""
    lines = [
        LINE.format(number, name).replace("0-2", f"{10 * number}-{10 * number + 2}")
        for number, name in enumerate(names.split())
    ]
    gold = store(folder / "gold", {"D": (lines[0] + JUDGEMENT).encode()})
    system = store(folder / "system", {"D": "\n".join(lines).encode()})
    (folder / "quotes").write_text(filter_)
    return lydite.score(
        gold, system, task="arguments", profile="kbp2014", quote_filter=str(folder / "quotes"), **settings
    )


def test_responses_in_quotes_are_left_out_and_counted(tmp_path: Path) -> None:
    found = quoting(tmp_path, "Ann Bob Cal", "1\nD\n12-20\n")
    assert (found["standard"].micro.precision, found["standard"].micro.recall) == (1, 1)
    (rules,) = (row for row in found.rows if row.measurement == "rules" and row.scope == "corpus")
    assert rules.counts["quoted"] == 2
    assert "|quote-filter:" in found.signature


def test_an_answer_of_gold_in_a_quote_is_a_miss(tmp_path: Path) -> None:
    found = quoting(tmp_path, "Ann", "1\nD\n0-3\n")
    standard = next(one for one in found.rows if one.measurement == "standard" and one.scope == "corpus")
    assert (standard.score.recall, standard.counts["system_total"]) == (0, 0)


@pytest.mark.parametrize("reading", ["refuse", "as-official"])
def test_a_document_that_the_quote_filter_does_not_know_is_refused(tmp_path: Path, reading: str) -> None:
    with pytest.raises(InvalidInput, match="unknown to the quote filter"):
        quoting(tmp_path, "Ann", "1\nE\n\n", reading=reading)


def test_a_frame_loses_the_responses_in_quotes(tmp_path: Path) -> None:
    lines = [LINE.format(number, name) for number, name in enumerate(("Ann", "Bob"))]
    lines[1] = lines[1].replace("0-2", "20-22")
    judgements = JUDGEMENT, JUDGEMENT.replace("7", "8")
    judged = map(str.__add__, lines, judgements)
    gold = store(tmp_path / "gold", {"D": "".join(judged).encode()})
    links = store(tmp_path / "links", {"D": b"0\t1\n"})
    store(tmp_path / "system" / "arguments", {"D": "\n".join(lines).encode()})
    store(tmp_path / "system" / "linking", {"D": b"0\t1\n"})
    (tmp_path / "quotes").write_text("1\nD\n20-29\n")

    def link(**settings: object) -> float:
        found = lydite.score(
            gold, tmp_path / "system", task="arguments", profile="kbp2015", linking=links, **settings
        )
        return found["linking"].micro.value

    assert (link(), link(quote_filter=str(tmp_path / "quotes"))) == (1, 0)


def test_the_explanation_of_a_response_in_a_quote_names_the_filter(tmp_path: Path) -> None:
    quoting(tmp_path, "Ann Bob", "1\nD\n10-12\n")
    found = lydite.explain(
        tmp_path / "gold",
        tmp_path / "system",
        task="arguments",
        profile="kbp2014",
        quote_filter=str(tmp_path / "quotes"),
    )
    said = [(one.id, one.cause) for one in found.verdicts if one.side == "system"]
    assert said == [("0", "right"), ("1", "left-out")]


def test_a_document_with_wrong_answers_and_nothing_to_find_has_no_argument_score() -> None:
    case = Path("tests/conformance/arguments-linking/live3-only-wrong-answers")
    found = lydite.score(
        case / "annotation",
        case / "system",
        task="arguments",
        profile="kbp2015",
        linking=str(case / "reference-linking"),
        by=["doc"],
    )
    rows = {row.measurement: row for row in found.rows if row.document == "LV_1"}
    shown = {name: rows[name].score.value for name in ("arguments", "linking", "overall")}
    assert shown == {"arguments": None, "linking": 1, "overall": None}
    assert rows["arguments"].counts["fp"] == 2
    # There is no such number as minus infinity in JSON.
    json.dumps(found.to_dict(), allow_nan=False)


@pytest.mark.parametrize("profile", ["kbp2014-final", "kbp2014-revised"])
def test_the_tables_of_the_program_by_realis_are_not_made(profile: str) -> None:
    case = Path("tests/conformance/arguments/01-one-perfect")
    with pytest.raises(lydite.UsageError, match="no such breakdown"):
        lydite.score(case / "annotation", case / "system", task="arguments", profile=profile, by=["realis"])
