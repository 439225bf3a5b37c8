"""The validator of event-argument stores, written down as plainly as its tables: one check after the other."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from argument_definitions import Spans

REGION = re.compile("<quote>|<quote |</quote>")


class Said(NamedTuple):
    """What the tables fix of a finding."""

    check: str
    severity: str
    file: str
    line: int | None = None
    column: int | None = None


class Corpus(NamedTuple):
    """The source documents, the table of types and roles, and the limits of the warnings."""

    texts: Mapping[str, str]
    taxonomy: str
    mention: int = 200
    justification: int = 1000


def lines_of(data: bytes) -> list[tuple[int, list[str]]]:
    text = data.decode("utf-8").removeprefix("\ufeff")
    return [
        (number, [column.strip() for column in line.split("\t")])
        for number, line in enumerate(re.split("\r\n|\n|\r", text), start=1)
        if line and line[0] != "#"
    ]


def validated(corpus: Corpus, files: Mapping[str, bytes], *, annotation: bool) -> set[Said]:
    """Every finding about the files of a store, those of the tables alone."""
    found = {Said("extra-document", "error", name) for name in files if name not in corpus.texts}
    if not annotation:
        found |= {Said("missing-document", "error", name) for name in corpus.texts if name not in files}
    for name, data in files.items():
        if name not in corpus.texts:
            continue
        try:
            lines = lines_of(data)
        except UnicodeDecodeError as error:
            before = data[: error.start].decode("latin-1")
            line = len(re.findall("\r\n|\n|\r", before)) + 1
            found.add(Said("encoding", "error", name, line))
            continue
        document = _Annotation(name, corpus) if annotation else _Submission(name, corpus)
        for number, columns in lines:
            document.look(number, columns)
        document.conclude()
        found |= document.found
    return found


class _Document:
    def __init__(self, name: str, corpus: Corpus) -> None:
        self.name, self.corpus, self.text = name, corpus, corpus.texts[name]
        self.found: set[Said] = set()
        self.table = tomllib.loads(corpus.taxonomy)

    def say(self, check: str, line: int, column: int | None = None, severity: str = "error") -> None:
        self.found.add(Said(check, severity, self.name, line, column))

    def look(self, number: int, columns: list[str]) -> None:
        raise NotImplementedError

    def conclude(self) -> None:
        """What is said once all lines were seen."""

    def names(self, line: int, columns: Sequence[str]) -> None:
        if columns[1] != self.name:
            self.say("docid", line, 2)
        types = self.table["types"]
        if columns[2] not in types:
            self.say("event-type", line, 3)
        elif columns[3] not in {*types[columns[2]]["roles"], "Time", "Place"}:
            self.say("role", line, 4)
        elif types[columns[2]]["roles"].get(columns[3], {}).get("tolerated"):
            self.say("role", line, 4, "warning")
        if not columns[4]:
            self.say("empty-cas", line, 5)
        if columns[9].lower() not in {"actual", "generic", "other"}:
            self.say("realis", line, 10)

    def spans(self, line: int, columns: Sequence[str]) -> dict[int, Spans | None]:
        """The spans of columns 6 to 9; None where a column said something already."""
        read = {column: self._spans(line, column, columns[column - 1]) for column in (6, 7, 8, 9)}
        for column, spans in read.items():
            if spans and any(end > len(self.text) - 1 for _, end in spans):
                self.say("span-bounds", line, column)
        return read

    def _spans(self, line: int, column: int, text: str) -> Spans | None:
        several = column in {7, 9}
        if several and text == "":
            self.say("empty-set", line, column)
            return None
        if text == "NIL" and several:
            if column == 9:
                return frozenset()
            self.say("empty-justification", line, column)
            return None
        found = set()
        for part in text.split(",") if several else [text]:
            match = re.fullmatch("([0-9]+)-([0-9]+)", part.strip(" ") if several else part)
            if match is None:
                self.say("span-syntax", line, column)
                return None
            start, end = int(match[1]), int(match[2])
            if end < start:
                self.say("span-order", line, column)
                return None
            found.add((start, end))
        return frozenset(found)

    def date(self, line: int, text: str, *, always_warn: bool = False) -> None:
        check, severity = date_finding(text)
        if check:
            self.say(check, line, 5, "warning" if always_warn else severity)


def date_finding(text: str) -> tuple[str, str]:
    """The check and severity of a date, both empty for a good one."""
    parts = text.split("-")
    if [len(part) for part in parts] != [4, 2, 2] or text == "XXXX-XX-XX":
        return "time-format", "error"
    if not all(re.fullmatch("[0-9]*X*", part) for part in parts) or not _some_day_fits(text):
        return "time-format", "error"
    if parts[0] == "XXXX":
        return "time-unknown-year", "warning"
    if re.search("X.*[0-9]", text):
        return "time-format", "warning"
    return "", ""


def _some_day_fits(text: str) -> bool:
    pattern = re.compile(text.replace("X", "[0-9]"))
    # A common and a leap year of every last digit are not enough: take all years that the digits allow.
    year, rest = text[:4], re.compile(text[5:].replace("X", "[0-9]"))
    days = [
        f"{month:02}-{day:02}" for month in range(1, 13) for day in range(1, 32) if day <= _longest(month)
    ]
    if any(rest.fullmatch(day) for day in days if day != "02-29"):
        return re.fullmatch("[0-9X]{4}", year) is not None
    leap = (number for number in range(10000) if number % 400 == 0 or (number % 4 == 0 and number % 100))
    return any(pattern.fullmatch(f"{number:04}-02-29") for number in leap)


def _longest(month: int) -> int:
    return 29 if month == 2 else 30 if month in {4, 6, 9, 11} else 31


class _Submission(_Document):
    def __init__(self, name: str, corpus: Corpus) -> None:
        super().__init__(name, corpus)
        self.ids: set[str | int] = set()
        self.responses: set[tuple[object, ...]] = set()

    def look(self, line: int, columns: list[str]) -> None:
        if len(columns) != 11:
            self.say("column-count", line)
            return
        self._id(line, columns[0])
        self.names(line, columns)
        spans = self.spans(line, columns)
        if not _is_confidence(columns[10]):
            self.say("confidence", line, 11)
        if columns[3] == "Time" and columns[4]:
            self.date(line, columns[4])
        self._warnings(line, columns, spans)

    def _id(self, line: int, text: str) -> None:
        value: str | int = text
        if re.fullmatch("-?[0-9]+", text) and -(2**31) <= int(text) < 2**31:
            value = int(text)
        else:
            self.say("response-id", line, 1)
        if value in self.ids:
            self.say("duplicate-id", line, 1)
        self.ids.add(value)

    def _warnings(self, line: int, columns: Sequence[str], spans: Mapping[int, Spans | None]) -> None:
        for column in (6, 8):
            for start, end in spans[column] or ():
                if end - start + 1 > self.corpus.mention:
                    self.say("mention-length", line, column, "warning")
                if any(a <= place <= b for a, b in quoted(self.text) for place in (start, end)):
                    self.say("in-quote", line, column, "warning")
        for column in (7, 9):
            found = spans[column] or ()
            if len(found) > 10 or any(end - start + 1 > self.corpus.justification for start, end in found):
                self.say("justification-length", line, column, "warning")
        if spans[7] and spans[8]:
            ((start, end),) = spans[8]
            if not any(a <= start and end <= b for a, b in spans[7]):
                self.say("filler-outside-justification", line, 8, "warning")
        if columns[3] != "Time" and columns[4] and spans[6]:
            ((start, end),) = spans[6]
            if end < len(self.text) and columns[4] not in re.sub(r"\s+", " ", self.text[start : end + 1]):
                self.say("cas-text", line, 5, "warning")
        readable = columns[1] == self.name and columns[9].lower() in {"actual", "generic", "other"}
        if readable and None not in spans.values():
            response = (*columns[1:5], *(spans[column] for column in (6, 7, 8, 9)), columns[9].lower())
            if response in self.responses:
                self.say("duplicate-response", line, None, "warning")
            self.responses.add(response)


def _is_confidence(text: str) -> bool:
    if not re.fullmatch(r"\+?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?", text):
        return False
    return 0 <= float(text) <= 1


def quoted(text: str) -> list[tuple[int, int]]:
    """Regions with inclusive ends."""
    regions, depth, start = [], 0, -1
    for tag in REGION.finditer(text):
        if tag[0] == "</quote>":
            depth -= depth > 0
            if depth == 0 and start >= 0:
                regions.append((start, tag.end() - 1))
                start = -1
        else:
            start = tag.start() if depth == 0 else start
            depth += 1
    return regions


class _Annotation(_Document):
    def __init__(self, name: str, corpus: Corpus) -> None:
        super().__init__(name, corpus)
        self.lines: list[tuple[int, tuple[object, ...], list[str]]] = []

    def look(self, line: int, columns: list[str]) -> None:
        if len(columns) != 18:
            self.say("no-assessments" if len(columns) == 11 else "assessment-columns", line)
            return
        before = len(self.found)
        self.names(line, columns)
        spans = self.spans(line, columns)
        errors = [said for said in self.found if said.line == line and said.severity == "error"]
        sound = len(self.found) == before or not errors
        judged = columns[11:]
        unassessed = "UNANNOTATED" in judged
        if columns[3] == "Time" and columns[4] and judged[2] in {"C", "I"} and not unassessed:
            self.date(line, columns[4], always_warn=True)
        if self._bad_values(line, judged, unassessed=unassessed):
            return
        if not unassessed:
            self._complete(line, judged)
        if sound:
            response = (*columns[1:5], *(spans[column] for column in (6, 7, 8, 9)), columns[9].lower())
            self.lines.append((line, response, judged))

    def _bad_values(self, line: int, judged: Sequence[str], *, unassessed: bool) -> bool:
        bad = []
        if judged[4] not in {"", "NIL", "UNANNOTATED"} and not (
            re.fullmatch("-?[0-9]+", judged[4]) and -(2**31) <= int(judged[4]) < 2**31
        ):
            bad.append(16)
        if not unassessed:
            bad += [12 + place for place in range(4) if judged[place] not in {"C", "W", "I", "NIL"}]
            bad += [17] * (judged[5] != "NIL" and judged[5].lower() not in {"actual", "generic", "other"})
            bad += [18] * (judged[6] not in {"NAME", "NOMINAL", "NIL"})
        for column in bad:
            self.say("assessment-value", line, column)
        return bool(bad)

    def _complete(self, line: int, judged: Sequence[str]) -> None:
        later = {14: judged[2], 15: judged[3], 17: judged[5], 18: judged[6]}
        if judged[0] in {"W", "NIL"} or judged[1] == "W":
            extra = [column for column, value in later.items() if value != "NIL"]
            if extra:
                self.say("assessment-extra", line, extra[0])
            return
        missing = [13] * (judged[1] == "NIL") + [column for column, value in later.items() if value == "NIL"]
        if missing:
            self.say("assessment-missing", line, missing[0])

    def conclude(self) -> None:
        ids: dict[object, int] = {}
        for line, response, judged in self.lines:
            if judged[4] in {"", "NIL", "UNANNOTATED"}:
                continue
            if ids.setdefault(_string(response), int(judged[4])) != int(judged[4]):
                self.say("coref-conflict", line, 16)
        asked = set()
        judgements: dict[object, list[str]] = {}
        for line, response, judged in self.lines:
            if "UNANNOTATED" in judged:
                continue
            string = _string(response)
            if judged[2] in {"C", "I"} and string not in ids and string not in asked:
                asked.add(string)
                self.say("coref-missing", line, 16)
            same = [*judged[:4], judged[5].lower(), judged[6]]
            if judgements.setdefault(response, same) != same:
                self.say("assessment-conflict", line)


def _string(response: tuple[object, ...]) -> tuple[object, object]:
    """The CAS: string and span."""
    return response[3], response[4]
