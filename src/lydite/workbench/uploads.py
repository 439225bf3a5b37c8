"""Uploads are streamed to the store while they come in; nothing of them is held in memory or unpacked."""

from __future__ import annotations

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.http import HttpRequest

from lydite.workbench.problems import Refused
from lydite.workbench.store import Incoming, Upload

CHUNK = 1 << 18


class StoredUpload(UploadedFile):  # type: ignore[type-arg] # generic for the type checker alone
    """A file that was uploaded: it lies under its hash, or was too large to be kept."""

    def __init__(self, name: str | None, size: int, digest: str, *, too_large: bool) -> None:
        super().__init__(file=None, name=name, size=size)
        self.digest, self.too_large = digest, too_large

    def close(self) -> None:
        """Nothing is open: Django closes what came of a form that it refuses."""


class StoringHandler(FileUploadHandler):
    """Hashes and stores; what is beyond the limit of the workbench is dropped as it comes."""

    chunk_size = CHUNK
    _incoming: Incoming | None = None

    def new_file(self, *arguments: object, **more: object) -> None:
        """Begin a file."""
        super().new_file(*arguments, **more)  # type: ignore[arg-type] # as they came
        caller = getattr(self.request, "caller", None)
        if caller is None or (caller.user is None and caller.team is None):
            # Nobody whom we do not know fills our disk.
            raise SkipFile
        self._incoming = Incoming()
        self._seen = 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:  # noqa: ARG002 - Django's signature
        """Take a piece; no later handler sees it."""
        self._seen += len(raw_data)
        if self._incoming is None:
            return
        if self._seen > settings.LYDITE_MAX_UPLOAD:
            self._incoming.discard()
            self._incoming = None
        else:
            self._incoming.write(raw_data)

    def file_complete(self, file_size: int) -> StoredUpload:  # noqa: ARG002 - Django's signature
        """Put the file under its hash."""
        incoming, self._incoming = self._incoming, None
        if incoming is None:
            return StoredUpload(self.file_name, self._seen, "", too_large=True)
        return StoredUpload(self.file_name, incoming.size, incoming.finish(), too_large=False)

    def upload_interrupted(self) -> None:
        """Forget what came."""
        if self._incoming is not None:
            self._incoming.discard()


def sent_files(request: HttpRequest, field: str) -> list[Upload]:
    """The files that came under a field of a form; one that was too large is refused."""
    sent = [one for one in request.FILES.getlist(field) if isinstance(one, StoredUpload)]
    for one in sent:
        if one.too_large:
            raise Refused(
                "too-large", f"{one.name}: the file is larger than this workbench takes", status=413
            )
    return [Upload(one.digest, int(one.size or 0), one.name or field) for one in sent]


def sent_file(request: HttpRequest, field: str) -> Upload | None:
    """The file that came under a field, if there was one."""
    sent = sent_files(request, field)
    if len(sent) > 1:
        raise Refused(
            "one-file",
            f"expected one file under {field!r}, found {len(sent)}; an archive holds many",
            status=400,
        )
    return next(iter(sent), None)


def needed_file(
    request: HttpRequest, field: str = "file", otherwise: str = "the form has no file in its field 'file'"
) -> Upload:
    """The file that must have come under a field; where it did not, that is said."""
    sent = sent_file(request, field)
    if sent is None:
        raise Refused("no-file", otherwise, status=400)
    return sent
