"""scikit-learn's estimators of neighbours over an exact index on any device: change the import of sklearn.neighbors to this.

>>> from proxel.sklearn import KNeighborsClassifier
>>> KNeighborsClassifier(n_neighbors=1, device="cpu").fit([[0.0], [1.0]], ["a", "b"]).predict([[0.9]])
array(['b'], dtype='<U1')

They are scikit-learn's classes with their parameters, and one more: device. What differs:

- Rows and queries are rounded to float32, and distances are those of the rounded values, the same to the bit on every device.
  Scale values of more digits, such as times in seconds since 1970, before.
- Equal distances are ordered by the lower index, where scikit-learn's order depends on the algorithm.
- Metrics are euclidean, sqeuclidean, manhattan, chebyshev, cosine, correlation, their other names, and minkowski with p of 1, 2
  or infinity. Weights of dimensions, functions and sparse rows are refused. Where metric="precomputed" scikit-learn itself
  looks into what it is given.
- algorithm, leaf_size and n_jobs are accepted, and have no effect.
- Estimators are pickled and copied without their index, which is made again when it is first needed.
"""
from ._estimators import (
    KNeighborsClassifier,
    KNeighborsRegressor,
    KNeighborsTransformer,
    NearestNeighbors,
    RadiusNeighborsTransformer,
)

__all__ = [
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "KNeighborsTransformer",
    "NearestNeighbors",
    "RadiusNeighborsTransformer",
]
