"""Arguments that several commands share, and what is made from them."""

import argparse
import ast
import functools
import math
import os
from pathlib import Path
from typing import Any

from compiler.analysis.gpu.targets import named_target
from compiler.analysis.session_file.session_file import SessionData
from compiler.command_line.commands.parallel_arguments import (
    OF_MANY_PROCESSES,
    add_parallel_options,
    plan_from,
    step_from,
)
from compiler.command_line.session_io import applied_edits, open_session
from compiler.model.capture.capture_spec import (
    CaptureSpec,
    CompileOptions,
    OptionValue,
    RunOptions,
    TargetSpec,
    run_of_config,
)
from compiler.model.capture.config_inputs import TASKS, ConfigInputs, is_config
from compiler.model.capture.front_ends import DYNAMO, FRONT_ENDS, FX, find_front_end
from compiler.model.capture.gpu_assumptions import read_assumption
from compiler.model.edits.edits import Edit
from compiler.model.ir.gpu_target import TARGETS
from compiler.remote.machine import Machine, chosen

_OF_A_CONFIG = ("task", "batch", "length")
_YEAR_S = 365 * 86400.0


def add_capture_options(parser: argparse.ArgumentParser) -> None:
    """How a target is called and compiled; the window's command takes the same options."""
    _add_program_options(parser)
    _add_other_machines(parser)


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """The same for a command that only runs a target on this machine, each time in a way of its own."""
    _add_program_options(parser)
    parser.set_defaults(**_defaults())


def _add_program_options(parser: argparse.ArgumentParser) -> None:
    """How a target is called, and how torch.compile is."""
    _add_machine(parser)
    parser.add_argument("--inputs", help='arguments as in a call: "torch.randn(8, 128)"')
    parser.add_argument("--keyword-inputs", help='keyword arguments as in a call: "mask=None"')
    parser.add_argument(
        "--mine",
        action="append",
        default=[],
        metavar="FOLDER_OR_PACKAGE",
        help="files that are yours as well: errors, breaks and guards are told of your lines (repeatable)",
    )
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--train", dest="training", action="store_true", default=None)
    mode.add_argument("--eval", dest="training", action="store_false")
    parser.add_argument("--no-grad", dest="gradients", action="store_false", help="run under torch.no_grad()")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--mode", help="torch.compile's mode")
    parser.add_argument("--fullgraph", action="store_true")
    dynamic = parser.add_mutually_exclusive_group()
    dynamic.add_argument("--dynamic", dest="dynamic", action="store_true", default=None)
    dynamic.add_argument("--static", dest="dynamic", action="store_false")
    parser.add_argument("--backend", default="inductor")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="torch.compile(options=...)"
    )
    parser.add_argument(
        "--device",
        choices=("cpu", "cuda"),
        default="",
        help="where to run the program (at first the GPU, if there is one)",
    )
    parser.add_argument(
        "--disable", action="store_true", help="torch.compile(disable=True): nothing is compiled"
    )


def _add_other_machines(parser: argparse.ArgumentParser) -> None:
    """What is compiled for a machine that is not here, without values, or by another front end."""
    parser.add_argument(
        "--target",
        dest="gpu",
        metavar="GPU",
        help=f"compile for a GPU that need not be here: {', '.join(TARGETS)}, one that a plug-in brings, or a JSON file that "
        "describes one",
    )
    parser.add_argument(
        "--front-end",
        type=_front_end,
        default=DYNAMO,
        metavar="NAME",
        help=f"capture with {', '.join(front_end.name for front_end in FRONT_ENDS)}",
    )
    parser.add_argument(
        "--assume",
        action="append",
        default=[],
        metavar="WHAT=VALUE",
        help="with --target, what to assume where the GPU would measure: attention=cudnn|flash|efficient|math, padding=no|yes "
        "or the path of what torch recorded on that GPU (its cache folder, or a file of the folder cache in it), winner=library "
        "or a candidate's name; with --fake, what a line finds that asks a tensor for its value: "
        "value@model.py:31=3",
    )
    parser.add_argument(
        "--fake",
        action=argparse.BooleanOptionalAction,
        help="build the program on fake tensors: no parameter is allocated, nothing runs; a config.json is built so by itself",
    )
    _add_config_options(parser)
    add_parallel_options(parser)
    parser.add_argument(
        "--generated",
        type=Path,
        metavar="FILE",
        help="with --front-end fx: a changed copy of the Python that torch.fx generated, to take in place of it",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """For every command whose answer a program may want."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_work_options(parser: argparse.ArgumentParser) -> None:
    """For every command that asks a worker."""
    parser.add_argument("--timeout", type=seconds, help="seconds that one step of the work may take")
    add_json(parser)


def add_trust(parser: argparse.ArgumentParser) -> None:
    """For every command that takes a session file and runs something of it."""
    parser.add_argument(
        "--trust",
        action="store_true",
        help="execute what a session file or a list of edits holds though it was not written on this computer; without it you are asked, and "
        "where nobody can be asked nothing runs (exit status 2)",
    )


def add_target(parser: argparse.ArgumentParser) -> None:
    """A program."""
    parser.add_argument("target", metavar="TARGET", help="file.py:Name, package.module:Name or config.json")


def add_target_or_file(parser: argparse.ArgumentParser) -> None:
    """A program, or what was saved of one."""
    parser.add_argument(
        "target", metavar="TARGET|FILE.loupe", help="FILE.loupe, file.py:Name or package.module:Name"
    )


def saved_session(arguments: argparse.Namespace) -> SessionData | None:
    """The session file that is named in place of a program; None for a program. Raises CommandFailedError."""
    return (
        open_session(Path(arguments.target), arguments.gate) if arguments.target.endswith(".loupe") else None
    )


def program_and_edits(
    arguments: argparse.Namespace,
) -> tuple[SessionData | None, CaptureSpec, tuple[Edit, ...]]:
    """(the session file that is named, if one is; the program that it began with, or that is named; the edits active in the
    file). Raises CommandFailedError.
    """
    saved = saved_session(arguments)
    if saved is None:
        return None, spec_from(arguments), ()
    first = saved.captures[0]
    return saved, first.spec, applied_edits(saved, first.id)


def _add_config_options(parser: argparse.ArgumentParser) -> None:
    config = parser.add_argument_group(
        "of a config.json of transformers",
        "with --train one step of training, else inference without gradients",
    )
    config.add_argument(
        "--task", choices=TASKS, default="", help="at first what the file's architectures say"
    )
    config.add_argument("--batch", type=_count, default=1, metavar="N", help="inputs at once (1)")
    config.add_argument("--length", type=_count, default=128, metavar="N", help="tokens of each (128)")


def seconds(text: str) -> float:
    """How long something may take; more than a year is as much as one, which every clock can hold. Raises ArgumentTypeError."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not found > 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no time; write seconds, more than 0")
    return min(found, _YEAR_S)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no count; write a number from 1 on")
    return int(text)


