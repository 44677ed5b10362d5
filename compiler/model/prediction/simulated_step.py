"""One step of a compiled program, run on fake tensors: everything that it launched and allocated, in order.

The program's compiled code ran as it is, with its hooks, its wrappers and its optimizer; only kernels did nothing.
"""

import msgspec

from compiler.model.ir.ids import StageId

KERNEL, OPERATION, COLLECTIVE = "kernel", "operation", "collective"
FORWARD, BACKWARD, OPTIMIZER = "forward", "backward", "optimizer"

PARAMETERS, BUFFERS, INPUTS = "parameters", "buffers", "inputs"
GRADIENTS, STATE, SAVED = "gradients", "optimizer state", "activations"
GATHERED, COMMUNICATION = "gathered parameters", "communication"
TEMPORARY, RESULTS = "temporaries", "results"
KINDS = (
    PARAMETERS,
    STATE,
    GRADIENTS,
    BUFFERS,
    INPUTS,
    SAVED,
    GATHERED,
    COMMUNICATION,
    RESULTS,
    TEMPORARY,
)
"""What memory is for, in the order it is stacked."""


class Sent(msgspec.Struct, frozen=True):
    """What a collective sends."""

    kind: str
    """``all_gather``, ``reduce_scatter``, ``all_reduce``, … ."""
    sent: int
    """Bytes that this rank gives."""
    got: int
    """Bytes of the result."""
    ranks: int
    group: str
    """The name of its dimension of the mesh, or torch's of the group."""
    stride: int = 1
    """How far apart its ranks are: 1 for neighbours."""


class Moment(msgspec.Struct, frozen=True):
    """Something that was launched."""

    what: str
    """`KERNEL` (of a compiled graph), `OPERATION` (outside of them) or `COLLECTIVE`."""
    at: int
    """Its place among all that happened: moments, allocations and releases."""
    name: str
    """The kernel's line in its wrapper leads to its own name; else the operator's."""
    phase: str
    wrapper: StageId = ""
    line: int = 0
    """Of the wrapper, from 1."""
    call: int = 0
    """How often its wrapper was called before in this step."""
    layer: str = ""
    """The module that was running, where it is known from outside of graphs."""
    stream: int = 0
    """0 is the program's own."""
    after: tuple[int, ...] = ()
    """Moments of other streams that it waits for."""
    bytes: int = 0
    """The size of all it is given and makes; of a kernel, Inductor's own count is nearer."""
    flops: int = 0
    dtype: str = ""
    """Of what an operation outside of graphs makes, where it has `flops`."""
    waits: bool = False
    """Whether the host waits for what it gives: a value, or sizes that hang on values."""
    sent: Sent | None = None
    tensors: int = 1
    """How many an operation outside of graphs is called for at once: each takes the host longer."""
    distributed: bool = False
    """Whether such an operation is called on DTensors, which torch dispatches in Python; reported of the optimizer's only."""


class Allocation(msgspec.Struct, frozen=True):
    """A piece of memory from its allocation to its release."""

    bytes: int
    kind: str
    """One of `KINDS`."""
    begin: int
    """When it was allocated, as `Moment.at` counts; -1 where it was there before."""
    end: int
    """When it was released; `SimulatedStep.length` where it stays."""
    name: str = ""
    """Of a parameter, or what made it."""


class Action(msgspec.Struct, frozen=True, array_like=True):
    """What a stage of a pipeline does next."""

    phase: str
    """`FORWARD` or `BACKWARD`."""
    microbatch: int


class StageSchedule(msgspec.Struct, frozen=True):
    """A stage of a pipeline that ran several microbatches, in the order of torch's schedule."""

    schedule: str
    stage: int
    orders: tuple[tuple[Action, ...], ...]
    """Of every stage, as torch's schedule has them."""
    begins: tuple[int, ...]
    """Of this stage's actions: how many moments were before each."""
    received: int = 0
    """Bytes that come from the stage before for a microbatch; as many go back as their gradient."""

    @property
    def in_flight(self) -> tuple[int, ...]:
        """Of each stage, the most microbatches that wait for their backward at a time."""
        found = []
        for order in self.orders:
            now = most = 0
            for action in order:
                now += 1 if action.phase == FORWARD else -1
                most = max(most, now)
            found.append(most)
        return tuple(found)


class SimulatedStep(msgspec.Struct, frozen=True):
    """The second step of a program: everything is compiled, the optimizer has its state."""

    moments: tuple[Moment, ...] = ()
    memory: tuple[Allocation, ...] = ()
    length: int = 0
    """How many things happened."""
    optimizer: str = "none"
    problem: str = ""
    """Why there is none, where it failed."""
    pipeline: StageSchedule | None = None
    """Of one stage with a schedule: its microbatches are all in the step."""
    sparse: int = 0
    """How many sparse tensors are not in `memory`: how much they hold depends on values."""
