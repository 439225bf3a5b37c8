"""What the log says: one JSON object a line; nothing in it says who somebody is."""

from __future__ import annotations

import json
import logging

LOG = logging.getLogger("lydite.workbench")


def log(event: str, /, *, error: BaseException | None = None, **told: object) -> None:
    """Write a line."""
    LOG.info(event, extra={"told": told}, exc_info=error)


class JsonLines(logging.Formatter):
    """A record as a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        told = getattr(record, "told", {})
        line = {
            "at": self.formatTime(record),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps({**line, **told}, default=str)
