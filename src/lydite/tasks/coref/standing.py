"""Which gold mentions a system has right: found, and linked to what gold links them to."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from lydite.formats.units import is_address
from lydite.model.cluster import Cluster
from lydite.tasks.coref.comparison import Coreference
from lydite.tasks.coref.settings import CorefSettings


def standing(comparison: Coreference, settings: CorefSettings) -> Iterator[tuple[str, bool]]:
    """A mention is right if both sides have it and its system cluster holds its nearest preceding gold antecedent.

    The first mention of a gold cluster is right if it is the first one of its system cluster too.
    """
    least = 1 if settings.singletons == "keep" else 2
    gold, system = (
        [members for members in map(_in_order, clusters) if len(members) >= least]
        for clusters in (comparison.gold, comparison.system)
    )
    home: dict[Hashable, Sequence[Hashable]] = {}
    for members in system:
        for mention in members:
            home.setdefault(mention, members)
    for members in gold:
        for place, mention in enumerate(members):
            found = home.get(mention, ())
            opens = bool(found) and found[0] == mention
            yield _mention_id(mention), members[place - 1] in found if place else opens


def _in_order(cluster: Cluster) -> list[Hashable]:
    """The members in the order of the text, where they say it; else in that of the file."""
    members = list(dict.fromkeys(cluster.members))
    if all(isinstance(member, tuple) and not is_address(member) for member in members):
        try:
            return sorted(members)  # type: ignore[type-var]
        except TypeError:
            return members
    return members


def _mention_id(mention: Hashable) -> str:
    if isinstance(mention, tuple):
        return (
            "#".join(map(_mention_id, mention))
            if isinstance(mention[0], str)
            else "-".join(map(str, mention))
        )
    return str(mention)
