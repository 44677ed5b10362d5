"""Streams of a GPU that is not there have all that torch's have: whoever gets one may use any of it."""

import pytest
import torch

from compiler.engine.torch_internals.simulated_step.inert_streams import InertEvent, InertStream

pytestmark = pytest.mark.engine
_ONE_PROCESS = {"from_ipc_handle", "ipc_handle", "event_id", "device"}
"""Of events: what shares them with other processes."""


def names(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


def test_streams_and_events_have_what_torch_s_have() -> None:
    assert names(torch.Stream) | names(torch.cuda.Stream) <= set(dir(InertStream()))
    assert names(torch.Event) | names(torch.cuda.Event) <= set(dir(InertEvent())) | _ONE_PROCESS
