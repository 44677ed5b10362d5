"""What is asked of the worker and done in a process of its own: it executes the text of kernels, or changes torch."""

from compiler.model.front_end_comparison.front_end_matrix import FrontEndCell, JudgeFrontEnd
from compiler.model.gpu.kernel_checks import CheckKernels, KernelsChecked
from compiler.model.ir.lowered_kernel import KernelsLowered, LowerKernels
from compiler.model.protocol.absent_gpu import EmulationTested, TestEmulation
from compiler.worker.child_processes import Say, check_elsewhere, judge_elsewhere, lower_elsewhere
from compiler.worker.self_test import try_emulation


def work_elsewhere(
    asked: LowerKernels | CheckKernels | TestEmulation | JudgeFrontEnd, say: Say
) -> KernelsLowered | KernelsChecked | EmulationTested | FrontEndCell:
    """Do it. Raises EngineError."""
    match asked:
        case LowerKernels():
            return lower_elsewhere(asked, say)
        case CheckKernels():
            return check_elsewhere(asked, say)
        case TestEmulation():
            return try_emulation(say)
        case JudgeFrontEnd():
            return judge_elsewhere(asked, say)
