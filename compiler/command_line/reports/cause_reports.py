"""What makes results wrong, as text: the sentence, the evidence, and every trial."""

from collections.abc import Iterator

from compiler.analysis.text_format.visible_text import visible_line
from compiler.model.experiments.causes import CauseFound, CauseStep


def cause_report(found: CauseFound) -> str:
    """The answer first, then what it rests on."""
    lines = [visible_line(found.sentence), ""]
    lines += [f"{name:<11}{visible_line(text)}" for name, text in _facts(found)]
    lines += ["", f"{len(found.steps)} trials, {found.seconds:.1f} s:"]
    lines += [f"  {_mark(step)}  {_off(step):>8}  {visible_line(step.what)}" for step in found.steps]
    return "\n".join(lines)


def _facts(found: CauseFound) -> Iterator[tuple[str, str]]:
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


def _mark(step: CauseStep) -> str:
    return {True: "wrong", False: "right", None: "  –  "}[step.wrong]


def _off(step: CauseStep) -> str:
    return f"{step.off:.1e}" if step.off is not None else ""
