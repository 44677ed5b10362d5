"""The values that a compiled frame is called with: those of the capture for the first one, else those of a run made now."""

import dataclasses
from types import CodeType
from typing import Any

from compiler.engine.capture.capture import LiveCapture
from compiler.engine.errors import EngineError
from compiler.engine.torch_internals.dynamo_guards import cache_entries, recorded_inputs
from compiler.engine.torch_internals.dynamo_guards.recorded_inputs import Modes, RecordedInputs
from compiler.engine.user_program.input_overrides import frame_arguments
from compiler.model.guard_testing.guard_tests import FrameInputs


@dataclasses.dataclass(frozen=True)
class RecordedFrame:
    """One frame with everything its guards look at."""

    compile_id: str
    code: CodeType
    names: dict[str, Any]
    scope: dict[str, Any]
    """The globals of its code."""
    modes: Modes | None
    """What it was called under; None: what the program is called under."""
    note: str = ""

    @property
    def entries(self) -> list[Any]:
        """Its compiled code, in the order in which Dynamo tries it."""
        return cache_entries.tried_with(self.code, self.compile_id)


def met_frame(live: LiveCapture, compile_id: str = "") -> RecordedFrame:
    """The frame of a compile, with the values that this very compile's code is called with; the first frame where none is
    named. A frame further in makes the program run once; the values are kept until another frame is asked for. Raises
    EngineError.
    """
    recorder = live.recorder
    first = recorder.top_code
    if not compile_id or (recorder.frames and compile_id == _first_id(live)):
        if first is None or not cache_entries.entries_of(first):
            raise EngineError(
                "There is no compiled code to try the inputs on.", "Capture a program that compiles."
            )
        return RecordedFrame(
            compile_id or _first_id(live), first, recorder.top_locals, recorder.top_globals, None
        )
    code, scope = _code_of(live, compile_id)
    if live.met is None or live.met[0] is not code:
        live.met = None  # what another frame was called with may be large
        codes = [(entry.code, str(entry.compile_id)) for entry in cache_entries.entries_of(code)]
        live.met = (code, recorded_inputs.met_by(codes, lambda: live.stepper.compared_step(live.compiled)))
    return _chosen(live, compile_id, code, scope, live.met[1])


def _chosen(
    live: LiveCapture, compile_id: str, code: CodeType, scope: dict[str, Any], met: dict[str, RecordedInputs]
) -> RecordedFrame:
    if compile_id in met:
        return RecordedFrame(compile_id, code, met[compile_id].names, scope, met[compile_id].modes)
    if met:
        other, values = next(iter(met.items()))
        note = f"The code of {compile_id} did not run in the last step; these are the values that {other} was called with."
        return RecordedFrame(compile_id, code, values.names, scope, values.modes, note)
    if code is live.recorder.top_code:
        note = (
            f"The code of {compile_id} did not run in the last step; these are the values of the first call."
        )
        return RecordedFrame(compile_id, code, live.recorder.top_locals, scope, None, note)
    raise EngineError(
        f"The code of {compile_id} does not run with these inputs, so its guards have nothing to check.",
        "Choose a compile that the program uses.",
    )


def _first_id(live: LiveCapture) -> str:
    return next((item.id for item in live.recorder.frames if item.code is live.recorder.top_code), "")


def _code_of(live: LiveCapture, compile_id: str) -> tuple[CodeType, dict[str, Any]]:
    entry = entry_of(live, compile_id)
    code = next(item.code for item in live.recorder.frames if item.id == compile_id)
    return code, entry.guard_manager.global_scope["G"]


def entry_of(live: LiveCapture, compile_id: str) -> Any:
    """The cache entry of a compile. Raises EngineError."""
    for record in live.recorder.frames:
        if record.id == compile_id and (entry := cache_entries.entry_of(record.code, compile_id)) is not None:
            return entry
    raise EngineError(
        f"There is no compiled code {compile_id}.", "Choose a compile that was kept; see the frames."
    )


def frame_inputs(live: LiveCapture, compile_id: str) -> FrameInputs:
    """What a frame is called with, as far as a form can change it. Raises EngineError."""
    met = met_frame(live, compile_id)
    return FrameInputs(
        met.compile_id,
        met.code.co_name,
        frame_arguments(met.names),
        tuple(name for name in met.names if not name.startswith("__nested_")),
        met.note,
    )
