"""What loop nodes and kernels compute, in the form by which equal layers are distinguished from others (`equal_blocks`).

Of a loop node that is the body that Inductor printed, of a fused node the bodies of its parts, of a kernel its source too; buffers in
it stand for whoever makes them, in the order in which they are used. The name that Inductor gave a kernel, and the numbers of
random seeds, which are others in every layer, do not count. A library call is what its FX node says, constants and order of arguments.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from compiler.model.diagrams.calls import Call, call_of
from compiler.model.ir.arguments import Argument, ConstantArgument, NodeArgument, SequenceArgument, children
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.ids import NodeId
from compiler.model.ir.loop_ir import Kernel, LoopNode
from compiler.model.ir.tensor_types import Value

LOOP, KERNEL = "loop", "kernel"
"""`Call.op` of them."""

_QUOTED = re.compile(r"'(\w+)'")
_SEED = re.compile(r"ops\.load_seed\('\w+', (\d+)\)")

_NOWHERE = SequenceArgument("tuple", ())


class LoopCalls:
    """The loop nodes of one Inductor graph, before fusion, and the graph that they were lowered from."""

    def __init__(self, loops: Iterable[LoopNode], graph: Graph) -> None:
        self._loops = {node.id: node for node in loops}
        self._graph = graph
        self._buffers = {name for node in self._loops.values() for name in _touched(node)}
        self._made_of = {
            node.value_of: node.buffers[0] for node in self._loops.values() if node.value_of and node.buffers
        }

    def of_loops(self, nodes: Iterable[LoopNode]) -> dict[NodeId, Call]:
        """Of loop nodes, fused or not, and of the inputs of the graph that they use."""
        runs = {node.id: (node,) for node in nodes}
        owners = _Owners(runs)
        calls = {
            name: self._call(LOOP, node.operation, "", (node,), owners, name)
            for name, (node,) in runs.items()
        }
        return calls | self._inputs(calls)

    def of_kernels(self, kernels: Iterable[Kernel], fused: Mapping[NodeId, LoopNode]) -> dict[NodeId, Call]:
        """Of kernels, by the fused nodes they run, and of the inputs of the graph that they use. Of a kernel of which that is not
        known nothing.
        """
        known = {
            kernel.id: kernel
            for kernel in kernels
            if kernel.loop_nodes and all(name in fused for name in kernel.loop_nodes)
        }
        runs = {name: tuple(map(fused.__getitem__, kernel.loop_nodes)) for name, kernel in known.items()}
        owners = _Owners(runs)
        calls = {}
        for name, kernel in known.items():
            called = "" if kernel.source else kernel.name
            source = self._source(kernel, runs[name])
            calls[name] = self._call(KERNEL, called, source, runs[name], owners, name)
        return calls | self._inputs(calls)

    def _source(self, kernel: Kernel, nodes: tuple[LoopNode, ...]) -> str:
        text = kernel.source.replace(kernel.name, "")
        bodies = (self._loops[part.id].body for part in self._parts(nodes) if part.id in self._loops)
        for seed in {found for body in bodies for found in _SEED.findall(body)}:
            text = text.replace(f"static_cast<int64_t>({seed}L)]", "static_cast<int64_t>(seed)]")
        return text

    def _parts(self, nodes: Iterable[LoopNode]) -> Iterator[LoopNode]:
        for node in nodes:
            for name in node.children or (node.id,):
                yield self._loops.get(name, node)

    def _call(
        self, op: str, target: str, said: str, nodes: tuple[LoopNode, ...], owners: "_Owners", own: NodeId
    ) -> Call:
        items: list[Argument] = [ConstantArgument("str", said)]
        results: list[int] = []
        places: dict[str, str] = {}
        for part in self._parts(nodes):
            text, used = self._outline(part, places, owners, own)
            items.append(ConstantArgument("str", text))
            for buffer in used:
                owner, rank = owners.of(buffer)
                if owner != own:
                    items.append(NodeArgument(owner))
                    results.append(rank)
        said_so = {item.node for item in items if isinstance(item, NodeArgument)} | {own}
        for before in dict.fromkeys(owners.nodes.get(name, name) for node in nodes for name in node.inputs):
            if before not in said_so:  # it only has to run before, or nothing more is known
                items.append(NodeArgument(before))
                results.append(0)
        args = SequenceArgument("tuple", tuple(items))
        return Call(op, target, args, value=self._value(nodes), results=tuple(results))

    def _value(self, nodes: tuple[LoopNode, ...]) -> Value | None:
        """The type of the result, where there is only one."""
        parts = tuple(self._parts(nodes))
        name = parts[0].value_of if len(parts) == 1 else ""
        return self._graph.node(name).value if self._graph.holds(name) else None

    def _outline(
        self, part: LoopNode, places: dict[str, str], owners: "_Owners", own: NodeId
    ) -> tuple[str, list[str]]:
        """The text of a part with numbers in place of buffers, and the buffers that it uses, in order."""
        used: list[str] = []

        def numbered(match: re.Match[str]) -> str:
            name = match[1]
            if name not in self._buffers:
                return match[0]
            owner, rank = owners.of(name)
            used.append(name)
            return f"'own {rank}'" if owner == own else places.setdefault(name, f"'{len(places)}'")

        said = [part.kind, part.operation, part.sizes, part.layout]
        if part.body:
            said.append(_QUOTED.sub(numbered, _without_seeds(part.body)))
        else:
            said += [self._library_call(part, used), *(f"{row.index} {row.size}" for row in part.reads)]
        return "\n".join(said), list(dict.fromkeys(used))

    def _library_call(self, part: LoopNode, used: list[str]) -> str:
        """What its FX node says; fills in the buffers in the order of its arguments."""
        name = next((name for name in (part.value_of, *part.computes) if self._graph.holds(name)), "")
        node = self._graph.node(name) if name else None
        reads = [row.buffer for row in part.reads]
        if node is not None:
            given = [self._buffer_of(other) for other in node.inputs()]
            used += [buffer for buffer in given if buffer in reads]
        used += [buffer for buffer in reads if buffer not in used]
        if node is None:
            return ""
        return f"{node.target}{_format_argument(node.args)}{_format_argument(node.kwargs)}"

    def _buffer_of(self, name: NodeId) -> str:
        """The buffer that holds a node's result, or what it is a view of."""
        while name not in self._made_of and name not in self._buffers:
            inputs = self._graph.node(name).inputs() if self._graph.holds(name) else ()
            if len(inputs) != 1:
                return ""
            name = inputs[0]
        return self._made_of.get(name, name)

    def _inputs(self, calls: Mapping[NodeId, Call]) -> dict[NodeId, Call]:
        names = dict.fromkeys(used for call in calls.values() for used in call.used if used not in calls)
        return {name: self._input(name) for name in names}

    def _input(self, name: str) -> Call:
        node: Node | None = self._graph.node(name) if self._graph.holds(name) else None
        return call_of(node) if node is not None else Call("placeholder", name, _NOWHERE)


