"""``python -m lydite`` and ``lydite`` are the command."""

import os
from typing import NoReturn


def main() -> NoReturn:
    """Run the command; an interrupt ends it with its status even while modules are being loaded."""
    try:
        from lydite.cli import main as run_command

        run_command()
    except KeyboardInterrupt:
        os._exit(130)


if __name__ == "__main__":
    main()
