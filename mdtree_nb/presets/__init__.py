"""The systems of the sources, each with its own conventions, as one call.

A preset takes the source's parameter names and returns an estimator of this package that
grows by the source's rules; what it translates or cannot keep is in its docstring.

Does not: know the sources' data or errata; `teaching` does.
"""

from .c45 import c45
from .cart import cart_categorical, cart_nan_side
from .eig import eig, eig_repository
from .incomplete_rows import dtpe, fractioning_of_cases, lpe, tspe
from .rpart import rpart

__all__ = [
    "c45", "cart_categorical", "cart_nan_side", "dtpe", "eig", "eig_repository",
    "fractioning_of_cases", "lpe", "rpart", "tspe",
]  # fmt: skip
