"""Plain data: what stands in JSON and TOML documents, by name, in a shape that its reader or writer knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

PlainMapping: TypeAlias = Mapping[str, Any]
"""An object of a document, as it was read."""

PlainDict: TypeAlias = dict[str, Any]
"""An object of a document that is being made."""
