"""``python -m lydite`` and ``lydite`` are the command."""

import gc
import os
import sys
from importlib import import_module
from types import ModuleType
from typing import NoReturn


class _Later(ModuleType):
    """Stands for a module of the standard library, which is loaded when something of it is asked for."""

    def __getattr__(self, name: str) -> object:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


def main() -> NoReturn:
    """Run the command; an interrupt ends it with its status even while modules are being loaded."""
    # Modules and documents are made to stay; looking for cycles among them only costs time.
    gc.set_threshold(2_000_000, 50, 50)
    # click imports it for helps of several lines, of which a run that scores has none.
    sys.modules.setdefault("inspect", _Later("inspect"))
    try:
        from lydite.cli import main as run_command

        run_command()
    except KeyboardInterrupt:
        os._exit(130)


if __name__ == "__main__":
    main()
