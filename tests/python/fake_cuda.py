"""A CUDA device that is none: arrays that say they lie on one and lie in host memory, and proxel's processor in its
place.

What is checked, planned, recorded and handed over is proxel's own; what CUDA would do to memory is done by copies
here."""
import dataclasses
import types

import numpy as np
from proxel import _cuda, _device_memory, _device_rows, _dlpack, _planned
from proxel._abi import ffi
from proxel._devices import Device
from proxel._errors import check
from proxel._library import lib

codes = {'f': _dlpack.REAL, 'i': _dlpack.SIGNED, 'u': _dlpack.UNSIGNED}


class Tensor:
    """An array of a library that speaks DLPack."""

    def __init__(self, array, ordinal=0):
        self.array, self.ordinal, self.streams, self.given = array, ordinal, [], 0

    def __dlpack_device__(self):
        return _dlpack.CUDA, self.ordinal

    def __dlpack__(self, *, stream=None, **others):
        self.streams.append(stream)
        array = self.array
        return _dlpack.give(
            array.__array_interface__['data'][0],
            array.shape,
            codes[array.dtype.kind],
            8 * array.dtype.itemsize,
            self.ordinal,
            array,
        )


class Interface:
    """One that has __cuda_array_interface__ alone."""

    def __init__(self, array, **others):
        told = array.__array_interface__
        self.array = array
        self.__cuda_array_interface__ = dict(
            shape=told['shape'],
            typestr=told['typestr'],
            data=told['data'],
            strides=told['strides'],
            version=3,
            **others,
        )


class _Wrapped:
    """Memory of the host's that is copied to a buffer of proxel's, and back once something was recorded."""

    latest = []

    def __init__(self, device, address, bytes, owner):
        self.memory, self.address, self.bytes, self.owner = _device_memory.Own(device, bytes), address, bytes, owner
        self.view = self.memory.view
        self.memory.write(np.frombuffer(ffi.buffer(ffi.cast('char *', address), bytes), np.uint8))
        _Wrapped.latest.append(self)

    def copy_back(self):
        self.memory.read_into(np.frombuffer(ffi.buffer(ffi.cast('char *', self.address), self.bytes), np.uint8))


def _record_into(device, stream, record):
    recording = ffi.new('proxel_recording **')
    check(lib.proxel_recording_create(device.pointer, ffi.NULL, recording))
    check(lib.proxel_recording_begin(recording[0]))
    record(recording[0])
    check(lib.proxel_recording_end(recording[0]))
    check(lib.proxel_device_submit(device.pointer, recording[0]))
    check(lib.proxel_device_wait(device.pointer))
    lib.proxel_recording_destroy(recording[0])
    for wrapped in _Wrapped.latest:
        if isinstance(wrapped.owner, (Tensor, Interface)):  # those of `out`
            wrapped.copy_back()
    _Wrapped.latest.clear()


def install(monkeypatch):
    """The device, and what its driver was asked for: waits, and streams that follow others."""
    asked = types.SimpleNamespace(waits=[], follows=[])
    device = Device('cpu')
    device.info = dataclasses.replace(device.info, id='cuda:0')
    monkeypatch.setattr(_device_memory, 'opened', lambda name: {'cuda:0': device}[name])
    for module in _device_memory, _device_rows, _planned:
        monkeypatch.setattr(module, 'Wrapped', _Wrapped)
    monkeypatch.setattr(_planned, 'record_into', _record_into)
    monkeypatch.setattr(_cuda, 'wait_for', lambda ordinal, stream: asked.waits.append(stream))
    monkeypatch.setattr(
        _cuda,
        'follow',
        lambda ordinal, after, before: asked.follows.append((after, before)) if after != before else None,
    )
    monkeypatch.setattr(_cuda, 'device_of', lambda address, argument: 0)
    _Wrapped.latest.clear()
    asked.device = device
    return asked
