"""What makes results wrong, as text: the evidence in rows, and a document for an issue tracker."""

from collections.abc import Iterator

from compiler.analysis.text_format.visible_text import visible_line
from compiler.model.capture.capture import Capture
from compiler.model.capture.counted import counted
from compiler.model.experiments.causes import CauseFound, CauseStep
from compiler.model.experiments.failures import FailureFound
from compiler.model.experiments.least_programs import LeastProgram

_NOT_THEIRS = ("off by", "sure", "right with")
"""Facts that nobody's code is in."""


def cause_facts(found: CauseFound) -> Iterator[tuple[str, str]]:
    """(what, in words) of everything that the answer rests on."""
    if found.off is not None:
        others = [
            f"{name} {off:.1e}"
            for name, off in (("eager itself", found.off_eager), ("without the cause", found.off_without))
            if off is not None
        ]
        yield "off by", f"{found.off:.1e} of the largest value ({'; '.join(others)})"
    if found.repeated:
        yield "sure", f"wrong with it and right without, {found.repeated} times in turn"
    if found.graph:
        yield "graph", f"{found.graph} {found.part}".rstrip()
    if found.nodes:
        yield "nodes", ", ".join(found.nodes[:8])
    if found.kernel_lines:
        yield "kernel", f"{found.name}, line {', '.join(map(str, found.kernel_lines))}"
    if found.line is not None:
        yield "from", f"{found.path}:{found.line}"
    if found.right_with:
        yield "right with", "; ".join(found.right_with)
    if found.innocent:
        yield "excluded", ", ".join(found.innocent)
    for note in found.notes:
        yield "note", note


def cause_document(
    found: CauseFound,
    capture: Capture,
    least: LeastProgram | None = None,
    shows: str = "",
    hide_code: bool = False,
) -> str:
    """Markdown for an issue tracker: what is wrong, the program, the evidence, the surroundings. With `hide_code` nothing of
    the program's own is in it: no names, files, lines or values.
    """
    environment = capture.environment
    rows = [
        f"* torch {environment.torch}, Python {environment.python}, {environment.platform}",
        *(
            f"* {text}"
            for text in (environment.processor, environment.compiler, *environment.devices)
            if text
        ),
        f"* torch.compile with {_torch_options(capture)}",
    ]
    sentence = found.hidden_sentence if hide_code else found.sentence
    lines = ["### What is wrong", "", visible_line(sentence), ""]
    lines += [
        f"* {name}: {visible_line(text)}"
        for name, text in cause_facts(found)
        if not hide_code or name in _NOT_THEIRS
    ]
    text = (least.hidden if hide_code else least.text) if least is not None else ""
    if least is not None and not text:
        lines += ["", f"The least program is left out: {least.why_not_hidden}."]
    if least is not None and text:
        lines += ["", f"### The least program ({counted(least.after, least.unit)} of {least.before})", ""]
        lines += [shows, ""] if shows else []
        lines += ["```python", text.rstrip(), "```"]
    if not hide_code:
        lines += ["", "### How it was found", "", "| results | off by | what ran instead |", "|---|---:|---|"]
        lines += [
            f"| {step_mark(step).strip()} | {step_off(step)} | {visible_line(step.what).replace('|', '/')} |"
            for step in found.steps
        ]
    return "\n".join([*lines, "", "### Where", "", *rows, "", "Found with Torch Loupe.", ""])


def failure_document(found: FailureFound, hide_code: bool = False) -> str:
    """Markdown for an issue tracker: what fails, the program, and what was tried. With `hide_code` nothing that torch said of
    the program is in it.
    """
    failure = found.failure
    words = f"Compiling {failure.words}." if failure is not None else found.sentence
    lines = ["### What fails", "", visible_line(words if hide_code else found.sentence), ""]
    lines += [f"* {'fails' if step.wrong else 'runs'}: {visible_line(step.what)}" for step in found.steps]
    least = found.least
    text = (least.hidden if hide_code else least.text) if least is not None else ""
    if least is not None and text:
        lines += ["", f"### The least program ({counted(least.after, least.unit)} of {least.before})", ""]
        lines += [least.shows, "", "```python", text.rstrip(), "```"]
    elif least is not None:
        lines += ["", f"The least program is left out: {least.why_not_hidden}."]
    elif found.why_not:
        lines += ["", found.why_not]
    return "\n".join([*lines, "", "Found with Torch Loupe.", ""])


def step_mark(step: CauseStep) -> str:
    """In a word."""
    return {True: "wrong", False: "right", None: "  –  "}[step.wrong]


def step_off(step: CauseStep) -> str:
    """How far off, where that is known."""
    return f"{step.off:.1e}" if step.off is not None else ""


def least_report(least: LeastProgram, path: str) -> str:
    """How small it became."""
    return (
        f"Wrote {path}: {counted(least.after, least.unit)} of {least.before}, found in {counted(least.trials, 'trial')}, "
        f"{least.seconds:.1f} s."
    )


def _torch_options(capture: Capture) -> str:
    options = capture.spec.compile
    reported = [f"backend {options.backend}", *(f"{name}={value}" for name, value in options.options)]
    return ", ".join([*reported, f"mode {options.mode}"] if options.mode else reported)
