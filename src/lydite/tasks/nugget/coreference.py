"""Coreference of event nuggets, and After and Subevent links between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from lydite.align.comparison import Comparison
from lydite.errors import Finding, Location, UsageError
from lydite.metrics import METRICS
from lydite.model import Document, Figures
from lydite.pipeline import Measurement
from lydite.profile import Profile
from lydite.results.averages import Average

if TYPE_CHECKING:
    from lydite.align.chains import ChainRule, LinkOrder
    from lydite.model.cluster import ClusterAlignment

COREF = "coref"
COREF_METRICS = ("mentions", "muc", "b-cubed", "ceaf-e", "blanc", "ceaf-m", "kbp")
AVERAGED = ("b-cubed", "ceaf-e", "muc", "blanc")

LINK_SETS = {"subevent": ("Subevent",), "after": ("After",), "sequencing": ("Subevent", "After")}
"""The measurements of sequencing, and the relations that each counts."""

SEQUENCING = "temporal-awareness"
MICRO = Average("micro", empty="zero")


def is_on(profile: Profile, name: str) -> bool:
    """Whether coreference or sequencing is measured."""
    return bool(profile[name] == "on")


def chain_rule(profile: Profile) -> ChainRule | None:
    """How pairs become elements of clusters, if coreference or sequencing is measured."""
    if not (is_on(profile, "coref") or is_on(profile, "sequencing")):
        return None
    from lydite.align.chains import ChainRule

    agree = tuple(name for name in profile["coref-mapping"].split("+") if name != "span")
    return ChainRule(agree, profile["coref-threshold"], not profile["drop-unpaired-gold"])


def measurements(profile: Profile) -> Iterator[Measurement]:
    """What the profile measures beyond detection."""
    if is_on(profile, "coref"):
        for metric in COREF_METRICS:
            of_clusters = METRICS[metric].measure
            measure = partial(_measure, metric=of_clusters, drop=profile["drop-zero-documents"])
            yield Measurement(COREF, metric, measure, (MICRO,), nothing=_of_nothing(of_clusters))
    if is_on(profile, "sequencing"):
        for name, relations in LINK_SETS.items():
            measure_links = partial(_measure_links, relations=relations)
            yield Measurement(name, SEQUENCING, measure_links, (MICRO,), nothing=_of_no_links())


def _measure(comparison: Comparison, *, metric: Callable[[Any], Figures], drop: bool) -> Figures | None:
    clusters = comparison.clusters
    if drop and clusters.once(_is_zero):
        return None
    figures: Figures = clusters.once(metric)
    return figures


def _is_zero(clusters: ClusterAlignment) -> bool:
    """Whether every F1 of the document, cut to two decimals of a percentage, is 0."""
    figures = (clusters.once(METRICS[name].measure).score(empty="zero").f1 for name in AVERAGED)
    return all(int((figure or 0.0) * 10000) == 0 for figure in figures)


def _measure_links(comparison: Comparison, *, relations: tuple[str, ...]) -> Figures:
    from lydite.metrics.sequencing import temporal_awareness

    gold, system = ([link for link in side if link.name in relations] for side in comparison.links)
    return temporal_awareness(gold, system)


def _of_nothing(metric: Callable[[Any], Figures]) -> Figures:
    """The counts of a corpus without documents."""
    from lydite.model.cluster import ClusterAlignment

    return metric(ClusterAlignment.of([], []))


def _of_no_links() -> Figures:
    from lydite.metrics.sequencing import temporal_awareness

    return temporal_awareness((), ())


# ----------------------------------------------------------------------------------------------------- findings


def remark(comparison: Comparison, profile: Profile) -> Iterator[Finding]:
    """Link sets that contradict themselves, and those whose official figure depends on an arbitrary order."""
    if not is_on(profile, "sequencing"):
        return
    from lydite.metrics.sequencing import depends_on_order, reduce_links

    for side, links in zip(("gold", "system"), comparison.links, strict=True):
        document = comparison.gold if side == "gold" else comparison.system
        place = Location(document.path, document.line or None)
        yield from _too_many_members(document)
        if reduce_links(links).points.contradictory:
            message = f"After and Subevent links of {side} cannot all hold in document {document.doc_id!r}"
            hint = "the official figure of contradictory links is not specified"
            yield Finding("contradictory-links", "warning", message, place, document.doc_id, hint=hint)
        elif depends_on_order(links) and not profile["link-order"]:
            message = (
                f"a link of {side} follows from a mixture of After and Subevent links in document "
                f"{document.doc_id!r}; the official figure of both kinds together depends on an arbitrary order"
            )
            hint = "Subevent links are taken first, then After links, each by the positions of their mentions"
            yield Finding("link-order-counts", "warning", message, place, document.doc_id, hint=hint)


def _too_many_members(document: Document) -> Iterator[Finding]:
    for relation in document.relations:
        if relation.name in {"After", "Subevent"} and len(relation.members) > 2:
            message = (
                f"@{relation.name} relates two mentions, found {len(relation.members)}; the first two count"
            )
            place = Location(document.path, relation.line)
            yield Finding("link-too-many-members", "warning", message, place, document.doc_id)


# ---------------------------------------------------------------------------------------------------- link order


def link_order(profile: Profile, doc_id: str) -> LinkOrder | None:
    """The fixed order of a document's links, if the profile names a file with one."""
    if not profile["link-order"] or not is_on(profile, "sequencing"):
        return None
    path = profile["link-order"]
    try:
        with open(path, "rb") as stream:  # noqa: PTH123 - one line
            content = stream.read()
    except OSError as error:
        raise UsageError(f"setting 'link-order': {path}: {error.strerror}") from None
    return _parsed_order(path, content).get(doc_id)


