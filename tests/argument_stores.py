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
    return "".join("\t".join(frame) + "\n" for frame in frames if frame)


def linking_stores(rng: Random, chances: Chances) -> LinkingFiles:
    """The four stores of a run of 2015."""
    files = LinkingFiles({}, {}, {}, {})
    for doc in rng.sample(DOCUMENTS, rng.choice((1, 2, 3))):
        key = _key_lines(rng, doc, chances)
        judged = [line for line in key if "UNANNOTATED" not in line[10:14]]
        answers = _system_lines(rng, doc, judged, chances)
        files.annotation[doc] = _text(rng, key, "r{}".format)
        files.reference[doc] = _linking(rng, key, all_linked=rng.random() < 0.7)
        files.arguments[doc] = _text(rng, answers, "r{}".format)
        files.linking[doc] = _linking(rng, answers, all_linked=rng.random() < 0.5)
    return files
