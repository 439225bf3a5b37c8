"""What URLs of collections name: one without texts, of the campaign that ``campaigns`` makes."""

from __future__ import annotations

from workbench_world import World


def words(_world: World) -> dict[str, str]:
    from lydite_workbench.campaigns.models import Campaign
    from lydite_workbench.corpus.models import Collection

    made = Collection.objects.create(campaign=Campaign.objects.get(slug="spring"), slug="harbour", title="c")
    return {"collection": made.slug}
