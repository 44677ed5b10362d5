"""``python -m tests.gpu.parallel_reality OUT``: what is predicted of training on several GPUs, against GPUs.

So many ranks as ``RANKS`` in the environment says (2) train every case of `tests.gpu.parallel_programs` (`tests.gpu.parallel_rank`,
plain torch); beside that each is captured as one of as many ranks that are not there, with the GPU hidden, and its step is predicted. Prints a table and writes
OUT/reality.json: kernels of the same text, collectives in the same order and sizes, memory and time with their errors.
``--cpu`` tries the script over gloo (texts and collectives only), with ``SIZE=buckets`` with several of DDP's buckets.
``CASES="tp ddp"`` in the environment tries some cases only.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec

from compiler.analysis.prediction.predict import predict
from compiler.installation import RESOURCES
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.ir.gpu_target import TARGETS
from compiler.model.ir.stage import StageKind, WrapperStage
from compiler.model.prediction.machine import find_machine, read_machines
from compiler.model.prediction.parallel_plan import DDP, ParallelPlan, StepOptions, TensorRule
from compiler.model.prediction.simulated_step import COLLECTIVE
from compiler.model.protocol.absent_gpu import Answer, Order
from tests.gpu.parallel_programs import ALONE, CASES, RANKS, TENSOR_PLAN, VISION

_TEXT = re.compile(
    r"(\w+) = async_compile\.(?:triton\('\w+', |cpp_pybinding\(\[[^\]]*\], r?)'''(.*?)'''", re.DOTALL
)
_HERE = Path(__file__).parent
_KINDS = {
    "all_to_allv": "all_to_all",
    "alltoall_base": "all_to_all",
    "all_to_all_single": "all_to_all",
    "allreduce": "all_reduce",
    "broadcast": "broadcast",
    "all_reduce": "all_reduce",
    "_allgather_base": "all_gather",
    "allgather": "all_gather",
    "allgather_into_tensor_coalesced": "all_gather",
    "all_gather_into_tensor": "all_gather",
    "_reduce_scatter_base": "reduce_scatter",
    "reduce_scatter": "reduce_scatter",
    "reduce_scatter_tensor": "reduce_scatter",
    "reduce_scatter_tensor_coalesced": "reduce_scatter",
}


def plan_of(case: str) -> ParallelPlan | None:
    """How a case is spread."""
    if case in ALONE:
        return None
    if case == "cp":
        return ParallelPlan(RANKS, (("cp", RANKS),))
    if case == "ddp" or case in VISION:
        return ParallelPlan(RANKS, (("dp", RANKS),), data=DDP)
    rules = tuple(TensorRule(pattern, style) for pattern, style in TENSOR_PLAN.items())
    if case == "tp":
        return ParallelPlan(RANKS, (("tp", RANKS),), tensor=rules)
    if case == "fsdp_tp":
        return ParallelPlan(RANKS, (("dp", RANKS // 2), ("tp", 2)), tensor=rules)
    mixed = case == "fsdp_mixed"
    return ParallelPlan(
        RANKS, (("dp", RANKS),), parameters="bfloat16" if mixed else "", reduced="float32" if mixed else ""
    )


def captured(case: str, gpu: str, folder: Path) -> Capture | str:
    """The capture of a case, made in a process that sees no GPU; or why there is none."""
    spec = CaptureSpec(
        TargetSpec("parallel_target.py:net", str(folder / case)),
        run=RunOptions(training=True),
        device=TARGETS[gpu] if gpu else None,
        without_values=True,
        parallel=plan_of(case),
        step=StepOptions("adamw", checkpointed=case == "checkpointed"),
    )
    own = folder / case
    own.mkdir(exist_ok=True)
    (own / "parallel_target.py").write_text(
        f"import sys\nsys.path.insert(0, {str(_HERE.parents[1])!r})\n"
        "from tests.gpu.parallel_programs import inputs_of, model_of\n\n"
        f"net = model_of({case!r})\n\n\ndef example_inputs():\n    return inputs_of({case!r})\n"
    )
    asked, answered = folder / f"{case}.order", folder / f"{case}.answer"
    asked.write_bytes(msgspec.msgpack.encode(Order(spec, f"capture-{case}")))
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run(
        [sys.executable, "-m", "compiler.worker.child", "cross_compile", str(asked), str(answered)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if not answered.exists():
        return done.stdout[-2000:]
    answer = msgspec.msgpack.decode(answered.read_bytes(), type=Answer)
    if answer.capture is None:
        return answer.problem.message() + answer.problem.detail if answer.problem is not None else "?"
    return answer.capture


def kernels_in(texts: list[str]) -> Counter[str]:
    """Sources of kernels, each without its own name, which counts."""
    found: Counter[str] = Counter()
    for text in texts:
        for name, source in _TEXT.findall(text):
            found[re.sub(rf"\b{re.escape(name)}\b", "KERNEL", _unnumbered(source))] += 1
    return found


def _unnumbered(source: str) -> str:
    """What depends on where and when, not on the kernel: the folder of caches, the hash of this torch."""
    return re.sub(r"'backend_hash': '\w+'", "'backend_hash': ''", source).strip()


def _collectives_predicted(capture: Capture) -> list[tuple[str, int]]:
    """(kind, bytes of the larger side)."""
    assert capture.step is not None
    return [
        (moment.sent.kind, max(moment.sent.sent, moment.sent.got))
        for moment in capture.step.moments
        if moment.what == COLLECTIVE and moment.sent is not None
    ]


def same_order(real: list[dict[str, Any]], capture: Capture) -> tuple[int, int, bool, list[Any]]:
    """(how many ran, were predicted, whether kinds and sizes are equal in order, the first differences)."""
    sizes = {"BFloat16": 2, "Float": 4, "Half": 2, "Double": 8, "Long": 8, "Int": 4, "Byte": 1}
    ran = []
    for row in real:
        kind = _KINDS.get(str(row.get("Collective name", "")))
        if kind is not None:
            count = max(int(row.get("In msg nelems", 0)), int(row.get("Out msg nelems", 0)))
            ran.append((kind, count * sizes.get(str(row.get("dtype", "")), 0)))
    expected = _collectives_predicted(capture)
    differences = [
        [index, mine, real_one]
        for index, (mine, real_one) in enumerate(zip(expected, ran, strict=False))
        if mine != real_one
    ]
    return len(ran), len(expected), ran == expected, differences[:5]


def compared(case: str, capture: Capture, real: dict[str, Any], machine_id: str) -> dict[str, Any]:
    """One row of the table."""
    texts = [
        stage.content.code.text
        for stage in capture.of_kind(StageKind.WRAPPER)
        if isinstance(stage.content, WrapperStage)
    ]
    ours, theirs = kernels_in(texts), kernels_in(real["texts"])
    ran, expected, same, differences = same_order(real["collectives"], capture)
    row: dict[str, Any] = {
        "kernels": sum(theirs.values()),
        "kernels the same": sum((ours & theirs).values()),
        "kernels of ours": sum(ours.values()),
        "collectives": ran,
        "collectives predicted": expected,
        "collectives the same": same,
        "first differences": differences,
        "names seen": dict(
            Counter(str(reported.get("Collective name", "")) for reported in real["collectives"])
        ),
    }
    machine = find_machine(read_machines(RESOURCES / "machines.json"), machine_id)
    reported = predict(capture, machine)
    row["predicted"] = {
        "peak": reported.memory.peak.total,
        "peaks": dict(reported.memory.peaks),
        "by kind": dict(reported.memory.by_kind()),
        "where": reported.memory.where,
        "step": reported.time.seconds,
        "slowest": reported.time.slowest,
        "phases": dict(reported.time.phases),
        "busy": reported.time.busy,
        "exposed": reported.time.exposed,
        "idle": reported.time.idle,
        "unknown": reported.time.unknown,
    }
    row["measured"] = {key: real[key] for key in real if key not in ("texts", "collectives", "steps")}
    if "peak" in real:
        row["memory error"] = reported.memory.peak.total / real["peak"] - 1
        row["time error"] = reported.time.seconds / real["step"] - 1
    return row


def main() -> int:
    """Predict, measure, compare. Exit status 1 where a case failed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--gpu", default="", help="which GPU is here (asked of the driver)")
    arguments = parser.parse_args()
    reported = arguments.out.absolute()
    reported.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as scratch
    ):  # the device machine sends a few files back, not all of these
        return _compared(arguments, reported, Path(scratch))


