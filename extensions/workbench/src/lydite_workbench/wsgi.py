"""The application for a WSGI server: ``gunicorn lydite_workbench.wsgi``; ``LYDITE_WORKBENCH_*`` say where it lives."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lydite_workbench.settings")
application = get_wsgi_application()
