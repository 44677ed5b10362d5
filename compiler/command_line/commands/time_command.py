"""``loupe time``: per-kernel times, and what is asked of them beside: roofline, memory, compile time, states, files."""

import argparse
from collections.abc import Callable
from time import monotonic

import msgspec

from compiler.analysis.edits.history_tree import ROOT, EditTree, line_of_edits
from compiler.analysis.session_file.session_file import SessionData
from compiler.analysis.timing.chrome_trace import chrome_trace
from compiler.analysis.timing.timing_export import csv_text
from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.commands.arguments import (
    add_capture_options,
    add_target_or_file,
    add_trust,
    add_work_options,
    program_and_edits,
)
from compiler.command_line.printed_json import print_json
from compiler.command_line.reports.tables import with_spread
from compiler.command_line.reports.time_reports import (
    compile_table,
    line_table,
    memory_report,
    roof_table,
    timing_table,
)
from compiler.command_line.session_io import capture_with, save_session, with_edits
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.command_line.written_files import ReplacedFile, WrittenFile, write_text
from compiler.model.capture.capture import Capture
from compiler.model.capture.counted import counted
from compiler.model.edits.edits import Edit
from compiler.model.protocol.messages import (
    EventBody,
    MeasureMachine,
    Progress,
    RunTimings,
    TimeStates,
)
from compiler.model.timing.machine_peaks import MachineCeilings
from compiler.model.timing.paired_ratio import format_ratio
from compiler.model.timing.state_timing import StateTimes
from compiler.model.timing.timings import TimingBatch, TimingReport, TimingSettings

_UNEDITED = "captured"
_REPORT_SECONDS = 2.0


def time(arguments: argparse.Namespace, report_progress: ReportProgress) -> int:
    """Run the program and report its times. Raises CommandFailedError, ValueError."""
    saved, spec, edits = program_and_edits(arguments)
    settings = TimingSettings(arguments.iterations, arguments.warm_up, arguments.torch_threads)
    if settings.iterations < 1:
        raise ValueError("--iterations must be at least 1")
    states = _states(arguments.states, saved) if arguments.states else None
    emitting = printing_steps(report_progress, settings.iterations)
    with WorkerClient(emitting, arguments.timeout, gate=arguments.gate) as client:
        first = capture_with(client, spec, "capture-1")
        if states is not None:
            times = client.ask(TimeStates("capture-1", *states), StateTimes)
            return _print_states(arguments, times)
        capture = with_edits(client, first, edits)
        report = client.ask(RunTimings("capture-1", settings), TimingReport)
        ceilings = None
        if arguments.roofline:
            found = client.ask(MeasureMachine(report.threads, arguments.measure_again), MachineCeilings)
            ceilings = found
    if arguments.output is not None:
        data = saved or SessionData((first,))
        save_session(
            arguments.output, msgspec.structs.replace(data, timings=(*data.timings, report)), arguments.gate
        )
    if arguments.csv is not None:
        write_text(arguments.csv, csv_text(report, capture, ceilings))
    if arguments.trace is not None:
        write_text(arguments.trace, chrome_trace(report))
    if arguments.json:
        print_json(report)
        return 0
    print("\n\n".join(_texts(arguments, report, capture, ceilings)))
    return 0


def printing_steps(
    report_progress: ReportProgress, wanted: int, clock: Callable[[], float] = monotonic
) -> Callable[[EventBody], None]:
    """Also says how many steps have been timed, where that takes long."""
    timed, reported = 0, clock()

    def emit(event: EventBody) -> None:
        nonlocal timed, reported
        report_progress(event)
        if isinstance(event, TimingBatch):
            timed += len(event.compiled)
            if clock() - reported > _REPORT_SECONDS and timed < wanted:
                reported = clock()
                report_progress(Progress(0, f"Timed {timed:,} of {counted(wanted, 'step')}"))

    return emit


def _texts(
    arguments: argparse.Namespace, report: TimingReport, capture: Capture, ceilings: MachineCeilings | None
) -> list[str]:
    texts = [timing_table(report, capture), *filter(None, [line_table(report, capture)])]
    if ceilings is not None:
        texts.append(roof_table(report, capture, ceilings))
    if arguments.memory:
        texts.append(memory_report(report, capture))
    if arguments.compile_time:
        texts.append(compile_table(capture))
    return texts


def _states(names: list[str], saved: SessionData | None) -> tuple[tuple[Edit, ...], tuple[Edit, ...]]:
    """The edits of two states of a session file. Raises CommandFailedError."""
    journal = saved.journals[0] if saved is not None and saved.journals else None
    if journal is None:
        raise CommandFailedError(
            "There are no edits whose states could be timed.", "Name a session file with edits."
        )
    tree = journal.tree or line_of_edits(journal.edits, journal.undone)
    first, second = (_state(name, tree) for name in names)
    return first, second


def _state(name: str, tree: EditTree) -> tuple[Edit, ...]:
    if name == _UNEDITED:
        return tree.edits(ROOT)
    for state in tree.states:
        if name in (state.id, state.name):
            return tree.edits(state.id)
    known = ", ".join([_UNEDITED, *(f"{state.id} {state.name}".strip() for state in tree.states)])
    raise CommandFailedError(f"There is no state {name!r}.", f"Name two of: {known}")


def _print_states(arguments: argparse.Namespace, times: StateTimes) -> int:
    if arguments.json:
        print_json(times)
        return 0
    first, second = arguments.states
    print(
        f"{first}: {with_spread(times.first)}\n{second}: {with_spread(times.second)}\n"
        f"eager: {with_spread(times.eager)}\n"
        f"{counted(times.first.count, 'round')} interleaved, {counted(times.threads, 'thread')}\n\n"
        f"{format_ratio(times.ratio, first, second)}\n"
        f"{format_ratio(times.first_eager, first, 'eager')}\n"
        f"{format_ratio(times.second_eager, second, 'eager')}"
    )
    return 0


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_target_or_file(parser)
    parser.add_argument("--iterations", type=int, default=200)
    parser.add_argument("--warm-up", type=int, default=10)
    parser.add_argument("--torch-threads", type=int, default=0, help="threads torch may use (0: as it is)")
    parser.add_argument("-o", "--output", type=ReplacedFile, help="also keep the times in a session file")
    parser.add_argument("--csv", type=WrittenFile, metavar="FILE", help="also write the times as a table")
    parser.add_argument(
        "--trace",
        type=WrittenFile,
        metavar="FILE",
        help="also write steps as a Chrome trace, which Perfetto opens",
    )
    parser.add_argument("--roofline", action="store_true", help="kernels against what this machine reaches")
    parser.add_argument(
        "--measure-again", action="store_true", help="measure the machine again, for --roofline"
    )
    parser.add_argument(
        "--memory", action="store_true", help="memory as Inductor planned it, and as measured"
    )
    parser.add_argument("--compile-time", action="store_true", help="where the time of the compile went")
    parser.add_argument(
        "--states",
        nargs=2,
        metavar=("FIRST", "SECOND"),
        help="instead: time two states of a session file's edits interleaved (id or name; captured for the unedited)",
    )


COMMAND = Command(
    "time",
    "per-kernel times of a session file or a target",
    time,
    (_add_arguments, add_capture_options, add_work_options, add_trust),
)
