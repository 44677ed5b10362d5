"""The programs: what to import, what to make, what to call it with."""

import dataclasses
import importlib.util
from pathlib import Path

_IDS = "torch.randint(0, 100, (2, 8), generator=torch.Generator().manual_seed(0))"
_SMALL = "vocab_size=100, hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64"
_KEY_VALUE = f"{_SMALL}, num_key_value_heads=2"
_IMAGE = "hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64, image_size=32, patch_size=8"

_ROWS = "torch.randn(8, 4, generator=torch.Generator().manual_seed(0))"


def _images(count: int, channels: int, size: int) -> str:
    return f"torch.randn({count}, {channels}, {size}, {size}, generator=torch.Generator().manual_seed(0))"


@dataclasses.dataclass(frozen=True)
class PackageProgram:
    """A module that calls a model of a package."""

    name: str
    package: str
    model: str
    """What makes it, after ``from PACKAGE import *`` by name: ``transformers.BertModel(...)``."""
    inputs: str
    call: str = "self.model(x)"

    @property
    def installed(self) -> bool:
        return importlib.util.find_spec(self.package.partition(".")[0]) is not None

    def write(self, folder: Path) -> str:
        """A file with the program; gives the target that names it."""
        (folder / f"{self.name}.py").write_text(
            f"import torch\nimport {self.package}\n\n\nclass Program(torch.nn.Module):\n"
            f"    def __init__(self):\n        super().__init__()\n        self.model = {self.model}\n\n"
            f"    def forward(self, x):\n        return {self.call}\n\n\n"
            f"def example_inputs():\n    return ({self.inputs},)\n",
            encoding="utf-8",
        )
        return f"{self.name}.py:Program"


def _hf(name: str, config: str, model: str, arguments: str, call: str, inputs: str = _IDS) -> PackageProgram:
    made = f"transformers.{model}(transformers.{config}({arguments}))"
    return PackageProgram(name, "transformers", made, inputs, call)


_LOGITS = "self.model(x, use_cache=False).logits"
_STATE = "self.model(x).last_hidden_state"
_T5 = "vocab_size=100, d_model=32, d_kv=16, d_ff=64, num_layers=1, num_heads=2, decoder_start_token_id=0"
_WHISPER = (
    "vocab_size=100, d_model=32, num_mel_bins=8, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2, "
    "decoder_attention_heads=2, encoder_ffn_dim=64, decoder_ffn_dim=64, max_source_positions=16, "
    "max_target_positions=32, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1, "
    "apply_spec_augment=False"
)
_WAVE = (
    "vocab_size=32, hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64, "
    "conv_dim=(16, 16), conv_stride=(4, 4), conv_kernel=(8, 8), num_feat_extract_layers=2, "
    "num_conv_pos_embeddings=8, num_conv_pos_embedding_groups=2, apply_spec_augment=False, layerdrop=0.0"
)
_SAM = (
    "hidden_size=32, output_channels=16, num_hidden_layers=2, num_attention_heads=2, image_size=32, patch_size=8, "
    "window_size=2, global_attn_indexes=[1], mlp_dim=64, num_pos_feats=8"
)

