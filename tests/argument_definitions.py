"""The scores of event arguments, written down as plainly as their definitions: lists, loops, no shortcuts.

The implementation is held against this on random stores.  Nothing here is taken from it: files are read, identifiers
computed and rules applied from their written form alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Files = Mapping[str, str]
"""The text of each document's file."""

Spans = frozenset[tuple[int, int]]
"""Spans with inclusive ends, as files have them."""


class Response(NamedTuple):
    doc: str
    type: str
    role: str
    cas: str
    cas_span: tuple[int, int]
    pj: Spans
    bf: tuple[int, int]
    aj: Spans
    realis: str

    @property
    def string(self) -> tuple[str, tuple[int, int]]:
        return self.cas, self.cas_span


class Judgement(NamedTuple):
    aet: str
    ar: str
    cas: str
    bf: str
    realis: str
    mention: str

    @property
    def accepts_cas(self) -> bool:
        return self.cas in {"C", "I"}

    def is_good(self, response: Response) -> bool:
        return {self.aet, self.ar, self.cas, self.bf} <= {"C", "I"} and self.realis == response.realis

    def is_perfect(self, response: Response) -> bool:
        return {self.aet, self.ar, self.cas, self.bf} == {"C"} and self.realis == response.realis


class KeyLine(NamedTuple):
    response: Response
    judgement: Judgement | None


class Options(NamedTuple):
    profile: str
    expand_realis: bool = False
    neutralize_realis: bool = False
    annotation_complete: bool = False
    documents: tuple[str, ...] | None = None


NOT_A_DATE = "time CAS accepted by the assessor is not a KBP date"
NO_ID = "CAS without coreference id"
NOT_ASSESSED = "system response not assessed"
NOT_COMPLETE = "annotation is not complete"
CONFLICT = "additional justification does not tell arguments apart"
NO_LINKING = "linking has no file for this document"
NOT_LINKED = "on its INCOMPLETE line"

# ------------------------------------------------------------------------------------------------------- files


def _rows(text: str) -> Iterator[list[str]]:
    for line in re.split("\r\n|\n|\r", text):
        if line and line[0] != "#":
            yield [column.strip() for column in line.split("\t")]


def _span(text: str) -> tuple[int, int]:
    start, end = text.split("-")
    return int(start), int(end)


def _spans(text: str) -> Spans:
    return frozenset() if text == "NIL" else frozenset(_span(part.strip()) for part in text.split(","))


def _response(row: Sequence[str], options: Options) -> Response:
    additional = frozenset() if options.profile == "kbp2014-text" else _spans(row[8])
    spans = _span(row[5]), _spans(row[6]), _span(row[7]), additional
    return Response(row[1], row[2], row[3], row[4], *spans, row[9].capitalize())


def _system(text: str, options: Options) -> dict[Response, float]:
    answers: dict[Response, float] = {}
    for row in _rows(text):
        response = _response(row, options)
        answers[response] = max(float(row[10]), answers.get(response, 0.0))
    return answers


@dataclass
class Key:
    """The lines of an annotation file, one per response, in file order, and the id of each CAS."""

    lines: list[KeyLine] = field(default_factory=list)
    ids: dict[tuple[str, tuple[int, int]], int] = field(default_factory=dict)
    errors: set[str] = field(default_factory=set)

    def judgement(self, response: Response) -> Judgement | None:
        return next((line.judgement for line in self.lines if line.response == response), None)

    def has(self, response: Response) -> bool:
        return any(line.response == response for line in self.lines)

    @property
    def assessed(self) -> list[tuple[Response, Judgement]]:
        return [(response, judgement) for response, judgement in self.lines if judgement is not None]


def _key(text: str, options: Options) -> Key:
    key = Key()
    for row in _rows(text):
        response = _response(row, options)
        if row[15] not in {"", "NIL", "UNANNOTATED"}:
            key.ids.setdefault(response.string, int(row[15]))
        judgement = None
        if "UNANNOTATED" not in row[11:]:
            judgement = Judgement(*row[11:15], row[16].capitalize() if row[16] != "NIL" else "NIL", row[17])
        known = key.judgement(response)
        if known is not None and judgement not in {None, known}:
            key.errors.add(CONFLICT)
        if known is None and (judgement is not None or not key.has(response)):
            # A response both assessed and unassessed counts as assessed.
            key.lines = [line for line in key.lines if line.response != response]
            key.lines.append(KeyLine(response, judgement))
    return key


# ------------------------------------------------------------------------------------------------- identifiers


