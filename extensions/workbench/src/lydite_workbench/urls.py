"""The table of all URLs: of every app, of the API, and of the health checks."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from lydite_workbench import health
from lydite_workbench.accounts import urls as accounts
from lydite_workbench.adjudication import urls as adjudication
from lydite_workbench.api import openapi
from lydite_workbench.assessment import urls as assessment
from lydite_workbench.campaigns import urls as campaigns
from lydite_workbench.corpus import urls as corpus
from lydite_workbench.rights import ANYBODY, endpoint

APPS = (accounts, campaigns, assessment, adjudication, corpus)

api = [
    endpoint("openapi.json", openapi, right=ANYBODY, name="openapi"),
    # Items of adjudication are asked for with those of assessment.
    *(pattern for app in (campaigns, assessment, corpus) for pattern in app.api_urlpatterns),
]
urlpatterns: list[URLPattern | URLResolver] = [
    endpoint("healthz", health.alive, right=ANYBODY, name="healthz"),
    endpoint("readyz", health.ready, right=ANYBODY, name="readyz"),
    path("api/v1/", include((api, "api"))),
    *(path("", include((app.urlpatterns, app.app_name))) for app in APPS),
]

handler500 = "lydite_workbench.rights.server_error"
handler400 = "lydite_workbench.rights.bad_request"
handler404 = "lydite_workbench.rights.not_found"