class _Owners:
    """Who makes which buffer, and runs which loop node."""

    def __init__(self, runs: Mapping[NodeId, tuple[LoopNode, ...]]) -> None:
        self.nodes = {node.id: name for name, nodes in runs.items() for node in nodes}
        self._buffers: dict[str, tuple[NodeId, int]] = {}
        for name, nodes in runs.items():
            buffers = sorted(
                {buffer for node in nodes for buffer in node.buffers}, key=lambda row: (len(row), row)
            )
            self._buffers.update({buffer: (name, rank) for rank, buffer in enumerate(buffers)})

    def of(self, buffer: str) -> tuple[NodeId, int]:
        """What makes a buffer, and its place among those that this makes; an input of the graph is its own."""
        return self._buffers.get(buffer, (buffer, 0))


def _touched(node: LoopNode) -> Iterator[str]:
    yield from node.buffers
    for row in (*node.reads, *node.writes):
        yield row.buffer


def _without_seeds(body: str) -> str:
    """A body in which the number of its random seed is not said."""
    for seed in set(_SEED.findall(body)):
        body = re.sub(rf"^(index\d+ = ){seed}$", r"\1seed", body, flags=re.MULTILINE)
        body = body.replace(f", {seed})", ", seed)")
    return body


def _format_argument(item: Argument) -> str:
    """An argument with its constants, without the names of nodes."""
    if isinstance(item, NodeArgument):
        return "·"
    if isinstance(item, ConstantArgument):
        return str(item)
    return f"{type(item).__name__}({', '.join(f'{step}: {_format_argument(part)}' for step, part in children(item))})"
