"""Coreference columns: CoNLL-2011/2012, and SemEval-2010 with the same brackets.

::

    #begin document (bc/cctv/00/cctv_0000); part 000
    bc/cctv/00/cctv_0000 <TAB> 0 <TAB> 0 <TAB> She <TAB> (12)
    bc/cctv/00/cctv_0000 <TAB> 0 <TAB> 1 <TAB> met <TAB> -
    bc/cctv/00/cctv_0000 <TAB> 0 <TAB> 2 <TAB> her <TAB> (12)|(3
    bc/cctv/00/cctv_0000 <TAB> 0 <TAB> 3 <TAB> boss <TAB> 3)
    <empty line>
    #end document

The last column holds the clusters: ``(12)`` is a mention of one token, ``(3`` opens one, ``3)`` closes one, ``-`` or
``_`` is nothing; the bar between items may be missing.  Tokens count through the document, so a span may cross a
sentence break.  Per token all one-token items are read first, then all that open, then all that close, and a close takes
the span of its id that was opened last (CoNLL reference scorer 8.01).

Reading goes in two steps: an index of where the documents lie, then each document when it is asked for.  Most lines hold
no mention and never become objects of their own: in plain Python a document is split at the other lines alone, and where
NumPy is worth its import their places are found by the bytes before the line breaks, which takes half as long.
"""

from __future__ import annotations

import re
import sys
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TypeAlias, cast

from lydite.errors import Finding, FormatError, Location
from lydite.escaping import counted
from lydite.formats.base import Format, Options, corpus_of
from lydite.formats.document_places import DocumentPlaces
from lydite.formats.source import FEW_BYTES, BlockReader, Source, SourcePart, marked_lines
from lydite.formats.text import byte_order_mark_finding, encoding_findings
from lydite.formats.units import has_local_clusters, is_of_several, regroup
from lydite.formats.words import UNKNOWN, LazyWords, written_words
from lydite.model import Corpus, Document, LazyDocuments
from lydite.model.cluster import Cluster, Partition, is_filled_run
from lydite.resource_limits import hint_to_raise, limit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BEGIN = re.compile(rb"#\s*begin document (.*)", re.DOTALL)
_END = re.compile(rb"#\s*end document")
_ITEM = re.compile(
    rb"\(([0-9]+)\)"  # a mention of one token
    rb"|(\([0-9]+\+[0-9]\))"  # two antecedents: dropped
    rb"|\(([0-9]+)(?=[(|]|$)"  # opens
    rb"|(?<![^()|])([0-9]+)\)"  # closes
)
_ONE_TOKEN_ITEM = re.compile(rb"\([0-9]+(?:\+[0-9])?\)")
"""What the official scorer removes from a cell before it looks for spans that open and close."""

_BRACKETS = re.compile(rb"[()]|[^()]+")
_DIGITS, _TWO_ANTECEDENTS = re.compile(rb"[0-9]+"), re.compile(rb"[0-9]+\+[0-9]")
_OPENING, _CLOSING = re.compile(rb"\(([0-9]+)"), re.compile(rb"(?<![0-9])([0-9]++)\)")
_WITHOUT_TAB = re.compile(rb"^[^\t\n]+$", re.MULTILINE)

_TEXT_BEHIND_NAME = re.compile(r"[\t\r\x0b\x0c]|; part [0-9]+\s*[^\s0-9]")
"""More text behind the name of a document: a line end was lost."""

ARRAYS_FROM = 32 << 20
"""A corpus of this many bytes is worth the import of NumPy."""

WINDOW = 8
"""How many bytes before the end of a line are handled as one number."""

_PADDING = b"\n" * WINDOW
"""Put before the first line, so that there is a window before its end, however short it is."""

_BREAK, _HYPHEN, _UNDERSCORE = b"\n-_"

_PLAIN_CELL = re.compile(rb"\S+")
"""Cells whose parse is remembered: they are the same cells whatever separates the columns of a line."""

_CLUSTER_NUMBER = re.compile("[0-9]+")
"""An id that columns can hold."""

_EMPTY_CELLS = (b"-", b"_", b"")
"""Cells without a mention."""


class _Block(NamedTuple):
    """The lines of one document: where they lie, the number of the first one, and whether an end mark follows."""

    part: SourcePart
    start: int
    end: int
    line: int
    ended: bool = True


class _Index:
    """Where each document of a source lies, with findings about the lines that begin and end documents.

    Of several documents with one name the last counts, or with ``keep_first`` the first.
    """

    def __init__(self, *, keep_first: bool) -> None:
        self.keep_first = keep_first
        self.blocks: DocumentPlaces[_Block] = DocumentPlaces(_Block)
        self.replaced: list[tuple[str, _Block]] = []
        self.findings: list[Finding] = []
        self.is_ascii = True
        """Whether all bytes so far are ASCII, so that they need no check for UTF-8."""

    def see(self, data: bytes) -> None:
        """Take the next bytes of the source."""
        self.is_ascii = self.is_ascii and data.isascii()

    def add_finding(self, code: str, message: str, place: Location, doc_id: str | None, hint: str) -> None:
        self.findings.append(Finding(code, "warning", message, place, doc_id, hint=hint))


