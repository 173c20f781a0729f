"""What a class may not do while it is traced, as it is built many times: start or end processes, connect to others, and
write, move or delete files.
"""

from __future__ import annotations

import os
import sys
from types import FrameType

_PROCESSES = ("os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.exec", "os.system", "subprocess.Popen", "os.kill", "os.killpg")
_CONNECTIONS = ("socket.connect", "socket.bind")
_CHANGES = ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod", "shutil.rmtree")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_STANDARD_LIBRARY = os.path.dirname(os.__file__)


def refuse_side_effects() -> None:
    """From here on, refuse them in this process. Installed libraries may write files, such as caches of their own."""
    sys.dont_write_bytecode = True  # What a constructor imports is imported for it.
    sys.addaudithook(_refuse)


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    if event in _PROCESSES:
        raise PermissionError(f"the class calls {event}, and may neither start nor end processes while it is traced")
    if event in _CONNECTIONS:
        raise PermissionError(f"the class calls {event}, and may not connect to others while it is traced")
    if event in _CHANGES or (event == "open" and _opens_for_writing(*arguments)):
        caller: FrameType | None = sys._getframe(1)
        while caller is not None and _is_of_python(caller.f_code.co_filename):
            caller = caller.f_back
        if caller is not None and not is_of_others(caller.f_code.co_filename):
            raise PermissionError(f"the class calls {event} on {str(arguments[0])[:100]!r}, and may not change files while it is traced")


def _opens_for_writing(path: object, mode: object, flags: object) -> bool:
    named = isinstance(path, (str, bytes)) and not os.fsdecode(path).startswith("/dev/")
    return named and isinstance(flags, int) and bool(flags & _WRITING)


def is_of_others(file: str) -> bool:
    """Whether the code in a file is Python's own or that of an installed library, which reads the environment for purposes of its own."""
    return _is_of_python(file) or "site-packages" in file or "dist-packages" in file


def _is_of_python(file: str) -> bool:
    return file.startswith(("<", _STANDARD_LIBRARY)) and "site-packages" not in file and "dist-packages" not in file
