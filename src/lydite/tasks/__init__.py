"""The tasks that lydite scores."""

from lydite.pipeline import Task
from lydite.registry import Registry

TASKS: Registry[Task] = Registry(
    "task",
    {
        "nugget": "lydite.tasks.nugget:NUGGET",
        "arguments": "lydite.tasks.arguments:ARGUMENTS",
    },
    group="lydite.tasks",
)
