"""Which line of a Triton kernel each line of its lowered forms was made from, by the debug locations in their text.

Where code of a helper was inlined, it is the kernel's line that called it.
"""

import re

_PTX_FILE = re.compile(r'\s*\.file\s+(\d+)\s+"([^"]*)"(?:\s+"([^"]*)")?')
_PTX_PLACE = re.compile(r"\s*\.loc\s+(\d+)\s+(\d+)")
_PTX_INSIDE = re.compile(r"@\[\s*(\S+?):(\d+):\d+\s*\]")
_SASS_PLACE = re.compile(r'\s*//## File "([^"]+)", line (\d+)(?: inlined at "([^"]+)", line (\d+))?')
_SASS_INSTRUCTION = re.compile(r"\s+/\*[0-9a-f]{4,}\*/")
_IR_ALIAS = re.compile(r"^(#loc\d*) = loc\((.*)\)$")
_IR_FILE = re.compile(r'"([^"]+)":(\d+):\d+')
_IR_USE = re.compile(r"loc\((#loc\d*)\)")
_LLVM_USE = re.compile(r"!dbg (!\d+)")
_LLVM_MEANING = re.compile(r"^(!\d+) = (?:distinct )?(!DI\w+)\((.*)\)$", re.MULTILINE)
_LLVM_FIELD = re.compile(r'(\w+): ("[^"]*"|[^,]+)')

_DEEPEST = 50
"""Of scopes and inlinings."""

Lines = tuple[tuple[int, int], ...]
"""(line of the form, line of the kernel), both from 1."""


def kernel_lines(form: str, text: str, file_name: str, ptx: str = "") -> Lines:
    """Of a form's text; `file_name` is what the kernel's file is called in it. SASS needs the PTX that it was made from,
    which says where helpers were inlined.
    """
    match form:
        case "ptx" | "amdgcn":
            return _assembly_lines(text, file_name)
        case "ttir" | "ttgir":
            return _ir_lines(text, file_name)
        case "llir":
            return _llvm_lines(text, file_name)
        case "sass":
            return _sass_lines(text, file_name, _inlined(ptx, file_name))
        case _:
            return ()


class _LlvmLocations:
    """The metadata at the end of LLVM IR: what ``!12`` is, and which line of the kernel it stands for."""

    def __init__(self, text: str, file_name: str) -> None:
        self._file_name = file_name
        self._meanings: dict[str, tuple[str, dict[str, str]]] = {
            match[1]: (match[2], dict(_LLVM_FIELD.findall(match[3])))
            for match in _LLVM_MEANING.finditer(text)
        }
        self._known: dict[str, int] = {}

    def line_of(self, name: str) -> int:
        """The kernel's line, at the end of what was inlined where; 0 for none."""
        if name not in self._known:
            self._known[name] = self._find(name)
        return self._known[name]

    def _find(self, location: str) -> int:
        for _ in range(_DEEPEST):
            kind, fields = self._meanings.get(location, ("", {}))
            if kind != "!DILocation":
                return 0
            if "inlinedAt" not in fields:
                return int(fields.get("line", "0")) if self._in_kernel(fields.get("scope", "")) else 0
            location = fields["inlinedAt"]
        return 0

    def _in_kernel(self, scope: str) -> bool:
        for _ in range(_DEEPEST):
            _kind, fields = self._meanings.get(scope, ("", {}))
            if "file" in fields:
                _kind, file = self._meanings.get(fields["file"], ("", {}))
                return file.get("filename", "").strip('"').endswith(self._file_name)
            scope = fields.get("scope", "")
        return False


def _llvm_lines(text: str, file_name: str) -> Lines:
    """Instructions end in ``!dbg !12``."""
    locations = _LlvmLocations(text, file_name)
    pairs = []
    for number, line in enumerate(text.split("\n"), start=1):
        use = None if line.startswith("!") else _LLVM_USE.search(line)
        row = locations.line_of(use[1]) if use is not None else 0
        if row:
            pairs.append((number, row))
    return tuple(pairs)


_Helpers = dict[tuple[str, int], int]


def _inlined(ptx: str, file_name: str) -> _Helpers:
    """For lines of helpers the one line of the kernel that they were inlined into. PTX says that, SASS does not; a helper
    that is used on several lines is left out, since nothing says which.
    """
    files = _ptx_files(ptx)
    found: dict[tuple[str, int], set[int]] = {}
    for line in ptx.split("\n"):
        place = _PTX_PLACE.match(line)
        inside = [int(row) for name, row in _PTX_INSIDE.findall(line) if name.endswith(file_name)]
        if place is not None and inside:
            helper = files.get(place[1], "").rpartition("/")[2]
            found.setdefault((helper, int(place[2])), set()).add(inside[-1])
    return {location: next(iter(rows)) for location, rows in found.items() if len(rows) == 1}


def _ptx_files(text: str) -> dict[str, str]:
    matches = (_PTX_FILE.match(line) for line in text.split("\n"))
    return {match[1]: match[3] or match[2] for match in matches if match is not None}


def _sass_lines(text: str, file_name: str, helpers: _Helpers) -> Lines:
    """``//## File`` lines hold for the instructions below; the outermost inlining is the kernel's own line."""
    pairs, current = [], 0
    fresh = True
    for number, line in enumerate(text.split("\n"), start=1):
        place = _SASS_PLACE.match(line)
        if place is not None:
            if fresh:
                current, fresh = 0, False
            if place[1].endswith(file_name):
                current = int(place[2])
            elif place[3] and place[3].endswith(file_name):
                current = int(place[4])
            else:
                current = helpers.get((place[1].rpartition("/")[2], int(place[2])), current)
        elif _SASS_INSTRUCTION.match(line):
            fresh = True
            if current:
                pairs.append((number, current))
    return tuple(pairs)


def _assembly_lines(text: str, file_name: str) -> Lines:
    """``.loc`` holds for the instructions below; code of helpers says in a comment where it was inlined."""
    files = _ptx_files(text)
    pairs, current = [], 0
    for number, line in enumerate(text.split("\n"), start=1):
        place = _PTX_PLACE.match(line)
        if place is not None:
            inside = [int(row) for name, row in _PTX_INSIDE.findall(line) if name.endswith(file_name)]
            own = int(place[2]) if files.get(place[1], "").endswith(file_name) else 0
            current = own or (inside[-1] if inside else 0)
        elif current and line.startswith(("\t", " ")) and not line.strip().startswith((".", "//", ";")):
            pairs.append((number, current))
    return tuple(pairs)


def _ir_lines(text: str, file_name: str) -> Lines:
    """Operations end in ``loc(#loc7)``; what that stands for is reported at the end, perhaps through others."""
    aliases = {
        match[1]: match[2] for match in (_IR_ALIAS.match(line.strip()) for line in text.split("\n")) if match
    }

    def line_of(alias: str, depth: int = 0) -> int:
        meaning = aliases.get(alias, "")
        found = [int(row) for name, row in _IR_FILE.findall(meaning) if name.endswith(file_name)]
        if found or depth > 20:
            return found[-1] if found else 0
        inner = [line_of(other, depth + 1) for other in re.findall(r"#loc\d+", meaning)]
        return next((row for row in reversed(inner) if row), 0)

    pairs = []
    for number, line in enumerate(text.split("\n"), start=1):
        uses = _IR_USE.findall(line)
        row = line_of(uses[-1]) if uses and not line.startswith("#loc") else 0
        if row:
            pairs.append((number, row))
    return tuple(pairs)
