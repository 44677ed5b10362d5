"""Finds the texts for people that a module of the window shows without the translator.

A literal counts where it reads as words, or where it is given to what shows texts (SINKS). What is left out and why: the places
below (never shown, or not in a person's language), the modules of MODULES, and the texts listed in exempt.toml beside this file.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TRANSLATORS = {"tr", "tr_noop"}

SINKS = {
    # Qt's
    *(
        "setText",
        "setToolTip",
        "setStatusTip",
        "setWhatsThis",
        "setWindowTitle",
        "setTitle",
        "setPlaceholderText",
    ),
    *(
        "setAccessibleName",
        "setAccessibleDescription",
        "setInformativeText",
        "setDetailedText",
        "setSpecialValueText",
    ),
    *(
        "addTab",
        "setTabText",
        "addRow",
        "addItem",
        "addItems",
        "addAction",
        "addMenu",
        "addButton",
        "addSection",
    ),
    *(
        "setHeaderLabels",
        "setHorizontalHeaderLabels",
        "setLabel",
        "showText",
        "showMessage",
        "setSuffix",
        "setPrefix",
    ),
    *(
        "QLabel",
        "QPushButton",
        "QToolButton",
        "QCheckBox",
        "QRadioButton",
        "QGroupBox",
        "QAction",
        "QMenu",
        "QToolBar",
    ),
    *("QTreeWidgetItem", "QListWidgetItem", "QMessageBox", "question", "information", "warning", "critical"),
    *(
        "getText",
        "getItem",
        "getInt",
        "getOpenFileName",
        "getOpenFileNames",
        "getSaveFileName",
        "getExistingDirectory",
    ),
    # the window's own
    *("Problem", "EditError", "EmptyState", "ElidedLabel", "LegendEntry", "LegendLine", "Column", "Cell"),
    *(
        "Group",
        "StageGroup",
        "Difference",
        "Facts",
        "FilterList",
        "FilterRow",
        "RowTable",
        "SideChooser",
    ),
    *(
        "show_text",
        "show_answer",
        "show_fault",
        "translate",
        "heading",
        "draw_text",
        "Choice",
        "Lane",
        "set_counts",
        "add_button",
        "_show_text",
        "_show_note",
        "_show_error",
        "_say",
        "say",
        "_button",
        "_add_buttons",
    ),
    *(
        "_text_button",
        "_switch",
        "_choice",
        "_number",
        "_offer",
        "_note",
        "_group",
        "_show_nothing",
        "_frame",
        "_dim",
    ),
}
"""What shows the texts it is given, or keeps them to be shown."""

UNSHOWN_CALLS = {
    *(
        "setObjectName",
        "findChild",
        "findChildren",
        "setProperty",
        "property",
        "setStyleSheet",
        "TypeVar",
        "getattr",
    ),
    *("partition", "rpartition", "split", "rsplit", "startswith", "endswith", "removeprefix", "removesuffix"),
    *("replace", "compile", "match", "search", "fullmatch", "sub", "finditer", "value", "setValue", "print"),
    *(
        "add_argument",
        "debug",
        "exception",
        "setStyle",
        "setFamilies",
        "QSettings",
        "encode",
        "index",
        "find",
        "count",
    ),
    *(
        "setApplicationName",
        "setOrganizationName",
        "QIcon",
        "icon",
        "TypeError",
        "RuntimeError",
        "AssertionError",
    ),
    *("KeyError", "OSError", "NotImplementedError", "LookupError", "strptime", "strftime", "write_text"),
    *("EditGroup", "Remedy", "horizontalAdvance"),
}
"""Names, styles, patterns, settings, the log, the command line, errors that a program made, samples
that only give a width, and labels of edits and remedies: data, written to session files and told by the command line."""

UNSHOWN_KEYWORDS = {
    "color",
    "mark",
    "mark_color",
    "menu",
    "group",
    "icon",
    "width",
    "id",
    "name",
    "prog",
    "help",
    "key",
    "label",
}
"""Of the window's own tables: identifiers, and samples that only give a width. `label`: of an edit, which is data (see exempt.toml)."""

