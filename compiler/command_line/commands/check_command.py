"""``loupe check-kernels``: Triton kernels run on the CPU through Triton's interpreter, each beside its graph."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec

from compiler.command_line.commands.trust_argument import add_trust
from compiler.command_line.reports.tables import table
from compiler.command_line.session_io import capture_with, open_session
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.capture.capture_spec import CaptureSpec
from compiler.model.gpu.kernel_checks import (
    CheckKernels,
    GraphCheck,
    KernelCheck,
    KernelsChecked,
    check_orders,
)
from compiler.model.ir.diagnostics import Problem
from compiler.model.protocol.messages import EventBody


def check_kernels(
    arguments: argparse.Namespace,
    spec_from: Callable[[argparse.Namespace], CaptureSpec],
    report_progress: Callable[[EventBody], None],
) -> int:
    """Print a row a kernel. 1 where a kernel is wrong. Raises CommandFailedError."""
    saved = (
        open_session(Path(arguments.target), arguments.gate) if arguments.target.endswith(".loupe") else None
    )
    with WorkerClient(report_progress, arguments.timeout, gate=arguments.gate) as client:
        capture = saved.captures[-1] if saved else capture_with(client, spec_from(arguments), "capture-1")
        orders = check_orders(capture)
        if not orders:
            raise CommandFailedError(
                Problem(
                    f"{arguments.target} has no Triton kernels.", "Capture with --target h100, or on a GPU."
                )
            )
        reply = client.ask(CheckKernels(orders))
    assert isinstance(reply, KernelsChecked)
    if arguments.json:
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(reply.graphs), indent=2).decode() + "\n")
    else:
        print("\n\n".join(map(_text, reply.graphs)))
        print(
            "\nInterpreted on the CPU: the mathematics and the masks are checked, not races, layouts or the GPU's own "
            "arithmetic."
        )
    return int(any(row.agrees is False for graph in reply.graphs for row in graph.kernels))


def _text(graph: GraphCheck) -> str:
    if graph.problem is not None:
        return f"{graph.stage}\n{graph.problem.message()}"
    rows = [
        (row.kernel, _verdict(row), _worst(row), row.blocks, f"{row.seconds:.2f}") for row in graph.kernels
    ]
    heads = ("kernel", "as near to float64 as eager", "worst buffer", "blocks", ">s")
    return f"{graph.stage} ({graph.inputs})\n{table(heads, rows)}"


def _verdict(row: KernelCheck) -> str:
    if row.agrees is None:
        return row.reason
    return "yes" if row.agrees else "NO"


def _worst(row: KernelCheck) -> str:
    worst = row.worst
    return f"{worst.tensor}: {worst.max_relative:.1e}" if worst is not None else ""


def add_check_kernels(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    add_capture_options: Callable[[argparse.ArgumentParser], None],
) -> None:
    """The command's arguments."""
    check = commands.add_parser(
        "check-kernels",
        help="run Triton kernels on the CPU, through Triton's interpreter, and compare each with its graph; executes them",
    )
    check.add_argument("target", help="FILE.loupe, file.py:Name or package.module:Name")
    add_capture_options(check)
    check.add_argument("--timeout", type=float, help="seconds that one step of the work may take")
    add_trust(check)
    check.add_argument("--json", action="store_true")
