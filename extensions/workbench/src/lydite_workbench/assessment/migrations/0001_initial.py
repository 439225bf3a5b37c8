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
            name="Pool",
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
                ("rules", models.JSONField(default=dict)),
                ("guidelines", models.CharField(default="kbp2014", max_length=80)),
                ("twice", models.PositiveIntegerField(default=0)),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
                ("frozen", models.DateTimeField(blank=True, null=True)),
                (
                    "campaign",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pool",
                        to="campaigns.campaign",
                    ),
                ),
                (
                    "gold",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="campaigns.goldversion",
                    ),
                ),
                (
                    "guidelines_file",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="campaigns.storedfile",
                    ),
                ),
                (
                    "manifest",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="campaigns.storedfile",
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
                (
                    "public_id",
                    models.CharField(default=lydite_workbench.keys.random_id, max_length=32, unique=True),
                ),
                ("doc_id", models.CharField(max_length=200)),
                ("position", models.PositiveIntegerField()),
                ("seats", models.PositiveIntegerField(default=1)),
                ("size", models.PositiveIntegerField(default=0)),
                ("changes", models.PositiveIntegerField(default=0)),
                (
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="documents",
                        to="assessment.pool",
                    ),
                ),
            ],
            options={"ordering": ("pool", "position")},
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
                ("classes", models.JSONField()),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "assessor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="groupings",
                        to="assessment.pooleddocument",
                    ),
                ),
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
                ("changes", models.PositiveIntegerField()),
                ("undecided", models.PositiveIntegerField()),
                ("judged_by_both", models.PositiveIntegerField()),
                ("cells", models.JSONField()),
                (
                    "document",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="comparison",
                        to="assessment.pooleddocument",
                    ),
                ),
            ],
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
                (
                    "public_id",
                    models.CharField(default=lydite_workbench.keys.random_id, max_length=32, unique=True),
                ),
                ("key", models.CharField(max_length=32)),
                ("position", models.PositiveIntegerField()),
                ("columns", models.JSONField()),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="items",
                        to="assessment.pooleddocument",
                    ),
                ),
            ],
            options={"ordering": ("document", "position")},
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
                ("answers", models.JSONField(null=True)),
                ("note", models.TextField(blank=True)),
                ("flagged", models.BooleanField(default=False)),
                ("seconds", models.FloatField(default=0)),
                ("guidelines", models.CharField(max_length=100)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "assessor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judgements",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judgements",
                        to="assessment.pooleditem",
                    ),
                ),
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
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "adjudicator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rulings",
                        to="assessment.pooleddocument",
                    ),
                ),
                (
                    "grouping",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="assessment.grouping",
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rulings",
                        to="assessment.pooleditem",
                    ),
                ),
                (
                    "judgement",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="assessment.judgement",
                    ),
                ),
            ],
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
                ("number", models.PositiveIntegerField()),
                ("until", models.DateTimeField()),
                ("finished", models.DateTimeField(blank=True, null=True)),
                ("judged", models.PositiveIntegerField(default=0)),
                ("flagged", models.PositiveIntegerField(default=0)),
                ("seconds", models.FloatField(default=0)),
                (
                    "assessor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seats",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="taken",
                        to="assessment.pooleddocument",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="pooleddocument",
            constraint=models.UniqueConstraint(fields=("pool", "doc_id"), name="one_pooled_document"),
        ),
        migrations.AddConstraint(
            model_name="pooleditem",
            constraint=models.UniqueConstraint(fields=("document", "key"), name="one_item"),
        ),
        migrations.AddIndex(
            model_name="judgement",
            index=models.Index(fields=["assessor", "item", "id"], name="judgements_of_a_person"),
        ),
        migrations.AddIndex(
            model_name="judgement",
            index=models.Index(
                condition=models.Q(("flagged", True)), fields=["item"], name="flagged_judgements"
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("document", "assessor"), name="one_seat_of_a_person"),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("document", "number"), name="one_person_on_a_seat"),
        ),
    ]
