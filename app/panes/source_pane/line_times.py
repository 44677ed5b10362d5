"""Times beside the lines of a file: what stands in the gutter, in the colours of heat, and what a tooltip says of it."""

from collections.abc import Mapping

from app.theme.colors import Colors
from app.theme.heat import heat_ramp
from app.widgets.gutter_marks import GutterTime
from compiler.analysis.line_times.format_times import format_line, format_unlinked, short_text
from compiler.analysis.line_times.line_times import LineTime, LineTimes
from compiler.model.ir.ids import Place

LEAST_SHARE = 0.0005
"""Of all kernel time: what is less is reported in the tooltip, not in the gutter."""


def gutter_times(times: LineTimes | None, path: str, colors: Colors) -> dict[int, GutterTime]:
    """Of the lines of a file. Heat is the share of the step's kernel time, so that one colour means the same in every file."""
    if times is None:
        return {}
    found: dict[int, GutterTime] = {}
    for line, row in times.of_file(path).items():
        own, total = (
            short_text(spent) if spent.median >= LEAST_SHARE * times.measured else ""
            for spent in (row.own, row.total)
        )
        if own or total:
            found[line] = GutterTime(own, "" if row.total == row.own else total, _heat(row, times, colors))
    return found


def _heat(row: LineTime, times: LineTimes, colors: Colors) -> str:
    """Steps of equal factors below the hottest line of the program, as boxes of the graph have them."""
    hottest = times.hottest
    if hottest is None or row.own.median <= 0:
        return ""
    ramp, limit = heat_ramp(colors), hottest.own.median
    step = len(ramp) - 1
    while step > 0 and row.own.median < limit / _FACTOR:
        step, limit = step - 1, limit / _FACTOR
    return ramp[step]


_FACTOR = 2.5


def time_tip(row: LineTime | None, times: LineTimes, names: Mapping[Place, str], when: str) -> str:
    """What a line costs, for its tooltip; empty where no kernel leads to it."""
    if row is None:
        return ""
    return "\n".join(filter(None, [format_line(row, names, times.measured), format_unlinked(times), when]))
