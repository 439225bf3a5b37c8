"""The layouts of the official programs, one module each; a layout turns a summary into text."""

from collections.abc import Callable, Mapping

from lydite.model import Summary
from lydite.registry import Registry

Renderer = Callable[[Summary], str]

LAYOUTS: Registry[Renderer] = Registry(
    "official layout for task",
    {
        "nugget": "lydite.report.official.evmeval:report",
        "coref": "lydite.report.official.conll:report",
        "triples": "lydite.report.official.triple_evaluation:report",
        "ace": "lydite.report.official.ace:report",
        "arguments": "lydite.report.official.rams:report",
    },
)

COMPARISONS: Registry[Renderer] = Registry(
    "comparison file for task",
    {
        "nugget": "lydite.report.official.evmeval:comparison",
        "coref": "lydite.report.official.conll:differing_clusters",
        "triples": "lydite.report.triple_log:log",
        "ace": "lydite.report.official.ace:mapping",
    },
)

READ_AGAIN = frozenset({"triples", "ace"})
"""Tasks whose comparison file is the same in every layout, since other programs and commands read it."""

BREAKDOWNS: Registry[Callable[[Mapping[str, object]], tuple[str, ...]]] = Registry(
    "breakdowns of the official layout for task", {"nugget": "lydite.report.official.evmeval:breakdowns"}
)
"""The breakdowns that an official layout needs under the settings, where it does not need all."""
