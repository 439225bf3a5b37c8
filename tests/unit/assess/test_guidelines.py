from __future__ import annotations

from pathlib import Path

import pytest

from lydite.assess.guidelines import load_guidelines
from lydite.errors import UsageError
from lydite.formats.taxonomy import load_taxonomy

SEVEN = {
    "Life.Marry",
    "Life.Divorce",
    "Personnel.Start-Position",
    "Personnel.End-Position",
    "Personnel.Nominate",
    "Personnel.Elect",
    "Movement.Transport",
}


def test_every_question_has_a_definition_and_examples_of_both_kinds() -> None:
    guidelines = load_guidelines("kbp2014")
    assert [question.name for question in guidelines.questions] == [
        "event type",
        "role",
        "base filler",
        "canonical string",
        "realis",
        "mention type",
        "coreference",
    ]
    for question in guidelines.questions:
        assert question.asks
        assert question.when
        assert question.allowed
        assert question.not_allowed


@pytest.mark.parametrize("taxonomy", ["kbp2014", "kbp2014-later"])
def test_guidelines_and_taxonomies_look_twice_at_the_same_seven_types(taxonomy: str) -> None:
    (scrutiny,) = (rule for rule in load_guidelines("kbp2014").rules if rule.types)
    assert set(scrutiny.types) == SEVEN
    assert set(load_taxonomy(taxonomy).scrutiny) == SEVEN


def test_transport_is_looked_at_in_both_its_parts_in_2015() -> None:
    parts = {"Movement.Transport-Person", "Movement.Transport-Artifact"}
    assert set(load_taxonomy("kbp2015").scrutiny) == SEVEN - {"Movement.Transport"} | parts


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("questions = 5", "expected tables"),
        ('[[questions]]\nname = "x"', r"\[\[questions\]\] 1: .*definition is missing"),
        ('[[rules]]\nname = "x"\ndefinition = "y"\nalowed = []', "unknown key 'alowed'"),
        ('[[rules]]\nname = "x"\ndefinition = "y"\nallowed = "z"', "expected a list of texts"),
        ('[[rules]]\nname = "x"\ndefinition = "y"\nallowed = ["z", 5]', "expected a list of texts"),
        ("[[", "not valid TOML"),
    ],
)
def test_guidelines_of_another_shape_are_refused(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=says):
        load_guidelines(str(path))


def test_the_refusal_of_misspelt_guidelines_suggests_similar_names() -> None:
    with pytest.raises(UsageError) as refused:
        load_guidelines("kbp214")
    assert "kbp2014" in str(refused.value.hint)
