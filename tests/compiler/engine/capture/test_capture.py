"""A capture holds every stage of the real torch.compile, checked and linked from source line to kernel."""

import dis
from collections import Counter
from pathlib import Path

import pytest
import torch

from compiler.engine.capture.capture import make_capture
from compiler.engine.errors import EngineError
from compiler.engine.user_program.loading import load_program
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.edits.editable_stages import why_fixed
from compiler.model.edits.stage_order import depends_on
from compiler.model.graph_breaks.registry_ids import release
from compiler.model.ir.ids import line_of, place
from compiler.model.ir.links import Provenance
from compiler.model.ir.loop_ir import KernelSet
from compiler.model.ir.stage import (
    BytecodeStage,
    JointStage,
    KernelStage,
    SourceStage,
    StageKind,
    TextStage,
)
from compiler.model.session_file.checks import consistent
from tests.compiler.engine.conftest import EXAMPLES, capture

pytestmark = pytest.mark.engine


def test_training_has_every_stage_for_every_graph(breaky: Capture) -> None:
    stages = breaky.stages
    for compile_id in ("0/0", "1/0", "2/0"):
        kinds = [
            stage.kind
            for stage in stages
            if stage.compile_id == compile_id
            and not stage.part
            and stage.kind is not StageKind.RUNTIME_WRAPPERS
        ]
        assert kinds == [
            StageKind.REWRITTEN_BYTECODE,
            StageKind.DYNAMO_GRAPH,
            StageKind.PRE_GRAD_GRAPH,
            StageKind.JOINT_GRAPH,
        ]
        for part in ("forward", "backward"):
            assert [
                stage.kind for stage in stages if (stage.compile_id, stage.part) == (compile_id, part)
            ] == [
                StageKind.AOT_GRAPH,
                StageKind.POST_GRAD_GRAPH,
                StageKind.LOOP_IR,
                StageKind.FUSED_LOOP_IR,
                StageKind.KERNELS,
                StageKind.WRAPPER,
            ]


def test_what_aot_autograd_generates_around_the_graphs_is_a_stage(breaky: Capture) -> None:
    made = {stage.compile_id: stage for stage in breaky.of_kind(StageKind.RUNTIME_WRAPPERS)}
    if release(torch.__version__) < (2, 13):  # 2.12 generates some of it, for some programs
        assert release(torch.__version__) >= (2, 12) or not made
        return
    assert set(made) == {"0/0", "1/0", "2/0"}
    for compile_id, stage in made.items():
        assert isinstance(stage.content, TextStage)
        names = [line[2:] for line in stage.content.text.split("\n") if line.startswith("# ")]
        assert {"compiled_function_backward", "runtime_wrapper_orchestration"} <= set(names)
        compile(stage.content.text, "<wrappers>", "exec")
        assert stage.made_from == (f"{compile_id}:forward:wrapper", f"{compile_id}:backward:wrapper")
        assert not [row for row in breaky.links if stage.id in (row.source, row.target)]
        assert depends_on(stage.id, f"{compile_id}:joint")
        assert not depends_on(stage.id, f"{compile_id}:forward:post_grad")
        assert "cannot be edited" in why_fixed(stage)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["breaky", "transformer"])
def test_the_capture_is_sound(name: str, request: pytest.FixtureRequest) -> None:
    made: Capture = request.getfixturevalue(name)
    assert not consistent(made)[1]
    assert made.problems == ()


def test_breaks_are_reported_with_line_instruction_and_registry_id(breaky: Capture) -> None:
    breaks = breaky.breaks
    source = (EXAMPLES / "breaky.py").read_text().split("\n")
    lines = [item.stack[-1].line for item in breaks]
    assert "print" in source[lines[0] - 1]
    assert "if x.mean() > 0" in source[lines[1] - 1]
    assert all(item.registry_id.startswith("GB") and item.hints for item in breaks)
    for item in breaks:
        stage = breaky.stage(item.instruction.stage).content
        assert isinstance(stage, BytecodeStage)
        instruction = next(row for row in stage.code.instructions if row.id == item.instruction.nodes[0])
        assert instruction.line == item.stack[-1].line


