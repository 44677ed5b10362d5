"""Finding what makes compiled code give wrong results: the stage, the pass, the fusion, the node, by taking suspects out one
by one. Whether one result is right is reported by `compiler.engine.accuracy`; verdicts on edits are in `compiler.engine.verdicts`.
"""
