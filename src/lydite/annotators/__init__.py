"""From several annotators to one gold: their annotation, a sheet of differences, decisions, gold."""

from __future__ import annotations

from lydite.annotators.adjudicating import Adjudication, adjudicate, adjudicate_files

__all__ = ["Adjudication", "adjudicate", "adjudicate_files"]
