"""What dispatch keys and kinds of kernels mean, in one sentence each."""

_KEYS = (
    ("PythonDispatcher", "Lets Python look at a call before any other key, while something is traced."),
    ("PreDispatch", "Traces above autograd: where torch.export looks."),
    ("FuncTorchDynamicLayerFrontMode", "Enters the innermost transform (vmap, grad) that is going on."),
    ("FuncTorchDynamicLayerBackMode", "Leaves a transform and goes on with the one around it."),
    ("PythonTLSSnapshot", "Remembers the state of the thread for kernels in Python."),
    ("FuncTorchGradWrapper", "A tensor of torch.func.grad at some level."),
    ("FuncTorchBatched", "vmap's batching rules: the hidden dimension is dealt with here."),
    ("FuncTorchVmapMode", "Random operators and factories inside vmap."),
    ("Autocast", "Casts arguments while torch.autocast is on; else passes on."),
    ("Tracer", "torch.jit.trace notes the call."),
    ("Autograd", "Notes how to compute the gradient, then goes on below."),
    ("ADInplaceOrView", "Counts in-place writes and ties views to what they are views of."),
    ("ZeroTensor", "A tensor known to be all zeros, without memory."),
    ("Negative", "Carries out a minus sign that a view only promised."),
    ("Conjugate", "Carries out a conjugation that a view only promised."),
    ("Functionalize", "Turns writes in place into new tensors, while something is traced."),
    ("Python", "A tensor subclass or a mode in Python takes the call."),
    ("BackendSelect", "Finds the device for calls that are given no tensor, such as torch.ones."),
    ("CompositeImplicitAutograd", "A kernel made of other operators; autograd sees those."),
    ("CompositeExplicitAutograd", "One kernel for every device, with a derivative of its own."),
    ("Meta", "Computes shapes, and no numbers."),
    ("PrivateUse", "Kept free for devices that torch does not know."),
    ("Quantized", "Kernels for quantized tensors."),
    ("Sparse", "Kernels for sparse tensors."),
    ("NestedTensor", "Kernels for nested tensors."),
    ("CPU", "Computes on the CPU."),
)
_KINDS = {
    "kernel": "Registered for this very key.",
    "autograd kernel": "Registered for Autograd, the alias of all keys of autograd.",
    "math kernel": "CompositeImplicitAutograd: made of other operators, for every key that has no kernel of its own.",
    "default backend kernel": "CompositeExplicitAutograd: one kernel for every device.",
    "backend fallback": "Serves every operator that has no kernel for this key.",
    "batched kernel": "Decomposed for vmap: the operators it is made of have batching rules.",
}


def about_key(key: str) -> str:
    """One sentence about a key; empty for one that needs none."""
    return next((words for name, words in _KEYS if key.startswith(name)), "")


def about_kind(kind: str) -> str:
    """One sentence about the kind of a kernel."""
    return _KINDS.get(kind, "")
