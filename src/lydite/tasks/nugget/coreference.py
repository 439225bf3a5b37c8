"""Coreference of event nuggets, and After and Subevent links between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from lydite.align.comparison import MentionComparison
from lydite.align.similarity import MANY
from lydite.errors import Finding, UsageError
from lydite.formats.json_values import NotJSONError, json_value
from lydite.memory import kept_for_a_run
from lydite.metrics import MEANS, METRICS
from lydite.model import Document, Figures
from lydite.model.mention import AFTER, COREFERENCE, SUBEVENT
from lydite.pipeline.task import Measurement
from lydite.results.averages import Average
from lydite.tasks.nugget.settings import NuggetSettings

if TYPE_CHECKING:
    from lydite.align.chains import ChainRule
    from lydite.align.links import LinkOrder, LinkRule
    from lydite.metrics.sequencing import Awareness, Closure
    from lydite.model.cluster import ClusterAlignment

COREF = "coref"
COREF_METRICS = ("mentions", "muc", "b-cubed", "ceaf-e", "blanc", "ceaf-m", "kbp")

LINK_SETS = {"subevent": (SUBEVENT,), "after": (AFTER,), "sequencing": (SUBEVENT, AFTER)}
"""The measurements of sequencing, and the relations that each counts."""

SEQUENCING = "temporal-awareness"
MICRO = Average("micro", empty="zero")


def chain_rule(settings: NuggetSettings) -> ChainRule | None:
    """How pairs become elements of clusters, if coreference or sequencing is measured."""
    if not (settings.measures_coreference or settings.measures_sequencing):
        return None
    from lydite.align.chains import ChainRule

    agree = tuple(name for name in settings.coref_mapping.split("+") if name != "span")
    return ChainRule(agree, settings.coref_threshold, not settings.drop_unpaired_gold)


def link_rule(settings: NuggetSettings) -> LinkRule | None:
    """How odd ids and the order of links are treated, if sequencing is measured."""
    if not settings.measures_sequencing:
        return None
    from lydite.align.links import LinkRule

    return LinkRule(
        in_set_order=settings.hash_link_order,
        last_copy=settings.last_copy_takes_links,
        unknown_ends=settings.unknown_id_stands_for_chain,
    )


def measurements(settings: NuggetSettings) -> Iterator[Measurement[MentionComparison]]:
    """The measurements of coreference and sequencing that the profile asks for."""
    if settings.measures_coreference:
        from lydite.model.cluster import ClusterAlignment

        for metric in COREF_METRICS:
            of_clusters = METRICS[metric].measure
            measure = partial(_measure_clusters, metric=of_clusters, drop=settings.drop_zero_documents)
            nothing = of_clusters(ClusterAlignment.of([], []))
            # Where no document was compared there is no coreference figure, rather than zeros.
            yield Measurement(COREF, metric, measure, (MICRO,), empty_counts=nothing, needs_documents=True)
    if settings.measures_sequencing:
        from lydite.metrics.sequencing import awareness

        for name, relations in LINK_SETS.items():
            measure_links = partial(
                _measure_links, relations=relations, by_chains=settings.time_chain_closure
            )
            nothing = awareness((), ()).tally
            yield Measurement(name, SEQUENCING, measure_links, (MICRO,), empty_counts=nothing)


def _measure_clusters(
    comparison: MentionComparison, *, metric: Callable[[object], Figures], drop: bool
) -> Figures | None:
    clusters = _measured_clusters(comparison)
    if drop and clusters.once(_is_zero):
        return None
    figures: Figures = clusters.once(metric)
    return figures


def _measured_clusters(comparison: MentionComparison) -> ClusterAlignment:
    """The clusters of both sides; of very many mentions only the overlap table, as arrays."""
    if len(comparison.gold.mentions) < MANY:
        return comparison.clusters
    from lydite.metrics.label_counts import count_labels
    from lydite.model.cluster import ClusterAlignment

    if COREF not in comparison.memo:
        comparison.memo[COREF] = ClusterAlignment(counts=count_labels(*comparison.element_labels))
    clusters: ClusterAlignment = comparison.memo[COREF]
    return clusters


def is_left_out(comparison: MentionComparison, settings: NuggetSettings) -> bool:
    """Whether the document takes no part in coreference because its average is 0."""
    return settings.drop_zero_documents and bool(_measured_clusters(comparison).once(_is_zero))


def _is_zero(clusters: ClusterAlignment) -> bool:
    """Whether every F1 of the document, cut to two decimals of a percentage, is 0."""
    figures = (clusters.once(METRICS[name].measure).score(empty="zero").f1 for name in MEANS["kbp"])
    return all(int((figure or 0.0) * 10000) == 0 for figure in figures)


def _measure_links(comparison: MentionComparison, *, relations: tuple[str, ...], by_chains: bool) -> Figures:
    return awareness_of(comparison, relations, by_chains=by_chains).tally


def awareness_of(comparison: MentionComparison, relations: tuple[str, ...], *, by_chains: bool) -> Awareness:
    """The links of these relations that each side entails of the other's; worked out once."""
    from lydite.metrics.sequencing import awareness

    found: Awareness | None = comparison.memo.get(relations)
    if found is None:
        gold, system = ([link for link in side.links if link[0] in relations] for side in comparison.links)
        found = comparison.memo[relations] = awareness(gold, system, closure_of(by_chains=by_chains))
    return found


