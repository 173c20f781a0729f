"""Classes that no tracing may follow, or wait for; only the process that traces imports this."""

from __future__ import annotations

import json
import os
import pathlib
import random
import socket
import subprocess
import sys
import time

import torch
from torch import nn


class Exits(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        os._exit(0)


class Forks(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        if os.fork() == 0:
            os._exit(0)


class EndsAnotherProcess(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        os.kill(os.getppid(), 0)  # The signal 0 ends nothing.


class AsksAnotherMachine(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        socket.create_connection(("127.0.0.1", 9))


class ReturnsNothing(nn.Module):
    def __new__(cls, size=3):
        return None


class SaysTooMuch(nn.Module):
    def __init__(self, size=3):
        raise ValueError("\x1b[2J\x1b[31mloud\n\r\u202e" + 1_000_000 * "x\n")


class CannotSay(nn.Module):
    def __init__(self, size=3):
        class SilentError(Exception):
            def __str__(self):
                raise RuntimeError("it cannot be said")

        raise SilentError


class Leaves(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        sys.exit(3)


class DrawsASize(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        self.layer = nn.Linear(size, random.getrandbits(40))


class CountsItsBuilds(nn.Module):
    built = 0

    def __init__(self, size=3):
        super().__init__()
        CountsItsBuilds.built += 1
        self.layers = nn.ModuleList(nn.Linear(size, size, bias=False) for _ in range(CountsItsBuilds.built))


class NeedsTheEnvironment(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        self.layer = nn.Linear(size, int(os.environ["A_WIDTH"]))


class NeedsArguments(nn.Module):
    def __init__(self, size, depth):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(size, size) for _ in range(depth))


class WaitsForAnInput(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        self.layer = nn.LazyLinear(size)


class HasItself(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        self.inner = HasItself(size)


class IsInterrupted(nn.Module):
    def __init__(self, dim: int = 4) -> None:
        raise KeyboardInterrupt


class RunsACommand(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        subprocess.run(["true"], check=True)


class WritesAFile(nn.Module):
    def __init__(self, size=3, path="left-behind.txt"):
        super().__init__()
        pathlib.Path(path).write_text("here", encoding="utf-8")


class DeletesAFile(nn.Module):
    def __init__(self, size=3, path="left-behind.txt"):
        super().__init__()
        pathlib.Path(path).unlink()


class WritesNowhere(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        with pathlib.Path(os.devnull).open("w", encoding="utf-8") as nowhere:
            print(size, file=nowhere)
        self.layer = nn.Linear(size, size)


class ReplacesFunctions(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        json.dumps = lambda *arguments, **more: '{"network": {}}'
        self.layer = nn.Linear(size, size)


class Forever(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        while True:
            pass


class Sleeps(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        while True:
            time.sleep(0.1)


class Dawdles(nn.Module):
    """Sleeps, but for some work now and then."""

    def __init__(self, size=3):
        super().__init__()
        while True:
            time.sleep(0.1)
            sum(range(20_000))


class Asks(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        self.layer = nn.Linear(size, int(input("how many? ")))


class ReadsTheEnvironment(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(len(os.environ["SECRET"])))


class Number:
    def __new__(cls, size=3):
        return size


class Allocates(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        self.held = bytearray(1 << 40)


built_already = nn.Linear(3, 3)
