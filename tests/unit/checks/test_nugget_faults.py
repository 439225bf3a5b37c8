"""One fault in a sound TBF file: its code, severity, line, document and the id at fault."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

import lydite
from lydite.errors import Finding

SOUND = (
    "#BeginOfDocument d1",
    "s\td1\tE1\t0,4\tshot\tLife_Die\tActual",
    "s\td1\tE2\t10,14\tdied\tLife_Die\tGeneric",
    "s\td1\tE3\t20,24;30,32\tset off\tConflict_Attack\tOther",
    "#EndOfDocument",
    "#BeginOfDocument d2",
    "s\td2\tF1\t5,9\tmeet\tContact_Meet\tActual",
    "s\td2\tF2\t15,19\ttalk\tContact_Meet\tActual",
    "#EndOfDocument",
)
IN_TOKENS = (
    "#BeginOfDocument d1",
    "s\td1\tE1\tt1\tshot\tLife_Die\tActual",
    "s\td1\tE2\tt3,t4\tthe raid\tConflict_Attack\tActual",
    "s\td1\tE3\tt4\traid\tConflict_Attack\tGeneric",
    "#EndOfDocument",
)
TABLE = "t1\tshot\t0\t4\nt2\tI\t5\t6\nt3\tThe\t7\t10\nt4\traid\t11\t15\n"


class Fault(NamedTuple):
    """``line`` of the sound file replaced (or, with ``after``, followed) by ``written``, and the finding wanted."""

    code: str
    line: int
    written: tuple[str, ...]
    at: int
    severity: str = "error"
    document: str | None = "d1"
    item: str | None = None
    after: bool = False


def faulty(fault: Fault, sound: tuple[str, ...]) -> str:
    lines = list(sound)
    lines[fault.line - (0 if fault.after else 1) : fault.line] = fault.written
    return "\n".join([*lines, ""])


def checked(path: Path, text: str, **settings: object) -> list[Finding]:
    path.write_text(text, encoding="utf-8")
    return lydite.validate(str(path), task="nugget", **settings)


def assert_found(fault: Fault, findings: list[Finding]) -> None:
    shown = [
        (one.code, one.severity, one.location.line if one.location else None, one.document)
        for one in findings
    ]
    assert (fault.code, fault.severity, fault.at, fault.document) in shown
    if fault.item is not None:
        assert fault.item in {one.item for one in findings if one.code == fault.code}
    errors = {one.code for one in findings if one.severity == "error"}
    assert errors == ({fault.code} if fault.severity == "error" else set())


def relation(written: str) -> tuple[str, ...]:
    return tuple(f"@{line.replace(' ', chr(9))}" for line in written.split("; "))


def mention(span: str = "0,4", *, name: str = "E1", kind: str = "Life_Die", realis: str = "Actual") -> str:
    return f"s\td1\t{name}\t{span}\tw\t{kind}\t{realis}"


FAULTS = (
    Fault("too-few-columns", 2, ("s\td1\tE1\t0,4\tshot\tLife_Die",), 2),
    Fault("too-few-columns", 2, ("s\td1\tE1\t0,4\tshot\tLife_Die\t",), 2),
    Fault("too-few-columns", 2, ("\td1\tE1\t0,4\tshot\tLife_Die\tActual",), 2),
    Fault("span-not-integer", 2, (mention("a,4"),), 2),
    Fault("span-not-integer", 2, (mention("0,4;"),), 2),
    Fault("span-not-integer", 2, (mention("-+1,4"),), 2),
    Fault("span-not-integer", 2, (mention(""),), 2),
    Fault("span-not-a-pair", 2, (mention("0,4;7"),), 2),
    Fault("span-out-of-range", 2, (mention("-3,4"),), 2),
    Fault("span-out-of-range", 2, (mention("0,4;-9,-7"),), 2),
    Fault("empty-span", 2, (mention("4,4"),), 2, "warning"),
    Fault("empty-segment", 2, (mention("0,3;5,4"),), 2, "warning"),
    Fault("span-more-than-a-pair", 2, (mention("0,3,5"),), 2, "warning"),
    Fault("empty-span", 2, (mention("9,4;5,5"),), 2, "warning"),
    Fault("overlapping-segments", 2, (mention("3,8;0,5"),), 2, "warning"),
    Fault("duplicate-mention-id", 3, (mention("10,14"),), 3, item="E1"),
    Fault("duplicate-mention", 3, (mention(name="E2"),), 3, "warning", item="E2"),
    Fault("unknown-realis", 2, (mention(realis="Maybe"),), 2, "warning"),
    Fault("document-column-mismatch", 2, (mention().replace("d1", "d7"),), 2, "warning"),
    Fault("relation-column-count", 4, relation("Coreference E1,E2"), 5, after=True),
    Fault("relation-column-count", 4, relation("After R1 E1,E2 x"), 5, after=True),
    Fault("relation-too-few-arguments", 4, relation("After R1 E1"), 5, after=True),
    Fault("relation-too-few-arguments", 4, relation("Cause R1 E1"), 5, after=True),
    Fault("relation-unknown-mention", 4, relation("Coreference C1 E1,E9"), 5, item="E9", after=True),
    Fault("relation-unknown-mention", 4, relation("Cause C1 E1,E9"), 5, item="E9", after=True),
    Fault("relation-unknown-mention", 4, ("@After\tR1\tE1, E2",), 5, item=" E2", after=True),
    Fault("chains-overlap", 4, relation("Coreference C1 E1,E2; Coreference C2 E2,E3"), 6, after=True),
    Fault("unknown-relation", 4, relation("after R1 E1,E2"), 5, "warning", after=True),
    Fault("singleton-chain", 4, relation("Coreference C1 E1"), 5, "warning", after=True),
    Fault("singleton-chain", 4, relation("Coreference C1 E1,E1"), 5, "warning", after=True),
    Fault("link-cycle", 4, relation("After R1 E1,E2; After R2 E2,E1"), 6, after=True),
    Fault("link-cycle", 4, relation("Coreference C1 E1,E2; After R1 E1,E3; After R2 E3,E2"), 7, after=True),
    Fault("long-cycle", 4, relation("After R1 E1,E2; After R2 E2,E3; After R3 E3,E1"), 7, after=True),
    Fault(
        "long-cycle",
        4,
        relation("After R1 E1,E2; After R2 E2,E1; After R3 E2,E3; After R4 E3,E1"),
        6,
        after=True,
    ),
    Fault("link-inside-chain", 4, relation("Coreference C1 E1,E2; After R1 E1,E2"), 6, "warning", after=True),
    Fault(
        "same-span-in-chain", 3, (mention(name="E2", realis="Other"), "@Coreference\tC\tE1,E2"), 4, "warning"
    ),
    Fault("missing-footer", 5, (), 1),
    Fault("missing-footer", 9, (), 6, document="d2"),
    Fault("repeated-footer", 9, ("#EndOfDocument",), 10, document="d2", after=True),
    Fault("missing-header", 1, (mention(name="E0"), SOUND[0]), 1),
    Fault("missing-header", 5, (SOUND[4], mention(name="E8")), 6, document="d2"),
    Fault("missing-header", 9, (mention(name="E8"),), 10, document=None, after=True),
    Fault("repeated-document", 9, SOUND[4:5] + SOUND[:2] + SOUND[4:5], 10),
    Fault("byte-order-mark", 1, ("\ufeff" + SOUND[0],), 1, document=None),
)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.code}-{fault.at}")
def test_a_fault_is_named_with_its_place_and_nothing_else_is_an_error(fault: Fault, tmp_path: Path) -> None:
    assert_found(fault, checked(tmp_path / "f.tbf", faulty(fault, SOUND), unit="char"))


def test_the_sound_file_has_nothing_to_say(tmp_path: Path) -> None:
    assert checked(tmp_path / "f.tbf", "\n".join([*SOUND, ""])) == []


TOKEN_FAULTS = (
    Fault("unknown-token", 2, (mention("t1,t9"),), 2, item="t9"),
    Fault("unknown-token", 2, (mention("t1, t2"),), 2, item=" t2"),
    Fault("mention-of-invisible-words-only", 2, (mention("t3"),), 2, "warning"),
    Fault("empty-span", 2, (mention("t3"),), 2, "warning"),
    Fault("same-span-in-chain", 4, relation("Coreference C1 E2,E3"), 5, after=True),
)


@pytest.mark.parametrize("fault", TOKEN_FAULTS, ids=lambda fault: fault.code)
def test_a_fault_in_tokens_is_named_too(fault: Fault, tmp_path: Path) -> None:
    (tmp_path / "tokens").mkdir()
    (tmp_path / "tokens" / "d1.tab").write_text(TABLE)
    settings = {"profile": "kbp2015", "tokens": str(tmp_path / "tokens")}
    assert_found(fault, checked(tmp_path / "f.tbf", faulty(fault, IN_TOKENS), **settings))


def test_the_word_i_is_visible_to_the_official_program_of_2015_alone(tmp_path: Path) -> None:
    (tmp_path / "tokens").mkdir()
    (tmp_path / "tokens" / "d1.tab").write_text(TABLE)
    text = faulty(Fault("", 2, (mention("t2"),), 2), IN_TOKENS)

    def codes(profile: str) -> set[str]:
        settings = {"profile": profile, "tokens": str(tmp_path / "tokens")}
        return {one.code for one in checked(tmp_path / "f.tbf", text, **settings)}

    assert "mention-of-invisible-words-only" not in codes("kbp2015")
    assert "mention-of-invisible-words-only" in codes("kbp2015-text")


def test_without_its_table_every_token_of_a_document_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "tokens").mkdir()
    text = "\n".join([*IN_TOKENS, ""])
    settings = {"profile": "kbp2015", "tokens": str(tmp_path / "tokens")}
    findings = checked(tmp_path / "f.tbf", text, **settings)
    assert [one.item for one in findings if one.code == "unknown-token"] == ["t1", "t3", "t4", "t4"]
    assert "token-table-missing" in {one.code for one in findings}
    lenient = checked(tmp_path / "f.tbf", text, reading="as-official", **settings)
    assert "unknown-token" not in {one.code for one in lenient}


def test_the_eleventh_unknown_relation_of_a_file_is_one_too_many(tmp_path: Path) -> None:
    def codes(count: int) -> dict[str, int | None]:
        extra = tuple(f"@Cause\tR{number}\tF1,F2" for number in range(count))
        text = faulty(Fault("", 8, extra, 0, after=True), SOUND)
        findings = checked(tmp_path / "f.tbf", text)
        return {one.code: one.location.line for one in findings if one.location}

    assert "too-many-unknown-relations" not in codes(10)
    assert codes(12)["too-many-unknown-relations"] == 8 + 11


def test_unknown_relations_of_a_folder_are_counted_file_by_file(tmp_path: Path) -> None:
    def codes(*counts: int) -> list[str]:
        folder = tmp_path / "-".join(map(str, counts))
        folder.mkdir()
        for at, count in enumerate(counts):
            extra = tuple(f"@Cause\tR{number}\tF1,F2" for number in range(count))
            text = faulty(Fault("", 8, extra, 0, after=True), SOUND)
            (folder / f"{at}.tbf").write_text(text.replace("d1", f"{at}d1").replace("d2", f"{at}d2"))
        findings = lydite.validate(folder, task="nugget")
        return [str(one.location) for one in findings if one.code == "too-many-unknown-relations"]

    assert codes(6, 6) == []
    assert codes(11, 6, 12) == [f"{tmp_path}/11-6-12/{at}.tbf:19" for at in (0, 2)]
