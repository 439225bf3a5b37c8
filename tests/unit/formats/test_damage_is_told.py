"""What an accident does to a file is told, whatever the reader could still make of the rest."""

from __future__ import annotations

import re
from functools import partial
from io import BytesIO
from pathlib import Path

import pytest

from format_samples import FILE_SETTINGS, FILES
from lydite.errors import Finding, FormatError
from lydite.facade.choosing import UserChoice
from lydite.facade.library import read, validate
from lydite.facade.validating import validate_file
from lydite.formats import FORMATS
from lydite.formats.first_reading import watched
from lydite.formats.names import FormatNames, WrittenNames, is_misspelt, json_names, xml_names
from lydite.formats.source import SourcePart, open_source
from lydite.formats.targets import read_targets
from lydite_corpus.profiles import read_profiles

MENTION = "s\td\tE1\t0,8\tattacked\tConflict_Attack\tActual"
OTHER = "s\td\tE2\t20,24\tdied\tLife_Die\tActual"


def codes(path: Path, task: str | None = None) -> set[tuple[str, str]]:
    return {(finding.code, finding.severity) for finding in validate(path, task=task)}


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def misspelt_names(path: Path, known: FormatNames) -> list[Finding]:
    source, names_there = open_source(path), WrittenNames(known)
    watched(source, names_there.see).sha256()
    return list(names_there.findings(source.parts))


@pytest.mark.parametrize("end", ["\t", " ", "", "\f"])
def test_two_mention_lines_that_became_one_are_an_error(tmp_path: Path, end: str) -> None:
    text = f"#BeginOfDocument d\n{MENTION}{end}{OTHER}\n#EndOfDocument\n"
    assert ("lines-joined", "error") in codes(written(tmp_path, "a.tbf", text))


def test_three_confidences_are_valid(tmp_path: Path) -> None:
    text = f"#BeginOfDocument d\n{MENTION}\t0.5\t1\t1e-3\n{OTHER}\n#EndOfDocument\n"
    assert codes(written(tmp_path, "a.tbf", text)) == set()


def test_a_word_where_a_confidence_stands_is_reported(tmp_path: Path) -> None:
    text = f"#BeginOfDocument d\n{MENTION}\tsure\n#EndOfDocument\n"
    assert codes(written(tmp_path, "a.tbf", text)) == {("odd-confidence", "warning")}


@pytest.mark.parametrize("odd", [1, 500, 999])
def test_one_odd_confidence_among_many_that_are_alike_is_reported(tmp_path: Path, odd: int) -> None:
    lines = [f"s\td\tE{number}\t{number},{number + 1}\tx\tLife_Die\tActual\t0.5" for number in range(1, 1000)]
    lines[odd - 1] += "?"
    path = tmp_path / "a.tbf"
    path.write_text("\n".join(["#BeginOfDocument d", *lines, "#EndOfDocument\n"]))
    places = [(one.code, one.location and one.location.line) for one in validate(path, task="nugget")]
    assert places == [("odd-confidence", odd + 1)]


BRAT = "T1\tConflict_Attack 7 14\tstormed\nE1\tConflict_Attack:T1\nA1\tRealis E1 Actual\n"


@pytest.mark.parametrize(
    "text",
    [
        BRAT.replace("\n", "\r"),
        BRAT.replace("\nA1", "\tA1"),
        BRAT + "Rebels stormed the fort.\n",
    ],
    ids=["CR only", "joined", "prose"],
)
def test_prose_in_a_brat_file_is_an_error(tmp_path: Path, text: str) -> None:
    assert ("odd-annotation-line", "error") in codes(written(tmp_path, "d.ann", text))


def test_notes_equivalences_and_normalizations_of_brat_are_valid(tmp_path: Path) -> None:
    text = f"{BRAT}#1\tAnnotatorNotes E1\tsure?\n*\tEquiv T1 T1\nN1\tReference T1 Wikipedia:1\tstorm\n\n"
    assert ("odd-annotation-line", "error") not in codes(written(tmp_path, "d.ann", text))


ROWS = ["d\t0\t0\tw0\t(1)", "d\t0\t1\tw1\t(2)", "d\t0\t2\tw2\t-"]


def _conll(rows: list[str]) -> str:
    return "#begin document (d); part 000\n" + "\n".join(rows) + "\n\n#end document\n"