class _CellItems(NamedTuple):
    """The items of a cell: ids of one-token mentions, of spans that open, of spans that close.

    ``remarkable`` is the cell itself if there is a finding about it, else empty; ``discarded`` are items with
    two antecedents.
    """

    single: tuple[str, ...]
    opened: tuple[str, ...]
    closed: tuple[str, ...]
    remarkable: bytes
    discarded: tuple[str, ...] = ()


_Cell: TypeAlias = "tuple[int, str, _CellItems]"
"""The kind of a cell, the id of its item if it has just one, and all of its items.

A plain tuple: a named one takes twice as long to unpack, and there is one for every cell.
"""

_MANY, _SINGLE, _OPENS, _CLOSES = range(4)
"""Kinds of cells: no or several items, or a finding; else the one item."""

_EMPTY: _Cell = (_MANY, "", _CellItems((), (), (), b""))
"""A cell without a mention."""

_TokenLines: TypeAlias = "Callable[[], Iterable[tuple[int, bytes]]]"
"""The lines with a token, each with its number in the document; only findings ask for them."""


class _Rows(NamedTuple):
    """The rows of a document: the number of tokens, and their cells."""

    tokens: int
    cells: Iterable[tuple[int, _Cell]]
    """The number of tokens up to and with the one of the cell, and the cell; cells without a mention may be left out."""
    has_blank_lines: bool
    """Whether there are lines of white space that are not empty."""


def read(source: Source, options: Options) -> Corpus:
    """The corpus in a column file (or all column files of a folder or archive).

    ``options["column"]`` counts columns from 0 (-1, the last one, by default); ``options["crossing"]`` is ``stack`` or
    ``fifo`` (closes before opens, a close takes the earliest span); ``options["unit"]`` joins documents.
    Under ``options["reading"]`` ``as-official`` documents may overlap, and a line without TAB is searched as a whole.
    """
    official = options.get("reading") == "as-official"
    index = _Index(keep_first=options.get("only-document") is not None)
    for part in source.parts:
        with part.open() as stream:
            _index_part(part, stream, index, overlapping=official)
        if not index.is_ascii:
            index.findings.extend(encoding_findings(part))
    if not index.blocks:
        message = "expected a line '#begin document <name>', found none"
        index.findings.append(Finding("no-document", "error", message, Location(source.parts[0].path, 1)))
    reader = _Reader(index.blocks, options)
    for name, block in index.replaced:
        # Brackets that do not match stop the official scorer even in a document that a later one of its name replaces.
        index.findings.extend(reader.read(name, block).findings)
    documents = LazyDocuments(index.blocks, reader.load)
    corpus = corpus_of(source, "conll", documents, findings=index.findings)
    return regroup(corpus, options)


# ---------------------------------------------------------------------------------------- where documents lie


def _index_part(part: SourcePart, stream: BinaryIO, index: _Index, *, overlapping: bool) -> None:
    """Find the documents of one file: each goes from its beginning to the next end mark, or to the end of the file.

    A document that begins inside another is one of its own if ``overlapping``; its lines belong to both then.
    """
    opened: list[tuple[str, _Block]] = []
    for offset, line, content in marked_lines(stream, b" document", index.see):
        place = Location(part.path, line)
        if content.startswith(BOM_UTF8):
            # Invisible bytes before the first '#': the official scorer takes the line for no beginning of a document.
            index.findings.append(byte_order_mark_finding(part.path, "so its first document is not seen"))
        begins, ends = _BEGIN.match(content), _END.search(content)
        if begins and not (opened and ends):
            name = _decode(begins.group(1).removesuffix(b"\r"))
            if opened:
                outer, block = opened[0]
                message = f"document {outer!r} (line {block.line - 1}) is not closed before this line"
                hint = "add a line '#end document' before it"
                index.add_finding("nested-document", message, place, outer, hint)
            elif _TEXT_BEHIND_NAME.search(name):
                message = f"expected nothing behind the name of the document, found {name!r:.60}"
                index.add_finding("lines-joined", message, place, name, "was a line end lost?")
            if overlapping or not opened:
                opened.append((name, _Block(part, offset + len(content) + 1, 0, line + 1)))
                _refuse_too_many(opened, place)
        elif ends and opened:
            for name, block in opened:
                _add_block(index, name, block, offset)
            opened.clear()
        elif ends:
            message = "a document ends here that did not begin; the lines before it are not read"
            hint = "is the line '#begin document <name>' missing or misspelt?"
            index.add_finding("document-not-begun", message, place, None, hint)
    for name, block in opened:
        message = f"document {name!r} is not closed: the file ends without '#end document'"
        hint = "is the file cut off? add the line if it is complete"
        index.add_finding("missing-end", message, Location(part.path, block.line - 1), name, hint)
        _add_block(index, name, block._replace(ended=False), stream.tell())


