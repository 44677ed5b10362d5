"""``loupe batch``: many programs for many targets, torches and modes; kept, gone on with, compared."""

import argparse
import os
import sys
import time
from pathlib import Path

from compiler.analysis.batch.batch_table import (
    ALONE,
    COLUMNS,
    SHOWN,
    causes_text,
    csv_of,
    html_of,
    shown_cells,
)
from compiler.analysis.batch.program_sources import source_digests
from compiler.analysis.batch.what_got_worse import KINDS, BatchComparison, compare_batches
from compiler.command_line.command import Command, ReportProgress
from compiler.command_line.commands.arguments import seconds
from compiler.command_line.commands.batches.executors import Cluster, Executor, Running, ThisMachine
from compiler.command_line.commands.batches.interpreters import find_interpreters, own_torch
from compiler.command_line.commands.batches.result_folder import BusyError, ResultFolder
from compiler.command_line.printed_json import print_json
from compiler.command_line.reports.tables import table
from compiler.command_line.worker_client import CommandFailedError
from compiler.model.batch.jobs import Job, Wanted, job_id, keys_of
from compiler.model.batch.manifest import Manifest, read_manifest
from compiler.model.batch.rows import Cause, Row
from compiler.model.capture.counted import counted

_PAUSE_S = 0.05


def batch(arguments: argparse.Namespace, _: ReportProgress) -> int:
    """Run what is not done, report all; 1 where --against finds something worse. Raises CommandFailedError, ValueError."""
    old = ResultFolder(arguments.against).rows() if arguments.against else None
    folder = ResultFolder(arguments.output)
    jobs = _jobs(arguments)
    try:
        with folder.locked():
            folder.write_list(jobs)
            _run(arguments, jobs, folder)
            rows = [row for job in jobs if (row := folder.finished(job.id)) is not None]
            _write_tables(folder, rows)
    except (BusyError, OSError) as error:
        raise CommandFailedError(f"{error}.", "Wait for it, or give another folder with -o.") from error
    found = compare_batches(old[0], rows, ignore=arguments.ignore) if old is not None else None
    if arguments.json:
        print_json({"rows": rows, "comparison": found})
    else:
        _print_table(rows, found)
        if old is not None and old[1]:
            print(f"The old batch is not whole: {len(old[1])} of its jobs were not done.")
    if found is not None:
        return 1 if found.worse else 0
    return 1 if any(row.failed for row in rows) else 0


def _jobs(arguments: argparse.Namespace) -> list[Job]:
    path: Path = arguments.manifest
    try:
        manifest = read_manifest(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    home = path.resolve().parent
    asked = keys_of(manifest, _wanted(arguments), own_torch())
    pythons = find_interpreters({key.torch for _, key in asked}, _pythons(arguments, manifest), home)
    jobs = []
    for program, key in asked:
        python, torch = pythons[key.torch]
        name = job_id(program, key, source_digests(program, home), torch, arguments.iterations)
        memory = int(arguments.memory * 2**30)
        jobs.append(
            Job(name, key, program, str(home), python, arguments.iterations, arguments.timeout or 0.0, memory)
        )
    return jobs


def _wanted(arguments: argparse.Namespace) -> Wanted:
    return Wanted(_split_list(arguments.targets), _split_list(arguments.torch), _split_list(arguments.modes))


def _pythons(arguments: argparse.Namespace, manifest: Manifest) -> dict[str, str]:
    given = dict(manifest.python)
    for text in arguments.python:
        version, equals, path = text.partition("=")
        if not equals:
            raise ValueError(f"{text!r} names no Python; write --python 2.15=/path/to/python")
        given[version] = str(Path(path).absolute()) if "/" in path else path
    return given


def _split_list(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (word.strip() for word in text.split(","))))


def _run(arguments: argparse.Namespace, jobs: list[Job], folder: ResultFolder) -> None:
    done = {job.id: row for job in jobs if (row := folder.finished(job.id)) is not None}
    again = {job for job, row in done.items() if arguments.again and row.cause is not Cause.DONE}
    waiting = [job for job in jobs if job.id not in done or job.id in again]
    if len(waiting) < len(jobs):
        sys.stderr.write(f"  {len(jobs) - len(waiting)} of {len(jobs)} are done already\n")
    if not waiting:
        return
    count = arguments.jobs or min(os.cpu_count() or 1, len(waiting))
    executor: Executor = Cluster(arguments.scheduler, count) if arguments.scheduler else ThisMachine(count)
    try:
        drive(executor, waiting, folder)
    finally:
        executor.close()