def test_resume_functions_know_whom_they_resume(breaky: Capture) -> None:
    frames = {frame.id: frame for frame in breaky.frames}
    assert frames["1/0"].parent == "0/0"
    assert frames["2/0"].parent == "1/0"
    stage = breaky.stage(frames["1/0"].original).content
    assert isinstance(stage, BytecodeStage)
    assert stage.code.resume_of == "forward"


def test_bytecode_is_what_python_disassembles(breaky: Capture) -> None:
    code = load_program(breaky.spec.target).module.forward.__code__  # type: ignore[union-attr]
    stage = next(stage for stage in breaky.stages if stage.id == f"bytecode:forward@{code.co_firstlineno}")
    assert isinstance(stage.content, BytecodeStage)
    expected = [
        (row.offset, row.opname, row.positions.lineno, row.positions.col_offset)
        for row in dis.get_instructions(code)
    ]
    found = [(row.offset, row.opname, row.line, row.column) for row in stage.content.code.instructions]
    assert found == expected
    assert any(row.traced for row in stage.content.code.instructions)


def test_a_jump_names_the_offset_it_leads_to(breaky: Capture) -> None:
    seen = 0
    for stage in (*breaky.of_kind(StageKind.BYTECODE), *breaky.of_kind(StageKind.REWRITTEN_BYTECODE)):
        assert isinstance(stage.content, BytecodeStage)
        targets = {f"to {row.offset}" for row in stage.content.code.instructions if row.jump_target}
        jumps = [row for row in stage.content.code.instructions if "JUMP" in row.opname]
        assert {row.argument for row in jumps} == targets
        seen += len(jumps)
    assert seen


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["breaky", "transformer"])
def test_every_fused_kernel_leads_back_to_source_lines(name: str, request: pytest.FixtureRequest) -> None:
    made: Capture = request.getfixturevalue(name)
    links = Provenance(made.links)
    seen = 0
    for stage in made.of_kind(StageKind.KERNELS):
        for kernel in stage.kernels:
            if not kernel.source:
                continue
            seen += 1
            above = links.ancestors(place(stage.id, kernel.id))
            lines = [
                line_of(node) for key, nodes in above.items() if key.startswith("source:") for node in nodes
            ]
            assert lines, kernel.id
            wrapper = links.descendants(place(stage.id, kernel.id))
            assert any(key.endswith(":wrapper") for key in wrapper), kernel.id
    assert seen >= 4


def test_the_relu_line_reaches_its_backward_kernel(breaky: Capture) -> None:
    source = next(stage for stage in breaky.stages if stage.kind is StageKind.SOURCE)
    assert isinstance(source.content, SourceStage)
    line = next(
        number for number, text in enumerate(source.content.file.text.split("\n"), 1) if "self.fc1(x)" in text
    )
    found = Provenance(breaky.links).follow(place(source.id, f"L{line}"))
    assert any("threshold_backward" in node for node in found["0/0:backward:kernels"].nodes)
    assert any(":L" in node for node in found["0/0:backward:kernels"].nodes), (
        "lines of kernel source are linked too"
    )


def test_kernel_lines_link_to_loop_nodes_that_the_kernel_runs(transformer: Capture) -> None:
    links = Provenance(transformer.links)
    stage = transformer.stage("0/0:forward:kernels")
    assert isinstance(stage.content, KernelStage)
    kernels: KernelSet = stage.content.kernels
    stores = 0
    for kernel in kernels.kernels:
        for number, text in enumerate(kernel.source.split("\n"), 1):
            if ".store(" in text:
                above = links.ancestors(place(stage.id, f"{kernel.id}:L{number}"))
                stores += bool(above.get("0/0:forward:loops"))
    assert stores >= 3


