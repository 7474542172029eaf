"""The features: one module or package each. Siblings know nothing of one another.

A module in this package is a feature by being here. It has one subclass of :class:`Feature`.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from bot.discord_app.feature import Feature


def feature_classes() -> list[type[Feature]]:
    """Return the feature class of every module in this package, in the order of the modules' names."""
    found: list[type[Feature]] = []
    for module in sorted(iter_modules(__path__), key=lambda module: module.name):
        name = f"{__name__}.{module.name}"
        members = vars(import_module(name)).values()
        found += [one for one in members if _is_feature(one) and one.__module__.startswith(name)]
    return found


def _is_feature(member: object) -> bool:
    return isinstance(member, type) and issubclass(member, Feature) and member is not Feature
