"""The command line's grammar, and specs made from it."""

import argparse
import ast
from pathlib import Path

from compiler.command_line.commands.check_command import add_check_kernels
from compiler.command_line.commands.decompose_command import add_decompose
from compiler.command_line.commands.dispatch_command import add_dispatch
from compiler.command_line.commands.front_ends_command import add_compare_front_ends
from compiler.command_line.commands.lower_command import add_lower
from compiler.command_line.commands.options_arguments import add_options
from compiler.command_line.commands.targets_command import add_compare_targets
from compiler.command_line.commands.torchscript_command import add_torchscript
from compiler.command_line.commands.trust_argument import add_trust
from compiler.model.capture.capture_spec import (
    CaptureSpec,
    CompileOptions,
    OptionValue,
    RunOptions,
    TargetSpec,
)
from compiler.model.capture.front_ends import DYNAMO, FRONT_ENDS, find_front_end
from compiler.model.capture.gpu_assumptions import read_assumption
from compiler.model.ir.gpu_target import TARGETS, find_target


def build_parser() -> argparse.ArgumentParser:
    """All commands but the window's."""
    parser = argparse.ArgumentParser(
        prog="loupe", description="Explore and edit the PyTorch 2 compile pipeline."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    capture = commands.add_parser("capture", help="run torch.compile on a target and keep every stage")
    capture.add_argument("target", help="file.py:Name or package.module:Name")
    capture.add_argument("-o", "--output", type=Path, required=True, help="the session file to write")
    add_capture_options(capture)
    _add_work_options(capture)

    show = commands.add_parser("show", help="a stage as a readable program; without one, the list of stages")
    show.add_argument("file", type=Path)
    show.add_argument("stage", nargs="?", help="a stage's id, or its end, such as 0/0:joint or post_grad")
    show.add_argument("--json", action="store_true")

    edit = commands.add_parser("edit", help="apply edits, recompile, run, and judge")
    edit.add_argument("file", type=Path)
    edit.add_argument(
        "--edits",
        type=Path,
        required=True,
        help="JSON: a list of edits or a recipe (see resources/docs/edits-as-json.md)",
    )
    edit.add_argument(
        "--skip-unfit", action="store_true", help="leave out edits that do not fit the program as it is now"
    )
    edit.add_argument("-o", "--output", type=Path, required=True)
    edit.add_argument("--json", action="store_true")
    edit.add_argument("--timeout", type=float, help="seconds that one step of the work may take")
    add_trust(edit)

    time = commands.add_parser("time", help="per-kernel times of a session file or a target")
    time.add_argument("target", help="FILE.loupe, file.py:Name or package.module:Name")
    time.add_argument("--iterations", type=int, default=200)
    time.add_argument("--warm-up", type=int, default=10)
    time.add_argument("--torch-threads", type=int, default=0, help="threads torch may use (0: as it is)")
    time.add_argument("-o", "--output", type=Path, help="also keep the times in a session file")
    time.add_argument("--csv", type=Path, metavar="FILE", help="also write the times as a table")
    time.add_argument(
        "--trace", type=Path, metavar="FILE", help="also write steps as a Chrome trace, which Perfetto opens"
    )
    time.add_argument("--roofline", action="store_true", help="kernels against what this machine reaches")
    time.add_argument(
        "--measure-again", action="store_true", help="measure the machine again, for --roofline"
    )
    time.add_argument("--memory", action="store_true", help="memory as Inductor planned it, and as measured")
    time.add_argument("--compile-time", action="store_true", help="where the time of the compile went")
    time.add_argument(
        "--states",
        nargs=2,
        metavar=("FIRST", "SECOND"),
        help="instead: time two states of a session file's edits interleaved (id or name; captured for the unedited)",
    )
    add_capture_options(time)
    _add_work_options(time)

    breaks = commands.add_parser(
        "breaks", help="graph breaks, the costliest first, and what to do about them"
    )
    breaks.add_argument("target", help="FILE.loupe, file.py:Name or package.module:Name")
    breaks.add_argument(
        "--fail-over", type=int, metavar="N", help="exit 1 where there are more than N breaks"
    )
    breaks.add_argument(
        "--try", dest="try_number", type=int, metavar="N", help="try the remedies of break N on a copy"
    )
    breaks.add_argument("--no-timing", action="store_true", help="do not measure what the breaks cost")

    guards = commands.add_parser("guards", help="the guards of every compile, with the lines that made them")
    guards.add_argument("target", help="FILE.loupe, file.py:Name or package.module:Name")
    guards.add_argument("--frame", help="only this compile, such as 0/0")
    guards.add_argument(
        "--try",
        dest="changes",
        nargs="*",
        metavar="CHANGE",
        help="ask the guards of the frame about changed inputs, such as x.shape=9,4 times=4 self.flag=False SCALE=3.0 "
        "training=False gradients=False; without changes, what can be changed",
    )
    recompiles = commands.add_parser("recompiles", help="every recompile with all guards that failed")
    recompiles.add_argument("target", help="FILE.loupe, file.py:Name or package.module:Name")
    for command in (breaks, guards, recompiles):
        add_capture_options(command)
        _add_work_options(command)

    diff = commands.add_parser("diff", help="what is different from one session file to another")
    diff.add_argument("before", type=Path, metavar="A.loupe")
    diff.add_argument("after", type=Path, nargs="?", metavar="B.loupe", help="needed without --stage")
    diff.add_argument("--stage", help="match the nodes of this stage with those of its counterpart")
    diff.add_argument("--stage-after", help="the stage to match it with, where that is another one")
    diff.add_argument("--graphs", action="store_true", help="every node that is new, gone or changed")
    diff.add_argument("--kernels", action="store_true", help="the texts of kernels that changed")
    diff.add_argument("--fail-on-change", action="store_true", help="exit 1 where anything but time differs")
    diff.add_argument("--json", action="store_true")

    history = commands.add_parser("history", help="the life of one node: source line, passes, kernel")
    history.add_argument("file", type=Path)
    history.add_argument("node", help="a node's name, such as relu; L16 for a line, op3 for loop IR")
    history.add_argument("--stage", help="the stage to look in; else the first that has the node")
    history.add_argument("--json", action="store_true")

    export = commands.add_parser("export", help="edits as FX passes that need torch only, with their test")
    export.add_argument("file", type=Path)
    export.add_argument("--edits", type=Path, help="a JSON file, instead of the edits in the session file")
    export.add_argument("-o", "--output", type=Path, default=Path(), help="the folder to write into")
    export.add_argument("--name", default="edits", help="the Python module's name")
    _add_work_options(export)

    transform = commands.add_parser(
        "transform",
        help="edits of a ready transform, or of a program changed by hand; without a name, the list",
    )
    transform.add_argument("file", type=Path)
    transform.add_argument("name", nargs="?", help="a transform, such as fold_conv_bn")
    transform.add_argument("--stage", default="dynamo_graph", help="the graph to edit; at first Dynamo's")
    transform.add_argument("--nodes", nargs="*", help="only these nodes")
    transform.add_argument(
        "--text", type=Path, help="a program as `loupe show FILE STAGE` prints it, changed"
    )
    transform.add_argument(
        "-o", "--output", type=Path, help="write the edits as JSON for `loupe edit --edits`"
    )

    add_lower(commands)
    add_check_kernels(commands, add_capture_options)
    add_options(commands, add_capture_options)
    add_dispatch(commands, add_capture_options)
    add_decompose(commands)
    add_compare_targets(commands, add_capture_options)
    add_compare_front_ends(commands, add_capture_options)
    add_torchscript(commands, add_capture_options)
    doctor = commands.add_parser("doctor", help="versions, hooks, compilers and devices, and what is missing")
    doctor.add_argument("--json", action="store_true")
    doctor.add_argument(
        "--quick",
        action="store_true",
        help="do not try to compile for an absent GPU, which takes some seconds",
    )
    return parser


def add_capture_options(parser: argparse.ArgumentParser) -> None:
    """How a target is called and compiled; the window's command takes the same options."""
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
        "--target",
        dest="gpu",
        metavar="GPU",
        help=f"compile for a GPU that need not be here: {', '.join(TARGETS)}, or a JSON file that describes one",
    )
    parser.add_argument(
        "--front-end",
        type=_front_end,
        default=DYNAMO,
        metavar="NAME",
        help=f"capture with {', '.join(front_end.name for front_end in FRONT_ENDS)}",
    )
    parser.add_argument(
        "--device",
        choices=("cpu", "cuda"),
        default="",
        help="where to run the program (at first the GPU, if there is one)",
    )
    parser.add_argument(
        "--assume",
        action="append",
        default=[],
        metavar="WHAT=VALUE",
        help="with --target, what to assume where the GPU would measure: attention=cudnn|flash|efficient|math, padding=yes, "
        "winner=library or a candidate's name",
    )
    parser.add_argument(
        "--generated",
        type=Path,
        metavar="FILE",
        help="with --front-end fx: a changed copy of the Python that torch.fx generated, to take in place of it",
    )
    parser.add_argument(
        "--disable", action="store_true", help="torch.compile(disable=True): nothing is compiled"
    )


def _add_work_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--timeout", type=float, help="seconds that one step of the work may take")
    parser.add_argument("--json", action="store_true")
    add_trust(parser)


def spec_from(arguments: argparse.Namespace) -> CaptureSpec:
    """The capture that the arguments describe. Raises ValueError for a malformed option."""
    return CaptureSpec(
        TargetSpec(
            arguments.target,
            str(Path.cwd()),
            arguments.inputs,
            arguments.keyword_inputs,
            tuple(arguments.mine),
        ),
        CompileOptions(
            arguments.mode,
            arguments.fullgraph,
            arguments.dynamic,
            arguments.backend,
            tuple(map(_option, arguments.option)),
            arguments.disable,
        ),
        RunOptions(arguments.training, arguments.gradients, arguments.seed),
        device=find_target(arguments.gpu) if arguments.gpu else None,
        front_end=arguments.front_end,
        generated=_text_of(arguments.generated),
        run_on=arguments.device,
        assume=tuple(map(read_assumption, arguments.assume)),
    )


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
