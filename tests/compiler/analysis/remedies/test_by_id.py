"""Remedies know breaks by torch's ids: every id is one that the registry of the running torch has, and words change nothing."""

import ast
import importlib.util
import json
from pathlib import Path

import msgspec
import pytest
from torch import __version__ as torch_version

import compiler.analysis.remedies as remedies_package
from compiler.analysis.remedies import remedies_for
from compiler.model.capture.capture import Capture, Environment
from compiler.model.capture.capture_spec import CaptureSpec, CompileOptions, RunOptions, TargetSpec
from compiler.model.capture.frames import GraphBreak
from compiler.model.capture.guards import FailedGuard, RecompileRecord, TriedEntry
from compiler.model.graph_breaks import break_summary, registry_ids
from compiler.model.graph_breaks.registry_ids import KNOWN, id_of_text, release
from compiler.model.ir.graph import SourceLine
from compiler.model.ir.programs import FileOwner, SourceFile
from compiler.model.ir.stage import SourceStage, Stage, StageKind

SOURCE = """import torch

def helper(x):
    if x.sum() > 0:
        y = x * float(x.max())
    else:
        y = x
    return y

def f(x, k, net):
    z = helper(x)
    y = net[k](x)
    print("shout")
    return y + z
"""
LINES = (4, 11, 12, 13)
WORDLESS = {"kind", "reason", "explanation", "context", "hints"}


def registry() -> dict[str, list[dict[str, object]]]:
    spec = importlib.util.find_spec("torch")
    assert spec.origin is not None
    path = Path(spec.origin).parent / "_dynamo" / "graph_break_registry.json"
    found: dict[str, list[dict[str, object]]] = json.loads(path.read_text())
    return found


def unknown_ids(known: dict[str, registry_ids.KnownBreak], torch: tuple[int, int]) -> list[str]:
    """Rows that this torch's registry has not, or has under other words."""
    there = registry()
    return [
        registry_id
        for registry_id, row in known.items()
        if torch >= row.since
        and row.words not in [str(entry["Gb_type"]) for entry in there.get(registry_id, ())]
    ]


def literal_ids(path: Path) -> set[str]:
    """Ids that a file spells out."""
    nodes = ast.walk(ast.parse(path.read_text()))
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return {text for text in texts if text.startswith("GB") and text[2:].isdigit()}


def words_read(text: str) -> list[int]:
    """Lines that read the words of a break."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and node.attr in WORDLESS and not isinstance(node.ctx, ast.Store)
    ]


def capture_with_break(item: GraphBreak, torch: str, source: str = SOURCE) -> Capture:
    file = SourceFile("/m.py", source, standing=FileOwner.MINE)
    return Capture(
        "c",
        CaptureSpec(TargetSpec("/m.py:f"), CompileOptions(), RunOptions()),
        Environment(torch, "3.11", "here"),
        (Stage("source:m", StageKind.SOURCE, "m.py", SourceStage(file)),),
        breaks=(item,),
    )


def titles(item: GraphBreak, torch: str = torch_version) -> list[str]:
    return [remedy.title for remedy in remedies_for(capture_with_break(item, torch), item)]


def break_of(registry_id: str, line: int, kind: str, reason: str) -> GraphBreak:
    stack = (SourceLine("/m.py", 11, "f"), SourceLine("/m.py", line, "helper"))
    return GraphBreak("break-1", "0/0", kind, reason, registry_id, stack=stack)


def test_every_id_is_in_the_registry_of_this_torch_under_its_words() -> None:
    assert unknown_ids(KNOWN, release(torch_version)) == []
    planted = {"GB9999": registry_ids.KnownBreak("no such break")}
    assert unknown_ids(planted, release(torch_version)) == ["GB9999"]


def test_rows_that_are_newer_than_this_torch_are_not_in_its_registry() -> None:
    newer = [key for key, row in KNOWN.items() if row.since > release(torch_version)]
    assert not [key for key in newer if key in registry()]


def test_ids_are_spelled_out_in_one_place_and_words_are_read_nowhere() -> None:
    for path in Path(str(remedies_package.__file__)).parent.glob("*.py"):
        assert not literal_ids(path), path
        assert not words_read(path.read_text()), path
    assert words_read("if 'item' in item.kind: pass") == [1]
    assert literal_ids(Path(str(registry_ids.__file__))) == set(KNOWN)


def test_words_of_a_break_change_no_remedy() -> None:
    """Every id of this torch's registry, as torch words it and as nobody does."""
    for registry_id, entries in registry().items():
        for line in LINES:
            said = {
                tuple(titles(break_of(registry_id, line, str(entry["Gb_type"]), str(entry["Explanation"]))))
                for entry in entries
            }
            said.add(tuple(titles(break_of(registry_id, line, "worded anew", "nobody says this"))))
            assert len(said) == 1, (registry_id, line, said)


