#!/usr/bin/env python3
"""Make the example corpus: texts, token tables, gold and three systems, from markup and rules.

    python examples/build.py           write the files
    python examples/build.py --check   write nothing; fail if a file differs from what would be written

Sources, written by hand:

* ``markup/<doc>.txt``: a document with its mentions in braces, then the links between its events.
* ``events.tsv``: a sentence for every event that the markup names.
* ``rules/alder.tsv``: what alder does wrong, mention by mention.
* ``rules/birch.tsv``, ``rules/cedar.tsv``: the word lists of two keyword systems.

Nothing is drawn by chance.  ``README.md`` explains the notation.
"""

from __future__ import annotations

import argparse
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

HERE = Path(__file__).resolve().parent

TYPES = {
    name.partition("_")[2]: name
    for name in (
        "Conflict_Attack",
        "Conflict_Demonstrate",
        "Contact_Broadcast",
        "Contact_Contact",
        "Contact_Correspondence",
        "Contact_Meet",
        "Justice_Arrest-Jail",
        "Life_Die",
        "Life_Injure",
        "Manufacture_Artifact",
        "Movement_Transport-Artifact",
        "Movement_Transport-Person",
        "Personnel_Elect",
        "Personnel_End-Position",
        "Personnel_Start-Position",
        "Transaction_Transaction",
        "Transaction_Transfer-Money",
        "Transaction_Transfer-Ownership",
    )
}
REALIS = ("Actual", "Generic", "Other")
LINKS = ("After", "Subevent")
NO_EVENT = "-"
GENERATED = ("text", "tokens", "systems", "systems-tokens")

Range = tuple[int, int]


class SourceError(Exception):
    """A markup or rule file that cannot be read; the message says where and why."""


# ---------------------------------------------------------------------------------------- model


@dataclass(frozen=True)
class Mention:
    """Some characters of a document, half-open ranges in text order, and what they are said to be."""

    mention_id: str
    span: tuple[Range, ...]
    type: str
    realis: str
    event: str = NO_EVENT
    confidences: tuple[float, ...] = ()


@dataclass(frozen=True)
class Link:
    """``After``: second happens after first.  ``Subevent``: second is a part of first."""

    name: str
    first: str
    second: str


@dataclass(frozen=True)
class Document:
    """A text, the mentions of one side, and the links between them."""

    doc_id: str
    text: str
    mentions: tuple[Mention, ...] = ()
    links: tuple[Link, ...] = ()

    def mention(self, mention_id: str) -> Mention:
        """Find a mention by its id."""
        for mention in self.mentions:
            if mention.mention_id == mention_id:
                return mention
        raise SourceError(f"{self.doc_id}: no mention {mention_id}")

    def first_of(self, event: str) -> str:
        """Find the id of the first mention of an event."""
        for mention in self.mentions:
            if mention.event == event:
                return mention.mention_id
        raise SourceError(f"{self.doc_id}: a link names {event}, which no mention does")

    def words(self, span: Iterable[Range]) -> str:
        """The characters of a span; the parts of a discontinuous one are joined by a blank."""
        return " ".join(self.text[begin:end] for begin, end in span)

    def clusters(self) -> list[list[str]]:
        """Mentions of one event, for every event with two or more, in the order of the text."""
        members: dict[str, list[str]] = {}
        for mention in self.mentions:
            if mention.event != NO_EVENT:
                members.setdefault(mention.event, []).append(mention.mention_id)
        return [ids for ids in members.values() if len(ids) > 1]


@dataclass(frozen=True)
class Token:
    """One row of a token table."""

    token_id: str
    text: str
    begin: int
    end: int


# --------------------------------------------------------------------------------------- markup

_GROUP = re.compile(r"\{([^{}|]+)\|([^{}|]+)\}")
_TAG_OR_TOKEN = re.compile(r"<[^<>]*>|(\w+(?:['-]\w+)*|[^\w\s])")
_QUOTE = re.compile(r"<quote[ >].*?</quote>", re.DOTALL)


