"""The time of a step: every moment takes what the nearest of three ceilings allows, on its stream, after what it waits for."""

import msgspec

from compiler.analysis.prediction.moment_work import MomentWork
from compiler.model.prediction.machine import Machine
from compiler.model.prediction.predicted_step import (
    COMPUTE,
    LAUNCH,
    MEMORY,
    NETWORK,
    LayerTime,
    PredictedTime,
)
from compiler.model.prediction.simulated_step import BACKWARD, COLLECTIVE, KERNEL, Moment, Sent, SimulatedStep

_TWICE = ("all_reduce",)
_FUNCTIONAL = "_c10d_functional."
_STEP_BY_STEP = ("aten._cudnn_rnn", "aten._thnn_fused")
"""Libraries that launch many kernels, each of which waits for the one before."""
_SHARDED = ("fsdp.split_with_sizes_copy", "fsdp.chunk_cat")
"""One for each group of parameters that FSDP2 gathered, or whose gradients it reduces."""


class Span(msgspec.Struct, frozen=True):
    """When a moment runs, in seconds from the step's begin."""

    begin: float
    end: float
    issued: float
    """When the host has launched it."""
    compute: float = 0.0
    memory: float = 0.0
    network: float = 0.0


def collective_seconds(sent: Sent, machine: Machine) -> float:
    """What a collective takes: the bytes that each rank must send in a ring, over the slowest link in it."""
    if sent.ranks < 2:
        return 0.0
    inside = sent.stride * sent.ranks <= machine.gpus_per_host
    rate = (machine.host_link if inside else machine.network_link) * machine.reached.network
    latency = machine.host_link_latency if inside else machine.network_latency
    whole = max(sent.sent, sent.got)
    share = (sent.ranks - 1) / sent.ranks
    rounds = 2 if sent.kind in _TWICE else 1
    if sent.kind in ("send", "recv", "broadcast"):
        share = 1.0
    return latency + rounds * share * whole / rate


def spans(
    step: SimulatedStep, works: tuple[MomentWork, ...], machine: Machine, slower: float = 1.0
) -> tuple[Span, ...]:
    """When each moment runs, where the host takes `slower` times as long as the machine's figures say."""
    ends: dict[int, float] = {}
    found: list[Span] = []
    host = 0.0
    before: tuple[str, int] = ("", -1)
    for moment, work in zip(step.moments, works, strict=True):
        host += slower * _host_seconds(moment, machine)
        here = moment.wrapper, moment.call
        if moment.wrapper and here != before:
            host += slower * machine.graph_seconds
        before = here
        compute, memory, network = _ceilings(moment, work, machine)
        least = 0.0 if moment.what == COLLECTIVE else machine.kernel_seconds
        begin = max(host, ends.get(moment.stream, 0.0), *(found[index].end for index in moment.after), 0.0)
        end = begin + max(compute, memory, network, least)
        ends[moment.stream] = end
        found.append(Span(begin, end, host, compute, memory, network))
        if moment.waits:
            host = max(host, end)
    return tuple(found)


def _host_seconds(moment: Moment, machine: Machine) -> float:
    """Until the host has launched it and comes to the next."""
    if moment.what == KERNEL:
        return (moment.phase == BACKWARD and machine.backward_launch_seconds) or machine.launch_seconds
    if moment.what == COLLECTIVE and moment.name.startswith(_FUNCTIONAL):
        return machine.collective_seconds or machine.operation_seconds
    if moment.name.startswith(_SHARDED):
        return (
            machine.operation_seconds + machine.sharded_seconds + moment.tensors * machine.parameter_seconds
        )
    if moment.distributed:
        one = machine.dtensor_seconds or machine.operation_seconds
        return one + (moment.tensors - 1) * machine.tensor_seconds
    return machine.operation_seconds


