import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import lydite_workbench.campaigns.models
import lydite_workbench.keys
import lydite_workbench.problems
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="Campaign",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "slug",
                    models.SlugField(
                        max_length=60, unique=True, validators=[lydite_workbench.problems.short_name]
                    ),
                ),
                (
                    "title",
                    models.CharField(max_length=200, validators=[lydite_workbench.problems.shown_text]),
                ),
                ("description", models.TextField(blank=True)),
                ("is_public", models.BooleanField(default=False)),
                ("task", models.CharField(max_length=40)),
                ("profile", models.CharField(max_length=80)),
                (
                    "settings",
                    models.JSONField(
                        blank=True, default=dict, validators=[lydite_workbench.problems.storable_json]
                    ),
                ),
                ("format", models.CharField(blank=True, max_length=40)),
                ("signature", models.CharField(max_length=500)),
                (
                    "figures",
                    models.JSONField(
                        blank=True, default=list, validators=[lydite_workbench.problems.storable_json]
                    ),
                ),
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
                (
                    "limit_seconds",
                    models.PositiveIntegerField(
                        default=600,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(10000000),
                        ],
                    ),
                ),
                (
                    "limit_megabytes",
                    models.PositiveIntegerField(
                        default=4096,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(10000000),
                        ],
                    ),
                ),
                (
                    "limit_processes",
                    models.PositiveIntegerField(
                        default=1,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(10000),
                        ],
                    ),
                ),
                (
                    "limit_upload",
                    models.BigIntegerField(
                        default=100000000,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(1000000000000),
                        ],
                    ),
                ),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name="StoredFile",
            fields=[
                ("sha256", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("size", models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="GoldVersion",
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
                ("number", models.PositiveIntegerField()),
                ("name", models.CharField(max_length=200)),
                ("note", models.TextField(blank=True)),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="golds",
                        to="campaigns.campaign",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
            options={"ordering": ("campaign", "-number")},
        ),
        migrations.AddField(
            model_name="campaign",
            name="gold",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="campaigns.goldversion",
            ),
        ),
        migrations.CreateModel(
            name="Phase",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slug", models.SlugField(max_length=60)),
                (
                    "title",
                    models.CharField(max_length=200, validators=[lydite_workbench.problems.shown_text]),
                ),
                ("position", models.PositiveIntegerField(default=0)),
                (
                    "opens",
                    models.DateTimeField(validators=[lydite_workbench.campaigns.models.in_shown_years]),
                ),
                (
                    "closes",
                    models.DateTimeField(validators=[lydite_workbench.campaigns.models.in_shown_years]),
                ),
                ("zone", models.CharField(default="UTC", max_length=64)),
                ("is_test", models.BooleanField(default=True)),
                ("runs_per_team", models.PositiveIntegerField(blank=True, null=True)),
                (
                    "rejected_per_team",
                    models.PositiveIntegerField(
                        default=50,
                        validators=[
                            django.core.validators.MinValueValidator(
                                1, "at least one invalid upload of a team must be allowed"
                            )
                        ],
                    ),
                ),
                (
                    "teams_see",
                    models.CharField(
                        choices=[
                            ("nothing", "Nothing"),
                            ("headline", "Headline"),
                            ("figures", "Figures"),
                            ("report", "Report"),
                        ],
                        default="headline",
                        max_length=20,
                    ),
                ),
                (
                    "board",
                    models.CharField(
                        choices=[("none", "None"), ("letters", "Letters"), ("names", "Names")],
                        default="names",
                        max_length=20,
                    ),
                ),
                ("takes_late_runs", models.BooleanField(default=False)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="phases",
                        to="campaigns.campaign",
                    ),
                ),
            ],
            options={"ordering": ("campaign", "position", "opens")},
        ),
        migrations.CreateModel(
            name="Run",
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
                ("number", models.PositiveIntegerField()),
                ("file_name", models.CharField(max_length=200)),
                (
                    "title",
                    models.CharField(
                        blank=True, max_length=200, validators=[lydite_workbench.problems.shown_text]
                    ),
                ),
                ("description", models.TextField(blank=True)),
                (
                    "rank",
                    models.PositiveIntegerField(
                        blank=True,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(10000),
                        ],
                    ),
                ),
                ("web_access", models.BooleanField(default=False)),
                ("web_access_text", models.TextField(blank=True)),
                ("automatic", models.BooleanField(default=True)),
                ("automatic_text", models.TextField(blank=True)),
                ("received", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("received", "Received"),
                            ("validating", "Validating"),
                            ("invalid", "Invalid"),
                            ("valid", "Valid"),
                            ("scoring", "Scoring"),
                            ("scored", "Scored"),
                            ("failed", "Failed"),
                        ],
                        db_index=True,
                        default="received",
                        max_length=12,
                    ),
                ),
                ("withdrawn", models.DateTimeField(blank=True, null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="runs",
                        to="campaigns.campaign",
                    ),
                ),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="runs", to="campaigns.phase"
                    ),
                ),
                (
                    "received_from",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "replaces",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replaced_by",
                        to="campaigns.run",
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
            options={"ordering": ("campaign", "team", "number")},
        ),
        migrations.CreateModel(
            name="Score",
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
                ("figure", models.CharField(blank=True, max_length=200)),
                ("value", models.FloatField(null=True)),
                ("low", models.FloatField(null=True)),
                ("high", models.FloatField(null=True)),
                ("pessimistic", models.FloatField(null=True)),
                ("optimistic", models.FloatField(null=True)),
                ("report_message", models.TextField(blank=True)),
                ("findings", models.JSONField(default=list)),
                ("shared_units", models.BooleanField(default=False)),
                (
                    "gold",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="scores",
                        to="campaigns.goldversion",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="scores", to="campaigns.run"
                    ),
                ),
                (
                    "corpus_summary",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="campaigns.storedfile",
                    ),
                ),
                (
                    "report",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="campaigns.storedfile",
                    ),
                ),
                (
                    "summary",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="campaigns.storedfile",
                    ),
                ),
            ],
            options={"abstract": False},
        ),
        migrations.CreateModel(
            name="LeaderboardVersion",
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
                ("number", models.PositiveIntegerField()),
                ("signature", models.CharField(max_length=500)),
                ("lydite_version", models.CharField(max_length=40)),
                (
                    "names",
                    models.CharField(choices=[("letters", "Letters"), ("names", "Names")], max_length=20),
                ),
                ("tables", models.JSONField(default=dict)),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
                ("published", models.DateTimeField(blank=True, null=True)),
                ("note", models.TextField(blank=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="boards",
                        to="campaigns.campaign",
                    ),
                ),
                (
                    "gold",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="campaigns.goldversion",
                    ),
                ),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="boards",
                        to="campaigns.phase",
                    ),
                ),
                ("runs", models.ManyToManyField(related_name="boards", to="campaigns.run")),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="campaigns.storedfile",
                    ),
                ),
            ],
            options={"ordering": ("campaign", "-number")},
        ),
        migrations.CreateModel(
            name="GoldDifference",
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
                ("told", models.DateTimeField(blank=True, null=True)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="gold_differences",
                        to="campaigns.campaign",
                    ),
                ),
                (
                    "after",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="campaigns.goldversion",
                    ),
                ),
                (
                    "before",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="campaigns.goldversion",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="campaigns.storedfile",
                    ),
                ),
            ],
            options={"abstract": False},
        ),
        migrations.CreateModel(
            name="CampaignFile",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("setting", models.CharField(max_length=60)),
                ("name", models.CharField(max_length=200)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="files",
                        to="campaigns.campaign",
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
        ),
        migrations.CreateModel(
            name="Team",
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
                ("slug", models.SlugField(max_length=60)),
                ("name", models.CharField(max_length=200, validators=[lydite_workbench.problems.shown_text])),
                ("runs_sent", models.PositiveIntegerField(default=0)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="teams",
                        to="campaigns.campaign",
                    ),
                ),
                ("members", models.ManyToManyField(related_name="teams", to=settings.AUTH_USER_MODEL)),
            ],
            options={"ordering": ("campaign", "slug")},
        ),
        migrations.AddField(
            model_name="run",
            name="team",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="runs", to="campaigns.team"
            ),
        ),
        migrations.CreateModel(
            name="Message",
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
                    "subject",
                    models.CharField(max_length=200, validators=[lydite_workbench.problems.shown_text]),
                ),
                ("text", models.TextField()),
                ("created", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "campaign",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="messages",
                        to="campaigns.campaign",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="messages",
                        to="campaigns.run",
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="messages",
                        to="campaigns.team",
                    ),
                ),
            ],
            options={"ordering": ("-created", "-id")},
        ),
        migrations.CreateModel(
            name="Validation",
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
                ("findings", models.JSONField(default=list)),
                ("errors", models.PositiveIntegerField(default=0)),
                ("warnings", models.PositiveIntegerField(default=0)),
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
                    "run",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="validation",
                        to="campaigns.run",
                    ),
                ),
            ],
            options={"abstract": False},
        ),
        migrations.AddConstraint(
            model_name="phase",
            constraint=models.UniqueConstraint(fields=("campaign", "slug"), name="one_phase_of_a_name"),
        ),
        migrations.AddConstraint(
            model_name="phase",
            constraint=models.CheckConstraint(
                condition=models.Q(("opens__lt", models.F("closes"))),
                name="opens_before_it_closes",
                violation_error_message="the phase closes before it opens",
            ),
        ),
        migrations.AddConstraint(
            model_name="phase",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("is_test", False), models.Q(("teams_see", "report"), _negated=True), _connector="OR"
                ),
                name="no_page_of_a_test_phase",
                violation_error_message="report pages have figures by document, which a test phase does not show",
            ),
        ),
        migrations.AddIndex(
            model_name="score", index=models.Index(fields=["job_state", "created"], name="score_to_do")
        ),
        migrations.AddConstraint(
            model_name="score",
            constraint=models.UniqueConstraint(
                fields=("run", "gold", "signature", "lydite_version"), name="one_score"
            ),
        ),
        migrations.AddConstraint(
            model_name="leaderboardversion",
            constraint=models.UniqueConstraint(fields=("campaign", "number"), name="boards_are_numbered"),
        ),
        migrations.AddConstraint(
            model_name="goldversion",
            constraint=models.UniqueConstraint(fields=("campaign", "number"), name="golds_are_numbered"),
        ),
        migrations.AddIndex(
            model_name="golddifference",
            index=models.Index(fields=["job_state", "created"], name="golddifference_to_do"),
        ),
        migrations.AddConstraint(
            model_name="campaignfile",
            constraint=models.UniqueConstraint(fields=("campaign", "setting"), name="one_file_of_a_setting"),
        ),
        migrations.AddConstraint(
            model_name="team",
            constraint=models.UniqueConstraint(fields=("campaign", "slug"), name="one_team_of_a_name"),
        ),
        migrations.AddConstraint(
            model_name="run",
            constraint=models.UniqueConstraint(fields=("team", "number"), name="runs_are_numbered"),
        ),
        migrations.AddIndex(
            model_name="validation",
            index=models.Index(fields=["job_state", "created"], name="validation_to_do"),
        ),
    ]
