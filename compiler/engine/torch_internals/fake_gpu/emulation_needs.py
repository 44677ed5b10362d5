"""What compiling for an absent GPU, or without values, needs of torch, asked before it is tried. `compiler.worker.self_test` tries it."""

GIVES = "compiling for an absent GPU, and without values"
NEEDS = (
    "torch._C:_ensureCUDADeviceGuardSet",
    "torch._C:_get_sdp_priority_order",
    "torch._subclasses.fake_tensor:FakeTensorMode.dispatch",
    "torch._inductor.async_compile:AsyncCompile.cpp_pybinding",
    "torch._subclasses.fake_tensor:FakeCopyMode",
    "torch._inductor.async_compile:AsyncCompile.triton",
    "torch._inductor.fx_passes.pad_mm:get_do_bench",
    "torch._inductor.select_algorithm:AlgorithmSelectorCache.make_benchmark_fn",
    "torch._inductor.select_algorithm:AlgorithmSelectorCache.make_precompile_fn",
    "torch._inductor.runtime.triton_heuristics:GridExpr",
    "torch._inductor.runtime.triton_helpers:set_driver_to_gpu",
)
