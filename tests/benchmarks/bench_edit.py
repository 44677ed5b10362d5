"""Edit to fresh result ÷ a cold compile, for an edit at each stage; kernels that change are built again in all of them."""

import contextlib
import gc
import io
import threading
import time
from collections.abc import Callable

from torch._inductor.utils import fresh_cache

from compiler.engine.capture.capture import LiveCapture, make_capture
from compiler.engine.errors import EngineError
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.torch_internals.inductor_kernels.instantiated_headers import THREAD
from compiler.engine.torch_internals.patch.rare_collections import rare_collections
from compiler.model.edits.edits import ChooseFusion, Edit, ReplaceKernel, ReplaceTarget
from compiler.model.ir.arguments import SequenceArgument
from compiler.model.ir.graph import Graph
from compiler.model.ir.ids import StageId
from compiler.model.ir.stage import LoopStage
from compiler.model.protocol.frames import encode
from compiler.model.protocol.messages import Event
from compiler.model.protocol.partial_results import StagesGenerated
from compiler.processes.own_cache import cache_folder
from tests.benchmarks.bench_capture import plain, spec_of
from tests.benchmarks.measuring import line, ratio, timed
from tests.helpers.quick_builds import headers_in

AIMS = {
    "dynamo": "≤ 0.25",
    "pre-grad": "≤ 0.25",
    "joint": "≤ 0.25",
    "forward": "≤ 0.25",
    "post-grad": "≤ 0.2",
    "fusion": "≤ 0.2",
    "kernel": "≤ 0.1",
    "undo": "≤ 0.05",
}
_STAGES = {
    "dynamo": "0/0:dynamo",
    "pre-grad": "0/0:pre_grad",
    "joint": "0/0:joint",
    "forward": "0/0:forward:aot",
    "post-grad": "0/0:forward:post_grad",
}
_BEHIND = {
    "dynamo": "0/0:pre_grad",
    "pre-grad": "0/0:joint",
    "joint": "0/0:joint",
    "forward": "0/0:forward:post_grad",
    "post-grad": "0/0:forward:loops",
    "fusion": "0/0:forward:fused",
    "kernel": "0/0:forward:kernels",
}
"""What is the first feedback: the stage behind the edited one, made again (the edited graph itself the window has); of a joint
graph, how it was partitioned.
"""
_CASES = {
    "mlp_dropout.py:MLP": ("relu", "aten.relu.default"),
    "transformer_layer.py:EncoderLayer": ("gelu", "aten.erf.default"),
    "conv_bn_relu.py:Net": ("relu", "aten.relu.default"),
}


def _await_headers() -> None:
    """Until the header has its templates instantiated, which a worker does while nobody waits."""
    for thread in threading.enumerate():
        if thread.name == THREAD:
            thread.join()


def swap(stage: StageId, graph: Graph, wanted: tuple[str, ...], target: str) -> Edit:
    """Replace the first node that calls one of `wanted`."""
    node = next(
        node for node in graph.nodes if node.target.rpartition(".")[2] in wanted or node.target in wanted
    )
    return ReplaceTarget(
        stage, node.id, "call_function", target, SequenceArgument("tuple", node.args.items[:1])
    )


def main(repeats: int = 5) -> None:
    """Print the figures."""
    print(
        "Edit to fresh result against a cold compile (kernels of the edited part built again, the run included)"
    )
    workers = cache_folder() / "precompiled_headers"
    for name, wanted in _CASES.items():
        spec = spec_of(name)
        cold: list[float] = []
        times: dict[str, list[float]] = {what: [] for what in AIMS}
        first: dict[str, list[float]] = {what: [] for what in AIMS}
        kernels = 0
        with contextlib.redirect_stdout(io.StringIO()):
            with headers_in(workers), fresh_cache():
                make_capture(spec, "capture-1", lambda text: None)
                _await_headers()
            for _ in range(repeats):
                with fresh_cache():
                    cold.append(timed(lambda: plain(spec)))
                with headers_in(workers), fresh_cache():
                    live = make_capture(spec, "capture-1", lambda text: None)
                    kernels = _count(live)
                    _measure(EditedProgram(live), wanted, times, first)
        print(f"  {name}: {kernels} kernels built")
        line(f"{name}: cold compile", cold)
        for what, found in times.items():
            if len(found) == len(cold):
                line(f"{name}: {what} edit to result", found)
                ratio(f"{name}: {what} edit ÷ cold", found, cold, AIMS[what])
            if len(first[what]) == len(found) > 0:
                line(f"{name}: {what} edit to first feedback", first[what])
                ratio(f"{name}: {what} first feedback ÷ result", first[what], found, "< 1")


