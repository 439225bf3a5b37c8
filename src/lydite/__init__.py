"""lydite scores information extraction against gold annotation, with the numbers of the official scorers.

>>> import lydite
>>> summary = lydite.score("examples/gold.tbf", "examples/systems/alder.tbf")
>>> summary["type"].micro.f1
0.8170958282544213
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lydite.version import __version__

if TYPE_CHECKING:
    from lydite import coref
    from lydite.annotators import Adjudication, adjudicate
    from lydite.comparison.library import compare
    from lydite.dask_cluster import distributed
    from lydite.errors import (
        Finding,
        FormatError,
        InputError,
        InvalidInput,
        LyditeError,
        NoCommonDocument,
        UsageError,
    )
    from lydite.explanation import Explanation, explain
    from lydite.facade.library import agree, convert, read, score, validate
    from lydite.formats import FORMATS
    from lydite.metrics import METRICS
    from lydite.model import Corpus, Document, Mention, Score, Span, Summary, Tally
    from lydite.model.comparison import Comparison
    from lydite.streaming.metric import Metric
    from lydite.tasks import TASKS
    from lydite.tokenizer import Token, tokenize

_NAMES = {
    "lydite.annotators": ("Adjudication", "adjudicate"),
    "lydite.dask_cluster": ("distributed",),
    "lydite.comparison.library": ("compare",),
    "lydite.errors": (
        "Finding",
        "FormatError",
        "InputError",
        "InvalidInput",
        "LyditeError",
        "NoCommonDocument",
        "UsageError",
    ),
    "lydite.explanation": ("Explanation", "explain"),
    "lydite.facade.library": ("agree", "convert", "read", "score", "validate"),
    "lydite.formats": ("FORMATS",),
    "lydite.metrics": ("METRICS",),
    "lydite.model.comparison": ("Comparison",),
    "lydite.model": ("Corpus", "Document", "Mention", "Score", "Span", "Summary", "Tally"),
    "lydite.streaming.metric": ("Metric",),
    "lydite.tasks": ("TASKS",),
    "lydite.tokenizer": ("Token", "tokenize"),
}
"""Where the public names live.  They are loaded when they are first used: ``lydite --version`` needs none of them."""

__all__ = [
    "FORMATS",
    "METRICS",
    "TASKS",
    "Adjudication",
    "Comparison",
    "Corpus",
    "Document",
    "Explanation",
    "Finding",
    "FormatError",
    "InputError",
    "InvalidInput",
    "LyditeError",
    "Mention",
    "Metric",
    "NoCommonDocument",
    "Score",
    "Span",
    "Summary",
    "Tally",
    "Token",
    "UsageError",
    "__version__",
    "adjudicate",
    "agree",
    "compare",
    "convert",
    "coref",
    "distributed",
    "explain",
    "read",
    "score",
    "tokenize",
    "validate",
]


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name == "coref":  # public as a whole
        return import_module("lydite.coref")
    place = next((module for module, names in _NAMES.items() if name in names), None)
    if place is None:
        raise AttributeError(f"module 'lydite' has no attribute {name!r}")
    return getattr(import_module(place), name)


def __dir__() -> list[str]:
    return sorted(__all__)
