"""What URLs of assessment name: an item and its document, of the campaign that ``campaigns`` makes."""

from __future__ import annotations

from workbench_world import World


def words(_world: World) -> dict[str, str]:
    from lydite_workbench.assessment.models import Pool, PooledDocument, PooledItem
    from lydite_workbench.campaigns.models import Campaign

    campaign = Campaign.objects.get(slug="spring")
    campaign.task, campaign.profile = "arguments", "kbp2014"
    campaign.save()
    pool = Pool.objects.create(campaign=campaign)
    document = PooledDocument.objects.create(pool=pool, doc_id="d", position=0)
    columns = ["d", "Conflict.Attack", "Attacker", "Hval", "0-3", "0-9", "0-3", "NIL", "Actual"]
    item = PooledItem.objects.create(document=document, key="r1", position=0, columns=columns)
    return {"item": item.public_id, "document": document.public_id}
