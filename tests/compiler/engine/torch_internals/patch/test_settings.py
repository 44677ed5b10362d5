"""What is forgotten before each capture."""

import types

import pytest
import torch.nn.functional

from compiler.engine.torch_internals.patch.settings import forget_compiled_code

pytestmark = pytest.mark.engine
_ALIAS = "__import_own_module"


@pytest.mark.parametrize("before", ["_one_more", ""])
def test_names_of_modules_that_dynamo_left_among_torchs_are_dropped_each_time(before: str) -> None:
    """Modules that hold what they held are not looked through again, and one may hold as many names as before."""
    scope = vars(torch.nn.functional)
    for _ in range(2):
        if before:
            scope[before] = 1
        forget_compiled_code()
        scope.pop(before, None)
        scope[_ALIAS] = types.ModuleType("own_module")
        forget_compiled_code()
        assert _ALIAS not in scope
