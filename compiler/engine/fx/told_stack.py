"""The lines of the program that torch writes into the text of an error which a graph met while it ran: ``Original traceback:``."""

import re
import traceback

_BEGIN = "Original traceback:"
_ROW = re.compile(r'^\s*File "(?P<path>[^"]+)", line (?P<line>\d+)(?:, in (?P<function>\S+))?$')


def told_stack(text: str) -> list[traceback.FrameSummary]:
    """Innermost last; empty where the text has none."""
    _, found, rest = text.partition(_BEGIN)
    rows: list[traceback.FrameSummary] = []
    for row in rest.splitlines()[1:] if found else ():
        if match := _ROW.match(row):
            rows.append(
                traceback.FrameSummary(
                    match["path"], int(match["line"]), match["function"] or "", lookup_line=False
                )
            )
        elif row[:1].strip():
            break  # what torch says after it
    return rows
