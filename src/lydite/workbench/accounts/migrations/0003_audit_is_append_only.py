"""The database itself refuses to change or delete a line of the audit log."""

from __future__ import annotations

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

SQLITE = """
CREATE TRIGGER audit_no_{act} BEFORE {act} ON accounts_auditentry
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END
"""
POSTGRESQL = (
    """
    CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'the audit log is append-only'; END $$
    """,
    """
    CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE ON accounts_auditentry
    FOR EACH ROW EXECUTE FUNCTION audit_is_append_only()
    """,
)


def guard(_apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Make the triggers."""
    if editor.connection.vendor == "sqlite":
        statements = tuple(SQLITE.format(act=act) for act in ("UPDATE", "DELETE"))
    else:
        statements = POSTGRESQL
    for statement in statements:
        editor.execute(statement)


class Migration(migrations.Migration):
    """After the tables."""

    dependencies = (("accounts", "0002_campaigns"),)
    operations = (migrations.RunPython(guard, migrations.RunPython.noop),)
