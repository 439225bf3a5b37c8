"""Files beside the arguments of RAMS and WikiEvents that are damaged are refused at their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydite.errors import FormatError
from lydite.tasks.arguments.links import multiplicities
from lydite.tasks.arguments.templates import clusters_in, heads_in


def _refused(error: pytest.ExceptionInfo[FormatError]) -> tuple[str, int | None]:
    (finding,) = error.value.findings
    assert finding.location is not None
    return finding.code, finding.location.line


def test_multiplicities_that_are_not_utf_8_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "multiplicities.txt"
    file.write_bytes(b"Act giver 1\nM\xe9t who 1\n")
    with pytest.raises(FormatError) as error:
        multiplicities(str(file))
    assert _refused(error) == ("not-utf-8", 2)


@pytest.mark.parametrize("heads", ['"heads": "ab"', '"heads": [1.5]', '"head": [0]'])
def test_heads_that_are_no_list_of_whole_numbers_are_refused(tmp_path: Path, heads: str) -> None:
    file = tmp_path / "heads.jsonl"
    file.write_text(f'{{"doc_key": "d", "heads": [0]}}\n{{"doc_key": "e", {heads}}}\n', encoding="utf-8")
    with pytest.raises(FormatError) as error:
        heads_in(str(file))
    assert _refused(error) == ("bad-event-record", 2)


@pytest.mark.parametrize(
    "clusters",
    [
        '"clusters": []',
        '"clusters": [1], "informative_mentions": []',
        '"clusters": ["ab"], "informative_mentions": ["x"]',
        '"clusters": [], "informative_mentions": 1',
    ],
)
def test_clusters_that_are_no_lists_of_ids_are_refused(tmp_path: Path, clusters: str) -> None:
    file = tmp_path / "coref.jsonl"
    file.write_text(f'{{"doc_key": "d", {clusters}}}\n', encoding="utf-8")
    with pytest.raises(FormatError) as error:
        clusters_in(str(file))
    assert _refused(error) == ("bad-event-record", 1)
