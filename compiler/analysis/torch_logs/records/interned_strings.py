"""Stacks as structured logs hold them: paths are numbers of a table that grows with the log."""

from compiler.analysis.torch_logs.records.log_lines import Json
from compiler.model.ir.graph import SourceLine

_MOST_FRAMES = 1000
_LARGEST = 1 << 53
_MOST_LINES = 50_000
_MOST_STRINGS = 1_000_000
_LONGEST = 4096
_LIBRARIES = ("/site-packages/", "/dist-packages/", "/lib/python3", "<frozen ")


class InternedStrings:
    """The table of one log."""

    def __init__(self) -> None:
        self._strings: dict[int, str] = {}
        self._lines: dict[SourceLine, SourceLine] = {}
        """The same frames come again and again."""

    def take(self, entry: object) -> bool:
        """``["text", 3]``; whether it is one."""
        match entry:
            case [str(text), int(number)] if not isinstance(number, bool):
                if len(self._strings) < _MOST_STRINGS:
                    self._strings[number] = text[:_LONGEST]
                return True
        return False

    def stack(self, rows: object) -> tuple[SourceLine, ...]:
        """A stack, innermost last; frames that are none are left out."""
        if not isinstance(rows, list):
            return ()
        found = (self._line(row) for row in rows[:_MOST_FRAMES] if isinstance(row, dict))
        return tuple(line for line in found if line is not None)

    def _line(self, row: Json) -> SourceLine | None:
        path, line = row.get("uninterned_filename") or row.get("filename"), integer_of(row, "line")
        if type(path) is int:
            path = self._strings.get(path, "(unknown)")
        if not isinstance(path, str) or line is None:
            return None
        made = SourceLine(path[:_LONGEST], line, text_of(row, "name"), text_of(row, "loc").strip())
        return self._lines.setdefault(made, made) if len(self._lines) < _MOST_LINES else made


def text_of(row: Json, key: str) -> str:
    """A text of an object of a log; empty where it is none."""
    value = row.get(key)
    return value[:_LONGEST] if isinstance(value, str) else ""


def texts_in(value: object) -> list[str]:
    """The texts of a list of a log; none where it is no list."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def integer_of(row: Json, key: str) -> int | None:
    """A whole number of an object of a log, of a size that any of torch's has; None where it is none."""
    value = row.get(key)
    return value if type(value) is int and abs(value) < _LARGEST else None


def of_library(path: str) -> bool:
    """Whether a path is that of an installed package, of Python's own library, or of no file."""
    return any(part in path for part in _LIBRARIES) or path.startswith("<")


def of_torch(path: str) -> bool:
    """Whether a path is torch's own or that of no file."""
    return path.startswith(("<", "torch/")) or ("/torch/" in path and of_library(path))


def user_part(stack: tuple[SourceLine, ...]) -> tuple[SourceLine, ...]:
    """The stack without torch's own frames."""
    return tuple(line for line in stack if not of_torch(line.path))


def reported_line(stack: tuple[SourceLine, ...]) -> SourceLine | None:
    """The innermost line of the user's own, else of a library."""
    rows = user_part(stack)
    return next((line for line in reversed(rows) if not of_library(line.path)), rows[-1] if rows else None)
