"""``loupe dispatch``: the table of an operator, the calls of a program, the keys of tensors; ``loupe lesson``."""

import argparse
from collections.abc import Iterable
from pathlib import Path

from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.commands.arguments import add_run_options, add_work_options, spec_from
from compiler.command_line.printed_json import print_json
from compiler.command_line.worker_client import WorkerClient
from compiler.model.capture.counted import counted
from compiler.model.operators.dispatching import (
    DispatchCall,
    DispatchTrace,
    ListKeySets,
    OperatorTable,
    ShowOperator,
    TensorKeySets,
    TraceDispatch,
    grouped,
)
from compiler.model.operators.lessons import LESSONS, LessonRun, LessonStep, RunLesson, find_lesson


def dispatch(arguments: argparse.Namespace, report_progress: ReportProgress) -> int:
    """An operator's table, or the calls of a program; without either, key sets."""
    spec = spec_from(arguments) if _is_program(arguments.target) else None
    with WorkerClient(report_progress, arguments.timeout, gate=arguments.gate) as client:
        if spec is not None:
            reply = client.ask(TraceDispatch(spec))
        elif arguments.target:
            reply = client.ask(ShowOperator(arguments.target))
        else:
            reply = client.ask(ListKeySets())
    if arguments.json:
        print_json(reply)
    elif isinstance(reply, DispatchTrace):
        _print_trace(reply)
    elif isinstance(reply, OperatorTable):
        _print_table(reply, arguments.all)
    elif isinstance(reply, TensorKeySets):
        for row in reply.rows:
            print(f"{row.tensor:<22}{', '.join(row.keys) or row.why}")
    return 1 if isinstance(reply, DispatchTrace) and reply.different else 0


def _is_program(name: str) -> bool:
    """``file.py:Name`` against ``aten::add.Tensor``."""
    return ":" in name and "::" not in name


def _print_table(table: OperatorTable, everything: bool) -> None:
    print(table.schema)
    print("\nWhat was registered")
    for entry in table.registrations:
        replaced = "" if entry.active else "  (replaced)"
        print(f"  {entry.key:<44}{entry.place}{replaced}")
    print("\nWhat the dispatcher does for each key, the first looked at first")
    groups = [group for group in grouped(table.rows) if everything or not group.shared]
    for group in groups:
        print(f"  {group.name:<36}{group.kind:<26}{group.place}")
        if link := group.place.link(table.commit):
            print(f"  {'':<36}{link}")
    hidden = len(grouped(table.rows)) - len(groups)
    if hidden:
        print(f"  and {hidden} that serve every operator, or pass the call on (--all)")


def _print_trace(trace: DispatchTrace) -> None:
    _print_calls(trace.calls)
    differ = ", ".join(trace.different)
    same = counted(trace.compared - len(trace.unsteady), "result")
    verdict = f"DIFFERENT: {differ}" if differ else f"{same} identical to an untraced run's"
    if trace.unsteady:
        verdict += f"; not the same in each untraced run: {', '.join(trace.unsteady)}"
    print(f"\n{counted(len(trace.calls), 'call')} of {counted(trace.operators, 'operator')}; {verdict}")


def _print_calls(calls: Iterable[DispatchCall]) -> None:
    last = None
    for call in calls:
        here = (call.line, call.backward)
        if not call.depth and here != last:
            last = here
            where = f"{call.line.path}:{call.line.line}  {call.line.text}" if call.line else "(no line)"
            print(f"{'backward of ' if call.backward else ''}{where}")
        indent = "  " * (call.depth + 1)
        print(f"{indent}{call.operator} @ {call.key} [{call.kind}] {call.place}")


def lesson(arguments: argparse.Namespace, report_progress: ReportProgress) -> int:
    """Run a lesson, or list them."""
    if not arguments.name and arguments.json:
        print_json([{"name": row.name, "title": row.title, "about": row.text} for row in LESSONS])
        return 0
    if not arguments.name:
        for row in LESSONS:
            print(f"{row.name:<18}{row.title}: {row.text}")
        return 0
    own = Path(arguments.name)
    if own.suffix == ".py":
        wanted = RunLesson(own.stem, own.read_text(encoding="utf-8"))
    else:
        wanted = RunLesson(find_lesson(arguments.name).name)
    with WorkerClient(report_progress, arguments.timeout, gate=arguments.gate) as client:
        run = client.ask(wanted, LessonRun)
    if arguments.json:
        print_json(run)
        return int(any(step.problem is not None for step in run.steps))
    print(run.text)
    for step in run.steps:
        _print_step(step)
    return int(any(step.problem is not None for step in run.steps))


def _print_step(step: LessonStep) -> None:
    print(f"\n## {step.title}\n\n{step.code}")
    if step.printed:
        print("\n" + "\n".join(f"  > {line}" for line in step.printed.splitlines()))
    for change in step.changes:
        print(f"\n  registered for {change.name}: {', '.join(entry.key for entry in change.added)}")
    if step.calls:
        print()
        _print_calls(step.calls)
    if step.problem is not None:
        print(f"\n  ! {step.problem.message()}")


def _add_dispatch(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "target",
        nargs="?",
        default="",
        help="aten::add.Tensor, or file.py:Name; without it, the keys of each kind of tensor",
    )
    parser.add_argument("--all", action="store_true", help="also keys that only fall back or fall through")


def _add_lesson(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help=", ".join(row.name for row in LESSONS))


COMMANDS = (
    Command(
        "dispatch",
        "an operator's dispatch table, or every kernel that a program's run calls",
        dispatch,
        (_add_dispatch, add_run_options, add_work_options),
        "With file and line of every kernel; without an operator or a program, the keys of each kind of tensor.",
    ),
    Command(
        "lesson",
        "run a lesson, or a .py file in its form, step by step; without a name, the list",
        lesson,
        (_add_lesson, add_work_options),
        f"Lessons: {', '.join(f'`{row.name}`' for row in LESSONS)}.",
    ),
)
