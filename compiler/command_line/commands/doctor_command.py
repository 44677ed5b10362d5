"""``loupe doctor``: what this machine has, and which hooks of torch work."""

import argparse

from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.commands.arguments import add_json
from compiler.command_line.printed_json import print_json
from compiler.command_line.reports.capture_report import environment_report
from compiler.command_line.worker_client import WorkerClient
from compiler.model.protocol.absent_gpu import CrossCompilationTested, TestCrossCompilation
from compiler.model.protocol.messages import AskEnvironment, EnvironmentFound
from compiler.processes import sandbox


def doctor(arguments: argparse.Namespace, _: ReportProgress) -> int:
    """Print it. Exit status 1 without a C++ compiler, or where a hook is missing."""
    with WorkerClient(lambda event: None, gate=arguments.gate) as client:
        reply = client.ask(AskEnvironment(try_hooks=not arguments.quick), EnvironmentFound)
        tried = None if arguments.quick else client.ask(TestCrossCompilation())
    environment = reply.environment
    if arguments.json:
        print_json(environment)
    else:
        print(environment_report(environment))
        print(f"\nSandbox for loupe lower and check-kernels: {sandbox.offered().text}")
        if isinstance(tried, CrossCompilationTested):
            print(f"\nGPUs that are not here (capture --target): {tried.words()}")
    healthy = bool(environment.compiler) and all(hook.found for hook in environment.hooks)
    return 0 if healthy else 1


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--quick",
        action="store_true",
        help="do not try to compile for an absent GPU, which takes some seconds",
    )


COMMAND = Command(
    "doctor",
    "versions, hooks, compilers and devices, and what is missing",
    doctor,
    (_add_arguments, add_json),
    "Tries whether absent GPUs can be compiled for.",
)
