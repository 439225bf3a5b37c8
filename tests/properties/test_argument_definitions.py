"""Random stores scored by the implementation and by the definitions written down naively."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argument_cases import store
from argument_definitions import LATER, Files, Options, score, score_linking
from argument_stores import DOCUMENTS, Chances, checked_store, linking_stores, stores
from argument_validator import Corpus, Said, validated
from lydite.errors import InputError
from lydite.facade.choosing import UserChoice
from lydite.facade.validating import validate_file
from lydite.verify import arguments as layouts
from lydite.verify.cases import Case

SEEDS = st.integers(0, 2**32 - 1)
PROFILES = ("kbp2014", "kbp2014-final", "kbp2014-revised", "kbp2014-text")


def written(folder: Path, files: Files) -> str:
    path: str = store(folder, {name: text.encode() for name, text in files.items()})
    return path


def chances(rng: Random, profile: str) -> Chances:
    """Few of the faults that a profile refuses, so that most stores are scored."""
    fault = rng.choice((0.0, 0.0, 0.1)) / (3 if profile in LATER else 1)
    small_x = rng.choice((0.0, 0.5)) if profile == "kbp2014" else 0.5
    strange = rng.choice((0.0, fault if profile in LATER else 0.3))
    return Chances(rng.choice((0.0, 0.1)), small_x, fault, rng.choice((0.0, 0.1)), strange)


def options(rng: Random, profile: str) -> Options:
    expand, neutralize = rng.random() < 0.3, rng.random() < 0.3
    documents = tuple(rng.sample(DOCUMENTS, 2)) if rng.random() < 0.2 else None
    # The definitions do not say where in file order an added argument stands, which these profiles ask.
    expand = expand and not (neutralize and profile in LATER)
    return Options(profile, expand, neutralize, rng.random() < 0.05, documents)


def asked(chosen: Options) -> dict[str, Any]:
    """The options as a conformance case has them."""
    return {name: value for name, value in chosen._asdict().items() if value not in {None, False}}


def case(folder: Path, chosen: Options) -> Case:
    return Case(folder, {"profile": chosen.profile, "reading": "as-official", "options": asked(chosen)})


def outcome(run: layouts.Run, folder: Path, chosen: Options) -> dict[str, Any] | InputError:
    """What the stores score, or why they are refused."""
    try:
        return run(case(folder, chosen), asked(chosen))
    except InputError as error:
        return error


def assert_close(wanted: Any, found: Any, path: str = "") -> None:
    if isinstance(wanted, dict):
        assert found.keys() == wanted.keys(), path
        for key, value in wanted.items():
            assert_close(value, found[key], f"{path}/{key}")
    else:
        assert found == (pytest.approx(wanted, abs=1e-9) if isinstance(wanted, float) else wanted), path


@pytest.mark.parametrize("profile", PROFILES)
@given(SEEDS)
def test_random_stores_score_as_the_definitions_say(profile: str, seed: int) -> None:
    rng = Random(seed)
    system, annotation = stores(rng, chances(rng, profile))
    chosen = options(rng, profile)
    wanted = score(system, annotation, chosen)
    with tempfile.TemporaryDirectory() as folder:
        written(Path(folder, "system"), system)
        written(Path(folder, "annotation"), annotation)
        found = outcome(layouts.scores_of, Path(folder), chosen)
    if isinstance(wanted, set):
        assert isinstance(found, InputError)
        assert all(any(why in finding.message for finding in found.findings) for why in wanted)
    else:
        assert_close(wanted, found)


@given(SEEDS)
def test_random_frames_score_as_the_definitions_say(seed: int) -> None:
    rng = Random(seed)
    files = linking_stores(rng, chances(rng, "kbp2015"))
    chosen = options(rng, "kbp2015")
    wanted = score_linking(files, chosen)
    with tempfile.TemporaryDirectory() as folder:
        written(Path(folder, "system", "arguments"), files.arguments)
        written(Path(folder, "system", "linking"), files.linking)
        written(Path(folder, "annotation"), files.annotation)
        written(Path(folder, "reference-linking"), files.reference)
        found = outcome(layouts.linking_of, Path(folder), chosen)
    if isinstance(wanted, set):
        assert isinstance(found, InputError)
        assert all(any(why in finding.message for finding in found.findings) for why in wanted)
    else:
        assert_close(wanted, found)


TAXONOMY = Path("src/lydite/taxonomies/kbp2014.toml")
OURS = frozenset(
    {"byte-order-mark", "padded-column", "span-blank", "coref-unaccepted", "judged-role", "lying-offsets"}
)
"""Remarks that the tables do not have."""


def reported(folder: Path, *, annotation: bool, limits: tuple[int, int]) -> set[Said]:
    settings = {
        "documents": str(folder / "docs"),
        "annotation": annotation,
        "max-mention-length": limits[0],
        "max-justification-length": limits[1],
    }
    choice = UserChoice(task="arguments", profile="kbp2014", options=settings)
    findings, _ = validate_file(choice, str(folder / "store"))
    found = (Said(**layouts.finding_of(finding)) for finding in findings)
    return {said for said in found if said.check not in OURS}


@pytest.mark.parametrize("annotation", [False, True], ids=["submission", "annotation"])
@given(SEEDS)
def test_random_faults_are_found_as_the_tables_say(annotation: bool, seed: int) -> None:
    rng = Random(seed)
    texts, files = checked_store(rng, annotation=annotation)
    limits = rng.choice(((200, 1000), (8, 50)))
    wanted = validated(Corpus(texts, TAXONOMY.read_text("utf-8"), *limits), files, annotation=annotation)
    with tempfile.TemporaryDirectory() as folder:
        written(Path(folder, "docs"), texts)
        store(Path(folder, "store"), files)
        assert reported(Path(folder), annotation=annotation, limits=limits) == wanted
