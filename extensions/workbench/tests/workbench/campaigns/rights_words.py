"""What URLs of campaigns name: those of a campaign that is not public, with a run of the team ``alder``."""

from __future__ import annotations

from workbench_world import World


def words(world: World) -> dict[str, str]:
    from django.utils import timezone

    from lydite.version import __version__
    from lydite_workbench.accounts.models import Token
    from lydite_workbench.campaigns.models import GoldVersion, LeaderboardVersion, Message, Run, Score
    from lydite_workbench.store import store

    campaign = world.campaign("spring")
    phase = world.phase(campaign, teams_see="figures")
    team, _ = world.team(campaign, "alder"), world.team(campaign, "birch")
    campaign.gold = GoldVersion.objects.create(
        campaign=campaign, number=1, name="gold.tbf", file=store(b"gold")
    )
    campaign.save()
    key = {"gold": campaign.gold, "signature": campaign.signature, "lydite_version": __version__}
    run = Run.objects.create(
        campaign=campaign,
        phase=phase,
        team=team,
        number=1,
        file=store(b"a run"),
        file_name="run.tbf",
        state="scored",
    )
    headline = b'{"measurement": "span", "metric": "detection", "figure": "f1"}'
    summary = store(b'{"scores": [], "findings": [], "headline": %s}' % headline)
    Score.objects.create(
        run=run,
        job_state="done",
        value=0.5,
        summary=summary,
        corpus_summary=summary,
        report=store(b"<!doctype html>"),
        **key,
    )
    board = LeaderboardVersion.objects.create(
        campaign=campaign,
        phase=phase,
        number=1,
        names="names",
        published=timezone.now(),
        document=store(b'{"names": {"names": {}}, "views": {"names": [{"systems": []}]}}'),
        tables={"names": {"csv": "", "latex": ""}},
        **key,
    )
    message = Message.objects.create(campaign=campaign, team=team, subject="s", text="t")
    token = Token.objects.create(key_hash="0", team=team)
    return {
        "layout": "csv",
        "token": token.public_id,
        "campaign": campaign.slug,
        "phase": phase.slug,
        "team": team.public_id,
        "run": run.public_id,
        "board": board.public_id,
        "gold": campaign.gold.public_id,
        "message": message.public_id,
    }
