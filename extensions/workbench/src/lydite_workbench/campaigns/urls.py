"""Where the pages of campaigns are, and who may see them."""

from __future__ import annotations

from functools import partial

from django.urls import URLPattern

from lydite_workbench.campaigns import api, boards, organising, views
from lydite_workbench.rights import (
    ADMINISTER,
    ANYBODY,
    MAKE_TOKEN,
    MANAGE_TOKEN,
    ORGANISE,
    SEE_BOARD,
    SEE_CAMPAIGN,
    SEE_FIGURES,
    SEE_MESSAGE,
    SEE_REPORT,
    SEE_RUN,
    SEE_TEAM,
    SEND_RUNS,
    TAKE_PART,
    WITHDRAW_RUN,
    endpoint,
)

app_name = "campaigns"
HERE = "campaigns/<slug:campaign>"
FORM = ("GET", "POST")
post = partial(endpoint, methods=("POST",))
organise = partial(post, right=ORGANISE)

urlpatterns: list[URLPattern] = [
    endpoint("", views.home, right=ANYBODY, name="home"),
    endpoint("new-campaign", organising.new_campaign, right=ADMINISTER, name="new", methods=FORM),
    endpoint(HERE, views.campaign, right=SEE_CAMPAIGN, name="campaign"),
    endpoint(f"{HERE}/send", views.send, right=SEND_RUNS, name="send", methods=FORM),
    endpoint(f"{HERE}/leaderboard", boards.leaderboard, right=SEE_CAMPAIGN, name="leaderboard"),
    endpoint(f"{HERE}/messages", views.messages, right=TAKE_PART, name="messages"),
    endpoint(f"{HERE}/messages.txt", views.messages_file, right=TAKE_PART, name="messages-file"),
    endpoint("messages/<slug:message>", views.message, right=SEE_MESSAGE, name="message"),
    endpoint("runs/<slug:run>", views.run, right=SEE_RUN, name="run"),
    endpoint("runs/<slug:run>/state", views.run_state, right=SEE_RUN, name="run-state"),
    post("runs/<slug:run>/withdraw", views.withdraw, right=WITHDRAW_RUN, name="withdraw"),
    endpoint("runs/<slug:run>/report", api.report, right=SEE_REPORT, name="report"),
    endpoint("runs/<slug:run>/file", views.run_file, right=SEE_RUN, name="run-file"),
    endpoint("boards/<slug:board>", boards.board_page, right=SEE_BOARD, name="board"),
    endpoint(
        "boards/<slug:board>/table.<slug:layout>", boards.board_table, right=SEE_BOARD, name="board-table"
    ),
    endpoint("teams/<slug:team>", organising.team, right=SEE_TEAM, name="team"),
    post("teams/<slug:team>/token", organising.team_token, right=MAKE_TOKEN, name="team-token"),
    post("tokens/<slug:token>/revoke", organising.revoke_token, right=MANAGE_TOKEN, name="revoke"),
    endpoint(f"{HERE}/manage", organising.manage, right=ORGANISE, name="manage"),
    endpoint(f"{HERE}/audit", organising.audit, right=ORGANISE, name="audit"),
    endpoint(f"{HERE}/audit.csv", organising.audit_file, right=ORGANISE, name="audit-file"),
    organise(f"{HERE}/about", organising.change_campaign, name="change-campaign"),
    organise(f"{HERE}/phases", organising.add_phase, name="add-phase"),
    organise(f"{HERE}/phases/<slug:phase>", organising.change_phase, name="change-phase"),
    organise(f"{HERE}/phases/<slug:phase>/board", boards.draft, name="draft-board"),
    organise(f"{HERE}/teams", organising.add_team, name="add-team"),
    organise(f"{HERE}/invitations", organising.invite, name="invite"),
    organise("teams/<slug:team>/invitation", organising.invite_to_team, name="invite-to-team"),
    organise(f"{HERE}/gold", organising.replace_gold, name="replace-gold"),
    organise(f"{HERE}/score-again", organising.score_again, name="score-again"),
    organise("gold/<slug:gold>/tell", organising.send_differences, name="send-differences"),
    organise("runs/<slug:run>/try-again", views.try_again, name="try-again"),
    organise("boards/<slug:board>/publish", boards.publish, name="publish"),
    organise("boards/<slug:board>/retract", boards.retract, name="retract"),
    organise(f"{HERE}/message", organising.send_message, name="send-message"),
]
api_urlpatterns: list[URLPattern] = [
    endpoint("campaigns", api.campaigns, right=ANYBODY, name="campaigns"),
    endpoint(HERE, api.campaign, right=SEE_CAMPAIGN, name="campaign"),
    post(f"{HERE}/runs", api.send_run, right=SEND_RUNS, name="runs"),
    endpoint(f"{HERE}/leaderboard", api.leaderboard, right=SEE_CAMPAIGN, name="leaderboard"),
    endpoint("runs/<slug:run>", api.run, right=SEE_RUN, name="run"),
    endpoint("runs/<slug:run>/summary", api.summary, right=SEE_FIGURES, name="summary"),
    endpoint("runs/<slug:run>/report", api.report, right=SEE_REPORT, name="report"),
    post("runs/<slug:run>/withdraw", api.withdraw, right=WITHDRAW_RUN, name="withdraw"),
]
"""Below ``/api/v1/``."""
