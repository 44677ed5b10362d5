"""Results of graphs on fakes lie as those of the same program, compiled and run on the CPU: the next graphs are compiled for that."""

import contextlib
from collections.abc import Callable

import pytest
import torch
from torch._inductor import config as inductor_config

from compiler.engine.torch_internals.fake_gpu.fake_backend import (
    compiled_but_run_on_fakes,
    copied_as_fakes,
    fake_mode,
)
from compiler.model.capture.capture_spec import CompileOptions

pytestmark = pytest.mark.engine


class Views(torch.nn.Module):
    """Results of every kind that AOTAutograd tells apart, taken by a line that is not compiled."""

    def __init__(self, note: Callable[..., None]) -> None:
        super().__init__()
        self.products, self.note = torch.nn.Linear(32, 96), note
        self.register_buffer("mean", torch.zeros(1, 1, 32))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        self.mean.add_(x.detach().mean())
        q, k, v = self.products(x).view(batch, length, 3, 4, 8).permute(2, 0, 3, 1, 4)
        attended = torch.nn.functional.scaled_dot_product_attention(q, k, v)
        given, of_given = torch.relu(x), torch.relu(x).permute(1, 0, 2)
        halves = torch.split(attended.sin().transpose(1, 2), 4, -1)
        results = (
            q,
            attended.transpose(1, 2),
            given,
            given.transpose(0, 1),
            of_given,
            *halves,
            (x.cos() + 1).unsqueeze(1).transpose(0, 1),
            x.mean(1, keepdim=True).expand(batch, length, width),
            x[:, :1].unsqueeze(1),
            self.mean.transpose(0, 1),
        )
        self.note(results)
        return sum(result.sum() for result in results)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("shape", "trained"), [((1, 1, 32), True), ((1, 16, 32), True), ((1, 16, 32), False)]
)
def test_results_lie_as_compiled_ones(shape: tuple[int, ...], trained: bool) -> None:
    """Sizes and strides, and gradients pass through them; the original is not given other strides."""
    noted: list[list[tuple[object, ...]]] = []

    @torch._dynamo.disable
    def note(results: tuple[torch.Tensor, ...]) -> None:
        noted.append([(tuple(given.shape), given.stride(), given.storage_offset()) for given in results])

    mode = fake_mode(dynamic=False)
    with contextlib.ExitStack() as stack:
        stack.enter_context(inductor_config.patch(force_disable_caches=True))  # as for every capture
        for backend in ("eager", "inductor", compiled_but_run_on_fakes(CompileOptions())):
            torch._dynamo.reset()
            module, x = Views(note), torch.randn(shape)
            if callable(backend):
                module, x = copied_as_fakes(mode, (module, x))
                stack.enter_context(mode)
            with torch.set_grad_enabled(trained):
                end = torch.compile(module, backend=backend)(x)
            if trained:
                end.backward()
                assert module.products.weight.grad is not None
    torch._dynamo.reset()
    eager, compiled, on_fakes = noted
    assert on_fakes == compiled
    assert compiled != eager  # else this shows nothing
