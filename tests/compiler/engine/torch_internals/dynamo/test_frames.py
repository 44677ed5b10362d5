"""What compiled frames are called."""

import pytest
import torch

from compiler.engine.records.recorder import Recorder
from compiler.engine.torch_internals.dynamo import frames

pytestmark = pytest.mark.engine


def test_a_module_of_torchs_own_is_called_by_its_class() -> None:
    """Torch skips its own files, and compiles `inner` of external_utils.py around what it calls."""
    recorder = Recorder()
    torch.compiler.reset()
    with frames.listen(recorder):
        for module in (torch.nn.Sequential(torch.nn.ReLU()), torch.nn.GELU()):
            torch.compile(module, backend="eager")(torch.ones(2))
        torch.compile(torch.nn.functional.relu, backend="eager")(torch.ones(2))
    assert [frame.name for frame in recorder.frames] == ["Sequential", "GELU", "relu"]
