"""What the validators of OpenUSD say of a file."""

import pytest
from pxr import Tf, Usd, UsdValidation


def faults(path):
    """Return what they say, by kind and name."""
    try:
        validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    except Tf.ErrorException:
        pytest.skip("this OpenUSD (25.05) comes without its validators")
    found = UsdValidation.ValidationContext(validators).Validate(Usd.Stage.Open(str(path)))
    return {(error.GetName(), error.GetType()) for error in found}
