"""AOTAutograd and make_fx by themselves, without Dynamo.

The joint graph under torch.compile is a stage of `compiler.engine.stages`.
"""
