"""Distances by numpy, in binary64, from their definitions."""
import numpy as np


def distances(queries, rows, metric):
    q, r = np.asarray(queries, np.float64), np.asarray(rows, np.float64)
    if metric == 'pearson':
        q, r = q - q.mean(axis=1, keepdims=True), r - r.mean(axis=1, keepdims=True)
    if metric in ('cosine', 'pearson'):
        lengths = np.sqrt((q**2).sum(axis=1))[:, None] * np.sqrt((r**2).sum(axis=1))[None]
        return 1 - q @ r.T / lengths
    if metric == 'ip':
        return q @ r.T
    difference = q[:, None] - r[None]
    return {
        'l1': lambda: np.abs(difference).sum(axis=2),
        'l2sq': lambda: (difference**2).sum(axis=2),
        'l2': lambda: np.sqrt((difference**2).sum(axis=2)),
        'linf': lambda: np.abs(difference).max(axis=2),
    }[metric]()


def nearest(queries, rows, k, metric):
    """Numbers and distances of the k nearest, equal ones by lower number."""
    all_of_them = distances(queries, rows, metric)
    order = np.argsort(-all_of_them if metric == 'ip' else all_of_them, axis=1, kind='stable')[:, :k]
    return np.take_along_axis(all_of_them, order, axis=1), order
