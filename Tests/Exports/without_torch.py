"""Importing this stands in for torch (5 GB), of which what is imported later needs nothing here.

Whatever is asked of it is an empty class.
"""
import importlib.abc
import importlib.machinery
import sys
import types


class Empty(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn


class StandIn(metaclass=Empty):
    def __init__(self, *arguments, **named):
        pass

    def __call__(self, *arguments, **named):
        # As a decorator, it leaves what it decorates.
        return arguments[0] if arguments and callable(arguments[0]) else self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn()


class EmptyModule(types.ModuleType):
    __path__ = []
    __version__ = "2.0.0"

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn


class EmptyModules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        if name.split(".")[0] not in ("torch", "torchaudio", "torchcodec"):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return EmptyModule(spec.name)

    def exec_module(self, module):
        pass


sys.meta_path.insert(0, EmptyModules())
