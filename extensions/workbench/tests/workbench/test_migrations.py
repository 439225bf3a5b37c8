"""The tables are those of the models."""

from __future__ import annotations

from django.core.management import call_command

from workbench_world import World


def test_no_model_waits_for_a_migration(workbench: World) -> None:
    assert workbench
    call_command("makemigrations", check_changes=True, dry_run=True, verbosity=0)
