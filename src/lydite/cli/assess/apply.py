"""``lydite assess apply``: ACE value and B-cubed with and without the judgements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from lydite.adjudication.apply import read_queue
from lydite.adjudication.decisions import RESOLVED_COLUMNS, JointVerdict, read_decisions, resolve
from lydite.adjudication.files import (
    AdjudicationDocument,
    adjudication_report,
    choose_adjudication,
    read_corpora,
    text_reader,
)
from lydite.adjudication.pool import DOCUMENT, MENTION
from lydite.adjudication.scores import OPEN
from lydite.cli.assess import quiet_option
from lydite.cli.option_records import NATURAL, OUTPUT, TEXT_OR_JSON, OptionRecord, option, options_from
from lydite.cli.options import refuse_overwriting_input, refuse_same_output
from lydite.cli.output import second_output, warn_of_formulas, write_json_or_text
from lydite.cli.verbs import examples_epilog
from lydite.escaping import counted, printable
from lydite.report.tables import UNDEFINED, Table
from lydite.report.text import plain_text

_SHOWN = {
    "ace_value_on_A": "value on A",
    "ace_value_plus": "value+",
    "adjudicated_precision": "precision",
    "relative_recall": "relative recall",
    "b3_precision": "B³ P",
    "b3_recall": "B³ R",
}


class _Options(OptionRecord):
    targets: str = option("target entities, as for the queue", required=True, metavar="FILE")
    queue: str = option("the queue that was judged (TSV or JSON lines)", required=True, metavar="FILE")
    decisions: str = option("the log of judgements (TSV or JSON lines)", required=True, metavar="FILE")
    profile: str = option("the profile of the queue", default="ace08-global")
    granularity: str | None = option("as for the queue", type=click.Choice((DOCUMENT, MENTION)))
    text: str | None = option("source texts, to find the names of a target in them", metavar="DIR")
    remap: bool = option("map targets again, with items judged right as gold")
    resamples: int = option(
        "number of resampled corpora for intervals; 0 for none", type=NATURAL, default=1000
    )
    seed: int = option("seed of the resampling", default=1)
    resolved: str | None = option("also write the verdict on every item to a file", metavar="FILE")
    layout: str = TEXT_OR_JSON
    output: str | None = OUTPUT


@click.command(
    "apply",
    epilog=examples_epilog(
        "lydite assess apply gold/ run1/ run2/ --targets targets.jsonl --queue queue.tsv --decisions decisions.tsv"
    ),
)
@click.argument("gold")
@click.argument("systems", nargs=-1, required=True)
@options_from(_Options)
@quiet_option
def command(gold: str, systems: tuple[str, ...], options: _Options) -> None:
    """Score the systems again with the decisions of the judges.

    Items judged right become gold, items judged wrong cost a false alarm, undecided ones are removed; the range shows
    the figures if all undecided items were wrong, were right, or stay undecided.
    """
    refuse_same_output([options.output, options.resolved])
    read = [gold, *systems, options.targets, options.queue, options.decisions, options.text]
    for output in (options.output, options.resolved):
        refuse_overwriting_input(read, output)
    choice = choose_adjudication(options.profile, options.targets, options.granularity)
    queue = read_queue(options.queue, choice.granularity)
    decisions = read_decisions(options.decisions, queue)
    report = adjudication_report(
        choice,
        read_corpora(choice, gold, systems),
        queue,
        decisions,
        text_of=text_reader(options.text),
        resamples=options.resamples,
        seed=options.seed,
        remap=options.remap,
    )
    verdicts = {name: JointVerdict(name, OPEN, 0, 0) for name in queue} | resolve(decisions)
    with second_output(options.resolved, lambda: _resolved(verdicts)):
        if options.resolved:
            warn_of_formulas(verdicts, options.resolved)
        write_json_or_text(options.layout, report, _text(report), options.output)


def _resolved(verdicts: Mapping[str, JointVerdict]) -> str:
    lines = ["\t".join(RESOLVED_COLUMNS)]
    for name in sorted(verdicts):
        one = verdicts[name]
        share = "" if one.agreement is None else f"{one.agreement:.4f}"
        lines.append(f"{printable(name)}\t{one.verdict}\t{one.n_up}\t{one.n_down}\t{share}")
    return "\n".join(lines) + "\n"


def _text(report: AdjudicationDocument) -> str:
    rows = []
    for name, found in report["systems"].items():
        rows.append((name, *(_number(key, found["after"][key]) for key in _SHOWN)))
        rows.append(("  undecided", *(_range(key, found["undecided"]["range"][key]) for key in _SHOWN)))
        if found["intervals"]:
            rows.append(("  95 % interval", *(_range(key, found["intervals"][key]) for key in _SHOWN)))
    again = ", targets mapped again" if "remap" in report else ""
    title = f"adjudicated, by {report['granularity']}{again}"
    table = Table(title, ("system", *_SHOWN.values()), tuple(rows))
    judges = report["agreement"]
    lines = [plain_text(table), ""]
    for name, found in report["systems"].items():
        lines.append(f"{printable(name)}: {counted(found['undecided']['items'], 'item')} not decided")
    told = [f"{key} {judges[key]:.4f}" for key in ("raw", "kappa", "alpha") if judges.get(key) is not None]
    lines.append(
        f"{counted(len(judges['judges']), 'judge')}, {counted(judges['items'], 'item')},"
        f" {judges['judged_twice']} judged by several" + (f"; agreement: {', '.join(told)}" if told else "")
    )
    return "\n".join(lines) + "\n"


def _number(key: str, figure: float | None) -> str:
    if figure is None:
        return UNDEFINED
    return f"{figure:.2f}" if key.startswith("ace") else f"{100 * figure:.2f}"


def _range(key: str, ends: Sequence[float | None]) -> str:
    return " … ".join(_number(key, end) for end in ends)
