"""Where the pages and API calls of this app are, and who may see them."""

from __future__ import annotations

from django.urls import URLPattern

app_name = "corpus"
urlpatterns: list[URLPattern] = []
api_urlpatterns: list[URLPattern] = []
"""Below ``/api/v1/``."""
