"""Each law runs over every registered metric that claims it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite.metrics import METRICS
from lydite.metrics.base import Law, MetricDeclaration
from lydite.model import Alignment, Corpus, Document, Figures, Pair
from lydite.pipeline.running import run
from lydite.pipeline.task import TOTALS, KeptResults
from lydite.profile import AnyProfile, load_profile, profile_names
from lydite.tasks import TASKS
from strategies import alignments, corpora, documents

MENTION_METRICS = [metric for metric in METRICS.values() if metric.domain == "mentions"]
NUGGET = TASKS["nugget"]


def claiming(law: Law) -> list[MetricDeclaration]:
    return [metric for metric in MENTION_METRICS if law in metric.laws]


def figures(value: Figures) -> list[float]:
    return [float(number) for number in value.as_dict().values()]


@pytest.mark.parametrize("metric", METRICS.values(), ids=lambda metric: metric.name)
def test_a_metric_gives_one_reason_for_each_law_that_it_disclaims(metric: MetricDeclaration) -> None:
    assert len(dict(metric.exceptions)) == len(metric.exceptions)
    assert all(reason for _, reason in metric.exceptions)
    assert metric.laws == frozenset(Law) - dict(metric.exceptions).keys()


@pytest.mark.parametrize("metric", claiming(Law.SELF), ids=lambda metric: metric.name)
@given(st.integers(1, 6))
def test_a_system_equal_to_gold_scores_one(metric: MetricDeclaration, size: int) -> None:
    alignment = Alignment(range(size), range(size), tuple(Pair(place, place, 1.0) for place in range(size)))
    score = metric.measure(alignment).score()
    assert score.f1 == 1 or score.value == 1


@pytest.mark.parametrize("metric", claiming(Law.SWAP), ids=lambda metric: metric.name)
@given(alignment=alignments())
def test_exchanging_the_sides_exchanges_precision_and_recall(
    metric: MetricDeclaration, alignment: Alignment
) -> None:
    pairs = tuple(Pair(pair.system, pair.gold, pair.similarity) for pair in alignment.pairs)
    exchanged = metric.measure(Alignment(alignment.system, alignment.gold, pairs)).score(empty="zero")
    precision, recall, f1, value = metric.measure(alignment).score(empty="zero")
    assert exchanged == pytest.approx((recall, precision, f1, value))


@pytest.mark.parametrize("metric", claiming(Law.ADD), ids=lambda metric: metric.name)
@given(first=alignments(), second=alignments())
def test_the_tally_of_two_documents_is_the_sum_of_their_tallies(
    metric: MetricDeclaration, first: Alignment, second: Alignment
) -> None:
    gold, system = len(first.gold), len(first.system)
    moved = tuple(Pair(pair.gold + gold, pair.system + system, pair.similarity) for pair in second.pairs)
    together = Alignment(
        range(gold + len(second.gold)), range(system + len(second.system)), first.pairs + moved
    )
    assert figures(metric.measure(together)) == pytest.approx(
        figures(metric.measure(first) + metric.measure(second))
    )


@pytest.mark.parametrize("metric", claiming(Law.SPURIOUS), ids=lambda metric: metric.name)
@given(alignment=alignments())
def test_a_spurious_mention_never_raises_precision(metric: MetricDeclaration, alignment: Alignment) -> None:
    more = Alignment(alignment.gold, (*alignment.system, "spurious"), alignment.pairs)
    before, after = metric.measure(alignment).score().precision, metric.measure(more).score().precision
    assert after is not None
    assert before is None or after <= before


@pytest.mark.parametrize("metric", claiming(Law.BOUNDS), ids=lambda metric: metric.name)
@given(alignment=alignments())
def test_scores_lie_between_zero_and_one(metric: MetricDeclaration, alignment: Alignment) -> None:
    for figure in metric.measure(alignment).score():
        assert figure is None or 0 <= figure <= 1 + 1e-12


# ------------------------------------------------------------------------------------- the whole path, per profile

PROFILES = [
    load_profile("nugget", name, NUGGET.settings).replace(
        # The programs of the pilot study would stop at the relations of these corpora.
        {"unit": "char", "reading": "as-official", "relation-lines": True}
    )
    for name in profile_names("nugget")
]


def totals(
    profile: AnyProfile, gold: Corpus, system: Corpus
) -> dict[tuple[str, str, str | None], tuple[float, ...]]:
    summary = run(NUGGET, gold, [replace(system, name="s")], profile, detail=TOTALS)
    return {
        (row.measurement, row.metric, row.average): tuple(float(number) for number in row.tally.values())
        for row in summary.rows
    }


def renamed(corpus: Corpus) -> Corpus:
    def rename(document: Document) -> Document:
        mentions = tuple(mention._replace(id=f"new-{mention.id}") for mention in document.mentions)
        relations = tuple(
            item._replace(members=tuple(f"new-{member}" for member in item.members))
            for item in document.relations
        )
        return document._replace(mentions=mentions, relations=relations)

    return replace(corpus, documents={doc_id: rename(item) for doc_id, item in corpus.documents.items()})


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
@given(corpora(), corpora())
def test_renaming_ids_changes_nothing(profile: AnyProfile, gold: Corpus, system: Corpus) -> None:
    assert totals(profile, gold, system) == totals(profile, renamed(gold), renamed(system))


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
@given(corpora(), corpora())
def test_the_order_of_documents_changes_nothing(profile: AnyProfile, gold: Corpus, system: Corpus) -> None:
    def backwards(corpus: Corpus) -> Corpus:
        return replace(corpus, documents=dict(reversed(list(corpus.documents.items()))))

    assert totals(profile, gold, system) == totals(profile, backwards(gold), backwards(system))


@pytest.mark.parametrize(
    "profile",
    [item for item in PROFILES if item.settings.pairing == "sets"],
    ids=lambda profile: profile.name,
)
@given(corpora(), corpora(), st.randoms(use_true_random=False))
def test_shuffling_lines_changes_nothing_where_ties_have_no_say(
    profile: AnyProfile, gold: Corpus, system: Corpus, chance: object
) -> None:
    def shuffled(corpus: Corpus) -> Corpus:
        def shuffle(document: Document) -> Document:
            mentions = list(document.mentions)
            chance.shuffle(mentions)  # type: ignore[attr-defined]
            return document._replace(mentions=tuple(mentions))

        return replace(corpus, documents={doc_id: shuffle(item) for doc_id, item in corpus.documents.items()})

    before, after = totals(profile, gold, system), totals(profile, shuffled(gold), shuffled(system))
    for key, counts in before.items():
        assert counts == pytest.approx(after[key])


OPTIMAL = load_profile("nugget", "modern", NUGGET.settings).replace({"unit": "char"})


@given(corpora(), corpora())
def test_agreeing_on_more_attributes_never_raises_true_positives_under_optimal_pairing(
    gold: Corpus, system: Corpus
) -> None:
    found = totals(OPTIMAL, gold, system)

    def credit(name: str) -> float:
        return found[name, "detection", "micro"][0]

    for fewer, more in (
        ("span", "type"),
        ("span", "realis"),
        ("type", "type+realis"),
        ("realis", "type+realis"),
    ):
        assert credit(more) <= credit(fewer) + 1e-9


@given(corpora())
def test_gold_against_itself_scores_one_under_optimal_pairing(gold: Corpus) -> None:
    summary = run(NUGGET, gold, [replace(gold, name="s")], OPTIMAL, detail=TOTALS)
    for row in summary.rows:
        # A type that is NOT_ANNOTATED matches anything, so only spans and realis can be asked for.
        if row.measurement in {"span", "realis"}:
            assert row.score.f1 is None or row.score.f1 == pytest.approx(1)


@given(documents("d1"), documents("d1"), documents("d2"), documents("d2"))
def test_the_corpus_is_the_sum_of_its_documents(a: Document, b: Document, c: Document, d: Document) -> None:
    def corpus(*read: Document) -> Corpus:
        return Corpus("s", {item.doc_id: item for item in read}, facts={"unit": "char"})

    whole = totals(OPTIMAL, corpus(a, c), corpus(b, d))
    left, right = totals(OPTIMAL, corpus(a), corpus(b)), totals(OPTIMAL, corpus(c), corpus(d))
    for key in whole:
        if key[2] == "micro":
            assert whole[key] == pytest.approx([x + y for x, y in zip(left[key], right[key], strict=True)])


@given(corpora(), corpora())
def test_keeping_more_of_the_outcome_changes_no_total(gold: Corpus, system: Corpus) -> None:
    profile = PROFILES[0]
    lean = run(NUGGET, gold, [replace(system, name="s")], profile, detail=TOTALS)
    full = run(
        NUGGET,
        gold,
        [replace(system, name="s")],
        profile,
        detail=KeptResults(by=("doc", "type"), diagnosis=True),
    )
    assert full.corpus_rows() == lean.corpus_rows()
    assert full.signature == lean.signature
