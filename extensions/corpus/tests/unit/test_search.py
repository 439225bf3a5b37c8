from __future__ import annotations

import json
import math
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from collections_for_tests import index_of
from lydite.errors import UsageError
from lydite_corpus.analysis import words
from lydite_corpus.index import Index, build, open_index
from lydite_corpus.profiles import read_profiles
from lydite_corpus.query import QueryError
from lydite_corpus.search import facets, search

K1, B = 1.2, 0.75


def bm25(texts: dict[str, str], doc_id: str, terms: list[str]) -> float:
    """The formula as it is written, with lengths as they are; a phrase is a term with its own document frequency."""
    split = {name: words(text) for name, text in texts.items()}
    average = sum(map(len, split.values())) / len(split)
    total = 0.0
    for term in terms:
        wanted = words(term)
        counts = {
            name: sum(found[i : i + len(wanted)] == wanted for i in range(len(found)))
            for name, found in split.items()
        }
        n = sum(count > 0 for count in counts.values())
        idf = math.log(1 + (len(split) - n + 0.5) / (n + 0.5))
        f = counts[doc_id]
        total += idf * f * (K1 + 1) / (f + K1 * (1 - B + B * len(split[doc_id]) / average))
    return total


def chance_texts(lengths: range, seed: int) -> dict[str, str]:
    chance = random.Random(seed)
    letters = [f"w{i}" for i in range(30)]
    return {f"D{n:03d}": " ".join(chance.choices(letters, k=chance.choice(lengths))) for n in range(60)}


@pytest.mark.parametrize("query", ["w1", "w1 OR w2", '"w3 w4"', '"w3 w4" OR w5 OR "w6 w7 w8"'])
def test_scores_are_those_of_the_formula_while_lengths_are_exact(query: str, tmp_path: Path) -> None:
    # The engine keeps lengths up to 40 words as they are; its figures have single precision.
    texts = chance_texts(range(1, 41), 1)
    index = index_of(tmp_path, **texts)
    terms = [part.strip('"') for part in query.split(" OR ")]
    found = search(index, query, limit=60)
    assert found.total > 1
    for hit in found.hits:
        assert hit.score == pytest.approx(bm25(texts, hit.document, terms), rel=2e-6)


def test_longer_documents_differ_by_the_rounding_of_their_lengths_only(tmp_path: Path) -> None:
    # Lengths are cut to three bits after the first, so by less than an eighth; a word that stands once feels it most.
    texts = {name: f"{text} once" for name, text in chance_texts(range(41, 3000), 2).items()}
    index = index_of(tmp_path, **texts)
    hits = search(index, "once", limit=60).hits
    differences = [hit.score / bm25(texts, hit.document, ["once"]) - 1 for hit in hits]
    assert len(differences) == 60
    assert min(differences) > -1e-6
    assert 0.03 < max(differences) < 0.06


def test_equal_scores_are_ordered_by_id(tmp_path: Path) -> None:
    index = index_of(tmp_path, **dict.fromkeys(("D9", "D1", "D5", "D3", "D7"), "the same ferry"))
    assert [hit.document for hit in search(index, "ferry", limit=3).hits] == ["D1", "D3", "D5"]
    assert [hit.document for hit in search(index, "ferry", limit=3, offset=3).hits] == ["D7", "D9"]


def test_a_word_without_marks_finds_every_spelling_and_one_with_marks_its_own(tmp_path: Path) -> None:
    index = index_of(tmp_path, A="Ilich Ramírez Sánchez", B="Ilich Ramirez Sanchez")
    assert {hit.document for hit in search(index, "ramirez").hits} == {"A", "B"}
    assert [hit.document for hit in search(index, "Ramírez").hits] == ["A"]
    assert [hit.document for hit in search(index, '"Ramírez Sánchez"').hits] == ["A"]
    assert [hit.document for hit in search(index, "ramí*").hits] == ["A"]


