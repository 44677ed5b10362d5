"""A number and its word are reported by `counted`, so that nobody reads *1 kernels*."""

import ast
import re
from collections.abc import Iterator

from tests.helpers.our_sources import ROOT, trees

_NOUNS = (
    "break buffer compile edit edge element example file graph guard iteration item kernel lane line link microbatch node "
    "operation operator probe process recompile result round row stage step tensor thread thing trial"
)
_MANY = re.compile(rf"^ (?:[a-z]+ )?(?:{'|'.join(_NOUNS.split())})(?:s|es)\b")
_OF = re.compile(r"\b(?:of|of its|first|last|other) $")
_OTHERS = {
    "compiler/analysis/diff/diff_summary.py": "numbers with signs, as text",
    "compiler/analysis/running/run_summary.py": "a storm is of four compiles or more",
    "compiler/analysis/timing/roofline.py": "a number as text, of thousands",
    "compiler/analysis/torch_logs/log_stages.py": "a name",
    "compiler/command_line/reports/break_reports.py": "a time",
    "compiler/command_line/reports/diff_reports.py": "signs",
    "compiler/command_line/reports/log_report.py": "names of ranks",
    "compiler/command_line/reports/pipeline_report.py": "microbatches, of which a pipeline has several",
    "compiler/engine/causes/inductor_search.py": "fewer than four are named",
    "compiler/engine/causes/slow_search.py": "one guard is told by its code",
    "compiler/engine/cross_compile/fake_loading.py": "a name",
    "compiler/engine/cross_compile/graph_on_cpu.py": "a node too large to be interpreted",
    "compiler/engine/cross_compile/parallel/pipeline_stage.py": "stages, of which a pipeline has several",
    "compiler/engine/front_ends/lazy_tensor/lazy_tensors.py": "one has a sentence of its own",
    "compiler/engine/stages/generated_kernels.py": "a name",
    "compiler/engine/torch_internals/distributed/pipeline_order.py": "stages, of which a pipeline has several",
    "compiler/engine/torch_internals/dynamo/instruction_origins.py": "an error in our own books",
    "compiler/model/export/check_file.py": "a name",
    "compiler/model/export/edit_function.py": "one edit has another sentence",
    "compiler/model/prediction/parallel_plan.py": "limits",
    "compiler/model/edits/node_edits.py": "more than four",
    "compiler/model/diagrams/equal_blocks.py": "beside compiler.model.capture; a layer has several nodes",
    "compiler/processes/own_cache.py": "below compiler.model",
}
"""Files where what stands before such a word is no number, or always more than one."""


def test_no_number_stands_before_a_word_in_the_plural() -> None:
    found = []
    for path, tree in trees(("compiler",), 'f"'):
        name = str(path.relative_to(ROOT))
        if name not in _OTHERS:
            found += [f"{name}:{line}: {words}" for line, words in _counts(tree)]
    assert not found, "\n".join(found)


def test_a_word_in_the_plural_is_found() -> None:
    text = 'f"{len(nodes)} nodes"; f"{number:,} graph breaks"; f"{seconds} s"; f"{one} of {len(edits)} edits"; f"{counted(n, 1)}"'
    assert [words for _, words in _counts(ast.parse(text))] == ["{len(nodes)} nodes", "{number} graph breaks"]


def _counts(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.JoinedStr):
            continue
        for index, part in enumerate(node.values[:-1]):
            after, before = node.values[index + 1], node.values[index - 1] if index else None
            if not isinstance(part, ast.FormattedValue) or not isinstance(after, ast.Constant):
                continue
            words = _MANY.match(str(after.value))
            if words is None or (isinstance(before, ast.Constant) and _OF.search(str(before.value))):
                continue
            yield node.lineno, f"{{{ast.unparse(part.value)}}}{words[0]}"
