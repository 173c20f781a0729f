"""The process in which a class is traced: it runs the user's code within limits, and answers with data.

Run as ``python -m symparam.models.tracing.worker``; the request is JSON on standard input, the answer JSON on standard output, to which
nothing else can write.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import math
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager
from dataclasses import replace
from json import dumps, load  # Taken before the user's code runs, which may replace them.
from pathlib import Path
from typing import TYPE_CHECKING

from symparam.core.json_types import JsonMapping, JsonObject
from symparam.errors import described
from symparam.models.tracing.environment_reads import KEPT, tracked_environment
from symparam.models.tracing.side_effects import is_of_others, refuse_side_effects
from symparam.models.tracing.waiting import watch_for_waiting

if TYPE_CHECKING:
    from symparam.models.traced.network import Network
    from symparam.models.tracing.subjects import Subject

SLACK = 3.0  # Seconds reserved for the answer.
FURTHER = 2
"""How many times as many further settings test a run, which has more cases: each setting with each size of the input."""
UNTESTED = "it was run, but no other settings and sizes of the input were accepted that could test what was found"
OVERDUE = "its runs take longer than the time allowed"
STARTED = time.monotonic()

Finish = Callable[[JsonObject], None]
"""Sends an answer, and ends this process."""


class CannotFindError(Exception):
    """Raised when the requested class does not exist."""


def main() -> None:
    """Answer one request."""
    channel = os.dup(1)
    silent = os.open(os.devnull, os.O_WRONLY)
    request = load(sys.stdin)
    os.dup2(silent, 1)
    os.dup2(silent, 2)

    def send(data: bytes) -> None:
        with os.fdopen(channel, "wb") as stream:
            stream.write(data)

    answer(request, None, send)


def answer(request: JsonMapping, kind: object, send: Callable[[bytes], object]) -> None:
    """Send the network, or the failure as a sentence, and end this process."""

    def give_up(why: str) -> None:
        send(dumps({"error": f"{request['target']} was not traced: {why}"}).encode())
        os._exit(0)

    def finish(found: JsonObject) -> None:
        send(dumps(found).encode())
        os._exit(0)

    watch_for_waiting(give_up)
    finish(_answer(request, kind, finish))


def _answer(request: JsonMapping, kind: object, finish: Finish) -> JsonObject:
    memory = _limited(request["memory"])
    _limit_time(request["seconds"])
    try:
        return {"network": _traced(request, kind, finish)}
    except MemoryError:
        return {"error": f"{request['target']} needs more memory than the {memory >> 30} GiB that tracing may use"}
    except BaseException as error:  # The user's code may raise anything.
        own = type(error).__module__.startswith("symparam") or isinstance(error, CannotFindError)
        return {"error": f"{error}" if own else f"{request['target']} cannot be traced: {described(error)}"}


def _limited(memory: int) -> int:
    """Limit the memory of this process, and return the limit: a lower one that the process was started with stays."""
    try:
        import resource
    except ImportError:
        return memory
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    highest = resource.getrlimit(resource.RLIMIT_AS)[1]
    allowed = memory if highest == resource.RLIM_INFINITY else min(memory, highest)
    resource.setrlimit(resource.RLIMIT_AS, (allowed, allowed))
    return allowed


def _limit_time(seconds: float) -> None:
    """Have the system end this process once it has used so much processor time."""
    try:
        import resource
    except ImportError:
        return
    highest = resource.getrlimit(resource.RLIMIT_CPU)[1]
    allowed = math.ceil(seconds) if highest == resource.RLIM_INFINITY else min(math.ceil(seconds), highest)
    resource.setrlimit(resource.RLIMIT_CPU, (allowed, highest))


def _traced(request: JsonMapping, kind: object, finish: Finish) -> JsonObject:
    try:
        import torch
    except ImportError:
        raise CannotFindError(
            f"{sys.executable} has no torch, which tracing needs: pip install 'symparam[torch]', or name another interpreter with --python"
        ) from None
    torch.set_num_threads(1)
    with tracked_environment(is_of_others) as environment:
        kind = kind if kind is not None else _found(request["target"])
        return _network_of(kind, request, environment, finish)


def _network_of(kind: object, request: JsonMapping, environment: Set[str], finish: Finish) -> JsonObject:
    import torch

    from symparam.models.traced.network import to_data
    from symparam.models.tracing.argument_subject import ArgumentSubject
    from symparam.models.tracing.failures import CannotTraceError, UnfitError
    from symparam.models.tracing.search import Search
    from symparam.models.tracing.subjects import CannotBuildError, ConfigSubject

    files = refuse_side_effects()
    if isinstance(kind, torch.nn.Module):
        raise CannotFindError(
            f"{request['target']} has already been built, so its sizes are numbers; give its class, and its arguments as settings"
        )
    of_a_config = isinstance(kind, type) and getattr(kind, "config_class", None) is not None
    versions = {"torch": str(torch.__version__)}
    if of_a_config:
        import transformers

        transformers.logging.set_verbosity(50)
        versions = {"transformers": transformers.__version__, **versions}
    try:
        given = request["given"]
        subject = ConfigSubject(kind, given) if of_a_config and isinstance(kind, type) else ArgumentSubject(kind, given)
        search = Search(subject, request["verify"], _left(request), draws=request["draws"])
        found = search.network(request["target"], versions)
        found = replace(found, environment=tuple(sorted(environment - {*KEPT})), files=tuple(sorted(files)))
        overdue = replace(found, not_run=OVERDUE)
        with _at_the_limit(lambda: finish({"network": to_data(overdue)})):
            with_run = _with_run(found, subject, request)
        return to_data(with_run)
    except CannotBuildError as error:
        unknown = sorted(environment - {*KEPT})
        read = f"; it reads {', '.join(unknown)} from the environment, which tracing does not pass on" if unknown else ""
        raise CannotTraceError(f"{request['target']} cannot be built: {error}{read}") from None
    except UnfitError as error:
        raise CannotTraceError(f"{request['target']} was not traced: no rule was found for {error}") from None
    except CannotTraceError as error:
        raise CannotTraceError(f"{request['target']} was not traced: {error}") from None


def _left(request: JsonMapping) -> float:
    """The processor time that is left for the search."""
    seconds: float = request["seconds"]
    return seconds - SLACK - time.process_time()


def _with_run(network: Network, subject: Subject, request: JsonMapping) -> Network:
    """The network with the operations of a run, or with the reason why there are none."""
    from symparam.models.tracing.failures import CannotTraceError, UnfitError
    from symparam.models.tracing.forward_runs import RunObserver, run_subject
    from symparam.models.tracing.search import Search
    from symparam.models.tracing.subjects import CannotBuildError

    left = _left(request)
    try:
        with _interrupted_after(left, request["altogether"] - SLACK - (time.monotonic() - STARTED)):
            further = FURTHER * request["verify"]
            runs = run_subject(subject)
            search = Search(runs, request["verify"], left, request["draws"], RunObserver, further=further)
            run = replace(search.network(request["target"], {}), inputs=runs.inputs.shapes)
            return replace(network, run=run) if run.verified[1] else replace(network, not_run=UNTESTED)
    except (CannotBuildError, CannotTraceError) as error:
        return replace(network, not_run=f"{error}")
    except UnfitError as error:
        return replace(network, not_run=f"no rule was found for {error}")


@contextmanager
def _at_the_limit(finish: Callable[[], None]) -> Iterator[None]:
    """Finishes where the system would end this process: a run may catch whatever is raised in it, and go on."""
    if not hasattr(signal, "SIGXCPU"):
        yield
        return
    before = signal.signal(signal.SIGXCPU, lambda *_: finish())
    try:
        yield
    finally:
        signal.signal(signal.SIGXCPU, before)


@contextmanager
def _interrupted_after(computing: float, altogether: float) -> Iterator[None]:
    """Raises an error in the code inside once the time for computing, or all of the time, is up, and again if that code catches it."""
    from symparam.models.tracing.failures import CannotTraceError

    def interrupt(*_: object) -> None:
        raise CannotTraceError(OVERDUE)

    if min(computing, altogether) <= 0:
        interrupt()
    if not hasattr(signal, "setitimer"):
        yield
        return
    timers = {signal.SIGPROF: (signal.ITIMER_PROF, computing), signal.SIGALRM: (signal.ITIMER_REAL, altogether)}
    before = {number: signal.signal(number, interrupt) for number in timers}
    for timer, seconds in timers.values():
        signal.setitimer(timer, seconds, 0.2)
    try:
        yield
    finally:
        for timer, _ in timers.values():
            signal.setitimer(timer, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


def _found(target: str) -> object:
    """The class, or the function that makes a module, named by ``MODULE:NAME`` or ``FILE.py:NAME``."""
    where, _, name = target.rpartition(":")
    if where.endswith(".py"):
        path = Path(where)
        sys.path.insert(0, str(path.parent.resolve()))
        spec = importlib.util.spec_from_file_location(path.stem, path)
        if spec is None or spec.loader is None:
            raise CannotFindError(f"{where} cannot be imported")
        module = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = module
        try:
            spec.loader.exec_module(module)
        except BaseException as error:
            raise CannotFindError(f"{where} cannot be imported: {described(error)}") from None
    else:
        sys.path.insert(0, os.getcwd())
        try:
            module = importlib.import_module(where)
        except BaseException as error:
            raise CannotFindError(f"the module {where!r} cannot be imported: {described(error)}") from None
    found = getattr(module, name, None)
    if found is None:
        import torch

        classes = [each for each, value in vars(module).items() if inspect.isclass(value) and issubclass(value, torch.nn.Module)]
        listed = f"; it has {', '.join(classes[:8])}" if classes else ""
        raise CannotFindError(f"{where} has no class {name!r}{listed}")
    if not callable(found):
        raise CannotFindError(f"{target} is {type(found).__name__}, but a class of torch modules is expected, or a function that makes one")
    return found


if __name__ == "__main__":
    main()
