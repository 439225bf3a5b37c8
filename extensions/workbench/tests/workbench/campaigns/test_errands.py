"""What a job tells: about the run, never about gold."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydite.errors import Finding, Location
from lydite.writing import archive_bytes
from lydite_workbench.campaigns.errands import Errand, _finding_data, _findings_result, _settings_with_files

IN_GOLD = Finding("some-code", "warning", "mention 'E7' is odd", Location(".gold/gold.tbf", 3))
IN_RUN = Finding(
    "some-code", "error", "see .files/documents/unpacked and .gold/gold.tbf", Location("run.tbf", 2)
)


def test_a_team_is_told_nothing_that_was_found_in_gold() -> None:
    told = _findings_result([IN_GOLD, IN_RUN], Errand("score", "nugget", "", runs={"alder-1": "run.tbf"}))
    assert [finding["path"] for finding in told["findings"]] == ["run.tbf"]
    assert (told["errors"], told["warnings"]) == (1, 0)


def test_an_organiser_is_told_what_was_found_in_gold() -> None:
    told = _findings_result([IN_GOLD], Errand("check-and-sign", "nugget", ""))
    assert [finding["path"] for finding in told["findings"]] == ["gold.tbf"]


def test_where_files_lie_in_the_folder_of_an_errand_is_not_told() -> None:
    assert _finding_data(IN_RUN)["message"] == "see unpacked and gold.tbf"


@pytest.mark.parametrize(
    ("packed", "found"),
    [
        (["d1.tab", "d2.tab"], ["d1.tab", "d2.tab"]),
        (["tables/d1.tab", "tables/d2.tab"], ["d1.tab", "d2.tab"]),
        (["all/tables/d1.tab"], ["d1.tab"]),
        (["df/d1.tab", "nw/d2.tab"], ["df/d1.tab", "nw/d2.tab"]),
        (["tables/d1.tab", "README"], ["README", "tables/d1.tab"]),
    ],
)
def test_a_folder_around_all_files_of_an_archive_is_left_out(
    packed: list[str], found: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".files").mkdir()
    (tmp_path / ".files/tokens.zip").write_bytes(archive_bytes([(name, b"") for name in packed]))
    folder = Path(str(_settings_with_files({"tokens": ".files/tokens.zip"})["tokens"]))
    assert sorted(str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_file()) == found
