"""What GPUs, links and hosts can do: figures that predictions are made from. They come from a JSON file with sources."""

from pathlib import Path

import msgspec

from compiler.model.ir.diagnostics import UNREADABLE

_LARGEST = 1 << 20


TF32 = "tf32"


class Reached(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The shares of its makers' figures that programs come to."""

    compute: float = 1.0
    """Of the peak of tensor cores, by large matrix products."""
    attention: float = 1.0
    """The same by fused attention."""
    memory: float = 1.0
    """Of the bandwidth of device memory."""
    network: float = 1.0
    """Of the links' bandwidth, by NCCL's collectives."""
    source: str = ""


class Machine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hosts of equal GPUs and what joins them."""

    id: str
    name: str
    memory_bytes: int
    """Of one GPU, all of it."""
    memory_bandwidth: float
    """Bytes a second."""
    flops_fp32: float
    flops_tf32: float
    flops_half: float
    gpus_per_host: int
    host_link: float
    """Bytes a second that one GPU sends to others of its host (one direction)."""
    host_link_name: str
    network_link: float
    """Bytes a second that one GPU sends to other hosts."""
    network_link_name: str
    source: str
    """Where the figures come from."""
    set_aside_bytes: int = 0
    """Memory that no tensor can have: the driver's context, modules, NCCL's buffers."""
    library_bytes: int = 0
    """Memory that cuBLAS takes from torch's allocator for itself, for each thread and stream that it is called in."""
    host_link_latency: float = 0.0
    """Seconds that a collective within a host takes at least."""
    network_latency: float = 0.0
    kernel_seconds: float = 0.0
    """A kernel on the GPU takes at least that."""
    launch_seconds: float = 0.0
    """The host takes that to launch a kernel of compiled code."""
    backward_launch_seconds: float = 0.0
    """The same in a backward, with what autograd does for each gradient; 0: as in the forward."""
    operation_seconds: float = 0.0
    """The host takes that for an operation outside of compiled code."""
    tensor_seconds: float = 0.0
    """The same for each further DTensor that it is called for at once."""
    dtensor_seconds: float = 0.0
    """The host takes that for an operation on DTensors; 0: as for one on plain tensors."""
    collective_seconds: float = 0.0
    """The host takes that for a functional collective and waiting for it; 0: as for any operation."""
    sharded_seconds: float = 0.0
    """The host takes that for what FSDP2 does around gathering, or reducing, one group of parameters."""
    parameter_seconds: float = 0.0
    """The same for each parameter of the group."""
    graph_seconds: float = 0.0
    """The host takes that to enter a compiled graph: guards and AOTAutograd's wrappers."""
    host_slower: float = 1.0
    """In real steps the host takes up to so many times as long as for these parts one by one."""
    reached: Reached = Reached()

    def peak(self, dtype: str) -> float:
        """Operations a second of matrix products in a dtype, or in ``tf32``, by the makers' figures."""
        full = self.flops_tf32 if dtype == TF32 else self.flops_fp32
        return self.flops_half if dtype in ("float16", "bfloat16") else full


def read_machines(path: Path) -> tuple[Machine, ...]:
    """The machines of a JSON file: one, or a list. Raises ValueError."""
    try:
        with path.open("rb") as stream:
            data = stream.read(_LARGEST)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from error
    try:
        found = msgspec.json.decode(data, type=Machine | list[Machine])
    except UNREADABLE as error:
        raise ValueError(f"{path} describes no machine: {error}") from error
    return tuple(found) if isinstance(found, list) else (found,)


def find_machine(machines: tuple[Machine, ...], wanted: str) -> Machine:
    """The machine of that id, or of the GPU that has that name. Raises ValueError."""
    for machine in machines:
        if wanted in (machine.id, machine.name):
            return machine
    known = ", ".join(machine.id for machine in machines)
    raise ValueError(
        f"No figures are known of {wanted!r}. Known are {known}; describe another with --machine FILE.json"
    )
