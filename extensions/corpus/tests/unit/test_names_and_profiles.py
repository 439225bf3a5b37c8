from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_for_tests import index_of
from lydite.align.ace_names import similarity
from lydite.errors import FormatError
from lydite.model.ace_names import normalise
from lydite_corpus.index import Index
from lydite_corpus.mentions import NameCounter, count_mentions
from lydite_corpus.names import cluster_names, count_names, grams_of, histogram, index_names, name_runs
from lydite_corpus.profiles import (
    check_profiles,
    confusable_groups,
    propose_kind,
    propose_kinds,
    read_profiles,
)


def test_names_are_runs_of_capitalised_words_with_joiners_inside() -> None:
    text = "He met Omar al-Haddad, J. P. Weller of Norwick and Maria de Cruz today."
    assert [name for name, _ in name_runs(text)] == [
        "He",
        "Omar al-Haddad",
        "J. P. Weller of Norwick",
        "Maria de Cruz",
    ]


def test_a_word_that_begins_sentences_counts_only_if_it_is_seen_inside_one() -> None:
    counts = count_names(["Yesterday it rained. Yesterday Dov left.", "Norwick is far. He saw Norwick."])
    assert "He" not in counts
    assert counts["Norwick"] == (2, 1)
    assert counts["Yesterday Dov"] == (1, 1)


def test_other_scripts_with_capitals_have_names() -> None:
    assert [name for name, _ in name_runs("вчера Иван Петров и Ελένη Παπά")] == ["Иван Петров", "Ελένη Παπά"]


def test_similar_strings_share_a_cluster() -> None:
    rows = histogram({"Ilich Ramirez Sanchez": (5, 3), "Ilich Ramírez Sánchez": (2, 2), "Dov Hallek": (9, 1)})
    assert [(row.cluster, row.string) for row in rows] == [
        (1, "Dov Hallek"), (2, "Ilich Ramirez Sanchez"), (2, "Ilich Ramírez Sánchez"),
    ]  # fmt: skip


@given(st.lists(st.text(alphabet="abc ", min_size=1, max_size=9), max_size=14, unique=True))
def test_clusters_are_those_of_all_pairs(names: list[str]) -> None:
    group = {name: {name} for name in names}
    for one, other in combinations(names, 2):
        first, second = normalise(one), normalise(other)
        if first == second or (grams_of(first) & grams_of(second) and similarity(first, second, 0.8)):
            joined = group[one] | group[other]
            for name in joined:
                group[name] = joined
    assert {frozenset(found) for found in cluster_names(names)} == {
        frozenset(found) for found in group.values()
    }


def test_listed_strings_are_counted_in_any_script(tmp_path: Path) -> None:
    index = index_of(tmp_path, A="قال أحمد إن احمد", B="北京 和 北京大学")
    assert index_names(index, listed=["أحمد", "北京", "nobody"]) == {"أحمد": (2, 1), "北京": (2, 1)}


def test_the_longest_name_counts_at_every_place() -> None:
    phrases = NameCounter({(0, 0): "Ilich Ramirez Sanchez", (0, 1): "Ramirez"})
    assert phrases.count("Ilich Ramirez Sanchez saw Ramirez") == {(0, 0): 1, (0, 1): 1}


def test_a_mark_that_stands_alone_takes_no_marks_from_the_names_of_its_text() -> None:
    assert NameCounter({(0, 0): "Ramírez"}).count("Ramírez met \u0301 Ana") == {(0, 0): 1}


def test_a_spelling_with_marks_counts_as_the_name_that_has_them() -> None:
    phrases = NameCounter({(0, 0): "Ramirez", (0, 1): "Ramírez", (1, 0): "Sanchez"})
    assert phrases.count("Ramírez Ramirez Sánchez") == {(0, 0): 1, (0, 1): 1, (1, 0): 1}


def test_a_name_of_two_targets_counts_for_both() -> None:
    assert NameCounter({(0, 0): "the Envoy", (1, 0): "The envoy"}).count("The Envoy came") == {
        (0, 0): 1,
        (1, 0): 1,
    }