def _refuse_too_many(opened: Sequence[tuple[str, _Block]], place: Location) -> None:
    """Refuse a file in which so many documents overlap that reading them takes time without end."""
    most = limit("nested")
    if len(opened) > most:
        message = (
            f"{len(opened)} documents are open here, more than {most}; each of them has to be read to its end"
        )
        hint = hint_to_raise("nested")
        raise FormatError([Finding("nested-document", "error", message, place, opened[0][0], hint=hint)])


def _add_block(index: _Index, name: str, block: _Block, end: int) -> None:
    block = block._replace(end=end)
    if name not in index.blocks:
        index.blocks[name] = block
        return
    before = index.blocks[name]
    which = (
        "first one counts, because a document is asked for by name" if index.keep_first else "last one counts"
    )
    message = f"document {name!r} occurs twice (before: line {before.line - 1}); the {which}"
    hint = "give every document a name of its own; parts of one document differ in 'part 000', 'part 001'"
    place = Location(block.part.path, block.line - 1)
    index.add_finding("repeated-document", message, place, name, hint)
    if not index.keep_first:
        del index.blocks[name]
        index.blocks[name] = block
        index.replaced.append((name, before))


def _decode(text: bytes) -> str:
    return text.decode("utf-8", "surrogateescape")


# ------------------------------------------------------------------------------------------------ one document


