"""``loupe capture``: every stage of a program, kept in a file; ``loupe show``: a stage of it."""

import argparse
from pathlib import Path

from compiler.analysis.line_times.kernel_origins import has_kernels
from compiler.analysis.session_file.session_file import SessionData
from compiler.analysis.text_format.printer import program
from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.commands.arguments import (
    add_capture_options,
    add_json,
    add_target,
    add_trust,
    add_work_options,
    spec_from,
)
from compiler.command_line.printed_json import print_json
from compiler.command_line.reports.capture_report import stage_table
from compiler.command_line.reports.time_reports import line_table
from compiler.command_line.session_io import (
    capture_with,
    find_stage,
    open_session,
    print_failures,
    save_session,
)
from compiler.command_line.worker_client import WorkerClient
from compiler.command_line.written_files import ReplacedFile
from compiler.model.capture.capture import Capture
from compiler.model.ir.gpu_target import TARGETS
from compiler.model.timing.timings import TimingReport


def capture(arguments: argparse.Namespace, report_progress: ReportProgress) -> int:
    """Write the session file, and print its stages. Exit status 1 where a part failed."""
    spec = spec_from(arguments)
    with WorkerClient(report_progress, arguments.timeout, gate=arguments.gate) as client:
        made = capture_with(client, spec, "capture-1")
    save_session(arguments.output, SessionData((made,)), arguments.gate)
    _print_stages(arguments, made)
    if not arguments.json:
        print(f"\nwrote {arguments.output}")
    return int(print_failures(made))


def show(arguments: argparse.Namespace, _: ReportProgress) -> int:
    """Print a stage, or the list of stages. No torch is needed."""
    data = open_session(arguments.file, arguments.gate)
    saved = data.captures[-1]
    if arguments.stage is None:
        _print_stages(arguments, saved)
        if data.timings and not arguments.json:
            _print_lines(data.captures, data.timings[-1])
        return 0
    stage = find_stage(saved, arguments.stage)
    print_json(stage) if arguments.json else print(program(stage).text)
    return 0


def _print_lines(captures: tuple[Capture, ...], report: TimingReport) -> None:
    """What lines cost when the file's program was timed; nothing where none of its captures has the kernels."""
    wanted = [row.kernel.place for row in report.kernels]
    timed = next((capture for capture in reversed(captures) if has_kernels(capture, wanted)), None)
    text = line_table(report, timed) if timed is not None else ""
    if text:
        print(f"\nWhen the program was timed:\n{text}")


def _print_stages(arguments: argparse.Namespace, made: Capture) -> None:
    if not arguments.json:
        print(stage_table(made))
        return
    print_json(
        {
            "stages": [
                {
                    "id": stage.id,
                    "kind": stage.kind.value,
                    "nodes": stage.node_count,
                    "seconds": stage.seconds,
                }
                for stage in made.stages
            ],
            "breaks": made.breaks,
            "links": made.link_count,
            "problems": made.problems,
            "measured": made.measured,
            "assumed": made.assumed,
            "seconds": made.seconds,
            "torch": made.environment.torch,
        }
    )


def _add_capture(parser: argparse.ArgumentParser) -> None:
    add_target(parser)
    parser.add_argument("-o", "--output", type=ReplacedFile, required=True, help="the session file to write")


def _add_show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE.loupe")
    parser.add_argument("stage", nargs="?", help="a stage's id, or its end, such as 0/0:joint or post_grad")


COMMANDS = (
    Command(
        "capture",
        "run torch.compile on a target and keep every stage",
        capture,
        (_add_capture, add_capture_options, add_work_options, add_trust),
        examples=(
            (
                "capture model.py:Name --target h100 -o FILE.loupe",
                "the same for a GPU that need not be here: Inductor's own Triton kernels "
                f"({', '.join(TARGETS)}, or a JSON file that describes one)",
            ),
            (
                "capture model.py:Name --fake -o FILE.loupe",
                "the same without values: no parameter is allocated, nothing runs; with --target too",
            ),
            (
                "capture config.json --task causal-lm --batch 8 --length 4096 --train -o FILE.loupe",
                "the model that a config.json of Hugging Face describes, without values "
                "(pip install 'torch-loupe[transformers]')",
            ),
            (
                "capture model.py:Name --front-end fx -o FILE.loupe",
                "the same by other means: eager, jit.trace, jit.script, fx, export, lazy, make_fx, … "
                "(`loupe capture -h` has them all); `--generated FILE` runs the Python of torch.fx as you changed it",
            ),
        ),
    ),
    Command(
        "show",
        "a stage as a readable program; without one, the list of stages",
        show,
        (_add_show, add_json),
    ),
)
