"""Options that verbs share, and the flags that a task's settings become."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

import click

from lydite.cli.output import print_to_stderr, show_notes
from lydite.cli.parameters import POSITIVE, TEXT, options, runs_option
from lydite.comparison import INTERVALS, UNIT_KINDS
from lydite.errors import LyditeError, UsageError, errors_among
from lydite.escaping import counted
from lydite.facade.ambient import read_ambient_settings
from lydite.facade.choosing import UserChoice, task_of_format
from lydite.facade.runs import Runs, runs_in
from lydite.facade.sides import LeftOut
from lydite.facade.summaries import anonymous_names, best_per_team
from lydite.formats.source import files_of_pattern
from lydite.model import Summary
from lydite.parallel import Processes, Workers
from lydite.pipeline.reading import recognise_format
from lydite.pipeline.task import AnyTask
from lydite.profile import Setting, profile_names
from lydite.registry import did_you_mean
from lydite.tasks import TASKS

TASK_KEY = "lydite.task"


class TaskCommand(click.Command):
    """A verb whose flags depend on the task, which is the first argument or is recognised from the first file.

    Beside its own options the function gets the settings of the task as keywords; :func:`choice_from_options` reads them.
    """

    def __init__(self, *arguments: Any, inputs: int | None = None, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.inputs = inputs
        """How many of the words are files to be read; the others are to be written, and must not decide the task."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find the task before the flags are parsed."""
        words, doubtful = _split_words(args, super().get_params(ctx))
        ctx.meta[TASK_KEY] = _task_of(words[: self.inputs], doubtful)
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The verb's own options, a flag for each setting of the task, and the help."""
        own, task = super().get_params(ctx), ctx.meta.get(TASK_KEY)
        return own if task is None else [*own[:-1], *_setting_flags(self, task), own[-1]]

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples of the task, if one is named and the verb is ``score``; else those of the verb."""
        task: AnyTask | None = ctx.meta.get(TASK_KEY)
        if task is not None and task.examples and ctx.info_name == "score":
            lines = [f"  lydite score {command}\n      {purpose}" for command, purpose in task.examples]
            formatter.write_paragraph()
            formatter.write_text("\n".join(["\b", f"Examples of {task.name}:", *lines]))
        else:
            super().format_epilog(ctx, formatter)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Options, then the settings, profiles and quirks of the task."""
        task: AnyTask | None = ctx.meta.get(TASK_KEY)
        flags = [] if task is None else _setting_flags(self, task)
        general: list[tuple[str, str]] = []
        settings: list[tuple[str, str]] = []
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None and isinstance(param, click.Option):
                (settings if param in flags else general).append(record)
        with formatter.section("Options"):
            formatter.write_dl(general)
        if task is None:
            with formatter.section("Settings"):
                formatter.write_text(f"depend on the task: lydite {ctx.info_name} TASK --help")
                formatter.write_text(f"tasks: {', '.join(TASKS)}")
            return
        with formatter.section(f"Settings of {task.name} (the profile's value counts unless given)"):
            formatter.write_dl(settings)
        with formatter.section("Profiles"):
            others = [name for name in profile_names(task.name) if name != task.default_profile]
            formatter.write_text(", ".join([task.default_profile, *others]))
        quirks = [
            (setting.name, setting.help) for setting in task.settings.declared.values() if setting.is_quirk
        ]
        with formatter.section("Quirks (--quirk NAME=on|off)"):
            formatter.write_dl(quirks)


def _split_words(
    args: Sequence[str], params: Sequence[click.Parameter]
) -> tuple[list[str], list[tuple[str, str]]]:
    """The words that are not values of the verb's options; those behind unknown flags, perhaps of settings, with the flag."""
    takes_value = {
        name: not param.is_flag for param in params if isinstance(param, click.Option) for name in param.opts
    }
    words: list[str] = []
    doubtful: list[tuple[str, str]] = []
    before = None
    for arg in args:
        if arg.startswith("-") and arg != "-":
            before = None if "=" in arg else arg
            continue
        if before is None or takes_value.get(before) is False:
            words.append(arg)
        elif before not in takes_value:
            doubtful.append((before, arg))
        before = None
    return words, doubtful


def _task_of(words: Sequence[str], doubtful: Sequence[tuple[str, str]]) -> AnyTask | None:
    if words and _is_task(words[0]):
        return TASKS[words[0]]
    recognised = _task_of_first_file([*words, *(word for _, word in doubtful)])
    for flag, word in doubtful[:1]:
        setting = None if recognised is None else recognised.settings.declared.get(flag.removeprefix("--"))
        is_its_value = setting is not None and setting.kind != "bool"
        if not is_its_value and not os.path.exists(word) and _is_task(word):  # noqa: PTH110 - a word of the command line
            return TASKS[word]
    return recognised


