"""``python -m lydite`` and ``lydite`` are the command."""

import gc
import os
from typing import NoReturn


def main() -> NoReturn:
    """Run the command; an interrupt ends it with its status even while modules are being loaded."""
    # Modules and documents are made to stay; looking for cycles among them only costs time.
    gc.set_threshold(2_000_000, 50, 50)
    try:
        from lydite.cli import main as run_command

        run_command()
    except KeyboardInterrupt:
        os._exit(130)


if __name__ == "__main__":
    main()
