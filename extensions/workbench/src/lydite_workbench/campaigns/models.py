"""Campaigns and what belongs to them.  Models hold data alone; ``services`` and ``jobs`` work with it."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cached_property

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone

from lydite_workbench.keys import random_id
from lydite_workbench.problems import short_name, shown_text, storable_json

USER = settings.AUTH_USER_MODEL


class StoredFile(models.Model):
    """A file in the store, by the hash of its bytes.  It is written before the row is, and never changes."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    size = models.BigIntegerField()


# ------------------------------------------------------------------------------------------------------ campaigns


class BoardOf(models.TextChoices):
    """Which runs of a team are on a leaderboard."""

    BEST = "best-ranked"
    """The run that the team ranks first; without ranks its last one."""
    ALL = "all"


def _from_one_to(most: int) -> list[MinValueValidator | MaxValueValidator]:
    return [MinValueValidator(1), MaxValueValidator(most)]


class Campaign(models.Model):
    """A shared task: what is scored, under which settings and rules."""

    slug = models.SlugField(max_length=60, unique=True, validators=[short_name])
    title = models.CharField(max_length=200, validators=[shown_text])
    description = models.TextField(blank=True)
    is_public = models.BooleanField(default=False)
    """Whether the public sees the campaign, its phases and published leaderboards."""

    task = models.CharField(max_length=40)
    profile = models.CharField(max_length=80)
    settings = models.JSONField(default=dict, blank=True, validators=[storable_json])
    """Settings by name, as for the command; files that settings name are in ``files``."""
    format = models.CharField(max_length=40, blank=True)
    signature = models.CharField(max_length=500)
    """The part of the signature for task, profile and settings, without content hashes and version."""
    figures = models.JSONField(default=list, blank=True, validators=[storable_json])
    """Figures that leaderboards show beside the headline, as ``compare --figure`` names them."""
    board_of = models.CharField(max_length=20, choices=BoardOf.choices, default=BoardOf.BEST)
    gold_documents_are_known = models.BooleanField(default=True)
    """Whether teams may learn which documents of gold their run lacks."""

    needs_run_without_web = models.BooleanField(default=False)
    needs_ranks = models.BooleanField(default=False)
    """Whether the runs of a team in a phase must have the ranks 1…k, each once."""

    limit_seconds = models.PositiveIntegerField(default=600, validators=_from_one_to(10**7))
    limit_megabytes = models.PositiveIntegerField(default=4096, validators=_from_one_to(10**7))
    limit_processes = models.PositiveIntegerField(default=1, validators=_from_one_to(10**4))
    limit_upload = models.BigIntegerField(default=100_000_000, validators=_from_one_to(10**12))
    """Limits of one job (wall time, memory, processes), and the bytes of one upload."""

    gold = models.ForeignKey("GoldVersion", models.PROTECT, null=True, blank=True, related_name="+")
    """The current version; None before there is gold."""
    created = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.title

    @cached_property
    def files_by_setting(self) -> dict[str, CampaignFile]:
        """The files of its settings, by name of the setting; none is ever replaced."""
        return {held.setting: held for held in self.files.all()} if self.pk else {}

    @property
    def judging(self) -> str:
        """How people judge what the runs of its task found: ``pool``, ``queue`` or empty."""
        from lydite.tasks import TASKS

        return TASKS[self.task].judging


