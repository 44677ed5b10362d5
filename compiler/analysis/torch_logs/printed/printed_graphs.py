"""Graphs as torch prints them for people (``GraphModule.print_readable``), read back into data.

The text is parsed and never run. Every line that makes a value becomes a node; one that cannot be read becomes a node that
says so, with the nodes that its text names as arguments.
"""

import ast
import re
import warnings
from collections.abc import Callable, Iterator

import msgspec

from compiler.analysis.torch_logs.printed.printed_calls import (
    Call,
    UnreadError,
    in_place,
    read_argument,
    read_call,
    set_item,
)
from compiler.analysis.torch_logs.printed.printed_types import read_type
from compiler.model.ir.arguments import MappingArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node, SourceLine
from compiler.model.ir.ids import NodeId
from compiler.model.session_file.nesting import node_too_deep

_CLASS = re.compile(r"^( *)class (.+?)\((?:[\w.]*)\):\s*$")
_DEF = re.compile(r"^ *def forward\(")
_FILE = re.compile(r"File: (?P<path>.+?):(?P<line>\d{1,9}) in (?P<function>.+?)(?:, code: (?P<text>.*))?$")
_ROLE = re.compile(r"^\s*(\w+)\s*:.*#\s*(Param|Buffer|Plain|Tangent|\w+)AOTInput\(")
_ROLES = {"Param": "parameter", "Buffer": "parameter", "Tangent": "tangent"}
_NAMED = re.compile(r"^\s*+(\w++)\s*+(?::\s*+(\"[^\"]*+\")\s*+)?=\s*+(.*)$", re.DOTALL)
_WORD = re.compile(r"[^\W\d]\w*")
_MOST_LINES = 20_000
"""Lines that one statement may go over: the head of a graph with as many inputs."""
_LONGEST = 1 << 20
_PARSE_ERRORS = (SyntaxError, ValueError, RecursionError, MemoryError)


class PrintedGraph(msgspec.Struct, frozen=True):
    """A graph and those that its higher-order operators call, by their names as `Graph`s of live captures have them."""

    graph: Graph
    bodies: tuple[tuple[str, Graph], ...] = ()
    unread: tuple[str, ...] = ()
    """Lines that could not be read, as ``line 5: why``."""


def read_graph(text: str) -> PrintedGraph | None:
    """The graph of a text; None where there is none in it."""
    reading = _Reading(text)
    found = [(name, module.done()) for name, module in reading.modules]
    if not found:
        return None
    return PrintedGraph(found[0][1], tuple(found[1:]), tuple(reading.unread))


