"""Gold: checking and replacing it, what a new version changed, and its forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from lydite.errors import FindingDocument
from lydite.grouping import grouped
from lydite.version import __version__
from lydite_workbench.accounts.services import record
from lydite_workbench.campaigns.errands import ErrandResult
from lydite_workbench.campaigns.forms import on_manage_page
from lydite_workbench.campaigns.jobs import errand_for
from lydite_workbench.campaigns.limited import errand_folder, run_errand
from lydite_workbench.campaigns.messages import send_message
from lydite_workbench.campaigns.models import (
    Campaign,
    CampaignFile,
    GoldDifference,
    GoldVersion,
    Message,
    Run,
    Shown,
)
from lydite_workbench.campaigns.runs import score_again
from lydite_workbench.logs import log
from lydite_workbench.problems import BadInput, Refused
from lydite_workbench.rights import Actor, WebRequest, person_of
from lydite_workbench.store import Upload, stored_json
from lydite_workbench.uploads import required_file


def check_gold(
    campaign: Campaign, gold: Upload | None, files: Sequence[CampaignFile] | None = None
) -> ErrandResult:
    """Let the library check task, profile, settings, gold and figures; return their signature and the name of the profile."""
    golds = {"gold": GoldVersion(file_id=gold.digest, name=gold.safe_name) if gold else None}
    errand, links = errand_for(campaign, "check-and-sign", golds, {}, files)
    with errand_folder(links) as folder:
        outcome = run_errand(errand._replace(figures=campaign.figures), folder)
    if outcome.status != "done":
        log("gold or settings refused", outcome=outcome.status, said=outcome.output)
        raise gold_refusal(outcome.status, outcome.result)
    return outcome.result


def gold_refusal(status: str, result: ErrandResult) -> Refused:
    """The refusal of gold or settings, by the status of the errand that checked them."""
    errors = [one for one in result.get("findings", [])[:5] if one["severity"] == "error"]
    lines = list(map(_finding_as_text, errors))
    sentence = {
        "refused": "gold is not valid: " + "; ".join(lines or [str(result.get("message", ""))]),
        "settings": str(result.get("message", "")),
        "timeout": "checking gold took longer than the limit of the campaign",
        "memory": "checking gold needed more memory than the limit of the campaign",
    }.get(status, "gold could not be checked; the log of the server has more")
    return BadInput("bad-campaign", sentence)


def _finding_as_text(finding: FindingDocument) -> str:
    place = ":".join(str(finding[key]) for key in ("path", "line", "column") if finding.get(key))
    return f"{place.removeprefix('.gold/')}: {finding['message']} [{finding['code']}]"


def replace_gold(
    campaign: Campaign, upload: Upload, *, note: str, actor: Actor, is_checked: bool = False
) -> GoldVersion:
    """Make a new version of gold, if it is valid: all runs are scored again, and compared with the version before."""
    if not is_checked:
        check_gold(campaign, upload)
    with transaction.atomic():
        locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
        before = locked.gold
        number = (locked.golds.aggregate(last=Max("number"))["last"] or 0) + 1
        gold = GoldVersion.objects.create(
            campaign=locked,
            number=number,
            name=upload.safe_name,
            file=upload.row,
            note=note,
            created_by=person_of(actor),
        )
        Campaign.objects.filter(pk=campaign.pk).update(gold=gold)
        campaign.gold = gold
        record(actor, "gold.replace", f"gold {number}", campaign=campaign, sha256=upload.digest, note=note)
        runs = score_again(campaign, actor=actor)
        if before is not None and runs:
            key = {"signature": campaign.signature, "lydite_version": __version__}
            GoldDifference.objects.create(campaign=campaign, before=before, after=gold, **key)
    return gold


def difference_of(gold: GoldVersion) -> GoldDifference | None:
    """The comparison of a version of gold with the one before; None if there is none."""
    return GoldDifference.objects.filter(after=gold).first()


class RunChange(NamedTuple):
    """What a new gold changed for one run; items are only counted, since they are gold."""

    run: Run
    before: float | None
    after: float | None
    rank_before: int
    rank_after: int
    items: Mapping[str, int]
    """``now right``, ``now wrong``, ``new in gold``, ``no longer in gold`` → count."""


def changes_of(difference: GoldDifference) -> list[RunChange]:
    """What a new gold changed for each run, the now best run first."""
    if difference.document_id is None:
        return []
    golds = stored_json(difference.document_id)["golds"]
    changes = grouped((item["system"], item["change"]) for item in golds["changes"])
    counts = {label: dict(Counter(of_run)) for label, of_run in changes.items()}
    runs = {run.label: run for run in difference.campaign.runs.select_related("team", "phase")}
    figures = ("before", "after", "rank_before", "rank_after")
    return [
        RunChange(
            runs[row["system"]], items=counts.get(row["system"], {}), **{name: row[name] for name in figures}
        )
        for row in golds["systems"]
    ]


@transaction.atomic
def send_differences(difference: GoldDifference, *, actor: Actor) -> list[Message]:
    """Send each team, once, what a new gold changed for its runs, as far as the phase lets it see figures."""
    if not GoldDifference.objects.filter(pk=difference.pk, told__isnull=True).update(told=timezone.now()):
        raise Refused("was-sent", "the changes were sent to the teams already")
    by_team = grouped((change.run.team, _change_as_text(change)) for change in changes_of(difference))
    subject = f"Gold {difference.after.number} replaces gold {difference.before.number}"
    return [
        send_message(difference.campaign, subject, "\n".join(lines), team=team, actor=actor)
        for team, lines in by_team.items()
    ]


def _change_as_text(change: RunChange) -> str:
    from lydite.report.tables import percent

    figures = ["undefined" if value is None else percent(value) for value in (change.before, change.after)]
    items = ", ".join(f"{count} {name}" for name, count in sorted(change.items.items())) or "no item changed"
    title = f" ({change.run.title})" if change.run.title else ""
    if change.run.phase.teams_see == Shown.NOTHING:
        return f"Run {change.run.number}{title} was scored again."
    return f"Run {change.run.number}{title}: {figures[0]} before, {figures[1]} now; {items}."


# --------------------------------------------------------------------------------------------------------- pages


@on_manage_page
def replace_gold_view(request: WebRequest, campaign: Campaign) -> None:
    """Replace gold by a new version; all runs are scored again."""
    note = request.POST.get("note", "")
    replace_gold(campaign, required_file(request), note=note, actor=request.caller)


@on_manage_page
def send_differences_view(request: WebRequest, gold: GoldVersion) -> None:
    """Send every team what a new gold changed for its runs."""
    difference = difference_of(gold)
    if difference is None:
        raise Refused("no-difference", "there is no earlier version to compare this one with")
    send_differences(difference, actor=request.caller)
