"""The table of a batch: its columns once, and from them CSV, HTML and what the terminal and Parquet show."""

import csv
import html
import io
from collections import Counter
from collections.abc import Callable, Iterable

from compiler.analysis.text_format.visible_text import visible
from compiler.model.batch.manifest import DEFAULT_MODE
from compiler.model.batch.rows import Row
from compiler.model.export.csv_cells import csv_cell

Cell = str | int | float | bool | None
ALONE = "Times with ~ were measured beside other jobs: they are not compared (--jobs 1 measures each alone)."


def _figure(row: Row, name: str) -> Cell:
    return None if row.figures is None else getattr(row.figures, name)


def _time(row: Row, series: str, name: str) -> float | None:
    summary = None if row.figures is None else getattr(row.figures, series)
    return None if summary is None else getattr(summary, name) / 1e9


COLUMNS: dict[str, tuple[type, Callable[[Row], Cell]]] = {
    "program": (str, lambda row: row.key.program),
    "target": (str, lambda row: row.key.target),
    "torch": (str, lambda row: row.key.torch),
    "mode": (str, lambda row: row.key.mode),
    "result": (str, lambda row: row.cause.value),
    "breaks": (int, lambda row: _figure(row, "breaks")),
    "graphs": (int, lambda row: _figure(row, "graphs")),
    "kernels": (int, lambda row: len(row.figures.kernels) if row.figures else None),
    "step_seconds": (float, lambda row: _time(row, "step", "median")),
    "step_seconds_low": (float, lambda row: _time(row, "step", "low")),
    "step_seconds_high": (float, lambda row: _time(row, "step", "high")),
    "eager_seconds": (float, lambda row: _time(row, "eager", "median")),
    "measured_alone": (bool, lambda row: row.alone),
    "planned_bytes": (int, lambda row: _figure(row, "memory")),
    "resident_bytes": (int, lambda row: row.resident or None),
    "compile_seconds": (float, lambda row: _figure(row, "compile_seconds")),
    "capture_seconds": (float, lambda row: _figure(row, "seconds")),
    "job_seconds": (float, lambda row: row.wall),
    "torch_version": (str, lambda row: _figure(row, "torch")),
    "machine": (str, lambda row: _figure(row, "machine")),
    "host": (str, lambda row: row.host),
    "what": (str, lambda row: row.what),
    "not_timed": (str, lambda row: _figure(row, "not_timed")),
    "job": (str, lambda row: row.id),
}
"""Name → what it holds, and its cell; None where it is not known. Times in seconds, memory in bytes."""

SHOWN = (
    "program",
    "target",
    "torch",
    "mode",
    "result",
    ">breaks",
    ">graphs",
    ">kernels",
    ">step",
    ">÷ eager",
    ">memory",
    ">compile",
)
"""Headings of the table for people."""


def csv_of(rows: Iterable[Row]) -> str:
    """Comma-separated values with a heading; a cell is empty where it is not known."""
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(COLUMNS)
    writer.writerows([csv_cell(cell(row)) for _, cell in COLUMNS.values()] for row in rows)
    return stream.getvalue()


def shown_cells(row: Row) -> tuple[str, ...]:
    """A row for people, under `SHOWN`."""
    step, eager = _time(row, "step", "median"), _time(row, "eager", "median")
    mark = "" if row.alone else "~"
    planned = _figure(row, "memory")
    compile_seconds = _figure(row, "compile_seconds")
    mode = "" if row.key.mode == DEFAULT_MODE else row.key.mode
    cells = (
        row.key.program,
        row.key.target,
        row.key.torch,
        mode,
        row.cause.value,
        *(_count(COLUMNS[name][1](row)) for name in ("breaks", "graphs", "kernels")),
        f"{mark}{step * 1e3:,.3f} ms" if step is not None else "–",
        f"{mark}{step / eager:.2f}" if step is not None and eager else "–",
        f"{planned / 2**20:,.1f} MiB" if isinstance(planned, int) else "–",
        f"{compile_seconds:.1f} s" if isinstance(compile_seconds, float) else "–",
    )
    return tuple(map(visible, cells))


def _count(value: Cell) -> str:
    return "–" if value is None else f"{value:,}"


def causes_text(rows: Iterable[Row]) -> str:
    """``98 done, 1 crashed, 1 too long``."""
    counts = Counter(row.cause.value for row in rows)
    return ", ".join(f"{count} {cause}" for cause, count in counts.most_common())


def html_of(rows: tuple[Row, ...], title: str) -> str:
    """A page that loads and runs nothing: every text of a program is text."""
    heads = "".join(f"<th>{html.escape(name.removeprefix('>'))}</th>" for name in SHOWN)
    body = "\n".join(_html_row(row) for row in rows)
    failed = "\n".join(
        f"<li><b>{_safe(str(row.key))}</b>: {row.cause.value}<pre>{_safe(row.what)}</pre></li>"
        for row in rows
        if row.failed
    )
    problems = f"<h2>What failed</h2><ul>{failed}</ul>" if failed else ""
    return _PAGE.format(
        title=_safe(title),
        reported=_safe(causes_text(rows)),
        heads=heads,
        body=body,
        problems=problems,
        alone=_safe(ALONE),
    )


def _html_row(row: Row) -> str:
    cells = [_safe(cell) for cell in shown_cells(row)]
    if row.figures is not None:
        cells[0] = f'<a href="./{_safe(row.id)}.loupe">{cells[0]}</a>'
    return f'<tr class="{"bad" if row.failed else "good"}"><td>{"</td><td>".join(cells)}</td></tr>'


def _safe(text: str) -> str:
    return html.escape(visible(text))


_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>body{{font:14px system-ui,sans-serif;margin:2em}} table{{border-collapse:collapse}}
th,td{{padding:.25em .7em;border-bottom:1px solid #ccc;text-align:left}} td:nth-child(n+6){{text-align:right;white-space:nowrap}}
.bad td:nth-child(5){{color:#b00020;font-weight:600}} pre{{white-space:pre-wrap}}</style></head>
<body><h1>{title}</h1><p>{reported}</p><table><thead><tr>{heads}</tr></thead><tbody>
{body}
</tbody></table><p>{alone}</p>{problems}</body></html>
"""
