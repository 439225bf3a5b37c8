"""Where the pages of accounts are, and who may see them."""

from __future__ import annotations

from django.urls import URLPattern

from lydite_workbench.accounts import views
from lydite_workbench.rights import ANYBODY, IN_PERSON, SIGNED_IN, endpoint

app_name = "accounts"
urlpatterns: list[URLPattern] = [
    endpoint("sign-in", views.sign_in, right=ANYBODY, name="sign-in", methods=("GET", "POST")),
    endpoint("sign-out", views.sign_out, right=SIGNED_IN, name="sign-out", methods=("POST",)),
    endpoint("account", views.account, right=IN_PERSON, name="account", methods=("GET", "POST")),
    endpoint("account/token", views.token, right=IN_PERSON, name="token", methods=("POST",)),
    endpoint(
        "invitation/<str:code>", views.invitation, right=ANYBODY, name="invitation", methods=("GET", "POST")
    ),
]
