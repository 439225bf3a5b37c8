from __future__ import annotations

import gc
import json
import pickle
import random
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lydite
from lydite.errors import NoCommonDocument
from lydite.integrations.evaluate import load
from plain_worlds import TASKS, figures, worlds

EVERYTHING = ("doc", "*")


def metric(task: str, **more: Any) -> tuple[lydite.Metric, dict[str, Any], dict[str, Any]]:
    gold, system, settings = worlds()[task]
    return lydite.Metric(task, by=EVERYTHING, **settings, **more), dict(gold), dict(system)


def fed(task: str, doc_ids: list[str]) -> lydite.Metric:
    one, gold, system = metric(task)
    one.update([gold[name] for name in doc_ids], [system[name] for name in doc_ids], doc_ids)
    return one


def run(task: str) -> lydite.Summary:
    gold, system, settings = worlds()[task]
    return lydite.score(gold, system, task=task, **settings)


@pytest.mark.parametrize("task", TASKS)
def test_any_split_and_order_gives_the_rows_and_the_signature_of_one_run(task: str) -> None:
    one, gold, system = metric(task)
    order = list(gold)
    random.Random(4).shuffle(order)
    for name in order:
        one.update([gold[name]], [system[name]], [name])
    assert figures(one.compute()) == figures(run(task))
    assert one.compute().signature == run(task).signature
    assert one.value == run(task).headline_score()


@pytest.mark.parametrize("task", TASKS)
def test_a_merge_of_ranks_through_json_and_pickle_gives_one_run(task: str) -> None:
    doc_ids = list(worlds()[task][0])
    first, second = fed(task, doc_ids[:1]), fed(task, doc_ids)
    second = lydite.Metric.from_state(json.loads(json.dumps(second.state())))
    both = pickle.loads(pickle.dumps(first)) + second  # noqa: S301 - our own bytes
    assert figures(both.compute()) == figures(run(task))
    assert len(first) == 1


@pytest.mark.parametrize("task", TASKS)
def test_gold_against_itself_is_perfect(task: str) -> None:
    one, gold, _ = metric(task)
    one.update(gold.values(), gold.values(), gold)
    assert one.value == 1


@pytest.mark.parametrize("task", TASKS)
def test_errors_are_the_verdicts_of_one_explanation_whatever_the_split(task: str) -> None:
    gold, system, settings = worlds()[task]
    parts = []
    for name in gold:
        part = lydite.Metric(task, keep_documents=True, **settings)
        part.update([gold[name]], [system[name]], [name])
        parts.append(lydite.Metric.from_state(json.loads(json.dumps(part.state()))))
    first, *others = parts
    for other in others:
        first.merge(other)
    whole = lydite.explain(gold, system, task=task, **settings)
    assert [one._replace(line=0) for one in first.errors()] == [
        one._replace(line=0) for one in whole.verdicts
    ]


def test_errors_need_the_documents_and_tell_those_that_never_came() -> None:
    one = lydite.Metric("spans", expect={"a": ["B-PER"], "b": ["B-LOC"]}, keep_documents=True)
    with pytest.raises(lydite.UsageError, match="there are no documents yet"):
        lydite.Metric("spans", keep_documents=True).errors()
    one.update(system=[["B-ORG"]], ids=["a"])
    assert [(verdict.document, verdict.cause) for verdict in one.errors()] == [
        ("a", "wrong-type"),
        ("a", "wrong-type"),
        ("b", "missed"),
    ]
    with pytest.raises(lydite.UsageError, match="not kept"):
        fed("nugget", ["d1"]).errors()


def test_a_document_that_comes_again_with_the_same_content_counts_once() -> None:
    one = lydite.Metric("coref")
    one.update([[[1, 2]]], [[[1, 2]]], ["a"])
    one.update([[[2, 1]], [[1, 3], [4]]], [[[2, 1]], [[1]]], ["a", "b"])
    one.update([[[2, 1]], [[2, 1]]], [[[2, 1]], [[1, 2]]], ["a", "a"])
    assert len(one) == 2


