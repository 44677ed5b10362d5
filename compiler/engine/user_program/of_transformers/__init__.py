"""A ``config.json`` of transformers as a program. `config_file` reads it safely, `config_program` makes the model and inputs.

Nothing else of us imports transformers.
"""
