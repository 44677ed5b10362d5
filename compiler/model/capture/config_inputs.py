"""A ``config.json`` of transformers as a target: which model is made of it, and for inputs of which size."""

import msgspec

CONFIG = ".json"
"""How the name of such a target ends."""

TASKS = {
    "causal-lm": "AutoModelForCausalLM",
    "masked-lm": "AutoModelForMaskedLM",
    "seq2seq-lm": "AutoModelForSeq2SeqLM",
    "sequence-classification": "AutoModelForSequenceClassification",
    "token-classification": "AutoModelForTokenClassification",
    "question-answering": "AutoModelForQuestionAnswering",
    "image-classification": "AutoModelForImageClassification",
    "features": "AutoModel",
}
"""What can be asked of a model → the class of transformers that makes it."""


class ConfigInputs(msgspec.Struct, frozen=True):
    """What of a configuration's model is wanted."""

    task: str = ""
    """One of `TASKS`; empty: what the configuration's own ``architectures`` says, else ``features``."""
    batch: int = 1
    length: int = 128
    """Tokens; of images the configuration has the size."""
    labels: bool = False
    """With labels, so that the result is the loss: a step of training."""


def is_config(target: str) -> bool:
    """Whether a target is a configuration by itself."""
    return target.endswith(CONFIG)