def _task_of_first_file(words: Sequence[str]) -> AnyTask | None:
    """The task of the first file whose format has one."""
    for word in words:
        if os.path.exists(word):  # noqa: PTH110 - a word of the command line
            try:
                found = recognise_format(word)
            except LyditeError:
                continue
            if found.tasks:
                return TASKS[task_of_format(found, word)]
    return None


def _is_task(word: str) -> bool:
    # A file is not a task; looking up its name in the registry would load plug-ins.
    return not os.path.isfile(word) and word in TASKS  # noqa: PTH113 - a word of the command line


_METAVARS = {"path": "PATH", "list": "A,B,…", "int": "N", "index": "N", "float": "X", "share": "X"}
"""The placeholder for a value in the help, by the kind of the setting."""


@cache
def _setting_flags(verb: TaskCommand, task: AnyTask) -> list[click.Option]:
    """A flag for each setting of the task, unless the verb has one of that name; cached, as click asks several times."""
    taken = {name for param in verb.params for name in param.opts}
    return [
        _make_flag(setting)
        for setting in task.settings.declared.values()
        if setting.flag
        and not setting.is_quirk
        and setting.kind != "table"
        and f"--{setting.name}" not in taken
    ]


def _make_flag(setting: Setting) -> click.Option:
    name = f"--{setting.name}"
    if setting.kind == "bool":
        return click.Option([f"{name}/--no-{setting.name}"], default=None, help=setting.help)
    kind = click.Choice(setting.choices) if setting.choices and setting.kind == "str" else str
    return click.Option([name], type=kind, help=setting.help, metavar=_METAVARS.get(setting.kind))


def split_task(
    ctx: click.Context, words: Sequence[str], *, at_least: int, needs: str
) -> tuple[str | None, list[str]]:
    """The task, if the first word names one, and the other words, which are paths."""
    task: AnyTask | None = ctx.meta.get(TASK_KEY)
    rest = list(words)
    task_name = None
    if rest and _is_task(rest[0]):
        task_name = rest.pop(0)
    elif rest and not os.path.exists(rest[0]) and rest[0] != "-" and len(rest) > at_least:  # noqa: PTH110
        hint = did_you_mean(rest[0], list(TASKS))
        if hint:
            raise UsageError(f"no task and no file {rest[0]!r}", hint=hint)
    if len(rest) < at_least:
        given = f", found only {rest[0]!r}" if rest else ""
        raise UsageError(f"lydite {ctx.info_name} needs {needs}{given}", hint=_usage_hint(ctx, rest))
    _refuse_overwriting(ctx.params, rest, task)
    return task_name or (task.name if task and rest[:1] == ["-"] else None), rest


_WRITTEN = ("output", "comparison", "log", "losses")
_READ = ("runs", "between", "decisions", "gold_before", "documents", "gold", "against", "profile")


def _refuse_overwriting(options: Mapping[str, object], paths: Sequence[str], task: AnyTask | None) -> None:
    """Refuse to overwrite a file that is read, alone or in a folder."""
    read = [*paths, *files_of_options(options, task)]
    written = [output for name in _WRITTEN if isinstance(output := options.get(name), str) and output]
    refuse_same_output(written)
    for output in written:
        if not os.path.isdir(output):  # noqa: PTH112 - a word of the command line, as above
            refuse_overwriting_input(read, output)


def files_of_options(options: Mapping[str, object], task: AnyTask | None) -> Iterator[str]:
    """The files and folders to be read that options and settings name."""
    for name in _READ:
        given = options.get(name)
        yield from [given] if isinstance(given, str) and given else given if isinstance(given, tuple) else ()
    settings = task.settings.declared.values() if task else ()
    yield from filter(None, (setting.file_in(options.get(setting.key)) for setting in settings))


def refuse_same_output(named: Iterable[str | None]) -> None:
    """Refuse to write two outputs to one place, where the first would be lost."""
    outputs = list(filter(None, named))
    places = [os.path.realpath(output) for output in outputs]
    for output, place in zip(outputs, places, strict=True):
        is_device = os.path.exists(place) and not os.path.isfile(place)  # noqa: PTH110, PTH113 - as above
        if places.count(place) > 1 and not is_device:
            hint = "name another file for one of them"
            raise UsageError(f"cannot write two outputs to {output}", hint=hint)


