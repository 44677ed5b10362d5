"""A wrong kernel whose values no result shows was reported right: what it writes is compared with what the one before it writes."""

import re
from collections.abc import Callable

import pytest
import torch

import torch_loupe
from compiler.engine.verdicts.kernel_outputs import Written, _ComparedCall, _copies, _parameters
from compiler.model.edits.edits import ReplaceKernel
from compiler.model.ir.loop_ir import Kernel

pytestmark = pytest.mark.engine


def _times_nothing(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return torch.mm(x.sin(), y.float())


def _kernel(captured: torch_loupe.Capture, operation: str) -> tuple[str, Kernel]:
    return next(
        (stage.id, kernel)
        for stage in captured.data.stages
        for kernel in stage.kernels
        if operation in kernel.source
    )


@pytest.mark.parametrize(
    ("after", "right"), [(r"\1.sin() + decltype(\1)(0.05f)", None), (r"\1.sin() /* looked at */", True)]
)
def test_what_is_multiplied_by_nothing_is_not_judged(after: str, right: bool | None) -> None:
    captured = torch_loupe.capture(_times_nothing, torch.ones(8, 8), torch.zeros(8, 8, dtype=torch.int32))
    stage, kernel = _kernel(captured, ".sin()")
    other = re.sub(r"(tmp\d+)\.sin\(\)", after, kernel.source)
    _, verdict = captured.edit(ReplaceKernel(stage, kernel.name, other)).recompile()
    assert verdict.right is right
    assert (f"(out_ptr0 of {kernel.name} is off by" in verdict.summary) is (right is None)
    assert any("writes the same bits as the one before it" in note for note in verdict.data.notes) is (
        right is True
    )


def test_a_wrong_value_that_only_a_result_shows_is_wrong_still() -> None:
    captured = torch_loupe.capture(_times_nothing, torch.ones(8, 8), torch.ones(8, 8, dtype=torch.int32))
    stage, kernel = _kernel(captured, ".sin()")
    other = re.sub(r"(tmp\d+)\.sin\(\)", r"\1.sin() + decltype(\1)(0.05f)", kernel.source)
    _, verdict = captured.edit(ReplaceKernel(stage, kernel.name, other)).recompile()
    assert verdict.right is False


def test_arguments_that_share_memory_share_it_when_copied() -> None:
    whole = torch.arange(12.0)
    copies = _copies((whole[2:8], 3, whole[4:].reshape(2, 4)))
    assert copies is not None
    first, number, second = copies
    assert number == 3
    assert first.tolist() == whole[2:8].tolist()
    assert first.storage_offset() == 2
    first[2] = -1.0
    assert float(second[0, 0]) == -1.0
    assert float(whole[4]) == 4.0


def _nothing_but_rounding(x: torch.Tensor) -> torch.Tensor:
    return torch.sin(x.exp() * 1e9).sum(-1)


@pytest.mark.parametrize(
    ("after", "right", "reported"),
    [
        (r"\1.exp() * decltype(\1)(1.05f)", False, "writes other values than before from the same inputs"),
        (r"\1.exp() /* looked at */", True, "each changed kernel writes the same, bit for bit"),
    ],
)
def test_where_results_are_rounding_kernels_are_judged_by_what_they_write(
    after: str, right: bool, reported: str
) -> None:
    captured = torch_loupe.capture(_nothing_but_rounding, torch.linspace(0.1, 2.0, 64).reshape(2, 32))
    stage, kernel = _kernel(captured, ".exp()")
    other = re.sub(r"(tmp\d+)\.exp\(\)", after, kernel.source)
    _, verdict = captured.edit(ReplaceKernel(stage, kernel.name, other)).recompile()
    assert reported in verdict.summary, verdict.summary
    assert verdict.right is right


def _no_tensor(x: torch.Tensor) -> Callable[[], torch.Tensor]:
    y = x.exp() + 1.0

    def later() -> torch.Tensor:
        return y

    return later


@pytest.mark.parametrize("value", [1.0, 100.0], ids=["other values", "infinite"])
def test_what_no_result_shows_is_never_the_same_where_it_is_not(value: float) -> None:
    """An infinity times 1.05 is one still: torch's test_setattr_mutation1 was told to do what it did before."""
    captured = torch_loupe.capture(_no_tensor, torch.full((16,), value))
    stage, kernel = _kernel(captured, ".exp()")
    other = re.sub(r"(tmp\d+)\.exp\(\)", r"\1.exp() * decltype(\1)(1.05f)", kernel.source)
    _, verdict = captured.edit(ReplaceKernel(stage, kernel.name, other)).recompile()
    assert verdict.right is None, verdict.summary
    reported = [
        note for note in verdict.data.notes if "other values are written than before the edit" in note
    ]
    assert bool(reported) is (value == 1.0), verdict.data.notes


@pytest.mark.parametrize(
    ("source", "names"),
    [
        (
            'extern "C"  void  kernel(const float* in_ptr0,\n   float* __restrict__ out_ptr0)\n{',
            ("in_ptr0", "out_ptr0"),
        ),
        (
            "@triton.jit\ndef _helper(arg0_0, arg1_0):\n    return arg0_0\n@triton.jit\n"
            "def triton_spl(in_ptr0, ws_ptr, xnumel, XBLOCK : tl.constexpr):\n",
            ("in_ptr0", "ws_ptr", "xnumel"),
        ),
        (
            "@triton.jit\ndef triton_spl(Y_ptr, mode: tl.constexpr,\n    n_cols,\n    BLOCK_SIZE: tl.constexpr,\n):\n",
            ("Y_ptr", "n_cols"),
        ),
        ("nothing", ()),
    ],
)
def test_the_names_of_a_kernels_parameters(source: str, names: tuple[str, ...]) -> None:
    assert _parameters("triton_spl", source) == names
    assert _parameters("triton_spl_0", source) == names  # Inductor's number of a kernel that a program brings


def test_doubles_that_are_made_of_floats_are_compared_as_these() -> None:
    """torch's test_consecutive_split_cumsum: a scan in float32 adds in another order each time, and its sum is a float64."""
    written = Written("triton_spl")
    beside = _ComparedCall(None, None, ("in_ptr0", "out_ptr0"), written)
    one, off = torch.ones(4, dtype=torch.float64), torch.ones(4, dtype=torch.float64) + 2e-7
    beside._note((torch.ones(4), one), (torch.ones(4), off))
    assert not written.otherwise
    beside._note((torch.ones(4, dtype=torch.float64), one), (torch.ones(4), off))
    assert "out_ptr0" in written.otherwise


def test_scratch_memory_is_not_compared() -> None:
    """Blocks of a split scan leave there what came first."""

    def scan(out: torch.Tensor, scratch: torch.Tensor, by: float) -> None:
        out.fill_(2.0)
        scratch.fill_(by)

    written = Written("triton_spl")
    kernel = _ComparedCall(
        lambda *args: scan(*args, 1.0), lambda *args: scan(*args, 5.0), ("out_ptr0", "ws_ptr"), written
    )
    kernel(torch.zeros(2), torch.zeros(2))
    assert (written.calls, written.same, written.otherwise) == (1, True, {})


def _only_compiled(x: torch.Tensor) -> torch.Tensor:
    if not torch.compiler.is_compiling():
        raise RuntimeError("compile me")
    return x.sin() + 1


@pytest.mark.parametrize(
    ("after", "right"),
    [(r"\1.sin() + decltype(\1)(0.05f)", False), (r"\1.sin() /* looked at */", True)],
)
def test_a_program_that_fails_without_torch_compile_is_judged_by_its_kernels(after: str, right: bool) -> None:
    """It *failed when run*, as if the edit were to blame."""
    captured = torch_loupe.capture(_only_compiled, torch.ones(8, 8))
    stage, kernel = _kernel(captured, ".sin()")
    other = re.sub(r"(tmp\d+)\.sin\(\)", after, kernel.source)
    _, verdict = captured.edit(ReplaceKernel(stage, kernel.name, other)).recompile()
    assert verdict.right is right
    call = next(stage for stage in captured.stages if stage.kind == "dynamo_graph")
    sine = next(node for node in call.nodes if "sin" in str(node.target))
    _, verdict = captured.edit(call.replace(sine.id, "torch.cos")).recompile()
    assert verdict.right is None
    assert "without torch.compile the program fails (RuntimeError: compile me" in verdict.summary


def test_the_same_kernel_says_nothing_of_another_edit() -> None:
    captured = torch_loupe.capture(_only_compiled, torch.ones(8, 8))
    graph = next(stage for stage in captured.stages if stage.id.endswith(":post_grad"))
    added = next(node for node in graph.nodes if "add" in str(node.target))
    edited = captured.edit(graph.replace(added.id, "aten.sub.Tensor"))
    between, _ = edited.recompile(judge=False)
    stage, other = _kernel(between, ".sin()")
    remark = re.sub(r"(tmp\d+)\.sin\(\)", r"\1.sin() /* looked at */", other.source)
    _, verdict = between.edit(ReplaceKernel(stage, other.name, remark)).recompile()
    assert verdict.right is None, verdict.summary


@pytest.mark.parametrize("dtype", [torch.float8_e4m3fn, torch.float8_e5m2, torch.bool, torch.complex64])
def test_what_a_kernel_writes_is_compared_in_every_dtype(dtype: torch.dtype) -> None:
    written = Written("k")
    beside, one = _ComparedCall(None, None, ("out_ptr0",), written), torch.ones(4).to(dtype)
    beside._note((one,), (one.clone(),))
    assert written.same
    assert not written.unknown


@pytest.mark.skipif(not hasattr(torch, "float4_e2m1fn_x2"), reason="this torch has no float4")
def test_what_torch_cannot_compare_is_unknown() -> None:
    written = Written("k")
    four = torch.zeros(4, dtype=torch.uint8).view(torch.float4_e2m1fn_x2)
    _ComparedCall(None, None, ("out_ptr0",), written)._note((four,), (four.clone(),))
    assert written.unknown
