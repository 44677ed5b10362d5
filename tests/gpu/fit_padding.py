"""``python -m tests.gpu.fit_padding [OUT]``: the trees of ``resources/padding_h100.json``, and how often they are right of products that
they were not fitted to. Needs scikit-learn; the compiler does not.
"""

import json
import lzma
import math
import sys
from pathlib import Path
from typing import Any

from compiler.engine.torch_internals.fake_gpu.padding_estimate import (
    MEASURED,
    Product,
    features,
    has_unaligned_rows,
)

RECORDED = Path(__file__).parents[1] / "data" / "padding_h100_torch2.11.json.xz"
_FOLDS = 5


def recorded() -> tuple[dict[str, str], list[tuple[Product, float, float, bool]]]:
    """Where it was measured; and each product in half precision, milliseconds unpadded and padded, and what torch decided."""
    reported = json.loads(lzma.decompress(RECORDED.read_bytes()))
    rows = []
    for (
        op,
        dtype,
        batch,
        m,
        k,
        n,
        first,
        second,
        free1,
        free2,
        dims,
        unpadded,
        padded,
        decided,
    ) in reported.pop("rows"):
        product = Product(op, dtype, batch, m, k, n, (first == "t", second == "t"), (free1, free2), dims)
        rows.append((product, unpadded, padded, decided))
    return reported, rows


def _trees(model: Any) -> list[Any]:
    def nested(nodes: Any, at: int) -> Any:
        node = nodes[at]
        if node["is_leaf"]:
            return round(float(node["value"]), 4)
        # the nearest shorter number may lie on the other side of a whole one
        threshold = round(float(node["num_threshold"]), 4)
        return [
            int(node["feature_idx"]),
            threshold,
            nested(nodes, node["left"]),
            nested(nodes, node["right"]),
        ]

    return [float(model._baseline_prediction[0][0]), *(nested(row[0].nodes, 0) for row in model._predictors)]


def main() -> int:
    """Cross-validate, say it, write the trees."""
    import numpy as np
    from sklearn.ensemble import HistGradientBoostingRegressor  # type: ignore[import-not-found,unused-ignore]

    reported, rows = recorded()
    aligned = [decided for product, _, _, decided in rows if not has_unaligned_rows(product)]
    print(f"aligned rows: {sum(aligned)} of {len(aligned)} padded")
    rows = [row for row in rows if has_unaligned_rows(row[0])]
    table = np.array([features(product) for product, *_ in rows], dtype=float)
    times = np.log(np.array([row[1:3] for row in rows]))
    decided = np.array([row[3] for row in rows])
    fold = np.random.RandomState(0).randint(0, _FOLDS, len(rows))

    def fitted(which: int, of: Any) -> Any:
        model = HistGradientBoostingRegressor(
            max_iter=200, learning_rate=0.1, max_leaf_nodes=16, random_state=0
        )
        return model.fit(table[of], times[of, which])

    found = np.zeros(len(rows))
    for one in range(_FOLDS):
        seen, rest = fold != one, fold == one
        found[rest] = fitted(0, seen).predict(table[rest]) - fitted(1, seen).predict(table[rest])
    guessed = found > math.log(1.1)

    def judged(name: str, of: Any) -> float:
        right, both = (guessed == decided)[of].mean(), (guessed & decided)[of].sum()
        print(
            f"{name:<28} {of.sum():>5} products, {decided[of].sum():>4} padded: right {right:.4f}, recall "
            f"{both / max(decided[of].sum(), 1):.3f}, precision {both / max(guessed[of].sum(), 1):.3f}"
        )
        return float(right)

    every = np.ones(len(rows), dtype=bool)
    right = judged("all", every)
    classes = {
        "op": lambda p: p.op,
        "dtype": lambda p: p.dtype,
        "layouts": lambda p: "".join("rt"[t] for t in p.transposed),
        "free": lambda p: str(p.free),
        "op, layouts": lambda p: p.op + " " + "".join("rt"[t] for t in p.transposed),
        "log10 of flops": lambda p: f"{math.floor(math.log10(2 * (p.batch or 1) * p.m * p.k * p.n)):02}",
    }
    for title, of in classes.items():
        keys = np.array([of(product) for product, *_ in rows])
        for key in sorted(set(keys)):
            judged(f"  {title} {key}", keys == key)
    near = abs(times[:, 0] - times[:, 1] - math.log(1.1)) < 0.1
    print(
        f"within 10 % of torch's threshold: {near.mean():.3f} of all, {near[guessed != decided].mean():.3f} of the wrong ones"
    )
    trees = {"unpadded": _trees(fitted(0, every)), "padded": _trees(fitted(1, every))}
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else MEASURED
    head = reported | {"products": len(rows), "right": round(right, 3)}
    out.write_text(json.dumps(head | {"trees": trees}, separators=(",", ":")) + "\n")
    print(out, out.stat().st_size)
    return 0


if __name__ == "__main__":
    sys.exit(main())
