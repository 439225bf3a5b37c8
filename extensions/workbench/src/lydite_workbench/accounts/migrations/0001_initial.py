from django.db import migrations, models
from django.utils import timezone

from lydite_workbench.columns import KEY, PUBLIC_ID


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="User",
            fields=[
                KEY,
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                PUBLIC_ID,
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
            name="SignInFailure",
            fields=[
                KEY,
                ("key", models.CharField(max_length=64)),
                ("at", models.DateTimeField(default=timezone.now)),
            ],
            options={"indexes": [models.Index(fields=["key", "at"], name="failures_by_key")]},
        ),
    ]
