"""lydite.coref: lists of sets, arrays, and the old NewsReader functions."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lydite
from lydite.coref import newsreader
from lydite.errors import UsageError

GOLD = [{"a", "b", "c"}, {"d", "e"}]
SYSTEM = [{"a", "b"}, {"c", "d", "e"}]


def test_the_module_is_a_public_name() -> None:
    assert lydite.coref.b_cubed([{1, 2, 3}], [{1, 2}, {3}]).recall == pytest.approx(5 / 9)


def test_every_function_gives_the_score_of_its_metric() -> None:
    assert lydite.coref.muc(GOLD, SYSTEM).f1 == pytest.approx(2 / 3)
    assert lydite.coref.ceaf_m(GOLD, SYSTEM).f1 == pytest.approx(4 / 5)
    assert lydite.coref.ceaf_e(GOLD, SYSTEM).f1 == pytest.approx(4 / 5)
    assert lydite.coref.lea(GOLD, SYSTEM).precision == pytest.approx((2 + 3 / 3) / 5)
    assert lydite.coref.blanc(GOLD, SYSTEM).recall == pytest.approx((2 / 4 + 4 / 6) / 2)
    assert lydite.coref.pairwise(GOLD, SYSTEM).f1 == pytest.approx(1 / 2)
    assert lydite.coref.rand(GOLD, SYSTEM).value == pytest.approx(6 / 10)
    f1s = [
        metric(GOLD, SYSTEM).f1 for metric in (lydite.coref.muc, lydite.coref.b_cubed, lydite.coref.ceaf_e)
    ]
    assert lydite.coref.conll(GOLD, SYSTEM).f1 == pytest.approx(sum(f1s) / 3)  # type: ignore[arg-type]


def test_a_mention_in_two_clusters_of_a_side_is_refused_unless_a_setting_says_what_it_means() -> None:
    with pytest.raises(UsageError, match="in two gold clusters"):
        lydite.coref.muc([{1, 2}, {2, 3}], [{1, 2, 3}])
    assert lydite.coref.score("muc", [{1, 2}, {2, 3}], [{1, 2, 3}], repeats="merge").f1 == 1


def test_the_original_blanc_refuses_other_mentions_unless_sides_are_completed() -> None:
    fewer = [{"a", "b"}, {"c", "d"}]
    for refused in (
        lambda: lydite.coref.blanc_original(GOLD, fewer),
        lambda: lydite.coref.score("blanc-original", fewer, GOLD),
    ):
        with pytest.raises(UsageError, match="same mentions"):
            refused()
    completed = lydite.coref.blanc_original(GOLD, fewer, complete=True)
    assert completed == lydite.coref.blanc_original(GOLD, [*fewer, {"e"}])


def test_a_metric_that_measures_no_clusters_is_refused() -> None:
    with pytest.raises(UsageError):
        lydite.coref.score("detection", GOLD, SYSTEM)


@settings(deadline=None)
@given(
    rows=st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 5), st.integers(-1, 5)), max_size=30).map(
        sorted
    )
)
def test_arrays_give_the_scores_of_the_sets_that_they_mean(rows: list[tuple[int, int, int]]) -> None:
    documents, gold, system = (np.array([row[place] for row in rows], dtype=np.int64) for place in range(3))
    scores = lydite.coref.score_arrays(gold, system)

    def sets(labels: np.ndarray) -> list[set[int]]:
        return [set(np.flatnonzero(labels == label).tolist()) for label in np.unique(labels) if label >= 0]

    for name in ("muc", "b-cubed", "ceaf-m", "ceaf-e", "blanc", "lea", "conll", "kbp"):
        assert scores[name] == lydite.coref.score(name, sets(gold), sets(system)), name
    whole = lydite.coref.score_arrays(gold, system, documents)
    again = lydite.coref.score_arrays(
        gold + 6 * documents * (gold >= 0), system + 6 * documents * (system >= 0), documents
    )
    assert whole == again


def test_large_labels_of_different_documents_stay_apart() -> None:
    documents = [0, 1, 2, 3, 4]
    large = [4, 2**62, 1, 1, 0]  # 4·(2⁶²+1) + 0 and 0·(2⁶²+1) + 4 are the same in 64 bits
    scores = lydite.coref.score_arrays(large, [0, 0, 0, 0, 0], documents)
    assert scores["b-cubed"].f1 == scores["ceaf-e"].f1 == 1
    with pytest.raises(UsageError, match="63 bits"):
        lydite.coref.score_arrays(np.array([2**63], dtype=np.uint64), [0])


def test_labels_of_different_lengths_and_kinds_are_refused() -> None:
    with pytest.raises(UsageError, match="one entry per mention"):
        lydite.coref.score_arrays([0, 1], [0])
    with pytest.raises(UsageError, match="whole numbers"):
        lydite.coref.score_arrays([0.5], [0])
    with pytest.raises(UsageError, match="no array metric"):
        lydite.coref.score_arrays([0], [0], metrics=["detection"])


def test_sets_are_scored_without_numpy_and_scipy() -> None:
    program = (
        "import sys, lydite\n"
        "lydite.coref.kbp([{1, 2, 3}, {4, 5}], [{1, 2}, {3, 4, 5}])\n"
        "assert not {'numpy', 'scipy', 'lxml'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


# -------------------------------------------------------------------------------------------------- NewsReader

KEY = [["a"], ["b", "c"], ["d", "e", "f"], ["g", "h"]]
RESPONSE = [["a"], ["b", "c", "x"], ["d", "e", "y"], ["z"], ["w"]]


def test_chains_that_share_a_mention_are_one_class() -> None:
    chains = [["w1"], ["w1", "w2"], ["w4"], ["w2", "w3"]]
    assert newsreader.generate_equivalence_classes(chains) == [["w1", "w2", "w3"], ["w4"]]


def test_relative_partitions_cut_each_class_by_the_other_side() -> None:
    rel_response, rel_key = newsreader.generate_rel_partition(KEY, RESPONSE)
    assert rel_key[2] == [["d", "e"], ["f"]]
    assert rel_key[3] == [["g"], ["h"]]
    assert rel_response[1] == [["b", "c"], ["x"]]


def test_the_five_calculations_agree_with_the_metrics() -> None:
    rel_response, rel_key = newsreader.generate_rel_partition(KEY, RESPONSE)
    muc = lydite.coref.muc(KEY, RESPONSE)
    assert newsreader.calculate_MUC(KEY, rel_key) == muc.recall
    assert newsreader.calculate_MUC(RESPONSE, rel_response) == muc.precision
    b_cubed = lydite.coref.b_cubed(KEY, RESPONSE)
    assert newsreader.calculate_B3(KEY, RESPONSE, rel_response, rel_key) == (
        b_cubed.precision,
        b_cubed.recall,
    )
    mentions, entities = lydite.coref.ceaf_m(KEY, RESPONSE), lydite.coref.ceaf_e(KEY, RESPONSE)
    assert newsreader.calculate_CEAF(KEY, RESPONSE) == (*mentions[:3], *entities[:3])
    assert newsreader.calculate_BLANC(KEY, RESPONSE) == lydite.coref.blanc(KEY, RESPONSE)[:3]
    assert newsreader.calculate_MELA(0.3, 0.6, 0.9) == pytest.approx(0.6)


def test_ceafe_can_be_summed_over_the_alignment_of_ceafm() -> None:
    key, response = [[1, 2, 3, 4, 5, 6], [7]], [[1, 2, 3, 7], [4, 5]]
    own, other = (newsreader.calculate_CEAF(key, response, alignment=name)[3] for name in ("phi4", "phi3"))
    assert other <= own
    with pytest.raises(UsageError):
        newsreader.calculate_CEAF(key, response, alignment="phi5")


def test_f_beta_weighs_recall() -> None:
    score = lydite.coref.b_cubed([{1, 2, 3}], [{1, 2}, {3}])
    assert score.f_beta(1) == pytest.approx(score.f1)
    assert score.f_beta(0) == score.precision == 1
    assert score.f_beta(2) == pytest.approx(5 * (5 / 9) / (4 + 5 / 9))
    assert lydite.coref.b_cubed([{1}], [{2}]).f_beta(2) == 0
    assert lydite.coref.conll([{1}], [{1}]).f_beta(2) is None


def test_the_sets_of_a_file_are_lists_of_mentions_for_the_old_functions(tmp_path: Path) -> None:
    path = tmp_path / "key.xml"
    path.write_text(
        """<coreferences><coref cid="1"><target id="1/a#t1"/><target id="1/a#t2" head="no"/><target id="1/b#t3"/></coref>
        <coref cid="2"><target id="1/b#t3"/><span><target id="1/c#t4"/><target id="1/c#t5"/></span></coref></coreferences>""",
        encoding="utf-8",
    )
    corefs = newsreader.My_Corefs(path)
    assert corefs == [["1/a#t1", "1/b#t3"], ["1/b#t3", ("1/c#t4", "1/c#t5")]]
    assert newsreader.generate_equivalence_classes(corefs) == [["1/a#t1", "1/b#t3", ("1/c#t4", "1/c#t5")]]