def _signed(value: int) -> int:
    value %= 2**32
    return value - 2**32 if value >= 2**31 else value


def _string_hash(text: str) -> int:
    units = text.encode("utf-16-be")
    value = 0
    for high, low in zip(units[::2], units[1::2], strict=True):
        value = 31 * value + 256 * high + low
    return value


def _list_hash(*values: int) -> int:
    value = 1
    for one in values:
        value = 31 * value + one
    return value


def identifier(response: Response) -> int:
    """The 2014 identifier."""
    return _signed(
        _list_hash(
            _string_hash(response.doc),
            _string_hash(response.type),
            _string_hash(response.role),
            _list_hash(_string_hash(response.cas), _list_hash(*response.cas_span)),
            _list_hash(*response.bf),
            sum(_list_hash(*span) for span in response.aj),
            sum(_list_hash(*span) for span in response.pj),
            _string_hash(response.realis),
        )
    )


def best(answers: Mapping[Response, float], of: Sequence[Response]) -> Response:
    """Highest confidence, then the larger identifier."""
    return max(of, key=lambda response: (answers[response], identifier(response)))


# ------------------------------------------------------------------------------------------------------- dates


def is_date(text: str, *, small: bool) -> bool:
    """4-2-2 places, each part digits and then unknown places, and the year not all unknown."""
    parts = text.split("-")
    unknown = "Xx" if small else "X"
    return (
        [len(part) for part in parts] == [4, 2, 2]
        and all(re.fullmatch(f"[0-9]*[{unknown}]*", part) for part in parts)
        and parts[0][0].isdigit()
    )


def coarser(text: str) -> list[str]:
    """Digits become X from the right, never the first digit of the year."""
    found = []
    places = list(text)
    for position in reversed(range(1, len(places))):
        if places[position].isdigit():
            places[position] = "X"
            found.append("".join(places))
    return found


# ------------------------------------------------------------------------------------------------- preparation


@dataclass
class Prepared:
    """A document after preparation; ``system`` and ``lines`` are what is left, ``key`` what is asked for judgements."""

    key: Key
    system: dict[Response, float]
    lines: list[tuple[Response, Judgement]]
    class_of: Any
    errors: set[str]
    form: Any
    removed: Any


LATER = {"kbp2014-revised", "kbp2015"}


def prepare(doc: str, system_text: str, key_text: str, options: Options) -> Prepared:
    """Steps 1 to 6 for one document."""
    del doc
    key, system = _key(key_text, options), _system(system_text, options)
    errors = set(key.errors)
    if options.annotation_complete and any(judgement is None for _, judgement in key.lines):
        errors.add(NOT_COMPLETE)
    if options.expand_realis:
        _expand(key)
    before = {response for response, _ in key.lines}

    def form(response: Response) -> Response:
        if options.neutralize_realis:
            response = response._replace(realis="Actual")
        if options.profile == "kbp2014-revised" and response.role == "Time":
            response = response._replace(cas=response.cas.replace("xx", "XX"))
        return response

    if options.neutralize_realis:
        _rewrite(key, lambda response: response._replace(realis="Actual"), options)
        key.lines = [
            KeyLine(
                response,
                judgement and judgement._replace(realis="Actual" if judgement.realis != "NIL" else "NIL"),
            )
            for response, judgement in key.lines
        ]
    if options.profile in LATER:
        for response in system:
            seen = response._replace(realis="Actual") if options.neutralize_realis else response
            if response not in before or key.judgement(seen) is None:
                errors.add(NOT_ASSESSED)
    if options.profile == "kbp2014-revised":
        _capitals(key, options)
    formed: dict[Response, float] = {}
    for response, confidence in system.items():
        formed[form(response)] = max(confidence, formed.get(form(response), 0.0))
    return _ruled(key, formed, options, errors, form)


def _expand(key: Key) -> None:
    for response, judgement in key.assessed:
        if judgement.realis not in {"NIL", response.realis}:
            twin = response._replace(realis=judgement.realis)
            if not key.has(twin):
                key.lines.append(KeyLine(twin, judgement))


def _rewrite(key: Key, change: Any, options: Options) -> None:
    """Give every response its new form; where several meet, the profile says whose judgement counts."""
    forms = list(dict.fromkeys(change(response) for response, _ in key.lines))
    lines = []
    for form in forms:
        meeting = [line for line in key.lines if change(line.response) == form]
        meeting = [line for line in meeting if line.judgement is not None] or meeting
        chosen = meeting[0]
        rewritten = [line for line in meeting if line.response != form]
        if options.profile in LATER and rewritten:
            chosen = rewritten[-1]
        lines.append(KeyLine(form, chosen.judgement))
    key.lines = lines


