"""What the two tensor-op lowerings share: nest builder, index arithmetic, scalar functions."""
