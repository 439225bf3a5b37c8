"""Django's settings by name, from the environment: for WSGI servers that start the workbench themselves."""

from __future__ import annotations

from lydite_workbench.installation import from_environment
from lydite_workbench.project import settings_for

globals().update(settings_for(from_environment()))
