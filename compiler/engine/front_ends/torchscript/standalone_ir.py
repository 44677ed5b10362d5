"""TorchScript's IR as a text that stands alone: it can be changed, and run in place of the program."""

import dataclasses
from collections.abc import Callable
from typing import Any

import msgspec
import torch

from compiler.engine.errors import EngineError, failure_from, problem_from
from compiler.engine.front_ends.interface.editable_graphs import GraphHolder
from compiler.engine.front_ends.interface.result import TextAlone
from compiler.engine.front_ends.torchscript.ir_errors import problem_of
from compiler.engine.held_tensors import tensors_in
from compiler.engine.torch_internals.patch.copied_programs import copied_program
from compiler.engine.torch_internals.torchscript.script_text_running import function_of, standing_alone
from compiler.engine.user_program.loading import Program
from compiler.model.ir.diagnostics import Problem, Severity
from compiler.model.ir.ids import StageId, line_id, place
from compiler.model.ir.stage import TextStage


def in_eval(program: Program) -> Program:
    """A copy in eval mode, since its IR is frozen: in training it would hold what changes from run to run."""
    module = program.module
    if module is None:
        return program
    return Program(
        program.kind,
        copied_in_eval(module),
        program.args,
        program.kwargs,
        program.path,
        program.namespace,
    )


def copied_in_eval(module: torch.nn.Module) -> torch.nn.Module:
    """A copy whose state has no history: what a module keeps of a step (snntorch's membranes) cannot be copied with it, and is
    only a value to a graph that is frozen. Raises what copying raises.
    """
    held = [tensor for part in module.modules() for tensor in tensors_in(vars(part)) if not tensor.is_leaf]
    return copied_program(module, {id(tensor): tensor.detach().clone() for tensor in held}).eval()


def standalone_text(scripted: Any) -> tuple[str, list[torch.Tensor]]:
    """The IR with weights as inputs, and the weights. Raises EngineError where there is no such text."""
    try:
        return standing_alone(scripted)
    except (RuntimeError, AttributeError) as error:
        what = "This program's IR cannot be written as a text that stands alone"
        raise failure_from(error, what, "Its stages can be looked at all the same.") from error


@dataclasses.dataclass
class StandingIr:
    """The text, edited or not, with what it comes to."""

    content: TextStage
    graph: Any
    """Torch's graph of it."""
    alone: TextAlone


def standing_ir(
    stage: StageId, program: Program, make: Callable[[Any], Any], graphs: GraphHolder
) -> StandingIr | Problem:
    """The IR of a program in eval mode with the edits of its stage; why there is none, where it cannot be written so.

    Raises EngineError, with the line of the text, where an edited one is wrong.
    """
    try:
        program = in_eval(program)
    except Exception as error:  # noqa: BLE001  the user's module and its __deepcopy__ run here; the graphs before are good
        what = "This program cannot be copied to be switched to eval mode"
        problem = problem_from(error, what, "Its stages can be looked at all the same.")
        return msgspec.structs.replace(problem, severity=Severity.NOTE)
    try:
        own, weights = standalone_text(make(program.callable))
    except EngineError as error:
        return msgspec.structs.replace(error.problem, severity=Severity.NOTE)
    content = graphs.replaced(stage, TextStage(own, "torchscript"))
    try:
        function, graph = function_of(content.text)
        alone = TextAlone(program, _with_weights(function, weights))
        with torch.no_grad(), torch.random.fork_rng(devices=[]):
            alone.call(*program.args, **program.kwargs)
    except RuntimeError as error:
        problem = problem_of(error, content.text)
        if not content.base:
            return msgspec.structs.replace(problem, severity=Severity.NOTE)
        location = place(stage, line_id(problem.line)) if problem.line else place(stage)
        where = f" (line {problem.line})" if problem.line else ""
        what = f"The edited IR does not run{where}: {problem.what}"
        raise EngineError(msgspec.structs.replace(problem, what=what, line=None, place=location)) from error
    return StandingIr(content, graph, alone)


def _with_weights(function: Callable[..., Any], weights: list[torch.Tensor]) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*args, *kwargs.values(), *weights)

    return call
