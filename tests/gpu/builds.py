"""``python -m tests.gpu.builds OTHER_PYTHON [NAME…]``: whether this torch and another build of it (one for the CPU, one for CUDA) compile
programs of `tests.gpu.programs` for an H100 to the same text. NAME ends in ``_train`` or ``_infer``; without one, a choice of all kinds.

What a build without CUDA is never asked, its C++ may answer otherwise: convolutions' formats and SiLU's backward were found so.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.gpu.__main__ import compare, cross_compiled, wrappers_of

_CHOICE = ("conv_train", "mlp_train", "block_train", "example-transformer_train", "attention-Grouped_train", "package-Grouped3d_train",
           "package-Transposed_train", "package-Mixed_train", "package-Softmaxes_infer", "package-Embeddings_train")  # fmt: skip
_GPU = "h100"


def compiled(name: str) -> list[str]:
    """The wrappers of one run."""
    program, _, mode = name.rpartition("_")
    return wrappers_of(cross_compiled(program, mode == "train", _GPU))


def main() -> int:
    """Print a line a run; status 1 where a text differs."""
    other, *names = sys.argv[1:]
    same = True
    for name in names or _CHOICE:
        with tempfile.TemporaryDirectory() as folder:
            written = Path(folder, "texts.json")
            command = f"import json; from tests.gpu.builds import compiled; json.dump(compiled({name!r}), open({str(written)!r}, 'w'))"
            environment = os.environ | {
                "PYTHONPATH": os.pathsep.join(filter(None, (os.getcwd(), os.environ.get("PYTHONPATH"))))
            }
            subprocess.run([other, "-c", command], check=True, env=environment)
            theirs = json.loads(written.read_text())
        (row,) = compare({name: {"src": theirs}}, _GPU)
        print(
            f"  {name:<32} kernels {row.same_kernels}/{row.kernels}, whole wrappers {row.same_wrappers}/{row.wrappers}",
            flush=True,
        )
        same &= row.wrappers > 0 and row.same_wrappers == row.wrappers
    return int(not same)


if __name__ == "__main__":
    sys.exit(main())
