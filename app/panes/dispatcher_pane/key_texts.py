"""What dispatch keys and kinds of kernels mean, in one sentence each."""

from app.translation.texts import tr, tr_noop

_KEYS = (
    (
        "PythonDispatcher",
        tr_noop("Lets Python look at a call before any other key, while something is traced."),
    ),
    ("PreDispatch", tr_noop("Traces above autograd: where torch.export looks.")),
    (
        "FuncTorchDynamicLayerFrontMode",
        tr_noop("Enters the innermost transform (vmap, grad) that is going on."),
    ),
    ("FuncTorchDynamicLayerBackMode", tr_noop("Leaves a transform and goes on with the one around it.")),
    ("PythonTLSSnapshot", tr_noop("Remembers the state of the thread for kernels in Python.")),
    ("FuncTorchGradWrapper", tr_noop("A tensor of torch.func.grad at some level.")),
    ("FuncTorchBatched", tr_noop("vmap's batching rules: the hidden dimension is dealt with here.")),
    ("FuncTorchVmapMode", tr_noop("Random operators and factories inside vmap.")),
    ("Autocast", tr_noop("Casts arguments while torch.autocast is on; else passes on.")),
    ("Tracer", tr_noop("torch.jit.trace notes the call.")),
    ("Autograd", tr_noop("Notes how to compute the gradient, then goes on below.")),
    ("ADInplaceOrView", tr_noop("Counts in-place writes and ties views to what they are views of.")),
    ("ZeroTensor", tr_noop("A tensor known to be all zeros, without memory.")),
    ("Negative", tr_noop("Carries out a minus sign that a view only promised.")),
    ("Conjugate", tr_noop("Carries out a conjugation that a view only promised.")),
    ("Functionalize", tr_noop("Turns writes in place into new tensors, while something is traced.")),
    ("Python", tr_noop("A tensor subclass or a mode in Python takes the call.")),
    ("BackendSelect", tr_noop("Finds the device for calls that are given no tensor, such as torch.ones.")),
    ("CompositeImplicitAutograd", tr_noop("A kernel made of other operators; autograd sees those.")),
    ("CompositeExplicitAutograd", tr_noop("One kernel for every device, with a derivative of its own.")),
    ("Meta", tr_noop("Computes shapes, and no numbers.")),
    ("PrivateUse", tr_noop("Kept free for devices that torch does not know.")),
    ("Quantized", tr_noop("Kernels for quantized tensors.")),
    ("Sparse", tr_noop("Kernels for sparse tensors.")),
    ("NestedTensor", tr_noop("Kernels for nested tensors.")),
    ("CPU", tr_noop("Computes on the CPU.")),
)
_KINDS = {
    "kernel": tr_noop("Registered for this very key."),
    "autograd kernel": tr_noop("Registered for Autograd, the alias of all keys of autograd."),
    "math kernel": tr_noop(
        "CompositeImplicitAutograd: made of other operators, for every key that has no kernel of its own."
    ),
    "default backend kernel": tr_noop("CompositeExplicitAutograd: one kernel for every device."),
    "backend fallback": tr_noop("Serves every operator that has no kernel for this key."),
    "batched kernel": tr_noop("Decomposed for vmap: the operators it is made of have batching rules."),
}


def about_key(key: str) -> str:
    """One sentence about a key; empty for one that needs none."""
    return next((tr(words) for name, words in _KEYS if key.startswith(name)), "")


def about_kind(kind: str) -> str:
    """One sentence about the kind of a kernel."""
    return tr(_KINDS.get(kind, ""))