def refuse_overwriting_input(read: Iterable[str | None], output: str | None) -> None:
    """Refuse to overwrite what is read: a file, a file in a folder that is read, or a folder with a file that is read."""
    if output is None:
        return
    is_file = os.path.isfile(output)  # noqa: PTH113 - a word of the command line
    if not is_file and not os.path.isdir(output):  # noqa: PTH112 - as above
        return
    named = [path for path in read if path and path != "-"]
    known = {os.path.realpath(file) for path in named for file in (path, *files_of_pattern(path))}
    place = os.path.realpath(output)
    read_files = {file for file in known if os.path.isfile(file)}  # noqa: PTH113 - as above
    outer, inner = (known, {place}) if is_file else ({place}, read_files)
    inside = any(one.startswith(os.path.join(folder, "")) for one in inner for folder in outer)  # noqa: PTH118 - as above
    if place in known or inside:
        is_read = is_file or place in known
        what = "the command reads it" if is_read else "it holds files that the command reads"
        hint = "name another place"
        raise UsageError(f"cannot write {output}: {what}, and its content would be lost", hint=hint)


def _usage_hint(ctx: click.Context, given: Sequence[str]) -> str:
    """How to write the command; if one word holds the names of several files, they should be separate words."""
    if given and not os.path.exists(given[0]):  # noqa: PTH110 - a word of the command line
        words = given[0].replace(",", " ").split()
        if len(words) > 1 and all(map(os.path.exists, words)):
            return f"separate the files by spaces: lydite {ctx.info_name} {' '.join(words)}"
    metavar = next(param.metavar for param in ctx.command.params if isinstance(param, click.Argument))
    return f"lydite {ctx.info_name} {metavar}; see lydite {ctx.info_name} --help"


# -------------------------------------------------------------------------------------- options without effect


class Needs(NamedTuple):
    """What an option needs to have an effect: one of these layouts, and one of these other options."""

    layouts: Sequence[str] = ()
    options: Sequence[str] = ()
    hint: str = ""
    tunes: bool = False
    """Whether the option only tunes something: without effect it is noted, not refused, as scripts may always give it."""


NEEDS_RUNS = {
    "best_per_team": Needs(options=("runs",), hint="the folders in --runs DIR say which team made a run")
}


def check_needs(
    ctx: click.Context, table: Mapping[str, Needs], layout: str = "", *, named: str = "--format "
) -> None:
    """Refuse an option that asks for output but has no effect; print a note about one that only tunes something."""
    for name, needs in table.items():
        if not is_given(ctx, name) or ctx.params[name] == "none":
            continue
        flag = flag_of(ctx, name)
        if needs.layouts and layout not in needs.layouts:
            *others, last = needs.layouts
            suitable = f"{', '.join(others)} or {last}" if others else last
            hint = needs.hint or f"{named}{suitable} shows it"
            refusal, note = (
                f"{flag} has no place in {named}{layout}",
                f"{flag} has no effect in {named}{layout}",
            )
        elif needs.options and not any(ctx.params[option] for option in needs.options):
            needed, hint = " or ".join(flag_of(ctx, option) for option in needs.options), needs.hint
            refusal, note = f"{flag} needs {needed}", f"{flag} has no effect without {needed}"
        else:
            continue
        if not needs.tunes:
            raise UsageError(refusal, hint=hint)
        show_notes([f"{note}; {hint}"], quiet=ctx.params["quiet"])


def is_given(ctx: click.Context, name: str) -> bool:
    """Whether an option of the verb is on the command line; a setting of the same name does not count."""
    task: AnyTask | None = ctx.meta.get(TASK_KEY)
    is_setting = task is not None and any(setting.key == name for setting in task.settings.declared.values())
    return not is_setting and ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def flag_of(ctx: click.Context, name: str) -> str:
    """The flag of an option, by the name of its parameter."""
    return next(param.opts[-1] for param in ctx.command.params if param.name == name)


# ---------------------------------------------------------------------------------------------- groups of options


profile_options = options(
    click.option(
        "--profile",
        type=TEXT,
        metavar="NAME",
        help="the campaign's settings: a name, or a TOML file of your own",
    ),
    click.option(
        "--quirk", multiple=True, metavar="NAME=on|off", help="switch one quirk on or off; may be repeated"
    ),
    click.option("--no-quirks", is_flag=True, help="switch off all quirks of the profile"),
    click.option(
        "--from",
        "from_format",
        type=TEXT,
        metavar="FORMAT",
        help="format of the files; recognised if not given",
    ),
)
"""The profile, its quirks, and the format of the files: for :func:`choice_from_options`."""