@lru_cache(maxsize=2)
def _parsed_order(path: str, text: bytes) -> Mapping[str, LinkOrder]:
    import json

    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"setting 'link-order': {path}: {error}") from None
    if not isinstance(content, dict) or not all(_is_order(sides) for sides in content.values()):
        hint = 'for instance {"doc1": {"gold": [["After", "E1", "E2"]], "system": []}}'
        raise UsageError(f"setting 'link-order': {path}: expected links by document and side", hint=hint)
    return content


def _is_order(sides: Any) -> bool:
    if not isinstance(sides, dict) or not {"gold", "system"} <= sides.keys():
        return False
    if not isinstance(sides["gold"], list) or not isinstance(sides["system"], list):
        return False
    links: Iterable[Any] = [*sides["gold"], *sides["system"]]
    return all(isinstance(link, list) and len(link) == 3 for link in links)


# ----------------------------------------------------------------------------------------------------- diagnosis


def diagnose(comparison: Comparison) -> dict[str, Any]:
    """The clusters as written, and the running sums behind the official percentages."""
    from lydite.align.chains import has_clusters
    from lydite.metrics.coreference_repeats import running_b_cubed, running_ceaf_e

    sides = {"gold": comparison.gold, "system": comparison.system}
    laid_out: dict[str, Any] = {"chains": {side: _chains(document) for side, document in sides.items()}}
    clusters = comparison.clusters
    for_recall, for_precision = running_b_cubed(clusters.gold, clusters.system)
    laid_out["running"] = {
        "b-cubed": {"gold_credit": for_recall, "system_credit": for_precision},
        "ceaf-e": {"credit": running_ceaf_e(clusters.table)},
    }
    laid_out["has_chains"] = any(map(has_clusters, sides.values()))
    return laid_out


def _chains(document: Document) -> list[list[dict[str, Any]]]:
    texts: dict[str, str] = {}
    for mention in document.mentions:
        texts.setdefault(mention.id, mention.text)
    return [
        [{"id": member, "text": texts.get(member)} for member in relation.members]
        for relation in document.relations
        if relation.name == "Coreference"
    ]
