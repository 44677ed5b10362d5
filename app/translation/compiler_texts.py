"""Fixed words of compiler/, which has no Qt, in the person's language. A test says that compiler/ still has each of them."""

from app.translation.texts import tr, tr_noop

_WORDS = frozenset(
    {
        tr_noop("Remove dropout"),
        tr_noop("Takes out every dropout; its input takes its place. Attention is given a dropout of 0."),
        tr_noop("relu → gelu"),
        tr_noop("Lets every relu call gelu. The function computed is another one."),
        tr_noop("Fold batch norm into convolution"),
        tr_noop(
            "A batch norm in evaluation mode that alone uses a convolution is folded into its weight and bias, computed by nodes "
            "from the module's own parameters and statistics."
        ),
        tr_noop("Attention → scaled_dot_product_attention"),
        tr_noop(
            "softmax(q @ kᵀ · scale + mask) @ v, with or without dropout, becomes one call that picks the fastest kernel."
        ),
        tr_noop("Run in bfloat16"),
        tr_noop(
            "Casts what goes into the selected calls (all, where none is selected) to bfloat16 and what comes out back; what is written to in place stays as it is."
        ),
        tr_noop("Remove dead code"),
        tr_noop(
            "Takes out calls without side effects whose results nobody uses; random numbers are drawn as before. Inductor does so too; here one sees which."
        ),
        tr_noop("Make common subexpressions once"),
        tr_noop(
            "Equal calls on equal arguments are made once; random numbers, what works in place and what is written to are left alone."
        ),
        tr_noop("Probe: print values"),
        tr_noop(
            "Puts a probe behind the selected calls (all, where none is selected): values and statistics come to the Output pane "
            "and the inspector. A probe is no part of any kernel, so fusions around it are lost."
        ),
        tr_noop("Probe: histograms"),
        tr_noop(
            "Probes behind the selected calls (all, where none is selected) that show how values are distributed, in the Output "
            "pane and the inspector. A probe is no part of any kernel, so fusions around it are lost."
        ),
        tr_noop("Probe: find NaN and Inf"),
        tr_noop(
            "Probes behind the selected calls (all, where none is selected) that tell the first node whose values are not finite."
        ),
        tr_noop("Remove every probe"),
        tr_noop("Takes all probes out again."),
        # What was compiled in a run.
        tr_noop("no operation in its graph"),
        tr_noop("Dynamo left it to Python; the log does not say why"),
        # The line above the panes.
        tr_noop("{count:,} op"),
        tr_noop("{count:,} ops"),
        tr_noop("{count:,} graph"),
        tr_noop("{count:,} graphs"),
        tr_noop("{ops} in {graphs}"),
        tr_noop("captured with {front_end}"),
        tr_noop("run eagerly"),
        tr_noop("no graph was captured"),
        tr_noop("Nothing was compiled; what went wrong is listed there"),
        tr_noop("rank {rank} of {world}"),
        tr_noop("stage {stage} of {count}"),
        tr_noop("One process of many was captured; the others are listed there"),
        tr_noop("{count:,} break"),
        tr_noop("{count:,} breaks"),
        tr_noop("{count:,} kernel"),
        tr_noop("{count:,} kernels"),
        tr_noop("{count:,} recompile"),
        tr_noop("{count:,} recompiles"),
        tr_noop("Operations of the graphs that Dynamo captured"),
        tr_noop("Where Dynamo stopped, and why"),
        tr_noop("Kernels that Inductor generated"),
        tr_noop("Why earlier code did not fit"),
        tr_noop(
            "One step of the compiled program beside one of the eager program, measured interleaved on this machine"
        ),
        tr_noop("{size} saved for backward"),
        tr_noop("What the forward keeps for the backward"),
        tr_noop("Built under fake tensors: no parameter was allocated, nothing was run or measured"),
        tr_noop("without values"),
        tr_noop("for {gpu}"),
        tr_noop("That GPU is not asked: kernels are Inductor's own for it, nothing was run or measured"),
        tr_noop("too few steps to compare with eager"),
        tr_noop("not told apart from eager ({low:.2f}–{high:.2f} times as long)"),
        tr_noop("compiled {ratio:.2f}× faster ({low:.2f}–{high:.2f})"),
        tr_noop("compiled {ratio:.2f}× slower ({low:.2f}–{high:.2f})"),
        tr_noop("other code was timed"),
        tr_noop(
            "No captured graph ran in the steps that were timed: after the first call its guards do not hold any more or nothing calls "
            "it, and torch goes on in other code, of which the times are."
        ),
        tr_noop("Torch names the guard that does not hold: {guards}"),
        tr_noop("in kernels"),
        tr_noop("library calls {share:.0%}"),
        tr_noop("their medians add up to {share:.0%}: in most steps some took far longer"),
        tr_noop("in generated wrappers between kernels"),
        tr_noop("in AOTAutograd's runtime around them"),
        tr_noop("outside compiled graphs"),
        tr_noop("with no kernel of a graph on the GPU"),
        tr_noop("outside the captured graphs"),
        tr_noop("with no kernel of a captured graph on the GPU"),
        tr_noop(
            "Of what was captured {graphs} did not run in these steps: after the first call its guards do not hold any more. Torch goes "
            "on in other code, whose kernels are in none of these rows."
        ),
        tr_noop("guards about {share:.0%}"),
        tr_noop("{share:.0%} of the step is spent {where}"),
        tr_noop("{share:.0%} {where}"),
        # Why Dynamo stopped, and what became of the program there.
        tr_noop("branches on a tensor's value"),
        tr_noop("branches on a value that depends on a tensor"),
        tr_noop("asserts on a tensor's value"),
        tr_noop("the result is a Python value that depends on the data"),
        tr_noop("the size of the result depends on the data"),
        tr_noop("asks for a graph break"),
        tr_noop("asks Dynamo to skip the function"),
        tr_noop("takes a number out of a tensor"),
        tr_noop("takes numbers out of a tensor"),
        tr_noop("a generator can't be compiled by itself"),
        tr_noop("raises an exception"),
        tr_noop("enters a context manager that Dynamo does not know"),
        tr_noop("runs backward inside the compiled function"),
        tr_noop("logs a message"),
        tr_noop("compiled too often: from here on it runs eagerly"),
        tr_noop("in a loop"),
        tr_noop("reads a clock"),
        tr_noop("calls an operator that does not say what shape its result has"),
        tr_noop("calls torch.compiler.disable while it is compiled"),
        tr_noop("a generator goes over a function that Dynamo does not look into"),
        tr_noop("no variable of it holds a tensor"),
        tr_noop("it has no tensor operation"),
        tr_noop("it is on Dynamo's list of code never traced"),
        tr_noop("Dynamo can't trace {callee}()"),
        tr_noop("Dynamo does not look into {callee}()"),
        tr_noop("{callee}() is kept out by torch.compiler.disable"),
        tr_noop("Dynamo does not know how to call {callee}()"),
        tr_noop(
            "Dynamo gave the whole function up: it runs eagerly. Functions it calls are compiled as frames of their own."
        ),
        tr_noop(
            "The break is in a loop. Dynamo can't resume there, so it gave the whole function up: it runs eagerly."
        ),
        tr_noop("Dynamo will not look into the function that is called; it runs eagerly."),
        tr_noop("Compiled so often that torch stopped: whatever fits no earlier compile runs eagerly."),
        tr_noop("With fullgraph=True a break is an error: torch.compile raised here."),
        tr_noop("This is no graph break: torch._dynamo.export makes one graph or none, and raised here."),
        tr_noop("This is no graph break: torch.compile raised an error here."),
        tr_noop("No variable of this function holds a tensor, so Dynamo had nothing to compile in it."),
        tr_noop("Dynamo traced this function and found no tensor operation in it."),
        tr_noop("Dynamo has this file or function on its list of code that it never traces."),
        tr_noop("Dynamo never compiles __setattr__ by itself."),
        tr_noop("A torch dispatch mode was active; Dynamo compiles nothing under one."),
        tr_noop("torch.compiler.disable(recursive=False) keeps Dynamo out of this function."),
        tr_noop("function runs eagerly: {words}"),
        tr_noop("{words}; the whole function runs eagerly"),
        tr_noop("{words}; the rest of the function runs eagerly"),
        tr_noop("The whole function was given up: it runs eagerly."),
        tr_noop("Dynamo found no place to resume at: the rest of the function runs eagerly."),
        tr_noop("Right"),
        tr_noop("Wrong"),
        tr_noop("Not judged"),
        tr_noop("✓ edit is right"),
        tr_noop("✗ edit is wrong"),
        tr_noop("? edit is not judged"),
        tr_noop("✓ results are right"),
        tr_noop("✗ results are wrong"),
        tr_noop("? results are not judged"),
        tr_noop("{words}, {speed}"),
        tr_noop(
            "What was compared with float64 and with eager, how far off it is, and how long a step takes"
        ),
        tr_noop("not timed"),
        tr_noop("no clear change"),
        tr_noop("{ratio:.2f}× faster"),
        tr_noop("{ratio:.2f}× slower"),
        tr_noop("nothing was compared with a reference"),
        tr_noop("of the largest value of {tensor}: more than rounding explains, eager is nearer to float64"),
        tr_noop("{sentence}; eager is nearer to float64"),
        tr_noop("{tensor} is 0 in float64: rounding, as in eager"),
        tr_noop("After the edit {sentence}."),
        tr_noop("the same as float64, to the last digit"),
        tr_noop("what the kernels before the edit write from the same inputs, bit for bit"),
        tr_noop("{sentence}, unlike what the kernel before the edit writes"),
        tr_noop(
            "of the largest value that the kernel before the edit writes to {tensor}, from the same inputs"
        ),
        tr_noop("of the largest value of {tensor}: rounding, as in eager"),
        tr_noop("The edit changes no result."),
        tr_noop("The edit moves no result farther from eager than compiling does."),
        tr_noop("The code as it was before the edit gives wrong results."),
        tr_noop("The edit moves results by up to {amount} ({tensor})."),
        tr_noop("Graph break"),
        tr_noop("Skipped frame"),
        tr_noop("Break in a loop"),
        tr_noop("Inlining refused"),
        tr_noop("Recompile limit"),
        tr_noop("Error"),
        tr_noop("Export error"),
        tr_noop("Failure"),
        # Two times beside each other, and the parts of a step.
        tr_noop("{first} and {second}: too few pairs to compare"),
        tr_noop("{first} cannot be told apart from {second}: {why}"),
        tr_noop("{first} cannot be compared with {second}: {why}"),
        tr_noop("{first} is {ratio:.2f}× faster than {second} (95 %: {low:.2f}–{high:.2f}, {pairs} pairs)"),
        tr_noop("{first} is {ratio:.2f}× slower than {second} (95 %: {low:.2f}–{high:.2f}, {pairs} pairs)"),
        tr_noop(
            "{low:.2f} to {high:.2f} times as long (95 % of {pairs} pairs) on a machine that is busy (other processes used "
            "{others:.1f} cores)"
        ),
        tr_noop(
            "steps of the same turn say {ratio:.2f} times as long, the medians {medians:.2f} times: the machine changed its speed meanwhile"
        ),
        tr_noop("{low:.2f} to {high:.2f} times as long (95 % of {pairs} pairs) is within the noise"),
        tr_noop(
            "{low:.3f} to {high:.3f} times as long (95 % of {pairs} pairs) is no more than two copies of one program differ by "
            "where they lie in memory"
        ),
        tr_noop("Extern kernels: library calls such as matrix products"),
        tr_noop("Generated wrappers less their kernels: allocating, checking inputs, calling"),
        tr_noop("Compiled graphs less their wrappers: AOTAutograd's runtime around the forward"),
        tr_noop("The rest: guards, Dynamo's bytecode, code at graph breaks, the autograd engine"),
        tr_noop(
            "The rest: wrappers, launching kernels, guards, Dynamo's bytecode, code at graph breaks, the autograd engine"
        ),
        # What is assumed of an absent GPU, and what can be.
        tr_noop("Attention"),
        tr_noop("Matrix products of sizes that are not aligned"),
        tr_noop("Winner of max-autotune"),
        tr_noop("Configuration of a kernel"),
        tr_noop("Fusions that torch would time"),
        tr_noop("as torch prefers on this GPU"),
        tr_noop("flash attention"),
        tr_noop("memory-efficient"),
        tr_noop("written out (math)"),
        tr_noop("each as measured of similar ones on an H100; for other GPUs not padded"),
        tr_noop("not padded"),
        tr_noop("padded to aligned sizes"),
        tr_noop("the first Triton template"),
        tr_noop("the library's (cuBLAS, cuDNN)"),
        # What the engine does for a request.
        tr_noop("Looking at {name}"),
        tr_noop("Capturing {name}"),
        tr_noop("Looking for operations that fit {node}"),
        tr_noop("Looking up what {node} takes"),
        tr_noop("Looking at what {compile} is called with"),
        tr_noop("Timing the guards of {compile}"),
        tr_noop("Trying a change of {name} on a copy"),
        tr_noop("Capturing with {way}"),
        tr_noop("Running {way} of {name}"),
        tr_noop("Trying backend {name}"),
        tr_noop("Checking the edits"),
        tr_noop("Compiling the edits"),
        tr_noop("Trying Inductor's knobs for this kernel"),
        tr_noop("Looking for matches of the pattern"),
        tr_noop("Reading the edited graphs"),
        tr_noop("Asking the partitioner"),
        tr_noop("Compiling and timing partitions"),
        tr_noop("Checking guards"),
        tr_noop("Timing what runs outside compiled graphs"),
        tr_noop("Calling it again with the same arguments"),
        tr_noop("Timing"),
        tr_noop("Timing two states interleaved"),
        tr_noop("Measuring ways to call torch.compile"),
        tr_noop("Calling with other sizes"),
        tr_noop("Tracing the dispatcher"),
        tr_noop("Listing the instructions of a kernel"),
        tr_noop("Looking at the values of a step"),
        tr_noop("Making the program smaller"),
        tr_noop("Looking for what fails"),
        tr_noop("Looking for the cause"),
        tr_noop("Looking for what is slow"),
        tr_noop("Looking for what it costs"),
        tr_noop("Lowering a kernel"),
        tr_noop("Interpreting kernels"),
        tr_noop("Trying whether GPUs can be compiled for"),
        tr_noop("Reading torch.compile's options"),
        tr_noop("Measuring what this machine reaches"),
        tr_noop("Looking at this computer"),
        tr_noop("Listing torch's operators"),
        tr_noop("Looking at the dispatch keys of tensors"),
        tr_noop("Reading a dispatch table"),
        tr_noop("Taking an operator apart"),
        tr_noop("Running a lesson"),
        tr_noop("Stopping"),
        # Stages, without the function that they are of.
        tr_noop("Bytecode"),
        tr_noop("Rewritten bytecode"),
        tr_noop("Dynamo graph"),
        tr_noop("Part"),
        tr_noop("Graph after pre-grad passes"),
        tr_noop("Joint graph"),
        tr_noop("Runtime wrappers"),
        tr_noop("Forward graph"),
        tr_noop("Forward graph after post-grad passes"),
        tr_noop("Forward loop IR"),
        tr_noop("Forward loop IR, fused"),
        tr_noop("Forward kernels"),
        tr_noop("Forward wrapper"),
        tr_noop("Backward graph"),
        tr_noop("Backward graph after post-grad passes"),
        tr_noop("Backward loop IR"),
        tr_noop("Backward loop IR, fused"),
        tr_noop("Backward kernels"),
        tr_noop("Backward wrapper"),
        tr_noop("Inference graph"),
        tr_noop("Inference graph after post-grad passes"),
        tr_noop("Inference loop IR"),
        tr_noop("Inference loop IR, fused"),
        tr_noop("Inference kernels"),
        tr_noop("Inference wrapper"),
        tr_noop("Graph"),
        tr_noop("Loop IR"),
        tr_noop("Loop IR, fused"),
        tr_noop("Kernels"),
        tr_noop("Wrapper"),
    }
)


def translate_fixed_text(text: str) -> str:
    """A fixed word of compiler/ in the person's language; any other text, such as a plugin's, as it stands."""
    return tr(text) if text in _WORDS else text


def translate(sentence: str, /, **fields: object) -> str:
    """A sentence of compiler/ with fields, which are filled in after it was translated."""
    return translate_fixed_text(sentence).format(**fields)


def stage_title(title: str) -> str:
    """What compiler/ calls a stage; the name of the function that it is of stays as it is."""
    what, of, name = title.partition(" of ")
    return (
        tr("{what} of {name}").format(what=translate_fixed_text(what), name=name)
        if of
        else translate_fixed_text(title)
    )
