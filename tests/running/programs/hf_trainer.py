"""transformers.Trainer with torch_compile=True on a small BERT with random weights."""

import tempfile

import torch
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    PrinterCallback,
    Trainer,
    TrainerCallback,
    TrainingArguments,
)

torch.manual_seed(0)


class Sentences(torch.utils.data.Dataset):
    def __len__(self):
        return 24

    def __getitem__(self, index):
        generator = torch.Generator().manual_seed(index)
        ids = torch.randint(5, 100, (16,), generator=generator)
        return {"input_ids": ids, "attention_mask": torch.ones_like(ids), "labels": int(ids.sum() % 2)}


class Say(TrainerCallback):
    def on_log(self, args, state, control, logs=None, **kwargs):
        if logs and "loss" in logs:
            print(state.global_step, logs["loss"], flush=True)


config = BertConfig(
    vocab_size=100,
    hidden_size=32,
    num_hidden_layers=2,
    num_attention_heads=2,
    intermediate_size=64,
    max_position_embeddings=32,
)
with tempfile.TemporaryDirectory() as folder:
    arguments = TrainingArguments(
        folder,
        max_steps=6,
        per_device_train_batch_size=4,
        logging_steps=1,
        torch_compile=True,
        use_cpu=True,
        report_to=[],
        save_strategy="no",
        disable_tqdm=True,
        seed=0,
        dataloader_num_workers=0,
    )
    trainer = Trainer(
        BertForSequenceClassification(config), arguments, train_dataset=Sentences(), callbacks=[Say()]
    )
    trainer.remove_callback(PrinterCallback)  # prints how long it took
    trainer.train()
