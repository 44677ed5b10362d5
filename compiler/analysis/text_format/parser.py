"""An FX graph from its program: what `printing.program` writes, changed by hand, read back.

The text is parsed with Python's own parser and never run. Lines that are as they were printed are the nodes they were
printed from; the others are read as calls. Python's operators, subscripts and calls within calls become nodes of
their own.
"""

import ast
import io
import tokenize

import msgspec

from compiler.analysis.text_format.argument_parser import ArgumentTextError, Names, opaque_texts
from compiler.analysis.text_format.printer import input_line, statement
from compiler.analysis.text_format.statement_parser import Call, CallReader, TextFault, speakable
from compiler.model.ir.arguments import SequenceArgument
from compiler.model.ir.dialect import speaks_aten
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId

_MOST_LINES = 60
"""Lines that one statement may go over."""


class ParsedGraph(msgspec.Struct, frozen=True):
    """What was read; `graph` is None where there is a fault."""

    graph: Graph | None
    faults: tuple[TextFault, ...] = ()
    lines: tuple[tuple[NodeId, int], ...] = ()
    """On which line of the text each node stands."""


def parse_graph(text: str, base: Graph, as_printed: bool = True) -> ParsedGraph:
    """Read a program back. `base` is the graph that was printed: inputs, and facts that no text says, come from it.

    With `as_printed` False, lines that were not changed are read as well, which must give the same.
    """
    return _Reading(text, base, as_printed).done()


