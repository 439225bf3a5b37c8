from django.conf import settings
from django.db import migrations, models
from django.utils import timezone

from lydite_workbench.columns import KEY, PUBLIC_ID, link, unique


class Migration(migrations.Migration):
    initial = True

    dependencies = [("accounts", "__first__"), ("campaigns", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Pool",
            fields=[
                KEY,
                PUBLIC_ID,
                (
                    "campaign",
                    models.OneToOneField(
                        on_delete=models.PROTECT, related_name="pool", to="campaigns.campaign"
                    ),
                ),
                ("rules", models.JSONField(default=dict)),
                ("guidelines", models.CharField(default="kbp2014", max_length=80)),
                link("guidelines_file", "campaigns.storedfile", null=True),
                ("twice", models.PositiveIntegerField(default=0)),
                link("manifest", "campaigns.storedfile", null=True),
                ("created", models.DateTimeField(default=timezone.now)),
                ("frozen", models.DateTimeField(blank=True, null=True)),
                link("gold", "campaigns.goldversion", null=True),
                ("runs", models.ManyToManyField(related_name="+", to="campaigns.run")),
            ],
        ),
        migrations.CreateModel(
            name="PooledDocument",
            fields=[
                KEY,
                PUBLIC_ID,
                link("pool", "assessment.pool", "documents"),
                ("doc_id", models.CharField(max_length=200)),
                ("position", models.PositiveIntegerField()),
                ("seats", models.PositiveIntegerField(default=1)),
                ("size", models.PositiveIntegerField(default=0)),
                ("changes", models.PositiveIntegerField(default=0)),
            ],
            options={
                "ordering": ("pool", "position"),
                "constraints": [unique("one_pooled_document", "pool", "doc_id")],
            },
        ),
        migrations.CreateModel(
            name="PooledItem",
            fields=[
                KEY,
                PUBLIC_ID,
                link("document", "assessment.pooleddocument", "items"),
                ("key", models.CharField(max_length=32)),
                ("position", models.PositiveIntegerField()),
                ("columns", models.JSONField()),
            ],
            options={
                "ordering": ("document", "position"),
                "constraints": [unique("one_item", "document", "key")],
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                KEY,
                link("document", "assessment.pooleddocument", "taken"),
                link("assessor", settings.AUTH_USER_MODEL, "seats"),
                ("number", models.PositiveIntegerField()),
                ("until", models.DateTimeField()),
                ("finished", models.DateTimeField(blank=True, null=True)),
                ("judged", models.PositiveIntegerField(default=0)),
                ("flagged", models.PositiveIntegerField(default=0)),
                ("seconds", models.FloatField(default=0)),
            ],
            options={
                "constraints": [
                    unique("one_seat_of_a_person", "document", "assessor"),
                    unique("one_person_on_a_seat", "document", "number"),
                ]
            },
        ),
        migrations.CreateModel(
            name="Judgement",
            fields=[
                KEY,
                link("item", "assessment.pooleditem", "judgements"),
                link("assessor", settings.AUTH_USER_MODEL, "judgements"),
                ("answers", models.JSONField(null=True)),
                ("note", models.TextField(blank=True)),
                ("flagged", models.BooleanField(default=False)),
                ("seconds", models.FloatField(default=0)),
                ("guidelines", models.CharField(max_length=100)),
                ("at", models.DateTimeField(default=timezone.now)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["assessor", "item", "id"], name="judgements_of_a_person"),
                    models.Index(
                        condition=models.Q(("flagged", True)), fields=["item"], name="flagged_judgements"
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="Grouping",
            fields=[
                KEY,
                link("document", "assessment.pooleddocument", "groupings"),
                link("assessor", settings.AUTH_USER_MODEL),
                ("classes", models.JSONField()),
                ("at", models.DateTimeField(default=timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name="Comparison",
            fields=[
                KEY,
                (
                    "document",
                    models.OneToOneField(
                        on_delete=models.CASCADE, related_name="comparison", to="assessment.pooleddocument"
                    ),
                ),
                ("changes", models.PositiveIntegerField()),
                ("undecided", models.PositiveIntegerField()),
                ("judged_by_both", models.PositiveIntegerField()),
                ("cells", models.JSONField()),
            ],
        ),
        migrations.CreateModel(
            name="Ruling",
            fields=[
                KEY,
                link("document", "assessment.pooleddocument", "rulings"),
                link("item", "assessment.pooleditem", "rulings", null=True),
                link("judgement", "assessment.judgement", null=True),
                link("grouping", "assessment.grouping", null=True),
                link("adjudicator", settings.AUTH_USER_MODEL),
                ("at", models.DateTimeField(default=timezone.now)),
            ],
        ),
    ]
