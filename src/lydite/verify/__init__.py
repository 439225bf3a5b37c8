"""Proof: conformance cases in, agreement or differences out; one small adapter per kind of case."""

from lydite.registry import Registry
from lydite.verify.cases import Adapter

ADAPTERS: Registry[Adapter] = Registry(
    "kind of case",
    {
        "nugget.score": "lydite.verify.nugget:score",
        "nugget.validate": "lydite.verify.nugget:validate",
        "nugget.convert": "lydite.verify.nugget:convert",
        "nugget.tokenize": "lydite.verify.nugget:tokenize",
        "coref.score": "lydite.verify.coref:score",
        "triples.score": "lydite.verify.triples:score",
        "triples.convert": "lydite.verify.triples:convert",
        "arguments.score": "lydite.verify.arguments:score",
        "arguments.score-linking": "lydite.verify.arguments:score_linking",
        "arguments.score-exact": "lydite.verify.arguments:score_exact",
        "arguments.validate": "lydite.verify.arguments:validate",
        "arguments.quote-filter": "lydite.verify.arguments:filter_quotes",
        "arguments.pool": "lydite.verify.arguments:pool",
        "arguments.merge": "lydite.verify.arguments:merge",
        "relations.score": "lydite.verify.modern:score",
        "spans.score": "lydite.verify.spans:score",
        "records.score": "lydite.verify.strings:score_records",
        "ace.score": "lydite.verify.ace:score",
        "ace.adjudicate": "lydite.verify.ace:adjudicate",
    },
    group="lydite.cases",
)
