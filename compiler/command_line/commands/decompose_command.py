"""``loupe decompose``: what an operator is made of, down to prims, with the file and line of each decomposition."""

import argparse
from collections import Counter

from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.commands.arguments import add_work_options
from compiler.command_line.printed_json import print_json
from compiler.command_line.worker_client import WorkerClient
from compiler.model.capture.counted import counted
from compiler.model.operators.decompositions import (
    LEVELS,
    DecomposedOperator,
    DecomposeOperator,
    Decomposition,
    at_level,
)


def decompose(arguments: argparse.Namespace, report_progress: ReportProgress) -> int:
    """Print the tree of one operator and what is left of it at each level."""
    with WorkerClient(report_progress, arguments.timeout, gate=arguments.gate) as client:
        reply = client.ask(DecomposeOperator(arguments.operator), Decomposition)
    if arguments.json:
        print_json(reply)
        return 0
    print(reply.schema)
    if reply.root.how and reply.refused:
        print(
            f"\nTaken apart in {reply.root.how} at {reply.root.place}. It could not be run here: {reply.refused}"
        )
    elif not reply.root.how:
        print("\nThis torch takes it apart no further.")
    else:
        print(f"\nWith ({reply.arguments})\n")
        _print_tree(reply.root, 0)
        for level in LEVELS:
            left = Counter(node.operator for node in at_level(reply.root, level))
            parts = ", ".join(f"{count} × {name}" if count > 1 else name for name, count in left.items())
            print(f"\n{level}: {counted(left.total(), 'operator')}: {parts}")
    print("\nIn this build of torch:")
    for what, count in reply.counts:
        print(f"  {count:>6,}  {what}")
    return 0


def _print_tree(node: DecomposedOperator, depth: int) -> None:
    core = " [core]" if node.core else ""
    print(f"{'  ' * depth}{node.operator}{core}  {node.place}".rstrip())
    for part in node.parts:
        _print_tree(part, depth + 1)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("operator", help="softmax.int, aten::gelu, or as graphs write it: aten.relu.default")


COMMAND = Command(
    "decompose",
    "what an operator is made of: aten, core aten, prims",
    decompose,
    (_add_arguments, add_work_options),
    "A tree with file and line of each decomposition, and what is left at each level.",
)
