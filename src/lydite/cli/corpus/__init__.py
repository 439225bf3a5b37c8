"""``lydite corpus``: explore a collection, choose targets and documents, merge entities."""

from __future__ import annotations

import click

from lydite.cli.verbs import LazyVerbs
from lydite.errors import Finding, FormatError

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


class _Corpus(LazyVerbs):
    """The commands; all of them report a file of the index that turns out to be damaged in the middle of a search."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except Exception as error:
            if not _is_damage(error):
                raise
            hint = "make the index anew in an empty folder: lydite corpus index TEXTS -o DIR"
            said = f"a file of the index, or of the judgements, is damaged: {error}"
            raise FormatError([Finding("bad-index", "error", said, hint=hint)]) from None


def _is_damage(error: Exception) -> bool:
    import sqlite3

    return isinstance(error, sqlite3.Error) or (
        isinstance(error, ValueError) and "corrupt" in str(error).lower()
    )


@click.group("corpus", cls=_Corpus, verbs=COMMANDS, noun="command", epilog=EPILOG)
def command() -> None:
    """Explore a collection, choose targets and documents, merge entities.

    Everything that needs an index needs the extra ``[corpus]``.
    """
