"""What a class may not do while it is traced, as it is built many times: start or end processes, connect to others, and
write, move or delete files. Which files it reads is noted, as what is built then depends on more than the settings.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path
from types import FrameType

_PROCESSES = ("os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.exec", "os.system", "subprocess.Popen", "os.kill", "os.killpg")
_CONNECTIONS = ("socket.connect", "socket.bind")
_CHANGES = ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod", "shutil.rmtree")
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_STANDARD_LIBRARY = os.path.dirname(os.__file__)
_SYMPARAM = str(Path(__file__).parents[2])
_CODE = (".py", ".pyc", ".so", ".pyd")


def refuse_side_effects() -> set[str]:
    """From here on, refuse them in this process, and note the files that the class reads in the set that is returned. Installed libraries
    may write files, such as caches of their own, and read them.
    """
    sys.dont_write_bytecode = True  # What a constructor imports is imported for it.
    read: set[str] = set()
    sys.addaudithook(partial(_refuse, read))
    return read


def _refuse(read: set[str], event: str, arguments: tuple[object, ...]) -> None:
    if event in _PROCESSES:
        raise PermissionError(f"the class calls {event}, and may neither start nor end processes while it is traced")
    if event in _CONNECTIONS:
        raise PermissionError(f"the class calls {event}, and may not connect to others while it is traced")
    if event in _CHANGES or (event == "open" and _is_of_a_file(arguments[0])):
        caller: FrameType | None = sys._getframe(1)
        while caller is not None and _is_of_python(caller.f_code.co_filename):
            caller = caller.f_back
        if caller is None or is_of_others(caller.f_code.co_filename) or caller.f_code.co_filename.startswith(_SYMPARAM):
            return
        path, *_, flags = arguments
        if event in _CHANGES or (isinstance(flags, int) and flags & _WRITING):
            raise PermissionError(f"the class calls {event} on {str(path)[:100]!r}, and may not change files while it is traced")
        if isinstance(path, (str, bytes)) and not os.fsdecode(path).endswith(_CODE):
            read.add(os.fsdecode(path))


def _is_of_a_file(path: object) -> bool:
    return isinstance(path, (str, bytes)) and not os.fsdecode(path).startswith("/dev/")


def is_of_others(file: str) -> bool:
    """Whether the code in a file is Python's own or that of an installed library, which reads the environment for purposes of its own."""
    return _is_of_python(file) or "site-packages" in file or "dist-packages" in file


def _is_of_python(file: str) -> bool:
    return file.startswith(("<", _STANDARD_LIBRARY)) and "site-packages" not in file and "dist-packages" not in file