class _Reading:
    """All modules of a text, outermost first; an inner one is named by its path from the outermost."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self.modules: list[tuple[str, _Module]] = []
        self.unread: list[str] = []
        open_modules: list[tuple[int, str]] = []
        index = 0
        while index < len(self._lines):
            line = self._lines[index]
            found = _CLASS.match(line)
            if found is not None:
                indent = len(found[1])
                open_modules = [row for row in open_modules if row[0] < indent]
                open_modules.append((indent, found[2].strip()))
                index += 1
                continue
            if _DEF.match(line):
                path = ".".join(name for _, name in open_modules[1:])
                module = _Module()
                self.modules.append((path, module))
                index = self._head(module, index)
                continue
            index = self._statement(self.modules[-1][1], index) if self.modules else index + 1

    def _head(self, module: "_Module", begin: int) -> int:
        tree, end = self._parsed(begin, lambda chunk: f"{chunk} pass")
        for line in self._lines[begin:end]:
            module.note_role(line)
        match tree:
            case [ast.FunctionDef(args=arguments)]:
                for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
                    if argument.arg != "self":
                        module.add_input(argument.arg, _annotation(argument.annotation))
            case _:
                self._fault(begin, "the head of a graph")
        return end

    def _statement(self, module: "_Module", begin: int) -> int:
        line = self._lines[begin].strip()
        if not line or line.startswith("#"):
            module.note_comment(line)
            return begin + 1
        tree, end = self._parsed(begin, str)
        module.note_role(self._lines[begin])
        try:
            module.read(tree)
        except (UnreadError, KeyError, *_PARSE_ERRORS) as error:
            text = "\n".join(self._lines[begin:end]).strip()
            module.keep(text)
            self._fault(begin, str(error))
        return end

    def _parsed(self, begin: int, finish: Callable[[str], str]) -> tuple[list[ast.stmt] | None, int]:
        """(the statements that begin on a line, index of the line after them)."""
        chunk = self._lines[begin].strip()
        tree = _parse(finish(chunk))
        if tree is not None or _depth(chunk) <= 0:
            return tree, begin + 1
        depth, parts, size = _depth(chunk), [chunk], len(chunk)
        for end in range(begin + 1, min(begin + _MOST_LINES, len(self._lines))):
            line = self._lines[end]
            parts.append(line)
            depth += _depth(line)
            size += len(line)
            if depth <= 0 or size > _LONGEST:
                return _parse(finish("\n".join(parts))), end + 1
        return None, begin + 1

    def _fault(self, index: int, why: str) -> None:
        self.unread.append(f"line {index + 1}: {why[:200]}")


_BRACKETS = re.compile(r"\"(?:\\.|[^\"\\])*+(?:\"|\\?$)|'(?:\\.|[^'\\])*+(?:'|\\?$)|#.*|([(\[{])|([)\]}])")
"""A string without an end goes on to the end of the line: looked for at each of its quotes it would take for ever."""


def _depth(text: str) -> int:
    """Brackets that are open after a text, those in strings and comments not counted."""
    depth = 0
    for found in _BRACKETS.finditer(text):
        depth += bool(found[1]) - bool(found[2])
    return depth


def _parse(text: str) -> list[ast.stmt] | None:
    if len(text) > _LONGEST * 2:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            return ast.parse(text).body
    except _PARSE_ERRORS:
        return None


def _annotation(tree: ast.expr | None) -> str:
    if tree is None:
        return ""
    if isinstance(tree, ast.Constant) and isinstance(tree.value, str):
        return tree.value
    return ast.unparse(tree)


class _Module:
    """One graph while it is read."""

    def __init__(self) -> None:
        self._inputs: dict[str, Node] = {}
        """By the name in the head."""
        self._nodes: dict[NodeId, Node] = {}
        self._names: dict[str, NodeId] = {}
        self._types: dict[str, str] = {}
        self._roles: dict[str, str] = {}
        self._stack: tuple[SourceLine, ...] = ()
        self._pending: Call | None = None

    def done(self) -> Graph:
        """The graph; a node of which no role is known stays without one."""
        return Graph((*self._inputs.values(), *self._nodes.values()))

    def note_role(self, line: str) -> None:
        """What the comment beside an input says it is."""
        if "AOTInput" in line and (found := _ROLE.match(line)):
            self._roles[found[1]] = _ROLES.get(found[2], "input")

    def note_comment(self, line: str) -> None:
        """The user's line that the nodes below were made from."""
        if "File: " in line:
            if found := _FILE.search(line):
                text = (found["text"] or "").strip()
                self._stack = (SourceLine(found["path"], int(found["line"]), found["function"], text),)
        elif "No stacktrace" in line:
            self._stack = ()

    def add_input(self, name: str, annotation: str) -> None:
        """A placeholder."""
        role = self._roles.get(name, "")
        value = read_type(annotation)
        self._inputs[name] = Node(
            name, "placeholder", name, SequenceArgument("tuple", ()), value=value, role=role
        )
        self._names[name] = name

    def read(self, body: list[ast.stmt] | None) -> None:
        """The statements of a line. Raises UnreadError."""
        if body is None:
            raise UnreadError("it is no Python")
        for statement in body:
            match statement:
                case ast.Assign(value=ast.Constant(value=None), targets=targets) if self._frees(targets):
                    continue
                case ast.Return(value=value):
                    self._return(value)
                case ast.AnnAssign(target=ast.Name(id=name), value=None):
                    self._types[name] = _annotation(statement.annotation)
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    self._make(name, value, _annotation(statement.annotation))
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self._make(name, value, "")
                case _:
                    self._read_rare(statement)

    def _read_rare(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Call(args=[given, *_])):
                self._flatten(names, given)
            case ast.AugAssign(target=target, op=kind, value=value):
                self._pending = in_place(kind, _loaded(target), value, self._names)
            case ast.Assign(targets=[ast.Subscript(value=target, slice=index)], value=value):
                self._pending = set_item(target, index, value, self._names)
            case ast.Expr(value=ast.Call() as value):
                self._make(self._unused("call"), value, "")
            case ast.Pass():
                return
            case _:
                raise UnreadError("it is no statement of a graph")

    def _frees(self, targets: list[ast.expr]) -> bool:
        return all(isinstance(target, ast.Name) and target.id in self._names for target in targets)

    def _make(self, name: str, value: ast.expr, annotation: str) -> None:
        if isinstance(value, ast.Name):
            self._same(name, value.id, annotation)
            return
        call = read_call(value, self._names)
        self._put(self._node(name, call, annotation))

    def _same(self, name: str, other: str, annotation: str) -> None:
        """``l_x_ = L_x_`` names an input; ``add = x`` after ``x += y`` names what was done in place."""
        node_id = self._names.get(other)
        if node_id is None:
            raise UnreadError(f"there is no node {other}")
        if self._pending is not None:
            call, self._pending = self._pending, None
            self._put(self._node(name, call, annotation))
            return
        old = self._inputs.get(other)
        if old is not None and old.id == other and name not in self._nodes:
            self._inputs[other] = msgspec.structs.replace(old, id=name, stack=self._stack)
            self._names[other] = name
        self._names[name] = self._names[other]

    def _flatten(self, names: list[ast.expr], given: ast.expr) -> None:
        """Inputs that come packed: those in the head are what they are unpacked from."""
        packed = {item.id for item in ast.walk(given) if isinstance(item, ast.Name)}
        for name in packed & self._inputs.keys():
            del self._inputs[name], self._names[name]
        for item in names:
            if isinstance(item, ast.Name):
                self.add_input(item.id, self._types.get(item.id, ""))

    def _return(self, value: ast.expr | None) -> None:
        match value:
            case None:
                items: SequenceArgument = SequenceArgument("tuple", ())
            case ast.Call(args=[first, *_], func=ast.Attribute(attr="tree_unflatten")):
                items = SequenceArgument("tuple", (read_argument(first, self._names),))
            case _:
                items = SequenceArgument("tuple", (read_argument(value, self._names),))
        self._put(Node(self._unused("output"), "output", "output", items))

    def keep(self, text: str) -> None:
        """A line that cannot be read: its name, and the nodes that it names."""
        found = _NAMED.match(text)
        body = found[3] if found else text
        words = dict.fromkeys(
            self._names[word] for word in _WORD.findall(body[:100_000]) if word in self._names
        )
        name = found[1] if found and not self._taken(found[1]) else self._unused("unread")
        args = SequenceArgument("tuple", tuple(NodeArgument(word) for word in words))
        value = read_type(found[2].strip('"')) if found and found[2] else None
        what = body.partition("(")[0].strip()[:80] or "unread"
        self._put(
            Node(
                name,
                "call_function",
                what,
                args,
                value=value,
                stack=self._stack,
                notes=(f"as printed: {text[:300]}",),
            )
        )

    def _node(self, name: str, call: Call, annotation: str) -> Node:
        args = SequenceArgument("tuple", call.args)
        value = read_type(annotation)
        return Node(name, call.op, call.target, args, MappingArgument(call.kwargs), value, stack=self._stack)

    def _put(self, node: Node) -> None:
        if node_too_deep(node):
            raise UnreadError("it is nested too deeply")
        name = node.id
        if self._taken(name):  # printed twice: torch never does
            node = msgspec.structs.replace(node, id=self._unused(name))
        self._nodes[node.id] = node
        self._names[name] = node.id

    def _taken(self, name: str) -> bool:
        return name in self._nodes or self._names.get(name) == name

    def _unused(self, wish: str) -> NodeId:
        return (
            wish if not self._taken(wish) else next(name for name in _numbered(wish) if not self._taken(name))
        )


def _numbered(wish: str) -> Iterator[str]:
    number = 1
    while True:
        yield f"{wish}_{number}"
        number += 1


def _loaded(target: ast.Name | ast.Attribute | ast.Subscript) -> ast.expr:
    return target
