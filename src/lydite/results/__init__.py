"""From tallies of documents to figures of a corpus."""
