"""Facts about the sample stores of the reference project, where they lie beside the project."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import lydite
from lydite.formats.taxonomy import load_taxonomy, read_role_file

DATA = Path(__file__).parents[4] / "shared" / "reference-data" / "kbp-eal"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the reference project's sample data is not here")


@pytest.mark.parametrize("measurement", ["standard", "strict", "lax"])
def test_the_sample_store_gives_the_published_counts(measurement: str) -> None:
    summary = lydite.score(
        DATA / "sampleFinishedAnnotationStore",
        DATA / "sampleOutputStore",
        task="arguments",
        profile="kbp2014",
        require_complete=True,
    )
    rows = {row.document: row for row in summary.rows if row.measurement == measurement and not row.by}
    counts = {
        document: (
            row.tally["gold_credit"],
            row.tally["system_total"] - row.tally["system_credit"],
            row.tally["gold_total"] - row.tally["gold_credit"],
        )
        for document, row in rows.items()
    }
    assert counts == {
        None: (4, 1, 19),
        "AFP_ENG_20030304.0250": (3, 1, 9),
        "AFP_ENG_20030418.0556": (1, 0, 10),
    }


def planted(name: str, **settings: Any) -> Any:
    findings = lydite.validate(
        DATA / "validator-tests" / name, task="arguments", profile="kbp2014", **settings
    )
    return {
        (finding.document or finding.item, finding.location.line, finding.code)
        for finding in findings
        if finding.severity == "error"
    }


FIRST, SECOND = "AFP_ENG_20100519.0224", "AFP_ENG_20100601.0724"


@pytest.mark.parametrize("suffix", ["", ".tar.gz"])
def test_planted_faults_of_form_are_found(suffix: str) -> None:
    assert planted(f"badFormatting{suffix}") == {
        (FIRST, 1, "event-type"),
        (FIRST, 2, "role"),
        (FIRST, 3, "realis"),
        (FIRST, 4, "confidence"),
        (SECOND, 3, "column-count"),
        (SECOND, 4, "column-count"),
    }


@pytest.mark.parametrize("suffix", ["", ".tar.gz"])
def test_planted_faults_of_values_are_found(suffix: str) -> None:
    assert planted(f"badValues{suffix}") == {
        (FIRST, 1, "event-type"),
        (FIRST, 2, "role"),
        (FIRST, 3, "realis"),
        (FIRST, 4, "confidence"),
        (SECOND, 1, "role"),
        (SECOND, 2, "role"),
    }


@pytest.fixture
def documents(tmp_path: Path) -> Any:
    for name in (FIRST, SECOND):
        (tmp_path / name).write_text("x" * 5000)
    return tmp_path


@pytest.mark.parametrize("suffix", ["", ".tar.gz"])
def test_a_span_outside_its_document_is_found(documents: Path, suffix: str) -> None:
    assert planted(f"outOfBounds{suffix}", documents=documents) == {(FIRST, 16, "span-bounds")}


def test_documents_outside_the_corpus_are_found(documents: Path) -> None:
    assert {code for _, _, code in planted("outsideCorpus.tar.gz", documents=documents)} == {
        "extra-document",
        "missing-document",
    }


@pytest.mark.parametrize("name", ["broken.tar.gz", "broken2.zip"])
def test_an_archive_of_a_folder_is_found(name: str) -> None:
    assert {code for _, _, code in planted(name)} == {"subdirectory"}


@pytest.mark.parametrize("name", ["good", "good.tar.gz"])
def test_the_good_submission_is_valid(name: str) -> None:
    assert planted(name) == set()


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("kbp2014", "2014.types.evaluation-tag.txt"),
        ("kbp2014-later", "2014.types.txt"),
        ("kbp2015", "2015.types.txt"),
    ],
)
def test_taxonomies_have_the_types_and_roles_of_the_role_files(name: str, file: str) -> None:
    ours = load_taxonomy(name)
    theirs = read_role_file((DATA / "types" / file).read_text())
    assert {key: set(roles) for key, roles in ours.types.items()} == {
        key: set(roles) for key, roles in theirs.types.items()
    }


@pytest.mark.parametrize("name", ["pilot", "evaluation.2014"])
def test_the_quote_filters_of_the_campaign_are_read(name: str) -> None:
    from lydite.formats.quote_filters import read_quote_filter as read
    from lydite.formats.quote_filters import write_quote_filter as write

    path = DATA / "quote-filters" / f"{name}.quoteFilter"
    assert read(path)
    assert sorted(write(read(path)).split()) == sorted(path.read_bytes().split())
