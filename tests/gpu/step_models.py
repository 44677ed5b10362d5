"""Steps of training as programs write them, the optimizer in them."""

from typing import Any

import torch
from torch import nn
from torch.nn import functional

_ROWS = "torch.randn(8, 16)"


class _Step(nn.Module):
    """Two layers, a loss, a backward, a step."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(16, 32)
        self.second = nn.Linear(32, 16)
        self.optimizer = self.made(list(self.parameters()))

    def made(self, parameters: list[nn.Parameter]) -> Any:
        """The optimizer."""
        return torch.optim.SGD(parameters, 0.1)

    def loss(self, x: torch.Tensor) -> torch.Tensor:
        """Of these rows."""
        return functional.mse_loss(self.second(torch.relu(self.first(x))), x)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with torch.enable_grad():
            self.optimizer.zero_grad()
            loss = self.loss(x)
            loss.backward()
            self.before()
            self.optimizer.step()
            self.after()
        return loss.detach()

    def before(self) -> None:
        """What comes before the step."""

    def after(self) -> None:
        """And behind it."""


class Momentum(_Step):
    def made(self, parameters):
        return torch.optim.SGD(parameters, 0.1, momentum=0.9, nesterov=True, weight_decay=1e-4)


class Adam(_Step):
    def made(self, parameters):
        return torch.optim.Adam(parameters, 1e-3)


class AdamFused(_Step):
    def made(self, parameters):
        return torch.optim.AdamW(parameters, 1e-3, fused=True)


class AdamForeach(_Step):
    def made(self, parameters):
        return torch.optim.AdamW(parameters, 1e-3, foreach=True)


class AdamCapturable(_Step):
    def made(self, parameters):
        return torch.optim.AdamW(parameters, 1e-3, capturable=True)


class AdamAmsgrad(_Step):
    def made(self, parameters):
        return torch.optim.Adam(parameters, 1e-3, amsgrad=True)


class AdamTensorRate(_Step):
    def made(self, parameters):
        return torch.optim.AdamW(parameters, torch.tensor(1e-3), capturable=True)


class Adagrad(_Step):
    def made(self, parameters):
        return torch.optim.Adagrad(parameters, 1e-2)


class Rmsprop(_Step):
    def made(self, parameters):
        return torch.optim.RMSprop(parameters, 1e-2, momentum=0.9)


class Nadam(_Step):
    def made(self, parameters):
        return torch.optim.NAdam(parameters, 1e-3)


class Adadelta(_Step):
    def made(self, parameters):
        return torch.optim.Adadelta(parameters)


class Adamax(_Step):
    def made(self, parameters):
        return torch.optim.Adamax(parameters)


class Rprop(_Step):
    def made(self, parameters):
        return torch.optim.Rprop(parameters)


class Radam(_Step):
    def made(self, parameters):
        return torch.optim.RAdam(parameters)


class Adafactor(_Step):
    def made(self, parameters):
        return torch.optim.Adafactor(parameters)


class Muon(_Step):
    def made(self, parameters):
        return torch.optim.Muon([p for p in parameters if p.ndim == 2])


class Groups(_Step):
    def made(self, parameters):
        return torch.optim.AdamW(
            [{"params": parameters[:2], "lr": 1e-2}, {"params": parameters[2:], "weight_decay": 0.0}], 1e-3
        )


class Clipped(Adam):
    def before(self):
        torch.nn.utils.clip_grad_norm_(self.parameters(), 1.0)


class ClippedValues(Adam):
    def before(self):
        torch.nn.utils.clip_grad_value_(self.parameters(), 1.0)


class Scheduled(_Step):
    def __init__(self):
        super().__init__()
        self.rates = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, 10)

    def after(self):
        self.rates.step()


class Averaged(_Step):
    def __init__(self):
        super().__init__()
        self.mean = [torch.zeros_like(p) for p in self.parameters()]

    def after(self):
        with torch.no_grad():
            torch._foreach_lerp_(
                [m.to(p.device) for m, p in zip(self.mean, self.parameters(), strict=True)],
                [p.detach() for p in self.parameters()],
                0.1,
            )


class Accumulated(Adam):
    def forward(self, x):
        with torch.enable_grad():
            self.optimizer.zero_grad()
            total = 0.0
            for part in x.chunk(2):
                loss = self.loss(part) / 2
                loss.backward()
                total = total + loss.detach()
            self.optimizer.step()
        return total


class Scaled(_Step):
    def __init__(self):
        super().__init__()
        self.scaler = torch.amp.GradScaler("cuda")

    def forward(self, x):
        with torch.enable_grad():
            self.optimizer.zero_grad()
            with torch.autocast("cuda", dtype=torch.float16):
                loss = self.loss(x)
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()
        return loss.detach()


class Bfloat(AdamFused):
    def loss(self, x):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            return super().loss(x)


class Gradients(_Step):
    def forward(self, x):
        with torch.enable_grad():
            loss = self.loss(x)
            gradients = torch.autograd.grad(loss, list(self.parameters()))
        with torch.no_grad():
            for p, g in zip(self.parameters(), gradients, strict=True):
                p.sub_(g, alpha=0.1)
        return loss.detach()


class Penalty(_Step):
    def loss(self, x):
        x = x.detach().requires_grad_()
        y = self.second(torch.tanh(self.first(x)))
        (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        return y.mean() + (g.norm(2, dim=1) - 1).pow(2).mean()


INPUTS = {
    name: _ROWS
    for name, found in list(globals().items())
    if isinstance(found, type) and issubclass(found, _Step) and found is not _Step
}
