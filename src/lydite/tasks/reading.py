"""The setting that every task with an official reader has."""

from lydite.profile import Setting

READING = Setting(
    "reading",
    "str",
    "refuse",
    "refuse broken input, or read it as-official with a warning for each oddity",
    ("refuse", "as-official"),
    table="read",
)
