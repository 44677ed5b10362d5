"""Text tables and numbers for the terminal."""

from collections.abc import Iterable, Sequence

from compiler.analysis.text_format.times import summary_text
from compiler.model.timing.timings import TimingSummary


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Columns as wide as their widest cell; a heading that begins with ``>`` is right-aligned."""
    plain = [heading.removeprefix(">") for heading in headings]
    cells = [plain, *[[str(cell) for cell in row] for row in rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(plain))]

    def line(row: Sequence[str]) -> str:
        parts = [
            cell.rjust(width) if heading.startswith(">") else cell.ljust(width)
            for cell, width, heading in zip(row, widths, headings, strict=True)
        ]
        return "  ".join(parts).rstrip()

    rule = "  ".join("─" * width for width in widths)
    return "\n".join([line(cells[0]), rule, *[line(row) for row in cells[1:]]])


def milliseconds(seconds: float | None) -> str:
    """Seconds as milliseconds; a dash where nothing was timed."""
    return "–" if seconds is None else f"{seconds * 1e3:,.1f}"


def with_spread(summary: TimingSummary | None) -> str:
    """``412 µs [405–421]``: median and quartiles."""
    return summary_text(summary) if summary is not None else "did not run"
