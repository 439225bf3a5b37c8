from django.conf import settings
from django.db import migrations, models
from django.utils import timezone

from lydite_workbench.columns import JOB, KEY, PUBLIC_ID, choice, link, unique


class Migration(migrations.Migration):
    initial = True

    dependencies = [("accounts", "__first__")]

    operations = [
        migrations.CreateModel(
            name="StoredFile",
            fields=[
                ("sha256", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("size", models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="Campaign",
            fields=[
                KEY,
                ("slug", models.SlugField(max_length=60, unique=True)),
                ("title", models.CharField(max_length=200)),
                ("description", models.TextField(blank=True)),
                ("is_public", models.BooleanField(default=False)),
                ("task", models.CharField(max_length=40)),
                ("profile", models.CharField(max_length=80)),
                ("settings", models.JSONField(blank=True, default=dict)),
                ("format", models.CharField(blank=True, max_length=40)),
                ("signature", models.CharField(max_length=500)),
                ("figures", models.JSONField(blank=True, default=list)),
                (
                    "board_of",
                    models.CharField(
                        choices=[("best-ranked", "Best"), ("all", "All")],
                        default="best-ranked",
                        max_length=20,
                    ),
                ),
                ("gold_documents_are_known", models.BooleanField(default=True)),
                ("needs_run_without_web", models.BooleanField(default=False)),
                ("needs_ranks", models.BooleanField(default=False)),
                ("limit_seconds", models.PositiveIntegerField(default=600)),
                ("limit_megabytes", models.PositiveIntegerField(default=4096)),
                ("limit_processes", models.PositiveIntegerField(default=1)),
                ("limit_upload", models.BigIntegerField(default=100000000)),
                ("created", models.DateTimeField(default=timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name="CampaignFile",
            fields=[
                KEY,
                link("campaign", "campaigns.campaign", "files"),
                ("setting", models.CharField(max_length=60)),
                ("name", models.CharField(max_length=200)),
                link("file", "campaigns.storedfile"),
            ],
            options={"constraints": [unique("one_file_of_a_setting", "campaign", "setting")]},
        ),
        migrations.CreateModel(
            name="Phase",
            fields=[
                KEY,
                link("campaign", "campaigns.campaign", "phases"),
                ("slug", models.SlugField(max_length=60)),
                ("title", models.CharField(max_length=200)),
                ("position", models.PositiveIntegerField(default=0)),
                ("opens", models.DateTimeField()),
                ("closes", models.DateTimeField()),
                ("zone", models.CharField(default="UTC", max_length=64)),
                ("is_test", models.BooleanField(default=True)),
                ("runs_per_team", models.PositiveIntegerField(blank=True, null=True)),
                ("rejected_per_team", models.PositiveIntegerField(default=50)),
                choice(
                    "teams_see", "nothing", "headline", "figures", "report", default="headline", max_length=20
                ),
                choice("board", "none", "letters", "names", default="names", max_length=20),
                ("takes_late_runs", models.BooleanField(default=False)),
            ],
            options={
                "ordering": ("campaign", "position", "opens"),
                "constraints": [
                    unique("one_phase_of_a_name", "campaign", "slug"),
                    models.CheckConstraint(
                        condition=models.Q(("opens__lt", models.F("closes"))), name="opens_before_it_closes"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("is_test", False),
                            models.Q(("teams_see", "report"), _negated=True),
                            _connector="OR",
                        ),
                        name="no_page_of_a_test_phase",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Team",
            fields=[
                KEY,
                PUBLIC_ID,
                link("campaign", "campaigns.campaign", "teams"),
                ("slug", models.SlugField(max_length=60)),
                ("name", models.CharField(max_length=200)),
                ("members", models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="teams")),
                ("runs_sent", models.PositiveIntegerField(default=0)),
            ],
            options={
                "ordering": ("campaign", "slug"),
                "constraints": [unique("one_team_of_a_name", "campaign", "slug")],
            },
        ),
        migrations.CreateModel(
            name="GoldVersion",
            fields=[
                KEY,
                PUBLIC_ID,
                link("campaign", "campaigns.campaign", "golds"),
                ("number", models.PositiveIntegerField()),
                ("name", models.CharField(max_length=200)),
                link("file", "campaigns.storedfile"),
                ("note", models.TextField(blank=True)),
                ("created", models.DateTimeField(default=timezone.now)),
                link("created_by", settings.AUTH_USER_MODEL, null=True),
            ],
            options={
                "ordering": ("campaign", "-number"),
                "constraints": [unique("golds_are_numbered", "campaign", "number")],
            },
        ),
        migrations.AddField(
            model_name="campaign",
            name="gold",
            field=models.ForeignKey(
                blank=True, null=True, on_delete=models.PROTECT, related_name="+", to="campaigns.goldversion"
            ),
        ),
        migrations.CreateModel(
            name="Run",
            fields=[
                KEY,
                PUBLIC_ID,
                link("campaign", "campaigns.campaign", "runs"),
                link("phase", "campaigns.phase", "runs"),
                link("team", "campaigns.team", "runs"),
                ("number", models.PositiveIntegerField()),
                link("file", "campaigns.storedfile"),
                ("file_name", models.CharField(max_length=200)),
                ("title", models.CharField(blank=True, max_length=200)),
                ("description", models.TextField(blank=True)),
                ("rank", models.PositiveIntegerField(blank=True, null=True)),
                ("web_access", models.BooleanField(default=False)),
                ("web_access_text", models.TextField(blank=True)),
                ("automatic", models.BooleanField(default=True)),
                ("automatic_text", models.TextField(blank=True)),
                ("received", models.DateTimeField(default=timezone.now)),
                link("received_from", settings.AUTH_USER_MODEL, null=True),
                choice(
                    "state",
                    "received",
                    "validating",
                    "invalid",
                    "valid",
                    "scoring",
                    "scored",
                    "failed",
                    db_index=True,
                    default="received",
                    max_length=12,
                ),
                ("withdrawn", models.DateTimeField(blank=True, null=True)),
                link("replaces", "campaigns.run", "replaced_by", null=True, blank=True),
            ],
            options={
                "ordering": ("campaign", "team", "number"),
                "constraints": [unique("runs_are_numbered", "team", "number")],
            },
        ),
        migrations.CreateModel(
            name="Validation",
            fields=[
                *JOB,
                ("run", models.OneToOneField("campaigns.run", models.PROTECT, related_name="validation")),
                ("findings", models.JSONField(default=list)),
                ("errors", models.PositiveIntegerField(default=0)),
                ("warnings", models.PositiveIntegerField(default=0)),
            ],
            options={
                "abstract": False,
                "indexes": [models.Index(fields=["job_state", "created"], name="validation_to_do")],
            },
        ),
        migrations.CreateModel(
            name="Score",
            fields=[
                *JOB,
                link("run", "campaigns.run", "scores"),
                link("gold", "campaigns.goldversion", "scores"),
                ("figure", models.CharField(blank=True, max_length=200)),
                ("value", models.FloatField(null=True)),
                ("low", models.FloatField(null=True)),
                ("high", models.FloatField(null=True)),
                ("pessimistic", models.FloatField(null=True)),
                ("optimistic", models.FloatField(null=True)),
                link("summary", "campaigns.storedfile", null=True),
                link("corpus_summary", "campaigns.storedfile", null=True),
                link("report", "campaigns.storedfile", null=True),
                ("report_message", models.TextField(blank=True)),
                ("findings", models.JSONField(default=list)),
            ],
            options={
                "abstract": False,
                "indexes": [models.Index(fields=["job_state", "created"], name="score_to_do")],
                "constraints": [unique("one_score", "run", "gold", "signature", "lydite_version")],
            },
        ),
        migrations.CreateModel(
            name="LeaderboardVersion",
            fields=[
                *JOB,
                PUBLIC_ID,
                link("campaign", "campaigns.campaign", "boards"),
                link("phase", "campaigns.phase", "boards"),
                ("number", models.PositiveIntegerField()),
                link("gold", "campaigns.goldversion"),
                choice("names", "letters", "names", max_length=20),
                link("document", "campaigns.storedfile", null=True),
                ("tables", models.JSONField(default=dict)),
                ("published", models.DateTimeField(blank=True, null=True)),
                ("note", models.TextField(blank=True)),
                ("runs", models.ManyToManyField(related_name="boards", to="campaigns.run")),
            ],
            options={
                "ordering": ("campaign", "-number"),
                "abstract": False,
                "indexes": [models.Index(fields=["job_state", "created"], name="leaderboardversion_to_do")],
                "constraints": [unique("boards_are_numbered", "campaign", "number")],
            },
        ),
        migrations.CreateModel(
            name="GoldDifference",
            fields=[
                *JOB,
                link("campaign", "campaigns.campaign", "gold_differences"),
                link("before", "campaigns.goldversion"),
                ("after", models.OneToOneField("campaigns.goldversion", models.PROTECT, related_name="+")),
                link("document", "campaigns.storedfile", null=True),
                ("told", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "abstract": False,
                "indexes": [models.Index(fields=["job_state", "created"], name="golddifference_to_do")],
            },
        ),
        migrations.CreateModel(
            name="Message",
            fields=[
                KEY,
                PUBLIC_ID,
                link("campaign", "campaigns.campaign", "messages"),
                link("team", "campaigns.team", "messages", null=True, blank=True),
                ("subject", models.CharField(max_length=200)),
                ("text", models.TextField()),
                link("run", "campaigns.run", "messages", null=True, blank=True),
                ("created", models.DateTimeField(default=timezone.now)),
            ],
            options={"ordering": ("-created", "-id")},
        ),
    ]
