"""The source of a generated kernel edited, built, run and judged, with the real Inductor and g++."""

from collections.abc import Callable

import pytest
import torch

import torch_loupe
from compiler.engine.errors import EngineError
from compiler.engine.kernel_code.kernel_source import with_kernel_source
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.records.wrapper_kernels import kernel_sources
from compiler.engine.verdicts.judge_edits import judge_edits
from compiler.model.edits.edits import ChooseFusion, ReplaceKernel
from compiler.model.ir.loop_ir import Kernel
from compiler.model.ir.stage import KernelStage
from compiler.model.session_file.checks import consistent

pytestmark = pytest.mark.engine
STAGE = "0/0:forward:kernels"
Maker = Callable[[str], EditedProgram]


def _quiet(text: str) -> None:
    return None


def _kernel(edited: EditedProgram) -> Kernel:
    return next(
        kernel
        for kernel in edited.base.capture.stage(STAGE).kernels
        if "max" in kernel.source or "relu" in kernel.name
    )


@pytest.mark.thorough
def test_an_edited_kernel_runs_is_judged_and_is_undone(program: Maker) -> None:
    edited = program("transformer_layer.py:EncoderLayer")
    kernel = _kernel(edited)
    before = edited.base.stepper.compared_step(edited.base.compiled).tensors
    lines = kernel.source.split("\n")
    store = next(number for number, line in enumerate(lines) if ".store(" in line)
    wrong = lines[store].replace(".store(", " * at::vec::Vectorized<float>(2.0f)).store(", 1)
    wrong = wrong.replace(
        lines[store].strip().split(".store(")[0], "(" + lines[store].strip().split(".store(")[0], 1
    )
    source = "\n".join((*lines[:store], wrong, *lines[store + 1 :]))
    edit = ReplaceKernel(STAGE, kernel.name, source)
    capture = edited.recompile((edit,), "c2", _quiet)
    assert not consistent(capture)[1]
    assert source in [item.source for item in capture.stage(STAGE).kernels]
    verdict = judge_edits(edited, (edit,), 1.0, _quiet)
    assert verdict.comparisons[-1].agrees is False, "a kernel that gives twice the value must be found out"
    edited.recompile((), "c3", _quiet)
    after = edited.base.stepper.compared_step(edited.base.compiled).tensors
    assert all(after[name].equal(value) for name, value in before.items())
    same = ReplaceKernel(STAGE, kernel.name, kernel.source + "\n// the same")
    edited.recompile((same,), "c4", _quiet)
    assert judge_edits(edited, (same,), 1.0, _quiet).comparisons[-1].agrees


def _weighted(x: torch.Tensor) -> torch.Tensor:
    return torch.relu(x * torch.tensor([[1.0, 2.0, 3.0, 4.0]]))


@pytest.mark.thorough
def test_a_kernel_that_reads_a_constant_of_the_graph_is_edited() -> None:
    """The wrapper has `_tensor_constant0 = None`, which torch sets when it loads it (kornia's filters hold their weights so)."""
    captured = torch_loupe.capture(_weighted, torch.randn(3, 4), grad=False)
    stage = next(stage for stage in captured.stages if stage.id.endswith(":kernels"))
    assert isinstance(stage.data.content, KernelStage)
    (kernel,) = stage.data.kernels
    _, verdict = captured.edit(
        ReplaceKernel(stage.id, kernel.name, kernel.source + "\n// the same")
    ).recompile()
    assert verdict.right is True


def test_a_compilers_error_is_reported_on_its_line_and_the_old_kernel_runs(program: Maker) -> None:
    edited = program("mlp.py:MLP")
    kernel = _kernel(edited)
    lines = kernel.source.split("\n")
    lines.insert(2, "this is no C++;")
    with pytest.raises(EngineError, match=f"{kernel.name}, line 3: ") as error:
        edited.recompile((ReplaceKernel(STAGE, kernel.name, "\n".join(lines)),), "c2", _quiet)
    location = error.value.problem.place
    assert (location.stage, location.nodes) == (STAGE, (f"{kernel.name}:L3",))
    assert edited.base.stepper.step(edited.base.compiled).tensors
    with pytest.raises(EngineError, match="There is no kernel"):
        edited.recompile((ReplaceKernel(STAGE, "cpp_nothing", "x"),), "c3", _quiet)


def test_sources_are_put_into_the_wrapper_and_read_out_again() -> None:
    text = "import x\ncpp_a = async_compile.cpp_pybinding(['float*'], r'''\nold\n''')\n\ncpp_b = async_compile.cpp('''b''')\n"
    for source in ("new\ncode", "with ''' inside", "a\\n\\\\b", "é = 1"):
        changed = with_kernel_source(text, "cpp_a", source)
        assert kernel_sources(changed) == {"cpp_a": source, "cpp_b": "b"}
    with pytest.raises(
        EngineError, match=r"There is no kernel cpp_c in the code .*; its kernels are cpp_a, cpp_b\."
    ):
        with_kernel_source(text, "cpp_c", "x")


def test_a_library_call_is_not_said_to_be_gone() -> None:
    text = "def call(args):\n    extern_kernels.mm(a, b, out=buf0)\n    torch.ops.aten.sort.stable(buf0)\n"
    for name in ("extern_kernels.mm", "torch.ops.aten.sort.stable"):
        with pytest.raises(EngineError, match=f"{name} is a library call; it has no source to edit"):
            with_kernel_source(text, name, "x")


@pytest.mark.thorough
def test_kernels_are_edited_on_top_of_chosen_fusions(program: Maker) -> None:
    edited = program("mlp_dropout.py:MLP")
    fused = next(
        node.children
        for node in edited.base.capture.stage("0/0:forward:fused").content.program.nodes  # type: ignore[union-attr]
        if len(node.children) > 1
    )
    apart = ChooseFusion("0/0:forward:loops", fused[0], fused[1], False)
    capture = edited.recompile((apart,), "c2", _quiet)
    content = capture.stage(STAGE).content
    assert isinstance(content, KernelStage)
    kernel = next(item for item in content.kernels.kernels if item.source)
    both = (apart, ReplaceKernel(STAGE, kernel.name, kernel.source + "\n// touched"))
    again = edited.recompile(both, "c3", _quiet)
    content = again.stage(STAGE).content
    assert isinstance(content, KernelStage)
    assert any(item.source.endswith("// touched") for item in content.kernels.kernels)
    assert again.stage("0/0:forward:loops").content.program.choices  # type: ignore[union-attr]
    assert edited.base.stepper.step(edited.base.compiled).tensors