MODULES = {
    "app/__main__.py": "the command line",
    "app/headless_run.py": "the command line",
    "app/pictures.py": "the command line",
    "app/session/files/external_editor.py#_KNOWN": "commands of editors",
    "app/highlighting/syntax_rules.py": "words of languages",
    "app/highlighting/assembly_rules.py": "words of languages",
    "app/theme/fonts.py": "names of fonts",
    "app/theme/palette.py": "styles",
}

_PROSE = re.compile(r"[A-Za-z\x00,.;:…)\]%0-9’”'] +[A-Za-z\x00(\[0-9]")
_NAME = re.compile(r"[A-Z][a-z]+[…:.]?")
_JOINED = re.compile(r"[ ,;:·(]* [a-z]{2,}[ :]*|[a-z]{2,}:? ")
_UNITS = re.compile(
    r"\b(ms|ns|µs|us|s|min|[KMGT]?i?B(/s)?|[GT]?FLOP(/s)?|px|Ctrl|Shift|Alt|Esc|Enter|Del|F\d+|[A-Z])\b"
)
_STYLE = re.compile(
    r"^\s*<[a-z/]|^\s*</|^\s*Q[A-Z]\w+[#\[: ]|^\s*(color|background|border|font|padding)[\w-]*: |^&[a-z]+;|^\x00?/"
)
_PROGRAM = re.compile(r"(\x00\[\*\]\x00 – )?Torch Loupe\x00?")
_WORDS = {
    *("True", "False", "None", "Torch Loupe", "Qt", "Python", "torch"),
    *("Dynamo", "Inductor", "Autograd", "AOTAutograd", "Autocast", "TorchScript IR", "Fusion", "eager"),
}
"""Python's and torch's words, and names of programs."""
_ROLES = {
    *("good", "error", "warning", "accent", "dim", "stripe", "stop", "swatch", "outline", "arrow", "cross"),
    *("bottom", "left", "clocks", "cpu", "cuda", "edited", "active", "drop", "write", "patch", "copy"),
}
"""Colours, marks, sides and data that sinks take after their text."""
_ROLE_FIRST = {"_button", "_text_button", "setLabel"}
_STYLES_OF_TEXT = re.compile(
    r"(bold|mono|dim|error|warning|good|accent|large|small)( (bold|mono|dim|error|warning|good|accent))+"
)


@dataclass(frozen=True)
class Literal:
    """A text that is not translated. `text` has \x00 where an f-string has a field."""

    line: int
    text: str
    node: ast.expr
    in_function: bool
    sink: str = ""

    @property
    def shown(self) -> str:
        return self.text.replace("\x00", "{}")


def untranslated(source: str) -> Iterator[Literal]:
    """The literals of a module that are texts for people and do not go through the translator."""
    tree = ast.parse(source)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        text = _text(node, parents)
        if text is None or not isinstance(node, ast.expr):
            continue
        chain = list(_ancestors(node, parents))
        if _is_unshown(node, chain):
            continue
        sink = _sink(node, chain) or _beside_a_translated(node, parents)
        if reads_as_words(text) or (sink and re.search(r"[A-Za-z]{2}", _bare(text)) and not _is_code(text)):
            yield Literal(
                node.lineno, text, node, any(isinstance(a, ast.FunctionDef | ast.Lambda) for a in chain), sink
            )


def modules(root: Path) -> Iterator[tuple[str, str]]:
    """(path, source) of every module of the window that shows texts."""
    for path in sorted((root / "app").rglob("*.py")):
        name = path.relative_to(root).as_posix()
        if name not in MODULES:
            yield name, path.read_text(encoding="utf-8")


