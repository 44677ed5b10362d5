"""The grammar of ``loupe options``."""

import argparse
from collections.abc import Callable


def add_options(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    add_capture_options: Callable[[argparse.ArgumentParser], None],
) -> None:
    """The command's arguments."""
    options = commands.add_parser(
        "options", help="what torch.compile can be told, and with a target what that changes for it"
    )
    options.add_argument(
        "target", nargs="?", help="file.py:Name or package.module:Name; without, torch's own list"
    )
    options.add_argument(
        "--search", metavar="WORDS", help="only what has these words in its name or text; lists options too"
    )
    options.add_argument(
        "--try-backends", action="store_true", help="try every backend in a process of its own (minutes)"
    )
    options.add_argument(
        "--try",
        dest="choices",
        nargs="+",
        metavar="NAME=VALUE",
        help="measure these on the target, one by one: mode=max-autotune dynamic=True epilogue_fusion=False; "
        "without, the ones that most people would try first",
    )
    options.add_argument(
        "--sizes",
        nargs="?",
        const="",
        metavar="ARGUMENT:DIMENSION=SIZES",
        help="instead: call the target with changing sizes under every stance, such as x:0=3,4,5; without a value the first "
        "dimension of the first tensor",
    )
    options.add_argument("--together", action="store_true", help="measure what --try names as one choice")
    options.add_argument("--diff", action="store_true", help="print the diff of the generated code as well")
    add_capture_options(options)
    options.add_argument("--timeout", type=float, help="seconds that one step of the work may take")
    options.add_argument("--json", action="store_true")
