"""``loupe torchscript``: a program's IR as text, changed and run, saved, and run in C++."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec

from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.front_end_comparison.script_texts import RunScript, ScriptRun
from compiler.model.ir.diagnostics import Problem
from compiler.model.protocol.messages import EventBody


def torchscript(
    arguments: argparse.Namespace, spec: CaptureSpec, report_progress: Callable[[EventBody], None]
) -> int:
    """Print the IR, or what came of running a changed one. Exit status 1 where the text does not run."""
    text = _text(arguments.text) if arguments.text is not None else None
    save = str(arguments.save.resolve()) if arguments.save is not None else ""
    order = RunScript(
        msgspec.structs.replace(spec, front_end="jit.trace" if arguments.trace else "jit.script"),
        text,
        save,
        arguments.cpp,
    )
    with WorkerClient(report_progress, arguments.timeout, gate=arguments.gate) as client:
        reply = client.ask(order)
    assert isinstance(reply, ScriptRun)
    if arguments.json:
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(reply), indent=2).decode() + "\n")
    else:
        if text is None:
            print(reply.text)
        print(f"# {reply.summary}")
        for line in (*reply.notes, *(f"C++: {line}" for line in reply.cpp.split("\n") if line)):
            print(f"# {line}")
    if reply.problem is not None:
        raise CommandFailedError(msgspec.structs.replace(reply.problem, path=str(arguments.text or "")))
    return 0


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CommandFailedError(
            Problem(f"{path} cannot be read: {error}.", "Name a file with IR.")
        ) from error


def add_torchscript(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    add_capture_options: Callable[[argparse.ArgumentParser], None],
) -> None:
    """The command's arguments."""
    script = commands.add_parser(
        "torchscript", help="a program's TorchScript IR as text: change it, run it, save it, run it in C++"
    )
    script.add_argument("target", help="file.py:Name or package.module:Name")
    script.add_argument("--trace", action="store_true", help="torch.jit.trace in place of torch.jit.script")
    script.add_argument("--text", type=Path, metavar="FILE", help="run this IR in place of the program's")
    script.add_argument(
        "--save", type=Path, metavar="FILE.pt", help="write the program, and FILE.ptl for mobile"
    )
    script.add_argument("--cpp", action="store_true", help="load and run the program with a C++ program too")
    add_capture_options(script)
    script.add_argument("--timeout", type=float, help="seconds that it may take")
    script.add_argument("--json", action="store_true")
