"""The product against figures derived anew from the written definitions, on random files, through ``verify``."""

from __future__ import annotations

from pathlib import Path

import pytest

import conversion_oracle
import triple_oracle
from lydite.verify import ADAPTERS
from lydite.verify.cases import run_case


def assert_agrees(folder: Path) -> None:
    outcome = run_case(folder, ADAPTERS.__getitem__)
    assert (outcome.status, outcome.differences, outcome.error) == ("agrees", (), None)


@pytest.mark.parametrize("seed", range(60))
def test_two_random_files_get_the_figures_of_the_definitions(tmp_path: Path, seed: int) -> None:
    triple_oracle.write_case(tmp_path, seed)
    assert_agrees(tmp_path)


@pytest.mark.parametrize("seed", range(25))
def test_two_random_folders_get_the_figures_of_the_definitions(tmp_path: Path, seed: int) -> None:
    triple_oracle.write_folder_case(tmp_path, seed)
    assert_agrees(tmp_path)


@pytest.mark.parametrize("kind", conversion_oracle.CASES)
@pytest.mark.parametrize("seed", range(15))
def test_a_random_file_is_converted_as_described(tmp_path: Path, kind: str, seed: int) -> None:
    conversion_oracle.write_case(tmp_path, kind, seed)
    assert_agrees(tmp_path)
