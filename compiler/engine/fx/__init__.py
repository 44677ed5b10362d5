"""torch.fx graphs imported into the model, interpreted, and their names resolved.

Changing live graphs is `graph_editing`.
"""
