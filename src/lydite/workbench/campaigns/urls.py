"""Where the pages of campaigns are, and who may see them."""

from __future__ import annotations

from django.urls import URLPattern

from lydite.workbench.campaigns import api, views
from lydite.workbench.rights import ANYBODY, endpoint

app_name = "campaigns"
urlpatterns: list[URLPattern] = [
    endpoint("", views.home, right=ANYBODY, name="home"),
]
api_urlpatterns: list[URLPattern] = api.calls
"""Below ``/api/v1/``."""