@pytest.mark.parametrize(
    "rows",
    [
        ["\t".join(ROWS[:2]), ROWS[2]],
        [" ".join(ROWS[:2]), ROWS[2]],
        [ROWS[0], f"{ROWS[1]}\tx", ROWS[2]],
        [ROWS[0], f"{ROWS[1]}\tx", "d\t0\t2\t-"],
        [row.replace("\t", " ") for row in (" ".join(ROWS[:2]), ROWS[2])],
        [row.replace("\t", " ") for row in (*ROWS, "", f"x\t{ROWS[0]}", f"x\t{ROWS[1]}", ROWS[2])],
    ],
    ids=[
        "joined by a tab",
        "joined by a blank",
        "a cell more",
        "a cell more and one less",
        "blanks between columns",
        "blanks between columns, in a wider sentence",
    ],
)
def test_rows_that_are_joined_or_too_wide_are_an_error(tmp_path: Path, rows: list[str]) -> None:
    assert ("uneven-columns", "error") in codes(written(tmp_path, "d.conll", _conll(rows)), "coref")


@pytest.mark.parametrize("between", ["\t", " ", "   "], ids=["tabs", "blanks", "runs of blanks"])
def test_sentences_of_one_document_may_have_different_columns(tmp_path: Path, between: str) -> None:
    rows = [*ROWS, "", *(row.replace("\t(", "\t*\t(").replace("\t-", "\t*\t-") for row in ROWS)]
    text = _conll([row.replace("\t", between) for row in rows])
    assert codes(written(tmp_path, "d.conll", text), "coref") == set()


def test_a_header_that_swallowed_the_first_row_is_an_error(tmp_path: Path) -> None:
    text = _conll(ROWS).replace("part 000\n", "part 000 ")
    assert ("lines-joined", "error") in codes(written(tmp_path, "d.conll", text), "coref")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            "d.xml",
            '<coreferences><coref cid="1"><target id="d#t1"/><tarxet id="d#t2"/></coref></coreferences>',
            ("misspelt-name", "error", "did you mean 'target'?"),
        ),
        (
            "d.xml",
            '<coreferences><coref cxd="1"><target id="d#t1"/></coref></coreferences>',
            ("unknown-name", "warning", "did you mean 'cid'?"),
        ),
        (
            "d.jsonlines",
            '{"doc_key": "d", "Clusters": [[[0, 0]]], "clusters": []}\n',
            ("misspelt-name", "error", "did you mean 'clusters'?"),
        ),
    ],
)
def test_a_misspelt_name_is_reported_with_the_one_that_was_meant(
    tmp_path: Path, name: str, text: str, said: tuple[str, str, str]
) -> None:
    findings = validate(written(tmp_path, name, text), task="coref")
    assert [(finding.code, finding.severity, finding.hint) for finding in findings] == [said]


@pytest.mark.parametrize("name", [name for name in FILES if FORMATS[name].names])
def test_a_misspelt_name_is_an_error_in_every_format_with_names(tmp_path: Path, name: str) -> None:
    names, content = FORMATS[name].names, FILES[name]
    assert names is not None
    held = [known for known in sorted(names.known) if len(known) >= 4 and _names_it(content, known)]
    assert held
    for known in held:
        name_of_nothing = known[:-1] + ("x" if known[-1] == "q" else "q")
        text = _renamed(content, known, name_of_nothing).decode()
        path = written(tmp_path, f"d{FORMATS[name].extensions[0]}", text)
        found = {(finding.item, finding.severity) for finding in misspelt_names(path, names)}
        assert (name_of_nothing, "error") in found


def _names_it(content: bytes, known: str) -> bool:
    return _renamed(content, known, "") != content


def _renamed(content: bytes, known: str, name: str) -> bytes:
    places = rb"(?<=[<\s])%b(?=[\s=>/])|(?<=</)%b(?=>)|(?<=\")%b(?=\":)" % ((known.encode(),) * 3)
    return re.sub(places, name.encode(), content)


def test_an_official_program_that_passes_over_a_name_is_followed_on_request(tmp_path: Path) -> None:
    path = written(tmp_path, "d.jsonlines", '{"doc_key": "d", "clusters": [], "clusetrs": [[[0, 0]]]}\n')
    found = validate(path, task="coref", reading="as-official")
    assert [(finding.code, finding.severity) for finding in found] == [("misspelt-name", "warning")]


