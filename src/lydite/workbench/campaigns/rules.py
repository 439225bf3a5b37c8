"""When runs are taken and which: one function decides on phases, one on the rules, for pages and API alike."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from lydite.records import NamedTuple
from lydite.workbench.accounts.services import ANYWHERE
from lydite.workbench.campaigns.models import Campaign, Phase, Run, RunState, Team
from lydite.workbench.problems import Refused

ANYWHERE_ON_EARTH = timezone(-timedelta(hours=12), "AoE")


def phases_taking(campaign: Campaign, now: datetime, phase: Phase | None = None) -> list[Phase]:
    """The phases, or the named one, that take a run sent now: those that are open, then the last of those that were."""
    phases = list(campaign.phases.all()) if phase is None else [phase]
    were_open = (one for one in reversed(phases) if one.closes <= now and one.takes_late_runs)
    found = [*(one for one in phases if one.opens <= now < one.closes), *were_open]
    if not found:
        raise Refused("phase-closed", _why_closed(phases, now))
    return found


def _why_closed(phases: list[Phase], now: datetime) -> str:
    coming = [one.opens for one in phases if one.opens > now]
    if coming:
        return f"no run is taken before {shown_instant(min(coming))}"
    past = [one.closes for one in phases]
    return f"runs were taken until {shown_instant(max(past))}" if past else "no phase takes runs"


def instant_of(said: datetime, zone: ZoneInfo) -> datetime:
    """The instant of a time with its offset, or of one of the zone, whose clocks must show it once."""
    if said.tzinfo is not None:
        return said
    first, second = (said.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if first.utcoffset() != second.utcoffset():
        is_shown = first.astimezone(UTC).astimezone(zone).replace(tzinfo=None) == said
        how = "show it twice" if is_shown else "never show it"
        raise Refused(
            "bad-instant",
            f"{said:%Y-%m-%d %H:%M}: the clocks of {zone} {how} that day; say it in UTC",
            status=400,
        )
    return first


def shown_instant(instant: datetime, zone: str = "UTC") -> str:
    """An instant in a zone, in UTC and anywhere on earth: ``2026-05-01 23:59 UTC (2026-05-01 11:59 AoE)``."""
    names = dict.fromkeys(name for name in (zone, "UTC") if name not in ANYWHERE.values())
    # A deadline may be on the second; most are not.
    layout = "%Y-%m-%d %H:%M:%S" if instant.second else "%Y-%m-%d %H:%M"
    shown = [f"{instant.astimezone(ZoneInfo(name)):{layout}} {name}" for name in names]
    return f"{', '.join(shown)} ({instant.astimezone(ANYWHERE_ON_EARTH):{layout}} AoE)"


class About(NamedTuple):
    """What a team says about a run."""

    title: str = ""
    description: str = ""
    rank: int | None = None
    web_access: bool = False
    web_access_text: str = ""
    automatic: bool = True
    automatic_text: str = ""


class Standing(NamedTuple):
    """What a team has left in a phase: said before a file is sent, decided when it is accepted."""

    phase: Phase
    is_late: bool
    runs_left: int | None
    """None: as many as it likes."""
    rejected_left: int
    ranks_taken: tuple[int, ...]
    must_be_without_web: bool
    """Whether only a run without web access can be accepted any more."""
    remarks: tuple[str, ...]
    """What the team's runs still lack, in sentences."""


def standing(team: Team, phase: Phase, now: datetime) -> Standing:
    """What the team has left in the phase.  A withdrawn run still counts: its figure may have been seen."""
    runs = list(Run.objects.filter(team=team, phase=phase))
    counted = [run for run in runs if run.state != RunState.INVALID]
    standing_ones = [run for run in counted if run.withdrawn is None]
    left = None if phase.runs_per_team is None else max(0, phase.runs_per_team - len(counted))
    without_web = any(not run.web_access for run in standing_ones)
    needs_web_free = team.campaign.needs_run_without_web and not without_web
    return Standing(
        phase,
        now >= phase.closes,
        left,
        max(0, phase.rejected_per_team - (len(runs) - len(counted))),
        tuple(sorted(run.rank for run in standing_ones if run.rank is not None)),
        needs_web_free and left == 1,
        tuple(_remarks(team.campaign, standing_ones, needs_web_free=needs_web_free)),
    )


def _remarks(campaign: Campaign, runs: list[Run], *, needs_web_free: bool) -> Iterator[str]:
    if runs and needs_web_free:
        yield "at least one run must be made without web access"
    if campaign.needs_ranks and runs:
        ranks = sorted(run.rank for run in runs if run.rank is not None)
        if ranks != list(range(1, len(runs) + 1)):
            yield f"the ranks 1 to {len(runs)} must all be used, once"


def check(campaign: Campaign, left: Standing, about: About) -> None:
    """Refuse a run that breaks a rule of the campaign."""
    if left.rejected_left == 0:
        raise Refused("too-many-rejected", "too many uploads of this phase were invalid; ask the organisers")
    if left.runs_left == 0:
        most = f"the phase takes no more runs of a team than {left.phase.runs_per_team}"
        raise Refused("limit-reached", f"{most}: all were sent")
    if about.web_access and left.must_be_without_web:
        raise Refused(
            "needs-run-without-web", "one run must be made without web access, and only one is left"
        )
    if campaign.needs_ranks:
        _check_rank(left, about)


def _check_rank(left: Standing, about: About) -> None:
    most = left.phase.runs_per_team
    if about.rank is None or about.rank < 1 or (most is not None and about.rank > most):
        span = f"from 1 to {most}" if most else "from 1 on"
        raise Refused("needs-rank", f"every run has a rank of its own, {span}", status=400)
    if about.rank in left.ranks_taken:
        raise Refused("rank-taken", f"another run of the team has rank {about.rank}")
