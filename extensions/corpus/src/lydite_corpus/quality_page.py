"""The report on a choice of documents, as text and as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from lydite.escaping import counted
from lydite_corpus.selection import Quality, Selection

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; }
table { border-collapse: collapse; margin: 1rem 0; } td, th { padding: .15rem .8rem .15rem 0; text-align: left; }
td.n { text-align: right; font-variant-numeric: tabular-nums; } .bar { background: #3b6ea5; height: .7rem; }
.low { background: #b5542b; } .high { background: #8a5fa8; } .rail { background: #e6e6e6; width: 14rem; }
"""


def _mean_and_range(values: tuple[float, ...]) -> str:
    return f"{sum(values) / len(values):.4f} ({min(values):.4f} … {max(values):.4f})" if values else "none"


def facts(quality: Quality) -> Iterator[tuple[str, str]]:
    """Return the names and the figures of a report."""
    ratio = f"{quality.ratio:.4f}" if quality.ratio is not None else "undefined"
    yield (
        "documents",
        f"{quality.count} of {quality.pool}: {quality.greedy} chosen, {quality.filled} filled in",
    )
    yield "value F", f"{quality.value:.4f}"
    yield "bound", f"{quality.bound:.4f} ({quality.bound_by})"
    yield "certified ratio", ratio
    if quality.soft_value is not None:
        lost = quality.soft_value - quality.value
        yield "without the upper limit", f"{quality.soft_value:.4f} ({lost:+.4f})"
        yield "passed over for it", counted(quality.passed_over, "document")
    yield f"random, {counted(len(quality.random), 'seed')}", _mean_and_range(quality.random)
    yield f"stratified, {counted(len(quality.stratified), 'seed')}", _mean_and_range(quality.stratified)
    band = f"{quality.lower} to {quality.upper}"
    yield f"targets with {band} mentions", f"{quality.in_band} of {len(quality.targets)}"
    yield "aliases found", "{} of {}".format(*quality.aliases)
    yield "variants found", "{} of {}".format(*quality.variants)
    yield "confusable groups with two members", "{} of {}".format(*quality.confusable_groups)
    yield "documents with several targets", str(quality.documents_with_several_targets)
    for name, (found, wanted) in quality.quotas.items():
        yield f"quota of {name}", f"{found} of {wanted}"


def text_report(selection: Selection) -> str:
    """Return the report as text."""
    quality = selection.quality
    rows = list(facts(quality))
    width = max(len(name) for name, _ in rows)
    lines = [f"{name:<{width}}  {figure}" for name, figure in rows]
    for name, shares in quality.mix.items():
        listing = ", ".join(
            f"{value or 'none'} {chosen:.1%} ({pool:.1%})" for value, (pool, chosen) in shares.items()
        )
        lines.append(f"{name + ' (in the pool)':<{width}}  {listing}")
    low = [one.target for one in quality.targets if one.mentions < quality.lower]
    if low:
        more = f" and {len(low) - 10} more" if len(low) > 10 else ""
        lines.append(f"{f'targets below {quality.lower}':<{width}}  {', '.join(low[:10])}{more}")
    return "\n".join(lines) + "\n"


def page(selection: Selection, title: str = "Choice of documents") -> str:
    """Return the report as HTML that needs no other file."""
    quality = selection.quality
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
        _table(("figure", "value"), [(escape(name), escape(figure)) for name, figure in facts(quality)]),
        "<h2>Targets</h2>",
        _table(
            ("target", "mentions", "", "in the pool", "aliases and variants"),
            [
                (
                    escape(one.target),
                    str(one.mentions),
                    _bar(one.mentions, quality),
                    str(one.pool),
                    f"{one.forms} of {one.all_forms}",
                )
                for one in quality.targets
            ],
        ),
    ]
    for name, shares in quality.mix.items():
        rows = [
            (escape(value or "none"), f"{chosen:.1%}", f"{pool:.1%}")
            for value, (pool, chosen) in shares.items()
        ]
        parts += [f"<h2>{escape(name.capitalize())}</h2>", _table((name, "chosen", "pool"), rows)]
    rows = [(escape(one.document), f"{one.gain:.4f}", one.by) for one in selection.documents]
    parts += ["<h2>Documents</h2>", _table(("document", "gain", "by"), rows), "</body></html>", ""]
    return "\n".join(parts)


def _bar(mentions: int, quality: Quality) -> str:
    share = min(1.0, mentions / quality.upper)
    kind = " low" if mentions < quality.lower else " high" if mentions > quality.upper else ""
    return f'<div class="rail"><div class="bar{kind}" style="width:{100 * share:.0f}%"></div></div>'


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = ["<table><thead><tr>", *(f"<th>{cell}</th>" for cell in head), "</tr></thead><tbody>"]
    for row in rows:
        cells = "".join(
            f'<td class="n">{cell}</td>' if cell[:1].isdigit() else f"<td>{cell}</td>" for cell in row
        )
        lines.append(f"<tr>{cells}</tr>")
    return "".join([*lines, "</tbody></table>"])