def test_a_document_that_comes_again_with_other_content_is_refused_and_nothing_is_taken() -> None:
    one = lydite.Metric("coref")
    one.update([[[1, 2]]], [[[1, 2]]], ["a"])
    with pytest.raises(lydite.InvalidInput, match="document 'a' came twice with different content"):
        one.update([[[1, 2]], [[3]]], [[[1], [2]], [[3]]], ["a", "b"])
    with pytest.raises(lydite.InvalidInput, match="document 'c' came twice"):
        one.update([[[1]], [[2]]], [[[1]], [[1]]], ["c", "c"])
    other = lydite.Metric("coref")
    other.update([[[1, 9]]], [[[1, 2]]], ["a"])
    with pytest.raises(lydite.InvalidInput, match="document 'a' came twice"):
        one.merge(other)
    assert len(one) == 1


def test_documents_without_ids_are_never_identified_with_others() -> None:
    one, other = lydite.Metric("coref"), lydite.Metric("coref")
    for each in (one, one, other):
        each.update([[[1, 2]]], [[[1, 2]]])
    one.merge(other)
    assert len(one) == 3
    assert one.compute()["coref"]["muc"].f1 == 1


def test_gold_that_is_expected_and_never_comes_counts_as_missed() -> None:
    expected = {"a": [[1, 2]], "b": [[3, 4, 5]]}
    one = lydite.Metric("coref", expect=expected)
    one.update(system=[[[1, 2]]], ids=["a"])
    summary = one.compute()
    assert summary["coref"]["muc"].recall == 1 / 3
    assert [finding.code for finding in summary.findings][-1:] == ["expected-document-missing"]
    one.update(system=[[[3, 4, 5]]], ids=["b"])
    assert one.value == 1
    with pytest.raises(lydite.UsageError, match="no gold for document 'c'"):
        one.update(system=[[]], ids=["c"])


def test_relations_that_only_later_documents_have_are_measured() -> None:
    one = lydite.Metric("nugget")
    one.update([[(0, 3, "A")]], [[(0, 3, "A")]], ["a"])
    assert "coref" not in one.compute().measurements
    linked = {"mentions": [(0, 3, "A"), (5, 8, "A")], "clusters": [["E1", "E2"]]}
    one.update([linked], [linked], ["b"])
    whole = {"a": [(0, 3, "A")], "b": linked}
    assert figures(one.compute()) == figures(lydite.score(whole, whole, task="nugget", by=()))


def test_other_settings_do_not_add_up() -> None:
    with pytest.raises(lydite.UsageError, match="do not add up: repeats differ"):
        lydite.Metric("coref", repeats="first").merge(lydite.Metric("coref"))
    with pytest.raises(lydite.UsageError, match="do not add up: task differ"):
        lydite.Metric("coref").merge(lydite.Metric("spans"))
    with pytest.raises(lydite.UsageError, match="do not add up: profile, "):
        lydite.Metric("coref", "newsreader").merge(lydite.Metric("coref", "conll-8.01"))


def test_settings_that_are_equal_add_up_however_they_were_said() -> None:
    whole = lydite.Metric("coref", "conll-8.01", metrics="muc,lea", unit="document")
    whole.update([[[1, 2]]], [[[1, 2]]])
    other = lydite.Metric("coref", metrics=["muc", "lea"])
    other.update([[[1, 2, 3]]], [[[1, 2]]])
    whole.merge(other)
    assert whole.compute()["coref"]["muc"].recall == 2 / 3
    events = lydite.Metric("arguments")
    events.update([[]], [[]])
    fresh = lydite.Metric("arguments")
    fresh.merge(events)
    assert fresh.compute().profile == "exact"


def test_a_metric_that_saw_nothing_is_restored_as_one_that_saw_nothing() -> None:
    for profile in (None, "modern"):
        fresh = lydite.Metric.from_state(lydite.Metric("nugget", profile).state())
        with pytest.raises(lydite.UsageError, match="there are no documents yet"):
            fresh.compute()
        mention = lydite.Mention("E1", lydite.Span((), ("t1",)), "x", "Life_Die", "Actual")
        document = lydite.Document("d", (mention,))
        fresh.update([document], [document], ["d"])
        assert fresh.compute().settings["unit"] == "token"