TRANSFORMERS = (
    _hf("bert", "BertConfig", "BertModel", _SMALL, _STATE),
    _hf("gpt2", "GPT2Config", "GPT2LMHeadModel", "vocab_size=100, n_embd=32, n_layer=1, n_head=2", _LOGITS),
    _hf("llama", "LlamaConfig", "LlamaForCausalLM", _KEY_VALUE, _LOGITS),
    _hf("t5", "T5Config", "T5ForConditionalGeneration", _T5,
        "self.model(input_ids=x, decoder_input_ids=x, use_cache=False).logits"),
    _hf("vit", "ViTConfig", "ViTModel", _IMAGE, _STATE, _images(1, 3, 32)),
    _hf("mixtral", "MixtralConfig", "MixtralForCausalLM", f"{_KEY_VALUE}, num_local_experts=2", _LOGITS),
    _hf("mamba", "MambaConfig", "MambaForCausalLM",
        "vocab_size=100, hidden_size=32, num_hidden_layers=1, state_size=4", _LOGITS),
    _hf("qwen2", "Qwen2Config", "Qwen2ForCausalLM", _KEY_VALUE, _LOGITS),
    _hf("distilbert", "DistilBertConfig", "DistilBertModel",
        "vocab_size=100, dim=32, n_layers=1, n_heads=2, hidden_dim=64", _STATE),
    _hf("gpt_neox", "GPTNeoXConfig", "GPTNeoXForCausalLM", _SMALL, _LOGITS),
    _hf("opt", "OPTConfig", "OPTForCausalLM", "vocab_size=100, hidden_size=32, num_hidden_layers=1, ffn_dim=64, "
        "num_attention_heads=2, word_embed_proj_dim=32, max_position_embeddings=32, pad_token_id=1", _LOGITS),
    _hf("whisper", "WhisperConfig", "WhisperForConditionalGeneration", _WHISPER,
        "self.model(input_features=x, decoder_input_ids=torch.ones(2, 4, dtype=torch.long), use_cache=False).logits",
        "torch.randn(2, 8, 32, generator=torch.Generator().manual_seed(0))"),
    _hf("clip", "CLIPVisionConfig", "CLIPVisionModel", _IMAGE, _STATE, _images(1, 3, 32)),
    _hf("wav2vec2", "Wav2Vec2Config", "Wav2Vec2Model", _WAVE, _STATE,
        "torch.randn(2, 400, generator=torch.Generator().manual_seed(0))"),
    _hf("sam", "SamVisionConfig", "SamVisionModel", _SAM, _STATE, _images(1, 3, 32)),
)  # fmt: skip
OTHERS = (
    PackageProgram("unet", "diffusers", "diffusers.UNet2DModel(sample_size=16, in_channels=3, out_channels=3, "
        "layers_per_block=1, block_out_channels=(8, 8), norm_num_groups=4, "
        "down_block_types=('DownBlock2D', 'DownBlock2D'), up_block_types=('UpBlock2D', 'UpBlock2D'))",
        _images(1, 3, 16), "self.model(x, 3).sample"),
    PackageProgram("unet_cond", "diffusers", "diffusers.UNet2DConditionModel(sample_size=16, in_channels=4, "
        "out_channels=4, block_out_channels=(16, 32), layers_per_block=1, down_block_types=('DownBlock2D', "
        "'CrossAttnDownBlock2D'), cross_attention_dim=16, norm_num_groups=8, up_block_types=('CrossAttnUpBlock2D', "
        "'UpBlock2D'), attention_head_dim=4)", _images(1, 4, 16),
        "self.model(x, torch.zeros(1, dtype=torch.long), encoder_hidden_states=torch.ones(1, 5, 16)).sample"),
    PackageProgram("vae", "diffusers", "diffusers.AutoencoderKL(block_out_channels=(8,), norm_num_groups=4, "
        "latent_channels=2, sample_size=16)", _images(1, 3, 16), "self.model(x).sample"),
    PackageProgram("dit", "diffusers", "diffusers.DiTTransformer2DModel(num_attention_heads=2, attention_head_dim=16, "
        "in_channels=2, out_channels=2, num_layers=1, norm_num_groups=2, sample_size=8, patch_size=2, "
        "num_embeds_ada_norm=10)", _images(1, 2, 8),
        "self.model(x, torch.zeros(1, dtype=torch.long), torch.zeros(1, dtype=torch.long)).sample"),
    PackageProgram("x_transformer", "x_transformers", "x_transformers.TransformerWrapper(num_tokens=100, "
        "max_seq_len=32, attn_layers=x_transformers.Decoder(dim=32, depth=1, heads=2))", _IDS),
    PackageProgram("plain_vit", "vit_pytorch", "vit_pytorch.ViT(image_size=32, patch_size=8, num_classes=10, dim=32, "
        "depth=1, heads=2, mlp_dim=64)", _images(2, 3, 32)),
    PackageProgram("fno", "neuralop.models", "neuralop.models.FNO(n_modes=(4, 4), hidden_channels=8, in_channels=2, "
        "out_channels=1, n_layers=2)", _images(2, 2, 16)),
    PackageProgram("gp_kernel", "gpytorch", "gpytorch.kernels.ScaleKernel(gpytorch.kernels.MaternKernel(nu=2.5))",
        _ROWS, "self.model(x).to_dense()"),
    PackageProgram("perceiver", "perceiver_pytorch", "perceiver_pytorch.Perceiver(input_channels=3, input_axis=2, "
        "num_freq_bands=3, max_freq=10.0, depth=1, num_latents=8, latent_dim=16, cross_heads=1, latent_heads=2, "
        "cross_dim_head=8, latent_dim_head=8, num_classes=5)", "torch.randn(1, 16, 16, 3)"),
    PackageProgram("mamba_py", "mambapy.mamba", "mambapy.mamba.Mamba(mambapy.mamba.MambaConfig(d_model=16, n_layers=1))",
        "torch.randn(2, 16, 16, generator=torch.Generator().manual_seed(0))"),
    PackageProgram("spline_flow", "zuko", "zuko.flows.NSF(4, transforms=1, hidden_features=[16])", _ROWS,
        "-self.model().log_prob(x).mean()"),
    PackageProgram("tabnet", "pytorch_tabnet.tab_network", "pytorch_tabnet.tab_network.TabNet(input_dim=4, output_dim=2, "
        "n_d=4, n_a=4, n_steps=1, group_attention_matrix=torch.eye(4))", _ROWS),
    PackageProgram("ode", "torchdiffeq", "torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 4))",
        _ROWS, "torchdiffeq.odeint(lambda t, y: self.model(y), x, torch.linspace(0.0, 1.0, 3), method='euler')"),
    PackageProgram("augmentation", "kornia.augmentation", "kornia.augmentation.ColorJiggle(0.1, 0.1, 0.1, 0.1, p=1.0)",
        "torch.rand(2, 3, 16, 16, generator=torch.Generator().manual_seed(0))"),
    PackageProgram("smp_unet", "segmentation_models_pytorch", "segmentation_models_pytorch.Unet('resnet18', "
        "encoder_depth=3, encoder_weights=None, decoder_channels=(16, 8, 8))", _images(2, 3, 32)),
    PackageProgram("fsq", "vector_quantize_pytorch", "vector_quantize_pytorch.FSQ(levels=[8, 5, 5, 5], dim=16)",
        "torch.randn(2, 8, 16, generator=torch.Generator().manual_seed(0))", "self.model(x)[0]"),
    PackageProgram("local_transformer", "local_attention", "local_attention.LocalTransformer(num_tokens=100, dim=32, "
        "depth=1, heads=2, dim_head=16, local_attn_window_size=4, max_seq_len=16)", _IDS),
    PackageProgram("gcn", "torch_geometric", "torch_geometric.nn.GCN(8, 16, 2, 4)",
        "torch.randn(6, 8, generator=torch.Generator().manual_seed(0))",
        "self.model(x, torch.tensor([[0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 0]]))"),
    PackageProgram("timm_resnet", "timm", "timm.create_model('resnet10t')", _images(2, 3, 64)),
    PackageProgram("timm_vit", "timm", "timm.create_model('vit_tiny_patch16_224', img_size=32, depth=1)",
        _images(2, 3, 32)),
    PackageProgram("timm_convnext", "timm", "timm.create_model('convnext_atto', depths=(1, 1, 1, 1))",
        _images(2, 3, 64)),
    PackageProgram("timm_mixer", "timm", "timm.models.mlp_mixer.MlpMixer(img_size=32, patch_size=8, num_blocks=1, "
        "embed_dim=32)", _images(2, 3, 32)),
    PackageProgram("timm_efficientnet", "timm", "timm.create_model('efficientnet_lite0')", _images(2, 3, 64)),
    PackageProgram("timm_swin", "timm", "timm.models.swin_transformer.SwinTransformer(img_size=32, patch_size=4, "
        "window_size=4, embed_dim=16, depths=(2, 1), num_heads=(2, 2))", _images(1, 3, 32)),
    PackageProgram("timm_maxvit", "timm", "timm.create_model('maxvit_rmlp_pico_rw_256', img_size=64, "
        "embed_dim=(32, 64), depths=(1, 1), block_type=('M', 'M'), stem_width=16)", _images(2, 3, 64)),
    PackageProgram("tv_resnet", "torchvision", "torchvision.models.resnet18()", _images(2, 3, 64)),
    PackageProgram("tv_swin", "torchvision", "torchvision.models.SwinTransformer([4, 4], 16, [1, 1], [2, 2], [4, 4])",
        _images(1, 3, 32)),
    PackageProgram("tv_fpn", "torchvision", "torchvision.models.detection.backbone_utils.resnet_fpn_backbone("
        "backbone_name='resnet18', weights=None, trainable_layers=5)", _images(2, 3, 64), "self.model(x)['pool']"),
    PackageProgram("tv_retina_head", "torchvision.models.detection.retinanet",
        "torchvision.models.detection.retinanet.RetinaNetClassificationHead(8, 2, 3)", _images(2, 8, 8),
        "torch._dynamo.disable(lambda y: self.model([y, y[..., ::2]]), recursive=False)(x)"),
    PackageProgram("dp_sgd", "opacus.grad_sample", "opacus.grad_sample.GradSampleModule(torch.nn.Sequential("
        "torch.nn.Conv2d(1, 4, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(144, 3)))", _images(4, 1, 8)),
    PackageProgram("tv_segmentation", "torchvision", "torchvision.models.segmentation.lraspp_mobilenet_v3_large("
        "weights=None, weights_backbone=None)", _images(2, 3, 64), "self.model(x)['out']"),
)  # fmt: skip
PROGRAMS = {program.name: program for program in (*TRANSFORMERS, *OTHERS)}
