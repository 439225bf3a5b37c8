"""The columns of a table of mentions: which it must have, of which kinds, and findings on wrong ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lydite.errors import Finding, Location, UsageError
from lydite.optional_libraries import library
from lydite.registry import did_you_mean

if TYPE_CHECKING:
    from types import ModuleType

    import pyarrow as pa

MENTION, DOCUMENT, START, END, CLUSTER = "mention", "document", "start", "end", "cluster"
BY_SPAN = (DOCUMENT, START, END)
BY_ID = (MENTION,)
ROLES = (MENTION, *BY_SPAN, CLUSTER)

TEXT, WHOLE, ANY = "text", "whole numbers", "nothing"
"""Kinds of columns; a column without values (``ANY``) goes with every kind."""


def arrow(name: str = "pyarrow") -> ModuleType:
    """The module of pyarrow of that name."""
    return library(name, "tables", "reading tables")


class Columns(NamedTuple):
    """The columns of a table that identify a mention, and the one that names its cluster."""

    identity: tuple[str, ...]
    """``mention``, or ``document``, ``start`` and ``end``."""
    names: Mapping[str, str]
    """The names of these columns, and of that of the cluster, in the table."""

    @property
    def roles(self) -> tuple[str, ...]:
        """All columns that are read, by their roles."""
        return (*self.identity, CLUSTER)

    @property
    def in_table(self) -> list[str]:
        """All columns that are read, by their names in the table."""
        return [self.names[role] for role in self.roles]


def parse_columns(parts: Iterable[str]) -> dict[str, str]:
    """The names of columns by their roles, from a setting such as ``mention=id,cluster=label``."""
    names: dict[str, str] = {}
    for part in parts:
        role, equals, name = part.partition("=")
        if not equals or not name:
            hint = "for instance mention=id,cluster=label"
            raise UsageError(f"setting 'table-columns': expected COLUMN=NAME, found {part!r}", hint=hint)
        if role not in ROLES:
            hint = did_you_mean(role, list(ROLES)) or f"columns: {', '.join(ROLES)}"
            raise UsageError(f"setting 'table-columns': no column {role!r}", hint=hint)
        names[role] = name
    return names


def choose_columns(
    found: Sequence[str], given: Mapping[str, str], path: str
) -> tuple[Columns | None, list[Finding]]:
    """The columns of a table that are read; None and findings if some are missing or it is not clear which they are.

    ``found`` are the names of all columns, ``given`` the names that a setting gives by role.
    """
    names = {role: given.get(role, role) for role in ROLES}
    by_id = MENTION in given
    by_span = any(role in given for role in BY_SPAN)
    if by_id == by_span:
        # The setting names neither form, or both: the columns of the table decide.
        by_id, by_span = names[MENTION] in found, all(names[role] in found for role in BY_SPAN)
    if by_id and by_span:
        span_columns = ", ".join(repr(names[role]) for role in BY_SPAN)
        message = f"mentions can be identified by {names[MENTION]!r} or by {span_columns}; the table has both"
        hint = "choose: --table-columns mention=mention, or document=document,start=start,end=end"
        return None, [Finding("ambiguous-columns", "error", message, Location(path), hint=hint)]
    identity = BY_ID if by_id else BY_SPAN
    columns = Columns(identity, {role: names[role] for role in (*identity, CLUSTER)})
    missing = [name for name in columns.in_table if name not in found]
    if missing:
        return None, [_missing(missing, columns, found, path)]
    twice = [name for name in columns.in_table if found.count(name) > 1]
    if twice:
        message = f"expected one column {twice[0]!r}, found {found.count(twice[0])}"
        hint = "give each column of the table a name of its own"
        return None, [Finding("ambiguous-columns", "error", message, Location(path), hint=hint)]
    return columns, []


def _missing(missing: Sequence[str], columns: Columns, found: Sequence[str], path: str) -> Finding:
    expected = ", ".join(columns.in_table)
    other = "" if columns.identity == BY_ID else " (or mention, cluster)"
    message = (
        f"expected the columns {expected}{other}, found {', '.join(found) or 'none'}: "
        f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
    )
    others = [name for name in found if name not in columns.in_table]
    near = next(filter(None, (did_you_mean(name, others) for name in (*missing, MENTION))), None)
    setting = ",".join(f"{role}=NAME" for role in columns.roles if columns.names[role] in missing)
    hint = f"say what the table calls {'it' if len(missing) == 1 else 'them'}: --table-columns {setting}"
    hint = f"{near} {hint}" if near else hint
    return Finding("missing-column", "error", message, Location(path), hint=hint)


def kind_of(type_: pa.DataType) -> str | None:
    """The kind of a column by its type, None if such values can name neither mentions nor clusters."""
    types = arrow("pyarrow.types")
    if types.is_dictionary(type_):
        return kind_of(type_.value_type)
    if types.is_null(type_):
        return ANY
    if types.is_integer(type_):
        return WHOLE
    is_text = types.is_string(type_) or types.is_large_string(type_) or types.is_string_view(type_)
    return TEXT if is_text else None


def check_kinds(
    schema: pa.Schema, columns: Columns, path: str, *, untyped: bool
) -> tuple[dict[str, str], list[Finding]]:
    """The kind of every column by its role, and a finding for each column whose type does not fit its role.

    In an ``untyped`` table (CSV) whole numbers are text.
    """
    kinds: dict[str, str] = {}
    findings = []
    for role in columns.roles:
        name = columns.names[role]
        kind = kind_of(schema.field(name).type)
        allowed = (WHOLE, ANY) if role in {START, END} and not untyped else (TEXT, WHOLE, ANY)
        if kind in allowed:
            kinds[role] = str(kind)
            continue
        expected = "whole numbers" if role in {START, END} else "text or whole numbers"
        found = schema.field(name).type
        message = f"column {name!r}: expected {expected}, found {found}"
        of_real = "pandas makes whole numbers real where some are missing: fill them, or use the type Int64"
        hint = of_real if arrow("pyarrow.types").is_floating(found) else None
        findings.append(Finding("column-type", "error", message, Location(path), hint=hint))
    return kinds, findings
