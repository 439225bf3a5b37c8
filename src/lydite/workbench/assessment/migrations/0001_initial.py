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
            name="Pool",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.CharField(default=random_id, max_length=32, unique=True)),
                (
                    "campaign",
                    models.OneToOneField(
                        on_delete=models.PROTECT, related_name="pool", to="campaigns.campaign"
                    ),
                ),
                ("rules", models.JSONField(default=dict)),
                ("guidelines", models.CharField(default="kbp2014", max_length=80)),
                (
                    "guidelines_file",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="+", to="campaigns.storedfile"
                    ),
                ),
                ("twice", models.PositiveIntegerField(default=0)),
                (
                    "manifest",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="+", to="campaigns.storedfile"
                    ),
                ),
                ("created", models.DateTimeField(default=timezone.now)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("frozen", models.DateTimeField(blank=True, null=True)),
                (
                    "gold",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="+", to="campaigns.goldversion"
                    ),
                ),
                ("runs", models.ManyToManyField(related_name="+", to="campaigns.run")),
            ],
        ),
        migrations.CreateModel(
            name="PooledDocument",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.CharField(default=random_id, max_length=32, unique=True)),
                (
                    "pool",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="documents", to="assessment.pool"
                    ),
                ),
                ("doc_id", models.CharField(max_length=200)),
                ("position", models.PositiveIntegerField()),
                ("seats", models.PositiveIntegerField(default=1)),
                ("size", models.PositiveIntegerField(default=0)),
                ("changes", models.PositiveIntegerField(default=0)),
            ],
            options={
                "ordering": ("pool", "position"),
                "constraints": [
                    models.UniqueConstraint(fields=("pool", "doc_id"), name="one_pooled_document")
                ],
            },
        ),
        migrations.CreateModel(
            name="PooledItem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_id", models.CharField(default=random_id, max_length=32, unique=True)),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="items", to="assessment.pooleddocument"
                    ),
                ),
                ("key", models.CharField(max_length=32)),
                ("position", models.PositiveIntegerField()),
                ("columns", models.JSONField()),
            ],
            options={
                "ordering": ("document", "position"),
                "constraints": [models.UniqueConstraint(fields=("document", "key"), name="one_item")],
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="taken", to="assessment.pooleddocument"
                    ),
                ),
                (
                    "assessor",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="seats", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("until", models.DateTimeField()),
                ("finished", models.DateTimeField(blank=True, null=True)),
                ("judged", models.PositiveIntegerField(default=0)),
                ("flagged", models.PositiveIntegerField(default=0)),
                ("seconds", models.FloatField(default=0)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("document", "assessor"), name="one_seat_of_a_person"),
                    models.UniqueConstraint(fields=("document", "number"), name="one_person_on_a_seat"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Judgement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="judgements", to="assessment.pooleditem"
                    ),
                ),
                (
                    "assessor",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="judgements", to=settings.AUTH_USER_MODEL
                    ),
                ),
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
                ],
            },
        ),
        migrations.CreateModel(
            name="Grouping",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="groupings", to="assessment.pooleddocument"
                    ),
                ),
                (
                    "assessor",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("classes", models.JSONField()),
                ("at", models.DateTimeField(default=timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name="Comparison",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
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
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="rulings", to="assessment.pooleddocument"
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="rulings",
                        to="assessment.pooleditem",
                    ),
                ),
                (
                    "judgement",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="+", to="assessment.judgement"
                    ),
                ),
                (
                    "grouping",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="+", to="assessment.grouping"
                    ),
                ),
                (
                    "adjudicator",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("at", models.DateTimeField(default=timezone.now)),
            ],
        ),
    ]
