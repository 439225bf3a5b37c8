"""Why each point was lost: verdicts, the error budget, confusions."""

from __future__ import annotations

from lydite.explanation.explanation import Explanation, explain, explain_sides
from lydite.model.verdict import Budget, Fault

__all__ = ["Budget", "Explanation", "Fault", "explain", "explain_sides"]