@dataclass
class _Group:
    """One pair of braces and its continuations ``{…|+}``."""

    claims: list[str]
    span: list[Range] = field(default_factory=list)


def read_markup(path: Path) -> Document:
    """Take the braces out of a marked-up document and keep what they say."""
    marked, _, tail = path.read_text("utf-8").partition("\n---\n")
    text, groups = _unbrace(path.stem, marked.rstrip("\n") + "\n")
    claims = [(group.span, claim.split()) for group in groups for claim in group.claims]
    mentions = tuple(_mention(path.stem, f"E{n}", *claim) for n, claim in enumerate(claims, 1))
    document = Document(path.stem, text, mentions)
    return replace(document, links=tuple(_links(document, tail.splitlines())))


def _unbrace(doc_id: str, marked: str) -> tuple[str, list[_Group]]:
    text = ""
    groups: list[_Group] = []
    done = 0
    for match in _GROUP.finditer(marked):
        text += marked[done : match.start()]
        words, claims = match.groups()
        if claims != "+":
            groups.append(_Group(claims.split(";")))
        elif not groups:
            raise SourceError(f"{doc_id}: '{{{words}|+}}' continues nothing")
        groups[-1].span.append((len(text), len(text) + len(words)))
        text += words
        done = match.end()
    text += marked[done:]
    if stray := re.search(r"[{}|\t]", text):
        raise SourceError(
            f"{doc_id}: stray {stray.group()!r} near {text[stray.start() - 20 : stray.end() + 20]!r}"
        )
    return text, groups


def _mention(doc_id: str, mention_id: str, span: Sequence[Range], claim: Sequence[str]) -> Mention:
    match claim:
        case [short_type, realis, event] if short_type in TYPES and realis in REALIS:
            return Mention(mention_id, tuple(span), TYPES[short_type], realis, event)
    raise SourceError(f"{doc_id}: expected 'Type Realis event', found {' '.join(claim)!r}")


def _links(document: Document, lines: Iterable[str]) -> Iterator[Link]:
    """A link between events is written down between their first mentions."""
    for line in lines:
        match line.split():
            case [name, first, second] if name in LINKS:
                yield Link(name, document.first_of(first), document.first_of(second))
            case _:
                raise SourceError(f"{document.doc_id}: expected 'After|Subevent event event', found {line!r}")


def read_corpus() -> list[Document]:
    """Read all marked-up documents, in the order of their ids, and check what they claim."""
    corpus = [read_markup(path) for path in sorted((HERE / "markup").glob("*.txt"))]
    _check_events(corpus)
    for document in corpus:
        _check_document(document)
    return corpus


def _check_events(corpus: Iterable[Document]) -> None:
    """Every event has a gloss, every gloss an event, and an event has one type in all documents."""
    types: dict[str, set[str]] = {row[0]: set() for row in _read_table(HERE / "events.tsv", columns=2)}
    for document in corpus:
        for mention in document.mentions:
            if mention.event != NO_EVENT:
                types.setdefault(mention.event, {"(not in events.tsv)"}).add(mention.type)
    for event, found in types.items():
        if len(found) != 1 or "(not in events.tsv)" in found:
            raise SourceError(
                f"event {event}: expected one type, found {', '.join(sorted(found)) or 'no mention'}"
            )


def _check_document(document: Document) -> None:
    """Gold says nothing inside a quotation, and its spans begin and end with a token."""
    quoted = [match.span() for match in _QUOTE.finditer(document.text)]
    tokens = tokenize(document.text)
    for mention in document.mentions:
        token_ids(tokens, mention.span)
        for begin, end in mention.span:
            if any(start < end and begin < stop for start, stop in quoted):
                raise SourceError(f"{document.doc_id}: {mention.mention_id} stands in a quotation")


# --------------------------------------------------------------------------------------- tokens


