"""Kernels by what and where: of a real capture, and of kernels made by hand."""

import msgspec

from compiler.analysis.line_times.kernel_names import kernel_names
from compiler.analysis.line_times.kernel_origins import KernelOrigin, kernel_origins
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.ids import Place, place
from compiler.model.ir.stage import KernelStage, LoopStage, Stage, StageKind
from tests.helpers.sample_capture import capture as sample_capture

STAGE = "0/0:forward:kernels"


def kernel(name: str) -> tuple[Place, str]:
    return place(STAGE, name), name


def test_what_where_and_which_module() -> None:
    line = SourceLine("/me/model.py", 23)
    origin = KernelOrigin(("relu", "dropout"), ((line,),), ("layers.3",))
    names = kernel_names([kernel("cpp_fused_0")], {place(STAGE, "cpp_fused_0"): origin})
    assert list(names.values()) == ["relu+dropout · model.py:23 · layers.3"]


def test_equal_names_are_numbered_and_unknown_kernels_keep_torchs() -> None:
    line = SourceLine("/me/model.py", 23)
    origin = KernelOrigin(("linear",), ((line,), (SourceLine("/me/b.py", 2),)), ("h.0.a", "h.0.b"), True)
    rows = [kernel("mm"), kernel("mm#2"), kernel("other")]
    names = kernel_names(rows, {location: origin for location, _ in rows[:2]})
    assert list(names.values()) == [
        "linear backward 1/2 · model.py:23 +1 · h.0",
        "linear backward 2/2 · model.py:23 +1 · h.0",
        "other",
    ]


def test_many_operations_are_counted_and_hidden_characters_shown() -> None:
    origin = KernelOrigin(("a\u202e", "b", "c", "d", "e"))
    names = kernel_names([kernel("k")], {place(STAGE, "k"): origin})
    assert list(names.values()) == ["a⟨U+202E⟩+b+c+2 more"]


def test_every_kernel_of_a_capture_leads_to_a_line_of_a_captured_file() -> None:
    capture = sample_capture()
    kernels = [
        place(stage.id, row.id) for stage in capture.of_kind(StageKind.KERNELS) for row in stage.kernels
    ]
    assert kernels
    origins = kernel_origins(capture, [*kernels, place("gone:kernels", "k")])
    assert origins.pop(place("gone:kernels", "k")) == KernelOrigin()
    for location, origin in origins.items():
        assert origin.stacks, location
        assert origin.operations, location


def with_far_origins(stage: Stage) -> Stage:
    """As torch has it: the origins of a loop node name what its arguments were made from too."""
    if stage.kind is not StageKind.FUSED_LOOP_IR or not isinstance(stage.content, LoopStage):
        return stage
    program = stage.content.program
    far = tuple(dict.fromkeys(name for row in program.nodes for name in row.origins))
    rows = tuple(
        msgspec.structs.replace(row, computes=row.computes or row.origins, origins=far)
        for row in program.nodes
    )
    return msgspec.structs.replace(stage, content=LoopStage(msgspec.structs.replace(program, nodes=rows)))


def test_a_kernel_is_not_charged_to_what_made_its_arguments() -> None:
    capture = sample_capture()
    capture = msgspec.structs.replace(capture, stages=tuple(map(with_far_origins, capture.stages)))
    origins = kernel_origins(
        capture, [place(STAGE, row.id) for row in next(iter(capture.of_kind(StageKind.KERNELS))).kernels]
    )
    lines = {
        location.nodes[0]: [stack[-1].line for stack in origin.stacks] for location, origin in origins.items()
    }
    assert lines == {"extern_kernels.mm": [5], "cpp_fused_mul_relu_0": [6, 7]}


def test_a_kernel_that_copies_weights_into_another_layout_leads_to_where_they_are_used() -> None:
    """As Inductor does it for convolutions: of the forward's first kernel nothing but the inputs is known."""
    capture = sample_capture()
    graph = next(
        stage.graph for stage in capture.of_kind(StageKind.POST_GRAD_GRAPH) if stage.part == "forward"
    )
    used = next(
        node.id
        for node in graph.nodes
        if node.op == "placeholder"
        and any(
            graph.node(user).stack and graph.node(user).op != "output" for user in graph.users_of(node.id)
        )
    )

    def copying(stage: Stage) -> Stage:
        if stage.id != STAGE or not isinstance(stage.content, KernelStage):
            return stage
        first, *others = stage.kernels
        copy = msgspec.structs.replace(first, origins=(used,), loop_nodes=(), body="")
        kernels = msgspec.structs.replace(stage.content.kernels, kernels=(copy, *others))
        return msgspec.structs.replace(stage, content=KernelStage(kernels))

    changed = msgspec.structs.replace(capture, stages=tuple(map(copying, capture.stages)))
    content = next(stage for stage in changed.stages if stage.id == STAGE).content
    assert isinstance(content, KernelStage)
    row = content.kernels.kernels[0]
    origin = kernel_origins(changed, [place(STAGE, row.id)])[place(STAGE, row.id)]
    assert origin.stacks
    assert all(name.startswith("copy for ") for name in origin.operations)
