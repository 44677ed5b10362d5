"""``loupe compare-targets``: one program for several GPUs, none of which need be here."""

import argparse
import sys

import msgspec

from compiler.analysis.gpu.targets import named_target
from compiler.analysis.timing.datasheet_bound import roofline_bound
from compiler.analysis.timing.kernel_work import kernel_work
from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.commands.arguments import (
    add_capture_options,
    add_target,
    add_work_options,
    spec_from,
)
from compiler.command_line.printed_json import print_json
from compiler.command_line.session_io import capture_with
from compiler.command_line.worker_client import WorkerClient
from compiler.model.capture.capture import Capture
from compiler.model.capture.counted import counted
from compiler.model.gpu.lowered_stages import triton_kernels
from compiler.model.ir.diagnostics import Problem
from compiler.model.ir.gpu_target import GpuTarget
from compiler.model.ir.ids import place
from compiler.model.ir.lowered_kernel import KernelsLowered, LowerKernels, LowerOrder


class TargetRow(msgspec.Struct, frozen=True):
    """One kernel for one GPU."""

    kernel: str
    target: str
    part: str
    language: str
    bytes: int | None = None
    bound_seconds: float | None = None
    """What the datasheet allows at best: predicted, not measured."""
    registers: int | None = None
    spilled_bytes: int | None = None
    shared_bytes: int | None = None
    warps: int | None = None
    lowering_seconds: float | None = None


def compare_targets(arguments: argparse.Namespace, report_progress: ReportProgress) -> int:
    """Capture and lower for each GPU and print what each kernel needs there."""
    spec = spec_from(arguments)
    targets = [named_target(name) for name in arguments.gpus]
    rows: list[TargetRow] = []
    failed: dict[str, Problem] = {}
    with WorkerClient(report_progress, arguments.timeout, gate=arguments.gate) as client:
        for target in targets:
            capture = capture_with(client, msgspec.structs.replace(spec, device=target), f"on-{target.id}")
            if failures := capture.failures():
                failed[target.id] = failures[0]
                continue
            orders = tuple(LowerOrder(kernel.name, kernel.source, ()) for kernel in triton_kernels(capture))
            lowered = client.ask(LowerKernels(orders, target)) if orders else KernelsLowered(())
            rows += _rows(
                capture, target, lowered if isinstance(lowered, KernelsLowered) else KernelsLowered(())
            )
    if arguments.json:
        print_json(rows)
    elif len(failed) < len(targets):
        _print(rows, [target for target in targets if target.id not in failed])
    for name, problem in failed.items():
        sys.stderr.write(f"loupe: {name}: {problem.message()}\n")
    return int(bool(failed))


def _rows(capture: Capture, target: GpuTarget, lowered: KernelsLowered) -> list[TargetRow]:
    work = kernel_work(capture)
    needs = {answer.name: answer.lowered[0] for answer in lowered.answers if answer.lowered}
    rows = []
    for stage in capture.stages:
        for kernel in stage.kernels:
            own, need = work.get(place(stage.id, kernel.id)), needs.get(kernel.name)
            row = TargetRow(kernel.id, target.id, stage.part, kernel.language)
            if own is not None:
                row = msgspec.structs.replace(row, bytes=own.bytes, bound_seconds=roofline_bound(own, target))
            if need is not None:
                row = msgspec.structs.replace(
                    row,
                    registers=need.registers,
                    spilled_bytes=need.spilled_bytes,
                    shared_bytes=need.shared_bytes,
                    warps=need.warps,
                    lowering_seconds=need.seconds,
                )
            rows.append(row)
    return rows


def _print(rows: list[TargetRow], targets: list[GpuTarget]) -> None:
    print(
        "Bound: what the datasheet allows at best (predicted, never a time). Registers/spilled/shared: of the kernel as lowered."
    )
    print(f"{'kernel':<66}" + "".join(f"{target.id:>26}" for target in targets))
    found = {(row.part, row.kernel, row.target): row for row in rows}
    for part, kernel in dict.fromkeys((row.part, row.kernel) for row in rows):
        cells = [_cell(found.get((part, kernel, target.id))) for target in targets]
        print(f"{part + ' ' + kernel:<66.64}" + "".join(f"{cell:>26}" for cell in cells))
    for target in targets:
        own = [row for row in rows if row.target == target.id and row.bound_seconds is not None]
        total = sum(row.bound_seconds or 0.0 for row in own)
        print(
            f"{target.name}: {total * 1e6:.1f} µs at best for {counted(len(own), 'kernel')} ({target.source})"
        )


def _cell(row: TargetRow | None) -> str:
    if row is None:
        return "–"
    bound = f"{row.bound_seconds * 1e6:.2f} µs" if row.bound_seconds is not None else "?"
    if row.registers is None:
        return f"{bound}  {row.language}" if row.language == "extern" else bound
    return f"{bound}  {row.registers}/{row.spilled_bytes}/{row.shared_bytes}"


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_target(parser)
    parser.add_argument("gpus", nargs="+", help="such as a100 h100 mi300x, or JSON files")


COMMAND = Command(
    "compare-targets",
    "kernels, registers and predicted bounds for several GPUs, none of which need be here",
    compare_targets,
    (_add_arguments, add_capture_options, add_work_options),
    "What their datasheets allow at best is predicted, never measured.",
)
