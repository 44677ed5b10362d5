"""Everything torch.compile can be told as one tree to search: arguments, modes, backends, options, stances."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.translation.texts import tr, tr_noop
from app.widgets.tables.row_table import RowTable
from app.widgets.tables.rows import Cell, Column, Row, Width
from compiler.model.capture.program_changes import SetCompileArgument
from compiler.model.experiments.compile_choices import CompileChoice
from compiler.model.experiments.torch_compile_api import (
    Backend,
    BackendTried,
    CompileArgument,
    CompileInterface,
    CompileMode,
    CompileOption,
    Stance,
)

_COLUMNS = (
    Column(tr_noop("Name"), width=210),
    Column(tr_noop("Default"), width=70),
    Column(tr_noop("What it is"), width=Width.STRETCH),
)
Entry = CompileArgument | CompileMode | Backend | CompileOption | Stance


class InterfaceTree(RowTable):
    """The filter looks into the documentation too."""

    shown = Signal()
    """Another row is current."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_COLUMNS, tr("Search arguments, modes, backends and options"), parent)
        self.current_changed.connect(lambda _: self.shown.emit())

    def show_interface(self, known: CompileInterface, tried: dict[str, BackendTried]) -> None:
        """Show all of it; backends that were tried say what came of it."""
        self.set_rows(
            [
                _group(
                    tr("Arguments"),
                    [_row(row, row.documentation, row.default) for row in known.arguments],
                    True,
                ),
                _group(tr("Modes"), [_row(row, mode_text(row)) for row in known.modes], True),
                _group(
                    tr("Backends"),
                    [_backend(row, tried.get(row.name)) for row in known.backends],
                    any(row.name in tried for row in known.backends),
                ),
                _group(tr("Options"), [_row(row, row.documentation, row.default) for row in known.options]),
                _group(tr("Stances"), [_row(row, row.documentation) for row in known.stances]),
            ]
        )

    def entry(self) -> Entry | None:
        """What the current row stands for; None for a heading."""
        row = self.current()
        return row.value if row is not None and isinstance(row.value, Entry) else None


def _group(title: str, rows: list[Row], is_open: bool = False) -> Row:
    return Row((title,), (Cell(f"{title} ({len(rows)})", bold=True),), tuple(rows), open=is_open)


def _row(entry: Entry, text: str, default: str = "", color: str = "dim_text") -> Row:
    cells = (Cell(entry.name), Cell(default, color="dim_text"), Cell(text, color=color))
    return Row(entry.name, cells, value=entry)


def _backend(backend: Backend, tried: BackendTried | None) -> Row:
    color = "dim_text" if tried is None else "good" if tried.works else "error"
    return _row(backend, backend_text(backend, tried), color=color)


def mode_text(mode: CompileMode) -> str:
    """The options that a mode sets."""
    return ", ".join(f"{name}={value}" for name, value in mode.options) or tr("sets no option")


def backend_text(backend: Backend, tried: BackendTried | None) -> str:
    """What came of trying it, or what torch says of it."""
    if tried is not None:
        works = tr("works here (first step {seconds:.1f} s)").format(seconds=tried.seconds)
        return works if tried.works else tr("does not work here: {why}").format(why=tried.why)
    return " · ".join(filter(None, (", ".join(backend.tags), backend.documentation)))


def argument_choice(row: Entry | None) -> CompileChoice | None:
    """The choice that a mode or a backend is; None for what takes a value."""
    match row:
        case CompileMode():
            return CompileChoice(f"mode={row.name!r}", (SetCompileArgument("mode", row.name),))
        case Backend():
            return CompileChoice(f"backend={row.name!r}", (SetCompileArgument("backend", row.name),))
        case _:
            return None