class CampaignFile(models.Model):
    """The file of a setting of the campaign, such as texts or token tables."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="files")
    setting = models.CharField(max_length=60)
    name = models.CharField(max_length=200)
    file = models.ForeignKey(StoredFile, models.PROTECT, related_name="+")

    class Meta:
        constraints = (models.UniqueConstraint(fields=["campaign", "setting"], name="one_file_of_a_setting"),)


class Shown(models.TextChoices):
    """How much of the scores of its runs a team sees; each step includes those before it."""

    NOTHING = "nothing"
    HEADLINE = "headline"
    FIGURES = "figures"
    REPORT = "report"


class BoardNames(models.TextChoices):
    """How the leaderboard of a phase names teams, if it has one."""

    NONE = "none"
    LETTERS = "letters"
    NAMES = "names"


class BoardView(models.TextChoices):
    """How a leaderboard names teams."""

    LETTERS = "letters"
    NAMES = "names"


YEARS = range(1900, 9999)
"""Years in which a phase can lie, in UTC: all time zones can show them."""


def in_shown_years(instant: datetime) -> None:
    """A validator of instants."""
    # Conversion to another zone fails beyond these years.
    if instant.year not in YEARS or instant.astimezone(UTC).year not in YEARS:
        raise ValidationError(f"expected a year from {YEARS[0]} to {YEARS[-1]}")


class Phase(models.Model):
    """A time window for runs.  Its ends are instants; ``zone`` is the time zone in which the organiser wrote them."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="phases")
    slug = models.SlugField(max_length=60)
    title = models.CharField(max_length=200, validators=[shown_text])
    position = models.PositiveIntegerField(default=0)
    opens = models.DateTimeField(validators=[in_shown_years])
    closes = models.DateTimeField(validators=[in_shown_years])
    zone = models.CharField(max_length=64, default="UTC")
    is_test = models.BooleanField(default=True)
    """In a test phase teams see no figures by document."""
    runs_per_team = models.PositiveIntegerField(null=True, blank=True)
    rejected_per_team = models.PositiveIntegerField(
        default=50, validators=[MinValueValidator(1, "at least one invalid upload of a team must be allowed")]
    )
    """How many invalid uploads a team may send."""
    teams_see = models.CharField(max_length=20, choices=Shown.choices, default=Shown.HEADLINE)
    board = models.CharField(max_length=20, choices=BoardNames.choices, default=BoardNames.NAMES)
    takes_late_runs = models.BooleanField(default=False)

    class Meta:
        ordering = ("campaign", "position", "opens")
        constraints = (
            models.UniqueConstraint(fields=["campaign", "slug"], name="one_phase_of_a_name"),
            models.CheckConstraint(
                condition=Q(opens__lt=models.F("closes")),
                name="opens_before_it_closes",
                violation_error_message="the phase closes before it opens",
            ),
            models.CheckConstraint(
                condition=Q(is_test=False) | ~Q(teams_see=Shown.REPORT),
                name="no_page_of_a_test_phase",
                violation_error_message="report pages have figures by document, which a test phase does not show",
            ),
        )

    def __str__(self) -> str:
        return self.title


class Team(models.Model):
    """A team of the campaign."""

    public_id = models.CharField(max_length=32, unique=True, default=random_id)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="teams")
    slug = models.SlugField(max_length=60)
    name = models.CharField(max_length=200, validators=[shown_text])
    members = models.ManyToManyField("accounts.User", related_name="teams")
    runs_sent = models.PositiveIntegerField(default=0)
    """The number of its last run: one more with every accepted upload."""

    class Meta:
        ordering = ("campaign", "slug")
        constraints = (models.UniqueConstraint(fields=["campaign", "slug"], name="one_team_of_a_name"),)

    def __str__(self) -> str:
        return self.name


