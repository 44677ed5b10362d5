"""``python -m tests.gpu.dropped_attention``: whether float64 drops the weights that fused attention dropped on this machine's GPU."""

import sys

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

from compiler.engine.accuracy.eager_reference import reference_of
from compiler.engine.rng.random_tape import Run, Within
from compiler.engine.user_program.stepper import Results

_BACKENDS = ((torch.float32, SDPBackend.EFFICIENT_ATTENTION), (torch.bfloat16, SDPBackend.EFFICIENT_ATTENTION), (torch.bfloat16, SDPBackend.FLASH_ATTENTION))  # fmt: skip


def _run(dtype: torch.dtype, causal: bool, rows: int) -> Run[Results]:
    generator = torch.Generator().manual_seed(0)
    given = [
        torch.randn(2, 4, rows, 64, generator=generator).to(torch.bfloat16).to("cuda", dtype).requires_grad_()
        for _ in range(3)
    ]

    def run(within: Within) -> Results:
        torch.manual_seed(0)
        with within():
            out = torch.nn.functional.scaled_dot_product_attention(*given, dropout_p=0.2, is_causal=causal)
            grads = torch.autograd.grad(out.sum(), given)
        return Results(
            {
                "output 0": out.detach(),
                **{f"grad of {name}": grad for name, grad in zip("qkv", grads, strict=True)},
            }
        )

    return run


def main() -> int:
    """A line a kernel."""
    bad = 0
    for dtype, backend in _BACKENDS:
        for causal in (False, True):
            for rows in (64, 200):
                with sdpa_kernel([backend, SDPBackend.MATH]):
                    found = reference_of(_run(dtype, causal, rows), _run(torch.float64, causal, rows))
                row = found.judge("eager", found.eager, "float64")
                print(dtype, backend.name, causal, rows, row.agrees, found.why_not, [f"{each.tensor} {each.max_relative:.1e}" for each in row.differences], flush=True)  # fmt: skip
                bad += row.agrees is not True or bool(found.why_not)
    return bad


if __name__ == "__main__":
    sys.exit(main())
