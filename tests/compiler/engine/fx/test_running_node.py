"""An error inside of a graph that runs is reported at the line of the program that its node was read from."""

from typing import Any

import pytest
import torch

from compiler.engine.errors import problem_from, users_place

pytestmark = pytest.mark.engine


def program(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    x = x + 1
    product = x @ y
    return product.relu()


def test_it_is_the_node_s_line() -> None:
    graphs: list[Any] = []

    def backend(module: torch.fx.GraphModule, _inputs: list[torch.Tensor]) -> Any:
        graphs.append(module)
        return module.forward

    torch.compiler.reset()
    torch.compile(program, backend=backend)(torch.ones(2, 3), torch.ones(3, 2))
    with pytest.raises(RuntimeError) as failed:
        graphs[0].forward(torch.ones(2, 3), torch.ones(4, 2))
    line = program.__code__.co_firstlineno + 2
    assert users_place(failed.value) == (__file__, line)
    reported = problem_from(failed.value, "It fails", "Correct it.")
    assert (reported.path, reported.line) == (__file__, line)
    assert reported.what == f"It fails: {reported.said}"
