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
            name="Queue",
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
                (
                    "kind",
                    models.CharField(
                        choices=[("targets", "Targets"), ("annotators", "Annotators")], max_length=20
                    ),
                ),
                ("title", models.CharField(max_length=200)),
                ("rules", models.JSONField(default=dict)),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="queues",
                        to="campaigns.campaign",
                    ),
                ),
                ("runs", models.ManyToManyField(related_name="+", to="campaigns.run")),
            ],
            options={"ordering": ("campaign", "created")},
        ),
        migrations.CreateModel(
            name="QueueFile",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("position", models.PositiveIntegerField()),
                ("has_texts", models.BooleanField(default=False)),
                (
                    "file",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="campaigns.storedfile",
                    ),
                ),
                (
                    "queue",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="files",
                        to="adjudication.queue",
                    ),
                ),
            ],
            options={"ordering": ("queue", "position")},
        ),
        migrations.CreateModel(
            name="QueueItem",
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
                ("name", models.CharField(max_length=300)),
                ("position", models.PositiveIntegerField()),
                ("data", models.JSONField()),
                (
                    "queue",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="items",
                        to="adjudication.queue",
                    ),
                ),
            ],
            options={"ordering": ("queue", "position")},
        ),
        migrations.CreateModel(
            name="Decision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("decision", models.CharField(blank=True, max_length=20)),
                ("edited", models.CharField(blank=True, max_length=500)),
                ("note", models.TextField(blank=True)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "judge",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="decisions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="decisions",
                        to="adjudication.queueitem",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="queueitem",
            constraint=models.UniqueConstraint(fields=("queue", "name"), name="one_item_of_a_queue"),
        ),
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(fields=["judge", "item", "id"], name="decisions_of_a_person"),
        ),
    ]
