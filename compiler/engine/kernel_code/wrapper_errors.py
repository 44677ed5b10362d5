"""Where in an edited wrapper an error was raised."""

import traceback
from pathlib import Path

from compiler.engine.error_chain import chain
from compiler.engine.errors import EngineError, problem_from
from compiler.model.capture.capture import Capture
from compiler.model.edits.edits import Edit, ReplaceWrapper, single_edits
from compiler.model.ir.ids import StageId, line_id, place
from compiler.model.ir.stage import WrapperStage


def line_in_text(error: BaseException, text: str) -> int:
    """The innermost line of a module with this text that an error came through; 0 where it came from elsewhere."""
    for seen in chain(error):
        for frame in reversed(traceback.extract_tb(seen.__traceback__)):
            if frame.filename.endswith(".py") and _is_text_of(frame.filename, text):
                return frame.lineno or 0
    return 0


def wrapper_error(error: BaseException, stage: StageId, line: int) -> EngineError:
    """An edited wrapper cannot be loaded or run."""
    reported = problem_from(
        error, f"Line {line} of the wrapper", "Correct the text; the version before it still runs."
    )
    return EngineError(
        reported.what, reported.remedy, place=place(stage, line_id(line)), detail=reported.detail
    )


def wrapper_error_in(error: BaseException, capture: Capture, edits: tuple[Edit, ...]) -> EngineError | None:
    """What an error that was raised while a program ran has to do with an edited wrapper; None for nothing."""
    for edit in single_edits(edits):
        content = next((row.content for row in capture.stages if row.id == edit.stage), None)
        if isinstance(edit, ReplaceWrapper) and isinstance(content, WrapperStage):
            line = line_in_text(error, content.code.text)
            if line:
                return wrapper_error(error, edit.stage, line)
    return None


def _is_text_of(path: str, text: str) -> bool:
    try:
        return Path(path).read_text(encoding="utf-8").strip() == text.strip()
    except (OSError, UnicodeDecodeError):
        return False
