"""``loupe torchscript``: a program's IR as text, changed and run, saved, and run in C++."""

import argparse
from pathlib import Path

import msgspec

from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.commands.arguments import (
    add_run_options,
    add_target,
    add_work_options,
    spec_from,
)
from compiler.command_line.printed_json import print_json
from compiler.command_line.read_files import read_text
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.command_line.written_files import ReplacedFile
from compiler.model.front_end_comparison.script_texts import RunScript, ScriptRun


def torchscript(arguments: argparse.Namespace, report_progress: ReportProgress) -> int:
    """Print the IR, or what came of running a changed one. Exit status 1 where the text does not run."""
    spec = spec_from(arguments)
    text = read_text(arguments.text, "Name a file with IR.") if arguments.text is not None else None
    save = str(arguments.save.resolve()) if arguments.save is not None else ""
    order = RunScript(
        msgspec.structs.replace(spec, front_end="jit.trace" if arguments.trace else "jit.script"),
        text,
        save,
        arguments.cpp,
    )
    with WorkerClient(report_progress, arguments.timeout, gate=arguments.gate) as client:
        reply = client.ask(order, ScriptRun)
    if arguments.json:
        print_json(reply)
    else:
        if text is None:
            print(reply.text)
        print(f"# {reply.summary}")
        for line in (*reply.notes, *(f"C++: {line}" for line in reply.cpp.split("\n") if line)):
            print(f"# {line}")
    if reply.problem is not None:
        raise CommandFailedError(msgspec.structs.replace(reply.problem, path=str(arguments.text or "")))
    return 0


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_target(parser)
    parser.add_argument("--trace", action="store_true", help="torch.jit.trace in place of torch.jit.script")
    parser.add_argument("--text", type=Path, metavar="FILE", help="run this IR in place of the program's")
    parser.add_argument(
        "--save", type=ReplacedFile, metavar="FILE.pt", help="write the program, and FILE.ptl for mobile"
    )
    parser.add_argument("--cpp", action="store_true", help="load and run the program with a C++ program too")


COMMAND = Command(
    "torchscript",
    "a program's TorchScript IR as text: change it, run it, save it, run it in C++",
    torchscript,
    (_add_arguments, add_run_options, add_work_options),
)
