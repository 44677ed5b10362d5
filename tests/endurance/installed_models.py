"""Models of installed packages, random weights, train and eval: each opens, or says why in one message.

Run with the interpreter whose packages are meant (``PYTHONPATH=. …/bin/python -m tests.endurance models``), folders of packages
behind the first on the path; what is not installed is skipped and named. With ``--resume`` only what has no row on the page.
"""

import importlib.util
import os
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path

from compiler.analysis.session_file.session_file import SessionFileError, read_session
from tests.endurance.real_files import ROOT
from tests.endurance.report import PAGE, Row, cell, section_lines, today, write_section
from tests.helpers.finished_process import ran

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
_EAGER = "import program; program.Model()(*program.example_inputs())"
TITLE = "Models of installed packages"
_HEAD = (
    "Random weights, one capture each (`python -m tests.endurance models`): graphs in the file and seconds of the whole command,",
    "or the one message that says why not.",
    "",
    "| model | eval | train | when, where |",
    "|---|---|---|---|",
)
_HF = "hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64, vocab_size=100"
_IDS = "torch.randint(0, 100, (2, 12))"
_IMAGES = "torch.randn(2, 3, 64, 64)"
_Model = tuple[str, str, str]
"""(name, what makes it, its inputs)"""
_TIMM = (
    "resnet10t", "resnet18", "mobilenetv3_small_050", "efficientnet_lite0", "regnetx_002", "convnext_atto", "ghostnet_050",
    "densenet121", "vgg11", "mixnet_s", "repvgg_a0", "edgenext_xx_small", "hardcorenas_a",
)  # fmt: skip
_VISION = (
    "squeezenet1_0",
    "alexnet",
    "googlenet",
    "mnasnet0_5",
    "shufflenet_v2_x0_5",
    "mobilenet_v2",
    "resnext50_32x4d",
)
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
    "vit_pytorch": (
        ("ViT", "vit_pytorch.ViT(image_size=64, patch_size=16, num_classes=10, dim=32, depth=2, heads=2, mlp_dim=64)", _IMAGES),
        ("SimpleViT", "vit_pytorch.SimpleViT(image_size=64, patch_size=16, num_classes=10, dim=32, depth=2, heads=2, mlp_dim=64)",
         _IMAGES),
    ),
    "vector_quantize_pytorch": (
        ("VectorQuantize", "vector_quantize_pytorch.VectorQuantize(dim=32, codebook_size=64)", "torch.randn(2, 12, 32)"),
    ),
    "torch_geometric": (
        ("GCN", "torch_geometric.nn.GCN(16, 32, 2, 4)", "torch.randn(20, 16), torch.randint(0, 20, (2, 60))"),
    ),
    "kornia": (
        ("HardNet8", "kornia.feature.HardNet8(pretrained=False)", "torch.randn(4, 1, 32, 32)"),
    ),
}  # fmt: skip


def models() -> dict[str, tuple[_Model, ...]]:
    """By package."""
    heads = {
        "Gemma": f"{_HF}, head_dim=16, num_key_value_heads=2",
        **dict.fromkeys(("Mistral", "Qwen2", "Mixtral", "StableLm"), f"{_HF}, num_key_value_heads=2"),
        "Mamba": "hidden_size=32, num_hidden_layers=2, state_size=4, vocab_size=100",
    }
    hf = tuple(
        (name, f"transformers.AutoModel.from_config(transformers.{name}Config({heads.get(name, _HF)}))", _IDS)
        for name in _TRANSFORMERS
    )
    timm = tuple((name, f"timm.create_model('{name}', num_classes=10)", _IMAGES) for name in _TIMM)
    vision = tuple((name, f"torchvision.models.{name}(weights=None)", _IMAGES) for name in _VISION)
    return {"transformers": hf, "timm": timm, "torchvision": vision, **_OTHERS}