def closure_of(*, by_chains: bool) -> Closure:
    """How links follow from others: by logic, or by the time chains of the official program."""
    if by_chains:
        from lydite.metrics.time_chains import TimeChains

        return TimeChains
    from lydite.metrics.sequencing import Points

    return Points


# ----------------------------------------------------------------------------------------------------- findings


def check_relations(comparison: MentionComparison, settings: NuggetSettings) -> Iterator[Finding]:
    """Findings on links that contradict each other, and on links whose order decides the figure."""
    if not settings.measures_sequencing:
        return
    from lydite.metrics.sequencing import Points, depends_on_order

    for side, found, document in (
        ("gold", comparison.links.gold, comparison.gold),
        ("system", comparison.links.system, comparison.system),
    ):
        points = Points()
        if not points.take_all(found.links):
            message = f"After and Subevent links of {side} cannot all hold in document {document.doc_id!r}"
            hint = (
                "a link that contradicts earlier ones implies nothing, but counts among the links of its side"
            )
            yield document.finding("contradictory-links", "warning", message, hint=hint)
            if side == "gold":
                yield from _divisions_by_zero(comparison, settings)
        elif not settings.link_order and depends_on_order(found.links, points):
            message = (
                f"a link of {side} follows from a mixture of After and Subevent links in document "
                f"{document.doc_id!r}; the figure of both kinds together depends on the order of links"
            )
            how = "a hash of their ids" if settings.hash_link_order else "the positions of their mentions"
            hint = f"Subevent links are taken first, then After links, each in the order of {how}"
            yield document.finding("link-order-counts", "warning", message, hint=hint)


def _divisions_by_zero(comparison: MentionComparison, settings: NuggetSettings) -> Iterator[Finding]:
    """Findings where the official program divides by zero, which only happens if gold contradicts itself."""
    document = comparison.gold
    for name, relations in LINK_SETS.items():
        if not awareness_of(comparison, relations, by_chains=settings.time_chain_closure).room:
            message = f"{name}: the official program divides by zero in document {document.doc_id!r}"
            hint = "links of gold that contradict each other were all found; an implicit link earns 0.99 here"
            yield document.finding("link-weight-undefined", "warning", message, hint=hint)


# ---------------------------------------------------------------------------------------------------- link order


def link_order(settings: NuggetSettings, doc_id: str) -> LinkOrder | None:
    """The fixed order of a document's links, if the profile names a file with one."""
    if not settings.link_order or not settings.measures_sequencing:
        return None
    return _read_order(settings.link_order).get(doc_id)


@kept_for_a_run(2)
def _read_order(path: str) -> Mapping[str, LinkOrder]:
    try:
        with open(path, "rb") as stream:  # noqa: PTH123 - one line
            content = json_value(stream.read())
    except (OSError, NotJSONError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"setting 'link-order': {path}: {reason}") from None
    if not isinstance(content, dict) or not all(_is_link_order(sides) for sides in content.values()):
        hint = 'for instance {"doc1": {"gold": [["After", "E1", "E2"]], "system": []}}'
        raise UsageError(f"setting 'link-order': {path}: expected links by document and side", hint=hint)
    return content


def _is_link_order(sides: object) -> bool:
    """Whether both sides have lists of links: the relation and its two ends."""
    orders = [sides.get(side) for side in ("gold", "system")] if isinstance(sides, dict) else [None]
    if not all(isinstance(order, list) for order in orders):
        return False
    links = [link for order in orders if order for link in order]
    return all(
        isinstance(link, list) and len(link) == 3 and all(isinstance(word, str) for word in link)
        for link in links
    )


# ----------------------------------------------------------------------------------------------------- diagnosis


def diagnose(comparison: MentionComparison) -> dict[str, object]:
    """The clusters and links as written, and the running sums behind the official percentages."""
    from lydite.align.chains import has_clusters
    from lydite.tasks.coref.diagnosis import running_sums

    sides = {"gold": comparison.gold, "system": comparison.system}
    diagnosis: dict[str, object] = {"chains": {side: _written_clusters(one) for side, one in sides.items()}}
    running = diagnosis["running"] = running_sums(comparison.clusters)
    diagnosis["has_chains"] = any(map(has_clusters, sides.values()))
    if comparison.has_links:
        links = comparison.links
        diagnosis["links"] = {
            side: [list(link) for link in found.written]
            for side, found in (("gold", links.gold), ("system", links.system))
        }
        for name, relations in LINK_SETS.items():
            if relations in comparison.memo:
                running[name] = {"gold_credit": comparison.memo[relations].running}
    return diagnosis


def _written_clusters(document: Document) -> list[list[dict[str, object]]]:
    # Of several mentions with one id the official program shows the last.
    texts = {mention.id: mention.text for mention in document.mentions}
    return [
        [{"id": member, "text": texts.get(member)} for member in relation.members]
        for relation in document.relations
        if relation.name == COREFERENCE
    ]
