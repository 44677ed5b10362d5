"""Hook: each graph that Inductor compiles, from AOTAutograd's hands to the post-grad graph."""

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Any

from compiler.engine.fx.graph_import import read_bodies, read_graph
from compiler.engine.records.pass_recorder import PassTimeline
from compiler.engine.records.recorder import Recorder, UnitRecord
from compiler.engine.torch_internals.aot_autograd.backend_graphs import joint_role
from compiler.engine.torch_internals.aot_autograd.missing_marks import add_missing_marks
from compiler.engine.torch_internals.patch.patching import around

GIVES = "forward, backward, inference and post-grad graphs"
NEEDS = (
    "torch._inductor.compile_fx:compile_fx_forward",
    "torch._inductor.compile_fx:compile_fx_backward",
    "torch._inductor.compile_fx:_recursive_post_grad_passes",
)


@contextlib.contextmanager
def listen(recorder: Recorder) -> Iterator[None]:
    """Record each graph as Inductor begins it and after its post-grad passes.

    A graph inside another (a branch of ``cond``) goes through the post-grad passes too, before the outer one, with which it is
    read.
    """

    def compile_part(backward: bool) -> Callable[[Any], Any]:
        def make(original: Any) -> Any:
            def replacement(module: Any, *args: Any, **kwargs: Any) -> Any:
                region = recorder.region
                if region is None:
                    return original(module, *args, **kwargs)
                part = "backward" if backward else "inference" if kwargs.get("is_inference") else "forward"
                with recorder.reading("written-back inputs"):
                    add_missing_marks(module.graph, region.is_in_place)
                unit = UnitRecord(part, read_graph(module.graph, joint_role), time.perf_counter())
                unit.aot_bodies = read_bodies(module)
                unit.passes = PassTimeline(unit.aot_graph, joint_role)
                region.units.append(unit)
                recorder.current_units.append(unit)
                recorder.say(f"Inductor compiles the {part} graph of {region.compile_id}")
                if recorder.live is not None and "inner_compile" in kwargs:
                    kwargs["inner_compile"] = recorder.live.inner_compile(kwargs["inner_compile"], part)
                try:
                    return original(module, *args, **kwargs)
                finally:
                    unit.seconds["whole"] = time.perf_counter() - unit.started
                    recorder.current_units.pop()

            return replacement

        return make

    def post_grad(original: Any) -> Any:
        def replacement(module: Any, *args: Any, **kwargs: Any) -> Any:
            unit = recorder.unit
            skip = recorder.live is not None and recorder.live.start == "post_grad"
            started = time.perf_counter()
            result = None if skip else original(module, *args, **kwargs)
            if unit is not None and not nested(module):
                unit.seconds["post_grad"] = time.perf_counter() - started
                unit.post_grad = read_graph(module.graph, joint_role)
                unit.post_grad_bodies = read_bodies(module)
            return result

        depth = 0

        def nested(module: Any) -> bool:
            return depth > 1

        def counting(module: Any, *args: Any, **kwargs: Any) -> Any:
            nonlocal depth
            depth += 1
            try:
                return replacement(module, *args, **kwargs)
            finally:
                depth -= 1

        return counting

    with (
        around(NEEDS[0], compile_part(backward=False)),
        around(NEEDS[1], compile_part(backward=True)),
        around(NEEDS[2], post_grad),
    ):
        yield
