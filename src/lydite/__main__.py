"""``python -m lydite`` and ``lydite`` are the command."""

import gc
import os
import sys
from _thread import _local as local
from importlib import import_module
from types import ModuleType
from typing import NoReturn


class _Later(ModuleType):
    """Stands for a module of the standard library, which is loaded when more is asked of it than is ``known``."""

    def __init__(self, name: str, **known: object) -> None:
        super().__init__(name)
        vars(self).update(known)

    def __getattr__(self, name: str) -> object:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


def _untranslated(text: str) -> str:
    return text


def _untranslated_count(one: str, many: str, count: int) -> str:
    return one if count == 1 else many


def _load_click() -> None:
    """Load click without what only its helps, its translations and types that we do not use need.

    That would be a twentieth of a short run.
    """
    stand_ins = [
        _Later("inspect"),
        _Later("gettext", gettext=_untranslated, ngettext=_untranslated_count),
        _Later("datetime", datetime=import_module("_datetime").datetime),
        _Later("threading", local=local),
        _Later("uuid", UUID=object),  # what its type is said to be made of while it is declared
    ]
    used = [module for module in stand_ins if sys.modules.setdefault(module.__name__, module) is module]
    import_module("click")
    for module in used:
        vars(module).pop("UUID", None)
        if sys.modules[module.__name__] is module:
            del sys.modules[module.__name__]


def main() -> NoReturn:
    """Run the command; an interrupt ends it with its status even while modules are being loaded."""
    # Modules and documents are made to stay; looking for cycles among them only costs time.
    gc.set_threshold(2_000_000, 50, 50)
    try:
        _load_click()
        from lydite.cli import main as run_command

        run_command()
    except KeyboardInterrupt:
        os._exit(130)


if __name__ == "__main__":
    main()
