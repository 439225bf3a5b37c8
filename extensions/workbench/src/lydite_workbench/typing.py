"""Settings for the type checker alone, which asks Django for the models; nothing is made or read for them."""

from __future__ import annotations

from pathlib import Path

from lydite_workbench.installation import embedded
from lydite_workbench.project import settings_for

globals().update(settings_for(embedded(Path("nowhere"))._replace(secret="for types alone")))  # noqa: S106 - none