def _text(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> str | None:
    parent = parents.get(node)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return None if isinstance(parent, ast.JoinedStr | ast.Expr) else node.value
    if isinstance(node, ast.JoinedStr) and not (
        isinstance(parent, ast.FormattedValue) and parent.format_spec is node
    ):
        return "".join(str(v.value) if isinstance(v, ast.Constant) else "\x00" for v in node.values)
    return None


def _ancestors(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> Iterator[ast.AST]:
    while node in parents:
        node = parents[node]
        yield node


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _is_unshown(node: ast.expr, chain: list[ast.AST]) -> bool:
    inner: ast.AST = node
    for outer in chain:
        if isinstance(outer, ast.Call) and inner is not outer.func:
            name = _called(outer)
            if name in TRANSLATORS | UNSHOWN_CALLS or (name == "get" and inner is outer.args[0]):
                return True
        if isinstance(outer, _NEVER_SHOWN) or _is_no_value_of(outer, inner):
            return True
        if isinstance(outer, ast.stmt):
            return False
        inner = outer
    return False


_NEVER_SHOWN = (ast.Compare, ast.MatchValue, ast.arg, ast.Assert)


def _is_no_value_of(outer: ast.AST, inner: ast.AST) -> bool:
    """A key, an annotation, an identifier of the window's own tables."""
    match outer:
        case ast.keyword(arg=name):
            return name in UNSHOWN_KEYWORDS
        case ast.Subscript(slice=key):
            return inner is key
        case ast.Dict(keys=keys):
            return inner in keys
        case ast.AnnAssign(annotation=annotation):
            return inner is annotation
        case ast.FunctionDef(returns=returns):
            return inner is returns
    return False


_THROUGH = (
    *(
        ast.IfExp,
        ast.List,
        ast.Tuple,
        ast.BinOp,
        ast.BoolOp,
        ast.Starred,
        ast.keyword,
        ast.Dict,
        ast.Subscript,
    ),
    *(ast.JoinedStr, ast.FormattedValue, ast.NamedExpr),
)


def _sink(node: ast.expr, chain: list[ast.AST]) -> str:
    """What shows it: the innermost call it is an argument of, through choices, lists and joined parts."""
    inner: ast.AST = node
    for outer in chain:
        if isinstance(outer, ast.Call):
            name, first = _called(outer), outer.args[:1] == [inner]
            is_role = first if name in _ROLE_FIRST else not first and _ROLES & {getattr(node, "value", "")}
            return name if name in SINKS and not is_role else ""
        if not isinstance(outer, _THROUGH):
            return ""
        inner = outer
    return ""


def _beside_a_translated(node: ast.expr, parents: dict[ast.AST, ast.AST]) -> str:
    """Other values of its table, or the other branch of its choice, are translated: then it is shown where they are."""
    match parents[node]:
        case ast.Dict(values=values) if any(map(_is_translated, values)):
            return "table"
        case ast.IfExp(body=one, orelse=other) if _is_translated(one) or _is_translated(other):
            return "choice"
    return ""


def _is_translated(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=name)):
            return name in TRANSLATORS
        case ast.Call(func=ast.Attribute(value=inner, attr="format")):
            return _is_translated(inner)
    return False


def _bare(text: str) -> str:
    return _UNITS.sub(" ", text)


def _is_code(text: str) -> bool:
    bare = text.strip().rstrip(".:")
    return bool(
        bare in _WORDS
        or _PROGRAM.fullmatch(text)
        or _STYLE.match(text)
        or _STYLES_OF_TEXT.fullmatch(bare)
        or re.fullmatch(
            r"[\w.\x00:/<>*&;=,#%()\[\]{}+-]*[_.\x00:/<>=&#\[\]{}][\w.\x00:/<>*&;=,#%()\[\]{}+-]*", bare
        )
    )


def reads_as_words(text: str) -> bool:
    """Whether it is a sentence, a few words, or a word with a capital letter; no code, unit or style."""
    if not re.search(r"[A-Za-z]{2}", _bare(text)) or _is_code(text):
        return False
    return bool(_PROSE.search(text) or _NAME.fullmatch(text.strip()) or _JOINED.fullmatch(text))
