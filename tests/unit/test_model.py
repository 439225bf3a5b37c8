from __future__ import annotations

import json
import pickle
import sys

import pytest
from hypothesis import given

import lydite
from lydite.errors import UsageError
from lydite.model import Alignment, Corpus, Document, LazyDocuments, Pair, Score, Share, Span, Tally
from lydite.model.tally import harmonic_mean
from strategies import character_spans


def test_a_discontinuous_span_is_one_span() -> None:
    span = Span(((13, 16), (4, 8)))
    assert span.merged() == ((4, 8), (13, 16))
    assert span.size == 7
    assert str(span) == "13,16;4,8"


def test_overlapping_segments_count_twice_as_written_and_once_as_a_set() -> None:
    span = Span(((0, 5), (3, 8)))
    assert span.written_size == 10
    assert span.size == 8
    assert span.offsets == (0, 1, 2, 3, 4, 3, 4, 5, 6, 7)


def test_a_span_that_ends_before_it_begins_is_empty() -> None:
    assert Span(((5, 5),)).is_empty
    assert Span(((9, 5),)).is_empty
    assert not Span(tokens=("t1",)).is_empty


@given(character_spans())
def test_the_size_of_a_span_is_the_number_of_its_distinct_offsets(span: Span) -> None:
    assert span.size == len(set(span.offsets))
    assert span.written_size == len(span.offsets)


def test_missed_and_spurious_are_what_is_in_no_pair() -> None:
    alignment = Alignment("abc", "xy", (Pair(1, 0, 1.0),))
    assert alignment.missed == (0, 2)
    assert alignment.spurious == (1,)


def test_a_tally_adds_and_its_score_is_derived() -> None:
    total = Tally(1, 2, 1, 4) + Tally(1, 2, 1, 4)
    assert total == Tally(2, 4, 2, 8)
    assert total.score() == Score(0.25, 0.5, 1 / 3)


def test_zero_out_of_zero_is_answered_by_the_profile() -> None:
    assert Tally().score() == Score(None, None, None)
    assert Tally().score(empty="zero") == Score(0.0, 0.0, 0.0)
    assert Tally(0, 3, 0, 0).score() == Score(None, 0.0, None)
    assert harmonic_mean(0.0, 0.0) is None
    assert Share(1, 4).score().value == 0.25


def test_lazy_documents_are_read_when_asked_for() -> None:
    read: list[str] = []

    def load(doc_id: str) -> Document:
        read.append(doc_id)
        return Document(doc_id)

    corpus = Corpus("c", LazyDocuments(("b", "a"), load))
    assert corpus.doc_ids == ("b", "a")
    assert read == []
    assert corpus.documents["a"].doc_id == "a"
    assert read == ["a"]
    with pytest.raises(KeyError):
        corpus.documents["z"]


@pytest.fixture
def summary() -> lydite.Summary:
    return lydite.score(
        "examples/gold.tbf", "examples/systems/alder.tbf", "examples/systems/birch.tbf", diagnosis=True
    )


def test_a_summary_survives_json_and_pickling(summary: lydite.Summary) -> None:
    again = lydite.Summary.from_dict(json.loads(json.dumps(summary.to_dict())))
    assert again.to_dict() == summary.to_dict()
    assert again.rows == summary.rows
    assert pickle.loads(pickle.dumps(summary)) == summary  # noqa: S301 - our own bytes


def test_who_changes_the_document_of_a_summary_does_not_change_the_summary(summary: lydite.Summary) -> None:
    def wreck(part: object) -> None:
        if isinstance(part, dict | list):
            for item in [*part.values()] if isinstance(part, dict) else part:
                wreck(item)
            part.clear()

    before = repr(summary.to_dict())
    wreck(summary.to_dict())
    assert repr(summary.to_dict()) == before


def test_nothing_in_a_summary_can_be_changed(summary: lydite.Summary) -> None:
    """Rows share what they are not narrowed to, and all runs of a profile its tables: others would be changed too."""
    ace = lydite.score(
        "tests/conformance/ace/random_local_11/ref", "tests/conformance/ace/random_local_11/sys", task="ace"
    )
    again = lydite.Summary.from_dict(json.loads(json.dumps(summary.to_dict())))
    mean = next(row for row in summary.rows if row.metric == "kbp")
    held = [
        *(one.settings for one in (summary, again, ace)),
        *(one.headline for one in (summary, again)),
        *(one.diagnosis for one in (summary, again)),
        ace.settings["entity"],
        ace.settings["inventories"]["entity"]["types"],
        *(
            part
            for row in (summary.rows[0], again.rows[0], mean)
            for part in (row.tally, row.by, row.interval)
        ),
        mean.tally["muc"],
        summary.inputs[0].facts,
        pickle.loads(pickle.dumps(summary)).rows[0].by,  # noqa: S301 - our own bytes
        summary.by("type").rows[0].by,
    ]
    for one in held:
        with pytest.raises(TypeError, match="immutable"):
            one["new"] = 1