def test_signs_are_found_alone_in_pairs_and_in_phrases(tmp_path: Path) -> None:
    index = index_of(tmp_path, A="在北京大学学习。", B="京都很美。", C="大学")
    assert {hit.document for hit in search(index, "京").hits} == {"A", "B"}
    assert [hit.document for hit in search(index, "北京").hits] == ["A"]
    ((passage,),) = [hit.passages for hit in search(index, "北京大学").hits]
    assert passage.marks == ((1, 5),)


def test_not_takes_documents_out_and_adds_nothing_to_scores(tmp_path: Path) -> None:
    index = index_of(tmp_path, A="ferry boat", B="ferry", C="boat")
    assert [hit.document for hit in search(index, "ferry NOT boat").hits] == ["B"]
    assert [(hit.document, hit.score) for hit in search(index, "NOT ferry").hits] == [("C", 0.0)]
    assert {hit.document for hit in search(index, "boat OR NOT ferry").hits} == {"A", "C"}


def test_documents_like_another_share_its_words_and_are_not_itself(tmp_path: Path) -> None:
    index = index_of(tmp_path, A="copper mine strike", B="copper mine closed", C="ferry late")
    assert [hit.document for hit in search(index, "like:A").hits] == ["B"]
    assert [hit.document for hit in search(index, 'like:"a strike in the mine"').hits] == ["A", "B"]
    with pytest.raises(UsageError, match="no document 'X'"):
        search(index, "like:X")


def test_the_places_of_a_passage_are_those_of_the_text(tmp_path: Path) -> None:
    text = "x " * 500 + "Here is the «ferry», late.\r\n" + "y " * 500 + "no ferry!"
    index = index_of(tmp_path, A=text)
    (hit,) = search(index, "ferry").hits
    assert len(hit.passages) == 2
    for passage in hit.passages:
        assert text[passage.start : passage.end] == passage.text
        assert [text[start:end] for start, end in passage.marks] == ["ferry"]
    assert search(index, "ferry", passages=0).hits[0].passages == ()


def test_of_overlapping_names_the_longest_is_marked(tmp_path: Path) -> None:
    index = index_of(tmp_path, A="Ilich Ramirez Sanchez left")
    names = {"T1": ["Ramirez", "Ilich Ramirez Sanchez"]}
    (hit,) = search(index, "profile:T1", names=names).hits
    assert hit.passages[0].marks == ((0, 21),)


def test_an_unknown_profile_points_at_its_column(tmp_path: Path) -> None:
    index = index_of(tmp_path, A="x")
    with pytest.raises(QueryError) as caught:
        search(index, "x profile:T9", names={"T1": ["x"]})
    assert caught.value.column == 11


# ------------------------------------------------------------------------------------------ the example collection


def holders(truth: dict[str, Any], name: str) -> set[str]:
    """The documents in which a name is planted."""
    return {doc_id for doc_id, found in truth["mentions"].items() for _, _, text in found if text == name}


def everything(index: Index, query: str, **options: Any) -> set[str]:
    return {hit.document for hit in search(index, query, limit=600, passages=0, **options).hits}


def test_planted_names_are_found_by_every_form_of_query(
    indexed: Index, collection: Path, truth: dict[str, Any]
) -> None:
    profiles = read_profiles(str(collection / "targets.jsonl"))
    names = {profile.id: profile.names for profile in profiles}
    planted = {text for found in truth["mentions"].values() for _, _, text in found}
    assert len(planted) > 60
    for name in sorted(planted):
        held = holders(truth, name)
        assert held <= everything(indexed, f'"{name}"')
        assert held <= everything(indexed, " ".join(words(name)))
        last = words(name)[-1]
        assert held <= everything(indexed, f"{last[:-1]}*")
        assert held <= everything(indexed, f"({' AND '.join(words(name))}) OR nothingness")
        assert not held & everything(indexed, f'the NOT "{name}"')
        assert held & everything(indexed, f'like:"{name}"')
    for profile in profiles:
        held = {
            doc_id
            for doc_id, found in truth["mentions"].items()
            if any(one[0] == profile.id for one in found)
        }
        assert held <= everything(indexed, f"profile:{profile.id}", names=names)


