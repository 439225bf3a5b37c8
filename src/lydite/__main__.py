"""``python -m lydite`` is the command."""

from lydite.cli import main

if __name__ == "__main__":
    main()
