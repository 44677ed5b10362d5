"""``loupe run``: a program as it is, with everything that torch compiles in it recorded while it runs."""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from compiler.analysis.running.lanes import Lane, in_order
from compiler.analysis.running.listener import ENDED_UNREPORTED, Listener
from compiler.analysis.running.run_summary import summary_of
from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.commands.recorded.console import Console
from compiler.command_line.commands.recorded.passed_signals import leave_as, signals_passed_on
from compiler.command_line.printed_json import print_json
from compiler.command_line.reports.run_report import StatusLine, run_report, why_nothing
from compiler.command_line.run_files import RunFiles
from compiler.command_line.worker_client import CommandFailedError
from compiler.command_line.written_files import ReplacedFile, WrittenFile
from compiler.installation import python_path
from compiler.model.protocol.run_events import BREAKS, GUARD
from compiler.processes.private_folder import PrivateFolder, sweep
from compiler.processes.recorded_program import Reach, recorded_environment

_PATIENCE = 10.0
"""Seconds after the program's end in which its other processes may report what they have."""


def run(arguments: argparse.Namespace, _: ReportProgress) -> int:
    """Run the program, keep what was compiled, and leave as the program left. Raises CommandFailedError, ValueError."""
    command = _command(arguments.program)
    sweep()
    folder = PrivateFolder()
    try:
        listener = Listener(folder.path)
        if wants_window(arguments):
            open_window(listener.place)
        files = RunFiles(arguments.output, arguments.gate)
        status = StatusLine(sys.stderr, quiet=arguments.quiet)
        breaks = tuple(map(_break_of, arguments.stop_at or ()))
        console = Console(sys.stderr) if breaks and not wants_window(arguments) else None
        environment = recorded_environment(
            listener.place, arguments.keep_caches, breaks, arguments.editable, arguments.watch_values
        )
        with signals_passed_on() as passed:
            try:
                process = subprocess.Popen(command, env=environment)
            except OSError as error:
                remedy = "Give a Python script, -m and a module, or a command that is there."
                raise CommandFailedError(f"{command[0]} cannot be run: {error.strerror}.", remedy) from error
            passed.to(process)
            reach = Reach(listener.place)
            _follow(process, listener, status, files, console, reach)
        status.clear()
        listener.close()
        nothing = why_nothing(reach.any, reach.used, process.returncode, environment)
    finally:
        folder.remove()
    _say_how_it_ended(listener.lanes, process)
    written = files.write(listener.lanes)
    _report(arguments, listener.lanes, written, nothing, reach.missed)
    return leave_as(process.returncode)


def _follow(
    process: "subprocess.Popen[bytes]",
    listener: Listener,
    status: StatusLine,
    files: RunFiles,
    console: Console | None,
    reach: Reach,
) -> None:
    """Until the program is gone, and a moment longer for processes that it started."""
    ended: float | None = None
    reported = 0
    while True:
        listener.wait(0.2, status.show_lane)
        files.write_now_and_then(listener.lanes)
        reported = _values_reported(listener.lanes, status, reported)
        if console is not None:
            console.attend(listener)
        reach.look(process.pid)
        listener.note_missed(reach.missed)
        if process.poll() is None:
            continue
        ended = ended or time.monotonic()
        if not listener.wait(0.05, status.show_lane) and (
            not listener.open_count or time.monotonic() - ended > _PATIENCE
        ):
            return


def _say_how_it_ended(lanes: list[Lane], process: "subprocess.Popen[bytes]") -> None:
    """Of the program that we started its exit status is known."""
    for lane in lanes:
        if lane.ended == ENDED_UNREPORTED and lane.began is not None and lane.began.pid == process.pid:
            lane.ended = (
                f"it was ended by {_signal_name(-process.returncode)}"
                if process.returncode < 0
                else "it left at once (os._exit, or it became another program)"
            )


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _values_reported(lanes: list[Lane], status: StatusLine, reported: int) -> int:
    """What is not finite is said at once; how many were said."""
    found = [(lane, row) for lane in lanes for row in lane.values]
    for lane, row in found[reported:]:
        status.clear()
        sys.stderr.write(
            f"loupe: {lane.title}: {row.sentence}; `loupe values` shows the node it comes from\n"
        )
        sys.stderr.flush()
    return len(found)