class _Reader:
    """Reads a document when it is asked for; each different cell is parsed once."""

    def __init__(self, blocks: Mapping[str, _Block], options: Options) -> None:
        self._blocks, self._files = blocks, BlockReader()
        column = int(str(options.get("column", -1)))
        self._column = None if column == -1 else column
        self._search_lines = self._column is None and options.get("reading") == "as-official"
        self._count_comments = bool(options.get("count-comment-lines", True))
        self._fifo = options.get("crossing") == "fifo"
        self._items: dict[bytes, _Cell] = {b"-": _EMPTY, b"_": _EMPTY}
        self._short: dict[int, _Cell] = {}
        self._large = sum(block.end - block.start for block in blocks.values()) >= ARRAYS_FROM

    def load(self, doc_id: str) -> Document:
        """The document of that name."""
        return self.read(doc_id, self._blocks[doc_id])

    def read(self, doc_id: str, block: _Block) -> Document:
        """The document in these lines."""
        data = self._files.read(block.part, block.start, block.end)
        data = data.replace(b"\r\n", b"\n") if b"\r" in data else data
        comments = list(_comments(data, block, doc_id, counted=self._count_comments))
        rows = self._choose_reading(data, comments=bool(comments))(data)
        findings = [
            *comments,
            *_uneven_rows(data, rows, block, doc_id, wider_only=self._column is not None),
            *([] if self._column is None else _short_lines(data, block, doc_id, self._column)),
            *(_items_in_other_fields(data, block, doc_id) if self._search_lines else ()),
        ]
        spans = _SpanReader(doc_id, block, partial(self._token_lines, data), fifo=self._fifo)
        spans.add_cells(rows.cells)
        findings.extend(spans.finish())
        column = _find_word_column(data)
        return Document(
            doc_id,
            path=block.part.path,
            line=block.line - 1,
            tokens=None
            if column is None
            else LazyWords(rows.tokens, partial(self._words, block, column, rows.tokens)),
            layers={
                "clusters": spans.clusters(),
                "token-count": rows.tokens,
                **({"discarded": tuple(spans.discarded)} if spans.discarded else {}),
            },
            findings=tuple(findings),
        )

    def _words(self, block: _Block, column: int, count: int) -> list[str]:
        data = self._files.read(block.part, block.start, block.end)
        found = _even_words(data, column)
        if len(found) != count:
            found = [_cell(line, column) for _, line in self._token_lines(data)]
        # All words are decoded at once, joined by line ends, which none of them holds.
        return [word or UNKNOWN for word in _decode(b"\n".join(found)).split("\n")] if found else []

    def _choose_reading(self, data: bytes, *, comments: bool) -> Callable[[bytes], _Rows]:
        """The fastest of the three readers that can read this layout; all give the same rows."""
        lines_are_needed = (comments and not self._count_comments) or (
            self._search_lines and b"\t" not in data
        )
        if self._column is not None or lines_are_needed:
            return self._read_lines
        worthwhile = len(data) >= FEW_BYTES and (self._large or "numpy" in sys.modules)
        return self._read_array if worthwhile else self._read_pieces

    def _token_lines(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """The lines with a token, counted from 0 among all lines of the document."""
        for number, line in enumerate(data.split(b"\n")):
            text = line.rstrip()
            if text and (self._count_comments or not text.startswith(b"#")):
                yield number, text

    def _read_lines(self, data: bytes) -> _Rows:
        """Line by line, for layouts with another column or with comments to skip."""
        items = [self._parse_line(text) for _, text in self._token_lines(data)]
        return _Rows(len(items), enumerate(items, 1), any(map(bytes.isspace, data.split(b"\n"))))

    def _read_pieces(self, data: bytes) -> _Rows:
        """In pieces of lines that end with a line that has a mention: only these last lines are parsed."""
        separator = _separator(data)
        # The byte comes first because what begins with one byte is looked for much faster than what does not.
        pieces = re.split(rb"\n\n*(?<!%b[-_]\n)" % separator, data.rstrip(b"\n"))
        items = [*map(self._items.get, [piece.rpartition(separator)[2] for piece in pieces])]
        tokens = [piece.count(b"\n") + 1 for piece in pieces]
        has_blank_lines = False
        for place in _unknown_positions(items):
            line = pieces[place].rpartition(b"\n")[2]
            if text := line.rstrip():
                items[place] = self._parse_line(text)
            else:
                items[place] = _EMPTY
                tokens[place] -= 1
                has_blank_lines = has_blank_lines or line != b""
        passed = list(accumulate(tokens))
        return _Rows(passed[-1], zip(passed, cast("list[_Cell]", items), strict=True), has_blank_lines)

    def _read_array(self, data: bytes) -> _Rows:
        """Lines without a mention are recognised by their last two bytes, all at once."""
        import numpy as np

        separator = _separator(data)
        padded = b"".join((_PADDING, data, b"" if data.endswith(b"\n") else b"\n"))
        codes = np.frombuffer(padded, dtype=np.uint8)
        breaks = (codes == _BREAK).nonzero()[0][WINDOW - 1 :]
        ends = breaks[1:]
        last = codes[ends - 1]
        no_mention = ((last == _HYPHEN) | (last == _UNDERSCORE)) & (codes[ends - 2] == ord(separator))
        full = last != _BREAK
        tokens = full.cumsum()
        others = (full ^ no_mention).nonzero()[0]
        items = [*map(self._short.get, _short_cells(padded, ends[others], ord(separator)))]
        for position in _unknown_positions(items):
            before, end = breaks[others[position]], ends[others[position]]
            text = padded[before + 1 : end].rstrip()
            if not text:
                return self._read_lines(data)
            items[position] = self._parse_line(text)
        cells = zip(tokens[others].tolist(), cast("list[_Cell]", items), strict=True)
        return _Rows(int(tokens[-1]), cells, has_blank_lines=False)

    def _parse_line(self, text: bytes) -> _Cell:
        if self._search_lines and b"\t" not in text:
            # The official scorer looks at every field; oddities of the last one alone count.
            items, last = _take_out_items(text), _parse_items(text.split()[-1])[2]
            odd = b"" if text.startswith(b"#") else last.remarkable
            return _MANY, "", items._replace(remarkable=odd)
        return self._parse_once(_cell(text, self._column))

    def _parse_once(self, cell: bytes) -> _Cell:
        items = self._items.get(cell)
        if items is None:
            items = _parse_cell(cell)
            if _PLAIN_CELL.fullmatch(cell):
                self._items[cell] = items
                if len(cell) < WINDOW:
                    self._short[int.from_bytes(cell, "little")] = items
        return items


def _unknown_positions(items: list[_Cell | None]) -> list[int]:
    return [] if all(items) else [position for position, known in enumerate(items) if known is None]


def _short_cells(padded: bytes, ends: NDArray[np.intp], separator: int) -> list[int]:
    """The last cell of each line that ends at one of ``ends``, as the little-endian number of its bytes.

    Only cells shorter than the window of bytes before the end of the line are found; others give a number that is that
    of no cell (it has the bytes of a line break or a separator, or it is zero).
    """
    import numpy as np

    windows: NDArray[np.uint64] = np.ndarray(
        len(padded) - WINDOW + 1, dtype="<u8", buffer=padded, strides=(1,)
    )
    bytes_before = windows[ends - WINDOW]
    # The high bit of each byte is set if the byte is the separator; adding to seven bits carries into no other byte.
    low = np.uint64(0x7F7F7F7F7F7F7F7F)
    differs = bytes_before ^ np.uint64(0x0101010101010101 * separator)
    found = ~(((differs & low) + low) | differs | low)
    # The exponent is the number of bits up to the last separator; what is left above them is the cell, nothing above all.
    _, bits = np.frexp(found.astype(np.float64))
    cells: list[int] = (bytes_before >> bits.astype(np.uint64)).tolist()
    return cells


def _separator(data: bytes) -> bytes:
    """What stands before the last cell of most lines of a document."""
    return b"\t" if b"\t" in data else b" "


def _cell(text: bytes, column: int | None) -> bytes:
    """The coreference cell of a token line: fields end at TABs, or at blanks in a line without TAB."""
    if column is None:
        tab = text.rfind(b"\t")
        return text[tab + 1 :].strip() if tab >= 0 else text.split()[-1]
    fields = _fields(text)
    return fields[column].strip() if _has_column(fields, column) else b""


def _even_words(data: bytes, column: int) -> list[bytes]:
    """The cells of a column, all at once; none if a line lacks the column or may be a comment."""
    if _has_comments(data):
        return []
    separator, cut = b"\t" if b"\t" in data else None, column + 1
    try:
        found = [line.split(separator, cut)[column] for line in data.split(b"\n") if line]
    except IndexError:
        return []
    padded = separator and any(blank in data for blank in (b" ", b"\r", b"\v", b"\f"))
    return [word.strip() for word in found] if padded else found


def _fields(text: bytes) -> list[bytes]:
    return text.split(b"\t") if b"\t" in text else text.split()


def _has_column(fields: Sequence[bytes], column: int) -> bool:
    return -len(fields) <= column < len(fields)


def _uneven_rows(
    data: bytes, rows: _Rows, block: _Block, doc_id: str, *, wider_only: bool
) -> Iterator[Finding]:
    """A finding for each row with another number of columns than the rows before it in its sentence.

    Two lines became one, or there is a cell too many.
    """
    if _are_even(data, rows):
        return
    columns = 0
    for number, line in enumerate(data.split(b"\n"), block.line):
        text = line.rstrip()
        if not text or text.startswith(b"#"):
            columns = 0 if not text else columns
            continue
        found = len(_fields(text))
        columns = columns or found
        if found > columns or (found < columns and not wider_only):
            message = f"expected {counted(columns, 'column')} as in the rows before, found {found}"
            hint = "was a line end lost, or a cell added?"
            place = Location(block.part.path, number)
            yield Finding("uneven-columns", "error", message, place, doc_id, hint=hint)


def _are_even(data: bytes, rows: _Rows) -> bool:
    """Whether all rows of each sentence have the same number of columns, counted at once; False if it is uncertain."""
    if _has_comments(data):
        return False
    if b"\t" not in data:
        columns = [*map(len, map(bytes.split, data.split(b"\n")))]
        return len({0, *columns}) <= 2 or all(
            row == after or 0 in {row, after} for row, after in set(pairwise(columns))
        )
    if rows.has_blank_lines:
        return False
    # Line by line: a cell too many in one row and one too few in another would go unseen in a sum.
    frame = data.translate(None, _INSIDE_CELLS).strip(b"\n").split(b"\n\n")
    first = b"\t" * len(frame[0].partition(b"\n")[0]) + b"\n"
    return b"\n".join((*frame, b"")) == first * rows.tokens


def _has_comments(data: bytes) -> bool:
    # A search for one byte is many times as fast as one for two, and '#' is rare.
    return b"#" in data and (data.startswith(b"#") or b"\n#" in data)


_INSIDE_CELLS = bytes(set(range(256)).difference(b"\t\n\x0b\x0c\r"))
"""All bytes but those that end cells and lines, and those that a line end may have become."""


def _short_lines(data: bytes, block: _Block, doc_id: str, column: int) -> Iterator[Finding]:
    """A finding for each token line without the coreference column; comments have no columns."""
    for number, line in enumerate(data.split(b"\n"), block.line):
        text = line.rstrip()
        if text and not text.startswith(b"#") and not _has_column(_fields(text), column):
            found = counted(len(_fields(text)), "column")
            message = f"expected a column {column} (counted from 0), found {found}"
            place = Location(block.part.path, number)
            yield Finding("too-few-columns", "error", message, place, doc_id, hint="what does --column say?")


def _find_word_column(data: bytes) -> int | None:
    """The column of the words, by the first token: behind document, part and number, or behind a number; None without."""
    start = 0
    while data.startswith(b"\n", start):
        start += 1
    first = data[start : data.find(b"\n", start)].rstrip()
    fields = first.split(b"\t") if b"\t" in first else first.split()
    column = 3 if len(fields) > 4 and fields[1].isdigit() and fields[2].isdigit() else 1
    found = len(fields) > column + 1 and fields[column - 1].isdigit() and fields[column] != UNKNOWN.encode()
    return column if found else None


def _comments(data: bytes, block: _Block, doc_id: str, *, counted: bool) -> Iterator[Finding]:
    if not _has_comments(data):
        return
    message = f"a comment line inside a document {'counts as a token' if counted else 'is skipped'}"
    hint = "remove it, or move it between documents"
    for number, line in enumerate(data.split(b"\n"), block.line):
        if line.startswith(b"#"):
            place = Location(block.part.path, number, 1)
            yield Finding("comment-in-document", "warning", message, place, doc_id, hint=hint)


def _parse_cell(cell: bytes) -> _Cell:
    """The parsed cell; most cells are one item, which needs no regular expression."""
    opens, closes = cell.startswith(b"("), cell.endswith(b")")
    digits = cell[opens : len(cell) - closes]
    if digits.isdigit() and (opens or closes):
        # Interned, so that it is found in dictionaries by identity.
        name = sys.intern(digits.decode())
        if opens and closes:
            return _SINGLE, name, _CellItems((name,), (), (), b"")
        if opens:
            return _OPENS, name, _CellItems((), (name,), (), b"")
        return _CLOSES, name, _CellItems((), (), (name,), b"")
    return _parse_items(cell)


def _parse_items(cell: bytes) -> _Cell:
    """The parsed cell, by the grammar of items, for any cell."""
    if _is_odd(cell):
        return _MANY, "", _take_out_items(cell)._replace(remarkable=cell)
    single, opened, closed, discarded = [], [], [], []
    for one, two, begin, end in _ITEM.findall(cell):
        if one:
            single.append(one.decode())
        elif two:
            discarded.append(two.decode())
        elif begin:
            opened.append(begin.decode())
        elif end:
            closed.append(end.decode())
    touching = not set(opened).isdisjoint(closed)
    remarkable = cell if touching or _fused_items(cell) else b""
    several = _CellItems(tuple(single), tuple(opened), tuple(closed), remarkable, tuple(discarded))
    if several.remarkable or discarded or len(single) + len(opened) + len(closed) != 1:
        return _MANY, "", several
    kind = _SINGLE if single else _OPENS if opened else _CLOSES
    return kind, (single or opened or closed)[0], several


def _is_odd(cell: bytes) -> bool:
    """Whether a cell is not made of items alone."""
    return cell not in _EMPTY_CELLS and _ITEM.sub(b"", cell).replace(b"|", b"") != b""


def _take_out_items(text: bytes) -> _CellItems:
    """What the official scorer finds in any text: it takes items out, wherever they match, and goes on with what is left.

    Items with two antecedents are taken first, then those of one token, then those that open, then those that close.
    """
    discarded, pieces = _take_out_brackets(_BRACKETS.findall(text), _TWO_ANTECEDENTS)
    single, pieces = _take_out_brackets(pieces, _DIGITS)
    rest = b"".join(pieces)
    opened, closed = _OPENING.findall(rest), _CLOSING.findall(_OPENING.sub(b"", rest))
    return _CellItems(
        tuple(item.decode() for item, _ in single),
        tuple(item.decode() for item in opened),
        tuple(item.decode() for item in closed),
        b"",
        tuple(f"({item.decode()})" for item, _ in discarded),
    )


def _take_out_brackets(
    pieces: Iterable[bytes], inside: re.Pattern[bytes]
) -> tuple[list[tuple[bytes, bool]], list[bytes]]:
    """What stands between brackets and matches, taken out from the left, and the pieces that are left.

    Taking something out can join what stood around it; what is taken is marked if it was joined so.
    """
    taken: list[tuple[bytes, bool]] = []
    left: list[bytes] = []
    brackets: list[int] = []
    for piece in pieces:
        if piece == b")" and brackets:
            start = brackets[-1]
            item = b"".join(left[start + 1 :])
            if inside.fullmatch(item):
                taken.append((item, len(left) > start + 2))
                del left[start:]
                brackets.pop()
                continue
            # Nothing takes this bracket away, so that it stays between those before it and those to come.
            brackets.clear()
        elif piece == b"(":
            brackets.append(len(left))
        left.append(piece)
    return taken, left


def _fused_items(cell: bytes) -> list[bytes]:
    """The one-token items that arise only when others are removed from between an opening and a closing bracket.

    The official scorer reads ``(3(4)5)`` as ``(4)`` and then as ``(35)``; a bar on either side of ``(4)`` keeps them apart.
    """
    _, pieces = _take_out_brackets(_BRACKETS.findall(cell), _TWO_ANTECEDENTS)
    single, _ = _take_out_brackets(pieces, _DIGITS)
    return [b"(%b)" % item for item, is_joined in single if is_joined]


def _items_in_other_fields(data: bytes, block: _Block, doc_id: str) -> Iterator[Finding]:
    """A finding for each line without TAB whose last field does not have all of its items."""
    if not _WITHOUT_TAB.search(data):
        return
    for number, line in enumerate(data.split(b"\n"), block.line):
        if b"\t" in line or not line.strip():
            continue
        cell = line.split()[-1]
        if _take_out_items(line) != _take_out_items(cell):
            message = (
                f"expected items in the last of the fields alone, found others before {_decode(cell)!r:.60}"
            )
            hint = "the line has no TAB, so that all of its fields are searched; part the columns by TAB"
            yield Finding(
                "uneven-columns", "error", message, Location(block.part.path, number), doc_id, hint=hint
            )


class _SpanReader:
    """Collects the spans of a document from its cells, in their order."""

    def __init__(self, doc_id: str, block: _Block, lines: _TokenLines, *, fifo: bool) -> None:
        self._doc_id, self._block, self._fifo = doc_id, block, fifo
        self._find_lines, self._lines = lines, list[int]()
        self._members: dict[str, list[tuple[int, int]]] = {}
        self._open: dict[str, list[int]] = {}
        self._findings: list[Finding] = []
        self.discarded: list[str] = []
        """Items with two antecedents, as they are written."""

    def add_cells(self, cells: Iterable[tuple[int, _Cell]]) -> None:
        """Add cells: of each the one-token mentions, then the spans that open, then the spans that close."""
        members, started = self._members, self._open
        ends_next, no_mention = 0 if self._fifo else -1, _EMPTY[2]
        for end, (kind, name, several) in cells:
            if kind == _SINGLE:
                if name in members:
                    members[name].append((end - 1, end))
                else:
                    members[name] = [(end - 1, end)]
            elif kind == _OPENS:
                if name in started:
                    started[name].append(end - 1)
                else:
                    started[name] = [end - 1]
                    members.setdefault(name, [])
            elif kind == _CLOSES and (begun := started.get(name)):
                members[name].append((begun.pop(ends_next), end))
            elif several is not no_mention:
                self._add_items(end - 1, several)

    def _add_items(self, token: int, several: _CellItems) -> None:
        single, opened, closed, remarkable, discarded = several
        self.discarded.extend(discarded)
        for name in single:
            self._members.setdefault(name, []).append((token, token + 1))
        if self._fifo:
            self._close_spans(token, closed)
        for name in opened:
            self._members.setdefault(name, [])
            self._open.setdefault(name, []).append(token)
        if not self._fifo:
            self._close_spans(token, closed)
        if remarkable:
            self._flag_cell(remarkable, token, set(opened).intersection(closed))

    def _close_spans(self, token: int, names: Sequence[str]) -> None:
        for name in names:
            started = self._open.get(name)
            if started:
                self._members[name].append((started.pop(0 if self._fifo else -1), token + 1))
            else:
                message = f"cluster {name}: a mention ends that did not begin"
                self._add_finding("mention-not-opened", message, token, name)

    def finish(self) -> list[Finding]:
        """All findings, with one for each span that is still open: not closed, or cut off if the end mark is missing.

        The official scorer looks for open spans at the end mark, so that it does not notice those of a truncated file.
        """
        code, fate = "mention-not-closed", "does not end"
        if not self._block.ended:
            code, fate = "mention-cut-off", "the file ends before it does"
        for name, started in self._open.items():
            for token in started:
                self._add_finding(code, f"cluster {name}: a mention begins here and {fate}", token, name)
        return self._findings

    def clusters(self) -> Partition:
        """The clusters in the order in which their ids first appear, members in the order in which they close."""
        return Partition.named({name: members for name, members in self._members.items() if members})

    def _flag_cell(self, cell: bytes, token: int, touching: Iterable[str]) -> None:
        found = _decode(cell)
        for name in sorted(touching):
            message = f"cluster {name}: one mention ends and another begins at the same token; which is which is a guess"
            ends, other, rule = ("first", "last", "stack") if self._fifo else ("last", "first", "fifo")
            hint = f"the span that began {ends} ends here; --crossing {rule} ends the one that began {other}"
            self._add_finding("touching-mentions", message, token, name, hint)
        if _is_odd(cell):
            message = f"expected items such as (12), (12 and 12) joined by '|', or '-', found {found!r}"
            hint = "cluster ids are digits; the coreference column is the last one unless --column says otherwise"
            self._add_finding("odd-cell", message, token, None, hint)
        if fused := _fused_items(cell):
            items = _decode(b" ".join(match.group() for match in _ITEM.finditer(cell)))
            removed_items = _decode(b" ".join((*_ONE_TOKEN_ITEM.findall(cell), *fused)))
            message = f"the cell {found!r} lacks bars: its items are {items}, or {removed_items}"
            self._add_finding("fused-cell", message, token, None, f"write {items.replace(' ', '|')}")

    def _add_finding(self, code: str, message: str, token: int, item: str | None, hint: str = "") -> None:
        if not self._lines:
            self._lines = [number for number, _ in self._find_lines()]
        place = Location(self._block.part.path, self._block.line + self._lines[token])
        self._findings.append(Finding(code, "warning", message, place, self._doc_id, item, hint or None))


# ---------------------------------------------------------------------------------------------------- writing


def write(corpus: Corpus) -> bytes:
    """The corpus as columns: document, part, token number, word (``_`` if not known), clusters."""
    several = is_of_several(corpus)
    written = []
    for document in corpus.documents.values():
        named = re.fullmatch(r"\((.*)\); part ([0-9]+)", document.doc_id)
        name, part = (named.group(1), named.group(2).lstrip("0") or "0") if named else (document.doc_id, "0")
        columns = "_".join(name.split()) or "_", part
        written.append(_write_document(document, columns, "-", "#end document", several=several))
    return b"".join(written)


def write_semeval(corpus: Corpus) -> bytes:
    """The corpus as SemEval-2010 columns: token number, word (``_`` if not known), clusters."""
    several = is_of_several(corpus)
    return b"".join(
        _write_document(document, (), "_", f"#end document {document.doc_id}", several=several)
        for document in corpus.documents.values()
    )


def _write_document(
    document: Document, columns: tuple[str, ...], no_mention: str, end: str, *, several: bool
) -> bytes:
    cells = _written_cells(document, several=several)
    size = max(document.layers.get("token-count", 0), max(cells, default=-1) + 1)
    words = enumerate(written_words(document, size))
    rows = ("\t".join((*columns, str(token), word, cells.get(token, no_mention))) for token, word in words)
    lines = [f"#begin document {document.doc_id}", *rows]
    return "\n".join([*lines, "", end, ""]).encode("utf-8", "surrogateescape")


def _written_cells(document: Document, *, several: bool) -> dict[int, str]:
    """Per token: opens, longest first, then one-token items, then closes, innermost first.

    Mentions that are ids, empty or discontinuous are left out.
    """
    clusters = document.layers.get("clusters", ())
    # Numbers from 0; in a corpus of several documents the ids, if they are numbers and shared with other documents.
    names = [cluster.id for cluster in clusters]
    keep_ids = several and not has_local_clusters(document) and len(set(names)) == len(names)
    if not (keep_ids and all(map(_CLUSTER_NUMBER.fullmatch, names))):
        names = [*map(str, range(len(names)))]
    opens: dict[int, list[tuple[int, int]]] = {}
    singles: dict[int, list[int]] = {}
    closes: dict[int, list[tuple[int, int]]] = {}
    for at, cluster in enumerate(clusters):
        _refuse_crossing(document, cluster)
        for first, end in filter(is_filled_run, cluster.members):
            if end - first == 1:
                singles.setdefault(first, []).append(at)
            else:
                opens.setdefault(first, []).append((-end, at))
                closes.setdefault(end - 1, []).append((-first, at))
    return {
        token: "|".join(
            [
                *(f"({names[at]}" for _, at in sorted(opens.get(token, ()))),
                *(f"({names[at]})" for at in singles.get(token, ())),
                *(f"{names[at]})" for _, at in sorted(closes.get(token, ()))),
            ]
        )
        for token in sorted({*opens, *singles, *closes})
    }


def _refuse_crossing(document: Document, cluster: Cluster) -> None:
    """Refuse a cluster with spans that cross: brackets cannot say which of them ends first."""
    enclosing: list[int] = []
    spans = filter(is_filled_run, cluster.members)
    for first, minus_end in sorted((first, -end) for first, end in spans if end - first > 1):
        while enclosing and enclosing[-1] <= first:
            enclosing.pop()
        if enclosing and enclosing[-1] < -minus_end:
            message = f"two mentions of cluster {cluster.id!r} cross: columns cannot say which ends first"
            raise FormatError([document.finding("touching-mentions", "error", message, 0, cluster.id)])
        enclosing.append(-minus_end)


def recognise(head: bytes) -> bool:
    """Whether a line begins a document."""
    return re.search(rb"^(?:\xef\xbb\xbf)?#\s*begin document ", head, re.MULTILINE) is not None


def _recognise_semeval(head: bytes) -> bool:
    return recognise(head) and re.search(rb"\t_\r?\n", head) is not None and b"\t-\n" not in head


CONLL = Format(
    name="conll",
    title="CoNLL-2011/2012 coreference columns",
    extensions=(".conll", ".v4_gold_conll", ".v4_auto_conll", ".v9_gold_conll", ".key", ".response"),
    tasks=("coref",),
    recognise=recognise,
    read=read,
    write=write,
    in_lines=True,
    layers=("clusters",),
    holds_many=True,
    has_words=True,
)

SEMEVAL = CONLL._replace(
    name="semeval",
    title="SemEval-2010 coreference columns",
    extensions=(".txt", ".semeval", ".conll"),
    recognise=_recognise_semeval,
    write=write_semeval,
)
