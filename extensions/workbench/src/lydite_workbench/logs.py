"""The log: one JSON object per line, without personal data."""

from __future__ import annotations

import json
import logging

LOG = logging.getLogger("lydite_workbench")


def log(event: str, /, *, error: BaseException | None = None, **fields: object) -> None:
    """Log an event with its fields."""
    LOG.info(event, extra={"fields": fields}, exc_info=error)


class JsonLines(logging.Formatter):
    """Formats a record as a JSON object on one line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        fields = getattr(record, "fields", {})
        level = record.levelname.lower()
        line = {"at": self.formatTime(record), "level": level, "event": record.getMessage()}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps({**line, **fields}, default=str)