def _capitals(key: Key, options: Options) -> None:
    """xx becomes XX in Time CASes: the judgement moves along, the id does not."""

    def change(response: Response) -> Response:
        if response.role != "Time":
            return response
        return response._replace(cas=response.cas.replace("xx", "XX"))

    fresh = 1_000_000
    new_ids = {}
    for response, _ in key.lines:
        new = change(response)
        if new != response and new.string not in key.ids and new.string not in new_ids:
            fresh += 1
            new_ids[new.string] = fresh
    _rewrite(key, change, options)
    key.ids.update(new_ids)


def _ruled(
    key: Key, system: dict[Response, float], options: Options, errors: set[str], form: Any
) -> Prepared:
    profile = options.profile
    small = profile not in {"kbp2014", "kbp2014-text"}
    if profile in LATER:
        key.lines = [
            KeyLine(
                response,
                judgement._replace(cas="W")
                if judgement
                and response.role == "Time"
                and judgement.accepts_cas
                and not is_date(response.cas, small=small)
                else judgement,
            )
            for response, judgement in key.lines
        ]
    accepted = {response.string for response, judgement in key.assessed if judgement.accepts_cas}

    def filler(response: Response) -> Any:
        number = key.ids.get(response.string)
        if profile in {"kbp2014", "kbp2014-text"} and response.string not in accepted:
            number = None
        return response.string if number is None else number

    def class_of(response: Response) -> Any:
        return response.type, response.role, response.realis, filler(response)

    deaths = {
        (response.role, response.realis, filler(response))
        for response, judgement in key.assessed
        if response.type == "Life.Die" and judgement.is_good(response)
    }

    def injured(response: Response) -> bool:
        return response.type == "Life.Injure" and (response.role, response.realis, filler(response)) in deaths

    banning = [
        (response, judgement)
        for response, judgement in key.assessed
        if not (profile in LATER and injured(response))
    ]
    bans = set()
    for response, judgement in banning:
        if profile == "kbp2014-text" or response.role != "Time" or not judgement.accepts_cas:
            continue
        if is_date(response.cas, small=small):
            bans.update((response.type, response.realis, form) for form in coarser(response.cas))
        elif profile == "kbp2014":
            errors.add(NOT_A_DATE)

    def banned(response: Response) -> bool:
        return response.role == "Time" and (response.type, response.realis, response.cas) in bans

    specific = {response: value for response, value in system.items() if not banned(response)}
    if profile == "kbp2014-final":
        asked = [response for response, _ in key.assessed] + list(specific)
    elif profile in LATER:
        asked = [response for response, _ in key.lines]
    else:
        asked = []
    if any(response.string not in key.ids for response in asked):
        errors.add(NO_ID)
    left = {response: value for response, value in specific.items() if not injured(response)}
    lines = [
        (response, judgement)
        for response, judgement in key.assessed
        if not injured(response) and not (profile in LATER and banned(response))
    ]
    return Prepared(
        key, left, lines, class_of, errors, form, lambda response: injured(response) or banned(response)
    )


# ------------------------------------------------------------------------------------------------------ scores

GENRES = (
    ("CNN_CF CNN_IP", "Broadcast conversation"),
    ("CNN_ CNNHL", "Broadcast News"),
    ("bolt marce alt. aus.cars Austin-Grad misc. rec. seattle. soc. talk. uk.", "Forum"),
    ("APW AFP CNA NYT WPB XIN", "Newswire"),
    (
        "AGGRESSIVEVOICEDAILY BACONSREBELLION FLOPPING_ACES GETTINGPOLITICAL HEALINGIRAQ MARKBACKER OIADVANTAGE TTRACY",
        "Blog",
    ),
    ("fsh_", "Speech"),
)


def genre(doc: str) -> str:
    """From the prefix of the document id, first match."""
    for prefixes, name in GENRES:
        if any(doc.startswith(prefix) for prefix in prefixes.split()):
            return name
    return "Unknown"


def verdicts(document: Prepared, measure: str) -> Iterator[tuple[Any, list[str], set[str]]]:
    """Each class with its CASes and what it counts as."""
    system, lines, class_of = document.system, document.lines, document.class_of
    classes = dict.fromkeys([*map(class_of, system), *(class_of(response) for response, _ in lines)])
    for one in classes:
        answers = [response for response in system if class_of(response) == one]
        judged = [(response, judgement) for response, judgement in lines if class_of(response) == one]
        strings = {response.string for response in [*answers, *(response for response, _ in judged)]}
        yield one, [f"{a}-{b}:{cas}" for cas, (a, b) in strings], _verdict(document, measure, answers, judged)


