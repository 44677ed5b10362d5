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
            "Casts what goes into the selected calls (all, where none is selected) to bfloat16 and what comes out back."
        ),
        tr_noop("Remove dead code"),
        tr_noop(
            "Takes out calls without side effects whose results nobody uses. Inductor does so too; here one sees which."
        ),
        tr_noop("Make common subexpressions once"),
        tr_noop(
            "Equal calls on equal arguments are made once; random numbers and what works in place are left alone."
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
    }
)


def in_our_words(text: str) -> str:
    """A fixed word of compiler/ in the person's language; any other text, such as a plugin's, as it stands."""
    return tr(text) if text in _WORDS else text