def test_a_name_in_a_text_or_under_a_free_key_is_no_name(tmp_path: Path) -> None:
    text = '<coreferences><!-- <tarxet --><coref cid="1"><target id="d#t1"/> cxd="1" </coref></coreferences>'
    assert codes(written(tmp_path, "d.xml", text), "coref") == set()
    line = '{"doc_key": "d", "clusters": {"cluster": [[0, 0]]}}\n'
    found = validate(written(tmp_path, "d.jsonlines", line), task="coref")
    assert "unknown-name" not in {finding.code for finding in found}


@pytest.mark.parametrize(
    "text", ["", 'say "x', 'b="', "it's", 'a="b" c="', 'x="</t><t>y="', 'x="</t><t A="="/><t>y="']
)
def test_quotation_marks_in_a_text_hide_no_misspelt_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.xml"
    path.write_text(f'<coref><t>{text}</t><clutser STRAT="2"/><t>{text}</t></coref>')
    names = xml_names("coref t cluster START A")
    assert {finding.item for finding in misspelt_names(path, names)} == {"clutser", "STRAT"}


def test_formats_of_others_may_hold_other_names() -> None:
    open_names, closed = json_names("events", "title"), xml_names("coref", closed=True)
    assert open_names.likely("speakers") is None
    assert open_names.likely("titles") is None
    assert open_names.likely("evnets") == "events"
    assert closed.likely("anything") == ""


@pytest.mark.parametrize(
    ("name", "known", "misspelt"),
    [
        ("tokens", "tokens", True),
        ("tokns", "tokens", True),
        ("tokenss", "tokens", True),
        ("tokxns", "tokens", True),
        ("tonkes", "tokens", True),
        ("tkens_", "tokens", True),
        ("tkexs_", "tokens", False),
        ("rloe", "role", True),
        ("rlxe", "role", False),
        ("i", "id", False),
    ],
)
def test_one_edit_makes_a_misspelling_and_two_in_a_long_name(name: str, known: str, misspelt: bool) -> None:
    assert is_misspelt(name, known) == misspelt


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ({"predicted_clusters"}, "clusters"),
        ({"predicted_clusters", "clusters"}, None),
        ({"holder"}, "opinionHolder"),
        ({"event_key"}, None),
        ({"the_doc_key"}, "doc_key"),
    ],
)
def test_a_word_more_or_less_is_reported_where_the_name_itself_is_missing(
    written: set[str], meant: str | None
) -> None:
    names = json_names("clusters opinionHolder doc_key key")
    assert names.likely(min(written, key=lambda name: name == "clusters"), written) == meant


def test_a_file_that_shrinks_while_it_is_read_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "a.tbf", f"#BeginOfDocument d\n{MENTION}\n#EndOfDocument\n" * 1)
    corpus = read(path)
    path.write_text("#BeginOfDocument d\n")
    with pytest.raises(FormatError) as refused:
        list(corpus.documents["d"].mentions)
    assert [finding.code for finding in refused.value.findings] == ["file-changed"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [("eid-etype-head-other", set()), ("eid-etxpe-head-other", {("misspelt-name", "error")})],
)
def test_a_misspelt_field_of_corefud_is_reported(
    tmp_path: Path, fields: str, said: set[tuple[str, str]]
) -> None:
    word = "\t".join(["1", "a", *"____", "0", "_", "_", "Entity=(e1-x-1-)"])
    text = f"# newdoc id = d\n# global.Entity = {fields}\n{word}\n\n"
    assert codes(written(tmp_path, "a.conllu", text), "coref") == said


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("tuples", b'<event lemma="fall"', b'<eVent lemma="fall"'),
        ("tuples", b"<tuple ", b"<tuples "),
        ("ere", b"hoppers>", b"hopper>"),
        ("ere", b"<hopper ", b"<hoppers "),
        ("trp", b"<triple ", b"<triples "),
        ("kaf", b"<dep ", b"<deps "),
        ("naf", b"references>", b"reference>"),
        ("naf", b"<opinion ", b"<opinions "),
        ("apf", b"entity", b"ENTITY"),
    ],
)
def test_a_name_that_stands_where_another_one_belongs_is_an_error(
    tmp_path: Path, name: str, old: bytes, new: bytes
) -> None:
    """Each end tag goes with its start tag."""
    begin = FILES[name].index(old)
    tag = re.escape(old.strip(b"<> ").split()[0])
    end = re.compile(rb"</" + tag + rb">").search(FILES[name], begin)
    content = FILES[name][:begin] + new + FILES[name][begin + len(old) :]
    if end is not None and not FILES[name][begin:].partition(b">")[0].endswith(b"/"):
        at = end.start() + len(new) - len(old)
        tail = content[at:].replace(
            b"</" + old.strip(b"<> ").split()[0], b"</" + new.strip(b"<> ").split()[0], 1
        )
        content = content[:at] + tail
    path = tmp_path / f"d{FORMATS[name].extensions[0]}"
    path.write_bytes(content)
    choice = UserChoice(task=FORMATS[name].tasks[0], format=name, options=FILE_SETTINGS.get(name, {}))
    findings, _ = validate_file(choice, str(path))
    assert ("misspelt-name", "error") in {(one.code, one.severity) for one in findings}


