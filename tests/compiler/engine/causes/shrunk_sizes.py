"""``python -m tests.compiler.engine.causes.shrunk_sizes [EVERY]``: how many operations are left of `Small` and of an encoder layer
for each (or each so manieth) planted fault, and whether the file that is written fails with the fault and is right without.
"""

import statistics
import sys

from compiler.engine.causes.find_cause import find_cause
from compiler.engine.causes.shrink import shrink
from compiler.engine.errors import EngineError
from compiler.engine.torch_internals.patch.settings import capturing
from tests.compiler.engine.causes.fault_table import EVERY, Fault
from tests.compiler.engine.causes.test_find_cause import ASKED, EXAMPLES, PROGRAMS, captured

TARGETS = (f"{PROGRAMS}:Small", f"{EXAMPLES}/transformer_layer.py:EncoderLayer")


def main(each: int) -> None:
    """Print a row for each, and the median."""
    left: list[int] = []
    for target in TARGETS:
        for fault in [row for row in EVERY if not row.program][::each]:
            row = _tried(target, fault)
            if row is not None:
                left += [row[1]] if isinstance(row[1], int) else []
                print(f"{target.rpartition(':')[2]:14} {fault.name:45} {row}", flush=True)
    print(f"{len(left)} made smaller, median {statistics.median(left)} operations, most {max(left)}")


def _tried(target: str, fault: Fault) -> tuple[int, int | str, str] | None:
    with fault.plant():
        program = captured(target)
        found = find_cause(program, ASKED, lambda text: None)
        if not found.wrong:
            return None
        try:
            least = shrink(program, (), found, lambda text: None)
        except EngineError as error:
            return 0, error.problem.what, ""
        with_it = _fails(least.text)
    without = _fails(least.text)
    return least.before, least.after, "as it should" if with_it and not without else f"{with_it} {without}"


def _fails(text: str) -> bool:
    with capturing():
        try:
            exec(compile(text, "least", "exec"), {"__name__": "__main__"})
        except AssertionError:
            return True
    return False


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
