from django.conf import settings
from django.db import migrations, models
from django.utils import timezone

from lydite_workbench.columns import KEY, PUBLIC_ID, choice, link, unique


class Migration(migrations.Migration):
    initial = True

    dependencies = [("accounts", "__first__"), ("campaigns", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Queue",
            fields=[
                KEY,
                PUBLIC_ID,
                link("campaign", "campaigns.campaign", "queues"),
                choice("kind", "targets", "annotators", max_length=20),
                ("title", models.CharField(max_length=200)),
                ("rules", models.JSONField(default=dict)),
                ("created", models.DateTimeField(default=timezone.now)),
                ("runs", models.ManyToManyField(related_name="+", to="campaigns.run")),
            ],
            options={"ordering": ("campaign", "created")},
        ),
        migrations.CreateModel(
            name="QueueFile",
            fields=[
                KEY,
                link("queue", "adjudication.queue", "files"),
                ("name", models.CharField(max_length=200)),
                ("position", models.PositiveIntegerField()),
                ("has_texts", models.BooleanField(default=False)),
                link("file", "campaigns.storedfile"),
            ],
            options={"ordering": ("queue", "position")},
        ),
        migrations.CreateModel(
            name="QueueItem",
            fields=[
                KEY,
                PUBLIC_ID,
                link("queue", "adjudication.queue", "items"),
                ("name", models.CharField(max_length=300)),
                ("position", models.PositiveIntegerField()),
                ("data", models.JSONField()),
            ],
            options={
                "ordering": ("queue", "position"),
                "constraints": [unique("one_item_of_a_queue", "queue", "name")],
            },
        ),
        migrations.CreateModel(
            name="Decision",
            fields=[
                KEY,
                link("item", "adjudication.queueitem", "decisions"),
                link("judge", settings.AUTH_USER_MODEL, "decisions"),
                ("decision", models.CharField(blank=True, max_length=20)),
                ("edited", models.CharField(blank=True, max_length=500)),
                ("note", models.TextField(blank=True)),
                ("at", models.DateTimeField(default=timezone.now)),
            ],
            options={"indexes": [models.Index(fields=["judge", "item", "id"], name="decisions_of_a_person")]},
        ),
    ]
