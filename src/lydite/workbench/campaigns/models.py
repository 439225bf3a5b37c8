"""Campaigns and what belongs to them.  Models hold data; what is done with it stands in ``services`` and ``jobs``."""

from __future__ import annotations

from functools import cached_property

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from lydite.workbench.keys import random_id

USER = settings.AUTH_USER_MODEL


class StoredFile(models.Model):
    """A file in the store, by the hash of its bytes; it is there before a row says so and never changes."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    size = models.BigIntegerField()


# ------------------------------------------------------------------------------------------------------ campaigns


class BoardOf(models.TextChoices):
    """Which runs of a team a leaderboard has."""

    BEST = "best-ranked"
    """The one that the team ranks first; without ranks, the last one."""
    ALL = "all"


class Campaign(models.Model):
    """A shared task: what is scored, under which settings and rules."""

    slug = models.SlugField(max_length=60, unique=True)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    is_public = models.BooleanField(default=False)
    """Whether the public sees that it exists, its phases and what is published."""

    task = models.CharField(max_length=40)
    profile = models.CharField(max_length=80)
    settings = models.JSONField(default=dict, blank=True)
    """As for the command: names of settings and values; files that they name are in ``files``."""
    format = models.CharField(max_length=40, blank=True)
    signature = models.CharField(max_length=500)
    """What the library signs of task, profile and settings, without content and version."""
    figures = models.JSONField(default=list, blank=True)
    """Figures of the leaderboard beside the headline, as ``compare --figure`` names them."""
    board_of = models.CharField(max_length=20, choices=BoardOf.choices, default=BoardOf.BEST)
    gold_documents_are_known = models.BooleanField(default=True)
    """Whether teams may be told which documents of gold their run lacks."""

    needs_run_without_web = models.BooleanField(default=False)
    needs_ranks = models.BooleanField(default=False)
    """Whether the ranks 1…k of a team's runs in a phase are all used, once."""

    limit_seconds = models.PositiveIntegerField(default=600)
    limit_megabytes = models.PositiveIntegerField(default=4096)
    limit_processes = models.PositiveIntegerField(default=1)
    limit_upload = models.BigIntegerField(default=100_000_000)
    """Of one job: wall time, memory, processes; and bytes of one upload."""

    gold = models.ForeignKey("GoldVersion", models.PROTECT, null=True, blank=True, related_name="+")
    """The version that counts now; none before there is gold."""
    created = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.title

    @cached_property
    def held_files(self) -> dict[str, CampaignFile]:
        """The files that came with it, by setting; they never change."""
        return {held.setting: held for held in self.files.all()} if self.pk else {}

    @property
    def judging(self) -> str:
        """How people judge what its runs found, as the task says it."""
        from lydite.tasks import TASKS

        return TASKS[self.task].judging


class CampaignFile(models.Model):
    """A file that a setting of the campaign names: texts, token tables, what was handed out."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="files")
    setting = models.CharField(max_length=60)
    name = models.CharField(max_length=200)
    file = models.ForeignKey(StoredFile, models.PROTECT, related_name="+")

    class Meta:
        constraints = (models.UniqueConstraint(fields=["campaign", "setting"], name="one_file_of_a_setting"),)


class Shown(models.TextChoices):
    """What teams see of their own runs after scoring; each step includes those before it."""

    NOTHING = "nothing"
    HEADLINE = "headline"
    FIGURES = "figures"
    REPORT = "report"


class BoardNames(models.TextChoices):
    """Who is on the leaderboard of a phase."""

    NONE = "none"
    LETTERS = "letters"
    NAMES = "names"


class BoardView(models.TextChoices):
    """How a leaderboard is shown."""

    LETTERS = "letters"
    NAMES = "names"


class Phase(models.Model):
    """A window in which runs are taken; its ends are instants, its zone says how the organiser wrote them."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="phases")
    slug = models.SlugField(max_length=60)
    title = models.CharField(max_length=200)
    position = models.PositiveIntegerField(default=0)
    opens = models.DateTimeField()
    closes = models.DateTimeField()
    zone = models.CharField(max_length=64, default="UTC")
    is_test = models.BooleanField(default=True)
    """Of a test phase no figure by document reaches a team."""
    runs_per_team = models.PositiveIntegerField(null=True, blank=True)
    rejected_per_team = models.PositiveIntegerField(default=50)
    """How many uploads that turn out invalid a team may send."""
    teams_see = models.CharField(max_length=20, choices=Shown.choices, default=Shown.HEADLINE)
    board = models.CharField(max_length=20, choices=BoardNames.choices, default=BoardNames.NAMES)
    takes_late_runs = models.BooleanField(default=False)

    class Meta:
        ordering = ("campaign", "position", "opens")
        constraints = (
            models.UniqueConstraint(fields=["campaign", "slug"], name="one_phase_of_a_name"),
            models.CheckConstraint(condition=Q(opens__lt=models.F("closes")), name="opens_before_it_closes"),
            models.CheckConstraint(
                condition=Q(is_test=False) | ~Q(teams_see=Shown.REPORT), name="no_page_of_a_test_phase"
            ),
        )

    def __str__(self) -> str:
        return self.title


