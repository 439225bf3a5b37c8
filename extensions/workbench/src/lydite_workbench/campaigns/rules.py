"""When runs are accepted, and which: the same functions decide for pages and API."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import NamedTuple
from zoneinfo import ZoneInfo

from lydite_workbench.accounts.services import ANYWHERE
from lydite_workbench.campaigns.models import Campaign, Phase, Run, RunState, Team
from lydite_workbench.problems import BadInput, Refused

ANYWHERE_ON_EARTH = timezone(-timedelta(hours=12), "AoE")


def phases_for_new_run(campaign: Campaign, now: datetime, phase: Phase | None = None) -> list[Phase]:
    """The phases that take a run sent now: first those that are open, then closed ones that take late runs, latest first.

    With ``phase`` only that one is considered; refused if none takes it.
    """
    phases = list(campaign.phases.all()) if phase is None else [phase]
    taking_late_runs = (one for one in reversed(phases) if one.closes <= now and one.takes_late_runs)
    taking = [*(one for one in phases if one.opens <= now < one.closes), *taking_late_runs]
    if not taking:
        raise Refused("phase-closed", _why_closed(phases, now))
    return taking


def _why_closed(phases: list[Phase], now: datetime) -> str:
    coming = [one.opens for one in phases if one.opens > now]
    if coming:
        return f"runs are accepted from {format_instant(min(coming))}"
    if not phases:
        return "the campaign has no phase for runs"
    return f"runs were accepted until {format_instant(max(one.closes for one in phases))}"


def instant_of(time: datetime, zone: ZoneInfo) -> datetime:
    """The instant of a time with an offset, or of a local time of the zone, which its clocks must show exactly once."""
    if time.tzinfo is not None:
        return time
    first, second = (time.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if first.utcoffset() != second.utcoffset():
        is_ambiguous = first.astimezone(UTC).astimezone(zone).replace(tzinfo=None) == time
        how = "show it twice" if is_ambiguous else "never show it"
        sentence = f"{time:%Y-%m-%d %H:%M}: the clocks of {zone} {how} that day; give it in UTC"
        raise BadInput("bad-instant", sentence)
    return first


def format_instant(instant: datetime, zone: str = "UTC") -> str:
    """An instant in a zone, in UTC and anywhere on earth: ``2026-05-01 23:59 UTC (2026-05-01 11:59 AoE)``."""
    names = dict.fromkeys(name for name in (zone, "UTC") if name not in ANYWHERE.values())
    # Seconds are shown only where there are some.
    layout = "%Y-%m-%d %H:%M:%S" if instant.second else "%Y-%m-%d %H:%M"
    times = [f"{instant.astimezone(ZoneInfo(name)):{layout}} {name}" for name in names]
    return f"{', '.join(times)} ({instant.astimezone(ANYWHERE_ON_EARTH):{layout}} AoE)"


class RunDescription(NamedTuple):
    """How a team describes a run."""

    title: str = ""
    description: str = ""
    rank: int | None = None
    web_access: bool = False
    web_access_text: str = ""
    automatic: bool = True
    automatic_text: str = ""


class RunAllowance(NamedTuple):
    """What a team can still send in a phase: shown before it sends a file, and checked when the file is accepted."""

    phase: Phase
    is_late: bool
    runs_left: int | None
    """None if there is no limit."""
    rejected_left: int
    ranks_taken: tuple[int, ...]
    must_be_without_web: bool
    """Whether the last run must be made without web access."""
    remarks: tuple[str, ...]
    """Sentences about what the runs of the team still lack."""


def run_allowance(team: Team, phase: Phase, now: datetime) -> RunAllowance:
    """What a team can still send in a phase.  A withdrawn run counts, since its figures may have been seen."""
    runs = list(Run.objects.filter(team=team, phase=phase))
    counted = [run for run in runs if run.state != RunState.INVALID]
    not_withdrawn = [run for run in counted if run.withdrawn is None]
    left = None if phase.runs_per_team is None else max(0, phase.runs_per_team - len(counted))
    without_web = any(not run.web_access for run in not_withdrawn)
    needs_web_free = team.campaign.needs_run_without_web and not without_web
    return RunAllowance(
        phase,
        now >= phase.closes,
        left,
        max(0, phase.rejected_per_team - (len(runs) - len(counted))),
        tuple(sorted(run.rank for run in not_withdrawn if run.rank is not None)),
        needs_web_free and left == 1,
        tuple(_remarks(team.campaign, not_withdrawn, needs_web_free=needs_web_free)),
    )


def _remarks(campaign: Campaign, runs: list[Run], *, needs_web_free: bool) -> Iterator[str]:
    if runs and needs_web_free:
        yield "at least one run must be made without web access"
    if campaign.needs_ranks and runs:
        ranks = sorted(run.rank for run in runs if run.rank is not None)
        if ranks != list(range(1, len(runs) + 1)):
            yield f"the ranks 1 to {len(runs)} must all be used, once"


def refuse_broken_rules(campaign: Campaign, left: RunAllowance, about: RunDescription) -> None:
    """Refuse a new run that breaks a rule of the campaign."""
    if left.rejected_left == 0:
        sentence = "too many uploads of your team in this phase were invalid; ask the organisers"
        raise Refused("too-many-rejected", sentence)
    if left.runs_left == 0:
        raise Refused("limit-reached", f"the team has sent all of its {left.phase.runs_per_team} runs")
    if about.web_access and left.must_be_without_web:
        sentence = "one run must be made without web access, and this is the last one"
        raise Refused("needs-run-without-web", sentence)
    if campaign.needs_ranks:
        _check_rank(left, about)


def _check_rank(left: RunAllowance, about: RunDescription) -> None:
    most = left.phase.runs_per_team
    if about.rank is None or about.rank < 1 or (most is not None and about.rank > most):
        ranks = f"from 1 to {most}" if most else "from 1"
        raise BadInput("needs-rank", f"every run needs a rank of its own, {ranks}")
    if about.rank in left.ranks_taken:
        raise Refused("rank-taken", f"another run of the team has rank {about.rank}")
