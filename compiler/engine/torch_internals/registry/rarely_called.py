"""Paths that torch does not call while a small program is compiled and trained on the CPU, and when it does."""

_TRITON = "for Triton kernels"
_GRAPHS = "with CUDA graphs"
_FALLBACK = "for fallback kernels of that kind"
_MEASURED = "with max-autotune"
_SCATTER = "for writes into views"

RARELY_CALLED = {
    "torch._functorch._aot_autograd.subclass_codegen:_compile_and_exec_source": "in torch 2.12, which generates few wrappers",
    "torch._inductor.async_compile:AsyncCompile.cpp": "for C++ kernels without Python bindings",
    "torch._inductor.codegen.triton:TritonKernel.codegen_body": _TRITON,
    "torch._inductor.codegen.triton:set_kernel_post_grad_provenance_tracing": _TRITON,
    "torch._inductor.codegen.wrapper:ExternKernelMultiOutLine.codegen": _FALLBACK,
    "torch._inductor.codegen.wrapper:IndexPutFallbackLine.codegen": _FALLBACK,
    "torch._inductor.codegen.wrapper:ScatterFallbackLine.codegen": _FALLBACK,
    "torch._inductor.compile_fx:log_cudagraph_skip_and_bump_counter": _GRAPHS,
    "torch._inductor.cudagraph_trees:CUDAGraphNode.__init__": _GRAPHS,
    "torch._inductor.cudagraph_trees:log_cudagraph_skip_and_bump_counter": _GRAPHS,
    "torch._inductor.cudagraph_utils:check_lowering_disable_cudagraph": _GRAPHS,
    "torch._inductor.fx_passes.reinplace:_decompose_scatter_functional": _SCATTER,
    "torch._inductor.fx_passes.reinplace:_decompose_scatter_mutating": _SCATTER,
    "torch._inductor.ir:MultiOutputReduction.store_reduction": _TRITON,
    "torch._inductor.ir:Scan.store_reduction": _TRITON,
    "torch._inductor.ir:Scatter.store_output": "for a scatter that Inductor generates itself",
    "torch._inductor.ir:Sort.store_reduction": _TRITON,
    "torch._inductor.output_code:log_cudagraph_skip_and_bump_counter": _GRAPHS,
    "torch._inductor.runtime.triton_heuristics:CachingAutotuner.benchmark_all_configs": _TRITON,
    "torch._inductor.scheduler:Scheduler.create_combo_kernel_nodes": "with combo kernels",
    "torch._inductor.select_algorithm:AlgorithmSelectorCache.log_results": _MEASURED,
}
