"""What torch.distributed knows of the processes that a graph sends to."""
