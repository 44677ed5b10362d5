"""The API in a real Jupyter kernel."""

import pytest

nbclient = pytest.importorskip(
    "nbclient", reason="`make test` installs it; older environments of the matrix lack it"
)
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")

pytestmark = pytest.mark.worker

CELLS = (
    "import torch, torch_loupe\n"
    "class Net(torch.nn.Module):\n"
    "    def __init__(self):\n"
    "        super().__init__()\n"
    "        self.fc = torch.nn.Linear(8, 4)\n"
    "    def forward(self, x):\n"
    "        return torch.relu(self.fc(x)) * (x.sum() < 1e9)\n",
    "cap = torch_loupe.capture(Net(), torch.randn(2, 8)); cap",
    "cap['dynamo']",
    "print(cap['source'].text)",
    "cap.follow('dynamo', 'relu')",
)


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning", "ignore::FutureWarning")
def test_a_class_of_a_cell_is_captured_and_shown() -> None:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in CELLS])
    nbclient.NotebookClient(notebook, timeout=180, kernel_name="python3").execute()
    outputs = [  # torch may write to stderr before
        [output for output in cell.outputs if output.get("name") != "stderr"] for cell in notebook.cells
    ]
    assert "0/0:joint" in outputs[1][0]["data"]["text/html"]
    dynamo = outputs[2][0]["data"]["text/html"]
    assert "x.sum() &lt; 1e9" in dynamo
    assert "< 1e9" not in dynamo
    assert "return torch.relu(self.fc(x))" in outputs[3][0]["text"]
    assert "L7" in outputs[4][0]["data"]["text/html"]
