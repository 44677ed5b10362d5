"""Every stage as a readable program, with the nodes that each line belongs to.

The printed form is what the code pane shows, what ``loupe show`` prints and what golden tests compare.
"""

from functools import cached_property

import msgspec

from compiler.model.capture.counted import counted
from compiler.model.ir.arguments import NodeArgument, text_of
from compiler.model.ir.graph import Graph, Node
from compiler.model.ir.identity_cache import identity_cached
from compiler.model.ir.ids import NodeId, line_id
from compiler.model.ir.loop_ir import KernelSet, LoopNode, LoopProgram
from compiler.model.ir.lowered_kernel import LoweredText
from compiler.model.ir.own_kernels import own_kernel
from compiler.model.ir.programs import CodeObject
from compiler.model.ir.stage import (
    BytecodeStage,
    FxStage,
    JointStage,
    KernelStage,
    LoopStage,
    LoweredStage,
    SourceStage,
    Stage,
    TextStage,
    WrapperStage,
)
from compiler.model.ir.tensor_types import describe, describe_bytes


class CodeText(msgspec.Struct, frozen=True, dict=True):
    """A text of which each line belongs to some nodes (often one, sometimes none)."""

    text: str
    language: str
    """python, cpp, triton, bytecode, loops, or a form of `compiler.model.ir.lowered_kernel`: what to highlight it as."""
    line_nodes: tuple[tuple[NodeId, ...], ...]
    """[line - 1]: ids of the stage's nodes on that line."""

    @cached_property
    def lines_by_node(self) -> dict[NodeId, list[int]]:
        """The lines, from 1, of every node: hovering asks for them with every move of the mouse."""
        lines: dict[NodeId, list[int]] = {}
        for line, nodes in enumerate(self.line_nodes, 1):
            for node in nodes:
                lines.setdefault(node, []).append(line)
        return lines

    def lines_of(self, nodes: set[NodeId]) -> tuple[int, ...]:
        """Lines, from 1, that belong to any of the nodes."""
        return tuple(line for line, owners in enumerate(self.line_nodes, 1) if not nodes.isdisjoint(owners))


