"""Models of installed packages, random weights, train and eval: each opens, or says why in one message.

Run with the interpreter whose packages are meant (``PYTHONPATH=. …/bin/python -m tests.endurance --part models``); what is not
installed is skipped and named.
"""

import importlib.util
import os
import subprocess
import sys
import time
from pathlib import Path

from compiler.analysis.session_file.session_file import read_session
from tests.endurance.real_files import ROOT
from tests.endurance.report import Row

_PROGRAM = """import torch
{imports}
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.model = {make}
    def forward(self, *inputs):
        made = self.model(*inputs)
        return made if isinstance(made, torch.Tensor) else made[0]
def example_inputs():
    return ({inputs},)
"""
_HF = "hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64, vocab_size=100"
_IDS = "torch.randint(0, 100, (2, 12))"
_IMAGES = "torch.randn(2, 3, 64, 64)"
_Model = tuple[str, str, str]
"""(name, what makes it, its inputs)"""
_TIMM = (
    "resnet10t", "resnet18", "mobilenetv3_small_050", "efficientnet_lite0", "regnetx_002", "convnext_atto", "ghostnet_050",
    "densenet121", "vgg11", "squeezenet1_0", "mixnet_s", "repvgg_a0", "edgenext_xx_small", "hardcorenas_a",
)  # fmt: skip
_VISION = ("alexnet", "googlenet", "mnasnet0_5", "shufflenet_v2_x0_5", "mobilenet_v2", "resnext50_32x4d")
_TRANSFORMERS = (
    "Bert", "Roberta", "Electra", "Albert", "DistilBert", "Llama", "Mistral", "Qwen2", "Gemma", "Phi", "Mixtral", "GPTNeoX",
    "Mamba", "Falcon", "StableLm", "Starcoder2", "Cohere", "Olmo",
)  # fmt: skip
_OTHERS: dict[str, tuple[_Model, ...]] = {
    "diffusers": (
        ("UNet2DModel", "diffusers.UNet2DModel(sample_size=16, block_out_channels=(32, 64), layers_per_block=1, "
         "down_block_types=('DownBlock2D', 'AttnDownBlock2D'), up_block_types=('AttnUpBlock2D', 'UpBlock2D'))",
         "torch.randn(1, 3, 16, 16), 3"),
    ),
    "x_transformers": (
        ("Encoder", "x_transformers.TransformerWrapper(num_tokens=100, max_seq_len=32, "
         "attn_layers=x_transformers.Encoder(dim=32, depth=2, heads=2))", _IDS),
        ("Decoder", "x_transformers.TransformerWrapper(num_tokens=100, max_seq_len=32, "
         "attn_layers=x_transformers.Decoder(dim=32, depth=2, heads=2))", _IDS),
    ),
}  # fmt: skip


def models() -> dict[str, tuple[_Model, ...]]:
    """By package."""
    heads = {
        "Gemma": f"{_HF}, head_dim=16, num_key_value_heads=2",
        "Mamba": "hidden_size=32, num_hidden_layers=2, state_size=4, vocab_size=100",
    }
    hf = tuple(
        (name, f"transformers.AutoModel.from_config(transformers.{name}Config({heads.get(name, _HF)}))", _IDS)
        for name in _TRANSFORMERS
    )
    timm = tuple((name, f"timm.create_model('{name}', num_classes=10)", _IMAGES) for name in _TIMM)
    vision = tuple((name, f"torchvision.models.{name}(weights=None)", _IMAGES) for name in _VISION)
    return {"transformers": hf, "timm": timm, "torchvision": vision, **_OTHERS}


def run(scale: float, folder: Path, planted: str = "") -> Row:
    """Capture every n-th of them. `planted`: a program instead, that ends its process without a word."""
    faults: list[str] = []
    rows: list[str] = []
    skipped: list[str] = []
    chosen = {"torch": (("planted", planted, "torch.ones(1)"),)} if planted else models()
    opened = told = 0
    for package, listed in chosen.items():
        if importlib.util.find_spec(package) is None:
            skipped.append(f"{package} ({len(listed)})")
            continue
        for name, make, inputs in listed[:: max(round(1 / scale), 1)]:
            for train in (False, True):
                result = _opened(folder, package, name, make, inputs, train, faults)
                opened, told = opened + (not result[1]), told + bool(result[1])
                rows.append(f"{package} {name} {'train' if train else 'eval'}: {result[0]}")
                sys.stdout.write(f"  {rows[-1]}\n")
                sys.stdout.flush()
    absent = f"; not installed here, so skipped: {', '.join(skipped)}" if skipped else ""
    return Row(f"{opened} opened, {told} told why not{absent}. " + "; ".join(rows), tuple(faults))


def _opened(
    folder: Path, package: str, name: str, make: str, inputs: str, train: bool, faults: list[str]
) -> tuple[str, bool]:
    """What became of it, in words, and whether it did not open."""
    (folder / "program.py").write_text(_PROGRAM.format(imports=f"import {package}", make=make, inputs=inputs))
    made = folder / "made.loupe"
    made.unlink(missing_ok=True)
    command = [
        sys.executable,
        "-m",
        "torch_loupe",
        "capture",
        "program.py:Model",
        "-o",
        str(made),
        *["--train"] * train,
    ]
    began = time.monotonic()
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=1200,
    )
    seconds = time.monotonic() - began
    messages = [line for line in done.stderr.splitlines() if line.startswith("loupe: ")]
    if made.exists():
        data = read_session(made)
        if data.left_out or not data.captures:
            faults.append(f"{package} {name}: what was saved does not open: {data.left_out}")
        graphs = sum(stage.graph is not None for capture in data.captures for stage in capture.stages)
        return f"{graphs} graphs, {seconds:.0f} s", False
    errors = [line for line in messages if "The program changed the process" not in line]
    if len(errors) != 1 or done.returncode not in (1, 2) or "Traceback" in done.stderr.replace("loupe: ", ""):
        faults.append(
            f"{package} {name}: exit {done.returncode}, {len(errors)} messages: {done.stderr[-300:]}"
        )
    return (errors[0].removeprefix("loupe: ")[:160] if errors else f"exit {done.returncode}"), True