def test_a_summary_of_several_systems_wants_one_to_be_chosen(summary: lydite.Summary) -> None:
    with pytest.raises(UsageError, match="several systems"):
        summary["type"]
    assert summary.system("alder")["type"].micro.f1 == pytest.approx(0.8170958282544213)
    with pytest.raises(UsageError, match="no system 'adler'"):
        summary.system("adler")


def test_the_headline_of_a_system_that_is_not_there_or_not_named_is_refused(summary: lydite.Summary) -> None:
    with pytest.raises(UsageError, match="several systems"):
        summary.headline_score()
    with pytest.raises(UsageError, match="no system 'adler'"):
        summary.headline_score("adler")


def test_a_summary_knows_its_headline(summary: lydite.Summary) -> None:
    assert summary.headline_score("alder") == summary.system("alder")["type+realis"].micro.f1


def test_a_summary_becomes_data_frames(summary: lydite.Summary) -> None:
    frame = summary.by("type").to_pandas()
    assert {"system", "measurement", "by.type", "f1", "tally.gold_total"} <= set(frame.columns)
    assert summary.to_polars().height == len(summary)


def test_a_summary_shows_itself_in_a_notebook(summary: lydite.Summary) -> None:
    html = summary._repr_html_()
    assert html.startswith("<table>")
    assert summary.signature in html


def test_an_unknown_measurement_or_metric_is_a_usage_error() -> None:
    one = lydite.score("examples/gold.tbf", "examples/systems/alder.tbf")
    with pytest.raises(UsageError, match="no measurement 'typ'"):
        one["typ"]
    with pytest.raises(UsageError, match="no metric"):
        one["type"]["b-cube"]


def test_a_summary_prints_as_its_table_and_shows_itself_in_one_line() -> None:
    summary = lydite.score([[[1, 2]]], [[[1, 2]]], task="coref", metrics=["muc"], names=["mine"])
    lines = str(summary).splitlines()
    assert lines[0] == "coref · conll-8.01 · with metrics=muc · 1 gold document"
    assert "100.00" in str(summary)
    assert lines[-1].endswith(summary.signature)
    assert repr(summary) == "Summary(coref, conll-8.01, 2 rows, coref/muc/f1: mine 1.0000)"


def test_a_missing_library_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    summary = lydite.score([[[1, 2]]], [[[1, 2]]], task="coref")
    with pytest.raises(lydite.UsageError, match="pandas is not installed") as caught:
        summary.to_pandas()
    assert caught.value.hint == "pip install 'lydite[pandas]'"


def test_no_cell_of_a_data_frame_is_a_container() -> None:
    summary = lydite.score({"d": ["B-A", "B-B"]}, {"d": ["B-A", "O"]}, task="spans")
    cells = [value for row in summary.to_polars().iter_rows() for value in row]
    assert not [value for value in cells if isinstance(value, dict | list | tuple)]


def test_a_breakdown_that_is_not_there_is_refused_with_those_that_are(summary: lydite.Summary) -> None:
    with pytest.raises(lydite.UsageError, match="broken down by 'typ'") as misspelt:
        summary.by("typ")
    assert misspelt.value.hint == "did you mean 'type'?"
    totals = summary.keep(lambda row: not row.by)
    for absent in (["doc"], "type"):
        with pytest.raises(lydite.UsageError, match="broken down by") as refused:
            totals.by(absent)  # type: ignore[arg-type]
    assert refused.value.hint == "known: doc, document"
    assert totals.by("document").rows == totals.by("doc").rows


SYSTEMS = "examples/systems/alder.tbf", "examples/systems/birch.tbf"


def test_nobody_changes_what_a_result_holds() -> None:
    summary = lydite.score("examples/gold.tbf", "examples/systems/birch.tbf", diagnosis=True)
    (entry, *_) = summary.diagnosis["documents"]
    (pair,) = lydite.compare("examples/gold.tbf", *SYSTEMS, resamples=9).pairs
    agreement = lydite.agree(*SYSTEMS)
    held = (
        entry, entry["agreement"], entry["pairs"][0], lydite.Summary.from_dict(summary.to_dict()).diagnosis,
        pair.units, agreement.mean_kappa, agreement.pairs[0].contingency["type"],
        agreement.pairs[0].summary.diagnosis["documents"][0],
    )  # fmt: skip
    for mapping in held:
        with pytest.raises(TypeError, match="immutable"):
            mapping["a"] = 1  # type: ignore[index]
    assert isinstance(entry["pairs"], tuple)
    document = agreement.to_dict()
    document["pairs"][0]["contingency"]["type"].clear()  # type: ignore[index]
    assert agreement.to_dict() != document
