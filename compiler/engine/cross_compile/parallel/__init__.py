"""Spreading a program over ranks that are not here: tensor parallel, data parallel, FSDP2, stages of a pipeline.

All of it is torch's own (`parallelize_module`, `fully_shard`, `DistributedDataParallel`) or the model's own plan; what is here
decides to which modules, and says what does not fit before torch does.
"""