class GoldVersion(models.Model):
    """One version of gold; gold is replaced by a new version, never edited."""

    public_id = models.CharField(max_length=32, unique=True, default=random_id)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="golds")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=200)
    """The name of the file, by which its format is recognised."""
    file = models.ForeignKey(StoredFile, models.PROTECT, related_name="+")
    note = models.TextField(blank=True)
    created = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(USER, models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ("campaign", "-number")
        constraints = (models.UniqueConstraint(fields=["campaign", "number"], name="golds_are_numbered"),)

    def __str__(self) -> str:
        return f"gold {self.number}"


# ----------------------------------------------------------------------------------------------------------- runs


class RunState(models.TextChoices):
    """received → validating → invalid | valid → scoring → scored | failed."""

    RECEIVED = "received"
    VALIDATING = "validating"
    INVALID = "invalid"
    VALID = "valid"
    SCORING = "scoring"
    SCORED = "scored"
    FAILED = "failed"


class Run(models.Model):
    """A file or archive that a team sent in, with its description.  Nothing of it is overwritten."""

    public_id = models.CharField(max_length=32, unique=True, default=random_id)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="runs")
    phase = models.ForeignKey(Phase, models.PROTECT, related_name="runs")
    team = models.ForeignKey(Team, models.PROTECT, related_name="runs")
    number = models.PositiveIntegerField()
    """1, 2, … among the runs of the team in the campaign."""
    file = models.ForeignKey(StoredFile, models.PROTECT, related_name="+")
    file_name = models.CharField(max_length=200)
    title = models.CharField(max_length=200, blank=True, validators=[shown_text])
    description = models.TextField(blank=True)
    rank = models.PositiveIntegerField(null=True, blank=True, validators=_from_one_to(10**4))
    web_access = models.BooleanField(default=False)
    web_access_text = models.TextField(blank=True)
    automatic = models.BooleanField(default=True)
    automatic_text = models.TextField(blank=True)
    received = models.DateTimeField(default=timezone.now)
    received_from = models.ForeignKey(USER, models.PROTECT, null=True, related_name="+")
    state = models.CharField(
        max_length=12, choices=RunState.choices, default=RunState.RECEIVED, db_index=True
    )
    withdrawn = models.DateTimeField(null=True, blank=True)
    replaces = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="replaced_by")

    class Meta:
        ordering = ("campaign", "team", "number")
        constraints = (models.UniqueConstraint(fields=["team", "number"], name="runs_are_numbered"),)

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        """The name of the run in its campaign: ``TEAM-NUMBER``."""
        return f"{self.team.slug}-{self.number}"

    @property
    def is_late(self) -> bool:
        """Whether it was received after the current deadline; moving the deadline can change this."""
        return self.received >= self.phase.closes

    @property
    def waits_for_gold(self) -> bool:
        """Whether it is valid but not scored, because there is no gold yet."""
        return self.state == RunState.VALID and self.campaign.gold_id is None

    @property
    def shown_state(self) -> str:
        """The state, or ``withdrawn``."""
        return "withdrawn" if self.withdrawn else str(self.state)


# ----------------------------------------------------------------------------------------------------------- jobs


