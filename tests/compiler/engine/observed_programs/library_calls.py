"""Library calls on a batch of any size: whoever counts their operations must not tell torch that it is this size."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 8, 3)
        self.back = torch.nn.ConvTranspose2d(8, 4, 3)
        self.attend = torch.nn.MultiheadAttention(16, 2, batch_first=True)
        self.last = torch.nn.Linear(16, 4)

    def forward(self, images):
        x = self.back(self.conv(images).relu()).flatten(2)[:, :, :16]
        attended = torch.nn.functional.scaled_dot_product_attention(x[:, None], x[:, None], x[:, None])
        mixed, _ = self.attend(x, x, x, need_weights=False)
        products = torch.baddbmm(mixed, attended[:, 0] @ x.transpose(1, 2), x)
        return self.last(products)


def example_inputs():
    images = torch.randn(3, 3, 8, 8)
    torch._dynamo.mark_dynamic(images, 0)
    return (images,)