def test_the_partition_is_reported_with_bytes(breaky: Capture) -> None:
    stage = breaky.stage("0/0:joint")
    assert isinstance(stage.content, JointStage)
    partition = stage.content.partition
    saved = {tensor.node: tensor.bytes for tensor in partition.saved}
    assert saved
    graph = stage.content.graph
    forward = {node.id for node in graph.nodes if node.lane == "forward"}
    crossing = {
        used for node in graph.nodes if node.lane == "backward" for used in node.inputs() if used in forward
    }
    assert set(saved) <= forward
    assert crossing - set(partition.recomputed) - {
        node.id for node in graph.nodes if node.op == "placeholder"
    } <= set(saved)
    assert saved.get("primals_3", 32 * 64 * 4) == 32 * 64 * 4


def test_placeholders_say_what_they_are(breaky: Capture) -> None:
    def roles(stage: str) -> dict[str, int]:
        graph = breaky.stage(stage).graph
        return dict(Counter(node.role for node in graph.nodes if node.op == "placeholder"))

    assert roles("0/0:dynamo") == {"parameter": 2, "input": 1}
    assert roles("0/0:joint") == {"parameter": 2, "input": 1, "tangent": 1}
    assert roles("0/0:forward:post_grad") == {"parameter": 2, "input": 1}
    assert set(roles("0/0:backward:post_grad")) == {"saved", "tangent"}


def test_inference_has_one_part_and_no_joint_graph() -> None:
    found = capture("mlp.py:MLP", training=False).capture
    assert {stage.part for stage in found.stages} == {"", "inference"}
    assert not found.of_kind(StageKind.JOINT_GRAPH)
    assert found.of_kind(StageKind.KERNELS)
    assert not consistent(found)[1]


@pytest.mark.thorough
def test_a_recompile_is_a_frame_of_its_own_with_its_reason() -> None:
    found = capture("recompiling.py:Changing").capture
    again = [frame for frame in found.frames if frame.recompile_reasons]
    assert again
    assert any("size" in reason for frame in again for reason in frame.recompile_reasons)


def test_fullgraph_keeps_what_was_captured_and_says_the_line() -> None:
    found = capture("breaky.py:Breaky", fullgraph=True).capture
    assert found.problems
    assert found.problems[0].path.endswith("breaky.py")
    assert found.breaks or found.frames[0].error


@pytest.mark.thorough
@pytest.mark.parametrize(
    "options", [{"backend": "eager"}, {"backend": "aot_eager"}, {"disable": True}, {"dynamic": True}]
)
def test_other_arguments_of_torch_compile_are_passed_on(options: dict[str, object]) -> None:
    found = capture("mlp.py:MLP", **options).capture
    kinds = {stage.kind for stage in found.stages}
    assert (StageKind.DYNAMO_GRAPH in kinds) is not bool(options.get("disable"))
    assert (StageKind.KERNELS in kinds) is ("dynamic" in options)
    assert not consistent(found)[1]


@pytest.mark.thorough
def test_hooks_leave_torch_as_it_was() -> None:
    from torch._dynamo import convert_frame
    from torch._inductor import compile_fx

    before = (convert_frame._compile, compile_fx.partition_fn, torch._inductor.config.fx_graph_cache)
    capture("mlp.py:MLP")
    assert (convert_frame._compile, compile_fx.partition_fn, torch._inductor.config.fx_graph_cache) == before


def test_a_program_that_puts_something_else_in_the_place_of_torch_compile_is_reported_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch, "compile", torch.compile)  # put back after the test
    (tmp_path / "replacing.py").write_text(
        "import torch\n\n\ndef refuse(*args, **kwargs):\n    raise RuntimeError('not here')\n\n\n"
        "torch.compile = refuse\n\n\ndef forward(x):\n    return x + 1\n\n\n"
        "def example_inputs():\n    return (torch.ones(2),)\n"
    )
    spec = CaptureSpec(TargetSpec("replacing.py:forward", str(tmp_path)))
    with pytest.raises(EngineError) as raised:
        make_capture(spec, "capture-1", lambda text: None)
    problem = raised.value.problem
    assert problem.what == "What the program put in the place of torch.compile fails: RuntimeError: not here."
    assert (Path(problem.path).name, problem.line) == ("replacing.py", 5)