def predicted_time(
    step: SimulatedStep, works: tuple[MomentWork, ...], ran: tuple[Span, ...], machine: Machine
) -> PredictedTime:
    """The step's time, and where it goes; `ran` is when its moments run."""
    whole = max((span.end for span in ran), default=0.0)
    slow = spans(step, works, machine, machine.host_slower) if machine.host_slower > 1 else ran
    phases: dict[str, float] = {}
    end = 0.0
    for moment, span in zip(step.moments, ran, strict=True):  # of a pipeline's stage phases come in turn
        phases[moment.phase] = phases.get(moment.phase, 0.0) + max(span.end - end, 0.0)
        end = max(end, span.end)
    pairs = list(zip(step.moments, ran, strict=True))
    working = _union([(span.begin, span.end) for moment, span in pairs if moment.what != COLLECTIVE])
    sending = _union([(span.begin, span.end) for moment, span in pairs if moment.what == COLLECTIVE])
    either = _union([*working, *sending])
    return PredictedTime(
        whole,
        tuple(phases.items()),
        _length(working),
        _length(sending),
        _length(either) - _length(working),
        whole - _length(either),
        _layers(step, works, ran),
        sum(
            1
            for moment, work in zip(step.moments, works, strict=True)
            if (moment.what == KERNEL and work.bytes is None) or moment.name.startswith(_STEP_BY_STEP)
        ),
        max(machine.host_slower, 1.0),
        max((span.end for span in slow), default=0.0),
    )


def _ceilings(moment: Moment, work: MomentWork, machine: Machine) -> tuple[float, float, float]:
    if moment.sent is not None:
        return 0.0, 0.0, collective_seconds(moment.sent, machine)
    reached = machine.reached
    moving = (work.bytes or 0) / (machine.memory_bandwidth * reached.memory)
    share = reached.attention if work.attention else reached.compute
    computing = (work.flops or 0) / (machine.peak(work.dtype) * share)
    if not work.attention and moment.what == KERNEL and moment.name.startswith("triton"):
        computing = (work.flops or 0) / machine.flops_fp32
    return computing, moving, 0.0


def _layers(
    step: SimulatedStep, works: tuple[MomentWork, ...], ran: tuple[Span, ...]
) -> tuple[LayerTime, ...]:
    """By layer and phase, in the order they begin: the time of the program's stream from what came before to its last end."""
    sums: dict[tuple[str, str], list[float]] = {}
    counts: dict[tuple[str, str], int] = {}
    ended = 0.0
    for moment, work, span in zip(step.moments, works, ran, strict=True):
        key = work.layer, moment.phase
        row = sums.setdefault(key, [0.0, 0.0, 0.0, 0.0, 0.0])
        counts[key] = counts.get(key, 0) + 1
        row[1] += span.compute if span.compute >= span.memory else 0.0
        row[2] += span.memory if span.memory > span.compute else 0.0
        row[3] += span.network
        if moment.stream == 0:
            waited = max(span.begin - ended, 0.0)
            row[4] += min(waited, max(span.issued - ended, 0.0))
            row[0] += span.end - ended if ended else span.end
            ended = span.end
    return tuple(
        LayerTime(layer, phase, row[0], row[1], row[2], row[3], _bound(row), counts[layer, phase])
        for (layer, phase), row in sums.items()
    )


def _bound(row: list[float]) -> str:
    seconds, compute, memory, network, host = row
    waiting = max(seconds - compute - memory - host, 0.0)
    most = max(compute, memory, min(waiting, network), host)
    if most == host and host > 0:
        return LAUNCH
    if most == min(waiting, network) and network > 0:
        return NETWORK
    return COMPUTE if compute >= memory else MEMORY


def _union(spans_: list[tuple[float, float]]) -> list[tuple[float, float]]:
    found: list[tuple[float, float]] = []
    for begin, end in sorted(spans_):
        if found and begin <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((begin, end))
    return found


def _length(spans_: list[tuple[float, float]]) -> float:
    return sum(end - begin for begin, end in spans_)
