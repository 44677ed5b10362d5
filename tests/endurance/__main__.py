"""``python -m tests.endurance [PART…] [--scale 0.01] [--jobs 15]``: each part prints a row of figures when it ends,
``files`` one for each kind of file before; how far it is goes to stderr. Exits with 1 on a fault.

The part ``files`` needs neither Qt nor pytest.
"""

import argparse
import os
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

from tests.endurance.report import take_row, write_row

PARTS = {
    "files": "stranger_files",
    "kills": "kills",
    "timing-day": "drift.timing_day",
    "timing-real": "drift.timing_real",
    "captures": "drift.captures",
    "saves": "drift.saves",
    "models": "installed_models",
    "link": "slow_link",
    "user": "random_user",
    "commands": "random_commands",
}
"""By name, the module whose ``run(scale, folder)`` does it."""
_MOST_REPORTED = 20


def main() -> int:
    """Run the parts one after the other."""
    parser = argparse.ArgumentParser(prog="python -m tests.endurance")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all by default")
    parser.add_argument("--part", choices=PARTS, action="append", default=[])
    parser.add_argument("--jobs", type=int, default=0, help="processes that read files; 0: one a core")
    parser.add_argument("--scale", type=float, default=1.0, help="1 is the full size")
    parser.add_argument("--keep-page", action="store_true", help="leave resources/docs/endurance.md as it is")
    parser.add_argument(
        "--resume", action="store_true", help="models: only those that have no row on the page yet"
    )
    parser.add_argument(
        "--take", metavar="PAGE", type=Path, help="run nothing: take the parts' rows from this page"
    )
    arguments = parser.parse_args()
    if unknown := set(arguments.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    failed = 0
    for part in (*arguments.parts, *arguments.part) or PARTS:
        if arguments.take is not None:
            take_row(part, arguments.take)
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix=f"endurance-{part}-") as folder:
            run = import_module(f"tests.endurance.{PARTS[part]}").run
            more: dict[str, object] = {"jobs": arguments.jobs} if part == "files" else {}
            if part == "models":
                kept = {"page": Path(folder, "page.md")} if arguments.keep_page else {}
                more = {"resume": arguments.resume, **kept}
            row = run(arguments.scale, Path(folder), **more)
        seconds = time.monotonic() - began
        sys.stdout.write(f"{part}, scale {arguments.scale:g}, {seconds:,.0f} s: {row.figures}\n")
        for fault in row.faults[:_MOST_REPORTED]:
            sys.stdout.write(f"  FAULT {fault}\n")
        sys.stdout.flush()
        if not arguments.keep_page:
            write_row(part, row, arguments.scale, seconds)
        failed |= bool(row.faults)
    return failed


if __name__ == "__main__":
    sys.exit(main())
