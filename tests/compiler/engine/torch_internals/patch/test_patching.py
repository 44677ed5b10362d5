"""Functions of ours in the place of torch's, and modules that are loaded meanwhile."""

import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from compiler.engine.torch_internals.patch.patching import around, left_behind


def _doubled(number: int) -> int:
    return 2 * number


@pytest.fixture
def modules() -> Iterator[types.ModuleType]:
    """A module with a function; one that takes it by name may be made as ``loupe_test_late``."""
    first = types.ModuleType("loupe_test_first")
    first.doubled = _doubled
    sys.modules[first.__name__] = first
    yield first
    for name in ("loupe_test_first", "loupe_test_late"):
        sys.modules.pop(name, None)


def _loaded_late(first: types.ModuleType) -> types.ModuleType:
    late = types.ModuleType("loupe_test_late")
    late.doubled = first.doubled  # as ``from loupe_test_first import doubled`` does
    sys.modules[late.__name__] = late
    return late


def _noting(number: int, *, original: Callable[..., Any], seen: list[str], what: str) -> int:
    seen.append(what)
    return original(number)


def test_a_module_that_took_a_hook_by_name_is_hooked_once_and_gets_the_function_back(modules):
    seen: list[str] = []
    with around("loupe_test_first:doubled", _noting, seen=seen, what="first"):
        late = _loaded_late(modules)
        with around("loupe_test_late:doubled", _noting, seen=seen, what="late"):
            assert late.doubled(2) == 4
            assert seen == ["late"]
            assert modules.doubled(3) == 6
            assert seen == ["late", "first"]
    assert modules.doubled is late.doubled is _doubled
    assert left_behind() == []


def test_what_stays_in_a_module_is_found(modules):
    with around("loupe_test_first:doubled", _noting, seen=[], what="first"):
        late = _loaded_late(modules)
    assert modules.doubled is _doubled
    assert left_behind() == ["loupe_test_late:doubled"]
    del late.doubled


def test_two_hooks_of_one_function_are_both_called(modules):
    seen: list[str] = []
    with (
        around("loupe_test_first:doubled", _noting, seen=seen, what="outer"),
        around("loupe_test_first:doubled", _noting, seen=seen, what="inner"),
    ):
        assert modules.doubled(2) == 4
    assert seen == ["inner", "outer"]
    assert modules.doubled is _doubled


def test_a_hook_of_a_class_is_called_for_a_class_below_it_that_has_its_own_hook(modules):
    class Base:
        def run(self, number: int) -> int:
            return number

    class Below(Base):
        pass

    modules.Base, modules.Below = Base, Below
    seen: list[str] = []

    def noting(self: Base, number: int, *, original: Callable[..., Any], what: str) -> int:
        seen.append(what)
        return original(self, number)

    with (
        around("loupe_test_first:Base.run", noting, what="base"),
        around("loupe_test_first:Below.run", noting, what="below"),
    ):
        assert Below().run(5) == 5
    assert seen == ["below", "base"]
    assert "run" not in vars(Below)
