"""The models of diffusers as its own tests build and call them, so nobody here chose them.

Needs diffusers' sources beside the package: `tests` of its repository, in a folder named ``diffusers_tests`` on the path (2026-11-26: of
58eb52c080, against diffusers 0.42.1), with what these tests import (pytest, accelerate, parameterized).
"""

import functools
import importlib
import importlib.util
import os
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import MagicMock

from tests.gpu.call_signatures import accepted

_SUFFIX = "TesterConfig"
_CONFIGURATION = re.compile(rf"^class (\w+){_SUFFIX}\(", re.MULTILINE)
_FOR_OTHER_TESTS = ("Quant", "SDNQ", "KVCache", "AutoRound")
"""Configurations of these test how weights are loaded."""
_ABSENT = ("datasets", "requests_mock")
"""What tests import that we do not call."""


class Called(NamedTuple):
    """A model and what it is called with, by name."""

    model: Any
    given: dict[str, Any]


def names() -> list[str]:
    """What can be built; nothing of it is imported for asking."""
    return sorted(_modules())


def built(name: str) -> Called:
    """A small one with random weights. Raises whatever its tests would."""
    made = _configuration(name)()
    model = made.model_class(**made.get_init_dict())
    given = {key: value for key, value in made.get_dummy_inputs().items() if key != "return_dict"}
    if "return_dict" in accepted(model):
        given["return_dict"] = False
    return Called(model, given)


@functools.cache
def _modules() -> dict[str, str]:
    found: dict[str, str] = {}
    (top,) = importlib.util.find_spec("diffusers_tests").submodule_search_locations
    for path in sorted(Path(top, "models").glob("*/test_models_*.py")):
        module = ".".join(("diffusers_tests.models", path.parent.name, path.stem))
        for kind in _CONFIGURATION.findall(path.read_text()):
            if not any(word in kind for word in _FOR_OTHER_TESTS):
                found[kind] = module
    return found


def _configuration(name: str) -> Any:
    os.environ["DIFFUSERS_TEST_DEVICE"] = "cpu"
    helpers = importlib.import_module("diffusers_tests.testing_utils")
    helpers.enable_full_determinism = lambda: None  # would switch torch to other kernels
    added = [name for name in _ABSENT if name not in sys.modules]
    sys.modules.update((name, MagicMock()) for name in added)
    module = importlib.import_module(_modules()[name])
    for absent in added:
        del sys.modules[absent]  # other packages ask whether it is there
    return getattr(module, f"{name}{_SUFFIX}")
