"""What makes results wrong, as text: the sentence, the evidence, and every trial."""

from compiler.analysis.text_format.cause_text import cause_facts, step_mark, step_off
from compiler.analysis.text_format.visible_text import visible_line
from compiler.model.capture.counted import counted
from compiler.model.experiments.causes import CauseFound


def cause_report(found: CauseFound) -> str:
    """The answer first, then what it rests on."""
    facts = [f"{name:<11}{visible_line(text)}" for name, text in cause_facts(found)]
    lines = [visible_line(found.sentence), *([""] if facts else []), *facts]
    lines += ["", f"{counted(len(found.steps), 'trial')}, {found.seconds:.1f} s:"]
    lines += [f"  {step_mark(step)}  {step_off(step):>8}  {visible_line(step.what)}" for step in found.steps]
    return "\n".join(lines)
