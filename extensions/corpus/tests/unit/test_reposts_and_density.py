from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from collections_for_tests import index_of, write_documents
from lydite.errors import FormatError
from lydite_corpus.density import rank, read_types
from lydite_corpus.documents import Post
from lydite_corpus.index import Index, Record, build, open_index
from lydite_corpus.reposts import containment, find_reposts, jaccard, shingles_of


def text_of(seed: int, length: int) -> str:
    chance = random.Random(seed)
    return " ".join(f"w{chance.randrange(5000)}" for _ in range(length))


def record(doc_id: str, date: str, genre: str, posts: tuple[Post, ...] = ()) -> Record:
    return Record(1, doc_id, date, genre, "", "", 0, 0, "", posts, markup=False)


def records(*rows: tuple[str, str, str]) -> dict[str, Record]:
    return {row[0]: record(*row) for row in rows}


def test_the_oldest_of_a_group_is_kept() -> None:
    text = text_of(1, 80)
    about = records(("A", "2006-02-01", "nw"), ("B", "2006-01-01", "nw"), ("C", "2006-03-01", "nw"))
    found = find_reposts([("A", text), ("B", text + " more"), ("C", text_of(2, 80))], about)
    assert [(one.document, one.kept) for one in found] == [("A", "B")]


def test_a_post_that_repeats_a_part_of_a_newswire_text_is_a_repost() -> None:
    wire = text_of(1, 900)
    post = " ".join(wire.split()[100:160]) + " what do you think"
    about = records(("wire", "2006-01-01", "nw"), ("post", "2006-01-02", "wl"))
    assert jaccard(shingles_of(post), shingles_of(wire)) < 0.1
    assert [(one.document, one.kept) for one in find_reposts([("wire", wire), ("post", post)], about)] == [
        ("post", "wire")
    ]
    both = records(("wire", "2006-01-01", "nw"), ("post", "2006-01-02", "nw"))
    assert find_reposts([("wire", wire), ("post", post)], both) == []


def thread_of(*posts: str) -> tuple[str, tuple[Post, ...]]:
    """Posts one after the other, and where each stands."""
    text, places = "", []
    for post in posts:
        places.append(Post(len(text), len(text) + len(post)))
        text += post + "\n"
    return text, tuple(places)


def test_a_post_inside_a_thread_is_a_repost_and_the_thread_stays() -> None:
    wire = text_of(1, 300)
    text, posts = thread_of(text_of(2, 60), " ".join(wire.split()[50:110]), text_of(3, 60))
    about = {
        "wire": record("wire", "2006-01-02", "nw"),
        "thread": record("thread", "2006-01-01", "df", posts),
    }
    (found,) = find_reposts([("wire", wire), ("thread", text)], about)
    assert (found.document, found.post, found.kept, found.similarity) == ("thread", 2, "wire", 1.0)


def test_a_thread_of_which_every_post_is_a_repost_is_one() -> None:
    wires = {name: text_of(seed, 300) for seed, name in enumerate(("w1", "w2"))}
    text, posts = thread_of(
        " ".join(wires["w2"].split()[:60]), " ".join(wires["w1"].split()[:60]) + " so what now"
    )
    about = {name: record(name, "2006-01-01", "nw") for name in wires}
    found = find_reposts(
        [*wires.items(), ("thread", text)], {**about, "thread": record("thread", "", "df", posts)}
    )
    assert [(one.document, one.post, one.kept, one.similarity) for one in found] == [
        ("thread", 0, "w2", 56 / 59)
    ]


def test_similarities_are_exact() -> None:
    one, other = shingles_of("a b c d e f g"), shingles_of("a b c d e f x")
    assert jaccard(one, other) == 2 / 4
    assert containment(one, other) == 2 / 3
    assert jaccard(shingles_of(""), shingles_of("")) == 0


def test_texts_without_words_are_no_reposts() -> None:
    assert find_reposts([("A", "!"), ("B", "?")], records(("A", "", ""), ("B", "", ""))) == []


def test_planted_reposts_are_found_and_nothing_else(indexed: Index, truth: dict[str, Any]) -> None:
    found = find_reposts(
        ((record.id, text) for record, text in indexed.texts()), {one.id: one for one in indexed.records()}
    )
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


