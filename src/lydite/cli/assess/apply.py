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
from lydite.cli.options import refuse_overwriting_input, refuse_same_output
from lydite.cli.output import second_output, warn_of_formulas, write_json_or_text
from lydite.cli.parameters import NATURAL, TEXT, output_option, text_or_json_option
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


@click.command(
    "apply",
    epilog=examples_epilog(
        "lydite assess apply gold/ run1/ run2/ --targets targets.jsonl --queue queue.tsv --decisions decisions.tsv"
    ),
)
@click.argument("gold")
@click.argument("systems", nargs=-1, required=True)
@click.option("--targets", type=TEXT, required=True, metavar="FILE", help="target entities, as for the queue")
@click.option(
    "--queue", type=TEXT, required=True, metavar="FILE", help="the queue that was judged (TSV or JSON lines)"
)
@click.option(
    "--decisions", type=TEXT, required=True, metavar="FILE", help="the log of judgements (TSV or JSON lines)"
)
@click.option("--profile", default="ace08-global", help="the profile of the queue")
@click.option("--granularity", type=click.Choice((DOCUMENT, MENTION)), help="as for the queue")
@click.option("--text", type=TEXT, metavar="DIR", help="source texts, to find the names of a target in them")
@click.option("--remap", is_flag=True, help="map targets again, with items judged right as gold")
@click.option(
    "--resamples", type=NATURAL, default=1000, help="number of resampled corpora for intervals; 0 for none"
)
@click.option("--seed", type=int, default=1, help="seed of the resampling")
@click.option("--resolved", type=TEXT, metavar="FILE", help="also write the verdict on every item to a file")
@text_or_json_option
@output_option
def command(
    gold: str,
    systems: tuple[str, ...],
    *,
    targets: str,
    queue: str,
    decisions: str,
    profile: str,
    granularity: str | None,
    text: str | None,
    remap: bool,
    resamples: int,
    seed: int,
    resolved: str | None,
    layout: str,
    output: str | None,
) -> None:
    """Score the systems again with the decisions of the judges.

    Items judged right become gold, items judged wrong cost a false alarm, undecided ones are removed; the range shows
    the figures if all undecided items were wrong, were right, or stay undecided.
    """
    refuse_same_output([output, resolved])
    read = [gold, *systems, targets, queue, decisions, text]
    for written in (output, resolved):
        refuse_overwriting_input(read, written)
    choice = choose_adjudication(profile, targets, granularity)
    items = read_queue(queue, choice.granularity)
    log = read_decisions(decisions, items)
    report = adjudication_report(
        choice,
        read_corpora(choice, gold, systems),
        items,
        log,
        text_of=text_reader(text),
        resamples=resamples,
        seed=seed,
        remap=remap,
    )
    verdicts = {name: JointVerdict(name, OPEN, 0, 0) for name in items} | resolve(log)
    with second_output(resolved, lambda: _resolved(verdicts)):
        if resolved:
            warn_of_formulas(verdicts, resolved)
        write_json_or_text(layout, report, _text(report), output)


def _resolved(verdicts: Mapping[str, JointVerdict]) -> str:
    lines = ["\t".join(RESOLVED_COLUMNS)]
    for name in sorted(verdicts):
        verdict = verdicts[name]
        share = "" if verdict.agreement is None else f"{verdict.agreement:.4f}"
        lines.append(f"{printable(name)}\t{verdict.verdict}\t{verdict.n_up}\t{verdict.n_down}\t{share}")
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
