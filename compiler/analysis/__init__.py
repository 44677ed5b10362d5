"""What can be found out from captures alone: pure functions on `compiler.model`, without torch.

Neither engine nor worker needs any of it; window and command line do.
"""
