"""What an edited graph gives is asked on fake tensors; what it holds (an optimizer's averages) is the program's own."""

import pytest
import torch

from compiler.engine.graph_editing.shape_propagation import propagate
from compiler.engine.torch_internals.patch.wrapped_tensors import fake_mode

pytestmark = pytest.mark.engine


@pytest.mark.parametrize("given", [True, False])
def test_it_is_never_written_to(given: bool) -> None:
    """A verdict of a training step took a live optimizer's momentum by 0.9, fourteen times."""
    graph = torch.fx.Graph()
    inputs = [graph.placeholder("x")] if given else []
    held = graph.call_method("mul_", (graph.get_attr("held"), 0.9))
    graph.output(graph.call_function(torch.add, (held, *(inputs or [1.0]))))
    module = torch.fx.GraphModule({"held": torch.ones(3)}, graph)
    mode = fake_mode()
    values = [mode.from_tensor(torch.ones(3))] if given else []
    types, failure = propagate(module, values, mode if given else None, gradients=False)
    assert failure is None
    assert types["add"] is not None
    assert module.held.tolist() == [1.0, 1.0, 1.0]  # type: ignore[union-attr]