def tokenize(text: str) -> list[Token]:
    """Words, with their inner hyphens and apostrophes, and single other signs; tags are skipped."""
    words = [match for match in _TAG_OR_TOKEN.finditer(text) if match.group(1)]
    return [Token(f"t{n}", word.group(), *word.span()) for n, word in enumerate(words, 1)]


def token_ids(tokens: Sequence[Token], span: Iterable[Range]) -> list[str]:
    """Translate a character span; it must begin and end with a token."""
    begins = {token.begin: place for place, token in enumerate(tokens)}
    ends = {token.end: place for place, token in enumerate(tokens, 1)}
    ids: list[str] = []
    for begin, end in span:
        if begin not in begins or end not in ends:
            raise SourceError(f"characters {begin} to {end} are not whole tokens")
        ids += [token.token_id for token in tokens[begins[begin] : ends[end]]]
    return ids


# ------------------------------------------------------------------------- alder: gold with errors


def alder(corpus: Sequence[Document]) -> list[Document]:
    """Gold, spoiled as ``rules/alder.tsv`` says: a good system with the errors of a good system."""
    rows = _read_table(HERE / "rules/alder.tsv", columns=5)
    if unknown := {row[0] for row in rows} - {document.doc_id for document in corpus}:
        raise SourceError(f"rules/alder.tsv: no document {', '.join(sorted(unknown))}")
    return [_spoil(document, [row[1:] for row in rows if row[0] == document.doc_id]) for document in corpus]


def _spoil(gold: Document, edits: Iterable[Sequence[str]]) -> Document:
    document = gold
    for action, target, words, value in edits:
        if action not in EDITS:
            raise SourceError(f"{gold.doc_id}: unknown edit {action!r}; known: {', '.join(EDITS)}")
        document = EDITS[action](document, target, words, value)
    mentions = tuple(
        replace(mention, confidences=_confidences(gold, mention)) for mention in document.mentions
    )
    return _renumber(replace(document, mentions=mentions))


def _target(document: Document, mention_id: str, words: str) -> Mention:
    mention = document.mention(mention_id)
    if (found := document.words(mention.span)) != words:
        raise SourceError(f"{document.doc_id}: {mention_id} is {found!r}, the edit says {words!r}")
    return mention


def _exchange(document: Document, old: Mention, *new: Mention) -> Document:
    place = document.mentions.index(old)
    return replace(document, mentions=document.mentions[:place] + new + document.mentions[place + 1 :])


def _miss(document: Document, target: str, words: str, _value: str) -> Document:
    mention = _target(document, target, words)
    links = tuple(link for link in document.links if target not in (link.first, link.second))
    return replace(_exchange(document, mention), links=links)


def _retype(document: Document, target: str, words: str, value: str) -> Document:
    mention = _target(document, target, words)
    return _exchange(document, mention, replace(mention, type=TYPES[value]))


def _change_realis(document: Document, target: str, words: str, value: str) -> Document:
    mention = _target(document, target, words)
    return _exchange(document, mention, replace(mention, realis=value))


def _respan(document: Document, target: str, words: str, value: str) -> Document:
    """Give the mention another stretch of text, ``value``, that touches the old one."""
    mention = _target(document, target, words)
    for begin, end in _occurrences(document.text, value):
        if any(begin < stop and start < end for start, stop in mention.span):
            return _exchange(document, mention, replace(mention, span=((begin, end),)))
    raise SourceError(f"{document.doc_id}: no {value!r} at {target}")


def _add(document: Document, target: str, words: str, value: str) -> Document:
    """Claim the n-th occurrence of some words, n being ``target``, as ``Type Realis``."""
    span = _occurrences(document.text, words)[int(target) - 1]
    short_type, realis = value.split()
    return replace(document, mentions=(*document.mentions, Mention("", (span,), TYPES[short_type], realis)))


