"""Random argument stores as text, full of what the rules are about: shared strings, coarse dates, meeting judgements."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from argument_definitions import LinkingFiles

KINDS = (
    ("Life.Die", "Victim"),
    ("Life.Injure", "Victim"),
    ("Life.Die", "Time"),
    ("Life.Injure", "Time"),
    ("Life.Injure", "Place"),
    ("Life.Die", "Place"),
    ("Contact.Meet", "Time"),
    ("Contact.Meet", "Entity"),
)
DATES = (
    "1982-12-31", "1982-12-31", "1982-12-3X", "1982-12-XX", "1982-XX-XX", "198X-XX-XX", "1982-12-xx", "198x-xx-xx",
    "198X-xx-XX", "1982-xx-XX", "19XX-XX-XX",
)  # fmt: skip
NO_DATES = ("Tuesday", "XXXX-12-31", "1982-12")
NAMES = ("Ask", "Bo", "Runa")
REALIS = ("Actual", "Generic", "Other")
DOCUMENTS = ("NYT_1", "bolt-2", "CNN_CF3", "CNN_4", "doc_5")


class Chances(NamedTuple):
    """How often what a profile refuses is to be found in a store."""

    no_date: float = 0.0
    small_x: float = 0.5
    no_id: float = 0.0
    unassessed: float = 0.15
    strange: float = 0.15
    """System responses that are not in the key."""


def _response(rng: Random, doc: str, chances: Chances) -> list[str]:
    """Columns 2 to 10."""
    type_, role = rng.choice(KINDS)
    if role == "Time" and rng.random() < chances.no_date:
        text = rng.choice(NO_DATES)
    elif role == "Time" or rng.random() < 0.1:
        text = rng.choice(DATES)
        if rng.random() >= chances.small_x:
            text = text.replace("x", "X")
    else:
        text = rng.choice(NAMES)
    start = rng.choice((10, 40))
    span = f"{start}-{start + len(text) - 1}"
    justification = rng.choice(("0-99", "0-99", "0-59,60-99"))
    additional = rng.choice(("NIL", "NIL", "NIL", "5-9", "5-9,20-29"))
    filler = rng.choice(("10-13", "10-13", "40-43"))
    return [doc, type_, role, text, span, justification, filler, additional, rng.choice(REALIS)]


def _in_another_order(rng: Random, columns: list[str]) -> list[str]:
    """The same response: spans of a set in another order, realis in another letter case."""
    shuffled = list(columns)
    for position in (5, 7):
        parts = shuffled[position].split(",")
        rng.shuffle(parts)
        shuffled[position] = ",".join(parts)
    shuffled[8] = rng.choice((shuffled[8], shuffled[8].upper()))
    return shuffled


def _judgement(rng: Random, realis: str) -> list[str]:
    """Columns 12 to 18 without the id in column 16, consistent."""
    first = rng.choice("CCCCCIWN")
    if first in "WN":
        return ["NIL" if first == "N" else "W", rng.choice(("NIL", "NIL", "C")), *["NIL"] * 4]
    second = rng.choice("CCCCCIW")
    if second == "W":
        return [first, "W", *["NIL"] * 4]
    judged = rng.choice((realis, realis, *REALIS))
    return [
        first,
        second,
        rng.choice("CCCCIW"),
        rng.choice("CCCCIW"),
        judged,
        rng.choice(("NAME", "NOMINAL")),
    ]


def _key_lines(rng: Random, doc: str, chances: Chances) -> list[list[str]]:
    responses = {tuple(_response(rng, doc, chances)) for _ in range(rng.choice((0, 2, 6, 12)))}
    for response in sorted(responses):  # twins that differ in realis, or in column 9, alone
        if rng.random() < 0.3:
            responses.add((*response[:8], rng.choice(REALIS)))
        if rng.random() < 0.1:
            responses.add((*response[:7], "70-79", response[8]))
    lines: list[list[str]] = []
    ids: dict[tuple[str, str], str] = {}
    agreed: dict[tuple[str, ...], list[str]] = {}
    for response in rng.sample(sorted(responses), len(responses)):
        columns = list(response)
        number = "NIL" if rng.random() < chances.no_id else str(rng.choice((1, 2, 3, 44)))
        id_ = ids.setdefault((columns[3], columns[4]), number)
        unassessed = [*["UNANNOTATED"] * 4, "UNANNOTATED" if id_ == "NIL" else id_, *["UNANNOTATED"] * 2]
        if rng.random() < chances.unassessed:
            lines.append([*columns, "1.0", *unassessed])
            continue
        without_additional = (*response[:7], response[8])
        judgement = agreed.setdefault(without_additional, _judgement(rng, columns[8]))
        if rng.random() < 0.05:
            judgement = _judgement(rng, columns[8])
        if id_ == "NIL" and judgement[2] in {"C", "I"}:
            judgement = ["W", "NIL", "NIL", "NIL", "NIL", "NIL"]
        line = [*columns, "1.0", *judgement[:4], id_, *judgement[4:]]
        lines.append(line)
        if rng.random() < 0.1:  # the same response once more: judged the same, or not assessed
            again = line if rng.random() < 0.5 else [*columns, "1.0", *unassessed]
            lines.append([*_in_another_order(rng, again[:9]), *again[9:]])
    rng.shuffle(lines)
    return [_with_some_ids_left_out(rng, line) for line in lines]


def _with_some_ids_left_out(rng: Random, line: list[str]) -> list[str]:
    """An id need not stand on every line of its string; a line that accepts the string keeps it here."""
    if line[12] not in {"C", "I"} and rng.random() < 0.1:
        return [*line[:14], "UNANNOTATED" if "UNANNOTATED" in line else "NIL", *line[15:]]
    return line


def _system_lines(rng: Random, doc: str, key: list[list[str]], chances: Chances) -> list[list[str]]:
    chosen = [_in_another_order(rng, line[:9]) for line in key if rng.random() < 0.6]
    chosen += [_response(rng, doc, chances) for _ in range(2) if rng.random() < chances.strange]
    rng.shuffle(chosen)
    return [[*columns, rng.choice(("0.5", "0.5", ".5", "0.9", "1e-1"))] for columns in chosen]


def _text(rng: Random, lines: list[list[str]], name: Any = str) -> str:
    end = rng.choice(("\n", "\n", "\r\n", "\r"))
    rows = ["\t".join([name(number), *line]) for number, line in enumerate(lines, start=1)]
    if rng.random() < 0.2:
        rows.insert(rng.randrange(len(rows) + 1), rng.choice(("", "# a remark")))
    return end.join(rows) + (end if rng.random() < 0.8 else "")


def stores(rng: Random, chances: Chances) -> tuple[dict[str, str], dict[str, str]]:
    """A system store and an annotation store; a document may lack a file on either side."""
    system: dict[str, str] = {}
    annotation: dict[str, str] = {}
    for doc in rng.sample(DOCUMENTS, rng.choice((1, 1, 2, 3))):
        key = _key_lines(rng, doc, chances)
        answers = _system_lines(rng, doc, key, chances)
        if rng.random() < 0.95 or not answers:
            annotation[doc] = _text(rng, key)
        if rng.random() < 0.95:
            system[doc] = _text(rng, answers)
    return system, annotation


def _linking(rng: Random, lines: list[list[str]], *, all_linked: bool) -> str:
    """Frames over the lines that are not Generic, and a few that are; a response may be in several frames."""
    frames: list[list[str]] = [[] for _ in range(rng.choice((1, 2, 3)))]
    for number, line in enumerate(lines, start=1):
        if line[8].capitalize() == "Generic" and rng.random() < 0.8:
            continue
        if all_linked or rng.random() < 0.85:
            for frame in rng.sample(frames, rng.choice((1, 1, 1, min(2, len(frames))))):
                frame.append(f"r{number}")
    written = ["\t".join(frame) for frame in frames if frame]
    if rng.random() < 0.2:
        oddities = ("", "# a remark", "INCOMPLETE", "INCOMPLETE\tr1") if lines else ("", "# a remark")
        written.insert(rng.randrange(len(written) + 1), rng.choice(oddities))
    return "".join(f"{line}\n" for line in written)


def linking_stores(rng: Random, chances: Chances) -> LinkingFiles:
    """The four stores of a run of 2015."""
    files = LinkingFiles({}, {}, {}, {})
    for doc in rng.sample(DOCUMENTS, rng.choice((1, 2, 3))):
        key = _key_lines(rng, doc, chances)
        judged = [line for line in key if "UNANNOTATED" not in line[10:14]]
        answers = _system_lines(rng, doc, judged, chances)
        if key or rng.random() < 0.5:
            files.annotation[doc] = _text(rng, key, "r{}".format)
        if rng.random() < 0.98:
            files.reference[doc] = _linking(rng, key, all_linked=rng.random() < 0.7)
        if rng.random() < 0.95:
            files.arguments[doc] = _text(rng, answers, "r{}".format)
            if rng.random() < 0.98:
                files.linking[doc] = _linking(rng, answers, all_linked=rng.random() < 0.5)
    return files


# Submissions and annotation stores with faults in them

TEXT = (
    '<DOC>\r\n<quote orig="a">Ask met <quote>Bo</quote> on Tuesday.</quote> Runa\tand Ask\n\nwent. </quote> '
    "Bo met Runa. <quoted> Ask <QUOTE> Bo left \U0001f600 here.\n</DOC>\n"
)
ELEVEN_SPANS = ",".join(f"{place}-{place}" for place in range(11))
VALUES: dict[int, tuple[str, ...]] = {
    1: ("x", "1.0", "2147483648", "-2147483649", "-2147483648", "+5", "1_0", "", "00", "\u0663", "-0", "1", "2"),
    2: ("E", "d", ""),
    3: ("Life.Be-Born", "life.die", "Justice.Appeal", "Justice.Sue", "Personnel.Elect", "", "Movement.Transport"),
    4: ("victim", "Plaintiff", "Time", "TIME", "Place", "Entity[3]", "Crime", "Person", ""),
    5: (
        "", "   ", "Ask", "Tuesday", "2005-06-17", "2005-06-XX", "XXXX-05-04", "XXXX-XX-XX", "1999-XX-31", "20X0-05-04",
        "2010-13-01", "2010-02-30", "2010-2X-XX", "2010-02-3X", "2010-00-XX", "2010-05-xx", "2005-W24", "2011-02-29",
        "201X-02-29", "2012-02-29", "XXXX-02-29", "XXXX-02-30", "2010-XX-4X", "2010-0X-XX", "1XXX-XX-XX", "XXXX-1X-3X",
        "2010-05-0X", "2010-05-00", "\u0662\u0660\u0661\u0660-05-04", "Runa and Ask", "Ask  went", "190X-02-29",
        "1900-02-29",
    ),
    6: ("5-4", "5", "-5-6", "0-0", "5-6,7-8", "500-600", "a-b", "", "NIL", "0-150", "0-154", "0-155", "\u0663-\u0664", "007-9"),
    7: ("NIL", "", "0-9,", "0-9, 20-30", "0-9 ,20-30", "30-20", "0-9,x", "0-500", ELEVEN_SPANS, f"{ELEVEN_SPANS[:-6]},9-9", "nil"),
    8: ("5-4", "", "NIL", "3-3", "0-120", "900-901", "5-6,7-8"),
    9: ("", "nil", "NIL", "5-4", "5-6;7-8", "0-100", "0-9,400-500"),
    10: ("actual", "GENERIC", "oTHER", "Real", "", "NIL", "Actuals"),
    11: (
        "", "nan", "NaN", "inf", "0x1p-1", "0.5f", "1_0", "0,5", "-0", "-0.5", "1.0000001", "1.", ".5", ".", "1e-3", "+0.3",
        "1e3", "++1", "1E+0", "\u0660.\u0665", "0.5 ", "Infinity", "1e400", "1e-400",
    ),
    12: ("C", "W", "I", "NIL", "c", "X", "", "UNANNOTATED"),
    13: ("C", "W", "I", "NIL", "x", "UNANNOTATED"),
    14: ("C", "W", "I", "NIL", "N"),
    15: ("C", "W", "I", "NIL", "?"),
    16: ("1", "2", "NIL", "", "UNANNOTATED", "x", "2147483648", "1.0", "-5", "+5", "01"),
    17: ("Actual", "other", "GENERIC", "NIL", "Real", ""),
    18: ("NAME", "NOMINAL", "NIL", "Name", "", "NAM"),
}  # fmt: skip


def _judged(rng: Random, columns: list[str]) -> list[str]:
    judgement = _judgement(rng, columns[9])
    return [*columns[:11], *judgement[:4], rng.choice(("1", "2", "NIL")), *judgement[4:]]


def _checked_line(rng: Random, doc: str, number: int, *, annotation: bool) -> list[str]:
    response = _response(rng, doc, Chances(no_date=0.1))
    if rng.random() < 0.5:  # a string that stands in the text
        start = rng.randrange(len(TEXT) - 10)
        end = start + rng.randrange(9)
        response[3] = " ".join(TEXT[start : end + 1].split()) or "Ask"
        response[4] = f"{start}-{end}"
    columns = [
        str(rng.choice((number, number, number, number, 3))),
        *response,
        rng.choice(("0.5", "1.0", "0")),
    ]
    if annotation:
        columns = _judged(rng, columns)
        if rng.random() < 0.15:
            columns[11:] = [*["UNANNOTATED"] * 4, rng.choice(("UNANNOTATED", "1")), *["UNANNOTATED"] * 2]
    for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
        column = rng.randrange(1, len(columns) + 1)
        columns[column - 1] = rng.choice(VALUES[column])
    return columns


def _of_another_width(rng: Random, columns: list[str]) -> list[str]:
    chance = rng.random()
    if chance < 0.03:
        return columns[:-1]
    if chance < 0.05:
        return [*columns, ""]
    if chance < 0.07:
        return [rng.choice((" ".join(columns), "   "))]
    return columns[:11] if chance < 0.09 else columns


def checked_file(rng: Random, doc: str, *, annotation: bool) -> bytes:
    """The file of a document with faults of all kinds."""
    lines: list[list[str]] = []
    for number in range(1, 1 + rng.choice((0, 1, 3, 8))):
        chance = rng.random()
        if lines and chance < 0.2:
            lines.append(list(rng.choice(lines)))
        elif lines and annotation and chance < 0.5 and len(again := list(rng.choice(lines))) == 18:
            again = _judged(rng, again)
            again[3] = rng.choice((again[3], "Place"))
            lines.append(again)
        else:
            line = _checked_line(rng, doc, number, annotation=annotation)
            lines.append(_of_another_width(rng, line))
    end = rng.choice(("\n", "\r\n", "\r"))
    data = "".join("\t".join(line) + end for line in lines).encode()
    if rng.random() < 0.1:
        data = f"# a remark{end}".encode() + data
    if rng.random() < 0.05:
        data = b"\xef\xbb\xbf" + data
    return data + b"\xff" if rng.random() < 0.05 else data


def checked_store(rng: Random, *, annotation: bool) -> tuple[dict[str, str], dict[str, bytes]]:
    """Source documents, and a store with files for most of them and for others."""
    texts = dict.fromkeys(("D", "E1", "F.x")[: rng.choice((1, 2, 3))], TEXT)
    names = [
        name for name in ("D", "E1", "F.x", "zz", "D.txt") if rng.random() < (0.95 if name in texts else 0.05)
    ]
    return texts, {name: checked_file(rng, name, annotation=annotation) for name in names}
