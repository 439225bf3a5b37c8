"""Template filters for figures, sizes and instants; nothing is computed here but the rounding."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django import template
from django.utils.html import format_html

from lydite.report.tables import figure_name, percent
from lydite_workbench.campaigns.rules import format_instant

register = template.Library()


register.filter("figure", percent)
"""A fraction as a percentage, as the command prints it; a dash if it is undefined."""
register.filter("figure_name", figure_name)
"""The name of a figure of a comparison, as on the report page."""


@register.filter
def megabytes(size: int) -> str:
    """A number of bytes in megabytes."""
    return f"{size / 1_000_000:g} MB"


@register.filter
def instant(moment: datetime, zone: str = "UTC") -> str:
    """An instant in a zone, in UTC and anywhere on earth; a script adds the reader's zone."""
    return format_html('<time datetime="{}">{}</time>', moment.isoformat(), format_instant(moment, zone))


@register.filter
def local(moment: datetime, zone: str) -> str:
    """An instant as the local time of a zone, for a field of a form."""
    there = moment.astimezone(ZoneInfo(zone))
    return f"{there:%Y-%m-%dT%H:%M:%S}" if there.second else f"{there:%Y-%m-%dT%H:%M}"