def test_planted_names_are_marked_at_their_places(indexed: Index, truth: dict[str, Any]) -> None:
    doc_id, found = next(iter(truth["mentions"].items()))
    name = found[0][2]
    hits = {hit.document: hit for hit in search(indexed, f'"{name}"', limit=5000, passages=100).hits}
    marks = {mark for passage in hits[doc_id].passages for mark in passage.marks}
    assert {(start, start + len(text)) for _, start, text in found if text == name} <= marks


def test_filters_and_facets_count_the_same(indexed: Index, collection: Path) -> None:
    lines = [
        json.loads(line) for line in (collection / "documents.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    expected = Counter(line["genre"] for line in lines)
    assert facets(indexed, "NOT nothingness")["genre"] == dict(sorted(expected.items()))
    assert search(indexed, "", filters={"genre": "wl"}, limit=1).total == expected["wl"]
    spring = sum("2006-03-01" <= line["date"] <= "2006-05-31" for line in lines)
    assert search(indexed, "date:2006-03..2006-05", limit=1).total == spring
    both = sum(line["language"] == "ar" and line["source"] in {"XIN", "AFP"} for line in lines)
    assert search(indexed, "lang:ar source:XIN,AFP", limit=1).total == both


@pytest.mark.parametrize("sharing", [1, 3, 1000])
def test_however_many_share_the_last_score_the_smallest_ids_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sharing: int
) -> None:
    monkeypatch.setattr("lydite_corpus.search.MAX_TIED_HITS", sharing)
    index = index_of(
        tmp_path, **{f"D{number}": "the harbour" for number in (7, 3, 9, 1, 8, 2)}, Z="harbour harbour"
    )
    assert [hit.document for hit in search(index, "harbour", limit=3).hits] == ["Z", "D1", "D2"]


def test_all_of_a_filter_is_its_value(tmp_path: Path) -> None:
    documents = [{"id": name, "text": "ferry", "genre": name} for name in ("broadcast news", "nw", "or")]
    (tmp_path / "texts.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in documents))
    build([str(tmp_path / "texts.jsonl")], tmp_path / "index")
    index = open_index(tmp_path / "index")
    for genres, found in (
        ("broadcast news", ["broadcast news"]),
        ("nw, broadcast news", ["broadcast news", "nw"]),
        ("zz OR ferry", []),
        ('"nw"', []),
    ):
        hits = search(index, "ferry", filters={"genre": genres}).hits
        assert [hit.document for hit in hits] == found


@pytest.mark.parametrize("query", ["genre:\udcff", "like:\udcff", "ferry \udcff", '"a \udcff"'])
def test_a_query_that_is_not_utf_8_points_at_its_column(query: str, tmp_path: Path) -> None:
    index = index_of(tmp_path, D1="ferry")
    with pytest.raises(QueryError, match="expected UTF-8 text") as caught:
        search(index, query)
    assert caught.value.column == query.index("\udcff") + 1
    with pytest.raises(QueryError, match="expected UTF-8 text"):
        search(index, "ferry", filters={"genre": "\udcff"})


def test_more_may_be_asked_for_than_a_machine_could_hold(tmp_path: Path) -> None:
    index = index_of(tmp_path, A="ferry", B="ferry")
    assert len(search(index, "ferry", limit=10**14).hits) == 2
    assert search(index, "ferry", limit=1, offset=10**14) == (2, ())


def test_of_a_phrase_that_begins_with_a_sign_only_the_whole_is_marked(tmp_path: Path) -> None:
    index = index_of(tmp_path, A="中 boat, 中 ferry")
    (hit,) = search(index, '"中 ferry"').hits
    assert hit.passages[0].marks == ((8, 15),)


def test_facets_count_every_value_of_a_field_with_many(tmp_path: Path) -> None:
    lines = (json.dumps({"id": str(n), "text": "word", "source": f"s{n}"}) for n in range(1500))
    (tmp_path / "texts.jsonl").write_text("\n".join(lines), encoding="utf-8")
    build([str(tmp_path / "texts.jsonl")], tmp_path / "index")
    counts = facets(open_index(tmp_path / "index"), "word")
    assert sum(counts["source"].values()) == 1500
