"""``lydite.compare``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lydite.comparison import INTERVALS, UNIT_KINDS
from lydite.comparison.corrections import CORRECTIONS
from lydite.comparison.draws import check_resamples
from lydite.comparison.files import ComparisonPlan, check_level, compare_sides
from lydite.comparison.rankings import with_others
from lydite.errors import UsageError
from lydite.facade.choosing import choice_from_keywords
from lydite.facade.scoring import workers_for
from lydite.facade.sides import Given, read_sides
from lydite.keyword_arguments import check_keywords, names_of
from lydite.model.comparison import Comparison, Resampling, Testing
from lydite.registry import near_or_known


def comparison_plan(
    *,
    figures: tuple[str, ...] = (),
    against: str | None = None,
    resample_by: str | None = None,
    resamples: int = 10_000,
    seed: int = 0,
    level: float = 0.95,
    interval: str = "expanded",
    correction: str = "holm",
    alpha: float = 0.05,
    top: int = 10,
) -> ComparisonPlan:
    """The plan of a comparison from options; unknown names and impossible numbers are refused."""
    check_keywords(against=against, resample_by=resample_by, interval=interval, correction=correction)
    check_keywords(resamples=resamples, seed=seed, level=level, alpha=alpha, top=top)
    for name, value, known in (
        ("interval", interval, INTERVALS),
        ("correction", correction, tuple(CORRECTIONS)),
        ("resample-by", resample_by, UNIT_KINDS),
    ):
        if value is not None and value not in known:
            raise UsageError(f"{name}: no {value!r}", hint=near_or_known(value, known))
    if not 0 < alpha < 1:
        raise UsageError(f"alpha: expected a fraction between 0 and 1, found {alpha:g}", hint="0.05 is usual")
    if top < 0:
        raise UsageError(f"top: expected a number of lines, found {top}")
    if seed < 0:
        raise UsageError(f"seed: expected 0 or more, found {seed}")
    resampling = Resampling(check_resamples(resamples), seed, check_level(level), interval)
    return ComparisonPlan(figures, resample_by, resampling, Testing(correction, alpha, against), top)


def compare(
    gold: Given,
    *systems: Given,
    names: Sequence[str] | None = None,
    figure: str | Sequence[str] | None = None,
    against: str | None = None,
    gold_before: Given | None = None,
    resample_by: str | None = None,
    resamples: int = 10_000,
    seed: int = 0,
    level: float = 0.95,
    interval: str = "expanded",
    correction: str = "holm",
    alpha: float = 0.05,
    top: int = 10,
    task: str | None = None,
    profile: str | None = None,
    format: str | None = None,  # noqa: A002 - the word that the command line uses
    jobs: int = 1,
    quirks: Mapping[str, bool] | None = None,
    no_quirks: bool = False,
    **settings: object,
) -> Comparison:
    """Compare systems: how far each figure can be trusted, and which systems cannot be told apart.

    Gold and systems are paths or objects, and ``names`` the names of the systems, as for :func:`lydite.score`.
    ``figure`` is ``MEASUREMENT[.METRIC][.AVERAGE].FIGURE``; the default is the campaign's headline.  Of several figures,
    the result is the comparison by the first one; its ``others`` are those by the other figures, and its ``ranks`` say
    how far the figures agree.

    >>> import lydite
    >>> found = lydite.compare("examples/gold.tbf", "examples/systems/alder.tbf", "examples/systems/birch.tbf")
    >>> [(place.system, place.group) for place in found.systems]
    [('alder', 'a'), ('birch', 'b')]
    >>> found.pairs[0].significant
    True
    """
    if not systems or (len(systems) < 2 and gold_before is None):
        raise UsageError(
            "compare needs a gold file and at least two systems", hint="one system is enough with gold_before"
        )
    check_keywords(jobs=jobs)
    plan = comparison_plan(
        figures=() if figure is None else names_of("figure", figure),
        against=against,
        resample_by=resample_by,
        resamples=resamples,
        seed=seed,
        level=level,
        interval=interval,
        correction=correction,
        alpha=alpha,
        top=top,
    )
    choice = choice_from_keywords(task, profile, format, settings, quirks, no_quirks)
    workers = workers_for(jobs)
    request, read = read_sides(choice, gold, systems, names=names, unread=workers is not None)
    found = compare_sides(request, read, plan, gold_before=gold_before, workers=workers)
    return with_others(found.with_all_findings())