@pytest.mark.parametrize(
    ("line", "left_out"),
    [
        ("print(x.sum().item())", True),
        ("logging.info('%s', x)", True),
        ("torch.cuda.synchronize()", True),
        ("pyro.sample('z', normal, obs=x)", False),
        ("visit(x)", False),
        ("print(next(batches))", False),
        ("print(total := x.sum())", False),
    ],
)
def test_only_what_says_waits_or_tidies_up_may_be_left_out(line: str, left_out: bool) -> None:
    """*Remove pyro.sample*: the value is thrown away, and the loss is another one without the call."""
    item = GraphBreak("b", "0/0", "", "", registry_ids.CALLED_SKIPPED, stack=(SourceLine("/m.py", 4, "f"),))
    text = f"import torch\n\ndef f(x, y):\n    {line}\n    y = x * 2\n    return y + x\n"
    offered = [remedy.title for remedy in remedies_for(capture_with_break(item, torch_version, text), item)]
    for words in ("Remove ", "Call "):
        assert any(title.startswith(words) for title in offered) is left_out, offered
    assert any(title.startswith("Move ") for title in offered)


def test_words_alone_give_no_remedy_of_a_break() -> None:
    for registry_id, row in KNOWN.items():
        nameless = titles(break_of("", 4, row.words, row.words))
        assert nameless == titles(break_of("GB0000", 4, "", "")), registry_id


def test_a_summary_is_by_id_too() -> None:
    for registry_id in break_summary._BY_ID:
        item = break_of(registry_id, 4, "worded anew", "")
        assert break_summary.describe(item) != "worded anew"
    called = msgspec.structs.replace(break_of(registry_ids.FUNCTION_CALL, 4, "anew", ""), callee="sleep")
    assert break_summary.describe(called) == "Dynamo does not know how to call sleep()"


def test_older_words_are_known_where_a_log_has_no_id() -> None:
    assert id_of_text("Dynamo cache limit exceeded") == registry_ids.RECOMPILE_LIMIT
    assert id_of_text("Data-dependent branching") == registry_ids.BRANCH_ON_TENSOR
    assert id_of_text("anything") == ""


@pytest.mark.parametrize(
    ("version", "switch", "nonstrict"),
    [
        ("2.11.0", False, "torch._dynamo.nonstrict_trace"),
        ("2.13.0+cpu", False, "torch._dynamo.nonstrict_trace"),
        ("2.14.1+cu130", True, "torch.compiler.nonstrict_trace"),
        ("2.15.0", True, "torch.compiler.nonstrict_trace"),
        ("", False, ""),
    ],
)
def test_what_a_torch_has_not_is_not_offered(version: str, switch: bool, nonstrict: str) -> None:
    found = titles(break_of(registry_ids.MODULE_BY_TENSOR, 12, "", ""), version)
    assert ("Choose with torch.switch" in found) is switch
    item = break_of(registry_ids.GENERATOR, 5, "", "")
    remedies = remedies_for(capture_with_break(item, version), item)
    by = [getattr(remedy.change, "by", "") for remedy in remedies if remedy.title.startswith("Trace helper")]
    assert by == ([nonstrict] if nonstrict else [])


def test_versions_are_read() -> None:
    assert release("2.15.0+cu132") == (2, 15)
    assert release("2.16.0a0+git123") == (2, 16)
    assert release("") == release("main") == (0, 0)


