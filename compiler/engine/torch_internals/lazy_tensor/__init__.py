"""Reader of LazyTensor's backend, only for a process of its own: it cannot be left again.."""
