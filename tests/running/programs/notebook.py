"""What ``jupyter execute`` does: the cells run in a kernel, which is another process; one of them is changed and run again."""

import nbclient
import nbformat

CELLS = (
    "import torch\ntorch.manual_seed(0)\nnet = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 2))",
    "step = torch.compile(net)\nfor size in (4, 4, 6):\n    loss = step(torch.randn(size, 8)).square().mean()\n"
    "    loss.backward()\n    print(size, loss.item().hex())",
    "def scaled(x, by):\n    return torch.sin(x) * by\nscaled = torch.compile(scaled)\nprint(scaled(torch.arange(4.0), 2).sum().item().hex())",
    "def scaled(x, by):\n    return torch.cos(x) * by\nscaled = torch.compile(scaled)\nprint(scaled(torch.arange(4.0), 3).sum().item().hex())",
)
notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
for cell in notebook.cells:
    for output in cell.outputs:
        print(output.get("text", output.output_type), end="", flush=True)