def test_a_profile_and_settings_that_are_paths_survive_json_and_pickling(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('extends = "coref/conll-8.01"\n[compare]\nsingletons = "drop"\n')
    one = lydite.Metric("coref", own)
    one.update([[[1, 2], [3]]], [[[1, 2]]])
    for again in (
        lydite.Metric.from_state(json.loads(json.dumps(one.state()))),
        pickle.loads(pickle.dumps(one)),  # noqa: S301 - our own
        one + lydite.Metric("coref", str(own)),
    ):
        assert again.compute().signature == one.compute().signature
    with_tokens = lydite.Metric("nugget", tokens=tmp_path, unit="token")
    assert len(lydite.Metric.from_state(json.loads(json.dumps(with_tokens.state())))) == 0


def test_documents_that_are_not_compared_are_content_all_the_same() -> None:
    gold = {"a": [("x", "r", "y")], "b": [("z", "r", "y")]}
    one = lydite.Metric("triples", "reference-0.1", expect=gold)
    one.update(system=[gold["a"]], ids=["a"])
    whole = lydite.score(gold, {"a": gold["a"]}, task="triples", profile="reference-0.1")
    assert one.compute().signature == whole.signature
    assert one.compute().corpus_rows() == whole.corpus_rows()


def test_documents_without_events_decide_no_profile_for_those_that_have_some() -> None:
    event = {"type": "A", "trigger": (0, 1), "arguments": []}
    one = lydite.Metric("arguments")
    for gold in ([], [event]):
        one.update([{"events": gold}], [{"events": []}])
    assert one.compute().profile == "exact"


def test_loggers_get_a_flat_dict_and_compute_never_resets() -> None:
    one = lydite.Metric("coref", metrics=("muc", "b-cubed", "ceaf-e"), averages=("micro", "macro"))
    one.update([[[1, 2]]], [[[1, 2]]])
    flat = one.compute_dict()
    assert flat["coref/conll/f1"] == flat["coref/muc/macro/recall"] == 1
    assert one.compute_dict() == flat
    one.reset()
    with pytest.raises(lydite.UsageError, match="there are no documents yet"):
        one.compute()


def test_wrong_numbers_of_documents_and_odd_objects_are_refused() -> None:
    one = lydite.Metric("nugget")
    with pytest.raises(lydite.UsageError, match="as many gold as system documents, found 1 and 2"):
        one.update([[]], [[], []])
    with pytest.raises(lydite.UsageError, match="expected 1 id,"):
        one.update([[]], [[]], ["a", "b"])
    with pytest.raises(lydite.InvalidInput, match="start: expected an integer, found 'x'"):
        one.update([[("x", 3, "A")]], [[]], ["d"])
    assert repr(one) == "Metric('nugget', profile='kbp2017', documents=0)"


def test_expected_documents_and_those_that_come_may_have_numbers_as_ids() -> None:
    one = lydite.Metric("coref", expect={1: [[1, 2]], 2: [[3, 4]]})  # type: ignore[dict-item]
    one.update(system=[[[1, 2]]], ids=[1])  # type: ignore[list-item]
    one.update(gold=[[[3, 4]]], system=[[[3, 4]]], ids=np.array([2]))  # type: ignore[arg-type]
    assert one.value == 1
    assert not one.compute().findings


@pytest.mark.parametrize("ids", [[None], [1.5], [True], "a", 5])
def test_what_is_no_list_of_ids_is_refused(ids: object) -> None:
    with pytest.raises(lydite.UsageError, match="update: expected a"):
        lydite.Metric("coref").update([[[1]]], [[[1]]], ids)  # type: ignore[arg-type]


@pytest.mark.parametrize("sides", [(5, [[]]), ([[]], None), ("ab", "ab"), ({"a": []}, {"a": []})])
def test_what_is_no_list_of_documents_is_refused(sides: tuple[object, object]) -> None:
    with pytest.raises(lydite.UsageError, match="update: expected a list for"):
        lydite.Metric("coref").update(*sides)  # type: ignore[arg-type]


def test_a_damaged_state_is_refused() -> None:
    whole = fed("coref", ["d1"]).state()
    for key in whole:
        for value in (5, {"d1": {}}):
            with suppress(lydite.UsageError):
                lydite.Metric.from_state({**whole, key: value})  # type: ignore[misc]
        with pytest.raises(lydite.UsageError):
            lydite.Metric.from_state({name: held for name, held in whole.items() if name != key})  # type: ignore[arg-type]
    with pytest.raises(lydite.UsageError, match="found None"):
        lydite.Metric.from_state(None)  # type: ignore[arg-type]


def test_batches_for_evaluate_may_be_arrays() -> None:
    documents = np.empty(2, dtype=object)
    documents[:] = [[[1, 2]], [[3, 4]]]
    assert load("coref").compute(predictions=documents, references=documents)["coref/conll/f1"] == 1


def test_a_state_makes_nothing_but_counts() -> None:
    state = fed("coref", ["d1"]).state()
    state["documents"]["d1"]["figures"] = [{"record": "lydite.facade:score", "fields": []}]
    with pytest.raises(lydite.UsageError, match="not known"):
        lydite.Metric.from_state(state)
    with pytest.raises(lydite.UsageError, match="expected the state of a metric"):
        lydite.Metric.from_state({})


def test_the_signature_of_coreference_is_that_of_files_with_the_same_clusters(tmp_path: Path) -> None:
    gold = {"d1": [[(0, 1), (4, 6)], [(2, 3)]], "d2": [[(0, 2), (10, 12)]]}
    system = {"d1": [[(0, 1)], [(4, 6), (2, 3)]], "d2": [[(10, 12), (0, 2)]]}
    one = lydite.Metric("coref")
    one.update(gold.values(), system.values(), gold)
    for name, documents in (("gold", gold), ("system", system)):
        lines = [
            f"{doc_id}#{first}-{end}\t{doc_id}:{number}\n"
            for doc_id, clusters in documents.items()
            for number, cluster in enumerate(clusters)
            for first, end in cluster
        ]
        (tmp_path / f"{name}.clusters").write_text("".join(lines))
    files = lydite.score(tmp_path / "gold.clusters", tmp_path / "system.clusters", task="coref")
    assert one.compute().signature == files.signature
    assert "gold:7d3d30a|sys:4e2a835" in files.signature
    assert one.value == files.headline_score()


def test_the_collector_is_on_again_after_an_update_and_after_a_refusal() -> None:
    one = lydite.Metric("coref")
    one.update([[[1, 2]]], [[[1, 2]]])
    assert gc.isenabled()
    with pytest.raises(lydite.InvalidInput):
        one.update([[[1, 2]]], [{"c": [1, 2]}])
    assert gc.isenabled()


def test_a_setting_that_does_not_exist_is_refused_when_the_metric_is_made() -> None:
    with pytest.raises(lydite.UsageError, match="no setting 'metric'"):
        lydite.Metric("coref", metric="muc")
    with pytest.raises(lydite.UsageError, match="'mucc' is not possible"):
        lydite.Metric("coref", metrics=("mucc",))


def test_only_metrics_are_merged() -> None:
    with pytest.raises(lydite.UsageError, match=r"merge: expected a lydite.Metric, found dict"):
        lydite.Metric("coref").merge(fed("coref", ["d1"]).state())  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        lydite.Metric("coref") + 1  # type: ignore[operator]


def test_mentions_may_be_any_two_numbers_in_a_saved_state_too() -> None:
    one = lydite.Metric("coref", keep_documents=True)  # mentions are named by sentence and word
    one.update([[[(5, 3), (2, 1)], [(7, 0), (1, 9)]]], [[[(5, 3), (2, 1), (7, 0)], [(1, 9)]]])
    again = lydite.Metric.from_state(json.loads(json.dumps(one.state())))
    assert again.compute().rows == one.compute().rows


@pytest.mark.parametrize("settings", [{"keep_documents": True}, {"unit": "corpus"}])
@pytest.mark.parametrize(
    "mention", [7, ("d1", 3, 5), (3, 5, 7), "m", ("a", ("b", 1)), frozenset({1, 2}), 2.5]
)
def test_mentions_of_any_kind_travel_with_documents_that_are_kept(
    mention: Any, settings: dict[str, Any]
) -> None:
    clusters = [[mention, (5, 6)], [(8, 9)]]
    one = lydite.Metric("coref", **settings)
    one.update([clusters], [clusters[:1]], ["d"])
    there = lydite.Metric.from_state(json.loads(json.dumps(one.state())))
    assert there.compute() == one.compute()
    assert [str(verdict) for verdict in there.errors()] == [str(verdict) for verdict in one.errors()]
    there.update([clusters], [clusters[:1]], ["d"])
    assert len(there) == 1


def test_a_mention_that_json_cannot_hold_is_told_where_documents_are_kept() -> None:
    clusters = [[date(2026, 1, 1), (5, 6)]]
    one = lydite.Metric("coref", keep_documents=True)
    one.update([clusters], [clusters], ["d"])
    assert one.value == 1.0
    with pytest.raises(lydite.UsageError, match=r"state: document 'd' has a mention .* found datetime"):
        one.state()


def test_a_figure_that_is_undefined_lends_its_name_to_no_other_average() -> None:
    one = lydite.Metric("nugget")
    one.update([[], [(0, 3, "Conflict_Attack", "Actual")]], [[], []])
    assert one.compute()["type"].micro.precision is None
    flat = one.compute_dict()
    assert "type/detection/precision" not in flat
    assert flat["type/detection/macro/precision"] == flat["type/detection/recall"] == 0


def test_documents_that_another_rank_expects_count_as_missed_after_a_merge() -> None:
    gold = {"d1": [(0, 3, "PER")], "d2": [(0, 3, "PER")]}

    def rank(doc_id: str) -> lydite.Metric:
        return lydite.Metric("spans", expect={doc_id: gold[doc_id]})

    one, other = rank("d1"), rank("d2")
    one.update(system=[gold["d1"]], ids=["d1"])
    expected = lydite.score(gold, {"d1": gold["d1"]}, task="spans").headline_score()
    assert (one + other).value == (other + one).value == expected
    changed = lydite.Metric("spans", expect={"d1": [(0, 3, "LOC")]})
    with pytest.raises(lydite.InvalidInput, match="'d1' came twice with different content"):
        one.merge(changed)


def test_what_two_ranks_found_in_one_document_is_counted_once() -> None:
    documents = {"d1": [(0, 3, "A")], "d2": [(0, 3, "A"), (5, 6, "B")]}

    def rank(*ids: str) -> lydite.Metric:
        made = lydite.Metric("nugget")
        for doc_id in ids:
            made.update([documents[doc_id]], [documents[doc_id]], [doc_id])
        return made

    merged = rank("d1", "d2")
    merged.merge(lydite.Metric.from_state(json.loads(json.dumps(rank("d2", "d1").state()))))
    assert merged.compute() == rank("d1", "d2").compute()


def test_relations_of_documents_that_never_came_are_measured() -> None:
    mentions = [(0, 3, "Life_Die", "Actual"), (5, 8, "Life_Die", "Actual")]
    gold = {"d1": mentions, "d2": {"mentions": mentions, "clusters": [["E1", "E2"]]}}
    metric = lydite.Metric("nugget", expect=gold)
    metric.update(system=[mentions], ids=["d1"])
    assert metric.compute().corpus_rows() == lydite.score(gold, {"d1": mentions}, task="nugget").corpus_rows()


def test_documents_that_were_forgotten_or_refused_decide_nothing_for_others() -> None:
    tokens = lydite.read("examples/gold.tokens.tbf").documents["nw05-wenn"]
    twice = tokens._replace(mentions=(*tokens.mentions, tokens.mentions[0]))
    characters = [(0, 3, "Life_Die", "Actual")]
    expected = lydite.score([characters], [characters], task="nugget").profile
    metric = lydite.Metric("nugget")
    metric.update([tokens], [tokens])
    metric.reset()
    metric.update([characters], [characters])
    assert metric.compute().profile == expected
    metric = lydite.Metric("nugget")
    with pytest.raises(lydite.InvalidInput, match="used before"):
        metric.update([twice], [twice])
    metric.update([characters], [characters])
    assert metric.compute().profile == expected


def test_a_unit_that_does_not_fit_is_refused_in_a_batch_without_system_mentions() -> None:
    metric = lydite.Metric("nugget", "kbp2015")
    with pytest.raises(lydite.InvalidInput, match="the run is of unit token"):
        metric.update([[(0, 3, "Life_Die")]], [[]])


@pytest.mark.parametrize("name", ["d1", "d1.trp", "d1.jsonl"])
def test_a_lone_document_of_triples_keeps_its_name_in_every_signature(name: str) -> None:
    gold, system = [("a", "r", "b"), ("c", "r", "d")], [("a", "r", "b")]
    one = lydite.Metric("triples")
    one.update([gold], [system], [name])
    assert one.compute().signature == lydite.score({name: gold}, {name: system}, task="triples").signature
    with pytest.raises(NoCommonDocument):
        lydite.score({name: gold}, {f"other-{name}": system}, task="triples")


@pytest.mark.parametrize(
    ("expect", "said"),
    [
        ({1: [], "1": []}, "the document id '1' occurs twice"),
        ({"#0": []}, "expected an id that does not begin with '#'"),
    ],
)
def test_what_is_expected_has_ids_of_its_own(expect: dict[str, object], said: str) -> None:
    with pytest.raises(lydite.UsageError, match=f"expect: {said}"):
        lydite.Metric("coref", expect=expect)


def test_documents_without_ids_have_the_names_and_the_signature_of_one_run() -> None:
    gold, system = [[[1, 2]], [[1, 2, 3]], [[4, 5]]], [[[1, 2]], [[1, 2]], [[4], [5]]]
    one = lydite.Metric("coref", by=("doc",))
    one.update(gold[:1], system[:1])
    with pytest.raises(lydite.InvalidInput):
        one.update([5], [5])
    one.update(gold[1:], system[1:])
    whole = lydite.score(gold, system, task="coref")
    assert one.compute().signature == whole.signature
    assert one.compute().by("doc").rows == whole.by("doc").rows
    assert list(dict.fromkeys(row.document for row in whole.by("doc"))) == ["#0", "#1", "#2"]


def test_a_document_without_an_id_is_refused_by_its_place_in_the_list() -> None:
    metric = lydite.Metric("nugget")
    with pytest.raises(lydite.InvalidInput, match=r"documents\[1\]\.mentions\[0\]"):
        metric.update([[(0, 5, "A")], [(0, 1)]], [[], []])


def test_documents_without_ids_keep_their_order_when_they_are_merged() -> None:
    gold, system = [[list(range(size))] for size in range(2, 14)], [[[0, 1]]] * 12
    one = lydite.Metric("coref", by=("doc",))
    one.update(gold, system)
    merged = lydite.Metric("coref", by=("doc",)) + one
    assert merged.compute().by("doc").rows == one.compute().by("doc").rows


def test_documents_of_the_inner_form_are_called_as_the_metric_is_told() -> None:
    inner = {"doc_id": "a"}
    one = lydite.Metric("ace", by=("doc",))
    one.update([inner], [{**inner, "doc_id": "b"}])
    one.update([lydite.Document("a")], [lydite.Document("b")])
    assert len(one) == 2
    assert one.compute().inputs[1].documents == 2


@pytest.mark.parametrize("unit", ["document", "corpus"])
def test_documents_that_never_came_are_told_also_where_documents_are_joined(unit: str) -> None:
    one = lydite.Metric("coref", unit=unit, expect={"a": [[1, 2]], "b": [[3, 4]]})
    one.update(system=[[[1, 2]]], ids=["a"])
    assert one.compute()["coref"]["muc"].recall == 0.5
    assert "expected-document-missing" in {finding.code for finding in one.compute().findings}


@pytest.mark.parametrize("profile", ["ace05", "ace08-local", "ace08-global"])
def test_ranks_whose_documents_hold_other_kinds_of_elements_are_merged(profile: str) -> None:
    gold, system, _ = worlds()["ace"]
    ranks = {name: lydite.Metric("ace", profile, by=EVERYTHING) for name in gold}
    for name, rank in ranks.items():
        rank.update([gold[name]], [system[name]], [name])
    first, *others = ranks.values()
    for other in others:
        first.merge(other)
    whole = lydite.score(gold, system, task="ace", profile=profile)
    assert figures(first.compute()) == figures(whole)
    assert first.compute().signature == whole.signature
