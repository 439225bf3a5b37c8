"""The tasks that lydite scores."""

from lydite.pipeline.task import AnyTask
from lydite.registry import Registry

TASKS: Registry[AnyTask] = Registry(
    "task",
    {
        "nugget": "lydite.tasks.nugget:NUGGET",
        "coref": "lydite.tasks.coref:COREF",
        "triples": "lydite.tasks.triples:TRIPLES",
        "arguments": "lydite.tasks.arguments:ARGUMENTS",
        "ace": "lydite.tasks.ace:ACE",
        "relations": "lydite.tasks.relations:RELATIONS",
        "spans": "lydite.tasks.spans:SPANS",
        "records": "lydite.tasks.records:RECORDS",
    },
    group="lydite.tasks",
)
