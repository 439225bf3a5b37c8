"""Which columns a table of mentions is read from."""

from __future__ import annotations

import pyarrow as pa
import pytest

from lydite import coref
from lydite.errors import InvalidInput, UsageError
from lydite.tables.columns import parse_columns

GOLD = pa.table({"mention": ["a", "b", "c"], "cluster": [1, 1, 2]})


def codes_of(gold: object, system: object, **said: object) -> list[str]:
    with pytest.raises(InvalidInput) as refused:
        coref.score_tables(gold, system, **said)  # type: ignore[arg-type]
    return [finding.code for finding in refused.value.findings if finding.severity == "error"]


def test_columns_may_have_other_names() -> None:
    system = pa.table({"id": ["a", "b", "c"], "label": ["x", "x", "x"]})
    names = {"mention": "id", "cluster": "label"}
    gold = GOLD.rename_columns(["id", "label"])
    assert coref.score_tables(gold, system, columns=names)["muc"].recall == 1.0


def test_other_columns_are_not_read() -> None:
    system = GOLD.append_column("score", pa.array([0.1, None, 0.3]))
    assert coref.score_tables(GOLD, system)["conll"].f1 == 1.0


def test_a_missing_column_is_reported_with_what_is_there_and_what_is_near() -> None:
    system = pa.table({"mentoin": ["a"], "cluster": [1]})
    with pytest.raises(InvalidInput) as refused:
        coref.score_tables(GOLD, system)
    (finding,) = refused.value.findings
    assert finding.code == "missing-column"
    assert "found mentoin, cluster" in finding.message
    assert "did you mean 'mentoin'" in str(finding.hint)


def test_a_table_that_tells_mentions_in_two_ways_is_ambiguous_until_one_is_named() -> None:
    both = pa.table({"mention": ["m"], "document": ["d"], "start": [0], "end": [1], "cluster": [1]})
    assert codes_of(both, both) == ["ambiguous-columns", "ambiguous-columns"]
    assert coref.score_tables(both, both, columns={"mention": "mention"})["mentions"].f1 == 1.0
    assert coref.score_tables(both, both, columns={"document": "document"})["mentions"].f1 == 1.0


def test_faults_of_both_tables_are_reported_at_once() -> None:
    gold = pa.table({"mention": [1.5], "cluster": [1]})
    system = pa.table({"document": ["d"], "start": ["0"], "end": [1], "cluster": [[1]]})
    assert codes_of(gold, system) == ["column-type", "column-type", "column-type"]


def test_text_on_one_side_and_numbers_on_the_other_are_refused() -> None:
    assert codes_of(GOLD, pa.table({"mention": [1, 2], "cluster": [1, 1]})) == ["unequal-types"]


def test_mentions_that_the_sides_tell_in_different_ways_are_refused() -> None:
    system = pa.table({"document": ["d"], "start": [0], "end": [1], "cluster": [1]})
    assert codes_of(GOLD, system) == ["unequal-types"]


def test_names_of_clusters_may_be_text_on_one_side_and_numbers_on_the_other() -> None:
    system = pa.table({"mention": ["a", "b", "c"], "cluster": ["x", "x", "y"]})
    assert coref.score_tables(GOLD, system)["conll"].f1 == 1.0


@pytest.mark.parametrize("said", ["mention", "mention=", "mentoin=id"])
def test_what_is_no_name_of_a_column_is_wrong_usage(said: str) -> None:
    with pytest.raises(UsageError):
        parse_columns([said])
