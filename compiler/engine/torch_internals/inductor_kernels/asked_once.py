"""What Inductor finds out once in a process, before its first kernel: found out before a fork, every copy knows it.

GIVES: the processor's vector instructions and the patterns of Inductor's passes, known before the first compile.
NEEDS: ``torch._inductor.cpu_vec_isa.pick_vec_isa``, ``joint_graph.lazy_init``, ``post_grad.lazy_init``.
"""

import torch
from torch._inductor import cpu_vec_isa
from torch._inductor.fx_passes import joint_graph, post_grad


def ask() -> None:
    """Asked as Inductor asks, or it would be done again."""
    cpu_vec_isa.pick_vec_isa()
    joint_graph.lazy_init(torch.device("cpu"))
    post_grad.lazy_init()
