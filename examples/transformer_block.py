"""A transformer encoder block in JAX, small enough to read and to simulate: 128 tokens of 256.

    penguin-compile examples/transformer_block.py:block --emit=bir

`block` gives what the tools ask of `file.py:function`: a function and its arguments.
"""

import jax
import jax.numpy as jnp
import numpy as np

SEQUENCE, WIDTH, HEADS = 128, 256, 4


def layer_norm(x, scale, bias):
    mean = x.mean(axis=-1, keepdims=True)
    variance = jnp.square(x - mean).mean(axis=-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + bias


def attention(x, weights):
    def heads(w):
        return (x @ w).reshape(SEQUENCE, HEADS, WIDTH // HEADS)

    q, k, v = heads(weights["q"]), heads(weights["k"]), heads(weights["v"])
    scores = jnp.einsum("qhd,khd->hqk", q, k) / np.sqrt(WIDTH // HEADS)
    mixed = jnp.einsum("hqk,khd->qhd", jax.nn.softmax(scores), v)
    return mixed.reshape(SEQUENCE, WIDTH) @ weights["o"]


def mlp(x, weights):
    hidden = jax.nn.gelu(x @ weights["up"] + weights["up_bias"])
    return hidden @ weights["down"] + weights["down_bias"]


def transformer_block(x, weights):
    x = x + attention(layer_norm(x, weights["scale1"], weights["bias1"]), weights)
    return x + mlp(layer_norm(x, weights["scale2"], weights["bias2"]), weights)


def block():
    """The block and the arguments it is compiled for."""
    rng = np.random.default_rng(0)

    def matrix(rows, columns):
        return (rng.standard_normal((rows, columns)) / np.sqrt(rows)).astype(np.float32)

    def vector(size, around=0.0):
        return (around + 0.1 * rng.standard_normal(size)).astype(np.float32)

    weights = {name: matrix(WIDTH, WIDTH) for name in "qkvo"}
    weights |= {"up": matrix(WIDTH, 4 * WIDTH), "down": matrix(4 * WIDTH, WIDTH)}
    weights |= {"up_bias": vector(4 * WIDTH), "down_bias": vector(WIDTH)}
    weights |= {f"scale{i}": vector(WIDTH, 1.0) for i in (1, 2)}
    weights |= {f"bias{i}": vector(WIDTH) for i in (1, 2)}
    x = rng.standard_normal((SEQUENCE, WIDTH)).astype(np.float32)
    return transformer_block, (x, weights)
