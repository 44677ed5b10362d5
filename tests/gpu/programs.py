"""What is compiled on a real GPU and cross-compiled, to be compared."""

from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from tests.gpu import (
    device_models,
    driver_models,
    library_models,
    more_models,
    outside_models,
    package_models,
    padded_models,
    step_models,
)
from tests.gpu.attention_programs import DTYPES, SHAPES

_HERE = Path(__file__).parent
_EXAMPLES = _HERE.parents[1] / "resources" / "examples"


class Recorded(NamedTuple):
    """A target, with inputs where its file brings none."""

    path: Path
    name: str
    inputs: str = ""


PROGRAMS = {
    "mlp": Recorded(_HERE / "recorded_programs.py", "Mlp", "torch.randn(256, 512)"),
    "block": Recorded(
        _HERE / "recorded_programs.py", "Block", "torch.randn(4, 1024, 512, dtype=torch.bfloat16)"
    ),
    "conv": Recorded(_HERE / "recorded_programs.py", "Conv", "torch.randn(32, 16, 56, 56)"),
    "red": Recorded(
        _HERE / "recorded_programs.py", "reduction", "torch.empty(8192, 50257, dtype=torch.bfloat16)"
    ),
    "example-mlp": Recorded(_EXAMPLES / "mlp.py", "MLP"),
    "example-dropout": Recorded(_EXAMPLES / "mlp_dropout.py", "MLP"),
    "example-conv": Recorded(_EXAMPLES / "conv_bn_relu.py", "Net"),
    "example-transformer": Recorded(_EXAMPLES / "transformer_layer.py", "EncoderLayer"),
    "example-layers": Recorded(_EXAMPLES / "layer_loop.py", "Stack"),
    "example-breaky": Recorded(_EXAMPLES / "breaky.py", "Breaky"),
    "example-recompiling": Recorded(_EXAMPLES / "recompiling.py", "Changing"),
    "example-step": Recorded(_EXAMPLES / "training_step.py", "Step"),
}

ATTENTION = {
    f"attention-{name}": Recorded(
        _HERE / "attention_programs.py",
        name,
        f"torch.randn({shape}, dtype=torch.{DTYPES.get(name, 'float32')})",
    )
    for name, shape in SHAPES.items()
}


def _of(models: ModuleType) -> dict[str, Recorded]:
    """Everything of a module of models with its inputs; ``outside_models`` gives ``outside-Name``."""
    path = Path(str(models.__file__))
    kind = path.stem.split("_")[0]
    return {f"{kind}-{name}": Recorded(path, name, inputs) for name, inputs in models.INPUTS.items()}


OUTSIDE = _of(outside_models)
MORE = _of(more_models)
PACKAGES = _of(package_models)
LIBRARIES = _of(library_models)
DRIVER = _of(driver_models)
DEVICE = _of(device_models)
STEP = _of(step_models)
PADDED = _of(padded_models)
ALL = PROGRAMS | ATTENTION | OUTSIDE | MORE | PACKAGES | LIBRARIES | DRIVER | DEVICE | STEP | PADDED
SETS = {
    "programs": PROGRAMS,
    "attention": ATTENTION,
    "outside": OUTSIDE,
    "more": MORE,
    "packages": PACKAGES,
    "libraries": LIBRARIES,
    "driver": DRIVER,
    "device": DEVICE,
    "step": STEP,
    "padded": PADDED,
}
