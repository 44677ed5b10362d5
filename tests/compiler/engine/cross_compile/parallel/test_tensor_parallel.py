"""Whose plan of tensor parallelism is taken."""

import pytest
from torch import nn

from compiler.engine.cross_compile.parallel import tensor_parallel
from compiler.engine.errors import EngineError
from compiler.model.prediction.parallel_plan import ParallelPlan

pytestmark = pytest.mark.engine


class Brings(nn.Module):
    """As a model of transformers does, whose plan holds those of its parts."""

    def __init__(self, plan: dict[str, str], *parts: nn.Module) -> None:
        super().__init__()
        self.tp_plan = plan
        self.parts = nn.ModuleList(parts)


def test_models_that_the_program_s_module_holds_bring_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    inner = Brings({"parts.0": "colwise"}, Brings({"x": "rowwise"}))
    other, without = Brings({"y": "rowwise"}), Brings({}, nn.Linear(2, 2))
    taken: list[tuple[nn.Module, dict[str, str]]] = []
    monkeypatch.setattr(tensor_parallel, "_by_own_plan", lambda model, own, _mesh: taken.append((model, own)))
    plan = ParallelPlan(2, (("tp", 2),))
    tensor_parallel.spread_tensors(nn.ModuleDict({"a": inner, "b": without, "c": other}), plan, None)
    assert taken == [(inner, {"parts.0": "colwise"}), (other, {"y": "rowwise"})]
    with pytest.raises(EngineError, match="brings no plan"):
        tensor_parallel.spread_tensors(without, plan, None)
