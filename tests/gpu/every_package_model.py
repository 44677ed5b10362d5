"""``python -m tests.gpu.every_package_model record|compare|look|try FILE …``: the smallest model of each family of timm and each model
of diffusers and vit-pytorch, small (`every_model`). A kind is named as PACKAGE/NAME. What to install: `kinds_of_packages`.
"""

import sys

from tests.gpu.every_model import Cases, main
from tests.gpu.kinds_of_packages import PACKAGES, PackageModel, kinds

if __name__ == "__main__":
    sys.exit(main("tests.gpu.every_package_model", Cases(PackageModel, PACKAGES), kinds))
