"""Leaderboards: which runs are on them, how they compare, drafts, publishing, and their pages.

No run is scored for a leaderboard: it is made of the counts by document that the scores of its runs keep.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Max
from django.http import Http404, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone

from lydite.grouping import grouped
from lydite.model import Summary
from lydite.model.comparison import Comparison, FigureName
from lydite.model.letters import letters
from lydite.spool import encode
from lydite.version import __version__
from lydite_workbench.accounts.services import record
from lydite_workbench.campaigns.forms import on_manage_page
from lydite_workbench.campaigns.models import (
    BoardNames,
    BoardOf,
    BoardView,
    Campaign,
    JobState,
    LeaderboardVersion,
    Phase,
    Run,
    Score,
)
from lydite_workbench.campaigns.runs import scores_of, valid_runs
from lydite_workbench.pages import CSV, download, page
from lydite_workbench.problems import BadInput, Refused
from lydite_workbench.rights import Actor, WebRequest
from lydite_workbench.store import store, stored_json


def board_candidates(phase: Phase) -> list[Run]:
    """The runs for a leaderboard of the phase: valid and not withdrawn, of each team the best-ranked one or all."""
    runs = [run for run in valid_runs(phase.campaign) if run.phase_id == phase.pk]
    if phase.campaign.board_of == BoardOf.ALL:
        return runs
    by_team = grouped((run.team_id, run) for run in runs).values()
    # The run that its team ranks first; without ranks, its last run.
    return [
        min(of_team, key=lambda run: (run.rank is None, run.rank or 0, -run.number)) for of_team in by_team
    ]


def unscored_count(campaign: Campaign) -> int:
    """How many valid runs have no current score and none queued, as after an upgrade of lydite."""
    runs = valid_runs(campaign) if campaign.gold_id is not None else []
    return len(runs) - len(scores_of(runs))


def scoring_count(campaign: Campaign) -> int:
    """How many runs are being scored with the current gold; as long as there are some, leaderboards are outdated."""
    return Score.objects.filter(
        run__campaign=campaign,
        gold=campaign.gold,
        signature=campaign.signature,
        job_state__in=(JobState.WAITING, JobState.RUNNING),
    ).count()


@transaction.atomic
def draft_board(phase: Phase, *, actor: Actor, note: str = "") -> LeaderboardVersion:
    """Compare the runs of a phase in a draft that only organisers see."""
    phase.campaign = campaign = Campaign.objects.select_for_update().get(pk=phase.campaign_id)
    runs = sorted(board_candidates(phase), key=lambda run: run.label)
    if not runs or campaign.gold is None:
        raise Refused("no-runs", "no run of this phase is scored yet")
    scores = scores_of(runs)
    waiting = [run for run in runs if run.pk not in scores or scores[run.pk].job_state != JobState.DONE]
    if waiting:
        labels = ", ".join(run.label for run in waiting)
        raise Refused("not-scored", f"these runs are not scored with the current gold yet: {labels}")
    document, tables = compare_runs(campaign, {run.label: scores[run.pk] for run in runs}, board_names(runs))
    number = (campaign.boards.aggregate(last=Max("number"))["last"] or 0) + 1
    board = LeaderboardVersion.objects.create(
        campaign=campaign,
        phase=phase,
        number=number,
        gold=campaign.gold,
        signature=campaign.signature,
        lydite_version=__version__,
        names=phase.board if phase.board in BoardView.values else BoardView.NAMES,
        document=store(encode(document)),
        tables=tables,
        note=note,
    )
    board.runs.set(runs)
    record(actor, "board.draft", f"leaderboard {number}", campaign=campaign, runs=[run.label for run in runs])
    return board


def board_names(runs: list[Run]) -> dict[str, dict[str, str]]:
    """View → label of a run → its name there: that of the team, or a letter drawn by the random id of the team."""
    teams = sorted({run.team for run in runs}, key=lambda team: team.public_id)
    lettered_teams = {team.pk: letters(place) for place, team in enumerate(teams)}
    several = {run.team_id for run in runs if sum(other.team_id == run.team_id for other in runs) > 1}
    taken: dict[str, str] = {}
    for run in runs:
        name = f"{run.team.name} {run.number}" if run.team_id in several else run.team.name
        taken[run.label] = name if name not in taken.values() else f"{name} ({run.label})"
    numbers = {run.label: str(run.number) if run.team_id in several else "" for run in runs}
    lettered = {run.label: lettered_teams[run.team_id] + numbers[run.label] for run in runs}
    return {BoardView.NAMES: taken, BoardView.LETTERS: lettered}


def compare_runs(
    campaign: Campaign, scores: Mapping[str, Score], names: Mapping[str, Mapping[str, str]]
) -> tuple[dict[str, object], dict[str, dict[str, str]]]:
    """The document and the tables of runs, by the headline and other figures, from the counts that their scores keep.

    ``scores`` are by the label of the run; ``names`` are by view and label.
    """
    from lydite.comparison.files import ComparisonPlan, compare_by_units, units_of_summary

    summary = _join_summaries(scores)
    units = units_of_summary(summary)
    # The comparison must not name documents and elements of gold.
    shared = "some of gold or of runs" if any(score.shared_units for score in scores.values()) else ""
    units = units._replace(ids=tuple(map(str, range(1, len(units.ids) + 1))), joined=shared)
    # No differences by document and by part: only organisers see those, on report pages.
    comparisons = compare_by_units(summary, units, ComparisonPlan(top=0))
    if campaign.figures:
        comparisons += compare_by_units(summary, units, ComparisonPlan(tuple(campaign.figures), top=0))
    views = {view: [_renamed(one, shown) for one in comparisons] for view, shown in names.items()}
    plain = {view: [one.to_dict() for one in renamed] for view, renamed in views.items()}
    tables = {view: _tables(renamed, summary, names[view]) for view, renamed in views.items()}
    return {"names": names, "views": plain}, tables


def _join_summaries(scores: Mapping[str, Score]) -> Summary:
    """One summary of runs that were scored one by one, with the rows that all of them have."""
    from lydite.facade.scoring import join_summaries
    from lydite.facade.summaries import rename_systems

    parts = []
    for label, score in scores.items():
        plain = stored_json(str(score.summary_id))
        # A breakdown is no part of a leaderboard, nor is what is told about documents.
        scored = [row for row in plain["scores"] if not row["by"]]
        part = Summary.from_dict({**plain, "scores": scored, "findings": []})
        parts.append(rename_systems(part, {part.systems[0]: label}))
    if any(dict(part.headline) != dict(parts[0].headline) for part in parts):
        raise Refused(
            "not-comparable", "these runs have different headlines, since their files hold different things"
        )
    joined = join_summaries(parts)
    keys = [{(row.measurement, row.metric, row.average) for row in part.rows} for part in parts]
    common = set.intersection(*keys)
    rows = tuple(row for row in joined.rows if (row.measurement, row.metric, row.average) in common)
    return replace(joined, rows=rows)


def _renamed(comparison: Comparison, names: Mapping[str, str]) -> Comparison:
    return replace(
        comparison,
        systems=tuple(place._replace(system=names[place.system]) for place in comparison.systems),
        pairs=tuple(replace(pair, a=names[pair.a], b=names[pair.b]) for pair in comparison.pairs),
        contents={},
    )


def _tables(comparisons: Sequence[Comparison], summary: Summary, names: Mapping[str, str]) -> dict[str, str]:
    from lydite.facade.summaries import rename_systems
    from lydite.report import tables
    from lydite.report.comparison import heading, separated
    from lydite.report.paper import conventional_columns, paper_table

    first = comparisons[0]
    shown = rename_systems(summary, names)
    columns = conventional_columns(shown)
    columns += [one.figure for one in comparisons if one.figure not in columns]
    letters = {place.system: place.group for place in first.systems if place.group}
    lines = [f"% {line}" for line in (*heading(first), f"signature: {first.signature}")]
    latex = tables.latex(paper_table(shown, columns, raised=letters, at=first.figure))
    return {"csv": separated(comparisons), "latex": "\n".join([*lines, latex, ""])}


@transaction.atomic
def publish_board(board: LeaderboardVersion, *, actor: Actor, names: str | None = None) -> LeaderboardVersion:
    """Show a leaderboard to everybody who sees the campaign, with names or letters."""
    locked = LeaderboardVersion.objects.select_for_update().get(pk=board.pk)
    if locked.phase.board == BoardNames.NONE:
        raise Refused("no-board", "this phase has no public leaderboard")
    gone = ", ".join(run.label for run in locked.runs.filter(withdrawn__isnull=False).select_related("team"))
    if gone:
        sentence = f"these runs were withdrawn since it was made: {gone}; compare the runs again"
        raise Refused("withdrawn", sentence)
    chosen = names or locked.phase.board
    if chosen not in BoardView.values:
        raise BadInput("bad-view", f"a leaderboard is published with names or letters, not {chosen!r}")
    locked.names = chosen
    locked.published = timezone.now()
    locked.save(update_fields=["names", "published"])
    record(actor, "board.publish", f"leaderboard {locked.number}", campaign=locked.campaign, names=chosen)
    return locked


@transaction.atomic
def retract_board(board: LeaderboardVersion, *, actor: Actor) -> LeaderboardVersion:
    """Make a leaderboard a draft again; the audit log keeps that it was public."""
    LeaderboardVersion.objects.filter(pk=board.pk).update(published=None)
    board.refresh_from_db()
    record(actor, "board.retract", f"leaderboard {board.number}", campaign=board.campaign)
    return board


def boards_of(campaign: Campaign) -> Iterable[LeaderboardVersion]:
    """Every version of the leaderboards of a campaign, the newest first, without their tables."""
    return campaign.boards.select_related("phase", "gold").defer("tables")


def published_board(campaign: Campaign, phase: Phase | None = None) -> LeaderboardVersion | None:
    """The leaderboard of a campaign, or of one phase, that was published last."""
    boards = campaign.boards.filter(published__isnull=False)
    if phase is not None:
        boards = boards.filter(phase=phase)
    return boards.order_by("-published", "-number").first()


def comparisons_of(board: LeaderboardVersion, view: str | None = None) -> list[dict[str, Any]]:
    """``lydite.comparison/1`` of each figure, the headline first, with names or letters."""
    comparisons: list[dict[str, Any]] = stored_json(board.document_id)["views"][view or board.names]
    return comparisons


class BoardRow(NamedTuple):
    """A line of a leaderboard: the place of a system in the comparison, its run, and its places by other figures."""

    place: Mapping[str, Any]
    run: Run
    others: Mapping[str, Mapping[str, Any]]
    """Name of a figure → place by that figure."""
    unjudged: Score | None = None
    """The score of the run, if some of its answers are not judged: with the worst and the best possible headline."""


def board_rows(board: LeaderboardVersion, view: str | None = None) -> list[BoardRow]:
    """The lines of a leaderboard, best first, with their runs, of which a page with letters may show flags alone."""
    document = stored_json(board.document_id)
    chosen = view or board.names
    labels = {name: label for label, name in document["names"][chosen].items()}
    runs = {run.label: run for run in board.runs.select_related("team", "phase")}
    first, *others = document["views"][chosen]
    key = {"gold": board.gold, "signature": board.signature, "lydite_version": board.lydite_version}
    scores = Score.objects.filter(run__in=board.runs.all(), optimistic__isnull=False, **key)
    unjudged = {score.run.label: score for score in scores.select_related("run__team")}
    named = ((str(FigureName(**one["figure"])), one["systems"]) for one in others)
    by_figure = {name: {place["system"]: place for place in places} for name, places in named}
    return [
        BoardRow(
            place,
            runs[labels[place["system"]]],
            {name: places[place["system"]] for name, places in by_figure.items()},
            unjudged.get(labels[place["system"]]),
        )
        for place in first["systems"]
    ]


# --------------------------------------------------------------------------------------------------------- pages


def leaderboard_view(request: WebRequest, campaign: Campaign) -> HttpResponse:
    """The leaderboard that was published last."""
    board = published_board(campaign)
    if board is None:
        return page(request, "campaigns/no_board.html", {"campaign": campaign})
    return board_view(request, board)


def board_view(request: WebRequest, board: LeaderboardVersion) -> HttpResponse:
    """One version of a leaderboard; organisers see drafts."""
    organises = request.caller.organises(board.campaign)
    view = request.GET.get("view") if organises else None
    if view not in {None, *BoardView.values}:
        raise Http404
    rows = board_rows(board, view)
    others = list(rows[0].others) if rows else []
    flag = request.GET.get("flag", "")
    if flag == "no-web":
        rows = [row for row in rows if not row.run.web_access]
    elif flag == "automatic":
        rows = [row for row in rows if row.run.automatic]
    chosen = request.GET.get("sort", "")
    if chosen in others:
        rows = sorted(rows, key=lambda row: row.others[chosen]["rank"])
    boards = boards_of(board.campaign)
    context = {
        "campaign": board.campaign,
        "board": board,
        "rows": [(row, [row.others[name] for name in others]) for row in rows],
        "others": others,
        "has_unjudged": any(row.unjudged for row in rows),
        "organises": organises,
        "view": view or board.names,
        "flag": flag,
        "sort": chosen,
        "scored_again": scoring_count(board.campaign),
        "history": [one for one in boards if organises or one.published is not None],
        "comparison": next(iter(comparisons_of(board, view)), None),
    }
    return page(request, "campaigns/board.html", context)


TABLES = {"csv": CSV, "latex": "text/x-tex; charset=utf-8"}


def board_table_view(request: WebRequest, board: LeaderboardVersion, layout: str) -> HttpResponseBase:  # noqa: ARG001 - a view
    """A leaderboard as CSV, LaTeX or JSON."""
    if layout == "json":
        return JsonResponse(comparisons_of(board)[0])
    if layout not in TABLES:
        raise Http404
    name = f"{board.campaign.slug}-{board.number}.{'tex' if layout == 'latex' else layout}"
    return download(board.tables[board.names][layout], name, TABLES[layout])


@on_manage_page
def draft_view(request: WebRequest, campaign: Campaign, phase: Phase) -> HttpResponse:  # noqa: ARG001 - a view
    """Compare the runs of a phase in a draft for organisers."""
    return redirect("campaigns:board", board=draft_board(phase, actor=request.caller).public_id)


@on_manage_page
def publish_view(request: WebRequest, board: LeaderboardVersion) -> HttpResponse:
    """Show a leaderboard to everybody who sees the campaign."""
    names = request.POST.get("names") or None
    publish_board(board, actor=request.caller, names=names)
    return redirect("campaigns:board", board=board.public_id)


def retract_view(request: WebRequest, board: LeaderboardVersion) -> HttpResponse:
    """Make a published leaderboard a draft again."""
    retract_board(board, actor=request.caller)
    return redirect("campaigns:board", board=board.public_id)
