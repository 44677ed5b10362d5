"""The commands: parse, do, print. Exit status 0 done, 1 the work failed (message on standard error), 2 usage."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec

from compiler.analysis.queries import stage_lookup
from compiler.analysis.session_file.session_file import Journal, SessionData
from compiler.analysis.text_format.printer import program
from compiler.command_line.commands import (
    break_commands,
    check_command,
    decompose_command,
    diff_commands,
    dispatch_command,
    export_command,
    front_ends_command,
    guard_commands,
    history_command,
    lower_command,
    options_command,
    targets_command,
    time_command,
    torchscript_command,
    transform_command,
)
from compiler.command_line.commands.arguments import build_parser, spec_from
from compiler.command_line.reports.capture_report import environment_report, stage_table, verdict_report
from compiler.command_line.session_io import (
    applied_edits,
    capture_with,
    fitting_edits,
    open_session,
    read_edits,
    save_session,
    with_journal,
)
from compiler.command_line.trust_gate import NotTrustedError, TrustGate
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.stage import Stage
from compiler.model.protocol.absent_gpu import CrossCompilationTested, TestCrossCompilation
from compiler.model.protocol.messages import (
    AskEnvironment,
    EnvironmentFound,
    EventBody,
    Progress,
    Recompile,
    Recompiled,
)
from compiler.processes import sandbox


def main(argv: list[str]) -> int:
    """Run one command."""
    parser = build_parser()
    try:
        arguments = parser.parse_args(argv)
    except SystemExit as leaving:
        return int(leaving.code or 0) if isinstance(leaving.code, int | None) else 2
    arguments.gate = TrustGate(getattr(arguments, "trust", False))
    commands: dict[str, Callable[[argparse.Namespace], int]] = {
        "capture": _capture,
        "show": _show,
        "edit": _edit,
        "time": lambda given: time_command.time(given, _report_progress),
        "doctor": _doctor,
        "breaks": lambda given: break_commands.breaks(given, _report_progress),
        "decompose": lambda given: decompose_command.decompose(given, _report_progress),
        "diff": diff_commands.diff,
        "dispatch": lambda given: dispatch_command.dispatch(
            given, spec_from(given) if dispatch_command.is_program(given.target) else None, _report_progress
        ),
        "lesson": lambda given: dispatch_command.lesson(given, _report_progress),
        "export": lambda given: export_command.export(given, _report_progress),
        "guards": lambda given: guard_commands.guards(given, _report_progress),
        "history": lambda given: history_command.history(given, find_stage),
        "compare-targets": lambda given: targets_command.compare_targets(
            given, spec_from(given), _report_progress
        ),
        "check-kernels": lambda given: check_command.check_kernels(given, spec_from, _report_progress),
        "options": lambda given: options_command.options(given, _report_progress),
        "compare-front-ends": lambda given: front_ends_command.compare_front_ends(
            given, spec_from(given), _report_progress
        ),
        "torchscript": lambda given: torchscript_command.torchscript(
            given, spec_from(given), _report_progress
        ),
        "lower": lambda given: lower_command.lower(given, _report_progress),
        "transform": lambda given: transform_command.transform(given, find_stage),
        "recompiles": lambda given: guard_commands.recompiles(given, _report_progress),
    }
    try:
        return commands[arguments.command](arguments)
    except CommandFailedError as error:
        sys.stderr.write(f"loupe: {error.problem.message()}\n")
        return 1
    except NotTrustedError as error:
        sys.stderr.write(f"loupe: {error}\n")
        return 2
    except ValueError as error:
        sys.stderr.write(f"loupe: {error}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("loupe: cancelled\n")
        return 1


def _report_progress(event: EventBody) -> None:
    if isinstance(event, Progress):
        sys.stderr.write(f"  {event.text}\n")
        sys.stderr.flush()


def _json(value: object) -> None:
    print(msgspec.json.encode(value).decode())


def _require_writable(path: Path) -> None:
    if not path.resolve().parent.is_dir():
        raise CommandFailedError(
            Problem(
                f"There is no folder {path.resolve().parent}.",
                "Make it, or choose another place.",
                path=str(path),
            )
        )


def _capture(arguments: argparse.Namespace) -> int:
    spec = spec_from(arguments)
    _require_writable(arguments.output)
    with WorkerClient(_report_progress, arguments.timeout, gate=arguments.gate) as client:
        capture = capture_with(client, spec, "capture-1")
    save_session(arguments.output, SessionData((capture,)), arguments.gate)
    if arguments.json:
        _json(_summary(capture))
    else:
        print(stage_table(capture))
        print(f"\nwrote {arguments.output}")
    failed = [problem for problem in capture.problems if problem.severity is Severity.ERROR]
    for problem in failed:
        sys.stderr.write(f"loupe: {problem.message()}\n")
    return 1 if failed else 0


def _summary(capture: Capture) -> dict[str, object]:
    return {
        "stages": [
            {"id": stage.id, "kind": stage.kind.value, "nodes": stage.node_count, "seconds": stage.seconds}
            for stage in capture.stages
        ],
        "breaks": capture.breaks,
        "links": capture.link_count,
        "problems": capture.problems,
        "measured": capture.measured,
        "assumed": capture.assumed,
        "seconds": capture.seconds,
        "torch": capture.environment.torch,
    }


def _show(arguments: argparse.Namespace) -> int:
    data = open_session(arguments.file, arguments.gate)
    capture = data.captures[-1]
    if arguments.stage is None:
        if arguments.json:
            _json(_summary(capture))
        else:
            print(stage_table(capture))
        return 0
    stage = find_stage(capture, arguments.stage)
    if arguments.json:
        _json(stage)
    else:
        print(program(stage).text)
    return 0


def find_stage(capture: Capture, name: str) -> Stage:
    """The stage of that name (`stage_lookup`). Raises CommandFailedError."""
    try:
        return stage_lookup.find_stage(capture, name)
    except stage_lookup.StageNotFoundError as error:
        raise CommandFailedError(error.problem) from None


def _edit(arguments: argparse.Namespace) -> int:
    data = open_session(arguments.file, arguments.gate)
    base = data.captures[0]
    applied, recipe = applied_edits(data, base.id), read_edits(arguments.edits)
    _require_writable(arguments.output)
    with WorkerClient(_report_progress, arguments.timeout, gate=arguments.gate) as client:
        fresh = capture_with(client, base.spec, base.id)
        edits = fitting_edits(applied, base, recipe, fresh, arguments.skip_unfit)
        reply = client.ask(Recompile(base.id, edits, f"capture-{len(data.captures) + 1}"))
    assert isinstance(reply, Recompiled)
    result = with_journal(
        msgspec.structs.replace(
            data,
            captures=(fresh, *data.captures[1:], reply.capture),
            verdicts=(*data.verdicts, *(((reply.capture.id, reply.verdict),) if reply.verdict else ())),
        ),
        Journal(base.id, edits),
    )
    save_session(arguments.output, result, arguments.gate)
    if arguments.json:
        _json({"verdict": reply.verdict, "recompile_seconds": reply.capture.seconds})
    else:
        not_run = "Compiled again; nothing was run, so nothing is judged."
        print(verdict_report(reply.verdict) if reply.verdict is not None else not_run)
        print(f"\nwrote {arguments.output}")
    return 0


def _doctor(arguments: argparse.Namespace) -> int:
    with WorkerClient(lambda event: None, gate=arguments.gate) as client:
        reply = client.ask(AskEnvironment(try_hooks=not arguments.quick))
        tried = None if arguments.quick else client.ask(TestCrossCompilation())
    assert isinstance(reply, EnvironmentFound)
    environment = reply.environment
    if arguments.json:
        _json(environment)
    else:
        print(environment_report(environment))
        print(f"\nSandbox for loupe lower and check-kernels: {sandbox.offered().text}")
        if isinstance(tried, CrossCompilationTested):
            print(f"\nGPUs that are not here (capture --target): {tried.words()}")
    healthy = bool(environment.compiler) and all(hook.found for hook in environment.hooks)
    return 0 if healthy else 1
