from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.utils import timezone

from lydite_workbench.columns import KEY, PUBLIC_ID, choice, link, unique

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
        migrations.CreateModel(
            name="CampaignRole",
            fields=[
                KEY,
                link("user", settings.AUTH_USER_MODEL, "roles"),
                link("campaign", "campaigns.campaign", "roles"),
                choice("role", "organiser", "assessor", "adjudicator", "explorer", max_length=20),
            ],
            options={"constraints": [unique("one_role_of_a_kind", "user", "campaign", "role")]},
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                KEY,
                ("code_hash", models.CharField(max_length=64, unique=True)),
                ("role", models.CharField(max_length=20)),
                link("campaign", "campaigns.campaign", "invitations", null=True),
                link("team", "campaigns.team", "invitations", null=True),
                ("expires", models.DateTimeField()),
                ("used", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Token",
            fields=[
                KEY,
                PUBLIC_ID,
                ("key_hash", models.CharField(max_length=64, unique=True)),
                ("label", models.CharField(blank=True, max_length=100)),
                link("user", settings.AUTH_USER_MODEL, "tokens", null=True),
                link("team", "campaigns.team", "tokens", null=True),
                ("created", models.DateTimeField(default=timezone.now)),
                link("created_by", settings.AUTH_USER_MODEL, null=True),
                ("revoked", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("user__isnull", True), ("team__isnull", True), _connector="XOR"),
                        name="of_one_person_or_team",
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                KEY,
                ("at", models.DateTimeField(db_index=True, default=timezone.now)),
                ("actor", models.CharField(max_length=200)),
                link("campaign", "campaigns.campaign", "audit", null=True),
                ("act", models.CharField(max_length=60)),
                ("about", models.CharField(blank=True, max_length=200)),
                ("details", models.JSONField(default=dict)),
            ],
            options={"ordering": ("-id",)},
        ),
        migrations.RunPython(guard_audit, migrations.RunPython.noop),
    ]
