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
            name="Queue",
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
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="queues", to="campaigns.campaign"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("targets", "Targets"), ("annotators", "Annotators")], max_length=20
                    ),
                ),
                ("title", models.CharField(max_length=200)),
                ("rules", models.JSONField(default=dict)),
                ("created", models.DateTimeField(default=timezone.now)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True, on_delete=models.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("runs", models.ManyToManyField(related_name="+", to="campaigns.run")),
            ],
            options={
                "ordering": ("campaign", "created"),
            },
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
                (
                    "queue",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="files", to="adjudication.queue"
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("position", models.PositiveIntegerField()),
                ("has_texts", models.BooleanField(default=False)),
                (
                    "file",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="+", to="campaigns.storedfile"),
                ),
            ],
            options={
                "ordering": ("queue", "position"),
            },
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
                ("public_id", models.CharField(default=random_id, max_length=32, unique=True)),
                (
                    "queue",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="items", to="adjudication.queue"
                    ),
                ),
                ("name", models.CharField(max_length=300)),
                ("position", models.PositiveIntegerField()),
                ("data", models.JSONField()),
            ],
            options={
                "ordering": ("queue", "position"),
                "constraints": [
                    models.UniqueConstraint(fields=("queue", "name"), name="one_item_of_a_queue")
                ],
            },
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
                (
                    "item",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="decisions", to="adjudication.queueitem"
                    ),
                ),
                (
                    "judge",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="decisions", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("decision", models.CharField(blank=True, max_length=20)),
                ("edited", models.CharField(blank=True, max_length=500)),
                ("note", models.TextField(blank=True)),
                ("at", models.DateTimeField(default=timezone.now)),
            ],
            options={
                "indexes": [models.Index(fields=["judge", "item", "id"], name="decisions_of_a_person")],
            },
        ),
    ]
