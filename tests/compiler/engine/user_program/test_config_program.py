"""What is reported where transformers cannot make the model of a config.json."""

import json
import sys
import types
from pathlib import Path

import pytest

from compiler.engine.errors import EngineError
from compiler.engine.user_program.of_transformers.config_program import program_of_config
from compiler.model.capture.capture_spec import TargetSpec


def test_a_transformers_that_is_broken_is_reported_with_what_broke_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen with a torchvision of another torch: the file is not at fault, and no other task helps."""
    broken = types.ModuleType("transformers")
    broken.__dict__["__version__"] = "5.0"

    def missing(name: str) -> object:
        raise ModuleNotFoundError(f"Could not import {name}") from RuntimeError("nms does not exist")

    broken.__dict__["__getattr__"] = missing
    monkeypatch.setitem(sys.modules, "transformers", broken)
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "llama"}))
    with pytest.raises(EngineError) as raised:
        program_of_config(TargetSpec("config.json", str(tmp_path)), lambda names: ((), {}))
    problem = raised.value.problem
    assert problem.what.endswith("It came of RuntimeError: nms does not exist.")
    assert problem.remedy.startswith("Install transformers")