class Team(models.Model):
    """Who takes part."""

    public_id = models.CharField(max_length=32, unique=True, default=random_id)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="teams")
    slug = models.SlugField(max_length=60)
    name = models.CharField(max_length=200)
    members = models.ManyToManyField("accounts.User", related_name="teams")
    runs_sent = models.PositiveIntegerField(default=0)
    """Counts up with every accepted upload: the number of the last run."""

    class Meta:
        ordering = ("campaign", "slug")
        constraints = (models.UniqueConstraint(fields=["campaign", "slug"], name="one_team_of_a_name"),)

    def __str__(self) -> str:
        return self.name


class GoldVersion(models.Model):
    """Gold is replaced by a new version, never edited."""

    public_id = models.CharField(max_length=32, unique=True, default=random_id)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="golds")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=200)
    """What the file was called; formats are recognised by it."""
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
    """What a team sent in: a file or an archive, and what the team says about it.  Nothing of it is overwritten."""

    public_id = models.CharField(max_length=32, unique=True, default=random_id)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="runs")
    phase = models.ForeignKey(Phase, models.PROTECT, related_name="runs")
    team = models.ForeignKey(Team, models.PROTECT, related_name="runs")
    number = models.PositiveIntegerField()
    """Of the team in the campaign: 1, 2, …"""
    file = models.ForeignKey(StoredFile, models.PROTECT, related_name="+")
    file_name = models.CharField(max_length=200)
    title = models.CharField(max_length=200, blank=True)
    description = models.TextField(blank=True)
    rank = models.PositiveIntegerField(null=True, blank=True)
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
        """What the run is called among all of its campaign: ``TEAM-NUMBER``."""
        return f"{self.team.slug}-{self.number}"

    @property
    def is_late(self) -> bool:
        """Whether it came after the deadline as that is now: one that is moved moves the mark."""
        return self.received >= self.phase.closes

    @property
    def waits_for_gold(self) -> bool:
        """Whether it is valid, and scored as soon as there is gold."""
        return self.state == RunState.VALID and self.campaign.gold_id is None

    @property
    def shown_state(self) -> str:
        """The state, or that the run was withdrawn."""
        return "withdrawn" if self.withdrawn else str(self.state)


# ----------------------------------------------------------------------------------------------------------- jobs