def test_a_setting_is_offered_for_operators_that_it_takes_in_only() -> None:
    """capture_scalar_outputs makes a number of a tensor a symbol; torch.equal stays outside of a graph."""
    item = break_of(registry_ids.DATA_DEPENDENT_OPERATOR, 4, "", "")
    wanted = "Set capture_scalar_outputs"
    assert wanted in titles(item)
    assert wanted in titles(msgspec.structs.replace(item, context="aten._local_scalar_dense.default"))
    assert wanted not in titles(msgspec.structs.replace(item, context="aten.equal.default"))
    assert wanted not in titles(break_of(registry_ids.TOLIST, 4, "", "")), (
        "torch takes lists of whole numbers only"
    )


def test_a_class_is_not_put_into_a_graph_unseen() -> None:
    item = break_of(registry_ids.CALLED_SKIPPED, 11, "", "")
    for name, offered in (("apply", True), ("__init__", False)):
        inner = SourceLine("/library.py", 5, name)
        found = titles(msgspec.structs.replace(item, stack=(SourceLine("/m.py", 11, "f"), inner)))
        assert ("Put helper into the graph unseen" in found) is offered


@pytest.mark.parametrize("call", ["s.rnn(x)", "x.relu()", "made(x)", "helper(s.net(x))"])
def test_only_what_a_file_names_is_put_into_a_graph_unseen(call: str) -> None:
    """An argument's attribute is found in no file, whatever `self` is called."""
    item = msgspec.structs.replace(
        break_of(registry_ids.CALLED_SKIPPED, 3, "", ""), stack=(SourceLine("/m.py", 3, "f"),)
    )
    text = f"def f(s, x):\n    made = s.make()\n    y = {call}\n    return y\n"
    found = [row.title for row in remedies_for(capture_with_break(item, torch_version, text), item)]
    unseen = [title for title in found if title.endswith("into the graph unseen")]
    assert unseen == (["Put helper into the graph unseen"] if "helper" in call else [])


@pytest.mark.parametrize(
    ("call", "offered"),
    [
        ("logger.info('x')", True),
        ("self._log.debug('x')", True),
        ("self.log('loss', x)", False),
        ("torch.log(x)", False),
    ],
)
def test_only_calls_of_loggers_are_left_out_as_such(call: str, offered: bool) -> None:
    """`self.log` of Lightning is no logger's, and no setting of torch's leaves it out."""
    item = msgspec.structs.replace(
        break_of(registry_ids.CALLED_DISABLED, 2, "", ""), stack=(SourceLine("/m.py", 2, "f"),)
    )
    capture = capture_with_break(item, torch_version, f"def f(self, x, logger):\n    {call}\n    return x\n")
    assert any(row.title.startswith("Leave") for row in remedies_for(capture, item)) is offered


@pytest.mark.parametrize(
    ("registry_id", "offered"),
    [
        (registry_ids.BRANCH_ON_TENSOR, False),
        (registry_ids.BRANCH_ON_VALUE, False),
        (registry_ids.ITEM, False),
        (registry_ids.BUILTIN, True),
        (registry_ids.CALLED_SKIPPED, True),
    ],
)
def test_a_print_is_put_off_only_where_it_is_what_breaks(registry_id: str, offered: bool) -> None:
    source = "def f(x):\n    print(x) if x.mean().item() > 1 else None\n    return x + 1\n"
    item = break_of(registry_id, 2, "", "")
    found = [row.title for row in remedies_for(capture_with_break(item, torch_version, source), item)]
    assert ("Let print run after the graph" in found) is offered


@pytest.mark.parametrize(
    ("call", "kinds", "offered"),
    [
        ('print("at", x)', ("constant.ConstantVariable", "tensor.TensorVariable"), True),
        ('print("at", x.shape)', ("constant.ConstantVariable", "lists.SizeVariable"), False),
        ('print("at", k)', ("constant.ConstantVariable", "lists.TupleVariable"), False),
        ('print("at", flush=True)', ("constant.ConstantVariable",), False),
        ('warnings.warn(f"at {x.shape}")', (), True),
        ('warnings.warn("at", UserWarning)', (), False),
    ],
)
def test_a_print_is_put_off_only_with_what_dynamo_remembers(
    call: str, kinds: tuple[str, ...], offered: bool
) -> None:
    """Torch refuses the rest: *attempted to reorder a debugging function that can't actually be reordered*."""
    held = ", ".join(f"<class 'torch._dynamo.variables.{kind}'>" for kind in kinds)
    item = msgspec.structs.replace(
        break_of(registry_ids.BUILTIN, 2, "", ""),
        context=f"builtin print [{held}] False" if kinds else "module: _warnings",
    )
    found = [
        row.title
        for row in remedies_for(capture_with_break(item, torch_version, f"def f(x, k):\n    {call}\n"), item)
    ]
    assert any(title.endswith("run after the graph") for title in found) is offered


