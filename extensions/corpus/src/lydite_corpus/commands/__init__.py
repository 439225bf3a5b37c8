"""``lydite corpus``: explore a collection, choose targets and documents, merge entities."""

from __future__ import annotations

import click

from lydite.cli.verbs import LazyVerbs
from lydite.errors import Finding, FormatError

COMMANDS = {
    "index": ("lydite_corpus.commands.index", "Build or update a searchable index of texts."),
    "search": ("lydite_corpus.commands.search", "Search an index for ranked documents with passages."),
    "names": ("lydite_corpus.commands.names", "List the names in a collection, clustered by similarity."),
    "profile": ("lydite_corpus.commands.profile", "Check target profiles; propose alias or variant."),
    "judgements": ("lydite_corpus.commands.judgements", "Merge judgements of several sites; show progress."),
    "select-targets": ("lydite_corpus.commands.select_targets", "Choose the best targets under minimums."),
    "select-documents": (
        "lydite_corpus.commands.select_documents",
        "Choose documents for targets, with a certified bound.",
    ),
    "subsample": ("lydite_corpus.commands.subsample", "Draw a smaller set of targets and documents."),
    "density": (
        "lydite_corpus.commands.density",
        "Rank documents so that every event type occurs often enough.",
    ),
    "merge": ("lydite_corpus.commands.merge", "Merge entities across documents, by a log."),
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
    """The commands; each reports damaged files of the index or of the judgements as ``bad-index``."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except Exception as error:
            import sqlite3

            is_corrupt = isinstance(error, ValueError) and "corrupt" in str(error).lower()
            if not (is_corrupt or isinstance(error, sqlite3.Error)):
                raise
            hint = "build the index again in an empty folder: lydite corpus index TEXTS -o DIR"
            message = f"a file of the index, or of the judgements, is damaged: {error}"
            raise FormatError([Finding("bad-index", "error", message, hint=hint)]) from None


@click.group("corpus", cls=_Corpus, verbs=COMMANDS, noun="command", epilog=EPILOG)
def command() -> None:
    """Explore a collection, choose targets and documents, merge entities.

    Commands that use an index need the search engine: pip install 'lydite[corpus]'.
    """
