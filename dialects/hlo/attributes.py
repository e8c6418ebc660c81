"""Attribute keys of StableHLO modules that penguin reads."""

# Of an argument whose buffer JAX offers: for the result of that number, or for any.
DONATIONS = ("tf.aliasing_output", "jax.buffer_donor")
