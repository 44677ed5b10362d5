"""The smallest architecture of each of timm's modules, by the number of its weights; of deepseek_vit, gemma4_vit and vgg it is too large."""

from typing import Any

import torch

from tests.gpu.diffusers_models import Called

_TOO_LARGE = 100_000_000
SMALLEST = (
    "beit_base_patch16_224", "halonet_h1", "test_byobnet", "cait_xxs24_224", "coat_tiny", "convit_tiny",
    "convmixer_768_32", "test_convnext", "cpubone_nano", "crossvit_tiny_240", "csatv2", "cs3darknet_focus_s",
    "cspnext_tiny", "davit_tiny", "deit_tiny_patch16_224", "densenet121", "dla46x_c", "dpn48b", "edgenext_xx_small",
    "efficientformer_l1", "efficientformerv2_s0", "test_efficientnet", "efficientvim_m1", "efficientvit_b0",
    "efficientvit_m0", "vit_tiny_patch16_dinov3_qkvb", "fasternet_t0", "fastvit_t8", "focalnet_tiny_srf",
    "gcvit_xxtiny", "ghostnet_050", "hardcorenas_b", "hgnetv2_b0", "hiera_tiny_224", "sam2_hiera_tiny",
    "hrnet_w18_small", "iformer_t", "inception_next_atto", "inception_resnet_v2", "inception_v3", "inception_v4",
    "lcnetv2_small", "levit_128s", "lowformer_b0", "test_mambaout", "test_coatnet", "poolformerv2_s12", "gmlp_ti16_224",
    "mobilenetv3_small_050", "mobilenetv5_base", "mobilevit_xxs", "mvitv2_tiny", "naflexvit_base_patch16_parfac_gap",
    "nasnetalarge", "nest_tiny", "nextvit_small", "test_nfnet", "pit_ti_224", "pnasnet5large", "pvt_v2_b0",
    "qwen3_vit_88m", "rdnet_tiny", "regnetx_002", "repghostnet_050", "repvit_m1", "res2next50", "resnest14d",
    "test_resnet", "resnetv2_18", "rexnet_100", "selecsls42", "legacy_seresnet18", "sequencer2d_s", "shvit_s1",
    "skresnet18", "starnet_s050", "swiftformer_xs", "swin_tiny_patch4_window7_224", "swinv2_tiny_window16_256",
    "swinv2_cr_tiny_224", "tiny_vit_5m_224", "tnt_s_legacy_patch16_224", "tresnet_m", "twins_svt_small",
    "visformer_tiny", "test_vit", "vit_tiny_r_s16_p8_224", "test_vit_relpos", "samvit_base_patch16_224",
    "vitamin_small_224", "volo_d1_224", "ese_vovnet19b_slim_dw", "legacy_xception", "xception41p",
    "xcit_nano_12_p8_224",
)  # fmt: skip


def smallest() -> list[str]:
    """What stands in `SMALLEST`, of the timm that is installed: 1,371 models without weights, two minutes."""
    import timm

    found = []
    for module in timm.list_modules():
        sizes = [(_size(name), name) for name in timm.list_models(module=module)]
        if sizes and min(sizes)[0] < _TOO_LARGE:
            found.append(min(sizes)[1])
    return found


def _size(name: str) -> int:
    import timm

    with torch.device("meta"):
        return sum(weight.numel() for weight in timm.create_model(name).parameters())


def names() -> tuple[str, ...]:
    """All of them."""
    return SMALLEST


def built(name: str) -> Called:
    """With random weights, and two pictures of the size that it was made for."""
    import timm

    model: Any = timm.create_model(name)
    size = model.pretrained_cfg.get("input_size", (3, 224, 224))
    return Called(model, {"x": torch.randn(2, *size, generator=torch.Generator().manual_seed(0))})