def _split(document: Document, target: str, _words: str, _value: str) -> Document:
    """Move mentions out of their cluster into one of their own."""
    event = f"{document.mention(target.partition(',')[0]).event} (split)"
    for mention in map(document.mention, target.split(",")):
        document = _exchange(document, mention, replace(mention, event=event))
    return document


def _join(document: Document, target: str, _words: str, _value: str) -> Document:
    """Make one cluster of the clusters of two mentions."""
    one, other = (document.mention(mention_id) for mention_id in target.split(","))
    event = one.mention_id if one.event == NO_EVENT else one.event
    joined = [
        replace(mention, event=event)
        if mention in (one, other) or NO_EVENT != mention.event == other.event
        else mention
        for mention in document.mentions
    ]
    return replace(document, mentions=tuple(joined))


def _unlink(document: Document, target: str, _words: str, value: str) -> Document:
    link = Link(value, *target.split(","))
    if link not in document.links:
        raise SourceError(f"{document.doc_id}: no link {value} {target}")
    return replace(document, links=tuple(other for other in document.links if other != link))


def _link(document: Document, target: str, _words: str, value: str) -> Document:
    return replace(document, links=(*document.links, Link(value, *target.split(","))))


EDITS: dict[str, Callable[[Document, str, str, str], Document]] = {
    "miss": _miss,
    "type": _retype,
    "realis": _change_realis,
    "span": _respan,
    "add": _add,
    "split": _split,
    "join": _join,
    "unlink": _unlink,
    "link": _link,
}