def test_words_that_tell_of_two_types_count_for_both_and_the_longest_of_overlapping_ones_counts(
    tmp_path: Path,
) -> None:
    index = index_of(tmp_path, A="an attack and a heart attack")
    rows = ("Attack\tattack, attack*\t1", "Assault\tattack*\t1", "Illness\theart attack\t1")
    ranking = rank(index, read_types(types_file(tmp_path / "types.tsv", *rows)))
    assert ranking.totals == {"Attack": 1, "Assault": 1, "Illness": 1}


APF = """<source_file URI="{0}.sgm" SOURCE="newswire" TYPE="text"><document DOCID="{0}">
<event ID="V1" TYPE="Conflict" SUBTYPE="Attack" MODALITY="Asserted" POLARITY="Positive" GENERICITY="Specific" TENSE="Past"><event_mention ID="V1-1"><extent><charseq START="{1}" END="{2}">x</charseq></extent>
<anchor><charseq START="{1}" END="{2}">x</charseq></anchor></event_mention></event></document></source_file>
"""


def test_annotated_events_count_instead_of_words_and_places_of_ace_leave_out_tags(tmp_path: Path) -> None:
    texts = write_documents(tmp_path / "texts.jsonl", A="attack attack attack", B="a storming of the fort")
    posts = "<POST>\nquiet here\n</POST>\n<POST>\na storming\n</POST>"
    (tmp_path / "T.sgm").write_text(f"<DOC>\n<DOCID>T</DOCID>\n{posts}\n</DOC>\n", encoding="utf-8")
    # Without its tags the text is "\nT\n\nquiet here\n\n\na storming\n…": the anchor begins at 19.
    for doc_id, start in (("B", 2), ("T", 19)):
        (tmp_path / f"{doc_id}.apf.xml").write_text(APF.format(doc_id, start, start + 7), encoding="utf-8")
    build(
        [str(texts), *(str(tmp_path / name) for name in ("T.sgm", "B.apf.xml", "T.apf.xml"))],
        tmp_path / "index",
    )
    index = open_index(tmp_path / "index")
    types = read_types(types_file(tmp_path / "types.tsv", "conflict_attack\tattack\t9"))
    found = {one.document: (one.counts["conflict_attack"], one.by) for one in rank(index, types).documents}
    assert found == {"A": (3, "words"), "B": (1, "annotation"), "T": (1, "annotation")}
    second = rank(index, types, repeated_posts={"T": frozenset({2})})
    assert "T" not in {one.document for one in second.documents}
    first = rank(index, types, repeated_posts={"T": frozenset({1})})
    assert "T" in {one.document for one in first.documents}
    assert "T" not in {one.document for one in rank(index, types, longest=40).documents}


def test_events_of_the_inner_form_are_counted(tmp_path: Path) -> None:
    document = {
        "doc_id": "N", "text": "They stormed it.",
        "mentions": [{"id": "E1", "span": [[5, 12]], "text": "stormed", "type": "Conflict_Attack", "realis": "Actual"}],
    }  # fmt: skip
    (tmp_path / "gold.jsonl").write_text(json.dumps(document) + "\n", encoding="utf-8")
    build([str(tmp_path / "gold.jsonl")], tmp_path / "index")
    types = read_types(types_file(tmp_path / "types.tsv", "Conflict.Attack\tattack\t1"))
    assert rank(open_index(tmp_path / "index"), types).totals == {"Conflict.Attack": 1}


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


@pytest.mark.parametrize(
    ("rows", "lines"), [((), [1]), (("Conflict.Attack\tx\t1", "B\ty\t1", "conflict_attack\tz\t2"), [4])]
)
def test_a_table_without_types_and_a_type_that_stands_twice_are_refused(
    rows: tuple[str, ...], lines: list[int], tmp_path: Path
) -> None:
    with pytest.raises(FormatError) as caught:
        read_types(types_file(tmp_path / "types.tsv", *rows))
    assert [finding.location and finding.location.line for finding in caught.value.findings] == lines
