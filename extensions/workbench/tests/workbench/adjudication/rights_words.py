"""What URLs of adjudication name: a queue and its item, of the campaign that ``campaigns`` makes."""

from __future__ import annotations

from workbench_world import World


def words(_world: World) -> dict[str, str]:
    from lydite_workbench.adjudication.models import Queue, QueueItem
    from lydite_workbench.campaigns.models import Campaign

    queue = Queue.objects.create(campaign=Campaign.objects.get(slug="spring"), kind="targets", title="q")
    item = QueueItem.objects.create(queue=queue, name="i", position=0, data={"document": "d"})
    return {"queue": queue.public_id, "queue_item": item.public_id}
