"""The parent's side of the worker: starts the process in which a class is traced, waits, and reads the answer as data."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from symparam.errors import ArchitectureError
from symparam.models.traced.network import Network, from_data
from symparam.models.tracing.environment_reads import KEPT

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

SECONDS = 120.0
"""The limit of processor time for a trace."""
WAITING = 5
"""How many times as long a trace may take altogether: on a busy machine it waits for the processor."""
MEMORY = 16 << 30
MAX_ANSWER = 100_000_000


def traced(
    target: str, given: Mapping[str, object], verify: int = 6, python: str | None = None, seconds: float = SECONDS, kind: object = None
) -> Network:
    """The network of ``MODULE:CLASS`` or ``FILE.py:CLASS``, traced in a separate process around these settings.

    ``kind`` is the class itself if another process cannot import it, as in a notebook. Raises `ArchitectureError` with the cause: no such
    class, a constructor that fails, does not return or exits, or no rule that holds.
    """
    if kind is None and ":" not in target:
        raise ArchitectureError(f"{target!r} names no class; give MODULE:CLASS or FILE.py:CLASS, as in transformers:BertModel")
    file = target.rpartition(":")[0]
    if kind is None and file.endswith(".py") and not Path(file).is_file():
        raise ArchitectureError(f"there is no file {file}; give FILE.py:CLASS or MODULE:CLASS")
    limits = {"seconds": seconds, "altogether": WAITING * seconds, "memory": MEMORY}
    request = {"target": target, "given": dict(given), "verify": verify, "draws": 14, **limits}
    data = _from_a_fork(request, kind, seconds) if kind is not None else _from_a_process(request, python or sys.executable, seconds)
    try:
        answer = json.loads(data)
    except ValueError:
        raise ArchitectureError(
            f"the process that traced {target} ended without an answer: its code exits the interpreter, crashes it or breaks its files"
        ) from None
    if "error" in answer:
        raise ArchitectureError(" ".join(str(answer["error"]).split())[:600])
    return from_data(answer["network"], target)


def _from_a_process(request: Mapping[str, object], python: str, seconds: float) -> bytes:
    package = str(Path(__file__).parents[3])
    environment = {name: os.environ[name] for name in KEPT if name in os.environ}
    environment |= {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": "", "PYTHONWARNINGS": "ignore"}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (environment.get("PYTHONPATH"), package)))
    try:
        process = subprocess.Popen(
            [python, "-m", "symparam.models.tracing.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        raise ArchitectureError(f"{python} cannot be started: {error.strerror}; give a Python interpreter with torch") from None
    try:
        answer = process.communicate(json.dumps(request).encode(), timeout=WAITING * seconds)[0][:MAX_ANSWER]
    except subprocess.TimeoutExpired:
        raise _waited(request, seconds) from None
    finally:
        _end(process)
    return _unless_overdue(answer, process.returncode, request, seconds)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process, and with it whatever it started."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate()


def _from_a_fork(request: Mapping[str, object], kind: object, seconds: float) -> bytes:
    """The answer of a fork of this process, for a class that exists only here."""
    import multiprocessing

    try:
        context = multiprocessing.get_context("fork")
    except ValueError:
        raise ArchitectureError("a class of a notebook cannot be traced here; put it into a file, as in trace('model.py:Net')") from None
    receiving, sending = context.Pipe(duplex=False)
    child = context.Process(target=_answer, args=(sending, request, kind), daemon=True)
    child.start()
    sending.close()
    try:
        if not receiving.poll(WAITING * seconds):
            raise _waited(request, seconds)
        answer = receiving.recv_bytes(MAX_ANSWER)
    except EOFError:
        child.join(1)
        answer = b""
    finally:
        child.kill()
        child.join()
    return _unless_overdue(answer, child.exitcode, request, seconds)


def _answer(sending: Connection, request: Mapping[str, object], kind: object) -> None:
    from symparam.models.tracing.worker import answer

    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    answer(request, kind, sending.send_bytes)


def _unless_overdue(answer: bytes, code: int | None, request: Mapping[str, object], seconds: float) -> bytes:
    """The answer, unless the system ended the process as its time was up."""
    if not answer and hasattr(signal, "SIGXCPU") and code == -signal.SIGXCPU:
        raise ArchitectureError(
            f"tracing {request['target']} took longer than {seconds:.0f} seconds of processor time and was stopped: it may never end"
        )
    return answer


def _waited(request: Mapping[str, object], seconds: float) -> ArchitectureError:
    return ArchitectureError(
        f"tracing {request['target']} did not end within {WAITING * seconds:.0f} seconds, {WAITING} times the processor time it may use, "
        "and was stopped: the machine is busy, or its code waits for something; --timeout sets the time"
    )
