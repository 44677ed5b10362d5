"""What drawings with axes have in common. They know nothing of what stands on them."""
