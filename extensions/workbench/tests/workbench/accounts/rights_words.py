"""What URLs of accounts name."""

from __future__ import annotations

from workbench_world import World


def words(_world: World) -> dict[str, str]:
    from lydite_workbench.accounts.services import invite

    return {"code": invite("administrator", actor="test").removeprefix("/invitation/")}
