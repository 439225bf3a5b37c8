from __future__ import annotations

import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from argument_cases import documents, gold_documents
from lydite.align.arguments import Rules, align_arguments, answers_of, prepare_gold, prepare_system
from lydite.assess.merging import import_arguments, merge_documents
from lydite.assess.pooling import collapse
from lydite.checks import arguments as checks
from lydite.formats.eal import parse_file
from lydite.metrics.assessed import MEASURES, tally_of
from lydite.model import Document
from lydite.model.argument_lines import LAYER

RULES = st.sampled_from(
    [
        Rules(),
        Rules(cluster_ids="all", non_dates="stand"),
        Rules(
            cluster_ids="all",
            non_dates="wrong",
            coarse_dates="both",
            ban_dates_after_deaths=True,
            rewritten_judgement_counts=True,
        ),
        Rules(additional_justification_identifies=False, coarse_dates="keep", non_dates="stand"),
        Rules(expand_realis=True),
    ]
)


def tallies(gold: Any, system: Any, rules: Rules) -> Any:
    side = prepare_gold(gold, rules)
    alignment = align_arguments(side, prepare_system(answers_of(system, rules), side))
    return {name: tally_of(measure, alignment.cases) for name, measure in MEASURES.items()}


@given(documents(), RULES)
def test_strict_finds_no_more_than_standard_and_standard_no_more_than_lax(
    document: Any, rules: Rules
) -> None:
    found = tallies(*document, rules)
    assert found["strict"].gold_credit <= found["standard"].gold_credit <= found["lax"].gold_credit


@given(documents(), RULES, st.randoms())
def test_scores_do_not_depend_on_the_order_of_system_lines(
    document: Any, rules: Rules, shuffled: random.Random
) -> None:
    gold, system = document
    again = list(system)
    shuffled.shuffle(again)
    assert tallies(gold, again, rules) == tallies(gold, system, rules)


@given(documents(), st.randoms())
def test_scores_do_not_depend_on_the_order_of_gold_lines(document: Any, shuffled: random.Random) -> None:
    gold, system = document
    again = list(gold)
    shuffled.shuffle(again)
    assert tallies(again, system, Rules()) == tallies(gold, system, Rules())


@given(documents(), RULES)
def test_every_system_cluster_is_a_true_or_a_false_positive(document: Any, rules: Rules) -> None:
    found = tallies(*document, rules)
    assert found["standard"].system_total == found["strict"].system_total == found["lax"].system_total


@given(documents())
def test_collapsing_twice_changes_nothing(document: Any) -> None:
    answers = answers_of(document[1], Rules())
    once, _ = collapse(answers, keep_inference=False)
    assert collapse(once, keep_inference=False) == (once, {})


@given(gold_documents(), documents())
def test_importing_twice_changes_nothing(gold: Any, document: Any) -> None:
    pooled = answers_of(document[1], Rules())
    once, _ = import_arguments(gold, pooled)
    again, added = import_arguments(once, pooled)
    assert added == 0
    assert sorted(again, key=repr) == sorted(once, key=repr)


@given(gold_documents())
def test_merging_a_store_with_itself_changes_nothing(gold: Any) -> None:
    merged = {(row.argument, row.assessment, row.cluster) for row in merge_documents(gold, gold)}
    assert merged == {(row.argument, row.assessment, row.cluster) for row in gold}


@given(gold_documents(), gold_documents())
def test_judgements_of_the_baseline_survive_a_merge(baseline: Any, addition: Any) -> None:
    merged = {row.argument: row.assessment for row in merge_documents(baseline, addition)}
    assert all(merged[row.argument] == row.assessment for row in baseline if row.assessment)


@given(
    st.binary(max_size=300) | st.text(alphabet="1D-\t\n\r,CWINLactul.#\ufeff", max_size=300).map(str.encode)
)
def test_any_bytes_give_lines_and_findings(data: bytes) -> None:
    document = Document("D", layers={LAYER: parse_file("D", data)})
    for side in ("gold", "system"):
        for finding in checks.reader_findings(document, side):
            assert finding.message
    list(checks.consistency_findings(document, ()))
    list(checks.date_findings(document))
    list(checks.shape_findings(document, mention=200, justification=1000, spans=10))
