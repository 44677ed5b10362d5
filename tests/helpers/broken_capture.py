"""A capture made by hand with as many breaks, graphs, calls and sizes as wanted. No torch needed."""

from compiler.model.capture.capture import Capture, Environment
from compiler.model.capture.capture_spec import CaptureSpec, TargetSpec
from compiler.model.capture.frames import (
    BreakCategory,
    Frame,
    GraphBreak,
    InlinedCall,
    StackValue,
    VariableSize,
)
from compiler.model.ir.arguments import SequenceArgument
from compiler.model.ir.graph import Graph, Node, SourceLine
from compiler.model.ir.ids import place
from compiler.model.ir.programs import CodeObject, Instruction, SourceFile
from compiler.model.ir.stage import BytecodeStage, FxStage, SourceStage, Stage, StageKind

PATH = "/home/me/broken.py"
SOURCE = f"source:{PATH}"
_CALLS = 20


def broken_capture(breaks: int, graphs: int, lines: int = 2000) -> Capture:
    """One file whose frames resume one another, each after a break, and further frames without one."""
    text = "\n".join(f"    value_{line} = torch.relu(value_{line - 1})" for line in range(1, lines + 1))
    step = max(1, lines // graphs)
    captured = tuple((min(lines, 1 + index * step), f"{index}/0") for index in range(graphs))
    traced = tuple(line for line, _ in captured)
    file = SourceFile(PATH, text, captured, traced, tuple(range(1, lines + 1)), tuple(range(5, lines, 7)))
    stages = [Stage(SOURCE, StageKind.SOURCE, "broken.py", SourceStage(file))]
    stages += [_bytecode(index) for index in range(graphs)]
    stages += [_graph(index) for index in range(graphs)]
    frames = tuple(_frame(index, captured[index][0], breaks) for index in range(graphs))
    found = tuple(_break(index, captured[index][0]) for index in range(breaks))
    sizes = tuple(
        VariableSize(PATH, line, f"value_{line}", "f32[32, 128]", "0/0", "") for line in range(1, lines, 2)
    )
    return Capture(
        "capture-1",
        CaptureSpec(TargetSpec("broken.py:model", "/home/me")),
        Environment("2.13.0", "3.11", "Linux"),
        tuple(stages),
        frames=frames,
        breaks=found,
        variables=sizes,
    )


def _bytecode(index: int) -> Stage:
    code = CodeObject("model", PATH, 1, (Instruction("i0", 0, "CALL", "1", 1, 1, 0, 1),))
    return Stage(f"bytecode:{index}", StageKind.BYTECODE, "Bytecode", BytecodeStage(code))


def _graph(index: int) -> Stage:
    nodes = tuple(
        Node(f"relu_{number}", "call_function", "torch.relu", SequenceArgument("tuple", ()))
        for number in range(5)
    )
    return Stage(f"{index}/0:dynamo", StageKind.DYNAMO_GRAPH, "Graph", FxStage(Graph(nodes)), f"{index}/0")


def _frame(index: int, line: int, breaks: int) -> Frame:
    calls = tuple(
        InlinedCall(f"call_{number}", PATH, number + 1, 1 + number % 3, PATH, line, 2)
        for number in range(_CALLS)
    )
    resumed = index % 30  # functions of thirty parts: what resumes after a break hangs deeper each time
    return Frame(
        f"{index}/0",
        f"torch_dynamo_resume_in_model_at_{line}" if resumed else "model",
        PATH,
        line,
        f"bytecode:{index}",
        "",
        f"{index}/0:dynamo",
        f"{index - 1}/0" if resumed else "",
        (f"break-{index}",) if index < breaks else (),
        ("Dynamo began again",),
        guards=12,
        calls=calls,
    )


def _break(index: int, line: int) -> GraphBreak:
    return GraphBreak(
        f"break-{index}",
        f"{index}/0",
        "Failed to trace builtin operator",
        f"Dynamo does not know how to trace builtin operator `print` {index}.",
        "GB0059",
        "Dynamo does not know how to trace this builtin.",
        stack=(SourceLine(PATH, 1, "model"), SourceLine(PATH, line, "model", "torch.relu")),
        instruction=place(f"bytecode:{index}", "i0"),
        sort=tuple(BreakCategory)[index % 4],
        symbolic_stack=(StackValue("NullVariable", "NULL"), StackValue("BuiltinVariable", "print")),
        callee="print",
    )
