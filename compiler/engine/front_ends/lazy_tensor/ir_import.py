"""LazyTensor's IR text read into a graph of ours."""

import dataclasses
import math
import re
from collections.abc import Mapping

from compiler.engine.front_ends.lazy_tensor.sync_tracing import Call, SyncedGraph
from compiler.model.ir.arguments import Argument, ConstantArgument, NodeArgument, SequenceArgument
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId, line_id
from compiler.model.ir.tensor_types import OtherValue, TensorValue, TupleValue, Value, short_dtype

_LINE = re.compile(
    r"^\s*%(?P<number>\d+) = \[(?P<type>.*?)\] (?P<op>[\w:]+)\((?P<inputs>[^)]*)\)(?P<rest>.*)$"
)
_ROOT = re.compile(r"\bROOT=(\d+)")
_TENSOR = re.compile(r"([A-Z]\w*)\[([\d,]*)\]")
_ATTRIBUTE = re.compile(r", (\w+)=([^=]+?)(?=, \w+=|$)")
_DEVICE_DATA = "lazy_tensors::device_data"
_HIDDEN = ("NodeType", "ROOT", "device", "num_outputs")
_DTYPES = {
    "Float": ("float32", 4),
    "Double": ("float64", 8),
    "Half": ("float16", 2),
    "BFloat16": ("bfloat16", 2),
    "Long": ("int64", 8),
    "Int": ("int32", 4),
    "Short": ("int16", 2),
    "Char": ("int8", 1),
    "Byte": ("uint8", 1),
    "Bool": ("bool", 1),
    "ComplexFloat": ("complex64", 8),
    "ComplexDouble": ("complex128", 16),
}


class _Row:
    def __init__(self, found: re.Match[str], line: int) -> None:
        self.number = int(found["number"])
        self.type = found["type"]
        self.op = found["op"]
        self.inputs = [int(text.strip("% ").partition(".")[0]) for text in found["inputs"].split(",") if text]
        root = _ROOT.search(found["rest"])
        self.root = int(root[1]) if root is not None else None
        attributes = _ATTRIBUTE.findall(found["rest"])
        self.attributes = [(name, text) for name, text in attributes if name not in _HIDDEN]
        self.line = line


@dataclasses.dataclass(frozen=True)
class ReadGraph:
    """A graph of ours, and what is known of it."""

    graph: Graph
    text: str
    lines: tuple[tuple[NodeId, NodeId], ...]
    """(node, line of the text)."""
    when: Mapping[NodeId, int]
    """Which call of the run made a node."""


class IrReader:
    """Reads the graphs of one run in the order they were noted.

    The owner of a node is the call whose result it is. A node without a tensor of its own belongs to the call that made the node
    which uses it, or to the call that owned the same expression in a graph read before, while its tensor was alive.
    """

    def __init__(self) -> None:
        self._expressions: dict[tuple[object, ...], int] = {}
        """Numbers of expressions: of an operation with its type, attributes and the expressions it takes."""
        self._known: dict[int, Call] = {}

    def read(self, synced: SyncedGraph) -> ReadGraph:
        """The graph below the roots wanted."""
        rows: dict[int, _Row] = {}
        lines = synced.text.rstrip("\n").split("\n")
        for index, line in enumerate(lines):
            found = _LINE.match(line)
            if found is not None:
                rows[int(found["number"])] = _Row(found, index)
        owners = self._owners(rows, synced)
        live = _below(rows, synced.wanted)
        kept = [rows[number] for number in sorted(live)]
        nodes, ids = _nodes(kept, synced.names, owners)
        left_out = {row.line for number, row in rows.items() if number not in live}
        shown = [line for index, line in enumerate(lines) if index not in left_out]
        text = "\n".join(re.sub(r", NodeType=\w+|, ROOT=\d+", "", line) for line in shown)
        at = {
            number: line_id(place)
            for place, line in enumerate(shown, 1)
            if (number := _number(line)) is not None
        }
        pairs = tuple((ids[number], at[number]) for number in ids if number in at)
        when = {ids[number]: call.number for number, call in owners.items() if number in ids}
        return ReadGraph(Graph(tuple(nodes)), text, pairs, when)

    def _owners(self, rows: Mapping[int, _Row], synced: SyncedGraph) -> dict[int, Call]:
        users: dict[int, list[int]] = {}
        expressions: dict[int, int] = {}
        owners: dict[int, Call] = {}
        for number, row in sorted(rows.items()):
            for used in row.inputs:
                users.setdefault(used, []).append(number)
            name = synced.names.get(row.root, "") if row.root is not None else ""
            inputs = tuple(expressions.get(used, -1) for used in row.inputs)
            expression = (row.op, row.type, name, tuple(row.attributes), inputs)
            expressions[number] = self._expressions.setdefault(expression, len(self._expressions))
        for number, row in sorted(rows.items(), reverse=True):
            if row.op == _DEVICE_DATA:
                continue
            key = expressions[number]
            call = synced.owners.get(row.root) if row.root is not None else None
            if call is None or not call.stack:
                by_users = (owners[user] for user in users.get(number, ()) if user in owners)
                call = self._known.get(key) or next(by_users, None)
            if call is not None:
                owners[number] = self._known[key] = call
        return owners