@pytest.mark.parametrize(
    ("name", "old"),
    [
        ("trp", b'<elementFirst id="w2"'),
        ("kaf", b'<wf wid="w1"'),
        ("naf", b'<term id="'),
        ("naf", b'<target id="'),
    ],
)
def test_an_element_without_the_id_that_it_is_known_by_is_reported(
    tmp_path: Path, name: str, old: bytes
) -> None:
    path = tmp_path / f"d{FORMATS[name].extensions[0]}"
    path.write_bytes(FILES[name].replace(old, re.sub(rb"(w?id)=", rb"of=", old), 1))
    choice = UserChoice(task="triples", format=name, options=FILE_SETTINGS.get(name, {}))
    findings, _ = validate_file(choice, str(path))
    assert ("element-without-id", "warning") in {(one.code, one.severity) for one in findings}


@pytest.mark.parametrize("key", ["document", "Documents", "aliasses", "varants"])
def test_a_misspelt_key_of_a_target_is_refused(tmp_path: Path, key: str) -> None:
    path = written(tmp_path, "targets.jsonl", f'{{"id": "E1", "handle": "x", "{key}": ["d1"], "note": 1}}\n')
    for read_them in (read_targets, read_profiles):
        with pytest.raises(FormatError, match="its value would be lost"):
            read_them(str(path))


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("A9\tRealis", "bad-attribute"),
        ("A9\tRealis E1", "bad-attribute"),
        ("A9\tRealis E7 Actual", "bad-attribute"),
        ("E1\tConflict_Attack:T1 Place:T1", "duplicate-mention-id"),
        ("T1\tLife_Die 20 24\tdied", "duplicate-mention-id"),
    ],
)
def test_what_a_line_of_brat_loses_is_reported(tmp_path: Path, line: str, code: str) -> None:
    told = codes(written(tmp_path, "d.ann", BRAT + line + "\n"), "nugget")
    assert code in {one for one, severity in told if severity != "note"}
    whole = written(tmp_path, "d.ann", BRAT + "A9\tNegated E1\nT2\tLife_Die 20 24\tdied\n")
    assert not codes(whole, "nugget")


@pytest.mark.parametrize(
    ("task", "line"),
    [
        ("arguments", '{"doc_id": "d", "events": [{"type": "T", "trigger": [1, 2]}]}\n'),
        ("nugget", '{"doc_id": "d", "tokens": ["a"], "event_mentions": []}\n'),
        ("triples", '{"doc": "d", "relation": "r", "first": {"ids": ["w1"]}}\n'),
    ],
)
def test_lines_of_a_document_that_are_joined_from_two_files_are_reported(
    tmp_path: Path, task: str, line: str
) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        written(tmp_path, name, line * 2)
    told = [one for one in validate(tmp_path, task=task) if one.code == "repeated-document"]
    assert [one.location and Path(one.location.path).name for one in told] == ["b.jsonl"]
    assert "document 'd' has two files" in told[0].message
    assert not [one for one in validate(tmp_path / "a.jsonl", task=task) if one.code == "repeated-document"]


def test_a_name_that_the_end_of_a_chunk_cuts_off_is_no_other_name() -> None:
    lines = '<elementFirst id="w1"/>', '<elementSecond id="w2"/>', "<elementThird/>"
    data = f"<triples>{''.join(lines)}</triples>\n".encode()
    known = xml_names("triples elementFirst elementSecond elementThird id", closed=True)
    part = SourcePart("long.trp", partial(BytesIO, data))
    for size in range(1, 90):
        names = WrittenNames(known)
        for begin in range(0, len(data), size):
            names.see(0, data[begin : begin + size])
        assert not list(names.findings([part])), size
