"""Complex programs, and transforms of torch.func, run in float64 too, so that their results are judged."""

import functools
import re
from typing import Any

import pytest
import torch
from torch.func import grad, vmap
from torch.fx.experimental.proxy_tensor import make_fx

import torch_loupe
from compiler.engine.accuracy.eager_reference import eager_reference
from compiler.engine.fx.interpreter import interpreter_of, run_with_effects
from compiler.engine.rng.rounding_noise import numbered, rounding_noise
from compiler.engine.user_program.loading import Program
from compiler.engine.user_program.stepper import Stepper
from compiler.engine.wide_values import wide_value
from compiler.model.capture.capture_spec import RunOptions
from compiler.model.edits.edits import ReplaceKernel

pytestmark = pytest.mark.engine


class Filter(torch.nn.Module):
    """It has a complex parameter and gives a complex result."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(5, 5, dtype=torch.complex64))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        spectrum = torch.fft.rfft(torch.relu(x)) @ self.weight
        return spectrum, torch.fft.irfft(spectrum * spectrum.conj(), n=8)


class PerSample(torch.nn.Module):
    """Gradients of every sample."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(8))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        def loss(weight: torch.Tensor, one: torch.Tensor) -> torch.Tensor:
            return (weight * torch.relu(one)).tanh().sum()

        found: torch.Tensor = vmap(grad(loss), (None, 0))(self.weight, x)
        return found.flatten(1) * 2


def test_a_complex_program_has_exact_results_and_gradients_in_both_parts() -> None:
    program = Program("module", Filter(), (torch.randn(3, 8),), {}, None, {})
    reference = eager_reference(program, Stepper(program, RunOptions(training=True, gradients=True)))
    assert reference.why_not == ""
    assert reference.exact.tensors["output 0"].dtype is torch.complex128
    assert reference.exact.tensors["grad of weight"].dtype is torch.complex128
    stepper = Stepper(program, RunOptions())
    assert stepper._tangent(0, reference.eager.tensors["output 0"]).imag.abs().min() > 0
    with rounding_noise(1e-3, numbered(0)):
        moved = torch.ones(4, dtype=torch.complex128) * 1.1
    assert moved.imag.abs().max() > 0
    assert (moved - 1.1).abs().max() < 0.1


@pytest.mark.thorough
def test_a_transform_of_torch_func_runs_in_float64() -> None:
    graphs: list[torch.fx.GraphModule] = []

    def kept(graph: torch.fx.GraphModule, inputs: list[Any]) -> Any:
        graphs.append(graph)
        return graph.forward

    module, x = PerSample(), torch.randn(3, 8)
    eager = torch.compile(module, backend=kept, fullgraph=True)(x)
    inputs = {8: module.weight, 24: x}
    given = [
        wide_value(inputs[node.meta["example_value"].numel()])
        for node in graphs[0].graph.find_nodes(op="placeholder")
    ]
    (exact,) = interpreter_of(graphs[0], wide=True).run(*given)
    assert exact.dtype is torch.float64
    torch.testing.assert_close(exact.float(), eager)


@pytest.mark.thorough
@pytest.mark.parametrize("module", [Filter, PerSample])
def test_edits_of_them_are_judged(module: type[torch.nn.Module]) -> None:
    torch.manual_seed(0)
    captured = torch_loupe.capture(module(), torch.randn(3, 8), train=True)
    stage = next(stage for stage in captured.stages if stage.id == "0/0:dynamo")
    relu = next(node for node in stage.nodes if node.target == "torch.relu")
    _, verdict = captured.edit(stage.replace(relu.id, torch.tanh)).recompile()
    assert verdict.right is True, str(verdict)
    kernels = next(stage for stage in captured.stages if stage.id.endswith("forward:kernels"))
    kernel = next(kernel for kernel in kernels.data.kernels if "clamp_min" in kernel.source)
    wrong = re.sub(r"(clamp_min\((tmp\d+), [^;]+);", r"\1 * decltype(\2)(2);", kernel.source)
    _, verdict = captured.edit(ReplaceKernel(kernels.id, kernel.name, wrong)).recompile()
    assert verdict.right is False, str(verdict)


def test_numbers_read_as_their_parts_stay_wide_and_bits_are_those_of_the_graph() -> None:
    """Torch adds complex numbers as twice as many real ones; the other view clears the sign bit."""

    def program(z: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        twice = (z.view(torch.float32) * 2).view(torch.complex64)
        bits = torch.view_as_real(z).view(torch.int32) & 0x7FFFFFFF
        return twice, bits.view(torch.float32)

    z = torch.randn(4, 3, dtype=torch.complex64)
    twice, size = interpreter_of(make_fx(program)(z), wide=True).run(wide_value(z))
    assert (twice.dtype, size.dtype) == (torch.complex128, torch.float64)
    assert torch.equal(twice, z.to(torch.complex128) * 2)
    assert torch.equal(size, torch.view_as_real(z).abs().double())


class Shifted(torch.nn.Module):
    """It adds a complex parameter, which AOTAutograd takes apart."""

    def __init__(self) -> None:
        super().__init__()
        self.shift = torch.nn.Parameter(torch.randn(5, dtype=torch.complex64))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.fft.irfft(torch.fft.rfft(x * x) + self.shift, n=8)


@pytest.mark.thorough
def test_an_edit_of_the_joint_graph_of_a_complex_program_is_judged() -> None:
    captured = torch_loupe.capture(Shifted(), torch.randn(3, 8), train=True)
    text = captured["joint"].text
    assert "view.dtype" in text
    edits = captured["joint"].edited(text.replace("aten.mul.Tensor(", "aten.add.Tensor(", 1))
    assert captured.edit(edits).recompile()[1].right is True


def test_noise_writes_to_no_input_and_to_nothing_a_graph_holds() -> None:
    """Wide copies of them were moved by louder noise, by that of a narrow dtype always, and taken for written to: the program's own tensors
    were moved, and a backward that kept its graph failed.
    """
    module = torch.fx.symbolic_trace(torch.nn.Linear(4, 4))
    x, weight = torch.randn(3, 4), module.weight
    before, versions = (x.clone(), weight.clone()), (x._version, weight._version)
    for unit, louder in ((2.0**-23, 4.0), (2.0**-8, 1.0)):
        given = functools.partial(rounding_noise, unit, numbered(0), (), louder)
        moved = run_with_effects(module, [x], True, given)
        assert not torch.equal(moved, module(x).double())
    assert (x._version, weight._version) == versions
    assert torch.equal(x, before[0])
    assert torch.equal(weight, before[1])


def test_louder_noise_leaves_alone_what_is_only_copied() -> None:
    x = torch.randn(64).double()
    for louder in (1.0, 4.0):
        with rounding_noise(2.0**-23, numbered(0), (), louder):
            assert torch.equal(x.clone(), x)
            assert not torch.equal(x * 1.1, x.detach().mul(1.1).clone())
