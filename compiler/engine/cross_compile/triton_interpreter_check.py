"""Triton kernels against their graph, on the CPU: the wrapper runs with each kernel interpreted, and every buffer that a
kernel makes is compared, when it is made, with the node whose result it holds, computed from what the kernel was given.

What could not be interpreted or is wrong is replaced by the graph's value, so that each kernel is judged by itself.
"""

import dataclasses
import time
from collections.abc import Callable
from typing import Any

import msgspec
import torch
import torch.fx

from compiler.engine.accuracy.tolerance import judge
from compiler.engine.cross_compile import graph_on_cpu, wrapper_on_cpu
from compiler.engine.cross_compile.graph_on_cpu import NotRunnableError
from compiler.engine.kernel_code.buffer_map import KernelBuffers
from compiler.engine.torch_internals.triton import triton_interpreter
from compiler.engine.torch_internals.triton.triton_interpreter import InterpretedKernel
from compiler.engine.user_program.stepper import Results
from compiler.model.gpu.kernel_checks import CheckOrder, GraphCheck, KernelCheck
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import NodeId
from compiler.model.timing.verdicts import Difference, not_judged

Values = dict[NodeId, torch.Tensor]
_UNSEEN = "Makes no buffer that holds a node's result (a part of a reduction, say); the kernel that uses it is judged."


@dataclasses.dataclass
class _Running:
    """A graph while its wrapper runs."""

    module: torch.fx.GraphModule
    buffers: KernelBuffers
    known: Values
    """Results of nodes, as the wrapper has made them so far."""
    rows: list[KernelCheck] = dataclasses.field(default_factory=list)
    began: float = 0.0


class KernelChecker:
    """Checks graph by graph in one process; a backward gets what its forward saved."""

    def __init__(self, report_progress: Callable[[str], None]) -> None:
        self._report_progress = report_progress
        self._running: _Running | None = None
        self._saved: dict[str, Values] = {}
        self._sources: dict[str, str] = {}
        triton_interpreter.install(self, self._sources)

    def check(self, order: CheckOrder) -> GraphCheck:
        """Run one graph. What fails is reported in the answer."""
        self._report_progress(f"Interpreting the kernels of {order.stage}")
        try:
            return self._checked(order)
        except NotRunnableError as error:
            return GraphCheck(order.stage, problem=_not_run(order, str(error)))
        except Exception as error:  # noqa: BLE001  wrappers and graphs may hold anything; the other graphs are still checked
            remedy = "What they are compared with must run on the CPU."
            return GraphCheck(
                order.stage, problem=_not_run(order, f"{type(error).__name__}: {error}", remedy)
            )

    def _checked(self, order: CheckOrder) -> GraphCheck:
        module = graph_on_cpu.build(order.graph)
        buffers = KernelBuffers(order)
        saved = self._saved.get(order.compile_id, {}) if order.part == "backward" else {}
        ends = set(next(node for node in reversed(order.graph.nodes) if node.op == "output").inputs())
        for positive in (False, True):
            given = graph_on_cpu.inputs_for(order.graph, saved, positive)
            torch.manual_seed(0)
            made = graph_on_cpu.evaluate(module, ends, given, buffers.drawn_by_fours)
            if all(bool(value.isfinite().all()) for value in made.values() if value.is_floating_point()):
                break
        if order.part == "forward":
            self._saved[order.compile_id] = {**given, **made}
        self._sources.clear()
        self._sources.update({kernel.name: kernel.source for kernel in order.kernels if kernel.source})
        call = wrapper_on_cpu.load(order.wrapper)
        running = self._running = _Running(module, buffers, dict(given))
        torch.manual_seed(0)
        try:
            with torch.no_grad():
                call([value.clone() for value in given.values()])
        finally:
            self._running = None
        return GraphCheck(order.stage, tuple(running.rows), _reported(order.graph, saved, positive))

    def before(self, kernel: InterpretedKernel, args: tuple[Any, ...]) -> None:
        """Keep what the kernel reads: library calls made it, which are not judged."""
        running = self._running
        if running is None:
            return
        running.buffers.call(kernel.name)
        for node, value in running.buffers.read(args):
            if node not in running.known:
                running.known[node] = value
        running.began = time.perf_counter()

    def after(self, kernel: InterpretedKernel, args: tuple[Any, ...]) -> None:
        """Compare what it made, and put right what is wrong."""
        running = self._running
        if running is None:
            return
        buffers = running.buffers
        row = KernelCheck(
            buffers.called,
            kernel.name,
            blocks=kernel.blocks,
            own_blocks=kernel.own_blocks,
            seconds=time.perf_counter() - running.began,
        )
        made = buffers.made(args)
        wanted = {node for _, node, _ in made}
        fours = buffers.drawn_by_fours
        narrow = graph_on_cpu.evaluate(running.module, wanted, running.known, fours)
        missing = buffers.spoiled()
        if kernel.fault is not None:
            row = msgspec.structs.replace(row, reason=f"Cannot be interpreted: {_format_fault(kernel.fault)}")
        elif missing:
            why = not_judged(f"it reads {missing}, and the kernel that makes that could not be interpreted")
            row = msgspec.structs.replace(row, reason=why)
        else:
            exact = graph_on_cpu.evaluate(running.module, wanted, running.known, fours, wide=True)
            row = _judged(row, made, narrow, exact)
        for _, node, tensor in made:
            if node in narrow and narrow[node].numel() == tensor.numel():
                if row.agrees is not True:
                    tensor.copy_(narrow[node].reshape(tensor.shape))
                if not buffers.is_written_back(tensor, args):
                    running.known[node] = tensor.detach().clone().reshape(narrow[node].shape)
        if kernel.fault is not None or missing:
            buffers.spoil(set(narrow))
        running.rows.append(row)


def _judged(
    row: KernelCheck, made: list[tuple[str, NodeId, torch.Tensor]], narrow: Values, exact: Values
) -> KernelCheck:
    differences: list[Difference] = []
    agrees = True
    for name, node, tensor in made:
        if node not in exact or tensor.numel() != exact[node].numel():
            continue
        shown = tensor.detach().reshape(exact[node].shape).clone()
        results = (Results({name: value}) for value in (shown, narrow[node], exact[node]))
        ours, eager, reference = results
        reported = judge("kernel", ours, eager, "float64", reference)
        differences += reported.differences
        agrees = agrees and reported.agrees is not False
    if not differences:
        return msgspec.structs.replace(row, reason=_UNSEEN)
    return msgspec.structs.replace(row, buffers=tuple(differences), agrees=agrees)


def _reported(graph: Graph, saved: Values, positive: bool) -> str:
    held = sum(node.op == "placeholder" and node.id in saved for node in graph.nodes)
    drawn = "between 0.1 and 1.1, since normal numbers give infinities" if positive else "normal"
    kept = f"; {held} are what the forward was given or saved" if held else ""
    return f"random inputs, {drawn}{kept}"


def _format_fault(fault: BaseException) -> str:
    """The reason at the bottom: the interpreter wraps what a line raised."""
    while fault.__cause__ is not None:
        fault = fault.__cause__
    last = str(fault).strip().split("\n")[-1]
    return last if isinstance(fault, NotImplementedError) else f"{type(fault).__name__}: {last}"


def _not_run(order: CheckOrder, why: str, remedy: str = "") -> Problem:
    return Problem(f"The kernels of {order.stage} were not interpreted: {why}.", remedy)
