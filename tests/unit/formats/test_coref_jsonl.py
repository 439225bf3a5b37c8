"""Coreference in JSON lines: spans, ids, graphs, bad lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lydite
from lydite import Summary
from lydite.errors import FormatError, InvalidInput
from lydite.formats.coref_jsonl import COREF_JSONL
from lydite.formats.source import Source, SourcePart, open_source
from lydite.model import Corpus


def read(tmp_path: Path, *lines: str, **options: object) -> Corpus:
    path = tmp_path / "file.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return COREF_JSONL.read(open_source(path), options)


def members(corpus: Corpus, name: str = "d") -> list[tuple[object, ...]]:
    return [cluster.members for cluster in corpus.documents[name].layers["clusters"]]


def test_spans_end_inclusively_unless_told_otherwise(tmp_path: Path) -> None:
    line = '{"doc_key": "d", "clusters": [[[0, 1], [3, 4]], [[2, 4]]]}'
    assert members(read(tmp_path, line)) == [((0, 2), (3, 5)), ((2, 5),)]
    assert members(read(tmp_path, line, ends="exclusive")) == [((0, 1), (3, 4)), ((2, 4),)]


@pytest.mark.parametrize(("ends", "edges"), [("inclusive", "first ≤ last"), ("exclusive", "first < end")])
def test_a_span_without_tokens_is_reported_in_the_terms_of_its_ends(
    tmp_path: Path, ends: str, edges: str
) -> None:
    (finding,) = read(tmp_path, '{"doc_key": "d", "clusters": [[[4, 3]]]}', ends=ends).findings
    assert finding.message == f"expected 0 ≤ {edges} in cluster 0, found [4, 3]"


@pytest.mark.parametrize(
    "line",
    [
        '{"doc_key": "d", "clusters": {"c": ["d#0-2", "d#3-4"]}}',
        '{"doc_key": "d", "clusters": [["d#0-2", "d#3-4"]]}',
        '{"doc_key": "d", "type": "graph", "mentions": ["d#0-2"], "links": [["d#0-2", "d#3-4"]]}',
    ],
)
def test_the_address_of_a_run_is_that_run_in_every_layout(tmp_path: Path, line: str) -> None:
    assert members(read(tmp_path, line)) == [((0, 2), (3, 4))]


def test_a_link_to_a_mention_that_is_not_listed_is_reported_with_its_line(tmp_path: Path) -> None:
    line = '{"doc_key": "d", "type": "graph", "mentions": ["m1", 2], "links": [["m1", "m8"], [2, "m9"], ["m9", "m8"]]}'
    corpus = read(tmp_path, "", line)
    assert members(corpus) == [("m1", "2", "m8", "m9")]
    (finding,) = corpus.documents["d"].findings
    assert (finding.code, finding.severity) == ("unlisted-mention", "warning")
    assert finding.location is not None
    assert finding.location.line == 2
    assert "2 mentions" in finding.message
    assert "m8, m9" in finding.message


def test_a_graph_may_list_no_mentions_beside_its_links(tmp_path: Path) -> None:
    corpus = read(tmp_path, '{"doc_key": "d", "type": "graph", "links": [["m1", "m2"]]}')
    assert members(corpus) == [("m1", "m2")]
    assert corpus.documents["d"].findings == ()


def test_clusters_may_be_named_and_hold_ids(tmp_path: Path) -> None:
    corpus = read(
        tmp_path, '{"doc_key": "d", "type": "clusters", "clusters": {"c1": ["m1", "m2"], "c2": ["m3"]}}'
    )
    assert members(corpus) == [("m1", "m2"), ("m3",)]


def test_clusters_without_a_name_stay_apart_where_documents_are_scored_together(tmp_path: Path) -> None:
    lines = [
        '{"doc_key": "t/a", "clusters": [[[0, 0], [1, 1]]]}',
        '{"doc_key": "t/b", "clusters": [[[0, 0], [1, 1]]]}',
        '{"doc_key": "t/c", "type": "graph", "mentions": ["x"], "links": [["x", "y"]]}',
        '{"doc_key": "t/d", "clusters": {"hero": ["x"]}}',
        '{"doc_key": "t/e", "clusters": {"hero": ["x"]}}',
    ]
    assert list(map(len, members(read(tmp_path, *lines, unit="corpus"), "corpus"))) == [2, 2, 2, 2]
    assert list(map(len, members(read(tmp_path, *lines, unit="topic"), "t"))) == [2, 2, 2, 2]


def test_a_graph_gives_its_components_and_singletons(tmp_path: Path) -> None:
    line = '{"doc_key": "d", "type": "graph", "mentions": ["a", "b", "c", "d"], "links": [["a", "b"], ["b", "c"]]}'
    assert members(read(tmp_path, line)) == [("a", "b", "c"), ("d",)]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("{", "not-json"),
        ("1", "not-json"),
        ('{"clusters": []}', "missing-key"),
        ('{"doc_key": "d"}', "missing-key"),
        ('{"doc_key": "d", "clusters": [3]}', "odd-cluster"),
        ('{"doc_key": "d", "clusters": [[[2, 1]]]}', "odd-cluster"),
        ('{"doc_key": "d", "clusters": [[[0, 1.5]]]}', "odd-cluster"),
    ],
)
def test_a_bad_line_is_reported_and_the_next_one_is_read(tmp_path: Path, line: str, code: str) -> None:
    corpus = read(tmp_path, line, '{"doc_key": "e", "clusters": []}')
    assert [finding.code for finding in corpus.findings] == [code]
    assert corpus.doc_ids == ("e",)


@settings(deadline=None)
@given(data=st.binary(max_size=200))
def test_any_bytes_give_a_corpus_or_are_no_text(data: bytes) -> None:
    import io

    source = Source("x", (SourcePart("x", lambda: io.BytesIO(data)),))
    try:
        COREF_JSONL.read(source, {})
    except FormatError:
        with pytest.raises(UnicodeDecodeError):
            data.replace(b"\0", b"\xff").decode("utf-8")  # a null character is no text either


def test_what_is_written_reads_the_same(tmp_path: Path) -> None:
    corpus = read(
        tmp_path,
        '{"doc_key": "d", "clusters": [[[0, 1], [3, 4]], [[2, 4]]]}',
        '{"doc_key": "e", "clusters": {"c1": ["m1", "m2"]}}',
    )
    back = read(tmp_path, COREF_JSONL.write(corpus).decode())  # type: ignore[misc]
    assert members(back) == members(corpus)
    assert members(back, "e") == members(corpus, "e")


def test_a_local_id_with_a_hash_is_another_mention_in_another_document(tmp_path: Path) -> None:
    lines = [f'{{"doc_key": "{name}", "clusters": {{"c": ["m#1", "{name}#2"]}}}}' for name in ("d1", "d2")]
    corpus = read(tmp_path, *lines, unit="corpus")
    assert members(corpus, "corpus") == [(("d1", "m#1"), "d1#2", ("d2", "m#1"), "d2#2")]


def test_documents_that_do_not_stay_in_memory_are_read_again_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [
        '{"doc_key": "a", "clusters": [[[0, 1], [3, 4]]], "sentences": [["w", "x"]]}',
        '{"doc_key": "b", "type": "graph", "mentions": ["m"], "links": [["n", "o"]]}',
        '{"doc_key": "c", "clusters": 1}',
    ]
    kept = read(tmp_path, *lines)
    monkeypatch.setattr("lydite.formats.coref_jsonl.BYTES_IN_MEMORY", 0)
    streamed = read(tmp_path, *lines)
    assert streamed.findings == kept.findings
    assert list(streamed.documents) == list(kept.documents) == ["a", "b"]
    for name in kept.documents:
        assert members(streamed, name) == members(kept, name)
        assert streamed.documents[name].line == kept.documents[name].line


def test_a_document_that_occurs_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"document 'a' occurs twice \(before: line 1\)") as refused:
        read(tmp_path, '{"doc_key": "a", "clusters": []}', '{"doc_key": "a", "clusters": []}')
    assert [finding.code for finding in refused.value.findings] == ["repeated-window"]


@pytest.mark.parametrize(
    "changed", ['{"doc_key": "b", "clusters": []}', '{"doc_key": "a", "clusters": 12}', "{"]
)
def test_a_line_that_changes_while_the_file_is_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    monkeypatch.setattr("lydite.formats.coref_jsonl.BYTES_IN_MEMORY", 0)
    corpus = read(tmp_path, '{"doc_key": "a", "clusters": []}')
    (tmp_path / "file.jsonl").write_text(changed)
    with pytest.raises(FormatError) as refused:
        corpus.documents["a"]
    assert [finding.code for finding in refused.value.findings] == ["file-changed"]


def test_a_named_cluster_that_crosses_topics_is_cut_there_and_that_is_reported(tmp_path: Path) -> None:
    lines = [
        '{"doc_key": "t1/a", "clusters": {"c1": ["t1/a#1", "t1/a#2"]}}',
        '{"doc_key": "t1/b", "clusters": {"c1": ["t1/b#1"], "c2": ["t1/b#2"]}}',
        '{"doc_key": "t2/c", "clusters": {"c1": ["t2/c#1"]}}',
    ]
    corpus = read(tmp_path, *lines, unit="topic")
    assert {unit: [*map(len, members(corpus, unit))] for unit in corpus.documents} == {
        "t1": [3, 1],
        "t2": [1],
    }
    assert [(finding.code, finding.item) for finding in corpus.findings] == [("cluster-cut", "c1")]
    assert not read(tmp_path, *lines, unit="corpus").findings


def scored_with_sentences(
    tmp_path: Path, *sentences: list[str], reading: str = "refuse", beside: str = "speakers"
) -> Summary:
    """Scores these sentences against ``Ann met Bob``; ``beside`` is a key beside the clusters."""
    for name, words in (("gold", [["Ann", "met", "Bob"]]), ("system", [*sentences])):
        record = {"doc_key": "d", "sentences": words, beside: [], "clusters": [[[0, 0], [2, 2]]]}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(record) + "\n")
    return lydite.score(tmp_path / "gold.jsonl", tmp_path / "system.jsonl", task="coref", reading=reading)


def test_other_words_are_a_warning_and_token_numbers_count(tmp_path: Path) -> None:
    summary = scored_with_sentences(tmp_path, ["Ann", "met", "Bill"])
    assert ("texts-differ", "warning") in {(one.code, one.severity) for one in summary.findings}
    assert summary["coref"].micro.f1 == 1


@pytest.mark.parametrize(
    ("beside", "sentences"), [("speakers", [["Ann", "met"]]), ("ner", [["Ann", "met"], ["Bob"]])]
)
def test_another_number_of_tokens_is_refused(tmp_path: Path, beside: str, sentences: list[list[str]]) -> None:
    with pytest.raises(InvalidInput) as error:
        scored_with_sentences(tmp_path, *sentences, beside=beside)
    errors = [finding.code for finding in error.value.findings if finding.severity == "error"]
    assert errors == ["texts-differ"]


def test_other_sentences_of_the_same_words_are_no_difference_outside_of_dygie(tmp_path: Path) -> None:
    summary = scored_with_sentences(tmp_path, ["Ann", "met"], ["Bob"])
    assert "texts-differ" not in {one.code for one in summary.findings}


def test_another_number_of_tokens_is_a_warning_when_read_as_the_official_program_does(tmp_path: Path) -> None:
    summary = scored_with_sentences(tmp_path, ["Ann", "met"], ["Bob"], reading="as-official", beside="ner")
    assert "texts-differ" in {one.code for one in summary.findings}
    assert summary["coref"].micro.f1 == 1
