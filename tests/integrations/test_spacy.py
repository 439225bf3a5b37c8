from __future__ import annotations

import pytest

spacy = pytest.importorskip("spacy")

from spacy.tokens import Doc, Span  # noqa: E402
from spacy.training import Example  # noqa: E402

import lydite.integrations.spacy  # noqa: E402 - registers the scorers


def document(kind: str) -> Doc:
    doc = Doc(spacy.blank("en").vocab, words=["Anna", "met", "her", "friend", "Ben"])
    doc.ents = [Span(doc, 0, 1, label="PER"), Span(doc, 4, 5, label=kind)]
    doc.spans["events"] = [Span(doc, 1, 2, label="Contact_Meet")]
    doc.spans["coref_clusters_1"] = [Span(doc, 0, 1), Span(doc, 2, 3)]
    return doc


@pytest.mark.parametrize(
    ("name", "figure", "value"),
    [
        ("lydite.coref.v1", "lydite/coref/conll/f1", 1.0),
        ("lydite.nugget.v1", "lydite/type/detection/f1", 1.0),
        ("lydite.spans.v1", "lydite/entity/span-exact/f1", 0.5),
    ],
)
def test_a_scorer_of_the_registry_scores_a_pipeline(name: str, figure: str, value: float) -> None:
    score = spacy.registry.scorers.get(name)()
    examples = [Example(document("ORG"), document("PER"))]
    assert score(examples)[figure] == value
    assert score([]) == {}


def test_a_profile_that_does_not_exist_is_refused_when_the_scorer_is_made() -> None:
    with pytest.raises(lydite.UsageError, match="no profile 'nope'"):
        spacy.registry.scorers.get("lydite.spans.v1")(profile="nope")
