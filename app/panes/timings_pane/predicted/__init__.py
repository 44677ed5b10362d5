"""The page of the predicted step: memory of one GPU over it, and layer by layer what bounds its time. Nothing was measured."""
