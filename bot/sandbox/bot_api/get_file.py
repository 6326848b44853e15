"""getFile: the way to a file's bytes."""

from __future__ import annotations

from bot.sandbox import files
from bot.sandbox.errors import bad_request
from bot.sandbox.limits import DOWNLOAD_MAX
from bot.sandbox.params import Params
from bot.sandbox.world import Obj, World


def get_file(world: World, params: Params) -> Obj:
    """Return where to download a file.

    Raises:
        ApiError: The id is unknown, or the file has more than 20 MB and the server is not in local mode.
    """
    file_id = params.text("file_id")
    if not file_id:
        raise bad_request("file_id not specified")
    found = files.find(world, file_id)
    if found is None:
        raise bad_request("invalid file_id")
    if world.local:
        return found.ids() | {"file_path": files.on_disk(world, found)}
    if found.size > DOWNLOAD_MAX:
        raise bad_request("file is too big")
    return found.ids() | {"file_path": found.path}


METHODS = {"getFile": get_file}
