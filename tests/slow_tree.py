"""Estimators for experiments in other processes: slow ones, and ones that fail."""

import os
import signal
import sys
import time
from pathlib import Path

from mdtree_nb import Experiment, MDTreeClassifier


class SlowTree(MDTreeClassifier):
    """Takes a while to fit."""

    def fit(self, X, y, sample_weight=None):
        time.sleep(0.03)
        return super().fit(X, y, sample_weight)


class FailingTree(MDTreeClassifier):
    """Fails while a file is there, which is not part of what identifies a cell."""

    switch = Path("never")

    def fit(self, X, y, sample_weight=None):
        if self.switch.exists():
            raise RuntimeError("the switch is there")
        return super().fit(X, y, sample_weight)


class KillingTree(MDTreeClassifier):
    """Kills its process, as a system does that is short of memory."""

    def fit(self, X, y, sample_weight=None):
        os.kill(os.getpid(), signal.SIGKILL)


def grid():
    """Sixty cells of about 0.05 seconds."""
    return Experiment(
        ["iris", "wine", "zoo"],
        {"slow": SlowTree(min_samples_leaf=5)},
        mechanisms=["MCARunifo", "MARunifo"],
        rates=[0.1, 0.3],
    )


if __name__ == "__main__":
    grid().run(sys.argv[1])
