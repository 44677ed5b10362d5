"""What compiling for an absent GPU needs of torch, asked before it is tried. `compiler.worker.self_test` tries it."""

GIVES = "compiling for an absent GPU"
NEEDS = (
    "torch._C:_ensureCUDADeviceGuardSet",
    "torch._subclasses.fake_tensor:FakeTensorMode",
    "torch._subclasses.fake_tensor:FakeCopyMode",
    "torch._inductor.async_compile:AsyncCompile.triton",
    "torch._inductor.fx_passes.pad_mm:get_do_bench",
    "torch._inductor.select_algorithm:AlgorithmSelectorCache.make_benchmark_fn",
    "torch._inductor.select_algorithm:AlgorithmSelectorCache.make_precompile_fn",
    "torch._inductor.runtime.triton_heuristics:GridExpr",
    "torch._inductor.runtime.triton_helpers:set_driver_to_gpu",
)