def choice_from_options(ctx: click.Context, task: str | None, *, ignore_ambient: bool = False) -> UserChoice:
    """The user's choice, from the parsed options, and ambient settings unless these are to be ignored."""
    known: AnyTask | None = TASKS[task] if task else ctx.meta.get(TASK_KEY)
    settings = {setting.key: setting for setting in known.settings.declared.values()} if known else {}
    quirks = {}
    for text in ctx.params["quirk"]:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"--quirk {text}: expected NAME=on or NAME=off")
        quirks[name.strip()] = value.strip()
    return UserChoice(
        task=task,
        profile=ctx.params["profile"],
        format=ctx.params["from_format"],
        options={key: ctx.params[key] for key in settings if ctx.params.get(key) is not None},
        ambient=None if ignore_ambient else read_ambient_settings(),
        quirks=quirks,
        no_quirks=ctx.params["no_quirks"],
    )


resampling_options = options(
    click.option(
        "--resample-by",
        type=click.Choice(UNIT_KINDS),
        help="unit of resampling: documents, unless the task joins items across them",
    ),
    click.option(
        "--resamples", type=POSITIVE, default=10_000, metavar="N", help="number of resampled corpora"
    ),
    click.option("--level", type=float, default=0.95, help="confidence level of the intervals"),
    click.option(
        "--interval",
        type=click.Choice(INTERVALS),
        default="expanded",
        help="method for the ends of the intervals",
    ),
)
"""How intervals are computed from resampled corpora."""
spreading_options = options(
    click.option(
        "-j",
        "--jobs",
        type=POSITIVE,
        default=1,
        show_default=False,
        metavar="N",
        help="share the documents among N processes",
    ),
    click.option(
        "--cluster",
        type=TEXT,
        metavar="ADDRESS|local:N",
        help="share the documents among the workers of a Dask cluster; local:N starts one of N processes",
    ),
)
"""The processes or the cluster among which work is shared: for :func:`start_workers`."""
organiser_options = options(
    runs_option,
    click.option("--skip-invalid", is_flag=True, help="leave out systems that are refused, and say why"),
    click.option(
        "--best-per-team", is_flag=True, help="show only the best run of each team (TEAM/RUN folders)"
    ),
    click.option(
        "--anonymous", is_flag=True, help="show numbers instead of names; stderr says which is which"
    ),
)
"""A folder of runs, and options for organisers with many runs."""


@contextmanager
def start_workers(jobs: int, cluster: str | None) -> Iterator[Workers | None]:
    """The workers that share the work; None if this process does it alone."""
    if cluster is None:
        yield Processes(jobs) if jobs > 1 else None
        return
    if jobs > 1:
        hint = "--cluster local:N starts N processes"
        raise UsageError("--cluster and --jobs exclude each other", hint=hint)
    from lydite.dask_cluster import connected

    with connected(cluster) as workers:
        yield workers


def find_runs(folder: str | None, *, quiet: bool) -> Runs:
    """The runs in the folder of ``--runs``; a note names the entries that are not systems."""
    if not folder:
        return Runs()
    runs = runs_in(folder)
    if runs.ignored:
        show_notes([f"not systems in {folder}, ignored: {', '.join(runs.ignored)}"], quiet=quiet)
    return runs


def show_left_out_systems(left_out: LeftOut | None) -> None:
    """Print to stderr which systems were not scored, and why."""
    for name, error in (left_out or {}).items():
        errors = errors_among(error.findings)
        print_to_stderr(f"left out: {name}: {counted(len(errors), 'error')}")
        for finding in errors[:3]:
            for line in str(finding).split("\n"):
                print_to_stderr(f"  {line}")
        if len(errors) > 3:
            print_to_stderr(f"  … and {len(errors) - 3} more; lydite validate {name} shows all")


def shown_systems(summary: Summary, runs: Runs, *, best_only: bool, anonymous: bool) -> dict[str, str]:
    """The systems to show, by their own names, with the names to show them under (``--best-per-team``, ``--anonymous``)."""
    selected = best_per_team(summary, runs.teams) if best_only else list(summary.systems)
    if not anonymous:
        return {name: name for name in selected}
    names = anonymous_names(summary, selected)
    show_notes([f"{number} is {name}" for name, number in sorted(names.items(), key=lambda one: one[1])])
    return names
