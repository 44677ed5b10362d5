"""``%load_ext torch_loupe`` and ``%%loupe``: a cell of a notebook is run as it is, and what it compiled is shown below it."""

import argparse
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn, Protocol

from compiler.analysis.text_format.visible_text import visible
from compiler.api.errors import LoupeError
from compiler.api.inline_graph import inline_graph
from compiler.api.notebook import as_html
from compiler.api.recording import Recorded, record
from compiler.api.window import show
from compiler.command_line.reports.capture_report import stage_table


class Result(Protocol):
    """How a cell went."""

    success: bool


class Shell(Protocol):
    """What we need of IPython's."""

    def register_magic_function(self, run: Callable[[str, str], object], kind: str, name: str) -> None:
        """Give the shell a magic."""

    def run_cell(self, cell: str) -> Result:
        """Run code as a cell."""


class Shown:
    """What a cell compiled."""

    def __init__(self, found: Recorded) -> None:
        self.recorded = found

    def __str__(self) -> str:
        parts = [str(self.recorded)]
        if self.recorded.summary is not None and self.recorded.summary.compiles:
            capture = self.recorded.capture
            parts += [stage_table(capture.data)]
            parts += [f"graph break: {row.kind} at {row.where}" for row in capture.breaks]
        return visible("\n\n".join(parts))

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        text = as_html(str(self))
        summary = self.recorded.summary
        if summary is None or not summary.compiles:
            return text
        stages = self.recorded.capture.data.stages
        graph = next((stage for stage in stages if stage.graph is not None), None)
        return text + (inline_graph(graph) if graph is not None else "")


def register(shell: Shell) -> None:
    """Give an IPython shell the magic."""
    shell.register_magic_function(lambda line, cell: _run(shell, line, cell), "cell", "loupe")


def _run(shell: Shell, line: str, cell: str) -> Shown | None:
    """Run the cell; raises in the notebook what the cell raises, after what was compiled until then is kept."""
    options = _parser().parse_args(shlex.split(line))
    with record(options.output, keep_caches=options.keep_caches) as found:
        result = shell.run_cell(cell)
    if options.window and found.summary is not None and found.summary.compiles:
        show(options.output or found.capture)
    if not result.success:
        return None  # the cell's own traceback stands above
    return Shown(found)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        remedy = "Write %%loupe [-o FILE.loupe] [--window] [--keep-caches]."
        raise LoupeError(f"%%loupe: {message}.", remedy)


def _parser() -> _Parser:
    parser = _Parser(prog="%%loupe", add_help=False)
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--window", action="store_true")
    parser.add_argument("--keep-caches", action="store_true")
    return parser
