"""Why each point was lost: verdicts, the error budget, confusions; comparisons become an :class:`Explanation`."""

from __future__ import annotations

from lydite.explanation.budget import Budget, Fault
from lydite.explanation.explanation import Explanation, explain, explain_sides

__all__ = ["Budget", "Explanation", "Fault", "explain", "explain_sides"]
