"""The commands: parse, do, print. Exit status 0 done, 1 the work failed (message on standard error), 2 usage."""

import sys

from compiler.command_line.command import Command, build_parser
from compiler.command_line.command_table import COMMANDS
from compiler.command_line.trust_gate import NotTrustedError, TrustGate
from compiler.command_line.worker_client import CommandFailedError
from compiler.command_line.written_files import require_written_files
from compiler.model.protocol.messages import EventBody, Progress


def main(argv: list[str], more: tuple[Command, ...] = ()) -> int:
    """Run one command; `more` are those that this package does not have."""
    commands = (*COMMANDS, *more)
    for command in commands:
        if command.takes_program and argv[:1] == [command.name]:
            argv = [argv[0], *command.separated(argv[1:])]
    try:
        arguments = build_parser(commands).parsed(argv)
    except SystemExit as leaving:
        return int(leaving.code or 0) if isinstance(leaving.code, int | None) else 2
    arguments.gate = TrustGate(getattr(arguments, "trust", False))
    chosen: Command = arguments.command
    try:
        require_written_files(arguments)
        return chosen.run(arguments, _report_progress)
    except CommandFailedError as error:
        if error.problem.read_detail:
            sys.stderr.write(f"{error.problem.detail.rstrip()}\n")
        sys.stderr.write(f"loupe: {error.problem.message()}\n")
        return 1
    except (NotTrustedError, ValueError) as error:
        sys.stderr.write(f"loupe: {error}\n")
        return 2
    except OSError as error:
        if error.filename is None or isinstance(error, BrokenPipeError):  # no file that somebody named
            raise
        sys.stderr.write(f"loupe: {error.filename}: {error.strerror}. Choose another place.\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("loupe: cancelled\n")
        return 1


def _report_progress(event: EventBody) -> None:
    if isinstance(event, Progress):
        sys.stderr.write(f"  {event.text}\n")
        sys.stderr.flush()
