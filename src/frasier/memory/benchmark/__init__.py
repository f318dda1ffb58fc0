"""Evaluation of retrieval quality on judged test collections."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.memory.benchmark.collection import (
        Collection as Collection,
        read_collection as read_collection,
    )
    from frasier.memory.benchmark.metrics import Quality as Quality, mean as mean, quality as quality
    from frasier.memory.benchmark.retrieval_benchmark import (
        ArmResult as ArmResult,
        Measured as Measured,
        Progress as Progress,
        measure as measure,
    )
else:
    lazy_exports(__name__)
