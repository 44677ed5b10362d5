"""``make benchmarks``: every figure in one run on this machine, each part in a process of its own."""

import os
import platform
import subprocess
import sys

PARTS = (
    "bench_capture",
    "bench_edit",
    "bench_timing_cost",
    "bench_timing_agreement",
    "bench_timing_soak",
    "bench_window",
    "bench_workspaces",
    "bench_jobs",
    "bench_layout",
    "bench_canvas",
    "bench_crossings",
    "bench_passes",
    "bench_breaks",
    "bench_large",
    "bench_layers",
    "bench_recorded_run",
    "bench_logs",
)


def main() -> int:
    """Run the parts one after the other."""
    print(
        f"{platform.platform()}, Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    )
    wanted = sys.argv[1:] or PARTS
    failed = 0
    for part in wanted:
        print(flush=True)
        failed |= subprocess.run([sys.executable, "-m", f"tests.benchmarks.{part}"], check=False).returncode
    return failed


if __name__ == "__main__":
    sys.exit(main())
