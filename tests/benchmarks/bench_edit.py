"""Edit to fresh result ÷ a cold compile, for an edit of the Dynamo graph and of the post-grad graph."""

import contextlib
import io

from torch._inductor.utils import fresh_cache

from compiler.engine.capturing import make_capture
from compiler.engine.recompiling import EditedProgram
from compiler.model.arguments import SequenceArgument
from compiler.model.edits import Edit, ReplaceTarget
from compiler.model.graph import Graph
from compiler.model.ids import StageId
from tests.benchmarks.bench_capture import plain, spec_of
from tests.benchmarks.measuring import line, ratio, timed


def swap(stage: StageId, graph: Graph, wanted: tuple[str, ...], target: str) -> Edit:
    """Replace the first node that calls one of `wanted`."""
    node = next(
        node for node in graph.nodes if node.target.rpartition(".")[2] in wanted or node.target in wanted
    )
    return ReplaceTarget(
        stage, node.id, "call_function", target, SequenceArgument("tuple", node.args.items[:1])
    )


def main(repeats: int = 5) -> None:
    """Print the figures."""
    print(
        "Edit to fresh result against a cold compile (kernels of the edited part built anew, the run included)"
    )
    cases = {
        "mlp_dropout.py:MLP": ("relu", "aten.relu.default"),
        "transformer_layer.py:EncoderLayer": ("gelu", "aten.exp.default"),
    }
    for name, (torch_op, aten_op) in cases.items():
        spec = spec_of(name)
        cold: list[float] = []
        fx: list[float] = []
        post_grad: list[float] = []
        undone: list[float] = []
        with contextlib.redirect_stdout(io.StringIO()):
            for _ in range(repeats):
                with fresh_cache():
                    cold.append(timed(lambda: plain(spec)))
                with fresh_cache():
                    live = make_capture(spec, "capture-1", lambda text: None)
                    program = EditedProgram(live)

                    def fresh_result(edits: tuple[Edit, ...]) -> None:
                        program.recompile(edits, "capture-2", lambda text: None)
                        live.stepper.step(live.compiled)

                    stage = "0/0:dynamo"
                    edit = swap(stage, program.base_graph(stage, ()), (torch_op,), "torch.tanh")
                    fx.append(timed(lambda: fresh_result((edit,))))
                    undone.append(timed(lambda: fresh_result(())))
                    stage = "0/0:forward:post_grad"
                    edit = swap(stage, program.base_graph(stage, ()), (aten_op,), "aten.tanh.default")
                    post_grad.append(timed(lambda: fresh_result((edit,))))
        line(f"{name}: cold compile", cold)
        line(f"{name}: Dynamo graph edit to result", fx)
        line(f"{name}: post-grad edit to result", post_grad)
        line(f"{name}: undo to result", undone)
        ratio(f"{name}: Dynamo graph edit ÷ cold", fx, cold, "≤ 0.5")
        ratio(f"{name}: post-grad edit ÷ cold", post_grad, cold, "≤ 0.25")


if __name__ == "__main__":
    main()
