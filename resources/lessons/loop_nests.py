"""What a fusing compiler does to loops, one transformation at a time. Change a number and run it again: what is computed stays
the same, whatever the loops look like. One number ends the process: a split by 0; the message says so, and nothing else is lost.
"""

# %% Two operations, two loop nests, and a buffer between them
import torch
from torch._C import _te as te

SIZE = te.ExprHandle.int(64)
A = te.BufHandle("A", [SIZE, SIZE], torch.float32)
doubled = te.Compute("doubled", [SIZE, SIZE], lambda i, j: A.load([i, j]) * te.ExprHandle.float(2.0))
result = te.Compute("result", [SIZE, SIZE], lambda i, j: doubled.load([i, j]) + te.ExprHandle.float(1.0))
nest = te.LoopNest([result], [doubled, result])
print(nest)

# %% Fusion: the first is computed where the second needs it, and its buffer is gone
nest.compute_inline(doubled.buf())
print(nest)

# %% Split: the inner loop in pieces, as long as a vector register
FACTOR = 8
rows, columns = nest.get_loops_for(result)
te.LoopNest.split_with_tail(columns, FACTOR)
print(nest)

# %% Reorder: columns outside, rows inside; the same numbers, other addresses one after another
loops = nest.get_loops_for(result)
te.LoopNest.reorder([loops[0], loops[1]], [1, 0])
print(nest)

# %% Run what is left, and compare with eager
nest.prepare_for_codegen()
program = te.construct_codegen(
    "ir_eval", te.simplify(nest.root_stmt()), [te.BufferArg(A), te.BufferArg(result)]
)
given, got = torch.rand(64, 64), torch.empty(64, 64)
program.call([given, got])
print("largest difference to eager:", (got - (given * 2 + 1)).abs().max().item())
torch.testing.assert_close(got, given * 2 + 1)