def _number(line: str) -> int | None:
    found = _LINE.match(line)
    return int(found["number"]) if found is not None else None


def _below(rows: Mapping[int, _Row], wanted: int) -> set[int]:
    """Everything that the roots wanted are computed by."""
    tops = [row.number for row in rows.values() if row.root is not None and row.root < wanted]
    seen: set[int] = set()
    while tops:
        number = tops.pop()
        if number not in seen and number in rows:
            seen.add(number)
            tops += rows[number].inputs
    return seen


def _nodes(
    rows: list[_Row], names: Mapping[int, str], owners: Mapping[int, Call]
) -> tuple[list[Node], dict[int, NodeId]]:
    values: dict[int, Argument] = {}
    ids: dict[int, NodeId] = {}
    nodes = []
    went_back = any(call.backward for call in owners.values())
    used = {number for row in rows for number in row.inputs}
    seen = {f"%{row.number}" for row in rows}  # an argument without a name is called by its position
    for row in rows:
        value = _value(row.type)
        name = names.get(row.root, "") if row.root is not None else ""
        if row.op == _DEVICE_DATA and not name and isinstance(value, TensorValue) and not value.shape:
            values[row.number] = ConstantArgument("opaque", f"{short_dtype(value.dtype)} scalar")
            continue
        node_id = name if name and row.op == _DEVICE_DATA and name not in seen else f"%{row.number}"
        seen.add(node_id)
        ids[row.number] = node_id
        values[row.number] = NodeArgument(node_id)
        if row.op == _DEVICE_DATA:
            role = "parameter" if name and not name.startswith("%") else "input"
            target = name.removeprefix("%") or "device data"
            nodes.append(
                Node(
                    node_id,
                    "get_attr" if role == "parameter" else "placeholder",
                    target,
                    _args(),
                    value=value,
                    role=role,
                )
            )
            continue
        inputs = [values[number] for number in row.inputs if number in values]
        attributes = tuple(f"{key} {text}" for key, text in row.attributes)
        nodes.append(
            Node(
                node_id,
                "call_function",
                row.op,
                _args(*inputs),
                value=value,
                stack=owners[row.number].stack if row.number in owners else (),
                lane=_lane(owners.get(row.number), went_back),
                notes=attributes,
            )
        )
    ends = [
        NodeArgument(node.id) for node in nodes if node.op == "call_function" and int(node.id[1:]) not in used
    ]
    nodes.append(Node("return", "output", "output", _args(*ends)))
    return nodes, ids


def _lane(call: Call | None, went_back: bool) -> str:
    if not went_back:
        return ""
    return "backward" if call is not None and call.backward else "forward"


def _args(*items: Argument) -> SequenceArgument:
    return SequenceArgument("tuple", tuple(items))


def _value(text: str) -> Value:
    found = [_tensor(dtype, sizes) for dtype, sizes in _TENSOR.findall(text)]
    if not found:
        return OtherValue(text)
    return found[0] if len(found) == 1 else TupleValue(tuple(found))


def _tensor(dtype: str, sizes: str) -> Value:
    name, size = _DTYPES.get(dtype, (dtype.lower(), 0))
    shape = tuple(part for part in sizes.split(",") if part)
    count = math.prod(map(int, shape))
    return TensorValue(shape, name, "lazy", bytes=count * size if size else None)
