"""Schemas of records: both forms say the same, and what they cannot mean is a finding."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

from lydite.errors import UsageError
from lydite.tasks.records.paths import steps_of
from lydite.tasks.records.schema import inferred_toml, load_schema, violations


def written(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def codes(path: str) -> list[str]:
    return [finding.code for finding in load_schema(path).findings]


def test_both_forms_give_the_same_comparators(tmp_path: Path) -> None:
    own = {"compare": "number", "abs": 0.01}
    document = {
        "type": "object",
        "properties": {
            "items": {
                "type": "array",
                "x-lydite": {"key": ["n"]},
                "items": {"properties": {"n": {"x-lydite": own}}},
            }
        },
    }
    one = load_schema(written(tmp_path, "a.json", json.dumps(document))).root
    two = load_schema(
        written(tmp_path, "a.toml", '["items"]\nkey = ["n"]\n["items[].n"]\ncompare = "number"\nabs = 0.01\n')
    ).root
    for root in (one, two):
        assert root.under("items").key == ("n",)
    assert (
        one.under("items").elements.under("n").comparator == two.under("items").elements.under("n").comparator
    )


def test_a_misspelt_key_is_an_error(tmp_path: Path) -> None:
    assert codes(written(tmp_path, "a.toml", '["a"]\ncomparee = "text"\n')) == ["unknown-key-of-schema"]


def test_a_value_that_a_key_cannot_have_is_an_error(tmp_path: Path) -> None:
    assert codes(written(tmp_path, "a.toml", '["a"]\nabs = "much"\n')) == ["bad-schema"]


def test_an_unread_keyword_is_a_note(tmp_path: Path) -> None:
    schema = load_schema(written(tmp_path, "a.json", '{"type": "object", "minProperties": 1}'))
    assert [(one.code, one.severity) for one in schema.findings] == [("ignored-keyword", "note")]


def test_a_reference_inside_of_the_file_is_followed_even_round_in_a_circle(tmp_path: Path) -> None:
    text = '{"$defs": {"n": {"type": "object", "properties": {"below": {"$ref": "#/$defs/n"}, "v": {"type": "string"}}}}, "$ref": "#/$defs/n"}'
    root = load_schema(written(tmp_path, "a.json", text)).root
    (broken,) = violations({"below": {"below": {"v": 3}}}, root)
    assert broken.path == "below.below.v"


def test_a_reference_that_leads_nowhere_is_an_error(tmp_path: Path) -> None:
    assert codes(written(tmp_path, "a.json", '{"$ref": "#/nothing"}')) == ["bad-schema"]


@pytest.mark.parametrize("name", ["none.json", "bad.json", "bad.toml"])
def test_a_file_that_is_no_schema_is_refused(tmp_path: Path, name: str) -> None:
    for bad in ("bad.json", "bad.toml"):
        written(tmp_path, bad, "[")
    with pytest.raises(UsageError, match="schema"):
        load_schema(str(tmp_path / name))


@pytest.mark.parametrize(
    ("value", "schema", "found"),
    [
        (Decimal("3.0"), '{"type": "integer"}', []),
        (True, '{"type": "number"}', [""]),
        ("2025-02-30", '{"type": "string", "format": "date"}', [""]),
        ({"a": 1}, '{"required": ["b"], "additionalProperties": false}', ["b", "a"]),
        ({"a": [1, "x"]}, '{"properties": {"a": {"items": {"type": "integer"}}}}', ["a[1]"]),
        ("c", '{"enum": ["a", "b"]}', [""]),
    ],
)
def test_each_place_that_breaks_the_schema_counts_once(
    tmp_path: Path, value: object, schema: str, found: list[str]
) -> None:
    root = load_schema(written(tmp_path, "a.json", schema)).root
    assert [one.path for one in violations(value, root)] == found


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("", []),
        ("[]", [None]),
        ("items[].name", ["items", None, "name"]),
        ('"a.b"[][].c', ["a.b", None, None, "c"]),
    ],
)
def test_a_path_is_taken_apart(path: str, steps: list[str | None]) -> None:
    assert steps_of(path) == steps


@pytest.mark.parametrize("path", ["a[1]", "a[x]", "a]", '"a"b'])
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match=r"expected|substring"):
        steps_of(path)


def test_the_schema_that_records_show_can_be_read_back(tmp_path: Path) -> None:
    text = inferred_toml([{"a.b": [{"n": 1}, {"n": "x"}], "t": True}])
    schema = load_schema(written(tmp_path, "a.toml", text))
    assert schema.findings == ()
    assert schema.root.under("a.b").elements.under("n").types == ("number", "string")
