"""`python -m training.dequantize MODEL.gguf DIRECTORY`: a Llama in GGUF as fp32 safetensors, without torch.

A child process does it, so that its memory goes back when it is done.
"""

import json
import sys
from pathlib import Path
from typing import Any

from training.tiny import write_tokenizer_config
from winnow.core.errors import DataError

_LAYER = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
_OUTSIDE = {
    "token_embd.weight": "model.embed_tokens.weight",
    "output_norm.weight": "model.norm.weight",
    "output.weight": "lm_head.weight",
}


def dequantize(gguf: Path, target: Path) -> None:
    """Writes config, weights and tokenizer into `target`; transformers computes the same from the GGUF itself.

    Raises DataError for another architecture than Llama and for a tensor that no Llama has.
    """
    from gguf import GGUFReader
    from safetensors.numpy import save_file

    from winnow.models.tokenizer import build_tokenizer

    reader = GGUFReader(gguf)
    config = _config(reader)
    weights = {
        _name(tensor.name): _values(tensor, config["num_attention_heads"], config["num_key_value_heads"])
        for tensor in reader.tensors
    }
    config["tie_word_embeddings"] = "lm_head.weight" not in weights
    (target / "config.json").write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")
    save_file(weights, str(target / "model.safetensors"), metadata={"format": "pt"})
    build_tokenizer(gguf).save(str(target / "tokenizer.json"))
    write_tokenizer_config(target, context=config["max_position_embeddings"])


def _config(reader: Any) -> dict[str, Any]:
    def field(name: str) -> Any:
        found = reader.get_field(name)
        if found is None:
            raise DataError(f"the GGUF has no field {name}. Give the GGUF of a Llama.")
        return found.contents()

    architecture = field("general.architecture")
    if architecture != "llama":
        raise DataError(
            f"the GGUF holds a {architecture}; a llama is needed. Give the directory of the model."
        )
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "dtype": "float32",
        "vocab_size": field("llama.vocab_size"),
        "hidden_size": field("llama.embedding_length"),
        "intermediate_size": field("llama.feed_forward_length"),
        "num_hidden_layers": field("llama.block_count"),
        "num_attention_heads": field("llama.attention.head_count"),
        "num_key_value_heads": field("llama.attention.head_count_kv"),
        "max_position_embeddings": field("llama.context_length"),
        "rms_norm_eps": float(field("llama.attention.layer_norm_rms_epsilon")),
        "rope_parameters": {"rope_type": "default", "rope_theta": float(field("llama.rope.freq_base"))},
        "bos_token_id": field("tokenizer.ggml.bos_token_id"),
        "eos_token_id": field("tokenizer.ggml.eos_token_id"),
        # The file pads with the token that ends a turn; <|endoftext|> never stands in a conversation
        "pad_token_id": field("tokenizer.ggml.unknown_token_id"),
    }


def _name(name: str) -> str:
    if name in _OUTSIDE:
        return _OUTSIDE[name]
    prefix, _, rest = name.partition(".")
    layer, _, part = rest.partition(".")
    stem = part.removesuffix(".weight")
    if prefix != "blk" or stem not in _LAYER or stem == part:
        raise DataError(f"the GGUF has a tensor {name}, which no Llama has. Give the directory of the model.")
    return f"model.layers.{layer}.{_LAYER[stem]}.weight"


def _values(tensor: Any, heads: int, key_heads: int) -> Any:
    import numpy as np
    from gguf import dequantize as values_of

    values = np.ascontiguousarray(values_of(tensor.data, tensor.tensor_type), dtype=np.float32)
    rotated = {"attn_q": heads, "attn_k": key_heads}
    groups = next((n for part, n in rotated.items() if f".{part}." in tensor.name), None)
    if groups is None:
        return values
    # llama.cpp turns pairs of neighbours, transformers the two halves of a head
    pairs = values.reshape(groups, -1, 2, *values.shape[1:])
    return np.ascontiguousarray(pairs.swapaxes(1, 2).reshape(values.shape))


if __name__ == "__main__":
    try:
        dequantize(Path(sys.argv[1]), Path(sys.argv[2]))
    except DataError as error:
        sys.exit(str(error))