class _Writer:
    """Collects lines with their owners."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.owners: list[tuple[NodeId, ...]] = []

    def add(self, text: str, *owners: NodeId) -> None:
        if "\n" not in text:  # nearly always
            self.lines.append(text)
            self.owners.append(owners)
            return
        for line in text.split("\n"):
            self.lines.append(line)
            self.owners.append(owners)

    def done(self, language: str) -> CodeText:
        return CodeText("\n".join(self.lines), language, tuple(self.owners))


@identity_cached
def program(stage: Stage) -> CodeText:
    """The stage as a program. Graphs, loops and bytecode begin with a line that says what made them."""
    match stage.content:
        case FxStage():
            return _graph_program(stage, stage.content.graph, None)
        case JointStage():
            return _graph_program(stage, stage.content.graph, stage.content)
        case LoopStage():
            return _loop_program(stage, stage.content.program)
        case KernelStage():
            return _kernel_program(stage.content.kernels)
        case WrapperStage():
            return _numbered(stage.content.code.text, "python")
        case SourceStage():
            return _numbered(stage.content.file.text, "python")
        case TextStage():
            return _numbered(stage.content.text, stage.content.language)
        case BytecodeStage():
            return _bytecode_program(stage, stage.content.code)
        case LoweredStage():
            return _lowered_program(stage.kind.value, stage.content.kernels)


def _header(stage: Stage) -> str:
    took = f", {stage.seconds * 1e3:.0f} ms" if stage.seconds is not None else ""
    return f"# {stage.title}: made by {stage.made_by or 'the user'}{took}"


def _numbered(text: str, language: str) -> CodeText:
    lines = text.split("\n")
    return CodeText(text, language, tuple((line_id(number),) for number in range(1, len(lines) + 1)))


def _graph_program(stage: Stage, graph: Graph, joint: JointStage | None) -> CodeText:
    writer = _Writer()
    writer.add(_header(stage))
    if joint is not None and (partition := joint.partition) is not None:
        writer.add(
            f"# partition: {counted(len(partition.saved), 'tensor')} saved for backward "
            f"({describe_bytes(joint.kept_bytes)} beside parameters and inputs), "
            f"{counted(len(partition.recomputed), 'node')} recomputed"
        )
    inputs = [node for node in graph.nodes if node.op == "placeholder"]
    writer.add(f"def {stage.part or 'graph'}(")
    for node in inputs:
        writer.add(input_line(node), node.id)
    writer.add("):")
    last_place: tuple[str, int] | None = None
    for node in graph.nodes:
        if node.op == "placeholder":
            continue
        if node.stack and (place := (node.stack[-1].path, node.stack[-1].line)) != last_place:
            last_place = place
            name = node.stack[-1].path.rpartition("/")[2]
            writer.add(f"    # {name}:{node.stack[-1].line}  {node.stack[-1].text.strip()}".rstrip())
        for line in body_lines(node) if node.body else ():
            writer.add(f"    # {line}", node.id)
        writer.add(f"    {statement(node)}", node.id)
    return writer.done("python")


def body_lines(node: Node) -> tuple[str, ...]:
    """The part of the graph that a node holds, as a program of its own; no lines for any other node."""
    if not node.body:
        return ()
    inputs = ", ".join(part.id for part in node.body if part.op == "placeholder")
    calls = (f"    {statement(part)}" for part in node.body if part.op != "placeholder")
    return (f"def {node.target}({inputs}):", *calls)


def input_line(node: Node) -> str:
    """One input of a graph, as it stands in the head of its program."""
    return f"    {node.id}: {describe(node.value) or 'Any'},"


def statement(node: Node) -> str:
    """One node as one line of a program."""
    args = [item.node if type(item) is NodeArgument else text_of(item) for item in node.args.items]
    args += [f"{key}={text_of(item)}" for key, item in node.kwargs.items]
    remarks = ", ".join(filter(None, (own_kernel(node), describe(node.value))))
    comment = f"  # {remarks}" if remarks else ""
    match node.op:
        case "output":
            return f"return {', '.join(args)}"
        case "get_attr":
            return f"{node.id} = self.{node.target}{comment}"
        case "call_method":
            return f"{node.id} = {args[0] if args else ''}.{node.target}({', '.join(args[1:])}){comment}"
        case "call_module":
            return f"{node.id} = self.{node.target}({', '.join(args)}){comment}"
        case _:
            return f"{node.id} = {node.target}({', '.join(args)}){comment}"


def _loop_program(stage: Stage, loops: LoopProgram) -> CodeText:
    writer = _Writer()
    writer.add(_header(stage))
    for node in loops.nodes:
        writer.add("")
        writer.add(_loop_text(node), node.id)
    return writer.done("loops")


def _loop_text(node: LoopNode) -> str:
    lines = [f"{node.id}: {node.kind}({node.operation})"]
    if node.children:
        lines.append(f"    fuses {', '.join(node.children)}")
    if node.layout:
        lines.append(f"    layout {node.layout}")
    lines += [
        f"    reads  {dependency.buffer}[{dependency.index}] {dependency.size}" for dependency in node.reads
    ]
    lines += [
        f"    writes {dependency.buffer}[{dependency.index}] {dependency.size}" for dependency in node.writes
    ]
    if node.bytes_moved is not None:
        flops = f", {node.flops} FLOP" if node.flops else ""
        lines.append(f"    moves  {describe_bytes(node.bytes_moved)}{flops}")
    if node.body:
        lines += ["    " + line for line in node.body.rstrip().split("\n")]
    return "\n".join(lines)


def _kernel_program(kernels: KernelSet) -> CodeText:
    writer = _Writer()
    shown: set[str] = set()
    languages = {kernel.language for kernel in kernels.kernels} - {"extern"}
    comment = "#" if languages == {"triton"} else "//"
    for kernel in kernels.kernels:
        if not kernel.source:
            writer.add(f"{comment} {kernel.name}: a library call, no generated source", kernel.id)
            continue
        if kernel.name in shown:
            writer.add(f"{comment} {kernel.name}: called again, the same kernel", kernel.id)
            continue
        shown.add(kernel.name)
        writer.add(f"{comment} {kernel.name}", kernel.id)
        for number, line in enumerate(kernel.source.split("\n"), 1):
            writer.add(line, kernel.id, f"{kernel.id}:L{number}")
        writer.add("")
    return writer.done("triton" if languages == {"triton"} else "cpp")


def _lowered_program(form: str, kernels: tuple[LoweredText, ...]) -> CodeText:
    writer = _Writer()
    comment = ";" if form in ("llir", "amdgcn") else "//"
    for kernel in kernels:
        writer.add(f"{comment} {kernel.kernel}", kernel.kernel)
        for number, line in enumerate(kernel.text.split("\n"), 1):
            writer.add(line, kernel.kernel, f"{kernel.kernel}:L{number}")
        writer.add("")
    return writer.done(form)


def _bytecode_program(stage: Stage, code: CodeObject) -> CodeText:
    writer = _Writer()
    writer.add(_header(stage))
    resume = f", resumes {code.resume_of}" if code.resume_of else ""
    writer.add(f"# {code.name} ({code.path}:{code.first_line}{resume})")
    last_line: int | None = None
    for instruction in code.instructions:
        line = ""
        if instruction.line is not None and instruction.line != last_line:
            line, last_line = str(instruction.line), instruction.line
        mark = ">>" if instruction.jump_target else "  "
        text = f"{line:>5} {mark} {instruction.place:>5} {instruction.opname:<28} {instruction.argument}"
        writer.add(text.rstrip(), instruction.id)
    return writer.done("bytecode")
