import django.utils.timezone
import lydite_workbench.keys
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="User",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "public_id",
                    models.CharField(default=lydite_workbench.keys.random_id, max_length=32, unique=True),
                ),
                ("name", models.CharField(max_length=150, unique=True)),
                ("shown_name", models.CharField(blank=True, max_length=150)),
                ("zone", models.CharField(default="UTC", max_length=64)),
                ("is_active", models.BooleanField(default=True)),
                ("is_administrator", models.BooleanField(default=False)),
                ("session_round", models.PositiveIntegerField(default=0)),
            ],
            options={"abstract": False},
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
                ("at", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ("actor", models.CharField(max_length=200)),
                ("act", models.CharField(max_length=60)),
                ("about", models.CharField(blank=True, max_length=200)),
                ("details", models.JSONField(default=dict)),
            ],
            options={"ordering": ("-id",)},
        ),
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
                ("expires", models.DateTimeField()),
                ("used", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="SignInFailure",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=64)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
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
                (
                    "public_id",
                    models.CharField(default=lydite_workbench.keys.random_id, max_length=32, unique=True),
                ),
                ("key_hash", models.CharField(max_length=64, unique=True)),
                ("label", models.CharField(blank=True, max_length=100)),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
                ("revoked", models.DateTimeField(null=True)),
            ],
        ),
    ]
