"""``python -m tests.compiler.engine.causes.fault_sweep [MODEL…]``: every planted fault on every model, and what was named.

Models of transformers have random weights and small sizes; without transformers they are left out. A fault in an operation
that a model does not have changes nothing there, and is not counted.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from compiler.engine.capture.capture import make_capture
from compiler.engine.causes.find_cause import find_cause
from compiler.engine.errors import EngineError
from compiler.engine.recompile.edited_program import EditedProgram
from compiler.model.capture.capture_spec import CaptureSpec, RunOptions, TargetSpec
from compiler.model.experiments.causes import FindCause
from tests.compiler.engine.causes.fault_table import EVERY, Fault

ROOT = Path(__file__).parents[4]
EXAMPLES = ROOT / "resources" / "examples"
PROGRAMS = ROOT / "tests" / "data" / "cause_programs.py"
OWN = {
    "Small": f"{PROGRAMS}:Small",
    "EncoderLayer": f"{EXAMPLES}/transformer_layer.py:EncoderLayer",
    "MLP with dropout": f"{EXAMPLES}/mlp_dropout.py:MLP",
    "conv and batch norm": f"{EXAMPLES}/conv_bn_relu.py:Net",
}
_FROM_TRANSFORMERS = {
    "BERT": "BertConfig(hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=128, vocab_size=200)|BertModel",
    "GPT-2": "GPT2Config(n_embd=64, n_layer=2, n_head=4, vocab_size=200, n_positions=64)|GPT2Model",
    "Llama": "LlamaConfig(hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=128, vocab_size=200)|LlamaModel",
    "RoBERTa": "RobertaConfig(hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=128, vocab_size=200)|RobertaModel",
    "ResNet": "ResNetConfig(embedding_size=8, hidden_sizes=[8, 16], depths=[1, 1], layer_type='basic')|ResNetModel",
    "ViT": "ViTConfig(hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=128, image_size=32, "
    "patch_size=8)|ViTModel",
}
_FILE = """
import torch
import transformers

def model():
    torch.manual_seed(0)
    config = transformers.{config}
    net = transformers.{kind}(config)
    return lambda ids: net(ids).last_hidden_state

program = model()

def example_inputs():
    return ({inputs},)
"""
_IDS, _PIXELS = "torch.randint(5, 190, (2, 16))", "torch.randn(2, 3, 32, 32)"


def main(names: list[str]) -> None:
    """Print a row for each trial, and the counts."""
    with tempfile.TemporaryDirectory() as folder:
        targets = {**OWN, **outside(Path(folder))}
        rows = []
        special = {fault.program for fault in EVERY if fault.program}
        targets |= {name: f"{PROGRAMS}:{name}" for name in sorted(special)}
        for name in names or list(targets):
            for fault in EVERY:
                if fault.program != (name if name in special else ""):
                    continue
                row = _tried(targets[name], fault)
                if row is not None:
                    rows.append(row)
                    print(
                        f"{row[0]:9} {name:20} {fault.name:44} {row[1]:6.1f} s, {row[2]:5.1f} x cold  {row[3]}",
                        flush=True,
                    )
    counts = {kind: sum(row[0] == kind for row in rows) for kind in ("named", "not found", "WRONGLY")}
    print(counts, f"median {statistics.median(row[2] for row in rows):.1f} x one cold compile")


def outside(folder: Path) -> dict[str, str]:
    """Models of transformers, written as files into a folder; none where it is not installed."""
    try:
        import transformers  # noqa: F401
    except ImportError:
        return {}
    found = {}
    for name, words in _FROM_TRANSFORMERS.items():
        config, _, kind = words.partition("|")
        path = folder / f"{name.replace('-', '').lower()}.py"
        path.write_text(
            _FILE.format(config=config, kind=kind, inputs=_PIXELS if name in ("ResNet", "ViT") else _IDS)
        )
        found[name] = f"{path}:program"
    return found


def _tried(target: str, fault: Fault) -> tuple[str, float, float, str] | None:
    """(named, not found or wrongly named; seconds; times a cold compile; what was said); None where nothing is wrong."""
    run = RunOptions(gradients=True)
    with fault.plant():
        try:
            program = EditedProgram(
                make_capture(CaptureSpec(TargetSpec(target), run=run), "c1", lambda text: None)
            )
            started = time.perf_counter()
            found = find_cause(program, FindCause("c1"), lambda text: None)
        except EngineError as error:
            return "not found", 0.0, 0.0, error.problem.what[:100]
    seconds = time.perf_counter() - started
    if not found.wrong and not fault.program:
        return None
    kind = "named" if fault.is_named(found) else "WRONGLY" if found.kind else "not found"
    return kind, seconds, seconds / max(program.base.capture.seconds, 1e-9), found.sentence[:160]


if __name__ == "__main__":
    main(sys.argv[1:])
