"""Where the pages of campaigns are, and who may see them."""

from __future__ import annotations

from functools import partial

from django.urls import URLPattern

from lydite_workbench.campaigns import api, boards, gold, messages, overview, phases, runs, setup, teams
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
    endpoint("", overview.home, right=ANYBODY, name="home"),
    endpoint("new-campaign", setup.new_campaign_view, right=ADMINISTER, name="new", methods=FORM),
    endpoint(HERE, overview.campaign, right=SEE_CAMPAIGN, name="campaign"),
    endpoint(f"{HERE}/send", runs.send_view, right=SEND_RUNS, name="send", methods=FORM),
    endpoint(f"{HERE}/leaderboard", boards.leaderboard_view, right=SEE_CAMPAIGN, name="leaderboard"),
    endpoint(f"{HERE}/messages", messages.messages_view, right=TAKE_PART, name="messages"),
    endpoint(f"{HERE}/messages.txt", messages.messages_file_view, right=TAKE_PART, name="messages-file"),
    endpoint("messages/<slug:message>", messages.message_view, right=SEE_MESSAGE, name="message"),
    endpoint("runs/<slug:run>", runs.run_view, right=SEE_RUN, name="run"),
    endpoint("runs/<slug:run>/state", runs.run_state_view, right=SEE_RUN, name="run-state"),
    post("runs/<slug:run>/withdraw", runs.withdraw_view, right=WITHDRAW_RUN, name="withdraw"),
    endpoint("runs/<slug:run>/report", api.report, right=SEE_REPORT, name="report"),
    endpoint("runs/<slug:run>/file", runs.run_file_view, right=SEE_RUN, name="run-file"),
    endpoint("boards/<slug:board>", boards.board_view, right=SEE_BOARD, name="board"),
    endpoint(
        "boards/<slug:board>/table.<slug:layout>",
        boards.board_table_view,
        right=SEE_BOARD,
        name="board-table",
    ),
    endpoint("teams/<slug:team>", teams.team_view, right=SEE_TEAM, name="team"),
    post("teams/<slug:team>/token", teams.team_token_view, right=MAKE_TOKEN, name="team-token"),
    post("tokens/<slug:token>/revoke", teams.revoke_token_view, right=MANAGE_TOKEN, name="revoke"),
    endpoint(f"{HERE}/manage", overview.manage, right=ORGANISE, name="manage"),
    endpoint(f"{HERE}/audit", overview.audit, right=ORGANISE, name="audit"),
    endpoint(f"{HERE}/audit.csv", overview.audit_file, right=ORGANISE, name="audit-file"),
    organise(f"{HERE}/about", setup.change_campaign_view, name="change-campaign"),
    organise(f"{HERE}/phases", phases.add_phase_view, name="add-phase"),
    organise(f"{HERE}/phases/<slug:phase>", phases.change_phase_view, name="change-phase"),
    organise(f"{HERE}/phases/<slug:phase>/board", boards.draft_view, name="draft-board"),
    organise(f"{HERE}/teams", teams.add_team_view, name="add-team"),
    organise(f"{HERE}/invitations", teams.invite_view, name="invite"),
    organise("teams/<slug:team>/invitation", teams.invite_to_team_view, name="invite-to-team"),
    organise(f"{HERE}/gold", gold.replace_gold_view, name="replace-gold"),
    organise(f"{HERE}/score-again", runs.score_again_view, name="score-again"),
    organise("gold/<slug:gold>/tell", gold.send_differences_view, name="send-differences"),
    organise("runs/<slug:run>/try-again", runs.try_again_view, name="try-again"),
    organise("boards/<slug:board>/publish", boards.publish_view, name="publish"),
    organise("boards/<slug:board>/retract", boards.retract_view, name="retract"),
    organise(f"{HERE}/message", messages.send_message_view, name="send-message"),
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
