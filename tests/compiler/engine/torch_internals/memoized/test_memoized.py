"""What torch computes once is computed again when anything it comes from is another, and gives the same."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import sympy
import torch
from torch._inductor import dtype_propagation
from torch._inductor.utils import OpDtypeRule, op_dtype_propagation_rules, run_and_get_code
from torch._prims_common import ELEMENTWISE_TYPE_PROMOTION_KIND
from torch.utils._ordered_set import OrderedSet

from compiler.engine.torch_internals.memoized import buffer_sizes, dtype_rules, static_partitions
from compiler.engine.torch_internals.memoized.all_of_them import memoized
from compiler.engine.torch_internals.patch.patching import around
from compiler.engine.torch_internals.patch.settings import capturing

pytestmark = pytest.mark.engine
_RULE = "relu"
"""An operation with a rule of its own."""
Rules = dict[str, Any]


@pytest.fixture
def made() -> Iterator[list[object]]:
    """An entry for each time that torch's own code made the rules."""
    seen: list[object] = []

    def noting(handler: Any, *, original: Any) -> None:
        seen.append(handler)
        original(handler)

    with around(dtype_rules.NEEDS[0], noting):
        yield seen


def rules() -> Rules:
    handler = dtype_propagation.DtypePropagationOpsHandler()
    return {name: (rule.func, rule.args, rule.keywords) for name, rule in vars(handler).items()}


def test_rules_are_made_once(made: list[object]) -> None:
    wanted = rules()
    made.clear()
    with dtype_rules.memoized():
        for _ in range(5):
            assert rules() == wanted
    assert len(made) == 1
    rules()
    assert len(made) == 2, "torch's own again"


def test_a_rule_that_is_another_is_taken(made: list[object]) -> None:
    before = op_dtype_propagation_rules.get(_RULE)
    with dtype_rules.memoized():
        rules()
        made.clear()
        try:
            op_dtype_propagation_rules[_RULE] = OpDtypeRule(
                ELEMENTWISE_TYPE_PROMOTION_KIND.DEFAULT, torch.float64
            )
            assert rules()[_RULE][2] == {"dtype": torch.float64}
        finally:
            if before is None:
                del op_dtype_propagation_rules[_RULE]
            else:
                op_dtype_propagation_rules[_RULE] = before
    assert len(made) == 1


def compiled_text(function: Callable[..., Any], *inputs: torch.Tensor, dynamic: bool = False) -> str:
    """The code that Inductor generates with nothing known before."""
    torch._dynamo.reset()
    with capturing():
        _, texts = run_and_get_code(torch.compile(function, dynamic=dynamic), *inputs)
    assert len(texts) == 1
    return "\n".join(line for line in texts[0].split("\n") if "AOT ID" not in line)


def softened(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return torch.relu(torch.sigmoid(x) @ y).softmax(-1) + x.size(0)


@pytest.mark.thorough
@pytest.mark.parametrize("dynamic", [False, True])
def test_sizes_are_reported_as_torch_says_them(dynamic: bool) -> None:
    asked: list[Any] = []

    def noting(*args: Any, original: Any) -> Any:
        asked.append(original(*args))
        return asked[-1]

    inputs = torch.rand(12, 7), torch.rand(7, 5)
    with around(static_partitions.NEEDS[0], noting):
        plain = compiled_text(softened, *inputs, dynamic=dynamic)
        without = list(asked)
        asked.clear()
        with memoized():
            assert compiled_text(softened, *inputs, dynamic=dynamic) == plain
    assert without
    assert asked == (without if dynamic else [])
    assert all(bool(symbols) is dynamic for symbols in without)
    assert all(isinstance(symbols, OrderedSet) for symbols in without)


def test_a_size_is_reckoned_once_and_as_torch_reckons_it() -> None:
    reckoned: list[Any] = []

    def noting(*args: Any, original: Any) -> Any:
        reckoned.append(args)
        return original(*args)

    lengths, texts = buffer_sizes.NEEDS
    four, seven, symbol = sympy.Integer(4), sympy.Integer(7), sympy.Symbol("s0", positive=True, integer=True)
    asked = [((four, seven), (seven, sympy.S.One), start) for start in (0, sympy.S.Zero, seven)]
    asked += [((4, 7), (7, 1), 0), ((symbol, four), (four, sympy.S.One), 0)]
    with around(lengths, noting), around(texts, noting):
        wanted = [torch._inductor.graph.compute_required_storage_length(*each) for each in asked]
        spelt = [torch._inductor.codegen.wrapper.sympy_str(size) for size in (four, symbol * 4, 1 + symbol)]
        reckoned.clear()
        with buffer_sizes.memoized():
            for _ in range(3):
                got = [torch._inductor.graph.compute_required_storage_length(*each) for each in asked]
                assert got == wanted
                assert list(map(type, got)) == list(map(type, wanted))
                for size, text in zip((four, symbol * 4, 1 + symbol), spelt, strict=True):
                    assert torch._inductor.codegen.wrapper.sympy_str(size) == text
    assert len(reckoned) == 3 + 2 * 3 + 1 + 2 * 3, "whole numbers once, others each time"
