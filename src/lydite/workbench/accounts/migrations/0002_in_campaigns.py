from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.utils import timezone

from lydite.workbench.keys import random_id

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

    dependencies = [
        ("accounts", "0001_initial"),
        ("campaigns", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="CampaignRole",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="roles", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="roles", to="campaigns.campaign"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("organiser", "Organiser"),
                            ("assessor", "Assessor"),
                            ("adjudicator", "Adjudicator"),
                            ("explorer", "Explorer"),
                        ],
                        max_length=20,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("user", "campaign", "role"), name="one_role_of_a_kind")
                ],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("code_hash", models.CharField(max_length=64, unique=True)),
                ("role", models.CharField(max_length=20)),
                (
                    "campaign",
                    models.ForeignKey(
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="invitations",
                        to="campaigns.campaign",
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="invitations", to="campaigns.team"
                    ),
                ),
                ("note", models.CharField(blank=True, max_length=200)),
                ("created", models.DateTimeField(default=timezone.now)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("expires", models.DateTimeField()),
                ("used", models.DateTimeField(null=True)),
                (
                    "used_by",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Token",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.CharField(default=random_id, max_length=32, unique=True)),
                ("key_hash", models.CharField(max_length=64, unique=True)),
                ("label", models.CharField(blank=True, max_length=100)),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="tokens", to="campaigns.team"
                    ),
                ),
                ("created", models.DateTimeField(default=timezone.now)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("revoked", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("user__isnull", True), ("team__isnull", True), _connector="XOR"),
                        name="of_one_person_or_team",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(db_index=True, default=timezone.now)),
                ("actor", models.CharField(max_length=200)),
                (
                    "user",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "campaign",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="audit", to="campaigns.campaign"
                    ),
                ),
                ("act", models.CharField(max_length=60)),
                ("about", models.CharField(blank=True, max_length=200)),
                ("details", models.JSONField(default=dict)),
            ],
            options={
                "ordering": ("-id",),
            },
        ),
        migrations.RunPython(guard_audit, migrations.RunPython.noop),
    ]