def _count(live: LiveCapture) -> int:
    """Kernels that a compiler builds; library calls are none."""
    return sum(bool(kernel.source) for stage in live.capture.stages for kernel in stage.kernels)


def _measure(
    program: EditedProgram,
    wanted: tuple[str, str],
    times: dict[str, list[float]],
    first: dict[str, list[float]],
) -> None:
    """One edit at each stage, each undone; targets differ, so that no kernel was built before. `first` is when the window
    has the next stage behind the edited one.
    """
    base = program.base
    reported: list[tuple[float, set[StageId]]] = []

    def emit(event: StagesGenerated) -> None:
        encode(Event(event))
        reported.append((time.perf_counter(), {stage.id for stage in event.capture.stages}))

    def fresh_result(edits: tuple[Edit, ...]) -> None:
        with rare_collections():  # as the worker does, which collects when nobody waits: here `idle`
            program.recompile(edits, "capture-2", lambda text: None, emit)
            base.stepper.step(base.compiled)

    def idle() -> None:
        gc.collect()
        reported.clear()

    def note(what: str, seconds: float, ended: float) -> None:
        times[what].append(seconds)
        seen = [moment for moment, stages in reported if _BEHIND[what] in stages]
        if seen:
            first[what].append(seen[0] - (ended - seconds))
        reported.clear()

    idle()
    targets = {"dynamo": "torch.tanh", "pre-grad": "torch.sigmoid"}
    aten = {"joint": "aten.sin.default", "forward": "aten.cos.default", "post-grad": "aten.neg.default"}
    for what, stage in _STAGES.items():
        target = targets.get(what) or aten[what]
        edit = swap(stage, program.base_graph(stage, ()), wanted, target)
        seconds = timed(lambda edits=(edit,): fresh_result(edits))  # type: ignore[misc]
        note(what, seconds, time.perf_counter())
        undone = timed(lambda: fresh_result(()))
        idle()
    times["undo"].append(undone)
    for what, make in (("fusion", _fusion), ("kernel", _kernel)):
        found = _first(program, make(base), fresh_result, idle)
        if found is not None:
            note(what, *found)


def _first(
    program: EditedProgram,
    edits: tuple[Edit, ...],
    fresh_result: Callable[[tuple[Edit, ...]], None],
    begin: Callable[[], None],
) -> tuple[float, float] | None:
    """Seconds of the first edit that Inductor takes, and when it was done."""
    for edit in edits:
        begin()
        try:
            found = timed(lambda wanted=(edit,): fresh_result(wanted))  # type: ignore[misc]
        except EngineError:
            continue
        ended = time.perf_counter()
        program.recompile((), "capture-3", lambda text: None)
        return found, ended
    return None


def _fusion(live: LiveCapture) -> tuple[Edit, ...]:
    content = live.capture.stage("0/0:forward:fused").content
    assert isinstance(content, LoopStage)
    groups = [node.children for node in content.program.nodes if len(node.children) > 1]
    return tuple(ChooseFusion("0/0:forward:loops", group[0], group[1], False) for group in groups)


def _kernel(live: LiveCapture) -> tuple[Edit, ...]:
    stage = "0/0:forward:kernels"
    found = [kernel for kernel in live.capture.stage(stage).kernels if kernel.source]
    return tuple(ReplaceKernel(stage, kernel.name, f"{kernel.source}\n// touched") for kernel in found)


if __name__ == "__main__":
    main()
