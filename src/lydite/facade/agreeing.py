"""Measuring the agreement of annotators, pair by pair."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from lydite.facade.choosing import Request, UserChoice
from lydite.facade.scoring import ALL_BREAKDOWNS
from lydite.facade.sides import Given, read_without_gold
from lydite.model.agreement import Agreement
from lydite.parallel import Progress
from lydite.pipeline.running import run
from lydite.pipeline.task import KeptResults
from lydite.results.agreement import agreement_of_all, agreement_of_pair


def agree_files(
    choice: UserChoice,
    annotators: Sequence[Given],
    *,
    names: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> tuple[Agreement, Request]:
    """The agreement of two or more annotators; in each pair the one named first is gold."""
    roles = [f"annotator-{number}" for number in range(1, len(annotators) + 1)]
    request, corpora = read_without_gold(choice, annotators, roles, names)
    task = request.task
    task.reading.refuse_annotators(request.profile)
    detail = KeptResults(by=ALL_BREAKDOWNS, diagnosis=True)
    pairs = []
    for first, second in combinations(corpora, 2):
        summary = run(task, first, [second], request.profile, detail=detail, progress=progress)
        pairs.append(agreement_of_pair(first.name, second.name, summary))
    all_names = [corpus.name for corpus in corpora]
    return agreement_of_all(task.name, request.profile.name, all_names, pairs), request
