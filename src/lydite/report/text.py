"""Tables as lines of text that do not wrap: a table that is too wide is turned, stacked, numbered or cut into pieces.

Names are never shortened.  A single name that is wider than the page has a line of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from lydite.report.tables import HEADLINE_MARK, UNDEFINED, Table, printable_table

PAGE = 80
"""Width of a page in columns where it is not known."""
GAP = "  "


class Line(NamedTuple):
    """A line of a table; headings and the row of the headline are ``strong``."""

    text: str
    strong: bool = False


def plain_text(table: Table) -> str:
    """A table as text: words aligned to the left, numbers to the right, the headline marked with a star."""
    return "\n".join(line.text for line in text_lines(table))


def text_lines(table: Table, width: int = PAGE) -> list[Line]:
    """The title and the lines of a table that is at most ``width`` wide, unless single names are wider."""
    table = printable_table(table)
    return [Line(line.text.rstrip(), line.strong) for line in [Line(table.title), *_fit(table, width)]]


def _fit(table: Table, width: int) -> Iterator[Line]:
    """The first layout that fits: as it is, turned, stacked; else pieces, with numbers for the names of columns."""
    shapes = [table, *([turn(table)] if table.turns else ())]
    for shape in shapes:
        if _width(shape) <= width:
            yield from _lines(shape)
            return
    shown, legend = _number_columns(table)
    widest = max((group.width for group in _column_groups(shown)), default=0)
    has_room = shown.text_columns == 1 or _label_width(shown) + len(GAP) + widest <= width
    if _label_width(shown) > width // 2 or not has_room:
        # In a stack, the first words of a row stand on a line of their own.
        inner_width = _total_width(_column_widths(shown)[_head_words(shown) : shown.text_columns])
        pieces = list(_pieces(shown, width - len(GAP), inner_width))
        if len(pieces) == 1 or not table.turns:
            yield from _join_pieces(_stack_lines(piece, _head_words(shown)) for piece in pieces)
            yield from legend
            return
        shown, legend = _number_columns(shapes[-1])
    yield from _join_pieces(map(_lines, _pieces(shown, width, _label_width(shown))))
    yield from legend


def _join_pieces(pieces: Iterable[Iterable[Line]]) -> Iterator[Line]:
    """The lines of all pieces, with an empty line between pieces."""
    for position, lines in enumerate(pieces):
        if position:
            yield Line("")
        yield from lines


def wrap_parts(parts: Sequence[str], separator: str, width: int = PAGE) -> str:
    """The parts joined by the separator, on as few lines as possible; all but the first are indented."""
    lines = [parts[0]]
    for part in parts[1:]:
        longer = f"{lines[-1]}{separator}{part}"
        if shown_width(longer) + len(separator.rstrip()) <= width:
            lines[-1] = longer
        else:
            lines[-1] = f"{lines[-1]}{separator}".rstrip()
            lines.append(f"{GAP}{part}")
    return "\n".join(lines)


# ------------------------------------------------------------------------------------------------------ shapes


def turn(table: Table) -> Table:
    """Rows become columns: measurement and figure stand in front, and every system has a column."""
    words = table.text_columns
    groups = [text for text, size in table.groups for _ in range(size)] or [""] * len(table.columns)
    rows = tuple(
        (groups[place], table.columns[place], *(row[place] for row in table.rows))
        for place in range(words, len(table.columns))
    )
    names = tuple(row[0] for row in table.rows)
    columns = ("measurement", "figure", *names)
    return Table(table.title, columns, rows, text_columns=2, names_in_columns=len(names))


def _number_columns(table: Table) -> tuple[Table, list[Line]]:
    """Numbers in place of the names that head columns, and a legend."""
    if not table.names_in_columns:
        return table, []
    first = len(table.columns) - table.names_in_columns
    numbers = [f"[{number}]" for number in range(1, table.names_in_columns + 1)]
    columns = (*table.columns[:first], *numbers)
    legend = [Line("")]
    legend += [Line(f"{number} {name}") for number, name in zip(numbers, table.columns[first:], strict=True)]
    return table._replace(columns=columns), legend


def _pieces(table: Table, room: int, label: int) -> Iterator[Table]:
    """The table in pieces of whole groups of columns; each begins with the words of the rows.

    After the first piece, rows without any figure in a piece are left out of it.
    """
    groups, words = _column_groups(table), table.text_columns
    first = True
    while groups:
        used, count = label + len(GAP) + groups[0].width, 1
        while count < len(groups) and used + len(GAP) + groups[count].width <= room:
            used += len(GAP) + groups[count].width
            count += 1
        in_piece, groups = groups[:count], groups[count:]
        piece = table.only([*range(words), *(place for group in in_piece for place in group.places)])
        headings = (("", words), *((group.name, len(group.places)) for group in in_piece))
        piece = piece._replace(groups=headings if table.groups else ())
        if not first:
            places = [place for place, row in enumerate(piece.rows) if any(row[piece.text_columns :])]
            piece = piece._replace(
                rows=tuple(piece.rows[place] for place in places),
                marked=frozenset(new for new, place in enumerate(places) if place in piece.marked),
            )
        if first or piece.rows:
            yield piece
        first = False


class _ColumnGroup(NamedTuple):
    """Columns of numbers under one heading: their places in the table and their width together."""

    name: str
    places: range
    width: int


def _column_groups(table: Table) -> list[_ColumnGroup]:
    widths, start = _column_widths(table), table.text_columns
    groups = []
    for name, size in _number_groups(table):
        width = max(shown_width(name), _total_width(widths[start : start + size]))
        groups.append(_ColumnGroup(name, range(start, start + size), width))
        start += size
    return groups


def _number_groups(table: Table) -> Sequence[tuple[str, int]]:
    """The groups above columns of numbers; without groups, each column is one."""
    if not table.groups:
        return [("", 1)] * (len(table.columns) - table.text_columns)
    words, groups = table.text_columns, []
    for text, size in table.groups:
        above_words = min(size, words)
        words -= above_words
        if size > above_words:
            groups.append((text, size - above_words))
    return groups


# ------------------------------------------------------------------------------------------------------- lines


def _lines(table: Table) -> Iterator[Line]:
    widths = _column_widths(table)
    if table.groups:
        yield Line(_group_line(table, widths), strong=True)
    yield Line(_text_line(table, table.columns, widths), strong=True)
    for position, row in enumerate(_marked_rows(table)):
        yield Line(_text_line(table, row, widths), position in table.marked)


def _stack_lines(table: Table, heads: int) -> Iterator[Line]:
    """The first ``heads`` words of the rows on lines of their own, and what belongs to them below, indented."""
    names = [GAP.join(row[:heads]) for row in _marked_rows(table)]
    inner = table._replace(
        columns=table.columns[heads:],
        rows=tuple(row[heads:] for row in table.rows),
        groups=table.groups and (("", table.text_columns - heads), *_number_groups(table)),
        text_columns=table.text_columns - heads,
        marked=frozenset(),
    )
    lines = [Line(f"{GAP}{line.text}", line.strong) for line in _lines(inner)]
    head = 2 if table.groups else 1
    yield Line(GAP.join(table.columns[:heads]), strong=True)
    yield from lines[:head]
    for name, places in groupby(range(len(names)), key=names.__getitem__):
        same_name = list(places)
        yield Line(name, any(place in table.marked for place in same_name))
        yield from (Line(lines[head + place].text, place in table.marked) for place in same_name)


def _head_words(table: Table) -> int:
    """The number of words of a row on a line of their own in a stack: the first if rows share it, else all."""
    shared = len({row[0] for row in table.rows}) < len(table.rows)
    return 1 if shared else table.text_columns


def _marked_rows(table: Table) -> list[tuple[str, ...]]:
    return [
        (f"{row[0]} {HEADLINE_MARK}", *row[1:]) if position in table.marked else row
        for position, row in enumerate(table.rows)
    ]


def _text_line(table: Table, cells: Sequence[str], widths: Sequence[int]) -> str:
    return GAP.join(
        _padded(cell, width, left=position < table.text_columns)
        for position, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )


def _group_line(table: Table, widths: Sequence[int]) -> str:
    texts, start = [], 0
    for text, size in table.groups:
        if size:
            room = _total_width(widths[start : start + size])
            texts.append(_padded(text, room, left=start < table.text_columns))
            start += size
    return GAP.join(texts)


def _padded(text: str, width: int, *, left: bool) -> str:
    space = " " * (width - shown_width(text))
    return f"{text}{space}" if left else f"{space}{text}"


# ------------------------------------------------------------------------------------------------------ widths


def shown_width(text: str) -> int:
    """The number of columns that a text takes: East Asian characters take two, combining marks none."""
    if not text or text == UNDEFINED or max(text) < "\u0300":
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _column_widths(table: Table) -> list[int]:
    widths = [max(map(shown_width, one)) for one in zip(table.columns, *_marked_rows(table), strict=True)]
    start = 0
    for text, size in table.groups:
        if size:
            room = _total_width(widths[start : start + size])
            # A group that is wider than its columns widens the last of them.
            widths[start + size - 1] += max(0, shown_width(text) - room)
            start += size
    return widths


def _total_width(widths: Sequence[int]) -> int:
    """The width of columns with the gaps between them."""
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _width(table: Table) -> int:
    return _total_width(_column_widths(table))


def _label_width(table: Table) -> int:
    return _total_width(_column_widths(table)[: table.text_columns])
