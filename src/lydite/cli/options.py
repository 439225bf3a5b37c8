"""Options that verbs share, and the flags that a task's settings become."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import NamedTuple

import click

from lydite.cli.option_records import (
    POSITIVE,
    Option,
    OptionRecord,
    help_option,
    option,
    option_group,
    options_from,
)
from lydite.cli.output import print_to_stderr, show_notes
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
    """A verb whose flags depend on the task, which is the first argument or is recognised from the first file."""

    inputs: int | None = None
    """How many of the words are files to be read; the others are to be written, and must not decide the task."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find the task before the flags are parsed."""
        words, doubtful = _split_words(args, self.params)
        ctx.meta[TASK_KEY] = _task_of(words[: self.inputs], doubtful)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Call the verb with its own options; :func:`choice_from_options` reads the flags of settings."""
        assert self.callback is not None
        own = [param.name for param in self.params if param.expose_value and param.name is not None]
        return ctx.invoke(self.callback, **{name: ctx.params[name] for name in own})

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The verb's own options and a flag for each setting of the task."""
        params = super().get_params(ctx)
        task: AnyTask | None = ctx.meta.get(TASK_KEY)
        if task is None:
            return params
        *own, help_ = params
        return [*own, *_setting_flags(self, task), help_]

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples of the task, if one is named and the verb is ``score``; else those of the verb."""
        task: AnyTask | None = ctx.meta.get(TASK_KEY)
        if task is not None and task.examples and ctx.info_name == "score":
            formatter.write_paragraph()
            formatter.write_text(_examples(task))
        else:
            super().format_epilog(ctx, formatter)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Options, then the settings, profiles and quirks of the task."""
        own = {id(param) for param in self.params}
        general: list[tuple[str, str]] = []
        settings: list[tuple[str, str]] = []
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None and isinstance(param, click.Option):
                (general if id(param) in own else settings).append(record)
        with formatter.section("Options"):
            formatter.write_dl(general)
        task = ctx.meta.get(TASK_KEY)
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
        quirks = [(one.name, one.help) for one in task.settings.declared.values() if one.is_quirk]
        with formatter.section("Quirks (--quirk NAME=on|off)"):
            formatter.write_dl(quirks)


def task_verb(
    name: str, words: str, record: type[OptionRecord], epilog: str, *, inputs: int | None = None
) -> Callable[[Callable[..., int]], click.Command]:
    """Make a verb of a function that takes the context, the ``words`` of the command line and the options of the record."""

    def decorate(function: Callable[..., int]) -> click.Command:
        with_options = options_from(record)(click.pass_context(function))
        with_words = click.argument("words", nargs=-1, metavar=words)(with_options)
        command = click.command(name, cls=TaskCommand, epilog=epilog)(with_words)
        command.inputs = inputs
        command.params.append(help_option())
        return command

    return decorate


def _examples(task: AnyTask) -> str:
    lines = [f"  lydite score {command}\n      {purpose}" for command, purpose in task.examples]
    return "\n".join(["\b", f"Examples of {task.name}:", *lines])


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


@cache
def _setting_flags(verb: TaskCommand, task: AnyTask) -> list[click.Option]:
    """A flag for each setting of the task, unless the verb has one of that name; cached, as click asks several times."""
    taken = {name for param in verb.params for name in param.opts}
    return [_make_flag(one) for one in task.settings.declared.values() if _becomes_flag(one, taken)]


def _becomes_flag(one: Setting, taken: set[str]) -> bool:
    return one.flag and not one.is_quirk and one.kind != "table" and f"--{one.name}" not in taken


class _SettingFlag(Option):
    """The flag of a setting; its value is None if it is not given, in every version of click."""

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, object], args: list[str]
    ) -> tuple[object, list[str]]:
        """Read the flag if it was given."""
        if self.name is None or self.name in opts:
            return super().handle_parse_result(ctx, opts, args)
        ctx.params[self.name] = None
        return None, args


_METAVARS = {"path": "PATH", "list": "A,B,…", "int": "N", "index": "N", "float": "X", "share": "X"}
"""The placeholder for a value in the help, by the kind of the setting."""


def _make_flag(setting: Setting) -> click.Option:
    name = f"--{setting.name}"
    if setting.kind == "bool":
        return _SettingFlag([f"{name}/--no-{setting.name}"], default=None, help=setting.help)
    kind = click.Choice(setting.choices) if setting.choices and setting.kind == "str" else str
    metavar = _METAVARS.get(setting.kind)
    return _SettingFlag([name], type=kind, default=None, help=setting.help, metavar=metavar)


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


class Requirement(NamedTuple):
    """The options, by field, of which one must be given for another option to have an effect, and a hint."""

    one_of: tuple[str, ...]
    hint: str


def refuse_idle_options(ctx: click.Context, table: Mapping[str, Requirement]) -> None:
    """Refuse an option that asks for output but is given without the options that it needs."""
    for name, others, hint in _without_effect(ctx, table):
        raise UsageError(f"{name} needs {others}", hint=hint)


def note_idle_options(ctx: click.Context, table: Mapping[str, Requirement]) -> None:
    """Print a note about options that only tune something that was not asked for; scripts may always give them."""
    idle = _without_effect(ctx, table)
    notes = [f"{name} has no effect without {others}; {hint}" for name, others, hint in idle]
    show_notes(notes, quiet=ctx.params["quiet"])


