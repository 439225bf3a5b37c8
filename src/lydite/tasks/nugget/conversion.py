"""What changes when event mentions are written in another format: the unit of spans, the name of the system."""

from __future__ import annotations

from dataclasses import replace

from lydite.formats.token_spans import tables_of, with_characters, with_tokens
from lydite.model import Corpus, LazyDocuments
from lydite.profile import Profile


def convert(corpus: Corpus, profile: Profile) -> Corpus:
    """The corpus with its spans in the unit asked for and the system's name asked for."""
    if profile["system-name"]:
        corpus = replace(corpus, facts={**corpus.facts, "system": profile["system-name"]})
    unit = profile["spans"]
    if unit in {"as-written", corpus.facts.get("unit")}:
        return corpus
    tables = tables_of(profile.values)
    change = with_tokens if unit == "token" else with_characters
    documents = corpus.documents
    return replace(
        corpus,
        documents=LazyDocuments(tuple(documents), lambda doc_id: change(documents[doc_id], tables)),
        facts={**corpus.facts, "unit": unit},
    )
