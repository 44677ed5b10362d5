"""What CUPTI tells is put to the calls that launched it; and a program is moved where it is to run."""

import dataclasses

import pytest
import torch

from compiler.engine.errors import EngineError
from compiler.engine.torch_internals.profiler import gpu_profile
from compiler.engine.torch_internals.profiler.gpu_profile import GpuKernel
from compiler.engine.user_program.device_placement import moved
from compiler.engine.user_program.loading import Program

pytestmark = pytest.mark.engine
CPU, CUDA = torch.autograd.DeviceType.CPU, torch.autograd.DeviceType.CUDA


@dataclasses.dataclass
class Event:
    """As Kineto's."""

    kind: object
    text: str
    start: int
    length: int
    correlation: int = 0

    def device_type(self) -> object:
        return self.kind

    def name(self) -> str:
        return self.text

    def start_ns(self) -> int:
        return self.start

    def duration_ns(self) -> int:
        return self.length

    def correlation_id(self) -> int:
        return self.correlation


def test_kernels_belong_to_the_call_that_launched_them_and_to_its_step():
    events = [
        Event(CPU, "loupe step", 1000, 500),
        Event(CPU, "loupe call 0", 1010, 20),
        Event(CPU, "cuLaunchKernelEx", 1015, 5, 7),
        Event(CPU, "loupe call 1", 1040, 60),
        Event(CPU, "cudaLaunchKernel", 1050, 5, 8),
        Event(CPU, "cudaLaunchKernel", 1080, 5, 9),
        Event(CPU, "cudaMemsetAsync", 1200, 5, 10),
        Event(CUDA, "triton_poi_0", 1300, 40, 7),
        Event(CUDA, "splitk", 1345, 10, 8),
        Event(CUDA, "reduce", 1360, 10, 9),
        Event(CUDA, "Memset", 1400, 5, 10),
        Event(CUDA, "loupe call 0", 1300, 40),
        Event(CPU, "loupe step", 2000, 500),
        Event(CPU, "loupe call 0", 2010, 20),
        Event(CPU, "cuLaunchKernelEx", 2015, 5, 11),
        Event(CUDA, "triton_poi_0", 2100, 44, 11),
    ]
    first, second = gpu_profile._read(events)
    assert first.length == 500
    assert first.calls == ((0, 10, 30), (1, 40, 100))
    assert first.kernels == (
        GpuKernel(0, 300, 340, "triton_poi_0"),
        GpuKernel(1, 345, 355, "splitk"),
        GpuKernel(1, 360, 370, "reduce"),
        GpuKernel(-1, 400, 405, "Memset"),
    )
    assert [(kernel.call, kernel.end - kernel.begin) for kernel in second.kernels] == [(0, 44)]


def test_looking_for_compiled_code_is_seen_in_the_step_that_does_it():
    def double(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    compiled = torch.compile(double, backend="eager")
    compiled(torch.ones(2))
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
        for _ in range(2):
            with torch.profiler.record_function("loupe step"):
                compiled(torch.ones(2))
    for step in gpu_profile._read(profile.profiler.kineto_results.events()):
        assert step.guards
        assert all(0 <= begin < end <= step.length for begin, end in step.guards)


def test_a_program_stays_on_the_cpu_where_there_is_no_gpu():
    program = Program("module", torch.nn.Linear(2, 2), (torch.ones(1, 2),), {}, "")
    if torch.cuda.is_available():
        assert moved(program, "") == ("cuda", True)
        assert program.args[0].is_cuda
        return
    assert moved(program, "") == moved(program, "cpu") == ("cpu", False)
    with pytest.raises(EngineError) as caught:
        moved(program, "cuda")
    assert "no GPU" in caught.value.problem.what