def _compared(arguments: argparse.Namespace, reported: Path, folder: Path) -> int:
    if arguments.cpu:
        os.environ["CPU"] = "1"
        os.environ.setdefault("SIZE", "small")
        os.environ.setdefault(
            "OMP_NUM_THREADS", "2"
        )  # else torchrun sets 1, and kernels have no parallel loops
    began = time.perf_counter()
    measured = reported / "measured.json"
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(RANKS), "-m", "tests.gpu.parallel_rank", str(measured)]  # fmt: skip
    print("measuring …", flush=True)
    subprocess.run(command, check=False)
    real = json.loads(measured.read_text()) if measured.exists() else {}
    gpu = arguments.gpu or ("" if arguments.cpu else "h200" if "H200" in real.get("gpu", "") else "h100")
    print(f"measured in {time.perf_counter() - began:.0f} s; predicting …", flush=True)
    rows: dict[str, Any] = {key: real[key] for key in ("torch", "gpu") if key in real}
    with ThreadPoolExecutor(1 if arguments.cpu else len(CASES)) as pool:
        captures = dict(zip(CASES, pool.map(lambda case: captured(case, gpu, folder), CASES), strict=True))
    print(f"predicted after {time.perf_counter() - began:.0f} s", flush=True)
    for case in CASES:
        capture = captures[case]
        if isinstance(capture, str):
            rows[case] = {"failed": f"prediction: {capture}"}
        elif "failed" in real.get(case, {"failed": "not measured"}):
            rows[case] = {"failed": f"measuring: {real.get(case, {}).get('failed')}"}
        else:
            try:
                rows[case] = compared(case, capture, real[case], gpu or "h100")
            except Exception as error:
                rows[case] = {"failed": f"{type(error).__name__}: {error}"}
        (reported / "reality.json").write_text(json.dumps(rows, indent=1))
    _print(rows)
    print(f"{time.perf_counter() - began:.0f} s in all; {reported / 'reality.json'}")
    return int(any("failed" in rows[case] for case in CASES))


def _print(rows: dict[str, Any]) -> None:
    for case in CASES:
        row = rows[case]
        if "failed" in row:
            print(f"{case:11} FAILED {row['failed']}")
            continue
        words = f"{case:11} kernels {row['kernels the same']}/{row['kernels']} the same, collectives {row['collectives predicted']} predicted of {row['collectives']} {'the same' if row['collectives the same'] else 'DIFFERENT'}"
        if not row["collectives the same"]:
            words += f" ({row['first differences']}; {row['names seen']})"
        if "memory error" in row:
            measured, reported = row["measured"], row["predicted"]
            words += (
                f", memory {reported['peak'] / 2**30:.3f} against {measured['peak'] / 2**30:.3f} GiB ({row['memory error']:+.1%})"
                f", step {reported['step'] * 1e3:.1f} to {reported['slowest'] * 1e3:.1f} against {measured['step'] * 1e3:.1f} ms ({row['time error']:+.1%})"
            )
        print(words)


if __name__ == "__main__":
    raise SystemExit(main())
