"""``python -m tests.gpu.every_transformer record|compare|look|try FILE …``: every kind of model of transformers, small (`every_model`)."""

import sys

from tests.gpu.every_model import Cases, main
from tests.gpu.transformers_models import TransformersModel, kinds

if __name__ == "__main__":
    sys.exit(main("tests.gpu.every_transformer", Cases(TransformersModel, ("transformers",)), kinds))