class JobState(models.TextChoices):
    """A job waits, runs under a lease, and ends."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Job(models.Model):
    """A row that is its own job: which worker holds it until when, how often it was tried, why it failed."""

    job_state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.WAITING)
    lease_until = models.DateTimeField(null=True, blank=True)
    worker = models.CharField(max_length=80, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    reason = models.CharField(max_length=40, blank=True)
    """Why it failed: ``timeout``, ``memory``, ``crash``, ``refused``, ``worker-lost``."""
    message = models.TextField(blank=True)
    """The reason as a sentence."""
    created = models.DateTimeField(default=timezone.now)
    lydite_version = models.CharField(max_length=40)
    signature = models.CharField(max_length=500)

    class Meta:
        abstract = True
        indexes = (models.Index(fields=["job_state", "created"], name="%(class)s_to_do"),)


class Validation(Job):
    """The validation of a run: the job, which also scores it if there is gold, and then its findings."""

    gold = models.ForeignKey(GoldVersion, models.PROTECT, null=True, related_name="+")
    """The gold with which the job scored the run, if there was some."""
    run = models.OneToOneField(Run, models.PROTECT, related_name="validation")
    findings = models.JSONField(default=list)
    """The first findings, as in the summary document, each with an ``excerpt``."""
    errors = models.PositiveIntegerField(default=0)
    warnings = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"validation of {self.run}"


class Score(Job):
    """The score of a run under one gold, signature and version of lydite: the job, and then its results."""

    run = models.ForeignKey(Run, models.PROTECT, related_name="scores")
    gold = models.ForeignKey(GoldVersion, models.PROTECT, related_name="scores")
    figure = models.CharField(max_length=200, blank=True)
    """The name of the headline."""
    value = models.FloatField(null=True)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    """The unrounded headline and its confidence interval."""
    pessimistic = models.FloatField(null=True)
    optimistic = models.FloatField(null=True)
    """The headline if all unjudged answers were wrong, and if all were right; None where all are judged."""
    summary = models.ForeignKey(StoredFile, models.PROTECT, null=True, related_name="+")
    corpus_summary = models.ForeignKey(StoredFile, models.PROTECT, null=True, related_name="+")
    """The summary without anything about single documents, which teams see in a test phase."""
    report = models.ForeignKey(StoredFile, models.PROTECT, null=True, related_name="+")
    report_message = models.TextField(blank=True)
    """Why there is no report page."""
    findings = models.JSONField(default=list)
    shared_units = models.BooleanField(default=False)
    """Whether the units of its interval share elements, so that it is rough."""

    class Meta(Job.Meta):
        constraints = (
            models.UniqueConstraint(fields=["run", "gold", "signature", "lydite_version"], name="one_score"),
        )

    def __str__(self) -> str:
        return f"score of {self.run} under {self.gold}"


class LeaderboardVersion(models.Model):
    """A leaderboard of one gold, signature and version: a draft, and public once it is published."""

    public_id = models.CharField(max_length=32, unique=True, default=random_id)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="boards")
    phase = models.ForeignKey(Phase, models.PROTECT, related_name="boards")
    number = models.PositiveIntegerField()
    gold = models.ForeignKey(GoldVersion, models.PROTECT, related_name="+")
    signature = models.CharField(max_length=500)
    lydite_version = models.CharField(max_length=40)
    names = models.CharField(max_length=20, choices=BoardView.choices)
    """How the published leaderboard names teams."""
    runs = models.ManyToManyField(Run, related_name="boards")
    document = models.ForeignKey(StoredFile, models.PROTECT, related_name="+")
    """``names``: view → label → name shown; ``views``: view → ``lydite.comparison/1`` of each figure."""
    tables = models.JSONField(default=dict)
    """View → ``csv`` and ``latex`` → the table."""
    created = models.DateTimeField(default=timezone.now)
    published = models.DateTimeField(null=True, blank=True)
    note = models.TextField(blank=True)

    class Meta:
        ordering = ("campaign", "-number")
        constraints = (models.UniqueConstraint(fields=["campaign", "number"], name="boards_are_numbered"),)

    def __str__(self) -> str:
        return f"leaderboard {self.number} of {self.phase}"


class GoldDifference(Job):
    """What a new gold changed for every run: the job, and then ``lydite.comparison/1`` with its ``golds``."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="gold_differences")
    before = models.ForeignKey(GoldVersion, models.PROTECT, related_name="+")
    after = models.OneToOneField(GoldVersion, models.PROTECT, related_name="+")
    document = models.ForeignKey(StoredFile, models.PROTECT, null=True, related_name="+")
    told = models.DateTimeField(null=True, blank=True)
    """When the changes of its runs were sent to each team."""

    def __str__(self) -> str:
        return f"{self.before} → {self.after}"


# ------------------------------------------------------------------------------------------------------- messages


class Message(models.Model):
    """A message of the organisers to one team, or to all of them.  No mail is sent."""

    public_id = models.CharField(max_length=32, unique=True, default=random_id)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="messages")
    team = models.ForeignKey(Team, models.PROTECT, null=True, blank=True, related_name="messages")
    subject = models.CharField(max_length=200, validators=[shown_text])
    text = models.TextField()
    run = models.ForeignKey(Run, models.PROTECT, null=True, blank=True, related_name="messages")
    """The run that it is about, if any."""
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-created", "-id")
