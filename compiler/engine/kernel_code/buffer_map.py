"""Which node's result stands in which buffer while a generated wrapper runs, by the arguments of each kernel's call."""

import ast
import re
from typing import Any

import torch

from compiler.model.gpu.kernel_checks import CheckOrder
from compiler.model.ir.ids import NodeId
from compiler.model.ir.loop_ir import Kernel, LoopNode

_LAYOUT = re.compile(r"size=\[([\d, ]*)\], stride=\[([\d, ]*)\]")


class KernelBuffers:
    """Follows the calls of a wrapper in order."""

    def __init__(self, order: CheckOrder) -> None:
        self._order = order
        self._counts: dict[str, int] = {}
        self._kernel: Kernel | None = None
        self._names: list[str] = []
        single = {node.id: node for node in order.loops}
        fused = {node.id: node for node in order.fused}
        self._holders = {node.buffers[0]: node for node in order.loops if len(node.buffers) == 1}
        self._parts = {kernel.id: _parts(kernel, fused, single) for kernel in order.kernels}
        self._inputs = {node.id for node in order.graph.nodes if node.op == "placeholder"}
        self._written = _written_back(order)
        self._spoiled: set[str] = set()
        self.drawn_by_fours = frozenset(
            node.value_of
            for kernel in order.kernels
            if "rand4x(" in kernel.source or "randn4x(" in kernel.source
            for node in self._parts[kernel.id]
            if node.value_of
        )
        """Random primitives in kernels that take four numbers from each count."""

    def call(self, name: str) -> None:
        """The next call of the kernel of that name begins."""
        count = self._counts[name] = self._counts.get(name, 0) + 1
        same = [kernel for kernel in self._order.kernels if kernel.name == name]
        self._kernel = same[count - 1] if count <= len(same) else None
        self._names = _argument_names(self._order.wrapper, self._kernel) if self._kernel is not None else []

    @property
    def called(self) -> NodeId:
        """The kernel's id; empty for a call that no record describes."""
        return self._kernel.id if self._kernel is not None else ""

    def read(self, args: tuple[Any, ...]) -> list[tuple[NodeId, torch.Tensor]]:
        """Copies of the buffers among the arguments, with the nodes whose results they hold."""
        found = []
        for name, value in zip(self._names, args, strict=False):
            holder = self._holders.get(name)
            if holder is None or not holder.value_of or not isinstance(value, torch.Tensor):
                continue
            if any(holder.id == part.id for part in self._own()):
                continue
            layout = _LAYOUT.search(holder.layout)
            if layout is not None:
                size, stride = (tuple(map(int, part.replace(",", " ").split())) for part in layout.groups())
                found.append((holder.value_of, torch.as_strided(value, size, stride, 0).clone()))
        return found

    def made(self, args: tuple[Any, ...]) -> list[tuple[str, NodeId, torch.Tensor]]:
        """(name for the person, node, tensor) for each buffer it makes and each input that it writes back."""
        found = [
            (f"{node.buffers[0]} ({node.value_of})", node.value_of, args[self._names.index(node.buffers[0])])
            for node in self._own()
            if node.value_of and len(node.buffers) == 1 and node.buffers[0] in self._names
        ]
        kernel = self._kernel
        mutated = set(kernel.origins) if kernel is not None else set()
        for name in dict.fromkeys(self._names):
            copied = self._written.get(name)
            if copied is not None and copied[0] in mutated:
                value = args[len(self._names) - 1 - self._names[::-1].index(name)]
                found.append((f"{name}, written back", copied[1], value))
        return found

    def is_written_back(self, tensor: torch.Tensor, args: tuple[Any, ...]) -> bool:
        """Whether an argument is one of the graph's inputs."""
        return any(
            value is tensor and name in self._inputs for name, value in zip(self._names, args, strict=False)
        )

    def spoil(self, replaced: set[NodeId]) -> None:
        """The kernel did not run: what it should have made is not there, but for these nodes' results."""
        self._spoiled |= {
            buffer for node in self._own() if node.value_of not in replaced for buffer in node.buffers
        }

    def spoiled(self) -> str:
        """A buffer that the kernel reads and that was not made; empty where all are there."""
        return next((name for name in self._names if name in self._spoiled), "")

    def _own(self) -> list[LoopNode]:
        return self._parts[self._kernel.id] if self._kernel is not None else []


def _argument_names(wrapper: str, kernel: Kernel) -> list[str]:
    """The buffers and inputs that a kernel is called with, views of them too; empty text for anything else."""
    if kernel.call_line is None:
        return []
    call = ast.parse(wrapper.split("\n")[kernel.call_line - 1].strip()).body[0]
    if not (isinstance(call, ast.Expr) and isinstance(call.value, ast.Call)):
        return []
    names = []
    for item in call.value.args:
        while isinstance(item, ast.Call) and item.args:
            item = item.args[0]
        names.append(item.id if isinstance(item, ast.Name) else "")
    return names


def _parts(kernel: Kernel, fused: dict[NodeId, LoopNode], single: dict[NodeId, LoopNode]) -> list[LoopNode]:
    """The nodes before fusion that a kernel runs."""
    names = [part for name in kernel.loop_nodes if name in fused for part in fused[name].children or (name,)]
    return [single[name] for name in names if name in single]


def _written_back(order: CheckOrder) -> dict[NodeId, tuple[NodeId, NodeId]]:
    """Input → the node that writes it back, and the node whose result is written."""
    found = {}
    for node in order.graph.nodes:
        if node.target == "aten.copy_.default":
            target, source, *_ = node.inputs()
            found[target] = (node.id, source)
    return found
