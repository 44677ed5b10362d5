"""Models that name the GPU or ask torch about it while they run: devices, settings of its libraries, types of its tensors, copies to the host."""

import torch
from torch import nn
from torch.nn import functional
from torch.utils import checkpoint

_ROWS = "torch.randn(8, 16)"


class _Base(nn.Module):
    """Two layers, and between them what a program asks."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(16, 32)
        self.second = nn.Linear(32, 16)

    def between(self, x: torch.Tensor) -> torch.Tensor:
        """What a model does there."""
        return x

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.second(self.between(torch.relu(self.first(x))))


class NamedDevice(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        return x + torch.arange(32, device="cuda").float()


class CopiedOver(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        return x + torch.ones(32).cuda() + torch.ones(32).to("cuda:0", non_blocking=True)


class IsCuda(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        if x.is_cuda and x.device.type == "cuda" and x.get_device() == 0:
            return x * 2
        return x * 3


class Capability(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        if torch.cuda.get_device_capability() >= (8, 0):
            return x * 2
        return x * 3


class CapabilityOf(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        major, _minor = torch.cuda.get_device_capability(x.device)
        return x * major


class Name(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2 if "H100" in torch.cuda.get_device_name(0) else x * 3


class Count(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        return x * (1 + torch.cuda.device_count()) + torch.cuda.current_device()


class OldTypes(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        return x.type(torch.cuda.HalfTensor).float() + 1


class OldConstructor(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        return x + torch.cuda.FloatTensor(32).fill_(2.0)


class ToHost(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        shape = x.detach().cpu().numpy().shape
        return x * shape[0]


class Tf32Allowed(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2 if torch.backends.cuda.matmul.allow_tf32 else x * 3


class CudnnFlags(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        with torch.backends.cudnn.flags(enabled=True, benchmark=False, deterministic=True):
            return functional.conv1d(x[:, None], torch.ones(1, 1, 3, device=x.device), padding=1)[:, 0]


class CudnnAvailable(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        if torch.backends.cudnn.is_available() and torch.backends.cudnn.enabled:
            return x * 2
        return x * 3


class CudnnVersion(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2 if (torch.backends.cudnn.version() or 0) >= 8000 else x * 3


class SdpaChoice(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        q = x.view(2, 2, 4, 16)
        with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
            return functional.scaled_dot_product_attention(q, q, q).reshape(8, 32)


class FlashEnabled(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2 if torch.backends.cuda.flash_sdp_enabled() else x * 3


class Half(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        with torch.autocast("cuda", dtype=torch.float16):
            return (x @ x.t() @ x).float()


class OldAutocast(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        with torch.autocast(
            device_type=x.device.type, dtype=torch.bfloat16, enabled=torch.cuda.is_available()
        ):
            y = x @ x.t() @ x
        return y.float()


class _Scaled(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cuda", cast_inputs=torch.float32)
    def forward(ctx, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    @torch.amp.custom_bwd(device_type="cuda")
    def backward(ctx, gradient: torch.Tensor) -> torch.Tensor:
        (x,) = ctx.saved_tensors
        return 2 * x * gradient


class OwnFunction(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        return _Scaled.apply(x)


class Checkpointed(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        return checkpoint.checkpoint(lambda y: functional.dropout(y.sin(), 0.5).cos(), x, use_reentrant=False)


class KeptOnHost(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        with torch.autograd.graph.save_on_cpu():
            return x.sin().cos()


class ForkedState(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        with torch.random.fork_rng(devices=[0]):
            torch.manual_seed(1)
            y = x + torch.randn_like(x)
        return y  # noqa: RET504  in a branch of its own graph


class KeptState(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        state = torch.cuda.get_rng_state()
        y = x + torch.randn_like(x)
        torch.cuda.set_rng_state(state)
        return y


class OutOfMemory(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        try:
            return x * 2
        except torch.cuda.OutOfMemoryError:
            torch.cuda.empty_cache()
            return x * 3


class DefaultDevice(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        with torch.device("cuda"):
            return x + torch.ones(32)


class Accelerator(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        if torch.accelerator.is_available():
            return x + torch.ones(32, device=torch.accelerator.current_accelerator())
        return x


class Built(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2 if torch.version.cuda is not None and torch.backends.cuda.is_built() else x * 3


class Deterministic(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        index = torch.arange(32, device=x.device) % 4
        return torch.zeros_like(x).index_add_(1, index, x) * (
            2 if torch.are_deterministic_algorithms_enabled() else 1
        )


class Profiled(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        with torch.profiler.record_function("middle"):
            return x * 2


class Parallel(_Base):
    def __init__(self) -> None:
        super().__init__()
        self.middle = nn.DataParallel(nn.Linear(32, 32))

    def between(self, x: torch.Tensor) -> torch.Tensor:
        return self.middle(x)


class Graphed(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        torch.cuda.ipc_collect()
        return x * 2


class Utilization(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        free, total = torch.cuda.mem_get_info()
        return x * 2 if free < total * 2 else x * 3


class Summary(_Base):
    def between(self, x: torch.Tensor) -> torch.Tensor:
        self.used = torch.cuda.memory_stats().get("allocated_bytes.all.current", 0)
        return x * 2


INPUTS = {
    name: _ROWS
    for name, found in list(globals().items())
    if isinstance(found, type) and issubclass(found, _Base) and found is not _Base
}
