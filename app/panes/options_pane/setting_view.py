"""One thing torch.compile can be told: torch's words on it, and a value to put on the list of choices."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QPushButton, QWidget

from app.panes.options_pane.interface_tree import Entry, argument_choice, backend_text, mode_text
from app.translation.texts import tr, tr_noop
from app.widgets.labels.link_label import LinkLabel, RichText
from app.widgets.layouts.boxes import row_of, scroll_of, set_column
from compiler.model.capture.program_changes import SetCompileArgument, SetCompileOption
from compiler.model.experiments.compile_choices import CompileChoice
from compiler.model.experiments.torch_compile_api import (
    Backend,
    BackendTried,
    CompileArgument,
    CompileMode,
    CompileOption,
    Stance,
    format_implied,
    parse_value,
)

_NO_VALUE = {
    "options": tr_noop("Its entries are the options below."),
    "shapes_spec": tr_noop("An object of Python's: give it in your own call of torch.compile."),
    "dynamic_shapes": tr_noop("An object of Python's: give it in your own call of torch.compile."),
    "mode": tr_noop("Choose one of the modes below."),
    "backend": tr_noop("Choose one of the backends below."),
}


class SettingView(QWidget):
    """Nothing is tried by looking at it."""

    wanted = Signal(object)
    """A CompileChoice to put on the list."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row: Entry | None = None
        self.words = LinkLabel(self, margin=4)
        self.value = QComboBox(self)
        self.value.setEditable(True)
        self.value.setAccessibleName(tr("Value to try"))
        self.add = QPushButton(tr("Add to the list"), self)
        self.add.setToolTip(tr("Measure it for this program, with the others of the list"))
        scrolled = scroll_of(self.words, tr("What it is"), self)
        row = row_of((self.value, 1), self.add)
        set_column(self, (scrolled, 1), row, margins=(0, 0, 0, 2), spacing=2)
        self.add.clicked.connect(self._add)
        self.show_row(None, None)

    def show_row(self, row: Entry | None, tried: BackendTried | None) -> None:
        """Show one row; `tried`: for a backend, what came of trying it."""
        self._row = row
        text = RichText()
        if row is None:
            text.text(
                tr("Choose a row for torch's words on it. Measuring says what it changes for this program."),
                "dim",
            )
        else:
            text.text(row.name, "bold")
            _describe(text, row, tried)
        self.words.set_content(text)
        self.value.clear()
        values = _values(row)
        self.value.addItems(values)
        self.value.setVisible(bool(values) or (isinstance(row, CompileOption) and row.simple))
        self.add.setEnabled(self.choice() is not None)

    def choice(self) -> CompileChoice | None:
        """What the row and the value say; None where nothing can be tried."""
        row = self._row
        ready = argument_choice(row)
        if ready is not None:
            return ready
        value = parse_value(self.value.currentText(), row if isinstance(row, CompileOption) else None)
        match row:
            case CompileArgument() if row.name not in _NO_VALUE:
                return CompileChoice(f"{row.name}={value!r}", (SetCompileArgument(row.name, value),))
            case CompileOption() if row.simple:
                return CompileChoice(f"{row.name}={value!r}", (SetCompileOption(row.name, value),))
            case _:
                return None

    def _add(self) -> None:
        choice = self.choice()
        if choice is not None:
            self.wanted.emit(choice)


def _describe(text: RichText, row: Entry, tried: BackendTried | None) -> None:
    match row:
        case CompileOption():
            _describe_option(text, row)
        case CompileArgument():
            text.text(tr("  default {default}").format(default=row.default), "dim").line()
            text.text(
                row.documentation or tr("Torch says nothing about it."), "" if row.documentation else "dim"
            )
            if row.name in _NO_VALUE:
                text.line().text(tr(_NO_VALUE[row.name]), "dim")
        case CompileMode():
            text.line().text(
                tr("The same as options: {mode}.").format(mode=mode_text(row))
                if row.options
                else tr("Sets no option.")
            )
        case Backend():
            style = "" if tried is None else "good" if tried.works else "error"
            text.line().text(backend_text(row, tried), style)
            if tried is not None and row.documentation:
                text.line().text(row.documentation, "dim")
        case Stance():
            text.line().text(row.documentation)
            text.line().text(tr("Set around calls, not in torch.compile."), "dim")


def _describe_option(text: RichText, row: CompileOption) -> None:
    text.text(tr("  {type}, default {default}").format(type=row.type, default=row.default), "dim").line()
    text.text(row.documentation or tr("Torch says nothing about it."), "" if row.documentation else "dim")
    for sentence in format_implied(row):
        text.line().text(sentence)
    if row.environment:
        text.line().text(tr("Environment: {names}").format(names=", ".join(row.environment)), "dim")
    if not row.simple:
        text.line().text(tr("Its value is an object of Python's, which cannot be written down here."), "dim")


def _values(row: Entry | None) -> list[str]:
    """Values to offer; the first is one that differs from the default."""
    if isinstance(row, CompileArgument):
        known = {"dynamic": ["True", "False"], "recompile_limit": ["1", "2", "16"], "name": ["region"]}
        if row.name in _NO_VALUE:
            return []
        return known.get(row.name, ["True"] if row.default == "False" else ["False"])
    if not isinstance(row, CompileOption) or not row.simple:
        return []
    if row.values:
        return [value for value in row.values if repr(value) != row.default]
    if "bool" in row.type:
        return ["True", "False"] if row.default in ("False", "None") else ["False", "True"]
    if row.type in ("int", "float"):
        number = parse_value(row.default)
        if isinstance(number, int | float):
            return [str(number * 2 or 1), str(type(number)(number / 2)), "1"]
    return []
