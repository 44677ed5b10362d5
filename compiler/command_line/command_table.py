"""Every command that needs no window."""

from compiler.command_line import completion
from compiler.command_line.command import Command
from compiler.command_line.commands import (
    break_commands,
    capture_commands,
    check_command,
    decompose_command,
    diff_commands,
    dispatch_commands,
    doctor_command,
    edit_command,
    export_command,
    front_ends_command,
    guard_commands,
    lower_command,
    options_command,
    targets_command,
    time_command,
    torchscript_command,
    transform_command,
)
from compiler.command_line.commands.batches import batch_command
from compiler.command_line.commands.predictions import predict_command
from compiler.command_line.commands.recorded import attach_command, ranks_command, run_command
from compiler.command_line.commands.results import bisect_command, values_command
from compiler.command_line.commands.saved import history_command, share_command
from compiler.command_line.logs import open_command

COMMANDS: tuple[Command, ...] = (
    *capture_commands.COMMANDS,
    run_command.COMMAND,
    attach_command.COMMAND,
    batch_command.COMMAND,
    open_command.COMMAND,
    ranks_command.COMMAND,
    edit_command.COMMAND,
    transform_command.COMMAND,
    export_command.COMMAND,
    time_command.COMMAND,
    predict_command.COMMAND,
    bisect_command.COMMAND,
    values_command.COMMAND,
    break_commands.COMMAND,
    *guard_commands.COMMANDS,
    diff_commands.COMMAND,
    history_command.COMMAND,
    share_command.COMMAND,
    options_command.COMMAND,
    lower_command.COMMAND,
    check_command.COMMAND,
    targets_command.COMMAND,
    front_ends_command.COMMAND,
    torchscript_command.COMMAND,
    *dispatch_commands.COMMANDS,
    decompose_command.COMMAND,
    doctor_command.COMMAND,
    completion.COMMAND,
)
