"""Lines below a Triton kernel's source, as facts."""

from app.panes.inspector_pane.collective_facts import Link
from app.panes.inspector_pane.facts import Facts, need_facts
from app.translation.texts import tr
from app.widgets.labels.link_label import RichText
from compiler.model.capture.capture import Capture
from compiler.model.ir.ids import NodeId, line_of, place
from compiler.model.ir.lowered_kernel import FORM_TITLES
from compiler.model.ir.stage import LoweredStage, Stage


def lowered_facts(capture: Capture, stage: Stage, node_id: NodeId, link: Link) -> Facts | None:
    """A kernel in one of its forms, or a line of it; None for another stage or a line that is not there."""
    content = stage.content
    if not isinstance(content, LoweredStage):
        return None
    line = line_of(node_id) if ":" in node_id else None
    name = node_id.rpartition(":")[0] if line is not None else node_id
    text = next((row for row in content.kernels if row.kernel == name), None)
    if text is None:
        return None
    title = FORM_TITLES[stage.kind.value]
    facts = Facts(
        tr("{name}, line {line}").format(name=name, line=line) if line else name,
        tr("{title} of a Triton kernel").format(title=title),
    )
    if line:
        lines = text.text.split("\n")
        if line > len(lines):
            return None
        facts.texts.append((tr("Line"), lines[line - 1].strip()))
        source = dict(text.lines).get(line)
        kernels = f"{stage.id.rpartition(':')[0]}:kernels"
        made = (
            link(tr("line {source} of the kernel").format(source=source), place(kernels, f"{name}:L{source}"))
            if source
            else RichText().text(tr("no line of the kernel, by its debug locations"), "dim")
        )
        facts.rows.append((tr("Made from"), made))
    facts.rows += need_facts(capture, name)
    return facts
