"""For the process that tests fork workers from: loads what the first capture would load into each of them, 2 s of processor
time a worker. A fork of it makes that capture, ends, and tells what it loaded: threads that a kernel starts would not live on
in forks.
"""

import contextlib
import importlib
import os
import sys

from compiler.engine.torch_internals.inductor_kernels import header_place
from compiler.processes import leaving
from compiler.processes.own_cache import use_own_caches
from compiler.worker.warm_up import warm_up

_OF_LIBRARIES = ("torch.", "sympy.", "setuptools.", "distutils.", "packaging.")


def _names() -> list[str]:
    reads, writes = os.pipe()
    if os.fork() == 0:
        with contextlib.suppress(Exception):
            header_place.install()
            warm_up()
            os.write(
                writes, " ".join(name for name in sys.modules if name.startswith(_OF_LIBRARIES)).encode()
            )
        leaving.leave_now(0)
    os.close(writes)
    with os.fdopen(reads) as told:
        names = told.read().split()
    os.wait()
    return names


use_own_caches(None)  # where the workers will look for what is built here
for _name in _names():
    if _name not in sys.modules:
        with contextlib.suppress(ImportError):  # made while it ran, as the modules of kernels
            importlib.import_module(_name)

import torch  # noqa: E402
from torch._inductor import cpu_vec_isa  # noqa: E402
from torch._inductor.fx_passes import joint_graph, post_grad  # noqa: E402

cpu_vec_isa.pick_vec_isa()
joint_graph.lazy_init(torch.device("cpu"))
post_grad.lazy_init()  # asked as torch asks, or it would be done again
