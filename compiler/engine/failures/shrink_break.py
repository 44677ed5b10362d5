"""The least program that breaks as a larger one does: statements are taken out of the target's file.

What a person wants to see is their own text, so it is the text that is made smaller, and not the bytecode. Each trial compiles
with Dynamo alone, in a process of its own.
"""

import re
import time
from collections.abc import Callable
from pathlib import Path

from compiler.engine.causes.least_program import where_found
from compiler.engine.errors import EngineError
from compiler.engine.failures.smaller_source import SmallerSource
from compiler.engine.failures.trials import Trials
from compiler.engine.user_program.applied_changes import replaced_texts
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.capture.counted import counted
from compiler.model.experiments.failures import BreakMet, BreaksMet, ShrinkBreak
from compiler.model.experiments.least_programs import LeastProgram

ReportProgress = Callable[[str], None]

_MOST_TRIALS = 150
_NOT_COMPARED = re.compile(r"\d+|0x[0-9a-f]+|line \d+")


def shrink_break(request: ShrinkBreak, trials: Trials, report_progress: ReportProgress) -> LeastProgram:
    """Raises EngineError with why it cannot be made smaller."""
    started = time.perf_counter()
    path = _file_of(request.spec)
    text = replaced_texts(request.spec.changes).get(str(path)) or path.read_text(encoding="utf-8")
    whole = trials.breaks(request.spec, str(path), text, request.seconds)
    wanted = next((row for row in whole.rows if _is(row, request)), None)
    if wanted is None:
        what = whole.failed or f"The break “{request.kind}” is not met with Dynamo alone."
        raise EngineError(f"It cannot be made smaller. {what}", "Report the whole program.")

    def still(tried: str) -> bool:
        report_progress(f"Making the program smaller: {counted(tried.count(chr(10)) + 1, 'line')}")
        met = trials.breaks(request.spec, str(path), tried, request.seconds)
        return _breaks_so(met, request, wanted)

    smaller = SmallerSource(text, still, _MOST_TRIALS)
    before = smaller.statements
    if not smaller.holds():
        what = "It cannot be made smaller: without comments and empty lines the break is another one."
        raise EngineError(what, "Report the whole program.")
    smaller.search()
    least = _runnable(request, smaller.text)
    shown = trials.fresh(least, request.seconds)
    if shown is None:
        shows = "In a fresh process, with error_on_graph_break, it does not break."
    elif shown.error == "Unsupported" and shown.message.startswith(request.kind):
        shows = f"In a fresh process it breaks for the same reason: {request.kind}."
    elif shown.error in ("ModuleNotFoundError", "ImportError"):
        shows = f"It still needs files of yours beside it ({shown.message})."
    else:
        shows = f"In a fresh process it {shown.words} ({shown.message}) before it comes to the break."
    return LeastProgram(
        least,
        before=before,
        after=smaller.statements,
        trials=smaller.trials,
        why_not_hidden="it is your own text",
        seconds=time.perf_counter() - started,
        unit="statement",
        shows=shows,
    )


def _file_of(spec: CaptureSpec) -> Path:
    file, _, _ = spec.target.name.rpartition(":")
    if not file.endswith(".py"):
        what = f"{spec.target.name} is no file.py:Name, so there is no text to make smaller."
        raise EngineError(what, "Write a file that calls it, and give that one.")
    return (Path(spec.target.folder or Path.cwd()) / file).resolve()


def _is(row: BreakMet, request: ShrinkBreak) -> bool:
    return (row.kind, row.registry_id, _plain(row.reason)) == (
        request.kind,
        request.registry_id,
        _plain(request.reason),
    )


def _plain(reason: str) -> str:
    """The first paragraph of what torch said, without numbers: the rest quotes the program."""
    return _NOT_COMPARED.sub("#", reason.strip().partition("\n\n")[0])


def _breaks_so(met: BreaksMet, request: ShrinkBreak, wanted: BreakMet) -> bool:
    return any(_is(row, request) and row.in_file == wanted.in_file for row in met.rows)


def _runnable(request: ShrinkBreak, text: str) -> str:
    """The file with a main part that ends with torch's error about the break."""
    spec = request.spec
    name = spec.target.name.rpartition(":")[2]
    given = ", ".join(filter(None, (spec.target.inputs, spec.target.keyword_inputs)))
    arguments = given or "*example_inputs()"
    if not given and "def example_inputs" not in text:
        arguments = ""
    imports = "" if re.search(r"^import torch$", text, re.MULTILINE) else "import torch\n"
    why = f"The least program of which Torch Loupe found that it breaks so: {request.kind} ({request.registry_id or 'no id'})."
    return (
        f'"""{why}\n\nFound with {where_found()}. It ends with torch\'s error about the break.\n"""\n\n'
        f"{imports}{text}\n\n\n"
        'if __name__ == "__main__":\n'
        f"    target = {name}() if isinstance({name}, type) else {name}\n"
        "    with torch._dynamo.error_on_graph_break(True):  # fullgraph=True would set capture_scalar_outputs besides\n"
        f'        torch.compile(target, backend="eager")({arguments})\n'
        '    print("it does not break")\n'
    )
