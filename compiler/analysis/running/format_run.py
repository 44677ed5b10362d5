"""A run in sentences, the same in the window and on the command line."""

from compiler.analysis.running.run_summary import RunSummary
from compiler.analysis.text_format.times import summary_text, time_text
from compiler.model.capture.run_story import RunStory
from compiler.model.ir.tensor_types import describe_bytes
from compiler.model.protocol.run_events import RUNNING, RunStopped


def step_sentence(summary: RunSummary) -> str:
    """``412 compiled calls of forward (train.py:21), one every 58 ms [57–60] … · of 42 s: 31% compiling, …``."""
    return f"{steps_text(summary)} · {share_sentence(summary)}"


def steps_text(summary: RunSummary) -> str:
    """How often the program went round, and how long that took."""
    steps = summary.steps
    calls = "call" if steps.count == 1 else "calls"
    text = f"{steps.count:,} compiled {calls} of {steps.name} ({_short(steps.path)}:{steps.line})"
    if summary.step is not None:
        few = summary.step.count < _FEW
        time = (
            f"{time_text(summary.step.median)} (seen {summary.step.count}×)"
            if few
            else summary_text(summary.step)
        )
        text += f", one every {time} where nothing was compiled"
    return text


_FEW = 4
"""Counts from which on quartiles say something."""


def state_sentence(title: str, doing: str, following: bool, stopped: bool, story: RunStory) -> str:
    """``train.py · rank 0 · Dynamo traces forward``."""
    script = next((_short(word) for word in story.command[1:] if not word.startswith("-")), "")
    if not following:
        state = (
            f"recorded until {story.ended}"
            if story.ended
            else "ended"
            if story.ended == ""
            else "was not followed to its end"
        )
    elif stopped:
        state = "waits for you"
    elif doing and doing != RUNNING:
        state = doing
    else:
        state = "runs"
    return " · ".join(part for part in (script, title, state) if part)


def memory_text(story: RunStory) -> str:
    """``memory 459 MiB, most 1.2 GiB``, and that of the GPU; empty where it was not reported."""
    parts = []
    for what, sizes in (
        ("memory", [row.resident for row in story.samples]),
        ("on the GPU", [row.device for row in story.samples]),
    ):
        if sizes and (most := max(sizes)) > 0:
            now = describe_bytes(sizes[-1])
            parts.append(
                f"{what} {now}" + (f", most {describe_bytes(most)}" if describe_bytes(most) != now else "")
            )
    return "; ".join(parts)


def stop_sentence(title: str, stopped: RunStopped) -> str:
    """``process 4711 waits at a recompile: forward is compiled again …``."""
    where = f" ({_short(stopped.line.path)}:{stopped.line.line})" if stopped.line is not None else ""
    kind = {"nan": "a result that is not finite"}.get(stopped.kind, f"a {stopped.kind}")
    lines = [line.partition("  # ")[0].strip() for line in stopped.text.strip().split("\n")]
    said = " ".join(filter(None, lines[:3] if stopped.kind == "graph break" else lines[:1]))
    return f"{title} waits at {kind}{where}: {said}"


def share_sentence(summary: RunSummary) -> str:
    """Where the run's wall time went."""
    compiling, graphs, rest = shares(summary)
    if not summary.counted:
        return f"of {summary.seconds:.1f} s: {compiling:.0%} compiling; how long what was compiled ran is not known"
    return f"of {summary.seconds:.1f} s: {compiling:.0%} compiling, {graphs:.0%} in compiled graphs, {rest:.0%} elsewhere"


def shares(summary: RunSummary) -> tuple[float, float, float]:
    """Parts of the wall time: compiling, in compiled graphs, and the rest. Threads that work side by side may fill it."""
    whole = summary.seconds or 1.0
    compiling = min(summary.compile_seconds / whole, 1.0)
    graphs = min(summary.graph_seconds / whole, 1.0 - compiling)
    return compiling, graphs, max(1.0 - compiling - graphs, 0.0)


def _short(path: str) -> str:
    return path.rpartition("/")[2]
