"""``loupe lower``: a Triton kernel of a session file down to machine code, with what it needs of the GPU."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec

from compiler.command_line.session_work import open_session
from compiler.command_line.worker_client import CommandFailedError, WorkerClient
from compiler.model.capture import Capture
from compiler.model.loops import Kernel
from compiler.model.lowering import FORMS, KernelsLowered, LowerAnswer, Lowered, LowerKernels, LowerOrder
from compiler.model.messages import EventBody
from compiler.model.problems import Problem
from compiler.model.stage import KernelStage


def lower(arguments: argparse.Namespace, say: Callable[[EventBody], None]) -> int:
    """Print the form asked for, or a table of what all kernels need."""
    capture = open_session(arguments.file).captures[-1]
    kernels = triton_kernels(capture)
    if arguments.kernel:
        chosen = [kernel for kernel in kernels if arguments.kernel in (kernel.id, kernel.name)]
        if not chosen:
            names = ", ".join(kernel.name for kernel in kernels) or "none"
            raise CommandFailedError(
                Problem(
                    f"There is no Triton kernel {arguments.kernel} in {arguments.file}.",
                    f"It holds: {names}.",
                )
            )
        kernels = chosen[:1]
    if not kernels:
        raise CommandFailedError(
            Problem(f"{arguments.file} holds no Triton kernels.", "Capture with --target h100, or on a GPU.")
        )
    forms = (arguments.to,) if arguments.to else ()
    orders = (LowerOrder(kernel.name, kernel.source, forms, arguments.configurations) for kernel in kernels)
    with WorkerClient(say, arguments.timeout) as client:
        reply = client.ask(LowerKernels(tuple(orders), capture.spec.device))
    answers = {answer.name: answer for answer in reply.answers} if isinstance(reply, KernelsLowered) else {}
    for answer in answers.values():
        if answer.problem is not None:
            raise CommandFailedError(answer.problem)
    if arguments.json:
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(answers), indent=2).decode() + "\n")
    elif arguments.to and arguments.kernel:
        _print_form(next(iter(answers.values())), arguments.to)
    else:
        _print_table(answers)
    return 0


def triton_kernels(capture: Capture) -> list[Kernel]:
    """The Triton kernels of a capture, each name once."""
    found: dict[str, Kernel] = {}
    for stage in capture.stages:
        if isinstance(stage.content, KernelStage):
            for kernel in stage.content.kernels.kernels:
                if kernel.language == "triton" and kernel.source:
                    found.setdefault(kernel.name, kernel)
    return list(found.values())


def _print_form(answer: LowerAnswer, form: str) -> None:
    texts = {made.name: made.text for made in answer.lowered[0].forms}
    if form not in texts:
        last = "amdgcn" if form in ("ptx", "sass") else "ptx and sass"
        raise CommandFailedError(Problem(f"This kernel has no {form}.", f"Its GPU's code is {last}."))
    print(texts[form])


def _print_table(answers: dict[str, LowerAnswer]) -> None:
    print(
        f"{'kernel':<64}{'configuration':<48}{'registers':>10}{'spilled':>9}{'shared':>9}{'warps':>7}{'s':>7}"
    )
    for name, answer in answers.items():
        for row in answer.lowered:
            print(f"{name[:62]:<64}{_short(row):<48}{_number(row.registers):>10}{_number(row.spilled_bytes):>9}"
                  f"{row.shared_bytes:>9}{row.warps:>7}{row.seconds:>7.2f}")  # fmt: skip


def _short(row: Lowered) -> str:
    parts = [
        part
        for part in row.configuration.split(", ")
        if not part.startswith(("num_ctas", "maxnreg", "num_warps"))
    ]
    return ", ".join(parts)[:46]


def _number(value: int | None) -> str:
    return "–" if value is None else str(value)


def add_lower(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The command's arguments."""
    lower = commands.add_parser(
        "lower", help="Triton kernels of a session file down to machine code; executes the kernels' text"
    )
    lower.add_argument("file", type=Path, metavar="FILE.loupe")
    lower.add_argument("kernel", nargs="?", help="one kernel's name; without it, a table of all")
    lower.add_argument("--to", choices=FORMS, help="print this form of the kernel")
    lower.add_argument(
        "--configurations", type=int, default=1, help="how many candidate configurations (the first ones)"
    )
    lower.add_argument("--timeout", type=float, help="seconds that it may take")
    lower.add_argument("--json", action="store_true")