class JobState(models.TextChoices):
    """A job waits, is worked on under a lease, and ends."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class Job(models.Model):
    """A row that is its own job: who works on it until when, how often it was tried, why it failed."""

    job_state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.WAITING)
    lease_until = models.DateTimeField(null=True, blank=True)
    worker = models.CharField(max_length=80, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    reason = models.CharField(max_length=40, blank=True)
    """Why it failed: ``timeout``, ``memory``, ``crash``, ``refused``, ``worker-lost``."""
    message = models.TextField(blank=True)
    """The same in a sentence."""
    created = models.DateTimeField(default=timezone.now)
    lydite_version = models.CharField(max_length=40)
    signature = models.CharField(max_length=500)

    class Meta:
        abstract = True
        indexes = (models.Index(fields=["job_state", "created"], name="%(class)s_to_do"),)


class Validation(Job):
    """The check of a run: the job, then its findings."""

    run = models.OneToOneField(Run, models.PROTECT, related_name="validation")
    findings = models.JSONField(default=list)
    """The first ones, as in the summary document, with ``excerpt``."""
    errors = models.PositiveIntegerField(default=0)
    warnings = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"validation of {self.run}"


class Score(Job):
    """The scoring of a run under one gold, signature and version: the job, then its documents."""

    run = models.ForeignKey(Run, models.PROTECT, related_name="scores")
    gold = models.ForeignKey(GoldVersion, models.PROTECT, related_name="scores")
    figure = models.CharField(max_length=200, blank=True)
    """The name of the headline."""
    value = models.FloatField(null=True)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    """The headline, unrounded, and its interval."""
    pessimistic = models.FloatField(null=True)
    optimistic = models.FloatField(null=True)
    """The headline if everything that is not judged yet were wrong, and if it were right; where all is judged, none."""
    summary = models.ForeignKey(StoredFile, models.PROTECT, null=True, related_name="+")
    corpus_summary = models.ForeignKey(StoredFile, models.PROTECT, null=True, related_name="+")
    """The same without anything that is about a single document: what teams see of a test phase."""
    report = models.ForeignKey(StoredFile, models.PROTECT, null=True, related_name="+")
    report_message = models.TextField(blank=True)
    """Why there is no page, where there is none."""
    findings = models.JSONField(default=list)

    class Meta(Job.Meta):
        constraints = (
            models.UniqueConstraint(fields=["run", "gold", "signature", "lydite_version"], name="one_score"),
        )

    def __str__(self) -> str:
        return f"score of {self.run} under {self.gold}"


class LeaderboardVersion(Job):
    """A leaderboard of one gold, signature and version: the job that compares, a draft, and, if so decided, public."""

    public_id = models.CharField(max_length=32, unique=True, default=random_id)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="boards")
    phase = models.ForeignKey(Phase, models.PROTECT, related_name="boards")
    number = models.PositiveIntegerField()
    gold = models.ForeignKey(GoldVersion, models.PROTECT, related_name="+")
    names = models.CharField(max_length=20, choices=BoardView.choices)
    """The view that is published."""
    runs = models.ManyToManyField(Run, related_name="boards")
    document = models.ForeignKey(StoredFile, models.PROTECT, null=True, related_name="+")
    """``lydite.comparison/1``, or several of them under ``comparisons``; systems are called by their labels."""
    tables = models.JSONField(default=dict)
    """The same laid out: ``csv`` and ``latex``, by view."""
    published = models.DateTimeField(null=True, blank=True)
    note = models.TextField(blank=True)

    class Meta(Job.Meta):
        ordering = ("campaign", "-number")
        constraints = (models.UniqueConstraint(fields=["campaign", "number"], name="boards_are_numbered"),)

    def __str__(self) -> str:
        return f"leaderboard {self.number} of {self.phase}"


class GoldDifference(Job):
    """What a new gold changed for every run: the job, then ``lydite.comparison/1`` with its ``golds``."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="gold_differences")
    before = models.ForeignKey(GoldVersion, models.PROTECT, related_name="+")
    after = models.OneToOneField(GoldVersion, models.PROTECT, related_name="+")
    document = models.ForeignKey(StoredFile, models.PROTECT, null=True, related_name="+")
    told = models.DateTimeField(null=True, blank=True)
    """When each team was sent its part."""

    def __str__(self) -> str:
        return f"{self.before} → {self.after}"


# ------------------------------------------------------------------------------------------------------- messages


class Message(models.Model):
    """A word of the organisers to one team, or to all of them.  No mail is sent."""

    public_id = models.CharField(max_length=32, unique=True, default=random_id)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="messages")
    team = models.ForeignKey(Team, models.PROTECT, null=True, blank=True, related_name="messages")
    subject = models.CharField(max_length=200)
    text = models.TextField()
    run = models.ForeignKey(Run, models.PROTECT, null=True, blank=True, related_name="messages")
    """The run that it is about, if it is about one."""
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-created", "-id")
