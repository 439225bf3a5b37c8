"""Which system is better, and how sure that is: summaries in, comparisons out."""

UNIT_KINDS = ("document", "topic", "component", "element")
"""What may be drawn again."""
INTERVALS = ("expanded", "percentile")
"""How the ends of intervals may be taken."""
