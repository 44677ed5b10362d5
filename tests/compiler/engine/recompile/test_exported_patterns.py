"""A pattern kept as a registration of torch's own generates the kernels that the window's replacement generated."""

import re
from pathlib import Path

import pytest
import torch
from torch._inductor.utils import run_and_get_code

from compiler.analysis.text_format.parser import parse_graph
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.engine.recompile.pattern_search import find_matches
from compiler.engine.stage_ids import split
from compiler.model.edits.patterns import pattern_of, replace_matches
from compiler.model.export import pattern_files
from compiler.model.ir.graph import Graph
from compiler.model.ir.stage import KernelStage
from tests.compiler.analysis.text_format.test_parser import printed
from tests.compiler.engine.conftest import capture
from tests.helpers.exported_tests import run_exported
from tests.helpers.module_from_file import module_from

pytestmark = pytest.mark.engine
KERNEL = re.compile(r"async_compile\.(?!wait)\w+\(.*?[']{3}(.*?)[']{3}", re.DOTALL)


def _replacement(pattern: Graph, call: str) -> Graph:
    """The pattern's text with its last call exchanged for another one of its first input."""
    text = printed(pattern)
    last = pattern.nodes[-2].id
    line = next(line for line in text.split("\n") if f"    {last} = " in line)
    first = next(node.id for node in pattern.nodes if node.op == "placeholder")
    found = parse_graph(text.replace(line, f"    {last} = {call}({first})"), pattern).graph
    assert found is not None
    return found


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("stage", "target", "call"),
    [
        ("0/0:dynamo", "relu", "torch.nn.functional.silu"),
        ("0/0:pre_grad", "relu", "torch.tanh"),
        ("0/0:joint", "relu", "torch.ops.aten.sin.default"),
        ("0/0:forward:aot", "relu", "torch.ops.aten.cos.default"),
        ("0/0:forward:post_grad", "relu", "torch.ops.aten.tanh.default"),
    ],
)
def test_the_registered_pattern_generates_what_the_window_did(
    stage: str, target: str, call: str, tmp_path: Path
) -> None:
    edited = EditedProgram(capture("mlp.py:MLP", training=True))
    _, graph = edited.edited_module(stage, ())
    chosen = next(node.id for node in graph.nodes if target in node.target)
    pattern = pattern_of(graph, (chosen,))
    replacement = _replacement(pattern, call)
    found = find_matches(edited, stage, pattern, ())
    assert found.matches
    files = pattern_files(
        "mine", edited.base.capture, split(stage)[2], pattern, replacement, len(found.matches)
    )
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    groups = tuple(
        replace_matches(
            one,
            edited.edited_module(one, ())[1],
            pattern,
            tuple(match for match in found.matches if match.stage == one),
            replacement,
        )
        for one in dict.fromkeys(match.stage for match in found.matches)
    )
    made = edited.recompile(groups, "capture-2", lambda text: None)
    wanted = [
        kernel.source.strip()
        for row in made.stages
        if isinstance(row.content, KernelStage)
        for kernel in {kernel.name: kernel for kernel in row.kernels}.values()
        if kernel.source
    ]
    module = module_from(tmp_path / "mine.py")
    torch._dynamo.reset()
    uncached = torch._functorch.config.patch(enable_autograd_cache=False)
    with torch._inductor.config.patch(fx_graph_cache=False), uncached:
        compiled = module.compile(edited.base.program.callable)
        _, texts = run_and_get_code(lambda: edited.base.stepper.compared_step(compiled))
    assert len(module.REPLACED) == len(found.matches)
    sources = [source.strip() for text in texts for source in KERNEL.findall(text)]
    assert sorted(sources) == sorted(wanted)
    if stage == "0/0:forward:aot":
        assert "1 passed" in run_exported(tmp_path, "test_mine.py")