class _Reading:
    def __init__(self, text: str, base: Graph, as_printed: bool) -> None:
        self._lines = text.split("\n")
        self._base = base.by_id()
        self._inputs = [node for node in base.nodes if node.op == "placeholder"]
        self._printed = (
            {statement(node): node for node in base.nodes if node.op != "placeholder"} if as_printed else {}
        )
        self._first_lines = {key.split("\n")[0]: key for key in self._printed}
        self._opaque = {
            kept for node in base.nodes for part in (node.args, node.kwargs) for kept in opaque_texts(part)
        }
        self._aten = speaks_aten(base)
        self._nodes: dict[NodeId, Node] = {}
        self._at: dict[NodeId, int] = {}
        self._faults: list[TextFault] = []
        self._returned = False

    def done(self) -> ParsedGraph:
        """Everything read."""
        line = self._read_head()
        while line < len(self._lines):
            line = self._read_statement(line)
        if not self._returned and not self._faults:
            self._faults.append(
                TextFault(len(self._lines), 0, "The graph returns nothing: a return is missing.")
            )
        if self._faults:
            return ParsedGraph(None, tuple(self._faults), tuple(self._at.items()))
        return ParsedGraph(Graph(tuple(self._nodes.values())), (), tuple(self._at.items()))

    # -- the head ----------------------------------------------------------------------------------------------

    def _read_head(self) -> int:
        """Index of the first line of the body. Inputs are what the code before the graph gives, so they stay."""
        expected = [input_line(node) for node in self._inputs]
        for node in self._inputs:
            self._nodes[node.id] = node
        begin = next((index for index, line in enumerate(self._lines) if line.startswith("def ")), None)
        if begin is None:
            self._fault(0, "The line that begins with def is missing.")
            return 0
        line = begin + 1
        for node, wanted in zip(self._inputs, expected, strict=True):
            found = self._lines[line].strip() if line < len(self._lines) else ""
            if found != wanted.strip():
                self._fault(line, f"Inputs cannot be changed here: expected {wanted.strip()}")
                return next((i + 1 for i, text in enumerate(self._lines) if text.startswith("):")), line)
            self._at[node.id] = line + 1
            line += 1
        if line >= len(self._lines) or self._lines[line].strip() != "):":
            self._fault(line, "Inputs cannot be added here: expected ):")
            return next((i + 1 for i, text in enumerate(self._lines) if text.startswith("):")), line)
        return line + 1

    # -- the body ----------------------------------------------------------------------------------------------

    def _read_statement(self, line: int) -> int:
        """Read what begins on a line (by index); gives the index of the next."""
        text = self._lines[line].strip()
        if not text or text.startswith("#"):
            return line + 1
        if self._returned:
            self._fault(line, "Nothing can stand behind the return.")
            return len(self._lines)
        taken = self._take_printed(line)
        if taken:
            return taken
        end = self._end_of(line)
        chunk = "\n".join(self._lines[line:end])
        indent = len(chunk) - len(chunk.lstrip())
        try:
            self._read(chunk.lstrip(), line)
        except ArgumentTextError as error:
            column = error.column + (indent if error.line == 1 else 0)
            self._fault(line + error.line - 1, _sentence(str(error)), column)
            self._take_for_granted(chunk, line)
        return end

    def _take_for_granted(self, chunk: str, line: int) -> None:
        """The node of a line with a fault is there for the lines below: one fault is reported once."""
        name = chunk.partition("=")[0].strip()
        if name.isidentifier() and name not in self._nodes:
            self._add(
                self._base.get(name, Node(name, "call_function", "", SequenceArgument("tuple", ()))), line
            )

    def _take_printed(self, line: int) -> int:
        """Take a statement that is as it was printed, if its inputs are there; 0 if it is not."""
        key = self._first_lines.get(self._lines[line].strip())
        if key is None:
            return 0
        count = key.count("\n") + 1
        whole = "\n".join([self._lines[line].strip(), *self._lines[line + 1 : line + count]])
        node = self._printed[key]
        if whole != key or node.id in self._nodes or not set(node.inputs()) <= self._nodes.keys():
            return 0
        self._add(node, line)
        self._returned = node.op == "output"
        return line + count

    def _end_of(self, line: int) -> int:
        """Index behind the last line of a statement: brackets may stay open over several."""
        for end in range(line + 1, min(line + _MOST_LINES, len(self._lines)) + 1):
            chunk = "\n".join(self._lines[line:end]).strip() + "\n"
            try:
                list(tokenize.generate_tokens(io.StringIO(chunk).readline))
            except tokenize.TokenError as error:
                if "EOF in multi-line" in str(error):
                    continue
            except SyntaxError:
                pass
            return end
        return line + 1

    def _read(self, chunk: str, line: int) -> None:
        names = Names(self._nodes.keys(), self._opaque)
        try:
            body = ast.parse(speakable(names.masked(chunk))).body
        except SyntaxError as error:
            raise ArgumentTextError(
                error.msg or "no Python", error.lineno or 1, max(0, (error.offset or 1) - 1)
            ) from error
        reader = CallReader(self._nodes, self._base, names, self._aten)
        match body:
            case [ast.Return(value=ast.expr() as value)]:
                output = next((node for node in self._base.values() if node.op == "output"), None)
                argument = reader.argument(value)
                self._take_extra(reader, line)
                made = Node(
                    output.id if output else "output",
                    "output",
                    "output",
                    SequenceArgument("tuple", (argument,)),
                )
                self._add(
                    made if output is None else _with(output, Call("output", output.target, made.args)), line
                )
                self._returned = True
            case [ast.Assign(targets=[ast.Name(id=name)], value=value)]:
                if name in self._nodes:
                    raise ArgumentTextError(f"the name {name} is assigned twice; a node is made once")
                self._take_call(name, reader.call(value), reader, line)
            case [ast.Expr(value=ast.Call() as value)]:
                call = reader.call(value)
                self._take_call(reader.unused(call.target.rpartition(".")[2]), call, reader, line)
            case _:
                raise ArgumentTextError("a line of a graph is name = call(…), or return …")

    def _take_call(self, name: NodeId, call: Call, reader: CallReader, line: int) -> None:
        self._take_extra(reader, line)
        old = self._base.get(name)
        if old is not None and old.op not in ("placeholder", "output"):
            self._add(_with(old, call), line)
            return
        first = next((self._nodes[used] for used in _new(name, call).inputs()), None)
        facts = {} if first is None else {"stack": first.stack, "lane": first.lane}
        self._add(msgspec.structs.replace(_new(name, call), **facts), line)

    def _take_extra(self, reader: CallReader, line: int) -> None:
        for name, call in reader.extra:
            first = next((self._nodes[used] for used in _new(name, call).inputs()), None)
            facts = {} if first is None else {"stack": first.stack, "lane": first.lane}
            self._add(msgspec.structs.replace(_new(name, call), **facts), line)

    def _add(self, node: Node, line: int) -> None:
        self._nodes[node.id] = node
        self._at[node.id] = line + 1

    def _fault(self, line: int, message: str, column: int = 0) -> None:
        self._faults.append(TextFault(min(line, len(self._lines) - 1) + 1, column, message))


def _with(old: Node, call: Call) -> Node:
    return msgspec.structs.replace(old, op=call.op, target=call.target, args=call.args, kwargs=call.kwargs)


def _new(name: NodeId, call: Call) -> Node:
    return Node(name, call.op, call.target, call.args, call.kwargs)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "."