def run(
    scale: float,
    folder: Path,
    planted: str = "",
    page: Path | None = None,
    limit_s: float = 1200,
    resume: bool = False,
) -> Row:
    """Capture every n-th of them; each is reported on stdout, and noted on the page, as soon as it is done. `planted`: a program instead
    (what makes it, or its first lines before ``;;``). `resume`: those on the page are not captured again.
    """
    faults: list[str] = []
    skipped: list[str] = []
    chosen = {"torch": (("planted", planted, "torch.ones(1)"),)} if planted else models()
    if page is None and not planted:
        page = PAGE
    done = _rows(page) if resume and page is not None else {}
    opened = reported = 0
    words = []
    for package, listed in chosen.items():
        if importlib.util.find_spec(package) is None:
            skipped.append(f"{package} ({len(listed)})")
            continue
        for model in listed[:: max(round(1 / scale), 1)]:
            if f"{package} {model[0]}" in done:
                continue
            cells = []
            for train in (False, True):
                text, opens, wrong = _captured(folder, package, model, train, limit_s)
                faults += [f"{package} {model[0]}: {fault}" for fault in wrong]
                opened, reported = opened + opens, reported + (not opens)
                cells.append(f"{text}{' FAULT' * bool(wrong)}")
                sys.stdout.write(f"  {package} {model[0]} {'train' if train else 'eval'}: {cells[-1]}\n")
                sys.stdout.flush()
                words += [f"{model[0]}: {text}"] * (not opens)
            if page is not None:
                _note(page, f"{package} {model[0]}", cells)
    absent = f"; not installed here, so skipped: {', '.join(skipped)}" if skipped else ""
    why = f": {'; '.join(words)}" if words else ""
    before = f"; {len(done)} models were captured before" if done else ""
    return Row(f"{opened} opened, {reported} told why not{why}{absent}{before}", tuple(faults))


def _note(page: Path, model: str, cells: list[str]) -> None:
    """The model's row, in the place of its last one."""
    rows = _rows(page)
    where = f"{today()}, torch {metadata.version('torch')}, {os.cpu_count()} cores"
    rows[model] = f"| {model} | {cell(cells[0])} | {cell(cells[1])} | {where} |"
    left = [
        f"{package} {name}"
        for package, listed in models().items()
        for name, *_ in listed
        if f"{package} {name}" not in rows
    ]
    not_run = f"\nNot run yet: {', '.join(left)}.\n" if left else ""
    write_section(TITLE, "\n".join((*_HEAD, *rows.values())) + "\n" + not_run, page)


def _rows(page: Path) -> dict[str, str]:
    """The line of each model on the page."""
    lines = [line for line in section_lines(TITLE, page) if line.startswith("| ") and line not in _HEAD]
    return {line.split(" | ")[0].removeprefix("| "): line for line in lines}


def _captured(
    folder: Path, package: str, model: _Model, train: bool, limit_s: float
) -> tuple[str, bool, list[str]]:
    """(what became of it, in words; whether it opens; what must not be)"""
    _, make, inputs = model
    first, _, last = make.rpartition(";;")
    imports = f"import {package}\n{first}"
    (folder / "program.py").write_text(_PROGRAM.format(imports=imports, make=last, inputs=inputs))
    made = folder / "made.loupe"
    made.unlink(missing_ok=True)
    command = [sys.executable, "-m", "torch_loupe", "capture", "program.py:Model", "-o", str(made)]
    began = time.monotonic()
    try:
        done = _run([*command, *["--train"] * train], folder, limit_s)
    except subprocess.TimeoutExpired:
        return f"no end in {limit_s:.0f} s", False, [f"no end in {limit_s:.0f} s"]
    seconds = time.monotonic() - began
    if made.exists():
        graphs, wrong = opens(made)
        return f"{graphs} graphs, {seconds:.0f} s", True, wrong
    text, wrong = reported_why_not(done)
    eager = _run([sys.executable, "-c", _EAGER], folder, limit_s) if package != "torch" else None
    if eager is not None and eager.returncode:  # nothing can be said of us then
        last_line = eager.stderr.strip().rpartition("\n")[2]
        wrong.append(f"it does not run without us either, so our settings for it are wrong: {last_line}")
    return text, False, wrong


def _run(command: list[str], folder: Path, limit_s: float) -> "subprocess.CompletedProcess[str]":
    _, *packages = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), *packages))}
    return ran(command, folder, environment, timeout=limit_s)


def opens(made: Path) -> tuple[int, list[str]]:
    """(how many graphs a file has, what is wrong with it)"""
    try:
        data = read_session(made)
    except SessionFileError as error:
        return 0, [f"what was saved does not open: {error}"]
    graphs = sum(stage.graph is not None for capture in data.captures for stage in capture.stages)
    if data.left_out or not graphs:
        return graphs, [f"what was saved does not open whole: {graphs} graphs, {data.left_out}"]
    return graphs, []


def reported_why_not(done: "subprocess.CompletedProcess[str]") -> tuple[str, list[str]]:
    """(the one message, what is wrong with how it was reported)"""
    messages = [line for line in done.stderr.splitlines() if line.startswith("loupe: ")]
    errors = [line for line in messages if "The program changed the process" not in line]
    wrong = []
    if len(errors) != 1 or done.returncode not in (1, 2) or "Traceback" in done.stderr.replace("loupe: ", ""):
        wrong.append(f"exit {done.returncode}, {len(errors)} messages: {done.stderr[-300:]}")
    return (errors[0].removeprefix("loupe: ")[:160] if errors else f"exit {done.returncode}"), wrong
