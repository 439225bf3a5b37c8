import django.db.models.deletion
from django.conf import settings
from django.apps.registry import Apps
from django.db import migrations, models
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


def guard_audit(_apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """The database itself refuses to change or delete a line of the audit log."""
    if editor.connection.vendor == "sqlite":
        statements = tuple(SQLITE.format(act=act) for act in ("UPDATE", "DELETE"))
    else:
        statements = POSTGRESQL
    for statement in statements:
        editor.execute(statement)


class Migration(migrations.Migration):
    initial = True

    dependencies = [("accounts", "0001_initial"), ("campaigns", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="auditentry",
            name="campaign",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="audit",
                to="campaigns.campaign",
            ),
        ),
        migrations.AddField(
            model_name="campaignrole",
            name="campaign",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="roles", to="campaigns.campaign"
            ),
        ),
        migrations.AddField(
            model_name="campaignrole",
            name="user",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="roles", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="campaign",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="invitations",
                to="campaigns.campaign",
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="team",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="invitations",
                to="campaigns.team",
            ),
        ),
        migrations.AddIndex(
            model_name="signinfailure", index=models.Index(fields=["key", "at"], name="failures_by_key")
        ),
        migrations.AddField(
            model_name="token",
            name="created_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="token",
            name="team",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="tokens",
                to="campaigns.team",
            ),
        ),
        migrations.AddField(
            model_name="token",
            name="user",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="tokens",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            model_name="campaignrole",
            constraint=models.UniqueConstraint(
                fields=("user", "campaign", "role"), name="one_role_of_a_kind"
            ),
        ),
        migrations.AddConstraint(
            model_name="token",
            constraint=models.CheckConstraint(
                condition=models.Q(("user__isnull", True), ("team__isnull", True), _connector="XOR"),
                name="of_one_person_or_team",
            ),
        ),
        migrations.RunPython(guard_audit, migrations.RunPython.noop),
    ]