def _add_machine(parser: argparse.ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--on", metavar="USER@HOST", help="run the program on that machine, over your own ssh")
    where.add_argument(
        "--through",
        metavar="COMMAND",
        help='run it where this command leads: "docker exec -i box", "srun --pty", "ssh -J jump host"',
    )
    parser.add_argument(
        "--python", metavar="PATH", help="with --on or --through: the Python there that has torch"
    )
    parser.add_argument(
        "--folder", metavar="FOLDER", help="where the target's file is; with --on or --through, there"
    )


def _folder(arguments: argparse.Namespace) -> str:
    """Where the target is looked for; from here on our processes start workers on the machine that was named. Raises ValueError."""
    machine = Machine(arguments.on or "", arguments.through or "", arguments.python or "python3")
    if machine.name:
        machine.command()
        os.environ.update(machine.environment())
    elif arguments.python:
        raise ValueError("--python needs --on or --through")
    if chosen() is None:
        return str(Path(arguments.folder).absolute()) if arguments.folder else str(Path.cwd())
    is_file = ".py" in arguments.target or is_config(arguments.target)
    if not arguments.folder and is_file and not arguments.target.startswith("/"):
        raise ValueError("name the file by its whole path on that machine, or give --folder")
    return arguments.folder or "/"


def spec_from(arguments: argparse.Namespace) -> CaptureSpec:
    """The capture that the arguments describe. Raises ValueError for a malformed option, and for one that says nothing here."""
    config = is_config(arguments.target)
    _refuse_unused(arguments, config)
    run = (run_of_config if config else RunOptions)(arguments.training, arguments.gradients, arguments.seed)
    sizes = ConfigInputs(arguments.task, arguments.batch, arguments.length, bool(arguments.training))
    return CaptureSpec(
        TargetSpec(
            arguments.target,
            _folder(arguments),
            arguments.inputs,
            arguments.keyword_inputs,
            tuple(arguments.mine),
            config=sizes if config else None,
        ),
        CompileOptions(
            arguments.mode,
            arguments.fullgraph,
            arguments.dynamic,
            arguments.backend,
            tuple(map(_option, arguments.option)),
            arguments.disable,
        ),
        run,
        device=named_target(arguments.gpu) if arguments.gpu else None,
        front_end=arguments.front_end,
        generated=_text_of(arguments.generated),
        run_on=arguments.device,
        assume=tuple(map(read_assumption, arguments.assume)),
        without_values=config if arguments.fake is None else arguments.fake,
        parallel=plan_from(arguments),
        step=step_from(arguments),
    )


def _refuse_unused(arguments: argparse.Namespace, config: bool) -> None:
    """An option that would be passed over in silence is refused. Raises ValueError."""
    cross_compiled = arguments.gpu is not None or arguments.fake or config
    spread = arguments.world is not None or arguments.mesh
    for names, used, needs in (
        (_OF_A_CONFIG, config, "a config.json of transformers as the target; other programs take --inputs"),
        (("assume",), cross_compiled, "--target or --fake"),
        (("generated",), arguments.front_end == FX, f"--front-end {FX}"),
        (OF_MANY_PROCESSES, spread, "--world or --mesh"),
    ):
        given = [name for name in names if getattr(arguments, name) != _defaults()[name]]
        if given and not used:
            raise ValueError(f"--{given[0].replace('_', '-')} says nothing without {needs}")


@functools.cache
def _defaults() -> dict[str, Any]:
    parser = argparse.ArgumentParser()
    _add_other_machines(parser)
    return vars(parser.parse_args([]))


def _text_of(path: Path | None) -> str:
    try:
        return path.read_text() if path is not None else ""
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None


def _front_end(text: str) -> str:
    try:
        return find_front_end(text).name
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _option(text: str) -> tuple[str, OptionValue]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise ValueError(f"{text!r} is no option; write NAME=VALUE, such as max_autotune=True")
    try:
        literal = ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name, value
    return name, literal if isinstance(literal, bool | int | float | str) or literal is None else value
