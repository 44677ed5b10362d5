"""Running a lesson step by step, with what each step registered with the dispatcher and which kernels it called."""

import ast
import contextlib
import io
import re
from collections.abc import Callable, Iterable

from compiler.engine.dispatch_tables import code_place, commit
from compiler.engine.dispatch_tracing import DispatchRecorder, overloads_used
from compiler.engine.failures import EngineError, problem_from
from compiler.engine.torch_internals import dispatcher
from compiler.model.dispatching import DispatchCall, Registration
from compiler.model.lessons import LessonRun, LessonStep, OperatorChange, find_lesson
from compiler.model.problems import Problem

_STEP = re.compile(r"^# %% (?P<calls>\[calls\] )?(?P<title>.+)$", re.MULTILINE)
_WATCH = re.compile(r"^Watch: (.+)$", re.MULTILINE)


def run_lesson(name: str, say: Callable[[str], None]) -> LessonRun:
    """All steps, up to one that fails. Raises EngineError where there is no such lesson."""
    try:
        lesson = find_lesson(name)
    except ValueError as error:
        raise EngineError(Problem(f"{error}.", "Choose one of these.")) from error
    text = lesson.path.read_text(encoding="utf-8")
    about = ast.get_docstring(ast.parse(text)) or ""
    watched = _WATCH.search(about)
    names = [word.strip() for word in watched[1].split(",")] if watched else []
    heads = list(_STEP.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    namespace: dict[str, object] = {"__name__": "lesson", "__file__": str(lesson.path)}
    before = {name: _registered(name) for name in names}
    steps: list[LessonStep] = []
    for head, end in zip(heads, ends, strict=True):
        say(head["title"])
        line = text.count("\n", 0, head.start()) + 1
        code = text[head.end() : end].strip("\n")
        step = _run_step(head["title"], line, code, str(lesson.path), namespace, bool(head["calls"]))
        after = {name: _registered(name) for name in names}
        steps.append(_with_changes(step, before, after))
        before = after
        if step.problem is not None:
            break
    return LessonRun(lesson.name, _WATCH.sub("", about).strip(), str(lesson.path), tuple(steps), commit())


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
    fallback = [row for row in dispatcher.table(name) if row[3] == "backend fallback" and "lessons" in row[2]]
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
