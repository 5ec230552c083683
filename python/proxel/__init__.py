"""Exact similarity search on any GPU, and on the processor, with the same answer to the bit.

>>> import numpy as np
>>> import proxel
>>> rows = np.random.default_rng(1).random((1000, 16), dtype=np.float32)
>>> index = proxel.Index(rows, metric="l2sq", device="cpu")
>>> distances, indices = index.search(rows[:2], k=3)
>>> indices[:, 0]
array([0, 1])
"""
from ._answers import Neighbors, RangeNeighbors
from ._device_arrays import DeviceArray
from ._device_rows import DeviceRows
from ._devices import Device, DeviceInfo, devices
from ._errors import (
    BackendError,
    CancelledError,
    DeviceLostError,
    ForkedError,
    InputOutputError,
    InternalError,
    InvalidArgumentError,
    InvalidTypeError,
    MalformedFileError,
    NotFoundError,
    OutOfMemoryError,
    ProxelError,
    UnsupportedError,
)
from ._files import FileInfo, Table, inspect, read, read_lines, read_table, write
from ._index import Index
from ._krulis import KrulisIndex
from ._library import library_path, library_version
from ._names import error_bound, methods, metrics
from ._parts import Components, components, merge
from ._permutations import FractionChoice, PermutationIndex
from ._progress import Progress
from ._reports import Report
from ._several import Shard
from ._sharded import ShardedIndex
from ._sharded_objects import ShardedPermutationIndex, ShardedSignatureIndex, ShardedStringIndex
from ._signatures import SignatureIndex, Signatures
from ._strings import StringIndex

__version__ = library_version()

__all__ = [
    "BackendError",
    "CancelledError",
    "Components",
    "Device",
    "DeviceArray",
    "DeviceInfo",
    "DeviceLostError",
    "DeviceRows",
    "FileInfo",
    "ForkedError",
    "FractionChoice",
    "Index",
    "InputOutputError",
    "InternalError",
    "InvalidArgumentError",
    "InvalidTypeError",
    "KrulisIndex",
    "MalformedFileError",
    "Neighbors",
    "NotFoundError",
    "OutOfMemoryError",
    "PermutationIndex",
    "Progress",
    "ProxelError",
    "RangeNeighbors",
    "Report",
    "Shard",
    "ShardedIndex",
    "ShardedPermutationIndex",
    "ShardedSignatureIndex",
    "ShardedStringIndex",
    "SignatureIndex",
    "Signatures",
    "StringIndex",
    "Table",
    "UnsupportedError",
    "components",
    "devices",
    "error_bound",
    "inspect",
    "library_path",
    "library_version",
    "merge",
    "methods",
    "metrics",
    "read",
    "read_lines",
    "read_table",
    "write",
]
