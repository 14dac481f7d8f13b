"""The mathematics of rigs: values and pure functions on numpy arrays in float64."""