def drive(executor: Executor, jobs: list[Job], folder: ResultFolder) -> None:
    """Every job begun, waited for and kept, each noted as it begins and as it ends."""
    waiting, ended, began = list(reversed(jobs)), 0, time.monotonic()
    running: list[tuple[Job, Running]] = []
    while waiting or running:
        while waiting and executor.has_room(len(running)):
            job = waiting.pop()
            folder.begin(job.id)
            running.append((job, executor.submit(job)))
        for job, future in [pair for pair in running if pair[1].done()]:
            running.remove((job, future))
            result = executor.taken(job, future)
            folder.finish(result.row, result.made or b"")
            ended += 1
            left = (time.monotonic() - began) / ended * (len(jobs) - ended)
            sys.stderr.write(
                f"  {ended}/{len(jobs)} {job.key}: {result.row.cause.value}; about {left:.0f} s left\n"
            )
        time.sleep(_PAUSE_S)


def _write_tables(folder: ResultFolder, rows: list[Row]) -> None:
    folder.write_text("table.csv", csv_of(rows))
    folder.write_text("table.html", html_of(tuple(rows), folder.path.name or "Batch"))
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        sys.stderr.write("  no table.parquet: that needs pyarrow (pip install 'torch-loupe[batch]')\n")
        return
    types = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_()}
    columns = {
        name: pyarrow.array([cell(row) for row in rows], types[kind])
        for name, (kind, cell) in COLUMNS.items()
    }
    partial = folder.path / ".table.parquet.partial"
    parquet.write_table(pyarrow.table(columns), partial)
    partial.replace(folder.path / "table.parquet")


def _print_table(rows: list[Row], found: BatchComparison | None) -> None:
    print(table(SHOWN, map(shown_cells, rows)))
    print(f"\n{causes_text(rows)}")
    if any(row.figures and row.figures.step and not row.alone for row in rows):
        print(ALONE)
    for row in rows:
        if row.failed:
            print(
                f"{row.key}: {row.cause.value}: {row.what.splitlines()[0] if row.what else 'no more is known'}"
            )
    if found is None:
        return
    print(f"\n{found.compared} compared, {counted(len(found.worse), 'thing')} worse")
    for worse in found.worse:
        print(f"  {worse.kind}: {worse.key}: {worse.what}")
    for note in found.notes:
        print(f"  not compared: {note}")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("manifest", type=Path, metavar="MODELS.toml", help="which programs")
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="DIR", help="results; gone on with if there"
    )
    parser.add_argument(
        "--targets", default="", help="cpu, cuda or GPUs that need not be here: h100,a100,cpu"
    )
    parser.add_argument("--torch", default="", help="versions of torch: 2.13,2.15")
    parser.add_argument("--modes", default="", help="modes of torch.compile: default,max-autotune")
    parser.add_argument(
        "--python",
        action="append",
        default=[],
        metavar="VERSION=PATH",
        help="the Python with that torch (repeatable)",
    )
    parser.add_argument(
        "--jobs", type=int, default=0, help="at once (0: as cores and memory allow; 1: comparable times)"
    )
    parser.add_argument("--iterations", type=int, default=0, help="time so many steps of each (0: none)")
    parser.add_argument("--timeout", type=seconds, help="seconds a job may take")
    parser.add_argument("--memory", type=float, default=0.0, metavar="GIB", help="memory a job may use")
    parser.add_argument("--scheduler", default="", metavar="local|tcp://…", help="through Dask distributed")
    parser.add_argument("--again", action="store_true", help="do jobs again that ended badly")
    parser.add_argument(
        "--against", type=Path, metavar="OLD", help="say what got worse since that batch; exit 1 if so"
    )
    parser.add_argument(
        "--ignore", action="append", default=[], choices=KINDS, help="with --against (repeatable)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


COMMAND = Command(
    "batch",
    "many programs for many targets and torches, as one table; what got worse since an older one",
    batch,
    (_add_arguments,),
)
