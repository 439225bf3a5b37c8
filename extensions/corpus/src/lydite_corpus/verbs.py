"""The verbs that this package adds to the command ``lydite``."""

VERBS = {
    "corpus": (
        "lydite_corpus.commands",
        "Explore a collection, choose targets and documents, merge entities.",
    ),
}
