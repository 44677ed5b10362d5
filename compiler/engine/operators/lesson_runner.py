"""Running a lesson step by step, with what each step registered with the dispatcher and which kernels it called."""

import ast
import atexit
import contextlib
import functools
import io
import re
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from compiler.engine.errors import EngineError, problem_from
from compiler.engine.operators.dispatch_tables import code_place, commit
from compiler.engine.operators.dispatch_tracing import DispatchRecorder, overloads_used
from compiler.engine.torch_internals.dispatcher import dispatcher
from compiler.model.ir.diagnostics import Problem
from compiler.model.operators.dispatching import DispatchCall, Registration
from compiler.model.operators.lessons import LessonRun, LessonStep, OperatorChange, RunLesson, find_lesson
from compiler.processes.private_folder import scratch_place

_FOLDER = "lessons"
_STEP = re.compile(r"^# %% (?P<calls>\[calls\] )?(?P<title>.+)$", re.MULTILINE)
_WATCH = re.compile(r"^Watch: (.+)$", re.MULTILINE)


def run_lesson(asked: RunLesson, report_progress: Callable[[str], None]) -> LessonRun:
    """All steps, up to one that fails. Raises EngineError where there is no such lesson, or it is no Python."""
    path = _file_of(asked)
    text = path.read_text(encoding="utf-8")
    try:
        about = ast.get_docstring(ast.parse(text)) or ""
    except SyntaxError as error:
        raise EngineError(
            Problem(
                f"Line {error.lineno} of the lesson is no Python: {error.msg}.",
                "Correct it, or take the lesson as it was (Reset).",
                line=error.lineno,
            )
        ) from error
    watched = _WATCH.search(about)
    names = [word.strip() for word in watched[1].split(",")] if watched else []
    heads = list(_STEP.finditer(text))
    if not heads:
        raise EngineError(
            f"The lesson {asked.name} has no steps.",
            "Begin each with a line # %% and its title; # %% [calls] notes the kernels it calls.",
        )
    ends = [head.start() for head in heads[1:]] + [len(text)]
    namespace: dict[str, object] = {"__name__": "lesson", "__file__": str(path)}
    before = {name: _registered(name) for name in names}
    steps: list[LessonStep] = []
    for head, end in zip(heads, ends, strict=True):
        report_progress(head["title"])
        line = text.count("\n", 0, head.start()) + 1
        code = text[head.end() : end].strip("\n")
        step = _run_step(head["title"], line, code, str(path), namespace, bool(head["calls"]))
        after = {name: _registered(name) for name in names}
        steps.append(_with_changes(step, before, after))
        before = after
        if step.problem is not None:
            break
    return LessonRun(asked.name, _WATCH.sub("", about).strip(), str(path), tuple(steps), commit())


def _file_of(asked: RunLesson) -> Path:
    """The lesson's file; one that was changed gets a file of its own, so that its lines can be named."""
    if asked.text:
        folder = _own_folder() / _FOLDER
        folder.mkdir(exist_ok=True)
        path = folder / f"{asked.name}.py"
        path.write_text(asked.text, encoding="utf-8")
        return path
    try:
        return find_lesson(asked.name).path
    except ValueError as error:
        raise EngineError(f"{error}.", "Choose one of these.") from error


@functools.cache
def _own_folder() -> Path:
    """Of this process, gone with it."""
    made = tempfile.TemporaryDirectory(prefix="loupe-", dir=scratch_place())
    atexit.register(made.cleanup)
    return Path(made.name)


def _run_step(
    title: str, line: int, code: str, path: str, namespace: dict[str, object], calls: bool
) -> LessonStep:
    printed = io.StringIO()
    found: tuple[DispatchCall, ...] = ()
    problem: Problem | None = None
    program = compile("\n" * line + code, path, "exec")  # so that lines count as in the file

    def run() -> None:
        exec(program, namespace)

    with contextlib.redirect_stdout(printed):
        try:
            if calls:
                found = _calls_of(run)
                printed.seek(0)
                printed.truncate()
            run()
        except Exception as error:  # noqa: BLE001  whatever a step raises is shown beside it
            problem = problem_from(error, f"The step {title!r} failed", "This torch may lack what it needs.")
    return LessonStep(title, line, code, printed.getvalue().rstrip("\n"), (), found, problem)


def _calls_of(run: Callable[[], None]) -> tuple[DispatchCall, ...]:
    recorder = DispatchRecorder()
    operators = overloads_used(run)
    try:
        recorder.install(operators)
        recorder.recording = True
        run()
    finally:
        recorder.recording = False
        recorder.remove()
    return tuple(recorder.calls)


def _registered(name: str) -> tuple[Registration, ...]:
    """What is registered for an operator now; nothing for one that there is not yet."""
    _, rows = dispatcher.registrations(name)
    fallback = [row for row in dispatcher.table(name) if row[3] == "backend fallback" and _FOLDER in row[2]]
    entries = [Registration(key, code_place(path, line), active) for key, active, path, line in rows]
    return (
        *entries,
        *(Registration(f"{key} (fallback)", code_place(path, line)) for key, _, path, _, line in fallback),
    )


def _with_changes(
    step: LessonStep,
    before: dict[str, tuple[Registration, ...]],
    after: dict[str, tuple[Registration, ...]],
) -> LessonStep:
    changes = tuple(
        OperatorChange(name, added)
        for name, rows in after.items()
        if (added := tuple(_new(rows, before.get(name, ()))))
    )
    return LessonStep(step.title, step.line, step.code, step.printed, changes, step.calls, step.problem)


def _new(rows: Iterable[Registration], known: tuple[Registration, ...]) -> Iterable[Registration]:
    return (row for row in rows if row not in known)