def _verdict(
    document: Prepared,
    measure: str,
    answers: Sequence[Response],
    judged: Sequence[tuple[Response, Judgement]],
) -> set[str]:
    wanted = Judgement.is_perfect if measure == "strict" else Judgement.is_good
    could_be_found = any(wanted(judgement, response) for response, judgement in judged)
    if measure == "lax":
        if answers:
            return {"tp"} if could_be_found else {"fp"}
        return {"fn"} if could_be_found else set()
    if answers:
        selected = best(document.system, answers)
        judgement = document.key.judgement(selected)
        if judgement is not None and wanted(judgement, selected):
            return {"tp"}
        return {"fp", "fn"} if could_be_found else {"fp"}
    return {"fn"} if could_be_found else set()


def ratios(tp: int, fp: int, fn: int) -> dict[str, float]:
    """The counts with precision, recall and F1."""
    precision = tp / (tp + fp) if tp else 0.0
    recall = tp / (tp + fn) if tp else 0.0
    f1 = 2 * precision * recall / (precision + recall) if tp else 0.0
    return {"tp": tp, "fp": fp, "fn": fn, "precision": precision, "recall": recall, "f1": f1}


def documents_of(system: Files, annotation: Files, options: Options) -> list[str]:
    """The list, else the documents of either store."""
    return sorted({*system, *annotation}) if options.documents is None else list(options.documents)


def score(system: Files, annotation: Files, options: Options) -> dict[str, Any] | set[str]:
    """The scores laid out as conformance cases have them, or the reasons for a refusal."""
    prepared = {
        doc: prepare(doc, system.get(doc, ""), annotation.get(doc, ""), options)
        for doc in documents_of(system, annotation, options)
    }
    errors = set().union(*(document.errors for document in prepared.values()))
    if errors:
        return errors
    return {measure: _laid_out(prepared, measure) for measure in ("standard", "strict", "lax")}


def _laid_out(prepared: Mapping[str, Prepared], measure: str) -> dict[str, Any]:
    total = {"tp": 0, "fp": 0, "fn": 0}
    breakdowns: dict[str, dict[str, dict[str, int]]] = {
        name: {} for name in ("by_type", "by_role", "by_document", "by_genre")
    }
    lists: dict[str, list[Any]] = {"tp": [], "fp": [], "fn": []}
    for doc, document in prepared.items():
        for (type_, role, realis, _), strings, found in verdicts(document, measure):
            keys = {
                "by_type": type_,
                "by_role": f"{type_}.{role}",
                "by_document": doc,
                "by_genre": genre(doc),
            }
            for verdict in found:
                lists[verdict].append([doc, type_, role, realis, sorted(strings)])
                total[verdict] += 1
                for name, key in keys.items():
                    breakdowns[name].setdefault(key, {"tp": 0, "fp": 0, "fn": 0})[verdict] += 1
    return {
        **ratios(**total),
        **{
            name: {key: ratios(**counts) for key, counts in found.items()}
            for name, found in breakdowns.items()
        },
        "classes": {verdict: sorted(found) for verdict, found in lists.items()},
    }


# ----------------------------------------------------------------------------------------------------- linking


class LinkingFiles(NamedTuple):
    """The four stores of a run of 2015."""

    arguments: Files
    linking: Files
    annotation: Files
    reference: Files


BETA = 0.25


def score_linking(files: LinkingFiles, options: Options) -> dict[str, Any] | set[str]:
    """Argument, link and overall score of the corpus and of each document, or the reasons for a refusal."""
    errors: set[str] = set()
    figures: dict[str, dict[str, Any]] = {}
    for doc in documents_of(files.arguments, files.annotation, options):
        document = prepare(doc, files.arguments.get(doc, ""), files.annotation.get(doc, ""), options)
        errors |= document.errors | _linking_errors(doc, files)
        if errors:
            continue
        figures[doc] = _linked_document(doc, files, document, options)
    if errors:
        return errors
    return {"aggregate": _corpus(list(figures.values())), "by_document": figures}


def _linking_errors(doc: str, files: LinkingFiles) -> set[str]:
    errors = set()
    for responses, linking in ((files.arguments, files.linking), (files.annotation, files.reference)):
        if doc not in linking and any(_rows(responses.get(doc, ""))):
            errors.add(NO_LINKING)
        if re.search("^INCOMPLETE\t", linking.get(doc, ""), re.MULTILINE):
            errors.add(NOT_LINKED)
    return errors


