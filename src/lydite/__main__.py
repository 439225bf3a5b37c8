"""The command, as ``python -m lydite`` and ``lydite``."""

import gc
import os
from typing import NoReturn


def main() -> NoReturn:
    """Run the command; an interrupt gives its exit status even while modules are being loaded."""
    # Modules and documents stay in memory; searching them for cycles would only take time.
    gc.set_threshold(2_000_000, 50, 50)
    try:
        from lydite.cli import main as run_command

        run_command()
    except KeyboardInterrupt:
        os._exit(130)


if __name__ == "__main__":
    main()
