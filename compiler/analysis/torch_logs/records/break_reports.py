"""Graph breaks, from the texts in which torch reports them."""

import re
from collections.abc import Iterator

from compiler.analysis.torch_logs.records.interned_strings import of_torch, reported_line
from compiler.model.capture.frames import BreakCategory, GraphBreak
from compiler.model.graph_breaks import registry_ids as ids
from compiler.model.ir.graph import SourceLine

_REGISTRY = re.compile(r"/gb/(gb\d+)\.html")
_FRAME = re.compile(r'^\s*File "(?P<path>.+?)", line (?P<line>\d{1,9}), in (?P<function>.+?)\s*$')
_AT = re.compile(r"^Graph break in user code at (.+):(\d{1,9})\s*$", re.MULTILINE)
_HINT = re.compile(r"^  Hint: (.*)$", re.MULTILINE)
_EXPLANATION = re.compile(r"^  Explanation: (.*)$", re.MULTILINE)
_CONTEXT = re.compile(r"^  Developer debug context: ?(.*)$", re.MULTILINE)
_BEFORE_THE_REASON = ("Encountered graph break", "Failed to handle graph break gracefully")
"""How a report begins that reports the reason after an empty line. The second is the same break, met again: torch gives the frame up."""
_LONGEST = 20_000
REASONS = "dynamo_graph_break_reason"


def read_break(text: str, compile_id: str) -> GraphBreak:
    """One report; the break has no id yet."""
    text = text[:_LONGEST]
    head, _, rest = text.partition("User code traceback:")
    reason = head.partition("Graph Break Reason:")[2].strip() or head.strip()
    first, _, after = reason.partition("\n\n")
    if first.startswith(_BEFORE_THE_REASON) and after:
        reason = after.strip()
    kind = reason.partition("\n")[0].strip()
    stack = tuple(read_stack(rest.partition("Traceback (most recent call last)")[0]))
    at = _AT.search(text)
    if not stack and at is not None:
        stack = (SourceLine(at[1], int(at[2])),)
    registry = _REGISTRY.search(text)
    registry_id = registry[1].upper() if registry else ids.id_of_text(kind)
    sort = _sort(text, registry_id)
    explanation, context = _EXPLANATION.search(reason), _CONTEXT.search(reason)
    return GraphBreak(
        "",
        compile_id,
        kind[:500] or "Graph break",
        reason,
        registry_id,
        explanation[1] if explanation else "",
        context[1] if context else "",
        tuple(found[1] for found in _HINT.finditer(reason)),
        stack,
        sort=sort,
        skipped_frame=sort is BreakCategory.SKIPPED_FRAME,
        reported=reported_line(stack),
    )


def _sort(text: str, registry_id: str) -> BreakCategory:
    """By the id; older torches wrote what became of the frame as words only."""
    low = text[:2000].lower()
    if registry_id == ids.RECOMPILE_LIMIT or "recompile_limit" in low or "cache_size_limit" in low:
        return BreakCategory.RECOMPILE_LIMIT
    if (
        registry_id == ids.BREAK_IN_LOOP
        or "skipping frame because there is a graph break in a for/while loop" in low
        or "graph break in loop" in low
    ):
        return BreakCategory.LOOP
    if "skipping frame" in low or "skip frame" in low:
        return BreakCategory.SKIPPED_FRAME
    return BreakCategory.BREAK


def read_stack(text: str) -> Iterator[SourceLine]:
    """Lines of a printed stack, innermost last, without torch's own."""
    lines = text.split("\n")
    for index, line in enumerate(lines):
        found = _FRAME.match(line)
        if found is not None and not of_torch(found["path"]):
            below = lines[index + 1].strip() if index + 1 < len(lines) else ""
            said = "" if _FRAME.match(lines[index + 1] if below else "") else below
            yield SourceLine(found["path"], int(found["line"]), found["function"], said)
