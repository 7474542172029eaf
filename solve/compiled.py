"""Compiles the solvers' cores with numba where it is installed; else the same source runs as plain Python.

A core that must be fast uses only numbers, arrays and the helpers here, and marks its functions with
:func:`compiled`. Without numba an array is a list and a map is a dict. Both ways give the same answers after
the same number of steps. Measured on the search for Aces Up, positions a second: 44,000 in plain Python,
640,000 with numba, and 1,700,000 for a prototype in C. But numba and what it needs take 280 MB, and compiling
takes 14 s, so it is an extra (``pip install solitaire-bot[fast]``). Its machine code is cached on disk,
beside the source or in the user's cache folder (``NUMBA_CACHE_DIR`` names another); later starts take half a
second. ``SOLVE_PLAIN=1`` in the environment disables it.

Numba's integers wrap at 2^64 where Python's never overflow, so cores keep theirs between -2^63 and 2^63.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

numba: Any
np: Any
try:
    if os.environ.get("SOLVE_PLAIN"):
        raise ImportError
    import numba
    import numpy as np
except ImportError:
    numba = np = None

F = TypeVar("F", bound=Callable[..., Any])
Array = Any  # list[int], or numpy's array with numba; both are indexed alike
Map = Any

COMPILED = numba is not None


def compiled(function: F) -> F:
    """Return ``function`` compiled when it is first called; without numba, as it is."""
    return _jit(function)


def inlined(function: F) -> F:
    """The same for a small function that is called often: it is inlined into its callers."""
    return _jit(function, forceinline=True)


def _jit(function: F, **options: bool) -> F:
    if not COMPILED:
        return function
    try:
        fast: Any = numba.njit(cache=True, nogil=True, error_model="numpy", **options)(function)
    except RuntimeError:  # no cache folder can be written
        fast = numba.njit(nogil=True, error_model="numpy", **options)(function)
    return cast("F", fast)


def array(values: list[int]) -> Array:
    """Return an array of 64-bit numbers."""
    return np.array(values, dtype=np.int64) if COMPILED else values


def zeros(size: int) -> Array:
    """Return an array of ``size`` zeros."""
    return np.zeros(size, dtype=np.int64) if COMPILED else [0] * size


def new_map(size: int) -> Map:
    """Return an empty map from positive numbers to numbers.

    ``size`` is a power of two, and should be twice the number of entries.
    """
    return (zeros(size), np.zeros(size, dtype=np.int32)) if COMPILED else {}


def _map_get_plain(entries: Map, key: int) -> int:
    """Return the number at ``key``, or -1."""
    value: int = entries.get(key, -1)
    return value


def _map_put_plain(entries: Map, key: int, value: int) -> None:
    """Add a key that is not in the map."""
    entries[key] = value


def _map_get_hashed(entries: Map, key: int) -> int:
    """The same with open addressing: 0 is an empty place, and a key is at or after the place of its hash."""
    keys, values = entries
    mask = len(keys) - 1
    i = (key * 0x9E3779B97F4A7C1 >> 20) & mask
    while keys[i] != 0:
        if keys[i] == key:
            found: int = values[i]
            return found
        i = (i + 1) & mask
    return -1


def _map_put_hashed(entries: Map, key: int, value: int) -> None:
    keys, values = entries
    mask = len(keys) - 1
    i = (key * 0x9E3779B97F4A7C1 >> 20) & mask
    while keys[i] != 0:
        i = (i + 1) & mask
    keys[i] = key
    values[i] = value


map_get = compiled(_map_get_hashed) if COMPILED else _map_get_plain
map_put = compiled(_map_put_hashed) if COMPILED else _map_put_plain


def extended(values: Array, size: int) -> Array:
    """Return the values followed by ``size`` zeros."""
    return np.concatenate((values, zeros(size))) if COMPILED else values + [0] * size


def with_larger_map(entries: Map, size: int) -> Map:
    """Return the same map with more room; ``size`` as for :func:`new_map`."""
    if not COMPILED:
        return entries
    larger = new_map(size)
    _put_all(entries, larger)
    return larger


@compiled
def _put_all(entries: Map, larger: Map) -> None:
    keys, values = entries
    for i in range(len(keys)):
        if keys[i] != 0:
            map_put(larger, keys[i], values[i])