def _occurrences(text: str, words: str) -> list[Range]:
    return [match.span() for match in re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", text)]


def _confidences(gold: Document, mention: Mention) -> tuple[float, ...]:
    """Of span, type and realis.  alder mostly knows when it is right: 0.70 to 0.99, else 0.35 to 0.80."""
    truth = {other.mention_id: other for other in gold.mentions}.get(mention.mention_id)
    return tuple(
        _between(0.70, 0.99, gold.doc_id, str(mention.span), name)
        if truth and getattr(mention, name) == getattr(truth, name)
        else _between(0.35, 0.80, gold.doc_id, str(mention.span), name)
        for name in ("span", "type", "realis")
    )


def _between(low: float, high: float, *key: str) -> float:
    """A figure that looks arbitrary but depends on the key alone, on every machine."""
    return low + (high - low) * (zlib.crc32(":".join(key).encode()) % 1000) / 999


# -------------------------------------------------------------------- birch, cedar: keyword systems


@dataclass(frozen=True)
class Keyword:
    """Words that always mean a type; a final ``*`` stands for any ending of the last word."""

    words: str
    type: str
    confidence: float

    def occurrences(self, text: str) -> Iterator[Range]:
        """Find the keyword as whole words, in either case."""
        stem = self.words.removesuffix("*")
        ending = r"\w*" if self.words.endswith("*") else ""
        pattern = rf"(?<![\w'-]){re.escape(stem)}{ending}(?![\w'-])"
        return (match.span() for match in re.finditer(pattern, text, re.IGNORECASE))


@dataclass(frozen=True)
class Habits:
    """What a keyword system does besides looking words up."""

    reads_quotes: bool
    clusters: bool
    other_cues: frozenset[str]
    cue_distance: int
    skips: frozenset[str] = frozenset()


HABITS = {
    # Tags whatever it knows, quotations included; the same keyword twice is the same event.
    "birch": Habits(reads_quotes=True, clusters=True, other_cues=frozenset({"will"}), cue_distance=1),
    # Tags what it is sure of, looks further back for a sign of doubt, and lost one document.
    "cedar": Habits(
        reads_quotes=False,
        clusters=False,
        other_cues=frozenset({"will", "would", "to", "if", "unless", "could"}),
        cue_distance=3,
        skips=frozenset({"df05-bridge"}),
    ),
}


def keyword_system(name: str, corpus: Sequence[Document]) -> list[Document]:
    """Run a system that knows only words, ``rules/<name>.tsv``, and its habits."""
    rows = _read_table(HERE / f"rules/{name}.tsv", columns=3)
    keywords = [
        Keyword(words, TYPES[short_type], float(confidence)) for words, short_type, confidence in rows
    ]
    habits = HABITS[name]
    return [
        _renumber(Document(document.doc_id, document.text, tuple(_look_up(document.text, keywords, habits))))
        for document in corpus
        if document.doc_id not in habits.skips
    ]


def _look_up(text: str, keywords: Iterable[Keyword], habits: Habits) -> Iterator[Mention]:
    """Longer keywords first; a character is claimed once; tags are never read."""
    closed = [match.span() for match in re.finditer(r"<[^<>]*>", text)]
    closed += [] if habits.reads_quotes else [match.span() for match in _QUOTE.finditer(text)]
    for keyword in sorted(keywords, key=lambda keyword: -len(keyword.words)):
        for begin, end in keyword.occurrences(text):
            if any(begin < stop and start < end for start, stop in closed):
                continue
            closed.append((begin, end))
            realis = (
                "Other"
                if habits.other_cues & set(_words_before(text, begin, habits.cue_distance))
                else "Actual"
            )
            event = keyword.words if habits.clusters else NO_EVENT
            sure_of_realis = 0.5 if realis == "Other" else 0.9
            confidences = (keyword.confidence, keyword.confidence - 0.05, sure_of_realis)
            yield Mention("", ((begin, end),), keyword.type, realis, event, confidences)


def _words_before(text: str, begin: int, distance: int) -> list[str]:
    """The last words before a place, in its own sentence."""
    sentence = re.split(r"[.!?\n]", text[:begin])[-1]
    return re.findall(r"\w+", sentence.lower())[-distance:]


def _renumber(document: Document) -> Document:
    """Give a system's mentions ids of its own, in the order of the text."""
    mentions = sorted(document.mentions, key=lambda mention: mention.span)
    names = {mention.mention_id: f"M{n}" for n, mention in enumerate(mentions, 1)}
    return replace(
        document,
        mentions=tuple(replace(mention, mention_id=f"M{n}") for n, mention in enumerate(mentions, 1)),
        links=tuple(
            replace(link, first=names[link.first], second=names[link.second]) for link in document.links
        ),
    )


# -------------------------------------------------------------------------------------- writing


def outputs() -> dict[str, str]:
    """Every generated file: its path below ``examples/`` and its content."""
    corpus = read_corpus()
    systems = {"alder": alder(corpus), **{name: keyword_system(name, corpus) for name in HABITS}}
    files = {"gold.tbf": tbf("gold", corpus, by_character), "gold.tokens.tbf": tbf("gold", corpus, by_token)}
    for document in corpus:
        files[f"text/{document.doc_id}.txt"] = document.text
        files[f"tokens/{document.doc_id}.tab"] = token_table(document.text)
    for name, documents in systems.items():
        files[f"systems/{name}.tbf"] = tbf(name, documents, by_character)
        files[f"systems-tokens/{name}.tbf"] = tbf(name, documents, by_token)
    return files


def tbf(system: str, corpus: Iterable[Document], unit: Callable[[Document, Mention], str]) -> str:
    """Lay a corpus out as a TBF file; ``unit`` writes the span column."""
    return "".join(f"{line}\n" for document in corpus for line in _tbf_lines(system, document, unit))


def _tbf_lines(system: str, document: Document, unit: Callable[[Document, Mention], str]) -> Iterator[str]:
    yield f"#BeginOfDocument {document.doc_id}"
    for mention in document.mentions:
        where = (unit(document, mention), document.words(mention.span))
        confidences = (f"{confidence:.2f}" for confidence in mention.confidences)
        columns = (
            system,
            document.doc_id,
            mention.mention_id,
            *where,
            mention.type,
            mention.realis,
            *confidences,
        )
        yield "\t".join(columns)
    for n, ids in enumerate(document.clusters(), 1):
        yield f"@Coreference\tC{n}\t{','.join(ids)}"
    for n, link in enumerate(document.links, 1):
        yield f"@{link.name}\tR{n}\t{link.first},{link.second}"
    yield "#EndOfDocument"


def by_character(_document: Document, mention: Mention) -> str:
    """Write a span as ``begin,end;begin,end``."""
    return ";".join(f"{begin},{end}" for begin, end in mention.span)


def by_token(document: Document, mention: Mention) -> str:
    """Write a span as ``t4,t5``."""
    return ",".join(token_ids(tokenize(document.text), mention.span))


def token_table(text: str) -> str:
    """Lay the tokens of a text out: id, token, begin, end."""
    return "".join(
        f"{token.token_id}\t{token.text}\t{token.begin}\t{token.end}\n" for token in tokenize(text)
    )


def _read_table(path: Path, *, columns: int) -> list[list[str]]:
    """Rows of a tab-separated file without its heading; short rows are filled up, ``#`` lines are comments."""
    lines = path.read_text("utf-8").splitlines()[1:]
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    for row in rows:
        if len(row) > columns:
            raise SourceError(f"{path.name}: expected {columns} columns, found {len(row)} in {row}")
    return [row + [""] * (columns - len(row)) for row in rows]


# ------------------------------------------------------------------------------------- checking


def differences(files: dict[str, str]) -> Iterator[str]:
    """Generated files that are missing, different or left over."""
    for name, content in files.items():
        path = HERE / name
        if not path.exists():
            yield f"{name}: missing"
        elif path.read_bytes() != content.encode():
            yield f"{name}: differs from what build.py makes"
    present = {
        str(path.relative_to(HERE).as_posix()) for folder in GENERATED for path in (HERE / folder).glob("*")
    }
    yield from (f"{name}: not made by build.py" for name in sorted(present - files.keys()))


def wrong_spans(files: dict[str, str]) -> Iterator[str]:
    """Mention lines whose text column is not what stands at their span, read back from the files."""
    for name in (name for name in files if name.endswith(".tbf")):
        for number, line in enumerate(files[name].splitlines(), 1):
            if line.startswith(("#", "@")):
                continue
            _, doc_id, _, span, words, *_ = line.split("\t")
            found = _text_at(span, files[f"text/{doc_id}.txt"], files[f"tokens/{doc_id}.tab"])
            if found != words:
                yield f"{name}:{number}: the text column is {words!r}, the document has {found!r}"


def _text_at(span: str, text: str, table: str) -> str:
    if span.startswith("t"):
        ranges = _token_ranges(span.split(","), table)
    else:
        ranges = [(int(begin), int(end)) for begin, end in (part.split(",") for part in span.split(";"))]
    return " ".join(text[begin:end] for begin, end in ranges)


def _token_ranges(ids: Sequence[str], table: str) -> list[Range]:
    """The ranges of some tokens; neighbours in the table make one range."""
    rows = [row.split("\t") for row in table.splitlines()]
    ranges: list[Range] = []
    last = -2
    for place, row in enumerate(rows):
        if row[0] in ids:
            begin = ranges.pop()[0] if place == last + 1 else int(row[2])
            ranges.append((begin, int(row[3])))
            last = place
    return ranges


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the files; 0 if all is well, 1 if not."""
    parser = argparse.ArgumentParser(description="Make the example corpus from markup and rules.")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail if a file is not up to date"
    )
    check = parser.parse_args(arguments).check
    try:
        files = outputs()
    except SourceError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    complaints = list(wrong_spans(files))
    if check:
        complaints += differences(files)
    elif not complaints:
        _write(files)
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


def _write(files: dict[str, str]) -> None:
    for name, content in files.items():
        path = HERE / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content.encode())


if __name__ == "__main__":
    sys.exit(main())
