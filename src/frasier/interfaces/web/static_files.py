"""Style sheets, scripts and icons, under names that change with their content, so that browsers keep them for good."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

_TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_HASH_CHARS = 12
_IMMUTABLE = "public, max-age=31536000, immutable"


@cache
def _contents() -> dict[str, tuple[str, bytes]]:
    """Return the address of each file by its name, with its bytes."""
    contents = {}
    for file in files("frasier.interfaces.web").joinpath("static").iterdir():
        stem, _, kind = file.name.rpartition(".")
        if kind in _TYPES:
            data = file.read_bytes()
            digest = hashlib.sha256(data).hexdigest()[:_HASH_CHARS]
            contents[file.name] = (f"{stem}.{digest}.{kind}", data)
    return contents


@cache
def _by_address() -> dict[str, tuple[str, bytes]]:
    return {address: (name, data) for name, (address, data) in _contents().items()}


def static_address(name: str) -> str:
    """Return the address of a static file."""
    return f"/static/{_contents()[name][0]}"


async def serve_static(request: Request) -> Response:
    """Answer with a static file; 404 for a name that none has now."""
    if (known := _by_address().get(request.path_params["name"])) is None:
        raise HTTPException(404)
    name, data = known
    return Response(data, media_type=_TYPES[name.rpartition(".")[2]], headers={"Cache-Control": _IMMUTABLE})
