"""Uploads, which are streamed to the store as they arrive: none is held in memory or unpacked."""

from __future__ import annotations

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.http import HttpRequest

from lydite_workbench.problems import BadInput, Refused
from lydite_workbench.store import Incoming, Upload

CHUNK = 1 << 18


class StoredUpload(UploadedFile):  # type: ignore[type-arg] # generic for the type checker alone
    """An uploaded file that is in the store, or that was too large for it."""

    def __init__(self, name: str | None, size: int, digest: str, *, too_large: bool) -> None:
        super().__init__(file=None, name=name, size=size)
        self.digest, self.too_large = digest, too_large

    def close(self) -> None:
        """Do nothing: no file is open."""


class StoringHandler(FileUploadHandler):
    """Hashes and stores uploads; one beyond the limit of the workbench is dropped as it arrives."""

    chunk_size = CHUNK
    _incoming: Incoming | None = None

    def new_file(self, *arguments: object, **more: object) -> None:
        """Start a file; files of the public are skipped, so that nobody unknown fills the disk."""
        super().new_file(*arguments, **more)  # type: ignore[arg-type] # as they came
        caller = getattr(self.request, "caller", None)
        if caller is None or (caller.user is None and caller.team is None):
            raise SkipFile
        self._incoming = Incoming()
        self._received = 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:  # noqa: ARG002 - Django's signature
        """Store a piece; no later handler gets it."""
        self._received += len(raw_data)
        if self._incoming is None:
            return
        if self._received > settings.LYDITE_MAX_UPLOAD:
            self._incoming.discard()
            self._incoming = None
        else:
            self._incoming.write(raw_data)

    def file_complete(self, file_size: int) -> StoredUpload:  # noqa: ARG002 - Django's signature
        """Finish a file in the store."""
        incoming, self._incoming = self._incoming, None
        if incoming is None:
            return StoredUpload(self.file_name, self._received, "", too_large=True)
        return StoredUpload(self.file_name, incoming.size, incoming.finish(), too_large=False)

    def upload_interrupted(self) -> None:
        """Discard an unfinished file."""
        if self._incoming is not None:
            self._incoming.discard()


def sent_files(request: HttpRequest, field: str) -> list[Upload]:
    """The files in a field of a form; refused if one is too large."""
    uploads = [file for file in request.FILES.getlist(field) if isinstance(file, StoredUpload)]
    for file in uploads:
        if file.too_large:
            sentence = f"{file.name}: the file is larger than this workbench accepts"
            raise Refused("too-large", sentence, status=413)
    return [Upload(file.digest, int(file.size or 0), file.name or field) for file in uploads]


def sent_file(request: HttpRequest, field: str) -> Upload | None:
    """The only file in a field; None if there is none."""
    files = sent_files(request, field)
    if len(files) > 1:
        sentence = f"expected one file under {field!r}, found {len(files)}; send several as an archive"
        raise BadInput("one-file", sentence)
    return next(iter(files), None)


def required_file(
    request: HttpRequest, field: str = "file", otherwise: str = "the form has no file in its field 'file'"
) -> Upload:
    """The file in a field; refused with ``otherwise`` if there is none."""
    sent = sent_file(request, field)
    if sent is None:
        raise BadInput("no-file", otherwise)
    return sent
