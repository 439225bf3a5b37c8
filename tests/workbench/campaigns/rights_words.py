"""What URLs of campaigns name: those of a campaign that is not public, with a run of the team ``alder``."""

from __future__ import annotations

from workbench_world import World


def words(world: World) -> dict[str, str]:
    from lydite.workbench.campaigns.models import Message, Run
    from lydite.workbench.store import store

    campaign = world.campaign("spring")
    phase = world.phase(campaign)
    team, _ = world.team(campaign, "alder"), world.team(campaign, "birch")
    run = Run.objects.create(
        campaign=campaign, phase=phase, team=team, number=1, file=store(b"a run"), file_name="run.tbf"
    )
    message = Message.objects.create(campaign=campaign, team=team, subject="s", text="t")
    return {
        "campaign": campaign.slug,
        "phase": phase.slug,
        "team": team.public_id,
        "run": run.public_id,
        "message": message.public_id,
    }
