"""One file a stage, the same two functions in each: ``make`` gives the stage as data, ``link`` its links upstream.

Stages do not know one another; ``compiler.engine.capture.assemble`` puts them in order.
"""
