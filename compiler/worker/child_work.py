"""What is asked of the worker and done in a process of its own: it executes the text of kernels, or changes torch."""

from compiler.model.front_end_comparison.front_end_matrix import FrontEndCell, JudgeFrontEnd
from compiler.model.gpu.kernel_checks import CheckKernels, KernelsChecked
from compiler.model.ir.lowered_kernel import KernelsLowered, LowerKernels
from compiler.model.protocol.absent_gpu import CrossCompilationTested, TestCrossCompilation
from compiler.worker.child_processes import ReportProgress, check_in_child, judge_in_child, lower_in_child
from compiler.worker.self_test import try_cross_compilation


def work_in_child(
    asked: LowerKernels | CheckKernels | TestCrossCompilation | JudgeFrontEnd, report_progress: ReportProgress
) -> KernelsLowered | KernelsChecked | CrossCompilationTested | FrontEndCell:
    """Do it. Raises EngineError."""
    match asked:
        case LowerKernels():
            return lower_in_child(asked, report_progress)
        case CheckKernels():
            return check_in_child(asked, report_progress)
        case TestCrossCompilation():
            return try_cross_compilation(report_progress)
        case JudgeFrontEnd():
            return judge_in_child(asked, report_progress)
