"""The application for a WSGI server: ``gunicorn lydite.workbench.wsgi``; ``LYDITE_WORKBENCH_*`` say where it lives."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lydite.workbench.settings")
application = get_wsgi_application()
