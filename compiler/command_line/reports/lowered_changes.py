"""``loupe lower FILE KERNEL --num-warps 8``: a kernel with another source or launched otherwise, beside itself."""

import argparse
import sys
from pathlib import Path

import msgspec

from compiler.analysis.gpu.lowering_diff import NeedRow, need_rows
from compiler.analysis.gpu.triton_config import ConfigurationError, KernelConfiguration, with_configurations
from compiler.command_line.read_files import read_text
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.ir.loop_ir import Kernel
from compiler.model.ir.lowered_kernel import FORMS, KernelsLowered, Lowered, LowerKernels, LowerOrder


class ChangedKernel(msgspec.Struct, frozen=True):
    """What came of a change, for ``--json``."""

    kernel: str
    before: Lowered
    after: Lowered
    rows: tuple[NeedRow, ...]


def add_changes(parser: argparse.ArgumentParser) -> None:
    """Options that change the one kernel that is named."""
    group = parser.add_argument_group(
        "changing the kernel", "What it needs then is printed beside what it needs now."
    )
    group.add_argument("--num-warps", type=int)
    group.add_argument("--num-stages", type=int)
    group.add_argument("--block", action="append", default=[], metavar="XBLOCK=512", help="a block size")
    group.add_argument(
        "--source", type=Path, metavar="EDITED.py", help="another source of the kernel; it is executed"
    )


def is_changed(arguments: argparse.Namespace) -> bool:
    """Whether the kernel is to be changed."""
    return bool(arguments.num_warps or arguments.num_stages or arguments.block or arguments.source)


def print_differences(
    arguments: argparse.Namespace, capture: Capture, kernels: list[Kernel], client: WorkerClient
) -> int:
    """Lower the kernel as it is and as changed. Raises CommandFailedError, with Triton's message and line."""
    if not arguments.kernel:
        raise CommandFailedError("Name the kernel that is to be changed.", "Put it after the file.")
    (kernel,) = kernels[:1]
    (before,) = _lowered(client, capture, LowerOrder(kernel.name, kernel.source, FORMS))
    source = read_text(arguments.source, "Check the path.") if arguments.source else kernel.source
    if arguments.num_warps or arguments.num_stages or arguments.block:
        source = _launched_otherwise(arguments, source, before)
    (after,) = _lowered(client, capture, LowerOrder(kernel.name, source, FORMS))
    rows = need_rows(before, after)
    if arguments.json:
        reported = ChangedKernel(kernel.name, before, after, rows)
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(reported), indent=2).decode() + "\n")
        return 0
    print(f"{'':<26}{'before':>44}{'after':>44}")
    for row in rows:
        mark = "  *" if row.before != row.after else ""
        print(f"{row.what:<26}{row.before:>44}{row.after:>44}{mark}")
    form = after.form(arguments.to) if arguments.to else None
    if form is not None:
        print(f"\n{form.text}")
    return 0


def _lowered(client: WorkerClient, capture: Capture, order: LowerOrder) -> tuple[Lowered, ...]:
    reply = client.ask(LowerKernels((order,), capture.spec.device), KernelsLowered)
    (answer,) = reply.answers
    if answer.problem is not None:
        line = f"line {answer.error_line} of the kernel: " if answer.error_line else ""
        raise CommandFailedError(msgspec.structs.replace(answer.problem, what=line + answer.problem.what))
    return answer.lowered[:1]


def _launched_otherwise(arguments: argparse.Namespace, source: str, before: Lowered) -> str:
    blocks = dict(before.blocks)
    for text in arguments.block:
        name, _, value = text.partition("=")
        if not name or not value.isdecimal():
            raise CommandFailedError(f"--block {text}: a name and a number, as XBLOCK=512.")
        if blocks and name not in blocks:
            raise CommandFailedError(f"The kernel has no {name}.", f"It has {', '.join(blocks)}.")
        blocks[name] = int(value)
    chosen = KernelConfiguration(
        tuple(blocks.items()), arguments.num_warps or before.warps, arguments.num_stages or before.stages
    )
    try:
        return with_configurations(source, (chosen,))
    except ConfigurationError as error:
        raise CommandFailedError(str(error), "Nothing was lowered.") from error
