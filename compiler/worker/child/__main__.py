"""``python -m compiler.worker.child KIND ARGUMENT…``: the main of every process that a worker starts."""

import importlib
import sys

from compiler.engine import program_arguments
from compiler.processes import loading_libraries

_KINDS = {
    "cross_compile": "compiler.worker.child.cross_compile",
    "interpret": "compiler.worker.child.interpret",
    "isolated": "compiler.worker.child.isolated",
    "lower": "compiler.worker.child.lower",
    "persistent": "compiler.worker.child.persistent",
}
"""Modules whose `main` is given the arguments."""


def main() -> None:
    """Be a process of that kind."""
    loading_libraries.do_not_raise()
    kind, *arguments = sys.argv[1:]
    program_arguments.hide_own()
    if kind not in _KINDS:
        sys.exit(f"there is no {kind}; there are {', '.join(_KINDS)}")
    with loading_libraries.loading():
        module = importlib.import_module(_KINDS[kind])
    module.main(arguments)


if __name__ == "__main__":
    main()
