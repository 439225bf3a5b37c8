"""Scoring while documents come: a metric for training loops, ranks and services."""
