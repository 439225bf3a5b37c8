"""Campaigns with their teams, runs, golds, leaderboards and messages; the jobs that check and score."""
