"""The formats that lydite reads and writes."""

from lydite.formats.base import Format
from lydite.registry import Registry

FORMATS: Registry[Format] = Registry(
    "format",
    {
        "tbf": "lydite.formats.tbf:TBF",
        "apf": "lydite.formats.apf:APF",
    },
    group="lydite.formats",
)

EXTENSIONS: dict[str, tuple[str, ...]] = {
    ".tbf": ("tbf",),
    ".apf": ("apf",),
    ".apf.xml": ("apf",),
}
"""Which formats an extension may mean: known without loading a reader."""
