"""Which system is better, and how sure that is: summaries in, comparisons out."""
