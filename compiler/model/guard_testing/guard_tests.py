"""Trying changed inputs on the guards, without running the model: what to change, and what came of it."""

import msgspec

from compiler.model.capture.capture_spec import ArgumentSpec
from compiler.model.capture.guards import FailedGuard


class TensorChange(msgspec.Struct, frozen=True):
    """Another tensor for an argument; None keeps what it has."""

    argument: str
    """Parameter name; elements of a list or dict by their path: ``batch['x']``, ``states[0]``."""
    shape: tuple[int, ...] | None = None
    dtype: str | None = None
    """``float64``."""
    stride: tuple[int, ...] | None = None
    requires_grad: bool | None = None
    device: str | None = None


class NewValue(msgspec.Struct, frozen=True):
    """Another value for something that has a name: an argument, an attribute of the module, a global."""

    name: str
    text: str
    """Python text; evaluated in the worker only."""


class GuardChange(msgspec.Struct, frozen=True):
    """Everything that is to be different; nothing named stays as in the capture."""

    tensors: tuple[TensorChange, ...] = ()
    values: tuple[NewValue, ...] = ()
    attributes: tuple[NewValue, ...] = ()
    """Of what the frame has under a name: ``self.use_relu``, ``self.encoder.depth``."""
    globals: tuple[NewValue, ...] = ()
    """Of the module that holds the frame's code, or of another one by its whole name: ``SCALE``, ``package.module.SCALE``."""
    training: bool | None = None
    gradients: bool | None = None


class FrameInputs(msgspec.Struct, frozen=True, tag="frame_inputs"):
    """Answer to `DescribeFrame`: what a compiled frame is called with."""

    compile_id: str
    frame: str
    arguments: tuple[ArgumentSpec, ...] = ()
    names: tuple[str, ...] = ()
    """Every name it begins with, modules included."""
    note: str = ""
    """Where the values come from, if not from a call of this very compile."""


class TestedEntry(msgspec.Struct, frozen=True):
    """What one cache entry would say."""

    __test__ = False

    compile_id: str
    hit: bool
    first: str = ""
    """The guard torch would stop at, in torch's words."""
    failed: tuple[FailedGuard, ...] = ()


class GuardTestResult(msgspec.Struct, frozen=True, tag="guard_test_result"):
    """Answer to `TestGuards`."""

    frame: str
    entries: tuple[TestedEntry, ...]
    """In the order torch would try them; it stops at the first that fits."""
    hit: str = ""
    """The compile id whose code would run; empty: Dynamo would compile again."""
    note: str = ""
    """What is to be known about the values that were tried."""
