"""Where a node of a TorchScript graph comes from: source ranges read, and callers found for what was inlined.

Torch keeps one range a node. A traced node's range is the whole Python stack; a scripted one's is the innermost line only,
often in torch's own functions, so the calls that led there are read off the graphs before inlining.
"""

import re
from collections import defaultdict, deque
from collections.abc import Iterator
from typing import Any

from compiler.engine.file_ownership import is_linked
from compiler.engine.user_program.source_overrides import text_of
from compiler.model.ir.graph import SourceLine

Stack = tuple[SourceLine, ...]
_Key = tuple[str, str, tuple[str, ...]]

_SCRIPTED = re.compile(r'^\s*File "(?P<path>[^"]+)", line (?P<line>\d+)')
_TRACED = re.compile(r"^(?P<path>.+?)\((?P<line>\d+)\): (?P<function>.+)$")
_INSTANCE = re.compile(r"^(.*)\(([^()]*)\)$")
_FUNCTION = "UNKNOWN_INSTANCE"
_DEEPEST = 200


def own_stack(source_range: str) -> Stack:
    """The lines that a range names, innermost last."""
    lines = source_range.strip("\n").split("\n")
    found = _SCRIPTED.match(lines[0]) if lines else None
    if found is not None:
        return (source_line(found["path"], int(found["line"]), ""),)
    frames = [match for line in lines if (match := _TRACED.match(line)) is not None]
    return tuple(
        source_line(frame["path"], int(frame["line"]), frame["function"]) for frame in reversed(frames)
    )


def users_part(stack: Stack) -> Stack:
    """Without torch's own lines."""
    return tuple(line for line in stack if is_linked(line.path))


_texts: dict[str, list[str]] = {}


def source_line(path: str, line: int, function: str) -> SourceLine:
    """A line with its text, as the file is now."""
    if path not in _texts:
        _texts[path] = (text_of(path) or "").split("\n")
    lines = _texts[path]
    return SourceLine(path, line, function, lines[line - 1].strip() if 0 < line <= len(lines) else "")


class Callers:
    """The calls that led to each node of an inlined graph, and the module each is of.

    A node is known again by its kind, its range and the chain of instances that torch notes when it inlines. Where several
    calls share all three (a function called twice in one forward), what their stacks have in common is given.
    """

    def __init__(self, graph: Any, functions: Any) -> None:
        """`graph`: before inlining. `functions`: the compilation unit that finds what is called."""
        self._functions = functions
        self._in_order: dict[tuple[str, str], list[tuple[Stack, str, str]]] = defaultdict(list)
        self._left: dict[tuple[str, str], deque[tuple[Stack, str, str]]] = {}
        self._found: dict[_Key, list[tuple[Stack, str, str]]] = defaultdict(list)
        self._walk(graph, (), (), {}, "", "")

    def begin(self, graph: Any) -> None:
        """Look at a graph whose nodes are asked for next, in its order.

        Torch loses the chain of instances of some nodes in nested blocks. Inlining keeps the order of calls, so where all nodes of
        one kind and range lost theirs, the first is of the first call, and so on.
        """
        lost: dict[tuple[str, str], int] = defaultdict(int)
        self._count_lost(graph, lost)
        self._left = {
            what: deque(self._in_order[what])
            for what, count in lost.items()
            if count == len(self._in_order.get(what, ()))
        }

    def _count_lost(self, block: Any, lost: dict[tuple[str, str], int]) -> None:
        for node in block.nodes():
            kind, source_range = node.kind(), node.sourceRange()
            chain = tuple(name for name, _ in _chain(node.getModuleHierarchy()))
            if source_range and not node.scopeName() and (kind, source_range, chain) not in self._found:
                lost[kind, source_range] += 1
            for inner in node.blocks():
                self._count_lost(inner, lost)

    def of(self, node: Any) -> tuple[Stack, str, str]:
        """The user's stack, the module's dotted path and its type."""
        source_range = node.sourceRange()
        own = users_part(own_stack(source_range))
        chain = _chain(node.getModuleHierarchy())
        known = self._found.get((node.kind(), source_range, tuple(name for name, _ in chain)))
        scope = node.scopeName()
        if scope:
            last = scope.rpartition("/")[2].removeprefix("__module").lstrip(".")
            return own, last, next((kind for name, kind in reversed(chain) if name != _FUNCTION), "")
        if not known:
            left = self._left.get((node.kind(), source_range))
            if not left:
                return own, "", ""
            known = [left.popleft()]
        stacks = [stack for stack, _, _ in known]
        shared = _common(stacks)
        _, path, kind = known[0]
        return users_part(shared) or own, path, kind

    def _walk(
        self, block: Any, stack: Stack, chain: tuple[str, ...], paths: dict[str, str], path: str, kind: str
    ) -> None:
        """Note every node of a block and of what it calls. `paths`: of values that are modules, by their names."""
        if not paths:
            first = next(iter(block.inputs()), None)
            if first is not None:
                paths[first.debugName()] = path
        for node in block.nodes():
            what = node.kind()
            if what == "prim::GetAttr":
                owner = paths.get(node.inputsAt(0).debugName())
                if owner is not None:
                    paths[node.output().debugName()] = (
                        f"{owner}.{node.s('name')}" if owner else node.s("name")
                    )
            source_range = node.sourceRange()
            here = (*stack, *own_stack(source_range)) if source_range else stack
            self._found[(what, source_range, chain)].append((here, path, kind))
            self._in_order[what, source_range].append((here, path, kind))
            if what in ("prim::CallMethod", "prim::CallFunction") and len(stack) < _DEEPEST:
                self._enter(node, here, chain, paths, path, kind)
            for inner in node.blocks():
                self._walk(inner, stack, chain, paths, path, kind)

    def _enter(
        self, node: Any, stack: Stack, chain: tuple[str, ...], paths: dict[str, str], path: str, kind: str
    ) -> None:
        callee = node.inputsAt(0)
        if node.kind() == "prim::CallMethod":
            name = f"{callee.type()}.{node.s('name')}"
            inner_path = paths.get(callee.debugName(), path)
            instance = inner_path.rpartition(".")[2] if inner_path != path else "SELF"
            inner_kind = str(callee.type()).rpartition(".")[2]
        else:
            name, inner_path, instance, inner_kind = str(callee.type()), path, _FUNCTION, kind
        function = self._functions.find_function(name)
        if function is None:
            return
        inner_paths = {} if node.kind() == "prim::CallMethod" else {"": ""}
        self._walk(function.graph, stack, (*chain, instance), inner_paths, inner_path, inner_kind)


def _chain(hierarchy: str) -> list[tuple[str, str]]:
    """``"a(Sub).fc(Linear)"`` as instances with their types."""
    return [
        (found[1], found[2]) for part in _split(hierarchy) if (found := _INSTANCE.match(part)) is not None
    ]


def _split(hierarchy: str) -> Iterator[str]:
    for part in hierarchy.split(")."):
        if part:
            yield part if part.endswith(")") else f"{part})"


def _common(stacks: list[Stack]) -> Stack:
    shortest = min(stacks, key=len)
    for index, line in enumerate(shortest):
        if any(stack[index] != line for stack in stacks):
            return shortest[:index]
    return shortest
