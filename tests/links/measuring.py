"""The links of a capture against what changes when an operation of the source is replaced."""

import dataclasses
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

from compiler.engine.rng.rng_state import seeded
from compiler.engine.user_program.loading import load_program
from compiler.engine.user_program.stepper import Stepper, set_mode
from compiler.model.capture.capture import Capture
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.ir.ids import place
from compiler.model.ir.links import Provenance
from compiler.model.ir.stage import BytecodeStage, StageKind
from tests.links import runtime
from tests.links.ablation import Site, probed, recording, related, sites_of, write_program
from tests.links.gradient_sums import leave_sums_open
from tests.links.judging import Truth, judge_by_relative, judge_graphs, judge_kernels
from tests.links.quick_captures import quick_capture


@dataclasses.dataclass
class Measured:
    """One program: its capture, and the truth about each of its sites."""

    source: str
    capture: Capture
    truths: list[Truth]
    skipped: Counter[str]
    """Why sites could not be judged."""


def measure(source: str, target: str, training: bool, examples: Path | None = None) -> Measured:
    """Capture a program, and again for each site without it. `examples`: a folder for its imports."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sites = sites_of(source)
        _record(folder, write_program(folder, "recorded", recording(source, sites)), target, training)
        fit = [site for site in sites if site.index in runtime.RECORDED and site.index not in runtime.UNFIT]
        capture = quick_capture(folder, f"{write_program(folder, 'program', source)}:{target}", training)
        assert not capture.problems, capture.problems
        truths, skipped = [], Counter[str]()
        for site in fit:
            truth = Truth(site)
            truths.append(truth)
            text = probed(source, site, site.index in runtime.MODULES)
            without = []
            for turned in (False, True)[: 2 if training else 1]:
                runtime.TURNED[0] = turned
                other = _captured(folder, f"probed_{site.index}", text, target, training)
                if other is not None:
                    without.append(other)
            if without:
                judge_graphs(truth, capture, without)
                judge_kernels(truth, capture, without[0])
            else:
                skipped["fails without it"] += 1
            for number, (constant, relative) in enumerate(site.relatives):
                text = related(source, site, relative)
                other = _captured(folder, f"related_{site.index}_{number}", text, target, training)
                if other is not None:
                    judge_by_relative(truth, capture, other, constant)
        for truth in truths:
            for stage, lines in _lines_of_others(truth, truths).items():
                truth.others.setdefault(stage, set()).update(lines)
        leave_sums_open(capture, truths)
        return Measured(source, capture, truths, skipped)


def _lines_of_others(truth: Truth, truths: list[Truth]) -> dict[str, set[str]]:
    """Lines with the constants of other sites. One that stands on several lines of a kernel was copied by a rewrite of
    several operations (a scaled softmax); which of them needed the copy cannot be told.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for other in truths:
        for stage, lines in other.constant_lines.items():
            if other is not truth:
                kernels = Counter(line.rpartition(":")[0] for line in lines)
                single = {line for line in lines if kernels[line.rpartition(":")[0]] == 1}
                found[stage] |= single - truth.own.get(stage, set())
    return found


def _record(folder: Path, file: str, target: str, training: bool) -> None:
    runtime.forget()
    run = RunOptions(training=training, gradients=training)
    spec = CaptureSpec(TargetSpec(f"{file}:{target}", str(folder)), run=run)
    program = load_program(spec.target)
    set_mode(program, run)
    with seeded(run.seed):  # a compared step would put back what the recorder writes down
        Stepper(program, run).step(program.callable)
    assert runtime.RECORDED, "nothing was recorded: a measure of nothing finds no fault"


def _captured(folder: Path, name: str, text: str, target: str, training: bool) -> Capture | None:
    """A capture of a changed program, or None where it can't run so (an in-place write that needs the operation)."""
    file = write_program(folder, name, text)
    try:
        found = quick_capture(folder, f"{file}:{target}", training)
    except Exception as error:
        print(f"    {name}: {type(error).__name__}: {str(error)[:200]}")
        return None
    return None if found.problems else found


def claims(measured: Measured, links: Provenance, site: Site) -> dict[str, set[str]]:
    """What the links say was made from a site: from the instructions whose place in the source is the site's."""
    found: dict[str, set[str]] = defaultdict(set)
    for stage in measured.capture.of_kind(StageKind.BYTECODE):
        if isinstance(stage.content, BytecodeStage) and stage.content.code.path.endswith("program.py"):
            own = [
                item.id
                for item in stage.content.code.instructions
                if (item.line, item.column, item.end_line, item.end_column) == site.span
            ]
            for key, nodes in links.descendants(place(stage.id, *own)).items():
                found[key] |= nodes
    return found
