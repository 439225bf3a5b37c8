"""Files that are not text, known by their first bytes: what they are, and what to do with them."""

from __future__ import annotations

from lydite.errors import FormatError, refuse

HEAD_SIZE = 4096
"""How many bytes are looked at: a packed document names its first members there."""

_SAVE_DOCUMENT = "save the document as plain text (UTF-8)"
_SAVE_SHEET = "save the sheet as text with tabs between the columns (UTF-8)"
_KINDS: tuple[tuple[bytes, str, str], ...] = (
    (b"\x1f\x8b", "gzip data", "give it a name that ends in .gz (.tar.gz if it is an archive)"),
    (b"\xfd7zXZ\0", "xz data", "unpack it first: xz --decompress"),
    (b"BZh", "bzip2 data", "unpack it first: bunzip2"),
    (b"\x28\xb5\x2f\xfd", "Zstandard data", "unpack it first: zstd --decompress"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it first, and pack it as .zip if it is to be one file"),
    (b"Rar!\x1a\x07", "a RAR archive", "unpack it first, and pack it as .zip if it is to be one file"),
    (b"%PDF-", "a PDF document", "a printed page cannot be scored; ask for the file that it was made from"),
    (b"{\\rtf", "a document in rich text format", _SAVE_DOCUMENT),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a document of an old Word or Excel", _SAVE_DOCUMENT),
    (b"\x89PNG\r\n", "a PNG image", "is it the right file?"),
    (b"\xff\xd8\xff", "a JPEG image", "is it the right file?"),
    (b"SQLite format 3\0", "an SQLite database", "is it the right file?"),
)
_ZIP = b"PK\x03\x04"
_IN_ZIP = (
    (b"word/", "a Word document", _SAVE_DOCUMENT),
    (b"xl/", "an Excel workbook", _SAVE_SHEET),
    (b"application/vnd.oasis.opendocument.spreadsheet", "an OpenDocument spreadsheet", _SAVE_SHEET),
    (b"application/vnd.oasis.opendocument.text", "an OpenDocument text", _SAVE_DOCUMENT),
)


def kind_of(head: bytes) -> tuple[str, str] | None:
    """The kind of a file by its first bytes, and what to try with it; None if it may be text."""
    if head.startswith(_ZIP):
        for signature, name, hint in _IN_ZIP:
            if signature in head:
                return name, hint
        return "a zip archive", "give it a name that ends in .zip, or unpack it"
    return next(((name, hint) for signature, name, hint in _KINDS if head.startswith(signature)), None)


def web_page_message(head: bytes) -> tuple[str, str] | None:
    """The message that a file is a web page, and what to try; None if it is something else."""
    start = head[:HEAD_SIZE].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if not start.startswith((b"<!doctype html", b"<html")):
        return None
    hint = "it may be what a server answered in place of the file: fetch the file itself"
    return "this is a web page", hint


def expect_text(path: str, head: bytes) -> None:
    """Raise :class:`FormatError` (``other-kind``) if these first bytes of a file are those of something else."""
    found = kind_of(head)
    if found is not None:
        raise other_kind(path, "text", *found)


def other_kind(path: str, expected: str, found: str, hint: str) -> FormatError:
    """The error for a file that is not what its name says."""
    message = f"expected {expected}, found {found}: the file is not what its name says"
    return refuse(path, "other-kind", message, hint=hint)


def expect_packed(path: str, signature: bytes, expected: str, suffix: str) -> None:
    """Raise :class:`FormatError` (``other-kind``) if a file does not begin with the signature of its kind of packing."""
    with open(path, "rb") as stream:  # noqa: PTH123 - errors of the system are the caller's
        head = stream.read(HEAD_SIZE)
    if not head:
        raise other_kind(path, expected, "an empty file", "was the download or the copy complete?")
    if not head.startswith(signature):
        found, hint = kind_of(head) or ("other data", f"give it a name without {suffix} if it is not packed")
        raise other_kind(path, expected, found, hint)
