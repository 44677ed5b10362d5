"""``loupe check-kernels``: Triton kernels run on the CPU through Triton's interpreter, each beside its graph."""

import argparse

from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.commands.arguments import (
    add_capture_options,
    add_target_or_file,
    add_trust,
    add_work_options,
    saved_session,
    spec_from,
)
from compiler.command_line.printed_json import print_json
from compiler.command_line.reports.tables import table
from compiler.command_line.session_io import capture_with
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.gpu.kernel_checks import (
    CheckKernels,
    GraphCheck,
    KernelCheck,
    KernelsChecked,
    check_orders,
)
from compiler.model.ir.diagnostics import Problem


def check_kernels(arguments: argparse.Namespace, report_progress: ReportProgress) -> int:
    """Print a row a kernel. 1 where a kernel is wrong. Raises CommandFailedError."""
    saved = saved_session(arguments)
    with WorkerClient(report_progress, arguments.timeout, gate=arguments.gate) as client:
        capture = saved.captures[-1] if saved else capture_with(client, spec_from(arguments), "capture-1")
        orders = check_orders(capture)
        if not orders:
            none = Problem(
                f"{arguments.target} has no Triton kernels.", "Capture with --target h100, or on a GPU."
            )
            raise CommandFailedError(next(iter(capture.failures()), none))
        reply = client.ask(CheckKernels(orders), KernelsChecked)
    if arguments.json:
        print_json(reply.graphs)
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
    return f"{worst.tensor}: {worst.relative_text}" if worst is not None else ""


COMMAND = Command(
    "check-kernels",
    "run Triton kernels on the CPU, through Triton's interpreter, and compare each with its graph in float64; executes them",
    check_kernels,
    (add_target_or_file, add_capture_options, add_work_options, add_trust),
    "In the window `Shift+I`.",
)
