"""``lydite corpus``: explore a collection, choose targets and documents, merge entities."""

from __future__ import annotations

import click

from lydite.cli.verbs import LazyVerbs

COMMANDS = {
    "index": ("lydite.cli.corpus.index", "Index texts, so that they can be searched."),
    "search": ("lydite.cli.corpus.search", "Search an index: ranked documents with passages."),
    "names": ("lydite.cli.corpus.names", "List names of a collection, put together by similarity."),
    "profile": ("lydite.cli.corpus.profile", "Check target profiles; propose alias or variant."),
    "judgements": (
        "lydite.cli.corpus.judgements",
        "Merge judgements of several sites; show how far they are.",
    ),
    "select-targets": ("lydite.cli.corpus.select_targets", "Choose targets under minimums, exactly."),
    "select-documents": (
        "lydite.cli.corpus.select_documents",
        "Choose documents for targets, with a certified bound.",
    ),
    "subsample": ("lydite.cli.corpus.subsample", "A smaller set of targets and documents from a larger one."),
    "density": ("lydite.cli.corpus.density", "Rank documents so that every event type occurs often enough."),
    "merge": ("lydite.cli.corpus.merge", "Replay a log of merges; propose more; write merged APF."),
}
"""Command, module with a command of that name, one sentence."""

EPILOG = """\b
Examples:
  lydite corpus index texts/ -o index/
  lydite corpus search index/ '"Carlos the Jackal" NOT genre:wl'
  lydite corpus select-documents index/ targets.jsonl --count 400
  lydite corpus merge gold/ --log merges.jsonl -o merged/
"""


@click.group("corpus", cls=LazyVerbs, verbs=COMMANDS, noun="command", epilog=EPILOG)
def command() -> None:
    """Explore a collection, choose targets and documents, merge entities.

    Everything that needs an index needs the extra ``[corpus]``.
    """
