"""``loupe lower``: a Triton kernel of a session file down to machine code, with what it needs of the GPU."""

import argparse
from pathlib import Path

from compiler.analysis.gpu.lowering_diff import format_configuration
from compiler.analysis.gpu.occupancy import occupancy
from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.commands.arguments import add_trust, add_work_options
from compiler.command_line.printed_json import print_json
from compiler.command_line.reports.lowered_changes import add_changes, is_changed, print_differences
from compiler.command_line.session_io import open_session
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.gpu.lowered_stages import triton_kernels
from compiler.model.ir.lowered_kernel import FORMS, KernelsLowered, LowerAnswer, LowerKernels, LowerOrder


def lower(arguments: argparse.Namespace, report_progress: ReportProgress) -> int:
    """Print the form asked for, or a table of what all kernels need."""
    capture = open_session(arguments.file, arguments.gate).captures[-1]
    kernels = triton_kernels(capture)
    if arguments.kernel:
        chosen = [kernel for kernel in kernels if arguments.kernel in (kernel.id, kernel.name)]
        if not chosen:
            names = ", ".join(kernel.name for kernel in kernels) or "none"
            raise CommandFailedError(
                f"There is no Triton kernel {arguments.kernel} in {arguments.file}.", f"It holds: {names}."
            )
        kernels = chosen[:1]
    if not kernels:
        raise CommandFailedError(
            f"{arguments.file} holds no Triton kernels.", "Capture with --target h100, or on a GPU."
        )
    if is_changed(arguments):
        with WorkerClient(report_progress, arguments.timeout, gate=arguments.gate) as client:
            return print_differences(arguments, capture, kernels, client)
    forms = (arguments.to,) if arguments.to else ()
    orders = (LowerOrder(kernel.name, kernel.source, forms, arguments.configurations) for kernel in kernels)
    with WorkerClient(report_progress, arguments.timeout, gate=arguments.gate) as client:
        reply = client.ask(LowerKernels(tuple(orders), capture.spec.device), KernelsLowered)
    answers = {answer.name: answer for answer in reply.answers}
    for answer in answers.values():
        if answer.problem is not None:
            raise CommandFailedError(answer.problem)
    if arguments.json:
        print_json(answers)
    elif arguments.to and arguments.kernel:
        _print_form(next(iter(answers.values())), arguments.to)
    else:
        _print_table(answers)
    return 0


def _print_form(answer: LowerAnswer, form: str) -> None:
    texts = {made.name: made.text for made in answer.lowered[0].forms}
    if form not in texts:
        last = "amdgcn" if form in ("ptx", "sass") else "ptx and sass"
        raise CommandFailedError(f"This kernel has no {form}.", f"Its GPU's code is {last}.")
    print(texts[form])


def _print_table(answers: dict[str, LowerAnswer]) -> None:
    print(f"{'kernel':<52}{'configuration':<44}{'registers':>10}{'spilled':>9}{'shared':>9}{'occupancy':>11}  {'limited by':<24}{'s':>6}")  # fmt: skip
    for name, answer in answers.items():
        for row in answer.lowered:
            held = occupancy(row)
            words = format_configuration(row) + (", after launch" if row.after_launch else "")
            share, limit = (f"{held.share:.0%}", held.limits()) if held is not None else ("–", "–")
            print(f"{name[:50]:<52}{words[:42]:<44}{_number(row.registers):>10}{_number(row.spilled_bytes):>9}"
                  f"{row.shared_bytes:>9}{share:>11}  {limit:<24}{row.seconds:>6.2f}")  # fmt: skip
    sources = {
        held.source for answer in answers.values() for row in answer.lowered if (held := occupancy(row))
    }
    for source in sorted(sources):
        print(f"Occupancy is computed, not measured, by {source}.")


def _number(value: int | None) -> str:
    return "–" if value is None else str(value)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE.loupe")
    parser.add_argument("kernel", nargs="?", help="one kernel's name; without it, a table of all")
    parser.add_argument("--to", choices=FORMS, help="print this form of the kernel")
    parser.add_argument(
        "--configurations", type=int, default=1, help="how many candidate configurations (the first ones)"
    )
    add_changes(parser)


COMMAND = Command(
    "lower",
    "Triton kernels of a session file down to machine code; executes the kernels' text",
    lower,
    (_add_arguments, add_work_options, add_trust),
    "Without a kernel, a table of registers, spills, shared memory and computed occupancy; with a change, what it needs "
    "before and after.",
)
