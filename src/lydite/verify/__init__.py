"""Proof: conformance cases in, agreement or differences out; one small adapter per kind of case."""

from lydite.registry import Registry
from lydite.verify.cases import Adapter

ADAPTERS: Registry[Adapter] = Registry(
    "kind of case",
    {
        "nugget.score": "lydite.verify.nugget:score",
        "nugget.validate": "lydite.verify.nugget:validate",
        "coref.score": "lydite.verify.coref:score",
        "triples.score": "lydite.verify.triples:score",
        "triples.convert": "lydite.verify.triples:convert",
        "ace.score": "lydite.verify.ace:score",
        "ace.adjudicate": "lydite.verify.ace:adjudicate",
    },
    group="lydite.cases",
)