def _without_effect(ctx: click.Context, table: Mapping[str, Requirement]) -> Iterator[tuple[str, str, str]]:
    """The options that are given without those that they need: both as flags, and a hint."""
    for name, (one_of, hint) in table.items():
        if is_given(ctx, name) and not any(ctx.params[other] for other in one_of):
            needed = " or ".join(_flag_of_field(ctx, other) for other in one_of)
            yield _flag_of_field(ctx, name), needed, hint


def refuse_options_of_other_layouts(ctx: click.Context, table: Mapping[str, Sequence[str]]) -> None:
    """Refuse an option whose output the chosen layout cannot show; the table has the layouts that can."""
    layout = ctx.params["layout"]
    for name, layouts in table.items():
        if is_given(ctx, name) and ctx.params[name] != "none" and layout not in layouts:
            suitable = f"{', '.join(layouts[:-1])} or {layouts[-1]}" if len(layouts) > 1 else layouts[0]
            hint = f"--format {suitable} shows it"
            raise UsageError(f"{_flag_of_field(ctx, name)} has no place in --format {layout}", hint=hint)


def is_given(ctx: click.Context, name: str) -> bool:
    """Whether an option of the verb is on the command line; a setting of the same name does not count."""
    task: AnyTask | None = ctx.meta.get(TASK_KEY)
    is_setting = task is not None and any(one.key == name for one in task.settings.declared.values())
    return not is_setting and ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def _flag_of_field(ctx: click.Context, name: str) -> str:
    """The flag of an option, by its field."""
    return next(param.opts[-1] for param in ctx.command.params if param.name == name)


# ---------------------------------------------------------------------------------------------- groups of options


def choice_from_options(
    ctx: click.Context, task: str | None, options: ProfileOptions, *, ignore_ambient: bool = False
) -> UserChoice:
    """The user's choice, from the parsed options, and ambient settings unless these are to be ignored."""
    known: AnyTask | None = TASKS[task] if task else ctx.meta.get(TASK_KEY)
    settings = {setting.key: setting for setting in known.settings.declared.values()} if known else {}
    given = {key: ctx.params[key] for key in settings if ctx.params.get(key) is not None}
    return UserChoice(
        task=task,
        profile=options.profile,
        format=options.from_format,
        options=given,
        ambient=None if ignore_ambient else read_ambient_settings(),
        quirks=dict(map(_parse_quirk, options.quirk)),
        no_quirks=options.no_quirks,
    )


def _parse_quirk(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"--quirk {text}: expected NAME=on or NAME=off")
    return name.strip(), value.strip()


class ProfileOptions(OptionRecord):
    """The profile, its quirks, and the format of the files."""

    profile: str | None = option(
        "the campaign's settings: a name, or a TOML file of your own", metavar="NAME"
    )
    quirk: tuple[str, ...] = option("switch one quirk on or off; may be repeated", metavar="NAME=on|off")
    no_quirks: bool = option("switch off all quirks of the profile")
    from_format: str | None = option(
        "format of the files; recognised if not given", "--from", metavar="FORMAT"
    )


PROFILE = option_group(ProfileOptions)


class ResamplingOptions(OptionRecord):
    """How intervals are computed from resampled corpora."""

    resample_by: str | None = option(
        "unit of resampling: documents, unless the task joins items across them",
        type=click.Choice(UNIT_KINDS),
    )
    resamples: int = option("number of resampled corpora", default=10_000, metavar="N")
    level: float = option("confidence level of the intervals", default=0.95)
    interval: str = option(
        "method for the ends of the intervals", type=click.Choice(INTERVALS), default="expanded"
    )


class SpreadingOptions(OptionRecord):
    """The processes or the cluster among which work is shared."""

    jobs: int = option(
        "share the documents among N processes",
        "-j",
        "--jobs",
        type=POSITIVE,
        default=1,
        show_default=False,
        metavar="N",
    )
    cluster: str | None = option(
        "share the documents among the workers of a Dask cluster; local:N starts one of N processes",
        metavar="ADDRESS|local:N",
    )


@contextmanager
def start_workers(options: SpreadingOptions) -> Iterator[Workers | None]:
    """The workers that share the work; None if this process does it alone."""
    if options.cluster is None:
        yield Processes(options.jobs) if options.jobs > 1 else None
        return
    if options.jobs > 1:
        hint = "--cluster local:N starts N processes"
        raise UsageError("--cluster and --jobs exclude each other", hint=hint)
    from lydite.dask_cluster import connected

    with connected(options.cluster) as workers:
        yield workers


class RunsOptions(OptionRecord):
    """A folder of runs, and options for organisers with many runs."""

    runs: str | None = option("each entry of DIR is a system, or a team with its runs", metavar="DIR")
    skip_invalid: bool = option("leave out systems that are refused, and say why")
    best_per_team: bool = option("show only the best run of each team (TEAM/RUN folders)")
    anonymous: bool = option("show numbers instead of names; stderr says which is which")


TEAM_REQUIREMENTS = {
    "best_per_team": Requirement(("runs",), "the folders in --runs DIR say which team made a run")
}
"""What ``--best-per-team`` needs to have an effect."""


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


def shown_systems(summary: Summary, options: RunsOptions, runs: Runs) -> dict[str, str]:
    """The systems to show, by their own names, with the names to show them under (``--best-per-team``, ``--anonymous``)."""
    selected = best_per_team(summary, runs.teams) if options.best_per_team else list(summary.systems)
    if not options.anonymous:
        return {name: name for name in selected}
    names = anonymous_names(summary, selected)
    show_notes([f"{number} is {name}" for name, number in sorted(names.items(), key=lambda one: one[1])])
    return names
