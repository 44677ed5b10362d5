"""What programs ask the GPU's driver for while they run, where there is no GPU: streams and events, random generators, ranges
for a profiler. What Inductor asks about a GPU is not here.
"""
