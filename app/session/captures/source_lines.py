"""How a line of somebody's program is named."""

from compiler.model.ir.graph import SourceLine


def short(line: SourceLine | None) -> str:
    """``model.py:14``, or empty."""
    return line.short if line is not None else ""