def _break_of(word: str) -> str:
    """Raises ValueError."""
    kind = word.replace("-", " ")
    if kind not in BREAKS and not word.startswith(GUARD):
        known = ", ".join(name.replace(" ", "-") for name in BREAKS)
        raise ValueError(f"--stop-at {word} is no place to stop; there are {known} and guard:TEXT")
    return word if word.startswith(GUARD) else kind


def wants_window(arguments: argparse.Namespace) -> bool:
    """Whether the window is to be opened: as the person said, else where there is a display."""
    if arguments.window is not None:
        return bool(arguments.window)
    return not sys.platform.startswith("linux") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


def open_window(place: Path) -> None:
    """Beside the program, and it stays when that is over. Where it cannot be shown it says so, and the program runs on."""
    subprocess.Popen(
        [sys.executable, "-P", "-m", "torch_loupe", "--follow", str(place)],
        env={**os.environ, "PYTHONPATH": python_path(os.environ.get("PYTHONPATH"))},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for the program
    )


def _report(
    arguments: argparse.Namespace,
    lanes: list[Lane],
    written: tuple[Path, ...],
    nothing: str,
    missed: dict[int, str],
) -> None:
    """On standard error: standard output is the program's."""
    if arguments.json is not None:
        rows = [
            {"process": lane.title, "began": lane.began, "ended": lane.ended, "summary": summary_of(lane)}
            for lane in in_order(lanes)
        ]
        with arguments.json.open("w", encoding="utf-8") as stream:
            not_recorded = [{"pid": number, "command": command} for number, command in missed.items()]
            print_json(
                {"processes": rows, "files": list(map(str, written)), "not_recorded": not_recorded}, stream
            )
    if not arguments.quiet:
        sys.stderr.write(run_report(lanes, written, nothing, missed))
        sys.stderr.flush()


def _command(program: list[str]) -> list[str]:
    """What to run: a script or ``-m module`` by the Python that runs us, anything else as it is. Raises ValueError."""
    words = program[1:] if program[:1] == ["--"] else program
    if not words:
        raise ValueError("loupe run needs a program: loupe run train.py --steps 5")
    if words[0] in ("-m", "-c") or words[0].endswith(".py") or Path(words[0]).is_dir():
        return [sys.executable, *words]
    launcher = Path(sys.executable).parent / words[0]  # torchrun of the same environment
    found = shutil.which(words[0]) or (str(launcher) if launcher.exists() else None)
    return [found or words[0], *words[1:]]


def _add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o", "--output", type=ReplacedFile, metavar="FILE.loupe", help="keep what was compiled in this file"
    )
    parser.add_argument(
        "--keep-caches",
        action="store_true",
        help="leave torch's graph caches on: what comes from a cache has no stages between its graph and its code",
    )
    parser.add_argument(
        "--window",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="open the window beside the program, or do not; without either, where there is a display",
    )
    parser.add_argument(
        "--editable",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="hold torch's objects of the latest 16 graphs, so that these can be edited while the program runs, or do not; "
        "without either, where the window opens",
    )
    parser.add_argument(
        "--stop-at",
        action="append",
        metavar="PLACE",
        help="let the program wait at each compile, recompile, graph-break, nan (NaN or Inf in what a compiled graph returns) "
        "or guard:TEXT (a recompile whose failed guard has that text) until you tell it to go on, in the window or with Enter",
    )
    parser.add_argument(
        "--watch-values",
        type=int,
        metavar="N",
        help="look at what each compiled graph, forward and backward, returns in every Nth call, and say where the first NaN or "
        "infinity comes",
    )
    parser.add_argument("--quiet", action="store_true", help="say nothing beside the program")
    parser.add_argument(
        "--json", type=WrittenFile, metavar="FILE", help="write the summary to this file as JSON"
    )
    parser.add_argument(
        "program",
        nargs=argparse.REMAINDER,
        help="script.py args…, -m module args…, or a command such as torchrun",
    )


COMMAND = Command(
    "run",
    "run a program as it is and record every torch.compile in it",
    run,
    (_add_run,),
    takes_program=True,
    about=(
        "The program runs as without the loupe: arguments, input, exit status, signals and child processes. Where there is a "
        "display the window opens beside it and follows. Its files, one for each process that compiles, are written while it "
        "runs, so that they are whole however it ends."
    ),
    examples=(
        ("run -o run.loupe train.py --steps 5", "record a training script"),
        ("run train.py --steps 5", "the same in the window, live"),
        ("run -o run.loupe -m package args…", "the same of a module"),
        ("run -o run.loupe torchrun --nproc-per-node 2 train.py", "every rank, a file for each"),
    ),
)
