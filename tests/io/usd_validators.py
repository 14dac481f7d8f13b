"""What the validators of OpenUSD say of a file."""

import pytest
from pxr import Tf, Usd, UsdValidation


def errors(path):
    """Return what they say."""
    try:
        validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    except Tf.ErrorException:
        pytest.skip("this OpenUSD (25.05) comes without its validators")
    return UsdValidation.ValidationContext(validators).Validate(Usd.Stage.Open(str(path)))


def faults(path):
    """Return what they say, by kind and name."""
    return {(error.GetName(), error.GetType()) for error in errors(path)}
