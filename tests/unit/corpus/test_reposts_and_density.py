from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from collections_for_tests import index_of
from lydite.corpus.density import rank, read_types
from lydite.corpus.index import Index
from lydite.corpus.reposts import Told, contained, find_reposts, jaccard, shingles_of
from lydite.errors import FormatError


def text_of(seed: int, length: int) -> str:
    chance = random.Random(seed)
    return " ".join(f"w{chance.randrange(5000)}" for _ in range(length))


def told(*rows: tuple[str, str, str]) -> dict[str, Told]:
    return {doc_id: Told(doc_id, date, genre) for doc_id, date, genre in rows}


def test_the_oldest_of_a_group_is_kept() -> None:
    text = text_of(1, 80)
    about = told(("A", "2006-02-01", "nw"), ("B", "2006-01-01", "nw"), ("C", "2006-03-01", "nw"))
    found = find_reposts([("A", text), ("B", text + " more"), ("C", text_of(2, 80))], about)
    assert [(one.document, one.kept) for one in found] == [("A", "B")]


def test_a_post_that_repeats_a_part_of_a_newswire_text_is_a_repost() -> None:
    wire = text_of(1, 900)
    post = " ".join(wire.split()[100:160]) + " what do you think"
    about = told(("wire", "2006-01-01", "nw"), ("post", "2006-01-02", "wl"))
    assert jaccard(shingles_of(post), shingles_of(wire)) < 0.1
    assert [(one.document, one.kept) for one in find_reposts([("wire", wire), ("post", post)], about)] == [
        ("post", "wire")
    ]
    both = told(("wire", "2006-01-01", "nw"), ("post", "2006-01-02", "nw"))
    assert find_reposts([("wire", wire), ("post", post)], both) == []


def test_similarities_are_exact() -> None:
    one, other = shingles_of("a b c d e f g"), shingles_of("a b c d e f x")
    assert jaccard(one, other) == 2 / 4
    assert contained(one, other) == 2 / 3
    assert jaccard(shingles_of(""), shingles_of("")) == 0


def test_texts_without_words_are_no_reposts() -> None:
    assert find_reposts([("A", "!"), ("B", "?")], told(("A", "", ""), ("B", "", ""))) == []


def test_planted_reposts_are_found_and_nothing_else(indexed: Index, truth: dict[str, Any]) -> None:
    about = {one.id: Told(one.id, one.date, one.genre) for one in indexed.records()}
    found = find_reposts(indexed.texts(), about)
    assert {one.document: one.kept for one in found} == truth["reposts"]


def types_file(path: Path, *rows: str) -> str:
    path.write_text("\n".join(["type\ttriggers\tminimum", *rows]) + "\n", encoding="utf-8")
    return str(path)


def test_documents_are_taken_until_every_type_has_enough(tmp_path: Path) -> None:
    index = index_of(
        tmp_path,
        A="attacked attacks",
        B="arrested",
        C="attack and arrest",
        D="ferry",
        E="arrest arrest x x x x",
    )
    types = read_types(types_file(tmp_path / "types.tsv", "Attack\tattack*, raid\t2", "Arrest\tarrest*\t3"))
    ranking = rank(index, types)
    assert [one.document for one in ranking.documents] == ["A", "E", "B"]
    assert ranking.totals == {"Attack": 2, "Arrest": 3}
    assert ranking.missing == {}


def test_what_falls_short_is_said(tmp_path: Path) -> None:
    index = index_of(tmp_path, A="a raid", B="by the way")
    types = read_types(types_file(tmp_path / "types.tsv", "Attack\traid\t5", "Phrase\tby the way\t1"))
    ranking = rank(index, types)
    assert ranking.missing == {"Attack": 4}
    assert rank(index, types, leave_out=frozenset({"A"})).missing == {"Attack": 5}
    assert len(rank(index, types, count=1).documents) == 1


def test_broken_types_are_refused_together(tmp_path: Path) -> None:
    path = types_file(tmp_path / "types.tsv", "A\tx", "B\tx\tmany", "C\t\t1", "D\tgenre:nw\t1")
    with pytest.raises(FormatError) as caught:
        read_types(path)
    assert [finding.location and finding.location.line for finding in caught.value.findings] == [2, 3, 4, 5]
