"""All hooks together, and what each needs of this torch."""

import contextlib
from collections.abc import Iterator
from types import ModuleType

from compiler.engine.recording import Recorder
from compiler.engine.torch_internals import (
    autotuning,
    backend_graphs,
    build_times,
    changed_settings,
    compile_phases,
    compile_settings,
    counting_backend,
    cuda_graphs,
    cudagraph_skips,
    decompositions,
    dispatcher,
    dynamo_graphs,
    eager_operations,
    emulation_needs,
    escaped_errors,
    frames,
    fusion_choices,
    fusions,
    gpu_profile,
    graph_breaks,
    graph_passes,
    guard_trees,
    inductor_graphs,
    inlined_calls,
    kernel_builds,
    kernel_knobs,
    kernels,
    library_flops,
    lighter_linking,
    live_regions,
    loop_origins,
    made_operators,
    met_values,
    missing_marks,
    node_creation,
    operators,
    overlapped_builds,
    partition_choices,
    pattern_matching,
    pattern_rewrites,
    resume_functions,
    scheduler,
    settings,
    shared_traffic,
    stage_edits,
    step_profile,
    symbolic_shapes,
    torch_same,
    traced_steps,
    tracing_results,
    tracked_variables,
    triton_bodies,
    unit_surroundings,
    wrapped_tensors,
    wrapper_modules,
)
from compiler.engine.torch_internals.patching import is_there
from compiler.model.capture import Hook

_HOOKS: tuple[ModuleType, ...] = (
    frames,
    guard_trees,
    node_creation,
    traced_steps,
    inlined_calls,
    graph_breaks,
    escaped_errors,
    resume_functions,
    dynamo_graphs,
    backend_graphs,
    partition_choices,
    inductor_graphs,
    graph_passes,
    pattern_rewrites,
    scheduler,
    fusions,
    loop_origins,
    triton_bodies,
    kernels,
    kernel_builds,
    cudagraph_skips,
    compile_phases,
    build_times,
    autotuning,
    cuda_graphs,
    lighter_linking,
    tracing_results,
    stage_edits,
)
_ALSO_NEEDED: tuple[ModuleType, ...] = (
    changed_settings,
    compile_settings,
    counting_backend,
    decompositions,
    dispatcher,
    eager_operations,
    emulation_needs,
    fusion_choices,
    library_flops,
    kernel_knobs,
    live_regions,
    made_operators,
    met_values,
    missing_marks,
    operators,
    overlapped_builds,
    pattern_matching,
    settings,
    shared_traffic,
    stage_edits,
    step_profile,
    gpu_profile,
    symbolic_shapes,
    torch_same,
    unit_surroundings,
    wrapper_modules,
    wrapped_tensors,
    tracked_variables,
)


@contextlib.contextmanager
def listening(recorder: Recorder) -> Iterator[None]:
    """While this is entered, everything torch compiles is written into the recorder."""
    with contextlib.ExitStack() as stack:
        for hook in _HOOKS:
            stack.enter_context(hook.listen(recorder))
        yield


def found_hooks() -> tuple[Hook, ...]:
    """Which hooks this torch offers, and what is missing."""
    rows = []
    for module in (*_HOOKS, *_ALSO_NEEDED):
        name = module.__name__.rpartition(".")[2]
        missing = [path for path in module.NEEDS if not is_there(path)]
        remedy = f"This torch has no {', '.join(missing)}; use torch 2.11 to 2.15." if missing else ""
        rows.append(Hook(name, module.GIVES, not missing, remedy))
    return tuple(rows)
