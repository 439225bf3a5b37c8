from django.conf import settings
from django.db import migrations, models
from django.utils import timezone

from lydite.workbench.keys import random_id


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("accounts", "__first__"),
        ("campaigns", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Collection",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "job_state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("worker", models.CharField(blank=True, max_length=80)),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("reason", models.CharField(blank=True, max_length=40)),
                ("message", models.TextField(blank=True)),
                ("created", models.DateTimeField(default=timezone.now)),
                ("finished", models.DateTimeField(blank=True, null=True)),
                ("seconds", models.FloatField(blank=True, null=True)),
                ("lydite_version", models.CharField(max_length=40)),
                ("signature", models.CharField(max_length=500)),
                ("public_id", models.CharField(default=random_id, max_length=32, unique=True)),
                ("slug", models.SlugField(max_length=80, unique=True)),
                ("title", models.CharField(max_length=200)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="collections", to="campaigns.campaign"
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("percent", models.PositiveIntegerField(default=0)),
                ("documents", models.PositiveIntegerField(default=0)),
                ("findings", models.JSONField(default=list)),
            ],
            options={
                "ordering": ("campaign", "created"),
                "abstract": False,
                "indexes": [models.Index(fields=["job_state", "created"], name="collection_to_do")],
            },
        ),
        migrations.CreateModel(
            name="CollectionFile",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "collection",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="files", to="corpus.collection"),
                ),
                (
                    "part",
                    models.CharField(
                        choices=[("texts", "Texts"), ("targets", "Targets"), ("gold", "Gold")], max_length=20
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                (
                    "file",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="campaigns.storedfile"),
                ),
                ("added", models.DateTimeField(default=timezone.now)),
            ],
            options={
                "ordering": ("id",),
            },
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="entries", to="corpus.collection"
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("kind", models.CharField(max_length=20)),
                ("target", models.CharField(blank=True, max_length=200)),
                ("document", models.CharField(blank=True, max_length=400)),
                ("data", models.JSONField()),
                (
                    "author",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("at", models.DateTimeField(default=timezone.now)),
            ],
            options={
                "ordering": ("id",),
                "indexes": [
                    models.Index(
                        fields=["collection", "kind", "target", "document"], name="entries_about_a_target"
                    ),
                    models.Index(fields=["collection", "kind", "id"], name="entries_of_a_kind"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("collection", "name"), name="one_entry_of_an_id")
                ],
            },
        ),
        migrations.CreateModel(
            name="TargetTally",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="tallies", to="corpus.collection"
                    ),
                ),
                ("target", models.CharField(max_length=200)),
                ("entries", models.PositiveIntegerField()),
                ("last", models.BigIntegerField()),
                ("progress", models.JSONField()),
                ("opinion", models.JSONField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("collection", "target"), name="one_tally_of_a_target")
                ],
            },
        ),
        migrations.CreateModel(
            name="MergeOperation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="operations", to="corpus.collection"
                    ),
                ),
                ("data", models.JSONField()),
                (
                    "author",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
            },
        ),
    ]
