"""The command, as ``python -m lydite`` and ``lydite``."""

import gc
import os
import sys
from _thread import _local as local
from importlib import import_module
from types import ModuleType
from typing import NoReturn


class _StandIn(ModuleType):
    """Stands for a module of the standard library, which is loaded when more than the ``known`` names is used."""

    def __init__(self, name: str, **known: object) -> None:
        super().__init__(name)
        vars(self).update(known)

    def __getattr__(self, name: str) -> object:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


def _load_click() -> None:
    """Load click without what only its help texts, translations and unused types need: a twentieth of a short run."""
    stand_ins = [
        _StandIn("inspect"),
        _StandIn("gettext", gettext=str, ngettext=lambda one, many, count: one if count == 1 else many),
        _StandIn("datetime", datetime=import_module("_datetime").datetime),
        _StandIn("threading", local=local),
        _StandIn("uuid", UUID=object),  # click only needs the name for a type that is not used
    ]
    used = [module for module in stand_ins if sys.modules.setdefault(module.__name__, module) is module]
    import_module("click")
    for module in used:
        vars(module).pop("UUID", None)
        if sys.modules[module.__name__] is module:
            del sys.modules[module.__name__]


def main() -> NoReturn:
    """Run the command; an interrupt gives its exit status even while modules are being loaded."""
    # Modules and documents stay in memory; searching them for cycles would only take time.
    gc.set_threshold(2_000_000, 50, 50)
    try:
        _load_click()
        from lydite.cli import main as run_command

        run_command()
    except KeyboardInterrupt:
        os._exit(130)


if __name__ == "__main__":
    main()
