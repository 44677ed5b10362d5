"""Lightning's Trainer with a compiled module: training steps, a validation epoch, another batch size at the end of an epoch."""

import logging
import tempfile
import warnings

import lightning
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
logging.getLogger("lightning").setLevel(logging.ERROR)


class Classifier(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Dropout(0.1), nn.Linear(32, 4))

    def step(self, batch, name):
        x, y = batch
        loss = nn.functional.cross_entropy(self.net(x), y)
        print(name, loss.item().hex(), flush=True)
        return loss

    def training_step(self, batch, index):
        return self.step(batch, f"train {index}")

    def validation_step(self, batch, index):
        self.step(batch, f"valid {index}")

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=0.01)


lightning.seed_everything(0, verbose=False)
data = TensorDataset(torch.randn(44, 16), torch.randint(0, 4, (44,)))
with tempfile.TemporaryDirectory() as folder:
    trainer = lightning.Trainer(
        max_epochs=2,
        accelerator="cpu",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        default_root_dir=folder,
    )
    trainer.fit(torch.compile(Classifier()), DataLoader(data, 16), DataLoader(data, 22))
