"""What is compiled on a real GPU and cross-compiled, to be compared."""

from pathlib import Path
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
OUTSIDE = {
    f"outside-{name}": Recorded(_HERE / "outside_models.py", name, inputs)
    for name, inputs in outside_models.INPUTS.items()
}
MORE = {
    f"more-{name}": Recorded(_HERE / "more_models.py", name, inputs)
    for name, inputs in more_models.INPUTS.items()
}
PACKAGES = {
    f"package-{name}": Recorded(_HERE / "package_models.py", name, inputs)
    for name, inputs in package_models.INPUTS.items()
}
LIBRARIES = {
    f"library-{name}": Recorded(_HERE / "library_models.py", name, inputs)
    for name, inputs in library_models.INPUTS.items()
}
DRIVER = {
    f"driver-{name}": Recorded(_HERE / "driver_models.py", name, inputs)
    for name, inputs in driver_models.INPUTS.items()
}
DEVICE = {
    f"device-{name}": Recorded(_HERE / "device_models.py", name, inputs)
    for name, inputs in device_models.INPUTS.items()
}
STEP = {
    f"step-{name}": Recorded(_HERE / "step_models.py", name, inputs)
    for name, inputs in step_models.INPUTS.items()
}
PADDED = {
    f"padded-{name}": Recorded(_HERE / "padded_models.py", name, inputs)
    for name, inputs in padded_models.INPUTS.items()
}
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
