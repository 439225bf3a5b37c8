import django.db.models.deletion
import django.utils.timezone
import lydite_workbench.keys
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [("campaigns", "0001_initial"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

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
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
                ("lydite_version", models.CharField(max_length=40)),
                ("signature", models.CharField(max_length=500)),
                (
                    "public_id",
                    models.CharField(default=lydite_workbench.keys.random_id, max_length=32, unique=True),
                ),
                ("slug", models.SlugField(max_length=80, unique=True)),
                ("title", models.CharField(max_length=200)),
                ("percent", models.PositiveIntegerField(default=0)),
                ("documents", models.PositiveIntegerField(default=0)),
                ("findings", models.JSONField(default=list)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="collections",
                        to="campaigns.campaign",
                    ),
                ),
            ],
            options={"ordering": ("campaign", "created"), "abstract": False},
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
                    "part",
                    models.CharField(
                        choices=[("texts", "Texts"), ("targets", "Targets"), ("gold", "Gold")], max_length=20
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="files",
                        to="corpus.collection",
                    ),
                ),
                (
                    "file",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="campaigns.storedfile",
                    ),
                ),
            ],
            options={"ordering": ("id",)},
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
                ("name", models.CharField(max_length=200)),
                ("kind", models.CharField(max_length=20)),
                ("target", models.CharField(blank=True, max_length=200)),
                ("document", models.CharField(blank=True, max_length=400)),
                ("data", models.JSONField()),
                (
                    "author",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="corpus.collection",
                    ),
                ),
            ],
            options={"ordering": ("id",)},
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
                ("data", models.JSONField()),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="operations",
                        to="corpus.collection",
                    ),
                ),
            ],
            options={"ordering": ("id",)},
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
                ("target", models.CharField(max_length=200)),
                ("entries", models.PositiveIntegerField()),
                ("last", models.BigIntegerField()),
                ("progress", models.JSONField()),
                ("opinion", models.JSONField()),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tallies",
                        to="corpus.collection",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="collection",
            index=models.Index(fields=["job_state", "created"], name="collection_to_do"),
        ),
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(
                fields=["collection", "kind", "target", "document"], name="entries_about_a_target"
            ),
        ),
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(fields=["collection", "kind", "id"], name="entries_of_a_kind"),
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(fields=("collection", "name"), name="one_entry_of_an_id"),
        ),
        migrations.AddConstraint(
            model_name="targettally",
            constraint=models.UniqueConstraint(fields=("collection", "target"), name="one_tally_of_a_target"),
        ),
    ]
