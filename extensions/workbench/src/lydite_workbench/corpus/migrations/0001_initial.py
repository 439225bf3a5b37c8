from django.conf import settings
from django.db import migrations, models

from lydite_workbench.columns import JOB, KEY, PUBLIC_ID, choice, link, unique


class Migration(migrations.Migration):
    initial = True

    dependencies = [("accounts", "__first__"), ("campaigns", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Collection",
            fields=[
                *JOB,
                PUBLIC_ID,
                ("slug", models.SlugField(max_length=80, unique=True)),
                ("title", models.CharField(max_length=200)),
                link("campaign", "campaigns.campaign", "collections"),
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
                KEY,
                link("collection", "corpus.collection", "files"),
                choice("part", "texts", "targets", "gold", max_length=20),
                ("name", models.CharField(max_length=200)),
                link("file", "campaigns.storedfile"),
            ],
            options={"ordering": ("id",)},
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                KEY,
                link("collection", "corpus.collection", "entries"),
                ("name", models.CharField(max_length=200)),
                ("kind", models.CharField(max_length=20)),
                ("target", models.CharField(blank=True, max_length=200)),
                ("document", models.CharField(blank=True, max_length=400)),
                ("data", models.JSONField()),
                link("author", settings.AUTH_USER_MODEL, null=True),
            ],
            options={
                "ordering": ("id",),
                "indexes": [
                    models.Index(
                        fields=["collection", "kind", "target", "document"], name="entries_about_a_target"
                    ),
                    models.Index(fields=["collection", "kind", "id"], name="entries_of_a_kind"),
                ],
                "constraints": [unique("one_entry_of_an_id", "collection", "name")],
            },
        ),
        migrations.CreateModel(
            name="TargetTally",
            fields=[
                KEY,
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
            options={"constraints": [unique("one_tally_of_a_target", "collection", "target")]},
        ),
        migrations.CreateModel(
            name="MergeOperation",
            fields=[KEY, link("collection", "corpus.collection", "operations"), ("data", models.JSONField())],
            options={"ordering": ("id",)},
        ),
    ]
