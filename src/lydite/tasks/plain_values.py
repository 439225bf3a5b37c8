"""Values of items as JSON that programs read."""

from __future__ import annotations

from decimal import Decimal


def plain(value: object) -> object:
    """A value with numbers as JSON has them; alternatives of gold are a list."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list | tuple) else value
