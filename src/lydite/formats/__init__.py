"""The formats that lydite reads and writes."""

from lydite.formats.base import Format
from lydite.registry import Registry

FORMATS: Registry[Format] = Registry(
    "format",
    {
        "tbf": "lydite.formats.tbf:TBF",
        "eal": "lydite.formats.eal:EAL",
        "events": "lydite.formats.events:EVENTS",
    },
    group="lydite.formats",
)

EXTENSIONS: dict[str, tuple[str, ...]] = {
    ".tbf": ("tbf",),
}
"""Which formats an extension may mean: known without loading a reader."""