def test_planted_mentions_are_counted(indexed: Index, collection: Path, truth: dict[str, Any]) -> None:
    profiles = read_profiles(str(collection / "targets.jsonl"))
    found = {
        one.doc_id: one.counts for one in count_mentions(indexed, [profile.names for profile in profiles])
    }
    assert found.keys() == truth["mentions"].keys()
    for doc_id, mentions in truth["mentions"].items():
        expected: dict[str, int] = {}
        for target, _, _ in mentions:
            expected[target] = expected.get(target, 0) + 1
        counted: dict[str, int] = {}
        for (target, _), count in found[doc_id].items():
            counted[profiles[target].id] = counted.get(profiles[target].id, 0) + count
        assert counted == expected


# ------------------------------------------------------------------------------------------------------- profiles


def profiles_file(path: Path, *entries: dict[str, Any]) -> str:
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    return str(path)


def test_a_name_is_a_variant_if_it_is_similar_or_shares_a_word() -> None:
    assert propose_kind("Ilich Ramirez Sanchez", "Ilich Ramírez Sánchez") == "variant"
    assert propose_kind("Ilich Ramirez Sanchez", "Sanchez") == "variant"
    assert propose_kind("Ilich Ramirez Sanchez", "Carlos the Jackal") == "alias"


def test_proposals_name_what_stands_under_the_other_heading(tmp_path: Path) -> None:
    entry = {
        "id": "T1",
        "handle": "Dov Hallek",
        "aliases": [{"text": "Hallek"}],
        "variants": [{"text": "the Ferryman"}],
    }
    profiles = read_profiles(profiles_file(tmp_path / "t.jsonl", entry))
    assert [(name, says, other) for _, name, says, other in propose_kinds(profiles)] == [
        ("Hallek", "alias", "variant"), ("the Ferryman", "variant", "alias"),
    ]  # fmt: skip


def test_the_checks_of_profiles(tmp_path: Path) -> None:
    path = profiles_file(
        tmp_path / "t.jsonl",
        {
            "id": "T1",
            "handle": "Dov Hallek",
            "aliases": [{"text": "DOV  Hallek."}],
            "confusable_with": ["T2", "T9"],
        },
        {"id": "T2", "handle": "Dov Halleck", "variants": [{"text": "Dov H."}]},
        {"id": "T3", "handle": "Dov Hallek", "variants": [{"text": "Dov H."}]},
    )
    found = check_profiles(read_profiles(path), path)
    assert [(finding.code, finding.item) for finding in found] == [
        ("name-equals-handle", "T1"), ("confusable-not-mutual", "T1"), ("confusable-unknown", "T1"),
        ("handle-not-unique", "T3"), ("name-shared", "T3"), ("name-shared", "T3"),
    ]  # fmt: skip


def test_a_shared_name_is_told_for_every_two_targets_that_share_it(tmp_path: Path) -> None:
    path = tmp_path / "targets.jsonl"
    profiles = [
        {"id": "T1", "handle": "Al One", "aliases": [{"text": "Bob"}], "confusable_with": ["T2", "T3"]},
        {"id": "T2", "handle": "Al Two", "aliases": [{"text": "Bob"}], "confusable_with": ["T1"]},
        {"id": "T3", "handle": "Al Three", "aliases": [{"text": "bob"}], "confusable_with": ["T1"]},
    ]
    path.write_text("".join(json.dumps(profile) + "\n" for profile in profiles), encoding="utf-8")
    (finding,) = check_profiles(read_profiles(str(path)), str(path))
    assert (finding.code, finding.item) == ("name-shared", "T3")
    assert finding.message.startswith("T2 has the name")


def test_broken_profiles_are_refused_together(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(
        '{"id": "T1"}\n{"id": "T2", "handle": "x", "status": "gone"}\nno\n[]\n{"id":"T3","handle":"y"}\n{"id":"T3","handle":"z"}\n'
    )
    with pytest.raises(FormatError) as caught:
        read_profiles(str(path))
    assert [finding.location and finding.location.line for finding in caught.value.findings] == [
        1,
        2,
        3,
        4,
        6,
    ]


def test_confusable_groups_are_connected(tmp_path: Path) -> None:
    path = profiles_file(
        tmp_path / "t.jsonl",
        {"id": "T1", "handle": "a", "confusable_with": ["T2"]},
        {"id": "T2", "handle": "b", "confusable_with": ["T1", "T3"]},
        {"id": "T3", "handle": "c", "confusable_with": ["T2"]},
        {"id": "T4", "handle": "d"},
    )
    assert confusable_groups(read_profiles(path)) == {"T1": "T1", "T2": "T1", "T3": "T1"}
