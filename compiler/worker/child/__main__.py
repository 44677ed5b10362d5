"""``python -m compiler.worker.child KIND ARGUMENT…``: the main of every process that a worker starts."""

import importlib
import sys

from compiler.processes import foreign_warnings

_KINDS = ("cross_compile", "interpret", "isolated", "lower", "persistent")
"""Modules beside this one, whose `main` is given the arguments."""


def main() -> None:
    """Be a process of that kind."""
    foreign_warnings.do_not_raise()
    kind, *arguments = sys.argv[1:]
    if kind not in _KINDS:
        sys.exit(f"there is no {kind}; there are {', '.join(_KINDS)}")
    importlib.import_module(f"compiler.worker.child.{kind}").main(arguments)


if __name__ == "__main__":
    main()