def test_a_setting_that_torch_names_is_offered_where_one_id_stands_for_many_reasons() -> None:
    """Recurrent layers of torch 2.15."""
    words = "Reason: Dynamo does not support RNN. Set torch._dynamo.config.allow_rnn=True to enable experimental support"
    assert "Set allow_rnn" in titles(break_of(registry_ids.FUNCTION_CALL_DELAYED, 11, "delayed", words))
    assert not [
        title
        for title in titles(break_of(registry_ids.FUNCTION_CALL_DELAYED, 11, "delayed", "Reason: no"))
        if title.startswith("Set ")
    ]


@pytest.mark.parametrize(
    ("call", "offered"),
    [
        ("loss.backward()", False),
        ("scaler.scale(loss).backward()", False),
        ("opt.step()", False),
        ("opt.zero_grad(set_to_none=True)", False),
        ("nn.utils.clip_grad_norm_(net.parameters(), 1.0)", False),
        ("cache.index_copy_(0, pos, x)", False),
        ("print(loss)", True),
    ],
)
def test_the_work_of_a_step_is_neither_moved_nor_left_out(call: str, offered: bool) -> None:
    """`loss.backward()` behind `opt.step()`, or taken out, is another program."""
    source = f"import torch\ndef f(loss, opt, x):\n    {call}\n    show(x)\n    return x\n"
    item = msgspec.structs.replace(
        break_of(registry_ids.CALLED_SKIPPED, 3, "", ""), stack=(SourceLine("/m.py", 3, "f"),)
    )
    rows = remedies_for(capture_with_break(item, torch_version, source), item)
    by = {row.title.split()[0]: row.caution for row in rows}
    assert ({"Move", "Call", "Remove"} <= by.keys()) is offered
    assert offered or not {"Move", "Call", "Remove"} & by.keys()
    assert by.get("Move") != ""


@pytest.mark.parametrize(
    "call", ["kept.append(x.item())", "seen[0].update(loss=float(x))", "setattr(net, 'last', x.item())"]
)
def test_what_the_program_keeps_is_written_later_but_not_left_out(call: str) -> None:
    source = f"import torch\ndef f(kept, seen, net, x):\n    {call}\n    y = x + 1\n    return y\n"
    item = msgspec.structs.replace(
        break_of(registry_ids.ITEM, 3, "", ""), stack=(SourceLine("/m.py", 3, "f"),)
    )
    found = {
        row.title.split()[0] for row in remedies_for(capture_with_break(item, torch_version, source), item)
    }
    assert "Move" in found
    assert not {"Call", "Remove"} & found


@pytest.mark.parametrize(
    ("failed", "offered"),
    [
        (("x: size of dimension 0: expected 8, got 2", "L['n'] == 3, but now 4"), True),
        (("x: size of dimension 0: expected 8, got 2", "len(L['self'].seen) == 5, but now length 6"), False),
        (("L['self'].step == 3, but now 4",), False),  # a number that a module keeps is no symbol
        ((), True),  # a log does not tell
    ],
)
def test_dynamic_shapes_are_offered_where_sizes_were_why(failed: tuple[str, ...], offered: bool) -> None:
    guards = tuple(FailedGuard("x", "EQUALS_MATCH", "", reason) for reason in failed)
    record = RecompileRecord("0/1", "f", (TriedEntry("0/0", guards),))
    other = RecompileRecord(
        "1/1", "g", (TriedEntry("1/0", (FailedGuard("x", "", "", "size of dimension"),)),)
    )
    item = break_of(registry_ids.RECOMPILE_LIMIT, 11, "", "")
    capture = msgspec.structs.replace(capture_with_break(item, torch_version), recompiles=(record, other))
    found = [row.title for row in remedies_for(capture, item)]
    assert "Raise the recompile limit" in found
    assert ("Compile with dynamic shapes" in found) is offered