def _frames(text: str, arguments: str, form: Any, options: Options) -> list[set[Response]]:
    by_id = {row[0]: form(_response(row, options)) for row in _rows(arguments)}
    return [
        {by_id[name] for name in line.split("\t")}
        for line in text.split("\n")
        if line.strip() and not line.startswith(("#", "INCOMPLETE"))
    ]


def _linked_document(doc: str, files: LinkingFiles, document: Prepared, options: Options) -> dict[str, Any]:
    class_of = document.class_of
    given = files.arguments.get(doc, "")
    system = _frames(files.linking.get(doc, ""), given, document.form, options)
    annotation = files.annotation.get(doc, "")
    reference = _frames(files.reference.get(doc, ""), annotation, document.form, options)
    reference = [{response for response in frame if not document.removed(response)} for frame in reference]
    generic = _best_of_each_class(
        document, [response for response in document.system if response.realis == "Generic"]
    )
    # Generic responses are compared over the document, in a frame or not.
    linked: set[Response] = set()
    for frame in system:
        others = [r for r in frame if r in document.system and r.realis != "Generic"]
        linked |= _best_of_each_class(document, others)
    # What is the best of its class in one frame stays in all its frames.
    system = [{response for response in frame if response in linked} for frame in system]
    document.system = {
        response: value for response, value in document.system.items() if response in linked | generic
    }
    counts = {"tp": 0, "fp": 0, "fn": 0}
    for _, _, found in verdicts(document, "standard"):
        for verdict in found:
            counts[verdict] += 1

    def good(response: Response) -> bool:
        judgement = document.key.judgement(response)
        return judgement is not None and judgement.is_good(response)

    wanted = [{class_of(r) for r in frame if r.realis != "Generic"} for frame in reference]
    known = {one for frame in wanted for one in frame}
    found = [{class_of(r) for r in frame if r.realis != "Generic" and good(r)} & known for frame in system]
    precision, recall, link = _links(wanted, found)
    to_find = counts["tp"] + counts["fn"]
    argument = (counts["tp"] - BETA * counts["fp"]) / to_find if to_find else None
    return {
        **counts,
        "arg": argument,
        "link_precision": precision,
        "link_recall": recall,
        "link": link,
        "items": len(known),
        "overall": None if argument is None else (argument + link) / 2,
    }


def _best_of_each_class(document: Prepared, responses: Sequence[Response]) -> set[Response]:
    classes = {document.class_of(response) for response in responses}
    return {
        best(document.system, [response for response in responses if document.class_of(response) == one])
        for one in classes
    }


def _links(wanted: Sequence[set[Any]], found: Sequence[set[Any]]) -> tuple[float, float, float]:
    gold = {one for frame in wanted for one in frame}
    system = {one for frame in found for one in frame}
    if not gold or not system:
        return (0.0, 0.0, 0.0) if gold or system else (1.0, 1.0, 1.0)
    precisions, recalls, f1s = [], [], []
    for one in gold:
        others = {other for frame in wanted if one in frame for other in frame} - {one}
        theirs = {other for frame in found if one in frame for other in frame} - {one}
        common = len(others & theirs)
        if one not in system:
            precision = recall = f1 = 0.0
        elif not others and not theirs:
            precision = recall = f1 = 1.0
        elif not common:
            precision = recall = f1 = 0.0
        else:
            precision, recall = common / len(theirs), common / len(others)
            f1 = 2 * precision * recall / (precision + recall)
        precisions.append(precision)
        recalls.append(recall)
        f1s.append(f1)
    return sum(precisions) / len(system), sum(recalls) / len(gold), sum(f1s) / len(gold)


def _corpus(figures: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    tp, fp, fn = (sum(one[name] for one in figures) for name in ("tp", "fp", "fn"))
    kept = sum(max(0.0, one["tp"] - BETA * one["fp"]) for one in figures)
    items = sum(one["items"] for one in figures)

    def weighted(name: str) -> float:
        return sum(one["items"] * one[name] for one in figures) / items if items else 0.0

    argument = kept / (tp + fn) if tp + fn else 0.0
    return {
        "tp": tp,
        "fp": fp,
        "fn": fn,
        "arg_precision": tp / (tp + fp) if tp else 0.0,
        "arg_recall": tp / (tp + fn) if tp else 0.0,
        "arg": argument,
        "link_precision": weighted("link_precision"),
        "link_recall": weighted("link_recall"),
        "link": weighted("link"),
        "overall": (argument + weighted("link")) / 2,
    }
